"""The examples that the text of Fly High prints, as plays.

Promise: each play says only what its example says. Where an example lists what may come next, there is one
play for each thing listed; a list of numbers is not taken to shut special cards out (`advanced.rest-same`).
All of them are flights over a freshly dealt square; none takes more than five cards, so six spots do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from models.fly_high.rules import book
from models.fly_high.table import Phase, Table
from models.language import Term
from models.language.examples import Examples, Script

EXAMPLES = Examples(book)

F = TypeVar("F", bound=Callable[[Script], None])

#: Six spots, a die with 3 and 4, and all cards that some example needs.
SIZE = "examples"


def both_levels(*clauses: str) -> Callable[[F], F]:
    """Declare an example that the advanced level leaves as it is (`advanced.rest-same`) for both levels."""

    def declare(function: F) -> F:
        def again(script: Script) -> None:
            function(script)

        again.__name__ = f"{function.__name__}_advanced"
        EXAMPLES.example(*clauses, size=SIZE)(function)
        EXAMPLES.example(*clauses, "advanced.rest-same", size=SIZE, variant="advanced")(again)
        return function

    return declare


def fly(script: Script, die: int, *cards: str) -> None:
    """A die roll and the cards that are turned up, from the first spot on."""
    script.move("roll", number=die)
    for spot, card in enumerate(cards):
        script.move("reveal", spot=spot)
        script.move("turn_up", card=card)


def fails(t: Table) -> Term:
    """The first player's flight has failed: nothing is gained, and the neighbour is on turn."""
    return (t.turn == 1) & (t.score[0] == 0)


def succeeds(t: Table) -> Term:
    """The first player's flight is a success: the cards are taken, or may be taken now."""
    return (t.phase == Phase.CHOICE) | (t.score[0] > 0)


def stands(t: Table) -> Term:
    """The card that was turned up last fits: the first player flies on, or has succeeded."""
    return (t.turn == 0) | (t.score[0] > 0)


def gains(cards: int) -> Callable[[Table], Term]:
    """The first player has taken so many cards."""
    return lambda t: t.score[0] == cards


# --- a number on the die ------------------------------------------------------------------------------

_RISING = ("number.example-rising-roll", "number.example-rising-cards", "number.example-rising-succeeds")


@EXAMPLES.example(*_RISING, size=SIZE)
def rising_then_level(s: Script) -> None:
    """A 3; 20 and 30; with a second 30 the flight is a success."""
    fly(s, 3, "N20", "N30", "N30")
    s.sees(succeeds)


@both_levels(*_RISING)
def rising_then_higher(s: Script) -> None:
    """A 3; 20 and 30; with a 40 the flight is a success."""
    fly(s, 3, "N20", "N30", "N40")
    s.sees(succeeds)


@both_levels("number.example-falling-roll", "number.example-falling-cards", "number.example-falling-fails")
def falling_fails(s: Script) -> None:
    """A 3; 20, 30 and 20: a failure."""
    fly(s, 3, "N20", "N30", "N20")
    s.sees(fails)


# --- being bold ---------------------------------------------------------------------------------------

_BOLD = ("bold.example-roll", "bold.example-cards", "bold.example-go-on")


@EXAMPLES.example(*_BOLD, size=SIZE)
def bold_stopping(s: Script) -> None:
    """A 3; 10, 20 and 20: stopping would bring the three cards."""
    fly(s, 3, "N10", "N20", "N20")
    s.move("stop")
    s.sees(gains(3))


@EXAMPLES.example(*_BOLD, "bold.example-fits", "bold.example-again", size=SIZE)
def bold_going_on(s: Script) -> None:
    """A 3; 10, 20 and 20; then a 30, and once more there is the choice."""
    fly(s, 3, "N10", "N20", "N20")
    s.may("stop")
    s.may("reveal", spot=3)
    s.move("reveal", spot=3)
    s.move("turn_up", card="N30")
    s.may("stop")
    s.may("reveal", spot=4)


# --- Rainbow and U-turn -------------------------------------------------------------------------------


@both_levels("rainbow.example-roll", "rainbow.example-cards", "rainbow.example-succeeds")
def rainbows_count(s: Script) -> None:
    """A 3; Rainbow, 60, Rainbow: all three may be taken."""
    fly(s, 3, "RAINBOW", "N60", "RAINBOW")
    s.sees(succeeds)


_UTURN = ("uturn.example-roll", "uturn.example-first-uturn", "uturn.example-falling-cards",
          "uturn.example-second-uturn", "uturn.example-not-done", "uturn.example-what-helps")


def two_uturns(s: Script) -> None:
    """A 4; U-turn, 40, 30, U-turn: the die is met, and the player may not stop."""
    fly(s, 4, "UTURN", "N40", "N30", "UTURN")
    s.may_not("stop")
    s.may("reveal", spot=4)
    s.move("reveal", spot=4)


@EXAMPLES.example(*_UTURN, size=SIZE)
def uturns_then_level(s: Script) -> None:
    """A second 30 helps."""
    two_uturns(s)
    s.move("turn_up", card="N30")
    s.sees(succeeds)


