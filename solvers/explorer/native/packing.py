"""Packing: a state as a few 64-bit words.

Promises: every slot that some rule writes has a cell of its own, inside one word; a slot that nothing writes
takes no bit; equal states have equal words and different states different ones. States of up to 63 bits fit
one word whose top bit is always set, so that 0 can mark an empty place in a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.language import ir
from models.language.program import Program
from models.language.slots import Leaf, Node, Slot

WORD = 64
#: Top bit of a single word, set in every state.
MARK = 1 << 63

Words = tuple[int, ...]


@dataclass(frozen=True)
class Cell:
    """Where a slot lies.

    Attributes:
        word: Number of the word.
        shift: Lowest bit in the word.
        bits: Width; 0 for a slot that never changes.
        lo: Value that is stored as 0.
        hi: Greatest value.
        fixed: The value of a slot that never changes.
    """

    word: int
    shift: int
    bits: int
    lo: int
    hi: int
    fixed: int

    @property
    def ones(self) -> int:
        """As many ones as the cell is wide."""
        return (1 << self.bits) - 1

    @property
    def mask(self) -> int:
        """The cell's bits in its word."""
        return self.ones << self.shift


@dataclass(frozen=True)
class Packing:
    """Cells of all slots of a program.

    Attributes:
        cells: One per slot, in order of the slots.
        words: Number of words of a state, at least 1.
        bits: Bits in use.
        base: Bits that are set in every state, one number per word.
    """

    cells: tuple[Cell, ...]
    words: int
    bits: int
    base: Words

    @property
    def marked(self) -> bool:
        """Whether no state is the word 0."""
        return self.base[0] == MARK

    def encode(self, state: Sequence[int]) -> Words:
        """The words of a state."""
        words = list(self.base)
        for value, cell in zip(state, self.cells, strict=True):
            if cell.bits:
                words[cell.word] |= (value - cell.lo) << cell.shift
        return tuple(words)

    def decode(self, words: Sequence[int]) -> tuple[int, ...]:
        """The state of some words."""
        return tuple((words[c.word] >> c.shift & c.ones) + c.lo if c.bits else c.fixed for c in self.cells)

    def column(self, rows: NDArray[np.uint64], slot: int) -> NDArray[np.int64]:
        """The values of one slot in many states.

        Args:
            rows: States × words.
            slot: Position of the slot.
        """
        cell = self.cells[slot]
        if not cell.bits:
            return np.full(len(rows), cell.fixed, np.int64)
        shifted = rows[:, cell.word] >> np.uint64(cell.shift) & np.uint64(cell.ones)
        return shifted.astype(np.int64) + cell.lo

    @cached_property
    def start_bits(self) -> Words:
        """For each word the bits that belong to some cell."""
        used = [0] * self.words
        for cell in self.cells:
            used[cell.word] |= cell.mask
        return tuple(used)


def pack(program: Program, width: int = WORD) -> Packing:
    """Lay the slots of a program out.

    Args:
        program: The built rulebook.
        width: Bits of each word that may be used (a slot that is wider gets a word of its own).

    Returns:
        Cells in order of declaration for one word; for more, arrays are kept inside a word where they fit.
    """
    slots, written = program.layout.slots, written_slots(program)
    live = [s for s in slots if s.index in written and s.bits]
    bits = sum(s.bits for s in live)
    if bits <= width:
        places = _in_order(live)
    else:
        units = [
            [s for s in unit if s.index in written and s.bits]
            for unit in _units(program.layout.fields.values())
        ]
        kept, single = _first_fit(units, width), _first_fit(([s] for s in live), width)
        places = kept if _words(kept) <= _words(single) else single
    words = _words(places)
    cells = tuple(
        Cell(*places[s.index], s.bits, s.lo, s.hi, s.start)
        if s.index in places
        else Cell(0, 0, 0, s.lo, s.hi, s.start)
        for s in slots
    )
    base = (MARK,) if words == 1 and bits < WORD else (0,) * words
    return Packing(cells, words, bits, base)


def written_slots(program: Program) -> set[int]:
    """Slots that some rule assigns."""
    return {
        s
        for i in program.instances
        for stmt in ir.statements(i.body)
        if isinstance(stmt, ir.Assign)
        for s in stmt.slots
    }


_Places = dict[int, tuple[int, int]]


def _words(places: _Places) -> int:
    return 1 + max((word for word, _ in places.values()), default=0)


def _in_order(slots: Iterable[Slot]) -> _Places:
    places, at = {}, 0
    for s in slots:
        places[s.index] = (0, at)
        at += s.bits
    return places


def _first_fit(units: Iterable[Sequence[Slot]], width: int) -> _Places:
    """Put each unit into the first word with room; one that is longer than a word is taken apart."""
    used: list[int] = []
    places: _Places = {}
    for unit in units:
        size = sum(s.bits for s in unit)
        for part in [unit] if size <= width else [[s] for s in unit]:
            size = sum(s.bits for s in part)
            word = next((w for w, n in enumerate(used) if n + size <= width), len(used))
            if word == len(used):
                used.append(0)
            for s in part:
                places[s.index] = (word, used[word])
                used[word] += s.bits
    return places


def _units(nodes: Iterable[Node]) -> list[list[Slot]]:
    """Fields as lists of slots; a field longer than a word is taken apart into its items."""
    units: list[list[Slot]] = []
    for node in nodes:
        slots = list(_leaves(node))
        if isinstance(node, Leaf) or sum(s.bits for s in slots) <= WORD:
            units.append(slots)
        else:
            units += _units(node.items)
            depth = getattr(node, "depth", None)
            if depth is not None:
                units.append([depth.slot])
    return units


def _leaves(node: Node) -> Iterable[Slot]:
    if isinstance(node, Leaf):
        yield node.slot
        return
    depth = getattr(node, "depth", None)
    if depth is not None:
        yield depth.slot
    for item in node.items:
        yield from _leaves(item)
