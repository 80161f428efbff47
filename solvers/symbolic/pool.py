"""Pool: many questions about one program, side by side on an executor.

Promises: the answers are those of `ask`, one a question, in the order of the questions, also where the time
is over or a worker dies; answers are kept as they come in; on Ctrl-C no worker is left behind. Invariants are
proved once and given to every worker; what a worker cannot build again is asked in this process.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from models.language.errors import ModelError
from models.language.program import Program
from models.language.registry import find
from solvers.contract import Progress, Unknown, Verdict
from solvers.symbolic import packed, serial
from solvers.symbolic.answers import ask, site_goal
from solvers.symbolic.cache import Cache
from solvers.symbolic.goals import Goal
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.session import Invariants

#: Seconds after its budget in which a worker may still answer.
_GRACE = 30.0


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
    goal: packed.Packed
    invariants: tuple[tuple[str, str, Any], ...] | None
    budget_seconds: float
    like: tuple[str, ...] = ()


def answer(job: Job) -> Verdict:
    """Answer a question in a worker."""
    program = job.source.build()
    invariants = None
    if job.invariants is not None:
        kept = tuple(
            Candidate(name, serial.load(term, program), family) for name, family, term in job.invariants
        )
        invariants = Invariants(program.digest, program.size_name, kept, True)
    goal = packed.unpack(job.goal, program)
    return ask(program, goal, invariants=invariants, budget_seconds=job.budget_seconds, like=job.like)


def ask_sites(
    program: Program,
    sites: Sequence[str],
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    executor: Executor | None = None,
    workers: int = 2,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> dict[str, Verdict]:
    """Ask for several sites side by side; see `ask_goals`.

    Returns:
        Site id → verdict.

    Errors:
        ModelError: an unknown site; invariants of another program.
    """
    goals = [site_goal(program, s) for s in sites]
    found = ask_goals(
        program,
        goals,
        invariants=invariants,
        budget_seconds=budget_seconds,
        executor=executor,
        workers=workers,
        progress=progress,
        cache=cache,
    )
    return {s: found[goal.key] for s, goal in zip(sites, goals, strict=True)}


def ask_goals(
    program: Program,
    goals: Sequence[Goal],
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    executor: Executor | None = None,
    workers: int = 2,
    progress: Progress | None = None,
    cache: Cache | None = None,
    like: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Verdict]:
    """Ask several questions side by side.

    Args:
        program: The program.
        goals: What plays shall meet; goals with the same key count once.
        invariants: From `find_invariants`.
        budget_seconds: Time for each answer.
        executor: Where to run; a process pool of `workers` unless given (a Dask client's executor fits).
        workers: Processes of that pool; with 1 everything is asked in this process.
        progress: Where to say how many are answered.
        cache: Where answers are kept between runs, each as soon as it is there.
        like: Key of a goal → names of the rules in a play that meets it at another size, in their order.

    Returns:
        Key of the goal → verdict, in the order of the goals; a question that its worker did not answer is
            `Unknown`.

    Errors:
        ModelError: the invariants are of another program.
    """
    if invariants is not None and invariants.digest != program.digest:
        raise ModelError(
            "the invariants were proved for another program",
            hint="call find_invariants with the program that is asked",
        )
    asked = {goal.key: goal for goal in goals}
    found: dict[str, Verdict] = {}
    task: Any = (
        progress.task(f"{program.book.name}, {program.size_name}: questions", len(asked))
        if progress is not None
        else nullcontext(_nothing)
    )
    with task as tick:
        shapes = {key: tuple(rules) for key, rules in (like or {}).items()}
        for key, verdict in _answers(
            program, asked, invariants, budget_seconds, executor, workers, cache, shapes
        ):
            found[key] = verdict
            tick(1)
    return {key: found[key] for key in asked}


def _answers(
    program: Program,
    asked: Mapping[str, Goal],
    invariants: Invariants | None,
    budget_seconds: float,
    executor: Executor | None,
    workers: int,
    cache: Cache | None,
    like: Mapping[str, tuple[str, ...]],
) -> Iterator[tuple[str, Verdict]]:
    """The answers as they come: those that are kept, those of workers, and the rest."""
    known = {key: cache.verdict(program, key) if cache is not None else None for key in asked}
    yield from ((key, verdict) for key, verdict in known.items() if verdict is not None)
    waiting = [key for key, verdict in known.items() if verdict is None]
    jobs = _jobs(program, {k: asked[k] for k in waiting}, invariants, budget_seconds, like)
    if executor is None and (workers < 2 or len(jobs) < 2):
        jobs = {}
    if jobs:
        with nullcontext(executor) if executor is not None else _pool(min(workers, len(jobs))) as pool:
            for key, verdict in _of_workers(pool, jobs, workers, budget_seconds):
                if cache is not None:
                    cache.keep(program, key, verdict)
                yield key, verdict
    for key in waiting:
        if key not in jobs:
            yield (
                key,
                ask(
                    program,
                    asked[key],
                    invariants=invariants,
                    budget_seconds=budget_seconds,
                    cache=cache,
                    like=like.get(key, ()),
                ),
            )


def _jobs(
    program: Program,
    asked: Mapping[str, Goal],
    invariants: Invariants | None,
    budget_seconds: float,
    like: Mapping[str, tuple[str, ...]],
) -> dict[str, Job]:
    """The questions that another process can be given."""
    try:
        source = Source.of(program)
        source.build()
    except ModelError:
        return {}
    kept = None
    if invariants is not None and invariants.complete:
        kept = tuple((c.name, c.family, serial.dump(c.term)) for c in invariants.kept)
    goals = {key: packed.pack(goal) for key, goal in asked.items()}
    return {
        k: Job(source, goal, kept, budget_seconds, like.get(k, ()))
        for k, goal in goals.items()
        if goal is not None
    }


@contextmanager
def _pool(workers: int) -> Iterator[Executor]:
    """A process pool that leaves no worker behind, however it is left."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_deaf)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    pool.shutdown(wait=False, cancel_futures=True)
    for child in set(multiprocessing.active_children()) - others:
        child.join(1.0)
        if child.is_alive():  # a question that does not hear its deadline
            child.terminate()


def _deaf() -> None:
    """A worker leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _of_workers(
    pool: Executor, jobs: Mapping[str, Job], workers: int, budget_seconds: float
) -> Iterator[tuple[str, Verdict]]:
    until = time.monotonic() + budget_seconds * -(-len(jobs) // workers) + _GRACE
    futures = {pool.submit(answer, job): key for key, job in jobs.items()}
    waiting = set(futures)
    try:
        for future in as_completed(futures, timeout=until - time.monotonic()):
            waiting.discard(future)
            yield futures[future], _result(future)
    except TimeoutError:
        for future in sorted(waiting, key=lambda f: list(jobs).index(futures[f])):
            future.cancel()
            yield futures[future], Unknown("the time is over", "its worker did not answer")


def _result(future: Future[Verdict]) -> Verdict:
    try:
        return future.result()
    except BrokenExecutor:
        return Unknown("its worker process died", "perhaps it ran out of memory")


def _nothing(count: int) -> None:
    """Where nobody wants to know."""


__all__ = ["Job", "Source", "answer", "ask_goals", "ask_sites"]
