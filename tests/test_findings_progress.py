"""Progress: silent unless a person waits at a terminal."""

from __future__ import annotations

import io
import threading
import time

import pytest
from rich.console import Console

from findings.progress import Progress, SilentProgress, TerminalProgress


def terminal() -> tuple[Console, io.StringIO]:
    screen = io.StringIO()
    return Console(file=screen, force_terminal=True, width=80, _environ={"TERM": "xterm"}), screen


def wait_for(screen: io.StringIO, text: str) -> bool:
    deadline = time.monotonic() + 10
    while text not in screen.getvalue():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_silent_progress_takes_ticks(capsys: pytest.CaptureFixture[str]) -> None:
    progress: Progress = SilentProgress()
    with progress.task("exploring", total=3) as tick:
        tick()
        tick(2)
    assert capsys.readouterr() == ("", "")


def test_nothing_is_written_where_there_is_no_terminal() -> None:
    screen = io.StringIO()
    with TerminalProgress(Console(file=screen), patience=0.0).task("exploring") as tick:
        tick(5)
        time.sleep(0.1)
    assert screen.getvalue() == ""


def test_nothing_is_written_on_a_terminal_that_cannot_move_its_cursor() -> None:
    screen = io.StringIO()
    dumb = Console(file=screen, force_terminal=True, _environ={"TERM": "dumb"})
    with TerminalProgress(dumb, patience=0.0).task("exploring"):
        time.sleep(0.1)
    assert screen.getvalue() == ""


def test_nothing_is_written_for_work_that_is_soon_done() -> None:
    console, screen = terminal()
    with TerminalProgress(console, patience=60.0).task("exploring") as tick:
        tick()
    assert screen.getvalue() == ""


def test_a_person_who_waits_sees_the_tasks_and_then_an_empty_screen() -> None:
    console, screen = terminal()
    progress = TerminalProgress(console, patience=0.05)
    with (
        progress.task("exploring \x1b[31m[bold]orchard", total=4) as outer,
        progress.task("proving") as inner,
    ):
        outer(3)
        inner()
        assert wait_for(screen, "exploring \\x1b[31m[bold]orchard")
        assert wait_for(screen, "proving")
    hide_cursor, show_cursor, clear_line = "\x1b[?25l", "\x1b[?25h", "\x1b[2K"
    assert screen.getvalue().count(hide_cursor) == screen.getvalue().count(show_cursor) == 1
    assert screen.getvalue().endswith(f"{clear_line}{show_cursor}\r")


def test_short_tasks_in_a_row_share_the_patience() -> None:
    console, screen = terminal()
    progress = TerminalProgress(console, patience=0.2)
    for _ in range(3):
        with progress.task("first"):
            time.sleep(0.1)
    with progress.task("last"):
        assert wait_for(screen, "last")


def test_a_task_ends_after_an_error() -> None:
    console, screen = terminal()
    progress = TerminalProgress(console, patience=60.0)
    with pytest.raises(KeyboardInterrupt), progress.task("exploring"):
        raise KeyboardInterrupt
    assert screen.getvalue() == ""
    for timer in (thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)):
        timer.join(timeout=10)
        assert not timer.is_alive()


def test_tasks_may_begin_in_several_threads() -> None:
    console, _screen = terminal()
    progress = TerminalProgress(console, patience=0.0)

    def work() -> None:
        for _ in range(20):
            with progress.task("exploring") as tick:
                tick()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
