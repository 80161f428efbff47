"""Where a tile may be drawn: what lies across each side, what joins, and what is kept apart.

Promise: one definition for the moves, for the duty to draw, and for looking ahead: all of them ask `Sheet`,
which can be told that a tile lies in a space where it does not lie yet.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from models.language import Policy, Term, TermLike, decide, every, lookup, row, some
from models.language.terms import term
from models.railroad_ink import readings as r
from models.railroad_ink.sizes import Way
from models.railroad_ink.table import Table, cells
from models.railroad_ink.tiles import CODES, ROUTES, Tile

#: Letter → ends that an end of it may not meet, whatever the readings say.
_APART = {"H": "RV", "R": "HV", "V": "HR", "W": "", "L": "", "C": ""}


#: Build → (player, two faces) → whether both can be drawn before anything is drawn.
_ORDERS: WeakKeyDictionary[object, dict[tuple[Term, frozenset[str]], Term]] = WeakKeyDictionary()


class Sheet:
    """A player's board at this moment, perhaps with one more tile on it than there is.

    Args:
        t: The table.
        who: The player.
        cell: A space in which a tile is taken to lie.
        tile: That tile.
    """

    def __init__(self, t: Table, who: TermLike, cell: int = -1, tile: Tile | None = None) -> None:
        self.t, self.who, self.cell, self.tile = t, who, cell, tile
        self._ends: dict[tuple[int, Way], TermLike] = {}

    def end(self, cell: int, side: Way) -> TermLike:
        """The number of the end that a space has at a side, when first asked; 0 for none."""
        if (cell, side) not in self._ends:
            if cell == self.cell and self.tile is not None:
                found: TermLike = CODES[self.tile.ends[side]]
            else:
                found = lookup(self.t.board[self.who][cell], self.t.size.ends(side))
            self._ends[cell, side] = found
        return self._ends[cell, side]

    def has(self, cell: int, side: Way, letters: str) -> Term:
        """Whether a space has an end of one of some kinds at a side."""
        found = self.end(cell, side)
        return some(*(found == CODES[x] for x in letters))

    def empty(self, cell: int, *, craters: bool = False) -> Term:
        """Whether a route may be drawn in a space: nothing is there, or (if they may go) a crater."""
        if cell == self.cell and self.tile is not None:
            return some()
        here, tile = self.t.board[self.who][cell], self.t.size.tile
        wanted = ["EMPTY", "CRATER_CCCC"] if craters and "CRATER_CCCC" in tile.__members__ else ["EMPTY"]
        return some(*(here == tile[name] for name in wanted))

    # -- one side ------------------------------------------------------------------------------------
    def fits(self, cell: int, side: Way, letter: str) -> Term:
        """Whether an end may be drawn at a side of a space."""
        t = self.t
        other = t.size.neighbour(cell, side)
        if other is None:
            kind = t.size.exit_at(cell, side)
            if letter == "V" and kind:
                return every(t.reading(r.river_at_exit) != "forbidden")
            if letter in ROUTES and kind and kind != letter:
                return every(r.of_base(t, r.exit_kind) != "forbidden")
            return every()
        apart = _APART[letter]
        if t.variant in ("lake", "lava") and t.reading(r.route_meets) == "forbidden":
            apart += "WL" if letter in ROUTES else ROUTES if letter in "WL" else ""
        return ~self.has(other, side.back, apart)

    def joins(self, cell: int, side: Way, letter: str) -> Term:
        """Whether an end at a side of a space is connected with what lies across it."""
        other = self.t.size.neighbour(cell, side)
        if other is None:
            return every(letter in ROUTES, self.t.size.exit_at(cell, side) == letter)
        return self.has(other, side.back, letter)

    # -- a whole tile ----------------------------------------------------------------------------------
    def legal(self, cell: int, tile: Tile, *, craters: bool, join: bool = True) -> Term:
        """Whether a tile may be drawn in a space.

        Args:
            cell: The space.
            tile: The tile.
            craters: Whether a crater there may go.
            join: Whether it has to join a route or an exit.
        """
        sides = tile.sides("HRVWL")
        return every(
            self.empty(cell, craters=craters),
            *(self.fits(cell, Way(s), tile.ends[s]) for s in sides),
            *(
                some(*(self.joins(cell, Way(s), tile.ends[s]) for s in tile.sides(letters)))
                for letters in self.wants(tile, join)
            ),
        )

    def wants(self, tile: Tile, join: bool) -> list[str]:
        """For each connection that a tile needs, the kinds of end that can give it."""
        wanted = ["L"] if tile.face.kind == "lava" else []
        on_die = tile.face.kind in ("river", "lake", "lava") and bool(tile.sides(ROUTES))
        if join or (on_die and self.t.reading(r.extra_route) == "must"):
            wanted.append(ROUTES)
        return wanted

    def somewhere(self, face: str, *, craters: bool) -> Term:
        """Whether a face can be drawn in some space."""
        tiles = [tile for tile in self.t.size.tiles if tile.face.name == face]
        return some(*(self.legal(c, tile, craters=craters) for c in cells(self.t) for tile in tiles))


def craters_go(t: Table) -> bool:
    """Whether routes may be drawn over craters."""
    return t.variant == "meteor"


def craters_count(t: Table) -> bool:
    """Whether a space with a crater counts when it is asked if a route can be drawn."""
    return craters_go(t) and t.reading(r.meteor_must) == "counts"


def must_join(t: Table, kind: str) -> bool:
    """Whether a drawing of a kind has to join a route or an exit; the expansions change the table."""
    rows = [row("drawing.connected", when=True, then=True)]
    found = decide(t, f"join-{kind}", rows, policy=Policy.PRIORITY)
    assert found is not None
    return bool(found.lo)


def due(t: Table, who: TermLike) -> list[Term]:
    """For each face of the route dice, whether it is left and can be drawn."""
    sheet, count = Sheet(t, who), craters_count(t)
    return [every(t.left[who][face] > 0, sheet.somewhere(face.name, craters=count)) for face in t.size.face]


def leaves_most(t: Table, who: TermLike, cell: int, tile: Tile) -> Term:
    """With two routes left: whether drawing one here leaves the other possible, if some way to draw does.

    Args:
        t: The table.
        who: The player.
        cell: The space.
        tile: The tile of a route die that is drawn there.
    """
    count = craters_count(t)
    faces = [f for f in t.size.face if t.size.counts[f] > (f.name == tile.face.name)]
    return every(
        *(
            some(
                ~_both_left(t, who, tile.face.name, other),
                Sheet(t, who, cell, tile).somewhere(other.name, craters=count),
                ~_some_order(t, who, tile.face.name, other.name, count),
            )
            for other in faces
        )
    )


def _both_left(t: Table, who: TermLike, face: str, other: enum.Enum) -> Term:
    """Whether two faces are left, or one twice."""
    return t.left[who][other] > (1 if other.name == face else 0)


def _some_order(t: Table, who: TermLike, a: str, b: str, count: bool) -> Term:
    """Whether two faces can both be drawn, in one order or the other; worked out once a build."""
    known = _ORDERS.setdefault(t.trace.context, {})
    key = (term(who), frozenset((a, b)))
    if key not in known:
        known[key] = _found_order(t, who, a, b, count)
    return known[key]


def _found_order(t: Table, who: TermLike, a: str, b: str, count: bool) -> Term:
    sheet, found = Sheet(t, who), list[Term]()
    for first, second in _pairs(a, b):
        found += [
            every(
                sheet.legal(c, tile, craters=count), Sheet(t, who, c, tile).somewhere(second, craters=count)
            )
            for c in cells(t)
            for tile in t.size.tiles
            if tile.face.name == first
        ]
    return some(*found)


def _pairs(a: str, b: str) -> Iterable[tuple[str, str]]:
    return {(a, b): None, (b, a): None}
