"""What random games give.

Promises: one row a game, in order of their numbers; the same seed and numbers give the same rows, whichever
engine played.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.language.program import Program


class End(enum.IntEnum):
    """How a game ended."""

    OVER = 0
    STOPPED = 1  #: the text ends there, or a number left its range
    STUCK = 2  #: nobody may act although the game is not over
    CUT = 3  #: longer than wanted


@dataclass(frozen=True)
class Games:
    """Random games of one program.

    Attributes:
        program: What was played.
        ended: How each game ended (values of `End`).
        moves: Number of moves of each.
        states: Games × slots: the last state of each.
        winners: Games × players: who has won (all false where that is not declared).
        scores: Games × players (0 where that is not declared).
        met: Games × sites: which sites each game came by.
    """

    program: Program
    ended: NDArray[np.int8]
    moves: NDArray[np.int32]
    states: NDArray[np.int64]
    winners: NDArray[np.bool_]
    scores: NDArray[np.int64]
    met: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ended)

    def share(self, end: End) -> float:
        """The share of the games that ended so."""
        return float(np.mean(self.ended == end)) if len(self) else 0.0

    @property
    def frequency(self) -> Mapping[str, float]:
        """Site id → the share of the games that came by it."""
        shares = self.met.mean(axis=0) if len(self) else np.zeros(self.met.shape[1])
        return {s.id: float(v) for s, v in zip(self.program.sites, shares, strict=True)}


def blank(program: Program, count: int) -> Games:
    """A table of games that are still to be played; see `Games`."""
    return Games(
        program,
        np.zeros(count, np.int8),
        np.zeros(count, np.int32),
        np.zeros((count, len(program.layout.slots)), np.int64),
        np.zeros((count, program.players), np.bool_),
        np.zeros((count, program.players), np.int64),
        np.zeros((count, len(program.sites)), np.bool_),
    )
