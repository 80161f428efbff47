"""Exact: what random games show on average, by solving the Markov chain of an explored size.

Promises: the numbers that games estimate, up to rounding: how often the parting is met, how often each
player wins, how long a game is. Only for sizes that were explored whole, and from whose every state play
comes to rest (a chain that is absorbed with certainty; Kemeny and Snell 1960).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.language.errors import ModelError
from models.language.ir import Actor
from models.language.program import Program
from solvers.compare.shadow import Shadow, shadowed
from solvers.contract import Limits
from solvers.explorer import explore
from solvers.interpreter import Interpreter
from solvers.simulate.policies import UNIFORM, Policy

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Exact:
    """Expected values of one random game.

    Attributes:
        states: States of the chain.
        ended: Probability that the game is over in the end (and has not come to a halt before).
        wins: For each player the probability of having won.
        scores: For each player the expected score where the game is over (0 counts where it is not).
        length: Expected number of moves.
        met: Probability of meeting the parting (0 where there is no second program).
    """

    states: int
    ended: float
    wins: tuple[float, ...]
    scores: tuple[float, ...]
    length: float
    met: float = 0.0


def exact(program: Program, *, policy: Policy = UNIFORM, limits: Limits | None = None) -> Exact:
    """Solve the chain of one program.

    Args:
        program: The program.
        policy: Who plays.
        limits: When the exploration gives up.

    Errors:
        ModelError: the size is too large, or some play never comes to rest.
    """
    return _solved(policy.play(program), None, limits)


def exactly_paired(
    one: Program, two: Program, *, policy: Policy = UNIFORM, limits: Limits | None = None
) -> Exact:
    """Solve the chain of the first program, with how often it parts from the second; see `exact`."""
    shadow = shadowed(policy.play(one), policy.play(two))
    return _solved(shadow.program, shadow, limits)


def _solved(program: Program, shadow: Shadow | None, limits: Limits | None) -> Exact:
    chain = Chain(program, limits)
    gains = {"length": np.ones(chain.moves), "over": chain.into(chain.graph.over)}
    for n in range(program.players):
        gains[f"win {n}"] = chain.into_value(program.winners, n)
        gains[f"score {n}"] = chain.into_value(program.scores, n)
    if shadow is not None:
        gains["met"] = chain.meeting(shadow)
    found = dict(zip(gains, chain.expected(list(gains.values())), strict=True))
    players = range(program.players)
    return Exact(
        chain.count,
        found["over"],
        tuple(found[f"win {n}"] for n in players),
        tuple(found[f"score {n}"] for n in players),
        found["length"],
        found.get("met", 0.0),
    )


class Chain:
    """The chain of a program: states, moves with their weights and probabilities.

    Args:
        program: The program, with the policy of who plays in it.
        limits: When the exploration gives up.

    Attributes:
        program: The program.
        graph: Its states and moves; state 0 is the setup.
        count: Number of states.
        source: For each move the state that it leaves.
        moves: Number of moves.
        weights: For each move its weight, a whole number.
        odds: For each move its probability.

    Errors:
        ModelError: the size is too large.
    """

    def __init__(self, program: Program, limits: Limits | None = None) -> None:
        explored = explore(program, limits=limits, graph=True)
        if explored.graph is None or not explored.complete:
            raise ModelError(
                f"the chain of {program.size_name} has too many states: {explored.stopped_by}",
                hint="take a smaller size",
            )
        self.program, self.graph, self.run = program, explored.graph, Interpreter(program)
        self.source, self.count = self.graph.sources(), explored.states
        self.moves = len(self.source)
        self.weights = self._weights()
        whole = np.bincount(self.source, self.weights, self.count)
        self.odds: Numbers = self.weights / whole[self.source]

    def _weights(self) -> NDArray[np.int64]:
        """The weight of each move: chance's own, the same for all others."""
        weights = np.ones(self.moves, np.int64)
        instances, states = self.program.instances, self.graph.states
        chance = np.array([i.actor is Actor.CHANCE and i.weight.op != "const" for i in instances], np.bool_)
        for i in instances:
            if i.actor is Actor.CHANCE and i.weight.op == "const":
                weights[self.graph.instance == i.index] = i.weight.lo
        if chance.any():
            for m in np.flatnonzero(chance[self.graph.instance]).tolist():
                i = instances[int(self.graph.instance[m])]
                weights[m] = self.run.value(i.weight, states[int(self.source[m])])
        return weights

    def into(self, mark: NDArray[np.bool_]) -> Numbers:
        """1 for the moves that lead into a marked state."""
        live = self.graph.target >= 0
        return np.where(live, mark[np.where(live, self.graph.target, 0)], False).astype(np.float64)

    def into_value(self, terms: tuple[object, ...], n: int) -> Numbers:
        """For the moves that end the game, the value of a term there."""
        values = np.zeros(self.count)
        if terms:
            for s in np.flatnonzero(self.graph.over).tolist():
                values[s] = self.run.value(terms[n], self.graph.states[s])  # type: ignore[arg-type]
        live = self.graph.target >= 0
        return np.where(live, values[np.where(live, self.graph.target, 0)], 0.0)

    def meeting(self, shadow: Shadow) -> Numbers:
        """1 for the moves at which the parting is met: once in a play, as the second program leaves then."""
        gains = np.zeros(self.moves)
        how = self.graph.states.column(shadow.state)
        live = self.graph.target >= 0
        before, after = how[self.source], how[np.where(live, self.graph.target, 0)]
        gains[live & (before == 0) & (after != 0)] = 1
        one, two = Interpreter(shadow.one), Interpreter(shadow.two)
        resting = (np.diff(self.graph.first) == 0) & (how == 0)
        differ = np.zeros(self.count, np.bool_)
        for s in np.flatnonzero(resting).tolist():
            differ[s] = shadow.differs_at_rest(self.graph.states[s], one, two)
        gains[live & differ[np.where(live, self.graph.target, 0)]] = 1
        for m in np.flatnonzero(~live & (before == 0)).tolist():
            step = self.run.step(
                self.graph.states[int(self.source[m])], self.program.instances[int(self.graph.instance[m])]
            )
            gains[m] = shadow.site in step.hits
        return gains

    def _comes_to_rest(self) -> bool:
        """Whether play comes to rest from every state with certainty: each can reach a state at rest."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import breadth_first_order

        stops, rest = self.graph.target < 0, np.diff(self.graph.first) == 0
        possible = ~stops & (self.weights > 0)
        rest[self.source[stops & (self.weights > 0)]] = True
        ends = np.flatnonzero(rest)
        # a search backwards from one more state, behind all at which play may rest
        rows = np.concatenate([self.graph.target[possible], np.full(len(ends), self.count)])
        columns = np.concatenate([self.source[possible], ends])
        shape = (self.count + 1, self.count + 1)
        back = csr_matrix((np.ones(len(rows), np.int8), (rows, columns)), shape)
        reached = breadth_first_order(back, self.count, return_predecessors=False)
        return len(reached) == self.count + 1

    def expected(self, gains: list[Numbers]) -> list[float]:
        """The expected sum of some gains over a play from the setup.

        Errors:
            ModelError: some play never comes to rest.
        """
        from scipy.sparse import csr_matrix, identity
        from scipy.sparse.linalg import splu

        if not self._comes_to_rest():  # rounding may hide it from the factorization
            raise ModelError(
                f"some play at {self.program.size_name} never comes to rest, so it has no average",
                hint="see what the audit says of endless play",
            )
        live = self.graph.target >= 0
        shape = (self.count, self.count)
        steps = csr_matrix((self.odds[live], (self.source[live], self.graph.target[live])), shape)
        right = np.stack([np.bincount(self.source, self.odds * g, self.count) for g in gains], axis=1)
        solved = splu((identity(self.count) - steps).tocsc()).solve(right)
        return [float(v) for v in solved[0]]


__all__ = ["Chain", "Exact", "exact", "exactly_paired"]
