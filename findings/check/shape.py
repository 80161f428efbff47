"""The shape of a built model: fields that nothing reads or changes, and what makes a search slow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from findings.check.remarks import Remark, hint, warning
from findings.check.said import listed
from models.language.book import Rulebook
from models.language.ir import Assign, Instance, roots, statements
from models.language.program import Program
from models.language.slots import Slot, bare
from models.language.terms import FALSE, Term
from properties import kinds
from solvers.interpreter import reads, tested

_WORD = 64
_MANY = 4_000


def fields_used(book: Rulebook, programs: Sequence[Program]) -> Iterator[Remark]:
    """Fields that no rule reads, and fields that no rule changes."""
    read, written, known = set[str](), set[str](), dict[str, None]()
    for program in programs:
        slots = program.layout.slots
        known |= dict.fromkeys(program.layout.fields)
        read |= {_field(slots[s]) for t in _terms(book, program) for s in reads(t) if s < len(slots)}
        written |= {_field(slots[s]) for i in program.instances for s in _writes(i)}
    for name in known:
        where = _place(book, name)
        if name not in written:
            todo = "leave it out, or keep the number in the size"
            yield warning(
                "constant-field", where, f"no rule changes {name}, at whatever size and reading", todo
            )
        elif name not in read:
            todo = "leave it out, unless players look at it: it multiplies the positions"
            yield warning("unused-field", where, f"{name} is written and never read", todo)


def _terms(book: Rulebook, program: Program) -> Iterator[Term]:
    yield from (program.over, *program.winners, *program.scores)
    for i in program.instances:
        yield from (i.guard, i.weight)
        if i.player is not None:
            yield i.player
        for s in statements(i.body):
            yield from roots(s)
    for p in kinds.of(book).of(program.variant):
        if p.holds is not None:
            yield p.term(program)


def _writes(instance: Instance) -> Iterable[int]:
    return (slot for s in statements(instance.body) if isinstance(s, Assign) for slot in s.slots)


def _field(slot: Slot) -> str:
    return bare(slot.name).split(".", 1)[0]


def _place(book: Rulebook, name: str) -> str:
    field = getattr(book.state_class, name, None)
    place = getattr(field, "place", None)
    return str(place) if place is not None else f"{book.name}, field {name}"


def shape(programs: Sequence[Program]) -> Iterator[Remark]:
    """What makes a search slow: states of many words, unrolled rules, guards that every state must ask."""
    for program in programs:
        bits = program.layout.bits
        if bits > _WORD:
            widths: dict[str, int] = {}
            for slot in program.layout.slots:
                widths[_field(slot)] = widths.get(_field(slot), 0) + slot.bits
            widest = sorted(widths, key=lambda f: -widths[f])[:3]
            told = f"a position takes {bits} bits, {-(-bits // _WORD)} words: " + ", ".join(
                f"{f} {widths[f]}" for f in widest
            )
            yield hint(
                "wide-state", _named(program), told, f"positions of up to {_WORD} bits are searched fastest"
            )
        if len(program.instances) > _MANY:
            told = f"{len(program.instances):,} rules once their parameters are fixed"
            yield hint(
                "many-instances",
                _named(program),
                told,
                "split a choice into smaller ones in a phase of its own",
            )
        free: dict[str, Instance] = {}
        for i in program.instances:
            if i.guard is not FALSE and not tested(i.guard):
                free.setdefault(i.rule, i)
        for rule, instance in free.items():
            told = f"{rule} names no phase, so every position asks for it"
            yield hint(
                "rule-without-phase", instance.place, told, "give it phase=…, or test one field for one value"
            )


def _named(program: Program) -> str:
    return f"{program.book.name}, {program.variant}, size {program.size_name}"


__all__ = ["fields_used", "listed", "shape"]
