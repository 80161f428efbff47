"""How fast the generated machine runs: against a machine of the same rules written by hand.

    python -m tests.benchmarks.machine_overhead

Both play Fly High (small, basic) under the same Hypothesis settings; a step is one rule of the rulebook that
was carried out. The mark: at least 0.8 of the hand-written machine's steps a second. Ends with 1 below it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from models.language import registry
from solvers.fuzz import PROFILES, hypothesis_settings, machine_of, plan
from tests.benchmarks.fly_high_by_hand import ByHand

MARK = 0.8
RUNS, ROUNDS = 200, 3


def by_hand(runs: int) -> float:
    """Steps a second of the hand-written machine."""
    before = ByHand.steps
    return _timed(
        lambda: run_state_machine_as_test(ByHand, settings=_settings(runs)), lambda: ByHand.steps - before
    )


def generated(runs: int) -> float:
    """Steps a second of the generated machine."""
    made = plan(registry.find("fly_high"), sizes=["small"], variants=["basic"], flips=0)
    made.build(made.choices[0])
    machine = machine_of(made)
    return _timed(
        lambda: run_state_machine_as_test(machine, settings=_settings(runs)), lambda: machine.log.steps
    )


def _settings(runs: int) -> settings:
    return settings(
        hypothesis_settings(PROFILES["ci"]),
        max_examples=runs,
        phases=[Phase.generate],
        stateful_step_count=50,
    )


def _timed(run: Callable[[], None], steps: Callable[[], int]) -> float:
    began = time.process_time()
    run()
    return steps() / (time.process_time() - began)


def main() -> int:
    """Race the two, in turns, and print the medians."""
    hand, made = [], []
    for _ in range(ROUNDS):
        hand.append(by_hand(RUNS))
        made.append(generated(RUNS))
    ratio = sorted(made)[ROUNDS // 2] / sorted(hand)[ROUNDS // 2]
    click.echo(f"written by hand: {sorted(hand)[ROUNDS // 2]:,.0f} steps/s")
    click.echo(f"generated:       {sorted(made)[ROUNDS // 2]:,.0f} steps/s")
    click.echo(f"ratio:           {ratio:.2f} (mark: {MARK})")
    return 0 if ratio >= MARK else 1


if __name__ == "__main__":
    sys.exit(main())
