"""The score of a board: networks, longest highway and railway, centre, errors, expansion.

Promise: one definition, over the language's graph primitives, for play, for every engine and for a board
that somebody writes down; it is a set of terms over one board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.language import (
    Term,
    TermLike,
    count,
    every,
    ite,
    least,
    longest,
    lookup,
    most,
    reach,
    some,
    total,
)
from models.railroad_ink import readings as r
from models.railroad_ink.drawing import Sheet
from models.railroad_ink.sizes import Way
from models.railroad_ink.table import Table, cells
from models.railroad_ink.tiles import ROUTES, Tile

#: Points of a network by the number of its exits.
NETWORK = (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)


@dataclass(frozen=True)
class Score:
    """The parts of a score, each a term.

    Attributes:
        networks: Points of the networks.
        highway: Length of the longest highway.
        railway: Length of the longest railway.
        centre: Spaces of the centre that count.
        errors: Number of errors.
        expansion: Points of the expansion.
    """

    networks: Term
    highway: Term
    railway: Term
    centre: Term
    errors: Term
    expansion: Term

    @property
    def total(self) -> Term:
        """The score."""
        parts = (self.networks, self.highway, self.railway, self.centre, self.expansion)
        return total(*parts) - self.errors

    @property
    def parts(self) -> dict[str, Term]:
        """Name of each part, and `total` → its term."""
        names = ("networks", "highway", "railway", "centre", "errors", "expansion", "total")
        return {name: getattr(self, name) for name in names}


def score(t: Table, who: TermLike) -> Score:
    """The score of a player's board as it lies now."""
    sheet = Sheet(t, who)
    return Score(
        networks(sheet),
        longest_run(sheet, "H"),
        longest_run(sheet, "R"),
        centre(sheet),
        errors(sheet),
        expansion(sheet),
    )


def both(sheet: Sheet, border: tuple[int, Way, int], letter: str) -> Term:
    """Whether ends of a kind meet across a border."""
    cell, side, other = border
    return every(sheet.has(cell, side, letter), sheet.has(other, side.back, letter))


def marked(sheet: Sheet, cell: int, holds: Callable[..., object]) -> Term:
    """Whether a condition holds of the tile in a space."""
    return every(lookup(sheet.t.board[sheet.who][cell], sheet.t.size.marks(holds)))


# --- networks -----------------------------------------------------------------------------------------


def networks(sheet: Sheet) -> Term:
    """For each network the points of its exits; a network is told by its exit with the lowest number."""
    t, size = sheet.t, sheet.t.size
    n, kinds = size.cells, ROUTES + ("W" if t.variant == "lake" else "")
    edges: list[tuple[int, int]] = []
    opened: list[Term] = []
    for border in size.borders():
        for k, letter in enumerate(kinds):
            edges.append((k * n + border[0], k * n + border[2]))
            opened.append(both(sheet, border, letter))
    for cell in cells(t):
        joined = marked(sheet, cell, lambda tile: tile.face.joined)
        for k in range(1, len(kinds)):
            edges.append((cell, k * n + cell))
            opened.append(joined)
    nodes = len(kinds) * n + len(size.exits)
    for number, e in enumerate(size.exits):
        edges.append((len(kinds) * n + number, ROUTES.index(e.kind) * n + e.cell))
        opened.append(sheet.has(e.cell, e.side, e.kind))

    def linked(a: int, b: int) -> Term:
        first = len(kinds) * n
        return reach(edges, opened, [node == first + a for node in range(nodes)], first + b)

    found = []
    exits = range(len(size.exits))
    linked_to = {(a, b): linked(a, b) for a in exits for b in exits if a < b}
    for a in exits:
        leads = ~some(*(linked_to[b, a] for b in range(a)))
        members = total(1, *(ite(linked_to[a, b], 1, 0) for b in exits if b > a))
        found.append(ite(leads, lookup(least(members, 12), NETWORK), 0))
    return total(*found)


# --- the longest run ------------------------------------------------------------------------------------


def longest_run(sheet: Sheet, letter: str) -> Term:
    """The most spaces in a run of one kind."""
    t = sheet.t
    borders = t.size.borders()
    opened = [both(sheet, border, letter) for border in borders]
    kind = "path" if r.of_base(t, r.longest_twice) == "once" else "trail"
    edges = [(a, b) for a, _, b in borders]
    some_space = some(*(sheet.has(c, side, letter) for c in cells(t) for side in Way))
    return ite(some_space, longest(kind, t.size.cells, edges, opened) + 1, 0)


