"""Reads of packed slots and of constant tables.

Promises: a read takes the bits of its cell; an index over evenly spaced cells is arithmetic, any other goes
by tables of masks and shifts; a small constant table is a number in the code, a larger one lies in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from models.language.terms import Term
from solvers.explorer.native.packing import Cell
from solvers.explorer.native.walker import Walker, kind_of, signed
from solvers.explorer.native.wat import I32, I64


class Tables(Walker):
    """Writes reads and lookups."""

    # -- reads ------------------------------------------------------------------------------------
    def _read(self, t: Term) -> None:
        slot = t.data[0][0]
        self.settle((slot,))
        cell = self.cells[slot]
        kind = kind_of(t)
        if not cell.bits:
            self.f.add(f"{kind}.const {cell.fixed}")
            return
        self.f.add(f"local.get {self.words[cell.word]}")
        self._cut(cell, kind)
        if cell.lo:
            self.f.add(f"{kind}.const {cell.lo}", f"{kind}.add")

    def _cut(self, cell: Cell, kind: str) -> None:
        """From the word on the stack to the cell's bits in a type."""
        if cell.shift:
            self.f.add(f"i64.const {cell.shift}", "i64.shr_u")
        if kind == I32:
            self.f.add("i32.wrap_i64")
        if cell.shift + cell.bits < 64:
            self.f.add(f"{kind}.const {signed(cell.ones, kind)}", f"{kind}.and")

    def _select(self, t: Term) -> None:
        slots, kind = t.data[0], kind_of(t)
        self.settle(slots)
        cells = [self.cells[s] for s in slots]
        step = even(cells)
        if step:
            first = cells[0]
            self.f.add(f"local.get {self.words[first.word]}")
            self.shift_of(t.args[0], first.shift, step)
            self.f.add("i64.shr_u")
            if kind == I32:
                self.f.add("i32.wrap_i64")
            self.f.add(f"{kind}.const {signed(first.ones, kind)}", f"{kind}.and")
            if first.lo:
                self.f.add(f"{kind}.const {first.lo}", f"{kind}.add")
            return
        self._scattered(t, cells, kind)

    def shift_of(self, index: Term, base: int, step: int) -> None:
        """Push base + step * index as a 64-bit number."""
        self.value_as(index, I64)
        if step != 1:
            self.f.add(f"i64.const {step}", "i64.mul")
        if base:
            self.f.add(f"i64.const {base}", "i64.add")

    def _scattered(self, t: Term, cells: Sequence[Cell], kind: str) -> None:
        """A read of cells that are not evenly spaced: by tables of masks and shifts."""
        at = self.f.fresh(I32, "i")
        self.value_as(t.args[0], I32)
        self.f.add(f"local.set {at}", "i64.const 0")
        for word in sorted({c.word for c in cells if c.bits}):
            self.f.add(f"local.get {self.words[word]}")
            self.table_at(at, [c.mask if c.word == word else 0 for c in cells])
            self.f.add("i64.and")
            self.table_at(at, [c.shift if c.word == word else 0 for c in cells])
            self.f.add("i64.shr_u", "i64.or")
        self.table_at(at, [c.lo if c.bits else c.fixed for c in cells])
        self.f.add("i64.add")
        if kind == I32:
            self.f.add("i32.wrap_i64")

    def table_at(self, index: str, values: Sequence[int]) -> None:
        """Push the entry of a constant table of 64-bit numbers at the index in a local."""
        if len(set(values)) == 1:
            self.f.add(f"i64.const {signed(values[0], I64)}")
            return
        self.f.add(
            f"local.get {index}", "i32.const 8", "i32.mul", f"i64.load offset={self.data.address(values, 8)}"
        )

    # -- tables -----------------------------------------------------------------------------------
    def _lookup(self, t: Term) -> None:
        self.table_lookup(t.args[0], t.data, kind_of(t))

    def table_lookup(self, index: Term, table: Sequence[int], kind: str) -> None:
        """Push the entry of a constant table at an index."""
        live = range(index.lo, index.hi + 1)
        if all(table[i] == i for i in live):
            self.value_as(index, kind)
            return
        lo = min(table[i] for i in live)
        width = max(table[i] - lo for i in live).bit_length()
        if not width:
            self.f.add(f"{kind}.const {lo}")
            return
        if self._alone(index, table, live, kind):
            return
        if width * (index.hi + 1) <= 64:
            packed = sum((table[i] - lo) << width * i for i in live)
            self.f.add(f"i64.const {signed(packed, I64)}")
            self.shift_of(index, 0, width)
            self.f.add("i64.shr_u")
            if kind == I32:
                self.f.add("i32.wrap_i64")
            self.f.add(f"{kind}.const {signed((1 << width) - 1, kind)}", f"{kind}.and")
        else:
            size = next(n for n in (1, 2, 4, 8) if width <= 8 * n)
            at = self.data.address([table[i] - lo for i in range(index.hi + 1) if i >= 0], size)
            self.value_as(index, I32)
            if size > 1:
                self.f.add(f"i32.const {size}", "i32.mul")
            short = {1: "8_u", 2: "16_u", 4: "32_u" if kind == I64 else "", 8: ""}[size]
            load = f"i32.load{short}" if kind == I32 and size <= 4 else f"i64.load{short}"
            self.f.add(f"{load} offset={at}")
            if kind == I32 and size == 8:
                self.f.add("i32.wrap_i64")
        if lo:
            self.f.add(f"{kind}.const {lo}", f"{kind}.add")

    def _alone(self, index: Term, table: Sequence[int], live: range, kind: str) -> bool:
        """A table of truth values of which one differs from all others is a comparison."""
        if kind != I32 or {table[i] for i in live} != {0, 1}:
            return False
        ones = [i for i in live if table[i]]
        odd = ones if len(ones) == 1 else [i for i in live if not table[i]]
        if len(odd) != 1:
            return False
        own = kind_of(index)
        self.value(index)
        self.f.add(f"{own}.const {odd[0]}", f"{own}.{'eq' if odd is ones else 'ne'}")
        return True


def even(cells: Sequence[Cell]) -> int:
    """The distance of cells that are alike and evenly spaced in one word, else 0."""
    first = cells[0]
    if not first.bits or any((c.word, c.bits, c.lo) != (first.word, first.bits, first.lo) for c in cells):
        return 0
    if len(cells) == 1:
        return first.bits
    step = cells[1].shift - first.shift
    return step if step > 0 and all(b.shift - a.shift == step for a, b in pairwise(cells)) else 0
