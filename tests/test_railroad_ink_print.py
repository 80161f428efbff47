"""Railroad Ink at 7 x 7: one-step questions about a few spaces, answered by Z3 over all boards at once.

The terms are those of the drawing rules; only the choice of the space is fixed, so that a question is about
one space and its four neighbours, with everything else left open.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import z3

from models.language.builder import Builder
from models.language.choices import choose_build
from models.language.program import reader
from models.language.terms import Term, every, some
from models.railroad_ink import drawing
from models.railroad_ink.drawing import Sheet
from models.railroad_ink.rules import book
from models.railroad_ink.sizes import PRINT, Way
from models.railroad_ink.table import Table
from models.railroad_ink.tiles import ROUTES, Tile
from solvers.compare.playouts import choose
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import Walker
from solvers.symbolic.numbers import BitVectors, Num
from tests.railroad_ink_second_opinion import Opinion

#: A corner, a space with an exit, one in a row of exits of both kinds, and the middle.
PLACES = (0, 3, 21, 24)
TILES = [t for t in PRINT.tiles if t.face.kind in ("route", "special")]


class Asked:
    """A 7 x 7 board of unknown tiles in a variant under some readings."""

    def __init__(self, variant: str = "base", readings: dict[str, str] | None = None) -> None:
        builder = Builder(book, choose_build(book, PRINT, variant, readings or {}, False))
        look = reader(book, builder.layout, PRINT, builder)
        assert isinstance(look, Table)
        self.t, self.solver, self.numbers = look, z3.SolverFor("QF_BV"), BitVectors()
        slots = builder.layout.slots
        self.values = {
            s.index: Num(self.numbers.variable(s.name, s.lo, s.hi), s.lo, s.hi)
            for s in slots
            if s.name.startswith("board")
        }
        for value in self.values.values():
            typed = self.numbers.typed(value)
            if typed is not None:
                self.solver.add(typed)
        self.walker = Walker(self.numbers, lambda s: self.values[s])

    def possible(self, *terms: Term) -> bool:
        """Whether some board meets all conditions."""
        self.solver.push()
        self.solver.add(*(self.walker.holds(t) for t in terms))
        found = self.solver.check()
        self.solver.pop()
        assert found != z3.unknown
        return bool(found == z3.sat)


@pytest.fixture(scope="module")
def base() -> Asked:
    return Asked()


def mixed(sheet: Sheet, cell: int) -> Term:
    """Whether a railway meets a highway at a side of a space."""
    return some(
        *(
            every(sheet.has(cell, side, a), sheet.has(other, side.back, b))
            for side, other in PRINT.around(cell)
            for a, b in ("HR", "RH")
        )
    )


def joined(sheet: Sheet, cell: int) -> Term:
    """Whether an end in a space meets an exit or a route."""
    return some(
        *(every(sheet.has(cell, side, x), sheet.joins(cell, side, x)) for side in Way for x in ROUTES)
    )


def some_way(asked: Asked, cell: int, holds: Callable[[Sheet, Sheet, Tile], Term]) -> bool:
    """Whether, on some board, some route that may be drawn in a space gives what is asked."""
    before = Sheet(asked.t, 0)
    found = [
        every(before.legal(cell, tile, craters=False), holds(before, Sheet(asked.t, 0, cell, tile), tile))
        for tile in TILES
    ]
    return asked.possible(some(*found))


@pytest.mark.parametrize("cell", PLACES)
def test_no_drawing_mixes_railways_and_highways(base: Asked, cell: int) -> None:
    """On no board of 7 x 7 does a legal drawing bring a railway end to a highway end."""
    assert not some_way(base, cell, lambda _, after, __: mixed(after, cell))


@pytest.mark.parametrize("cell", PLACES)
def test_every_drawing_is_connected(base: Asked, cell: int) -> None:
    assert not some_way(base, cell, lambda _, after, __: ~joined(after, cell))


@pytest.mark.parametrize("cell", PLACES)
def test_each_tile_has_a_board_on_which_it_may_be_drawn(base: Asked, cell: int) -> None:
    """No route is shut out of a space but for the exits of the other kind."""
    sheet = Sheet(base.t, 0)
    shut_out = [t.token for t in TILES if not base.possible(sheet.legal(cell, t, craters=False))]
    against = [
        t.token
        for t in TILES
        if any(PRINT.exit_at(cell, s) not in ("", t.ends[s]) for s in Way if t.ends[s] in ROUTES)
    ]
    lonely = [
        t.token
        for t in TILES
        if t.token not in against
        and not any(
            PRINT.neighbour(cell, s) is not None or PRINT.exit_at(cell, s) for s in Way if t.ends[s] in ROUTES
        )
    ]
    assert sorted(shut_out) == sorted([*against, *lonely])


def test_a_broken_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_APART", dict.fromkeys("HRVWLC", ""))
    assert some_way(Asked(), 24, lambda _, after, __: mixed(after, 24))


@pytest.mark.parametrize(("option", "possible"), [("forbidden", False), ("dead-end", True)])
def test_a_route_up_to_an_exit_of_the_other_kind_is_a_reading(option: str, possible: bool) -> None:
    """Space 3 has a railway exit above it."""
    asked = Asked(readings={"exit.kind": option})
    assert some_way(asked, 3, lambda _, after, __: after.has(3, Way.ABOVE, "H")) is possible


@pytest.mark.parametrize(("option", "possible"), [("allowed", True), ("forbidden", False)])
def test_a_road_up_to_water_is_a_reading(option: str, possible: bool) -> None:
    asked = Asked("lake", {"route.meets": option})
    water = Sheet(asked.t, 0).has(25, Way.LEFT, "W")
    assert (
        some_way(asked, 24, lambda _, after, __: every(water, after.has(24, Way.RIGHT, ROUTES))) is possible
    )


# --- whole games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["base"])
def test_random_games_on_the_printed_board_end_with_the_score_of_a_second_opinion(variant: str) -> None:
    """All dice, all special routes, six or seven rounds."""
    program, rng = book.build(PRINT, variant), random.Random(3)
    run = Interpreter(program)
    places = [s.index for s in program.layout.slots if s.name.startswith("board")]
    scored = next(s.index for s in program.layout.slots if s.name == "points[0]")
    exits = [(e.cell, int(e.side), e.kind) for e in PRINT.exits]
    tokens = ["....", *(t.token for t in PRINT.tiles)]
    for _ in range(3):
        state = program.start
        while not run.over(state):
            after = run.after(state, choose(run, state, run.enabled(state), rng.random()))
            assert after is not None
            state = after
        board = [tokens[state[i]] for i in places]
        rows = [board[r * 7 : r * 7 + 7] for r in range(7)]
        assert state[scored] == Opinion(rows, exits, PRINT.centre, 24, variant, {}).parts()["total"]
        assert sum(token != "...." for token in board) > 15
