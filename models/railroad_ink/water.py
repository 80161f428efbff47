"""Rivers and lakes: drawn freely, and water that floods a space it nearly surrounds.

Promise: every exception is an override of the table of the base game that it changes.
"""

from __future__ import annotations

import enum

from models.language import RULES, Row, count, renamed
from models.railroad_ink import drawing
from models.railroad_ink import readings as r
from models.railroad_ink.sizes import Board
from models.railroad_ink.table import Phase, Table, book, drawer, size


def _drawn(kind: str) -> object:
    def values(s: Board) -> list[enum.Enum]:
        dice = {f for die in s.extra_dice(kind) for f in die}
        return s.members(dice)

    return values


@book.rule(
    "river-rules.none-to-two",
    "river-rules.free",
    "river-rules.no-join",
    "river.join",
    "drawing.rotate",
    by=drawer,
    phase=Phase.DRAW,
    only="river",
    cell=size.cells,
    tile=_drawn("river"),
)
def draw_river(t: Table, cell: int, tile: enum.Enum) -> None:
    """A river of the dice is drawn."""
    _draw(t, cell, tile, "river")


@book.rule(
    "lake-rules.none-to-two",
    "lake-rules.free",
    "drawing.rotate",
    by=drawer,
    phase=Phase.DRAW,
    only="lake",
    cell=size.cells,
    tile=_drawn("lake"),
)
def draw_lake(t: Table, cell: int, tile: enum.Enum) -> None:
    """A lake of the dice is drawn."""
    _draw(t, cell, tile, "lake")


def _draw(t: Table, cell: int, tile: enum.Enum, kind: str) -> None:
    made = t.size.by_name[tile.name]
    face = t.size.extra_face[made.face.name]
    t.require(t.extra[t.turn][face] > 0)
    join = drawing.must_join(t, kind)
    t.require(drawing.Sheet(t, t.turn).legal(cell, made, craters=False, join=join))
    t.extra[t.turn][face] = t.extra[t.turn][face] - 1
    t.board[t.turn][cell] = tile


def _free(kind: str) -> None:
    @book.override(
        f"join-{kind}",
        "drawing.connected",
        clause=f"{kind}-rules.free",
        variant=kind,
        sizes=lambda s: bool(s.extra_dice(kind)),
    )
    def free(t: Table, r: Row) -> Row:
        return renamed(r, clause=f"{kind}-rules.free", then=False)


_free("river")
_free("lake")


@book.rule("lake-rules.fill", by=RULES, phase=Phase.DRAW, only="lake", cell=size.cells)
def flood(t: Table, cell: int) -> None:
    """An empty space with open water on three of its sides is flooded."""
    if "FLOOD_WWWW" not in t.size.tile.__members__ or len(t.size.around(cell)) < 3:
        t.require(False)
        return
    sheet = drawing.Sheet(t, t.turn)
    wet = count(*(sheet.has(other, side.back, "W") for side, other in t.size.around(cell)))
    t.require(sheet.empty(cell))
    t.require(wet == 3 if t.reading(r.fill_four) == "three" else wet >= 3)
    t.board[t.turn][cell] = t.size.tile["FLOOD_WWWW"]
