"""Questions to a flow: what nobody reaches, what nobody leaves, what every game must pass, what never ends.

Promises: where every state was explored the answers hold for this size; else they are about what was seen in
random games, and the caller is told which. Endless play, lost ends and the order of consequences come from
the explored states, with plays; definitions are those of the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from models.language.ir import Actor
from solvers.contract import Play
from solvers.explorer import Graph
from solvers.explorer.cycles import Endless, backward, endless, never_ends
from solvers.explorer.exploration import Numbers
from solvers.explorer.order import Disorder, Order
from solvers.flows.flow import Flow
from solvers.flows.observe import STOP
from solvers.flows.triggers import Chain, longest_chain, longest_run, triggers
from solvers.interpreter import Interpreter


@dataclass(frozen=True)
class Note:
    """A part of the game that a player can prolong as long as they like; no finding, ends stay in reach.

    Attributes:
        rules: The rules that keep it going.
        states: How many states lie in such parts.
        parts: How many parts (strongly connected components) these rules keep going.
        stem: A shortest play to the nearest.
        loop: The moves of one way round.
    """

    rules: tuple[str, ...]
    states: int
    parts: int
    stem: Play
    loop: tuple[str, ...]


@dataclass(frozen=True)
class Answers:
    """What a flow says. Everything from `every_game` on needs an exhaustive search and is empty without one.

    Attributes:
        complete: Whether every reachable state was explored.
        unreached: Phases in which no game ever is.
        dead_ends: Phases that no step leaves although the game is not over there.
        cannot_end: Phases from which no steps lead to an end of the game.
        never_taken: Steps (phase, rule, phase) that guards allow and nobody has seen.
        silent: Rules that never act.
        loops: Groups of phases that are reached from each other.
        dominators: Phase → the last phase that every way there has passed before.
        every_game: Phases that every game passes before it is over, in the order of the flow.
        endless: Play that cannot end, or goes round without anybody having a choice.
        prolonged: What a player can prolong.
        stuck_end: A shortest play after which the game can never be over, if there is one.
        orders: Pairs of consequences whose order changes the result.
        run: The most consequences in a row; None where they go on for ever.
        chain: The longest chain of consequences that trigger each other; None where it goes on for ever.
        trigger_cycles: Circles of rules that make each other due.
    """

    complete: bool
    unreached: tuple[str, ...]
    dead_ends: tuple[str, ...]
    cannot_end: tuple[str, ...]
    never_taken: tuple[tuple[str, str, str], ...]
    silent: tuple[str, ...]
    loops: tuple[tuple[str, ...], ...]
    dominators: Mapping[str, str]
    every_game: tuple[str, ...] = ()
    endless: tuple[Endless, ...] = ()
    prolonged: tuple[Note, ...] = ()
    stuck_end: Play | None = None
    orders: tuple[Disorder, ...] = ()
    run: Chain | None = None
    chain: Chain | None = None
    trigger_cycles: tuple[tuple[str, ...], ...] = ()


def answers(flow: Flow) -> Answers:
    """Answer all questions.

    Args:
        flow: A flow of the level `phase`.
    """
    plain = _seen(flow)
    phases = [n for n, d in flow.graph.nodes(data=True) if d["kind"] == "phase"]
    about = flow.graph.nodes
    met = [n for n in phases if about[n]["states"] or about[n]["visits"] or about[n]["entry"]]
    ends = set(flow.endings)
    reach = {n for e in ends for n in nx.ancestors(plain, e)}
    acted = {d["rule"] for _, _, d in flow.edges(seen=True)}
    rules = dict.fromkeys(i.rule for i in flow.program.instances)
    dominators = nx.immediate_dominators(plain, flow.entry)
    whole: dict[str, Any] = _of_states(flow) if flow.exploration.graph is not None and flow.complete else {}
    return Answers(
        complete=flow.complete,
        unreached=tuple(n for n in phases if n not in met),
        dead_ends=tuple(n for n in met if not plain.out_degree(n)),
        cannot_end=tuple(n for n in met if n not in reach and plain.out_degree(n)),
        never_taken=tuple((a, d["rule"], b) for a, b, d in flow.edges(seen=False)),
        silent=tuple(r for r in rules if r not in acted),
        loops=tuple(_loops(plain, phases)),
        dominators={n: d for n, d in dominators.items() if d is not None and n != flow.entry},
        **whole,
    )


def _seen(flow: Flow) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(flow.graph.nodes)
    graph.add_edges_from((a, b) for a, b, _ in flow.edges(seen=True))
    return graph


def _loops(plain: nx.DiGraph[str], phases: Sequence[str]) -> list[tuple[str, ...]]:
    order = {n: k for k, n in enumerate(phases)}
    found = [sorted(c, key=lambda n: order[n]) for c in nx.strongly_connected_components(plain) if len(c) > 1]
    return [tuple(c) for c in sorted(found, key=lambda c: order[c[0]])]


def _of_states(flow: Flow) -> dict[str, Any]:
    """The answers that come from the explored states."""
    graph = flow.exploration.graph
    assert graph is not None
    run = Interpreter(flow.program)
    return {
        "every_game": _every_game(flow, graph),
        "endless": tuple(endless(flow.program, graph)),
        "prolonged": tuple(prolonged(flow, graph)),
        "stuck_end": never_ends(graph),
        "orders": tuple(Order(run, graph).disorders().values()),
        "run": longest_run(flow.program, graph),
        "chain": longest_chain(flow.program, graph),
        "trigger_cycles": _trigger_cycles(flow),
    }


def _every_game(flow: Flow, graph: Graph) -> tuple[str, ...]:
    """Phases without which no state in which the game is over can be reached."""
    home = np.array(flow.home, dtype=object)
    found = []
    for name, data in flow.graph.nodes(data=True):
        if data["kind"] == "phase" and data["states"]:
            through = home != name
            if not (through[0] and backward(graph, graph.over & through, through.astype(np.bool_))[0]):
                found.append(name)
    return tuple(found) if graph.over.any() else ()


def _trigger_cycles(flow: Flow) -> tuple[tuple[str, ...], ...]:
    consequences = {i.rule for i in flow.program.instances if i.actor is Actor.RULES}
    graph: nx.DiGraph[str] = nx.DiGraph()
    pairs = triggers(flow.program, flow.exploration)
    graph.add_edges_from((a, b) for a, b in pairs if a in consequences and b in consequences)
    order = {r: n for n, r in enumerate(dict.fromkeys(i.rule for i in flow.program.instances))}
    found = []
    for circle in nx.simple_cycles(graph, length_bound=8):
        first = circle.index(min(circle, key=lambda r: order[r]))
        found.append((*circle[first:], *circle[:first]))
    return tuple(sorted(found, key=lambda c: (len(c), [order[r] for r in c])))


def prolonged(flow: Flow, graph: Graph) -> list[Note]:
    """What a player can prolong: circles with a choice from which the game can still end.

    Args:
        flow: The flow.
        graph: The explored transitions.

    Returns:
        One note for each set of rules, nearest to the setup first.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n, source, program = len(graph.over), graph.sources(), flow.program
    live = graph.target >= 0
    quiet = np.diff(graph.first) == 0
    stops = np.zeros(n, np.bool_)
    stops[source[~live]] = True
    open_ = backward(graph, graph.over | stops | quiet)
    live &= open_[source]
    ones = np.ones(int(live.sum()), np.int8)
    matrix = csr_array((ones, (source[live], graph.target[live])), shape=(n, n))
    _, labels = connected_components(matrix, directed=True, connection="strong")
    component = np.asarray(labels, np.int64)
    inside = live.copy()
    inside[live] = component[source[live]] == component[graph.target[live]]
    forced = {tuple(e.rules) for e in endless(program, graph)}
    actor = np.array([i.actor for i in program.instances], np.int64)
    chosen = np.zeros(n, np.bool_)
    player = np.isin(actor[graph.instance], [int(Actor.PLAYER), int(Actor.WINDOW)])
    chosen[source[player]] = True
    chosen &= np.diff(graph.first) > 1
    made: dict[tuple[str, ...], list[int]] = {}
    for part, rules in _rules_inside(flow, graph, component, inside, chosen).items():
        if rules not in forced:
            made.setdefault(rules, []).append(part)
    return sorted(
        (_note(flow, graph, rules, parts, component, inside) for rules, parts in made.items()),
        key=lambda note: len(note.stem.labels),
    )


