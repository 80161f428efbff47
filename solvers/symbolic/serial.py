"""Serial: terms as plain lists, so that proved invariants can be kept in a file.

Promises: a term that was written is read back as the same interned term of the same program; what cannot be a
term of the program is an error, never another term.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.language.program import Program
from models.language.terms import BOOL, INT, Term, make, walk


def dump(root: Term) -> list[Any]:
    """A term as a list of nodes, children first: operation, sort, bounds, data, numbers of the children."""
    number: dict[Term, int] = {}
    nodes: list[Any] = []
    for t in walk(root):
        number[t] = len(nodes)
        nodes.append([t.op, t.sort.name, t.lo, t.hi, t.data, [number[a] for a in t.args]])
    return nodes


def load(nodes: Sequence[Any], program: Program) -> Term:
    """The term of a list.

    Args:
        nodes: From `dump`, perhaps by way of JSON.
        program: The program whose slots it reads.

    Errors:
        ValueError: the list is no term of this program.
    """
    sorts = {s.name: s for s in [BOOL, INT, *(s.sort for s in program.layout.slots)]}
    made: list[Term] = []
    try:
        for op, sort, lo, hi, data, children in nodes:
            made.append(make(op, tuple(made[c] for c in children), sorts[sort], lo, hi, _tuples(data)))
        return made[-1]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"no term of {program.book.name}: {error}") from error


def _tuples(data: Any) -> Any:
    return tuple(_tuples(d) for d in data) if isinstance(data, list) else data
