"""What the symbolic engine and the explorer say of every site and property of the rulebooks, as a table.

    python tests/benchmarks/symbolic_agreement.py [NAMES] [--small] [--json] [--budget SECONDS]

NAMES are rulebooks, all of them unless given. Each variant is asked at a tiny size, with `--small` at a
declared one instead (`tests/conformance/both_engines.py` says which). Every question is asked once, with Z3
and the interpreter alone. A disagreement ends the script with 1, and is named below the table.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.conformance.both_engines import MOST_UNKNOWN, SMALL, TINY, Row, compare

#: Heading → width of its column.
COLUMNS = {
    "rulebook": 22,
    "variant": 10,
    "size": 16,
    "states": 7,
    "invariants": 11,
    "questions": 10,
    "refuted": 8,
    "shortest": 9,
    "proved": 7,
    "unknown": 8,
    "disagreements": 14,
    "cpu": 7,
}


def cells(row: Row, cpu: float) -> dict[str, Any]:
    """A row by its headings."""
    case = row.case
    return {
        "rulebook": case.book,
        "variant": case.variant,
        "size": case.name,
        "states": row.states,
        "invariants": row.invariants,
        "questions": row.questions,
        "refuted": row.refuted,
        "shortest": row.shortest,
        "proved": row.proved,
        "unknown": len(row.unknown),
        "disagreements": len(row.disagreements),
        "cpu": round(cpu, 1),
    }


def line(values: dict[str, Any]) -> str:
    """A row for people: words to the left, numbers to the right."""
    return " ".join(
        f"{v:<{COLUMNS[k]}}"
        if isinstance(v, str) and k in ("rulebook", "variant", "size")
        else f"{v:>{COLUMNS[k]}}"
        for k, v in values.items()
    )


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(argv: Sequence[str] | None = None) -> int:
    """Ask, print, and return 0 if both engines agree, else 1."""
    parser = argparse.ArgumentParser(description="Symbolic engine and explorer, side by side.")
    parser.add_argument("names", nargs="*", metavar="NAMES", help="rulebooks (default: all)")
    parser.add_argument(
        "--small", action="store_true", help="a declared size of each variant, not a tiny one"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for each question")
    chosen = parser.parse_args(argv)
    if unknown := set(chosen.names) - set(MOST_UNKNOWN):
        parser.error(f"no such rulebook: {', '.join(sorted(unknown))}; choose from {', '.join(MOST_UNKNOWN)}")
    rows: list[tuple[Row, float]] = []
    if not chosen.json:
        say(line({k: k for k in COLUMNS}))
    for case in SMALL if chosen.small else TINY:
        if chosen.names and case.book not in chosen.names:
            continue
        began = time.process_time()
        row = compare(case, budgets=[chosen.budget])
        rows.append((row, time.process_time() - began))
        if not chosen.json:
            say(line(cells(*rows[-1])))
    told = [f"{row.case.id}: {text}" for row, _ in rows for text in row.disagreements]
    if chosen.json:
        found = [
            {**cells(row, cpu), "undecided": row.unknown, "told": row.disagreements} for row, cpu in rows
        ]
        say(json.dumps({"budget": chosen.budget, "rows": found}, indent=1))
    else:
        for text in told:
            say(text)
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
