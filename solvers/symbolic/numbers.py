"""Numbers: how the numbers of the IR become Z3 expressions, as mathematical integers or as bit-vectors.

Promises: both ways denote the same values for every term of the IR; a bit-vector is as wide as the
interval of its term needs, so that no operation can overflow.

A bit-vector whose interval starts at 0 or above is unsigned; any other is in two's complement. The trial
that chose between the two is a decision record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import z3

#: Z3 publishes no types: an expression of any sort, and one of sort Bool.
Expr: TypeAlias = Any
Truth: TypeAlias = Any


@dataclass(frozen=True)
class Num:
    """A number: the expression and the interval that says how it is represented."""

    expr: Expr
    lo: int
    hi: int


class Numbers(Protocol):
    """The operations that the walker needs."""

    name: str
    logic: str

    def variable(self, name: str, lo: int, hi: int) -> Expr:
        """A free constant for values lo..hi."""

    def typed(self, n: Num) -> Truth | None:
        """What keeps a free constant inside its interval; None if its sort already does."""

    def constant(self, value: int, lo: int, hi: int) -> Expr:
        """A literal in the representation of an interval."""

    def fit(self, n: Num, lo: int, hi: int) -> Expr:
        """The same number in the representation of another interval (it fits wherever the value is used)."""

    def equal(self, a: Num, b: Num) -> Truth:
        """Whether a = b."""

    def less(self, a: Num, b: Num, strict: bool) -> Truth:
        """Whether a < b (strict) or a ≤ b."""

    def add(self, parts: Sequence[Num], lo: int, hi: int) -> Expr:
        """The sum."""

    def subtract(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The difference."""

    def multiply(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The product."""

    def divide(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The quotient, rounded down; `by` is above 0."""

    def remainder(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The remainder 0..by-1; `by` is above 0."""

    def value(self, expr: Expr, lo: int, hi: int) -> int:
        """The number that a literal of a model stands for."""


class Integers:
    """Mathematical integers (linear arithmetic)."""

    name = "integers"
    logic = ""

    def variable(self, name: str, lo: int, hi: int) -> Expr:
        """A free constant for values lo..hi."""
        return z3.Int(name)

    def typed(self, n: Num) -> Truth | None:
        """What keeps a free constant inside its interval; None if its sort already does."""
        return z3.And(n.expr >= n.lo, n.expr <= n.hi)

    def constant(self, value: int, lo: int, hi: int) -> Expr:
        """A literal in the representation of an interval."""
        return z3.IntVal(value)

    def fit(self, n: Num, lo: int, hi: int) -> Expr:
        """The same number in the representation of another interval (it fits wherever the value is used)."""
        return n.expr

    def equal(self, a: Num, b: Num) -> Truth:
        """Whether a = b."""
        return a.expr == b.expr

    def less(self, a: Num, b: Num, strict: bool) -> Truth:
        """Whether a < b (strict) or a ≤ b."""
        return a.expr < b.expr if strict else a.expr <= b.expr

    def add(self, parts: Sequence[Num], lo: int, hi: int) -> Expr:
        """The sum."""
        return z3.Sum([p.expr for p in parts])

    def subtract(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The difference."""
        return a.expr - b.expr

    def multiply(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The product."""
        return a.expr * b.expr

    def divide(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The quotient, rounded down; `by` is above 0."""
        return a.expr / by

    def remainder(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The remainder 0..by-1; `by` is above 0."""
        return a.expr % by

    def value(self, expr: Expr, lo: int, hi: int) -> int:
        """The number that a literal of a model stands for."""
        return int(expr.as_long())


def width(lo: int, hi: int) -> int:
    """Bits for an interval: unsigned from 0 on, else two's complement; at least one."""
    if lo >= 0:
        return max(hi.bit_length(), 1)
    return max((-lo - 1).bit_length(), max(hi, 0).bit_length()) + 1


class BitVectors:
    """Bit-vectors of the width that each interval needs."""

    name = "bit-vectors"
    logic = "QF_BV"

    def variable(self, name: str, lo: int, hi: int) -> Expr:
        """A free constant for values lo..hi."""
        return z3.BitVec(name, width(lo, hi))

    def typed(self, n: Num) -> Truth | None:
        """What keeps a free constant inside its interval; None if its sort already does."""
        bits = width(n.lo, n.hi)
        least, most = (0, (1 << bits) - 1) if n.lo >= 0 else (-(1 << bits - 1), (1 << bits - 1) - 1)
        parts = [self.less(self._literal(n.lo), n, False)] if n.lo > least else []
        parts += [self.less(n, self._literal(n.hi), False)] if n.hi < most else []
        return z3.And(*parts) if parts else None

    def _literal(self, value: int) -> Num:
        return Num(self.constant(value, value, value), value, value)

    def constant(self, value: int, lo: int, hi: int) -> Expr:
        """A literal in the representation of an interval."""
        return z3.BitVecVal(value, width(lo, hi))

    def fit(self, n: Num, lo: int, hi: int) -> Expr:
        """The same number in the representation of another interval (it fits wherever the value is used)."""
        now, then = width(n.lo, n.hi), width(lo, hi)
        if now == then:
            return n.expr
        if now > then:
            return z3.Extract(then - 1, 0, n.expr)
        return z3.ZeroExt(then - now, n.expr) if n.lo >= 0 else z3.SignExt(then - now, n.expr)

    def _both(self, a: Num, b: Num) -> tuple[Expr, Expr, bool]:
        lo, hi = min(a.lo, b.lo), max(a.hi, b.hi)
        return self.fit(a, lo, hi), self.fit(b, lo, hi), lo >= 0

    def equal(self, a: Num, b: Num) -> Truth:
        """Whether a = b."""
        x, y, _ = self._both(a, b)
        return x == y

    def less(self, a: Num, b: Num, strict: bool) -> Truth:
        """Whether a < b (strict) or a ≤ b."""
        x, y, unsigned = self._both(a, b)
        if unsigned:
            return z3.ULT(x, y) if strict else z3.ULE(x, y)
        return x < y if strict else x <= y

    def add(self, parts: Sequence[Num], lo: int, hi: int) -> Expr:
        """A balanced tree, each partial sum as wide as it needs."""
        todo = list(parts)
        while len(todo) > 1:
            pairs = [self._plus(a, b) for a, b in zip(todo[::2], todo[1::2], strict=False)]
            todo = pairs + todo[len(pairs) * 2 :]
        return self.fit(todo[0], lo, hi)

    def _plus(self, a: Num, b: Num) -> Num:
        lo, hi = a.lo + b.lo, a.hi + b.hi
        return Num(self._wide(a, lo, hi) + self._wide(b, lo, hi), lo, hi)

    def _wide(self, n: Num, lo: int, hi: int) -> Expr:
        """An operand in a result's width; arithmetic modulo that width is exact because the result fits."""
        return self.fit(n, lo, hi)

    def subtract(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The difference."""
        return self._wide(a, lo, hi) - self._wide(b, lo, hi)

    def multiply(self, a: Num, b: Num, lo: int, hi: int) -> Expr:
        """The product."""
        return self._wide(a, lo, hi) * self._wide(b, lo, hi)

    def divide(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The quotient, rounded down; `by` is above 0."""
        return self.fit(Num(self._quotient(a, by), a.lo // by, a.hi // by), lo, hi)

    def remainder(self, a: Num, by: int, lo: int, hi: int) -> Expr:
        """The remainder 0..by-1; `by` is above 0."""
        if a.lo >= 0:
            top = max(a.hi, by)
            left = z3.URem(self.fit(a, 0, top), self.constant(by, 0, top))
            return self.fit(Num(left, 0, top), lo, hi)
        quotient = Num(self._quotient(a, by), a.lo // by, a.hi // by)
        back = (min(a.lo, quotient.lo * by), max(a.hi, quotient.hi * by))
        product = self.multiply(quotient, self._literal(by), *back)
        return self.fit(Num(self.fit(a, *back) - product, *back), lo, hi)

    def _quotient(self, a: Num, by: int) -> Expr:
        """Floor division, represented as a.lo // by .. a.hi // by; negatives are shifted up first."""
        low, high = a.lo // by, a.hi // by
        if a.lo >= 0:
            top = max(a.hi, by)
            return self.fit(Num(z3.UDiv(self.fit(a, 0, top), self.constant(by, 0, top)), 0, top), low, high)
        shift = -low * by
        span = (min(a.lo, 0), max(a.hi + shift, by, shift))
        raised = self.fit(a, *span) + self.constant(shift, *span)
        unsigned = z3.UDiv(raised, self.constant(by, *span))
        return self.fit(Num(unsigned - self.constant(-low, *span), *span), low, high)

    def value(self, expr: Expr, lo: int, hi: int) -> int:
        """The number that a literal of a model stands for."""
        raw = int(expr.as_long())
        return raw - (1 << expr.size()) if lo < 0 and raw >> expr.size() - 1 else raw
