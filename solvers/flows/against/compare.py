"""Comparison of an implementation's state machine with a rulebook's flow.

Promises: a phase in which nobody chooses needs no state of its own, the program may pass through it; a state
that is ignored is passed through as well. A difference names the state or the phase, and for a way that the
rules do not allow, or that is missing, the phases between. What could not be read from the program's text
never makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from solvers.flows.against.machine import Machine, MachineState, Transition
from solvers.flows.against.names import Names, plain
from solvers.flows.flow import Flow
from solvers.flows.observe import STOP
from solvers.flows.places import OVER

#: Kinds of difference, in the order in which they are told.
KINDS = (
    "state-without-phase",
    "phase-without-state",
    "transition-not-allowed",
    "transition-missing",
    "move-missing",
    "move-not-allowed",
)
_BEGIN, _END = "(setup)", "(end)"


@dataclass(frozen=True)
class Difference:
    """Where the program and the rulebook part.

    Attributes:
        kind: A member of `KINDS`.
        state: The state concerned, "" for none.
        phase: The phase concerned, "" for none.
        what: The move, the rule, or the state or phase that the way leads to; `(end)` for a phase without a
            state in which the game is over; "" for none.
        clauses: Sentences that it touches.
        line: Line of the state in its file; 0 for none.
        file: Name of the file; "" for none.
    """

    kind: str
    state: str = ""
    phase: str = ""
    what: str = ""
    clauses: tuple[str, ...] = ()
    line: int = 0
    file: str = ""


@dataclass(frozen=True)
class Comparison:
    """A program held against a rulebook.

    Attributes:
        machine: The program's states.
        differences: Where they part, by kind.
        matched: State → the phases it stands for.
        passed: Phases without a state, in which nobody chooses.
        unread: State → what leads on and could not be read.
    """

    machine: Machine
    differences: tuple[Difference, ...]
    matched: dict[str, tuple[str, ...]]
    passed: tuple[str, ...]
    unread: dict[str, tuple[str, ...]]


def compare(flow: Flow, machine: Machine, names: Names | None = None) -> Comparison:
    """Hold an implementation against a rulebook.

    Args:
        flow: The flow of the rulebook, of the level `phase`.
        machine: The implementation.
        names: Which names mean the same.

    Errors:
        ModelError: the names speak of something that does not exist.
    """
    return _Comparing(flow, machine, names or Names()).result()


class _Comparing:
    def __init__(self, flow: Flow, machine: Machine, names: Names) -> None:
        self.flow, self.machine, self.names = flow, machine, names
        phases = [n for n, d in flow.graph.nodes(data=True) if d["kind"] in ("phase", "end")]
        self.phases = [n for n in phases if self._reached(n)]
        rules = list(dict.fromkeys(i.rule for i in flow.program.instances))
        names.check(machine, [p.removesuffix(OVER) for p in phases], rules)
        self.of = self._match()
        self.home: dict[str, list[str]] = {}
        for state, found in self.of.items():
            for phase in found:
                self.home.setdefault(phase, []).append(state)
        self.ways, self.certain = (
            self._ways(machine.transitions),
            self._ways(t for t in machine.transitions if t.certain),
        )
        self.allowed = self._allowed()

    def _reached(self, name: str) -> bool:
        data = self.flow.graph.nodes[name]
        return bool(data["states"] or data["visits"] or data["entry"] or data["ending"])

    # -- names -------------------------------------------------------------------------------------
    def _match(self) -> dict[str, tuple[str, ...]]:
        """State → phases; the ends of the program are the ends of the game."""
        by_plain = {plain(p.removesuffix(OVER)): p for p in self.phases}
        bare = {p.removesuffix(OVER): p for p in self.phases}
        found: dict[str, tuple[str, ...]] = {}
        for name, state in self.machine.states.items():
            if name in self.names.states:
                found[name] = tuple(bare[p] for p in self.names.states[name] if p in bare)
            elif state.kind == "end":
                found[name] = self.flow.endings
            elif state.kind != "start" and plain(name) in by_plain:
                found[name] = (by_plain[plain(name)],)
        return {s: p for s, p in found.items() if p}

    def _silent(self, phase: str) -> bool:
        """Whether nobody chooses anything in a phase, so that a program may pass through it."""
        acting = set(self.flow.graph.nodes[phase]["actors"])
        return not acting & {"player", "window"} and phase not in self.flow.endings

    # -- ways ----------------------------------------------------------------------------------------
    def _ways(self, transitions: Iterable[Transition]) -> set[tuple[str, str]]:
        """Pairs of matched states (or the setup) that some transitions lead between."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.machine.states)
        for t in transitions:
            if not self.names.ignores("transitions", t.name):
                graph.add_edge(t.source, t.target)
        passed = {s.name for s in self.machine.states.values() if s.name not in self.of and s.kind != "end"}
        passed = {
            s for s in passed if self.names.ignores("states", s) or self.machine.states[s].kind == "start"
        }
        found = set()
        for name, state in self.machine.states.items():
            if name in self.of or state.kind == "start":
                source = _BEGIN if state.kind == "start" and name not in self.of else name
                found |= {(source, t) for t in _next(graph, name, passed) if t in self.of}
        return found

    def _allowed(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Pairs of phases with a state (or the setup) that the rules lead between → the phases on the way."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from([*self.phases, _BEGIN])
        for a, b, _ in self.flow.edges(seen=True):
            if not b.startswith(STOP):
                graph.add_edge(a, b)
        graph.add_edge(_BEGIN, self.flow.entry)
        inner = {p for p in self.phases if p not in self.home}
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for source in [*self.home, _BEGIN]:
            for target, path in _paths(graph, source, inner).items():
                if target in self.home:
                    found[source, target] = path
        return found

    # -- differences ---------------------------------------------------------------------------------
    def result(self) -> Comparison:
        found = [*self._states(), *self._phases(), *self._transitions(), *self._moves()]
        passed = tuple(p for p in self.phases if p not in self.home and self._silent(p))
        found.sort(key=lambda d: KINDS.index(d.kind))
        return Comparison(self.machine, tuple(found), self.of, passed, dict(self.machine.unread))

    def _at(self, kind: str, state: str, **more: object) -> Difference:
        known = self.machine.states.get(state)
        place = {"line": known.line, "file": known.file.name} if known is not None else {}
        return Difference(kind, state=state, **{**place, **more})  # type: ignore[arg-type]

    def _states(self) -> Iterator[Difference]:
        for name, state in self.machine.states.items():
            if name not in self.of and state.kind != "start" and not self.names.ignores("states", name):
                yield self._at("state-without-phase", name)

    def _phases(self) -> Iterator[Difference]:
        for phase in self.phases:
            bare = phase.removesuffix(OVER)
            if phase not in self.home and not self._silent(phase) and not self.names.ignores("phases", bare):
                end = _END if phase in self.flow.endings else ""
                yield Difference("phase-without-state", phase=bare, what=end, clauses=self._clauses(phase))

    def _clauses(self, phase: str) -> tuple[str, ...]:
        edges = self.flow.graph.out_edges(phase, data=True)
        return tuple(dict.fromkeys(c for _, _, data in edges if data["seen"] for c in data["clauses"]))

    def _transitions(self) -> Iterator[Difference]:
        allowed = {(s, t) for a, b in self.allowed for s in self._states_of(a) for t in self._states_of(b)}
        for source, target in sorted(self.certain):
            if (source, target) not in allowed and not (source == target and len(self.of[source]) > 1):
                yield self._at("transition-not-allowed", source, what=target)
        reported = set()
        for (a, b), path in self.allowed.items():
            for s in self._states_of(a):
                for t in self._states_of(b):
                    known = (s, t) in self.ways or s == t or s in self.machine.unread or (s, t) in reported
                    if not known:
                        reported.add((s, t))
                        clauses = self._clauses_on((a, *path, b))
                        yield self._at("transition-missing", s, phase=a, what=t, clauses=clauses)

    def _states_of(self, phase: str) -> tuple[str, ...]:
        return (_BEGIN,) if phase == _BEGIN else tuple(self.home.get(phase, ()))

    def _clauses_on(self, path: tuple[str, ...]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for a, b in pairwise(path):
            if self.flow.graph.has_edge(a, b):
                for data in self.flow.graph[a][b].values():
                    found.update(dict.fromkeys(data["clauses"] if data["seen"] else ()))
        return tuple(found)

    def _moves(self) -> Iterator[Difference]:
        clauses = {i.rule: i.clauses for i in self.flow.program.instances}
        for name, phases in self.of.items():
            state = self.machine.states[name]
            rules = self._rules(phases)
            meant = {move: self._meaning(move, clauses) for move in state.moves}
            offered = {r for found in meant.values() for r in found}
            for rule in rules:
                if rule not in offered:
                    yield self._at("move-missing", name, what=rule, clauses=clauses[rule])
            yield from self._surplus(state, meant, rules)

    def _surplus(
        self, state: MachineState, meant: dict[str, tuple[str, ...]], rules: list[str]
    ) -> Iterator[Difference]:
        for move, found in meant.items():
            if not set(found) & set(rules) and not self.names.ignores("moves", move):
                yield self._at("move-not-allowed", state.name, what=move)

    def _rules(self, phases: Iterable[str]) -> list[str]:
        """Rules that players carry out in some phases."""
        found: dict[str, None] = {}
        for phase in phases:
            for _, _, data in self.flow.graph.out_edges(phase, data=True):
                if data["seen"] and data["actor"] in ("player", "window"):
                    found[data["rule"]] = None
        return list(found)

    def _meaning(self, move: str, rules: Iterable[str]) -> tuple[str, ...]:
        if move in self.names.moves:
            return self.names.moves[move]
        return tuple(r for r in rules if plain(r) == plain(move))


def _next(graph: nx.DiGraph[str], source: str, passed: set[str]) -> set[str]:
    """Nodes that a node leads to, straight or through nodes that are passed."""
    found: set[str] = set()
    todo, seen = [source], set[str]()
    while todo:
        for target in graph.successors(todo.pop()):
            if target in passed and target not in seen:
                seen.add(target)
                todo.append(target)
            elif target not in passed:
                found.add(target)
    return found


def _paths(graph: nx.DiGraph[str], source: str, inner: set[str]) -> dict[str, tuple[str, ...]]:
    """Nodes that a node leads to, straight or through inner nodes → the inner nodes of a shortest way."""
    found: dict[str, tuple[str, ...]] = {}
    todo: list[tuple[str, tuple[str, ...]]] = [(source, ())]
    for at, path in todo:
        for target in graph.successors(at):
            if target in inner and target not in found:
                found[target] = path
                todo.append((target, (*path, target)))
            elif target not in found:
                found[target] = path
    return {t: p for t, p in found.items() if t not in inner}
