"""Progress of long work, for whoever waits at a terminal.

Promises: an engine reports through the small protocol `Progress` and knows nothing of terminals; nothing
is shown unless a person is looking and has waited for two seconds, and nothing stays on the screen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from findings.text import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Display
    from rich.progress import TaskID

PATIENCE = 2.0
"""Seconds of work before anything is shown."""


class Tick(Protocol):
    """Reports that some of a task's work is done."""

    def __call__(self, n: int = 1, /) -> None:
        """Report `n` more units of work."""


class Progress(Protocol):
    """Where work reports how far it is: `with progress.task("exploring", total=9) as tick: tick(1)`."""

    def task(self, text: str, total: int | None = None) -> AbstractContextManager[Tick]:
        """Begin a task; leaving the context ends it, also after an error.

        Args:
            text: what is done, in a few words.
            total: units of work in all; None if that is not known beforehand.
        """


class SilentProgress:
    """Shows nothing."""

    @contextmanager
    def task(self, text: str, total: int | None = None) -> Iterator[Tick]:
        """Begin a task that nobody watches."""

        def tick(n: int = 1, /) -> None:
            pass

        yield tick


class TerminalProgress:
    """Shows the running tasks on a terminal; tasks may be nested and may be begun from any thread.

    Args:
        console: where; if it is no terminal, nothing is shown.
        patience: seconds after the begin of the first task before anything is shown.
    """

    def __init__(self, console: Console, patience: float = PATIENCE) -> None:
        self._console = console
        self._patience = patience
        self._lock = threading.RLock()
        self._began: float | None = None
        self._display: Display | None = None
        self._timer: threading.Timer | None = None
        self._running = 0

    @contextmanager
    def task(self, text: str, total: int | None = None) -> Iterator[Tick]:
        """Begin a task; see `Progress.task`."""
        if not self._console.is_interactive:
            with SilentProgress().task(text, total) as tick:
                yield tick
            return
        display, task = self._begin(printable(text), total)

        def advance(n: int = 1, /) -> None:
            display.advance(task, n)

        try:
            yield advance
        finally:
            self._end(display, task)

    def _begin(self, text: str, total: int | None) -> tuple[Display, TaskID]:
        with self._lock:
            self._began = time.monotonic() if self._began is None else self._began
            if self._display is None:
                self._display = self._new_display()
            display = self._display
            self._running += 1
            if self._running == 1:
                left = self._patience - (time.monotonic() - self._began)
                self._timer = threading.Timer(max(left, 0.0), self._show, [display])
                self._timer.daemon = True
                self._timer.start()
            return display, display.add_task(text, total=total)

    def _show(self, display: Display) -> None:
        with self._lock:
            if display is self._display:
                display.start()

    def _end(self, display: Display, task: TaskID) -> None:
        with self._lock:
            display.remove_task(task)
            self._running -= 1
            if self._running:
                return
            if self._timer is not None:
                self._timer.cancel()
            if display.live.is_started:
                display.stop()
            self._display = self._timer = None

    def _new_display(self) -> Display:
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Display

        return Display(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.completed:,.0f}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
