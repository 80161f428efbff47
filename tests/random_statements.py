"""Random fields and random scripts over them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.naive_play import Item, Shape
from tests.random_expressions import Expressions
from tests.random_scripts import COLOURS, Expr, Script, Stmt


def shapes(draw: st.DrawFn) -> tuple[Shape, ...]:
    """Random fields: at least a number, and some of every other kind."""

    def below(n: int) -> int:
        return draw(st.integers(0, n - 1))

    def span() -> Item:
        lo = below(5) - 3
        return Item(lo, lo + 1 + below(3))

    first = span()
    made = [Shape("n", first, start=first.lo + below(2), hidden=below(4) == 0)]
    kinds: list[Callable[[Item], Shape]] = [
        lambda s: Shape("flag", Item(0, 1), start=below(2), kind="flag"),
        lambda s: Shape("flags", Item(0, 1), (2,), kind="flag"),
        lambda s: Shape("row", s, (2 + below(2),), start=s.lo),
        lambda s: Shape("colour", Item(0, 2), start=below(3), kind="colour", hidden=below(4) == 0),
        lambda s: Shape("pile", s, most=1 + below(3), start=[s.hi] * below(2)),
        lambda s: Shape("many", s, (2, 2), start=s.lo),
        lambda s: Shape(
            "bag", Item(0, 2), (3,), start=tuple(1 + below(2) for _ in COLOURS), kind="bag", by_colour=True
        ),
        lambda s: Shape("m", s, start=s.hi),
        lambda s: Shape("by", s, (3,), start=s.lo, by_colour=True),
        lambda s: Shape("piles", Item(0, 2), (2,), most=2, kind="colour", start=[]),
    ]
    for kind in kinds:
        if below(3) == 0:
            made.append(kind(span()))
    return tuple(made)


class Statements:
    """Draws the script of one rule.

    Args:
        draw: Hypothesis' source of choices.
        shapes: The fields.
        params: Parameters of the rule; see `Expressions`.
        prefix: Beginning of the names of its constructs.

    Attributes:
        doubtful: Derived readings that its tables give rise to, with their options.
    """

    def __init__(
        self, draw: st.DrawFn, shapes: tuple[Shape, ...], params: dict[str, int], prefix: str
    ) -> None:
        self.draw, self.shapes, self.params, self.prefix = draw, shapes, params, prefix
        self.number = itertools.count()
        self.doubtful: list[tuple[str, list[str]]] = []

    def script(self) -> Script:
        """Guards, then statements."""
        guards = [
            ("require", Expressions(self.draw, self.shapes, self.params).truth(2))
            for _ in range(self.draw(st.integers(0, 3)) // 2)
        ]
        if self.draw(st.integers(0, 4)) == 0:
            guards += self._wild_guard()
        return (*guards, *self.block(3, dict(self.params), 4))

    def _wild_guard(self) -> list[Stmt]:
        """A guard that looks at an item by an index which may leave the range."""
        e = Expressions(self.draw, self.shapes, self.params)
        rows = [s for s in self.shapes if s.name == "row"]
        raw = [s for s in e.of_kind("number") if not s.sizes and s.item.lo < 2 and s.item.hi >= 2]
        if not rows or not raw:
            return []
        limit = rows[0].item.lo + e.below(rows[0].item.hi - rows[0].item.lo)
        return [("require", ("le", ("item", "row", ("scalar", raw[0].name)), ("int", limit)))]

    def _name(self) -> str:
        return f"{self.prefix}.{next(self.number)}"

    def block(self, depth: int, names: dict[str, int], most: int) -> Script:
        """Some statements; `names` grows by what they bind."""
        out: list[Stmt] = []
        for _ in range(1 + self.draw(st.integers(0, most - 1))):
            out.append(self.statement(depth, names))
        return tuple(out)

    def statement(self, depth: int, names: dict[str, int]) -> Stmt:
        """One statement."""
        e = Expressions(self.draw, self.shapes, names, wild=True)
        choice = e.below(20)
        if choice <= 4:
            return self._assign(e)
        if choice <= 8:
            return self._let(e, names)
        if choice <= 12 and depth > 0:
            other = self.block(depth - 1, dict(names), 2) if e.below(2) else None
            return ("when", e.truth(2), self.block(depth - 1, dict(names), 3), other)
        piles = [s for s in self.shapes if s.most]
        if choice in (13, 14) and piles:
            return self._change(e, e.pick(piles), names)
        if choice in (15, 16) and depth > 0:
            return self._table(e, depth, names)
        if choice == 17:
            return self._rank(e, names)
        if choice == 18:
            a, b = e.number(2), e.number(1)
            return (e.pick(["take", "repeat"]), self._bind(names, 0), self._name(), a, b)
        if choice == 19:
            return ("cover", self._name()) if e.below(4) else ("stop", self._name())
        return self._assign(e)

    def _bind(self, names: dict[str, int], code: int) -> str:
        bound = self.prefix + f"v{next(self.number)}"
        names[bound] = code
        return bound

    def _let(self, e: Expressions, names: dict[str, int]) -> Stmt:
        kind = e.below(3)
        made = (e.number(3), e.truth(3), e.colour(3))[kind] if kind < 3 else e.number(1)
        return ("let", self._bind(names, (0, -2, -1)[kind]), made)

    def _assign(self, e: Expressions) -> Stmt:
        shape = e.pick([s for s in self.shapes if not s.most])
        at = e.at(shape, 2)
        if shape.kind == "flag":
            return ("assign", shape.name, at, e.truth(2))
        if shape.kind == "colour":
            return ("assign", shape.name, at, e.colour(2))
        if shape.kind == "bag" or e.below(4) == 0:
            step: Expr = ("sub", ("mod", 3, e.number(1)), ("int", 1))
            return (
                "assign",
                shape.name,
                at,
                ("add", e.place(shape, 2) if shape.kind != "bag" else ("item", shape.name, *at), step),
            )
        return ("assign", shape.name, at, e.fitting(shape.item.lo, shape.item.hi, 2))

    def _change(self, e: Expressions, shape: Shape, names: dict[str, int]) -> Stmt:
        made = e.colour(1) if shape.kind == "colour" else e.fitting(shape.item.lo, shape.item.hi, 1)
        height: Expr = ("mod", shape.most, e.number(1))
        what: str = e.pick(["push", "pop", "push", "remove", "insert", "put", "clear"])
        args: dict[str, list[Any]] = {
            "push": [made],
            "pop": [],
            "remove": [height],
            "insert": [height, made],
            "put": [height, made],
            "clear": [],
        }
        code, pile = -1 if shape.kind == "colour" else 0, e.pile(shape, 1)
        bound = self._bind(names, code) if what in ("pop", "remove") else ""
        return ("do", bound, pile, what, *args[what])

    def _table(self, e: Expressions, depth: int, names: dict[str, int]) -> Stmt:
        name, n = self._name(), 1 + e.below(3)
        policy: str = e.pick(["unique", "first", "priority", "any", "collect"])
        effects = [self.block(depth - 1, dict(names), 2) for _ in range(2)]
        valued = policy != "collect" and e.below(2) == 0
        rows = [(e.truth(2), e.number(1) if valued else e.below(2)) for _ in range(n)]
        below = [[j for j in range(i + 1, n) if e.below(2)] if policy == "priority" else [] for i in range(n)]
        if e.below(2):  # also rows that override earlier ones
            below = [sorted(n - 1 - j for j in below[n - 1 - i]) for i in range(n)]
        on_gap: Any = e.pick(["stop", e.below(3)]) if valued else e.pick(["nothing", "stop"])
        on_clash = e.below(n) if e.below(2) else None
        beaten = {(i, j) for i in range(n) for j in below[i]}
        beaten |= {(i, k) for i, j in beaten for h, k in beaten if j == h}
        if policy not in ("first", "collect"):
            for i, j in itertools.combinations(range(n), 2):
                if (i, j) not in beaten and (j, i) not in beaten:
                    self.doubtful.append((f"{name}:r{i}+r{j}", [f"r{j}", f"r{i}", "stop"]))
        bound = self._bind(names, 0) if valued else ""
        return ("table", bound, name, policy, rows, [] if valued else effects, below, on_gap, on_clash)

    def _rank(self, e: Expressions, names: dict[str, int]) -> Stmt:
        n = 2 + e.below(2)
        keys = [[e.number(1) for _ in range(n)] for _ in range(1 + e.below(2))]
        among = [e.truth(1) for _ in range(n)] if e.below(2) else None
        shared = bool(e.below(2))
        return ("rank", [self._bind(names, code) for code in (0, -2, -2)], self._name(), keys, among, shared)
