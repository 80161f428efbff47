"""Induction: which of many candidates are invariants, proved together.

Promises: what is kept holds in the setup and is preserved by every step from any state within the slots'
ranges in which all that is kept holds; so it holds in every reachable state of that size. What is dropped
is not refuted.

The weakening is Houdini (Flanagan and Leino 2001): drop whatever a step breaks, until no step breaks
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from models.language.ir import Instance
from models.language.program import Program
from models.language.terms import Term
from solvers.interpreter import Interpreter, reads
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.machine import Machine
from solvers.symbolic.numbers import Truth
from solvers.symbolic.solving import Deadline, Solver
from solvers.symbolic.unroll import Disagreement


@dataclass(frozen=True)
class Proof:
    """Invariants that were proved together.

    Attributes:
        kept: What is proved.
        complete: Whether the search ended; if not, nothing is proved and `kept` is empty.
        seconds: Time used.
        queries: Calls of Z3.
    """

    kept: tuple[Candidate, ...]
    complete: bool
    queries: int


class Houdini:
    """Drops candidates until the rest is inductive.

    Args:
        machine: The program.
        candidates: What may hold.
        background: Conditions that are known to hold in every reachable state.
    """

    def __init__(
        self, machine: Machine, candidates: Sequence[Candidate], background: Sequence[Truth] = ()
    ) -> None:
        self.machine, self.run = machine, Interpreter(machine.program)
        start = machine.program.start
        self.alive: dict[int, Candidate] = {
            n: c for n, c in enumerate(candidates) if self.run.value(c.term, start)
        }
        self.slots = {n: reads(c.term) for n, c in self.alive.items()}
        self.names = {n: z3.Bool(f"candidate!{n}") for n in self.alive}
        self.breaks = {n: z3.Bool(f"breaks!{n}") for n in self.alive}
        holds = {n: machine.holds(c.term) for n, c in self.alive.items()}
        self.assumed = z3.And(
            *machine.typed, *background, *(z3.Implies(self.names[n], h) for n, h in holds.items())
        )
        self.broken = {n: z3.Implies(self.breaks[n], z3.Not(h)) for n, h in holds.items()}
        self.queries = 0

    def prove(self, deadline: Deadline, tick: Callable[[int], None] | None = None) -> Proof:
        """Weaken until nothing is dropped any more, or the time is over."""
        steps = [self._step(i) for i in self.machine.program.instances]
        waiting = list(steps)
        while waiting:
            step, before = waiting.pop(0), len(self.alive)
            if not self._weaken(step, deadline):
                return Proof((), False, self.queries)
            if len(self.alive) < before:  # the others were checked under more than is left
                waiting += [s for s in steps if s is not step and s not in waiting]
                if tick is not None:
                    tick(before - len(self.alive))
        return Proof(tuple(self.alive.values()), True, self.queries)

    def _step(self, instance: Instance) -> _Step:
        """A solver for one step in which something is broken."""
        machine, effect = self.machine, self.machine.effect(instance)
        touched = [n for n in self.alive if self.slots[n] & effect.writes.keys()]
        moving = machine.substitution(effect.writes)
        solver = Solver(
            machine.numbers,
            [
                self.assumed,
                machine.enabled(instance),
                effect.alive,
                moving(z3.And(*(self.broken[n] for n in touched))),
                z3.Or(*(self.breaks[n] for n in touched)),
            ],
        )
        return _Step(instance, solver, tuple(touched))

    def _weaken(self, step: _Step, deadline: Deadline) -> bool:
        """Drop what a step breaks; False if the time ran out."""
        while True:
            idle = [z3.Not(self.breaks[n]) for n in step.touched if n not in self.alive]
            self.queries += 1
            answer = step.solver.check(deadline, *(self.names[n] for n in self.alive), *idle)
            if answer is not True:
                return answer is False
            before = self.machine.values(step.solver.model(), self.machine.state)
            after = self.run.step(before, step.instance).state
            broken = [
                n
                for n in step.touched
                if after is not None and n in self.alive and not self.run.value(self.alive[n].term, after)
            ]
            if not broken:
                raise Disagreement(f"{step.instance.label} breaks no candidate from {before}")
            for n in broken:
                del self.alive[n]


@dataclass(frozen=True, eq=False)
class _Step:
    instance: Instance
    solver: Solver
    touched: tuple[int, ...]


def background(machine: Machine, terms: Sequence[Term]) -> list[Truth]:
    """Known invariants as conditions on the state before a step."""
    return [*machine.typed, *(machine.holds(t) for t in terms)]


def breaks_nothing(
    machine: Machine, known: Sequence[Truth], condition: Truth, deadline: Deadline
) -> bool | None:
    """Whether a condition is impossible under known invariants; None if the time ran out."""
    answer = Solver(machine.numbers, [*known, condition]).check(deadline)
    return None if answer is None else not answer


__all__ = ["Houdini", "Program", "Proof", "background", "breaks_nothing"]
