"""The examples that the printed answers of Dwarves: Dig, Delve, Die give, as plays.

Promise: each play says only what its example says. The rules before the answers print no example; all of
these belong to the rulings, and are played with all of them applied. Each begins from a given table.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die.rules import book
from models.dwarves_dig_delve_die.table import Phase, Table
from models.language import Term, every
from models.language.examples import Examples, Script

EXAMPLES = Examples(book)

#: Three players, all dice, and the cards that some example needs.
SIZE = "examples"


def _last_die(script: Script, number: int, cards: str, *, gold: tuple[int, int, int] = (0, 0, 0)) -> None:
    """The first player has one die left to place; some cards lie face up, without dice."""
    names = ["DELVE", *cards.split()]
    script.begin(
        phase=Phase.PLACE,
        rolled=[int(n == number) for n in range(1, 7)],
        supply=17,
        own=[0, 1, 1],
        spot={name: names.index(name) + 1 for name in names},
        gold=list(gold),
    )


@EXAMPLES.example(
    "faq-ties.example-players",
    "faq-ties.example-order",
    "faq-ties.example-gold",
    "faq-ties.example-ale",
    "faq-ties.example-wins",
    "faq-ties.turn-order",
    size=SIZE,
    rulings=True,
)
def the_next_player_is_paid_first(s: Script) -> None:
    """A owns 3 gold, B and C own 4: the Cache of Golden Ale on A's turn makes B the winner."""

    def b_has_won(t: Table) -> Term:
        return every(t.phase == Phase.OVER, t.gold[0] == 4, t.gold[1] == 5, t.gold[2] == 4)

    _last_die(s, 3, "ALE", gold=(3, 4, 4))
    s.move("place", number=3, card="ALE")
    s.sees(b_has_won)


@EXAMPLES.example(
    "faq-throne.throne-example",
    "faq-throne.throne-example-4s",
    "faq-throne.throne-deeper",
    size=SIZE,
    rulings=True,
)
def fours_behind_the_throne_dig_too(s: Script) -> None:
    """A 4 digs on the Throne of Kings, brings two 4s, and both cards behind it on which they are laid act."""

    def both_have_acted(t: Table) -> Term:
        paid = every(*(t.gold[p] == 1 for p in range(3)))
        return every(paid, t.turn == 1, t.own[2] == 2)

    _last_die(s, 4, "THRONE ALE BROTHEL")
    s.move("place", number=4, card="THRONE")
    s.move("roll", faces="44")
    s.may("place", number=4, card="ALE")
    s.move("place", number=4, card="ALE")
    s.may("place", number=4, card="BROTHEL")
    s.move("place", number=4, card="BROTHEL")
    s.sees(both_have_acted)