# --- the centre and errors --------------------------------------------------------------------------------


def centre(sheet: Sheet) -> Term:
    """How many spaces of the centre were drawn on."""
    t = sheet.t
    found = []
    for cell in t.size.centre:
        forced = {"FLOOD", "CRATER"} | ({"VOLCANO"} if cell == t.size.middle else set())
        if t.reading(r.centre_anything) == "whatever-lies":
            forced = set()
        found.append(marked(sheet, cell, lambda tile, out=frozenset(forced): tile.face.name not in out))
    return count(*found)


def loose(sheet: Sheet, cell: int, side: Way, letter: str, *, rim: bool = False) -> Term:
    """Whether a space has an end of a kind that meets neither its like nor (unless `rim`) the rim."""
    has, other = sheet.has(cell, side, letter), sheet.t.size.neighbour(cell, side)
    if other is None:
        return every(has, rim)
    return every(has, ~sheet.has(other, side.back, letter))


def at_crater(sheet: Sheet, cell: int, side: Way, letter: str) -> Term:
    """Whether an end of a kind meets a crater."""
    other = sheet.t.size.neighbour(cell, side)
    if other is None:
        return some()
    return every(sheet.has(cell, side, letter), sheet.has(other, side.back, "C"))


def error_ends(sheet: Sheet) -> list[tuple[int, Way, str, Term]]:
    """Every end that can be an error: space, side, kind, and whether it is one."""
    t = sheet.t
    found = []
    for cell in cells(t):
        for side in Way:
            for letter in ROUTES:
                end = loose(sheet, cell, side, letter)
                if t.variant == "meteor":
                    end = every(end, ~at_crater(sheet, cell, side, letter))
                found.append((cell, side, letter, end))
            if t.variant == "river":
                exit_there = t.reading(r.river_at_exit) == "error" and t.size.exit_at(cell, side)
                found.append((cell, side, "V", loose(sheet, cell, side, "V", rim=bool(exit_there))))
            if t.variant == "lava":
                rim = t.reading(r.lava_rim) == "open"
                found.append((cell, side, "L", loose(sheet, cell, side, "L", rim=rim)))
    return found


def errors(sheet: Sheet) -> Term:
    """The number of errors."""
    return count(*(end for *_, end in error_ends(sheet)))


# --- expansions -------------------------------------------------------------------------------------------


def expansion(sheet: Sheet) -> Term:
    """The points of the variant's expansion."""
    points = {"river": rivers, "lake": smallest_lake, "meteor": craters, "lava": lava}.get(sheet.t.variant)
    return points(sheet) if points else total()


