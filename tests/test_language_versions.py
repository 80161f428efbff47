"""Versions: a read denotes the value at the moment it is written, wherever the term is used later."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import pytest

from models.language import (
    Array,
    Bool,
    Enum,
    Index,
    Program,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    count,
    ir,
    ite,
    least,
    most,
    player,
)
from solvers.interpreter import Interpreter


class Card(enum.Enum):
    A = 0
    B = 1
    C = 2


class Table(State):
    a = Range(0, 20, start=3)
    b = Range(0, 20, start=5)
    c = Range(0, 20)
    up = Bool()
    i = Index(3)
    row = Array(3, Range(0, 20), start=[7, 8, 9])
    many = Array(2, Array(2, Range(0, 20)), start=[[1, 2], [3, 4]])
    card = Enum(Card)
    of = Array(Card, Range(0, 9), start=[1, 2, 3])
    pile = Stack(Range(1, 9), 4, start=[4, 6])
    out = Range(-99, 99, start=0)


NAMES = ("a", "b", "c", "up", "i", "out")
Body = Callable[[Any], None]


def built(body: Body) -> Program:
    book = Rulebook("versions", sizes={"only": Size()}, clauses=["c"])
    book.state(Table)

    def act(t: Any) -> None:
        body(t)

    book.rule("c", by=player(lambda t: 0))(act)
    return book.build()


def after(body: Body, **start: int) -> dict[str, int]:
    """The state after a rule with this body, by slot name."""
    program = built(body)
    names = [s.name for s in program.layout.slots]
    state = tuple(start.get(n, v) for n, v in zip(names, program.start, strict=True))
    made = Interpreter(program).step(state, program.instances[0]).state
    assert made is not None
    return dict(zip(names, made, strict=True))


def out(body: Body, **start: int) -> int:
    return after(body, **start)["out"]


def test_a_count_is_taken_before_it_is_cleared() -> None:
    def body(t: Any) -> None:
        got = t.a
        t.a = 0
        t.out += got

    assert out(body) == 3
    assert after(body)["a"] == 0


def test_a_swap() -> None:
    def body(t: Any) -> None:
        t.a, t.b = t.b, t.a

    made = after(body)
    assert (made["a"], made["b"]) == (5, 3)


def test_a_read_after_an_assignment_sees_the_new_value() -> None:
    def body(t: Any) -> None:
        t.a = t.a + 1
        t.a = t.a * 2
        t.out = t.a

    assert out(body) == 8


def test_every_version_of_one_slot_is_kept() -> None:
    def body(t: Any) -> None:
        first = t.a
        t.a = first + 1
        second = t.a
        t.a = second + 1
        third = t.a
        t.a = 0
        t.out = first + 10 * second - third

    assert out(body) == 3 + 40 - 5


def test_a_read_before_a_branch_is_used_after_it_changed() -> None:
    def body(t: Any) -> None:
        old = t.a
        with t.when(t.up):
            t.a = 9
        t.out = old + t.a

    assert out(body, up=0) == 6
    assert out(body, up=1) == 12


def test_a_read_before_is_used_inside_both_branches_after_a_change_there() -> None:
    def body(t: Any) -> None:
        old = t.a
        with t.when(t.up):
            t.a = 1
            t.out = old - t.a
        with t.otherwise():
            t.a = 2
            t.out = old * t.a

    assert out(body, up=1) == 2
    assert out(body, up=0) == 6


def test_otherwise_sees_what_was_before_the_when() -> None:
    def body(t: Any) -> None:
        with t.when(t.up):
            t.a = 17
        with t.otherwise():
            t.out = t.a

    assert out(body, up=0) == 3
    assert out(body, up=1) == 0


def test_a_condition_is_the_value_at_the_moment_of_when() -> None:
    def body(t: Any) -> None:
        high = t.a > 2
        t.a = 0
        with t.when(high):
            t.out = 1
        with t.when(t.a > 2):
            t.out = 2

    assert out(body) == 1


def test_a_condition_that_its_own_branch_changes() -> None:
    def body(t: Any) -> None:
        with t.when(t.a == 3):
            t.a = 4
            t.out = t.a
        with t.otherwise():
            t.out = -1

    assert out(body) == 4


def test_a_read_inside_a_branch_without_a_change_there_may_leave_it() -> None:
    def body(t: Any) -> None:
        with t.when(t.up):
            old = t.a
            t.b = old
        t.a = 9
        t.out = old

    assert out(body, up=0) == out(body, up=1) == 3


def test_reads_in_nested_branches() -> None:
    def body(t: Any) -> None:
        zero = t.a
        with t.when(t.b > 0):
            t.a = t.a + 1
            one = t.a
            with t.when(t.up):
                t.a = t.a + 10
                two = t.a
                t.out = zero + one + two
            with t.otherwise():
                t.a = 0
                t.out = zero - one
            t.b = t.a

    assert out(body, up=1) == 3 + 4 + 14
    assert after(body, up=1)["b"] == 14
    assert out(body, up=0) == -1
    assert after(body, up=0)["b"] == 0


def test_an_index_keeps_its_value_when_it_is_overwritten() -> None:
    def body(t: Any) -> None:
        t.i = 1
        x = t.row[t.i]
        t.i = 2
        y = t.row[t.i]
        t.out = 10 * x - y

    assert out(body) == 71


def test_an_item_keeps_its_value_when_index_and_array_are_overwritten() -> None:
    def body(t: Any) -> None:
        i = t.i
        x = t.row[i]
        t.i = 2
        t.row[i] = 0
        t.row[t.i] = 1
        t.out = 10 * x + t.row[i]

    assert out(body, i=0) == 70
    assert out(body, i=1) == 80
    assert out(body, i=2) == 91


def test_a_read_of_an_array_that_a_dynamic_write_may_have_overwritten() -> None:
    def body(t: Any) -> None:
        x, y = t.row[0], t.row[1]
        t.row[t.i] = 20
        t.out = x + y - t.row[0] - t.row[1]

    assert out(body, i=0) == -13
    assert out(body, i=1) == -12
    assert out(body, i=2) == 0


def test_a_dynamic_read_with_an_index_older_than_the_array() -> None:
    def body(t: Any) -> None:
        i = t.i
        t.i = 0
        t.row[0] = 19
        x = t.row[i]
        t.row[0] = 1
        t.row[1] = 1
        t.out = x

    assert [out(body, i=n) for n in range(3)] == [19, 8, 9]


def test_a_dynamic_read_with_an_index_younger_than_the_array_inside_a_branch() -> None:
    def body(t: Any) -> None:
        with t.when(t.up):
            t.i = 2
            x = t.row[t.i]
            t.row[2] = 0
            t.out = x

    assert out(body, up=1) == 9


def test_an_index_of_an_index() -> None:
    def body(t: Any) -> None:
        inner = t.many[t.row[t.i] % 2][t.a % 2]
        t.many[1][1] = 0
        t.many[0][1] = 0
        t.row.fill(0)
        t.out = inner

    assert [out(body, i=n) for n in range(3)] == [4, 2, 4]


def test_an_array_by_members_of_an_enumeration() -> None:
    def body(t: Any) -> None:
        x = t.of[t.card]
        t.card = Card.C
        t.of[Card.A] = 9
        t.out = 10 * x + t.of[t.card]

    assert [out(body, card=n) for n in range(3)] == [13, 23, 33]


def test_what_a_stack_gave_is_kept() -> None:
    def body(t: Any) -> None:
        top, depth = t.pile.top, t.pile.depth
        taken = t.pile.pop()
        t.pile.push(1)
        t.pile.push(2)
        t.out = 100 - 10 * taken + top + depth - t.pile.depth

    assert out(body) == 100 - 60 + 6 + 2 - 3


def test_a_value_is_assigned_as_it_was_although_its_index_is_evaluated_later() -> None:
    def body(t: Any) -> None:
        x = t.a
        t.a = 2
        t.row[t.a] = x
        t.out = t.row[2]

    assert out(body) == 3


# -- sharing -------------------------------------------------------------------------------------------


def lets(program: Program) -> list[str]:
    return [str(s.term) for s in ir.statements(program.instances[0].body) if isinstance(s, ir.Let)]


def evaluations(program: Program, op: str) -> int:
    """How often an operation is evaluated when the body is walked: a kept term counts once."""
    kept: set[int] = set()

    def fresh(t: Any) -> int:
        return 0 if t.id in kept else int(t.op == op) + sum(fresh(a) for a in t.args)

    found = 0
    for s in ir.statements(program.instances[0].body):
        found += sum(fresh(r) for r in ir.roots(s))
        if isinstance(s, ir.Let):
            kept.add(s.term.id)
    return found


def test_a_shared_term_is_evaluated_once() -> None:
    def body(t: Any) -> None:
        shared = t.a * t.b
        t.c = least(shared, 9)
        t.out = shared % 7 + shared % 5

    program = built(body)
    assert lets(program) == ["(* a b)"]
    assert evaluations(program, "mul") == 1


def test_a_term_used_twice_by_one_other_is_evaluated_once() -> None:
    def body(t: Any) -> None:
        x = t.a % 3
        for _ in range(5):
            x = x * x
        t.out = least(x, 9)

    program = built(body)
    assert evaluations(program, "mul") == 5
    assert evaluations(program, "mod") == 1
    assert out(body, a=5) == 9


def test_a_term_shared_by_two_branches_stands_before_them() -> None:
    def body(t: Any) -> None:
        shared = t.a + t.b
        with t.when(t.up):
            t.c = least(shared, 20)
        with t.otherwise():
            t.out = shared

    program = built(body)
    assert isinstance(program.instances[0].body[0], ir.Let)
    assert lets(program) == ["(+ a b)"]


def test_the_lowest_of_many_grows_with_their_number_only() -> None:
    """Written naively, the lowest visible of n cards doubles with every card."""

    def body_of(n: int) -> Body:
        def body(t: Any) -> None:
            best, seen = t.a, t.up
            for k in range(n):
                better = ~seen | (t.row[k % 3] + k < best)
                best = ite(better, t.row[k % 3] + k, best)
                seen = seen | better
            t.out = least(best, 99)

        return body

    sizes = [len(lets(built(body_of(n)))) for n in (10, 20, 40)]
    assert sizes[1] - sizes[0] <= 10 * 6
    assert sizes[2] - sizes[1] == 2 * (sizes[1] - sizes[0])


def test_nothing_is_kept_that_is_used_once_and_is_not_overwritten() -> None:
    def body(t: Any) -> None:
        t.out = t.a + count(t.up, t.b > 2) * most(t.c, 1)

    assert lets(built(body)) == []


def test_a_read_is_kept_only_where_it_is_overwritten_before_its_use() -> None:
    def body(t: Any) -> None:
        kept, free = t.a, t.b
        t.a = 0
        t.out = kept - free

    assert lets(built(body)) == ["a"]


def test_a_kept_read_stands_right_before_what_overwrites_it() -> None:
    def body(t: Any) -> None:
        old = t.a
        t.c = 1
        t.a = 0
        t.out = old

    shapes = [type(s).__name__ for s in built(body).instances[0].body]
    assert shapes == ["Assign", "Let", "Assign", "Assign"]


@pytest.mark.parametrize("up", [0, 1])
def test_deep_terms_in_branches(up: int) -> None:
    """Terms deeper than one expression may be, with their parts used on both sides."""

    def body(t: Any) -> None:
        deep = t.a
        for k in range(60):
            deep = ite(t.row[k % 3] > k, deep + 1, least(deep, 90) - (k % 2))
        with t.when(t.up):
            t.out = deep % 50
        with t.otherwise():
            t.out = deep % 40

    value, row = 3, (7, 8, 9)
    for k in range(60):
        value = value + 1 if row[k % 3] > k else min(value, 90) - k % 2
    assert out(body, up=up) == value % (50 if up else 40)
