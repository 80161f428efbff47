"""The symbolic engine: the IR executed over Z3 expressions, for sizes that cannot be searched exhaustively.

Promises: `Proved` holds for every play of the size that it names; `Refuted` carries a play from the setup
that
the interpreter has replayed; whatever a limit cut off is `Unknown`, with how far each way of asking got.
Importing this package imports neither Z3 nor anything else that is slow.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvers.symbolic.answers import (
        ask,
        ask_order,
        ask_property,
        ask_site,
        ask_stuck,
        find_invariants,
        prove,
        smallest,
    )
    from solvers.symbolic.cache import Cache
    from solvers.symbolic.coverage import dead_clauses, dead_rows
    from solvers.symbolic.equivalence import MoveComparison, Parting, Relation, Twins
    from solvers.symbolic.facts import FactsReport, check_facts
    from solvers.symbolic.pool import ask_goals, ask_sites
    from solvers.symbolic.session import Invariants, session

_HOME = {
    **dict.fromkeys(
        ["ask", "ask_order", "ask_property", "ask_site", "ask_stuck", "find_invariants", "prove", "smallest"],
        "answers",
    ),
    "Cache": "cache",
    **dict.fromkeys(["MoveComparison", "Parting", "Relation", "Twins"], "equivalence"),
    **dict.fromkeys(["FactsReport", "check_facts"], "facts"),
    **dict.fromkeys(["dead_clauses", "dead_rows"], "coverage"),
    **dict.fromkeys(["ask_goals", "ask_sites"], "pool"),
    **dict.fromkeys(["Invariants", "session"], "session"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)


__all__ = [
    "Cache",
    "FactsReport",
    "Invariants",
    "MoveComparison",
    "Parting",
    "Relation",
    "Twins",
    "ask",
    "ask_goals",
    "ask_order",
    "ask_property",
    "ask_site",
    "ask_sites",
    "ask_stuck",
    "check_facts",
    "dead_clauses",
    "dead_rows",
    "find_invariants",
    "prove",
    "session",
    "smallest",
]
