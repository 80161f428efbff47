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
_GAMMA, _GAME = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95
#: Coefficients 1/(2k + 1) of the series of the inverse hyperbolic tangent, the last first.
SERIES = tuple(1 / (2 * k + 1) for k in reversed(range(21)))
LN2 = math.log(2)
EPSILON = 2.0**-53


def mix(x: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _MASK
    return x ^ x >> 31


def ln(u: float) -> float:
    """The natural logarithm of a number in (0, 1], to within 1e-14."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", u))
    (m,) = struct.unpack("<d", struct.pack("<Q", bits & 0xFFFFFFFFFFFFF | 0x3FF0000000000000))
    s = (m - 1) / (m + 1)
    t, p = s * s, 0.0
    for c in SERIES:
        p = p * t + c
    return float(float((bits >> 52) - 1023) * LN2 + 2 * s * p)


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
        self.key = mix((mix(seed + _GAMMA & _MASK) + game * _GAME) & _MASK)
        self.raced: Counter[str] = Counter()

    def race(self, labels: Sequence[str], weights: Sequence[int]) -> int:
        """Position of the label whose clock rings first; weights are rates."""
        best, winner = -math.inf, 0
        for n, (label, weight) in enumerate(zip(labels, weights, strict=True)):
            x = mix(((self.key ^ label_key(label)) + self.raced[label] * _GAMMA) & _MASK)
            self.raced[label] += 1
            time = ln((float(x >> 11) + 0.5) * EPSILON) / weight
            if time > best:
                best, winner = time, n
        return winner
