"""Positions with some fields replaced, for what happens at a table and stands in no rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from models.language.program import Program
from models.language.slots import Leaf, Node, Pile
from solvers.interpreter import Values


def replaced(program: Program, state: Values, fields: Mapping[str, object], where: str) -> Values:
    """A position in which some fields have other values.

    Args:
        program: The program.
        state: The position.
        fields: Field → value, as for `Script.begin`.
        where: What is done, for messages.

    Errors:
        ModelError: an unknown field, too many items, or a value outside its range.
    """
    from solvers.compare.evidence import position

    fresh, made = position(program, fields, where), list(state)
    for name in fields:
        for slot in _slots(program.layout.fields[name]):
            made[slot] = fresh[slot]
    return tuple(made)


def _slots(node: Node) -> Iterator[int]:
    if isinstance(node, Leaf):
        yield node.slot.index
        return
    if isinstance(node, Pile):
        yield node.depth.slot.index
    for item in node.items:
        yield from _slots(item)
