"""The symbolic engine against the interpreter and the explorer: tiny machines, random programs, Fly High.

More programs: `RULESLAWYER_EXAMPLES=5000 pytest tests/test_symbolic_conformance.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.language import Program
from models.language.registry import find
from properties import kinds
from properties.kinds import Form
from solvers.contract import Limits, Proved, Refuted
from solvers.explorer import Exploration, explore
from solvers.interpreter import Interpreter, Mixed
from solvers.symbolic import ask_property, ask_site, ask_stuck, find_invariants
from solvers.symbolic.goals import Hit
from solvers.symbolic.machine import Machine, Values, expression
from solvers.symbolic.numbers import BitVectors, Integers, Num, Numbers
from solvers.symbolic.paths import TooLarge
from solvers.symbolic.phases import Phases
from tests.machines import MACHINES
from tests.random_programs import programs

EXAMPLES = int(os.environ.get("RULESLAWYER_EXAMPLES", "200"))
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


class Steps:
    """Every instance of a program over Z3, evaluated on known states by one substitution each."""

    def __init__(self, program: Program, numbers: Numbers) -> None:
        self.program, self.machine, self.run = program, Machine(program, numbers), Interpreter(program)
        self.bundles: dict[int, tuple[Any, list[Any]]] = {}
        for i in program.instances:
            effect = self.machine.effect(i)
            parts = [effect.guard, self.machine.enabled(i), effect.alive, *effect.hits.values()]
            parts += [expression(v) for v in self.machine.after(i)]
            bundle = z3.Function(f"bundle{i.index}", *(p.sort() for p in parts), z3.BoolSort())
            self.bundles[i.index] = (bundle(*parts), list(effect.hits))

    def check(self, state: Values) -> None:
        """Compare every instance with the interpreter on one state."""
        moving = self.machine.moving(self.machine.literals(state))
        try:
            enabled: Sequence[Any] | None = self.run.enabled(state)
        except Mixed:
            enabled = None
        phases: Phases = self.machine.phases
        for i in self.program.instances:
            bundle, sites = self.bundles[i.index]
            values = z3.simplify(moving(bundle)).children()
            guard, possible, alive = (z3.is_true(v) for v in values[:3])
            where = f"{i.label} from {state}"
            assert guard == bool(self.run.value(i.guard, state)), where
            if enabled is not None:
                assert possible == (i in enabled), where
            if not guard:  # the interpreter promises nothing about a step that is not enabled
                continue
            assert phases.of(state) in phases.before(i), where
            step = self.run.step(state, i)
            assert alive == (step.state is not None), where
            hits = {s for s, v in zip(sites, values[3:], strict=False) if z3.is_true(v)}
            assert hits == set(step.hits), where
            if step.state is not None:
                assert self.read(values[3 + len(sites) :]) == step.state, where
                assert phases.of(step.state) in phases.after(i), where

    def read(self, values: Sequence[Any]) -> Values:
        """A state of literals."""
        out = []
        for slot, value, before in zip(self.program.layout.slots, values, self.machine.state, strict=True):
            if isinstance(before, Num):
                out.append(self.machine.numbers.value(value, slot.lo, slot.hi))
            else:
                out.append(int(z3.is_true(value)))
        return tuple(out)


def some_states(program: Program, rng: random.Random, count: int) -> list[Values]:
    """States within the ranges of the slots: the setup, reached ones, and any."""
    run, state = Interpreter(program), program.start
    found = [state]
    for _ in range(count):
        try:
            enabled = run.enabled(state)
        except Mixed:
            enabled = []
        after = run.step(state, rng.choice(enabled)).state if enabled else None
        state = after or tuple(rng.randint(s.lo, s.hi) for s in program.layout.slots)
        found.append(state)
    return found + [tuple(rng.randint(s.lo, s.hi) for s in program.layout.slots) for _ in range(count)]


@pytest.mark.parametrize("numbers", [BitVectors(), Integers()], ids=lambda n: n.name)
@pytest.mark.parametrize("name", MACHINES)
def test_steps_of_machines(name: str, numbers: Numbers) -> None:
    program = MACHINES[name].program()
    steps = Steps(program, numbers)
    for state in some_states(program, random.Random(name), 6):
        steps.check(state)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_SLOW)
@given(programs(), st.integers(0, 1 << 30), st.booleans())
def test_steps_of_random_programs(program: Program, seed: int, wide: bool) -> None:
    try:
        steps = Steps(program, Integers() if wide else BitVectors())
    except TooLarge:
        return
    for state in some_states(program, random.Random(seed), 3):
        steps.check(state)


def agree(program: Program, explored: Exploration, sites: Sequence[str], budget: float) -> dict[str, str]:
    """Hold the symbolic engine's verdicts on sites against an exhaustive search; site → what it decided."""
    assert explored.complete
    found = find_invariants(program, budget_seconds=4 * budget)
    decided: dict[str, str] = {}
    for site in sites:
        verdict = ask_site(program, site, invariants=found, budget_seconds=budget, search=False)
        decided[site] = type(verdict).__name__
        if isinstance(verdict, Refuted):
            assert site in explored.sites, f"{site}: {verdict}"
            check_play(program, site, verdict.witness.labels)
            if verdict.witness.shortest:
                assert len(verdict.witness.labels) == len(explored.sites[site].labels), site
        elif isinstance(verdict, Proved):
            assert site not in explored.sites, f"{site}: {verdict}, but {explored.sites[site]}"
    return decided


