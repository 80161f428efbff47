"""Balance: who wins from which seat, and how long games last, in random play.

Promises: seeds are fixed; shares come with 95 % Wilson intervals (Wilson 1927); games that do not come to
an end are counted apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.language.program import Program
from solvers.simulate import Playouts
from solvers.simulate.results import End

#: Moves after which a game is cut off.
LONGEST = 5000
_Z = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """A share or a mean with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Seats:
    """What random games of one program show.

    Attributes:
        games: Games played.
        ended: Games that came to an end.
        wins: For each seat the share of ended games that it won (alone or with others).
        length: Mean number of moves of ended games.
    """

    games: int
    ended: int
    wins: tuple[Interval, ...]
    length: Interval


def wilson(hits: int, of: int) -> Interval:
    """A share with its Wilson interval."""
    if not of:
        return Interval(0.0, 0.0, 1.0)
    p, z2 = hits / of, _Z * _Z
    centre, spread = p + z2 / (2 * of), _Z * math.sqrt(p * (1 - p) / of + z2 / (4 * of * of))
    low = max(0.0, (centre - spread) / (1 + z2 / of)) if hits else 0.0
    high = min(1.0, (centre + spread) / (1 + z2 / of)) if hits < of else 1.0
    return Interval(p, low, high)


def mean(values: list[int]) -> Interval:
    """A mean with its normal interval."""
    if not values:
        return Interval(0.0, 0.0, 0.0)
    m = sum(values) / len(values)
    deviation = math.sqrt(sum((v - m) ** 2 for v in values) / max(len(values) - 1, 1))
    half = _Z * deviation / math.sqrt(len(values))
    return Interval(m, m - half, m + half)


def seats(program: Program, games: int, seed: int = 1) -> Seats:
    """Play random games.

    Args:
        program: The program; it must declare who wins.
        games: How many.
        seed: Of all games; game k of two programs with one seed has the same random numbers.
    """
    played = Playouts(program).play(games, seed=seed, longest=LONGEST)
    over = played.ended == End.OVER
    ended = int(over.sum())
    wins = tuple(wilson(int(played.winners[over, p].sum()), ended) for p in range(program.players))
    return Seats(games, ended, wins if program.winners else (), mean(played.moves[over].tolist()))
