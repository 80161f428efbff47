"""Playouts: what is at stake where two readings part, by paired random games from the parting on.

Promises: both sides of a pair make the same choice wherever they have the same choices (common random
numbers, by a race of exponential clocks); the seed is fixed, so a result can be had again; a stake that no
pair showed is not claimed.

In a race of exponential clocks every move that may be made gets a waiting time, and the shortest is made:
chance by weight, players and the order of consequences evenly. The time of a move depends on the seed, its
label and how often it has been in a race before, on nothing else, so that two games that differ in one move
stay together in all others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from models.language.ir import Actor, Instance
from solvers.interpreter import Interpreter, Values

#: Moves of a game until it is cut off, and moves of all games of one comparison.
MOST_MOVES, MOST_IN_ALL = 2_000, 60_000
_FEWEST = 8
_MASK = (1 << 64) - 1


@dataclass(frozen=True)
class End:
    """How a game ended.

    Attributes:
        how: `over`, `stopped`, `stuck` or `cut off`.
        winners: For each player whether they have won, where it is over.
        scores: Each player's score, where it is over.
        moves: Number of moves.
    """

    how: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    moves: int


@dataclass(frozen=True)
class Stake:
    """What differed in paired games from the parting on.

    Attributes:
        games: Number of pairs.
        stops: Pairs in which one side's play stopped or got stuck and the other's did not.
        winner: Pairs with another winner.
        score: Pairs with another score.
    """

    games: int
    stops: int
    winner: int
    score: int

    @property
    def level(self) -> str:
        """The gravest thing seen: `stops`, `winner`, `score` or `argument`."""
        return "stops" if self.stops else "winner" if self.winner else "score" if self.score else "argument"


def choose(run: Interpreter, state: Values, enabled: Sequence[Instance], draw: float) -> Instance:
    """The instance that a uniform draw from [0, 1) picks: chance by weight, players and order evenly."""
    if enabled[0].actor is not Actor.CHANCE:
        return enabled[int(draw * len(enabled))]
    weights = [run.value(i.weight, state) for i in enabled]
    left = draw * sum(weights)
    for i, w in zip(enabled, weights, strict=True):
        left -= w
        if left < 0:
            return i
    return enabled[-1]


class Clocks:
    """The clocks of one game.

    Args:
        seed: Of the waiting times; games with one seed are paired.
    """

    def __init__(self, seed: int) -> None:
        self.seed = _mixed(seed)
        self.races: dict[str, int] = {}

    def first(self, run: Interpreter, state: Values, enabled: Sequence[Instance]) -> Instance:
        """The instance whose clock rings first."""
        if len(enabled) == 1:
            return enabled[0]
        chance = enabled[0].actor is Actor.CHANCE
        best, least = enabled[0], math.inf
        for i in enabled:
            label = run.labels[i.index]
            race = self.races[label] = self.races.get(label, 0) + 1
            time = -math.log(self._uniform(label, race)) / (run.value(i.weight, state) if chance else 1)
            if time < least:
                best, least = i, time
        return best

    def _uniform(self, label: str, race: int) -> float:
        """A number from (0, 1]."""
        return ((_mixed(self.seed ^ _mixed(_hash(label) + race)) >> 11) + 1) / (1 << 53)


@cache
def _hash(label: str) -> int:
    return int.from_bytes(blake2b(label.encode(), digest_size=8).digest(), "big")


def _mixed(x: int) -> int:
    """The output function of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def finish(run: Interpreter, state: Values | None, clocks: Clocks) -> End:
    """Play at random to the end."""
    program = run.program
    for moves in range(MOST_MOVES):
        if state is None:
            return End("stopped", (), (), moves)
        enabled = run.enabled(state)
        if not enabled:
            if not run.over(state):
                return End("stuck", (), (), moves)
            winners, scores = (
                tuple(run.value(t, state) for t in ts) for ts in (program.winners, program.scores)
            )
            return End("over", winners, scores, moves)
        state = run.after(state, clocks.first(run, state, enabled))
    return End("cut off", (), (), MOST_MOVES)


def stake(
    one: Interpreter,
    two: Interpreter,
    states: tuple[Values | None, Values | None],
    games: int = 60,
    seed: int = 1,
) -> Stake:
    """Play pairs of random games on from a parting.

    Args:
        one: The first program.
        two: The second.
        states: The states after the parting.
        games: Number of pairs; fewer, but at least 8, where games are so long that it would take too long.
        seed: First seed; pair k uses seed + k on both sides.

    Returns:
        The counts.
    """
    stops = winner = score = moves = 0
    for played in range(games):
        if moves > MOST_IN_ALL and played >= _FEWEST:
            return Stake(played, stops, winner, score)
        a, b = (
            finish(run, state, Clocks(seed + played)) for run, state in zip((one, two), states, strict=True)
        )
        moves += a.moves + b.moves
        stops += (a.how in ("stopped", "stuck")) != (b.how in ("stopped", "stuck"))
        both = a.how == b.how == "over"
        winner += both and a.winners != b.winners
        score += both and a.scores != b.scores
    return Stake(games, stops, winner, score)
