"""Possible steps: which places a rule can lead to by its guard and its body, whatever the rest of the table.

Promise: sound, never too few: a step between places that some state allows is always among them (reachable or
not); it may name steps that no state allows.

An abstract interpretation over the IR (Cousot and Cousot 1977): the slots that name a place have sets of
values, every other slot has its whole range, numbers are intervals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from models.language import ir
from models.language.ir import Instance
from models.language.terms import PURE, Term, walk
from solvers.flows.observe import STOP
from solvers.flows.places import OVER, Places

Range = tuple[int, int]
#: Places that are named by more combinations of values than this are not asked about.
MOST_PLACES = 256
#: A value set that would grow beyond this becomes the slot's whole range.
MOST_VALUES = 64


@dataclass
class _World:
    """What is known at one point of a body: values of the slots that name a place, and what was kept."""

    values: dict[int, frozenset[int]]
    kept: dict[Term, Range] = field(default_factory=dict)
    alive: bool = True

    def copy(self) -> _World:
        return _World(dict(self.values), dict(self.kept), self.alive)


def possible_steps(places: Places) -> Iterator[tuple[str, str, str]]:
    """All steps (place, rule, place) that guards and bodies allow; a stop leads to `stop:<site>`.

    Args:
        places: The places; none is asked about if there are more than `MOST_PLACES`.
    """
    ranges = [range(s.lo, s.hi + 1) for s in places.slots]
    combinations = list(itertools.islice(itertools.product(*ranges), MOST_PLACES + 1))
    if len(combinations) > MOST_PLACES:
        return
    found: dict[tuple[str, str, str], None] = {}
    for values in combinations:
        fixed = {s.index: frozenset([v]) for s, v in zip(places.slots, values, strict=True)}
        for instance in places.program.instances:
            for target in _targets(places, fixed, instance):
                found[places.name(values), instance.rule, target] = None
    yield from found


def _targets(places: Places, fixed: Mapping[int, frozenset[int]], instance: Instance) -> Iterator[str]:
    world = _World(dict(fixed))
    over = _evaluate(places.program.over, world)
    if over == (1, 1) or _evaluate(instance.guard, world) == (0, 0):
        return
    stops: list[int] = []
    _block(places, instance.body, world, stops)
    for site in dict.fromkeys(stops):
        yield STOP + places.program.sites[site].id
    if world.alive:
        for values in itertools.product(*(sorted(world.values[s.index]) for s in places.slots)):
            after = _World({s.index: frozenset([v]) for s, v in zip(places.slots, values, strict=True)})
            ends = _evaluate(places.program.over, after)
            if ends != (1, 1):
                yield places.name(values)
            if ends != (0, 0):
                yield places.name(values) + OVER


def _block(places: Places, body: ir.Block, world: _World, stops: list[int]) -> None:
    for s in body:
        if not world.alive:
            return
        if isinstance(s, ir.Let):
            world.kept[s.term] = _evaluate(s.term, world)
        elif isinstance(s, ir.Stop):
            stops.append(s.site)
            world.alive = False
        elif isinstance(s, ir.Assign):
            _assign(places, s, world)
        elif isinstance(s, ir.If):
            _if(places, s, world, stops)


def _assign(places: Places, s: ir.Assign, world: _World) -> None:
    for slot in places.slots:
        if slot.index in s.slots:
            new = _values(s.value, world) or frozenset(range(slot.lo, slot.hi + 1))
            certain = s.index is None
            world.values[slot.index] = new if certain else new | world.values[slot.index]


def _if(places: Places, s: ir.If, world: _World, stops: list[int]) -> None:
    known = _evaluate(s.condition, world)
    sides = []
    for holds, branch in ((1, s.then), (0, s.otherwise)):
        if known in ((holds, holds), (0, 1)):
            side = world.copy()
            _block(places, branch, side, stops)
            sides.append(side)
    live = [side for side in sides if side.alive]
    world.alive = bool(live)
    for slot in world.values:
        world.values[slot] = frozenset().union(*(side.values[slot] for side in live))


def _values(t: Term, world: _World) -> frozenset[int]:
    """The values that a term may have, empty for too many."""
    if t in world.kept:
        lo, hi = world.kept[t]
        return frozenset(range(lo, hi + 1)) if hi - lo < MOST_VALUES else frozenset()
    if t.op == "ite":
        known = _evaluate(t.args[0], world)
        sides = [a for a, bit in ((t.args[1], 1), (t.args[2], 0)) if known in ((bit, bit), (0, 1))]
        found = [_values(a, world) for a in sides]
        return frozenset().union(*found) if all(found) else frozenset()
    if t.op == "read" and t.data[0][0] in world.values:
        return world.values[t.data[0][0]]
    lo, hi = _evaluate(t, world)
    return frozenset(range(lo, hi + 1)) if hi - lo < MOST_VALUES else frozenset()


def _evaluate(root: Term, world: _World) -> Range:
    """The interval of a term."""
    made: dict[Term, Range] = {}
    for t in walk(root):
        made[t] = world.kept[t] if t in world.kept else _interval(t, world, [made[a] for a in t.args])
    return made[root]


def _interval(t: Term, world: _World, args: list[Range]) -> Range:
    if t.op == "const":
        return t.lo, t.hi
    if t.op == "read" and t.data[0][0] in world.values:
        values = world.values[t.data[0][0]]
        return min(values), max(values)
    if t.op in PURE and all(lo == hi for lo, hi in args):
        value = PURE[t.op](*(lo for lo, _ in args))
        return value, value
    if t.op in _NARROW:
        return _NARROW[t.op](args)
    return t.lo, t.hi


def _equal(args: list[Range]) -> Range:
    (a, b), (c, d) = args
    return (0, 0) if b < c or d < a else (0, 1)


def _less(args: list[Range]) -> Range:
    (a, b), (c, d) = args
    return int(b < c), int(a < d)


def _at_most(args: list[Range]) -> Range:
    (a, b), (c, d) = args
    return int(b <= c), int(a <= d)


def _choice(args: list[Range]) -> Range:
    condition, a, b = args
    sides = [side for side, bit in ((a, 1), (b, 0)) if condition in ((bit, bit), (0, 1))]
    return min(lo for lo, _ in sides), max(hi for _, hi in sides)


_NARROW = {
    "not": lambda args: (1 - args[0][1], 1 - args[0][0]),
    "and": lambda args: (min(lo for lo, _ in args), min(hi for _, hi in args)),
    "or": lambda args: (max(lo for lo, _ in args), max(hi for _, hi in args)),
    "eq": _equal,
    "lt": _less,
    "le": _at_most,
    "ite": _choice,
}
