"""Builds: chance stands alone, parameters, variants, rulings, readings; digests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.language import Rulebook, registry
from tests.messages import message, rule, write

# -- chance stands alone -------------------------------------------------------------------------------


def _mixed(guard: str = "pass", over: str = "t.up", before: str = "") -> str:
    return (
        f'@book.rule("turn.go", by=CHANCE, phase=Phase.GO)\ndef roll(t): pass\n{before}'
        f'@book.rule("turn.go", by=one, phase=(Phase.GO, Phase.END))  # here\ndef act(t): {guard}\n'
        f'@book.over("turn.end")\ndef over(t): return {over}\n'
    )


def test_chance_and_a_player_in_one_phase_are_refused_when_built(tmp_path: Path) -> None:
    assert message(tmp_path, _mixed()) == (
        "HERE, rule act: chance (roll) and a player (act) may act in the same state; put them in "
        "different phases, "
        "or strengthen a guard"
    )


@pytest.mark.parametrize(
    "source",
    [
        _mixed("t.require(t.up)"),
        _mixed(over="t.phase == Phase.GO"),
        _mixed(before='@book.rule("turn.go", by=RULES, phase=Phase.GO)\ndef first(t): t.phase = Phase.END\n'),
        _mixed(before='@book.rule("turn.go", by=responder(lambda t: 0))\ndef first(t): t.require(t.up)\n'),
    ],
)
def test_what_the_phases_alone_do_not_tell_is_left_to_the_engines(tmp_path: Path, source: str) -> None:
    path, _ = write(tmp_path, source)
    assert registry.find(str(path)).build().instances


# -- builds --------------------------------------------------------------------------------------------


def _book(tmp_path: Path, source: str) -> Rulebook:
    return registry.find(str(write(tmp_path, source)[0]))


def test_a_parameter_that_is_no_number_has_the_position_of_its_value(tmp_path: Path) -> None:
    source = rule(
        "pass", declared='"turn.go", by=one, n=[4, 7], word=["x", "y"], card=Card', args="t, n, word, card"
    )
    program = _book(tmp_path, source).build()
    assert [i.values for i in program.instances] == [
        (n, w, c) for n in (4, 7) for w in (0, 1) for c in (0, 1)
    ]
    assert program.instances[-1].label == "act(n=7, word=y, card=B)"


def test_parameters_may_depend_on_the_size(tmp_path: Path) -> None:
    source = (
        "@attrs.frozen(kw_only=True)\nclass Numbers(Size):\n    spots: int = 2\n"
        "size = deferred(Numbers)\nbook.sizes.update(only=Numbers(), big=Numbers(spots=3))\n"
        + rule(
            "pass", declared='"turn.go", by=one, a=size.spots, b=lambda s: range(1, s.spots)', args="t, a, b"
        )
    )
    book = _book(tmp_path, source)
    assert [len(book.build(s).instances) for s in ("only", "big")] == [2, 6]


def test_a_rule_of_another_variant_or_ruling_is_left_out(tmp_path: Path) -> None:
    source = 'book.ruling("faq.one", source="")\n' + rule("pass", declared='"turn.go", by=one, only="long"')
    source += '@book.rule("faq.one", by=one, ruling="faq.one")\ndef late(t): pass\n'
    book = _book(tmp_path, source)

    def names(**chosen: object) -> list[str]:
        return [i.rule for i in book.build(**chosen).instances]  # type: ignore[arg-type]

    assert (names(), names(variant="long")) == ([], ["act"])
    assert (names(rulings=True), names(rulings="faq.one")) == (["late"], ["late"])


def test_without_the_rulings_nothing_of_theirs_is_seen(tmp_path: Path) -> None:
    source = (
        'book.ruling("faq.one", picks={"early": "y", "late": "y"}, source="")\n'
        'early = book.reading("early", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="")\n'
        'late = book.reading("late", "faq.one", options={"x": "", "y": ""}, default="x", why="", asks="", '
        'ruling="faq.one")\n'
        + rule(
            'if t.reading(early) == "y": t.up = True', 'decide(t, "sum", [row("turn.go", when=t.up, then=1)])'
        )
        + '@book.override("sum", "turn.go", clause="faq.one", ruling="faq.one")\ndef change(t, old):\n'
        '    return renamed(old, clause="faq.one", id="faq.one", then=2 if t.reading(late) == "y" else 3)\n'
    )
    book = _book(tmp_path, source)
    without, with_them = book.build(), book.build(rulings=True)
    assert without.readings == {"early": "x"}
    assert with_them.readings == {"early": "y", "late": "y"}
    assert without.consulted == {"early"}
    assert with_them.consulted == {"early", "late"}
    assert not [s.id for s in without.sites if "faq.one" in (*s.clauses, s.id)]
    assert "row:sum:faq.one" in with_them.site_number
    assert (
        book.build(readings={"early": "x"}, rulings=True).readings["early"] == "x"
    )  # what is asked for prevails


def test_a_reading_that_only_an_end_consults_is_consulted(tmp_path: Path) -> None:
    source = 'r = book.reading("r", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="")\n'
    source += '@book.over("turn.end")\ndef over(t): return t.up if t.reading(r) == "x" else ~t.up\n'
    source += rule("pass", declared='"turn.go", by=CHANCE, weight=lambda t: 1')
    book = _book(tmp_path, source)
    assert book.build().consulted == {"r"}
    assert str(book.build(readings={"r": "y"}).over) == "(not up)"


def test_a_reading_that_only_a_weight_or_an_actor_consults_belongs_to_the_rule(tmp_path: Path) -> None:
    source = "".join(
        f'{r} = book.reading("{r}", "turn.go", options={{"x": "", "y": ""}}, default="x", why="", asks="")\n'
        for r in ("heavy", "whose")
    )
    source += rule(
        "pass", declared='"turn.go", by=CHANCE, weight=lambda t: 1 if t.reading(heavy) == "x" else 2'
    )
    source += '@book.rule("turn.go", by=player(lambda t: 0 if t.reading(whose) == "x" else 1))\ndef go(t):\n'
    source += "    t.require(t.up)\n"
    program = _book(tmp_path, source).build()
    assert [i.readings for i in program.instances] == [{"heavy"}, {"whose"}]


def test_an_instance_that_can_never_happen_may_leave_its_ranges(tmp_path: Path) -> None:
    source = (
        "class Few(State):\n    deck = Bag(Card, {Card.A: 1})\n    n = Range(0, 1)\nbook.state(Few)\n"
        '@book.rule("turn.go", by=CHANCE, card=Card, weight=lambda t, card: t.deck[card])\n'
        "def draw(t, card):\n    t.deck.remove(card)\n"
        '@book.rule("turn.go", by=CHANCE, n=3)\n'
        "def put(t, n):\n    t.require(n < 2)\n    t.n = n\n"
        '@book.rule("turn.go", by=CHANCE, card=Card)\n'
        "def spend(t, card):\n    with t.when(t.deck[card] > 0):\n        t.deck.remove(card)\n"
    )
    program = _book(tmp_path, source).build()
    guards = {i.label: str(i.guard) for i in program.instances}
    assert guards["draw(card=A)"] == "(< 0 deck[A])"
    assert guards["draw(card=B)"] == guards["put(n=2)"] == "false"
    assert program.by_label["draw(card=B)"].body == program.by_label["spend(card=B)"].body == ()
    assert len(program.by_label["spend(card=A)"].body) == 1


# -- digests -------------------------------------------------------------------------------------------

_DIGESTS = """
import sys
from tests.machines import MACHINES
names = list(MACHINES)
if sys.argv[1] == "backwards":
    names.reverse()
