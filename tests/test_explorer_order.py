"""The order of consequences that are due at once, on small books and against trying everything."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from models.language import RULES, Array, Bool, Range, Rulebook, State, ite
from solvers.explorer.order import NEVER, STOPPED, Order
from solvers.interpreter import Interpreter
from tests.small_mazes import One, explored, maze

Effect = Callable[[Any], None]


def _due(
    *effects: tuple[str, Effect], requires: Mapping[str, Callable[[Any], Any]] | None = None
) -> Rulebook:
    """Consequences that are all due at the setup, each once."""
    book = Rulebook("due", sizes={"one": One()}, clauses=("c",), players=1)

    @book.state
    class Table(State):
        x = Range(0, 9, start=1)
        y = Range(0, 9, start=1)
        z = Range(0, 9, hidden=True)
        done = Array(len(effects), Bool())

    def declare(k: int, name: str, effect: Effect) -> None:
        def rule(t: Any) -> None:
            t.require(~t.done[k])
            if requires and name in requires:
                t.require(requires[name](t))
            effect(t)
            t.done[k] = True

        rule.__name__ = name
        book.rule("c", by=RULES)(rule)

    for k, (name, effect) in enumerate(effects):
        declare(k, name, effect)
    return book


def _add(t: Any) -> None:
    t.x = t.x + 1


def _double(t: Any) -> None:
    t.x = t.x * 2


def _other(t: Any) -> None:
    t.y = t.y + 1


def _secret(t: Any) -> None:
    t.z = t.x


def _orders(book: Rulebook) -> dict[tuple[str, str], tuple[tuple[str, ...], ...]]:
    found, graph = explored(book)
    run = Interpreter(found.program)
    made = Order(run, graph).disorders()
    for (a, b), d in made.items():
        ends = []
        for rule, side in zip((a, b), d.first, strict=True):
            assert run.find(side[0]).rule == rule
            states = run.replay([*d.play.labels, *side])
            ends.append(states[-1] if len(states) > len(d.play.labels) + len(side) else None)
        assert ends[0] != ends[1]
    return {key: d.first for key, d in made.items()}


def test_two_consequences_that_commute_are_no_question() -> None:
    assert _orders(_due(("add", _add), ("other", _other))) == {}


def test_two_that_do_not_are_told_with_both_ways_to_rest() -> None:
    assert _orders(_due(("add", _add), ("double", _double))) == {
        ("add", "double"): (("add", "double"), ("double", "add"))
    }


def test_a_third_that_commutes_with_both_is_not_blamed() -> None:
    found = _orders(_due(("other", _other), ("add", _add), ("double", _double)))
    assert list(found) == [("add", "double")]


def test_a_difference_that_nobody_sees_is_no_question() -> None:
    assert _orders(_due(("add", _add), ("note", _secret))) == {}


def test_one_that_takes_the_other_away_is_told() -> None:
    found = _orders(_due(("add", _add), ("other", _other), requires={"other": lambda t: t.x == 1}))
    assert found == {("add", "other"): (("add",), ("other", "add"))}


def test_one_that_stops_the_play_first_is_told() -> None:
    def stop_small(t: Any) -> None:
        with t.when(t.x == 1):
            t.stop("too-small")

    found = _orders(_due(("add", _add), ("check", stop_small)))
    assert found == {("add", "check"): (("add", "check"), ("check",))}


def test_two_instances_of_one_rule_can_be_out_of_order() -> None:
    book = Rulebook("due", sizes={"one": One()}, clauses=("c",), players=1)

    @book.state
    class Table(State):
        x = Range(0, 2)
        done = Bool()

    @book.rule("c", by=RULES, n=(1, 2))
    def put(t: Any, n: int) -> None:
        t.require(~t.done)
        t.x = n
        t.done = True

    assert _orders(book) == {("put", "put"): (("put(n=1)",), ("put(n=2)",))}


def test_rests_are_right_inside_a_circle_of_consequences() -> None:
    """From both places of a circle the same two positions of rest can be reached, whichever comes first."""
    found, graph = explored(
        maze(
            {"round": {0: 1, 1: 0}, "west": {0: 2}, "east": {1: 3}},
            dict.fromkeys(("round", "west", "east"), RULES),
        )
    )
    order = Order(Interpreter(found.program), graph)
    rests = {graph.states[k][0]: order.rests(k) for k in range(len(graph.over))}
    assert rests[0] == rests[1] == rests[2] | rests[3]
    assert len(rests[0]) == 2
    assert list(order.disorders()) == []


def test_a_circle_that_never_rests_is_a_rest_of_its_own() -> None:
    found, graph = explored(maze({"spin": {0: 1, 1: 1}, "end": {0: 2}}, {"spin": RULES, "end": RULES}))
    order = Order(Interpreter(found.program), graph)
    by_place = {graph.states[k][0]: k for k in range(len(graph.over))}
    assert order.rests(by_place[1]) == {NEVER}
    made = order.disorders()
    assert {key: d.first for key, d in made.items()} == {("spin", "end"): (("spin", "spin"), ("end",))}


def test_a_stop_is_a_rest_of_its_own() -> None:
    found, graph = explored(maze({"halt": {0: -1}, "go": {0: 1}}, {"halt": RULES, "go": RULES}))
    order = Order(Interpreter(found.program), graph)
    assert order.rests(0) == {STOPPED} | order.rests(1)


@pytest.mark.parametrize("seeds", [range(60), range(60, 120)], ids=str)
def test_random_orders_agree_with_trying_everything(seeds: range) -> None:
    wrong = 0
    for seed in seeds:
        draw = random.Random(seed)
        effects: list[tuple[str, Effect]] = []
        for k in range(3):
            op, cell = draw.randrange(4), draw.choice("xy")

            def effect(t: Any, op: int = op, cell: str = cell) -> None:
                other = t.y if cell == "x" else t.x
                mine = t.x if cell == "x" else t.y
                value = [mine + 1, mine * 2, other, ite(other > 1, 0, mine)][op]
                setattr(t, cell, value % 10)

            effects.append((f"e{k}", effect))
        found, graph = explored(_due(*effects))
        run = Interpreter(found.program)
        made = Order(run, graph).disorders()
        confluent = all(
            len(_rests(run, graph.states[k])) == 1
            for k in range(len(graph.over))
            if run.enabled(graph.states[k])
        )
        assert (made == {}) == confluent, seed
        for (a, b), d in made.items():
            state = run.replay(d.play.labels)[-1]
            after = [run.after(state, run.find(side[0])) for side in d.first]
            one, two = (_rests(run, s) for s in after if s is not None)
            assert not one & two, (seed, a, b)
            assert d.rests == len(_rests(run, state))
        wrong += bool(made)
    assert wrong >= 10


def _rests(run: Interpreter, state: tuple[int, ...]) -> set[tuple[int, ...]]:
    due = run.enabled(state)
    if not due:
        return {tuple(state[s] for s in run.program.observable)}
    return set().union(*(_rests(run, after) for i in due if (after := run.after(state, i)) is not None))
