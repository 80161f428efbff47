"""Random scripts about versions only: reads that are kept, slots that are overwritten, uses long after.

The fields are few and small, so that every read is soon stale; at the end of every block all names in scope
are used at once.
"""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

from tests.naive_play import Item, Shape
from tests.random_expressions import Expressions
from tests.random_programs import Random, RandomRule
from tests.random_scripts import Expr, Script, Stmt

_SPAN = Item(0, 3)
_FIELDS = (
    Shape("n", _SPAN, start=1),
    Shape("m", _SPAN),
    Shape("row", _SPAN, (3,)),
    Shape("many", _SPAN, (2, 2)),
    Shape("flag", Item(0, 1), kind="flag"),
    Shape("pile", _SPAN, most=2, start=[1]),
)
_PLACES = [s for s in _FIELDS if s.kind == "number" and not s.most]


class Versions:
    """Draws one script.

    Args:
        draw: Hypothesis' source of choices.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw, self.fresh = draw, itertools.count()

    def block(self, names: list[str], depth: int) -> Script:
        """Some statements and a use of all names that they leave in scope."""
        out = [self.statement(names, depth) for _ in range(2 + self.draw(st.integers(0, 5)))]
        used: Expr = ("int", 0)
        for name in names:
            used = ("add", ("mul", used, ("int", 2)), ("name", name))
        return (*out, self._assign(names, ("mod", 4, used)))

    def statement(self, names: list[str], depth: int) -> Stmt:
        """A read, a use of what was read, an assignment or a branch."""
        e = Expressions(self.draw, _FIELDS, dict.fromkeys(names, 0))
        choice = e.below(10)
        if choice <= 3:
            return self._bind(names, self._read(e, names))
        if choice <= 5 and names:
            return self._bind(
                names, (e.pick(["add", "max", "mul"]), self._some(e, names), self._some(e, names))
            )
        if choice == 6:
            return self._on_stack(e, names)
        if choice <= 8 and depth > 0:
            other = self.block(list(names), depth - 1) if e.below(2) else None
            return ("when", self._truth(e, names), self.block(list(names), depth - 1), other)
        return self._assign(names, ("mod", 4, self._some(e, names)))

    def _bind(self, names: list[str], made: Expr) -> Stmt:
        names.append(f"v{next(self.fresh)}")
        return ("let", names[-1], made)

    def _on_stack(self, e: Expressions, names: list[str]) -> Stmt:
        if e.below(2):
            return ("do", "", ("pile",), "push", ("mod", 4, self._some(e, names)))
        name = f"v{next(self.fresh)}"
        made = ("do", name, ("pile",), "pop")
        names.append(name)
        return made

    def _some(self, e: Expressions, names: list[str]) -> Expr:
        return ("name", e.pick(names)) if names and e.below(3) else self._read(e, names)

    def _index(self, e: Expressions, names: list[str], n: int) -> Expr:
        if e.below(3) == 0:
            return ("int", e.below(n))
        return ("mod", n, ("name", e.pick(names)) if names and e.below(2) else ("scalar", e.pick(["n", "m"])))

    def _read(self, e: Expressions, names: list[str]) -> Expr:
        if e.below(8) == 0:
            return ("stack", ("pile",), e.pick(["top", "depth"]))
        shape = e.pick(_PLACES)
        at = [self._index(e, names, n) for n in shape.sizes]
        return ("item", shape.name, *at) if at else ("scalar", shape.name)

    def _truth(self, e: Expressions, names: list[str]) -> Expr:
        return ("le", self._some(e, names), ("add", self._some(e, names), ("int", e.below(3) - 1)))

    def _assign(self, names: list[str], made: Expr) -> Stmt:
        e = Expressions(self.draw, _FIELDS, dict.fromkeys(names, 0))
        shape = e.pick(_PLACES)
        at: list[Any] = [self._index(e, names, n) for n in shape.sizes]
        return ("assign", shape.name, at, made)


@st.composite
def versions(draw: st.DrawFn) -> Random:
    """Random rulebooks of one rule each."""
    script = Versions(draw).block([], 2)
    zero: Expr = ("int", 0)
    rule = RandomRule("act", "player", (), zero, zero, script, False)
    return Random(_FIELDS, (rule,), ("bool", False), ("bool", False), zero, ())
