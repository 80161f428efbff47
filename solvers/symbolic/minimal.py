"""Minimal: of the plays that meet a goal, one whose situation has little on the table.

Promises: the play returned is a play from the setup, replayed, and its situation has at most as many
components
away from where the setup put them as the one that was given; where the least number that the invariants allow
is reached, it says that none has fewer.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.language.functions import count
from models.language.program import Program
from models.language.terms import Term, constant, equal, negate
from solvers.contract import Play, Refuted
from solvers.symbolic.encode import number
from solvers.symbolic.goals import Chosen, Goal
from solvers.symbolic.numbers import Num
from solvers.symbolic.portfolio import Ask
from solvers.symbolic.session import Invariants, Session
from solvers.symbolic.solving import Deadline, Solver


@dataclass(frozen=True)
class Situation:
    """A play and how much its situation holds.

    Attributes:
        play: The play.
        moved: How many visible slots differ from the setup, in the state before the goal's own step.
        least: Whether no reachable state that meets the goal has fewer.
    """

    play: Play
    moved: int
    least: bool


def moved(program: Program) -> Term:
    """How many visible slots differ from the setup."""

    def differs(index: int) -> Term:
        slot = program.layout.slots[index]
        read = program.expression(lambda t: t.trace.read([slot], None))
        return negate(equal(read, constant(slot.start, slot.sort)))

    slots = program.layout.slots
    return count(*(differs(s) for s in program.observable if slots[s].lo < slots[s].hi))


def minimal(
    session: Session, goal: Goal, play: Play, deadline: Deadline, invariants: Invariants | None = None
) -> Situation:
    """Look for a play with a smaller situation, by successive bounds.

    Args:
        session: The program.
        goal: The goal.
        play: A play that meets it.
        deadline: When to stop.
        invariants: Proved invariants (those of the session unless given).
    """
    measure = moved(session.program)
    best, size = play, _size(session, goal, play, measure)
    least = _least(session, goal, measure, size, deadline.share(0.3), invariants)
    low = least if least is not None else 0
    while low < size and not deadline.passed:
        middle = (low + size) // 2
        bounded = Chosen(goal, measure <= middle, f"at most {middle} moved")
        verdict = Ask(session, bounded, deadline.share(0.4), invariants).verdict()
        if isinstance(verdict, Refuted):
            best, size = verdict.witness, _size(session, goal, verdict.witness, measure)
        else:
            low = middle + 1
    return Situation(best, size, least is not None and size == least)


def _size(session: Session, goal: Goal, play: Play, measure: Term) -> int:
    labels = play.labels[:-1] if goal.takes_step else play.labels
    return session.run.value(measure, session.run.replay(labels)[-1])


def _least(
    session: Session, goal: Goal, measure: Term, most: int, deadline: Deadline, invariants: Invariants | None
) -> int | None:
    """The least number that the invariants allow, by bisection; None if the time ran out."""
    machine = session.machine
    from solvers.symbolic.goals import condition

    solver = Solver(machine.numbers, [*session.known(invariants), condition(goal.parts(machine))])
    size, low, high = number(machine.value(measure)), 0, most
    while low < high:
        middle = (low + high) // 2
        bound = Num(machine.numbers.constant(middle, middle, middle), middle, middle)
        solver.push()
        solver.add(machine.numbers.less(size, bound, False))
        answer = solver.check(deadline)
        solver.pop()
        if answer is None:
            return None
        low, high = (low, middle) if answer else (middle + 1, high)
    return low
