"""Mutants: one change in one place, valid for every engine, and noticed where it matters."""

from __future__ import annotations

import enum
from collections import Counter

import numpy as np
import pytest

from models.language import RULES, Enum, Range, Rulebook, Size, State, ite, most, player
from models.language.ir import Kind
from solvers.explorer import explore
from solvers.fuzz import OPERATORS, mutants, mutations, plan, sample
from solvers.fuzz.lockstep import Engine, InterpreterEngine, SymbolicEngine, compare
from solvers.interpreter import Interpreter, Mixed
from tests.fuzz_games import vault


class Colour(enum.Enum):
    """What may be painted."""

    RED = 0
    BLUE = 1
    GREEN = 2


def texts(program: object, **given: object) -> dict[str, str]:
    return {m.id: m.text for m in mutations(program, **given)}  # type: ignore[arg-type]


def test_every_operator_is_used_and_none_is_unknown() -> None:
    book = Rulebook("all", sizes={"s": Size()}, clauses=["a"])

    @book.state
    class Table(State):
        paint = Enum(Colour)
        n = Range(0, 9)
        m = Range(0, 9)

    @book.rule("a", by=player(lambda t: 0))
    def mix(t: State) -> None:
        t.require((t.n < 5) & (t.m == 2))
        with t.when(t.paint == Colour.RED):
            t.n = most(t.n, t.m)
        with t.otherwise():
            t.paint = Colour.BLUE
            t.m = ite((t.n > 1) | (t.m <= 3), t.n, 4)

    found = Counter(m.operator for m in mutations(book.build()))
    assert found.keys() == OPERATORS.keys()


def test_mutants_are_all_different_and_none_is_the_program() -> None:
    program = vault(leak=True).build("small")
    found = [p.digest for _, p in mutants(program)]
    assert len(found) == len(set(found)) > 40
    assert program.digest not in found


def test_a_change_is_made_in_all_instances_of_the_rule_and_in_other_sizes() -> None:
    book = vault()
    small, large = book.build("small"), book.build("large")
    dropped = next(m for m in mutations(small, rules=["draw"]) if m.text == "without (not drawn[0])")
    for program in (small, large):
        changed = dropped.apply(program)
        assert changed is not None
        pairs = zip(program.instances, changed.instances, strict=True)
        differ = [a.label for a, b in pairs if a.guard is not b.guard or a.body != b.body]
        assert differ == [i.label for i in program.instances if i.rule == "draw"]


def test_a_change_has_a_stable_name() -> None:
    first, again = vault().build("small"), vault().build("small")
    assert texts(first) == texts(again)
    assert texts(first, rules=["pass_on"]) == {
        "pass_on/drop-condition/1": "without (= phase TURN)",
        "pass_on/negate-condition/1": "not (= phase TURN)",
        "pass_on/skip-assignment/1": "without := (- 1 turn)",
        "pass_on/relation/1": "(= phase TURN) → (not (= phase TURN))",
        "pass_on/plus-one/1": "(- 1 turn) → (- 2 turn)",
        "pass_on/minus-one/1": "(- 1 turn) → (- 0 turn)",
        "pass_on/other-member/1": "(= phase TURN) → (= phase ROLL)",
        "pass_on/no-rule/1": "never allowed",
    }


def test_a_number_that_may_leave_its_range_stops_the_step() -> None:
    program = vault().build("small")
    plus = next(m for m in mutations(program, rules=["pass_on"]) if m.operator == "plus-one")
    changed = plus.apply(program)
    assert changed is not None
    site = changed.sites[-1]
    assert (site.kind, site.name) == (Kind.CAPACITY, "turn")
    step = Interpreter(changed).step(changed.start, changed.by_label["pass_on"])
    assert step.state is None
    assert [changed.sites[h].id for h in step.hits] == ["capacity:turn"]


def test_every_engine_can_run_every_mutant() -> None:
    program = vault(leak=True).build("small")
    checked = 0
    for mutation, changed in mutants(program):
        try:
            native, reference = (explore(changed, graph=True, engine=e) for e in ("native", "reference"))
        except Mixed:
            continue
        assert (native.states, native.transitions) == (reference.states, reference.transitions), mutation
        assert native.graph is not None
        reference_engine = InterpreterEngine(changed)
        engines: list[Engine] = [reference_engine, SymbolicEngine(changed)]
        for number in range(0, native.states, 7):
            state = native.graph.states[number]
            for instance in reference_engine.run.enabled(state):
                assert compare(changed, engines, state, instance, changed.instances[:2]) is None, mutation
        checked += 1
    assert checked > 30


def test_skipping_swapping_and_dropping_do_what_they_say() -> None:
    book = Rulebook("one", sizes={"s": Size()}, clauses=["a"])

    @book.state
    class Table(State):
        n = Range(0, 5)
        m = Range(0, 5)

    @book.rule("a", by=RULES)
    def go(t: State) -> None:
        t.require(t.n < 3)
        old = t.n
        t.n = old + 1
        with t.when(old == 0):
            t.m = 2
        with t.otherwise():
            t.m = old

    program = book.build()

    def after(text: str) -> tuple[int, ...] | None:
        mutation = next(m for m in mutations(program) if m.text == text)
        changed = mutation.apply(program)
        assert changed is not None
        return Interpreter(changed).step((1, 5), changed.instances[0]).state

    assert Interpreter(program).step((1, 5), program.instances[0]).state == (2, 1)
    assert after("without := (+ n 1)") == (1, 1)
    assert after("without := 2") == (2, 1)
    assert after("at if (= n 0)") == (2, 2)  # branches swapped: the first of those with this text
    assert after("(+ n 1) → (+ n 2)") == (3, 1)
    assert after("(= n 0) → (= n 1)") == (2, 2)


def test_a_sample_is_spread_over_rules_and_operators() -> None:
    found = mutations(vault(leak=True).build("small"))
    chosen = sample(found, 12, seed=4)
    assert len({m.id for m in chosen}) == 12
    assert {m.rule for m in chosen} == {"draw", "pass_on", "roll", "lock"}
    assert set(Counter(m.rule for m in chosen).values()) == {3}
    assert len({m.operator for m in chosen}) >= 8
    assert chosen == sample(found, 12, seed=4)
    assert [m for m in found if m in chosen] == chosen


def test_a_sample_passes_over_what_does_not_count() -> None:
    found = mutations(vault(leak=True).build("small"))
    chosen = sample(found, 6, seed=4, keep=lambda m: m.rule == "lock" and m.operator == "skip-assignment")
    assert {(m.rule, m.operator) for m in chosen} == {("lock", "skip-assignment")}
    assert len(chosen) == 6


@pytest.mark.parametrize("n", [0, 5, 10_000])
def test_a_sample_is_never_larger_than_what_there_is(n: int) -> None:
    found = mutations(vault().build("small"), rules=["pass_on"])
    assert len(sample(found, n)) == min(n, len(found))


def test_a_plan_of_a_mutant_plays_the_mutant() -> None:
    made = plan(vault(), sizes=["small"])
    gone = next(m for m in mutations(made.build(made.choices[0]).program) if m.id == "pass_on/no-rule/1")
    changed = made.mutated(gone)
    assert [str(c) for c in changed.choices] == ["small, plain", "small, plain, order=keep"]
    built = changed.build(changed.choices[0])
    assert {i.rule for i in built.run.enabled(built.program.start)} == {"draw"}
    assert np.diff(explore(built.program, graph=True).graph.first).max() <= 2  # type: ignore[union-attr]
