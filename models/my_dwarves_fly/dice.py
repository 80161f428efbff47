"""Dice of My Dwarves Fly: how often a number of dice shows a sum together with a number of gold pieces.

Promise: exact counts, by convolution over the faces of one die; no sampling, no rounding.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping

#: Sum of the dice and pieces of gold found.
Roll = tuple[int, int]


@functools.cache
def rolls(dice: int, faces: tuple[int, ...], gold_on: frozenset[int]) -> Mapping[Roll, int]:
    """How many ways there are to roll each sum together with each number of pieces of gold.

    Args:
        dice: Number of dice, at least 0.
        faces: The numbers on the faces of one die, each as likely as the others.
        gold_on: The numbers that find a piece of gold.

    Returns:
        (sum, gold) → number of ways; all ways together are `len(faces) ** dice`.
    """
    if dice == 0:
        return {(0, 0): 1}
    ways: Counter[Roll] = Counter()
    for (total, gold), n in rolls(dice - 1, faces, gold_on).items():
        for face in faces:
            ways[total + face, gold + (face in gold_on)] += n
    return dict(sorted(ways.items()))
