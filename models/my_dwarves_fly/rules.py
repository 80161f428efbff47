"""My Dwarves Fly: the deal, the turn around its action, filling the hands, and the end.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, RULES, Term, every, ite, rank, some, take, total
from models.my_dwarves_fly import battle, creatures, diplomacy, layout
from models.my_dwarves_fly import readings as r
from models.my_dwarves_fly.cards import Pile
from models.my_dwarves_fly.table import (
    DRAW,
    Draw,
    Phase,
    Table,
    acting,
    book,
    discarded,
    held,
    seats,
    strength,
)

__all__ = ["battle", "book", "creatures", "diplomacy", "layout"]

GAME = "game"


# --- drawing --------------------------------------------------------------------------------------


@book.rule(
    "setup.deal",
    "setup.two-decks",
    "turn.refill",
    "drawing.refill",
    "discard.discard-draw",
    by=acting,
    phase=(Phase.DEAL, Phase.REFILL),
    only=GAME,
    deck=Pile,
)
def draw_from(t: Table, deck: Pile) -> None:
    """The player whose hand is filled chooses the deck for the next card."""
    t.require(t.drawing == Draw.NONE)
    t.require(held(t, t.actor) < t.size.hand)
    t.require(can_draw(t, deck))
    if t.reading(r.empty_deck) == "reshuffle":
        empty = left_in(t, deck) == 0
        for card, n in [(c, discarded(t, c)) for c in t.size.pile(deck)]:
            t.deck[card] = ite(empty, n, t.deck[card])
    t.drawing = DRAW[deck]


@book.rule(
    "setup.shuffle",
    "setup.deal",
    "turn.refill",
    by=CHANCE,
    phase=(Phase.DEAL, Phase.REFILL),
    only=GAME,
    card=lambda s: s.members(s.cards),
    secret="card",
    weight=lambda t, card: t.deck[card],
)
def draw(t: Table, card: enum.Enum) -> None:
    """The top card of the chosen deck comes to the hand."""
    deck = next(p for p in Pile if card in t.size.pile(p))
    t.require(t.drawing == DRAW[deck])
    t.deck.remove(card)
    t.hand[t.actor].add(card)
    t.drawing = Draw.NONE
    in_rounds = every(t.battle != t.size.battle["NONE"], t.reading(r.refill_order) == "in-rounds")
    with t.when(t.phase == Phase.DEAL):
        t.actor = (t.actor + 1) % t.size.players
        with t.when(held(t, t.actor) == t.size.hand):
            t.phase = Phase.TURN
    with t.otherwise(), t.when(in_rounds & ~is_full(t, t.actor)):
        found, who = next_to_draw(t, t.actor)
        with t.when(found):
            t.actor = who


def left_in(t: Table, deck: Pile) -> Term:
    """How many cards a deck has left."""
    return total(*(t.deck[c] for c in t.size.pile(deck)))


def can_draw(t: Table, deck: Pile) -> Term:
    """Whether a card can be drawn from a deck."""
    left = left_in(t, deck)
    if t.reading(r.empty_deck) == "reshuffle":
        left = left + total(*(discarded(t, c) for c in t.size.pile(deck)))
    return left > 0


def is_full(t: Table, seat: Term) -> Term:
    """Whether a player draws no more: the hand is full, or no deck has a card."""
    full: int = t.size.hand
    return (held(t, seat) >= full) | ~some(*(can_draw(t, p) for p in Pile))


@book.rule("turn.refill", "drawing.refill", by=RULES, phase=Phase.REFILL, only=GAME)
def filled(t: Table) -> None:
    """A hand is full, or cannot be filled: another player draws after a battle, or the turn ends."""
    me = t.actor
    t.require(t.drawing == Draw.NONE)
    t.require(is_full(t, me))
    left = total(*(left_in(t, p) for p in Pile))
    peace = t.battle == t.size.battle["NONE"]
    with t.when(peace):
        take(t, "turn-refill", left, total(t.size.hand) - held(t, me), "turn.refill")
    with t.otherwise():
        wanted = total(*(total(t.size.hand) - held(t, p) for p in seats(t)))
        take(t, "battle-refill", left, wanted, "drawing.refill")
    found, who = next_to_draw(t, me)
    with t.when(found & ~peace):
        t.actor = who
    with t.otherwise():
        t.actor = t.turn
        t.phase = Phase.END


def next_to_draw(t: Table, seat: Term) -> tuple[Term, Term]:
    """Whether another player can still draw, and the next one clockwise who can."""
    found, who = some(), seat
    for step in reversed(range(1, t.size.players)):
        other = (seat + step) % t.size.players
        draws = ~is_full(t, other)
        found, who = found | draws, ite(draws, other, who)
    return found, who


# --- the other actions ----------------------------------------------------------------------------


@book.rule(
    "turn.four-options",
    "turn.discard",
    "discard.discard-draw",
    by=acting,
    phase=Phase.TURN,
    card=lambda s: s.members(s.cards),
)
def discard(t: Table, card: enum.Enum) -> None:
    """The player throws a card away."""
    t.require(t.hand[t.turn][card] > 0)
    t.hand[t.turn].remove(card)
    t.phase = Phase.REFILL


@book.rule("turn.four-options", by=acting, phase=Phase.TURN)
def do_nothing(t: Table) -> None:
    """Only under a reading: the player takes none of the four actions."""
    t.require(t.reading(r.must_act) == "may-pass")
    t.phase = Phase.REFILL


# --- the end --------------------------------------------------------------------------------------


def has_enough(t: Table, seat: int) -> Term:
    """Whether a player has the gold that wins."""
    enough: int = t.size.gold_to_win
    return t.gold[seat] >= enough


def all_dice(t: Table, seat: int) -> Term:
    """The dice of all creatures of a player."""
    skills = t.reading(r.end_dice) == "skills-too"
    return total(*(t.team[seat][k] * strength(t, seat, k, skills=skills) for k in t.size.kind))


@book.rule(
    "turn.fifteen",
    "drawing.fifteen",
    "discard.next-player",
    "end.fifteen",
    "end.anybodys-turn",
    "end.more-gold",
    "end.more-creatures",
    "end.not-dice",
    "end.then-dice",
    by=RULES,
    phase=Phase.END,
)
def turn_ends(t: Table) -> None:
    """The turn is over: somebody has won, or the next player is on turn."""
    t.battle = t.size.battle["NONE"]
    enough = [has_enough(t, p) for p in seats(t)]
    with t.when(some(*enough)):
        result = rank(
            t,
            "richest",
            [
                [t.gold[p] for p in seats(t)],
                [t.team[p].total() for p in seats(t)],
                [all_dice(t, p) for p in seats(t)],
            ],
            ("end.more-gold", "end.more-creatures", "end.then-dice"),
            among=enough,
        )
        alone = ~result.tied if t.reading(r.tie) == "nobody" else total() == 0
        for p, best in enumerate(result.best):
            t.won[p] = every(best, alone)
        t.turn = 0
        t.actor = 0
        t.phase = Phase.OVER
    with t.otherwise():
        following = (t.turn + 1) % t.size.players
        t.turn = following
        t.actor = following
        t.phase = Phase.TURN if t.variant == GAME else Phase.OVER


@book.over("turn.fifteen", "drawing.fifteen", "end.fifteen")
def over(t: Table) -> Term:
    """Somebody has won (variant `battle`: the battle is over)."""
    return t.phase == Phase.OVER


@book.winner("end.fifteen", "end.more-gold")
def winner(t: Table, number: int) -> Term:
    """Whoever has enough gold and is ahead of the others; what holds in a tie is a reading."""
    return t.won[number]


@book.score("end.more-gold")
def score(t: Table, number: int) -> Term:
    """The gold of a player."""
    return t.gold[number]
