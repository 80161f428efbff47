"""Phases: which instances can act when, by the constants that guards compare slots with.

Promises: an over-approximation: two instances that can be enabled in one state are `together`; a phase
that real play reaches at some depth is among those given for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from models.language import ir
from models.language.ir import Instance
from models.language.program import Program
from models.language.terms import BOOL, Term

Set = frozenset[int]

#: A slot with more values than this is no phase.
MOST_PHASES = 256


def tests(guard: Term, layout_sizes: tuple[tuple[int, int], ...]) -> dict[int, Set]:
    """Slots whose values a guard limits, with the values it leaves, from its outermost conjunction."""
    found: dict[int, Set] = {}
    for part in guard.args if guard.op == "and" else (guard,):
        limit = _limit(part, layout_sizes)
        if limit is not None:
            slot, values = limit
            found[slot] = found.get(slot, values) & values
    return found


def _limit(part: Term, sizes: tuple[tuple[int, int], ...]) -> tuple[int, Set] | None:
    """A condition on one slot alone, as the values it allows."""
    if part.op == "read" and part.sort is BOOL:
        return part.data[0][0], frozenset([1])
    if part.op == "eq":
        reads = [a for a in part.args if a.op == "read"]
        constants = [a for a in part.args if a.op == "const"]
        return (reads[0].data[0][0], frozenset([constants[0].lo])) if reads and constants else None
    if part.op == "not":
        inner = _limit(part.args[0], sizes)
        if inner is None:
            return None
        lo, hi = sizes[inner[0]]
        return inner[0], frozenset(range(lo, hi + 1)) - inner[1]
    if part.op == "or":
        limits = [_limit(a, sizes) for a in part.args]
        slots = {limit[0] for limit in limits if limit is not None}
        if len(slots) == 1 and None not in limits:
            return slots.pop(), frozenset().union(*(limit[1] for limit in limits if limit is not None))
    return None


def outcomes(t: Term, slot: int, before: Set) -> Set:
    """Values that a term can have; those of a read of the slot before the step are given."""
    if t.op == "const":
        return frozenset([t.lo])
    if t.op == "read" and t.data[0][0] == slot and t.data[1] == 0:
        return before
    if t.op == "ite":
        return frozenset().union(*(outcomes(a, slot, before) for a in t.args[1:]))
    return frozenset(range(t.lo, t.hi + 1))


class Phases:
    """The control slot of a program and how instances move it.

    Attributes:
        slot: The slot that most guards compare with constants, or -1: then there is one phase, 0.
        every: All phases.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        sizes = tuple((s.lo, s.hi) for s in program.layout.slots)
        self._tests = [tests(i.guard, sizes) for i in program.instances]
        votes = Counter(s for found in self._tests for s in found if sizes[s][1] - sizes[s][0] < MOST_PHASES)
        most = max(votes.values(), default=0)
        self.slot = min((s for s, n in votes.items() if n == most), default=-1)
        lo, hi = sizes[self.slot] if self.slot >= 0 else (0, 0)
        self.every: Set = frozenset(range(lo, hi + 1))

    def of(self, state: Sequence[int]) -> int:
        """The phase of a state."""
        return state[self.slot] if self.slot >= 0 else 0

    def before(self, instance: Instance) -> Set:
        """Phases in which an instance can be enabled."""
        return self._tests[instance.index].get(self.slot, self.every)

    def together(self, a: Instance, b: Instance) -> bool:
        """Whether two instances may be enabled in one state (by what their guards compare with constants)."""
        one, two = self._tests[a.index], self._tests[b.index]
        return all(one[s] & two[s] for s in one.keys() & two.keys())

    def after(self, instance: Instance) -> Set:
        """Phases in which an instance can leave the play."""
        return self._after[instance.index]

    @cached_property
    def _after(self) -> list[Set]:
        return [self._run(i.body, self.before(i)) for i in self.program.instances]

    def _run(self, body: ir.Block, before: Set) -> Set:
        return self._block(body, before, before) & self.every

    def _block(self, body: ir.Block, now: Set, before: Set) -> Set:
        for s in body:
            if isinstance(s, ir.Assign) and self.slot in s.slots:
                made = outcomes(s.value, self.slot, before)
                now = made if s.index is None else now | made
            elif isinstance(s, ir.If):
                now = self._block(s.then, now, before) | self._block(s.otherwise, now, before)
            elif isinstance(s, ir.Stop):
                return frozenset()
        return now

    def from_phases(self, phases: Set) -> list[Instance]:
        """Instances that can be enabled in some phases."""
        return [i for i in self.program.instances if self.before(i) & phases]

    def forward(self, start: Set, depth: int) -> list[Set]:
        """For each depth from 0, the phases that a play from some phases can be in."""
        found = [start]
        for _ in range(depth):
            found.append(frozenset().union(*(self.after(i) for i in self.from_phases(found[-1]))))
        return found

    def backward(self, goals: Iterable[int]) -> Set:
        """The phases from which some phase of a set can be reached (the set included)."""
        found = frozenset(goals)
        while True:
            more = found | frozenset().union(
                *(self.before(i) for i in self.program.instances if self.after(i) & found)
            )
            if more == found:
                return found
            found = more
