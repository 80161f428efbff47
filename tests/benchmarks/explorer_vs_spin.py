"""Speed and memory of the native explorer beside SPIN's, on sizes of millions of states.

    python tests/benchmarks/explorer_vs_spin.py [NAME …] [--json] [--bare] [--repeat N]

Both search the same program exhaustively and must find the same states and transitions. Ours runs with all
that an audit asks for (sites, plays, coverage, stuck states, every property of the rulebook; `--bare` leaves
the properties out); SPIN runs in its fastest exhaustive mode (`-O2 -DSAFETY -DNOREDUCE`, with `-w` and `-m`
set for the model) on a model that records nothing. Speeds are states per second of processor time, as both
use one core and the machine may have other work, the best of some runs; memory is what each process has
resident at most beyond what it had before the search. Compiling is left out on both sides.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

Row = dict[str, float]
Build = Callable[[], tuple[Any, Any]]


def _named(book: str, size: str, variant: str = "", copies: int = 0, **changes: Any) -> Build:
    """A size of a rulebook, perhaps changed, so many more copies of each card among the changes."""

    def build() -> tuple[Any, Any]:
        import attrs

        from models.language import registry
        from properties.kinds import of

        found = registry.find(book)
        chosen: Any = found.sizes[size]
        if copies:
            changes["cards"] = tuple(attrs.evolve(c, count=c.count + copies) for c in chosen.cards)
        program = found.build(attrs.evolve(chosen, **changes) if changes else chosen, variant or None)
        return program, list(of(found).of(program.variant))

    return build


#: Name → program and properties.
MODELS: Mapping[str, Build] = {
    "fly_high": _named("fly_high", "medium"),
    "the_duel": _named("the_duel", "small", "game", copies=1),
    "my_dwarves_fly": _named("my_dwarves_fly", "medium"),
    "dwarves_dig_delve_die": _named("dwarves_dig_delve_die", "small-forge", dice=7),
    "railroad_ink": _named("railroad_ink", "cross", "base", rounds=(3, 3), specials=()),
    "the_dwarf_king": _named("the_dwarf_king", "medium", "game", rounds=2),
}


def _resident() -> int:
    """Most bytes that this process has had resident."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(name: str, *, bare: bool) -> Row:
    """Search a model here; runs in a process of its own."""
    from solvers.contract import Limits
    from solvers.explorer.native import NativeSearch

    program, properties = MODELS[name]()
    search = NativeSearch(program, [] if bare else properties, Limits(), False)
    before, began = _resident(), resource.getrusage(resource.RUSAGE_SELF)
    found = search.explore(None)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert found.complete
    cpu = after.ru_utime + after.ru_stime - began.ru_utime - began.ru_stime
    return {
        "states": found.states,
        "transitions": found.transitions,
        "states_per_s": found.states / cpu,
        "bytes_per_state": (_resident() - before) / found.states,
        "words": search.packing.words,
        "over": found.over_states,
        "wall": found.seconds,
    }


def spins(name: str, states: int, over: int) -> Row:
    """Let SPIN search a model."""
    from solvers.promela import spin

    program, _ = MODELS[name]()
    found, depth, table = None, 10_000, max(18, math.ceil(math.log2(states)))
    while found is None:
        try:
            found = spin.check(program, record=False, depth=depth, table=table, optimise=True)
        except spin.SpinError as error:
            if "depth" not in str(error) or depth > 100 * states:
                raise
            depth *= 10
    return {
        "states": found.states,
        "transitions": found.transitions - over,
        "states_per_s": found.states / found.cpu,
        "bytes_per_state": found.memory / found.states,
        "wall": found.seconds,
    }


def compare(name: str, *, bare: bool, repeat: int) -> dict[str, Row]:
    """Both engines on one model in turn, the best of some runs of each; ours warm, in a new process."""
    mine, theirs = list[Row](), list[Row]()
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, "--child", name, *(["--bare"] if bare else [])]
        environment = {**os.environ, "RULESLAWYER_CACHE": cache}
        for _ in range(repeat + 1):  # the first run fills the cache
            out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
            mine.append(json.loads(out.stdout))
            if len(mine) > 1:
                theirs.append(spins(name, int(mine[-1]["states"]), int(mine[-1]["over"])))
    best = {"ours": mine[1:], "spin": theirs}
    made = {who: max(rows, key=lambda row: row["states_per_s"]) for who, rows in best.items()}
    for key in ("states", "transitions"):
        if made["ours"][key] != made["spin"][key]:
            raise SystemExit(f"{name}: we find {made['ours'][key]:.0f} {key}, SPIN {made['spin'][key]:.0f}")
    return made


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description="native explorer beside SPIN")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(MODELS)}; all unless given")
    parser.add_argument("--json", action="store_true", help="numbers only, as JSON")
    parser.add_argument("--bare", action="store_true", help="check no properties")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the best counts")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        sys.stdout.write(json.dumps(ours(given.child, bare=given.bare)))
        return
    if unknown := [n for n in given.names if n not in MODELS]:
        parser.error(f"no model {unknown[0]!r}; there are {', '.join(MODELS)}")
    results = {}
    for name in given.names or MODELS:
        results[name] = made = compare(name, bare=given.bare, repeat=max(1, given.repeat))
        if not given.json:
            mine, theirs = made["ours"], made["spin"]
            factor = mine["states_per_s"] / theirs["states_per_s"]
            shape = f"{mine['states']:,.0f} states of {mine['words']:.0f} words"
            sys.stdout.write(f"{name}: {shape}, {mine['transitions']:,.0f} transitions\n")
            for who, row in (("ours", mine), ("SPIN", theirs)):
                speed, size = row["states_per_s"], row["bytes_per_state"]
                sys.stdout.write(f"  {who} {speed:>12,.0f} states/s {size:6.1f} bytes/state\n")
            sys.stdout.write(f"  {factor:.1f} times as fast\n")
    if given.json:
        sys.stdout.write(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
