"""Order: whether consequences that are due at once may be carried out in any order.

Promises: a pair of rules is reported exactly where the two can be carried out first one or the other and no
position of rest can be reached both ways. By Newman's lemma (1942) there is such a pair wherever a state has
more than one position of rest, if consequences end; a circle of consequences that never rests counts as a
rest of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from models.language.ir import Actor
from solvers.contract import Play
from solvers.explorer.exploration import Graph, Numbers
from solvers.interpreter import Interpreter

#: What can be seen of a position of rest: open fields, who acts, whether and how the game is over.
Rest = tuple[object, ...]
STOPPED: Rest = ("stopped",)
NEVER: Rest = ("never",)


@dataclass(frozen=True)
class Disorder:
    """Two consequences whose order changes where the play comes to rest.

    Attributes:
        rules: The two rules.
        play: A shortest play to a state where both are due.
        first: One play to rest that begins with the first rule, and one that begins with the second.
        rests: How many different positions of rest there are from that state.
    """

    rules: tuple[str, str]
    play: Play
    first: tuple[tuple[str, ...], tuple[str, ...]]
    rests: int


class Order:
    """Confluence of the consequences that are due at once, checked at every reached state.

    Args:
        run: The interpreter of the program.
        graph: Its transitions.
    """

    def __init__(self, run: Interpreter, graph: Graph) -> None:
        self.run, self.graph = run, graph
        self.actor = np.array([i.actor for i in run.program.instances], np.int64)
        self.by_rules = np.zeros(len(graph.over), np.bool_)
        self.by_rules[graph.sources()[self.actor[graph.instance] == Actor.RULES]] = True
        self._component: Numbers | None = None
        self._members: dict[int, list[int]] = {}
        self._rests: dict[int, frozenset[Rest]] = {}

    def disorders(self) -> dict[tuple[str, str], Disorder]:
        """Pairs of rules whose order matters, each with the first state in breadth-first order."""
        found: dict[tuple[str, str], Disorder] = {}
        for number in np.flatnonzero(self.by_rules & (np.diff(self.graph.first) > 1)).tolist():
            self._state(number, found)
        return found

    def _state(self, number: int, found: dict[tuple[str, str], Disorder]) -> None:
        due = list(self.edges(number))
        rests = [self.after(e) for e in due]
        if len(set(rests)) == 1:
            return
        instances = self.run.program.instances
        for k, e in enumerate(due):
            for m in range(k + 1, len(due)):
                if rests[k] & rests[m]:
                    continue
                a, b = (instances[int(self.graph.instance[x])].rule for x in (e, due[m]))
                if (a, b) in found or (b, a) in found:
                    continue
                sides = self.to_rest(e), self.to_rest(due[m])
                every = frozenset().union(*rests)
                found[a, b] = Disorder((a, b), Play(self.graph.states.play(number)), sides, len(every))

    def edges(self, number: int) -> Iterator[int]:
        """The transitions that leave a state."""
        return iter(range(int(self.graph.first[number]), int(self.graph.first[number + 1])))

    # -- positions of rest -------------------------------------------------------------------------
    def after(self, edge: int) -> frozenset[Rest]:
        """The positions of rest that can be reached after a transition."""
        target = int(self.graph.target[edge])
        return frozenset([STOPPED]) if target < 0 else self.rests(target)

    def rests(self, number: int) -> frozenset[Rest]:
        """The positions of rest that can be reached from a state by consequences alone."""
        if not self.by_rules[number]:
            return frozenset([self.seen(number)])
        root = int(self.component[number])
        todo = [root]
        while todo:
            home = todo[-1]
            if home in self._rests:
                todo.pop()
                continue
            waiting = [c for c in self._next(home) if c not in self._rests]
            if waiting:
                todo += waiting
            else:
                self._rests[home] = self._union(home)
                todo.pop()
        return self._rests[root]

    @property
    def component(self) -> Numbers:
        """For each state its strongly connected component under consequences."""
        if self._component is None:
            graph, n = self.graph, len(self.graph.over)
            source = graph.sources()
            edges = (graph.target >= 0) & self.by_rules[source]
            matrix = csr_array(
                (np.ones(edges.sum(), np.int8), (source[edges], graph.target[edges])), shape=(n, n)
            )
            _, labels = connected_components(matrix, directed=True, connection="strong")
            self._component = np.asarray(labels, np.int64)
            for number in np.flatnonzero(self.by_rules).tolist():
                self._members.setdefault(int(labels[number]), []).append(number)
        return self._component

    def _next(self, home: int) -> list[int]:
        """Components of consequences that a component leads to."""
        found = dict.fromkeys(
            int(self.component[t]) for t in self._targets(home) if t >= 0 and self.by_rules[t]
        )
        found.pop(home, None)
        return list(found)

    def _targets(self, home: int) -> Iterator[int]:
        for number in self._members[home]:
            yield from self.graph.target[self.graph.first[number] : self.graph.first[number + 1]].tolist()

    def _union(self, home: int) -> frozenset[Rest]:
        found: set[Rest] = set()
        for target in self._targets(home):
            if target < 0:
                found.add(STOPPED)
            elif not self.by_rules[target]:
                found.add(self.seen(target))
            elif self.component[target] != home:
                found |= self._rests[int(self.component[target])]
        return frozenset(found or {NEVER})

    def seen(self, number: int) -> Rest:
        """What can be seen of a state."""
        state, program, value = self.graph.states[number], self.run.program, self.run.value
        fields = tuple(state[s] for s in program.observable)
        if self.graph.over[number]:
            return (fields, "over", *(value(t, state) for t in (*program.winners, *program.scores)))
        acting = {program.instances[int(self.graph.instance[e])] for e in self.edges(number)}
        who = {(int(i.actor), -1 if i.player is None else value(i.player, state)) for i in acting}
        return (fields, *sorted(who))

    # -- plays -------------------------------------------------------------------------------------
    def to_rest(self, edge: int) -> tuple[str, ...]:
        """A shortest play to rest that begins with a transition; once round where it never rests."""
        target = int(self.graph.target[edge])
        came: dict[int, tuple[int, int]] = {}
        todo = deque([target] if target >= 0 else [])
        while todo:
            state = todo.popleft()
            if not self.by_rules[state]:
                return (self._label(edge), *self._path(target, state, came))
            for e in self.edges(state):
                end = int(self.graph.target[e])
                if end < 0:
                    return (self._label(edge), *self._path(target, state, came), self._label(e))
                if end not in came and end != target:
                    came[end] = (state, e)
                    todo.append(end)
        return (self._label(edge), *(self._circle(target) if target >= 0 else ()))

    def _path(self, begin: int, end: int, came: dict[int, tuple[int, int]]) -> tuple[str, ...]:
        labels: list[str] = []
        while end != begin:
            end, edge = came[end]
            labels.append(self._label(edge))
        return tuple(reversed(labels))

    def _circle(self, state: int) -> tuple[str, ...]:
        labels, passed = [], set[int]()
        while state not in passed:
            passed.add(state)
            edge = int(self.graph.first[state])
            labels.append(self._label(edge))
            state = int(self.graph.target[edge])
        return tuple(labels)

    def _label(self, edge: int) -> str:
        return self.run.program.instances[int(self.graph.instance[edge])].label
