"""The Duel: counts, what every play keeps, what is open, what is proved, printed examples, and its words."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from models.language.clauses import Clauses
from models.language.ir import Kind
from models.language.terms import Term, every
from models.language.words import Words
from models.the_duel import fight, turn, windows
from models.the_duel.examples import EXAMPLES
from models.the_duel.rules import book
from models.the_duel.table import Table
from properties import kinds
from properties.kinds import Form
from solvers.compare import Builder, Parting, gather, partings
from solvers.contract import Proved
from solvers.explorer import Exploration, explore
from solvers.explorer.cycles import endless
from solvers.interpreter import Interpreter, Values
from solvers.symbolic import ask_site, check_facts
from solvers.symbolic.induction import Houdini
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.session import Invariants, session
from solvers.symbolic.solving import Deadline

SMALL = tuple(name for name in book.sizes if name.split("-")[0] == "small")


# --- what can be reached ------------------------------------------------------------------------------


COUNTS = {
    ("small", "game"): (18103, 20553, 65, 1118),
    ("small", "turn"): (27251, 48295, 22, 1996),
    ("small-axe", "game"): (7866, 8643, 52, 671),
    ("small-axe", "turn"): (18217, 28827, 23, 1964),
    ("small-dice", "game"): (58094, 71085, 85, 1140),
    ("small-dice", "turn"): (24957, 39850, 17, 3179),
    ("small-draws", "game"): (4338, 5001, 46, 314),
    ("small-draws", "turn"): (28048, 56458, 21, 1914),
    ("small-king", "game"): (32383, 39327, 72, 1787),
    ("small-king", "turn"): (52280, 74006, 34, 4809),
    ("small-trickery", "game"): (1063, 1215, 43, 22),
    ("small-trickery", "turn"): (4439, 6758, 15, 609),
}


@pytest.fixture(scope="module")
def explored() -> dict[tuple[str, str], Exploration]:
    return {
        (size, variant): explore(book.build(size, variant), kinds.of(book).of(variant), graph=True)
        for size in SMALL
        for variant in book.variants
    }


def test_counts(explored: dict[tuple[str, str], Exploration]) -> None:
    assert {key: (e.states, e.transitions, e.depth, e.over_states) for key, e in explored.items()} == COUNTS
    assert all(e.complete and not e.stuck_states for e in explored.values())


@pytest.mark.parametrize("variant", list(book.variants))
def test_properties_hold_and_everything_special_is_met(
    explored: dict[tuple[str, str], Exploration], variant: str
) -> None:
    met: set[str] = set()
    for size in SMALL:
        assert dict(explored[size, variant].violated) == {}, size
        met |= set(explored[size, variant].met)
    wanted = {p.name for p in kinds.of(book).of(variant) if p.form is Form.SOMETIMES}
    assert wanted - met == set()


@pytest.mark.parametrize(
    "readings", [{r.id: o} for r in book.readings.values() for o in r.options if o != r.default], ids=str
)
def test_properties_hold_under_every_other_reading(readings: dict[str, str]) -> None:
    for size in ("small-axe", "small-draws"):
        found = explore(book.build(size, readings=readings), kinds.of(book).of("game"))
        assert found.complete
        assert dict(found.violated) == {}, size


def test_open_questions_that_play_reaches(explored: dict[tuple[str, str], Exploration]) -> None:
    def asked(found: Exploration) -> set[str]:
        quiet = (Kind.ROW, Kind.COVER, Kind.OVERLAP)
        return {s.id for s in found.program.sites if s.kind not in quiet} & set(found.sites)

    reached = {size: asked(explored[size, "game"]) for size in SMALL}
    race, heal = "race:twist", "clash:healing:damage.heals+damage.not-carried"
    assert reached == {
        "small": set(),
        "small-axe": {race, heal},
        "small-dice": {"stacking:reinforcement", "shortage:dice-in-the-middle"},
        "small-draws": set(),
        "small-king": {race, heal, "shortage:dice-in-the-middle"},
        "small-trickery": {"shortage:dice-in-the-middle"},
    }


def test_hands_that_cannot_be_played_have_no_end(explored: dict[tuple[str, str], Exploration]) -> None:
    found = explored["small", "game"]
    assert found.graph is not None
    circles = endless(found.program, found.graph)
    assert [c.rules for c in circles if c.loop] != []
    # where an event may be played for nothing, the game can always end
    other = explore(book.build("small", readings={"effect.impossible": "for-nothing"}), graph=True)
    assert other.graph is not None
    assert not [c for c in endless(other.program, other.graph) if c.loop]


def test_every_other_reading_parts_from_the_default(
    explored: dict[tuple[str, str], Exploration],
) -> None:
    wanted = {(r.id, o) for r in book.readings.values() for o in r.options if o != r.default}
    for key, base in sorted(explored.items(), key=lambda item: (item[0][1], item[1].states)):
        for id, option in sorted(wanted):
            if id in base.program.consulted:
                other = {"other": book.build(*key, readings={id: option})}
                if isinstance(partings(base, other)["other"], Parting):
                    wanted.discard((id, option))
    assert wanted == set()


# --- what is proved ---------------------------------------------------------------------------------------


def test_claims_about_the_end_and_wild_cards_that_no_play_breaks(
    explored: dict[tuple[str, str], Exploration],
) -> None:
    sites = {
        "tie:winner",
        "gap:wild-card",
        "clash:wild-card:wild.take+wild.from-opponent",
        "clash:wild-card:wild.take+wild.all-three",
    }
    for found in explored.values():
        assert sites & found.program.site_number.keys()
        assert sites & set(found.sites) == set()


def test_claims_about_wild_cards_are_proved_at_print_size() -> None:
    program = book.build("print")
    wanted = next(p for p in kinds.of(book) if p.name == "no-wild-card-is-made")
    claim = Candidate(wanted.name, wanted.term(program), "property")
    proof = Houdini(session(program).machine, [claim]).prove(Deadline.after(60))
    assert (proof.complete, proof.kept) == (True, (claim,))
    known = Invariants(program.digest, program.size_name, proof.kept, True)
    for site in (
        "gap:wild-card",
        "clash:wild-card:wild.take+wild.from-opponent",
        "clash:wild-card:wild.take+wild.all-three",
    ):
        assert isinstance(ask_site(program, site, invariants=known, budget_seconds=30), Proved), site


def test_the_statements_about_components_can_all_be_true() -> None:
    assert check_facts(book, None).contradictions == ()


# --- mutations --------------------------------------------------------------------------------------------


def _never_ends(t: Table, then: Callable[[], None], *, by_damage: bool = False) -> None:
    then()


def _heals_nothing(t: Table, seat: Term) -> None:
    """Damage stays."""


def _always_plays(t: Table, seat: Term, card: object) -> Term:
    return t.hand[seat][card] > 0


@pytest.mark.parametrize(
    ("module", "name", "broken", "size", "violated"),
    [
        (turn, "drawn", _never_ends, "small-draws", "the-game-ends-exactly-then"),
        (turn, "regenerate", _heals_nothing, "small-axe", "no-damage-between-turns"),
        (fight, "may_play", _always_plays, "small-draws", "cards-are-played-on-the-own-turn"),
        (turn, "is_due", lambda t: every(), "small", "a-wild-card-comes-for-using-no-die"),
        (fight, "sees_king", lambda t, seat: every(), "small-king", "blows-lie-upon-kings"),
    ],
)
def test_a_broken_rule_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    name: str,
    broken: Callable[..., object],
    size: str,
    violated: str,
) -> None:
    monkeypatch.setattr(module, name, broken)
    if name == "may_play":
        monkeypatch.setattr(windows, "may_play", broken)
    assert violated in explore(book.build(size), kinds.of(book).of("game")).violated


# --- the text -------------------------------------------------------------------------------------------


def test_every_sentence_is_cited_or_says_why_not() -> None:
    clauses = book.clauses
    assert isinstance(clauses, Clauses)
    cited = {c for r in book.rules for c in r.clauses}
    cited |= {c for size in SMALL for s in book.build(size).sites for c in s.clauses}
    cited |= {c for r in book.readings.values() for c in r.clauses}
    cited |= {c for m in book.missing_parts for c in m.clauses} | {f.clause for f in book.facts}
    cited |= {c for p in kinds.of(book) for c in p.clauses} | {c for e in EXAMPLES.all for c in e.clauses}
    assert [c.id for c in clauses if c.id not in cited and not c.exempt] == []


def test_what_the_scan_has_lost_is_declared_missing() -> None:
    assert {m.id for m in book.missing_parts} == {
        "allies.or",
        "cards.armour",
        "cards.axe",
        "cards.health",
        "cards.list",
        "cards.points",
        "cards.power",
        "cards.trickery",
        "cost.figures",
        "cost.symbol",
        "dice.number",
        "king.use",
        "page.first",
    }


def test_examples_fit_every_reading() -> None:
    build = Builder()
    for example in EXAMPLES.all:
        found = gather(example, build, dict(book.readings))
        assert not found.conflict, example.name
        assert found.settles == {}, example.name


# --- plays ----------------------------------------------------------------------------------------------


KING = """
set_up
draw(card=DWARF_KING)
draw(card=CHAIN_MAIL)
draw(card=THROWING_AXE)
draw(card=THROWING_AXE)
take_dice
roll(face=1)
ask
let_pass
play(card=DWARF_KING)
pay(value=1, wild=0, cards=0)
put_down(card=DWARF_KING)
ask
strike_king(card=THROWING_AXE)
ask
prevent(card=CHAIN_MAIL)
ask
strike_king(card=THROWING_AXE)
ask
resolve
"""


def test_a_king_falls_by_the_second_axe() -> None:
    run = Interpreter(book.build("small-king"))
    last = run.replay(KING.split("\n")[1:-1])[-1]

    def fallen(t: Table) -> Term:
        return every(t.display[0].total() == 0, t.chain.depth == 0, t.hand[1].total() == 0)

    assert run.value(run.program.expression(fallen), last)


GOLDEN = """
set_up
draw(card=BAVRAGOR)
draw(card=BEGONE)
take_dice
roll(face=1)
ask
play(card=BAVRAGOR)
pay(value=1, wild=0, cards=0)
put_down(card=BAVRAGOR)
ask
end_turn
turn_ends
take_dice
roll(face=1)
ask
play(card=BEGONE)
put_down(card=BEGONE)
remove(card=BAVRAGOR)
ask
end_turn
turn_ends
draw(card=VICTORY)
take_dice
roll(face=0)
ask
play(card=VICTORY)
pay(value=1, wild=1, cards=0)
put_down(card=VICTORY)
ask
end_turn
turn_ends
draw(card=VICTORY)
take_dice
ask
end_turn
turn_ends
draw(card=BEGONE)
count_points
"""


def test_golden_play_a_wild_card_although_a_free_card_was_played() -> None:
    program = book.build("small")
    run = Interpreter(program)
    labels = GOLDEN.split("\n")[1:-1]
    states = run.replay(labels)
    assert run.over(states[-1])
    assert [run.value(t, states[-1]) for t in program.winners] == [1, 0]
    assert [run.value(t, states[-1]) for t in program.scores] == [1, 0]
    at = labels.index("remove(card=BAVRAGOR)") + 3
    told = Words.load(book.folder).move(program, run.find("turn_ends"), states[at], states[at + 1])
    assert told == "Player 2 has used no die and takes a Wild Card from the middle."


def _random_play(run: Interpreter, seed: int, most: int) -> list[tuple[Values, str, Values | None]]:
    chance, state, steps = random.Random(seed), run.program.start, []
    for _ in range(most):
        enabled = run.enabled(state)
        if not enabled:
            break
        weights = [run.value(i.weight, state) for i in enabled]
        chosen = chance.choices(enabled, weights)[0]
        after = run.step(state, chosen).state
        steps.append((state, chosen.label, after))
        if after is None:
            break
        state = after
    return steps


@pytest.mark.parametrize("variant", list(book.variants))
def test_random_plays_keep_the_properties_and_have_words(variant: str) -> None:
    program = book.build("print", variant)
    run, words = Interpreter(program), Words.load(book.folder)
    always = [(p.name, p.term(program)) for p in kinds.of(book).of(variant) if p.form is Form.ALWAYS]
    steps = [(p.name, p.term(program)) for p in kinds.of(book).of(variant) if p.form is Form.STEP]
    for seed in range(2):
        played = _random_play(run, seed, 400)
        assert len(played) > 8
        for state, label, after in played:
            assert after is not None, label
            assert [name for name, t in always if not run.value(t, state)] == []
            assert [name for name, t in steps if not run.value(t, state + after)] == []
            told = words.move(program, run.find(label), state, after)
            assert told
            assert told != label
            assert words.state(program, state)
