"""Sizes of Railroad Ink: board, exits, dice and special routes.

Promises: a size has only the tiles that its dice can bring; sizes that are for one expansion name it in
`only`, and in other variants the game is over as it begins.

The text gives neither the size of the board nor the places of the exits: `PRINT` has them from outside. No
size of the whole game at 7 x 7 is among `SIZES`: its rules unroll to four thousand moves and its networks are
larger than the native engines hold, so that board is scored (`models.railroad_ink.sheet`), not explored.
"""

from __future__ import annotations

import enum
import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, cast

import attrs

from models.language import ModelError, Size
from models.railroad_ink.tiles import CODES, EXTRA_DICE, ROUTE_DICE, ROUTES, SPECIALS, Tile, face_of, ways

Die = tuple[str, ...]
EXPANSIONS = ("river", "lake", "meteor", "lava")


class Way(enum.IntEnum):
    """The four sides of a space, and the directions across them."""

    ABOVE = 0
    RIGHT = 1
    BELOW = 2
    LEFT = 3

    @property
    def back(self) -> Way:
        """The opposite side."""
        return Way((self + 2) % 4)


@attrs.frozen
class Exit:
    """An exit: the space it opens from, the side, and its kind (H or R)."""

    cell: int
    side: Way
    kind: str


def _exits(text: str) -> tuple[Exit, ...]:
    """Exits from a short notation: space, side (A, R, B, L) and kind, as `0A:H`."""
    return tuple(
        Exit(int(where[:-1]), Way("ARBL".index(where[-1])), kind)
        for where, kind in (word.split(":") for word in text.split())
    )


