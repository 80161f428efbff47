"""How fast random games of Fly High are, beside the same games on the interpreter.

    python -m tests.benchmarks.random_play [SIZE …] [--json] [--repeat N]

Both levels of each size are played in native code and in Python (the reference, which loops over the
interpreter); both must play the same games. Speeds are moves per second of processor time, as the machine may
have other work, the best of some runs; building and compiling are left out, reading the results is not. The
mark: at least five million moves a second in native code at every size. Ends with 1 below it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from models.fly_high.rules import book
from solvers.simulate import Games, Playouts

MARK = 5_000_000
#: Moves of a native run and of one of the reference, about.
NATIVE, REFERENCE = 5_000_000, 10_000
#: Sizes that are measured unless others are given.
SIZES = ("small", "medium", "print")


def measure(
    size: str, variant: str, repeat: int, moves: tuple[int, int] = (NATIVE, REFERENCE)
) -> dict[str, float]:
    """The speeds of a size; the two engines take turns."""
    program = book.build(size, variant)
    engines = Playouts(program), Playouts(program, native=False)
    if engines[0].engine != "native":
        raise SystemExit("random games need wasmtime to run in native code")
    length = engines[0].play(100).moves.mean()
    games = [max(1, int(n / length)) for n in moves]
    speeds: list[list[float]] = [[], []]
    for seed in range(repeat):
        native, native_speed = timed(partial(engines[0].play, games[0], seed=seed))
        plain, plain_speed = timed(partial(engines[1].play, games[1], seed=seed))
        if not np.array_equal(native.states[: len(plain)], plain.states):
            raise SystemExit(f"{size}, {variant}: the engines play different games")
        speeds[0].append(native_speed)
        speeds[1].append(plain_speed)
    fast, slow = (max(s) for s in speeds)
    return {"moves_a_game": float(length), "native": fast, "reference": slow, "ratio": fast / slow}


def timed(play: Callable[[], Games]) -> tuple[Games, float]:
    """Some games, and their moves per second of processor time."""
    began = time.process_time()
    games = play()
    return games, float(games.moves.sum()) / (time.process_time() - began)


def main() -> int:
    """Print a line for each size and level."""
    parser = argparse.ArgumentParser(description="random games of Fly High in native code and in Python")
    parser.add_argument(
        "sizes", nargs="*", help=f"of {', '.join(book.sizes)}; unless given: {', '.join(SIZES)}"
    )
    parser.add_argument("--json", action="store_true", help="numbers only, as JSON")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the best counts")
    given = parser.parse_args()
    if unknown := [s for s in given.sizes if s not in book.sizes]:
        parser.error(f"no size {unknown[0]!r}; there are {', '.join(book.sizes)}")
    found: dict[str, dict[str, float]] = {}
    for size in given.sizes or SIZES:
        for variant in book.variants:
            name = f"{size}, {variant}"
            found[name] = row = measure(size, variant, max(1, given.repeat))
            if not given.json:
                sys.stdout.write(
                    f"{name:18} {row['native']:>12,.0f} moves/s, {row['ratio']:,.0f} times the reference's "
                    f"{row['reference']:,.0f}\n"
                )
                sys.stdout.flush()
    slowest = min(row["native"] for row in found.values())
    if given.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        sys.stdout.write(f"slowest: {slowest:,.0f} moves/s (mark: {MARK:,})\n")
    return 0 if slowest >= MARK else 1


if __name__ == "__main__":
    sys.exit(main())
