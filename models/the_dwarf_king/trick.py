"""A trick of The Dwarf King: which cards may be played, what the special card changes, and who wins.

Promise: the special card does what the data in `cards` say and nothing else; the rules name no single one.
"""

from __future__ import annotations

import enum

from models.language import RULES, Term, TermLike, count, every, ite, lookup, rank, some, take, total
from models.the_dwarf_king import readings as r
from models.the_dwarf_king.cards import SUITS, Suit, Target
from models.the_dwarf_king.dealing import leading_card
from models.the_dwarf_king.table import (
    TRICK,
    Phase,
    Table,
    book,
    deck,
    holds_suit,
    is_special,
    lies,
    on_turn,
    printed_suit,
    seats,
    size,
    suit_before,
    suit_of,
    value_of,
)

NO_SUIT = int(Suit.NONE)


# --- turns ----------------------------------------------------------------------------------------------


def seat_after(t: Table, seat: TermLike, steps: int = 1) -> Term:
    """The player some seats after another in the order of play."""
    players: int = t.size.players
    if t.reading(r.order_of_play) == "right":
        return (total(seat, players) - steps % players) % players
    return total(seat, steps) % players


def uneven(t: Table) -> bool:
    """Whether hands can come to differ in size."""
    extra = bool(t.size.rest) and t.reading(r.deal_rest) == "extra" and t.variant != TRICK
    return extra or t.reading(r.may_discard) == "may"


def next_to_play(t: Table) -> None:
    """The next player plays, or the trick is complete."""
    if not uneven(t):
        after = seat_after(t, t.turn)
        t.phase = ite(after == t.leader, Phase.TAKE, Phase.PLAY)
        t.turn = after
        return
    now, leader = t.turn, t.leader
    complete, who = some(True), now
    for steps in reversed(range(1, t.size.players)):
        seat = seat_after(t, now, steps)
        ahead = every(*(seat_after(t, now, s) != leader for s in range(1, steps + 1)))
        plays = every(ahead, t.left[seat] > 0)
        complete, who = every(complete, ~plays), ite(plays, seat, who)
    t.phase = ite(complete, Phase.TAKE, Phase.PLAY)
    t.turn = ite(complete, leader, who)


# --- which cards may be played ----------------------------------------------------------------------------


def leads(t: Table) -> Term:
    """Whether the player on turn leads."""
    return ~lies(t, t.leader)


def suit_led(t: Table) -> Term:
    """The suit of the trick as a number, `NO_SUIT` where there is none."""
    suit = suit_before if t.reading(r.suit_followed) == "printed" else suit_of
    led = suit(t, t.leader)
    second = seat_after(t, t.leader)
    follows = ite(lies(t, second), suit(t, second), NO_SUIT)
    if t.reading(r.special_led) == "next-card":
        return ite(led == NO_SUIT, follows, led)
    passes = every(is_special(t, t.leader), lookup(t.special, t.size.by_special("passes_lead")) == 1)
    return ite(passes, follows, led)


def can_follow(t: Table) -> Term:
    """Whether the player on turn holds a card of the suit led."""
    led = suit_led(t)
    return some(*(every(led == int(s), holds_suit(t, t.turn, s)) for s in SUITS))


def may_lead(t: Table, card: enum.Enum) -> Term:
    """Whether the player on turn may lead a card."""
    fine = some(True)
    first = leading_card(t)
    if t.reading(r.lead_what) == "the-five" and first is not None and card is not first:
        begins = every(
            t.hand == t.size.full, t.left[t.turn] >= t.hand, t.place[t.size.place(first)] == t.turn
        )
        fine = ~begins
    if card is t.size.special_card and t.reading(r.special_led) == "barred":
        fine = every(fine, some(printed_suit(t, card) != NO_SUIT, t.left[t.turn] == 1))
    return fine


def may_follow(t: Table, card: enum.Enum, able: Term) -> Term:
    """Whether the player on turn may play a card to a trick that somebody else has led.

    Args:
        t: The table.
        card: The card.
        able: Whether the player can follow suit; see `can_follow`.
    """
    suit = printed_suit(t, card)
    fine = some(suit == suit_led(t), ~able)
    if card is t.size.special_card:
        free = lookup(t.special, t.size.by_special("free")) == 1
        if t.reading(r.special_when) == "any-time":
            free = some(free, suit == NO_SUIT)
        fine = some(fine, free)
    return fine


def may_play(t: Table, card: enum.Enum, able: Term) -> Term:
    """Whether the player on turn holds a card and may play it; see `may_follow`."""
    first = leads(t)
    holds = t.place[t.size.place(card)] == t.turn
    return every(holds, some(every(first, may_lead(t, card)), every(~first, may_follow(t, card, able))))


# --- playing ----------------------------------------------------------------------------------------------


