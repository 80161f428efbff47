"""Paths: the graph primitives of the IR as Z3 expressions.

Promises: exact; `longest` lists the simple paths or trails of the fixed graph, and refuses a graph with
more than `MOST_PATHS` of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import z3

from models.language.errors import ModelError
from solvers.symbolic.numbers import Truth

Edges = Sequence[tuple[int, int]]

#: A graph with more simple paths (or trails) than this is not given to Z3.
MOST_PATHS = 50_000


class TooLarge(ModelError):
    """A graph has too many paths to be listed."""


def reach(edges: Edges, nodes: int, to: int, values: Sequence[Truth]) -> Truth:
    """Whether a node is joined to a source by open edges: as many rounds as the longest way needs.

    Args:
        edges: Pairs of nodes.
        nodes: Number of nodes.
        to: The node asked about.
        values: Openness of each edge, then whether each node is a source.
    """
    opened, now = values[: len(edges)], list(values[len(edges) :])
    distance = _distances(edges, nodes, to)
    for left in range(nodes - 2, -1, -1):
        after = list(now)
        for node in range(nodes):
            if distance[node] <= left:  # farther nodes cannot matter any more in the rounds that are left
                near = [
                    z3.And(opened[e], now[b if a == node else a])
                    for e, (a, b) in enumerate(edges)
                    if node in (a, b)
                ]
                after[node] = z3.Or(now[node], *near)
        now = after
    return now[to]


def _distances(edges: Edges, nodes: int, to: int) -> list[int]:
    far = [nodes] * nodes
    far[to], todo = 0, [to]
    for node in todo:
        for a, b in edges:
            if node in (a, b):
                other = b if a == node else a
                if far[other] > far[node] + 1:
                    far[other] = far[node] + 1
                    todo.append(other)
    return far


def at_least(kind: str, edges: Edges, nodes: int, opened: Sequence[Truth]) -> list[Truth]:
    """For each length from 1 on, whether some path (no node twice) or trail (no edge twice) of it is open.

    Errors:
        TooLarge: more than `MOST_PATHS` of them.
    """
    by_length: dict[int, set[frozenset[int]]] = {}
    for count, used in enumerate(_walks(kind, edges, nodes)):
        if count > MOST_PATHS:
            raise TooLarge(
                f"the graph of {nodes} nodes and {len(edges)} edges has more than {MOST_PATHS} {kind}s",
                hint="ask it at a smaller size",
            )
        by_length.setdefault(len(used), set()).add(frozenset(used))
    lengths = range(1, max(by_length, default=0) + 1)
    return [
        z3.Or(*(z3.And(*(opened[e] for e in sorted(p))) for p in sorted(by_length[n], key=sorted)))
        for n in lengths
    ]


def _walks(kind: str, edges: Edges, nodes: int) -> Iterator[tuple[int, ...]]:
    """Every path or trail with at least one edge, as the edges it uses; depth-first."""
    near: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for e, (a, b) in enumerate(edges):
        near[a].append((e, b))
        near[b].append((e, a))
    stack: list[tuple[int, tuple[int, ...], frozenset[int]]] = [(n, (), frozenset([n])) for n in range(nodes)]
    while stack:
        node, used, seen = stack.pop()
        if used:
            yield used
        for e, other in near[node]:
            if e not in used and (kind == "trail" or other not in seen):
                stack.append((other, (*used, e), seen | {other}))