kept = [MACHINES[n].program() for n in names]
print("\\n".join(sorted(f"{n} {p.digest}" for n, p in zip(names, kept))))
"""


def test_digests_do_not_depend_on_the_process_or_on_what_was_built_before() -> None:
    runs = []
    for seed, order in (("0", "forwards"), ("1", "backwards"), ("2", "forwards")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        made = subprocess.run(
            [sys.executable, "-c", _DIGESTS, order],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        runs.append(made.stdout)
    assert runs[0] == runs[1] == runs[2]
    assert len(set(runs[0].split()[1::2])) == len(runs[0].splitlines()) > 30


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (rule("t.n = 1"), rule("t.n = 2")),
        (rule("t.n = 1"), rule("t.turn = 1")),
        (rule("t.n = t.n % 2"), rule("t.n = t.n % 2", "t.n = t.n % 2")),
        (rule("t.require(t.up)"), rule("t.require(~t.up)")),
        (rule("t.up = t.low < t.n"), rule("t.up = t.n < t.low")),
        (rule('t.cover("x")'), rule('t.cover("y")')),
        (rule('t.stop("x", "turn.go")'), rule('t.stop("x", "turn.end")')),
        (
            rule("pass", declared='"turn.go", by=CHANCE'),
            rule("pass", declared='"turn.go", by=CHANCE, weight=2'),
        ),
        (rule("pass"), rule("pass", declared='"turn.end", by=one')),
        (rule("pass"), rule("pass", declared='"turn.go", by=player(lambda t: 1)')),
        (rule("pass"), rule("pass") + "Table.n.hidden = True\n"),
        (rule("pass"), rule("pass") + "Table.n.start = 2\n"),
        (rule("pass"), rule("pass") + '@book.winner("turn.end")\ndef winner(t, p): return t.n == p\n'),
        (
            rule("with t.when(t.up): t.n = 1", "t.n = 2"),
            rule("with t.when(t.up):", "    t.n = 1", "    t.n = 2"),
        ),
    ],
)
def test_programs_that_differ_have_different_digests(tmp_path: Path, one: str, other: str) -> None:
    digests = []
    for name, source in (("one", one), ("other", other)):
        (tmp_path / name).mkdir()
        digests.append(_book(tmp_path / name, source).build().digest)
    assert digests[0] != digests[1]


def test_a_digest_does_not_depend_on_places(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        digests.add(_book(tmp_path / name, "\n" * len(name) + rule("t.n = t.low * t.low % 4")).build().digest)
    assert len(digests) == 1
