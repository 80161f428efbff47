"""Every rulebook that comes with the program is fuzzed: its machine, and its engines in lock-step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings

from findings.cli.fuzz import recorded
from models.language import registry
from properties import kinds
from solvers.fuzz import HAZARDS, PROFILES, check, plan
from solvers.fuzz.lockstep import LockStepMachine

NAMES = registry.names()


def profile() -> str:
    """The loaded profile, `ci` where it is none of ours."""
    name = settings.get_current_profile_name()
    return name if name in PROFILES else "ci"


@pytest.mark.parametrize("name", NAMES)
def test_random_play_breaks_nothing_that_is_not_recorded(name: str) -> None:
    book = registry.find(name)
    log = check(plan(book, flips=PROFILES[profile()].flips, tolerate=recorded(book)))
    assert log.steps > 500
    assert log.ends["over"] > 10


@pytest.mark.parametrize("name", NAMES)
def test_engines_agree_on_the_same_play(name: str) -> None:
    book = registry.find(name)
    first = next(iter(book.sizes))
    made = plan(book, sizes=[first], flips=0, tolerate=[*HAZARDS, *(p.name for p in kinds.of(book))])
    made = replace(made, tolerate=made.tolerate - {"engines"})
    runs = 6 if profile() == "ci" else 100
    log = check(made, base=LockStepMachine, max_examples=runs, stateful_step_count=25)
    assert log.steps > 50
