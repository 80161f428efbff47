"""Proofs by Spacer: each is checked by another solver, and nothing false is proved."""

from __future__ import annotations

import pytest
import z3

from solvers.contract import Limits
from solvers.explorer import explore
from solvers.symbolic import goals, spacer
from solvers.symbolic.machine import Machine
from solvers.symbolic.numbers import Integers
from solvers.symbolic.solving import Deadline
from tests.machines import MACHINES
from tests.test_symbolic_planted import toll


def proved(machine: Machine, site: str, seconds: float = 20.0) -> bool:
    parts = goals.site(machine.program, site).parts(machine)
    return spacer.prove(machine, parts, machine.typed, Deadline.after(seconds)) is not None


@pytest.mark.parametrize("name", MACHINES)
def test_only_what_no_play_records_is_proved(name: str) -> None:
    program = MACHINES[name].program()
    explored = explore(program, limits=Limits(states=100_000))
    machine = Machine(program, Integers())
    for site in program.sites:
        if site.id in explored.sites:
            assert not proved(machine, site.id, seconds=1.0), site.id


@pytest.mark.parametrize(
    ("plant", "site"),
    [("dead row", "row:toll-table:end"), ("", "gap:toll-table"), ("", "clash:toll-table:low+middle")],
)
def test_what_a_plant_leaves_impossible_is_proved(plant: str, site: str) -> None:
    assert proved(Machine(toll(plant).build(), Integers()), site)


def test_a_condition_that_is_no_proof_is_refused() -> None:
    """Too weak, not kept by a step, false in the setup: each is noticed."""
    machine = Machine(toll("").build(), Integers())
    parts = goals.site(machine.program, "gap:toll-table").parts(machine)
    plank = next(s.index for s in machine.program.layout.slots if s.name == "plank")
    at = machine.state[plank].expr
    for condition in (z3.BoolVal(True), at <= 4, at >= 1):
        goal = [goals.Part(None, at == 9)]
        assert not spacer.checked(machine, condition, goal, machine.typed, Deadline.after(20.0))
    assert spacer.checked(machine, z3.BoolVal(True), parts, machine.typed, Deadline.after(20.0))
