"""Questions over the explored graph: endings, cycles, lost positions.

Promises: needs a complete graph; every answer comes with a shortest play to where it holds, and a circle
with the moves once round it; definitions are those of the design. Components by scipy's strongly connected
components (Pearce 2005), searches by its breadth-first order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from models.language.ir import Actor
from models.language.program import Program
from models.language.terms import Term
from solvers.contract import Play
from solvers.explorer.exploration import Graph, Numbers
from solvers.interpreter import Interpreter

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Endless:
    """Play that cannot end, or goes round without anybody having a choice.

    Attributes:
        stem: A shortest play to where it begins.
        loop: The moves once round, back to the same state; none where nobody is bound to one circle and yet
            no end can be reached any more.
        rules: Names of the rules that act in the circle, sorted.
        closed: Whether no end can be reached from there (else consequences alone can keep the play in it).
    """

    stem: Play
    loop: tuple[str, ...]
    rules: tuple[str, ...]
    closed: bool


def backward(graph: Graph, goals: Mask, through: Mask | None = None) -> Mask:
    """The states from which a goal can be reached, goals included.

    Args:
        graph: The transitions.
        goals: One truth value per state.
        through: States that may be passed (all unless given).
    """
    n, source, live = len(graph.over), graph.sources(), graph.target >= 0
    if through is not None:
        live = live & through[source]
    goal = np.flatnonzero(goals)
    begin = np.concatenate([graph.target[live], np.full(len(goal), n)])
    end = np.concatenate([source[live], goal])
    matrix = csr_array((np.ones(len(begin), np.int8), (begin, end)), shape=(n + 1, n + 1))
    found = breadth_first_order(matrix, n, directed=True, return_predecessors=False)
    reached = np.zeros(n + 1, np.bool_)
    reached[found] = True
    return reached[:n]


def components(graph: Graph, edges: Mask | None = None) -> Numbers:
    """The strongly connected component of each state, as a number.

    Args:
        graph: The transitions.
        edges: Transitions that count, none that stops among them; all that lead somewhere unless given.
    """
    n, used = len(graph.over), graph.target >= 0 if edges is None else edges
    begin, end = graph.sources()[used], graph.target[used]
    matrix = csr_array((np.ones(len(begin), np.int8), (begin, end)), shape=(n, n))
    _, component = connected_components(matrix, directed=True, connection="strong")
    return np.asarray(component, np.int64)


def never_ends(graph: Graph) -> Play | None:
    """A shortest play after which the game can never be over (open ends of the text are left out)."""
    lost = np.flatnonzero(~backward(graph, graph.over | _stops(graph)))
    return Play(graph.states.play(int(lost[0]))) if len(lost) else None


def _stops(graph: Graph) -> Mask:
    stops = np.zeros(len(graph.over), np.bool_)
    stops[graph.sources()[graph.target < 0]] = True
    return stops


def endless(program: Program, graph: Graph) -> list[Endless]:
    """The ways in which play need not end though nobody wants it so, each once, nearest to the setup first.

    A part of the graph is one where no end (nor a stop, nor a state in which nobody may act) can be reached,
    or a circle in which every state has a single move or only consequences. A circle that some player can
    leave is none. Two that the same rules keep going are one.
    """
    quiet = np.diff(graph.first) == 0
    closed = ~backward(graph, graph.over | _stops(graph) | quiet)
    search = _Circles(program, graph)
    return sorted([*search.traps(closed), *search.loops(~closed)], key=lambda e: len(e.stem.labels))


class _Circles:
    def __init__(self, program: Program, graph: Graph) -> None:
        self.graph, self.source = graph, graph.sources()
        self.instances = program.instances
        self.names = sorted({i.rule for i in program.instances})
        self.rule = np.array([self.names.index(i.rule) for i in program.instances], np.int64)
        actor = np.array([i.actor for i in program.instances], np.int64)
        self.bound = np.diff(graph.first) == 1
        self.bound[self.source[actor[graph.instance] == Actor.RULES]] = True

    def traps(self, closed: Mask) -> list[Endless]:
        """Where no end can be reached: one for each set of rules that can go on for ever."""
        if not closed.any():
            return []
        edges = closed[self.source]
        component = components(self.graph, edges)
        leaves = edges & (component[self.source] != component[self.graph.target])
        last = closed.copy()
        last[np.isin(component, component[self.source[leaves]])] = False
        found: dict[int, Endless] = {}
        for rules, states in self._by_rules(component, edges & last[self.source]).items():
            goals = np.zeros(len(closed), np.bool_)
            goals[states] = True
            begin = int(np.flatnonzero(backward(self.graph, goals) & closed)[0])
            inside = int(states.min())
            if self.bound[component == component[inside]].all():
                loop, rules = self._round(inside, edges & (component[self.source] == component[inside]))
                found.setdefault(begin, Endless(self._play(inside), loop, rules, True))
            else:
                found.setdefault(begin, Endless(self._play(begin), (), rules, True))
        return list(found.values())

    def loops(self, live: Mask) -> list[Endless]:
        """Circles of consequences and forced moves from which an end can still be reached."""
        ends = self.graph.target
        edges = (ends >= 0) & (self.bound & live)[self.source]
        edges[edges] = self.bound[ends[edges]]
        component = components(self.graph, edges)
        edges[edges] = component[self.source[edges]] == component[ends[edges]]
        found: dict[tuple[str, ...], Endless] = {}
        for states in self._by_rules(component, edges).values():
            begin = int(states.min())
            loop, rules = self._round(begin, edges)
            made = Endless(self._play(begin), loop, rules, False)
            if rules not in found or len(found[rules].stem.labels) > len(made.stem.labels):
                found[rules] = made
        return list(found.values())

    def _play(self, state: int) -> Play:
        return Play(self.graph.states.play(state))

    def _by_rules(self, component: Numbers, edges: Mask) -> dict[tuple[str, ...], Numbers]:
        """The states of components with edges inside, by the rules of those edges."""
        inside = edges.copy()
        inside[edges] = component[self.source[edges]] == component[self.graph.target[edges]]
        if not inside.any():
            return {}
        home, rule = component[self.source[inside]], self.rule[self.graph.instance[inside]]
        pairs = np.unique(np.stack([home, rule]), axis=1)
        rules: dict[int, list[str]] = {}
        for c, r in pairs.T.tolist():
            rules.setdefault(c, []).append(self.names[r])
        members: dict[tuple[str, ...], list[int]] = {}
        for c, named in rules.items():
            members.setdefault(tuple(named), []).append(c)
        return {named: np.flatnonzero(np.isin(component, cs)) for named, cs in members.items()}

    def _round(self, begin: int, edges: Mask) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A shortest circle through a state over some edges: its labels, and its rules sorted."""
        came: dict[int, tuple[int, int]] = {}
        todo = deque([begin])
        while begin not in came:
            state = todo.popleft()
            for e in range(int(self.graph.first[state]), int(self.graph.first[state + 1])):
                end = int(self.graph.target[e])
                if edges[e] and end not in came:
                    came[end] = (state, e)
                    todo.append(end)
        made, state = [], -1
        while state != begin:
            state, edge = came[begin if state < 0 else state]
            made.append(self.instances[int(self.graph.instance[edge])])
        return tuple(i.label for i in reversed(made)), tuple(sorted({i.rule for i in made}))


def lost(run: Interpreter, graph: Graph, region: Term, goal: Term) -> tuple[Play | None, int]:
    """Positions of a region in which somebody has to go on and no play inside it takes a goal step.

    Args:
        run: The interpreter of the program.
        graph: Its transitions.
        region: Term over a state.
        goal: Term over a step.

    Returns:
        A shortest play to such a position, and how many there are.
    """
    n, source = len(graph.over), graph.sources()
    holds, takes = run.compiled(region), run.compiled(goal)
    inside = np.fromiter((bool(holds(graph.states[i])) for i in range(n)), np.bool_, n)
    hopeful = np.zeros(n, np.bool_)
    for e in np.flatnonzero((graph.target >= 0) & inside[source]):
        s = int(source[e])
        if not hopeful[s] and takes(graph.states[s] + graph.states[int(graph.target[e])]):
            hopeful[s] = True
    moves = np.diff(graph.first) > 0
    none = np.flatnonzero(inside & moves & ~backward(graph, hopeful, inside))
    return (Play(graph.states.play(int(none[0]))) if len(none) else None), len(none)
