"""Speed of building: recording and lowering an instance costs milliseconds, and does not pile up."""

from __future__ import annotations

import time
from typing import Any

from models.language import (
    Array,
    Bool,
    Index,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    count,
    decide,
    ir,
    ite,
    least,
    player,
    rank,
    row,
    take,
)

SPOTS, PLAYERS = 16, 4


class Table(State):
    turn = Index(PLAYERS)
    grid = Array(SPOTS, Range(0, 12))
    up = Array(SPOTS, Bool())
    score = Array(PLAYERS, Range(0, 60))
    n = Range(0, 40)
    piles = Array(PLAYERS, Stack(Range(1, 6), 6))


def busy(t: Any, i: int, j: int) -> None:
    """Some thirty statements over a board, with a table, a ranking and shared terms."""
    t.require(~t.up[i] & t.up[j])
    low = t.grid[0]
    for k in range(1, SPOTS):
        low = ite(t.up[k], least(low, t.grid[k]), low)
    t.up[i] = True
    t.grid[i], t.grid[j] = t.grid[j], t.grid[i]
    shown = count(*t.up)
    rows = [
        row("a", when=shown > 5, then="shown"),
        row("b", when=low < 3, then="low"),
        row("c", when=(shown < 3) & (low > 4), then="shown"),
    ]
    effects = {"shown": lambda: setattr(t, "n", shown), "low": lambda: setattr(t, "n", low)}
    decide(t, "what", rows, outcomes=effects)
    with t.when(shown == SPOTS):
        t.score[t.turn] = t.score[t.turn] + take(t, "three", t.n, 3, "a")
        t.up.fill(False)
    with t.otherwise():
        t.piles[t.turn].push(1 + i % 6)
    t.turn = rank(t, "most", [list(t.score)], "b").first


def test_five_hundred_instances_of_thirty_statements_cost_less_than_two_seconds() -> None:
    book = Rulebook("busy", sizes={"only": Size()}, players=PLAYERS, clauses=["a", "b", "c"])
    book.state(Table)
    book.rule("a", by=player(lambda t: t.turn), i=SPOTS, j=SPOTS)(busy)
    twin = lambda t, i, j: busy(t, i, j)  # noqa: E731
    twin.__name__ = "twin"
    book.rule("b", by=player(lambda t: t.turn), i=SPOTS, j=SPOTS)(twin)
    began = time.process_time()
    program = book.build()
    seconds = time.process_time() - began
    statements = sum(sum(1 for _ in ir.statements(i.body)) for i in program.instances)
    assert len(program.instances) == 512
    assert statements > 512 * 30
    assert seconds < 2 * statements / (500 * 30)
