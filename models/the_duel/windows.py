"""Twists of fate in The Duel: when they can be played, who is asked, and what lies on the chain.

Promises: after each visible event whoever could play a twist is asked, one player at a time, until nobody
answers; every answer is paid with a card, so that a chain of answers is no longer than the twists in both
decks.
Events are: dice have been rolled, a card has been played, an attack has been announced or is over.
"""

from __future__ import annotations

import enum

from models.language import RULES, Term, TermLike, every, ite, race, some, total
from models.the_duel import readings as r
from models.the_duel.cards import WILD, Card, Sort
from models.the_duel.table import KING, Phase, Table, book, copies, has_health, is_attack, link, other, owner


def idle(t: Table) -> Term:
    """Whether nothing waits and nobody is asked, so that the player on turn acts."""
    return ~t.window.is_open & (t.chain.depth == 0)


# --- what can be played ---------------------------------------------------------------------------------


def has_target(t: Table, seat: TermLike) -> Term:
    """Whether a player's damage can be aimed at anything."""
    foe = other(seat)
    return some(t.deck[foe].total() > 0, has_health(t, foe))


def is_attacked(t: Table, seat: TermLike) -> Term:
    """Whether the attack that comes next is one against a player."""
    return every(is_attack(t.chain.top), owner(t.chain.top) != seat)


def sees_king(t: Table, seat: TermLike) -> Term:
    """Whether the opponent of a player has just played a king, which still lies there."""
    kings = total(*(t.display[other(seat)][k] for k in t.size.where(king=True)))
    return every(t.chain.top == link(KING, other(seat)), kings > 0)


def can_remove(t: Table, seat: TermLike, card: enum.Enum) -> Term:
    """Whether an event of a player can take a card out of the opponent's display."""
    if t.reading(r.removes) == "without-health" and t.size.of(card).health:
        return some()
    return t.display[other(seat)][card] > 0


def can_remove_wild(t: Table, seat: TermLike) -> Term:
    """Whether an event of a player can take a Wild Card of the opponent away."""
    return t.wild[other(seat)] > 0 if t.reading(r.removes_wild) == "yes" else some()


def can_remove_any(t: Table, seat: TermLike) -> Term:
    """Whether there is anything that an event of a player can take away."""
    return some(can_remove_wild(t, seat), *(can_remove(t, seat, c) for c in t.size.display_counts))


def is_possible(t: Table, seat: TermLike, card: Card) -> Term:
    """Whether the effect of an event or a twist can be carried out by a player now."""
    if card.damage:
        return has_target(t, seat)
    if card.removes:
        return can_remove_any(t, seat)
    return is_attacked(t, seat) if card.prevents else t.deck[seat].total() > 0


def is_playable(t: Table, seat: TermLike, card: Card) -> Term:
    """Whether the text lets a player play an event or a twist for its effect now."""
    if t.reading(r.impossible) == "for-nothing" and not card.prevents:
        return every()
    return is_possible(t, seat, card)


def may_play(t: Table, seat: TermLike, card: enum.Enum) -> Term:
    """Whether a player holds a twist that can be played at this moment."""
    printed = t.size.of(card)
    own = every(total(seat) == t.turn) if printed.own_turn else every()
    return every(t.hand[seat][card] > 0, own, is_playable(t, seat, printed))


def can_tender(t: Table, seat: TermLike, ally: Card, using: str) -> Term:
    """Whether a player can use an ally with a die of a number, a wild die or a Wild Card."""
    if using.isdigit():
        return t.dice[seat][int(using)] > 0 if int(using) in ally.attacks else some()
    if using == WILD:
        return t.dice[seat][0] > 0 if t.reading(r.wild_reach) == "any-use" else some()
    dice = every() if t.reading(r.ally_dice) == "wild-cards-too" else total(*t.dice[seat]) > 0
    return every(t.wild[seat] > 0, total(seat) == t.turn, dice)


def can_attack(t: Table, seat: TermLike) -> Term:
    """Whether a player has an ally, and something to use it with."""
    ways = [(c, w) for c in t.size.cards if c.attacks for w in t.size.tenders]
    return some(*((copies(t, seat, (ally,)) > 0) & can_tender(t, seat, ally, using) for ally, using in ways))


def can_answer(t: Table, seat: TermLike) -> Term:
    """Whether a player can do anything in answer to an event."""
    ways = [may_play(t, seat, c) for c in t.size.where(sort=Sort.TWIST)]
    if t.reading(r.ally_when) == "any-turn":
        ways.append(every(t.chain.depth == 0, total(seat) != t.turn, can_attack(t, seat)))
    return some(*ways)


# --- asking -----------------------------------------------------------------------------------------------


def is_asked(t: Table, seat: int) -> Term:
    """Whether a player is asked after an event: whoever could answer, but for who is about to act anyway."""
    acts = every(t.turn == seat, t.chain.depth == 0, t.phase == Phase.ACT)
    return can_answer(t, total(seat)) & ~acts


@book.rule("reinforcement.twists", "effect.from-now", by=RULES, phase=Phase.ASK)
def ask(t: Table) -> None:
    """Something visible has happened: whoever could play a twist is asked."""
    t.phase = Phase.ACT
    if t.reading(r.at_the_end) == "twists-first":
        with t.when(ended(t)):
            t.phase = Phase.ENDING
    race(t, "twist", [can_answer(t, total(p)) for p in range(2)], "reinforcement.twists")
    if t.reading(r.first) == "answers-first":
        first = ite(t.chain.depth > 0, other(owner(t.chain.top)), other(t.turn))
    else:
        first = t.turn
    asked = [is_asked(t, p) for p in range(2)]
    with t.when(some(*asked)):
        t.window.opens(ite(ite(first == 0, asked[0], asked[1]), first, other(first)))


def go_on(t: Table) -> None:
    """Something visible has happened: it is answered, or what waits goes on, or the player on turn acts."""
    t.window.closes()
    t.phase = Phase.ASK


def pass_on(t: Table) -> None:
    """Who is asked does not answer: the other one is asked if nobody has passed, else the window closes."""
    asked = t.window.asked
    goes_on = some(*((asked != p) & is_asked(t, p) for p in range(2)))
    with t.when(goes_on & (t.window.passed == 0)):
        t.window.passes()
    with t.otherwise():
        t.window.closes()


def ended(t: Table) -> Term:
    """Whether the last card of a draw pile has been drawn."""
    return some(*(t.deck[p].total() == 0 for p in range(2)))
