"""The table of The Duel: the rulebook, its phases and its state.

Promises: every card is in a deck, in a hand, in a display, about to be played, or on a discard pile, and the
piles are what is left over: `discarded` counts them, no field does. Dice and Wild Cards in the middle are
those that nobody has. Decks and hands are hidden.

What waits to be carried out lies on `chain`, one above the other: a king that was just played and can be
struck, an attack with its points of damage, a blow against the king. Each is a number: twice its kind, plus
its owner.
"""

from __future__ import annotations

import enum

from models.language import (
    Array,
    Bag,
    Bool,
    Enum,
    Index,
    Range,
    Rulebook,
    Stack,
    State,
    Term,
    TermLike,
    Window,
    deferred,
    every,
    ite,
    player,
    responder,
    total,
)
from models.the_duel.cards import Card, Duel
from models.the_duel.files import read, read_all


class Phase(enum.Enum):
    """Where a turn stands."""

    SETUP = 0  #: the decks are not there yet
    DEAL = 1  #: the hands are dealt (variant `turn`: a table is laid out)
    REFILL = 2  #: a hand is filled
    DICE = 3  #: dice are taken out of the middle
    ROLL = 4  #: dice roll
    ASK = 5  #: something visible has happened: who could answer it?
    ACT = 6  #: cards are played, effects are used
    PAY = 7  #: dice are returned for a card
    ENTER = 8  #: a card that was paid for is put down
    AIM = 9  #: a point of damage is aimed
    MILL = 10  #: a card of a draw pile is turned up because of damage
    REMOVE = 11  #: an event takes a card away
    DRAWS = 12  #: an effect draws cards
    END = 13  #: the turn ends
    ENDING = 14  #: the last card was drawn
    OVER = 15  #: the game is over


#: Kinds of what lies on the chain; an attack with n points is `ATTACK + n - 1`.
KING, BLOW, ATTACK = 1, 2, 3

size = deferred(Duel)
book = Rulebook(
    "the_duel",
    "The Dwarves: The Duel",
    file=__file__,
    sizes=read_all(),
    players=2,
    read_sizes=read,
    variants={"game": "the whole game", "turn": "one turn from any table"},
)


@book.state
class Table(State):
    """Everything on the table."""

    phase = Enum(Phase)
    turn = Index(2)
    actor = Index(2)  #: who draws, or takes a card away
    deck = Array(2, Bag(size.card, size.counts, full=False), hidden=True)
    hand = Array(2, Bag(size.card, size.counts, full=False), hidden=True)
    display = Array(2, Bag(size.card, size.display_counts, full=False))
    #: Damage on each card in this turn, below its health points.
    damage = Array(2, Bag(size.card, size.wounds, full=False))
    dice = Array(2, Array(size.face_count, Range(0, size.most_dice)))  #: by face, 0 for wild
    wild = Array(2, Range(0, size.wild_cards))  #: Wild Cards
    to_roll = Range(0, size.most_rolled)
    paying = Enum(size.card)  #: the card that is being played
    chain = Stack(Range(0, 2 * size.most_damage + 2 * ATTACK - 1), size.longest_chain)
    window = Window(2)
    drawing = Range(0, size.most_draws)  #: cards that an effect still draws
    turned = Range(0, size.most_turned)  #: dice turned in this turn
    #: A die has been used in this turn.
    used = Bool()
    #: A free card has been played in this turn; kept only under `wild.free-card`.
    played = Bool(hidden=True)
    won = Array(2, Bool())


turn_player = player(lambda t: t.turn)
acting = player(lambda t: t.actor)
aiming = player(lambda t: owner(t.chain.top))
answering = responder(lambda t: t.window.asked)


# --- the chain ----------------------------------------------------------------------------------------


def link(kind: TermLike, seat: TermLike) -> Term:
    """What is laid on the chain: something of a kind that a player owns."""
    return total(kind) * 2 + seat


def owner(item: Term) -> Term:
    """Whose it is."""
    return item % 2


def kind(item: Term) -> Term:
    """Which kind it is; 0 where nothing lies."""
    return item // 2


def is_attack(item: Term) -> Term:
    """Whether it can be prevented: points of damage, or a blow against a king."""
    return kind(item) >= BLOW


# --- cards, dice, Wild Cards --------------------------------------------------------------------------


def other(seat: TermLike) -> Term:
    """The opponent of a player."""
    return total(1) - seat


def discarded(t: Table, seat: int, card: enum.Enum) -> Term:
    """How many of a card lie on a player's discard pile."""
    printed: int = t.size.counts[card]
    paying = every(t.paying == card, t.turn == seat, t.phase != Phase.SETUP)
    return (
        total(printed) - t.deck[seat][card] - t.hand[seat][card] - t.display[seat][card] - ite(paying, 1, 0)
    )


def held(t: Table, seat: TermLike) -> Term:
    """How many cards a player holds."""
    return t.hand[seat].total()


def dice_of(t: Table, seat: TermLike) -> Term:
    """How many dice lie in front of a player."""
    return total(*t.dice[seat])


def dice_in_middle(t: Table) -> Term:
    """How many dice lie in the middle of the table."""
    return total(t.size.dice) - dice_of(t, total(0)) - dice_of(t, total(1))


def wild_in_middle(t: Table) -> Term:
    """How many Wild Cards lie in the middle of the table."""
    return total(t.size.wild_cards) - t.wild[0] - t.wild[1]


def copies(t: Table, seat: TermLike, cards: tuple[Card, ...]) -> Term:
    """How many of some cards lie in a player's display."""
    return total(*(t.display[seat][c] for c in t.size.members(cards)))


def has_health(t: Table, seat: TermLike) -> Term:
    """Whether a card with health points lies in a player's display."""
    return total(*(t.display[seat][c] for c in t.size.where(health=True))) > 0
