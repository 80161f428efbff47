"""Dwarves: Dig, Delve, Die: counts, what every play keeps, what the base text leaves open, and its words."""

from __future__ import annotations

import random

import pytest

from models.dwarves_dig_delve_die import mine
from models.dwarves_dig_delve_die.cards import SIZES, Dwarves, Kind
from models.dwarves_dig_delve_die.rules import book
from models.dwarves_dig_delve_die.table import Phase
from models.language.errors import ModelError
from models.language.ir import COVERAGE
from models.language.program import Program
from models.language.words import Position, Words
from properties import kinds
from properties.kinds import Form
from solvers.compare.playouts import choose
from solvers.explorer import Exploration, explore
from solvers.explorer.order import Order
from solvers.interpreter import Interpreter, Values

SMALL = tuple(n for n in SIZES if n.startswith("small"))

_KEPT: dict[tuple[str, bool], Exploration] = {}


def explored(size: str, rulings: bool) -> Exploration:
    """The exploration of a size with all properties and its graph, made once."""
    if (size, rulings) not in _KEPT:
        program = book.build(size, rulings=rulings)
        _KEPT[size, rulings] = explore(program, kinds.of(book).of(program.variant), graph=True)
    return _KEPT[size, rulings]


def play(program: Program, *labels: str) -> Position:
    """The position after a play from the setup."""
    return Position(program, Interpreter(program).replay(labels)[-1])


# --- what can be reached -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "rulings", "states", "transitions", "depth", "over"),
    [
        ("small", False, 8012, 10626, 47, 868),
        ("small", True, 7734, 10063, 43, 872),
        ("small-army", False, 7648, 10510, 55, 714),
        ("small-army", True, 7045, 9839, 55, 664),
        ("small-gold", False, 973, 1045, 42, 218),
        ("small-gold", True, 681, 729, 35, 150),
        ("small-brothel", False, 8657, 11747, 59, 866),
        ("small-brothel", True, 8472, 11378, 59, 855),
        ("small-throne", False, 24131, 34588, 68, 2373),
        ("small-throne", True, 24863, 35245, 62, 2456),
        ("small-forge", False, 24646, 34432, 59, 2517),
        ("small-forge", True, 24189, 33941, 59, 2466),
        ("small-maze", False, 16602, 24034, 48, 1697),
        ("small-maze", True, 16414, 24122, 51, 1527),
        ("small-survey", False, 6803, 9701, 43, 726),
        ("small-survey", True, 5101, 6951, 36, 516),
        ("small-steal", False, 2117, 2653, 58, 170),
        ("small-steal", True, 2078, 2611, 58, 168),
        ("small-skull", False, 5882, 7468, 42, 800),
        ("small-skull", True, 5407, 6866, 41, 742),
    ],
)
def test_counts(size: str, rulings: bool, states: int, transitions: int, depth: int, over: int) -> None:
    found = explored(size, rulings)
    assert found.complete
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)
    assert (found.over_states, found.stuck_states) == (over, 0)


@pytest.mark.parametrize("rulings", [False, True])
@pytest.mark.parametrize("size", SMALL)
def test_properties_hold(size: str, rulings: bool) -> None:
    assert explored(size, rulings).violated == {}


def test_everything_that_should_happen_happens() -> None:
    wanted = {p.name for p in kinds.of(book).of("all-cards") if p.form is Form.SOMETIMES}
    assert {name for size in SMALL for name in explored(size, False).met} == wanted


@pytest.mark.parametrize("rulings", [False, True])
@pytest.mark.parametrize("size", SMALL)
def test_consequences_come_one_at_a_time(size: str, rulings: bool) -> None:
    found = explored(size, rulings)
    assert found.graph is not None
    assert Order(Interpreter(found.program), found.graph).disorders() == {}


def asked(rulings: bool) -> dict[str, int]:
    """Everything that some play asks at the small sizes, with the length of the shortest play."""
    found: dict[str, int] = {}
    for size in SMALL:
        kind = {s.id: s.kind for s in explored(size, rulings).program.sites}
        for id, shown in explored(size, rulings).sites.items():
            if kind[id] not in COVERAGE:
                found[id] = min(found.get(id, 99), len(shown.labels))
    return found


