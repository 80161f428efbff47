"""A flight of Fly High: the cards that are turned up, and what each of them does.

Promise: what a card leads to is settled in one table, whose rows are the sentences that have a say.
"""

from __future__ import annotations

from collections.abc import Callable

from models.fly_high import readings as r
from models.fly_high.cards import Face
from models.fly_high.table import Course, Phase, Table, book, size, turn_player
from models.language import (
    CHANCE,
    RULES,
    Policy,
    Row,
    Term,
    TermLike,
    count,
    decide,
    every,
    ite,
    lookup,
    row,
    some,
)

#: Sentences on special cards that are at work wherever a card is turned up.
SPECIAL = ("rainbow.counts-one", "uturn.counts-one", "uturn.turns-back")


@book.rule("turn.roll", "number.flight-starts", by=CHANCE, phase=Phase.ROLL, number=size.numbers,
           weight=lambda t, number: t.size.die.count(number))
def roll(t: Table, number: int) -> None:
    """The die shows a number: a flight starts."""
    t.die = number
    t.phase = Phase.FLY
    if t.reading(r.finish_refill) == "none":
        with t.when(lying(t) == 0):
            t.stop("empty-square", "number.reveal")


@book.rule("number.reveal", "number.reveal-again", "number.reach-die", "bold.may-go-on",
           "bold.keep-revealing", "bold.until-clear", *SPECIAL, by=turn_player,
           phase=(Phase.FLY, Phase.CHOICE), spot=size.spots)
def reveal(t: Table, spot: int) -> None:
    """The player turns a card up; one that was never seen is drawn in a step of its own."""
    card = t.grid[spot]
    t.require(~t.face_up[spot])
    t.require(card != t.size.none)
    with t.when(card == t.size.hidden):
        t.pick = spot
        t.phase = Phase.DRAW
    with t.otherwise():
        judge(t, spot, card)


@book.rule("setup.shuffle", "number.reveal", "number.reach-die", *SPECIAL, by=CHANCE,
           phase=Phase.DRAW, card=size.kinds, weight=lambda t, card: t.unseen[card])
def turn_up(t: Table, card: TermLike) -> None:
    """The card on the picked spot turns out to be of a kind."""
    spot = t.pick
    t.grid[spot] = card
    t.unseen.remove(card)
    t.pick = 0
    judge(t, spot, card)


@book.rule("bold.until-clear", "bold.turn-over", by=RULES, phase=Phase.FLY)
def see_failure(t: Table) -> None:
    """Only under a reading: every card that lies face down is known, and none of them fits."""
    t.require(t.reading(r.failure_clear) == "foreseen")
    turned = count(*t.face_up)
    t.require(turned > 0)
    for spot in range(t.size.spots):
        known = t.grid[spot] != t.size.hidden
        t.require(t.face_up[spot] | (t.grid[spot] == t.size.none)
                  | (known & ~Look(t, t.grid[spot], turned + 1).fits()))
    end_flight(t, Phase.FAILED)


@book.rule("bold.may-go-on", "number.take-all", by=turn_player, phase=Phase.CHOICE)
def stop(t: Table) -> None:
    """The die is met, and the player does not go on."""
    end_flight(t, Phase.WON)


def lying(t: Table) -> Term:
    """How many cards lie in the square."""
    return count(*(card != t.size.none for card in t.grid))


def end_flight(t: Table, phase: Phase) -> None:
    """The flight has an outcome; the die and the height have no further use."""
    t.phase = phase
    t.die = 0
    t.height = 0
    t.down = False
    t.course = Course.OPEN
    t.standing = False


def judge(t: Table, spot: TermLike, card: TermLike) -> None:
    """What the card that has just been turned up does to the flight."""
    t.face_up[spot] = True
    look = Look(t, card, count(*t.face_up))
    rows, all_up = look.rows(), look.turned == lying(t)
    look.fly()

    def go_on() -> None:
        t.phase = Phase.FLY
        with t.when(all_up):
            t.stop("nothing-left", "bold.until-clear", "uturn.no-end")

    def choose() -> None:
        t.phase = Phase.CHOICE

    outcomes: dict[str, Callable[[], None]] = {
        "fail": lambda: end_flight(t, Phase.FAILED), "take": lambda: end_flight(t, Phase.WON),
        "go on": go_on, "choose": choose}
    decide(t, "after-reveal", rows, policy=Policy.PRIORITY, outcomes=outcomes)


