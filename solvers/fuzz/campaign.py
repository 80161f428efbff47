"""Campaign: fuzz one rulebook for so many runs or so long, and gather what was found.

Promises: each broken property is told once, with the best play that was found for it; a campaign with a seed
or a fixed profile gives the same result each time.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import Phase, Verbosity, __version__, reproduce_failure, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import DidNotReproduce, InvalidArgument
from hypothesis.stateful import run_state_machine_as_test

from models.language.errors import ModelError
from solvers.contract import Progress
from solvers.fuzz.failures import Failure
from solvers.fuzz.log import Log
from solvers.fuzz.machine import RulebookMachine, machine_of
from solvers.fuzz.paste import example_text
from solvers.fuzz.plan import Plan
from solvers.fuzz.profiles import Profile, hypothesis_settings
from solvers.fuzz.shorten import shorten

_SHRINKING = (Phase.shrink, Phase.explain)
#: Runs between two looks at the clock, where the time is limited.
CHUNK = 25


@dataclass(frozen=True)
class Broken:
    """A property that some play breaks, or a hazard that some play meets.

    Attributes:
        failure: The best play found.
        blob: What `hypothesis.reproduce_failure` takes to replay the run that found it ("" if unknown).
    """

    failure: Failure
    blob: str


@dataclass(frozen=True)
class Report:
    """What a campaign found.

    Attributes:
        plan: What was varied.
        broken: What fails, in the order in which it was found.
        log: What was seen on the way.
        runs: How often Hypothesis went through its examples without a failure.
        seconds: Time used.
    """

    plan: Plan
    broken: tuple[Broken, ...]
    log: Log
    runs: int
    seconds: float


def fuzz(
    plan: Plan,
    profile: Profile,
    *,
    number: int | None = None,
    seconds: float | None = None,
    database: Path | None = None,
    base: type[RulebookMachine] = RulebookMachine,
    progress: Progress | None = None,
) -> Report:
    """Fuzz a rulebook.

    Args:
        plan: What is varied.
        profile: How many runs of how many moves.
        number: Seed; the campaign repeats exactly with the same one.
        seconds: Go on, `CHUNK` runs at a time with a further seed each, until so much time has passed.
        database: Folder in which failing runs are kept and from which they are tried first.
        base: The machine's base class.
        progress: Where to say how far it is.

    Returns:
        The report.
    """
    began, log, found = time.monotonic(), Log(), list[Broken]()
    runs, whole = 0, plan
    if seconds is not None:
        profile = replace(profile, examples=min(profile.examples, CHUNK))
    with _task(progress, plan, profile) as tick:
        while True:
            given = None if number is None and not (profile.fixed and runs) else (number or 0) + runs
            try:
                _run(_machine(plan, base, log, tick), profile, given, database)
            except Failure as error:
                found.append(Broken(shorten(plan, error), _blob(error)))
                plan = plan.tolerating(error.what)
                continue
            runs += 1
            if seconds is None or time.monotonic() - began >= seconds:
                break
    return Report(whole, tuple(found), log, runs, time.monotonic() - began)


def check(
    plan: Plan, *, base: type[RulebookMachine] = RulebookMachine, brief: bool = False, **changes: Any
) -> Log:
    """Fuzz a rulebook in a test, under the Hypothesis profile that is loaded.

    Args:
        plan: What is varied.
        base: The machine's base class.
        brief: Tell the play that fails as it was found: for tests that ask only whether one does.
        changes: Settings of Hypothesis that are to differ from the profile's.

    Returns:
        What was seen.

    Errors:
        Failure: a play breaks something; it is the best that was found, and its code is noted. Hypothesis'
            own shrinking is left out: it takes minutes where `shorten` takes seconds.
    """
    machine = machine_of(plan, base=base)
    machine.brief = brief
    phases = [p for p in settings().phases if p not in _SHRINKING]
    try:
        run_state_machine_as_test(machine, settings=settings(**{"phases": phases, **changes}))
    except Failure as error:
        if brief:
            raise
        best = shorten(plan, error)
        best.add_note(example_text(best))
        raise best from None
    return machine.log


def replay(plan: Plan, profile: Profile, blob: str, base: type[RulebookMachine] = RulebookMachine) -> Report:
    """Run one run again.

    Args:
        plan: The plan of the campaign that printed it.
        profile: Its profile.
        blob: What it printed: a Python bytes literal, with or without `b` and quotes.
        base: The machine's base class.

    Errors:
        ModelError: this is no such text, or the run does not fail any more.
    """
    began, machine = time.monotonic(), machine_of(plan, base=base)
    data = blob.strip().removeprefix("b").strip("'\"").encode("ascii", "replace")
    found: list[Broken] = []
    try:
        _run(reproduce_failure(__version__, data)(machine), profile, None, None)
    except Failure as error:
        found.append(Broken(shorten(plan, error), blob))
    except DidNotReproduce as error:
        raise ModelError("the run does not fail any more", hint="fuzz again without --replay") from error
    except InvalidArgument as error:
        raise ModelError(
            "this is not what a campaign of this version prints", hint="copy it whole"
        ) from error
    return Report(plan, tuple(found), machine.log, 1, time.monotonic() - began)


def _machine(
    plan: Plan, base: type[RulebookMachine], log: Log, tick: Callable[[int], None]
) -> type[RulebookMachine]:
    class Counted(base):  # type: ignore[valid-type, misc]
        def begin(self, *arguments: object) -> None:
            tick(1)
            super().begin(*arguments)

    machine = machine_of(plan, base=Counted)
    machine.log = log
    return machine


def _run(machine: type[RulebookMachine], profile: Profile, number: int | None, database: Path | None) -> None:
    chosen = settings(
        hypothesis_settings(profile),
        database=None if database is None else DirectoryBasedExampleDatabase(database),
        derandomize=profile.fixed and number is None and database is None,
        phases=[p for p in Phase if p not in _SHRINKING],
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
    )
    run_state_machine_as_test(machine if number is None else seed(number)(machine), settings=chosen)


def _blob(error: Failure) -> str:
    for text in getattr(error, "__notes__", ()):
        match = re.search(r"reproduce_failure\((.*?), (b'.*?')\)", text)
        if match:
            return match[2]
    return ""


def _task(progress: Progress | None, plan: Plan, profile: Profile):  # type: ignore[no-untyped-def]
    from contextlib import nullcontext

    return (
        nullcontext(lambda n: None) if progress is None else progress.task(plan.book.name, profile.examples)
    )