def check_play(program: Program, site: str, labels: Sequence[str]) -> None:
    """Replay a play and see that its last step records the site."""
    run = Interpreter(program)
    states = run.replay(labels[:-1])
    last = run.find(labels[-1])
    assert last in run.enabled(states[-1])
    assert program.site_number[site] in run.step(states[-1], last).hits


@pytest.mark.parametrize("name", MACHINES)
def test_verdicts_of_machines(name: str) -> None:
    """Every site of every tiny machine: the verdict is the explorer's, and no verdict is missing."""
    program = MACHINES[name].program()
    explored = explore(program, limits=Limits(states=100_000))
    decided = agree(program, explored, [s.id for s in program.sites], 20.0)
    expected = {s.id: "Refuted" if s.id in explored.sites else "Proved" for s in program.sites}
    assert decided == expected
    stuck = ask_stuck(program, budget_seconds=20.0)
    assert isinstance(stuck, Refuted if explored.stuck else Proved), stuck


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_SLOW)
@given(programs())
def test_verdicts_of_random_programs(program: Program) -> None:
    """Sites of random programs: no verdict contradicts the explorer's."""
    try:
        explored = explore(program, limits=Limits(states=2000))
        Machine(program)
    except (Mixed, TooLarge):
        return
    if explored.complete:
        sites = [s.id for s in program.sites]
        agree(program, explored, sites[:: max(len(sites) // 3, 1)], 1.0)


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_fly_high_small(variant: str) -> None:
    """Fly High at a size that both can do: sites, stuck states and properties."""
    book = find("fly_high")
    program = book.build("small", variant)
    properties = kinds.of(book).of(variant)
    explored = explore(program, properties, limits=Limits(states=2_000_000))
    decided = agree(program, explored, [s.id for s in program.sites], 20.0)
    assert set(decided.values()) <= {"Refuted", "Proved", "Unknown"}
    proved = find_invariants(program, properties, budget_seconds=60.0)
    for p in properties:
        if p.form in (Form.ALWAYS, Form.STEP):
            verdict = ask_property(program, p, invariants=proved, budget_seconds=10.0)
            broken = explored.violated.get(p.name)
            assert not isinstance(verdict, Refuted if broken is None else Proved), f"{p.name}: {verdict}"


def test_hits_name_sites() -> None:
    program = MACHINES["capacity"].program()
    goal = Hit(0, program.sites[0].id)
    assert goal.key == f"site {program.sites[0].id}"
