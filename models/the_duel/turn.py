"""A turn of The Duel: the deal, filling the hand, the dice phase, the end of a turn and of the game.

Promise: a game ends in one place, `drawn`, which every card that leaves a draw pile passes.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from models.language import (
    CHANCE,
    RULES,
    Policy,
    Term,
    decide,
    every,
    ite,
    least,
    most,
    rank,
    repeat,
    row,
    some,
    take,
    total,
)
from models.the_duel import readings as r
from models.the_duel.table import (
    Phase,
    Table,
    book,
    dice_in_middle,
    dice_of,
    held,
    other,
    size,
    turn_player,
    wild_in_middle,
)
from models.the_duel.windows import ended, go_on, idle

GAME = "game"

# --- the deal and the hand --------------------------------------------------------------------------------


@book.rule("outside.deck", "outside.sorts", by=RULES, phase=Phase.SETUP)
def set_up(t: Table) -> None:
    """Each player has a shuffled deck."""
    for seat in range(2):
        for card, n in t.size.counts.items():
            t.deck[seat][card] = n
    t.phase = Phase.DEAL


@book.rule(
    "outside.hand",
    "end.last-card",
    by=CHANCE,
    phase=(Phase.DEAL, Phase.REFILL),
    only=GAME,
    card=size.pack,
    secret="card",
    weight=lambda t, card: t.deck[t.actor][card],
)
def draw(t: Table, card: enum.Enum) -> None:
    """The top card of a draw pile comes to the hand."""
    me = t.actor
    t.deck[me].remove(card)
    t.hand[me].add(card)
    full = held(t, me) >= t.size.hand
    with t.when(t.phase == Phase.DEAL), t.when(full):
        t.actor = other(me)
        with t.when(me == 1):
            t.phase = Phase.DICE
    with t.when(t.phase == Phase.REFILL):
        drawn(t, lambda: is_filled(t))


def drawn(t: Table, then: Callable[[], None], *, by_damage: bool = False) -> None:
    """A card has left a draw pile: if it was the last one the game ends, otherwise things take their course.

    Args:
        t: The table.
        then: Records what happens otherwise.
        by_damage: Whether damage made its player draw.
    """
    if by_damage and t.reading(r.last_draw) == "own-draws":
        then()
        return
    with t.when(ended(t)):
        finish(t)
    with t.otherwise():
        then()


def begin_hand(t: Table) -> None:
    """The hand of the acting player is filled, if anything is lacking."""
    lacks = every(held(t, t.actor) < t.size.hand, t.deck[t.actor].total() > 0)
    with t.when(lacks):
        t.phase = Phase.REFILL
    with t.otherwise():
        hand_is_full(t)


def is_filled(t: Table) -> None:
    """A card has been drawn; perhaps the hand is full."""
    with t.when(some(held(t, t.actor) >= t.size.hand, t.deck[t.actor].total() == 0)):
        hand_is_full(t)


def hand_is_full(t: Table) -> None:
    """The hand is full: dice are rolled, or the other player's turn begins."""
    if t.reading(r.refill) == "end":
        t.turn = other(t.turn)
    t.actor = 0
    t.phase = Phase.DICE


# --- dice -------------------------------------------------------------------------------------------------


@book.rule(
    "outside.dice", "reinforcement.one-more", "reinforcement-again.one-more", by=RULES, phase=Phase.DICE
)
def take_dice(t: Table) -> None:
    """The player on turn takes dice out of the middle."""
    me = t.turn
    copies = total(*(t.display[me][c] * t.size.of(c).more_dice for c in t.size.where(more_dice=True)))
    more = repeat(t, "reinforcement", "reinforcement.one-more", copies, r.twice)
    room = most(total(t.size.limit) - dice_of(t, me), 0)
    if t.reading(r.beyond) == "within":
        wanted = least(more + t.size.rolled, room)
    else:
        wanted = least(t.size.rolled, room) + more
    got = take(t, "dice-in-the-middle", dice_in_middle(t), wanted, "outside.dice")
    t.to_roll = most(least(got, t.size.most_rolled), 0)
    with t.when(got > 0):
        t.phase = Phase.ROLL
    with t.otherwise():
        go_on(t)


@book.rule("outside.dice", "outside.faces", by=CHANCE, phase=Phase.ROLL, face=size.sides)
def roll(t: Table, face: int) -> None:
    """A die comes to rest; 0 stands for wild."""
    left = t.to_roll
    t.dice[t.turn][face] = least(t.dice[t.turn][face] + 1, t.size.most_dice)
    t.to_roll = most(left - 1, 0)
    with t.when(left <= 1):
        go_on(t)


# --- the end of a turn ------------------------------------------------------------------------------------


@book.rule("wild.take", "damage.heals", by=turn_player, phase=Phase.ACT)
def end_turn(t: Table) -> None:
    """The player on turn does no more."""
    t.require(idle(t))
    t.phase = Phase.END


