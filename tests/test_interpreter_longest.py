"""Longest paths and trails by dynamic programming against plain search, and terms valued by walking."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from models.language import RULES, Array, Bool, Range, Rulebook, Size, State, longest, reach
from models.language.functions import ite, lookup
from solvers.interpreter import Interpreter, graphs
from solvers.interpreter.evaluate import Walk
from solvers.interpreter.longest import longest_path, longest_trail


def grid(rows: int, columns: int) -> list[tuple[int, int]]:
    right = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(r * columns + c, r * columns + columns + c) for r in range(rows - 1) for c in range(columns)]
    return right + down


def search(edges: Sequence[tuple[int, int]], *, trail: bool) -> int:
    """The longest path or trail, by trying all walks."""
    best, stack = 0, [(n, frozenset([n]), frozenset[int]()) for n in {n for e in edges for n in e}]
    while stack:
        node, seen, used = stack.pop()
        best = max(best, len(used))
        for number, (a, b) in enumerate(edges):
            other = b if a == node else a if b == node else None
            if other is not None and number not in used and (trail or other not in seen):
                stack.append((other, seen | {other}, used | {number}))
    return best


def test_random_graphs() -> None:
    rng = random.Random(5)
    for _ in range(400):
        nodes = rng.randint(1, 8)
        edges = [e for e in itertools.combinations(range(nodes), 2) if rng.random() < 0.45][:11]
        rng.shuffle(edges)
        assert longest_path(nodes, edges) == search(edges, trail=False), edges
        assert longest_trail(nodes, edges) == search(edges, trail=True), edges


def test_parts_of_grids() -> None:
    rng = random.Random(6)
    for rows, columns in ((3, 3), (2, 6), (4, 4)):
        for _ in range(12):
            edges = [e for e in grid(rows, columns) if rng.random() < 0.7]
            assert longest_path(rows * columns, edges) == search(edges, trail=False)
            assert longest_trail(rows * columns, edges) == search(edges, trail=True)


@pytest.mark.parametrize(
    ("edges", "path", "trail"),
    [
        ([], 0, 0),
        ([(0, 1)], 1, 1),
        ([(0, 1), (1, 2), (2, 0)], 2, 3),
        ([(0, 1), (0, 2), (0, 3)], 2, 2),
        ([(0, 1), (1, 2), (3, 4)], 2, 2),
        ([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)], 4, 6),
        (grid(5, 5), 24, 34),
    ],
)
def test_graphs_worked_out_by_hand(edges: list[tuple[int, int]], path: int, trail: int) -> None:
    assert (longest_path(25, edges), longest_trail(25, edges)) == (path, trail)


def test_the_primitives_take_the_quick_way_for_large_graphs() -> None:
    edges = tuple(grid(4, 5))
    assert len(edges) > graphs.FEW
    assert graphs.path((edges, 20), [1] * len(edges)) == 19
    assert graphs.trail((edges, 20), [1] * len(edges)) == 27
    assert graphs.path((edges, 20), [0] * len(edges)) == 0


# --- walking a term -----------------------------------------------------------------------------------


def test_walking_gives_what_compiled_code_gives() -> None:
    made = Rulebook("walk", sizes={"only": Size()}, clauses=["c"])

    class Board(State):
        open_ = Array(4, Bool())
        n = Range(0, 3)

    made.state(Board)

    @made.rule("c", by=RULES)
    def act(t: Board) -> None:
        t.n = 0

    program = made.build()
    edges = [(0, 1), (1, 2), (2, 3), (3, 0)]

    def terms(t: Board) -> list[object]:
        o = list(t.open_)
        return [
            longest("path", 4, edges, o) + longest("trail", 4, edges, o),
            reach(edges, o, [True, False, False, False], 2),
            ite(t.open_[t.n], lookup(t.n, (7, 5, 3, 1)), t.n * 2 - t.n // 2 + t.n % 2),
            (t.n < 2) & (o[0] | ~o[1]),
        ]

    run = Interpreter(program)
    for number in range(4):
        term = program.expression(lambda t, number=number: terms(t)[number])
        for state in itertools.product((0, 1), (0, 1), (0, 1), (0, 1), range(4)):
            assert Walk(state).value(term) == run.value(term, state)
