"""The graph of aversions: who drives whom away, and in which order creatures can come together in one team.

Promise: worked out from the cards of a size alone; nothing here is a rule. Coming drives away, leaving drives
nobody away, so a chain of triggers has one step; what the graph adds is who can stand beside whom in the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter

from attrs import frozen

from models.my_dwarves_fly.cards import MyDwarves

#: Kind that comes → kinds that go.
Graph = Mapping[str, tuple[str, ...]]


def graph(size: MyDwarves) -> Graph:
    """The aversions of a size's cards as a directed graph, the kinds in the order of their file."""
    return {c.name: c.averse_to for c in size.creatures}


@frozen
class Company:
    """Who can be in one team.

    Attributes:
        order: Kinds in an order in which each can come without driving away one before it; those in a circle
            are left out.
        circles: Kinds that drive each other away in a circle, so that one of them always goes.
    """

    order: tuple[str, ...]
    circles: tuple[tuple[str, ...], ...]


def company(size: MyDwarves) -> Company:
    """In which order one player can play all kinds, and which can never be together.

    Args:
        size: The size whose cards are looked at.
    """
    aversions = graph(size)
    reached = {kind: _reached(aversions, kind) for kind in aversions}
    circles = dict.fromkeys(
        tuple(other for other in aversions if other in reached[kind] and kind in reached[other])
        for kind in aversions
        if kind in reached[kind]
    )
    bound = {kind for circle in circles for kind in circle}
    before: dict[str, set[str]] = {kind: set() for kind in aversions if kind not in bound}
    for kind in before:
        for other in aversions[kind]:
            if other in before:
                before[other].add(kind)
    return Company(tuple(TopologicalSorter(before).static_order()), tuple(circles))


def _reached(aversions: Graph, kind: str) -> set[str]:
    """The kinds that a chain of aversions leads to."""
    todo, seen = list(aversions[kind]), set[str]()
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += aversions[other]
    return seen
