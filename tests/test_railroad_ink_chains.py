"""Chain effects in Railroad Ink: floods that flood, meteors that fly on, lava that finds no room."""

from __future__ import annotations

import random

import attrs
import pytest

from models.railroad_ink.rules import book
from models.railroad_ink.sizes import SIZES, Board
from models.railroad_ink.table import Phase
from solvers.explorer import explore
from solvers.explorer.cycles import endless
from solvers.interpreter import Interpreter, Values

# --- floods -------------------------------------------------------------------------------------------

#: Four by four spaces, and water with one or three sides.
POND = attrs.evolve(
    SIZES["small-flood"],
    rows=4,
    columns=4,
    centre=(),
    middle=0,
    extra=(("lake", (("LAKE_QUARTER", "LAKE_MOST"),)),),
)


@pytest.fixture(scope="module")
def ponds() -> dict[str, Interpreter]:
    """The game on the pond under both readings of the sentence on flooding."""
    options = book.readings["lake.fill-four"].options
    return {o: Interpreter(book.build(POND, "lake", {"lake.fill-four": o})) for o in options}


def laid(run: Interpreter, board: Board, ends: str) -> Values:
    """The position while a player draws, with tiles given by their ends."""
    state, names = list(run.program.start), {s.name: s.index for s in run.program.layout.slots}
    state[names["phase"]] = Phase.DRAW.value
    numbers = {tile.ends: i for i, tile in enumerate(board.tiles, 1)} | {"....": 0}
    for cell, token in enumerate(ends.split()):
        state[names[f"board[0][{cell}]"]] = numbers[token]
    return tuple(state)


def rests(run: Interpreter, start: Values) -> tuple[set[Values], int]:
    """The positions in which floods come to rest, over all orders, and the length of a longest chain."""
    longest, seen, todo, found = 0, {start}, [(start, 0)], set()
    while todo:
        state, depth = todo.pop()
        longest = max(longest, depth)
        steps = [i for i in run.enabled(state) if i.rule == "flood"]
        if not steps:
            found.add(state)
        for instance in steps:
            after = run.after(state, instance)
            assert after is not None
            if after not in seen:
                seen.add(after)
                todo.append((after, depth + 1))
    return found, longest


def test_floods_come_to_one_rest_whatever_their_order(ponds: dict[str, Interpreter]) -> None:
    """Three sides or four: a flood only ever adds water, so no order can prevent another flood."""
    run, rng, longest = ponds["three-or-four"], random.Random(8), 0
    tokens = [t.ends for t in POND.tiles if t.face.name == "LAKE_MOST"]
    for _ in range(200):
        board = " ".join(rng.choice([*tokens, "....", "....", "....", "...."]) for _ in range(16))
        found, chain = rests(run, laid(run, POND, board))
        assert len(found) == 1
        longest = max(longest, chain)
    assert longest >= 3


#: Six sides of water around four spaces, before a tile with three sides of water is drawn in row 2, space 3.
LAST = """\
....  ..W.  ....  ....
.W..  ....  .WWW  ....
.W..  ....  ....  ...W
....  W...  W...  ...."""


def test_with_exactly_three_sides_the_order_of_floods_matters(ponds: dict[str, Interpreter]) -> None:
    """A space that has water on four sides by the time its turn comes stays dry under that reading."""
    before = LAST.replace(".WWW", "....")
    for option, most in (("three-or-four", 1), ("three", 3)):
        run = ponds[option]
        assert rests(run, laid(run, POND, before)) == ({laid(run, POND, before)}, 0)
        assert len(rests(run, laid(run, POND, LAST))[0]) == most


# --- meteors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "rounds", "circles"), [(2, 2, False), (2, 3, True), (3, 3, False), (3, 4, True)]
)
def test_a_flight_ends_while_the_line_has_a_space_without_crater(
    columns: int, rounds: int, circles: bool
) -> None:
    """A round brings one crater: on a line of n spaces flights end for n rounds; the next can go on for ever.

    A line of the printed board has seven spaces, and a game with meteors six rounds.
    """
    size = attrs.evolve(
        SIZES["small-row"],
        columns=columns,
        exits=(),
        centre=(),
        dice=(("T_R",),),
        rounds=(rounds, rounds),
        distances=(1,),
    )
    program = book.build(size, "meteor")
    found = explore(program, graph=True)
    assert found.complete
    assert found.graph is not None
    assert [c.rules for c in endless(program, found.graph)] == ([("come_down",)] if circles else [])


def test_routes_that_turn_meteors_away_can_keep_one_in_the_air() -> None:
    """If a route is not free either, a line full of craters and routes is enough, whatever the round."""
    program = book.build("small-row", "meteor", {"meteor.free": "empty"})
    found = explore(program, graph=True)
    assert found.graph is not None
    assert ("come_down",) in [c.rules for c in endless(program, found.graph)]


# --- lava ---------------------------------------------------------------------------------------------


def test_lava_without_room() -> None:
    """On two spaces the volcano and one lava die leave nothing for the second round."""
    size = attrs.evolve(SIZES["small-lava"], rows=1, columns=2, exits=(), centre=(), dice=())
    found = explore(book.build(size, "lava"))
    assert found.complete
    assert len(found.sites["gap:lava-due"].labels) == 8
