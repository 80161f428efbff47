"""The naive evaluator: plays a script on plain Python values, each expression worked out when it is written.

It knows nothing of terms, versions or lowering, and shares no code with the language beyond the walk of
`tests.random_scripts`. Numbers, truth values and members of enumerations are all ints.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.random_scripts import EDGES, NODES, Script, Stmt, run


@dataclass(frozen=True)
class Item:
    """What one place of a state can hold: `lo` to `hi`."""

    lo: int
    hi: int


@dataclass(frozen=True)
class Shape:
    """A field of a random state.

    Attributes:
        name: Its name.
        item: What each place holds.
        sizes: Lengths of the array dimensions, outermost first.
        most: Most items of a stack, or 0 for a plain value.
        start: Start of every place; for stacks the items that lie on each.
        kind: `number`, `flag`, `colour` or `bag`.
        by_colour: Whether the last dimension is indexed by colours.
        hidden: Whether the field is hidden.
    """

    name: str
    item: Item
    sizes: tuple[int, ...] = ()
    most: int = 0
    start: Any = 0
    kind: str = "number"
    by_colour: bool = False
    hidden: bool = False


class Stopped(Exception):
    """The play has stopped."""


@dataclass
class Position:
    """A state as nested lists; a stack is the list of what lies on it."""

    shapes: tuple[Shape, ...]
    fields: dict[str, Any]

    @classmethod
    def setup(cls, shapes: tuple[Shape, ...]) -> Position:
        def fill(shape: Shape, sizes: Sequence[int]) -> Any:
            if sizes:
                return [fill(shape, sizes[1:]) for _ in range(sizes[0])]
            return list(shape.start) if shape.most else shape.start

        made = {s.name: fill(s, s.sizes) for s in shapes}
        for s in shapes:
            if s.kind == "bag":
                made[s.name] = list(s.start)
        return cls(shapes, made)

    @classmethod
    def anywhere(cls, shapes: tuple[Shape, ...], chance: Random) -> Position:
        """Any position, reachable or not."""

        def place(shape: Shape, most: int) -> Any:
            if shape.most:
                n = chance.randint(0, shape.most)
                return [chance.randint(shape.item.lo, shape.item.hi) for _ in range(n)]
            return chance.randint(shape.item.lo, most)

        def fill(shape: Shape, sizes: Sequence[int]) -> Any:
            if sizes:
                return [fill(shape, sizes[1:]) for _ in range(sizes[0])]
            return place(shape, shape.item.hi)

        made = {s.name: fill(s, s.sizes) for s in shapes if s.kind != "bag"}
        made |= {s.name: [place(s, most) for most in s.start] for s in shapes if s.kind == "bag"}
        return cls(shapes, made)

    def flat(self) -> tuple[int, ...]:
        """The state as a row of slots, in the order that the language promises."""
        out: list[int] = []

        def lay(shape: Shape, found: Any, depth: int) -> None:
            if depth < len(shape.sizes):
                for part in found:
                    lay(shape, part, depth + 1)
            elif shape.most:
                out.append(len(found))
                out.extend([*found, *[shape.item.lo] * (shape.most - len(found))])
            else:
                out.append(int(found))

        for s in self.shapes:
            lay(s, self.fields[s.name], 0)
        return tuple(out)


@dataclass
class Playing:
    """A world that plays.

    Args:
        position: The state, changed in place.
        checking: Only the guard is asked for: an index outside is noted and nothing is changed.
    """

    position: Position
    derived: dict[str, str] = field(default_factory=dict)
    checking: bool = False
    hits: list[str] = field(default_factory=list)
    guard: bool = True
    outside: bool = False

    def _shape(self, name: str) -> Shape:
        return next(s for s in self.position.shapes if s.name == name)

    def _capacity(self, holds: bool, name: str) -> None:
        if holds:
            return
        if self.checking:
            self.outside = True
            return
        self.hits.append(f"capacity:{name}")
        raise Stopped

    # -- state -------------------------------------------------------------------------------------
    def _inside(self, name: str, i: int, n: int) -> int:
        self._capacity(0 <= i < n, f"{name}[]")
        return min(max(i, 0), n - 1)

    def scalar(self, name: str) -> int:
        return int(self.position.fields[name])

    def item(self, name: str, *at: int) -> Any:
        found = self.position.fields[name]
        for i in at:
            found = found[self._inside(name, i, len(found))]
        return found

    def assign(self, name: str, at: Sequence[int], value: int) -> None:
        shape, found = self._shape(name), self.position.fields
        path: list[Any] = [name]
        for i in at:
            found = found[path[-1]]
            path.append(self._inside(name, i, len(found)))
        most = shape.start[path[-1]] if shape.kind == "bag" else shape.item.hi
        self._capacity(shape.item.lo <= value <= most, name)
        found[path[-1]] = int(value)

    def stack(self, ref: Sequence[Any], what: str, *args: int) -> Any:
        shape, pile = self._shape(ref[0]), self.item(ref[0], *ref[1:])
        low, full = shape.item.lo, shape.most
        if what == "depth":
            return len(pile)
        if what == "top":
            return pile[-1] if pile else low
        if what == "at":
            return pile[args[0]] if 0 <= args[0] < len(pile) else low
        if what == "has":
            return int(0 <= args[0] < len(pile))
        if what == "how_many":
            return sum(x == args[0] for x in pile)
        return self._change(shape, pile, what, low, full, args)

    def _change(
        self, shape: Shape, pile: list[int], what: str, low: int, full: int, args: Sequence[int]
    ) -> Any:
        def fits(value: int) -> None:
            self._capacity(shape.item.lo <= value <= shape.item.hi, shape.name)

        if what == "clear":
            pile.clear()
        elif what == "push":
            self._capacity(len(pile) < full, f"{shape.name}.depth")
            fits(args[0])
            pile.append(args[0])
        elif what == "pop":
            self._capacity(len(pile) > 0, f"{shape.name}.remove")
            return pile.pop()
        elif what == "remove":
            self._capacity(0 <= args[0] < len(pile), f"{shape.name}.remove")
            return pile.pop(args[0])
        elif what == "insert":
            self._capacity(0 <= args[0] <= len(pile), f"{shape.name}.insert")
            self._capacity(len(pile) < full, f"{shape.name}.depth")
            fits(args[1])
            pile.insert(args[0], args[1])
        else:
            self._capacity(0 <= args[0] < len(pile), f"{shape.name}[]")
            fits(args[1])
            pile[args[0]] = args[1]
        return None

    # -- control -----------------------------------------------------------------------------------
    def branch(self, holds: int, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if holds:
            then()
        elif otherwise is not None:
            otherwise()

    def require(self, holds: int) -> None:
        if self.checking:
            self.guard = self.guard and (bool(holds) or self.outside)
            self.outside = False

    def colour(self, number: int) -> int:
        return number

    def pure(self, op: str, *args: Any) -> int:
        return int(_OPERATIONS[op](*args))

    # -- constructs --------------------------------------------------------------------------------
    def _probe(self, holds: object, site: str) -> None:
        if holds:
            self.hits.append(site)

    def table(self, stmt: Stmt, rows: list[tuple[Any, Any]], effects: Sequence[Callable[[], None]]) -> Any:
        _, _, name, policy, _, _, overrides, on_gap, on_clash = stmt
        count = len(rows)
        beats = {(i, j) for i in range(count) for j in overrides[i]}
        while more := {(i, k) for i, j in beats for j2, k in beats if j == j2} - beats:
            beats |= more
        applies = [i for i in range(count) if rows[i][0]]
        live = [i for i in applies if not any((j, i) in beats for j in applies)]
        if policy in ("first", "collect"):
            doubtful: list[tuple[int, int]] = []
        else:
            pairs = itertools.combinations(range(count), 2)
            doubtful = [(i, j) for i, j in pairs if (i, j) not in beats and (j, i) not in beats]
        self._probe(not applies, f"gap:{name}")
        for i, j in doubtful:
            if i in live and j in live:
                if rows[i][1] != rows[j][1]:
                    self.hits.append(f"clash:{name}:r{i}+r{j}")
                elif policy == "unique":
                    self.hits.append(f"overlap:{name}:r{i}+r{j}")
        order = sorted(live, key=lambda i: (i != on_clash, i))
        winners = applies if policy == "collect" else self._champion(name, order, doubtful)
        for i in sorted(winners):
            self.hits.append(f"row:{name}:r{i}")
        if applies and not winners:
            self.hits.append(f"stop:{name}")
            raise Stopped
        if not applies and on_gap == "stop":
            self.hits.append(f"stop:{name}.gap")
            raise Stopped
        if effects:
            for i in winners:
                effects[rows[i][1]]()
            return None
        if winners:
            return rows[winners[0]][1]
        return on_gap if not isinstance(on_gap, str) else None

    def _champion(self, name: str, order: list[int], doubtful: list[tuple[int, int]]) -> list[int]:
        """The row that prevails: the first, unless a derived reading puts a later one in its place."""
        best: int | None = order[0] if order else None
        for i in order[1:]:
            if best is None:
                break
            pair = (min(i, best), max(i, best))
            option = self.derived.get(f"{name}:r{pair[0]}+r{pair[1]}") if pair in doubtful else None
            if option == "stop":
                best = None
            elif option == f"r{i}":
                best = i
        return [] if best is None else [best]

    def ranking(self, name: str, keys: list[list[int]], among: list[int] | None, shared: bool) -> list[int]:
        part = [i for i in range(len(keys[0])) if among is None or among[i]]
        scores = {i: tuple(key[i] for key in keys) for i in part}
        best = [i for i in part if scores[i] == max(scores.values())]
        if not shared:
            self._probe(len(best) > 1, f"tie:{name}")
        if among is not None:
            self._probe(not part, f"gap:{name}")
        return [best[0] if best else 0, int(len(best) > 1), int(0 in best)]

    def asking(self, kind: str, name: str, a: int, b: int) -> int:
        if kind == "take":
            self._probe(a < b, f"shortage:{name}")
            return min(a, b)
        self._probe(a > 1, f"stacking:{name}")
        return a

    def cover(self, name: str) -> None:
        self.hits.append(f"cover:{name}")

    def stop(self, name: str) -> None:
        self.hits.append(f"stop:{name}")
        raise Stopped


def enabled(script: Script, position: Position, names: dict[str, Any]) -> bool:
    """Whether the `require`s of a script, which stand first, let it begin."""
    first = tuple(itertools.takewhile(lambda s: s[0] == "require", script))
    world = Playing(position, checking=True)
    run(first, world, dict(names))
    return world.guard


def play(
    script: Script, position: Position, names: dict[str, Any], derived: dict[str, str]
) -> tuple[Position | None, list[str]]:
    """The successor of a position, None where the play stops, and the sites that were met, in order."""
    world = Playing(copy.deepcopy(position), derived)
    try:
        run(script, world, dict(names))
    except Stopped:
        return None, world.hits
    return world.position, world.hits


def _longest(kind: str, opened: Sequence[int]) -> int:
    """The longest path or trail by trying every order of the open edges' steps."""
    steps = [(a, b, n) for n, (a, b) in enumerate(EDGES) if opened[n]]
    steps += [(b, a, n) for a, b, n in steps]

    def grow(node: int, nodes: frozenset[int], edges: frozenset[int]) -> int:
        lengths = [0]
        for a, b, n in steps:
            free = b not in nodes if kind == "path" else n not in edges
            if a == node and free:
                lengths.append(1 + grow(b, nodes | {b}, edges | {n}))
        return max(lengths)

    return max(grow(n, frozenset({n}), frozenset()) for n in range(NODES))


def _reach(opened: Sequence[int], sources: Sequence[int], to: int) -> bool:
    found = {n for n in range(NODES) if sources[n]}
    for _ in range(NODES):
        found |= {b for n, e in enumerate(EDGES) if opened[n] for a, b in (e, e[::-1]) if a in found}
    return to in found


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, n: a // n,
    "mod": lambda a, n: a % n,
    "min": lambda *a: min(a),
    "max": lambda *a: max(a),
    "ite": lambda c, a, b: a if c else b,
    "count": lambda *a: sum(map(bool, a)),
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "not": lambda a: not a,
    "lookup": lambda at, table: table[at],
    "number": lambda colour: (2, -1, 5)[colour],
    "path": lambda *a: _longest("path", a[:-1]),
    "trail": lambda *a: _longest("trail", a[:-1]),
    "reach": lambda *a: _reach(a[: len(EDGES)], a[len(EDGES) : -1], a[-1]),
}