def _rules_inside(
    flow: Flow, graph: Graph, component: Numbers, inside: Any, chosen: Any
) -> dict[int, tuple[str, ...]]:
    """Component in which a player has a choice → the rules of its inner steps."""
    source, instances = graph.sources(), flow.program.instances
    names = sorted({i.rule for i in instances})
    rule = np.array([names.index(i.rule) for i in instances], np.int64)
    home = component[source[inside]]
    free = set(component[source[inside & chosen[source]]].tolist())
    found: dict[int, list[str]] = {}
    for c, r in np.unique(np.stack([home, rule[graph.instance[inside]]]), axis=1).T.tolist():
        if c in free:
            found.setdefault(c, []).append(names[r])
    return {c: tuple(rules) for c, rules in found.items()}


def _note(
    flow: Flow, graph: Graph, rules: tuple[str, ...], parts: Sequence[int], component: Numbers, inside: Any
) -> Note:
    states = np.flatnonzero(np.isin(component, parts))
    begin = int(states.min())
    return Note(
        rules, len(states), len(parts), Play(graph.states.play(begin)), _round(flow, graph, begin, inside)
    )


def _round(flow: Flow, graph: Graph, begin: int, inside: Any) -> tuple[str, ...]:
    """A shortest way round through a state, over transitions inside its component."""
    came: dict[int, tuple[int, int]] = {}
    todo = [begin]
    for state in todo:
        for e in range(int(graph.first[state]), int(graph.first[state + 1])):
            end = int(graph.target[e])
            if inside[e] and end not in came:
                came[end] = (state, e)
                todo.append(end)
        if begin in came:
            break
    labels, state = [], -1
    while state != begin:
        state, edge = came[begin if state < 0 else state]
        labels.append(flow.program.instances[int(graph.instance[edge])].label)
    return tuple(reversed(labels))


__all__ = ["STOP", "Answers", "Note", "answers", "prolonged"]
