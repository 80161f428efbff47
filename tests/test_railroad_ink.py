"""Railroad Ink: counts, what every play keeps, what the text leaves open, plays, words and pictures."""

from __future__ import annotations

import random
from typing import Any

import attrs
import pytest

from models.language.errors import ModelError
from models.language.ir import COVERAGE
from models.language.program import Program
from models.language.words import Position, Words
from models.railroad_ink import drawing, scoring
from models.railroad_ink.picture import draw
from models.railroad_ink.rules import book
from models.railroad_ink.sizes import PRINT, SIZES, Way
from models.railroad_ink.tiles import FACES, TILES, face_of, ways
from properties import kinds
from properties.kinds import Form
from solvers.compare.playouts import choose
from solvers.explorer import Exploration, explore
from solvers.explorer.order import Order
from solvers.interpreter import Interpreter

#: Size, variant, states, transitions, depth, states in which the game is over.
COUNTS = [
    ("small", "base", 3304, 4817, 12, 446),
    ("small", "river", 7658, 11507, 14, 832),
    ("small", "lake", 27374, 44263, 14, 3110),
    ("small", "meteor", 22180, 34263, 22, 3196),
    ("small", "lava", 12497, 21658, 20, 586),
    ("small-duel", "base", 831, 982, 10, 191),
    ("small-loop", "base", 1183, 1551, 12, 254),
    ("small-ring", "river", 2477, 4369, 14, 386),
    ("small-flood", "lake", 19925, 32476, 12, 5989),
    ("small-pier", "lake", 12186, 20390, 11, 2065),
    ("small-row", "meteor", 3875, 4815, 26, 144),
    ("small-lava", "lava", 6927, 10666, 16, 677),
    ("square", "base", 186844, 266292, 14, 33727),
    ("small-duel", "lake", 2, 1, 1, 1),
]
_KEPT: dict[tuple[str, str], Exploration] = {}


def explored(size: str, variant: str) -> Exploration:
    """The exploration of a size with all properties and its graph, made once."""
    if (size, variant) not in _KEPT:
        program = book.build(size, variant)
        _KEPT[size, variant] = explore(program, kinds.of(book).of(variant), graph=size != "square")
    return _KEPT[size, variant]


# --- what can be reached ------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "variant", "states", "transitions", "depth", "over"), COUNTS)
def test_counts_and_properties(
    size: str, variant: str, states: int, transitions: int, depth: int, over: int
) -> None:
    found = explored(size, variant)
    assert found.complete
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)
    assert (found.over_states, found.stuck_states) == (over, 0)
    assert found.violated == {}


def test_everything_that_should_happen_happens() -> None:
    wanted = {p.name for p in kinds.of(book) if p.form is Form.SOMETIMES}
    assert {name for size, variant, *_ in COUNTS for name in explored(size, variant).met} == wanted


def test_what_the_text_leaves_open() -> None:
    found: dict[str, int] = {}
    for size, variant, *_ in COUNTS:
        kind = {s.id: s.kind for s in explored(size, variant).program.sites}
        for id, shown in explored(size, variant).sites.items():
            if kind[id] not in COVERAGE:
                found[id] = min(found.get(id, 99), len(shown.labels))
    assert found == {"tie:most-points": 8, "gap:lava-due": 6}


@pytest.mark.parametrize(("size", "variant"), [(s, v) for s, v, *_ in COUNTS if s != "square"])
def test_consequences_agree_in_every_order(size: str, variant: str) -> None:
    found = explored(size, variant)
    assert found.graph is not None
    assert Order(Interpreter(found.program), found.graph).disorders() == {}


# --- plays --------------------------------------------------------------------------------------------

SQUARE = (
    "begin",
    "roll(face=CURVE_H)",
    "roll(face=STATION)",
    "draw(cell=0, tile=CURVE_H_HHoo)",
    "draw(cell=1, tile=STATION_oRoH)",
    "finish",
    "roll(face=STRAIGHT_R)",
    "roll(face=STATION)",
    "draw(cell=2, tile=STRAIGHT_R_oRoR)",
    "draw(cell=3, tile=STATION_oHoR)",
    "finish",
    "count_up",
)


def played(program: Program, *labels: str) -> Position:
    return Position(program, Interpreter(program).replay(labels)[-1])


def test_a_whole_game() -> None:
    """A highway from the top turns right, and a station makes it a railway that leaves at the right."""
    end = played(book.build("small", "base"), *SQUARE)
    assert (end.phase.name, end.points, end.errors, end.won) == ("OVER", [4 + 2 + 2 + 1], [0], [True])


def test_dice_come_back_after_each_round_and_every_one_is_drawn_once() -> None:
    program = book.build("small", "base")
    state = played(program, *SQUARE[:4])
    assert state.left == [{"CURVE_H": 0, "STRAIGHT_R": 0, "STATION": 1}]
    assert played(program, *SQUARE[:6]).left == [{"CURVE_H": 0, "STRAIGHT_R": 0, "STATION": 0}]
    with pytest.raises(ModelError, match="is not allowed there"):
        Interpreter(program).replay([*SQUARE[:4], "finish"])


