"""Spacer: a proof that no play meets a goal, by property-directed reachability over constrained Horn clauses.

Promises: what is returned was checked again by another solver: it holds in the setup, every step keeps it,
and no state in which it holds meets the goal. Spacer's own word is not taken for it. Nothing is concluded
where it finds a play or comes to no end. Komuravelli, Gurfinkel and Chaki (2014).
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from solvers.symbolic import goals
from solvers.symbolic.encode import conj, neg
from solvers.symbolic.goals import Part
from solvers.symbolic.machine import Machine, State, expression
from solvers.symbolic.numbers import Expr, Truth
from solvers.symbolic.solving import Deadline, Solver

#: Transformations that would rename or merge the predicate that is read off afterwards.
_PLAIN = ("xform.inline_eager", "xform.inline_linear", "xform.slice")


def prove(
    machine: Machine, parts: Sequence[Part], known: Sequence[Truth], deadline: Deadline
) -> Truth | None:
    """An inductive condition that excludes a goal.

    Args:
        machine: The program, best over integers.
        parts: The goal that shall be impossible.
        known: Conditions that hold in every reachable state, what keeps slots in their ranges among them.
        deadline: When to stop.

    Returns:
        The condition over `Machine.state`, checked; None if none was found in time, or there is a play.
    """
    horn = _Horn(machine, known)
    found = horn.solve(goals.condition(parts), deadline)
    if found is None or not checked(machine, found, parts, known, deadline):
        return None
    return found


class _Horn:
    """The program as Horn clauses over one predicate, what play can reach."""

    def __init__(self, machine: Machine, known: Sequence[Truth]) -> None:
        self.machine = machine
        self.live = [s.index for s in machine.program.layout.slots if s.lo < s.hi]
        self.here = self._of(machine.state)
        self.reached = z3.Function("reached", *(x.sort() for x in self.here), z3.BoolSort())
        self.engine = z3.Fixedpoint()
        self.engine.set(engine="spacer")
        for option in _PLAIN:
            self.engine.set(option, False)
        self.engine.register_relation(self.reached)
        self.engine.declare_var(*self.here)
        self.engine.rule(self.reached(*self._of(machine.literals(machine.program.start))))
        for i in machine.program.instances:
            step = [machine.enabled(i), machine.effect(i).alive]
            self.engine.rule(
                self.reached(*self._of(machine.after(i))), [self.reached(*self.here), *known, *step]
            )
        self.known = known

    def _of(self, state: State) -> list[Expr]:
        return [expression(state[s]) for s in self.live]

    def solve(self, goal: Truth, deadline: Deadline) -> Truth | None:
        """The condition that Spacer gives for what play can reach, if it excludes the goal."""
        bad = z3.Function("bad", z3.BoolSort())
        self.engine.register_relation(bad)
        self.engine.rule(bad(), [self.reached(*self.here), *self.known, goal])
        self.engine.set(timeout=deadline.milliseconds)
        try:
            if self.engine.query(bad()) != z3.unsat:
                return None
            cover = self.engine.get_cover_delta(-1, self.reached)
        except z3.Z3Exception:  # cut off, or a form that it cannot do
            return None
        return z3.substitute_vars(cover, *self.here)


def checked(
    machine: Machine, condition: Truth, parts: Sequence[Part], known: Sequence[Truth], deadline: Deadline
) -> bool:
    """Whether a condition holds in the setup, is kept by every step, and excludes a goal."""
    start = machine.moved(condition, machine.literals(machine.program.start))
    questions = [[neg(start)], [*known, condition, goals.condition(parts)]]
    for i in machine.program.instances:
        after = machine.substitution(machine.effect(i).writes)(condition)
        step = conj(machine.enabled(i), machine.effect(i).alive)
        questions.append([*known, condition, step, neg(after)])
    return all(Solver(machine.numbers, q).check(deadline) is False for q in questions)