@book.rule(
    "tricks.lead",
    "tricks.follow",
    "tricks.discard",
    "tricks.special-modify",
    "tricks.special-trigger",
    "outside.dragon",
    "outside.specials",
    by=on_turn,
    phase=Phase.PLAY,
    card=size.shuffled,
)
def play(t: Table, card: enum.Enum) -> None:
    """A player plays a card: any when leading, else of the suit led if there is one in the hand."""
    t.require(may_play(t, card, can_follow(t)))
    leading = leads(t)
    t.place[t.size.place(card)] = deck(t) + 1
    t.played[t.turn] = card
    t.left[t.turn] = t.left[t.turn] - 1
    if card is not t.size.special_card:
        next_to_play(t)
        return
    t.shown = t.special
    t.holder = 0
    on_led = lookup(t.special, t.size.aims(Target.LED)) == 1
    on_any = lookup(t.special, t.size.aims(Target.CHOSEN)) == 1
    with t.when(some(on_led, on_any)):
        others = count(*(every(lies(t, p), t.turn != p) for p in seats(t)))
        take(t, "card-to-change", others, 1, "tricks.special-modify")
    with t.when(every(on_led, ~leading)):
        t.aimed = t.leader + 1
    with t.when(every(on_any, ~leading)):
        t.phase = Phase.AIM
    with t.otherwise():
        next_to_play(t)


@book.rule(
    "tricks.special-modify", "tricks.special-trigger", by=on_turn, phase=Phase.AIM, number=size.players
)
def aim(t: Table, number: int) -> None:
    """The player of the special card chooses the card of the trick that it changes."""
    t.require(every(lies(t, number), t.turn != number))
    t.aimed = number + 1
    next_to_play(t)


@book.rule("tricks.discard", by=on_turn, phase=Phase.PLAY)
def keep_all(t: Table) -> None:
    """Only under a reading: a player who cannot follow suit plays no card."""
    t.require(t.reading(r.may_discard) == "may")
    t.require(every(~leads(t), suit_led(t) != NO_SUIT, ~can_follow(t)))
    next_to_play(t)


# --- winning ----------------------------------------------------------------------------------------------


def winner_of(t: Table) -> tuple[Term, Term]:
    """Whether somebody wins the trick, and who."""
    led = suit_led(t)
    highest: int = t.size.highest
    lowest = lookup(t.special, t.size.by_special("lowest")) == 1
    own_words = lookup(t.special, t.size.by_special("wins")) == 1
    turned = every(lowest, some(*(is_special(t, p) for p in seats(t))))
    takes_part, above, values = [], [], []
    for p in seats(t):
        wins = every(is_special(t, p), own_words)
        in_suit = every(lies(t, p), suit_of(t, p) == led, led != NO_SUIT)
        trump = some(False)
        if t.reading(r.trumps) == "knights":
            trump = every(lies(t, p), suit_of(t, p) == int(Suit.KNIGHTS))
        takes_part.append(some(wins, in_suit, trump))
        above.append(ite(wins, 2, ite(trump, 1, 0)))
        values.append(ite(turned, highest - value_of(t, p), value_of(t, p)))
    best = rank(t, "highest-card", [above, values], "tricks.win", among=takes_part).best
    late = t.reading(r.level) == "last"
    who = t.leader
    for steps in range(t.size.players) if late else reversed(range(t.size.players)):
        seat = seat_after(t, t.leader, steps)
        who = ite(some(*(every(seat == p, best[p]) for p in seats(t))), seat, who)
    return some(*best), who


@book.rule(
    "tricks.win",
    "tricks.special-trigger",
    "outside.dragon",
    by=RULES,
    phase=Phase.TAKE,
)
def take_trick(t: Table) -> None:
    """The trick is complete: the highest card of the suit led wins, and its player leads on."""
    found, who = winner_of(t)
    by_suit = [[counted(t, p, s) for s in SUITS] for p in seats(t)]
    specials = [is_special(t, p) for p in seats(t)]
    if t.reading(r.whose_cards) == "played":
        for p in seats(t):
            for s in SUITS:
                t.taken[p][int(s)] = t.taken[p][int(s)] + by_suit[p][s]
    with t.when(found):
        t.tricks[who] = t.tricks[who] + 1
        if t.reading(r.whose_cards) == "taken":
            for s in SUITS:
                t.taken[who][int(s)] = t.taken[who][int(s)] + total(*(by_suit[p][s] for p in seats(t)))
        with t.when(some(*specials)):
            t.took = who + 1
    t.played.fill(t.size.none)
    t.aimed = 0
    if t.variant == TRICK:
        t.leader = who
        t.turn = who
        t.phase = Phase.OVER
        return
    lead_on(t, who)


def counted(t: Table, seat: int, suit: Suit) -> Term:
    """1 if the card of a player in the trick counts as one of a suit at scoring, else 0."""
    now = suit_of(t, seat) if t.reading(r.change_lasts) == "scoring" else suit_before(t, seat)
    counts = every(lies(t, seat), now == int(suit))
    if t.reading(r.discard_goes) == "away":
        counts = every(counts, suit_of(t, seat) == suit_led(t))
    return ite(counts, 1, 0)


def lead_on(t: Table, who: Term) -> None:
    """The winner leads the next trick, or all cards have been played."""
    done = ~some(*(t.left[p] > 0 for p in seats(t)))
    leader = who
    if uneven(t):
        take(t, "card-to-lead", ite(done, 1, t.left[who]), 1, "tricks.win")
        for steps in reversed(range(t.size.players)):
            seat = seat_after(t, who, steps)
            leader = ite(t.left[seat] > 0, seat, leader)
    t.leader = leader
    t.turn = leader
    t.phase = ite(done, Phase.SCORE, Phase.PLAY)
