"""What the text of Railroad Ink says of its components, as facts, and what it never says.

Promise: facts are the text's own; what fills a gap from outside stands in `sizes`, and stays missing here.
"""

from __future__ import annotations

from models.language import total
from models.railroad_ink.table import book

_EXITS = book.quantity("exits", 0, 99)
book.fact("networks.table-exits", _EXITS == 12)
_SIDES = book.quantity("sides of a die", 1, 20)
_SPECIAL = book.quantity("special routes", 0, 99)
_USES = book.quantity("special routes used", 0, 99)
for _name in ("curve-r", "t-r", "straight-r", "curve-h", "t-h", "straight-h"):
    book.fact(f"faces.{_name}", _SIDES == 6)
book.fact("faces.curved-station", _SIDES == 2 + 2 + 2)
book.fact("river-faces.curve", _SIDES == 1 + 3 + 1 + 1)
book.fact("lake-faces.half", _SIDES == 1 + 1 + 1 + 1 + 1 + 1)
book.fact("meteor-faces.one", _SIDES == 3 + 2 + 1)
book.fact("meteor-faces.free", _SIDES == 1 + 1 + 1 + 1 + 2)
book.fact("lava-faces.half", _SIDES == 2 + 1 + 1 + 1 + 1)
book.fact("special.six", _SPECIAL == 6)
book.fact("special.three", _USES == 3)
book.fact("special.once", _USES <= _SPECIAL)
_ROUNDS = book.quantity("rounds with an expansion", 1, 99)
book.fact("game.rounds", _ROUNDS == 6)
for _name in ("river", "lake", "meteor", "lava"):
    book.fact(f"{_name}.six", _ROUNDS == 6)
_CENTRE = book.quantity("spaces of the centre", 0, 99)
_SPACES = book.quantity("spaces", 1, 999)
book.fact("centre.nine", _CENTRE == 9)
book.fact("centre.nine", _CENTRE <= _SPACES)
book.fact("meteor-rules.start", _SPACES % 2 == 1)
book.fact("game.rounds", total(4 * 7, _USES) <= _SPACES)

book.missing(
    "board.size",
    "centre.nine",
    "meteor-rules.start",
    what="how many rows and columns the board has",
    asks="How many spaces has the board?",
)
book.missing(
    "board.exits",
    "networks.count",
    "drawing.connected",
    what="where the exits are, and which of them are railways and which highways",
    asks="Where on the rim are the exits, and of which kind is each?",
)
book.missing(
    "special.which",
    "special.six",
    what="which patterns the six special routes have, and whether they are stations",
    asks="What are the six special routes?",
)
book.missing(
    "players.number",
    "game.simultaneous",
    what="how many can play",
    asks="For how many players is the game?",
)
book.missing(
    "lake.piers",
    "lake-faces.half-pier",
    "lake-faces.pier-h",
    "lake-faces.pier-r",
    what="at which side of the space the highway or railway leaves a pier",
    asks="Where do the highway and the railway of a pier leave the space?",
)
book.missing(
    "lava.roads",
    "lava-faces.highway",
    "lava-faces.railway",
    what="how the straight road lies beside a quarter of lava",
    asks="Does the straight road on a lava die run past the lava or away from it?",
)
book.missing(
    "expansion.together",
    "game.rounds",
    "total.sum",
    what="whether several expansions may be played together",
    asks="Can two expansions be combined in one game?",
)
