"""Twists of fate, damage and removal in The Duel: answers, aiming, and what becomes of what waits.

Promise: a point of damage is aimed only when the one before it has been dealt.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, RULES, Term, TermLike, some
from models.the_duel import readings as r
from models.the_duel.cards import Sort
from models.the_duel.play import carry_out
from models.the_duel.table import (
    ATTACK,
    BLOW,
    KING,
    Phase,
    Table,
    acting,
    aiming,
    answering,
    book,
    kind,
    link,
    other,
    owner,
    size,
    turn_player,
)
from models.the_duel.turn import drawn
from models.the_duel.windows import (
    can_remove,
    can_remove_wild,
    go_on,
    has_target,
    idle,
    is_attacked,
    may_play,
    pass_on,
    sees_king,
)

# --- twists of fate ---------------------------------------------------------------------------------------


@book.rule(
    "play.no-dice",
    "reinforcement.twists",
    "effect.must",
    "effect.discard",
    "damage.who",
    by=turn_player,
    phase=Phase.ACT,
    card=lambda s: s.where(sort=Sort.TWIST, prevents=False),
)
def play_twist(t: Table, card: enum.Enum) -> None:
    """The player on turn plays a twist while nothing waits."""
    t.require(idle(t))
    twist(t, t.turn, card)


@book.rule(
    "play.no-dice",
    "reinforcement.twists",
    "effect.must",
    "effect.discard",
    "damage.who",
    by=answering,
    phase=(Phase.ACT, Phase.ENDING),
    card=lambda s: s.where(sort=Sort.TWIST, prevents=False),
)
def answer(t: Table, card: enum.Enum) -> None:
    """A player who is asked plays a twist."""
    t.require(t.window.is_open)
    twist(t, t.window.asked, card)


def twist(t: Table, seat: Term, card: enum.Enum) -> None:
    """A twist of fate leaves the hand and takes effect."""
    t.require(may_play(t, seat, card))
    t.hand[seat].remove(card)
    if t.reading(r.free_card) == "takes-none":
        t.played = some(t.played, seat == t.turn)
    carry_out(t, seat, t.size.of(card))


@book.rule(
    "notes.king",
    "notes.second",
    by=answering,
    phase=(Phase.ACT, Phase.ENDING),
    card=lambda s: tuple(c for c in s.where(sort=Sort.TWIST, damage=True) if not s.of(c).own_turn),
)
def strike_king(t: Table, card: enum.Enum) -> None:
    """A king that was just played is struck, whatever its health points."""
    me = t.window.asked
    t.require(t.window.is_open & sees_king(t, me))
    t.require(t.hand[me][card] > 0)
    t.hand[me].remove(card)
    t.chain.push(link(BLOW, me))
    go_on(t)


@book.rule(
    "notes.king",
    "reinforcement.twists",
    by=answering,
    phase=(Phase.ACT, Phase.ENDING),
    card=lambda s: s.where(sort=Sort.TWIST, prevents=True),
)
def prevent(t: Table, card: enum.Enum) -> None:
    """An armour prevents the attack that comes next."""
    me = t.window.asked
    t.require(t.window.is_open & is_attacked(t, me))
    t.require(t.hand[me][card] > 0)
    t.hand[me].remove(card)
    part = kind(t.chain.top) > ATTACK if t.reading(r.prevents) == "one-point" else some()
    with t.when(part):
        t.chain[t.chain.depth - 1] = t.chain.top - 2
    with t.otherwise():
        t.chain.pop()
    go_on(t)


@book.rule("reinforcement.twists", by=answering, phase=(Phase.ACT, Phase.ENDING))
def let_pass(t: Table) -> None:
    """A player who is asked plays nothing."""
    t.require(t.window.is_open)
    pass_on(t)


# --- what waits -------------------------------------------------------------------------------------------


@book.rule("notes.king", "damage.aim", "effect.display", by=RULES, phase=(Phase.ACT, Phase.ENDING))
def resolve(t: Table) -> None:
    """Nobody answers any more: what lies on top of the chain happens."""
    t.require(~t.window.is_open & (t.chain.depth > 0))
    top = t.chain.top
    aims = (kind(top) >= ATTACK) & has_target(t, owner(top))
    with t.when(aims):
        t.phase = Phase.AIM
    with t.otherwise():
        t.chain.pop()
        with t.when(kind(top) == BLOW):
            fell_king(t, other(owner(top)))
        go_on(t)


def fell_king(t: Table, seat: Term) -> None:
    """The king of a player is defeated, and nothing more is answered to its being played."""
    for king in t.size.where(king=True):
        with t.when(t.display[seat][king] > 0):
            defeat(t, seat, king)
    with t.when(kind(t.chain.top) == KING):
        t.chain.pop()


# --- damage -----------------------------------------------------------------------------------------------


def defeat(t: Table, seat: TermLike, card: enum.Enum) -> None:
    """A card leaves a display for its player's discard pile, and its damage with it."""
    t.display[seat].remove(card)
    if t.size.of(card).health:
        t.damage[seat][card] = 0