def is_due(t: Table) -> Term:
    """Whether the player on turn takes a Wild Card."""
    due = ~t.used
    return due & ~t.played if t.reading(r.free_card) == "takes-none" else due


@book.rule(
    "wild.take",
    "wild.from-opponent",
    "wild.all-three",
    "damage.heals",
    "damage.not-carried",
    by=RULES,
    phase=Phase.END,
)
def turn_ends(t: Table) -> None:
    """A Wild Card is taken if no die was used, cards regenerate, and the other player is on turn."""
    with t.when(is_due(t)):
        take_wild(t)
    close(t)


@book.rule("wild.take", "wild.from-opponent", by=turn_player, phase=Phase.ACT)
def end_turn_without(t: Table) -> None:
    """Only under a reading: the player ends the turn and leaves the Wild Card."""
    t.require(t.reading(r.must_take) == "may")
    t.require(idle(t) & is_due(t) & (t.wild[t.turn] < t.size.wild_cards))
    close(t)


def take_wild(t: Table) -> None:
    """The player on turn takes a Wild Card, from the middle or from the opponent."""
    me = t.turn

    def from_middle() -> None:
        t.wild[me] = t.wild[me] + 1

    def from_opponent() -> None:
        t.wild[other(me)] = t.wild[other(me)] - 1
        t.wild[me] = t.wild[me] + 1

    decide(
        t,
        "wild-card",
        [
            row("wild.take", when=wild_in_middle(t) > 0, then="middle"),
            row("wild.from-opponent", when=wild_in_middle(t) == 0, then="opponent"),
            row(
                "wild.all-three",
                when=t.wild[me] == t.size.wild_cards,
                then="none",
                overrides=["wild.from-opponent"],
            ),
        ],
        policy=Policy.PRIORITY,
        outcomes={"middle": from_middle, "opponent": from_opponent, "none": lambda: None},
    )


def is_damaged(t: Table, seat: Term) -> Term:
    """Whether a card of a player has damage."""
    return t.damage[seat].total() > 0


def regenerate(t: Table, seat: Term) -> None:
    """The damage on a player's cards is gone."""
    for card in t.size.where(health=True):
        t.damage[seat][card] = 0


def heal(t: Table) -> None:
    """Damage goes at the end of a turn.

    What the player on turn inflicted goes by both sentences. What the opponent inflicted in this turn, by a
    twist, goes at the end of the opponent's turn by the one, and is not carried over to it by the other.
    """
    me = t.turn
    regenerate(t, other(me))
    with t.when(is_damaged(t, me)):
        decide(
            t,
            "healing",
            [
                row("damage.heals", when=every(), then="stays"),
                row("damage.not-carried", when=every(), then="heals"),
            ],
            outcomes={"stays": lambda: None, "heals": lambda: regenerate(t, me)},
            on_clash="damage.not-carried",
        )


def close(t: Table) -> None:
    """The turn is over."""
    me = t.turn
    heal(t)
    if t.reading(r.left_over) == "returned":
        for face in t.size.sides:
            t.dice[me][face] = 0
    t.used = False
    t.played = False
    t.turned = 0
    if t.variant != GAME:
        t.phase = Phase.OVER
        return
    if t.reading(r.refill) == "begin":
        t.turn = other(me)
    t.actor = t.turn
    begin_hand(t)


# --- the end of the game ----------------------------------------------------------------------------------


def finish(t: Table) -> None:
    """The last card of a draw pile has been drawn: whatever was to come is dropped."""
    t.chain.clear()
    t.drawing = 0
    t.actor = 0
    t.phase = Phase.ASK if t.reading(r.at_the_end) == "twists-first" else Phase.ENDING


def points(t: Table, seat: int) -> Term:
    """The Victory Points on the cards in a player's display."""
    return total(*(t.display[seat][c] * t.size.of(c).points for c in t.size.where(points=True)))


@book.rule("end.last-card", "end.winner", "end.tie", "effect.points", by=RULES, phase=Phase.ENDING)
def count_points(t: Table) -> None:
    """Victory Points are counted; a tie goes to who has cards left to draw."""
    t.require(idle(t))
    left = [ite(t.deck[p].total() > 0, 1, 0) for p in range(2)]
    result = rank(t, "winner", [[points(t, p) for p in range(2)], left], ("end.winner", "end.tie"))
    for p, best in enumerate(result.best):
        t.won[p] = best
    t.phase = Phase.OVER


@book.over("end.last-card")
def over(t: Table) -> Term:
    """The points are counted (variant `turn`: the turn is over)."""
    return t.phase == Phase.OVER


@book.winner("end.winner", "end.tie")
def winner(t: Table, number: int) -> Term:
    """Whoever has more Victory Points, or is level and has cards left to draw."""
    return t.won[number]


@book.score("end.winner")
def score(t: Table, number: int) -> Term:
    """The Victory Points in a player's display."""
    return points(t, number)
