"""Diplomacy and sharing in My Dwarves Fly: cards laid face down, events, winners, gold, and who leaves.

Promise: cards laid face down are hidden until all are turned up; who wins is one comparison.
"""

from __future__ import annotations

import enum

from models.language import RULES, Term, count, every, ite, least, lookup, most, race, rank, some, take, total
from models.my_dwarves_fly import readings as r
from models.my_dwarves_fly.creatures import go
from models.my_dwarves_fly.table import (
    Phase,
    Table,
    acting,
    asked,
    battle_number,
    book,
    fights,
    first_able,
    following,
    held,
    seats,
    size,
    strength,
)

# --- laying cards --------------------------------------------------------------------------------------


def talks(t: Table, seat: Term) -> Term:
    """Whether a player takes part in the diplomacy."""
    return total() == 0 if t.reading(r.who_talks) == "all" else fights(t, seat)


@book.rule(
    "diplomacy.event-card",
    "diplomacy.bluff",
    by=acting,
    phase=Phase.DIPLOMACY,
    card=lambda s: s.members(s.cards),
    secret="card",
)
def lay_down(t: Table, card: enum.Enum) -> None:
    """The player lays a card face down, an event or a bluff."""
    me = t.actor
    t.require(t.hand[me][card] > 0)
    t.hand[me].remove(card)
    t.down[me] = card
    t.laid[me] = True
    next_to_lay(t)


@book.rule("diplomacy.event-card", by=acting, phase=Phase.DIPLOMACY)
def lay_nothing(t: Table) -> None:
    """The player lays no card."""
    t.require(some(t.reading(r.must_lay) == "may", held(t, t.actor) == 0))
    next_to_lay(t)


def next_to_lay(t: Table) -> None:
    """The next player lays a card, or all are turned up."""
    found, who = following(t, t.actor, lambda p: talks(t, p))
    with t.when(found):
        t.actor = who
    with t.otherwise():
        t.actor = t.turn
        t.phase = Phase.REVEAL


@book.rule("diplomacy.reveal", by=RULES, phase=Phase.REVEAL)
def reveal(t: Table) -> None:
    """All cards are turned up at once."""
    for p in seats(t):
        t.shown[p] = t.down[p]
        t.down[p] = t.size.card["NONE"]
        t.laid[p] = False
    look_for_cancellers(t)


# --- Forget it! ------------------------------------------------------------------------------------------


def is_event(t: Table, card: Term) -> Term:
    """Whether a card is an event that can be cancelled."""
    events = {e.member: int(not e.cancels) for e in t.size.events}
    return lookup(card, (0, *(events.get(c.member, 0) for c in t.size.cards))) == 1


def is_canceller(t: Table, card: Term) -> Term:
    """Whether a card cancels events."""
    return lookup(card, t.size.by_card("cancels")) == 1


def can_cancel(t: Table, seat: Term) -> Term:
    """Whether a player can cancel an event that lies there."""
    target = some(*(is_event(t, t.shown[q]) for q in seats(t)))
    has = [is_canceller(t, t.shown[seat])]
    if t.reading(r.forget) == "hand":
        has += [t.hand[seat][t.size.card[e.member]] > 0 for e in t.size.events if e.cancels]
    return every(target, some(*has))


def look_for_cancellers(t: Table) -> None:
    """The first player who can cancel an event is asked; if there is none the events are used."""
    race(t, "cancel-an-event", [can_cancel(t, total(p)) for p in seats(t)], "diplomacy.forget-it")
    found, who = first_able(t, lambda p: can_cancel(t, p))
    t.asked = ite(found, who, 0)
    t.phase = ite(found, Phase.FORGET, Phase.RESOLVE)


@book.rule("diplomacy.forget-it", by=asked, phase=Phase.FORGET, target=size.players)
def cancel(t: Table, target: int) -> None:
    """A player throws a canceller onto an event."""
    me = t.asked
    t.require(is_event(t, t.shown[target]))
    t.require(can_cancel(t, me))
    t.shown[target] = t.size.card["NONE"]
    laid = is_canceller(t, t.shown[me])
    with t.when(laid):
        t.shown[me] = t.size.card["NONE"]
    with t.otherwise():
        for e in t.size.events:
            if e.cancels:
                t.hand[me][t.size.card[e.member]] = most(t.hand[me][t.size.card[e.member]] - 1, 0)
    look_for_cancellers(t)


@book.rule("diplomacy.forget-it", by=asked, phase=Phase.FORGET)
def cancel_nothing(t: Table) -> None:
    """A player who could cancel an event does not."""
    found, who = following(t, t.asked, lambda p: can_cancel(t, p))
    with t.when(found):
        t.asked = who
    with t.otherwise():
        t.asked = 0
        t.phase = Phase.RESOLVE


@book.rule(
    "diplomacy.in-order", "sharing.event-advantages", "sharing.after-events", by=RULES, phase=Phase.RESOLVE
)
def use_event(t: Table) -> None:
    """The player whose turn it is in the diplomacy uses the event; a bluff is put away."""
    t.require(~is_offer(t))
    gain(t)
    put_card_away(t)


@book.rule("diplomacy.in-order", "sharing.event-advantages", by=acting, phase=Phase.RESOLVE)
def use_own_event(t: Table) -> None:
    """Only under a reading: the player chooses to use the event."""
    t.require(is_offer(t))
    gain(t)
    put_card_away(t)


@book.rule("diplomacy.in-order", by=acting, phase=Phase.RESOLVE)
def leave_own_event(t: Table) -> None:
    """Only under a reading: the player does not use the event."""
    t.require(is_offer(t))
    put_card_away(t)