def dealt(t: Table) -> None:
    """A point of damage has been dealt: the next one is aimed, or the attack is over."""
    top = t.chain.top
    with t.when((kind(top) > ATTACK) & has_target(t, owner(top))):
        t.chain[t.chain.depth - 1] = top - 2
        t.phase = Phase.AIM
    with t.otherwise():
        t.chain.pop()
        go_on(t)


@book.rule("damage.aim", "damage.pile", by=aiming, phase=Phase.AIM)
def aim_at_pile(t: Table) -> None:
    """A point of damage is aimed at the opponent's draw pile."""
    t.require(t.deck[other(owner(t.chain.top))].total() > 0)
    t.phase = Phase.MILL


@book.rule(
    "damage.pile",
    "damage.look",
    "end.last-card",
    by=CHANCE,
    phase=Phase.MILL,
    card=size.pack,
    weight=lambda t, card: t.deck[other(owner(t.chain.top))][card],
)
def mill(t: Table, card: enum.Enum) -> None:
    """The top card of the draw pile is laid face up on the discard pile."""
    t.deck[other(owner(t.chain.top))].remove(card)
    drawn(t, lambda: dealt(t), by_damage=True)


@book.rule(
    "damage.aim",
    "damage.defeat",
    "damage.less",
    "effect.no-health",
    by=aiming,
    phase=Phase.AIM,
    card=lambda s: s.where(health=True),
)
def aim_at_card(t: Table, card: enum.Enum) -> None:
    """A point of damage is aimed at a card with health points, which may be the last that it takes."""
    foe = other(owner(t.chain.top))
    t.require(t.display[foe][card] > 0)
    most = t.size.of(card).health - 1
    if most:
        with t.when(t.damage[foe][card] < most):
            t.damage[foe][card] = t.damage[foe][card] + 1
        with t.otherwise():
            defeat(t, foe, card)
    else:
        defeat(t, foe, card)
    dealt(t)


# --- other effects ----------------------------------------------------------------------------------------


@book.rule(
    "effect.must",
    "effect.no-health",
    by=acting,
    phase=Phase.REMOVE,
    card=lambda s: tuple(s.display_counts),
)
def remove(t: Table, card: enum.Enum) -> None:
    """An event takes a card out of the opponent's display."""
    t.require(can_remove(t, t.actor, card))
    defeat(t, other(t.actor), card)
    t.actor = 0
    go_on(t)


@book.rule("effect.no-health", "wild.take", by=acting, phase=Phase.REMOVE)
def remove_wild(t: Table) -> None:
    """Only under a reading: an event takes a Wild Card of the opponent to the middle."""
    t.require(can_remove_wild(t, t.actor))
    t.wild[other(t.actor)] = t.wild[other(t.actor)] - 1
    t.actor = 0
    go_on(t)


@book.rule(
    "effect.must",
    "end.last-card",
    by=CHANCE,
    phase=Phase.DRAWS,
    card=size.pack,
    secret="card",
    weight=lambda t, card: t.deck[t.actor][card],
)
def draw_by_effect(t: Table, card: enum.Enum) -> None:
    """An effect draws a card."""
    me, left = t.actor, t.drawing
    t.deck[me].remove(card)
    t.hand[me].add(card)
    t.drawing = left - 1

    def further() -> None:
        with t.when((left <= 1) | (t.deck[me].total() == 0)):
            t.drawing = 0
            t.actor = 0
            go_on(t)

    drawn(t, further)
