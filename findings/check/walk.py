"""What the positions of the first size tell: rules that never act, and sizes that are too large."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from findings.check.remarks import Remark, warning
from findings.progress import Progress
from models.language.book import Rulebook
from models.language.program import Program
from models.language.terms import FALSE
from solvers.contract import Limits
from solvers.explorer import Exploration, explore


def walked(
    book: Rulebook,
    programs: Sequence[Program],
    elsewhere: Sequence[Program],
    states: int,
    progress: Progress,
) -> Iterator[Remark]:
    """Search the first size and its companions, up to a limit for each variant.

    Args:
        book: The rulebook.
        programs: The first size in each variant.
        elsewhere: The same under other readings; a rule that only they have is not asked for.
        states: Most positions of one search.
        progress: Where to say how far it is.
    """
    acted, seen, whole = set[str](), dict[str, str](), True
    for first in programs:
        companions = [n for n in book.sizes if n.startswith(f"{first.size_name}-")]
        for program in [first, *(book.build(n, first.variant) for n in companions)]:
            explored = explore(program, (), limits=Limits(states=states), progress=progress)
            if not explored.complete:
                whole = False
                yield _too_large(explored)
            acted |= {program.by_label[label].rule for label in explored.fired}
            seen |= {i.rule: str(i.place) for i in program.instances if i.guard is not FALSE}
    possible = {i.rule for program in elsewhere for i in program.instances if i.guard is not FALSE}
    never = {i.rule: str(i.place) for p in programs for i in p.instances if i.rule not in seen}
    for rule, place in never.items():
        if rule not in possible:
            yield warning("rule-never-acts", place, f"{rule} can never act", "look at its guard")
    for rule, place in seen.items():
        if rule not in acted:
            how = "" if whole else " as far as was looked"
            todo = "look at its guard, or add a size in which it can act"
            yield warning("rule-never-acts", place, f"{rule} acts at none of the small sizes{how}", todo)


def _too_large(explored: Exploration) -> Remark:
    program = explored.program
    bound = sum(math.log10(s.hi - s.lo + 1) for s in program.layout.slots)
    return warning(
        "size-too-large",
        f"{program.book.name}, {program.variant}, size {program.size_name}",
        f"more than {explored.states:,} positions within {explored.depth} moves"
        f" (at most 10^{bound:.0f} by the ranges of its fields)",
        "make the first size smaller, or search it whole with a higher --max-states",
    )
