"""A picture of the boards: spaces, exits, routes, water, lava and craters, as players draw them.

Promises: shows every player's board; what a step drew is marked; the same table gives the same picture.
A highway is a broad band with a broken line in its middle, a railway a line with ties, a station a square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.language.pictures import Canvas, Naming, Picture, Table, differs, word
from models.railroad_ink.sheet import Sheet
from models.railroad_ink.sizes import SIZES, Board, Exit, Way, board_of
from models.railroad_ink.tiles import Tile, ways_by_name

_CELL, _RIM = 44, 24
_STEP = {Way.ABOVE: (0, -1), Way.RIGHT: (1, 0), Way.BELOW: (0, 1), Way.LEFT: (-1, 0)}


def draw(state: Table, before: Table | None, words: Naming) -> Picture:
    """The table after a step; see `models.language.pictures`."""
    c = Canvas()
    size = board_in(state)
    title = word(words, "Phase", state["phase"])
    if state["phase"] == "DRAW" and len(state["board"]) > 1:
        title = f"{words.player(state['turn'])} · {title}"
    c.text(6, 14, f"{title} · {words.at('field', 'round') or 'round'} {state['round'] + 1}", anchor="start")
    for who, spaces in enumerate(state["board"]):
        at = _Board(c, size, 6 + who * (size.columns * _CELL + 2 * _RIM + 16), 22)
        tiles = [ways_by_name().get(name) for name in spaces]
        new = [differs(state, before, "board", who, cell) for cell in range(len(spaces))]
        at.paint(tiles, new)
        if state["phase"] in ("FLY", "FALL") and who == state["turn"]:
            at.meteor(state["meteor"][who])
        if len(state["board"]) > 1:
            c.text(at.x + 4, at.bottom + 10, words.player(who), "s", anchor="start")
    _dice(c, state, words)
    return c.picture()


def board_in(state: Table) -> Board:
    """The size of the boards of a table."""
    number = state["shape"]
    known = list(SIZES.values())
    if number < len(known):
        return known[number]
    cells = len(state["board"][0])
    return board_of(number - len(known), cells // max(number - len(known), 1))


def _dice(c: Canvas, state: Table, words: Naming) -> None:
    """The faces that are left to the player who draws."""
    y = c.bottom + 14
    left = []
    for field, kind in (("left", "Face"), ("extra", "Extra")):
        for name, n in state[field][state["turn"]].items():
            left += [word(words, kind, name)] * n
    if left:
        c.text(6, y, f"{words.at('field', 'left') or 'left'}: {', '.join(left)}", "s", anchor="start")


def picture(sheet: Sheet, errors: Iterable[tuple[int, Way]] = ()) -> Picture:
    """The picture of a board that was written down.

    Args:
        sheet: The board.
        errors: Space and side of ends to mark.
    """
    c = Canvas()
    at = _Board(c, sheet.board, 4, 4)
    at.paint(sheet.tiles, [False] * len(sheet.tiles))
    for cell, side in errors:
        x, y = at.at(cell, Way(side), 0.5)
        c.shape(f"M{x - 5} {y - 5}l10 10M{x - 5} {y + 5}l10 -10", "x")
    return c.picture()


@dataclass
class _Board:
    """One board on a canvas."""

    c: Canvas
    size: Board
    x: int
    y: int

    @property
    def bottom(self) -> int:
        return self.y + self.size.rows * _CELL + 2 * _RIM

    def corner(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.size.columns)
        return self.x + _RIM + column * _CELL, self.y + _RIM + row * _CELL

    def at(self, cell: int, side: Way, share: float) -> tuple[int, int]:
        """A point on the way from the middle of a space (0) over the middle of a side (0.5) and beyond."""
        x, y = self.corner(cell)
        dx, dy = _STEP[side]
        return round(x + _CELL / 2 + dx * share * _CELL), round(y + _CELL / 2 + dy * share * _CELL)

    def paint(self, tiles: Sequence[Tile | None], new: Sequence[bool]) -> None:
        """Everything."""
        rows, columns = self.size.rows, self.size.columns
        self.c.box(self.x, self.y, columns * _CELL + 2 * _RIM, rows * _CELL + 2 * _RIM, "g")
        for cell in range(self.size.cells):
            x, y = self.corner(cell)
            self.c.box(x, y, _CELL, _CELL, "e" if cell in self.size.centre else "c", round_=0)
        for e in self.size.exits:
            self.exit(e)
        for cell, tile in enumerate(tiles):
            if tile is not None:
                self.tile(cell, tile)
        for cell, changed in enumerate(new):
            if changed:
                self.c.mark(*self.corner(cell), _CELL, _CELL, 0)

    def exit(self, e: Exit) -> None:
        """A stub of road or rails outside of the board."""
        self.stretch(self.at(e.cell, e.side, 0.5), self.at(e.cell, e.side, 0.86), e.kind)

    def meteor(self, cell: int) -> None:
        """Where a meteor is in its flight."""
        x, y = self.at(cell, Way.ABOVE, 0)
        self.c.shape(f"M{x} {y - 9}l9 9 -9 9 -9 -9z", "t")

    def tile(self, cell: int, tile: Tile) -> None:
        """What lies in a space."""
        middle = self.at(cell, Way.ABOVE, 0)
        if tile.face.kind == "crater":
            for r, style in ((17, "k"), (8, "n")):
                self.c.shape(
                    f"M{middle[0] - r} {middle[1]}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 -{2 * r} 0z", style
                )
            return
        for letter, style in (("W", "m"), ("L", "o")):
            for side in tile.sides(letter):
                self.wedge(cell, Way(side), style, waves=letter == "W")
        for letter in "VHR":
            sides = [Way(s) for s in tile.sides(letter)]
            ends = [self.at(cell, s, 0.5) for s in sides]
            if len(ends) == 2 and sides[0].back is sides[1]:
                self.stretch(ends[0], ends[1], letter)
            else:
                for end in ends:
                    self.stretch(end, middle, letter)
        if tile.face.joined and len(tile.sides("HRW")) > len(tile.sides(tile.ends.replace(".", "")[0])):
            x, y = middle
            self.c.shape(f"M{x - 7} {y - 7}h14v14h-14z", "c" if "W" in tile.ends else "n")

    def wedge(self, cell: int, side: Way, style: str, *, waves: bool) -> None:
        """Water or lava at a side, with waves or with flames."""
        x, y = self.corner(cell)
        corners = [(x, y), (x + _CELL, y), (x + _CELL, y + _CELL), (x, y + _CELL)]
        (ax, ay), (bx, by), (mx, my) = corners[side], corners[(side + 1) % 4], self.at(cell, side, 0)
        self.c.shape(f"M{ax} {ay}L{bx} {by}L{mx} {my}Z", style)
        px, py = self.at(cell, side, 0.33)
        self.c.shape(f"M{px - 6} {py}q3 -4 6 0t6 0" if waves else f"M{px - 4} {py + 3}l4 -7 4 7")

    def stretch(self, a: tuple[int, int], b: tuple[int, int], kind: str) -> None:
        """A straight stretch of highway, railway or river."""
        across = a[0] == b[0]
        (x, y), (u, v) = min(a, b), max(a, b)
        if kind == "R":
            self.c.shape(f"M{x} {y}L{u} {v}")
            steps = range(3, (v - y if across else u - x), 6)
            ties = [f"M{x - 4} {y + s}h8" if across else f"M{x + s} {y - 4}v8" for s in steps]
            self.c.shape("".join(ties))
            return
        w = 6 if kind == "V" else 5
        band = f"M{x - w} {y}H{x + w}V{v}H{x - w}z" if across else f"M{x} {y - w}V{y + w}H{u}V{y - w}z"
        self.c.shape(band, "m" if kind == "V" else "k")
        if kind == "H":
            steps = range(2, (v - y if across else u - x) - 2, 8)
            dashes = [f"M{x - 1} {y + s}h2v4h-2z" if across else f"M{x + s} {y - 1}v2h4v-2z" for s in steps]
            self.c.shape("".join(dashes), "w")
