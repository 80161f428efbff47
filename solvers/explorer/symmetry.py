"""Symmetry: things that the rules never tell apart (players, colours, places) need not be told apart either.

Promises: states that differ only by exchanging such things are explored once, by the representative with
the least packed words; counts are then numbers of orbits; plays are genuine ones of the program. What is
declared is tried on explored states: a step that does not exchange with it is a `ModelError`.

The method is that of Ip and Dill (1996); all permutations are tried, in the order of Johnson and Trotter, so
representatives are exact and as many as Burnside's lemma says.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from models.language.errors import ModelError
from models.language.program import Program
from models.language.slots import Leaf, Node
from models.language.terms import Term
from solvers.explorer.native.packing import Packing
from solvers.interpreter import Interpreter, Step, Values

#: Most permutations that are tried for each state.
MOST = 5040
Rows = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Symmetry:
    """Things that may be exchanged.

    A thing stands for one or several positions of an indexed field, and for one or several values of a field:
    row i lists what thing i stands for, in the same order in every row. `()` means one each: `[[0], [1], …]`.

    Attributes:
        name: What they are, for messages (`players`).
        count: How many, at least 2.
        indexed: Field → rows of positions. Its outermost index; `hands.1` is the next index inwards.
        valued: Field → rows of values (ordinals of enumerations).
    """

    name: str
    count: int
    indexed: Mapping[str, Rows] = field(default_factory=dict)
    valued: Mapping[str, Rows] = field(default_factory=dict)


@dataclass(frozen=True)
class Exchange:
    """One exchange of two things.

    Attributes:
        to: For each slot where its value goes.
        maps: Slot (before it moves) → what its values become, by value; values not named stay.
    """

    to: tuple[int, ...]
    maps: Mapping[int, Mapping[int, int]]

    def __call__(self, state: Sequence[int]) -> Values:
        """The state with the two things exchanged."""
        made = list(state)
        for slot, value in enumerate(state):
            made[self.to[slot]] = self.maps.get(slot, {}).get(value, value)
        return tuple(made)


class Group:
    """All permutations of the declared things of a program.

    Args:
        program: The program.
        symmetries: What may be exchanged.

    Errors:
        ModelError: an unknown field, rows that do not fit it, or more than `MOST` permutations.
    """

    def __init__(self, program: Program, symmetries: Sequence[Symmetry]) -> None:
        self.program, self.symmetries = program, tuple(symmetries)
        order = math.prod(math.factorial(s.count) for s in symmetries)
        if order > MOST:
            raise ModelError(
                f"{self.names} have {order} permutations, at most {MOST} are tried",
                hint="declare fewer things as interchangeable",
            )
        self.order = order
        #: Exchanges of neighbouring things, first those of the first symmetry.
        self.exchanges = [_exchange(program, s, i) for s in symmetries for i in range(s.count - 1)]
        #: Numbers of the exchanges that, one after another, lead through all permutations but the first.
        self.walk = _walk([s.count for s in symmetries])

    @property
    def names(self) -> str:
        """What may be exchanged, for reports."""
        return " and ".join(s.name for s in self.symmetries)

    def orbit(self, state: Values) -> Iterable[Values]:
        """The state under every permutation, itself first."""
        yield state
        for number in self.walk:
            state = self.exchanges[number](state)
            yield state

    def least(self, state: Values, packing: Packing) -> Values:
        """The representative of a state: the one of its orbit with the least packed words."""
        return min(self.orbit(state), key=packing.encode)

    def check(self, states: Iterable[Values], terms: Sequence[Term] = (), steps: Sequence[Term] = ()) -> None:
        """Try the declaration on some states.

        Args:
            states: The states.
            terms: Properties of states that must not tell the things apart.
            steps: Properties of steps that must not.

        Errors:
            ModelError: a state and its image differ in more than the exchange.
        """
        run = Interpreter(self.program)
        for state in states:
            for number, exchange in enumerate(self.exchanges):
                image = exchange(state)
                one = sorted((self._seen(run, state, exchange, steps)), key=repr)
                two = sorted((self._seen(run, image, None, steps)), key=repr)
                same = all(bool(run.value(t, state)) == bool(run.value(t, image)) for t in terms)
                if one != two or run.over(state) != run.over(image) or not same:
                    raise ModelError(
                        f"{self._name(number)} are declared interchangeable, but the rules tell them apart",
                        hint="see which rule or property names one of them, or drop the declaration",
                    )

    def _seen(
        self, run: Interpreter, state: Values, exchange: Exchange | None, steps: Sequence[Term]
    ) -> list[object]:
        """What may happen in a state, seen through an exchange."""
        found: list[object] = []
        for i in run.enabled(state):
            step = run.step(state, i)
            after = step.state if step.state is None or exchange is None else exchange(step.state)
            holds = () if step.state is None else tuple(bool(run.value(t, state + step.state)) for t in steps)
            found.append((i.actor, run.value(i.weight, state), frozenset(step.hits), after, holds))
        return found

    def _name(self, number: int) -> str:
        for s in self.symmetries:
            if number < s.count - 1:
                return s.name
            number -= s.count - 1
        return "?"


def _walk(counts: Sequence[int]) -> list[int]:
    """Numbers of exchanges that lead through all elements of a product of symmetric groups, each once.

    The walk through the inner groups is taken forth and back in turn, so that it ends where it began.
    """
    walk: list[int] = []
    first = sum(n - 1 for n in counts)
    for count in reversed(counts):
        first -= count - 1
        inner, walk = walk, []
        for n, swap in enumerate([*johnson_trotter(count), None]):
            walk += inner if n % 2 == 0 else inner[::-1]
            if swap is not None:
                walk.append(first + swap)
    return walk


def johnson_trotter(count: int) -> list[int]:
    """Positions i of the neighbours i, i + 1 to exchange, one after another, to see all permutations."""
    order, direction, swaps = list(range(count)), [-1] * count, list[int]()
    while True:
        mobile = [
            (value, at)
            for at, value in enumerate(order)
            if 0 <= at + direction[value] < count and order[at + direction[value]] < value
        ]
        if not mobile:
            return swaps
        value, at = max(mobile)
        other = at + direction[value]
        order[at], order[other] = order[other], order[at]
        swaps.append(min(at, other))
        for bigger in range(value + 1, count):
            direction[bigger] = -direction[bigger]


def _exchange(program: Program, symmetry: Symmetry, i: int) -> Exchange:
    """The exchange of things i and i + 1."""
    to = list(range(len(program.layout.slots)))
    maps: dict[int, dict[int, int]] = {}
    for name, rows in symmetry.indexed.items():
        node, level = _field(program, symmetry, name)
        for a, b in _rows(symmetry, rows, i):
            for one, two in _pairs(node, level, a, b, symmetry, name):
                to[one], to[two] = two, one
    for name, rows in symmetry.valued.items():
        node, _ = _field(program, symmetry, name)
        change = {x: y for a, b in _rows(symmetry, rows, i) for x, y in ((a, b), (b, a))}
        for slot in _slots(node):
            maps[slot] = maps.get(slot, {}) | change
    return Exchange(tuple(to), maps)


def _rows(symmetry: Symmetry, rows: Rows, i: int) -> list[tuple[int, int]]:
    given = rows or [[n] for n in range(symmetry.count)]
    if len(given) != symmetry.count or len({len(r) for r in given}) != 1:
        raise ModelError(
            f"symmetry {symmetry.name}: {symmetry.count} things need as many rows of one length",
            hint="row i lists what thing i stands for",
        )
    return list(zip(given[i], given[i + 1], strict=True))


def _field(program: Program, symmetry: Symmetry, name: str) -> tuple[Node, int]:
    base, _, level = name.partition(".")
    if base not in program.layout.fields:
        raise ModelError(
            f"symmetry {symmetry.name}: the state has no field {base!r}",
            hint=f"choose among {', '.join(program.layout.fields)}",
        )
    return program.layout.fields[base], int(level or 0)


def _pairs(
    node: Node, level: int, a: int, b: int, symmetry: Symmetry, name: str
) -> Iterable[tuple[int, int]]:
    """Slots that change places when positions a and b of an index do."""
    if isinstance(node, Leaf) or (max(a, b) >= len(node.items) and not level):
        raise ModelError(
            f"symmetry {symmetry.name}: {name} has no position {max(a, b)}", hint="correct the rows"
        )
    if level:
        for item in node.items:
            yield from _pairs(item, level - 1, a, b, symmetry, name)
        return
    yield from zip(_slots(node.items[a]), _slots(node.items[b]), strict=True)


def _slots(node: Node) -> list[int]:
    if isinstance(node, Leaf):
        return [node.slot.index]
    depth = getattr(node, "depth", None)
    return [
        *([depth.slot.index] if depth is not None else []),
        *itertools.chain.from_iterable(_slots(item) for item in node.items),
    ]


class Genuine:
    """Turns plays between representatives into plays of the program.

    Args:
        group: The permutations.
        packing: How representatives are chosen.
    """

    def __init__(self, group: Group, packing: Packing) -> None:
        self.group, self.packing, self.run = group, packing, Interpreter(group.program)

    def play(self, path: Sequence[Values]) -> tuple[tuple[str, ...], Values]:
        """A play from the setup whose states have these representatives, and its last state.

        Args:
            path: Representatives, that of the setup first.
        """
        state, labels = self.group.program.start, list[str]()
        for wanted in path[1:]:
            for i in self.run.enabled(state):
                after = self.run.step(state, i).state
                if after is not None and self.group.least(after, self.packing) == wanted:
                    state = after
                    labels.append(i.label)
                    break
            else:
                raise AssertionError("a step between representatives is no step of the program")
        return tuple(labels), state

    def step(self, state: Values, shows: Callable[[Values, Step], bool]) -> str:
        """Label of the first step from a state that shows something."""
        return next(i.label for i in self.run.enabled(state) if shows(state, self.run.step(state, i)))
