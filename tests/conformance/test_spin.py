"""SPIN, a stranger's engine, against the explorer: stored states, transitions and verdicts are the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language import Program
from properties.kinds import Property
from solvers.explorer import Exploration, explore
from solvers.promela import spin
from tests.conformance.test_native_explorer import _SLOW, checked, elsewhere
from tests.machines import MACHINES
from tests.random_programs import Random, rulebooks

pytestmark = pytest.mark.skipif(not spin.available(), reason="SPIN or gcc is not installed")
EXAMPLES = int(os.environ.get("RULESLAWYER_SPIN_EXAMPLES", "15"))


def same(program: Program, properties: list[Property]) -> Exploration:
    """Both engines search a program; ours is returned."""
    ours = explore(program, properties)
    theirs = spin.check(program, properties, depth=2 * ours.states + 100)
    assert (theirs.states, theirs.transitions) == (ours.states, ours.transitions + ours.over_states)
    assert theirs.errors == ours.stuck_states
    assert theirs.reached == set(ours.sites)
    assert theirs.broken == set(ours.violated)
    assert theirs.met == set(ours.met)
    quick = spin.check(program, record=False, depth=2 * ours.states + 100)
    assert (quick.states, quick.transitions) == (theirs.states, theirs.transitions)
    return ours


@pytest.mark.parametrize("name", MACHINES)
def test_machines(name: str) -> None:
    program = MACHINES[name].program()
    assert same(program, checked(program)).states == MACHINES[name].states


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks(), st.integers(0, 1 << 30))
def test_random_programs(tmp_path: Path, book: Random, seed: int) -> None:
    import random

    program = elsewhere(book, book.build(), random.Random(seed))
    same(program, checked(program))
