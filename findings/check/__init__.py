"""Check: a fast look over a model, before an audit: what it forgot, what it never does, what slows it down.

Promises: nothing is said of the rules of the game, only of the model; every remark follows from the built
programs, their positions at the first size (as far as the limit allows), the clauses and the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from findings.check.remarks import Level, Remark
from findings.check.said import clauses_said, words_said
from findings.check.shape import fields_used, shape
from findings.check.walk import walked
from findings.progress import Progress, SilentProgress
from models.language.book import Rulebook
from models.language.program import Program

#: Positions that are looked at, at most, for each variant.
MOST_STATES = 300_000


def check(
    book: Rulebook, *, states: int = MOST_STATES, progress: Progress | None = None
) -> tuple[Remark, ...]:
    """Look over a rulebook's model.

    Args:
        book: The rulebook.
        states: Most positions to look at in each variant.
        progress: Where to say how far it is.

    Returns:
        Remarks, warnings first, each once.

    Errors:
        ModelError: the rulebook cannot be built.
    """
    told = progress or SilentProgress()
    programs = [book.build(None, variant) for variant in book.variants]
    elsewhere = list(_other_readings(book, programs))
    found: list[Remark] = [
        *clauses_said(book),
        *words_said(book, programs),
        *fields_used(book, [*programs, *elsewhere]),
        *shape(programs),
        *walked(book, programs, elsewhere, states, told),
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda r: (r.level is Level.HINT, r.code, r.where)))


def _other_readings(book: Rulebook, programs: Sequence[Program]) -> Iterator[Program]:
    """The same variants at each other size, and under each option of a reading, and under all rulings."""
    for program in programs:
        for size in book.sizes:
            if size != program.size_name:
                yield book.build(size, program.variant)
        for id in sorted(program.consulted & set(book.readings)):
            for option in book.readings[id].options:
                if option != program.readings.get(id):
                    yield book.build(None, program.variant, {id: option})
        if book.rulings:
            yield book.build(None, program.variant, rulings=True)


def summary(remarks: Sequence[Remark]) -> str:
    """How many there are of each level, in one line."""
    counts = {level: sum(r.level is level for r in remarks) for level in Level}
    parts = [f"{n} {level.value}{'' if n == 1 else 's'}" for level, n in counts.items() if n]
    return ", ".join(parts) or "nothing to remark"


def grouped(remarks: Sequence[Remark]) -> Iterator[tuple[Level, list[Remark]]]:
    """Remarks by level, levels without any left out."""
    for level in Level:
        found = [r for r in remarks if r.level is level]
        if found:
            yield level, found


__all__ = ["MOST_STATES", "Level", "Remark", "check", "grouped", "summary"]
