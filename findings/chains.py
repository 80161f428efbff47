"""Chains: which component's effect brings another one into play within a turn.

Promises: read off explored transitions, so every edge happens in some play and comes with a shortest one; an
edge says how: the effect itself brings the other component up (`brings`), or leaves it due that was not due
before (`sets`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from models.language.program import Program
from models.language.terms import truth
from solvers.contract import Play
from solvers.explorer import Exploration, Graph
from solvers.interpreter import Interpreter


@attrs.frozen(kw_only=True)
class Acting:
    """How components act in a rulebook.

    Attributes:
        rules: The rules that carry a component out.
        parameter: The parameter of these rules that names it.
        values: The parameter's values by the name that labels print, as a function of a program.
        due: A function of `t` and a value: whether that component is still to act.
        at_rest: A function of `t`: whether an effect is done and the next one is looked for.
    """

    rules: tuple[str, ...]
    parameter: str
    values: Callable[[Program], Mapping[str, Any]]
    due: Callable[[Any, Any], Any]
    at_rest: Callable[[Any], Any]


@attrs.frozen(kw_only=True)
class Link:
    """One component bringing another one into play.

    Attributes:
        source: Name of the component that acts.
        target: Name of the one that it brings in.
        how: `brings` or `sets`.
        size: The size whose play shows it.
        play: A shortest play to the step in which the source acts.
    """

    source: str
    target: str
    how: str
    size: str
    play: Play


def chains(explorations: Sequence[Exploration], acting: Acting) -> tuple[Link, ...]:
    """The links that some play shows, each with the first size and a shortest play there.

    Args:
        explorations: Complete explorations with their graphs.
        acting: How components act.

    Returns:
        The links by source, target and kind.
    """
    found: dict[tuple[str, str, str], Link] = {}
    for done in explorations:
        if done.graph is None:
            continue
        for link in _Search(done.program, done.graph, acting).links():
            found.setdefault((link.source, link.target, link.how), link)
    return tuple(found[key] for key in sorted(found))


class _Search:
    def __init__(self, program: Program, graph: Graph, acting: Acting) -> None:
        self.program, self.graph = program, graph
        self.run = Interpreter(program)
        self.names = [self._name(i.rule, i.params, acting) for i in program.instances]
        values = acting.values(program)
        self.due = {n: self.run.compiled(truth(program.expression(acting.due, v))) for n, v in values.items()}
        self.rest = self.run.compiled(truth(program.expression(acting.at_rest)))

    @staticmethod
    def _name(rule: str, params: Sequence[tuple[str, str]], acting: Acting) -> str:
        return dict(params).get(acting.parameter, "") if rule in acting.rules else ""

    def links(self) -> Iterator[Link]:
        """Links in the order of the states, so that the first of a kind has a shortest play."""
        acts = np.array([bool(n) for n in self.names])
        source = self.graph.sources()
        seen: set[tuple[str, str, str]] = set()
        for e in np.flatnonzero(acts[self.graph.instance] & (self.graph.target >= 0)).tolist():
            before, name = int(source[e]), self.names[int(self.graph.instance[e])]
            for target, how in self._after(before, int(self.graph.target[e])):
                if (name, target, how) in seen:
                    continue
                seen.add((name, target, how))
                label = self.program.instances[int(self.graph.instance[e])].label
                play = Play((*self.graph.states.play(before), label))
                yield Link(source=name, target=target, how=how, size=self.program.size_name, play=play)

    def _after(self, before: int, state: int) -> Iterator[tuple[str, str]]:
        """What the effect under way brings up, and what is newly due where it comes to rest."""
        was = self.graph.states[before]
        todo, known = [state], {state}
        while todo:
            here = todo.pop()
            values = self.graph.states[here]
            if self.graph.over[here]:
                continue
            if self.rest(values):
                yield from ((n, "sets") for n, due in self.due.items() if due(values) and not due(was))
                continue
            for e in range(int(self.graph.first[here]), int(self.graph.first[here + 1])):
                name, target = self.names[int(self.graph.instance[e])], int(self.graph.target[e])
                if name:
                    yield name, "brings"
                elif target >= 0 and target not in known:
                    known.add(target)
                    todo.append(target)
