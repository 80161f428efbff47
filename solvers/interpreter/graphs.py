"""The graph primitives of the IR on concrete values.

Promise: exact; the longest path or trail of a graph with more than `FEW` open edges is worked out by
`solvers.interpreter.longest`, as plain search takes exponential time.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvers.interpreter.longest import longest_path, longest_trail

Edges = tuple[tuple[int, int], ...]

#: With so many open edges at most, depth-first search is the faster way.
FEW = 12


def reach(data: tuple[Edges, int, int], values: Sequence[int]) -> bool:
    """Whether the asked node is joined to a source by open edges.

    Args:
        data: Edges, number of nodes, the node asked about.
        values: Openness of each edge, then whether each node is a source.
    """
    edges, nodes, to = data
    near = neighbours(edges, values, nodes)
    todo = [n for n in range(nodes) if values[len(edges) + n]]
    seen = set(todo)
    while todo:
        for n, _ in near[todo.pop()]:
            if n not in seen:
                seen.add(n)
                todo.append(n)
    return to in seen


def neighbours(edges: Edges, opened: Sequence[int], nodes: int) -> list[list[tuple[int, int]]]:
    """For each node the nodes behind open edges, with the edge's number."""
    near: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for number, (a, b) in enumerate(edges):
        if opened[number]:
            near[a].append((b, number))
            near[b].append((a, number))
    return near


def path(data: tuple[Edges, int], values: Sequence[int]) -> int:
    """Edges of the longest path that visits no node twice, by depth-first search."""
    edges, nodes = data
    chosen = [edge for edge, is_open in zip(edges, values, strict=True) if is_open]
    if len(chosen) > FEW:
        return longest_path(nodes, chosen)
    near = neighbours(edges, values, nodes)

    def grow(node: int, used: int) -> int:
        return max((1 + grow(n, used | 1 << n) for n, _ in near[node] if not used >> n & 1), default=0)

    return max((grow(n, 1 << n) for n in range(nodes)), default=0)


def trail(data: tuple[Edges, int], values: Sequence[int]) -> int:
    """Edges of the longest trail that uses no edge twice, by depth-first search."""
    edges, nodes = data
    chosen = [edge for edge, is_open in zip(edges, values, strict=True) if is_open]
    if len(chosen) > FEW:
        return longest_trail(nodes, chosen)
    near = neighbours(edges, values, nodes)

    def grow(node: int, used: int) -> int:
        return max((1 + grow(n, used | 1 << e) for n, e in near[node] if not used >> e & 1), default=0)

    return max((grow(n, 0) for n in range(nodes)), default=0)
