"""Terms, graphs and phases over Z3, and the solver that stays right after a check was cut off."""

from __future__ import annotations

import enum
import random
import subprocess
import sys
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language import (
    CHANCE,
    RULES,
    Enum,
    ModelError,
    Range,
    Rulebook,
    Size,
    State,
    longest,
    player,
    reach,
)
from models.language.terms import Term, make
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import Walker, linear
from solvers.symbolic.machine import Machine
from solvers.symbolic.numbers import BitVectors, Integers, Num, Numbers, width
from solvers.symbolic.paths import MOST_PATHS, TooLarge, at_least
from solvers.symbolic.solving import Deadline, Solver
from tests.machines import MACHINES

BOTH = pytest.mark.parametrize("numbers", [BitVectors(), Integers()], ids=lambda n: n.name)


def test_importing_the_engine_does_not_import_z3() -> None:
    script = "import sys, solvers.symbolic; sys.exit('z3' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_an_unknown_name_of_the_package() -> None:
    import solvers.symbolic

    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = solvers.symbolic.nothing


@pytest.mark.parametrize(
    ("lo", "hi", "bits"),
    [(0, 0, 1), (0, 1, 1), (0, 8, 4), (3, 7, 3), (-1, 0, 1), (-1, 1, 2), (-8, 7, 4), (-9, 7, 5)],
)
def test_width(lo: int, hi: int, bits: int) -> None:
    assert width(lo, hi) == bits


_INTERVAL = st.tuples(st.integers(-40, 40), st.integers(0, 40)).map(lambda p: (p[0], p[0] + p[1]))