class Bodies:
    """Spaces that hang together by ends of one kind.

    Args:
        sheet: The board.
        letter: The kind.
        split: Whether a space with two opposite ends of it and no others has two parts.
    """

    def __init__(self, sheet: Sheet, letter: str, *, split: bool = False) -> None:
        self.sheet, self.letter, self.split = sheet, letter, split
        t = sheet.t
        self.parts = 2 if split else 1
        self.nodes = [(c, part) for c in cells(t) for part in range(self.parts)]
        self.edges: list[tuple[int, int]] = []
        self.opened: list[Term] = []
        for cell, side, other in t.size.borders():
            self.edges.append((self.node(cell, side), self.node(other, side.back)))
            self.opened.append(both(sheet, (cell, side, other), letter))
        if split:
            for cell in cells(t):
                self.edges.append((2 * cell, 2 * cell + 1))
                self.opened.append(marked(sheet, cell, self._whole))
        self._there = [self.there(n) for n in range(len(self.nodes))]
        self._linked: dict[tuple[int, int], Term] = {}

    def _whole(self, tile: Tile) -> bool:
        return tile.face.name != "LAVA_OPPOSITE"

    def node(self, cell: int, side: Way) -> int:
        """The node of a space's ends at a side."""
        return self.parts * cell + (side in (Way.BELOW, Way.LEFT) if self.split else 0)

    def sides(self, node: int) -> list[Way]:
        """The sides that belong to a node."""
        return [s for s in Way if self.node(node // self.parts, s) == node]

    def there(self, node: int) -> Term:
        """Whether a node has an end of the kind."""
        return some(*(self.sheet.has(node // self.parts, s, self.letter) for s in self.sides(node)))

    def linked(self, a: int, b: int) -> Term:
        """Whether two nodes hang together."""
        pair = (min(a, b), max(a, b))
        if pair not in self._linked:
            sources = [n == pair[0] for n in range(len(self.nodes))]
            found = self._there[a] if a == b else reach(self.edges, self.opened, sources, pair[1])
            self._linked[pair] = every(self._there[a], self._there[b], found)
        return self._linked[pair]

    def over(self, node: int, number: Callable[[int], TermLike]) -> Term:
        """The sum of a number over all nodes that hang together with one."""
        return total(*(ite(self.linked(node, n), number(n), 0) for n in range(len(self.nodes))))

    def spaces(self, node: int) -> Term:
        """How many spaces hang together with a node, each once."""
        if not self.split:
            return self.over(node, lambda n: 1)
        pairs = range(0, len(self.nodes), 2)
        return count(*(some(self.linked(node, n), self.linked(node, n + 1)) for n in pairs))


def rivers(sheet: Sheet) -> Term:
    """The best river: a point a space, and three more if both its ends lie at the rim."""
    t, water = sheet.t, Bodies(sheet, "V")
    found: list[TermLike] = [0]
    rim_ends = [_rim_ends(sheet, n) for n in range(t.size.cells)]
    ends = [count(*(loose(sheet, n, s, "V", rim=True) for s in Way)) for n in range(t.size.cells)]
    for node in range(t.size.cells):
        at_rim = water.over(node, lambda n: rim_ends[n])
        bonus = at_rim == 2
        if t.reading(r.river_ring) == "no-loose-end":
            bonus = some(bonus, water.over(node, lambda n: ends[n]) == 0)
        found.append(ite(water.there(node), water.spaces(node) + ite(bonus, 3, 0), 0))
    return most(*found)


def _rim_ends(sheet: Sheet, cell: int) -> Term:
    """How many river ends of a space lie at the rim."""
    size = sheet.t.size
    spoiled = sheet.t.reading(r.river_at_exit) != "rim"
    sides = [s for s in Way if size.neighbour(cell, s) is None and not (spoiled and size.exit_at(cell, s))]
    return count(*(sheet.has(cell, s, "V") for s in sides))


def smallest_lake(sheet: Sheet) -> Term:
    """The spaces of the smallest lake; none without a lake."""
    water, n = Bodies(sheet, "W"), sheet.t.size.cells
    sizes = [ite(water.there(c), water.spaces(c), n + 1) for c in range(n)]
    found = least(*sizes)
    return ite(found > n, 0, found)


def craters(sheet: Sheet) -> Term:
    """Two points for each route (or each end) at a crater."""
    t = sheet.t
    found: list[Term] = []
    for cell in cells(t):
        for letter in ROUTES:
            ends = [at_crater(sheet, cell, side, letter) for side in Way]
            if t.reading(r.meteor_score) == "end":
                found += ends
            else:
                joined = marked(sheet, cell, lambda tile: tile.face.joined)
                other = [at_crater(sheet, cell, side, "H") for side in Way]
                one = some(*ends)
                found.append(every(one, ~every(joined, some(*other))) if letter == "R" else one)
    return 2 * count(*found)


def lava(sheet: Sheet) -> Term:
    """Five points for each closed lake of lava, and a point for each space of the largest."""
    t = sheet.t
    fire = Bodies(sheet, "L", split=t.reading(r.lava_opposite) == "two")
    nodes = range(len(fire.nodes))
    rim = t.reading(r.lava_rim) == "open"

    open_sides = [
        count(*(loose(sheet, n // fire.parts, s, "L", rim=rim) for s in fire.sides(n))) for n in nodes
    ]
    closed = [
        every(
            fire.there(n),
            ~some(*(fire.linked(m, n) for m in range(n))),
            fire.over(n, lambda m: open_sides[m]) == 0,
        )
        for n in nodes
    ]
    largest = most(0, *(ite(fire.there(n), fire.spaces(n), 0) for n in nodes))
    return total(5 * count(*closed), largest)


def of_all(t: Table, seats: Sequence[int]) -> list[Score]:
    """The scores of all players."""
    return [score(t, who) for who in seats]
