"""Encode: the one walker from IR terms to Z3 expressions.

Promises: every term keeps its meaning on every state (the conformance tests hold each instance against the
interpreter); a shared term becomes one expression; a term that Z3 cannot be given exactly is an error or,
where the caller allows it, a free constant that is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import z3

from models.language.errors import ModelError
from models.language.terms import BOOL, Term, walk
from solvers.symbolic import paths
from solvers.symbolic.numbers import Expr, Num, Numbers, Truth

#: A `Num`, or a Z3 expression of sort Bool.
Value: TypeAlias = Any
Read: TypeAlias = Callable[[int], Value]
Operation: TypeAlias = Callable[[Term, Sequence[Value]], Value]


def number(value: Value) -> Num:
    """A value that is known to be a number."""
    assert isinstance(value, Num)
    return value


def truth(value: Value) -> Truth:
    """A value that is known to be a truth value."""
    assert not isinstance(value, Num)
    return value


TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


def conj(*parts: Truth) -> Truth:
    """Conjunction, with constants folded."""
    kept = [p for p in parts if not z3.is_true(p)]
    if any(z3.is_false(p) for p in kept):
        return FALSE
    return z3.And(*kept) if len(kept) > 1 else kept[0] if kept else TRUE


def disj(*parts: Truth) -> Truth:
    """Disjunction, with constants folded."""
    kept = [p for p in parts if not z3.is_false(p)]
    if any(z3.is_true(p) for p in kept):
        return TRUE
    return z3.Or(*kept) if len(kept) > 1 else kept[0] if kept else FALSE


def neg(part: Truth) -> Truth:
    """Negation, with constants and double negations folded."""
    if z3.is_true(part) or z3.is_false(part):
        return FALSE if z3.is_true(part) else TRUE
    return part.arg(0) if z3.is_not(part) else z3.Not(part)


def pick(condition: Truth, a: Expr, b: Expr) -> Expr:
    """The first where the condition holds, else the second; decided or idle choices are folded."""
    if z3.is_true(condition) or a.eq(b):
        return a
    return b if z3.is_false(condition) else z3.If(condition, a, b)


class Walker:
    """Translates terms over one moment of one state.

    Args:
        numbers: Integers or bit-vectors.
        read: Slot number → its value now.
        free: Unknown quantities by name, filled on demand (for facts).
    """

    def __init__(self, numbers: Numbers, read: Read, free: dict[str, Num] | None = None) -> None:
        self.numbers, self.read, self.free = numbers, read, free
        self.kept: dict[Term, Value] = {}
        self.memo: dict[Term, Value] = {}
        less, num, n = numbers.less, self._num, number
        self._operations: Mapping[str, Operation] = {
            "const": self._const,
            "read": self._read,
            "select": self._select,
            "unknown": self._unknown,
            "lookup": self._lookup,
            "reach": self._reach,
            "path": self._longest,
            "trail": self._longest,
            "not": lambda t, a: neg(truth(a[0])),
            "and": lambda t, a: conj(*(truth(x) for x in a)),
            "or": lambda t, a: disj(*(truth(x) for x in a)),
            "eq": self._equal,
            "lt": lambda t, a: less(n(a[0]), n(a[1]), True),
            "le": lambda t, a: less(n(a[0]), n(a[1]), False),
            "add": lambda t, a: num(t, numbers.add([n(x) for x in a], t.lo, t.hi)),
            "sub": lambda t, a: num(t, numbers.subtract(n(a[0]), n(a[1]), t.lo, t.hi)),
            "mul": lambda t, a: num(t, numbers.multiply(n(a[0]), n(a[1]), t.lo, t.hi)),
            "div": lambda t, a: num(t, numbers.divide(n(a[0]), t.args[1].lo, t.lo, t.hi)),
            "mod": lambda t, a: num(t, numbers.remainder(n(a[0]), t.args[1].lo, t.lo, t.hi)),
            "min": lambda t, a: self._pick(t, less(n(a[0]), n(a[1]), True), a[0], a[1]),
            "max": lambda t, a: self._pick(t, less(n(a[1]), n(a[0]), True), a[0], a[1]),
            "ite": lambda t, a: self._pick(t, truth(a[0]), a[1], a[2]),
        }

    def forget(self) -> None:
        """The state has changed: only what a Let keeps is still known."""
        self.memo = dict(self.kept)

    def keep(self, t: Term) -> None:
        """Evaluate a term now and use that value from now on."""
        self.kept[t] = self(t)

    def __call__(self, root: Term) -> Value:
        """The value of a term now."""
        memo = self.memo
        if root not in memo:
            for t in pending(root, memo):
                memo[t] = self._operations[t.op](t, [memo[a] for a in t.args])
        return memo[root]

    def holds(self, t: Term) -> Truth:
        """A Boolean term as a Z3 truth value."""
        return truth(self(t))

    # -- leaves ----------------------------------------------------------------------------------
    def _num(self, t: Term, expr: Expr) -> Num:
        return Num(expr, t.lo, t.hi)

    def _const(self, t: Term, _: Sequence[Value]) -> Value:
        if t.sort is BOOL:
            return z3.BoolVal(bool(t.lo))
        return self._num(t, self.numbers.constant(t.lo, t.lo, t.hi))

    def _read(self, t: Term, _: Sequence[Value]) -> Value:
        return self.read(t.data[0][0])

    def _select(self, t: Term, args: Sequence[Value]) -> Value:
        values = [self.read(s) for s in t.data[0]]
        return self._choose(t, args[0], t.args[0], values)

    def _unknown(self, t: Term, _: Sequence[Value]) -> Value:
        if self.free is None:
            raise ModelError(
                f"the quantity {t.data!r} belongs in facts and has no value in play",
                where=str(t.place),
                hint="use a size or a field of the state",
            )
        if t.data not in self.free:
            self.free[t.data] = self._num(t, self.numbers.variable(str(t.data), t.lo, t.hi))
        return self.free[t.data]

    # -- operations ------------------------------------------------------------------------------
    def _equal(self, t: Term, args: Sequence[Value]) -> Value:
        a, b = args
        if isinstance(a, Num) and isinstance(b, Num):
            return self.numbers.equal(a, b)
        return truth(a) == truth(b)

    def _pick(self, t: Term, condition: Truth, a: Value, b: Value) -> Num:
        fit = self.numbers.fit
        return self._num(t, pick(condition, fit(number(a), t.lo, t.hi), fit(number(b), t.lo, t.hi)))

    def _lookup(self, t: Term, args: Sequence[Value]) -> Value:
        values: list[Value] = [self._literal(t, v) for v in t.data]
        return self._choose(t, args[0], t.args[0], values)

    def _literal(self, t: Term, value: int) -> Value:
        if t.sort is BOOL:
            return z3.BoolVal(bool(value))
        return Num(self.numbers.constant(value, value, value), value, value)

    def _choose(self, t: Term, at: Value, index: Term, values: Sequence[Value]) -> Value:
        """The value at an index; entries outside the index's interval are left out, equal ones merged."""
        lo, hi = max(index.lo, 0), min(index.hi, len(values) - 1)
        groups: dict[object, list[int]] = {}
        exprs: dict[object, Expr] = {}
        for i in range(lo, hi + 1):
            v = values[i]
            expr = self.numbers.fit(v, t.lo, t.hi) if isinstance(v, Num) else v
            key = expr.get_id()
            groups.setdefault(key, []).append(i)
            exprs.setdefault(key, expr)
        order = sorted(groups, key=lambda k: len(groups[k]))
        found = exprs[order[-1]]
        for key in reversed(order[:-1]):
            found = pick(self.among(at, groups[key]), exprs[key], found)
        return found if t.sort is BOOL else self._num(t, found)

    def among(self, at: Value, indices: Sequence[int]) -> Truth:
        """Whether an index is one of some numbers."""
        if not isinstance(at, Num):
            return disj(*(at if i else neg(at) for i in indices))
        tests = [self.numbers.equal(at, Num(self.numbers.constant(i, i, i), i, i)) for i in indices]
        return disj(*tests)

    # -- graphs ----------------------------------------------------------------------------------
    def _reach(self, t: Term, args: Sequence[Value]) -> Value:
        edges, nodes, to = t.data
        return paths.reach(edges, nodes, to, [truth(a) for a in args])

    def _longest(self, t: Term, args: Sequence[Value]) -> Value:
        edges, nodes = t.data
        at_least = paths.at_least(t.op, edges, nodes, [truth(a) for a in args])
        found = self.numbers.constant(0, t.lo, t.hi)
        for length, holds in enumerate(at_least, 1):
            found = pick(holds, self.numbers.constant(length, t.lo, t.hi), found)
        return self._num(t, found)


def pending(root: Term, known: Mapping[Term, object]) -> list[Term]:
    """Sub-terms whose value is not known yet, children first; iterative, so depth is no limit."""
    out: list[Term] = []
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(root, False)]
    while stack:
        t, ready = stack.pop()
        if t in seen or t in known:
            continue
        if ready:
            seen.add(t)
            out.append(t)
        else:
            stack.append((t, True))
            stack.extend((a, False) for a in reversed(t.args))
    return out


def linear(*roots: Term) -> bool:
    """Whether no term multiplies two numbers that are both unknown."""
    return not any(t.op == "mul" and all(a.op != "const" for a in t.args) for t in walk(*roots))
