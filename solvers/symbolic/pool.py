"""Pool: many questions about one program, side by side on an executor.

Promises: the answers are those of `ask`, one a question, in the order of the questions; invariants are proved
once and given to every worker; a program that a worker cannot build again is asked in this process.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from models.language.errors import ModelError
from models.language.program import Program
from models.language.registry import find
from solvers.contract import Progress, Verdict
from solvers.symbolic import serial
from solvers.symbolic.answers import ask, site_goal
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.session import Invariants


@dataclass(frozen=True)
class Source:
    """How to build a program again in another process.

    Attributes:
        book: Name or path for the registry.
        size: The size's name, or the size itself.
        variant: The variant.
        readings: Readings and their options.
        rulings: Rulings that are applied.
        digest: What the built program must have.
    """

    book: str
    size: Any
    variant: str
    readings: tuple[tuple[str, str], ...]
    rulings: tuple[str, ...]
    digest: str

    @classmethod
    def of(cls, program: Program) -> Source:
        """The source of a program.

        Errors:
            ModelError: its rulebook does not lie in a folder.
        """
        if program.book.folder is None:
            raise ModelError(f"rulebook {program.book.name} has no folder to be loaded from")
        size = program.size_name if program.size_name in program.book.sizes else program.size
        return cls(
            str(program.book.folder),
            size,
            program.variant,
            tuple(sorted(program.readings.items())),
            program.rulings,
            program.digest,
        )

    def build(self) -> Program:
        """The program.

        Errors:
            ModelError: it cannot be built, or is not the same.
        """
        return _build(self)


@lru_cache(maxsize=4)
def _build(source: Source) -> Program:
    built = find(source.book).build(source.size, source.variant, dict(source.readings), source.rulings)
    if built.digest != source.digest:
        raise ModelError(
            f"{source.book} gives another program in this process", hint="do not change it meanwhile"
        )
    return built


@dataclass(frozen=True)
class Job:
    """One question for a worker."""

    source: Source
    site: str
    invariants: tuple[tuple[str, str, Any], ...] | None
    budget_seconds: float


def answer(job: Job) -> Verdict:
    """Answer a question in a worker."""
    program = job.source.build()
    invariants = None
    if job.invariants is not None:
        kept = tuple(
            Candidate(name, serial.load(term, program), family) for name, family, term in job.invariants
        )
        invariants = Invariants(program.digest, program.size_name, kept, True)
    return ask(
        program, site_goal(program, job.site), invariants=invariants, budget_seconds=job.budget_seconds
    )


def ask_sites(
    program: Program,
    sites: Sequence[str],
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    executor: Executor | None = None,
    workers: int = 2,
    progress: Progress | None = None,
) -> dict[str, Verdict]:
    """Ask for several sites side by side.

    Args:
        program: The program.
        sites: Site ids.
        invariants: From `find_invariants`.
        budget_seconds: Time for each answer.
        executor: Where to run; a process pool of `workers` unless given (a Dask client's executor fits).
        workers: Processes of that pool.
        progress: Where to say how many are answered.

    Returns:
        Site id → verdict.

    Errors:
        ModelError: an unknown site.
    """
    for site in sites:
        site_goal(program, site)
    try:
        source = Source.of(program)
        source.build()
    except ModelError:
        return {
            s: ask(
                program,
                site_goal(program, s),
                invariants=invariants,
                budget_seconds=budget_seconds,
                progress=progress,
            )
            for s in sites
        }
    known = None
    if invariants is not None and invariants.complete:
        known = tuple((c.name, c.family, serial.dump(c.term)) for c in invariants.kept)
    jobs = [Job(source, s, known, budget_seconds) for s in sites]
    if executor is not None:
        return _run(executor, jobs, sites, progress)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        return _run(pool, jobs, sites, progress)


def _run(
    executor: Executor, jobs: Sequence[Job], sites: Sequence[str], progress: Progress | None
) -> dict[str, Verdict]:
    futures = [executor.submit(answer, job) for job in jobs]
    task: Any = progress.task("sites", len(jobs)) if progress is not None else nullcontext(_nothing)
    with task as tick:
        found = {}
        for site, future in zip(sites, futures, strict=True):
            found[site] = future.result()
            tick(1)
    return found


def _nothing(count: int) -> None:
    """Where nobody wants to know."""


__all__ = ["Job", "Source", "answer", "ask_sites"]
