"""The table of Dwarves: Dig, Delve, Die: the rulebook, its phases and its state.

Promises: dice are told apart by what they show alone; the order of a stack is kept, top last. A card that
lies in the pile has spot 0; face-up cards are numbered from 1, left to right, without gaps. Dice lie on
cards, so a card that moves takes its stack along. What the pile's next card is, chance says when it is drawn.
"""

from __future__ import annotations

import enum

from models.dwarves_dig_delve_die.cards import SIZES, Dwarves
from models.language import Array, Bool, Enum, Index, Range, Rulebook, Stack, State, deferred, player
from models.language.sizefiles import numbers_reader


class Phase(enum.Enum):
    """Where a turn stands."""

    SETUP = 0  #: nobody has a die yet
    DRAW = 1  #: a turn begins
    ROLL = 2  #: dice are about to be rolled
    PLACE = 3  #: dice that were rolled are placed
    LOWEST = 4  #: everything is placed: which number digs
    DIG = 5  #: dice of that number dig
    REVEAL = 6  #: a card of the pile is turned up
    ARMY = 7  #: the Iron Army takes a die
    STEAL = 8  #: the Goblin Warrens steal
    SURVEY = 9  #: the Survey Team picks a card
    MAZE = 10  #: the Labyrinth is laid out
    DRINK = 11  #: the Bearded Skull: a race
    OVER = 12  #: somebody has won


size = deferred(Dwarves)
book = Rulebook(
    "dwarves_dig_delve_die",
    "Dwarves: Dig, Delve, Die",
    file=__file__,
    sizes=SIZES,
    players=size.players,
    read_sizes=numbers_reader(Dwarves),
    variants={
        "all-cards": "the pile as it is",
        "dry": "without the cards that speak of a mug",
        "two": "two players, without the Orc Blockade",
    },
)


@book.state
class Table(State):
    """Everything on the table; hidden is what players keep in mind while dice dig."""

    phase = Enum(Phase)
    turn = Index(size.players)
    supply = Range(0, size.dice, start=size.dice)  #: the draw pile of dice
    own = Array(size.players, Range(0, size.dice))  #: dice in front of each player
    fist = Range(0, size.dice)  #: dice that are about to be rolled
    rolled = Array(size.sides, Range(0, size.dice))  #: dice to be placed, by what they show (1 first)
    spot = Array(size.card, Range(0, size.places), start=size.spots)
    stack = Array(size.card, Stack(Range(1, size.sides), size.dice))
    gold = Array(size.players, Range(0, size.goal))
    number = Range(0, size.sides)  #: the number that digs; 0: none
    heir = Range(0, size.players)  #: who has won the next turn, from 1; 0: nobody
    box = Range(0, size.dice)  #: dice out of the game; only under a reading
    forced = Bool()  #: a die is placed where it does not fit; only under a reading

    at = Range(0, size.places, hidden=True)  #: digging goes on to the right of this spot
    due = Array(size.card, Bool(), hidden=True)  #: the die on top is one of those that dig
    dug = Array(size.card, Bool(), hidden=True)  #: a die of this card has dug; the rest of its stack was left
    filled = Range(0, size.places, hidden=True)  #: the Labyrinth: spots laid out already
    jumped = Bool(hidden=True)  #: the Labyrinth has moved on past dice that were to dig
    moved = Bool(hidden=True)  #: the Labyrinth: some card lies elsewhere; only under a reading
    resume = Range(0, size.players, hidden=True)  #: whose turn was passed over; only under a reading


turn_player = player(lambda t: t.turn)
