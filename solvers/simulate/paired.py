"""Paired random games: how often it matters which of two programs is played.

Promises: both games of a pair have the same random numbers, so that they differ only through what the
programs do; a pair whose game never meets the parting is alike to the end; shares come with 95 % Wilson
intervals (Wilson 1927); the same seed gives the same result on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.language.program import Program
from solvers.compare.balance import Interval, wilson
from solvers.compare.shadow import Shadow, shadowed
from solvers.contract import Progress
from solvers.interpreter import Interpreter
from solvers.simulate import LONGEST, Playouts
from solvers.simulate.policies import UNIFORM, Policy
from solvers.simulate.results import End, Games

#: Confidence of every interval.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Paired:
    """What pairs of games show.

    Attributes:
        policy: Who played.
        games: Number of pairs.
        met: Games that came to a step at which the two programs part.
        stops: Pairs of which one alone came to a halt without an end.
        winner: Pairs that both ended, with another winner.
        score: Pairs that both ended, in which somebody has another score.
        length: Pairs of different length.
    """

    policy: str
    games: int
    met: int
    stops: int
    winner: int
    score: int
    length: int

    def share(self, what: str) -> Interval:
        """The share of one of the counts, with its interval."""
        return wilson(getattr(self, what), self.games)


def paired(
    one: Program,
    two: Program,
    games: int,
    *,
    seed: int = 1,
    policy: Policy = UNIFORM,
    longest: int = LONGEST,
    native: bool = True,
    progress: Progress | None = None,
) -> Paired:
    """Play pairs of games of two programs.

    Args:
        one: The first program; its games are asked whether they meet the parting.
        two: The second program, of the same layout.
        games: Number of pairs, at least 1.
        seed: Of all of them.
        policy: Who plays.
        longest: Moves after which a game is cut off.
        native: False for the reference.
        progress: Where to say how far it is.
    """
    shadow = shadowed(policy.play(one), policy.play(two))
    mine = Playouts(shadow.program, native=native).play(games, seed=seed, longest=longest, progress=progress)
    met = meets(shadow, mine)
    if not met.any():  # alike to the end, so there is nothing to play
        return Paired(policy.name, games, 0, 0, 0, 0, 0)
    theirs = Playouts(shadow.two, native=native).play(games, seed=seed, longest=longest, progress=progress)
    return compared(policy.name, mine, theirs, met)


def compared(policy: str, mine: Games, theirs: Games, met: NDArray[np.bool_]) -> Paired:
    """The counts of pairs that were played."""
    over = (mine.ended == End.OVER) & (theirs.ended == End.OVER)
    halts = [np.isin(g.ended, (End.STOPPED, End.STUCK)) for g in (mine, theirs)]
    return Paired(
        policy,
        len(mine),
        int(met.sum()),
        int((halts[0] != halts[1]).sum()),
        int((over & (mine.winners != theirs.winners).any(axis=1)).sum()),
        int((over & (mine.scores != theirs.scores).any(axis=1)).sum()),
        int((mine.moves != theirs.moves).sum()),
    )


def meets(shadow: Shadow, games: Games) -> NDArray[np.bool_]:
    """Which games of a shadowed program met the parting, on the way or where they came to rest."""
    met = games.met[:, shadow.site].copy()
    resting = np.flatnonzero(~met & np.isin(games.ended, (End.OVER, End.STUCK)))
    if len(resting):
        one, two = Interpreter(shadow.one), Interpreter(shadow.two)
        states, back = np.unique(games.states[resting], axis=0, return_inverse=True)
        differ = np.array([shadow.differs_at_rest(tuple(s), one, two) for s in states.tolist()], np.bool_)
        met[resting] = differ[back.reshape(-1)]
    return met


__all__ = ["CONFIDENCE", "Paired", "compared", "meets", "paired"]
