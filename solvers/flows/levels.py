"""The levels of a flow: how the same observations become a graph of phases, rules, triggers or states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import networkx as nx

from models.language.errors import ModelError
from models.language.ir import Actor
from models.language.program import Program
from solvers.explorer import Exploration
from solvers.flows.observe import STOP, Games, Seen, actors
from solvers.flows.places import OVER, Places
from solvers.flows.possible import possible_steps
from solvers.flows.triggers import triggers
from solvers.interpreter import Interpreter

START, END = "(start)", "(end)"
#: Most states of a flow of states.
MOST_NODES = 20_000


@dataclass(frozen=True)
class Material:
    """What a graph is made from; see `flow`."""

    places: Places
    run: Interpreter
    exploration: Exploration
    seen: Seen | None
    games: Games
    home: list[str]

    @property
    def program(self) -> Program:
        """The program."""
        return self.places.program


class _Graph:
    """Collects nodes and edges with all their attributes."""

    def __init__(self, program: Program) -> None:
        self.graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        self.actor = actors(program)
        self.clauses: dict[str, tuple[str, ...]] = {}
        for i in program.instances:
            self.clauses[i.rule] = tuple(dict.fromkeys((*self.clauses.get(i.rule, ()), *i.clauses)))

    def node(self, name: str, kind: str, **more: object) -> None:
        plain = {"states": 0, "visits": 0.0, "entry": False, "ending": False, "stuck": 0, "actors": ()}
        self.graph.add_node(name, kind=kind, **{**plain, **more})

    def edge(
        self, a: str, b: str, rule: str, *, transitions: int, per_game: float, seen: bool, key: str = ""
    ) -> None:
        self.graph.add_edge(
            a,
            b,
            key=key or rule,
            rule=rule,
            actor=self.actor[rule].name.lower() if rule in self.actor else "",
            clauses=self.clauses.get(rule, ()),
            transitions=transitions,
            per_game=per_game,
            seen=seen,
        )


def by_phase(material: Material) -> nx.MultiDiGraph[str]:
    """Nodes are places, ends and stops; edges are rules."""
    made, seen, games = _Graph(material.program), material.seen or Seen(), material.games
    steps = dict.fromkeys((*seen.steps, *games.steps))
    start = material.places.at(material.program.start, material.run)
    met = dict.fromkeys((start, *(p for a, _, b in steps for p in (a, b))))
    nodes = dict.fromkeys((start, *material.places.declared, *met))
    for name in [n for n in nodes if n + OVER in met and n not in met]:
        del nodes[name]  # a place in which the game is always over is the end itself
    for name in nodes:
        _place(material, made, name, start, steps)
    for a, rule, b in steps:
        count, often = seen.steps[a, rule, b], games.steps[a, rule, b] / max(games.number, 1)
        made.edge(a, b, rule, transitions=count, per_game=often, seen=True)
    for a, rule, b in possible_steps(material.places):
        if (a, rule, b) not in steps and a in nodes and b in nodes:
            made.edge(a, b, rule, transitions=0, per_game=0.0, seen=False)
    ends = {n + OVER: n for n in material.places.declared if n + OVER in met and n not in met}
    renamed: nx.MultiDiGraph[str] = nx.relabel_nodes(made.graph, ends)
    return renamed


def _place(
    material: Material, made: _Graph, name: str, start: str, steps: Mapping[tuple[str, str, str], object]
) -> None:
    seen, games = material.seen or Seen(), material.games
    kind = "stop" if name.startswith(STOP) else "end" if name.endswith(OVER) else "phase"
    acting = dict.fromkeys(made.actor[r].name.lower() for a, r, _ in steps if a == name)
    made.node(
        name,
        kind,
        states=seen.states[name],
        visits=games.visits[name] / max(games.number, 1),
        entry=name == start,
        ending=kind == "end",
        stuck=seen.stuck[name],
        actors=tuple(acting),
    )


def by_rule(material: Material) -> nx.MultiDiGraph[str]:
    """Nodes are rules, the start and the end; an edge says that one may come directly after the other."""
    made, seen, games = _Graph(material.program), material.seen or Seen(), material.games
    pairs = dict.fromkeys((*seen.follows, *games.follows))
    phases: dict[str, dict[str, None]] = {}
    for a, rule, _ in (*seen.steps, *games.steps):
        phases.setdefault(rule, {})[a] = None
    made.node(START, "start", entry=True)
    for rule, actor in made.actor.items():
        acted = sum(n for (_, r, _), n in games.steps.items() if r == rule) / max(games.number, 1)
        made.node(
            rule, "rule", visits=acted, actors=(actor.name.lower(),), phases=tuple(phases.get(rule, ()))
        )
    if any(b == "" for _, b in pairs):
        made.node(END, "end", ending=True)
    for a, b in pairs:
        often = games.follows[a, b] / max(games.number, 1)
        ends = (a or START, b or END)
        made.edge(*ends, b, transitions=seen.follows[a, b], per_game=often, seen=True, key=b or END)
    return made.graph


def by_trigger(material: Material) -> nx.MultiDiGraph[str]:
    """Nodes are rules; an edge says that carrying out the one makes the other, a consequence, due."""
    made = _Graph(material.program)
    found = triggers(material.program, material.exploration)
    used = {r for pair in found for r in pair}
    for rule, actor in made.actor.items():
        if rule in used or actor is Actor.RULES:
            first = rule not in {b for _, b in found}
            made.node(rule, "rule", actors=(actor.name.lower(),), entry=first and rule in used)
    for (a, b), count in found.items():
        made.edge(a, b, b, transitions=count, per_game=0.0, seen=True)
    return made.graph


def by_state(material: Material) -> nx.MultiDiGraph[str]:
    """Nodes are the explored states, by number; edges are moves.

    Errors:
        ModelError: the search was cut off, or found too many states.
    """
    graph, made, program = material.exploration.graph, _Graph(material.program), material.program
    cut = material.exploration.stopped_by
    if cut:
        raise ModelError(
            f"{program.book.name} has too many states for a flow of states at size {program.size_name}",
            hint=f"{cut}: take a smaller size, allow more, or --level phase",
        )
    if graph is None or len(graph.over) > MOST_NODES:
        raise ModelError(
            f"{program.book.name} has too many states at size {program.size_name} for a flow of states",
            hint=f"at most {MOST_NODES} are drawn: take a smaller size, or --level phase",
        )
    for n, home in enumerate(material.home):
        moves = range(int(graph.first[n]), int(graph.first[n + 1]))
        acting = dict.fromkeys(program.instances[int(graph.instance[e])].actor.name.lower() for e in moves)
        over = bool(graph.over[n])
        quiet = int(not moves and not over)
        made.node(
            str(n),
            "end" if over else "state",
            states=1,
            entry=n == 0,
            ending=over,
            stuck=quiet,
            actors=tuple(acting),
            place=home,
        )
    for n, e in _transitions(graph.first):
        instance, target = program.instances[int(graph.instance[e])], int(graph.target[e])
        if target < 0:
            state = graph.states[n]
            to = STOP + program.sites[material.run.step(state, instance).hits[-1]].id
            made.node(to, "stop")
        else:
            to = str(target)
        made.edge(str(n), to, instance.rule, transitions=1, per_game=0.0, seen=True, key=instance.label)
    return made.graph


def _transitions(first: Iterable[int]) -> Iterable[tuple[int, int]]:
    rows = [int(x) for x in first]
    return ((n, e) for n in range(len(rows) - 1) for e in range(rows[n], rows[n + 1]))


MAKERS: Mapping[str, Callable[[Material], nx.MultiDiGraph[str]]] = {
    "phase": by_phase,
    "rule": by_rule,
    "trigger": by_trigger,
    "state": by_state,
}
