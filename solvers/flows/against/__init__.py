"""Against: a rulebook's flow held against the state machine of a program that plays the game.

Promise: the program is read, never run; what cannot be read from its text alone is told as such and counts
neither for nor against it.
"""

from __future__ import annotations

from pathlib import Path

from models.language.errors import ModelError
from solvers.flows.against.compare import Comparison, Difference, compare
from solvers.flows.against.machine import Machine, MachineState
from solvers.flows.against.names import Names

_SCRIPTS = {".js", ".mjs", ".cjs", ".jsx"}
_TYPED = {".ts", ".tsx", ".mts"}


def read_machine(path: Path) -> Machine:
    """Read a state machine.

    Args:
        path: A BGA Studio `states.inc.php`, a folder or file of state classes, or a boardgame.io game file.

    Errors:
        ModelError: no such file, another kind of file, a syntax error, expressions nested too deeply, or no
            state machine in it.
    """
    try:
        return _read(path)
    except RecursionError:
        raise ModelError(
            "expressions are nested too deeply to be read",
            where=str(path),
            hint="name the file that holds the states, not one that a tool has made of it",
        ) from None


def _read(path: Path) -> Machine:
    if not path.exists():
        raise ModelError("there is no such file or folder", where=str(path), hint="check the path")
    if path.is_dir() or path.suffix == ".php":
        from solvers.flows.against.bga import read_bga

        return read_bga(path)
    if path.suffix in _SCRIPTS:
        from solvers.flows.against.boardgameio import read_boardgameio

        return read_boardgameio(path)
    if path.suffix in _TYPED:
        raise ModelError(
            "TypeScript is not read", where=str(path), hint="name the JavaScript that it compiles to"
        )
    raise ModelError(
        "this is neither PHP nor JavaScript",
        where=str(path),
        hint="name states.inc.php, a folder of state classes, or a boardgame.io game file",
    )


__all__ = ["Comparison", "Difference", "Machine", "MachineState", "Names", "compare", "read_machine"]
