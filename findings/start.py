"""The entry point of `ruleslawyer`: an interrupt ends the program quietly even while it is being loaded."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Load the program, run it and end the process; 130 where the user interrupts."""
    try:
        from findings.cli import main as loaded

        loaded()
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
        sys.exit(130)
