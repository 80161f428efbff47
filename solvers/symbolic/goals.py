"""Goals: what a play is asked to reach, over one state before the last step.

Promises: a goal says when it is met as a Z3 condition, and says again on concrete states, by the interpreter,
so that no witness is believed because Z3 made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import z3

from models.language.ir import Kind
from models.language.program import Program
from models.language.terms import Term, negate
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import conj, disj, neg
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.phases import Set


@dataclass(frozen=True)
class Part:
    """One way to meet a goal.

    Attributes:
        instance: Position of the instance that takes the last step, or None where the state itself is
            asked for.
        condition: When it is met, over `Machine.state`.
    """

    instance: int | None
    condition: Truth


class Goal(Protocol):
    """A goal; see the module."""

    @property
    def key(self) -> str:
        """Text that tells it from other goals of a program."""

    @property
    def takes_step(self) -> bool:
        """Whether it is met by a step (else by a state)."""

    def parts(self, machine: Machine) -> list[Part]:
        """The ways to meet it."""

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """Whether a state, with the last step taken from it (if any), meets it."""


@dataclass(frozen=True)
class Hit:
    """A step that records a site."""

    site: int
    id: str

    @property
    def key(self) -> str:
        """See `Goal`."""
        return f"site {self.id}"

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return True

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        return [Part(i, c) for i, c in machine.hit(self.site).items() if not z3.is_false(c)]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return label is not None and self.site in run.step(before, run.find(label)).hits


@dataclass(frozen=True)
class Holds:
    """A state in which a term holds."""

    name: str
    term: Term

    @property
    def key(self) -> str:
        """See `Goal`."""
        return f"state {self.name}"

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return False

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        return [Part(None, machine.holds(self.term))]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return label is None and bool(run.value(self.term, before))


@dataclass(frozen=True)
class Breaks:
    """A step that breaks a term over two states."""

    name: str
    term: Term

    @property
    def key(self) -> str:
        """See `Goal`."""
        return f"step {self.name}"

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return True

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        found = []
        for i in machine.program.instances:
            broken = neg(machine.over_two(self.term, machine.after(i)))
            condition = conj(machine.enabled(i), machine.effect(i).alive, broken)
            if not z3.is_false(condition):
                found.append(Part(i.index, condition))
        return found

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        after = run.step(before, run.find(label)).state if label is not None else None
        return after is not None and not run.value(self.term, before + after)


@dataclass(frozen=True)
class Stuck:
    """A state in which nobody may act although the game is not over."""

    key: str = "stuck"
    takes_step: bool = False

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        return [Part(None, machine.stuck)]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return label is None and not run.over(before) and not run.enabled(before)


@dataclass(frozen=True)
class Acts:
    """A state in which an instance may act."""

    instance: int
    label: str

    @property
    def key(self) -> str:
        """See `Goal`."""
        return f"acts {self.label}"

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return True

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        return [Part(self.instance, machine.enabled(machine.program.instances[self.instance]))]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return label == self.label and run.find(label) in run.enabled(before)


@dataclass(frozen=True)
class Chosen:
    """A goal met with a further condition on the state before its last step.

    Attributes:
        goal: The goal.
        also: The condition, a Boolean term.
        name: Text that tells it from other conditions.
    """

    goal: Goal
    also: Term
    name: str

    @property
    def key(self) -> str:
        """See `Goal`."""
        return f"{self.goal.key} and {self.name}"

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return self.goal.takes_step

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        also = machine.holds(self.also)
        return [Part(p.instance, conj(p.condition, also)) for p in self.goal.parts(machine)]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return bool(run.value(self.also, before)) and self.goal.met(run, before, label)


@dataclass(frozen=True)
class AnyOf:
    """A goal met where any of some goals is met; all of them take a step, or none does.

    Attributes:
        key: Text that tells it from other goals.
        goals: The goals, at least one.
    """

    key: str
    goals: tuple[Goal, ...]

    @property
    def takes_step(self) -> bool:
        """See `Goal`."""
        return self.goals[0].takes_step

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        return [part for goal in self.goals for part in goal.parts(machine)]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        return any(goal.met(run, before, label) for goal in self.goals)


def violation(name: str, term: Term) -> Holds:
    """The goal that breaks an invariant."""
    return Holds(f"not {name}", negate(term))


def site(program: Program, id: str) -> Hit:
    """The goal of a site."""
    return Hit(program.site_number[id], id)


def condition(parts: Sequence[Part]) -> Truth:
    """When any of some parts is met."""
    return disj(*(p.condition for p in parts))


def phases(machine: Machine, parts: Sequence[Part]) -> Set:
    """Phases in which a goal can be met."""
    instances = machine.program.instances
    return frozenset().union(
        *(
            machine.phases.every if p.instance is None else machine.phases.before(instances[p.instance])
            for p in parts
        )
    )


__all__ = [
    "Acts",
    "AnyOf",
    "Breaks",
    "Chosen",
    "Goal",
    "Hit",
    "Holds",
    "Kind",
    "Part",
    "Stuck",
    "condition",
    "phases",
    "site",
    "violation",
]