@BOTH
@given(_INTERVAL, _INTERVAL, st.integers(1, 9), st.data())
@settings(max_examples=150, deadline=None)
def test_operations(
    numbers: Numbers, first: tuple[int, int], second: tuple[int, int], by: int, data: st.DataObject
) -> None:
    """Every operation on literals of an interval, against Python."""
    a = data.draw(st.integers(*first))
    b = data.draw(st.integers(*second))
    x, y = (Num(numbers.constant(v, *i), *i) for v, i in ((a, first), (b, second)))

    def same(expr: Any, value: int, lo: int, hi: int) -> None:
        assert numbers.value(z3.simplify(expr), lo, hi) == value

    low, high = first[0] + second[0], first[1] + second[1]
    same(numbers.add([x, y], low, high), a + b, low, high)
    same(numbers.add([x, y, x], low + first[0], high + first[1]), a + b + a, low + first[0], high + first[1])
    low, high = first[0] - second[1], first[1] - second[0]
    same(numbers.subtract(x, y, low, high), a - b, low, high)
    ends = [p * q for p in first for q in second]
    same(numbers.multiply(x, y, min(ends), max(ends)), a * b, min(ends), max(ends))
    low, high = first[0] // by, first[1] // by
    same(numbers.divide(x, by, low, high), a // by, low, high)
    same(numbers.remainder(x, by, 0, by - 1), a % by, 0, by - 1)
    for strict in (False, True):
        less = z3.is_true(z3.simplify(numbers.less(x, y, strict)))
        assert less == (a < b if strict else a <= b)
    assert z3.is_true(z3.simplify(numbers.equal(x, y))) == (a == b)


@BOTH
def test_a_variable_stays_inside_its_interval(numbers: Numbers) -> None:
    for lo, hi in ((0, 5), (-3, 4), (2, 9), (0, 7), (-8, 7)):
        n = Num(numbers.variable("n", lo, hi), lo, hi)
        typed = numbers.typed(n)
        solver, found = Solver(numbers, [typed] if typed is not None else []), set()
        while solver.check(Deadline.after(10)):
            value = numbers.value(solver.model().eval(n.expr, model_completion=True), lo, hi)
            found.add(value)
            solver.add(z3.Not(numbers.equal(n, Num(numbers.constant(value, lo, hi), lo, hi))))
        assert found == set(range(lo, hi + 1))


def test_a_quantity_has_no_value_in_play() -> None:
    book = Rulebook("x", sizes={"one": Size()}, clauses=["a"])
    walker = Walker(BitVectors(), lambda slot: Num(z3.BitVecVal(0, 1), 0, 1))
    with pytest.raises(ModelError, match="belongs in facts"):
        walker(book.quantity("cards", 0, 9))


def test_linear() -> None:
    book = Rulebook("x", sizes={"one": Size()}, clauses=["a"])
    a, b = book.quantity("a", 0, 9), book.quantity("b", 0, 9)
    assert linear(a * 3 + b > 2)
    assert not linear(a * b > 2)


class Board(State):
    """Ten switches."""

    on = Range(0, 1023)


def board() -> Any:
    book = Rulebook("board", sizes={"one": Size()}, clauses=["a"])
    book.state(Board)

    @book.rule("a", by=RULES, v=2)
    def turn(t: Any, v: int) -> None:
        t.on = v

    return book.build()


@given(st.integers(0, 1 << 30), st.integers(2, 6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_graphs(seed: int, nodes: int, self_made: bool) -> None:
    """Reach, longest path and longest trail of random graphs against the interpreter."""
    rng, program = random.Random(seed), board()
    pairs = [(a, b) for a in range(nodes) for b in range(a)]
    edges = rng.sample(pairs, min(len(pairs), rng.randrange(1, 8)))
    if self_made:
        edges.append(edges[0])  # two edges between the same nodes
    bits: list[Term] = [program.expression(lambda t, k=k: t.on // (1 << k) % 2 == 1) for k in range(10)]
    opened, sources = [bits[i % 10] for i in range(len(edges))], [bits[-1 - i] for i in range(nodes)]
    terms = [
        reach(edges, opened, sources, nodes - 1),
        longest("path", nodes, edges, opened),
        longest("trail", nodes, edges, opened),
    ]
    machine, run = Machine(program), Interpreter(program)
    for _ in range(6):
        state = (rng.randrange(1024),)
        moving = machine.moving(machine.literals(state))
        for t in terms:
            value = machine.value(t)
            if isinstance(value, Num):
                got = machine.numbers.value(z3.simplify(moving(value.expr)), value.lo, value.hi)
            else:
                got = int(z3.is_true(z3.simplify(moving(value))))
            assert got == run.value(t, state)


def test_a_graph_with_too_many_paths_is_refused() -> None:
    edges = [(a, b) for a in range(12) for b in range(a)]
    with pytest.raises(TooLarge, match=f"more than {MOST_PATHS} paths"):
        at_least("path", edges, 12, [z3.Bool(f"e{i}") for i in range(len(edges))])


def test_a_deep_term_is_no_recursion() -> None:
    program = board()
    t = program.expression(lambda t: t.on)
    for n in range(5000):
        t = make("ite", (program.expression(lambda t: t.on > 3), t, t), t.sort, t.lo, t.hi, n)
    assert isinstance(Machine(program).value(t), Num)


class Turn(enum.Enum):
    A = 0
    B = 1
    C = 2
    NEVER = 3


def test_phases() -> None:
    book = Rulebook("phases", sizes={"one": Size()}, clauses=["a"])

    @book.state
    class Table(State):
        n = Range(0, 3)
        phase = Enum(Turn)

    @book.rule("a", by=player(lambda t: 0), phase=Turn.A)
    def go(t: Any) -> None:
        with t.when(t.n == 0):
            t.phase = Turn.B
        with t.otherwise():
            t.phase = Turn.C

    @book.rule("a", by=CHANCE, phase=(Turn.B, Turn.C))
    def back(t: Any) -> None:
        t.n = (t.n + 1) % 4

    phases = Machine(book.build()).phases
    go_, back_ = phases.program.instances
    assert phases.slot == 1
    assert (phases.before(go_), phases.after(go_)) == (frozenset({0}), frozenset({1, 2}))
    assert (phases.before(back_), phases.after(back_)) == (frozenset({1, 2}), frozenset({1, 2}))
    assert not phases.together(go_, back_)
    assert phases.forward(frozenset([0]), 2) == [{0}, {1, 2}, {1, 2}]
    assert phases.backward([1]) == {0, 1, 2}
    assert phases.backward([3]) == {3}


def hard_sum(bits: int) -> list[Any]:
    """A factoring problem that takes long."""
    a, b = z3.BitVecs("a b", 2 * bits)
    product = z3.BitVecVal(((1 << bits) - 5) * ((1 << bits - 1) - 1) + 2, 2 * bits)
    return [z3.ULT(a, 1 << bits), z3.ULT(b, 1 << bits), z3.UGT(a, 1), z3.UGT(b, 1), a * b == product]


def test_a_solver_that_was_cut_off_starts_anew() -> None:
    """Assertions made before and after a check that ran out of time all count."""
    x = z3.BitVec("x", 8)
    solver = Solver(BitVectors(), [z3.UGT(x, 3)])
    solver.push()
    solver.add(*hard_sum(40))
    assert solver.check(Deadline.after(0.05)) is None
    solver.pop()
    solver.add(z3.ULT(x, 5))
    assert solver.check(Deadline.after(10)) is True
    assert solver.model().eval(x).as_long() == 4
    solver.push()
    solver.add(x == 7)
    assert solver.check(Deadline.after(10)) is False
    solver.pop()
    assert solver.check(Deadline.after(10)) is True
    assert solver.check(Deadline.after(-1)) is None


def test_an_unsatisfiable_check_names_its_assumptions() -> None:
    a, b, c = z3.Bools("a b c")
    solver = Solver(BitVectors(), [z3.Not(z3.And(a, c))])
    assert solver.check(Deadline.after(10), a, b, c) is False
    assert {str(n) for n in solver.core()} == {"a", "c"}


def test_machines_have_effects_on_what_they_write() -> None:
    program = MACHINES["capacity"].program()
    machine = Machine(program)
    for i in program.instances:
        assert set(machine.effect(i).writes) <= set(range(len(program.layout.slots)))
        assert machine.effect(i) is machine.effect(i)
