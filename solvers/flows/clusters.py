"""Clusters: the loops of a flow, one inside the other: rounds, turns, battles.

Promises: a cluster is a strongly connected component of the steps that were seen; inside it, what still goes
round when its first node is taken away is a cluster of its own (the loop nesting of Steensgaard 1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import networkx as nx

from solvers.flows.flow import Flow

#: How deep loops are told apart.
DEPTH = 2


@dataclass(frozen=True)
class Cluster:
    """A loop.

    Attributes:
        first: The node by which it is entered most often.
        nodes: All its nodes, those of inner loops included.
        inner: The loops inside it.
    """

    first: str
    nodes: tuple[str, ...]
    inner: tuple[Cluster, ...]


def clusters(flow: Flow, depth: int = DEPTH) -> tuple[Cluster, ...]:
    """The outermost loops of a flow, in the order of its nodes.

    Args:
        flow: The flow.
        depth: How many levels of loops; all of them for a large number.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(flow.graph.nodes)
    for a, b, data in flow.edges(seen=True):
        if a != b:
            often = graph[a][b]["per_game"] if graph.has_edge(a, b) else 0.0
            graph.add_edge(a, b, per_game=often + data["per_game"] + 1e-6)
    return tuple(_loops(graph, list(flow.graph.nodes), flow.entry if flow.level != "trigger" else "", depth))


def back_edges(flow: Flow) -> frozenset[tuple[str, str]]:
    """The pairs of nodes whose steps close a loop; without them the seen steps go one way only."""
    found: set[tuple[str, str]] = set()
    steps = {(a, b) for a, b, _ in flow.edges(seen=True) if a != b}
    todo = list(clusters(flow, len(flow.graph)))
    while todo:
        loop = todo.pop()
        found |= {(a, b) for a, b in steps if b == loop.first and a in loop.nodes}
        todo += loop.inner
    return frozenset(found)


def _loops(graph: nx.DiGraph[str], nodes: Iterable[str], entry: str, depth: int) -> Iterator[Cluster]:
    order = {n: k for k, n in enumerate(nodes)}
    inside = graph.subgraph(order)
    found = [c for c in nx.strongly_connected_components(inside) if len(c) > 1]
    for component in sorted(found, key=lambda c: min(order[n] for n in c)):
        members = sorted(component, key=lambda n: order[n])
        first = _first(graph, members, entry)
        inner = _loops(graph, [n for n in members if n != first], "", depth - 1) if depth > 1 else ()
        yield Cluster(first, tuple(members), tuple(inner))


def _first(graph: nx.DiGraph[str], members: list[str], entry: str) -> str:
    """The node by which a loop is entered most often; the game's first node goes before all others."""
    if entry in members:
        return entry

    def entered(node: str) -> float:
        steps = graph.in_edges(node, data=True)
        return sum(float(data["per_game"]) for a, _, data in steps if a not in members)

    return max(members, key=lambda n: (entered(n), -members.index(n)))