def is_offer(t: Table) -> Term:
    """Whether the player whose turn it is in the diplomacy may leave the event unused."""
    return every(t.reading(r.event_use) == "may", is_event(t, t.shown[t.actor]))


def gain(t: Table) -> None:
    """The event that was turned up gives what it gives."""
    me = t.actor
    card = t.shown[me]
    gains, finds = lookup(card, t.size.by_card("battle_value")), lookup(card, t.size.by_card("treasure"))
    t.value[me] = least(t.value[me] + gains, t.size.most_value)
    t.treasure[me] = least(t.treasure[me] + finds, t.size.most_treasure)


def put_card_away(t: Table) -> None:
    """The card that was turned up goes, and the next player who has one uses it."""
    me = t.actor
    card = t.shown[me]
    if t.reading(r.bluffs) == "back":
        events = {e.member for e in t.size.events}
        for c in t.size.cards:
            if c.member not in events:
                bluff = t.size.card[c.member]
                t.hand[me][bluff] = least(t.hand[me][bluff] + ite(card == bluff, 1, 0), c.count)
    t.shown[me] = t.size.card["NONE"]
    found, who = following(t, me, lambda p: t.shown[p] != t.size.card["NONE"])
    t.actor = ite(found, who, t.turn)
    with t.when(~found):
        t.phase = Phase.SHARE


# --- sharing -----------------------------------------------------------------------------------------------


@book.rule("sharing.winner", "sharing.several-winners", "battle.no-creature", by=RULES, phase=Phase.SHARE)
def find_winners(t: Table) -> None:
    """The players with the highest battle value have won the battle."""
    result = rank(
        t,
        "battle-winner",
        [list(t.value)],
        ("sharing.winner", "sharing.several-winners"),
        among=[fights(t, p) for p in seats(t)],
        shared=True,
    )
    best: list[Term] = list(result.best)
    if t.reading(r.nobody_fights) == "all-level":
        nobody = ~some(*(fights(t, p) for p in seats(t)))
        best = [b | nobody for b in best]
    if t.reading(r.several) == "after-fight":
        several = count(*t.level) > 1
        best = [ite(several, t.level[p], b) for p, b in enumerate(best)]
    for p, b in enumerate(best):
        t.wins[p] = b
    t.level.fill(False)
    with t.when(some(*best)):
        t.phase = Phase.PAY
    with t.otherwise():
        battle_over(t)


def is_due(t: Table, seat: int) -> Term:
    """Whether a player has still to be paid."""
    gets: Term = t.wins[seat]
    if t.reading(r.loser_gold) == "found":
        gets = gets | (t.treasure[seat] > 0)
    return gets & ~t.paid[seat]


def amount(t: Table, seat: int) -> Term:
    """The gold that a player is to get."""
    return t.treasure[seat] + ite(t.wins[seat], battle_number(t, "gold"), 0)


@book.rule(
    "sharing.winner", "sharing.each-receives", "setup.supply", by=RULES, phase=Phase.PAY, number=size.players
)
def pay(t: Table, number: int) -> None:
    """A winner takes the gold found and the gold on the card out of the supply.

    Where the supply is enough for all, the order makes no difference, and they take it in the order of seats.
    """
    left = total(t.size.coins) - total(*t.gold)
    short = left < total(*(ite(is_due(t, p), amount(t, p), 0) for p in seats(t)))
    t.require(is_due(t, number))
    t.require(short | ~some(*(is_due(t, p) for p in range(number))))
    got = take(t, "coins", left, amount(t, number), "sharing.each-receives")
    t.gold[number] = least(t.gold[number] + most(got, 0), t.size.coins)
    t.paid[number] = True
    with t.when(~some(*(is_due(t, p) for p in seats(t)))):
        losing(t)


def candidates(t: Table, seat: Term, kind: enum.Enum) -> Term:
    """Whether a creature of a kind can be the strongest one of a player."""
    among = t.fighters if t.reading(r.strongest) == "fighters" else t.team
    return among[seat][kind] > 0


def owes(t: Table, seat: Term) -> Term:
    """Whether a player has won and has not given up a creature."""
    return t.wins[seat] & some(*(candidates(t, seat, k) for k in t.size.kind))


def losing(t: Table) -> None:
    """The winners give up the strongest creature, one after the other."""
    found, who = first_able(t, lambda p: owes(t, p))
    with t.when(found):
        t.actor = who
        t.phase = Phase.LEAVE
    with t.otherwise():
        battle_over(t)


@book.rule(
    "sharing.strongest-leaves",
    "sharing.level-strongest",
    "sharing.each-receives",
    by=acting,
    phase=Phase.LEAVE,
    creature=size.kind,
)
def give_up(t: Table, creature: enum.Enum) -> None:
    """The creature with most dice leaves a winner, who chooses among level ones."""
    me = t.actor
    t.require(candidates(t, me, creature))
    mine = strength(t, me, creature)
    t.require(every(*(~candidates(t, me, k) | (strength(t, me, k) <= mine) for k in t.size.kind)))
    go(t, me, creature, 1)
    found, who = following(t, me, lambda p: owes(t, p))
    with t.when(found):
        t.actor = who
    with t.otherwise():
        battle_over(t)


def battle_over(t: Table) -> None:
    """The battle is put away but for its card, and hands are filled from the starting player on."""
    for p in seats(t):
        for kind in t.size.kind:
            t.fighters[p][kind] = 0
    for field in (t.value, t.treasure):
        field.fill(0)
    t.wins.fill(False)
    t.paid.fill(False)
    t.actor = t.turn
    t.phase = Phase.REFILL
