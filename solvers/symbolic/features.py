"""Features: numbers of a state in which regularities are looked for: slots, sums, and counts over arrays.

Promises: a feature is a term of the IR, so that any engine can evaluate it, and a column over sampled states,
worked out without running the term.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.language import ir
from models.language.functions import count, ite
from models.language.program import Program
from models.language.slots import Layout, Leaf, Node, Pile, Row, Slot
from models.language.terms import BOOL, INT, Term, constant, equal, total, walk

Column = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Feature:
    """A number of a state.

    Attributes:
        name: Text for people.
        term: The number as a term.
        column: Its value in each sample.
        truth: It is a condition (0 or 1), whose Boolean term is `condition`.
        condition: The Boolean term of a condition.
        slots: Slots that it reads.
    """

    name: str
    term: Term
    column: Column
    truth: bool
    condition: Term | None
    slots: frozenset[int]


class Reader:
    """Makes features of a program over sampled states."""

    def __init__(self, program: Program, samples: Sequence[Sequence[int]]) -> None:
        self.program = program
        self.table: Column = np.array(samples, dtype=np.int64).reshape(
            len(samples), len(program.layout.slots)
        )
        self.marks = marks(program)

    def read(self, slot: Slot) -> Term:
        """A slot as a term."""
        return self.program.expression(lambda t: t.trace.read([slot], None))

    def is_value(self, slot: Slot, value: int) -> Feature:
        """The condition that a slot has a value."""
        read = self.read(slot)
        condition = read if slot.sort is BOOL and value else equal(read, constant(value, slot.sort))
        shown = f"{slot.name}={slot.sort.show(value)}"
        column = (self.table[:, slot.index] == value).astype(np.int64)
        return Feature(shown, ite(condition, 1, 0), column, True, condition, frozenset([slot.index]))

    def number(self, slot: Slot) -> Feature:
        """A numeric slot."""
        return Feature(
            slot.name, self.read(slot), self.table[:, slot.index], False, None, frozenset([slot.index])
        )

    def conditions(self) -> list[Feature]:
        """Conditions on single slots: truth values, and the values that the rules compare slots with."""
        found = []
        for slot in self.program.layout.slots:
            if slot.lo == slot.hi:
                continue
            values = [1] if slot.sort is BOOL else sorted(self.marks[slot.index])
            found += [self.is_value(slot, v) for v in values]
        return found

    def pointed(self) -> list[Feature]:
        """Conditions on the item of an array that a slot points at, for the pairs that the rules use so."""
        found = []
        for items, pointer in pointers(self.program):
            at = self.program.layout.slots[pointer]
            first = self.program.layout.slots[items[0]]
            if at.lo == at.hi or at.lo < 0 or at.hi >= len(items):
                continue
            slots = [self.program.layout.slots[i] for i in items]
            read = self.program.expression(lambda t, s=slots, a=at: t.trace.read(s, self.read(a)))
            column = self.table[np.arange(len(self.table)), np.array(items)[self.table[:, pointer]]]
            values = [1] if first.sort is BOOL else sorted(set().union(*(self.marks[i] for i in items)))
            for value in values:
                condition = read if first.sort is BOOL else equal(read, constant(value, first.sort))
                shown = f"{first.name.split('[')[0]}[{at.name}]={first.sort.show(value)}"
                found.append(
                    Feature(
                        shown,
                        ite(condition, 1, 0),
                        (column == value).astype(np.int64),
                        True,
                        condition,
                        frozenset([*items, pointer]),
                    )
                )
        return found

    def numbers(self) -> list[Feature]:
        """Numeric slots."""
        return [self.number(s) for s in self.program.layout.slots if s.sort is INT and s.lo < s.hi]

    def aggregates(self) -> list[Feature]:
        """Sums of numeric arrays; how many items of an array have a value that the rules name."""
        found: list[Feature] = []
        for name, slots in groups(self.program.layout):
            used = frozenset(s.index for s in slots)
            if slots[0].sort is INT:
                column = self.table[:, sorted(used)].sum(axis=1)
                found.append(
                    Feature(f"sum({name})", total(*(self.read(s) for s in slots)), column, False, None, used)
                )
                continue
            values = (
                [1] if slots[0].sort is BOOL else sorted(set().union(*(self.marks[s.index] for s in slots)))
            )
            for value in values:
                parts = [self.is_value(s, value) for s in slots]
                column = np.sum([p.column for p in parts], axis=0)
                shown = name if slots[0].sort is BOOL else f"{name}={slots[0].sort.show(value)}"
                holds = [p.condition for p in parts if p.condition is not None]
                found.append(Feature(f"count({shown})", count(*holds), column, False, None, used))
        return found


def groups(layout: Layout) -> Iterator[tuple[str, list[Slot]]]:
    """Arrays of at least two slots of one sort, nested arrays also as a whole."""

    def leaves(node: Node) -> list[Slot]:
        if isinstance(node, Leaf):
            return [node.slot]
        return [s for item in node.items for s in leaves(item)]

    def inside(name: str, node: Node) -> Iterator[tuple[str, list[Slot]]]:
        if isinstance(node, Leaf):
            return
        slots = [s for s in leaves(node) if s.lo < s.hi]
        if len(slots) > 1 and len({s.sort for s in slots}) == 1:
            yield name, slots
        if isinstance(node, Row):
            for number, item in enumerate(node.items):
                yield from inside(f"{name}[{number}]", item)

    for name, node in layout.fields.items():
        yield from inside(name, node)


def statements(program: Program) -> Iterator[ir.Stmt]:
    """All statements of all instances."""
    for i in program.instances:
        yield from ir.statements(i.body)


def roots(program: Program) -> list[Term]:
    """All terms that the instances evaluate."""
    found = [program.over, *(i.guard for i in program.instances)]
    return found + [r for s in statements(program) for r in ir.roots(s)]


def pointers(program: Program) -> list[tuple[tuple[int, ...], int]]:
    """Arrays and the slots that the rules index them with."""
    pairs = [(s.slots, s.index) for s in statements(program) if isinstance(s, ir.Assign)]
    pairs += [(t.data[0], t.args[0]) for t in walk(*roots(program)) if t.op == "select"]
    found = {
        (tuple(slots), index.data[0][0]) for slots, index in pairs if index is not None and index.op == "read"
    }
    return sorted(found)


def marks(program: Program) -> dict[int, set[int]]:
    """For each slot its start and at most eight values that the program compares it with."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for s in statements(program):
        if isinstance(s, ir.Assign) and s.value.op == "const":
            for number in s.slots:
                votes[number][s.value.lo] += 1
    for t in walk(*roots(program)):
        if t.op in ("eq", "lt", "le"):
            constants = [a.lo for a in t.args if a.op == "const"]
            reads = [a for a in t.args if a.op in ("read", "select")]
            for number in reads[0].data[0] if constants and reads else ():
                votes[number][constants[0]] += 1
    found: dict[int, set[int]] = {}
    for slot in program.layout.slots:
        named = [v for v, _ in votes[slot.index].most_common(8) if slot.lo <= v <= slot.hi]
        whole = range(slot.lo, slot.hi + 1) if slot.hi - slot.lo < 8 else ()
        found[slot.index] = {slot.start, *named, *whole}
    return found


__all__ = ["Column", "Feature", "Pile", "Reader", "groups", "marks"]
