"""Names: which state stands for which phase, and which move for which rule, from a mapping file.

    [states]                     # state of the program = phase, or phases
    playerTurn = "ROLL"
    flight = ["FLY", "CHOICE"]

    [moves]                      # move of the program = rule, or rules
    actTakeOff = "roll"

    [ignore]
    states = ["nextPlayer"]      # bookkeeping of the framework: passed through
    moves = ["actUndo"]          # nothing that the rulebook speaks of
    transitions = ["zombiePass"]
    phases = ["OUT"]             # phases that need no state of their own

Promises: names that differ only in case, underscores or a leading `act` match by themselves; an entry for
something that does not exist is an error with the nearest name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from solvers.flows.against.machine import Machine

_TABLES = {"states": "a phase", "moves": "a rule"}
_IGNORED = ("states", "moves", "transitions", "phases")


@dataclass(frozen=True)
class Names:
    """A mapping.

    Attributes:
        states: State → phases.
        moves: Move → rules.
        ignored: What is left out, by kind (`states`, `moves`, `transitions`, `phases`).
        where: The file, for messages.
    """

    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    moves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict)
    where: str = ""

    @classmethod
    def load(cls, path: Path) -> Names:
        """Read a mapping file.

        Errors:
            ModelError: it cannot be read, is not TOML, or has tables or values of another form.
        """
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ModelError(f"cannot be read: {reason}", where=str(path), hint="check the path") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ModelError(f"this is not TOML: {error}", where=str(path), hint="correct the line") from None
        unknown = [k for k in given if k not in (*_TABLES, "ignore")]
        if unknown:
            hint = did_you_mean(unknown[0], (*_TABLES, "ignore")) or "the tables are states, moves and ignore"
            raise ModelError(f"there is a table {unknown[0]!r}", where=str(path), hint=hint)
        tables = {k: _listed(given.get(k, {}), path, k, what) for k, what in _TABLES.items()}
        ignored = {
            k: frozenset(v) for k, v in _listed(given.get("ignore", {}), path, "ignore", "names").items()
        }
        strange = [k for k in ignored if k not in _IGNORED]
        if strange:
            raise ModelError(
                f"ignore.{strange[0]} is unknown",
                where=str(path),
                hint=did_you_mean(strange[0], _IGNORED) or f"there are {', '.join(_IGNORED)}",
            )
        return cls(tables["states"], tables["moves"], ignored, str(path))

    def check(self, machine: Machine, phases: Iterable[str], rules: Iterable[str]) -> None:
        """Check that everything named exists.

        Errors:
            ModelError: a name of a state, move, phase or rule that does not exist.
        """
        moves = {m for s in machine.states.values() for m in s.moves}
        transitions = {t.name for t in machine.transitions}
        known_phases, known_rules = list(phases), list(rules)
        for what, given, known in (
            ("state", (*self.states, *self.ignored.get("states", ())), list(machine.states)),
            (
                "phase",
                (*(p for v in self.states.values() for p in v), *self.ignored.get("phases", ())),
                known_phases,
            ),
            ("move", (*self.moves, *self.ignored.get("moves", ())), sorted(moves)),
            ("rule", tuple(r for v in self.moves.values() for r in v), known_rules),
            ("transition", tuple(self.ignored.get("transitions", ())), sorted(transitions)),
        ):
            for name in given:
                if name not in known:
                    raise ModelError(
                        f"there is no {what} {name!r}",
                        where=self.where,
                        hint=did_you_mean(name, known) or f"there are {', '.join(known[:12]) or 'none'}",
                    )

    def ignores(self, kind: str, name: str) -> bool:
        """Whether something is left out."""
        return name in self.ignored.get(kind, frozenset())


def plain(name: str) -> str:
    """A name without case, underscores and a leading `act` or `st`: what two programs' names share."""
    bare = re.sub(r"^(?:act|st)(?=[A-Z_])", "", name)
    return re.sub(r"[^0-9a-z]+", "", bare.lower())


def _listed(given: Any, path: Path, table: str, what: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, dict):
        raise ModelError(f"{table} is not a table", where=str(path), hint=f"write [{table}]")
    found = {}
    for key, value in given.items():
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            raise ModelError(
                f"{table}.{key} is neither a text nor a list of texts",
                where=str(path),
                hint=f"name {what}, or several",
            )
        found[key] = tuple(values)
    return found
