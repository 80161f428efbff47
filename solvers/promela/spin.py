"""Running SPIN on an exported program, for comparison; needs `spin` and a C compiler on the path.

Promise: the numbers are SPIN's own, read from its report; a search that did not finish is an error.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.language.program import Program
from properties.kinds import Property
from solvers.promela.export import export

#: The directives of SPIN's fastest exhaustive search of safety.
FASTEST = ("-O2", "-DSAFETY", "-DNOREDUCE")


class SpinError(RuntimeError):
    """SPIN, the compiler or the verifier failed; the message is what they said."""


@dataclass(frozen=True)
class SpinResult:
    """What the verifier reported.

    Attributes:
        states: States stored.
        transitions: Steps taken, those included with which the model waits where the game is over.
        errors: Deadlocks and failed assertions, one for each state that has one.
        reached: Ids of the sites that some step came by.
        broken: Names of the properties that fail.
        met: Names of the states to be reached that were.
        seconds: Time of the search by the clock; compiling is left out.
        cpu: Processor time of the search.
        memory: Most bytes resident, the search stack included.
        stored: Bytes that SPIN says its states and their table take.
    """

    states: int
    transitions: int
    errors: int
    reached: frozenset[str]
    broken: frozenset[str]
    met: frozenset[str]
    seconds: float
    cpu: float
    memory: int
    stored: int


def available() -> bool:
    """Whether SPIN and a compiler are installed."""
    return bool(shutil.which("spin") and shutil.which("gcc"))


def check(
    program: Program,
    properties: Sequence[Property] = (),
    *,
    record: bool = True,
    depth: int = 1_000_000,
    table: int = 20,
    optimise: bool = False,
) -> SpinResult:
    """Let SPIN search a program exhaustively.

    Args:
        program: The built rulebook.
        properties: Properties of states and steps.
        record: Whether sites and properties are recorded; see `export`.
        depth: Most steps of a play (`-m`).
        table: Logarithm of the size of the hash table (`-w`).
        optimise: Compile for speed, which itself takes seconds; for measuring.

    Errors:
        SpinError: a tool is missing or fails, or the search was cut off.
        Unexportable: see `export`.
    """
    text = export(program, properties, record=record)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.pml").write_text(text, "utf-8")
        _run(["spin", "-o1", "-o2", "-a", "model.pml"], folder)  # no variable is left out of the state
        flags = FASTEST if optimise else ("-O0", *FASTEST[1:])
        _run(["gcc", *flags, "-w", "-o", "pan", "pan.c"], folder)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        out, memory = _measured(["./pan", f"-m{depth}", f"-w{table}", "-c0", "-n"], folder)
        seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if "max search depth too small" in out or ("Search not completed" in out and "errors: 0" in out):
        raise SpinError("the search was cut off: allow more depth")
    return SpinResult(
        _number(r"(\d+) states, stored", out),
        _number(r"(\d+) transitions", out) - 1,
        _number(r"errors: (\d+)", out),
        *_named(out),
        seconds,
        cpu,
        memory,
        _stored(out),
    )


def _named(out: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    found: Mapping[str, set[str]] = {"reached": set(), "broken": set(), "met": set()}
    for line in out.splitlines():
        word, _, name = line.partition(" ")
        if word in found:
            found[word].add(name)
    return frozenset(found["reached"]), frozenset(found["broken"]), frozenset(found["met"])


def _number(pattern: str, out: str) -> int:
    found = re.search(pattern, out)
    if found is None:
        raise SpinError(f"the verifier's report cannot be read: {out.strip()[:300]}")
    return int(float(found[1]))


def _stored(out: str) -> int:
    """Bytes of states and hash table, from the report's megabytes."""
    sizes = [
        re.search(rf"([\d.]+)\t(?:{what})", out)
        for what in ("actual memory usage for states", "memory used for hash table")
    ]
    return int(sum(float(s[1]) for s in sizes if s) * (1 << 20))


def _run(command: Sequence[str], folder: str) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise SpinError(f"{command[0]} is not installed") from error
    if done.returncode:
        raise SpinError(f"{command[0]}: {(done.stderr or done.stdout).strip()[:500]}")
    return done.stdout


def _measured(command: Sequence[str], folder: str) -> tuple[str, int]:
    """Run a command; its output and the most memory it had resident."""
    import os

    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        _, _, used = os.wait4(child.pid, 0)
        child.returncode = 0
        out.seek(0)
        return out.read(), used.ru_maxrss * 1024
