"""The walk along the diagonal: one program is explored, each reached step is evaluated under both.

Promises: the first parting in order of the number of moves; its play is replayed before it is told; `Proved`
only after every state that both programs can share, and every pair of states that look alike, was looked at.

Until two readings part, both runs are in the same state. The diagonal is left only after a step whose
outcomes differ in hidden fields alone; from there pairs of states are searched (`solvers.compare.pairs`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.language.ir import Instance, effect_key
from models.language.program import Program
from models.language.terms import Term
from solvers.compare.pairs import Kind, Node, Pair, Parting
from solvers.contract import Play, Proved, Unknown, Verdict
from solvers.explorer.exploration import Exploration, States
from solvers.interpreter import Code, Interpreter, Values, tested

Readings = Mapping[str, str]
#: Nodes off the diagonal that are searched at most.
MOST_NODES = 200_000
#: States that are kept decoded at most.
_MOST_DECODED = 400_000


def changed(one: Program, two: Program) -> Iterator[str]:
    """Labels of the instances whose guard, weight, actor or effect differs, or that only one program has."""
    for label in dict.fromkeys([*one.by_label, *two.by_label]):
        a, b = one.by_label.get(label), two.by_label.get(label)
        if a is None or b is None or _key(a) != _key(b):
            yield label


def _key(i: Instance) -> tuple[object, ...]:
    return (i.guard.id, i.weight.id, *_who(i), effect_key(i.body))


def _who(i: Instance) -> tuple[object, ...]:
    """Who acts, and what everybody sees of it."""
    return (i.actor, -1 if i.player is None else i.player.id, i.visible_label)


def same_rules(one: Program, two: Program) -> bool:
    """Whether two programs have the same moves and the same end, winners and scores."""
    return next(changed(one, two), None) is None and _ends(one) == _ends(two)


def _ends(program: Program) -> tuple[int, ...]:
    return tuple(t.id for t in (program.over, *program.winners, *program.scores))


def partings(base: Exploration, others: Mapping[str, Program]) -> dict[str, Verdict | Parting]:
    """Where each of some programs first parts from an explored one; see `Diagonal.first`."""
    diagonal = Diagonal(base)
    return {name: diagonal.first(other) for name, other in others.items()}


class Diagonal:
    """Compares programs with one that was explored.

    Args:
        base: A complete exploration with its graph.
        code: Compiled functions to share.
    """

    def __init__(self, base: Exploration, code: Code | None = None) -> None:
        if base.graph is None:
            raise ValueError("the exploration has no graph")
        self.base, self.graph, self.code = base, base.graph, code or Code()
        self.one = Interpreter(base.program, self.code)
        states: States = self.graph.states
        self.states: States | Sequence[Values] = states
        if len(states) <= _MOST_DECODED:
            slots = range(len(base.program.layout.slots))
            self.states = list(zip(*(states.column(slot).tolist() for slot in slots), strict=True))
        self._depths: NDArray[np.int64] | None = None

    def first(self, other: Program) -> Verdict | Parting:
        """Where another program first parts from the explored one.

        Args:
            other: A program of the same layout.

        Returns:
            A `Parting`, `Proved` (they never part) or `Unknown` (too many nodes off the diagonal, or chance
            differs in what nobody sees at once).
        """
        if same_rules(self.base.program, other):
            return Proved(f"{self.base.scope}; the rules are the same")
        return _Walk(self, other).first()

    def apart(self, other: Program) -> int | None:
        """After how many moves another program first differs, what nobody sees included.

        Args:
            other: A program of the same layout.

        Returns:
            The length of a shortest play to a state in which something differs; None where there is none.
        """
        if same_rules(self.base.program, other):
            return None
        number = next(_Walk(self, other).differing(), None)
        return None if number is None else int(self.depths[number])

    @property
    def depths(self) -> NDArray[np.int64]:
        """For each state the length of a shortest play to it."""
        if self._depths is None:
            self._depths = self.graph.depths()
        return self._depths


@dataclass(frozen=True)
class _Change:
    """An instance that differs: as it is in the first program and in the second, where it exists there."""

    a: Instance | None
    b: Instance | None
    guard: bool
    effect: bool
    weight: bool
    actor: bool

    @classmethod
    def of(cls, a: Instance | None, b: Instance | None) -> _Change:
        if a is None or b is None:
            return cls(a, b, True, True, True, True)
        return cls(
            a,
            b,
            guard=a.guard is not b.guard,
            effect=effect_key(a.body) != effect_key(b.body),
            weight=a.weight is not b.weight,
            actor=_who(a) != _who(b),
        )


class _Walk:
    def __init__(self, diagonal: Diagonal, other: Program) -> None:
        self.diagonal, self.graph, self.states = diagonal, diagonal.graph, diagonal.states
        self.one, self.two = diagonal.one, Interpreter(other, diagonal.code)
        self.pair = Pair(self.one, self.two)
        one = self.one.program
        labels = list(changed(one, other))
        self.changes = [_Change.of(one.by_label.get(c), other.by_label.get(c)) for c in labels]
        self.ends = _ends(one)[1:] != _ends(other)[1:]

    def first(self) -> Verdict | Parting:
        """See `Diagonal.first`."""
        off: deque[Node] = deque()
        seen: set[object] = set()
        for number in self.differing():
            while off and off[0].depth < self.diagonal.depths[number]:
                found = self._off(off, seen)
                if found is not None:
                    return found
            state = self.states[number]
            made = self.pair.part(Node(Kind.PAIR, state, {state: ()}, ()))
            if isinstance(made, Parting):
                return self._replayed(
                    replace(made, play=Play((*self.graph.states.play(number), *made.play.labels)))
                )
            if made:
                play = self.graph.states.play(number)
                self._add([node.behind(play) for node in made], off, seen)
        while off:
            found = self._off(off, seen)
            if found is not None:
                return found
        if len(seen) > MOST_NODES:
            return Unknown(
                "too many states that differ in hidden fields alone", f"{MOST_NODES} pairs of states"
            )
        if self.pair.hidden_odds:
            return Unknown("chance differs in what nobody sees at once", self.diagonal.base.scope)
        return Proved(self.diagonal.base.scope)

    def _off(self, off: deque[Node], seen: set[object]) -> Parting | None:
        """Look at the next node off the diagonal."""
        made = self.pair.part(off.popleft())
        if isinstance(made, Parting):
            return self._replayed(made)
        self._add(made, off, seen)
        return None

    @staticmethod
    def _add(nodes: Sequence[Node], off: deque[Node], seen: set[object]) -> None:
        for node in nodes:
            if node.id not in seen:
                seen.add(node.id)
                if len(seen) <= MOST_NODES:
                    off.append(node)

    def _replayed(self, found: Parting) -> Parting:
        """The parting, its play replayed; a play that fails to is a mistake of this engine."""
        labels = (*found.play.labels, *((found.move,) if found.move else ()))
        self.one.replay(labels)
        if found.shared:
            self.two.replay(found.play.labels)
        return found

    # -- which states to look at -------------------------------------------------------------------
    def differing(self) -> Iterator[int]:
        """States in which something differs under the second program, in breadth-first order."""
        ends, target, instance = self.graph.first, self.graph.target, self.graph.instance
        for s in np.flatnonzero(self._candidates()).tolist():
            begin, end = int(ends[s]), int(ends[s + 1])
            acting = dict(zip(instance[begin:end].tolist(), target[begin:end].tolist(), strict=True))
            if self._differs(s, self.states[s], acting):
                yield s

    def _candidates(self) -> NDArray[np.bool_]:
        """States in which a changed instance acts, or might act under the second program."""
        numbers = [c.a.index for c in self.changes if c.a is not None]
        mark = np.zeros(len(self.graph.over), np.bool_)
        mark[self.graph.sources()[np.isin(self.graph.instance, numbers)]] = True
        for c in self.changes:
            if c.b is not None and c.guard:
                mark |= self._may_hold(c.b.guard)
        if self.one.program.over is not self.two.program.over:
            mark |= self.graph.over | self._may_hold(self.two.program.over)
        return mark | self.graph.over if self.ends else mark

    def _may_hold(self, t: Term) -> NDArray[np.bool_]:
        mark = np.ones(len(self.graph.over), np.bool_)
        for slot, values in tested(t).items():
            mark &= np.isin(self.graph.states.column(slot), list(values))
        return mark

    def _differs(self, number: int, state: Values, acting: Mapping[int, int]) -> bool:
        """Whether anything differs in a common state; acting: instance → successor, in the first program."""
        over = bool(self.graph.over[number])
        if over != self.two.over(state):
            return True
        if over:
            return self.ends
        return any(self._change(c, state, acting) for c in self.changes)

    def _change(self, c: _Change, state: Values, acting: Mapping[int, int]) -> bool:
        code, value = self.diagonal.code, self.one.value
        if c.a is None or c.a.index not in acting:
            return c.b is not None and c.guard and bool(code.term(c.b.guard)(state))
        if c.b is None or c.actor or (c.guard and not code.term(c.b.guard)(state)):
            return True
        if c.weight and value(c.a.weight, state) != value(c.b.weight, state):
            return True
        if not c.effect:
            return False
        after, target = self.two.after(state, c.b), acting[c.a.index]
        return after != (None if target < 0 else self.states[target])
