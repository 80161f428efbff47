"""One trick of The Dwarf King from any valid table: the variant `trick`.

Promise: every table from which a trick can be played at this size is laid out: hands of any equal size and
any cards, the special card in a hand or played before, any leader (before the first trick, the holder of the
card that the text names). The rules of the trick are those of the whole game; the play is over when the trick
is taken. Not every such hand need be what play leaves, so what holds for all of them holds in the game.
"""

from __future__ import annotations

from models.language import CHANCE, some
from models.the_dwarf_king.dealing import begin, leading_card
from models.the_dwarf_king.table import TRICK, Phase, Table, book, size, where


@book.rule("tricks.lead", by=CHANCE, phase=Phase.LAY, only=TRICK, cards=lambda s: range(1, s.full + 1))
def hold(t: Table, cards: int) -> None:
    """Every player holds so many cards as the trick begins."""
    t.hand = cards
    t.phase = Phase.DEAL


@book.rule("tricks.lead", "tricks.win", by=CHANCE, phase=Phase.SEAT, only=TRICK, number=size.players)
def seat_leader(t: Table, number: int) -> None:
    """A player leads: before the first trick the holder of the named card, else whoever won the last."""
    first = leading_card(t)
    received = some(False if first is None else where(t, first) == number)
    if t.size.rest == 0:
        t.require(some(t.hand < t.size.full, received))
    begin(t, number)