def test_what_the_text_alone_leaves_open() -> None:
    assert asked(rulings=False) == {
        "clash:turn-over:digging.leave-rest+digging.complete": 9,
        "clash:turn-over:digging.lowest+digging.complete": 9,
        "clash:unplaceable:turn.place-all+turn.equal-or-higher": 5,
        "gap:army": 22,
        "gap:lowest": 12,
        "gap:roll": 11,
        "gap:warrens": 8,
        "race:skull": 8,
        "shortage:brothel-dice": 8,
        "shortage:new-card": 21,
        "shortage:new-die": 10,
        "shortage:throne-dice": 16,
        "tie:first-to-five": 14,
        "tie:poorest": 8,
    }


def test_what_is_open_after_all_answers() -> None:
    assert asked(rulings=True) == {
        "clash:dig:faq-goblins.next-moves+digging.leave-rest": 26,
        "clash:turn-over:faq-goblins.next-right+digging.complete": 18,
        "gap:lowest": 20,
        "gap:warrens": 28,
        "race:skull": 8,
        "shortage:new-card": 21,
        "shortage:new-die": 10,
        "shortage:throne-dice": 12,
    }


# --- plays ---------------------------------------------------------------------------------------


def test_a_player_without_dice() -> None:
    """The Iron Army takes the last die that the other player owns, and the supply is empty."""
    moves = (
        "set_up",
        "draw",
        "roll(faces=11)",
        "place(number=1, card=DELVE)",
        "place(number=1, card=DELVE)",
        "find_lowest",
        "dig(card=DELVE)",
        "reveal(card=ARMY)",
        "army_player(victim=1)",
        "complete",
    )
    shown = play(book.build("small-army"), *moves)
    assert (shown.turn, shown.supply, shown.own) == (1, 0, [2, 0])
    assert explored("small-army", False).sites["gap:roll"].labels == (*moves, "draw")


def test_a_die_that_fits_nowhere_stays_with_the_player() -> None:
    moves = ("set_up", "draw", "roll(faces=12)", "place(number=2, card=DELVE)", "find_no_place(number=1)")
    shown = play(book.build("small"), *moves)
    assert (shown.own, shown.rolled, shown.phase) == ([1, 1], [0, 0, 0], Phase.LOWEST)
    shown = play(book.build("small", rulings=True), *moves)
    assert (shown.own, shown.supply, shown.phase) == ([0, 1], 3, Phase.LOWEST)


def test_a_stack_keeps_its_order_when_its_middle_is_taken() -> None:
    program = book.build("medium", rulings=True)
    run, army = (
        Interpreter(program),
        next(i for i in program.instances if i.label == "army_mine(card=DELVE, height=1)"),
    )
    state = _table(program, phase=Phase.ARMY, stack={"DELVE": [1, 2, 3]}, number=1)
    after = run.step(state, army).state
    assert after is not None
    shown = Position(program, after)
    assert (shown.stack["DELVE"], shown.own[0]) == ([1, 3], 1)


def _table(program: Program, **fields: object) -> Values:
    from solvers.compare.evidence import position

    return position(program, fields, "test")


def test_the_labyrinth_keeps_dice_on_their_cards() -> None:
    program = book.build("small-maze")
    run = Interpreter(program)
    spot = {"DELVE": 1, "LABYRINTH": 2, "ALE": 3, "WARRENS": 4}
    state = _table(
        program, phase=Phase.MAZE, filled=1, number=1, spot=spot, stack={"ALE": [1, 2], "WARRENS": [2]}
    )
    for label in ("arrange(card=WARRENS)", "arrange(card=ALE)"):
        instance = next(i for i in run.enabled(state) if i.label == label)
        after = run.step(state, instance).state
        assert after is not None
        state = after
    shown = Position(program, state)
    assert shown.spot == {"DELVE": 1, "WARRENS": 2, "ALE": 3, "LABYRINTH": 4}
    assert (shown.stack["ALE"], shown.stack["WARRENS"]) == ([1, 2], [2])


def test_every_order_can_be_laid_out_in_one_way() -> None:
    program = book.build("small-maze")
    run, ends, todo = Interpreter(program), [], []
    spot = {"DELVE": 1, "LABYRINTH": 2, "ALE": 3, "WARRENS": 4}
    todo.append(_table(program, phase=Phase.MAZE, filled=1, number=1, spot=spot))
    while todo:
        state = todo.pop()
        shown = Position(program, state)
        if shown.phase is not Phase.MAZE:
            ends.append(tuple(shown.spot.values()))
            continue
        todo += [after for i in run.enabled(state) if (after := run.step(state, i).state) is not None]
    assert len(ends) == len(set(ends)) == 6


