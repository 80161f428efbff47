"""Terms: interned, folded, with bounds that contain every value; printing and walking."""

from __future__ import annotations

import copy
import enum
import gc
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from models.language import ModelError
from models.language.functions import count, ite, least, longest, lookup, most, reach, unknown
from models.language.printing import show, walk
from models.language.sorts import BOOL, INT, enum_sort
from models.language.terms import FALSE, PURE, TRUE, Term, constant, every, make, negate, some, term, total


class Card(enum.Enum):
    A = 10
    B = 20
    C = 30


def read(slot: int, lo: int, hi: int, stamp: int = 0) -> Term:
    """A read of a slot of a state."""
    return make("read", (), INT, lo, hi, ((slot,), stamp, "xyz"[slot]))


def flag(slot: int) -> Term:
    return make("read", (), BOOL, 0, 1, ((slot,), 0, "pqr"[slot]))


X, Y, Z = (read(i, lo, hi) for i, (lo, hi) in enumerate(((-2, 3), (0, 4), (1, 2))))
P, Q, R = (flag(i) for i in range(3))


def evaluate(t: Term, state: dict[Term, int]) -> int:
    """The value of a term, sub-term by sub-term."""
    values: dict[Term, int] = {}
    for u in walk(t):
        if u.op == "const":
            values[u] = u.lo
        elif u.op == "lookup":
            values[u] = u.data[values[u.args[0]]]
        else:
            values[u] = state[u] if u in state else PURE[u.op](*(values[a] for a in u.args))
    return values[t]


# -- interning -----------------------------------------------------------------------------------------


def test_equal_terms_are_one_object() -> None:
    assert X + Y * 2 is X + Y * 2
    assert (X < Y) is (X < Y)
    assert lookup(Y, [1, 2, 3, 4, 5]) is lookup(Y, (1, 2, 3, 4, 5))
    assert copy.deepcopy(X + 1) is copy.copy(X + 1) is X + 1


def test_reads_of_two_layouts_are_two_terms() -> None:
    assert read(0, -2, 3) is X
    assert read(0, -2, 4) is not X
    assert read(0, -2, 3, stamp=1) is not X
    assert (read(0, -2, 4) + 1).hi == 5


def test_sorts_keep_equal_numbers_apart() -> None:
    assert len({constant(1), TRUE, term(Card.B), constant(1, enum_sort(Card))}) == 3
    assert term(True) is TRUE
    assert term(Card.C).lo == 2


def test_a_term_that_nobody_holds_is_forgotten() -> None:
    from models.language.terms import _table

    gc.collect()
    before = len(_table)
    made = [X * Y + n for n in range(1000, 1100)]
    assert len(_table) > before + 100
    del made
    gc.collect()
    assert len(_table) <= before + 1


def test_a_child_has_a_smaller_id_than_its_parent() -> None:
    made = ite(P & (X < Y), most(X, Y + 7), Z * 3)
    assert all(a.id < t.id for t in walk(made) for a in t.args)


# -- meaning and bounds --------------------------------------------------------------------------------

