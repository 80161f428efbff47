"""Scores of a board that somebody wrote down, under every reading on which they depend.

Promise: the points are values of the terms that the rulebook's own scoring rule uses; nothing is scored here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from findings.progress import Progress, SilentProgress
from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.questions import Reading
from models.language.terms import Term
from solvers.interpreter.evaluate import Walk

#: Space, side, kind of end.
End = tuple[int, int, str]


class Scorer(Protocol):
    """What a rulebook's module `sheet` offers for boards of one size under some readings."""

    @property
    def score(self) -> Mapping[str, Term]:
        """Name of a part → its term; `total` is all of it."""

    @property
    def faults(self) -> Sequence[tuple[int, int, str, Term]]:
        """Space, side and kind of each end, with the condition that it is an error."""

    @property
    def clashes(self) -> Sequence[tuple[int, int, str, Term]]:
        """The same with the condition that the end may not be drawn there."""

    @property
    def consulted(self) -> frozenset[str]:
        """Readings on which the score depends."""

    def state(self, sheet: Any) -> tuple[int, ...]:
        """The state with a board in it."""


@dataclass(frozen=True)
class Points:
    """The score of a board under one choice of readings.

    Attributes:
        parts: Name of a part → its number; `total` is the sum less the errors.
        errors: The ends that are errors.
        clashes: The ends that may not be drawn where they are.
    """

    parts: Mapping[str, int]
    errors: tuple[End, ...]
    clashes: tuple[End, ...]


@dataclass(frozen=True)
class Scored:
    """A board's score.

    Attributes:
        variant: The variant it was scored in.
        points: The score under the readings that the model takes.
        others: Id of a reading and option → the score under it, for each reading that the score depends on.
    """

    variant: str
    points: Points
    others: Mapping[tuple[str, str], Points]


def module(book: Rulebook, name: str = "sheet") -> Any:
    """The module by which a rulebook's boards are read and drawn.

    Errors:
        ModelError: the rulebook has none.
    """
    found = registry.beside(book, name)
    if found is None:
        raise ModelError(
            f"{book.name} has no boards that can be scored",
            hint="railroad_ink has; a rulebook offers it by a module `sheet` beside its rules",
        )
    return found


def points(scorer: Scorer, sheet: Any) -> Points:
    """The score of one board."""
    walk = Walk(scorer.state(sheet))
    return Points(
        {part: walk.value(t) for part, t in scorer.score.items()},
        tuple((c, s, k) for c, s, k, holds in scorer.faults if walk.value(holds)),
        tuple((c, s, k) for c, s, k, holds in scorer.clashes if walk.value(holds)),
    )


def score(book: Rulebook, sheet: Any, variant: str, progress: Progress | None = None) -> Scored:
    """The score of a board under every reading on which it depends, one at a time.

    Args:
        book: The rulebook.
        sheet: The board, as the rulebook's module `sheet` reads it.
        variant: The variant.
        progress: Where to say how far it is.

    Errors:
        ModelError: the rulebook has no boards to score, or the board does not belong to the variant.
    """
    make = module(book).Scorer
    module(book).check_variant(sheet, variant)
    first: Scorer = make(sheet.board, variant)
    asked = [
        (reading, option)
        for id, reading in book.readings.items()
        if id in first.consulted
        for option in reading.options
        if option != reading.default
    ]
    others = {}
    with (progress or SilentProgress()).task(f"{book.name}: readings", len(asked)) as tick:
        for reading, option in asked:
            others[reading.id, option] = points(make(sheet.board, variant, {reading.id: option}), sheet)
            tick(1)
    return Scored(variant, points(first, sheet), others)


def differing(book: Rulebook, scored: Scored) -> list[tuple[Reading, str, Points]]:
    """The readings and options under which some part of the score is another."""
    return [
        (book.readings[id], option, found)
        for (id, option), found in scored.others.items()
        if found.parts != scored.points.parts
    ]
