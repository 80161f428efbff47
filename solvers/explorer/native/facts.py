"""What is known where code is written: values that slots can have there, and what follows for terms.

Promise: `constant` gives a value only if the term has it in every state for which the facts hold. Facts speak
of the state before a step; a read after an assignment is never decided by them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from models.language.terms import BOOL, PURE, Term, walk
from solvers.explorer.native.guards import Guards

#: Sets of values up to this size, and combinations up to that number, are followed.
_SET, _COMBINATIONS = 24, 96

Values = frozenset[int]
_TRUE, _FALSE = frozenset({1}), frozenset({0})


class Facts:
    """Facts at one place.

    Args:
        sets: Slot → the values that it can have.
        same: Slot of the state after → slot of the state before with the same value (terms over steps).
    """

    def __init__(self, sets: Mapping[int, Values], same: Mapping[int, int] | None = None) -> None:
        self.sets, self.same = dict(sets), dict(same or {})
        self._found: dict[Term, Values | None] = {}
        self._numbers: dict[Term, int] = {}
        self._shapes: dict[object, int] = {}

    def also(self, sets: Mapping[int, Values], same: Mapping[int, int] | None = None) -> Facts:
        """These facts and others."""
        joined = dict(self.sets)
        for slot, values in sets.items():
            joined[slot] = joined[slot] & values if slot in joined else values
        return Facts(joined, {**self.same, **(same or {})})

    @property
    def key(self) -> object:
        """Equal for equal facts."""
        return tuple(sorted((s, tuple(sorted(v))) for s, v in self.sets.items()))

    def constant(self, t: Term) -> int | None:
        """The value of a term, if the facts leave one."""
        found = self.values(t)
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def left(self, parts: Iterable[Term]) -> list[Term] | None:
        """The conjuncts that the facts do not settle; None if one of them cannot hold."""
        out = []
        for t in parts:
            value = self.constant(t)
            if value is None:
                out.append(t)
            elif not value:
                return None
        return out

    def values(self, t: Term) -> Values | None:
        """The values that a term can have, if they are few."""
        if t not in self._found:
            for u in walk(t):
                if u not in self._found:
                    self._found[u] = self._values(u)
        return self._found[t]

    def _values(self, t: Term) -> Values | None:
        if t.op == "const":
            return frozenset({t.lo})
        if t.op == "read":
            slot = t.data[0][0]
            return self.sets.get(self.same.get(slot, slot)) if not t.data[1] else None
        args = [self._found[a] for a in t.args]
        if t.op in ("and", "or"):
            return _gathered(args, _FALSE if t.op == "and" else _TRUE, _TRUE if t.op == "and" else _FALSE)
        if t.op == "ite":
            return _chosen(*args)
        if t.op in ("eq", "le", "lt") and self._same_number(t.args[0], t.args[1]):
            return _FALSE if t.op == "lt" else _TRUE
        if t.op == "lookup" and args[0] is not None:
            return frozenset(t.data[v] for v in args[0] if 0 <= v < len(t.data)) or None
        if t.op in PURE:
            return _image(t, args)
        return None

    def _same_number(self, a: Term, b: Term) -> bool:
        """Whether two terms are one and the same once the slots that did not change are set equal."""
        return bool(self.same) and self._number(a) == self._number(b)

    def _number(self, root: Term) -> int:
        for t in walk(root):
            if t not in self._numbers:
                data = t.data
                if t.op in ("read", "select"):
                    data = (tuple(self.same.get(s, s) for s in t.data[0]), t.data[1])
                shape = (t.op, t.sort, data, *(self._numbers[a] for a in t.args))
                self._numbers[t] = self._shapes.setdefault(shape, len(self._shapes))
        return self._numbers[root]


def guard_facts(guards: Guards, parts: Iterable[Term]) -> dict[int, Values]:
    """What the conjuncts of a guard say about single slots."""
    known = tuple(parts)
    slots = {s for t in known if (s := guards.only_slot(t)) is not None}
    return {s: guards.allowed(known, s) for s in slots}


def _gathered(args: list[Values | None], zero: Values, unit: Values) -> Values | None:
    if any(a == zero for a in args):
        return zero
    return unit if all(a == unit for a in args) else None


def _chosen(condition: Values | None, then: Values | None, otherwise: Values | None) -> Values | None:
    if condition == _TRUE:
        return then
    if condition == _FALSE:
        return otherwise
    return _few(then | otherwise) if then is not None and otherwise is not None else None


def _image(t: Term, args: list[Values | None]) -> Values | None:
    sets = [a for a in args if a is not None]
    if len(sets) < len(args):
        return None
    n = 1
    for s in sets:
        n *= len(s)
    if not 0 < n <= _COMBINATIONS:
        return None
    found = frozenset(PURE[t.op](*combination) for combination in itertools.product(*sets))
    return frozenset(int(v) for v in found) if t.sort is BOOL else _few(found)


def _few(values: Values) -> Values | None:
    return values if len(values) <= _SET else None
