"""What guards say about single slots: for switches, and to see that two rules never act together.

Promise: the sets of values are exact for the conjuncts that read one slot; other conjuncts are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from models.language.slots import Layout
from models.language.terms import PURE, Term, walk

#: Slots with more values than this are left alone.
MOST_VALUES = 256


def conjuncts(guard: Term) -> tuple[Term, ...]:
    """The parts of a guard that all have to hold; none for a guard that always holds."""
    if guard.op == "and":
        return tuple(guard.args)
    return () if guard.op == "const" and guard.lo else (guard,)


class Guards:
    """Looks into guards over one layout; answers are remembered."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._slots: dict[Term, int | None] = {}
        self._values: dict[Term, frozenset[int]] = {}

    def only_slot(self, t: Term) -> int | None:
        """The one slot that a term reads, if it reads one and that has few values."""
        if t not in self._slots:
            self._slots[t] = self._find(t)
        return self._slots[t]

    def _find(self, t: Term) -> int | None:
        slots = set()
        for u in walk(t):
            if u.op == "read":
                slots.add(u.data[0][0])
            elif u.op not in PURE and u.op not in ("const", "lookup"):
                return None
            if len(slots) > 1:
                return None
        slot = slots.pop() if slots else None
        return slot if slot is not None and self._few(slot) else None

    def _few(self, slot: int) -> bool:
        """Whether a slot has few values (their number may be more than `len` can say)."""
        s = self.layout.slots[slot]
        return s.hi - s.lo < MOST_VALUES

    def span(self, slot: int) -> range:
        """All values of a slot."""
        s = self.layout.slots[slot]
        return range(s.lo, s.hi + 1)

    def values(self, t: Term, slot: int) -> frozenset[int]:
        """The values of its slot for which a term holds."""
        if t not in self._values:
            self._values[t] = frozenset(v for v in self.span(slot) if _with(t, v))
        return self._values[t]

    def allowed(self, parts: Iterable[Term], slot: int) -> frozenset[int]:
        """The values of a slot that some conjuncts leave."""
        left = frozenset(self.span(slot))
        for t in parts:
            if self.only_slot(t) == slot:
                left &= self.values(t, slot)
        return left

    def exclusive(self, a: Iterable[Term], b: Iterable[Term]) -> bool:
        """Whether two sets of conjuncts disagree about some slot, so that they never hold together."""
        one, two = tuple(a), tuple(b)
        slots = {s for t in one if (s := self.only_slot(t)) is not None}
        return any(not self.allowed(one, s) & self.allowed(two, s) for s in slots)


def _with(t: Term, value: int) -> int:
    """The value of a term that reads one slot."""
    known: dict[Term, int] = {}
    for u in walk(t):
        if u.op == "read":
            known[u] = value
        elif u.op == "const":
            known[u] = u.lo
        elif u.op == "lookup":
            at = known[u.args[0]]
            known[u] = u.data[at] if 0 <= at < len(u.data) else 0
        else:
            known[u] = PURE[u.op](*(known[a] for a in u.args))
    return known[t]
