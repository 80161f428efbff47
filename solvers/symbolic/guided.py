"""Guided: best-first search on the interpreter towards a cube of states.

Promises: a play that is found is a play from one of the given states; the search keeps the states that came
nearest, from which Z3 may go on. Nothing is concluded from not finding one.

The distance counts, for every slot that the cube names, how far its value is from the interval, and how many
phases lie between (an inadmissible heuristic in the manner of planning by landmarks and goal counts).
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from models.language.terms import INT
from solvers.interpreter import Interpreter
from solvers.symbolic.cubes import Cube
from solvers.symbolic.machine import Values
from solvers.symbolic.phases import Phases
from solvers.symbolic.solving import Deadline

Met: TypeAlias = Callable[[Values, str | None], bool]


@dataclass(frozen=True)
class Reached:
    """A state and a play from the setup that leads to it."""

    state: Values
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Search:
    """What a search found.

    Attributes:
        found: A play that meets the goal (its state is the last one before the goal's own step), or None.
        nearest: The nearest states, nearest first.
        states: How many states were visited.
    """

    found: Reached | None
    nearest: tuple[Reached, ...]
    states: int


def distance(run: Interpreter, phases: Phases, cubes: Sequence[Cube]) -> Callable[[Values], float]:
    """How far a state is from the nearest of some cubes; 0 only inside one."""
    each = [_to_cube(run, phases, c) for c in cubes]
    return each[0] if len(each) == 1 else lambda state: min(of(state) for of in each)


def _to_cube(run: Interpreter, phases: Phases, cube: Cube) -> Callable[[Values], float]:
    slots = run.program.layout.slots
    far = _phase_distances(phases, cube)
    numeric = [(s, lo, hi) for s, (lo, hi) in cube.sides.items() if s != phases.slot and slots[s].sort is INT]
    other = [
        (s, lo, hi) for s, (lo, hi) in cube.sides.items() if s != phases.slot and slots[s].sort is not INT
    ]

    def of(state: Values) -> float:
        gap = far.get(phases.of(state), 1000.0)
        for s, lo, hi in numeric:
            value = state[s]
            gap += lo - value if value < lo else value - hi if value > hi else 0
        for s, lo, hi in other:
            gap += 0 if lo <= state[s] <= hi else 1
        return gap

    return of


def _phase_distances(phases: Phases, cube: Cube) -> dict[int, float]:
    """Fewest steps between phases, weighed below one so that slots come first."""
    lo, hi = cube.sides.get(phases.slot, (min(phases.every), max(phases.every)))
    found = {p: 0.0 for p in phases.every if lo <= p <= hi}
    edges = {(b, a) for i in phases.program.instances for b in phases.before(i) for a in phases.after(i)}
    depth = 0.0
    while True:
        depth += 1.0
        more = {b for b, a in edges if a in found and b not in found}
        if not more:
            return found
        found |= dict.fromkeys(more, depth / 4 + 0.5)


def search(
    run: Interpreter,
    phases: Phases,
    cubes: Sequence[Cube],
    met: Met,
    starts: Sequence[Reached],
    deadline: Deadline,
    *,
    seed: int = 0,
    most: int = 200_000,
    keep: int = 64,
) -> Search:
    """Look for a play that meets a goal, towards some cubes.

    Args:
        run: The interpreter.
        phases: The program's phases.
        cubes: Where to go, at least one.
        met: Whether a state, with the step taken from it (None: the state itself), meets the goal.
        starts: Where the play may begin.
        deadline: When to stop.
        seed: Of the order among equals.
        most: Most states to visit.
        keep: How many of the nearest states to return.
    """
    best_first = _BestFirst(run, distance(run, phases, cubes), met, random.Random(seed))
    return best_first.search(starts, deadline, most, keep)


class _BestFirst:
    def __init__(
        self, run: Interpreter, distance_of: Callable[[Values], float], met: Met, rng: random.Random
    ) -> None:
        self.run, self.distance, self.met, self.rng = run, distance_of, met, rng
        self.parents: dict[Values, tuple[Values | None, str]] = {}
        self.origins: dict[Values, Reached] = {}
        self.queue: list[tuple[float, float, Values]] = []

    def search(self, starts: Sequence[Reached], deadline: Deadline, most: int, keep: int) -> Search:
        for start in starts:
            if start.state not in self.parents:
                self.origins[start.state] = start
                self._push(start.state, None, "")
        nearest: list[tuple[float, Values]] = []
        visited = 0
        while self.queue and visited < most and (visited % 64 or not deadline.passed):
            gap, _, state = heapq.heappop(self.queue)
            visited += 1
            if self.met(state, None):
                return Search(self._reached(state), (), visited)
            nearest.append((gap, state))
            if len(nearest) > 16 * keep:
                nearest = sorted(nearest, key=lambda n: n[0])[:keep]
            for instance in self.run.enabled(state):
                if self.met(state, instance.label):
                    reached = self._reached(state)
                    return Search(Reached(state, (*reached.labels, instance.label)), (), visited)
                after = self.run.step(state, instance).state
                if after is not None and after not in self.parents:
                    self._push(after, state, instance.label)
        best = sorted(nearest, key=lambda n: n[0])[:keep]
        return Search(None, tuple(self._reached(s) for _, s in best), visited)

    def _push(self, state: Values, parent: Values | None, label: str) -> None:
        self.parents[state] = (parent, label)
        heapq.heappush(self.queue, (self.distance(state), self.rng.random(), state))

    def _reached(self, state: Values) -> Reached:
        labels: list[str] = []
        at: Values = state
        while True:
            parent, label = self.parents[at]
            if parent is None:
                break
            labels.append(label)
            at = parent
        return Reached(state, (*self.origins[at].labels, *reversed(labels)))
