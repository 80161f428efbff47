"""The Dwarf King: scoring a round, and the end of the game.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

from models.language import RULES, Term, every, ite, lookup, rank, total
from models.the_dwarf_king import dealing, layout, trick
from models.the_dwarf_king import readings as r
from models.the_dwarf_king.cards import SUITS
from models.the_dwarf_king.table import GAME, Phase, Table, book, deck, seats

__all__ = ["book", "dealing", "layout", "trick"]


def points(t: Table, seat: int) -> Term:
    """What a round brings to a player, by its challenge and its special card."""
    by_trick = t.tricks[seat] * lookup(t.challenge, t.size.trick_points)
    by_card = [t.taken[seat][int(s)] * lookup(t.challenge, t.size.card_points(s)) for s in SUITS]
    special = ite(t.took == seat + 1, lookup(t.special, t.size.by_special("points")), 0)
    return total(by_trick, *by_card, special)


@book.rule(
    "scoring.calculate",
    "scoring.record",
    "scoring.remove-special",
    "objective.most-points",
    "game.changing",
    "tricks.special-trigger",
    "flow.seven",
    "outside.musician",
    by=RULES,
    phase=Phase.SCORE,
    only=GAME,
)
def score_round(t: Table) -> None:
    """Points are recorded, the special card leaves the game, and a new round begins or the game ends."""
    for p in seats(t):
        t.score[p] = t.score[p] + points(t, p)
    leaves = total(1)
    if t.reading(r.unplayed) == "stays" and t.size.rest:
        leaves = ite(t.shown == t.special, 1, 0)
    t.specials.remove(t.special, leaves)
    if t.reading(r.used_contract) == "returns":
        t.contracts.add(t.contract)
    t.dealer = dealer_of_next_round(t)
    clear(t)
    last = t.round + 1 == t.size.rounds
    t.round = t.round + 1
    t.phase = ite(last, Phase.COUNT, Phase.DRAW)


def dealer_of_next_round(t: Table) -> Term:
    """Who deals the next round."""
    custom = t.reading(r.next_dealer)
    after = (t.dealer + 1) % t.size.players
    if custom == "same":
        after = t.dealer
    if custom == "five-of-dwarves":
        after = t.opened - 1
    takes_over = every(lookup(t.special, t.size.by_special("deals")) == 1, t.took > 0)
    return ite(takes_over, t.took - 1, after)


def clear(t: Table) -> None:
    """Everything of the round is put away; the cards of the suits are the deck again."""
    t.place.fill(deck(t))
    t.left.fill(0)
    t.aside = 0
    t.special = t.size.special["NONE"]
    t.shown = t.size.special["NONE"]
    t.contract = t.size.contract["NONE"]
    t.challenge = t.size.challenge["NONE"]
    t.holder = 0
    t.opened = 0
    t.took = 0
    t.leader = 0
    t.turn = 0
    t.tricks.fill(0)
    for p in seats(t):
        t.taken[p].fill(0)


# --- the end ----------------------------------------------------------------------------------------------


@book.rule(
    "end.after-seventh", "end.crowned", "objective.highest-total", by=RULES, phase=Phase.COUNT, only=GAME
)
def crown(t: Table) -> None:
    """The last round is over: whoever has the highest total is crowned."""
    result = rank(t, "highest-total", [list(t.score)], ("end.crowned", "objective.highest-total"))
    alone = ~result.tied if t.reading(r.tie) == "nobody" else True
    for number, best in enumerate(result.best):
        t.won[number] = every(best, alone)
    t.phase = Phase.OVER


@book.over("end.after-seventh")
def over(t: Table) -> Term:
    """Somebody was crowned (variant `trick`: the trick is taken)."""
    return t.phase == Phase.OVER


@book.winner("end.crowned")
def winner(t: Table, number: int) -> Term:
    """Whoever has the highest total; what holds in a tie is a reading."""
    return t.won[number]


@book.score("objective.highest-total", "scoring.record")
def score(t: Table, number: int) -> Term:
    """The total of the rounds that were scored."""
    return t.score[number]
