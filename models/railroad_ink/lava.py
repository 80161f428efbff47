"""Lava: the first volcano, drawing lava, new volcanoes, and making room.

Promise: what the duty to draw lava demands where it cannot be met is one table, whose gap is a finding.
"""

from __future__ import annotations

import enum

from models.language import RULES, Policy, Row, Term, decide, every, lookup, renamed, row, some
from models.railroad_ink import drawing
from models.railroad_ink import readings as r
from models.railroad_ink.sizes import Board, Way
from models.railroad_ink.table import Phase, Table, book, cells, drawer, seats, size


@book.rule("lava-rules.volcano", "game.roll", by=RULES, phase=Phase.SETUP, only="lava")
def begin_lava(t: Table) -> None:
    """A volcano is drawn in the middle of every board."""
    if _played(t):
        for who in seats(t):
            t.board[who][t.size.middle] = t.size.tile["VOLCANO_LLLL"]
        t.phase = Phase.ROLL
    else:
        t.phase = Phase.OVER


def _played(t: Table) -> bool:
    return bool(t.size.extra_dice("lava"))


def _lava(s: Board) -> list[enum.Enum]:
    return s.members({f for die in s.extra_dice("lava") for f in die})


def _faces(s: Board) -> list[enum.Enum]:
    return [s.extra_face[f] for f in dict.fromkeys(f for die in s.extra_dice("lava") for f in die)]


@book.rule(
    "lava-rules.must",
    "lava-rules.connected",
    "drawing.rotate",
    by=drawer,
    phase=Phase.DRAW,
    only="lava",
    cell=size.cells,
    tile=_lava,
)
def draw_lava(t: Table, cell: int, tile: enum.Enum) -> None:
    """A lava die is drawn beside lava that is there."""
    made = t.size.by_name[tile.name]
    face = t.size.extra_face[made.face.name]
    t.require(t.extra[t.turn][face] > 0)
    join = drawing.must_join(t, "lava")
    t.require(drawing.Sheet(t, t.turn).legal(cell, made, craters=False, join=join))
    t.extra[t.turn][face] = t.extra[t.turn][face] - 1
    t.board[t.turn][cell] = tile
    t.lava_done = True


@book.override(
    "join-lava",
    "drawing.connected",
    clause="lava-rules.connected",
    variant="lava",
    sizes=lambda s: bool(s.extra_dice("lava")),
)
def _to_lava(t: Table, r: Row) -> Row:
    return renamed(r, clause="lava-rules.connected", then=False)


# --- new volcanoes ------------------------------------------------------------------------------------


def volcano_fits(t: Table, cell: int) -> Term:
    """Whether a new volcano may be drawn in a space."""
    sheet, board = drawing.Sheet(t, t.turn), t.board[t.turn]
    lava = t.size.marks(lambda tile: tile.face.kind == "lava")

    beside = some(*(lookup(board[other], lava) for _, other in t.size.around(cell)))
    where = every() if t.reading(r.lava_where) == "any" else sheet.empty(cell)
    fits = every(*(sheet.fits(cell, Way(side), "L") for side in Way))
    return every(where, ~lookup(board[cell], lava), ~beside, fits)


@book.rule(
    "lava-rules.new",
    "lava-rules.no-room",
    by=drawer,
    phase=Phase.DRAW,
    only="lava",
    cell=size.cells,
    face=_faces,
)
def open_volcano(t: Table, cell: int, face: enum.Enum) -> None:
    """A new volcano is drawn, for a die of this face unless it takes none."""
    free = t.reading(r.lava_volcano) == "besides"
    if free:
        t.require(face is _faces(t.size)[0])
    else:
        t.require(t.extra[t.turn][face] > 0)
    t.require(volcano_fits(t, cell))
    t.board[t.turn][cell] = t.size.tile["VOLCANO_LLLL"]
    if not free:
        t.extra[t.turn][face] = t.extra[t.turn][face] - 1
        t.lava_done = True


# --- making room --------------------------------------------------------------------------------------


def room(t: Table) -> Term:
    """Whether some space in which nothing is drawn lies beside open lava."""
    sheet = drawing.Sheet(t, t.turn)
    return some(*(every(sheet.empty(c), _beside(t, c)) for c in cells(t)))


def _beside(t: Table, cell: int) -> Term:
    """Whether a lava side faces a space."""
    sheet = drawing.Sheet(t, t.turn)
    return some(*(sheet.has(other, side.back, "L") for side, other in t.size.around(cell)))


def may_be_wiped(t: Table, cell: int) -> Term:
    """Whether the route in a space may be wiped out to give room for lava."""
    routes = t.size.marks(lambda tile: tile.face.kind in ("route", "special"))
    near = every() if t.reading(r.lava_erase) == "any" else _beside(t, cell)
    return every(lookup(t.board[t.turn][cell], routes), near, ~room(t))


@book.rule("lava-rules.no-room", by=drawer, phase=Phase.DRAW, only="lava", cell=size.cells)
def make_room(t: Table, cell: int) -> None:
    """There is no free space beside open lava, and a route is wiped out."""
    t.require(~t.lava_done & (t.extra[t.turn].total() > 0))
    t.require(may_be_wiped(t, cell))
    t.board[t.turn][cell] = t.size.tile["EMPTY"]


# --- the duty -----------------------------------------------------------------------------------------


def _drawable(t: Table) -> Term:
    """Whether a lava die that is left can be drawn somewhere."""
    sheet = drawing.Sheet(t, t.turn)
    return some(
        *(
            every(
                t.extra[t.turn][face] > 0,
                some(
                    *(
                        sheet.legal(c, tile, craters=False, join=False)
                        for c in cells(t)
                        for tile in t.size.tiles
                        if tile.face.name == face.name
                    )
                ),
            )
            for face in _faces(t.size)
        )
    )


def _way_out(t: Table) -> Term:
    """Whether a new volcano can be opened or a route wiped out."""
    return some(*(some(volcano_fits(t, c), may_be_wiped(t, c)) for c in cells(t)))


def may_finish(t: Table) -> Term:
    """Whether the duty to draw lava is met, or cannot be met."""
    if not _played(t):
        return every()
    return some(t.lava_done, every(~_drawable(t), room(t) | ~_way_out(t)))


def ask_room(t: Table) -> None:
    """Which sentence says what happens to the duty to draw lava when a player has finished."""
    if not _played(t):
        return
    decide(
        t,
        "lava-due",
        [
            row("lava-rules.must", when=t.lava_done, then="met"),
            row("lava-rules.no-room", when=every(~t.lava_done, ~room(t), _way_out(t)), then="met"),
        ],
        policy=Policy.UNIQUE,
        outcomes={"met": lambda: None},
    )
