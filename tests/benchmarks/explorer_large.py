"""A run past 100 million states within 4 GiB, and how long a first size takes from a cold and a warm cache.

    python tests/benchmarks/explorer_large.py [large] [starts] [--json]

`large` searches Fly High with 4 spots, 2 players and 11 cards, every property of the rulebook checked, within
a limit of 4 GiB; about 30 s of processor time and 2.2 GiB. `starts` traces, generates, compiles and explores
Fly High's first size in a new process each time: once with an empty cache, then with the one that it left.
Marks: 100 million states within 4 GiB resident; under 2 s cold, under 0.7 s warm, by the clock, the start of
Python included. Both run unless one is named; a mark that is missed ends the script with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

Row = dict[str, float]
#: Most bytes resident, and the fewest states that count.
MEMORY, STATES = 4 << 30, 100_000_000
#: Most seconds from an empty and from a filled cache.
COLD, WARM = 2.0, 0.7
#: Runs of each start, of which the best counts: the machine may have other work.
_RUNS = 3


def large() -> Row:
    """The large search; runs in a process of its own."""
    from models.fly_high.cards import FlyHigh
    from models.language import registry
    from properties.kinds import of
    from solvers.contract import Limits
    from solvers.explorer import explore

    book = registry.find("fly_high")
    program = book.build(FlyHigh(spots=4, cards="10*3 20*3 30*2 R U F", die=(2, 3)), "basic")
    limits = Limits(memory=MEMORY)
    found = explore(program, list(of(book).of("basic")), limits=limits, engine="native")
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "states": found.states,
        "transitions": found.transitions,
        "depth": found.depth,
        "complete": found.complete,
        "cpu": used.ru_utime + used.ru_stime,
        "resident": used.ru_maxrss * 1024,
    }


def start() -> Row:
    """The first size in this process, as it comes."""
    from models.language import registry
    from properties.kinds import of
    from solvers.explorer import explore

    book = registry.find("fly_high")
    found = explore(book.build("small", "basic"), list(of(book).of("basic")), engine="native")
    return {"states": found.states}


def child(what: str, cache: str) -> Row:
    """What a new process finds, with the seconds that it took by the clock."""
    began = time.monotonic()
    out = subprocess.run(
        [sys.executable, __file__, "--child", what],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "RULESLAWYER_CACHE": cache},
    )
    wall = time.monotonic() - began
    row: Row = json.loads(out.stdout)
    return {**row, "wall": wall}


def starts() -> dict[str, Row]:
    """The best start from an empty cache, and the best from a filled one."""
    cold, warm = list[Row](), list[Row]()
    for _ in range(_RUNS):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(child("start", cache))
            warm.append(child("start", cache))
    return {
        "cold": min(cold, key=lambda row: row["wall"]),
        "warm": min(warm, key=lambda row: row["wall"]),
    }


def main() -> int:
    """Print the measurements; 1 if a mark is missed."""
    parser = argparse.ArgumentParser(description="a large search, and cold and warm starts")
    parser.add_argument("names", nargs="*", help="of large, starts; both unless given")
    parser.add_argument("--json", action="store_true", help="numbers only, as JSON")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        sys.stdout.write(json.dumps(large() if given.child == "large" else start()))
        return 0
    if unknown := [n for n in given.names if n not in ("large", "starts")]:
        parser.error(f"no measurement {unknown[0]!r}; there are large, starts")
    names, results, missed = given.names or ["large", "starts"], dict[str, Row](), list[str]()
    if "large" in names:
        with tempfile.TemporaryDirectory() as cache:
            results["large"] = row = child("large", cache)
        if row["states"] < STATES or row["resident"] > MEMORY or not row["complete"]:
            missed.append("large")
        if not given.json:
            sys.stdout.write(
                f"large: {row['states']:,.0f} states, {row['transitions']:,.0f} transitions, depth "
                f"{row['depth']:.0f}, {'exhaustive' if row['complete'] else 'cut off'}\n"
                f"  {row['wall']:.1f} s ({row['cpu']:.1f} s of processor time), "
                f"{row['resident'] / (1 << 20):,.0f} MiB resident, "
                f"{row['resident'] / row['states']:.1f} bytes/state\n"
            )
    if "starts" in names:
        made = starts()
        results |= made
        missed += [n for n, most in (("cold", COLD), ("warm", WARM)) if made[n]["wall"] >= most]
        if not given.json:
            for name, row in made.items():
                sys.stdout.write(f"{name}: {row['wall']:.2f} s to {row['states']:,.0f} states\n")
    if given.json:
        sys.stdout.write(json.dumps(results, indent=2) + "\n")
    if missed:
        sys.stderr.write(f"missed: {', '.join(missed)}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
