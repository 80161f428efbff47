"""State machines of BGA Studio: the array `$machinestates`, and classes that extend `GameState`.

Promises: both forms may stand side by side, as they do in BGA projects; states 1 and 99 belong to the
framework and are the start and the end; a way on that the text does not name is kept as unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from models.language.errors import ModelError
from solvers.flows.against.machine import Machine, MachineState, Transition
from solvers.flows.against.php_classes import StateClass, first_state, state_classes
from solvers.flows.against.php_values import Built, Entry, Unknown, Values
from solvers.flows.against.syntax import tree

START, END = 1, 99
_NAMES = {START: "gameSetup", END: "gameEnd"}
_KINDS = {
    "activeplayer": "player",
    "multipleactiveplayer": "player",
    "private": "player",
    "game": "automatic",
}
ARRAY = "states.inc.php"


def read_bga(path: Path) -> Machine:
    """Read a state machine of BGA Studio.

    Args:
        path: `states.inc.php`, a state class, or a folder with state classes or with both.

    Errors:
        ModelError: a syntax error, or no state machine there.
    """
    files = _files(path)
    values, roots = Values(), {f: tree(f, "PHP") for f in files}
    for file, root in roots.items():
        values.load(file, root)
    arrays = list(_array(values))
    classes = [c for file, root in roots.items() for c in state_classes(file, root, values)]
    first = next((f for root in roots.values() if (f := first_state(root, values)) is not None), None)
    if not arrays and not classes and values.variables.get("$machinestates") == {}:
        raise ModelError(
            "$machinestates has no state",
            where=str(values.assigned["$machinestates"]),
            hint="name the file that fills it",
        )
    if not arrays and not classes:
        raise ModelError(
            "there is neither $machinestates nor a class that extends GameState",
            where=str(path),
            hint=f"name {ARRAY} or the folder of the state classes",
        )
    return _Assembly(arrays, classes, first).machine()


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted(p for p in path.rglob("*.php") if p.name == ARRAY or _mentions(p, b"GameState"))
    games = [p for folder in (path, path.parent) for p in sorted(folder.glob("Game.php"))]
    return list(dict.fromkeys([*found, *games]))


def _mentions(path: Path, word: bytes) -> bool:
    try:
        return word in path.read_bytes()
    except OSError:
        return False


class _Described:
    """A state as its text describes it."""

    def __init__(self, id: Any, file: Path, where: int, fields: dict[str, Any]) -> None:
        self.id, self.file, self.line, self.fields = id, file, where, fields

    @property
    def name(self) -> str:
        given = self.fields.get("name")
        return given if isinstance(given, str) and given else _NAMES.get(self.id, str(_shown(self.id)))

    @property
    def kind(self) -> str:
        if self.id in _NAMES or self.fields.get("type") == "manager":
            return "end" if self.id == END else "start"
        given = self.fields.get("type")
        plain = given.source.rpartition("::")[2] if isinstance(given, Unknown) else str(given or "")
        return _KINDS.get(plain.replace("_", "").lower(), "automatic")

    @property
    def moves(self) -> tuple[str, ...]:
        given = self.fields.get("possibleactions")
        entries = given.values() if isinstance(given, dict) else ()
        return tuple(e.value for e in entries if isinstance(e.value, str))


def _shown(value: Any) -> Any:
    return value.source if isinstance(value, Unknown) else "null" if value is None else value


def _array(values: Values) -> Iterator[_Described]:
    if "$machinestates" not in values.variables:
        return
    given = values.variables["$machinestates"]
    file = values.assigned["$machinestates"]
    if not isinstance(given, dict):
        raise ModelError(
            f"$machinestates is not an array that can be read: {_shown(given)}",
            where=str(file),
            hint="write it as an array, or as a sum of arrays",
        )
    for key, entry in given.items():
        yield _described(file, key, entry)


def _described(file: Path, key: Any, entry: Entry) -> _Described:
    value = entry.value
    if isinstance(value, Built):
        fields = {k: v[0] for k, v in value.calls.items() if k and v}
        if value.kind in ("gameSetup", "endScore"):
            first = value.calls[""][0] if value.calls[""] else 2
            target = first if value.kind == "gameSetup" else END
            kind = {"name": "endScore", "type": "game"} if value.kind == "endScore" else {"type": "manager"}
            fields = {**kind, **fields, "transitions": {"": Entry(target, entry.line)}}
        return _Described(key, file, entry.line, fields)
    if isinstance(value, dict):
        return _Described(key, file, entry.line, {str(k).lower(): e.value for k, e in value.items()})
    raise ModelError(
        f"state {_shown(key)} cannot be read: {_shown(value)}",
        where=f"{file}:{entry.line}",
        hint="write it as an array, or with GameStateBuilder",
    )


class _Assembly:
    """Puts both forms together into one machine."""

    def __init__(self, arrays: list[_Described], classes: list[StateClass], first: Any) -> None:
        self.arrays, self.classes, self.first = arrays, classes, first
        self.name_of: dict[Any, str] = {}
        self.states: dict[str, MachineState] = {}
        self.transitions: dict[Transition, None] = {}
        self.unread: dict[str, dict[str, None]] = {}

    def machine(self) -> Machine:
        for a in self.arrays:
            self._add(MachineState(a.name, a.kind, a.moves, a.line, a.file), a.id)
        for c in self.classes:
            self._add(c.state, c.id)
            self.name_of[c.class_name] = c.state.name
        for id, name in _NAMES.items():
            self.name_of.setdefault(id, name)
        for a in self.arrays:
            self._ways(a.name, a.fields.get("transitions"))
            self._ways(a.name, a.fields.get("initialprivate"))
        for c in self.classes:
            self._class_ways(c)
        self._begin()
        for id, name in _NAMES.items():
            if name not in self.states:
                kind, file = ("end", "start")[id == START], next(iter(self.states.values())).file
                self.states[name] = MachineState(name, kind, (), 0, file)
        unread = {k: tuple(v) for k, v in self.unread.items()}
        form = "bga-classes" if self.classes else "bga-array"
        return Machine(form, self.states, tuple(self.transitions), unread)

    def _add(self, state: MachineState, id: Any) -> None:
        known = self.states.get(state.name)
        if known is not None:
            state = replace(known, moves=tuple(dict.fromkeys((*known.moves, *state.moves))))
        self.states[state.name] = state
        self.name_of[id] = state.name

    def _ways(self, source: str, given: Any) -> None:
        if given is None:
            return
        entries = given if isinstance(given, dict) else {"": Entry(given, 0)}
        for key, entry in entries.items():
            self._way(source, entry.value, key if isinstance(key, str) else "")

    def _way(self, source: str, target: Any, name: str) -> None:
        found = self.name_of.get(target) if isinstance(target, (int, str, Unknown)) else None
        if found is None:
            self.unread.setdefault(source, {})[str(_shown(target))] = None
        else:
            self.transitions[Transition(source, found, name)] = None

    def _class_ways(self, c: StateClass) -> None:
        declared = c.transitions if isinstance(c.transitions, dict) else {}
        named = {k: e.value for k, e in declared.items() if isinstance(k, str)}
        for value in c.returned:
            if isinstance(value, str) and value in named:
                self._way(c.state.name, named[value], value)
            elif isinstance(value, str) and value not in self.name_of:
                self.unread.setdefault(c.state.name, {})[value] = None
            else:
                self._way(c.state.name, value, "")
        for name, value in named.items():
            self._way(c.state.name, value, name)

    def _begin(self) -> None:
        """The start leads where `setupNewGame` says, or to state 2, or to the lowest number."""
        start = _NAMES[START]
        if any(t.source == start for t in self.transitions):
            return
        numbers = [k for k in self.name_of if isinstance(k, int) and k not in _NAMES]
        target = (
            self.first
            if self.first in self.name_of
            else 2
            if 2 in self.name_of
            else min(numbers, default=None)
        )
        if target is not None:
            self._way(start, target, "")