@attrs.frozen(kw_only=True)
class Board(Size):
    """The numbers of a game.

    Attributes:
        rows: Rows of the board.
        columns: Columns of the board.
        exits: Its exits.
        centre: The spaces of its centre.
        middle: The space in its middle, where volcano and meteor begin.
        dice: The faces of each route die.
        extra: Expansion → the faces of each of its dice that are drawn.
        distances: The faces of the meteor die of distances.
        directions: The faces of the meteor die of directions; a dot is the free one.
        specials: Names of the special routes.
        uses: How many of them a player may draw.
        rounds: Rounds of the game without and with an expansion.
        players: Number of players.
        only: Variants that it is for; all where empty.
    """

    rows: int
    columns: int
    exits: tuple[Exit, ...]
    centre: tuple[int, ...]
    middle: int = 0
    dice: tuple[Die, ...]
    extra: tuple[tuple[str, tuple[Die, ...]], ...] = ()
    distances: tuple[int, ...] = (1, 1, 1, 2, 2, 3)
    directions: str = "LRAB.."
    specials: tuple[str, ...] = ()
    uses: int = 3
    rounds: tuple[int, int] = (7, 6)
    players: int = 1
    only: tuple[str, ...] = ()

    def validate(self) -> None:
        """See `Size.validate`."""
        cells = self.rows * self.columns
        self.need(cells > 0 and self.players > 0, "a board without spaces, or no players")
        inside = {*self.centre, self.middle, *(e.cell for e in self.exits)} <= set(range(cells))
        self.need(inside, f"a place outside of the {cells} spaces")
        self.need(
            all(self.neighbour(e.cell, e.side) is None for e in self.exits), "an exit that is not at the rim"
        )
        self.need(
            (self.rows > 1 or not set("AB") & set(self.directions))
            and (self.columns > 1 or not set("LR") & set(self.directions)),
            "a meteor would fly along a single space",
            "leave directions out",
        )
        self.need(all(e.kind in ROUTES for e in self.exits), "an exit of another kind than H and R")

    # -- the board ---------------------------------------------------------------------------------
    @property
    def cells(self) -> int:
        """How many spaces there are, numbered row by row."""
        return self.rows * self.columns

    def neighbour(self, cell: int, side: Way) -> int | None:
        """The space across a side, or None at the rim."""
        row, column = divmod(cell, self.columns)
        row += {Way.ABOVE: -1, Way.BELOW: 1}.get(side, 0)
        column += {Way.LEFT: -1, Way.RIGHT: 1}.get(side, 0)
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def around(self, cell: int) -> list[tuple[Way, int]]:
        """The sides of a space that are not at the rim, with the space across each."""
        found = [(side, self.neighbour(cell, side)) for side in Way]
        return [(side, other) for side, other in found if other is not None]

    def exit_at(self, cell: int, side: Way) -> str:
        """The kind of the exit at a side of a space, or ""."""
        return next((e.kind for e in self.exits if (e.cell, e.side) == (cell, side)), "")

    def borders(self) -> list[tuple[int, Way, int]]:
        """All pairs of spaces with a common side: a space, the side, and the space right of or below it."""
        return [(c, side, other) for c in range(self.cells) for side, other in self.around(c) if other > c]

    # -- dice and tiles ----------------------------------------------------------------------------
    def extra_dice(self, variant: str) -> tuple[Die, ...]:
        """The drawn dice of a variant beside the route dice."""
        return dict(self.extra).get(variant, ())

    @functools.cached_property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles that can lie on a board of this size; the enumeration has an empty space before them."""
        names = dict.fromkeys([*(f for die in self.dice for f in die), *self.specials])
        for expansion, dice in self.extra:
            names.update(dict.fromkeys(f for die in dice for f in die))
            names.update(dict.fromkeys({"lake": ["FLOOD"], "lava": ["VOLCANO"]}.get(expansion, [])))
        if self.plays("meteor"):
            names["CRATER"] = None
        return tuple(tile for name in names for tile in ways(face_of(name)))

    def plays(self, variant: str) -> bool:
        """Whether a variant is played at this size."""
        if variant == "meteor":
            return bool(self.distances) and (not self.only or variant in self.only)
        return not self.only or variant in self.only

    @functools.cached_property
    def tile(self) -> type[enum.Enum]:
        """The enumeration of what a space holds."""
        return _enumeration("Tile", ["EMPTY", *(t.name for t in self.tiles)])

    @functools.cached_property
    def by_name(self) -> Mapping[str, Tile]:
        """Tiles by the name of their member."""
        return {t.name: t for t in self.tiles}

    def members(self, faces: Iterable[str]) -> list[enum.Enum]:
        """The members of the tiles of some faces."""
        wanted = set(faces)
        return [self.tile[t.name] for t in self.tiles if t.face.name in wanted]

    def ends(self, side: Way) -> tuple[int, ...]:
        """For each member of the enumeration, the number of its end at a side."""
        return (0, *(CODES[t.ends[side]] for t in self.tiles))

    def marks(self, holds: Any) -> tuple[bool, ...]:
        """For each member, whether a condition holds of its tile; it does not of an empty space."""
        return (False, *(bool(holds(t)) for t in self.tiles))

    @functools.cached_property
    def face(self) -> type[enum.Enum]:
        """The faces of the route dice."""
        return _enumeration("Face", (f for die in self.dice for f in die))

    @functools.cached_property
    def extra_face(self) -> type[enum.Enum]:
        """The faces of the drawn dice of all expansions."""
        return _enumeration("Extra", (f for _, dice in self.extra for die in dice for f in die))

    @functools.cached_property
    def special(self) -> type[enum.Enum]:
        """The special routes."""
        return _enumeration("Special", self.specials)

    @functools.cached_property
    def counts(self) -> dict[enum.Enum, int]:
        """Route face → on how many dice it is."""
        return {f: sum(f.name in die for die in self.dice) for f in self.face}

    @functools.cached_property
    def extra_counts(self) -> dict[enum.Enum, int]:
        """Face of an expansion → on how many dice it is."""
        return {
            f: max((sum(f.name in d for d in dice) for _, dice in self.extra), default=0)
            for f in self.extra_face
        }

    def chances(self, dice: Iterable[Die], face: str) -> tuple[int, ...]:
        """For each die, on how many of its sides a face is; all dice are given alike in weight."""
        return tuple(Counter(die)[face] for die in dice)

    @property
    def shape(self) -> int:
        """A number that tells the board: its place in `SIZES`, or the number of rows above that."""
        known = list(SIZES.values())
        return known.index(self) if self in known else len(known) + self.rows

    @property
    def last_round(self) -> int:
        """The greatest number of a round, counted from 0."""
        return max(self.rounds) - 1

    @property
    def farthest(self) -> int:
        """The longest flight of a meteor."""
        return max(self.distances, default=0)

    @property
    def most_errors(self) -> int:
        """A number that errors cannot exceed."""
        return 4 * self.cells

    @property
    def most_points(self) -> int:
        """A number that scores cannot exceed."""
        return 45 + 15 * self.cells

    @property
    def fewest_points(self) -> int:
        """A number that scores cannot fall below."""
        return -self.most_errors

    @property
    def most_dice(self) -> int:
        """The most dice that are rolled and drawn in a round."""
        return len(self.dice) + max((len(d) for _, d in self.extra), default=0)


def _enumeration(name: str, members: Iterable[str]) -> type[enum.Enum]:
    """An enumeration of names; one member NONE where there are none, as every field needs a value."""
    found = list(dict.fromkeys(members)) or ["NONE"]
    made: Any = enum.Enum(name, {n: i for i, n in enumerate(found)})  # type: ignore[misc]
    return cast("type[enum.Enum]", made)


_SQUARE = _exits("0A:H 1R:R 3B:H 2L:R")

_ALL = tuple(dict.fromkeys(f for die in ROUTE_DICE for f in die))

SIZES: dict[str, Board] = {
    "small": Board(
        rows=2, columns=2, exits=_SQUARE, centre=(3,), middle=0,
        dice=(("CURVE_H", "STRAIGHT_R"), ("STATION",)),
        extra=(
            ("river", (("RIVER_CURVE",),)),
            ("lake", (("LAKE_QUARTER",),)),
            ("lava", (("LAVA_HALF", "LAVA_H"),)),
        ),
        distances=(1,), directions="R.", specials=("S_HHRH",), uses=1, rounds=(2, 2),
    ),
    "small-duel": Board(
        rows=1, columns=2, exits=_exits("0L:H 0A:R 1R:H 1B:H"), centre=(0,), players=2, rounds=(1, 1),
        dice=(("STRAIGHT_H", "CURVE_H"), ("T_H", "OVERPASS")), distances=(), directions="", only=("base",),
    ),
    "small-loop": Board(
        rows=2, columns=2, exits=_exits("0A:H 3B:H 1R:R"), centre=(), rounds=(2, 2),
        dice=(("CURVE_H",), ("CURVE_H", "T_H")), distances=(), directions="", only=("base",),
    ),
    "small-ring": Board(
        rows=2, columns=2, exits=_exits("0A:H 3B:R"), centre=(2,), rounds=(2, 2), dice=(("STRAIGHT_H",),),
        extra=(("river", (("RIVER_CURVE",), ("RIVER_CURVE", "BRIDGE_H"))),),
        distances=(), directions="", only=("river",),
    ),
    "small-flood": Board(
        rows=3, columns=3, exits=(), centre=(4,), middle=4, rounds=(3, 3), dice=(),
        extra=(("lake", (("LAKE_QUARTER",),)),), distances=(), directions="", only=("lake",),
    ),
    "small-pier": Board(
        rows=1, columns=3, exits=_exits("0A:H 0B:H 2A:R 2B:H"), centre=(1,), rounds=(2, 2),
        dice=(("CURVE_H", "T_R"),), extra=(("lake", (("PIER_H", "LAKE_HALF", "PIER_BOTH"),)),),
        distances=(), directions="", only=("lake",),
    ),
    "small-row": Board(
        rows=1, columns=3, exits=_exits("0L:H 1A:R 2R:H"), centre=(1,), middle=1, rounds=(3, 3),
        dice=(("STRAIGHT_H", "STATION"),), distances=(1, 2), directions="LR.", only=("meteor",),
    ),
    "small-lava": Board(
        rows=2, columns=2, exits=_exits("1R:H 3B:H"), centre=(0,), rounds=(2, 2), dice=(("CURVE_H",),),
        extra=(("lava", (("LAVA_OPPOSITE", "LAVA_MOST"), ("LAVA_HALF", "LAVA_H"))),),
        distances=(), directions="", only=("lava",),
    ),
    "square": Board(
        rows=2, columns=2, exits=_SQUARE, centre=(3,), rounds=(4, 3), dice=(_ALL,),
        distances=(), directions="", only=("base",),
    ),
    "cross": Board(
        rows=3, columns=3, exits=_exits("1A:H 3L:R 5R:R 7B:H"), centre=(4,), middle=4, rounds=(1, 1),
        dice=(("CURVE_H", "T_R"), ("CURVED_STATION", "OVERPASS")), specials=("S_HRHR",), uses=1,
        extra=(("river", (("RIVER",),)), ("lake", (("PIER_BOTH",),)), ("lava", (("LAVA_MOST",),))),
        distances=(1, 2), directions="RA.",
    ),
}  # fmt: skip

#: The board as it is sold: 7 x 7, exits counted from 0 (facts from outside the text).
PRINT = Board(
    rows=7, columns=7,
    exits=tuple(
        Exit(cell, side, kind)
        for kind, crossing, along in (("H", (1, 5), (3,)), ("R", (3,), (1, 5)))
        for cell, side in (
            *((c, Way.ABOVE) for c in crossing), *((42 + c, Way.BELOW) for c in crossing),
            *((7 * r, Way.LEFT) for r in along), *((7 * r + 6, Way.RIGHT) for r in along),
        )
    ),
    centre=tuple(7 * r + c for r in (2, 3, 4) for c in (2, 3, 4)),
    middle=24,
    dice=ROUTE_DICE,
    extra=tuple(EXTRA_DICE.items()),
    specials=SPECIALS,
)  # fmt: skip


def board_of(rows: int, columns: int) -> Board:
    """A board of any size for scoring: exits as on the printed one where it is 7 x 7, else none.

    Errors:
        ModelError: it has no space, or more than 15 rows or columns.
    """
    if not (0 < rows <= 15 and 0 < columns <= 15):
        raise ModelError(f"a board of {rows} x {columns} spaces", hint="write 1 to 15 rows of 1 to 15 spaces")
    if (rows, columns) == (7, 7):
        return PRINT
    centre = tuple(r * columns + c for r in _middle(rows) for c in _middle(columns))
    return attrs.evolve(
        PRINT,
        rows=rows,
        columns=columns,
        exits=(),
        centre=centre,
        middle=rows // 2 * columns + columns // 2,
        directions=".",
    )


def _middle(n: int) -> range:
    """The three in the middle of a row, or all of a shorter one."""
    return range(n) if n < 3 else range(n // 2 - 1, n // 2 + 2)