def test_a_crater_wipes_out_a_route_and_is_drawn_over() -> None:
    program, rng = book.build("small", "meteor"), random.Random(4)
    run, gone, back = Interpreter(program), 0, 0
    for _ in range(60):
        state = program.start
        while not run.over(state):
            after = run.after(state, choose(run, state, run.enabled(state), rng.random()))
            assert after is not None
            was, now = Position(program, state).board[0], Position(program, after).board[0]
            for a, b in zip(was, now, strict=True):
                gone += a.name not in ("EMPTY", "CRATER_CCCC") and b.name == "CRATER_CCCC"
                back += a.name == "CRATER_CCCC" and b.name not in ("EMPTY", "CRATER_CCCC")
            state = after
    assert gone > 5
    assert back > 5


# --- a broken rule is noticed ---------------------------------------------------------------------------


def test_mixing_railways_and_highways_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_APART", dict.fromkeys("HRVWLC", ""))
    found = explore(book.build("small", "base"), kinds.of(book).of("base"))
    assert set(found.violated) == {"railways-and-highways-never-meet"}


def test_drawing_without_connection_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing.Sheet, "wants", lambda *_: [])
    found = explore(book.build("small", "base"), kinds.of(book).of("base"))
    assert set(found.violated) == {"every-route-is-connected"}


def test_another_value_of_networks_changes_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(book.build("small", "base"), *SQUARE).points
    monkeypatch.setattr(scoring, "NETWORK", (0,) * 13)
    assert played(book.build("small", "base"), *SQUARE).points != before


# --- tiles and sizes ------------------------------------------------------------------------------------


def test_every_way_to_draw_a_face() -> None:
    assert {name: len(ways(face)) for name, face in FACES.items() if face.kind in ("route", "special")} == {
        **{f"{shape}_{k}": n for shape, n in (("CURVE", 4), ("T", 4), ("STRAIGHT", 2)) for k in "HR"},
        "OVERPASS": 2,
        "STATION": 4,
        "CURVED_STATION": 8,
        "S_HHRH": 4,
        "S_HRRR": 4,
        "S_HHHH": 1,
        "S_RRRR": 1,
        "S_HRRH": 4,
        "S_HRHR": 2,
    }
    assert len(TILES) == sum(len(ways(f)) for f in FACES.values())


def test_the_printed_board() -> None:
    assert (PRINT.cells, len(PRINT.exits), len(PRINT.dice), len(PRINT.specials)) == (49, 12, 4, 6)
    assert sorted(e.kind for e in PRINT.exits) == ["H"] * 6 + ["R"] * 6
    assert PRINT.middle in PRINT.centre
    assert all(len(die) == 6 for die in PRINT.dice)
    assert all(len(die) == 6 for _, dice in PRINT.extra for die in dice)
    assert PRINT.exit_at(3, Way.ABOVE) == "R"
    assert PRINT.exit_at(21, Way.LEFT) == "H"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"middle": 4}, "a place outside of the 4 spaces"),
        ({"rows": 0}, "a board without spaces, or no players"),
        ({"rows": 1, "columns": 4, "exits": (), "directions": "A"}, "fly along a single space"),
    ],
)
def test_sizes_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        attrs.evolve(SIZES["small"], **changes)


def test_an_unknown_face() -> None:
    with pytest.raises(ModelError, match="there is no face 'CURVE'"):
        face_of("CURVE")


# --- words and pictures ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "variant"), [(s, v) for s, v, *_ in COUNTS if s.startswith("small")])
def test_every_position_and_move_has_words_and_a_picture(size: str, variant: str) -> None:
    program, rng = explored(size, variant).program, random.Random(2)
    run, words = Interpreter(program), Words.load(book.folder)
    for _ in range(6):
        state, before = program.start, None
        while not run.over(state):
            instance = choose(run, state, run.enabled(state), rng.random())
            after = run.after(state, instance)
            assert after is not None
            assert words.move(program, instance, state, after) != instance.label
            assert words.state(program, after)
            shown = plain(program, after)
            drawn = draw(shown, before, words)
            assert drawn.width > 100
            assert drawn == draw(shown, before, words)
            state, before = after, shown


def plain(program: Program, state: tuple[int, ...]) -> dict[str, object]:
    """A position as reports hold it: members of enumerations by name."""

    def made(value: object) -> object:
        if isinstance(value, list):
            return [made(v) for v in value]
        if isinstance(value, dict):
            return {k: made(v) for k, v in value.items()}
        return getattr(value, "name", value)

    values = Position(program, state).values
    return {k: made(v) for k, v in values.items() if k not in ("players", "size")}
