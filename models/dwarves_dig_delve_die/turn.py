"""A turn of Dwarves: Dig, Delve, Die: drawing, rolling, placing and digging.

Promise: every sentence of the turn is carried out by one rule or is a row of one table; what a card does is
in `effects`, what the printed answers change in `rulings`.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die import effects, mine, rulings
from models.dwarves_dig_delve_die import readings as r
from models.dwarves_dig_delve_die.mine import Card
from models.dwarves_dig_delve_die.table import Phase, Table, book, size, turn_player
from models.language import (
    CHANCE,
    RULES,
    Policy,
    TermLike,
    count,
    decide,
    every,
    ite,
    most,
    row,
    some,
    take,
    total,
)

# --- setup and the roll --------------------------------------------------------------------------


@book.rule("setup.one-die", "setup.delve-left", by=RULES, phase=Phase.SETUP, only="all-cards")
def set_up(t: Table) -> None:
    """Everybody draws a die."""
    _deal(t)


@book.rule(
    "setup.one-die",
    "setup.delve-left",
    "faq-drinking.remove-mugs",
    "faq-drinking.mug-cards",
    by=RULES,
    phase=Phase.SETUP,
    only="dry",
)
def set_up_dry(t: Table) -> None:
    """Cards that speak of a mug are not in the pile; everybody draws a die."""
    _deal(t)


@book.rule(
    "setup.one-die",
    "setup.delve-left",
    "faq-players.two-no-blockade",
    by=RULES,
    phase=Phase.SETUP,
    only="two",
)
def set_up_two(t: Table) -> None:
    """The Orc Blockade is not in the pile; both players draw a die."""
    _deal(t)


def _deal(t: Table) -> None:
    for number in range(t.size.players):
        t.own[number] = 1
    t.supply = t.supply - t.size.players
    t.phase = Phase.DRAW


@book.rule("turn.draw-roll", by=RULES, phase=Phase.DRAW)
def draw(t: Table) -> None:
    """The player on turn takes a further die, and picks up all that they own."""
    got = take(t, "new-die", t.supply, 1, "turn.draw-roll")
    dice = t.own[t.turn] + got
    t.supply = most(t.supply - got, 0)
    t.own[t.turn] = 0
    t.fist = dice
    t.phase = Phase.LOWEST

    def roll_them() -> None:
        t.phase = Phase.ROLL

    decide(
        t,
        "roll",
        [row("turn.draw-roll", when=dice > 0, then="roll")],
        outcomes={"roll": roll_them, **rulings.outcomes("roll", t)},
    )


@book.rule(
    "turn.draw-roll",
    "cards.throne",
    by=CHANCE,
    phase=Phase.ROLL,
    faces=size.rolls,
    weight=lambda t, faces: t.size.ways(faces),
)
def roll(t: Table, faces: str) -> None:
    """Dice are rolled; those that show the same number are alike."""
    n = len(faces)
    t.require(t.fist >= n if n == t.size.together else t.fist == n)
    left = t.fist - n
    for number in sorted({int(f) for f in faces}):
        t.rolled[number - 1] = t.rolled[number - 1] + faces.count(str(number))
    t.fist = most(left, 0)
    with t.when(left == 0):
        t.phase = Phase.PLACE


# --- placing -------------------------------------------------------------------------------------


@book.rule(
    "turn.place-each",
    "turn.place-all",
    "turn.stack",
    "turn.equal-or-higher",
    "turn.one-stack",
    by=turn_player,
    phase=Phase.PLACE,
    number=size.numbers,
    card=size.card,
)
def place(t: Table, number: int, card: Card) -> None:
    """A die is laid on a card."""
    t.require(card in mine.in_play(t))
    t.require(t.rolled[number - 1] > 0)
    t.require(mine.takes(t, card, number) | every(t.forced, t.spot[card] > 0, ~mine.fits(t, number)))
    if t.reading(r.duty) == "whole-roll":
        t.require(mine.leaves_room(t, card, number))
    t.rolled[number - 1] = t.rolled[number - 1] - 1
    t.stack[card].push(number)
    mine.changed_top(t, card, gone=False)
    t.forced = False
    go_on(t)


@book.rule("turn.place-all", "turn.equal-or-higher", by=RULES, phase=Phase.PLACE, number=size.numbers)
def find_no_place(t: Table, number: int) -> None:
    """No card takes a die that has to be placed."""
    t.require(~t.forced)
    t.require((t.rolled[number - 1] > 0) & ~mine.fits(t, number))
    for smaller in range(1, number):
        t.require((t.rolled[smaller - 1] == 0) | mine.fits(t, smaller))

    def force() -> None:
        t.forced = True

    def keep() -> None:
        t.rolled[number - 1] = t.rolled[number - 1] - 1
        t.own[t.turn] = t.own[t.turn] + 1
        go_on(t)

    decide(
        t,
        "unplaceable",
        [row("turn.place-all", when=True, then="force"), row("turn.equal-or-higher", when=True, then="keep")],
        policy=Policy.PRIORITY,
        on_clash="turn.equal-or-higher",
        outcomes={"force": force, "keep": keep, **rulings.outcomes("unplaceable", t, number)},
    )


def go_on(t: Table) -> None:
    """Once everything is placed, digging begins, or goes on where a card had dice placed."""
    with t.when(total(*t.rolled) == 0):
        t.phase = ite(t.number == 0, Phase.LOWEST, Phase.DIG)


# --- digging -------------------------------------------------------------------------------------


@book.rule("digging.lowest", by=RULES, phase=Phase.LOWEST)
def find_lowest(t: Table) -> None:
    """Everything is placed: the smallest number that can be seen digs."""
    number = mine.lowest(t)
    some_die = number <= t.size.sides

    def dig_it() -> None:
        mine.begin_digging(t, number)
        t.phase = Phase.DIG

    decide(t, "lowest", [row("digging.lowest", when=some_die, then="dig")], outcomes={"dig": dig_it})
    with t.when(~some_die):
        end_turn(t)


@book.rule(
    "digging.take",
    "digging.leave-rest",
    "digging.do-card",
    "digging.left-to-right",
    by=RULES,
    phase=Phase.DIG,
    card=size.card,
)
def dig(t: Table, card: Card) -> None:
    """The leftmost die that is due digs: it is taken, and its card is carried out."""
    t.require(card in mine.in_play(t))
    t.require(mine.is_next(t, card))
    if t.reading(r.number) == "follows":
        t.require(mine.lowest(t) >= t.number)

    def take_it() -> None:
        t.stack[card].pop()
        if t.reading(r.taken) == "own":
            t.own[t.turn] = t.own[t.turn] + 1
        else:
            t.supply = t.supply + 1
        mine.has_dug(t, card)
        effects.carry_out(t, card)

    before = t.dug[card]
    decide(
        t,
        "dig",
        [row("digging.take", when=~before, then="dig"), row("digging.leave-rest", when=before, then="leave")],
        outcomes={"dig": take_it, "leave": lambda: mine.pass_by(t, card)},
    )


@book.rule("digging.lowest", by=RULES, phase=Phase.DIG)
def dig_lower(t: Table) -> None:
    """Only under a reading: a smaller number has come up, and dice with that number dig."""
    t.require(t.reading(r.number) == "follows")
    smaller = mine.lowest(t)
    t.require(smaller < t.number)
    mine.begin_digging(t, smaller)


@book.rule("digging.complete", by=RULES, phase=Phase.DIG)
def complete(t: Table) -> None:
    """Nothing is due any more: the turn is complete, unless a die with the number is still to be seen."""
    cards = mine.in_play(t)
    t.require(count(*(mine.digs(t, c) for c in cards)) == 0)
    if t.reading(r.number) == "follows":
        t.require(mine.lowest(t) >= t.number)
    number = t.number
    late = some(*(mine.left_over(t, c, uncovered=False) for c in cards))
    rest = some(*(mine.left_over(t, c, uncovered=True) for c in cards))
    jumped = t.jumped

    def go_on_digging() -> None:
        mine.start_over(t, number)

    shut_out = "digging.lowest" if t.reading(r.who) == "fixed" else "digging.left-to-right"
    decide(
        t,
        "turn-over",
        [
            row(shut_out, when=every(late, ~jumped), then="over"),
            row("digging.leave-rest", when=rest, then="over"),
            row("digging.complete", when=late | rest, then="go on"),
            row("digging.complete", id="digging.complete#none", when=~(late | rest), then="over"),
        ],
        policy=Policy.PRIORITY,
        outcomes={"over": lambda: end_turn(t), "go on": go_on_digging},
    )


def end_turn(t: Table) -> None:
    """The next player is on turn."""
    mine.end_digging(t)
    neighbour = (t.turn + 1) % t.size.players
    won, passed_over = t.heir > 0, t.resume
    nobody: TermLike = 0
    t.turn = ite(won, most(t.heir - 1, 0), ite(passed_over > 0, most(passed_over - 1, 0), neighbour))
    if t.reading(r.skull_after) == "back":
        t.resume = ite(won, ite(passed_over > 0, passed_over, neighbour + 1), nobody)
    t.heir = 0
    t.phase = Phase.DRAW
    if t.reading(r.winning) == "turn-end":
        effects.finish(t)
