"""A round before its first trick: the special card, the deal, the contract, and who leads.

Promise: the cards are dealt one by one in a fixed order of cards, each with its exact chance, so that every
deal is as likely as with a shuffled deck.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, Term, TermLike, decide, ite, least, lookup, row, total
from models.the_dwarf_king import readings as r
from models.the_dwarf_king.cards import Suit
from models.the_dwarf_king.table import (
    GAME,
    TRICK,
    Phase,
    Table,
    book,
    deck,
    on_turn,
    seats,
    size,
    where,
)


@book.rule(
    "flow.sequence",
    "preparation.draw-special",
    "categories.specials",
    "game.changing",
    by=CHANCE,
    phase=Phase.DRAW,
    special=size.special_kinds,
    weight=lambda t, special: t.specials[special],
    secret="special",
)
def draw_special(t: Table, special: enum.Enum) -> None:
    """A special card is drawn and shuffled into the deck."""
    t.special = special
    if t.reading(r.special_known) == "announced":
        t.shown = special
    t.phase = Phase.DEAL if t.variant == GAME else Phase.LAY


# --- the deal -------------------------------------------------------------------------------------------


def hand_size(t: Table, seat: int) -> Term:
    """How many cards a player is dealt."""
    if t.variant == TRICK:
        return total(t.hand)
    if t.size.rest and t.reading(r.deal_rest) == "extra":
        after_dealer = (total(seat, t.size.players - 1) - t.dealer) % t.size.players
        return total(t.size.full, ite(after_dealer < t.size.rest, 1, 0))
    return total(t.size.full)


def room(t: Table, seat: int) -> Term:
    """How many more cards a player is dealt."""
    return hand_size(t, seat) - t.left[seat]


def surplus(t: Table) -> Term:
    """How many more cards are set aside."""
    return total(t.size.deck) - total(*(hand_size(t, p) for p in seats(t))) - t.aside


@book.rule(
    "preparation.draw-special",
    "preparation.deal-equally",
    by=CHANCE,
    phase=Phase.DEAL,
    number=size.players,
    weight=lambda t, number: room(t, number),
)
def deal(t: Table, number: int) -> None:
    """A player is dealt the next card."""
    if t.reading(r.special_back) == "seen":
        with t.when(t.dealt == t.size.place(t.size.special_card)):
            t.holder = number + 1
    t.left[number] = t.left[number] + 1
    put(t, number)


@book.rule("preparation.deal-equally", by=CHANCE, phase=Phase.DEAL, weight=lambda t: surplus(t))
def set_aside(t: Table) -> None:
    """The next card is left over and set aside (variant `trick`: it has been played before)."""
    t.aside = t.aside + 1
    put(t, deck(t) + 1)


def put(t: Table, place: int) -> None:
    """The next card leaves the deck; after the last one the round goes on."""
    last = t.dealt == t.size.deck - 1
    t.place[t.dealt] = place
    with t.when(last):
        t.dealt = 0
        t.phase = Phase.REVEAL if t.variant == GAME else Phase.SEAT
    with t.otherwise():
        t.dealt = t.dealt + 1


# --- the holders of two cards ---------------------------------------------------------------------------


def holder_of(t: Table, name: str, clause: str, card: enum.Enum | None) -> Term:
    """The player who received a card, asked as a table of one sentence; the dealer where nobody did."""
    if card is None:
        received, seat = total() > 0, total()
    else:
        at = where(t, card)
        received, seat = at < deck(t), least(at, deck(t) - 1)
    found = decide(t, name, [row(clause, when=received, then=seat)], on_gap=t.dealer)
    assert found is not None
    return found


def leading_card(t: Table) -> enum.Enum | None:
    """The card whose holder leads the first trick."""
    suit = Suit.DWARVES if t.reading(r.lead_card) == "five-of-dwarves" else Suit.GOBLINS
    found: enum.Enum | None = t.size.five(suit)
    return found


# --- the contract ---------------------------------------------------------------------------------------


@book.rule(
    "contract.reveal",
    by=CHANCE,
    phase=Phase.REVEAL,
    only=GAME,
    contract=size.contract_kinds,
    weight=lambda t, contract: t.contracts[contract],
)
def reveal(t: Table, contract: enum.Enum) -> None:
    """The holder of the 5 of Knights reveals the top contract card."""
    t.contract = contract
    t.contracts.remove(contract)
    t.turn = holder_of(t, "who-chooses", "contract.reveal", t.size.five(Suit.KNIGHTS))
    t.phase = Phase.CHOOSE


@book.rule(
    "contract.choose",
    "contract.whole-round",
    "categories.contracts",
    "tricks.lead",
    by=on_turn,
    phase=Phase.CHOOSE,
    only=GAME,
    side=2,
)
def choose(t: Table, side: int) -> None:
    """That player chooses one of its two challenges, and the first trick is led."""
    t.challenge = lookup(t.contract, t.size.sides(side))
    begin(t, holder_of(t, "who-leads", "tricks.lead", leading_card(t)))


def begin(t: Table, leader: TermLike) -> None:
    """A player is about to lead."""
    t.leader = leader
    t.turn = leader
    t.opened = total(leader, 1)
    t.phase = Phase.PLAY
