"""The table of Fly High: the rulebook, its phases and its state.

Promises: what is a card nobody has seen stays undecided until it is turned up. `unseen` counts the kinds of
all such cards together: those of the deck, those face down in the square that were never up, and those
that went from the deck to a score pile. They are exchangeable, so drawing a kind from `unseen` at the
moment a card is first turned up gives every play the probability it has with a shuffled deck. A card that
is turned back keeps its kind on its spot; how well players remember it is their affair, a player may
always pick any spot.
"""

from __future__ import annotations

import enum

from models.fly_high.cards import SIZES, FlyHigh
from models.language import Array, Bag, Bool, Enum, Index, Range, Rulebook, State, deferred, player


class Phase(enum.Enum):
    """Where a turn stands."""

    ROLL = 0  #: the die is about to be rolled
    FLY = 1  #: the player must turn a card up
    CHOICE = 2  #: the player may stop or turn a further card up
    DRAW = 3  #: a card that was never seen is being turned up
    FAILED = 4  #: the flight has failed
    WON = 5  #: the flight has succeeded
    ENDING = 6  #: bonus and refill are due
    OUT = 7  #: the deck has run out
    OVER = 8  #: the cards are counted


class Course(enum.Enum):
    """Advanced level: how this flight has to go on."""

    OPEN = 0  #: not settled yet
    LEVEL = 1  #: at one height
    CHANGING = 2  #: from number to number higher (lower after a U-turn)
    FREE = 3  #: as at the basic level, for this flight


size = deferred(FlyHigh)
book = Rulebook("fly_high", "Fly High", file=__file__, sizes=SIZES, players=size.players,
                variants={"basic": "basic level", "advanced": "advanced level"})


@book.state
class Table(State):
    """Everything on the table; hidden is what no player can see lying there."""

    phase = Enum(Phase)
    turn = Index(size.players)
    die = Range(0, size.spots)  #: 0: not rolled
    grid = Array(size.spots, Enum(size.card), start=size.hidden)
    face_up = Array(size.spots, Bool())
    pick = Index(size.spots)  #: the spot that is being turned up
    deck = Range(0, size.deck, start=size.deck)
    unseen = Bag(size.card, size.counts)
    score = Array(size.players, Range(0, size.total))
    won = Array(size.players, Bool())

    height = Range(0, size.highest, hidden=True)  #: the number to compare with, in tens; 0: none
    down = Bool(hidden=True)  #: the order is turned round
    course = Enum(Course, hidden=True)
    bonus_due = Range(0, size.most_bonus, hidden=True)
    refill_due = Bool(hidden=True)
    #: The row stands on a U-turn; kept only where a reading asks for it.
    standing = Bool(hidden=True)
    #: Cards with each character that flights have brought in, up to 3; kept only under `bonus.scope`.
    held = Array(size.players, Array(size.tracked, Range(0, 3)), hidden=True)


turn_player = player(lambda t: t.turn)
