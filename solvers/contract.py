"""The contract of all engines: questions in, verdicts out.

Promises: an answer that a limit cut off is `Unknown`, never a pass; a witness is a list of instance
labels from the setup, and nobody sees it before the interpreter has replayed it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

Tick = Callable[[int], None]


class Progress(Protocol):
    """Where long work says how far it is."""

    def task(self, text: str, total: int | None = None) -> AbstractContextManager[Tick]:
        """Open a task; call what it yields with the number of items done since the last call."""


@dataclass(frozen=True)
class Limits:
    """When an exhaustive search gives up.

    Attributes:
        states: Most states to store.
        seconds: Most seconds to run.
        memory: Most bytes for states, or None.
    """

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Play:
    """A play from the setup.

    Attributes:
        labels: Instance labels in order; the last one is the step in which the thing asked for happened.
        shortest: Whether no shorter play does it.
    """

    labels: tuple[str, ...]
    shortest: bool = True


@dataclass(frozen=True)
class Refuted:
    """There is a play that does it (or breaks it)."""

    witness: Play


@dataclass(frozen=True)
class Unknown:
    """Not answered.

    Attributes:
        reason: Which limit was met.
        bound: How far the search got, in words that name the measure (`depth 12`, `100000 states`).
    """

    reason: str
    bound: str


@dataclass(frozen=True)
class Proved:
    """It cannot happen (or always holds) within the scope.

    Attributes:
        scope: The size and the method, for instance `small, all 41273 reachable states`.
    """

    scope: str


Verdict = Refuted | Unknown | Proved