class Look:
    """A card held against the flight so far.

    Args:
        t: The table before the card changes the height, the order or the course.
        card: The card.
        turned: How many cards of this flight are up, with this one.
    """

    def __init__(self, t: Table, card: TermLike, turned: Term) -> None:
        self.t, self.turned = t, turned
        self.tens, self.face = lookup(card, t.size.tens), lookup(card, t.size.faces)
        self.at, self.down, self.course, self.standing = t.height, t.down, t.course, t.standing
        self.number = self.shows(Face.NUMBER)
        self.compared = self.number & (self.at > 0)
        self.advanced = t.variant == "advanced"

    def shows(self, face: Face) -> Term:
        """Whether the card is of a face."""
        return self.face == int(face)

    # -- does it fit -----------------------------------------------------------------------------
    def too_low(self) -> Term:
        """The order is rising and the number is below the one before."""
        return ~self.down & some(every(self.compared, self.tens < self.at), self.alone())

    def too_high(self) -> Term:
        """The order is turned round and the number is above the one before."""
        above = self.tens > self.at
        if self.t.reading(r.uturn_level) == "fails":
            # in a rising flight of the advanced level, `advanced.falling` answers this
            rising = self.course == Course.CHANGING if self.advanced else False
            above = some(above, every(self.tens == self.at, ~some(rising)))
        return self.down & some(every(self.compared, above), self.alone())

    def alone(self) -> TermLike:
        """A number behind special cards only, where the reading does not let it stand."""
        t = self.t
        if t.reading(r.first_number) == "fits":
            return False
        specials = count(*(t.face_up[s] & (lookup(t.grid[s], t.size.faces) != int(Face.NUMBER))
                           for s in range(t.size.spots)))
        return every(self.number, self.turned > 1, specials == self.turned - 1)

    def off_course(self) -> TermLike:
        """Advanced level: the number keeps the basic order, yet not the course of the flight."""
        if not self.advanced:
            return False
        level = self.tens == self.at
        strict = True if self.t.reading(r.falling) == "strict" else ~self.down
        off = some(every(self.course == Course.LEVEL, ~level),
                   every(self.course == Course.CHANGING, level, strict))
        return every(self.compared, off, ~self.too_low(), ~self.too_high())

    def fits(self) -> Term:
        """The card breaks nothing; a card without a number always fits."""
        return ~some(self.too_low(), self.too_high(), self.off_course())

    # -- what it leads to ------------------------------------------------------------------------
    def rows(self) -> list[Row]:
        """The sentences that have a say, in the order of the text."""
        fits, met = self.fits(), self.turned >= self.t.die
        meeting = self.t.reading(r.meeting)
        rows = [row("number.same-or-higher", when=self.too_low(), then="fail")]
        if meeting == "choice":
            rows.append(row("bold.may-go-on", when=fits & met, then="choose"))
        elif meeting == "at-die":
            rows.append(row("number.take-all", when=fits & met, then="take"))
        success = [r.clause for r in rows[1:]]
        rows += [
            row("bold.until-clear", when=fits if meeting == "never" else fits & ~met, then="go on"),
            row("bold.all-nine", when=fits & (self.turned == self.t.size.spots), then="take",
                overrides=[*success, "bold.until-clear"]),
            row("finish.turn-over", when=self.shows(Face.FINISH), then="take",
                overrides=[*success, "bold.until-clear"]),
            row("uturn.same-or-lower", when=self.too_high(), then="fail"),
            row("uturn.no-end", when=self.on_uturn(met), then="go on", overrides=success),
        ]
        if self.advanced:
            rows.append(row("advanced.one-direction", when=self.off_course(), then="fail"))
        return rows

    def on_uturn(self, met: Term) -> Term:
        """With this card the row stands on a U-turn, so that the player may not stop."""
        uturn, stands = self.shows(Face.UTURN), self.shows(Face.UTURN)
        if self.t.reading(r.further_special) == "helps":
            stands = uturn & ~every(self.standing, self.turned > self.t.die)
        if self.t.reading(r.rainbow_frees) == "number":
            stands = stands | (self.shows(Face.RAINBOW) & self.standing)
        return stands

    def fly(self) -> None:
        """Height, order and course after this card, if the flight goes on."""
        t, uturn = self.t, self.shows(Face.UTURN)
        forgotten = [every(self.shows(Face.RAINBOW), t.reading(r.rainbow_height) == "free"),
                     every(uturn, ~self.down, t.reading(r.uturn_base) == "free"),
                     every(uturn, self.down, t.reading(r.uturn_original) == "restart")]
        t.height = ite(self.number, self.tens, ite(some(*forgotten), 0, self.at))
        with t.when(uturn):
            t.down = ~self.down
        if t.reading(r.further_special) == "helps" or t.reading(r.rainbow_frees) == "number":
            keeps = self.shows(Face.RAINBOW) & self.standing
            t.standing = uturn | (keeps if t.reading(r.rainbow_frees) == "number" else False)
        if self.advanced:
            t.course = self.next_course()

    def next_course(self) -> Term:
        """Advanced level: the course after this card."""
        t, set_by, special = self.t, self.t.reading(r.set_by), ~self.number
        settled = ite(self.tens == self.at, Course.LEVEL, Course.CHANGING)
        course = ite(every(self.course == Course.OPEN, self.compared), settled, self.course)
        if set_by != "numbers":
            unlike = Course.FREE if set_by == "free" else Course.CHANGING
            course = ite(every(self.course == Course.OPEN, special, self.turned <= 2), unlike, course)
        if (turned := t.reading(r.level_uturn)) != "level":
            after = Course.CHANGING if turned == "lower" else Course.OPEN
            course = ite(every(self.course == Course.LEVEL, self.shows(Face.UTURN)), after, course)
        return course
