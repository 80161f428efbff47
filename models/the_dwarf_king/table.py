"""The table of The Dwarf King: the rulebook, its phases and its state.

Promises: every card of the round is in the deck, in one hand, or away (played, or set aside when the deck
was dealt); what lies in the trick is known by the player who played it. Hands, the deck, and which special
card is in the round are hidden until they are played. Suits are numbers as in `Suit`, so that a card without
one has a number too.
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
    State,
    Term,
    TermLike,
    deferred,
    every,
    ite,
    lookup,
    player,
    some,
    total,
)
from models.the_dwarf_king.cards import SUITS, Suit
from models.the_dwarf_king.files import read
from models.the_dwarf_king.sizes import SIZES, DwarfKing


class Phase(enum.Enum):
    """Where a round stands."""

    DRAW = 0  #: a special card is drawn
    LAY = 1  #: variant `trick`: how many cards everybody holds
    DEAL = 2  #: the cards are dealt, one by one
    SEAT = 3  #: variant `trick`: who leads
    REVEAL = 4  #: the top contract is revealed
    CHOOSE = 5  #: one of its two challenges is chosen
    PLAY = 6  #: somebody plays a card
    AIM = 7  #: somebody chooses the card that the special card changes
    TAKE = 8  #: the trick is complete
    SCORE = 9  #: all cards have been played
    COUNT = 10  #: the last round has been scored
    OVER = 11


size = deferred(DwarfKing)
GAME, TRICK = "game", "trick"
book = Rulebook(
    "the_dwarf_king",
    "The Dwarf King",
    file=__file__,
    sizes=SIZES,
    players=size.players,
    read_sizes=read,
    variants={GAME: "the whole game", TRICK: "one trick from any valid table"},
)


@book.state
class Table(State):
    """Everything on the table."""

    phase = Enum(Phase)
    round = Range(0, size.rounds)  #: rounds that have been scored
    dealer = Index(size.players)
    #: Where each card of the round is: 0 and on: that player's hand; then the deck; then away.
    place = Array(size.deck, Range(0, size.players + 1), start=size.players, hidden=True)
    left = Array(size.players, Range(0, size.most))  #: how many cards everybody holds
    aside = Range(0, size.deck)  #: how many cards were set aside
    dealt = Index(size.deck)  #: how many cards have left the deck while the round is dealt
    #: Cards that everybody is dealt (variant `trick`: holds as the trick begins).
    hand = Range(1, size.full, start=size.full)
    specials = Bag(size.special, size.special_counts)  #: those still in the game
    special = Enum(size.special, hidden=True)  #: the one in this round
    shown = Enum(size.special)  #: the same once everybody has seen it
    holder = Range(0, size.players)  #: who is seen to hold it, counted from 1; only under a reading
    contracts = Bag(size.contract, size.contract_counts)
    contract = Enum(size.contract)
    challenge = Enum(size.challenge)

    leader = Index(size.players)
    turn = Index(size.players)
    played = Array(size.players, Enum(size.card))  #: what lies in the trick
    aimed = Range(0, size.players)  #: whose card in the trick is changed, counted from 1; 0: none
    tricks = Array(size.players, Range(0, size.most))
    taken = Array(size.players, Array(len(SUITS), Range(0, size.deck)))  #: cards of each suit
    took = Range(0, size.players)  #: who took the special card, counted from 1; 0: nobody yet
    opened = Range(0, size.players, hidden=True)  #: who led the first trick, from 1
    score = Array(size.players, Range(0 - size.most_total, size.most_total, start=0))
    won = Array(size.players, Bool())


on_turn = player(lambda t: t.turn)


# --- hands --------------------------------------------------------------------------------------------


def seats(t: Table) -> range:
    """The players, by number."""
    return range(t.size.players)


def deck(t: Table) -> int:
    """The number that says in `place` that a card is in the deck; one more says that it is away."""
    players: int = t.size.players
    return players


def where(t: Table, card: enum.Enum) -> Term:
    """Where a card is; see `place`."""
    return t.place[t.size.place(card)]


def printed_suit(t: Table, card: enum.Enum) -> Term:
    """The suit printed on a card, as a number; of the special card, that of its kind."""
    if card is t.size.special_card:
        return lookup(t.special, t.size.by_special("suit"))
    return total(int(t.size.suit(card)))


def holds_suit(t: Table, seat: TermLike, suit: Suit) -> Term:
    """Whether a player holds a card of a suit."""
    return some(*(every(where(t, c) == seat, printed_suit(t, c) == int(suit)) for c in t.size.shuffled))


# --- the trick ------------------------------------------------------------------------------------------


def lies(t: Table, seat: TermLike) -> Term:
    """Whether a card of a player lies in the trick."""
    return every(t.played[seat] != t.size.none)


def is_special(t: Table, seat: TermLike) -> Term:
    """Whether the card of a player in the trick is the special card."""
    return every(t.played[seat] == t.size.special_card)


def suit_before(t: Table, seat: TermLike) -> Term:
    """The suit printed on the card of a player in the trick, as a number."""
    own = lookup(t.special, t.size.by_special("suit"))
    return ite(is_special(t, seat), own, lookup(t.played[seat], t.size.card_suits))


def is_changed(t: Table, seat: TermLike) -> Term:
    """Whether the special card of the round changes the card of a player in the trick."""
    return t.aimed == total(seat, 1)


def suit_of(t: Table, seat: TermLike) -> Term:
    """The suit that the card of a player in the trick has now, as a number."""
    new = lookup(t.special, t.size.by_special("new_suit"))
    return ite(every(is_changed(t, seat), new != int(Suit.NONE)), new, suit_before(t, seat))


def value_of(t: Table, seat: TermLike) -> Term:
    """The number that the card of a player in the trick has now."""
    own = lookup(t.special, t.size.by_special("value"))
    printed = ite(is_special(t, seat), own, lookup(t.played[seat], t.size.card_values))
    new = lookup(t.special, t.size.by_special("new_value"))
    return ite(every(is_changed(t, seat), new > 0), new, printed)
