"""The program as a process of its own, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAIN = [sys.executable, "-c", "from findings.cli import main; main()"]
LIMIT = 120


def environment(**more: str) -> dict[str, str]:
    kept = {
        k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "RULESLAWYER_BASELINE")
    }
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more}


def program(
    *arguments: str | Path, cwd: Path | None = None, answers: bytes = b"", **more: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*MAIN, *map(str, arguments)],
        cwd=cwd or ROOT,
        env=environment(**more),
        input=answers,
        capture_output=True,
        check=False,
        timeout=LIMIT,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
