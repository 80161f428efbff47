"""One turn of The Duel from any table: the variant `turn`.

Promise: every table on which a turn can begin at this size is laid out, piece by piece (at small sizes those
with a few cards out of the decks, `Duel.laid`): cards in any displays, hands and discard piles, dice and Wild
Cards before anybody. Then the first player rolls dice, as seats are alike, and the play is over when the turn
ends, or earlier with the game. What of the opponent's can do nothing in this turn is left out: cards in the
hand that are no twists, cards in the display that nothing touches and that have no points (they lie on the
discard pile instead), and the numbers on the dice (they show wild).
"""

from __future__ import annotations

import enum

from models.language import CHANCE, total
from models.the_duel.cards import Sort
from models.the_duel.table import Phase, Table, book, dice_in_middle, dice_of, held, size, wild_in_middle

TURN = "turn"


def take_card(t: Table, seat: int, card: enum.Enum) -> None:
    """A card leaves a deck, which keeps one at least."""
    most: int = 2 * t.size.deck
    laid = total(most) - total(*(t.deck[p].total() for p in range(2)))
    t.require((t.deck[seat][card] > 0) & (t.deck[seat].total() > 1))
    if t.size.laid < most:
        t.require(laid < t.size.laid)
    t.deck[seat].remove(card)


@book.rule(
    "effect.display", by=CHANCE, phase=Phase.DEAL, only=TURN, card=lambda s: tuple(s.display_counts), number=2
)
def put_in_display(t: Table, card: enum.Enum, number: int) -> None:
    """A card lies in a display where something in this turn looks at it."""
    printed = t.size.of(card)
    seen = printed.health or printed.points or printed.king or t.size.where(removes=True)
    t.require(number == 0 or bool(seen))
    take_card(t, number, card)
    t.display[number].add(card)


@book.rule("outside.hand", by=CHANCE, phase=Phase.DEAL, only=TURN, card=size.pack, number=2, secret="card")
def put_in_hand(t: Table, card: enum.Enum, number: int) -> None:
    """A player holds a card that can be played in this turn."""
    t.require(number == 0 or t.size.of(card).sort is Sort.TWIST)
    t.require(held(t, number) < t.size.hand)
    take_card(t, number, card)
    t.hand[number].add(card)


@book.rule("effect.discard", by=CHANCE, phase=Phase.DEAL, only=TURN, card=size.pack, number=2)
def put_on_discard_pile(t: Table, card: enum.Enum, number: int) -> None:
    """A card lies on a discard pile."""
    take_card(t, number, card)


@book.rule("outside.dice", by=CHANCE, phase=Phase.DEAL, only=TURN, face=size.sides, number=2)
def put_die(t: Table, face: int, number: int) -> None:
    """A die is left from the turn before."""
    t.require(number == 0 or face == 0)
    t.require(dice_of(t, number) < t.size.limit)
    t.require(dice_in_middle(t) > 0)
    t.dice[number][face] = t.dice[number][face] + 1


@book.rule("wild.take", by=CHANCE, phase=Phase.DEAL, only=TURN, number=2)
def put_wild_card(t: Table, number: int) -> None:
    """A Wild Card lies before a player."""
    t.require(wild_in_middle(t) > 0)
    t.wild[number] = t.wild[number] + 1


@book.rule("outside.dice", by=CHANCE, phase=Phase.DEAL, only=TURN)
def begin_turn(t: Table) -> None:
    """The first player's turn begins on this table, with the dice phase."""
    t.phase = Phase.DICE
