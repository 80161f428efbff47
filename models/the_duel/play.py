"""Playing cards and using their effects on one's own turn in The Duel.

Promise: a card is chosen, its dice are returned, and it is put down, in three steps; which dice pay for it is
the player's choice in one step, so that equal payments are equal moves.
"""

from __future__ import annotations

import enum

from models.language import RULES, Term, TermLike, every, least, lookup, some, total
from models.the_duel import readings as r
from models.the_duel.cards import LYING, WILD, WILD_CARD, Card, Sort
from models.the_duel.table import (
    ATTACK,
    KING,
    Phase,
    Table,
    answering,
    book,
    copies,
    link,
    size,
    turn_player,
)
from models.the_duel.windows import can_tender, go_on, idle, is_playable, is_possible

# --- playing ----------------------------------------------------------------------------------------------


@book.rule(
    "play.pay",
    "play.no-dice",
    "reinforcement.own-turn",
    "effect.must",
    by=turn_player,
    phase=Phase.ACT,
    card=lambda s: tuple(c for c in s.pack if s.of(c).sort is not Sort.TWIST),
)
def play(t: Table, card: enum.Enum) -> None:
    """The player chooses a card of the hand that can be paid for; free ones are put down at once."""
    me, printed = t.turn, t.size.of(card)
    t.require(idle(t))
    t.require(t.hand[me][card] > 0)
    t.require(is_affordable(t, printed))
    if printed.sort is Sort.EVENT:
        t.require(is_playable(t, me, printed))
    t.hand[me].remove(card)
    t.paying = card
    if printed.dice:
        t.phase = Phase.PAY
    else:
        if t.reading(r.free_card) == "takes-none":
            t.played = True
        t.phase = Phase.ENTER


def is_affordable(t: Table, card: Card) -> Term:
    """Whether the player on turn can pay for a card."""
    if not card.dice:
        return every()
    dice, cards = t.dice[t.turn], t.wild[t.turn]
    if card.value:
        wild = dice[0] if t.reading(r.wild_reach) == "any-use" else total()
        return dice[card.value] + wild + cards >= 1
    copied = t.reading(r.all_wild) == "needs-a-number"
    return some(
        *(
            every(dice[v] + dice[0] + cards >= card.dice, dice[v] > 0 if copied else every())
            for v in t.size.faces
        )
    )


@book.rule(
    "play.single",
    "play.equal",
    "play.whichever",
    "wild.next-turns",
    "wild.as-die",
    "wild.return",
    by=turn_player,
    phase=Phase.PAY,
    value=size.faces,
    wild=lambda s: range(s.most_paid + 1),
    cards=lambda s: range(min(s.most_paid, s.wild_cards) + 1),
)
def pay(t: Table, value: int, wild: int, cards: int) -> None:
    """Dice of a value, wild dice and Wild Cards are returned to the middle."""
    me = t.turn
    single, number = lookup(t.paying, t.size.by_card("value")), lookup(t.paying, t.size.by_card("dice"))
    plain = number - (wild + cards)
    t.require(wild + cards <= t.size.most_paid)
    t.require((plain >= 0) & (t.dice[me][value] >= plain))
    t.require((t.dice[me][0] >= wild) & (t.wild[me] >= cards))
    t.require((single == 0) | (single == value))
    if wild and t.reading(r.wild_reach) == "equal-dice":
        t.require(single == 0)
    if t.reading(r.all_wild) == "needs-a-number" or value != t.size.faces[0]:
        t.require((single > 0) | (plain > 0))
    t.dice[me][value] = t.dice[me][value] - plain
    t.dice[me][0] = t.dice[me][0] - wild
    t.wild[me] = t.wild[me] - cards
    uses(t, (plain > 0) | (wild > 0), cards > 0)
    t.phase = Phase.ENTER


def uses(t: Table, dice: TermLike, cards: TermLike) -> None:
    """The player on turn has used dice or Wild Cards."""
    counted = some(dice, cards) if t.reading(r.counts_as_die) == "as-die" else some(dice)
    t.used = some(t.used, counted)


