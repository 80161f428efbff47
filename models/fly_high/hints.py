"""What a careful player of Fly High prefers, for random games that are less random.

Promise: hints only; nothing here is a rule, and no other engine reads it.
"""

from __future__ import annotations

from models.fly_high.cards import Face
from models.fly_high.table import Table
from models.language import Term, every, lookup

#: Rule → how much its moves are wanted.
HINTS = {
    "stop": 2,
    "reveal": lambda t, spot: fits_for_sure(t, spot),
}


def fits_for_sure(t: Table, spot: int) -> Term:
    """Whether the card on a spot was seen before and is a number that keeps the order."""
    tens = lookup(t.grid[spot], t.size.tens)
    number = (tens > 0) & (lookup(t.grid[spot], t.size.faces) == int(Face.NUMBER))
    keeps = (t.height == 0) | (~t.down & (tens >= t.height)) | (t.down & (tens <= t.height))
    return every(number, keeps)
