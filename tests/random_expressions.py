"""Random expressions over the fields of a random state, well typed and never always out of range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

from tests.naive_play import Shape
from tests.random_scripts import COLOURS, EDGES, NODES, Expr

T = TypeVar("T")


class Expressions:
    """Draws expressions.

    Args:
        draw: Hypothesis' source of choices.
        shapes: The fields.
        names: Names in scope → number of values of an integer parameter, -1 for a colour, 0 for any
            integer, -2 for a truth value.
        wild: Whether an index may leave its range.
    """

    def __init__(
        self, draw: st.DrawFn, shapes: Sequence[Shape], names: dict[str, int], *, wild: bool = False
    ) -> None:
        self.draw, self.shapes, self.names, self.wild = draw, shapes, names, wild

    def below(self, n: int) -> int:
        """A number 0..n-1."""
        return self.draw(st.integers(0, n - 1))

    def pick(self, items: Sequence[T]) -> T:
        """One of some things; the first is the simplest."""
        return items[self.below(len(items))]

    def of_kind(self, *kinds: str, stack: bool = False) -> list[Shape]:
        """The fields whose places hold a kind of value."""
        return [s for s in self.shapes if s.kind in kinds and bool(s.most) == stack]

    def named(self, *codes: int) -> list[Expr]:
        """The names in scope of some kinds."""
        return [("name", k) for k, v in self.names.items() if v in codes or (0 in codes and v > 0)]

    # -- places ------------------------------------------------------------------------------------
    def index(self, n: int, depth: int) -> Expr:
        """An index of 0..n-1, which may leave that range where the expressions are wild."""
        raw = [s for s in self.of_kind("number") if not s.sizes and s.item.lo < n and s.item.hi >= 0]
        choice = self.below(4)
        if choice == 0 or depth <= 0:
            return ("int", self.below(n))
        if choice == 1 and self.wild and raw:
            return ("scalar", self.pick(raw).name)
        fitting = [("name", k) for k, v in self.names.items() if 0 < v <= n]
        if choice == 2 and fitting:
            return self.pick(fitting)
        return ("mod", n, self.number(depth - 1))

    def at(self, shape: Shape, depth: int) -> list[Expr]:
        """Indices that choose a place of a field."""
        last = len(shape.sizes) - 1
        return [
            self.colour(depth - 1) if shape.by_colour and i == last else self.index(n, depth)
            for i, n in enumerate(shape.sizes)
        ]

    def place(self, shape: Shape, depth: int) -> Expr:
        """A read of a field."""
        return ("item", shape.name, *self.at(shape, depth)) if shape.sizes else ("scalar", shape.name)

    def pile(self, shape: Shape, depth: int) -> Expr:
        """A reference to a stack."""
        return (shape.name, *self.at(shape, depth))

    # -- expressions -------------------------------------------------------------------------------
    def number(self, depth: int) -> Expr:
        """An integer."""
        places, piles = self.of_kind("number", "bag"), [s for s in self.shapes if s.most]
        names = self.named(0)
        choice = self.below(4 if depth <= 0 else 14)
        if choice == 0:
            return ("int", self.below(7) - 2)
        if choice == 1 and names:
            return self.pick(names)
        if choice <= 3:
            return self.place(self.pick(places), depth) if places else ("int", 1)
        a = self.number(depth - 1)
        if choice in (4, 5, 6):
            return (self.pick(["add", "sub", "add", "min", "max"]), a, self.number(depth - 1))
        if choice == 7:
            return ("mul", a, a) if self.below(2) else ("mul", a, self.number(depth - 1))
        if choice == 8:
            return (self.pick(["div", "mod"]), 1 + self.below(4), a)
        if choice == 9:
            return ("ite", self.truth(depth - 1), a, self.number(depth - 1))
        if choice == 10:
            return ("count", *(self.truth(depth - 1) for _ in range(1 + self.below(3))))
        if choice == 11:
            return (
                ("lookup", (3, 0, -1), ("mod", 3, a)) if self.below(2) else ("number", self.colour(depth - 1))
            )
        if choice == 12 and piles:
            shape = self.pick(piles)
            return self._of_stack(
                shape, depth, ["depth", "how_many", *(["top", "at"] * (shape.kind == "number"))]
            )
        if choice == 13:
            return (self.pick(["path", "trail"]), None, *(self.truth(0) for _ in EDGES))
        return a

    def _of_stack(self, shape: Shape, depth: int, what: list[str]) -> Expr:
        chosen, ref = self.pick(what), self.pile(shape, depth - 1)
        if chosen in ("at", "has"):
            return ("stack", ref, chosen, self.number(0))
        if chosen == "how_many":
            return ("stack", ref, chosen, self.colour(0) if shape.kind == "colour" else self.number(0))
        return ("stack", ref, chosen)

    def colour(self, depth: int) -> Expr:
        """A member of the enumeration."""
        places, piles, names = self.of_kind("colour"), self.of_kind("colour", stack=True), self.named(-1)
        choice = self.below(3 if depth <= 0 else 6)
        if choice == 1 and places:
            return self.place(self.pick(places), depth)
        if choice == 2 and names:
            return self.pick(names)
        if choice == 3:
            return ("ite", self.truth(depth - 1), self.colour(depth - 1), self.colour(depth - 1))
        if choice == 4 and piles:
            return self._of_stack(self.pick(piles), depth, ["top", "at"])
        return ("colour", self.below(len(COLOURS)))

    def truth(self, depth: int) -> Expr:
        """A truth value."""
        places, piles, names = self.of_kind("flag"), [s for s in self.shapes if s.most], self.named(-2)
        choice = self.below(6 if depth <= 0 else 14)
        if choice == 0:
            return ("bool", bool(self.below(2)))
        if choice in (1, 2) and places:
            return self.place(self.pick(places), depth)
        if choice == 3 and names:
            return self.pick(names)
        if choice in (6, 7):
            return (self.pick(["and", "or"]), *(self.truth(depth - 1) for _ in range(2 + self.below(2))))
        if choice == 8:
            return ("not", self.truth(depth - 1))
        if choice == 9:
            return (self.pick(["eq", "ne"]), self.colour(depth - 1), self.colour(depth - 1))
        if choice == 10 and piles:
            return self._of_stack(self.pick(piles), depth, ["has"])
        if choice == 11:
            parts = (self.truth(0) for _ in range(len(EDGES) + NODES))
            return ("reach", self.below(NODES), *parts)
        place = self.place(self.pick(self.of_kind("number")), depth)
        return (self.pick(["le", "lt", "eq", "ne"]), place, self.number(depth - 1))

    def fitting(self, lo: int, hi: int, depth: int) -> Expr:
        """An integer of lo..hi."""
        return ("add", ("int", lo), ("mod", hi - lo + 1, self.number(depth)))
