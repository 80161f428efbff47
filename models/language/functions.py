"""Functions of terms: choices, extremes, constant tables, and primitives over a fixed graph.

Promise: every function checks its arguments, folds what is decided by the bounds, and gives a term that
is total on every state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from models.language.errors import ModelError
from models.language.places import here
from models.language.terms import (
    BOOL,
    INT,
    Term,
    TermLike,
    constant,
    every,
    make,
    negate,
    numbers,
    show,
    some,
    term,
    total,
    truth,
)


def ite(condition: TermLike, then: TermLike, otherwise: TermLike) -> Term:
    """`then` where the condition holds, else `otherwise` (both of one sort)."""
    c, a, b = truth(condition), term(then), term(otherwise)
    if a.sort != b.sort:
        raise ModelError(
            f"the two sides of ite differ in sort: {a.sort.name} and {b.sort.name}",
            where=str(here()),
            hint="give both sides one sort",
        )
    if c.op == "const":
        return a if c.lo else b
    if a is b:
        return a
    if a.sort is BOOL:
        return some(every(c, a), every(negate(c), b))
    return make("ite", (c, a, b), a.sort, min(a.lo, b.lo), max(a.hi, b.hi))


def count(*values: TermLike) -> Term:
    """How many of the truth values hold."""
    return total(*(ite(v, 1, 0) for v in values))


def least(*values: TermLike) -> Term:
    """The smallest of some numbers."""
    return _extreme("min", values)


def most(*values: TermLike) -> Term:
    """The greatest of some numbers."""
    return _extreme("max", values)


def _extreme(op: str, values: Sequence[TermLike]) -> Term:
    if not values:
        raise ModelError("least() or most() of nothing", where=str(here()), hint="give at least one number")
    pick = min if op == "min" else max
    best, *others = numbers(op, *values)
    for other in others:
        best = best if best is other else _pair(op, best, other, pick)
    return best


def _pair(op: str, a: Term, b: Term, pick: Callable[[int, int], int]) -> Term:
    if a.hi <= b.lo:
        return a if op == "min" else b
    if b.hi <= a.lo:
        return b if op == "min" else a
    return make(op, (a, b), INT, pick(a.lo, b.lo), pick(a.hi, b.hi))


def lookup(index: TermLike, values: Mapping[Any, TermLike] | Sequence[TermLike]) -> Term:
    """A constant table read at a term: card → number, kind → aversion, place → income.

    Args:
        index: An enumeration term or a number.
        values: A sequence indexed from 0, or a mapping with one entry for every possible index.

    Returns:
        A term of the entries' common sort.

    Errors:
        ModelError: entries missing, not constant, or of several sorts.
    """
    at = term(index)
    if isinstance(values, Mapping):
        at, entries = _keyed(at, values)
    else:
        entries = [term(v) for v in values]
    if not entries or any(e.op != "const" for e in entries) or len({e.sort for e in entries}) != 1:
        raise ModelError(
            "a lookup table needs constant entries of one sort",
            where=str(here()),
            hint="use `ite` for entries that depend on the state",
        )
    if at.lo < 0 or at.hi >= len(entries):
        raise ModelError(
            f"the index {show(at)} ranges over {at.lo}..{at.hi}, the table over 0..{len(entries) - 1}",
            where=str(here()),
            hint="give every possible index an entry",
        )
    table = tuple(e.lo for e in entries)
    live = table[at.lo : at.hi + 1]
    if len(set(live)) == 1:
        return constant(live[0], entries[0].sort)
    return make("lookup", (at,), entries[0].sort, min(live), max(live), table)


def _keyed(at: Term, values: Mapping[Any, TermLike]) -> tuple[Term, list[Term]]:
    """The index from 0 and the entries in order, for a table given as a mapping."""
    keys = [term(k) for k in values]
    strange = next((k for k in keys if k.sort != at.sort or k.op != "const"), None)
    if strange is not None:
        raise ModelError(
            f"the table has the key {show(strange)} ({strange.sort.name}), "
            f"the index is {show(at)} ({at.sort.name})",
            where=str(here()),
            hint="use keys of the sort of the index",
        )
    by_key = {k.lo: term(v) for k, v in zip(keys, values.values(), strict=True)}
    absent = [v for v in range(at.lo, at.hi + 1) if v not in by_key]
    if absent:
        shown = ", ".join(at.sort.show(v) for v in absent[:5])
        raise ModelError(
            f"the table has no entry for {shown}",
            where=str(here()),
            hint="give every possible index an entry",
        )
    low = min(by_key)
    filler = next(iter(by_key.values()))
    number = as_number(at)
    return number - low, [by_key.get(v, filler) for v in range(low, max(by_key) + 1)]


def as_number(at: Term) -> Term:
    """An enumeration or Boolean term as a number (its ordinal)."""
    if at.sort is INT:
        return at
    if at.op == "const":
        return constant(at.lo)
    return make("lookup", (at,), INT, at.lo, at.hi, tuple(range(at.hi + 1)))


def unknown(name: str, lo: int, hi: int) -> Term:
    """An unknown number of a component, for `fact`s only (no engine gives it a value in play)."""
    return make("unknown", (), INT, lo, hi, name)


# -- graph primitives over a fixed graph ------------------------------------------------------------

Edges = Sequence[tuple[int, int]]


def reach(edges: Edges, opened: Sequence[TermLike], sources: Sequence[TermLike], to: int) -> Term:
    """Whether node `to` is reached from a source over open edges (undirected).

    Args:
        edges: Pairs of nodes, fixed.
        opened: One Boolean term per edge.
        sources: One Boolean term per node 0..n-1.
        to: The node asked about.

    Returns:
        A Boolean term.

    Errors:
        ModelError: a node that does not exist, or not one truth value per edge.
    """
    fixed, nodes = _graph(edges, opened, len(sources)), [truth(s, "source") for s in sources]
    if not 0 <= to < len(nodes):
        raise ModelError(
            f"node {to} is asked about, the nodes are 0..{len(nodes) - 1}",
            where=str(here()),
            hint="give one source value for each node",
        )
    if nodes[to].op == "const" and nodes[to].lo:
        return nodes[to]
    parts = (*(truth(o, "openness of an edge") for o in opened), *nodes)
    return make("reach", parts, BOOL, 0, 1, (fixed, len(nodes), to))


def longest(kind: str, nodes: int, edges: Edges, opened: Sequence[TermLike]) -> Term:
    """The length, in edges, of the longest path (no node twice) or trail (no edge twice) over open edges.

    Args:
        kind: `path` or `trail`.
        nodes: Number of nodes.
        edges: Pairs of nodes, fixed.
        opened: One Boolean term per edge.

    Returns:
        A number 0..(nodes - 1) for a path, 0..len(edges) for a trail.

    Errors:
        ModelError: another kind, a node that does not exist, or not one truth value per edge.
    """
    if kind not in ("path", "trail"):
        raise ModelError(f"longest({kind!r}, …) is unknown", where=str(here()), hint="use 'path' or 'trail'")
    fixed = _graph(edges, opened, nodes)
    hi = min(len(fixed), nodes - 1) if kind == "path" else len(fixed)
    if hi <= 0:
        return constant(0)
    return make(kind, tuple(truth(o, "openness of an edge") for o in opened), INT, 0, hi, (fixed, nodes))


def _graph(edges: Edges, opened: Sequence[TermLike], nodes: int) -> tuple[tuple[int, int], ...]:
    fixed = tuple((int(a), int(b)) for a, b in edges)
    if len(opened) != len(fixed):
        raise ModelError(
            f"the graph has {len(fixed)} edges and {len(opened)} truth values for them",
            where=str(here()),
            hint="give one truth value per edge, in the order of the edges",
        )
    strange = next((e for e in fixed if not all(0 <= n < nodes for n in e)), None)
    if strange is not None:
        raise ModelError(
            f"the edge {strange} leaves the nodes 0..{nodes - 1}",
            where=str(here()),
            hint="number the nodes from 0",
        )
    return fixed