@book.rule(
    "effect.must",
    "effect.discard",
    "effect.display",
    "effect.from-now",
    "notes.king",
    by=RULES,
    phase=Phase.ENTER,
    card=lambda s: tuple(c for c in s.pack if s.of(c).sort is not Sort.TWIST),
)
def put_down(t: Table, card: enum.Enum) -> None:
    """A card that was paid for goes to the display, or takes effect and goes to the discard pile."""
    me, printed = t.turn, t.size.of(card)
    t.require(t.paying == card)
    t.paying = t.size.card["NONE"]
    if printed.sort in LYING:
        t.display[me].add(card)
        if printed.king:
            t.chain.push(link(KING, me))
        go_on(t)
    else:
        carry_out(t, me, printed)


def carry_out(t: Table, seat: Term, card: Card) -> None:
    """The effect of an event or a twist begins, where it can be carried out."""
    with t.when(is_possible(t, seat, card)):
        if card.damage:
            t.chain.push(link(ATTACK + card.damage - 1, seat))
            t.phase = Phase.ASK
        else:
            t.actor = seat
            t.drawing = card.draws
            t.phase = Phase.REMOVE if card.removes else Phase.DRAWS
    with t.otherwise():
        t.phase = Phase.ASK
    t.window.closes()


# --- allies and supports ----------------------------------------------------------------------------------


@book.rule(
    "effect.ally-dice",
    "effect.allies-attack",
    "damage.who",
    "damage.per-die",
    "damage.value",
    "damage.return",
    "wild.as-die",
    by=turn_player,
    phase=Phase.ACT,
    card=lambda s: s.where(attacks=True),
    using=size.tenders,
)
def attack(t: Table, card: enum.Enum, using: str) -> None:
    """An ally attacks with a die, which is returned."""
    me = t.turn
    t.require(idle(t))
    t.require(t.display[me][card] > 0)
    t.require(can_tender(t, me, t.size.of(card), using))
    tender(t, me, using)
    uses(t, using != WILD_CARD, using == WILD_CARD)
    t.chain.push(link(ATTACK, me))
    go_on(t)


@book.rule(
    "effect.from-now",
    "effect.ally-dice",
    by=answering,
    phase=(Phase.ACT, Phase.ENDING),
    card=lambda s: s.where(attacks=True),
    using=size.tenders,
)
def attack_in_answer(t: Table, card: enum.Enum, using: str) -> None:
    """Only under a reading: an ally attacks on the opponent's turn."""
    me = t.window.asked
    t.require(t.reading(r.ally_when) == "any-turn")
    t.require(every(t.window.is_open, t.chain.depth == 0, me != t.turn, t.display[me][card] > 0))
    t.require(can_tender(t, me, t.size.of(card), using))
    tender(t, me, using)
    t.chain.push(link(ATTACK, me))
    go_on(t)


def tender(t: Table, seat: Term, using: str) -> None:
    """A die or a Wild Card goes back to the middle."""
    if using == WILD_CARD:
        t.wild[seat] = t.wild[seat] - 1
    else:
        face = 0 if using == WILD else int(using)
        t.dice[seat][face] = t.dice[seat][face] - 1


@book.rule(
    "effect.supports",
    "notes.trickery",
    by=turn_player,
    phase=Phase.ACT,
    face=size.faces,
    to=size.faces,
)
def turn_die(t: Table, face: int, to: int) -> None:
    """A support turns a die to another number, each copy once a turn (what the card says is assumed)."""
    me = t.turn
    cards = tuple(c for c in t.size.cards if c.turns and c.turns == abs(face - to))
    t.require(bool(cards))
    t.require(idle(t))
    t.require(copies(t, me, cards) > t.turned)
    t.require(t.dice[me][face] > 0)
    t.dice[me][face] = t.dice[me][face] - 1
    t.dice[me][to] = least(t.dice[me][to] + 1, t.size.most_dice)
    t.turned = t.turned + 1