@both_levels(*_UTURN)
def uturns_then_higher(s: Script) -> None:
    """A 60 helps."""
    two_uturns(s)
    s.move("turn_up", card="N60")
    s.sees(succeeds)


@both_levels(*_UTURN)
def uturns_then_lower(s: Script) -> None:
    """A 20 is not among what helps."""
    two_uturns(s)
    s.move("turn_up", card="N20")
    s.sees(fails)


@both_levels(*_UTURN)
def uturns_then_rainbow(s: Script) -> None:
    """A Rainbow is a further special card."""
    two_uturns(s)
    s.move("turn_up", card="RAINBOW")
    s.sees(succeeds)


@both_levels(*_UTURN)
def uturns_then_finish(s: Script) -> None:
    """A Finish is a further special card, and it brings all five."""
    two_uturns(s)
    s.move("turn_up", card="FINISH")
    s.sees(gains(5))


# --- advanced level -----------------------------------------------------------------------------------

_THREE = {
    "rising": ("advanced.example-rising-roll", "advanced.example-rising-cards"),
    "level": ("advanced.example-level-roll", "advanced.example-level-cards"),
    "uturn": ("advanced.example-uturn-roll", "advanced.example-uturn-cards"),
}


@EXAMPLES.example(*_THREE["rising"], "advanced.example-rising-basic", size=SIZE)
def basic_rising_then_level(s: Script) -> None:
    """Basic level, 20 and 30: a second 30 fits."""
    fly(s, 3, "N20", "N30", "N30")
    s.sees(stands)


@EXAMPLES.example(*_THREE["rising"], "advanced.example-rising-then", size=SIZE, variant="advanced")
def advanced_rising_then_level(s: Script) -> None:
    """Advanced level, 20 and 30: a second 30 does not fit."""
    fly(s, 3, "N20", "N30", "N30")
    s.sees(fails)


@EXAMPLES.example(*_THREE["rising"], "advanced.example-rising-then", size=SIZE, variant="advanced")
def advanced_rising_then_higher(s: Script) -> None:
    """Advanced level, 20 and 30: a 40 fits."""
    fly(s, 3, "N20", "N30", "N40")
    s.sees(stands)


@EXAMPLES.example(*_THREE["level"], "advanced.example-level-basic", size=SIZE)
def basic_level_then_level(s: Script) -> None:
    """Basic level, 20 and 20: a third 20 fits."""
    fly(s, 3, "N20", "N20", "N20")
    s.sees(stands)


@EXAMPLES.example(*_THREE["level"], "advanced.example-level-basic", size=SIZE)
def basic_level_then_higher(s: Script) -> None:
    """Basic level, 20 and 20: a 30 fits."""
    fly(s, 3, "N20", "N20", "N30")
    s.sees(stands)


@EXAMPLES.example(*_THREE["level"], "advanced.example-level-then", size=SIZE, variant="advanced")
def advanced_level_then_level(s: Script) -> None:
    """Advanced level, 20 and 20: a third 20 fits."""
    fly(s, 3, "N20", "N20", "N20")
    s.sees(stands)


@EXAMPLES.example(*_THREE["level"], "advanced.example-level-then", size=SIZE, variant="advanced")
def advanced_level_then_higher(s: Script) -> None:
    """Advanced level, 20 and 20: a 30 does not fit."""
    fly(s, 3, "N20", "N20", "N30")
    s.sees(fails)


def turned_round(s: Script, *wrong: str) -> None:
    """A 3; 20, 40, U-turn, and the player goes on; first with a fourth card that does not fit.

    The neighbour, who knows where the three cards lie, then flies over the same ones.
    """
    for turn, card in enumerate(wrong):
        s.move("roll", number=3)
        for spot, known in enumerate(("N20", "N40", "UTURN")):
            s.move("reveal", spot=spot)
            if not turn:
                s.move("turn_up", card=known)
        s.may("reveal", spot=3 + turn)
        s.move("reveal", spot=3 + turn)
        s.move("turn_up", card=card)


@EXAMPLES.example(*_THREE["uturn"], "advanced.example-uturn-basic", size=SIZE)
def basic_uturn_then_level(s: Script) -> None:
    """Basic level, 20, 40, U-turn: a 60 does not fit, a second 40 does."""
    turned_round(s, "N60", "N40")
    s.sees(lambda t: (t.turn == 1) | (t.score[1] > 0))


@EXAMPLES.example(*_THREE["uturn"], "advanced.example-uturn-basic", size=SIZE)
def basic_uturn_then_lower(s: Script) -> None:
    """Basic level, 20, 40, U-turn: a 60 does not fit, a 30 does."""
    turned_round(s, "N60", "N30")
    s.sees(lambda t: (t.turn == 1) | (t.score[1] > 0))


@EXAMPLES.example(*_THREE["uturn"], "advanced.example-uturn-then", size=SIZE, variant="advanced")
def advanced_uturn(s: Script) -> None:
    """Advanced level, 20, 40, U-turn: a second 40 does not fit, a 30 does."""
    turned_round(s, "N40", "N30")
    s.sees(lambda t: (t.turn == 1) | (t.score[1] > 0))
