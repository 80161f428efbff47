"""Rule bodies as WebAssembly: the successor is written straight into packed words.

Promises: statements act in order, as the IR says; writes to one word are merged until something reads or
branches; a stopped step leaves no successor; every site is recorded the first time its condition holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from models.language import ir
from models.language.ir import Instance
from models.language.terms import BOOL, Term
from solvers.explorer.native.checks import check_all, record_any
from solvers.explorer.native.events import Plan
from solvers.explorer.native.expressions import Expressions, Measures, even, kind_of, range_kind, signed
from solvers.explorer.native.facts import Facts
from solvers.explorer.native.packing import Cell
from solvers.explorer.native.wat import I32, I64, Data, Function


@dataclass
class Pending:
    """Writes to one word that are not carried out yet.

    Attributes:
        mask: Bits that will be overwritten.
        bits: Constant bits to set.
        parts: Slot → the instruction that pushes its value.
    """

    mask: int = 0
    bits: int = 0
    parts: dict[int, str] = field(default_factory=dict)


class Body(Expressions):
    """Writes the body of one instance.

    Args:
        f: The function.
        cells: Cells of the slots.
        before: Locals with the words of the state before the step.
        plan: What is recorded where.
        instance: The instance.
        kept: Terms over the state before the step that are kept already.
        facts: What is known of the state before the step.
    """

    def __init__(
        self,
        f: Function,
        cells: Sequence[Cell],
        before: Sequence[str],
        data: Data,
        measures: Measures,
        plan: Plan,
        instance: Instance,
        kept: Mapping[Term, str],
        facts: Facts,
    ) -> None:
        super().__init__(f, cells, before, data, measures, facts)
        self.before, self.plan, self.instance = list(before), plan, instance
        self.kept = dict(kept)
        self.pending: dict[int, Pending] = {}
        self.forward: dict[int, str] = {}
        self.written: set[int] = set()
        self.end = f"$end{len(f.lines)}"

    def write(self) -> None:
        """The whole step: count it, carry the statements out, hand the successor over."""
        f = self.f
        fired = self.plan.fired(self.instance.index)
        f.add(
            "i32.const 0",
            "i32.const 0",
            f"i64.load offset={fired}",
            "i64.const 1",
            "i64.add",
            f"i64.store offset={fired}",
        )
        written = {
            self.cells[s].word
            for stmt in ir.statements(self.instance.body)
            if isinstance(stmt, ir.Assign)
            for s in stmt.slots
            if self.cells[s].bits
        }
        for word in sorted(written):
            self.words[word] = f.fresh(I64, "n")
            f.add(f"local.get {self.before[word]}", f"local.set {self.words[word]}")
        with f.block(f"block {self.end}"):
            if self.block(self.instance.body):
                self.flush()
                self.finish()

    def finish(self) -> None:
        """Check the step's properties and append the successor to the batch."""
        f = self.f
        cells, words = [*self.cells, *self._shifted()], [*self.before, *self.words]
        after = Expressions(f, cells, words, self.data, self.measures, self._facts_after())
        check_all(after, self.plan, self.plan.steps, self.instance.index)
        if self.plan.symmetric:
            f.add(*(f"local.get {w}" for w in self.words), "call $canonical")
            self.words = [f.fresh(I64, "n") for _ in self.words]
            f.add(*(f"local.set {w}" for w in reversed(self.words)))
        for n, word in enumerate(self.words):
            f.add("local.get $out", f"local.get {word}", f"i64.store offset={8 * n}")
        self._close(self.instance.index)

    def _facts_after(self) -> Facts:
        """What is known of a complete step: slots that keep their values, what others can get."""
        n, assigned = len(self.cells), dict[int, frozenset[int] | None]()
        for s in ir.statements(self.instance.body):
            if isinstance(s, ir.Assign):
                values = self.facts.values(s.value)
                for slot in s.slots:
                    known = assigned.get(slot, self.facts.sets.get(slot))
                    assigned[slot] = None if known is None or values is None else known | values
        sets = {n + slot: values for slot, values in assigned.items() if values is not None}
        return self.facts.also(sets, {n + slot: slot for slot in range(n) if slot not in assigned})

    def _shifted(self) -> list[Cell]:
        return [Cell(c.word + len(self.before), c.shift, c.bits, c.lo, c.hi, c.fixed) for c in self.cells]

    def _close(self, number: int) -> None:
        at = 8 * len(self.words)
        self.f.add(
            "local.get $out",
            f"i32.const {signed(number, I32)}",
            f"i32.store offset={at}",
            "local.get $out",
            f"i32.const {self.plan.stride}",
            "i32.add",
            "local.set $out",
        )

    # -- statements -------------------------------------------------------------------------------
    def block(self, body: ir.Block) -> bool:
        """The statements of a block; whether its end can be reached."""
        probes: list[ir.Probe] = []
        for s in body:
            if isinstance(s, ir.Let):
                self.keep(s.term)
            elif isinstance(s, ir.Probe):
                probes.append(s)
            elif isinstance(s, ir.Cover):
                self._seen(s.site)
            else:
                self._ask(probes)
                probes = []
                if isinstance(s, ir.Assign):
                    self._assign(s)
                elif isinstance(s, ir.Stop):
                    self._stop(s)
                    return False
                elif not self._if(s):
                    return False
        self._ask(probes)
        return True

    def _ask(self, probes: Sequence[ir.Probe]) -> None:
        """Probes between which nothing is written."""
        record_any(self, self.plan, [(p.site, p.condition) for p in probes], self.instance.index)

    def keep(self, t: Term) -> None:
        """Compute a term here; see `Walker.keep`."""
        if t.op == "read" and t not in self.kept and t.data[0][0] in self.forward:
            self.kept[t] = self.forward[t.data[0][0]]  # locals and constants of pending writes never change
            return
        super().keep(t)

    def _seen(self, site: int) -> None:
        if not self.plan.open(site):
            return
        self.plan.guarded(self.f, site)
        with self.f.block("if"):
            self.plan.record(self.f, site, self.instance.index)

    def _stop(self, s: ir.Stop) -> None:
        self._seen(s.site)
        self.f.add("i32.const 1", "global.set $halted")
        if self.plan.keeps_edges:
            self._close(self.instance.index | 1 << 31)
        self.f.add(f"br {self.end}")

    def _if(self, s: ir.If) -> bool:
        settled = self.facts.constant(s.condition) if s.condition not in self.kept else None
        if settled is not None:
            return self.block(s.then if settled else s.otherwise)
        self.test(s.condition)
        self.flush()
        reached = []
        outer = dict(self.kept)
        with self.f.block("if"):
            for n, branch in enumerate((s.then, s.otherwise)):
                if n and not branch:
                    reached.append(True)
                    continue
                if n:
                    self.f.otherwise()
                reached.append(self.block(branch))
                self.flush() if reached[-1] else self._forget()
                self.kept = dict(outer)
        return any(reached)

    # -- writes -----------------------------------------------------------------------------------
    def _assign(self, s: ir.Assign) -> None:
        if s.index is not None and len(s.slots) > 1:
            self._assign_at(s.slots, s.index, s.value)
            return
        slot = s.slots[0]
        cell = self.cells[slot]
        if not cell.bits:
            return
        if not self._add_to(slot, cell, s.value):
            self._write(slot, cell, s.value)
        self.written.add(slot)

    def _write(self, slot: int, cell: Cell, value: Term) -> None:
        """Note a write of a whole slot; it is carried out with the others of its word."""
        kind = range_kind(cell.lo, cell.hi)
        if value.op == "const":
            pushed = f"{kind}.const {value.lo}"
        elif value in self.kept and kind_of(value) == kind:
            pushed = self.kept[value]
        else:
            self.value_as(value, kind)
            name = self.f.fresh(kind, "w")
            self.f.add(f"local.set {name}")
            pushed = f"local.get {name}"
        todo = self.pending.setdefault(cell.word, Pending())
        todo.mask |= cell.mask
        todo.bits &= ~cell.mask
        todo.parts.pop(slot, None)
        if value.op == "const":
            todo.bits |= (value.lo - cell.lo) << cell.shift
        else:
            todo.parts[slot] = pushed
        self.forward[slot] = pushed

    def _add_to(self, slot: int, cell: Cell, value: Term) -> bool:
        """`slot := slot + c` is one addition in the word: the range was checked, so nothing carries over."""
        if value.op not in ("add", "sub") or len(value.args) != 2 or value in self.kept:
            return False
        read, c = value.args
        if value.op == "add" and read.op == "const":
            read, c = c, read
        if read.op != "read" or read.data[0] != (slot,) or c.op != "const" or slot in self.forward:
            return False
        if read in self.kept and slot in self.written:
            return False  # the kept value is an older one
        amount = c.lo if value.op == "add" else -c.lo
        word = self.words[cell.word]
        self.f.add(
            f"local.get {word}",
            f"i64.const {signed(amount << cell.shift, I64)}",
            "i64.add",
            f"local.set {word}",
        )
        return True

    def _assign_at(self, slots: Sequence[int], index: Term, value: Term) -> None:
        f, cells = self.f, [self.cells[s] for s in slots]
        at, new = f.fresh(I32, "i"), f.fresh(I64, "w")
        self.value_as(index, I32)
        f.add(f"local.set {at}")
        self.value_as(value, I64)
        f.add(f"local.set {new}")
        self.settle(slots)
        step = even(cells)
        if step:
            self._assign_even(cells[0], at, step, new)
        else:
            self._assign_scattered(cells, at, new)
        self.written.update(slots)

    def _assign_even(self, first: Cell, at: str, step: int, new: str) -> None:
        f, word, shift = self.f, self.words[first.word], self.f.fresh(I64, "by")
        f.add(f"local.get {at}", "i64.extend_i32_u")
        if step != 1:
            f.add(f"i64.const {step}", "i64.mul")
        if first.shift:
            f.add(f"i64.const {first.shift}", "i64.add")
        f.add(
            f"local.set {shift}",
            f"local.get {word}",
            f"i64.const {signed(first.ones, I64)}",
            f"local.get {shift}",
            "i64.shl",
            "i64.const -1",
            "i64.xor",
            "i64.and",
            f"local.get {new}",
        )
        if first.lo:
            f.add(f"i64.const {first.lo}", "i64.sub")
        f.add(f"local.get {shift}", "i64.shl", "i64.or", f"local.set {word}")

    def _assign_scattered(self, cells: Sequence[Cell], at: str, new: str) -> None:
        f = self.f
        f.add(f"local.get {new}")
        self.table_at(at, [c.lo for c in cells])
        f.add("i64.sub", f"local.set {new}")
        for number in sorted({c.word for c in cells if c.bits}):
            word = self.words[number]
            f.add(f"local.get {word}")
            self.table_at(at, [~c.mask if c.word == number else -1 for c in cells])
            f.add("i64.and", f"local.get {new}")
            self.table_at(at, [c.shift if c.word == number else 0 for c in cells])
            f.add("i64.shl")
            self.table_at(at, [c.mask if c.word == number else 0 for c in cells])
            f.add("i64.and", "i64.or", f"local.set {word}")

    # -- pending writes ---------------------------------------------------------------------------
    def free(self, read: Term) -> bool:
        """Whether a read may be taken from the packed word: not kept, not pending."""
        return read not in self.kept and read.data[0][0] not in self.forward

    def _read(self, t: Term) -> None:
        pushed = self.forward.get(t.data[0][0])
        if pushed is None:
            super()._read(t)
        else:
            self.f.add(pushed)

    def settle(self, slots: Sequence[int]) -> None:
        """Carry out what is pending if it concerns some of these slots."""
        if any(s in self.forward for s in slots):
            self.flush()

    def flush(self) -> None:
        """Carry the pending writes out, word by word."""
        for number, todo in sorted(self.pending.items()):
            word = self.words[number]
            self.f.add(f"local.get {word}", f"i64.const {signed(~todo.mask, I64)}", "i64.and")
            if todo.bits:
                self.f.add(f"i64.const {signed(todo.bits, I64)}", "i64.or")
            for slot, pushed in sorted(todo.parts.items()):
                cell = self.cells[slot]
                self.f.add(pushed)
                if range_kind(cell.lo, cell.hi) == I32:
                    self.f.add("i64.extend_i32_s" if cell.lo else "i64.extend_i32_u")
                if cell.lo:
                    self.f.add(f"i64.const {cell.lo}", "i64.sub")
                if cell.shift:
                    self.f.add(f"i64.const {cell.shift}", "i64.shl")
                self.f.add("i64.or")
            self.f.add(f"local.set {word}")
        self._forget()

    def _forget(self) -> None:
        self.pending.clear()
        self.forward.clear()


__all__ = ["BOOL", "Body"]
