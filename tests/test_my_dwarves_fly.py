"""My Dwarves Fly: counts, what every play keeps, what is open, the printed examples, and its words."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable
from types import ModuleType

import pytest

from models.language.clauses import Clauses
from models.language.ir import Kind
from models.language.questions import derived_reading
from models.language.terms import TermLike, total
from models.language.words import Words
from models.my_dwarves_fly import battle, diplomacy, rules
from models.my_dwarves_fly.examples import EXAMPLES
from models.my_dwarves_fly.rules import book
from models.my_dwarves_fly.table import Phase, Table
from properties import kinds
from properties.kinds import Form
from solvers.compare import Builder, Parting, gather, partings
from solvers.explorer import explore
from solvers.explorer.order import Order
from solvers.interpreter import Interpreter, Values

SMALL = tuple(name for name in book.sizes if name.split("-")[0] == "small")
RANDOM = ("medium", "print", "print-three", "print-four")


# --- what can be reached ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "variant", "states", "transitions", "depth", "over", "stuck"),
    [
        ("small", "game", 5392, 5822, 42, 189, 17),
        ("small", "battle", 33096, 37306, 26, 1400, 0),
        ("small-cancel", "game", 6446, 7364, 47, 177, 10),
        ("small-cancel", "battle", 29177, 33529, 28, 1771, 0),
        ("small-dice", "game", 6049, 6681, 47, 113, 31),
        ("small-dice", "battle", 8515, 9320, 26, 360, 0),
        ("small-events", "game", 18553, 20839, 52, 660, 14),
        ("small-events", "battle", 34170, 36178, 28, 2743, 0),
        ("small-greedy", "game", 3214, 3541, 46, 16, 67),
        ("small-greedy", "battle", 18375, 20550, 29, 695, 0),
        ("small-kinds", "game", 2089, 2295, 42, 39, 24),
        ("small-kinds", "battle", 2963, 3198, 25, 177, 0),
        ("small-race", "game", 15893, 17880, 54, 381, 56),
        ("small-race", "battle", 47770, 52911, 33, 2402, 0),
        ("small-skills", "game", 14522, 16304, 51, 389, 40),
        ("small-skills", "battle", 19381, 21017, 30, 1176, 0),
        ("small-third", "game", 8534, 9346, 47, 80, 200),
        ("small-third", "battle", 50600, 55816, 27, 2424, 0),
        ("medium", "game", 1373294, 1646874, 71, 9073, 1367),
    ],
)
def test_counts(
    size: str, variant: str, states: int, transitions: int, depth: int, over: int, stuck: int
) -> None:
    found = explore(book.build(size, variant))
    assert found.complete
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)
    assert (found.over_states, found.stuck_states) == (over, stuck)


def test_every_small_size_is_counted() -> None:
    assert SMALL == (
        "small",
        "small-cancel",
        "small-dice",
        "small-events",
        "small-greedy",
        "small-kinds",
        "small-race",
        "small-skills",
        "small-third",
    )


@pytest.mark.parametrize("variant", list(book.variants))
def test_properties_hold_and_everything_special_is_met(variant: str) -> None:
    properties = kinds.of(book).of(variant)
    met: set[str] = set()
    for size in SMALL:
        found = explore(book.build(size, variant), properties)
        assert dict(found.violated) == {}, size
        met |= set(found.met)
    assert {p.name for p in properties if p.form is Form.SOMETIMES} - met == set()


@pytest.mark.parametrize(
    "readings", [{r.id: o} for r in book.readings.values() for o in r.options if o != r.default], ids=str
)
def test_properties_hold_under_every_other_reading(readings: dict[str, str]) -> None:
    for size in ("small-skills", "small-events", "small-third", "small-greedy"):
        found = explore(book.build(size, readings=readings), kinds.of(book).of("game"))
        assert found.complete
        assert dict(found.violated) == {}, size


def _reached(size: str, readings: dict[str, str] | None = None) -> set[str]:
    program = book.build(size, readings=readings)
    asked = {s.id for s in program.sites if s.kind not in (Kind.ROW, Kind.COVER, Kind.OVERLAP)}
    return asked & set(explore(program).sites)


DRY = {"gap:battle-winner", "shortage:turn-refill", "shortage:battle-refill"}


def test_open_questions_that_play_reaches() -> None:
    assert _reached("small") == {*DRY, "tie:richest", "shortage:coins"}
    assert _reached("small-third") == {
        *DRY,
        "tie:richest",
        "clash:who-goes:creature.own-only+creature.further",
        "clash:who-goes:creature.third+creature.further",
    }
    skill = "clash:skill-goes:creature.take-skills+skill.last-leaves"
    assert _reached("small-skills") == {*DRY, "tie:richest", "shortage:dice", skill}
    assert _reached("small-race") == {*DRY, "tie:richest", "race:force-a-roll", skill}
    assert _reached("small-cancel") == {*DRY, "tie:richest", "race:cancel-an-event"}
    assert _reached("small-dice") == {*DRY, "tie:richest", "shortage:track", skill}


def test_a_reshuffled_deck_is_never_short_while_cards_are_discarded() -> None:
    assert "shortage:turn-refill" in _reached("small")
    assert explore(book.build("small", readings={"drawing.empty-deck": "reshuffle"})).stuck is None


def test_payment_has_an_order_only_where_coins_are_short() -> None:
    for size, orders in (("small", {("pay", "pay")}), ("small-skills", set())):
        program = book.build(size)
        graph = explore(program, graph=True).graph
        assert graph is not None
        assert set(Order(Interpreter(program), graph).disorders()) == orders


def test_every_other_reading_parts_from_the_default() -> None:
    wanted = {(r.id, o) for r in book.readings.values() for o in r.options if o != r.default}
    for size in ("small-kinds", "small-events", "small-dice", "small-skills", "small-greedy"):
        base = explore(book.build(size), graph=True)
        for id, option in sorted(wanted):
            other = {"other": book.build(size, readings={id: option})}
            if isinstance(partings(base, other)["other"], Parting):
                wanted.discard((id, option))
    assert wanted == set()


def _loses_no_skill(t: Table, seat: TermLike, kind: enum.Enum, number: TermLike) -> None:
    t.team[seat][kind] = t.team[seat][kind] - number


def _clears_nothing(t: Table) -> None:
    t.actor = t.turn
    t.phase = Phase.REFILL


@pytest.mark.parametrize(
    ("module", "name", "broken", "size", "violated"),
    [
        (diplomacy, "go", _loses_no_skill, "small-skills", "a-skill-lies-with-a-creature"),
        (diplomacy, "battle_over", _clears_nothing, "small", "nothing-of-a-battle-is-left"),
        (rules, "is_full", lambda t, seat: total() == 0, "small", "hands-are-full-at-rest"),
        (
            rules,
            "has_enough",
            lambda t, p: t.gold[p] > t.size.gold_to_win,
            "small",
            "the-game-goes-on-without-fifteen",
        ),
        (battle, "following", lambda t, seat, able: (total() > 0, t.turn), "small", "nobody-ducks-out"),
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
    assert violated in explore(book.build(size), kinds.of(book).of("game")).violated


# --- the text -------------------------------------------------------------------------------------------


def test_every_sentence_is_cited_or_says_why_not() -> None:
    clauses = book.clauses
    assert isinstance(clauses, Clauses)
    program = book.build("small")
    cited = {c for i in program.instances for c in i.clauses} | set(program.over_clauses)
    cited |= {c for size in SMALL for s in book.build(size).sites for c in s.clauses}
    cited |= {c for r in book.rules for c in r.clauses}
    cited |= {c for r in book.readings.values() for c in r.clauses}
    cited |= {c for m in book.missing_parts for c in m.clauses} | {f.clause for f in book.facts}
    cited |= {c for p in kinds.of(book) for c in p.clauses} | {c for e in EXAMPLES.all for c in e.clauses}
    assert [c.id for c in clauses if c.id not in cited and not c.exempt] == []


def test_missing_information_is_declared() -> None:
    assert {m.id for m in book.missing_parts} == {
        "board.track",
        "cards.backs",
        "cards.battles",
        "cards.creatures",
        "cards.events",
        "cards.skills",
        "drawing.which-deck",
        "events.where",
        "leaving.where",
        "piles.number",
        "players.number",
        "setup.same-fingers",
        "skill.whose",
    }


def test_examples_fit_and_one_settles() -> None:
    rows = ("creature.take-skills", "skill.last-leaves")
    skill = derived_reading("skill-goes", rows, rows, "skill.last-leaves")
    readings, build = {**book.readings, skill.id: skill}, Builder()
    settled: dict[str, tuple[str, ...]] = {}
    for example in EXAMPLES.all:
        found = gather(example, build, readings)
        assert not found.conflict, example.name
        assert found.reachable, example.name
        settled |= found.settles
    assert list(settled) == [skill.id]
    assert "creature.take-skills" not in settled[skill.id]


# --- plays ----------------------------------------------------------------------------------------------


def _play(run: Interpreter, seed: int, most: int) -> list[tuple[Values, str, Values | None]]:
    draw, state, steps = random.Random(seed), run.program.start, []
    for _ in range(most):
        enabled = run.enabled(state)
        if not enabled:
            break
        weights = [run.value(i.weight, state) for i in enabled]
        chosen = draw.choices(enabled, weights)[0]
        after = run.step(state, chosen).state
        steps.append((state, chosen.label, after))
        if after is None:
            break
        state = after
    return steps


@pytest.mark.parametrize("size", RANDOM)
@pytest.mark.parametrize("variant", list(book.variants))
def test_random_plays_keep_the_properties_and_have_words(size: str, variant: str) -> None:
    program = book.build(size, variant)
    run, words = Interpreter(program), Words.load(book.folder)
    always = [(p.name, p.term(program)) for p in kinds.of(book).of(variant) if p.form is Form.ALWAYS]
    steps = [(p.name, p.term(program)) for p in kinds.of(book).of(variant) if p.form is Form.STEP]
    for seed in range(2):
        play = _play(run, seed, 700)
        assert len(play) > 8
        for state, label, after in play:
            assert after is not None, label
            assert [name for name, t in always if not run.value(t, state)] == []
            assert [name for name, t in steps if not run.value(t, state + after)] == []
            told = words.move(program, run.find(label), state, after)
            assert told
            assert told != label
            assert words.state(program, state)


GOLDEN = """
draw_from(deck=CREATURES)
draw(card=DWARF)
draw_from(deck=CREATURES)
draw(card=DWARF)
play_creature(creature=DWARF)
draw_from(deck=ACTIONS)
draw(card=BATTLE_FOR_ONE)
filled
turn_ends
play_creature(creature=DWARF)
draw_from(deck=CREATURES)
draw(card=ORC)
filled
turn_ends
play_battle(battle=BATTLE_FOR_ONE)
send(creature=DWARF)
send(creature=DWARF)
roll_for(creature=DWARF)
dice(sum=2, gold=0)
landed
roll_for(creature=DWARF)
dice(sum=1, gold=1)
landed
lay_nothing
lay_down(card=ORC)
reveal
use_event
use_event
find_winners
pay(number=0)
give_up(creature=DWARF)
draw_from(deck=ACTIONS)
draw(card=BATTLE_FOR_ONE)
filled
turn_ends
"""


def test_golden_play() -> None:
    program = book.build("small")
    run = Interpreter(program)
    states = run.replay(GOLDEN.split("\n")[1:-1])
    assert run.over(states[-1])
    assert [run.value(t, states[-1]) for t in program.winners] == [1, 0]
    assert [run.value(t, states[-1]) for t in program.scores] == [2, 0]
    assert run.value(program.expression(lambda t: t.phase == Phase.OVER), states[-1])
    told = Words.load(book.folder).move(program, run.find("find_winners"), states[28], states[29])
    assert told == "Player 1 has won the battle."
