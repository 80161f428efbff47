"""The program as a process: colours, signals, pipes, how fast its help comes, completion."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.small_books import orchard
from tests.small_program import LIMIT, MAIN, ROOT, environment, program


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rulebook that the tests of this module only read."""
    return orchard(tmp_path_factory.mktemp("cli") / "orchard", "clash", "stuck")


# --- the terminal -------------------------------------------------------------------------------------


def _on_a_terminal(arguments: list[str], **more: str) -> str:
    """What the program writes to a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*MAIN, *arguments],
        cwd=ROOT,
        env=environment(TERM="xterm-256color", COLUMNS="100", **more),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    ) as process:
        os.close(follower)
        parts, until = [], time.monotonic() + LIMIT
        while time.monotonic() < until:
            if not select.select([leader], [], [], 1)[0]:
                continue
            try:
                part = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        process.wait(LIMIT)
    os.close(leader)
    return b"".join(parts).decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*(?<![0-9])(?:3[0-8]|4[0-8]|9[0-7])(?![0-9])[0-9;]*m")


def test_colours_follow_no_color(book: Path) -> None:
    arguments = ["audit", str(book), "--variant", "day"]
    coloured, plain = _on_a_terminal(arguments), _on_a_terminal(arguments, NO_COLOR="1")
    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    bare = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\d+\.\d s", "", text) for text in (coloured, plain)]
    assert bare[0] == bare[1]
    assert "\x1b" not in program("audit", book, "--variant", "day").stdout


# --- signals and pipes --------------------------------------------------------------------------------

_LONG = '''
"""A game without end, which says when it is loaded."""
from pathlib import Path
import attrs
from models.language import Range, Rulebook, Size, State, player

@attrs.frozen(kw_only=True)
class Big(Size):
    pass

book = Rulebook("long", sizes={"big": Big()}, clauses=("c",))

@book.state
class Table(State):
    a = Range(0, 999)
    b = Range(0, 999)
    c = Range(0, 999)

@book.rule("c", by=player(lambda t: 0), n=3)
def step(t, n):
    for k, cell in enumerate("abc"):
        with t.when(n == k):
            setattr(t, cell, (getattr(t, cell) + 1) % 1000)

Path(__file__).with_name("loaded").touch()
'''


def _interrupted(arguments: list[str], ready: Path, before: Mapping[Path, bytes]) -> None:
    with subprocess.Popen(
        [*MAIN, *arguments],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        until = time.monotonic() + LIMIT
        while not ready.exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, error = process.stdout, process.stderr
        assert out is not None
        assert error is not None
        assert process.wait(LIMIT) == 130
        assert b"Traceback" not in out.read()
        assert error.read().strip() == b"stopped"
    for path, data in before.items():
        assert path.read_bytes() == data


def test_ctrl_c_while_the_program_is_loaded_is_quiet() -> None:
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'findings.cli.flow':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from findings.start import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "list"],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        check=False,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"stopped\n")


def test_ctrl_c_stops_an_audit_and_leaves_earlier_output_alone(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(_LONG, encoding="utf-8")
    report = tmp_path / "report.txt"
    report.write_bytes(b"yesterday")
    arguments = ["audit", str(tmp_path / "rules.py"), "-o", str(report), "--accept"]
    _interrupted(arguments, tmp_path / "loaded", {report: b"yesterday"})
    assert not (tmp_path / "accepted").exists()


def test_ctrl_c_stops_a_play(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(_LONG, encoding="utf-8")
    _interrupted(["play", str(tmp_path / "rules.py")], tmp_path / "loaded", {})


@pytest.mark.parametrize("command", ["audit", "play"])
def test_a_reader_that_stops_reading_ends_the_program_quietly(book: Path, command: str) -> None:
    more = ["--random", "--seed", "1"] if command == "play" else ["--output-format", "json"]
    with subprocess.Popen(
        [*MAIN, command, str(book), *more],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read().decode()
        code = process.wait(LIMIT)
    assert code == 141
    assert "Traceback" not in error
    assert "BrokenPipe" not in error


# --- help and completion ------------------------------------------------------------------------------


def _cpu(command: list[str]) -> float:
    """Seconds of processor time that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, check=True, timeout=LIMIT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_takes_no_more_than_a_few_times_what_python_itself_takes() -> None:
    """0.3 s where Python itself starts in 12 ms; processor time, so that a busy machine does not matter."""
    python = min(_cpu([sys.executable, "-c", "pass"]) for _ in range(5))
    program = min(_cpu([*MAIN, "--help"]) for _ in range(5))
    assert program / python < 25


def _completed(*words: str) -> list[str]:
    line = ["ruleslawyer", *words]
    done = program(
        _RULESLAWYER_COMPLETE="bash_complete", COMP_WORDS=" ".join(line), COMP_CWORD=str(len(line) - 1)
    )
    assert done.stderr == ""
    return [entry.split(",", 1)[1] for entry in done.stdout.splitlines() if "," in entry]


def test_the_shell_completes_commands_and_names() -> None:
    assert {"audit", "clauses", "explain", "list", "play", "show"} <= set(_completed(""))
    assert _completed("pl") == ["play"]
    assert "fly_high" in _completed("audit", "fly")
