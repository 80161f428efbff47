"""The explorer: exhaustive breadth-first search over the reachable states of a program.

Promise: one call gives the exact counts, a shortest play to every probe and property, stuck states and
coverage; what a limit cut off is said in `Exploration.stopped_by`. Two engines give the same answers: native
code (the default) and the reference on the interpreter.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from models.language.program import Program
from properties.kinds import Property
from solvers.contract import Limits, Progress
from solvers.explorer.exploration import Exploration, Graph
from solvers.explorer.reference import Search

if TYPE_CHECKING:
    from solvers.explorer.symmetry import Symmetry

Engine = Literal["auto", "native", "reference"]


def explore(
    program: Program,
    properties: Sequence[Property] = (),
    *,
    limits: Limits | None = None,
    graph: bool = False,
    progress: Progress | None = None,
    engine: Engine = "auto",
    symmetry: Sequence[Symmetry] = (),
) -> Exploration:
    """Visit every reachable state.

    Args:
        program: The built rulebook.
        properties: Properties to check on the way (`always`, `step`, `sometimes`; others need the graph).
        limits: When to give up; never unless given (native: when the machine's free memory is used up).
        graph: Whether to keep the transitions.
        progress: Where to say how far it is.
        engine: `native`, `reference`, or `auto`: native code unless WebAssembly cannot run here or the
            program has something that only the reference can do.
        symmetry: Things up to whose exchange states are explored (native; the reference explores all states).
            Not with `graph`.

    Returns:
        The exploration.

    Errors:
        Mixed: chance and a player may act in the same state.
        Unsupported: `native` was asked for and cannot run the program.
        ImportError: `native` was asked for and WebAssembly cannot run here.
    """
    bounds = limits or Limits()
    if engine == "reference" or not _runs(engine):
        return Search(program, properties, bounds, graph).explore(progress)
    from solvers.explorer.native import NativeSearch, Unsupported
    from solvers.explorer.symmetry import Group

    group = Group(program, symmetry) if symmetry else None
    try:
        return NativeSearch(program, properties, bounds, graph, group=group).explore(progress)
    except Unsupported:
        if engine == "native":
            raise
        return Search(program, properties, bounds, graph).explore(progress)


def _runs(engine: Engine) -> bool:
    """Whether WebAssembly can run here.

    Errors:
        ImportError, OSError: it cannot, although native code was asked for.
    """
    try:
        importlib.import_module("wasmtime")
    except (ImportError, OSError):
        if engine == "native":
            raise
        return False
    return True


__all__ = ["Engine", "Exploration", "Graph", "explore"]
