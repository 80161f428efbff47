"""What an exhaustive search returns, whichever engine made it.

Promises: counts are exact when `complete`; every play is a shortest one; the graph's states are numbered
in breadth-first order, the setup is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.language.printing import counted
from models.language.program import Program
from solvers.contract import Play, Proved, Refuted, Unknown, Verdict

Numbers = NDArray[np.int64]


class States(Protocol):
    """The explored states in breadth-first order."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> tuple[int, ...]: ...

    def play(self, number: int) -> tuple[str, ...]:
        """Labels of a shortest play from the setup to a state."""

    def column(self, slot: int) -> Numbers:
        """The values of one slot in all states."""


@dataclass(frozen=True)
class Graph:
    """The explored transitions as compressed rows.

    Attributes:
        states: The states.
        first: `first[i]:first[i+1]` are the transitions that leave state i; length states + 1.
        target: State that a transition leads to, or -1 where the play stopped.
        instance: Position of the instance in `Program.instances`.
        over: For each state whether the game is over.
    """

    states: States
    first: Numbers
    target: Numbers
    instance: Numbers
    over: NDArray[np.bool_]

    def sources(self) -> Numbers:
        """The state that each transition leaves."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))

    def depths(self) -> Numbers:
        """The length of a shortest play to each state (states are numbered breadth-first)."""
        n = len(self.first) - 1
        parent = np.full(n, -1, np.int64)
        live = np.flatnonzero(self.target >= 0)[::-1]
        parent[self.target[live]] = self.sources()[live]  # the first transition is written last
        parent[0] = -1
        depth, begin, end = np.zeros(n, np.int64), 0, 1
        while end < n:  # parents rise with the number, so a level is a run of states
            begin, end = end, int(np.searchsorted(parent, end, side="left"))
            depth[begin:end] = depth[begin - 1] + 1
        return depth


@dataclass(frozen=True)
class Exploration:
    """The result of `explore`.

    Attributes:
        program: What was explored.
        states: Number of distinct states found.
        transitions: Number of steps between them, stops included.
        depth: Length of the longest shortest play.
        seconds: Time used.
        stopped_by: The limit that ended the search, or "" when it was exhaustive.
        sites: Site id → a shortest play that records it.
        stuck: A shortest play to a state in which nobody may act although the game is not over.
        stuck_states: How many such states there are.
        over_states: In how many states the game is over.
        fired: Label of every instance that acted → how often.
        violated: Property name → a shortest play that breaks it (`always`, `step`).
        met: Property name → a shortest play that meets it (`sometimes`).
        graph: The transitions, where they were asked for.
        engine: Which engine searched.
    """

    program: Program
    states: int
    transitions: int
    depth: int
    seconds: float
    stopped_by: str
    sites: Mapping[str, Play]
    stuck: Play | None
    stuck_states: int
    over_states: int
    fired: Mapping[str, int]
    violated: Mapping[str, Play]
    met: Mapping[str, Play]
    graph: Graph | None = field(repr=False, default=None)
    engine: str = "reference"

    def __repr__(self) -> str:
        p = self.program
        told = [counted(self.states, "state"), counted(self.transitions, "transition"), f"depth {self.depth}"]
        told += [f"stopped by {self.stopped_by}"] if self.stopped_by else []
        told += [f"{self.stuck_states} stuck"] if self.stuck_states else []
        told += [f"violated {', '.join(self.violated)}"] if self.violated else []
        return f"<Exploration of {p.book.name}, {p.variant}, {p.size_name}: {', '.join(told)}>"

    @property
    def complete(self) -> bool:
        """Whether every reachable state was visited."""
        return not self.stopped_by

    @property
    def scope(self) -> str:
        """Size and method, for verdicts."""
        return f"{self.program.size_name}, all {self.states} reachable states"

    def verdict(self, play: Play | None) -> Verdict:
        """The verdict on something that this play does, or that no play did."""
        if play is not None:
            return Refuted(play)
        if self.complete:
            return Proved(self.scope)
        return Unknown(self.stopped_by, f"{self.states} states, depth {self.depth}")

    def site(self, id: str) -> Verdict:
        """Whether a site can be recorded: `Refuted` with the play if so."""
        return self.verdict(self.sites.get(id))
