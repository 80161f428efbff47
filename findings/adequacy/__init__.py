"""Adequacy: how many small changes of the rules the properties, examples and recorded findings would notice.

Promises: the score counts non-equivalent mutants only; what a limit left undecided counts as survived.
Mutation score after DeMillo, Lipton and Sayward (1978).
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache

from attrs import frozen

from findings.adequacy.trial import Court, Outcome
from findings.progress import Progress, SilentProgress
from models.language import registry
from models.language.book import Rulebook
from solvers.fuzz.mutants import Mutation, sample

_CHUNK = 4


@frozen
class Adequacy:
    """The trial of one variant.

    Attributes:
        rulebook: The rulebook's name.
        variant: The variant.
        outcomes: What became of each mutant, in the order of the rules.
    """

    rulebook: str
    variant: str
    outcomes: tuple[Outcome, ...]

    def count(self, how: str) -> int:
        """How many mutants ended so."""
        return sum(o.how == how for o in self.outcomes)

    @property
    def tried(self) -> int:
        """Mutants that change play, as far as is known."""
        return len(self.outcomes) - self.count("equivalent")

    @property
    def score(self) -> float:
        """The share of them that was noticed, 0.0 … 1.0; 1.0 if there is none."""
        return self.count("killed") / self.tried if self.tried else 1.0

    @property
    def by(self) -> Counter[str]:
        """What noticed how many."""
        return Counter(o.by for o in self.outcomes if o.how == "killed")


def adequacy(
    book: Rulebook,
    variant: str,
    *,
    most: int | None = None,
    seed: int = 0,
    workers: int = 2,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Adequacy:
    """Try the mutants of one variant.

    Args:
        book: The rulebook; with more than one worker it must lie in a folder.
        variant: The variant.
        most: How many mutants, spread over rules and operators; all unless given.
        seed: Of that choice.
        workers: Processes.
        executor: Where to run instead of a pool of `workers`.
        progress: Where to say how far it is.
    """
    court, told = Court(book, variant), progress or SilentProgress()
    chosen = court.mutations if most is None else sample(court.mutations, most, seed)
    with told.task(f"{book.name}, {variant}: mutants", len(chosen)) as tick:
        outcomes = []
        for found in _tried(court, [m.id for m in chosen], workers, executor):
            outcomes += found
            tick(len(found))
    return Adequacy(book.name, variant, tuple(outcomes))


def _tried(
    court: Court, ids: Sequence[str], workers: int, executor: Executor | None
) -> Iterator[list[Outcome]]:
    folder = court.book.folder
    if folder is None or (executor is None and workers <= 1):
        known = {m.id: m for m in court.mutations}
        yield from ([court.outcome(known[id])] for id in ids)
        return
    chunks = [ids[n : n + _CHUNK] for n in range(0, len(ids), _CHUNK)]
    pool = executor or ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))
    try:
        jobs = [pool.submit(_chunk, str(folder), court.variant, tuple(chunk)) for chunk in chunks]
        yield from (job.result() for job in jobs)
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)


def _chunk(folder: str, variant: str, ids: tuple[str, ...]) -> list[Outcome]:
    """Some mutants in a worker, which builds the rulebook once."""
    court, known = _court(folder, variant)
    return [court.outcome(known[id]) for id in ids]


@cache
def _court(folder: str, variant: str) -> tuple[Court, dict[str, Mutation]]:
    court = Court(registry.find(folder), variant)
    return court, {m.id: m for m in court.mutations}


__all__ = ["Adequacy", "Outcome", "adequacy"]
