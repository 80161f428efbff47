"""Meteors: the two dice, ignoring them, the flight, and the crater.

Promise: a flight goes one space a step, so that whatever keeps it from ending shows as a circle of steps.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, RULES, Policy, Term, decide, every, ite, least, lookup, most, row, some
from models.railroad_ink import readings as r
from models.railroad_ink.sizes import Board, Way
from models.railroad_ink.table import Heading, Phase, Table, book, cells, drawer, size


@book.rule("meteor-rules.start", "game.roll", by=RULES, phase=Phase.SETUP, only="meteor")
def begin_meteor(t: Table) -> None:
    """All boards are empty; the meteor is over the middle."""
    t.phase = Phase.METEOR if t.size.plays("meteor") else Phase.OVER
    if t.reading(r.meteor_when) == "before-roll" and t.size.plays("meteor"):
        t.phase = Phase.DODGE


def _ways(s: Board) -> list[Heading]:
    return [h for h, letter in zip(Heading, "ARBL.", strict=True) if letter in s.directions and s.distances]


def _distances(s: Board) -> list[int]:
    return sorted(set(s.distances))


def _chance(t: Table, way: Heading, distance: int) -> int:
    letter = "ARBL."[way.value]
    return int(t.size.directions.count(letter) * t.size.distances.count(distance))


@book.rule(
    "meteor-rules.crater",
    "meteor-rules.flight",
    by=CHANCE,
    phase=Phase.METEOR,
    only="meteor",
    way=_ways,
    distance=_distances,
    weight=_chance,
)
def roll_meteor(t: Table, way: Heading, distance: int) -> None:
    """Both meteor dice are rolled."""
    t.rolled_heading = way
    t.distance = distance
    if t.reading(r.meteor_when) == "before-roll":
        _next_flight(t, from_first=True)
    else:
        t.phase = Phase.DODGE


# --- ignoring the dice --------------------------------------------------------------------------------


@book.rule(
    "meteor-rules.ignore",
    "special.once",
    by=drawer,
    phase=Phase.DODGE,
    only="meteor",
    special=size.special,
)
def ignore(t: Table, special: enum.Enum) -> None:
    """A special route is ticked off, and the meteor dice do not count for this player in this round."""
    t.require(special.name != "NONE")
    t.require(~t.used[t.turn][special])
    if t.reading(r.meteor_mark) == "use":
        t.require((t.spent[t.turn] < t.size.uses) & ~t.special_now[t.turn])
        t.spent[t.turn] = least(t.spent[t.turn] + 1, t.size.uses)
        t.special_now[t.turn] = True
    t.used[t.turn][special] = True
    t.ignores[t.turn] = True
    _decided(t)


@book.rule("meteor-rules.ignore", by=drawer, phase=Phase.DODGE, only="meteor")
def face_meteor(t: Table) -> None:
    """A player lets the meteor come."""
    _decided(t)


def _decided(t: Table) -> None:
    with t.when(t.turn < t.size.players - 1):
        t.turn = least(t.turn + 1, t.size.players - 1)
    with t.otherwise():
        t.turn = 0
        if t.reading(r.meteor_when) == "before-roll":
            t.phase = Phase.METEOR
        else:
            _next_flight(t, from_first=True)


def _next_flight(t: Table, *, from_first: bool) -> None:
    """The meteor of the next player who does not ignore it sets off; after the last one, dice are rolled."""
    heading, distance = t.rolled_heading, t.distance
    coming: list[Term] = []
    turn = t.turn
    ignores = list(t.ignores)
    t.phase = Phase.ROLL
    for who in range(t.size.players):
        later = every(True if from_first else turn < who, ~ignores[who])
        with t.when(every(later, ~some(*coming))):
            t.turn = who
            t.heading = heading
            t.steps = distance
            t.phase = Phase.FLY
        coming.append(later)
    with t.when(~some(*coming)):
        t.turn = 0
        t.heading = Heading.ABOVE
        t.rolled_heading = Heading.ABOVE
        t.distance = 0
        t.ignores.fill(False)


# --- the flight -----------------------------------------------------------------------------------------


@book.rule(
    "meteor-rules.flight",
    by=drawer,
    phase=Phase.FLY,
    only="meteor",
    way=[h for h in Heading if h is not Heading.FREE],
)
def choose_way(t: Table, way: Heading) -> None:
    """The free face: the player says where the meteor flies."""
    along = t.size.rows if way in (Heading.ABOVE, Heading.BELOW) else t.size.columns
    t.require((t.heading == Heading.FREE) & (along > 1))
    t.heading = way


def _ahead(t: Table, heading: Term, at: Term) -> tuple[Term, Term]:
    """Whether there is a space in the direction of a flight, and which (the same one at the rim)."""
    next_to = {way: [_or_same(t.size.neighbour(c, way), c) for c in cells(t)] for way in Way}
    found = lookup(at, next_to[Way.ABOVE])
    for way in (Way.RIGHT, Way.BELOW, Way.LEFT):
        found = ite(heading == Heading(int(way)), lookup(at, next_to[way]), found)
    return found != at, found


def _or_same(other: int | None, cell: int) -> int:
    return cell if other is None else other


def _turned(heading: Term) -> Term:
    """The opposite direction."""
    return lookup(heading, [Heading.BELOW, Heading.LEFT, Heading.ABOVE, Heading.RIGHT, Heading.FREE])


@book.rule("meteor-rules.flight", "meteor-rules.bounce", by=RULES, phase=Phase.FLY, only="meteor")
def fly(t: Table) -> None:
    """The meteor goes one space on, or turns round at the rim."""
    t.require((t.heading != Heading.FREE) & (t.steps > 0))
    heading, at = t.heading, t.meteor[t.turn]
    on, ahead = _ahead(t, heading, at)
    behind = _ahead(t, _turned(heading), at)[1]
    costs = t.reading(r.meteor_bounce) == "a-step"

    def go_on() -> None:
        t.meteor[t.turn] = ahead

    def turn_round() -> None:
        t.heading = _turned(heading)
        if not costs:
            t.meteor[t.turn] = behind

    decide(
        t,
        "flight",
        [
            row("meteor-rules.flight", when=on, then="on"),
            row("meteor-rules.bounce", when=~on, then="round"),
        ],
        outcomes={"on": go_on, "round": turn_round},
    )
    left = most(t.steps - 1, 0)
    t.steps = left
    with t.when(left == 0):
        t.phase = Phase.FALL


@book.rule(
    "meteor-rules.crater",
    "meteor-rules.erases",
    "meteor-rules.onward",
    by=RULES,
    phase=Phase.FALL,
    only="meteor",
)
def come_down(t: Table) -> None:
    """The way is completed: the meteor comes down, or goes on over a crater."""
    who, heading, at = t.turn, t.heading, t.meteor[t.turn]
    here = t.board[who][at]
    crater = here == t.size.tile["CRATER_CCCC"] if t.size.plays("meteor") else some()
    route = every(~crater, here != t.size.tile["EMPTY"])
    free = ~crater
    if t.reading(r.meteor_free) == "empty":
        free = every(free, ~every(route, t.steps > 0))
    on, ahead = _ahead(t, heading, at)
    behind = _ahead(t, _turned(heading), at)[1]

    def hit() -> None:
        if t.size.plays("meteor"):
            t.board[who][at] = t.size.tile["CRATER_CCCC"]
        t.steps = 0
        _next_flight(t, from_first=False)

    def fly_on() -> None:
        t.meteor[who] = ahead
        t.steps = least(1, t.size.farthest)

    def turn_round() -> None:
        t.heading = _turned(heading)
        t.meteor[who] = behind
        t.steps = least(1, t.size.farthest)

    stopped = t.reading(r.meteor_stopped)
    decide(
        t,
        "impact",
        [
            row("meteor-rules.crater", when=free, then="hit"),
            row("meteor-rules.onward", when=every(~free, on), then="on"),
            row("meteor-rules.bounce", when=every(~free, ~on), then="round" if stopped == "on" else "hit"),
        ],
        policy=Policy.UNIQUE,
        outcomes={"hit": hit, "on": fly_on, "round": turn_round},
    )
