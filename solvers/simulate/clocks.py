"""The clocks of the race that chooses moves, in Python: the same numbers as the native code, bit by bit.

Promise: times depend on the seed, the game, the label and how often it has raced, on nothing else.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

_MASK = (1 << 64) - 1
GAMMA, GAME = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95
#: Shifts and factors of the finaliser of SplitMix64, and its last shift.
MIX, LAST_SHIFT = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)), 31
#: Coefficients 1/(2k + 1) of the series of the inverse hyperbolic tangent, the last first.
SERIES = tuple(1 / (2 * k + 1) for k in reversed(range(11)))
LN2 = math.log(2)
EPSILON = 2.0**-53
#: The bits of the square root of one half.
ROOT_HALF = 0x3FE6A09E667F3BCD


def mix(x: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    for shift, factor in MIX:
        x = (x ^ x >> shift) * factor & _MASK
    return x ^ x >> LAST_SHIFT


def ln(u: float) -> float:
    """The natural logarithm of a number in (0, 1], to within 1e-14."""
    (bits,) = struct.unpack("<q", struct.pack("<d", u))
    e = (bits - ROOT_HALF) >> 52
    (m,) = struct.unpack("<d", struct.pack("<q", bits - (e << 52)))  # from the root of 1/2 to that of 2
    s = (m - 1) / (m + 1)
    t, p = s * s, 0.0
    for c in SERIES:
        p = p * t + c
    return float(float(e) * LN2 + 2 * s * p)


def beats(x: int, weight: int, other: int, rival: int) -> bool:
    """Whether a clock rings before another one: the greater logarithm of the draw by its weight wins.

    Args:
        x: A draw, 64 bits, odd.
        weight: Its weight, above 0.
        other: The other draw; 0 where nobody has raced yet.
        rival: The other weight; 0 where nobody has raced yet.
    """
    if x > other and weight >= rival:
        return True
    if x <= other and weight <= rival:
        return False
    return ln(_share(x)) / weight > ln(_share(other)) / rival


def _share(x: int) -> float:
    """The draw as a number between 0 and 1."""
    return (float(x >> 11) + 0.5) * EPSILON


@cache
def label_key(label: str) -> int:
    """64 bits that stand for a label."""
    return int.from_bytes(blake2b(label.encode(), digest_size=8).digest(), "little")


class Clocks:
    """The clocks of one game.

    Args:
        seed: The seed, 64 bits.
        game: Number of the game, from 0.
    """

    def __init__(self, seed: int, game: int) -> None:
        self.key = mix((mix(seed + GAMMA & _MASK) + game * GAME) & _MASK)
        self.raced: Counter[str] = Counter()

    def race(self, labels: Sequence[str], weights: Sequence[int]) -> int:
        """Position of the label whose clock rings first; weights are rates."""
        best, heaviest, winner = 0, 0, 0
        for n, (label, weight) in enumerate(zip(labels, weights, strict=True)):
            x = mix(((self.key ^ label_key(label)) + self.raced[label] * GAMMA) & _MASK) | 1
            self.raced[label] += 1
            if beats(x, weight, best, heaviest):
                best, heaviest, winner = x, weight, n
        return winner
