"""Planted changes of Fly High: each is classed right, with its shortest play.

Each change is an edit of the text of a copy of the model; an edit that does not apply fails. A tiny size is
added to every copy, so that both versions are compared whole.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import pytest

from findings.audit import pairs
from findings.diff import Difference, difference, reports
from findings.progress import SilentProgress
from findings.versions import Version, from_tree
from solvers.compare.versions import Relation
from solvers.contract import Limits

ROOT = Path(__file__).parent.parent
#: File of the model, what stands there, what comes instead.
Edit = tuple[str, str, str]

TINY: Edit = (
    "cards.py",
    "SIZES = {\n",
    'SIZES = {\n    "tiny": FlyHigh(spots=2, cards="10A 20A*2 U F", die=(1, 2)),\n',
)
TURN_BACK = '''@book.rule("bold.fail-nothing", "bold.turn-over", "ending.face-down", "ending.same-spot",
           "ending.next-player", by=RULES, phase=Phase.FAILED)
def turn_back(t: Table) -> None:
    """The flight has failed: its cards are turned face down where they lie, and the turn is over."""
    t.face_up.fill(False)
    pass_on(t)


'''
COUNTED = "# --- the end ---"
STOP = "by=turn_player, phase=Phase.CHOICE)\ndef stop("


@attrs.frozen
class Planted:
    """A change and what it is.

    Attributes:
        edits: What is edited.
        kinds: What differs.
        relations: Rule that differs → its legal moves against those before.
        plays: (rule, how) → the shortest play, the differing move last.
    """

    edits: Sequence[Edit]
    kinds: set[str] = attrs.field(factory=set)
    relations: Mapping[str, Relation] = attrs.field(factory=dict)
    plays: Mapping[tuple[str, str], Sequence[str]] = attrs.field(factory=dict)


def copy_of(folder: Path, *edits: Edit) -> Version:
    """A copy of the model with some edits, loaded."""
    for part in ("models/fly_high", "properties"):
        shutil.copytree(
            ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "examples.py")
        )
    for file, old, new in (TINY, *edits):
        path = folder / "models" / "fly_high" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
    return Version(folder.name, from_tree("fly_high", folder, folder.name), {})


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Version:
    return copy_of(tmp_path_factory.mktemp("old"))


def between(old: Version, new: Version, games: int = 0, findings: bool = False) -> Difference:
    return difference(
        old,
        new,
        size="tiny",
        variant="basic",
        games=games,
        limits=Limits(),
        progress=SilentProgress(),
        findings=findings,
    )


FIRST = ("roll(number=1)", "reveal(spot=0)", "turn_up(card=N10_A)")
EQUAL, MORE, FEWER = Relation.EQUAL, Relation.MORE, Relation.FEWER

CHANGES = {
    "a guard is loosened": Planted(
        [("flight.py", STOP, STOP.replace("phase=Phase.CHOICE", "phase=(Phase.CHOICE, Phase.FLY)"))],
        {"moves"},
        {"stop": MORE},
        {("stop", "more"): ("roll(number=1)", "stop")},
    ),
    "a guard is tightened": Planted(
        [("flight.py", 'does not go on."""\n', 'does not go on."""\n    t.require(t.die != 1)\n')],
        {"moves"},
        {"stop": FEWER},
        {("stop", "fewer"): (*FIRST, "stop")},
    ),
    "a guard is moved": Planted(
        [("flight.py", STOP, STOP.replace("CHOICE", "FLY"))],
        {"moves"},
        {"stop": Relation.INCOMPARABLE},
        {("stop", "more"): ("roll(number=1)", "stop"), ("stop", "fewer"): (*FIRST, "stop")},
    ),
    "a score": Planted(
        [("rules.py", "t.score[t.turn] + count(*t.face_up)", "t.score[t.turn] + 1")],
        {"outcomes"},
        {"take_all": EQUAL},
        {("take_all", "outcome"): (*FIRST, "reveal(spot=1)", "turn_up(card=N20_A)", "take_all")},
    ),
    "the deck runs out earlier": Planted(
        [("rules.py", "return got, t.deck == 0", "return got, t.deck <= 1")],
        {"outcomes"},
        {"cloud": EQUAL, "refill": EQUAL},
        {
            ("cloud", "outcome"): ("cloud", "cloud"),
            ("refill", "outcome"): (
                "cloud",
                "roll(number=1)",
                "reveal(spot=0)",
                "turn_up(card=FINISH)",
                "take_all",
                "refill",
            ),
        },
    ),
    "when the game is over": Planted(
        [
            (
                "rules.py",
                "return t.phase == Phase.OVER",
                "return (t.phase == Phase.OVER) | (t.phase == Phase.OUT)",
            )
        ],
        {"end"},
        {},
        {("", "end"): ("cloud", "cloud", "cloud")},
    ),
    "who has won": Planted(
        [("rules.py", "return t.won[number]", "return ~t.won[number]")],
        {"end"},
        {},
        {("", "result"): ("cloud", "cloud", "cloud", "count_cards")},
    ),
    "the odds": Planted(
        [("cards.py", "    clouds: int = 1", "    clouds: int = 2")],
        {"outcomes"},
        {"roll": EQUAL, "cloud": EQUAL},
        {("roll", "odds"): ("roll(number=1)",), ("cloud", "odds"): ("cloud",)},
    ),
    "a size": Planted(
        [("cards.py", 'U F", die=(1, 2)),\n', 'U F", die=(2,)),\n')],
        {"moves", "outcomes"},
        {"roll": FEWER, "cloud": EQUAL},
        {("roll", "fewer"): ("roll(number=1)",), ("cloud", "odds"): ("cloud",)},
    ),
    "a rule is taken out": Planted(
        [
            (
                "flight.py",
                '@book.rule("bold.may-go-on", "number.take-all", by=turn_player',
                "@left_out(by=turn_player",
            ),
            (
                "flight.py",
                "\n#: Sentences on special",
                "\ndef left_out(**_):\n    return id\n\n\n#: Sentences on special",
            ),
        ],
        {"moves"},
        {"stop": FEWER},
        {("stop", "fewer"): (*FIRST, "stop")},
    ),
    "another way to say the same": Planted(
        [("rules.py", "(t.turn + 1) % t.size.players", "(t.turn + 3 * t.size.players - 1) % t.size.players")]
    ),
}
#: Changes that are no change in play, proved without a search.
PROVED = {
    "a rule is renamed": [("rules.py", "def turn_back(", "def cards_go_back(")],
    "a file is reordered": [("rules.py", TURN_BACK, ""), ("rules.py", COUNTED, TURN_BACK + COUNTED)],
    "a sentence is reworded": [("clauses.toml", "There is a single die.", "There is one die.")],
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_play_is_classed_and_shown(name: str, old: Version, tmp_path: Path) -> None:
    planted = CHANGES[name]
    made = between(old, copy_of(tmp_path / "new", *planted.edits))
    assert made.play.complete
    assert not made.play.structural
    assert made.kinds == planted.kinds
    assert {r.rule: r.relation for r in made.play.rules.values() if r.changed} == planted.relations
    found = {(r.rule, k): getattr(r, k) for r in made.play.rules.values() for k in reports.KINDS}
    found |= {("", "end"): made.play.end, ("", "result"): made.play.result}
    shown = {k: play.labels for k, play in found.items() if play is not None}
    assert {k: shown.get(k) for k in planted.plays} == planted.plays
    assert set(made.steps) == set(shown)


@pytest.mark.parametrize("name", PROVED)
def test_no_change_in_play_is_proved(name: str, old: Version, tmp_path: Path) -> None:
    made = between(old, copy_of(tmp_path / "new", *PROVED[name]), games=10, findings=True)
    assert made.play.structural
    assert made.kinds == frozenset()
    assert made.balance is None
    assert "proved" in reports.headline(made)
    renamed = [(r.was, r.rule) for r in made.play.rules.values() if r.was != r.rule]
    assert renamed == ([("turn_back", "cards_go_back")] if "renamed" in name else [])
    assert [c.how for c in made.clauses] == (["reworded"] if "reworded" in name else [])


def test_a_contradiction_that_is_resolved_changes_no_move_and_closes_its_question(
    old: Version, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "MOST_COMPARED", 0)  # this size is so small that most readings never part
    overrides = 'overrides=[*success, "bold.until-clear"]),\n            row("finish'
    settled = overrides.replace('clear"]', 'clear", "uturn.no-end"]')
    made = between(old, copy_of(tmp_path / "new", ("flight.py", overrides, settled)), findings=True)
    assert made.play.structural
    assert made.kinds == {"findings", "elsewhere"}
    assert {(e.variant, e.size): e.same for e in made.elsewhere} == {
        ("basic", "print"): True,
        ("advanced", "tiny"): False,  # there the row clashes with one more
        ("advanced", "print"): False,
    }
    assert [(f.how, f.finding.code, f.finding.clauses) for f in made.findings] == [
        ("gone", "RL101", ("bold.all-nine", "uturn.no-end"))
    ]


def test_the_balance_before_and_after(old: Version, tmp_path: Path) -> None:
    made = between(old, copy_of(tmp_path / "new", *CHANGES["the deck runs out earlier"].edits), games=200)
    assert made.balance is not None
    was, now = made.balance
    assert (was.games, now.games) == (200, 200)
    assert all(w.low <= w.value <= w.high for w in (*was.wins, *now.wins))
    assert now.length.high < was.length.low
