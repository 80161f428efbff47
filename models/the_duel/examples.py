"""The examples that the text of The Duel prints, as plays.

Promise: each play says only what its example says; one begins on the later turn of which it speaks. What an
example leaves out (what the other player holds and rolls, which cards damage turns up) is filled in with a
card that nobody plays.
"""

from __future__ import annotations

from collections.abc import Callable

from models.language import Term, every
from models.language.examples import Examples, Script
from models.the_duel.rules import book
from models.the_duel.table import Phase, Table

EXAMPLES = Examples(book)

#: Three dice with all faces, and the two cards that examples play.
SIZE = "examples"
WILD = 0


def begin(s: Script, card: str) -> None:
    """The first player holds a card, the second one that is never played."""
    s.move("draw", card=card)
    s.move("draw", card="VICTORY")


def rolls(s: Script, *faces: int) -> None:
    """Dice come to rest."""
    for face in faces:
        s.move("roll", face=face)


def buys(s: Script, card: str, value: int, wild: int = 0, cards: int = 0) -> None:
    """A card is played and paid for."""
    s.move("play", card=card)
    s.move("pay", value=value, wild=wild, cards=cards)


def others_turn(s: Script) -> None:
    """The second player rolls and does nothing."""
    rolls(s, 2, 3, 5)
    s.move("end_turn")


def lies(card: str, number: int = 1) -> Callable[[Table], Term]:
    """A card lies in the first player's display, and the dice for it are in the middle."""
    return lambda t: t.display[0][t.size.card[card]] == number


def pile(left: int) -> Callable[[Table], Term]:
    """So many cards are left in the second player's draw pile."""
    return lambda t: t.deck[1].total() == left


@EXAMPLES.example("play.example", "play.example-pays", size=SIZE)
def three_equal_dice(s: Script) -> None:
    """A card that costs three equal dice is paid with two 4s and a wild one."""
    begin(s, "REINFORCEMENT")
    rolls(s, 4, 4, WILD)
    buys(s, "REINFORCEMENT", 4, wild=1)
    s.sees(lies("REINFORCEMENT"))
    s.sees(lambda t: every(*(n == 0 for n in t.dice[0])))


@EXAMPLES.example("wild.example", "wild.example-pays", size=SIZE)
def with_a_wild_card(s: Script) -> None:
    """The same card is paid with a 4, a wild die and a Wild Card that was taken in an earlier turn."""
    begin(s, "REINFORCEMENT")
    rolls(s, 1, 2, 5)
    s.move("end_turn")
    s.sees(lambda t: t.wild[0] == 1)
    others_turn(s)
    rolls(s, 4, WILD, 1)
    buys(s, "REINFORCEMENT", 4, wild=1, cards=1)
    s.sees(lies("REINFORCEMENT"))
    s.sees(lambda t: t.wild[0] == 0)


@EXAMPLES.example("damage.example-two", "damage.example-three", "ally.bavragor", size=SIZE)
def three_ones(s: Script) -> None:
    """With three 1s Bavragor is played and inflicts two points of damage in the same turn."""
    begin(s, "BAVRAGOR")
    rolls(s, 1, 1, 1)
    buys(s, "BAVRAGOR", 1)
    s.sees(pile(6))
    for _ in range(2):
        s.move("attack", card="BAVRAGOR", using="1")
        s.move("aim_at_pile")
        s.move("mill", card="VICTORY")
    s.sees(pile(4))
    s.may_not("attack", card="BAVRAGOR", using="1")


@EXAMPLES.example("damage.example-two", "damage.example-single", size=SIZE)
def a_single_one(s: Script) -> None:
    """With a single 1 Bavragor can be played, and not used."""
    begin(s, "BAVRAGOR")
    rolls(s, 1, 2, 3)
    buys(s, "BAVRAGOR", 1)
    s.sees(lies("BAVRAGOR"))
    for using in ("1", "wild", "wild-card"):
        s.may_not("attack", card="BAVRAGOR", using=using)


@EXAMPLES.example("damage.example-later", size=SIZE)
def a_later_turn(s: Script) -> None:
    """Bavragor lies in the display from an earlier turn; a 1 is rolled, and he inflicts damage."""
    s.begin(
        phase=Phase.ROLL,
        to_roll=3,
        display=[{"BAVRAGOR": 1}, {}],
        hand=[{"VICTORY": 1}, {"VICTORY": 1}],
        deck=[{"BAVRAGOR": 1, "REINFORCEMENT": 2, "VICTORY": 2}, {"BAVRAGOR": 2, "VICTORY": 2}],
    )
    rolls(s, 1, 2, 5)
    s.move("attack", card="BAVRAGOR", using="1")
    s.sees(lambda t: t.phase == Phase.AIM)
