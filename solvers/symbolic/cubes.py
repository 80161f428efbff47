"""Cubes: from one state that meets a condition to a box of states that all meet it.

Promises: every state in a cube that keeps the known invariants meets the condition; a cube names only the
slots that matter, each with an interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import z3

from models.language.terms import INT
from solvers.symbolic.encode import conj, neg
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Num, Truth
from solvers.symbolic.solving import Deadline, Solver


@dataclass(frozen=True)
class Cube:
    """Slots and the values that they may have.

    Attributes:
        sides: Slot → least and greatest value.
    """

    sides: Mapping[int, tuple[int, int]]

    def contains(self, state: Values) -> bool:
        """Whether a state lies inside."""
        return all(lo <= state[s] <= hi for s, (lo, hi) in self.sides.items())

    def truth(self, machine: Machine) -> Truth:
        """The cube over the state before a step."""
        return conj(*(between(machine, s, lo, hi) for s, (lo, hi) in self.sides.items()))


def between(machine: Machine, slot: int, lo: int, hi: int) -> Truth:
    """That a slot lies in an interval."""
    declared, value = machine.program.layout.slots[slot], machine.state[slot]
    if not isinstance(value, Num):
        return conj() if lo < hi else value if lo else neg(value)
    if lo == hi:
        return machine.same(value, machine.literal(declared, lo))
    numbers = machine.numbers
    parts = (
        [numbers.less(Num(numbers.constant(lo, lo, lo), lo, lo), value, False)] if lo > declared.lo else []
    )
    parts += (
        [numbers.less(value, Num(numbers.constant(hi, hi, hi), hi, hi), False)] if hi < declared.hi else []
    )
    return conj(*parts)


def generalise(
    machine: Machine,
    condition: Truth,
    state: Values,
    known: Sequence[Truth],
    deadline: Deadline,
    free: frozenset[int] = frozenset(),
) -> Cube:
    """A cube around a state that meets a condition.

    Args:
        machine: The program.
        condition: The condition over the state before a step.
        state: A state that meets it.
        known: Conditions that hold in every reachable state.
        deadline: When to stop shrinking; the cube is right whenever that is.
        free: Slots to drop first, if possible.

    Returns:
        The cube; only the state itself if nothing could be dropped in time.
    """
    return _Generaliser(machine, condition, known, deadline).run(state, free)


class _Generaliser:
    def __init__(
        self, machine: Machine, condition: Truth, known: Sequence[Truth], deadline: Deadline
    ) -> None:
        self.machine, self.deadline = machine, deadline
        self.solver = Solver(machine.numbers, [*known, neg(condition)])
        self.slots = machine.program.layout.slots
        self.named: set[tuple[int, int, int]] = set()

    def run(self, state: Values, free: frozenset[int]) -> Cube:
        sides = {s.index: (state[s.index], state[s.index]) for s in self.slots if s.lo < s.hi}
        needed = self.core(sides)
        if needed is None:
            return Cube(sides)
        sides = {s: sides[s] for s in needed}
        for slot in sorted(sides, key=lambda s: (s not in free, s)):
            less = {s: side for s, side in sides.items() if s != slot}
            shrunk = None if self.deadline.passed else self.core(less)
            if shrunk is not None and slot in sides:
                sides = {s: sides[s] for s in shrunk}
        for slot in list(sides):
            if self.slots[slot].sort is INT:
                sides = self._widen(sides, slot)
        return Cube(sides)

    def core(self, sides: Mapping[int, tuple[int, int]]) -> set[int] | None:
        """The slots that a proof needs; None if the cube does not imply the condition (or time is out)."""
        names: dict[int, int] = {}
        assumed = []
        for slot, (lo, hi) in sides.items():
            name = z3.Bool(f"side!{slot}!{lo}!{hi}")
            if (slot, lo, hi) not in self.named:
                self.named.add((slot, lo, hi))
                self.solver.add(z3.Implies(name, between(self.machine, slot, lo, hi)))
            names[name.get_id()] = slot
            assumed.append(name)
        if self.solver.check(self.deadline, *assumed) is not False:
            return None
        return {names[n.get_id()] for n in self.solver.core()}

    def _widen(self, sides: dict[int, tuple[int, int]], slot: int) -> dict[int, tuple[int, int]]:
        lo, hi = sides[slot]
        low, high = self.slots[slot].lo, self.slots[slot].hi
        for step in (high - hi, (high - hi) // 2, 2, 1):
            if step > 0 and hi + step <= high and self._implied(sides | {slot: (lo, hi + step)}):
                hi += step
        for step in (lo - low, (lo - low) // 2, 2, 1):
            if step > 0 and lo - step >= low and self._implied(sides | {slot: (lo - step, hi)}):
                lo -= step
        return sides | {slot: (lo, hi)}

    def _implied(self, sides: Mapping[int, tuple[int, int]]) -> bool:
        return not self.deadline.passed and self.core(sides) is not None
