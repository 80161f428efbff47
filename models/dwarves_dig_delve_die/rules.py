"""Dwarves: Dig, Delve, Die: the end of the game; importing this module declares the whole rulebook.

Promise: `book` is the rulebook, without the printed answers unless a build applies them.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die import effects, rulings, turn
from models.dwarves_dig_delve_die.table import Phase, Table, book
from models.language import Term, every

__all__ = ["book", "effects", "rulings", "turn"]


@book.over("winning.five-gold")
def over(t: Table) -> Term:
    """Somebody has won."""
    return t.phase == Phase.OVER


@book.winner("winning.five-gold")
def winner(t: Table, number: int) -> Term:
    """Whoever has the gold."""
    return every(t.phase == Phase.OVER, t.gold[number] >= t.size.goal)


@book.score("winning.five-gold")
def score(t: Table, number: int) -> Term:
    """A player's gold."""
    return t.gold[number]
