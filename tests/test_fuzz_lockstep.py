"""Lock-step: interpreter, native code, explorer and Z3 agree on every step; a wrong engine is caught."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from models.language import State
from models.language.ir import Instance
from models.language.program import Program
from solvers.fuzz import PROFILES, Failure, hypothesis_settings, machine_of, plan
from solvers.fuzz.lockstep import (
    Engine,
    ExploredEngine,
    InterpreterEngine,
    LockStepMachine,
    NativeEngine,
    SymbolicEngine,
    Taken,
    compare,
    lock_step,
)
from solvers.interpreter import Mixed, Values
from tests.fuzz_games import vault
from tests.random_programs import programs

CI = hypothesis_settings(PROFILES["ci"])


def test_four_engines_agree_on_random_play() -> None:
    machine = machine_of(plan(vault(leak=True), sizes=["small", "middle"]), base=LockStepMachine)
    run_state_machine_as_test(machine, settings=settings(CI, max_examples=30, stateful_step_count=20))
    assert machine.log.steps > 300


class Wrong(InterpreterEngine):
    """An engine that is wrong in one way."""

    def __init__(self, program: Program, how: str) -> None:
        super().__init__(program)
        self.name, self.how = f"wrong {how}", how

    def allows(self, state: Values, instance: Instance) -> bool:
        right = super().allows(state, instance)
        return not right if self.how == "guard" and instance.rule == "pass_on" else right

    def step(self, state: Values, instance: Instance) -> Taken:
        right = super().step(state, instance)
        if instance.rule != "lock" or right.state is None:
            return right
        if self.how == "successor":
            return Taken((*right.state[:-1], 1), right.hits)
        if self.how == "stop":
            return Taken(None, right.hits)
        return Taken(right.state, frozenset({0})) if self.how == "sites" else right


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("guard", "differs in the guard of pass_on: "),
        ("successor", "differs in the successor by lock: "),
        ("stop", "differs in the successor by lock: None instead of ("),
        ("sites", "differs in the sites of lock: ['cover:drawn'] instead of ['cover:locked']"),
    ],
)
def test_a_wrong_engine_is_caught(how: str, told: str) -> None:
    base = lock_step(lambda program: Wrong(program, how))
    with pytest.raises(Failure) as caught:
        run_state_machine_as_test(machine_of(plan(vault(), sizes=["small"]), base=base), settings=CI)
    assert caught.value.what == "engines"
    assert f"wrong {how} {told}" in str(caught.value)


@settings(max_examples=30)
@given(program=programs(), seed=st.integers(0, 2**16))
def test_engines_agree_on_random_programs(program: Program, seed: int) -> None:
    draws, state = random.Random(seed), program.start
    engines: list[Engine] = [InterpreterEngine(program), SymbolicEngine(program)]
    run = InterpreterEngine(program).run
    for _ in range(12):
        try:
            enabled = run.enabled(state)
        except Mixed:
            return
        if not enabled:
            return
        taken = draws.choice(enabled)
        others = draws.sample(list(program.instances), min(3, len(program.instances)))
        found = compare(program, engines, state, taken, others)
        assert found is None, f"{found} at {state}"
        after = run.step(state, taken).state
        if after is None:
            return
        state = after


@pytest.mark.parametrize("labels", [(), ("draw(bolt=0)",), ("draw(bolt=1)", "roll(pips=1)")], ids=len)
def test_native_code_takes_the_step_that_is_asked_for(labels: tuple[str, ...]) -> None:
    program = vault(leak=True).build("small")
    native, run = NativeEngine(program), InterpreterEngine(program)
    assert native.playouts is not None
    state = run.run.replay(labels)[-1]
    for instance in run.run.enabled(state):
        assert native.step(state, instance) == run.step(state, instance)


def test_native_code_stops_where_the_text_ends() -> None:
    from tests.flow_games import begin, chooser

    made, (BEGIN, _) = begin("ends", "BEGIN DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def fall(t: State) -> None:
        t.stop("no-rope", "b")

    program = made.build()
    native, run = NativeEngine(program), InterpreterEngine(program)
    fell = native.step(program.start, program.by_label["fall"])
    assert fell == run.step(program.start, program.by_label["fall"])
    assert fell is not None
    assert fell.state is None


def test_the_explorer_says_nothing_of_what_it_has_not_seen() -> None:
    program = vault().build("small")
    engine = ExploredEngine(program)
    beyond = tuple(s.hi for s in program.layout.slots)
    assert engine.step(beyond, program.instances[0]) is None
    first = engine.step(program.start, program.by_label["draw(bolt=0)"])
    assert first is not None
    assert first.hits is None
    missing = engine.step(program.start, program.by_label["lock"])
    assert missing is not None
    assert missing.state == ()
