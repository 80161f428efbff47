"""The least representative of a packed state under declared exchanges, as WebAssembly.

Promise: the words are those of the least state of the orbit, words compared as unsigned numbers, the first
one first; the same as `Group.least`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from models.language.errors import ModelError
from solvers.explorer.native.expressions import signed
from solvers.explorer.native.packing import Cell, Packing
from solvers.explorer.native.wat import I32, I64, Data, Function

if TYPE_CHECKING:
    from solvers.explorer.symmetry import Exchange, Group


class Canonical:
    """Writes the functions that choose representatives.

    Args:
        group: The permutations.
        packing: The cells.
        data: Where constant tables go.
    """

    def __init__(self, group: Group, packing: Packing, data: Data) -> None:
        self.group, self.packing, self.data = group, packing, data
        self.words = [f"$s{n}" for n in range(packing.words)]

    def functions(self) -> list[Function]:
        """`$canonical` and one function for each exchange."""
        swaps = [self._exchange(n, e) for n, e in enumerate(self.group.exchanges)]
        return [self._canonical(), *swaps]

    def _result(self) -> str:
        return " ".join([I64] * len(self.words))

    def _canonical(self) -> Function:
        """All permutations one after another; the least is kept."""
        f = Function("canonical", [(w, I64) for w in self.words], self._result())
        best = [f.fresh(I64, "best") for _ in self.words]
        at, walk = f.fresh(I32, "at"), self.group.walk
        f.add(
            *(
                line
                for w, b in zip(self.words, best, strict=True)
                for line in (f"local.get {w}", f"local.set {b}")
            )
        )
        table = self.data.address(walk, 1)
        n = len(self.group.exchanges)
        with f.block("loop $all"):
            f.add(
                *(f"block $swap{i}" for i in reversed(range(n))),
                f"local.get {at}",
                f"i32.load8_u offset={table}",
                f"br_table {' '.join(f'$swap{i}' for i in range(n))} $swap0",
            )
            # each exchange ends in the comparison, so it is written once for each
            for i in range(n):
                f.add(
                    "end",
                    *(f"local.get {w}" for w in self.words),
                    f"call $exchange{i}",
                    *(f"local.set {w}" for w in reversed(self.words)),
                )
                self._compare(f, best)
                f.add(
                    f"local.get {at}",
                    "i32.const 1",
                    "i32.add",
                    f"local.tee {at}",
                    f"i32.const {len(walk)}",
                    "i32.lt_u",
                    "br_if $all",
                )
                f.add(*(f"local.get {b}" for b in best), "return")
        f.add("unreachable")
        return f

    def _compare(self, f: Function, best: Sequence[str]) -> None:
        """Keep the present words if they are less than the best so far."""
        f.add("i32.const 0")
        for w, b in reversed(list(zip(self.words, best, strict=True))):
            f.add(
                f"local.get {w}",
                f"local.get {b}",
                "i64.eq",
                "i32.and",
                f"local.get {w}",
                f"local.get {b}",
                "i64.lt_u",
                "i32.or",
            )
        with f.block("if"):
            f.add(
                *(
                    line
                    for w, b in zip(self.words, best, strict=True)
                    for line in (f"local.get {w}", f"local.set {b}")
                )
            )

    def _exchange(self, number: int, exchange: Exchange) -> Function:
        f = Function(f"exchange{number}", [(w, I64) for w in self.words], self._result())
        for slot, to in enumerate(exchange.to):
            if slot < to:
                self._swap(f, self.packing.cells[slot], self.packing.cells[to])
        for slot, change in exchange.maps.items():
            self._map(f, self.packing.cells[exchange.to[slot]], change)
        f.add(*(f"local.get {w}" for w in self.words))
        return f

    def _swap(self, f: Function, a: Cell, b: Cell) -> None:
        """Exchange two cells of one shape."""
        if (a.bits, a.lo) != (b.bits, b.lo) or (not a.bits and a.fixed != b.fixed):
            raise ModelError(
                "two things are declared interchangeable, but their fields differ in range",
                hint="see the declared symmetry",
            )
        if not a.bits:
            return
        one, two, t = self.words[a.word], self.words[b.word], f.fresh(I64, "t")
        f.add(
            f"local.get {one}",
            f"i64.const {a.shift}",
            "i64.shr_u",
            f"local.get {two}",
            f"i64.const {b.shift}",
            "i64.shr_u",
            "i64.xor",
            f"i64.const {signed(a.ones, I64)}",
            "i64.and",
            f"local.set {t}",
        )
        for word, cell in ((one, a), (two, b)):
            f.add(
                f"local.get {word}",
                f"local.get {t}",
                f"i64.const {cell.shift}",
                "i64.shl",
                "i64.xor",
                f"local.set {word}",
            )

    def _map(self, f: Function, cell: Cell, change: Mapping[int, int]) -> None:
        """Put each value of a cell through a table."""
        if not cell.bits:
            if change.get(cell.fixed, cell.fixed) != cell.fixed:
                raise ModelError(
                    "a field that never changes names one of the things declared interchangeable",
                    hint="see the declared symmetry",
                )
            return
        table = [change.get(v + cell.lo, v + cell.lo) - cell.lo for v in range(cell.ones + 1)]
        width = 1 if cell.bits <= 8 else 2 if cell.bits <= 16 else 4
        at, word = self.data.address(table, width), self.words[cell.word]
        f.add(
            f"local.get {word}",
            f"i64.const {signed(~cell.mask, I64)}",
            "i64.and",
            f"local.get {word}",
            f"i64.const {cell.shift}",
            "i64.shr_u",
            "i32.wrap_i64",
            f"i32.const {cell.ones}",
            "i32.and",
        )
        if width > 1:
            f.add(f"i32.const {width}", "i32.mul")
        f.add(
            f"i64.load{8 * width}_u offset={at}",
            f"i64.const {cell.shift}",
            "i64.shl",
            "i64.or",
            f"local.set {word}",
        )
