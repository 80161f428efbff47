"""Triggers: which rule's effect makes which consequence due, and how long chains of consequences get.

Promises: read off the explored transitions, so a trigger named here happens in some play; a consequence is
triggered by a step if it is due after the step and was not due before. Chains need an exhaustive search.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from models.language.ir import Actor
from models.language.program import Program
from solvers.contract import Play
from solvers.explorer import Exploration, Graph


@dataclass(frozen=True)
class Chain:
    """Consequences in a row.

    Attributes:
        stem: A shortest play to where the chain begins.
        labels: The consequences.
    """

    stem: Play
    labels: tuple[str, ...]


class _Due:
    """The consequences that are due in each state."""

    def __init__(self, program: Program, graph: Graph) -> None:
        self.program, self.graph = program, graph
        actor = np.array([i.actor for i in program.instances], np.int64)
        self.by_rules = np.zeros(len(graph.over), np.bool_)
        self.by_rules[graph.sources()[actor[graph.instance] == Actor.RULES]] = True

    def __getitem__(self, state: int) -> frozenset[int]:
        if not self.by_rules[state]:
            return frozenset()
        return frozenset(self.graph.instance[self.graph.first[state] : self.graph.first[state + 1]].tolist())

    def new(self, before: int, after: int) -> frozenset[int]:
        """Consequences that a step makes due."""
        return self[after] - self[before]


def triggers(program: Program, done: Exploration) -> dict[tuple[str, str], int]:
    """(rule, consequence) → in how many transitions the rule makes the consequence due.

    Args:
        program: The program.
        done: Its exploration; without a graph nothing is known.
    """
    graph, found = done.graph, Counter[tuple[str, str]]()
    if graph is None:
        return {}
    due, source = _Due(program, graph), graph.sources()
    live = graph.target >= 0
    live[live] = due.by_rules[graph.target[live]]
    for e in np.flatnonzero(live).tolist():
        before, after = int(source[e]), int(graph.target[e])
        rule = program.instances[int(graph.instance[e])].rule
        for made in {program.instances[i].rule for i in due.new(before, after)}:
            found[rule, made] += 1
    order = {r: n for n, r in enumerate(dict.fromkeys(i.rule for i in program.instances))}
    return dict(sorted(found.items(), key=lambda item: (order[item[0][0]], order[item[0][1]])))


def longest_run(program: Program, graph: Graph) -> Chain | None:
    """The most consequences that follow each other without anybody choosing; None if they can go on for ever.

    The order in which consequences are taken is free where several are due.
    """
    return _longest(program, graph, triggered=False)


def longest_chain(program: Program, graph: Graph) -> Chain | None:
    """The longest chain of consequences, each made due by the one before; None if it goes on for ever."""
    return _longest(program, graph, triggered=True)


def _longest(program: Program, graph: Graph, *, triggered: bool) -> Chain | None:
    """Longest path over steps by RULES: depth-first search over transitions, each settled once."""
    due, source = _Due(program, graph), graph.sources()

    def following(e: int) -> list[int]:
        after = int(graph.target[e])
        if after < 0 or not due.by_rules[after]:
            return []
        row = range(int(graph.first[after]), int(graph.first[after + 1]))
        new = due.new(int(source[e]), after) if triggered else due[after]
        return [f for f in row if int(graph.instance[f]) in new]

    best: dict[
        int, tuple[int, int]
    ] = {}  # transition → length of the longest chain from it, and the next one
    for start in np.flatnonzero(due.by_rules[source]).tolist():
        if start in best:
            continue
        path, todo = {start: following(start)}, [start]
        while todo:
            e = todo[-1]
            waiting = next((f for f in path[e] if f not in best), -1)
            if waiting in path:
                return None
            if waiting >= 0:
                path[waiting] = following(waiting)
                todo.append(waiting)
                continue
            following_best = max(path.pop(todo.pop()), key=lambda f: (best[f][0], -f), default=-1)
            best[e] = (1 + best[following_best][0] if following_best >= 0 else 1, following_best)
    if not best:
        return Chain(Play(()), ())
    e = first = max(best, key=lambda e: (best[e][0], -e))
    labels = []
    while e >= 0:
        labels.append(program.instances[int(graph.instance[e])].label)
        e = best[e][1]
    return Chain(Play(graph.states.play(int(source[first]))), tuple(labels))