def test_the_cave_in_kills_and_leaves_delve_and_dig() -> None:
    program = book.build("small-survey")
    run = Interpreter(program)
    spot = {"DELVE": 1, "ALE": 2, "SURVEY": 3}
    state = _table(
        program,
        phase=Phase.REVEAL,
        number=1,
        supply=0,
        own=[1, 0],
        spot=spot,
        stack={"DELVE": [1], "ALE": [2, 2]},
    )
    instance = next(i for i in run.enabled(state) if i.label == "reveal(card=CAVE)")
    after = run.step(state, instance).state
    assert after is not None
    shown = Position(program, after)
    assert shown.spot == {"DELVE": 1, "ALE": 0, "SURVEY": 0, "CAVE": 0, "WARRENS": 0}
    assert (shown.supply, shown.stack["DELVE"], shown.stack["ALE"]) == (2, [1], [])


# --- variants and sizes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "without"), [("dry", {"CROWN", "CHALICE", "SKULL"}), ("two", {"BLOCKADE"})]
)
def test_variants_leave_cards_out(variant: str, without: set[str]) -> None:
    program = book.build("print", variant)
    run = Interpreter(program)
    state = _table(program, phase=Phase.REVEAL, number=1)
    shown = {dict(i.params)["card"] for i in run.enabled(state)}
    assert shown == {k.name for k in Kind} - without - {"DELVE"}


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"players": 1}, "1 players cannot play"),
        ({"dice": 1}, "1 dice are not one for each of 2 players"),
        ({"cards": "ALE ALE"}, "a card is named twice"),
        ({"cards": "BEER"}, "no card is called 'BEER'"),
        ({"cards": "DELVE"}, "Delve & Dig is no card of the pile"),
        ({"sides": 1}, "dice with 1 sides"),
    ],
)
def test_sizes_that_cannot_be_played(numbers: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Dwarves(**{"dice": 4, "sides": 2, "cards": "ALE", **numbers})  # type: ignore[arg-type]


def test_a_roll_of_several_dice_has_its_chances() -> None:
    size = SIZES["print"]
    assert len(size.rolls) == 6 + 21
    assert (size.ways("3"), size.ways("35"), size.ways("33")) == (1, 2, 1)
    assert sum(size.ways(r) for r in size.rolls if len(r) == 2) == 36


@pytest.mark.parametrize("rulings", [False, True])
def test_properties_hold_in_random_games_of_the_printed_size(rulings: bool) -> None:
    program = book.build("print", rulings=rulings)
    run = Interpreter(program)
    terms = [
        (p, p.term(program)) for p in kinds.of(book).of("all-cards") if p.form in (Form.ALWAYS, Form.STEP)
    ]
    for seed in range(4):
        draws, state = random.Random(seed), program.start
        while not run.over(state):
            after = run.step(state, choose(run, state, run.enabled(state), draws.random())).state
            assert after is not None
            for p, t in terms:
                assert run.value(t, after if p.form is Form.ALWAYS else state + after), p.name
            state = after


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulings", [False, True])
@pytest.mark.parametrize("size", [*SMALL, "medium", "print"])
def test_every_move_and_position_has_words(size: str, rulings: bool) -> None:
    program, words = book.build(size, rulings=rulings), Words.load(book.folder)
    run = Interpreter(program)
    for seed in range(3):
        draws, state = random.Random(seed), program.start
        for _ in range(150):
            if run.over(state):
                break
            enabled = run.enabled(state)
            move = choose(run, state, enabled, draws.random())
            after = run.step(state, move).state
            assert words.move(program, move, state, after) not in ("", move.label)
            assert words.state(program, state)
            assert after is not None
            state = after


def test_every_question_has_a_title_and_options() -> None:
    words = Words.load(book.folder)
    for id, reading in book.readings.items():
        assert words.at("reading", id, "title"), id
        assert set(words.at("reading", id, "options")) == set(reading.options), id
    for m in book.missing_parts:
        assert words.at("site", f"missing:{m.id}", "title"), m.id
    for rulings in (False, True):
        for id in asked(rulings):
            assert words.at("site", id, "title"), id
            assert words.at("site", id, "situation"), id


def test_every_card_and_rule_has_words() -> None:
    words = Words.load(book.folder)
    assert {k.name for k in Kind} == set(words.at("enum", "Card"))
    assert {r.name for r in book.rules} == set(words.at("rule"))
    assert set(book.state_class.fields()) - {"phase"} <= set(words.at("field"))
    assert mine.kind_of(SIZES["print"].card["ALE"]) is Kind.ALE
