"""The table of Railroad Ink: the rulebook, its phases and its state.

Promises: players draw one after another, as their boards do not meet; what a player does in a round ends
with `finish`. What no player needs to see (which spaces are new in the round) is hidden.
"""

from __future__ import annotations

import enum

from models.language import Array, Bag, Bool, Enum, Index, Range, Rulebook, State, deferred, player
from models.railroad_ink.sizes import SIZES, Board


class Phase(enum.Enum):
    """Where a round stands."""

    SETUP = 0  #: the boards are empty
    METEOR = 1  #: the meteor dice are about to be rolled
    DODGE = 2  #: a player may ignore them
    FLY = 3  #: the meteor of a player flies
    FALL = 4  #: it has come to the end of its way
    ROLL = 5  #: dice are about to be rolled
    DRAW = 6  #: a player draws
    SCORE = 7  #: the last round is over
    OVER = 8  #: the scores are known


class Heading(enum.Enum):
    """Where a meteor flies."""

    ABOVE = 0
    RIGHT = 1
    BELOW = 2
    LEFT = 3
    FREE = 4


size = deferred(Board)
book = Rulebook(
    "railroad_ink",
    "Railroad Ink",
    file=__file__,
    sizes=SIZES,
    players=size.players,
    variants={
        "base": "the base game",
        "river": "with the river dice",
        "lake": "with the lake dice",
        "meteor": "with the meteor dice",
        "lava": "with the lava dice",
    },
)


@book.state
class Table(State):
    """All boards, the dice, and what the player who is drawing has done in the round."""

    shape = Range(size.shape, size.shape, hidden=True)  #: which board it is, for pictures
    phase = Enum(Phase)
    turn = Index(size.players)  #: who draws
    round = Range(0, size.last_round)
    board = Array(size.players, Array(size.cells, Enum(size.tile)))
    rolled = Range(0, size.most_dice)  #: dice rolled so far in this round
    left = Array(size.players, Bag(size.face, size.counts, full=False))
    extra = Array(size.players, Bag(size.extra_face, size.extra_counts, full=False))
    used = Array(size.players, Array(size.special, Bool()))  #: special routes that are gone
    spent = Array(size.players, Range(0, size.uses))  #: how many count towards the limit
    special_now = Array(size.players, Bool())  #: one has been used in this round
    fresh = Array(size.cells, Bool(), hidden=True)  #: drawn in this round by the player who is drawing
    lava_done = Bool()  #: the player who is drawing has drawn lava in this round

    meteor = Array(size.players, Index(size.cells), start=size.middle)  #: where it is, or last fell
    heading = Enum(Heading)
    rolled_heading = Enum(Heading)
    steps = Range(0, size.farthest)
    distance = Range(0, size.farthest)
    ignores = Array(size.players, Bool())

    points = Array(size.players, Range(size.fewest_points, size.most_points))
    errors = Array(size.players, Range(0, size.most_errors))
    won = Array(size.players, Bool())


drawer = player(lambda t: t.turn)


def cells(t: Table) -> range:
    """The spaces of a board."""
    return range(t.size.cells)


def seats(t: Table) -> range:
    """The players."""
    return range(t.size.players)
