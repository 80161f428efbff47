"""The mine of Dwarves: Dig, Delve, Die: what lies where, what can be seen, and which dice dig.

Promise: the only place that knows how the readings on digging keep track of the dice that are due.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from models.dwarves_dig_delve_die import readings as r
from models.dwarves_dig_delve_die.cards import MUGS, Kind
from models.dwarves_dig_delve_die.table import Table
from models.language import Term, TermLike, count, every, ite, least, some

Card = enum.Enum


def kind_of(card: Card) -> Kind:
    """What a card is."""
    return Kind[card.name]


def in_play(t: Table) -> tuple[Card, ...]:
    """The cards of this variant, Delve & Dig first."""
    out = {"dry": MUGS, "two": (Kind.BLOCKADE,)}.get(t.variant, ())
    return tuple(t.size.card[k.name] for k in t.size.kinds if k not in out)


def others(t: Table, card: Card) -> Iterator[Card]:
    """All cards but one."""
    return (c for c in in_play(t) if c is not card)


# --- cards ---------------------------------------------------------------------------------------


def face_up(t: Table) -> Term:
    """How many cards lie face up."""
    return count(*(t.spot[c] > 0 for c in in_play(t)))


def in_pile(t: Table) -> Term:
    """How many cards are left in the pile."""
    return count(*(t.spot[c] == 0 for c in in_play(t)))


def lay_out(t: Table, card: Card) -> None:
    """A card of the pile comes to lie face up in the row."""
    if t.reading(r.line) == "next-to-pile":
        first = ite(t.spot[t.size.delve] == 1, 2, 1)
        for c in others(t, card):
            with t.when(t.spot[c] >= first):
                t.spot[c] = least(t.spot[c] + 1, t.size.places)
        with t.when(t.at >= first):
            t.at = least(t.at + 1, t.size.places)
        t.spot[card] = first
    else:
        t.spot[card] = least(face_up(t) + 1, t.size.places)


# --- dice ----------------------------------------------------------------------------------------


def seen(t: Table, card: Card) -> Term:
    """Whether a die lies on a card, so that the top one can be seen."""
    return t.stack[card].depth > 0


def lowest(t: Table) -> Term:
    """The smallest number that can be seen; more than any die shows where there is none."""
    return least(t.size.sides + 1, *(ite(seen(t, c), t.stack[c].top, t.size.sides + 1) for c in in_play(t)))


def takes(t: Table, card: Card, number: int) -> Term:
    """Whether a die may be laid on a card: it lies face up and shows no larger number."""
    return (t.spot[card] > 0) & (~seen(t, card) | (t.stack[card].top <= number))


def fits(t: Table, number: int) -> Term:
    """Whether some card takes a die."""
    return some(*(takes(t, c, number) for c in in_play(t)))


def leaves_room(t: Table, card: Card, number: int) -> Term:
    """Whether no other die of the roll that fits now is shut out by laying one on a card."""
    shut_out = []
    for n in t.size.numbers:
        more = t.rolled[n - 1] > (1 if n == number else 0)
        elsewhere = some(*(takes(t, c, n) for c in others(t, card)))
        shut_out.append(every(more, fits(t, n), n < number, ~elsewhere))
    return ~some(*shut_out)


# --- which dice dig ------------------------------------------------------------------------------


def begin_digging(t: Table, number: Term) -> None:
    """Everything is placed: dice with a number dig."""
    t.number = number
    start_over(t, number)


def start_over(t: Table, number: TermLike) -> None:
    """All dice on top that show a number are to dig, from the left."""
    t.at = 0
    t.dug.fill(False)
    if t.reading(r.who) == "fixed":
        for c in in_play(t):
            t.due[c] = shows(t, c, number)


def shows(t: Table, card: Card, number: TermLike) -> Term:
    """Whether the die on top of a card shows a number."""
    return every(seen(t, card), t.stack[card].top == number)


def digs(t: Table, card: Card) -> Term:
    """Whether the die on top of a card is still to dig."""
    low = shows(t, card, t.number)
    match t.reading(r.who):
        case "fixed":
            return every(low, t.due[card], t.spot[card] > t.at)
        case "sweep":
            return every(low, t.spot[card] > t.at)
        case _:
            return every(low, ~t.dug[card])


def is_next(t: Table, card: Card) -> Term:
    """Whether the die on top of a card is the leftmost one still to dig."""
    return every(digs(t, card), *(~every(digs(t, c), t.spot[c] < t.spot[card]) for c in others(t, card)))


def has_dug(t: Table, card: Card) -> None:
    """The die that dug has been taken off a card."""
    same_again = t.reading(r.stacked) == "all"
    t.at = t.spot[card] - 1 if same_again else t.spot[card]
    t.dug[card] = not same_again
    if t.reading(r.who) == "fixed":
        t.due[card] = shows(t, card, t.number) if same_again else False


def pass_by(t: Table, card: Card) -> None:
    """The die on top of a card does not dig after all."""
    t.at = t.spot[card]
    t.due[card] = False


def changed_top(t: Table, card: Card, *, gone: bool) -> None:
    """What is on top of a card has changed by something other than digging.

    Args:
        t: The table.
        card: The card.
        gone: The top die was taken away (else a die was laid on it or changed).
    """
    t.dug[card] = False
    if gone:
        t.due[card] = False


def left_over(t: Table, card: Card, *, uncovered: bool) -> Term:
    """Whether a die on top of a card shows the number although nothing is due any more.

    Args:
        t: The table.
        card: The card.
        uncovered: Whether dice are meant that lay under one that has dug, or all others.
    """
    return every(shows(t, card, t.number), t.dug[card] if uncovered else ~t.dug[card])


def end_digging(t: Table) -> None:
    """Nothing is due any more; what was kept in mind is forgotten."""
    t.number = 0
    t.at = 0
    t.jumped = False
    t.dug.fill(False)
    t.due.fill(False)
