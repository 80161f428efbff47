"""Observations: the steps that were seen, from the explored states and from random games.

Promises: from an exhaustive search every step is there, with the number of transitions; random games are
fixed by their seed and say how often a game takes a step. Both name states by their place.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from models.language.ir import Actor
from models.language.program import Program
from solvers.compare.playouts import choose
from solvers.explorer.exploration import Graph, Numbers
from solvers.flows.places import OVER, Places
from solvers.interpreter import Interpreter

#: A random game is cut off after so many steps.
MOST_STEPS = 5000
STOP = "stop:"


@dataclass
class Seen:
    """Steps between places.

    Attributes:
        steps: (place, rule, place) → number of transitions; a stop leads to `stop:<site>`.
        follows: (rule, rule) → in how many states the second may come directly after the first; "" stands
            for the setup as the first and for the end of the game as the second.
        states: Place → number of states.
        stuck: Place → number of states in which nobody may move although the game is not over.
    """

    steps: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    follows: Counter[tuple[str, str]] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    stuck: Counter[str] = field(default_factory=Counter)


@dataclass
class Games:
    """Random games.

    Attributes:
        number: How many were played.
        steps: (place, rule, place) → number of steps.
        follows: (rule, rule) → how often the second came directly after the first.
        visits: Place → how often a step led there, the setup included.
        cut: How many games were cut off.
    """

    number: int
    steps: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    follows: Counter[tuple[str, str]] = field(default_factory=Counter)
    visits: Counter[str] = field(default_factory=Counter)
    cut: int = 0


def explored(places: Places, run: Interpreter, graph: Graph) -> tuple[Seen, list[str]]:
    """Read the steps off an explored graph.

    Args:
        places: Which place a state belongs to.
        run: The interpreter of the program.
        graph: Its transitions.

    Returns:
        The steps, and the place of every state.
    """
    seen, source = Seen(), graph.sources()
    key, names = _keys(places, graph)
    home = [names[k] for k in key.tolist()]
    seen.states.update(home)
    quiet = (np.diff(graph.first) == 0) & ~graph.over
    seen.stuck.update(home[n] for n in np.flatnonzero(quiet).tolist())
    rules, rule_of = _rules(places.program)
    live = graph.target >= 0
    triples = np.stack([key[source[live]], rule_of[graph.instance[live]], key[graph.target[live]]])
    found, times = np.unique(triples, axis=1, return_counts=True)
    for (a, r, b), n in zip(found.T.tolist(), times.tolist(), strict=True):
        seen.steps[names[a], rules[r], names[b]] += n
    _stops(places.program, run, graph, home, seen)
    _follows(graph, source, rules, rule_of, seen)
    return seen, home


def _keys(places: Places, graph: Graph) -> tuple[Numbers, list[str]]:
    """For each state the number of its place, and the names of the places."""
    n = len(graph.over)
    rows = [graph.states.column(s.index) for s in places.slots] or [np.zeros(n, np.int64)]
    found, inverse = np.unique(np.stack([*rows, graph.over.astype(np.int64)]), axis=1, return_inverse=True)
    names = []
    for column in found.T.tolist():
        *values, over = column
        names.append(places.name(values if places.slots else ()) + (OVER if over else ""))
    return np.asarray(inverse, np.int64).reshape(-1), names


def _rules(program: Program) -> tuple[list[str], Numbers]:
    rules = list(dict.fromkeys(i.rule for i in program.instances))
    return rules, np.array([rules.index(i.rule) for i in program.instances], np.int64)


def _stops(program: Program, run: Interpreter, graph: Graph, home: list[str], seen: Seen) -> None:
    source = graph.sources()
    for e in np.flatnonzero(graph.target < 0).tolist():
        state, instance = int(source[e]), program.instances[int(graph.instance[e])]
        site = run.step(graph.states[state], instance).hits[-1]
        seen.steps[home[state], instance.rule, STOP + program.sites[site].id] += 1


def _follows(graph: Graph, source: Numbers, rules: list[str], rule_of: Numbers, seen: Seen) -> None:
    """Pairs of rules by the states between them: incoming rules times outgoing rules."""
    from scipy.sparse import csr_array

    n, live = len(graph.over), graph.target >= 0

    def incidence(states: Numbers, instances: Numbers) -> csr_array:
        pairs = np.unique(np.stack([rule_of[instances], states]), axis=1)
        ones = np.ones(pairs.shape[1], np.int64)
        return csr_array((ones, (pairs[0], pairs[1])), shape=(len(rules), n))

    into, out = incidence(graph.target[live], graph.instance[live]), incidence(source, graph.instance)
    both = (into @ out.T).tocoo()
    for a, b, count in zip(both.row.tolist(), both.col.tolist(), both.data.tolist(), strict=True):
        seen.follows[rules[a], rules[b]] += int(count)
    for e in range(int(graph.first[0]), int(graph.first[1])):
        seen.follows["", rules[int(rule_of[graph.instance[e]])]] = 1
    ends = graph.over.copy()
    last = into @ ends.astype(np.int64)
    for a, count in enumerate(np.asarray(last).tolist()):
        if count:
            seen.follows[rules[a], ""] += int(count)


def random_games(
    places: Places, run: Interpreter, number: int, seed: int, tick: Callable[[int], None] | None = None
) -> Games:
    """Play games at random: chance by weight, players and the order of consequences evenly.

    Args:
        places: Which place a state belongs to.
        run: The interpreter of the program.
        number: How many games.
        seed: Of the first; game k uses seed + k.
        tick: Told of every game.
    """
    games, program = Games(number), places.program
    for k in range(number):
        draws, state, rule = random.Random(seed + k), program.start, ""
        at = places.at(state, run)
        games.visits[at] += 1
        for _ in range(MOST_STEPS):
            enabled = run.enabled(state)
            if not enabled:
                if run.over(state):
                    games.follows[rule, ""] += 1
                break
            instance = choose(run, state, enabled, draws.random())
            step = run.step(state, instance)
            stopped = step.state is None
            to = STOP + program.sites[step.hits[-1]].id if step.state is None else places.at(step.state, run)
            games.steps[at, instance.rule, to] += 1
            games.follows[rule, instance.rule] += 1
            rule = instance.rule
            if stopped or step.state is None:
                break
            state, at = step.state, to
            games.visits[at] += 1
        else:
            games.cut += 1
        if tick is not None:
            tick(1)
    return games


def actors(program: Program) -> dict[str, Actor]:
    """Who acts a rule."""
    return {i.rule: i.actor for i in program.instances}