_NUMBERS: list[Callable[[Term, Term], Term]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a // 3,
    lambda a, b: a % 3,
    lambda a, b: -a,
    lambda a, b: 5 - a,
    lambda a, b: 2 * b + a * -1,
    lambda a, b: least(a, b, 2),
    lambda a, b: most(a, b, 1),
    lambda a, b: ite(a < b, a, b + 1),
    lambda a, b: count(a < b, a == b, b >= 2),
    lambda a, b: total(a, 3, b, -1),
    lambda a, b: lookup(b, [5, 4, 4, -9, 0]),
    lambda a, b: lookup(a, {n: n * n for n in range(-2, 4)}),
]
_TRUTHS: list[Callable[[Term, Term], Term]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: ~(a < b),
    lambda a, b: (a < b) & (b < 3) | (a == 0),
    lambda a, b: ite(a < b, b == 2, a == 2),
    lambda a, b: (a < b) == (b < 3),
    lambda a, b: every(a < 2, b < 2, a < b),
    lambda a, b: some(a < -1, b > 3, a == b),
]
_PYTHON: list[Callable[[int, int], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a // 3,
    lambda a, b: a % 3,
    lambda a, b: -a,
    lambda a, b: 5 - a,
    lambda a, b: 2 * b - a,
    lambda a, b: min(a, b, 2),
    lambda a, b: max(a, b, 1),
    lambda a, b: a if a < b else b + 1,
    lambda a, b: (a < b) + (a == b) + (b >= 2),
    lambda a, b: a + b + 2,
    lambda a, b: [5, 4, 4, -9, 0][b],
    lambda a, b: a * a,
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a >= b,
    lambda a, b: (a < b and b < 3) or a == 0,
    lambda a, b: b == 2 if a < b else a == 2,
    lambda a, b: (a < b) == (b < 3),
    lambda a, b: a < 2 and b < 2 and a < b,
    lambda a, b: a < -1 or b > 3 or a == b,
]


@pytest.mark.parametrize("number", range(len(_PYTHON)))
def test_an_operator_means_what_python_means_and_its_bounds_hold(number: int) -> None:
    made = [*_NUMBERS, *_TRUTHS][number](X, Y)
    seen = set()
    for a, b in itertools.product(range(-2, 4), range(5)):
        got = evaluate(made, {X: a, Y: b})
        assert got == int(_PYTHON[number](a, b)), (a, b)
        seen.add(got)
    assert made.lo <= min(seen)
    assert max(seen) <= made.hi


@pytest.mark.parametrize(
    ("made", "lo", "hi"),
    [
        (X + Y, -2, 7),
        (X - Y, -6, 3),
        (X * Y, -8, 12),
        (X * X, -6, 9),
        (Y // 2, 0, 2),
        (X // 2, -1, 1),
        (X % 4, 0, 3),
        ((Y + 10) % 5, 0, 4),
        ((Z + 10) % 5, 1, 2),
        (least(X, Y), -2, 3),
        (most(X, Y), 0, 4),
        (ite(P, X, Y), -2, 4),
        (count(P, Q, R), 0, 3),
        (lookup(Z, [99, 4, 6, 99]), 4, 6),
    ],
)
def test_bounds(made: Term, lo: int, hi: int) -> None:
    assert (made.lo, made.hi) == (lo, hi)


# -- folding -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "folded"),
    [
        (term(2) + 3, constant(5)),
        (X + 0, X),
        (X - 0, X),
        (X - X, constant(0)),
        (X * 1, X),
        (0 * X, constant(0)),
        (X // 1, X),
        (Y % 5, Y),
        ((X + 1) + 2, X + 3),
        (X == X, TRUE),
        (X < 4, TRUE),
        (X >= -2, TRUE),
        (X > 3, FALSE),
        (X == 4, FALSE),
        (term(Card.A) == Card.B, FALSE),
        (P & True, P),
        (P & False, FALSE),
        (P | True, TRUE),
        (P & P, P),
        (P & ~P, FALSE),
        (P | ~P, TRUE),
        ((X < Y) & (X >= Y), FALSE),
        ((X <= Y) | (X > Y), TRUE),
        (~~P, P),
        (~(X < Y), X >= Y),
        (P == True, P),  # noqa: E712
        (P == False, ~P),  # noqa: E712
        (ite(True, X, Y), X),
        (ite(P, X, X), X),
        (ite(P, True, False), P),
        (ite(P, False, True), ~P),
        (least(Y, 7), Y),
        (least(7, Y), Y),
        (most(Y, -1), Y),
        (most(X, X), X),
        (least(X, 3), X),
        (lookup(Y, [4, 4, 4, 4, 4, 9]), constant(4)),
        (lookup(term(Card.B), {Card.A: 1, Card.B: 7, Card.C: 3}), constant(7)),
        (every(), TRUE),
        (some(), FALSE),
        (total(), constant(0)),
        (every(every(P, Q), R), every(P, Q, R)),
        (reach([(0, 1)], [P], [False, True], 1), TRUE),
        (longest("path", 1, [], []), constant(0)),
    ],
)
def test_what_is_decided_is_folded(made: Term, folded: Term) -> None:
    assert made is folded


def test_equality_is_kept_as_written_with_a_constant_last() -> None:
    assert str(X == Y) == "(= x y)"
    assert str(Y == X) == "(= y x)"
    assert str(term(1) == X) == "(= x 1)"


def test_negation_does_not_grow() -> None:
    made = P
    for _ in range(100):
        made = negate(made)
    assert made is P


# -- errors that are not a rule's ----------------------------------------------------------------------


def test_an_unknown_belongs_to_facts_only() -> None:
    n = unknown("cards", 0, 60)
    assert str(n % 4 == 0) == "(= (mod cards 4) 0)"
    with pytest.raises(ModelError, match=r"cannot be used as a term"):
        term(None)


def test_a_wrong_node_is_refused() -> None:
    with pytest.raises(ModelError, match=r"node 2 is asked about, the nodes are 0\.\.1"):
        reach([(0, 1)], [P], [True, False], 2)


# -- walking and printing ------------------------------------------------------------------------------


def test_a_shared_term_is_walked_once_children_first() -> None:
    shared = X + Y
    made = most(shared * shared, shared)
    met = list(walk(made, shared))
    assert met == [X, Y, shared, shared * shared, made]
    assert list(walk(made, seen={shared.id})) == [shared * shared, made]


def test_a_deep_term_is_walked_and_printed_without_recursion() -> None:
    made = X
    for _ in range(20_000):
        made = (made + 1) % 7 - Y
    assert len(list(walk(made))) > 40_000
    assert len(show(made)) < 400
    assert "…" in show(made)


def test_a_term_prints_as_a_short_s_expression() -> None:
    assert str(ite(P & (X < 2), lookup(term(Y), [1, 2, 3, 4, 5]), -X)) == (
        "(ite (and p (< x 2)) (lookup y) (- 0 x))"
    )
    assert str(read(1, 0, 4, stamp=3)) == "y'3"
    assert str(make("select", (Z,), INT, 0, 3, ((4, 5, 6), 2, "row"))) == "(row@ z)"
    assert str(term(Card.B)) == "B"


def test_members_of_two_enumerations_that_python_thinks_equal_are_kept_apart() -> None:
    class One(enum.IntEnum):
        A = 0
        B = 1

    class Two(enum.IntEnum):
        B = 1
        A = 0

    assert (term(One.A).lo, term(Two.A).lo, term(Two.A).sort) == (0, 1, enum_sort(Two))
    assert term(One.A) is not term(Two.A)
    assert term(0).sort is INT
