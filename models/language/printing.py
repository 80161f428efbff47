"""Walking over terms and printing them.

Promises: iterative, so the depth of a term is no limit; a shared sub-term is visited once; a printed
term is short, whatever its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.language.terms import Term

_SYMBOL = {"eq": "=", "lt": "<", "le": "<=", "add": "+", "sub": "-", "mul": "*", "div": "div", "mod": "mod"}


def counted(number: int, noun: str) -> str:
    """`1 rule`, `2 rules`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def walk(*roots: Term, seen: set[int] | None = None) -> Iterator[Term]:
    """All sub-terms once, children before parents.

    Args:
        roots: Where to start.
        seen: Ids of terms to leave out; the ids of those that are visited are added.
    """
    known: set[int] = set() if seen is None else seen
    stack: list[tuple[Term, bool]] = [(r, False) for r in reversed(roots)]
    while stack:
        t, ready = stack.pop()
        if t.id in known:
            continue
        if ready or not t.args:
            known.add(t.id)
            yield t
        else:
            stack.append((t, True))
            stack.extend((a, False) for a in reversed(t.args) if a.id not in known)


def show(t: Term, limit: int = 160) -> str:
    """A short s-expression; sub-terms past the limit are `…`."""
    out: list[str] = []
    used = 0
    stack: list[Term | str] = [t]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        if used > limit:
            if out[-1] != " …":
                out.append(" …")
            continue
        if item.args:
            head = f"{item.data[2]}@" if item.op == "select" else _SYMBOL.get(item.op, item.op)
            text = f" ({head}"
            stack.append(")")
            stack.extend(reversed(item.args))
        else:
            text = f" {leaf(item)}"
        used += len(text)
        out.append(text)
    return "".join(out).strip()


def leaf(t: Term) -> str:
    """The text of a term without sub-terms."""
    if t.op == "const":
        return t.sort.show(t.lo)
    if t.op == "read":
        _, stamp, name = t.data
        return f"{name}'{stamp}" if stamp else str(name)
    return str(t.data)
