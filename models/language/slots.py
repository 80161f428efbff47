"""Slots: the state of one built model as a row of finite-domain variables.

Promise: every field flattens to slots with a known sort, bounds and bit width; the order of slots is
the order of the declarations; the same class and size give the same layout.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from models.language.terms import Sort


@dataclass(frozen=True)
class Slot:
    """One finite-domain variable of the state.

    Attributes:
        index: Position in the state, from 0.
        name: Path in the state, for instance `grid[3]`.
        sort: Sort of its values.
        lo: Least value.
        hi: Greatest value.
        start: Value in the setup.
        hidden: Not observable.
    """

    index: int
    name: str
    sort: Sort
    lo: int
    hi: int
    start: int
    hidden: bool

    @property
    def bits(self) -> int:
        """Bits that a packed state needs for it (0 for a constant)."""
        return (self.hi - self.lo).bit_length()


@dataclass(frozen=True)
class Leaf:
    """A field of one slot."""

    slot: Slot


@dataclass(frozen=True)
class Row:
    """An indexed field; `keys` names the positions (an enumeration) or is None for numbers from 0."""

    name: str
    keys: type[enum.Enum] | None
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Pile:
    """A bounded sequence: depth and places, bottom first; places above the depth hold their least value."""

    name: str
    depth: Leaf
    items: tuple[Node, ...]


Node = Leaf | Row | Pile


@dataclass(frozen=True)
class Layout:
    """All slots, and the tree of fields over them.

    Attributes:
        slots: The slots in order.
        fields: Field name → node, in order of declaration.
    """

    slots: tuple[Slot, ...]
    fields: dict[str, Node]

    @property
    def start(self) -> tuple[int, ...]:
        """The state of the setup."""
        return tuple(s.start for s in self.slots)

    @property
    def bits(self) -> int:
        """Bits of a packed state."""
        return sum(s.bits for s in self.slots)


def bare(name: str) -> str:
    """A slot's name without its indices: what the copies `hand[0].depth` and `hand[1].depth` share."""
    out, depth = [], 0
    for sign in name:
        depth += sign == "["
        if not depth:
            out.append(sign)
        depth -= sign == "]"
    return "".join(out)
