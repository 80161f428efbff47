"""The states that a native search found, and how to get to them.

Promises: numbers are those of the breadth-first order; a play is a shortest one and the one that the
reference gives (by the first state in that order that leads on, and its first instance).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from models.language.program import Program
from solvers.explorer.exploration import Numbers
from solvers.explorer.native.packing import Packing, Words

#: Number of a state → number of its parent, and the instance that leads from there.
Step = tuple[int, int]


class Plays:
    """Plays to numbered states.

    Args:
        program: The program.
        step: The step that first led to a state (never asked for 0).
    """

    def __init__(self, program: Program, step: Callable[[int], Step]) -> None:
        self.program, self._step = program, step
        self._known: dict[int, Step] = {}

    def __call__(self, number: int) -> tuple[str, ...]:
        """Labels of a shortest play to a state."""
        labels: list[str] = []
        while number:
            number, instance = self._parent(number)
            labels.append(self.program.instances[instance].label)
        return tuple(reversed(labels))

    def path(self, number: int) -> list[int]:
        """Numbers of the states on that play, that of the setup first."""
        path = [number]
        while number:
            number = self._parent(number)[0]
            path.append(number)
        return path[::-1]

    def _parent(self, number: int) -> Step:
        if number not in self._known:
            self._known[number] = self._step(number)
        return self._known[number]


class FoundStates:
    """The states of a finished search with its transitions.

    Args:
        program: The program.
        packing: Its cells.
        rows: States × words.
        first: See `Graph`.
        target: See `Graph`.
        instance: See `Graph`.
    """

    def __init__(
        self,
        program: Program,
        packing: Packing,
        rows: NDArray[np.uint64],
        first: Numbers,
        target: Numbers,
        instance: Numbers,
    ) -> None:
        self.packing, self.rows = packing, rows
        self._first, self._target, self._instance = first, target, instance
        self._into: Numbers | None = None
        self._plays = Plays(program, self._step)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        return self.packing.decode(self.words(number))

    def words(self, number: int) -> Words:
        """The packed words of a state."""
        return tuple(int(w) for w in self.rows[number])

    def column(self, slot: int) -> NDArray[np.int64]:
        """The values of one slot in all states."""
        return self.packing.column(self.rows, slot)

    def play(self, number: int) -> tuple[str, ...]:
        """Labels of a shortest play from the setup to a state."""
        return self._plays(number)

    def _step(self, number: int) -> Step:
        if self._into is None:  # the first transition into each state: breadth-first, so the shortest
            self._into = np.full(len(self.rows), -1, np.int64)
            live = np.flatnonzero(self._target >= 0)[::-1]
            self._into[self._target[live]] = live
        edge = int(self._into[number])
        return int(np.searchsorted(self._first, edge, side="right")) - 1, int(self._instance[edge])
