"""Bounded: plays of bounded length, by unrolling: forward from the setup, from many states at once, backward.

Promises: `forward` takes every length in turn, so a play that it finds is a shortest one, and a length
that it
has passed has no play; where no longer play exists at all, the search is exhaustive and says so. A play of
`from_states` begins in one of the given states. Biere, Cimatti, Clarke and Zhu (1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from models.language.ir import Instance
from solvers.symbolic import goals
from solvers.symbolic.encode import conj, disj, neg
from solvers.symbolic.goals import Part
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.phases import Set
from solvers.symbolic.solving import Deadline
from solvers.symbolic.unroll import Found, Unrolling

#: Numbers of steps after which `from_states` asks.
_ASKED_AT = frozenset([1, 3, 6, 10, 15, 20])


@dataclass(frozen=True)
class Bounded:
    """How far a search got.

    Attributes:
        found: The play, or None.
        depth: Steps before the goal that were ruled out: none meets it after 0 … depth steps (-1: nothing).
        exhausted: No play is longer, so that there is none at all.
        origin: Which of the given states the play begins in.
    """

    found: Found | None
    depth: int
    exhausted: bool = False
    origin: int = 0


class Lengths:
    """Unrolls step by step and asks for the goal after each.

    Args:
        machine: The program.
        parts: The goal.
        unrolling: Where plays begin.
        begin: Phases in which they begin.
    """

    def __init__(self, machine: Machine, parts: Sequence[Part], unrolling: Unrolling, begin: Set) -> None:
        self.machine, self.parts, self.unrolling = machine, parts, unrolling
        self.now = begin
        self.goal_phases = goals.phases(machine, parts)
        self.useful = machine.phases.backward(self.goal_phases)

    def here(self) -> list[Part]:
        """The ways to meet the goal in the phases that are possible now."""
        instances, phases = self.machine.program.instances, self.machine.phases
        return [
            p for p in self.parts if p.instance is None or phases.before(instances[p.instance]) & self.now
        ]

    def ask(self, deadline: Deadline) -> Found | bool | None:
        """See `Unrolling.reach`."""
        parts = self.here() if self.now & self.goal_phases else []
        return self.unrolling.reach(parts, deadline) if parts else None

    def moves(self) -> list[Instance]:
        """Instances that can act now and still lead to the goal."""
        phases = self.machine.phases
        return [i for i in phases.from_phases(self.now & self.useful) if phases.after(i) & self.useful]

    def extend(self, *, avoid: bool = False, rest: bool = False) -> bool:
        """Add a step; False if no instance can take one.

        Args:
            avoid: The goal is not met before the step.
            rest: The step may be left out.
        """
        moves = self.moves()
        if not moves:
            return False
        if avoid:
            self.unrolling.solver.add(neg(self.unrolling.at_end(goals.condition(self.here()))))
        self.unrolling.step(moves, rest=rest)
        after = frozenset().union(*(self.machine.phases.after(i) for i in moves)) & self.useful
        self.now = after | self.now if rest else after
        return True


def forward(
    machine: Machine, parts: Sequence[Part], deadline: Deadline, *, most: int = 1000, check_end: float = 0.1
) -> Bounded:
    """Look for a shortest play from the setup.

    Args:
        machine: The program.
        parts: The goal.
        deadline: When to stop.
        most: Most steps before the goal.
        check_end: Share of the remaining time for asking at each length whether any play is longer.
    """
    start = machine.program.start
    unrolling = Unrolling(machine, machine.literals(start))
    lengths = Lengths(machine, parts, unrolling, frozenset([machine.phases.of(start)]))
    depth = -1
    while depth < most:
        found = lengths.ask(deadline)
        if isinstance(found, Found):
            return Bounded(found, depth)
        if found is False or deadline.passed:
            return Bounded(None, depth)
        depth += 1
        if not lengths.extend() or (
            depth < 64 and unrolling.solver.check(deadline.share(check_end)) is False
        ):
            return Bounded(None, depth, exhausted=True)
    return Bounded(None, depth)


def from_states(
    machine: Machine, parts: Sequence[Part], states: Sequence[Values], deadline: Deadline, *, most: int
) -> Bounded:
    """Look for a play that begins in one of some states.

    A step may be left out, so that one question covers all lengths up to its own.

    Args:
        machine: The program.
        parts: The goal.
        states: Where a play may begin, at least one.
        deadline: When to stop.
        most: Most steps before the goal.
    """
    names = [z3.Bool(f"origin!{n}") for n in range(len(states))]
    constant = [s for s in range(len(machine.state)) if len({state[s] for state in states}) == 1]
    start = list(machine.state)
    known = machine.literals(states[0])
    for s in constant:
        start[s] = known[s]
    free = [s for s in range(len(machine.state)) if s not in set(constant)]
    chosen = [
        z3.Implies(n, machine.is_state(tuple(start), v, free)) for n, v in zip(names, states, strict=True)
    ]
    unrolling = Unrolling(machine, tuple(start), [*chosen, disj(*names)])
    lengths = Lengths(machine, parts, unrolling, frozenset(machine.phases.of(s) for s in states))
    asked = -1
    for depth in range(most + 1):
        if depth in _ASKED_AT or depth == most:
            found = lengths.ask(deadline)
            if isinstance(found, Found):
                return Bounded(found, asked, origin=states.index(found.states[0]))
            if found is False:
                break
            asked = depth
        if not lengths.extend(rest=True):
            break
    return Bounded(None, asked)


@dataclass(frozen=True)
class Induction:
    """How far k-induction got.

    Attributes:
        proved: The k for which it succeeds: no play of k steps between states that keep the invariants meets
            the goal for the first time after k steps. None if it does not, as far as was tried.
        tried: The greatest k that failed.
        lead: A play of `tried` steps to the goal from a state that need not be reachable.
    """

    proved: int | None
    tried: int
    lead: Found | None


def induction(
    machine: Machine,
    parts: Sequence[Part],
    known: Sequence[Truth],
    deadline: Deadline,
    *,
    most: int,
    extra: Truth | None = None,
) -> Induction:
    """k-induction (Sheeran, Singh and Stålmarck 2000), without the base case.

    Args:
        machine: The program.
        parts: The goal that shall be impossible.
        known: Proved invariants over `Machine.state`.
        deadline: When to stop.
        most: Greatest k.
        extra: A condition on the first state, for a search backward (then nothing is proved).
    """
    unrolling = Unrolling(machine, machine.state, [*known, *([extra] if extra is not None else [])])
    lengths = Lengths(machine, parts, unrolling, machine.phases.every)
    lead: Found | None = None
    for k in range(most + 1):
        found = lengths.ask(deadline)
        if found is None and extra is None:
            return Induction(k, k - 1, lead)
        if found is False:
            return Induction(None, k - 1, lead)
        lead = found if isinstance(found, Found) else lead
        if (isinstance(found, Found) and extra is not None) or not lengths.extend(avoid=True):
            return Induction(None, k, lead)
        unrolling.solver.add(*(unrolling.at_end(c) for c in known))
    return Induction(None, most, lead)


def along(machine: Machine, labels: Sequence[str], part: Part) -> Truth:
    """When a fixed sequence of moves leads to a goal (weakest precondition), over the state before it."""
    state, conditions = machine.state, []
    for label in labels:
        instance = machine.program.by_label[label]
        moving, effect = machine.moving(state), machine.effect(instance)
        conditions.append(moving(conj(machine.enabled(instance), effect.alive)))
        state = tuple(
            machine.replaced(moving, effect.writes[s]) if s in effect.writes else state[s]
            for s in range(len(state))
        )
    return conj(*conditions, machine.moved(part.condition, state))
