"""The graph of aversions: who drives whom away, and in which order creatures can come together in one team.

Promise: worked out from the cards of a size alone; nothing here is a rule. Coming drives away, leaving drives
nobody away, so a chain of triggers has one step; what the graph adds is who can stand beside whom in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from models.my_dwarves_fly.cards import MyDwarves

if TYPE_CHECKING:
    import networkx

    Graph = networkx.DiGraph[str]


def graph(size: MyDwarves) -> Graph:
    """The aversions as a directed graph: an edge from the kind that comes to the kind that goes.

    Args:
        size: The size whose cards are looked at.

    Returns:
        Nodes are the names of the kinds, in the order of the file.
    """
    import networkx

    made: Graph = networkx.DiGraph()
    made.add_nodes_from(c.name for c in size.creatures)
    made.add_edges_from((c.name, other) for c in size.creatures for other in c.averse_to)
    return made


@frozen
class Company:
    """Who can be in one team.

    Attributes:
        order: All kinds in an order in which each can come without driving away one before it; those in a
            circle are left out.
        circles: Kinds that drive each other away in a circle, so that one of them always goes.
    """

    order: tuple[str, ...]
    circles: tuple[tuple[str, ...], ...]


def company(size: MyDwarves) -> Company:
    """In which order one player can play all kinds, and which can never be together.

    Args:
        size: The size whose cards are looked at.
    """
    import networkx

    aversions = graph(size)
    circles = [c for c in networkx.strongly_connected_components(aversions) if len(c) > 1]
    rank = {c.name: n for n, c in enumerate(size.creatures)}
    free = aversions.copy()
    free.remove_nodes_from(name for circle in circles for name in circle)
    order = tuple(networkx.lexicographical_topological_sort(free, key=lambda name: rank[name]))
    found = sorted((sorted(c, key=lambda name: rank[name]) for c in circles), key=lambda c: rank[c[0]])
    return Company(order, tuple(tuple(c) for c in found))
