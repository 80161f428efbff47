"""Railroad Ink: the rounds, drawing, special routes, and the end.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

import enum

from models.language import (
    CHANCE,
    RULES,
    Policy,
    Row,
    Term,
    count,
    decide,
    every,
    least,
    lookup,
    most,
    rank,
    renamed,
    row,
    some,
)
from models.railroad_ink import components, drawing, lava, meteor, scoring, water
from models.railroad_ink import readings as r
from models.railroad_ink.sizes import EXPANSIONS, Board
from models.railroad_ink.table import Phase, Table, book, cells, drawer, seats, size

__all__ = ["book", "components", "lava", "meteor", "water"]


# --- the beginning of a round -------------------------------------------------------------------------


@book.rule("game.roll", by=RULES, phase=Phase.SETUP, only=("base", "river", "lake"))
def begin(t: Table) -> None:
    """All boards are empty, and the first round begins."""
    t.phase = Phase.ROLL if t.size.plays(t.variant) else Phase.OVER


def _dice(t: Table) -> tuple[tuple[str, ...], ...]:
    """All dice that are rolled in a round and drawn, the route dice first."""
    return (*t.size.dice, *t.size.extra_dice(t.variant))


@book.rule(
    "game.roll",
    "game.same-dice",
    by=CHANCE,
    phase=Phase.ROLL,
    face=size.face,
    weight=lambda t, face: _weight(t, t.size.dice, 0, face),
)
def roll(t: Table, face: enum.Enum) -> None:
    """A route die is rolled; everybody has to draw what it shows."""
    for who in seats(t):
        t.left[who][face] = t.left[who][face] + 1
    _rolled(t)


@book.rule(
    "game.roll",
    "river-rules.none-to-two",
    "lake-rules.none-to-two",
    "lava-rules.must",
    by=CHANCE,
    phase=Phase.ROLL,
    only=("river", "lake", "lava"),
    face=size.extra_face,
    weight=lambda t, face: _weight(t, t.size.extra_dice(t.variant), len(t.size.dice), face),
)
def roll_extra(t: Table, face: enum.Enum) -> None:
    """A die of the expansion is rolled."""
    for who in seats(t):
        t.extra[who][face] = t.extra[who][face] + 1
    _rolled(t)


def _weight(t: Table, dice: tuple[tuple[str, ...], ...], first: int, face: enum.Enum) -> Term:
    """On how many sides of the die that is rolled next a face is."""
    sides = [0] * (t.size.most_dice + 1)
    for number, n in enumerate(t.size.chances(dice, face.name)):
        sides[first + number] = n
    return lookup(t.rolled, sides)


def _rolled(t: Table) -> None:
    after = t.rolled + 1
    t.rolled = after
    with t.when(after == len(_dice(t))):
        t.phase = Phase.DRAW
        t.rolled = 0


# --- drawing ------------------------------------------------------------------------------------------


def _tiles(kinds: tuple[str, ...]) -> object:
    def values(s: Board) -> list[enum.Enum]:
        return s.members({tile.face.name for tile in s.tiles if tile.face.kind in kinds})

    return values


@book.rule(
    "drawing.all-four",
    "drawing.connected",
    "drawing.no-mix",
    "drawing.rotate",
    "game.simultaneous",
    "round.never-erase",
    "meteor-rules.redraw",
    by=drawer,
    phase=Phase.DRAW,
    cell=size.cells,
    tile=_tiles(("route",)),
)
def draw(t: Table, cell: int, tile: enum.Enum) -> None:
    """A route of the dice is drawn."""
    made = t.size.by_name[tile.name]
    t.require(t.left[t.turn][t.size.face[made.face.name]] > 0)
    join = drawing.must_join(t, "route")
    t.require(drawing.Sheet(t, t.turn).legal(cell, made, craters=drawing.craters_go(t), join=join))
    if len(t.size.dice) == 2 and r.of_base(t, r.if_possible) == "all":
        t.require(drawing.leaves_most(t, t.turn, cell, made))
    face = t.size.face[made.face.name]
    t.left[t.turn][face] = t.left[t.turn][face] - 1
    _put(t, cell, tile)


@book.rule(
    "special.per-round",
    "special.once",
    "special.three",
    "special.six",
    "drawing.connected",
    "drawing.no-mix",
    by=drawer,
    phase=Phase.DRAW,
    cell=size.cells,
    tile=_tiles(("special",)),
)
def draw_special(t: Table, cell: int, tile: enum.Enum) -> None:
    """A special route is drawn beside the routes of the dice."""
    made = t.size.by_name[tile.name]
    special = t.size.special[made.face.name]
    t.require(~t.used[t.turn][special] & ~t.special_now[t.turn])
    t.require(t.spent[t.turn] < t.size.uses)
    t.require(drawing.Sheet(t, t.turn).legal(cell, made, craters=drawing.craters_go(t)))
    if r.of_base(t, r.special_when) == "last":
        t.require(~some(*drawing.due(t, t.turn)))
    t.used[t.turn][special] = True
    t.special_now[t.turn] = True
    t.spent[t.turn] = least(t.spent[t.turn] + 1, t.size.uses)
    _put(t, cell, tile)


def _put(t: Table, cell: int, tile: enum.Enum) -> None:
    t.board[t.turn][cell] = tile
    if r.of_base(t, r.erase_now) == "may-go":
        t.fresh[cell] = True


@book.rule("round.never-erase", by=drawer, phase=Phase.DRAW, cell=size.cells, tile=_tiles(("route",)))
def wipe_out(t: Table, cell: int, tile: enum.Enum) -> None:
    """Only under a reading: a route of the dice that was drawn in this round is wiped out again."""
    t.require(r.of_base(t, r.erase_now) == "may-go")
    t.require(t.fresh[cell] & (t.board[t.turn][cell] == tile))
    face = t.size.face[t.size.by_name[tile.name].face.name]
    t.left[t.turn][face] = least(t.left[t.turn][face] + 1, t.size.counts[face])
    t.board[t.turn][cell] = t.size.tile["EMPTY"]
    t.fresh[cell] = False


# --- the end of a round -------------------------------------------------------------------------------


@book.rule(
    "drawing.all-four",
    "game.rounds",
    "river-rules.none-to-two",
    "lake-rules.none-to-two",
    "lava-rules.must",
    by=drawer,
    phase=Phase.DRAW,
)
def finish(t: Table) -> None:
    """A player has drawn everything that can be drawn and has to be."""
    who = t.turn
    t.require(~some(*drawing.due(t, who)))
    if t.variant == "lava":
        t.require(lava.may_finish(t))
        lava.ask_room(t)
    t.left[who].fill(0)
    t.extra[who].fill(0)
    t.special_now[who] = False
    t.fresh.fill(False)
    t.lava_done = False
    last = decide(
        t,
        "rounds",
        [row("game.rounds", when=True, then=t.size.rounds[0])],
        policy=Policy.PRIORITY,
    )
    assert last is not None
    with t.when(who < t.size.players - 1):
        t.turn = least(who + 1, t.size.players - 1)
    with t.otherwise():
        t.turn = 0
        with t.when(t.round + 1 < last):
            t.round = least(t.round + 1, t.size.last_round)
            t.phase = Phase.METEOR if t.variant == "meteor" else Phase.ROLL
        with t.otherwise():
            t.phase = Phase.SCORE


def _fewer_rounds(variant: str) -> None:
    @book.override("rounds", "game.rounds", clause=f"{variant}.six", variant=variant)
    def six(t: Table, r: Row) -> Row:
        return renamed(r, clause=f"{variant}.six", then=t.size.rounds[1])


for _variant in EXPANSIONS:
    _fewer_rounds(_variant)


# --- the score ----------------------------------------------------------------------------------------


@book.rule(
    "networks.count",
    "highway.stations",
    "highway.point",
    "railway.stations",
    "railway.point",
    "centre.point",
    "error.minus",
    "error.ends",
    "total.sum",
    "river.third-kind",
    "river-score.error",
    "river-score.points",
    "lake-score.open-water",
    "lake-score.piers",
    "lake-score.smallest",
    "meteor-score.points",
    "lava-score.error",
    "lava-score.closed",
    "lava-score.largest",
    "total.winner",
    "total.tie",
    by=RULES,
    phase=Phase.SCORE,
)
def count_up(t: Table) -> None:
    """The last round is over: the boards are scored."""
    scores = scoring.of_all(t, seats(t))
    points = [least(most(s.total, t.size.fewest_points), t.size.most_points) for s in scores]
    faults = [s.errors for s in scores]
    if t.size.players > 1 and t.size.plays(t.variant):
        result = rank(t, "most-points", [points, [-e for e in faults]], ("total.winner", "total.tie"))
        best = list(result.best)
        alone = ~result.tied if t.reading(r.tie_left) == "nobody" else every()
    else:
        best, alone = [every()] * t.size.players, every()
    for who in seats(t):
        t.points[who] = points[who]
        t.errors[who] = faults[who]
        t.won[who] = every(best[who], alone)
    t.phase = Phase.OVER


@book.over("game.rounds")
def over(t: Table) -> Term:
    """The boards are scored."""
    return t.phase == Phase.OVER


@book.winner("total.winner")
def winner(t: Table, number: int) -> Term:
    """Whoever has the highest score; what holds in a tie is a reading."""
    return t.won[number]


@book.score("total.sum")
def points(t: Table, number: int) -> Term:
    """The score of the player's board."""
    return t.points[number]


def drawn(t: Table, who: int) -> Term:
    """How many spaces of a board are drawn on."""
    return count(*(t.board[who][c] != t.size.tile["EMPTY"] for c in cells(t)))
