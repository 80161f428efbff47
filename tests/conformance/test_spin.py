"""SPIN, a stranger's engine, against the explorer: stored states, transitions and verdicts are the same.

More: `RULESLAWYER_ALL_SIZES=1 RULESLAWYER_SPIN_EXAMPLES=300 pytest tests/conformance/test_spin.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language import Program, registry
from properties.kinds import Property, of
from solvers.explorer import Exploration, explore
from solvers.promela import spin
from tests.conformance.test_native_explorer import _SLOW, checked, elsewhere
from tests.machines import MACHINES
from tests.random_programs import Random, rulebooks

pytestmark = pytest.mark.skipif(not spin.available(), reason="SPIN or gcc is not installed")
ALL_SIZES = bool(os.environ.get("RULESLAWYER_ALL_SIZES"))
EXAMPLES = int(os.environ.get("RULESLAWYER_SPIN_EXAMPLES", "10"))


def same(program: Program, properties: list[Property]) -> Exploration:
    """Both engines search a program; ours is returned."""
    ours = explore(program, properties)
    theirs = spin.check(program, properties, depth=2 * ours.states + 100)
    assert (theirs.states, theirs.transitions) == (ours.states, ours.transitions + ours.over_states)
    assert theirs.errors == ours.stuck_states
    assert theirs.reached == set(ours.sites)
    assert theirs.broken == set(ours.violated)
    assert theirs.met == set(ours.met)
    return ours


@pytest.mark.parametrize("name", MACHINES)
def test_machines(name: str) -> None:
    program = MACHINES[name].program()
    assert same(program, checked(program)).states == MACHINES[name].states


@pytest.mark.parametrize("name", list(MACHINES)[::5])
def test_models_that_record_nothing(name: str) -> None:
    machine = MACHINES[name]
    quick = spin.check(machine.program(), record=False, depth=2 * machine.states + 100)
    assert (quick.states, quick.transitions) == (machine.states, machine.transitions + machine.over)


def small() -> Iterator[tuple[str, str, str]]:
    """Each rulebook at its first size in every variant, then (where asked for) at its other small sizes."""
    for name in registry.names():
        book = registry.find(name)
        sizes = [s for s in book.sizes if s.startswith("small")]
        for size in sizes if ALL_SIZES else sizes[:1]:
            for variant in book.variants:
                yield name, size, variant


@pytest.mark.parametrize(("name", "size", "variant"), list(small()))
def test_rulebooks(name: str, size: str, variant: str) -> None:
    book = registry.find(name)
    program = book.build(size, variant)
    assert same(program, list(of(book).of(variant))).states > 500


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks(), st.integers(0, 1 << 30))
def test_random_programs(tmp_path: Path, book: Random, seed: int) -> None:
    program = elsewhere(book, book.build(), random.Random(seed))
    same(program, checked(program))
