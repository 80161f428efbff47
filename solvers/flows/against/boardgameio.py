"""Games written for boardgame.io: phases, stages, moves and the events that lead between them.

Promises: a phase is a state; a stage of a turn is a state of its own, `phase.stage` (or `stage` where there
is one phase only); functions are followed by name within the file and the files that it imports by a relative
path. A way on that depends on a value that the text does not give is kept as unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from models.language.errors import ModelError
from solvers.flows.against.machine import Machine, MachineState, Transition
from solvers.flows.against.syntax import below, line, named, text, tree

if TYPE_CHECKING:
    from tree_sitter import Node

END = "(end)"
_NEEDED = frozenset({"phases", "moves", "turn"})
_GAME_KEYS = _NEEDED | {
    "setup",
    "endIf",
    "onEnd",
    "name",
    "minPlayers",
    "maxPlayers",
    "plugins",
    "ai",
    "events",
}
#: The one state of a game without phases.
PLAY = "play"
_FUNCTIONS = ("arrow_function", "function_expression", "function_declaration", "method_definition")
_SUFFIXES = ("", ".js", ".mjs", ".cjs", ".jsx", "/index.js")


@dataclass
class _Phase:
    """A phase as its object describes it; `""` is the game outside of all phases."""

    name: str
    node: Node
    moves: dict[str, Node]
    stages: dict[str, _Stage] = field(default_factory=dict)
    opening: tuple[str, ...] = ()
    """The stages in which turns begin."""


@dataclass
class _Stage:
    name: str
    node: Node
    moves: dict[str, Node] | None
    next: str


def read_boardgameio(path: Path) -> Machine:
    """Read a game written for boardgame.io.

    Args:
        path: The JavaScript file with the game's object.

    Errors:
        ModelError: a syntax error, or no object of a game.
    """
    module = _Module(path)
    game = module.game()
    if game is None:
        raise ModelError(
            "there is no boardgame.io game: no object with `phases`, `moves` or `turn`",
            where=str(path),
            hint="name the file that holds the game's object",
        )
    return _Game(module, game).machine()


class _Module:
    """A file with the functions and objects that it declares or imports.

    Args:
        path: The file.
        seen: Files that are being read already.
    """

    def __init__(self, path: Path, seen: set[Path] | None = None) -> None:
        self.path, self.root = path, tree(path, "JavaScript")
        self.declared: dict[str, Node] = {}
        seen = seen if seen is not None else set()
        seen.add(path.resolve())
        for node in below(self.root, "import_statement"):
            self._import(node, seen)
        for node in below(self.root, "function_declaration", "variable_declarator"):
            value = node.child_by_field_name("value") if node.type == "variable_declarator" else node
            if value is not None:
                self.declared[text(node.child_by_field_name("name"))] = value

    def _import(self, node: Node, seen: set[Path]) -> None:
        source = text(node.child_by_field_name("source")).strip("'\"`")
        if not source.startswith("."):
            return
        for suffix in _SUFFIXES:
            found = (self.path.parent / f"{source}{suffix}").resolve()
            if found.is_file() and found.suffix != ".json" and found not in seen:
                self.declared.update(_Module(found, seen).declared)
                return

    def resolve(self, node: Node | None) -> Node | None:
        """What a name stands for, followed through declarations."""
        for _ in range(8):
            if node is None or node.type != "identifier":
                return node
            node = self.declared.get(text(node))
        return node

    def game(self) -> Node | None:
        """The object that looks most like a game; the outermost of those."""
        best, most = None, 0
        for node in below(self.root, "object"):
            keys = set(self.members(node))
            score = len(keys & _GAME_KEYS) + 10 * ("phases" in keys) if keys & _NEEDED else 0
            if score > most:
                best, most = node, score
        return best

    def members(self, node: Node | None, inside: frozenset[int] = frozenset()) -> dict[str, Node]:
        """Key → value of an object; a method is its own value, a shorthand its name; spreads are unfolded.

        Args:
            node: The object.
            inside: The objects that it is spread into; one that holds itself is not unfolded again.
        """
        found: dict[str, Node] = {}
        if node is None or node.id in inside:
            return found
        for part in named(node) if node.type == "object" else []:
            if part.type == "pair":
                key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
                if key is not None and value is not None:
                    found[_bare(key)] = value
            elif part.type == "method_definition":
                found[text(part.child_by_field_name("name"))] = part
            elif part.type == "shorthand_property_identifier":
                found[text(part)] = self.declared.get(text(part), part)
            elif part.type == "spread_element":
                found.update(self.members(self.resolve(named(part)[0]), inside | {node.id}))
        return found


def _bare(node: Node | None) -> str:
    """The text of a name or a quoted text."""
    return text(node).strip("'\"`")


class _Game:
    def __init__(self, module: _Module, game: Node) -> None:
        self.module, self.fields = module, module.members(game)
        self.moves = self._moves(self.fields.get("moves")) or {}
        self.phases = self._phases(game)
        self.states: dict[str, MachineState] = {}
        self.ways: dict[Transition, None] = {}
        self.unread: dict[str, dict[str, None]] = {}

    # -- reading -------------------------------------------------------------------------------------
    def _moves(self, node: Node | None) -> dict[str, Node] | None:
        if node is None:
            return None
        found = {}
        for name, value in self.module.members(self.module.resolve(node)).items():
            target = (
                value if value.type != "shorthand_property_identifier" else self.module.declared.get(name)
            )
            target = self.module.resolve(target)
            if target is not None and target.type == "object":
                target = self.module.resolve(self.module.members(target).get("move"))
            found[name] = target if target is not None else value
        return found

    def _phases(self, game: Node) -> list[_Phase]:
        given = self.module.members(self.module.resolve(self.fields.get("phases")))
        found = []
        for name, value in given.items():
            node = self.module.resolve(value) or value
            own = self.module.members(node)
            moves = self._moves(own.get("moves"))
            phase = _Phase(name, node, self.moves if moves is None else moves)
            self._turn(phase, own.get("turn") or self.fields.get("turn"))
            found.append(phase)
        if not found or not any("start" in self.module.members(p.node) for p in found):
            outside = _Phase("", game, self.moves)
            self._turn(outside, self.fields.get("turn"))
            found.insert(0, outside)
        return found

    def _turn(self, phase: _Phase, given: Node | None) -> None:
        turn = self.module.members(self.module.resolve(given))
        for name, value in self.module.members(self.module.resolve(turn.get("stages"))).items():
            node = self.module.resolve(value) or value
            own = self.module.members(node)
            following = _bare(own.get("next"))
            phase.stages[name] = _Stage(name, node, self._moves(own.get("moves")), following)
        active = self.module.members(self.module.resolve(turn.get("activePlayers")))
        stages = [_bare(v) for v in active.values()]
        phase.opening = tuple(dict.fromkeys(s for s in stages if s in phase.stages))

    # -- states --------------------------------------------------------------------------------------
    def machine(self) -> Machine:
        for phase in self.phases:
            if not phase.opening:
                self._state(self._name(phase, ""), phase.moves, phase.node)
            for stage in phase.stages.values():
                self._state(
                    self._name(phase, stage.name),
                    phase.moves if stage.moves is None else stage.moves,
                    stage.node,
                )
        for phase in self.phases:
            self._ways_of(phase)
        self._begin_and_end()
        unread = {k: tuple(v) for k, v in self.unread.items()}
        return Machine("boardgame.io", self.states, tuple(self.ways), unread)

    def _name(self, phase: _Phase, stage: str) -> str:
        if stage:
            return f"{phase.name}.{stage}" if len(self.phases) > 1 and phase.name else stage
        return phase.name or PLAY

    def _state(self, name: str, moves: dict[str, Node], node: Node) -> None:
        kind = "player" if moves else "automatic"
        self.states[name] = MachineState(name, kind, tuple(moves), line(node), self.module.path)

    def _openings(self, phase: _Phase) -> tuple[str, ...]:
        """The states in which a phase, or a turn of it, begins."""
        return tuple(self._name(phase, s) for s in phase.opening) or (self._name(phase, ""),)

    def _named(self, name: str) -> _Phase | None:
        return next((p for p in self.phases if p.name == name), None)

    # -- ways ----------------------------------------------------------------------------------------
    def _ways_of(self, phase: _Phase) -> None:
        own = self.module.members(phase.node)
        sources = [s for s in self.states if s in {self._name(phase, x) for x in ("", *phase.stages)}]
        for s in sources:
            stage = next((x for x in phase.stages.values() if self._name(phase, x.name) == s), None)
            moves = phase.moves if stage is None or stage.moves is None else stage.moves
            for name, body in moves.items():
                self._events(phase, stage, s, name, body)
            hooks = [
                own.get("onMove"),
                *(self.module.members(self.module.resolve(own.get("turn"))).get(h) for h in _HOOKS),
            ]
            for hook in hooks:
                self._events(phase, stage, s, "", hook)
            if "endIf" in own and phase.name:
                self._ends(phase, s, own["endIf"])

    def _events(self, phase: _Phase, stage: _Stage | None, source: str, name: str, body: Node | None) -> None:
        """Follow the events that a function sets off, and the functions of the file that it calls."""
        body = self.module.resolve(body)
        if body is None:
            return
        seen: set[int] = set()
        todo = [body]
        for function in todo:
            if function.id in seen:
                continue
            seen.add(function.id)
            for call in below(function, "call_expression"):
                called = call.child_by_field_name("function")
                event = text(called.child_by_field_name("property")) if called is not None else ""
                event = event or text(called)
                arguments = call.child_by_field_name("arguments")
                given = named(arguments) if arguments is not None else []
                self._event(phase, stage, source, name, event, given)
                target = self.module.resolve(called)
                if target is not None and target.type in _FUNCTIONS:
                    todo.append(target)

    def _event(
        self, phase: _Phase, stage: _Stage | None, source: str, name: str, event: str, given: list[Node]
    ) -> None:
        if event == "endPhase":
            self._leave(phase, source, name)
        elif event in ("setPhase", "setStage"):
            self._set(phase, source, name, event, given)
        elif event == "endTurn":
            self._add(source, self._openings(phase), name)
        elif event == "endStage":
            self._add(source, (self._name(phase, stage.next if stage else ""),), name)
        elif event == "endGame":
            self._add(source, (END,), name)
        elif event == "setActivePlayers" and given:
            stages = [_bare(v) for v in self.module.members(given[0]).values()]
            self._add(source, tuple(self._name(phase, s) for s in stages if s in phase.stages), name)

    def _set(self, phase: _Phase, source: str, name: str, event: str, given: list[Node]) -> None:
        wanted = given[0] if given else None
        if wanted is not None and wanted.type == "object":
            wanted = self.module.members(wanted).get("stage")
        if wanted is None or wanted.type != "string":
            self.unread.setdefault(source, {})[f"{event}({text(wanted)})"] = None
            return
        to = _bare(wanted)
        if event == "setStage":
            self._add(source, (self._name(phase, to),), name)
        elif (other := self._named(to)) is not None:
            self._add(source, self._openings(other), name)

    def _ends(self, phase: _Phase, source: str, node: Node) -> None:
        """A phase may end by itself: to what its condition names, else to the next phase."""
        found = self.module.resolve(node)
        chosen = (
            [
                self.module.members(o)["next"]
                for o in below(found, "object")
                if "next" in self.module.members(o)
            ]
            if found
            else []
        )
        for value in chosen:
            other = self._named(_bare(value))
            if other is not None:
                self._add(source, self._openings(other), "")
        if not chosen:
            self._leave(phase, source, "")

    def _leave(self, phase: _Phase, source: str, name: str) -> None:
        following = self.module.members(phase.node).get("next")
        if following is None:
            outside = self._named("")
            if outside is not None:
                self._add(source, self._openings(outside), name)
            return
        values = [following] if following.type == "string" else _returned(self.module.resolve(following))
        for value in values:
            other = self._named(_bare(value))
            if value.type == "string" and other is not None:
                self._add(source, self._openings(other), name)
            else:
                self.unread.setdefault(source, {})[f"next: {text(value)}"] = None

    def _add(self, source: str, targets: tuple[str, ...], name: str) -> None:
        for target in targets:
            self.ways[Transition(source, target, name)] = None

    def _begin_and_end(self) -> None:
        start = next((p for p in self.phases if "start" in self.module.members(p.node)), self.phases[0])
        begin = MachineState("(setup)", "start", (), 0, self.module.path)
        self.states = {"(setup)": begin, **self.states}
        self._add("(setup)", self._openings(start), "")
        for source in [s for s in self.states if s != "(setup)"] if "endIf" in self.fields else []:
            self.ways[Transition(source, END, "endIf", certain=False)] = None
        if any(t.target == END for t in self.ways):
            self.states[END] = MachineState(END, "end", (), 0, self.module.path)


_HOOKS = ("onMove", "onEnd", "onBegin")


def _returned(node: Node | None) -> Iterator[Node] | list[Node]:
    """The values that a function gives back."""
    if node is None:
        return []
    body = node.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        return _sides(body)
    return (v for s in below(node, "return_statement") for part in named(s)[:1] for v in _sides(part))


def _sides(node: Node) -> Iterator[Node]:
    if node.type == "ternary_expression":
        for part in named(node)[1:]:
            yield from _sides(part)
    elif node.type == "parenthesized_expression":
        yield from _sides(named(node)[0])
    else:
        yield node
