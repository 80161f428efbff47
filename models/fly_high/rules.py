"""Fly High: the turn around a flight, the bonus, the refill and the end.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

from models.fly_high import flight
from models.fly_high import readings as r
from models.fly_high.cards import Face
from models.fly_high.table import Phase, Table, book, size
from models.language import (
    CHANCE,
    RULES,
    Term,
    TermLike,
    count,
    every,
    least,
    lookup,
    most,
    rank,
    repeat,
    some,
    take,
    total,
)

__all__ = ["book", "flight"]


# --- the cloud --------------------------------------------------------------------------------------


@book.rule("turn.roll", "cloud.no-flight", "cloud.turn-over", "cloud.take-top", "cloud.next-player",
           by=CHANCE, phase=Phase.ROLL, weight=size.clouds)
def cloud(t: Table) -> None:
    """The die shows the cloud: the player gets the top card of the deck, and the turn is over."""
    got, out = draw(t, "cloud-card", 1, "cloud.take-top")
    t.score[t.turn] = t.score[t.turn] + got
    after_drawing(t, out)


# --- how a flight ends --------------------------------------------------------------------------------


@book.rule("bold.fail-nothing", "bold.turn-over", "ending.face-down", "ending.same-spot",
           "ending.next-player", by=RULES, phase=Phase.FAILED)
def turn_back(t: Table) -> None:
    """The flight has failed: its cards are turned face down where they lie, and the turn is over."""
    t.face_up.fill(False)
    pass_on(t)


@book.rule("number.take-all", "bold.all-nine", "bold.turn-over", "finish.take-all", "finish.no-more",
           "finish.bonus-too", "uturn.take-too", "bonus.two-cards", by=RULES, phase=Phase.WON)
def take_all(t: Table) -> None:
    """The flight has succeeded: the player takes the cards that are up; bonus and refill fall due."""
    due = bonus_for(t)
    finish = some(*(t.face_up[s] & (lookup(t.grid[s], t.size.faces) == int(Face.FINISH)) for s in spots(t)))
    t.score[t.turn] = t.score[t.turn] + count(*t.face_up)
    for spot in spots(t):
        with t.when(t.face_up[spot]):
            t.grid[spot] = t.size.none
            t.face_up[spot] = False
    t.bonus_due = due
    t.refill_due = ~finish if t.reading(r.finish_refill) == "none" else True
    t.phase = Phase.ENDING
    with t.when((t.bonus_due == 0) & ~t.refill_due):
        pass_on(t)


def bonus_for(t: Table) -> Term:
    """How many cards the flight that has just succeeded brings as a bonus."""
    times: list[Term] = []
    for number, character in enumerate(t.size.characters):
        shown = count(*(t.face_up[s] & (lookup(t.grid[s], t.size.shows(character)) == 1) for s in spots(t)))
        if t.reading(r.bonus_scope) == "pile":
            had = t.held[t.turn][number]
            t.held[t.turn][number] = least(had + shown, 3)
            times.append(count((had < 3) & (had + shown >= 3)))
        else:
            times.append(repeat(t, "bonus-of-six", "bonus.two-cards", shown // 3, r.bonus_six))
    if not times:
        return total()
    repeat(t, "bonus-of-two", "bonus.two-cards", count(*(n > 0 for n in times)), r.bonus_times)
    pays = total(*times) if t.reading(r.bonus_times) == "each" else most(*times)
    return least(2 * pays, t.size.most_bonus)


# --- drawing from the deck ------------------------------------------------------------------------------


@book.rule("bonus.two-cards", "finish.bonus-too", by=RULES, phase=Phase.ENDING)
def bonus(t: Table) -> None:
    """Three cards with one character were taken: two cards of the deck come to the score pile."""
    t.require(t.bonus_due > 0)
    pairs_only = t.reading(r.bonus_short) == "nothing"
    got, out = draw(t, "bonus-cards", t.bonus_due, "bonus.two-cards", pairs_only=pairs_only)
    t.score[t.turn] = t.score[t.turn] + got
    t.bonus_due = 0
    after_drawing(t, out)


@book.rule("ending.fill-spots", "setup.square", by=RULES, phase=Phase.ENDING)
def refill(t: Table) -> None:
    """The flight has succeeded: the gaps in the square are filled from the deck."""
    t.require(t.refill_due)
    gaps = [t.grid[s] == t.size.none for s in spots(t)]
    got, out = draw(t, "refill-cards", count(*gaps), "ending.fill-spots")
    for spot in spots(t):
        with t.when(gaps[spot] & (count(*gaps[:spot]) < got)):
            t.grid[spot] = t.size.hidden
    t.refill_due = False
    after_drawing(t, out)


def draw(t: Table, name: str, want: TermLike, clause: str, *, pairs_only: bool = False) -> tuple[Term, Term]:
    """Draw cards from the deck.

    Args:
        t: The table.
        name: Name of the drawing.
        want: How many cards are wanted.
        clause: The sentence that wants them.
        pairs_only: Only full pairs are drawn; without them the deck has not run out.

    Returns:
        How many cards are drawn, and whether the deck has run out.
    """
    have = t.deck
    got = take(t, name, have, want, clause)
    if pairs_only:
        got = least(got, have // 2 * 2)
    t.deck = most(have - got, 0)
    if t.reading(r.runs_out) == "last-card":
        return got, t.deck == 0
    return got, every(have < want, not pairs_only)


def after_drawing(t: Table, out: Term) -> None:
    """The game ends where the deck has run out; else the turn ends if nothing is due any more."""
    with t.when(out):
        t.bonus_due = 0
        t.refill_due = False
        t.phase = Phase.OUT
    with t.otherwise(), t.when((t.bonus_due == 0) & ~t.refill_due):
        pass_on(t)


def pass_on(t: Table) -> None:
    """The player on the left is on turn."""
    t.turn = (t.turn + 1) % t.size.players
    t.phase = Phase.ROLL


def spots(t: Table) -> range:
    """The spots of the square."""
    return range(t.size.spots)


# --- the end ----------------------------------------------------------------------------------------------


@book.rule("end.deck-out", "end.count", "end.winner", by=RULES, phase=Phase.OUT)
def count_cards(t: Table) -> None:
    """The deck has run out: the score piles are counted."""
    result = rank(t, "most-cards", [list(t.score)], ("end.count", "end.winner"))
    alone = ~result.tied if t.reading(r.tie) == "nobody" else True
    for number, best in enumerate(result.best):
        t.won[number] = every(best, alone)
    t.phase = Phase.OVER


@book.over("end.deck-out")
def over(t: Table) -> Term:
    """The cards are counted."""
    return t.phase == Phase.OVER


@book.winner("end.winner")
def winner(t: Table, number: int) -> Term:
    """Whoever has the most cards; what holds in a tie is a reading."""
    return t.won[number]


@book.score("end.count")
def score(t: Table, number: int) -> Term:
    """The number of cards in the score pile."""
    return t.score[number]
