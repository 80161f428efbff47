"""The examples that the text of The Dwarf King prints, as plays.

Promise: each play says only what its example says. The text prints two challenges and two changes that a
special card can make; the tricks around them are played so that no question about tricks is touched.
"""

from __future__ import annotations

from models.language import Term
from models.language.examples import Examples, Script
from models.the_dwarf_king.rules import book
from models.the_dwarf_king.table import Phase, Table

EXAMPLES = Examples(book)

#: Two players with three cards each.
SIZE = "examples"


def round_of(s: Script, special: str, side: int) -> None:
    """The first player gets D5, G5 and K9, the second the special card, D2 and K5, and chooses."""
    s.move("draw_special", special=special)
    for number in (1, 1, 0, 0, 1, 0):
        s.move("deal", number=number)
    s.move("reveal", contract="TRICKS_PLUS_2_OR_DWARVES_MINUS_1")
    s.move("choose", side=side)


def trick(s: Script, first: str, second: str) -> None:
    """Both play a card."""
    s.move("play", card=first)
    s.move("play", card=second)


def three_tricks(s: Script) -> None:
    """The first player wins all of them: twice with the higher card, once as nobody can follow."""
    trick(s, "DWARF_5", "DWARF_2")
    trick(s, "GOBLIN_5", "SPECIAL")
    trick(s, "KNIGHT_9", "KNIGHT_5")


def six_points(t: Table) -> Term:
    """Three tricks at two points each are recorded."""
    return (t.score[0] == 6) & (t.score[1] == 0)


def two_points_less(t: Table) -> Term:
    """Both Dwarves that are in the round cost a point, whoever they count for."""
    return t.score[0] + t.score[1] == -2


@EXAMPLES.example("contract.choose", size=SIZE)
def two_points_a_trick(s: Script) -> None:
    """Each trick is worth two points."""
    round_of(s, "LOWEST_WINS", side=0)
    three_tricks(s)
    s.sees(six_points)


@EXAMPLES.example("contract.choose", size=SIZE)
def a_point_less_a_dwarf(s: Script) -> None:
    """Each Dwarf costs a point."""
    round_of(s, "LOWEST_WINS", side=1)
    three_tricks(s)
    s.sees(two_points_less)


def before_a_change(s: Script, special: str) -> None:
    """The second player cannot follow the second lead and plays the special card."""
    round_of(s, special, side=0)
    trick(s, "DWARF_5", "DWARF_2")
    s.move("play", card="GOBLIN_5")
    s.move("play", card="SPECIAL")
    s.sees(lambda t: t.phase == Phase.AIM)
    s.may("aim", number=0)


@EXAMPLES.example("tricks.special-modify", size=SIZE)
def a_suit_changes(s: Script) -> None:
    """A special card changes the suit of a card."""
    before_a_change(s, "SUIT_OF_ANY")


@EXAMPLES.example("tricks.special-modify", size=SIZE)
def a_value_changes(s: Script) -> None:
    """A special card changes the value of a card."""
    before_a_change(s, "VALUE_OF_ANY")
