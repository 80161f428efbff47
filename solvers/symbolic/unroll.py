"""Unroll: a play of some steps as one Z3 problem, one step after the other.

Promises: a model is a play: its labels and states are read off and replayed on the interpreter; slots that no
step can change cost nothing; a step uses only the instances it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from models.language.ir import Instance
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import conj, disj
from solvers.symbolic.goals import Goal, Part
from solvers.symbolic.machine import Machine, State, Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.solving import Deadline, Solver


@dataclass(frozen=True)
class Found:
    """A play of the unrolling.

    Attributes:
        states: The states, the first one where the unrolling starts.
        labels: The steps between them, and the last step of the goal where it has one.
    """

    states: tuple[Values, ...]
    labels: tuple[str, ...]


class Unrolling:
    """States of a play joined by steps, in an incremental solver.

    Args:
        machine: The program.
        start: The first state (literals, or constants that the caller constrains).
        constraints: What holds besides.
        solver: A solver to share with another program's unrolling, which then takes the same moves.
        mark: What tells this unrolling's constants from those of the other.
    """

    def __init__(
        self,
        machine: Machine,
        start: State,
        constraints: Sequence[Truth] = (),
        *,
        solver: Solver | None = None,
        mark: str = "",
    ) -> None:
        self.machine, self.mark = machine, mark
        self.solver = solver or Solver(machine.numbers)
        self.solver.add(*constraints)
        self.states: list[State] = [start]
        self.moving = [machine.moving(start)]
        self.choices: list[list[tuple[Instance, Truth]]] = []

    def step(self, instances: Sequence[Instance], *, rest: bool = False) -> None:
        """Add one step by one of some instances; `rest` also allows that nothing happens."""
        machine, number = self.machine, len(self.choices)
        written = sorted({s for i in instances for s in machine.effect(i).writes})
        fresh = machine.fresh(f"{self.mark}@{number + 1}")
        after = list(self.states[-1])
        for s in written:
            after[s] = fresh[s]
        choices = [(i, z3.Bool(f"do!{i.label}@{number}")) for i in instances]
        asserted = machine.ranges(tuple(fresh[s] for s in written))
        asserted += [z3.Implies(chosen, self._by(i, written, fresh)) for i, chosen in choices]
        resting = z3.Bool(f"rest@{number}")
        if rest:
            same = [machine.same(fresh[s], machine.state[s]) for s in written]
            asserted.append(z3.Implies(resting, conj(*same)))
        asserted.append(disj(*(c for _, c in choices), *([resting] if rest else [])))
        self.moving.append(machine.moving(tuple(after)))
        self.solver.add(*(self.moving[-2](a) for a in asserted))
        self.states.append(tuple(after))
        self.choices.append(choices)

    def _by(self, instance: Instance, written: Sequence[int], fresh: State) -> Truth:
        """That an instance takes a step in which some slots may change."""
        machine, effect = self.machine, self.machine.effect(instance)
        becomes = [machine.same(fresh[s], effect.writes.get(s, machine.state[s])) for s in written]
        return conj(machine.enabled(instance), effect.alive, *becomes)

    def at_end(self, truth: Truth) -> Truth:
        """A condition over `Machine.state`, over the last state of the play."""
        return self.moving[-1](truth)

    def reach(self, parts: Sequence[Part], deadline: Deadline) -> Found | bool | None:
        """Look for a play whose last state meets a goal.

        Returns:
            The play; None if there is none of this length; False if the time ran out.
        """
        met = [(p, self.at_end(p.condition)) for p in parts]
        self.solver.push()
        try:
            self.solver.add(disj(*(c for _, c in met)))
            answer = self.solver.check(deadline)
            return self.play(self.solver.model(), met) if answer else None if answer is False else False
        finally:
            self.solver.pop()

    def play(self, model: z3.ModelRef, met: Sequence[tuple[Part, Truth]] = ()) -> Found:
        """The play in a model."""
        labels = [
            next((i.label for i, c in choices if z3.is_true(model.eval(c))), "") for choices in self.choices
        ]
        for part, condition in met:
            if part.instance is not None and z3.is_true(model.eval(condition, model_completion=True)):
                labels.append(self.machine.program.instances[part.instance].label)
                break
        states = [self.machine.values(model, s) for s in self.states]
        moved = [n for n, label in enumerate(labels[: len(self.choices)]) if label]
        taken = (*(labels[n] for n in moved), *labels[len(self.choices) :])
        return Found((states[0], *(states[n + 1] for n in moved)), taken)


class Disagreement(AssertionError):
    """Z3 and the interpreter disagree on a play: a defect of an engine, never of a rulebook."""


def confirm(run: Interpreter, goal: Goal, found: Found) -> None:
    """Replay a play and check that it meets the goal.

    Errors:
        Disagreement: it does not.
    """
    try:
        states = run.replay(found.labels, found.states[0])
    except Exception as error:
        raise Disagreement(f"{goal.key}: {error}") from error
    last = len(found.states) == len(found.labels)
    steps = len(found.labels) - last
    if tuple(states[: steps + 1]) != found.states:
        raise Disagreement(f"{goal.key}: the states of the replay differ")
    if not goal.met(run, states[steps], found.labels[-1] if last else None):
        raise Disagreement(f"{goal.key}: the replay does not meet it")


__all__ = ["Disagreement", "Found", "Unrolling", "confirm"]
