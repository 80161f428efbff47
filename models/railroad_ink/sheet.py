"""A board in a text form, and its score as terms.

A line is a row of the board, one token a space. A token is the four ends of a space in the order above,
right, below, left: H highway, R railway, V river, W water, L lava, C crater, a dot for none; a star behind
them says that everything in the space is joined (stations, piers). A single dot is an empty space. So `H.H.`
is a straight highway, `HRHR` an overpass, `H.R.*` a straight station, `LLLL` a volcano, `CCCC` a crater.

Lines before the board may set what is not as on the 7 x 7 board: `exits 0A:H 5R:R` (space counted row by row
from 0, side A, R, B or L, kind), `centre 4`, `middle 4`. What follows a `#` is left out.

Promise: whatever is wrong with a text is one `ModelError` that names the line and the space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import attrs

from models.language import ModelError
from models.language.builder import Builder
from models.language.choices import choose_build
from models.language.nearest import did_you_mean
from models.language.program import reader
from models.railroad_ink import drawing, scoring
from models.railroad_ink.rules import book
from models.railroad_ink.sizes import Board, Exit, Way, board_of
from models.railroad_ink.table import Table
from models.railroad_ink.tiles import SIDES, TILES, Tile

_EXIT = re.compile(r"(?P<cell>\d{1,3})(?P<side>[ARBL]):(?P<kind>[HR])\Z")
#: Part of a score → what people call it.
PARTS = {
    "networks": "networks",
    "highway": "longest highway",
    "railway": "longest railway",
    "centre": "central spaces",
    "errors": "errors",
    "expansion": "expansion",
    "total": "total",
}
#: Kind of an end → what people call it.
KINDS = {"H": "highway", "R": "railway", "V": "river", "W": "water", "L": "lava"}
#: The longest text that is read; a board of 15 x 15 spaces takes a fiftieth of it.
LONGEST = 100_000


@dataclass(frozen=True)
class Sheet:
    """A board that was written down.

    Attributes:
        board: Its size and exits.
        tiles: What lies in each space, None where nothing does.
    """

    board: Board
    tiles: tuple[Tile | None, ...]


def read(text: str, place: str = "the board") -> Sheet:
    """Read a board.

    Args:
        text: The text form.
        place: Name of the file, for messages.

    Errors:
        ModelError: no row, rows of several lengths, an unknown token, an exit that cannot be.
    """
    if len(text) > LONGEST:
        raise ModelError("the text is too long for a board", where=place, hint="give one board")
    rows: list[list[Tile | None]] = []
    settings: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words, where = line.partition("#")[0].split(), f"{place}, line {number}"
        if not words:
            continue
        if words[0].lower() in ("exits", "centre", "middle"):
            if rows or words[0].lower() in settings:
                raise ModelError(
                    f"{words[0]!r} stands twice or behind the board",
                    where=where,
                    hint="write it once, before the first row",
                )
            settings[words[0].lower()] = words[1:]
            continue
        rows.append([_tile(word, f"{where}, space {at}") for at, word in enumerate(words, 1)])
        if len(rows[-1]) != len(rows[0]):
            raise ModelError(
                f"this row has {len(rows[-1])} spaces, the first one {len(rows[0])}",
                where=where,
                hint="write one token a space, with blanks in between",
            )
    if not rows:
        raise ModelError("there is no board", where=place, hint="write one line for each row")
    try:
        board = _with(board_of(len(rows), len(rows[0])), settings, place)
    except ModelError as error:
        raise ModelError(error.message.split(": ", 1)[-1], where=place, hint=error.hint or "") from None
    return Sheet(board, tuple(tile for row in rows for tile in row))


def _tile(word: str, where: str) -> Tile | None:
    token = word.upper()
    if set(token) <= {"."} and len(token) in (1, 4):
        return None
    found = TILES.get(token)
    if found is None:
        raise ModelError(
            f"{word[:20]!r} is no space",
            where=where,
            hint=did_you_mean(token, TILES)
            or "write its four ends (above, right, below, left), for instance H.H. or HR..*",
        )
    return found


def _with(board: Board, settings: Mapping[str, Sequence[str]], place: str) -> Board:
    """A board with what the text sets."""
    changes: dict[str, Any] = {}
    if "exits" in settings:
        changes["exits"] = tuple(_exit(word, place) for word in settings["exits"])
    for key in ("centre", "middle"):
        if key in settings:
            numbers = settings[key]
            good = all(n.isdecimal() and len(n) < 4 for n in numbers)
            if not good or (key == "middle" and len(numbers) != 1):
                raise ModelError(
                    f"{key} is not given in numbers of spaces",
                    where=place,
                    hint="count the spaces row by row from 0",
                )
            spaces = tuple(int(n) for n in numbers)
            changes[key] = spaces if key == "centre" else spaces[0]
    return attrs.evolve(board, **changes) if changes else board


def _exit(word: str, place: str) -> Exit:
    found = _EXIT.match(word.upper())
    if found is None:
        raise ModelError(
            f"{word[:20]!r} is no exit", where=place, hint="write space, side and kind, for instance 3A:H"
        )
    return Exit(int(found["cell"]), Way("ARBL".index(found["side"])), found["kind"])


#: Letter of an end → the variant that it belongs to.
_OF = {"V": "river", "W": "lake", "C": "meteor", "L": "lava"}
_CALLED = {"V": "a river", "W": "water", "C": "a crater", "L": "lava"}


def check_variant(sheet: Sheet, variant: str) -> None:
    """Refuse a variant to which something on a board does not belong.

    Errors:
        ModelError: there is such a thing; it names the space.
    """
    for cell, tile in enumerate(sheet.tiles):
        for end in tile.ends if tile is not None else "":
            if _OF.get(end, variant) != variant:
                raise ModelError(
                    f"{_CALLED[end]} has no place in the variant {variant}",
                    where=said(sheet.board, cell),
                    hint=f"score the board in the variant {_OF[end]}, or leave it out",
                )


def expansion_of(sheet: Sheet) -> str:
    """The variant that a board shows by what is drawn on it.

    Errors:
        ModelError: it shows several expansions.
    """
    found = {_OF[e] for tile in sheet.tiles if tile is not None for e in tile.ends if e in _OF}
    if len(found) > 1:
        raise ModelError(
            f"the board has parts of several expansions: {', '.join(sorted(found))}",
            hint="the text does not say how two are scored together; leave one out",
        )
    return found.pop() if found else "base"


class Scorer:
    """The score of boards of one size, as terms; made once for a size, a variant and some readings.

    Args:
        board: The size.
        variant: The variant.
        readings: Reading → option, where not the default.

    Attributes:
        score: Name of a part of the score → its term; `total` is all of it.
        faults: Space, side and kind of each end, with the condition that it is an error.
        clashes: The same with the condition that the end may not be drawn there.
        consulted: Readings on which the score depends.
    """

    def __init__(self, board: Board, variant: str, readings: Mapping[str, str] | None = None) -> None:
        self.board = attrs.evolve(board, players=1)
        made = choose_build(book, self.board, variant, dict(readings or {}), False)
        builder = Builder(book, made)
        look = reader(book, builder.layout, made.size, builder)
        assert isinstance(look, Table)
        self._layout = builder.layout
        self.score = scoring.score(look, 0).parts
        self.consulted = frozenset(look.trace.readings)
        sheet = drawing.Sheet(look, 0)
        self.faults = tuple(scoring.error_ends(sheet))
        self.clashes = tuple(
            (cell, side, letter, sheet.has(cell, side, letter) & ~sheet.fits(cell, side, letter))
            for cell in range(board.cells)
            for side in Way
            for letter in "HRVWL"
        )

    def state(self, sheet: Sheet) -> tuple[int, ...]:
        """The state with a board of this size in it: the value of each slot."""
        state = list(self._layout.start)
        place = next(s.index for s in self._layout.slots if s.name == "board[0][0]")
        for cell, tile in enumerate(sheet.tiles):
            state[place + cell] = 0 if tile is None else self.board.tile[tile.name].value
        return tuple(state)


def said(board: Board, cell: int, side: Way | None = None) -> str:
    """A space, and perhaps one of its sides, in words."""
    row, column = divmod(cell, board.columns)
    where = f"row {row + 1}, space {column + 1}"
    return where if side is None else f"{where}, {SIDES[side]}"
