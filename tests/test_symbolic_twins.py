"""Two readings held against each other for all states of a size: proved equal, or apart with a play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from models.language import CHANCE, Index, Program, Range, Rulebook, Size, State, player
from models.language.errors import ModelError
from solvers.contract import Proved, Refuted, Unknown
from solvers.interpreter import Interpreter
from solvers.symbolic import Parting, Relation, Twins, ask
from solvers.symbolic.session import Session
from solvers.symbolic.solving import Deadline


@attrs.frozen(kw_only=True)
class Stairs(Size):
    """A flight of stairs."""

    players: int = 2


Change = Callable[[Any], Any]


def stairs(
    *,
    up: Change = lambda t: t.at + 1,
    may_rest: Change = lambda t: t.at % 2 == 0,
    weight: Change = lambda t: 1,
    over: Change = lambda t: t.at >= 20,
    by: Change = lambda t: t.turn,
) -> Program:
    """Players walk up together, one step each, and may rest on even steps; chance may push them."""
    book = Rulebook("stairs", sizes={"tall": Stairs()}, players=2, clauses=["up", "rest", "push", "end"])

    @book.state
    class Table(State):
        at = Range(0, 40)
        turn = Index(2)
        wind = Range(0, 1)

    @book.rule("up", by=player(by))
    def climb(t: Any) -> None:
        """One step up."""
        t.require(t.wind == 0)
        t.at = up(t)
        t.turn = 1 - t.turn
        t.wind = 1

    @book.rule("rest", by=player(by))
    def rest(t: Any) -> None:
        """Rest a turn."""
        t.require((t.wind == 0) & may_rest(t))
        t.turn = 1 - t.turn
        t.wind = 1

    @book.rule("push", by=CHANCE, steps=[0, 1], weight=lambda t, steps: weight(t) if steps else 1)
    def push(t: Any, steps: int) -> None:
        """The wind pushes up or not."""
        t.require(t.wind == 1)
        t.at = t.at + steps
        t.wind = 0

    @book.over("end")
    def ended(t: Any) -> Any:
        """The top is reached."""
        return over(t)

    return book.build("tall")


def twins(one: Program, other: Program) -> Twins:
    session = Session(one)
    session.prove((), Deadline.after(30.0))
    return Twins(session, other)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"up": lambda t: t.at + 2 - 1},
        {"may_rest": lambda t: (t.at % 4 == 0) | (t.at % 4 == 2)},
        {"weight": lambda t: 1 + t.at // 41},
        {"by": lambda t: (t.turn + 2) % 2},
    ],
    ids=["the same", "a step in other words", "resting in other words", "no likelier", "the same player"],
)
def test_equal_readings_are_proved_equal(changes: dict[str, Change]) -> None:
    found = twins(stairs(), stairs(**changes)).equal(Deadline.after(30.0))
    assert isinstance(found, Proved)
    assert found.scope.startswith("tall, all states that keep ")


@pytest.mark.parametrize(
    ("changes", "moves", "respect"),
    [
        ({"up": lambda t: t.at + 2}, 0, "climb"),
        ({"may_rest": lambda t: t.at % 3 == 0}, 2, "rest"),
        ({"weight": lambda t: 1 + t.at // 10}, 11, "push(steps=1)"),
        ({"over": lambda t: t.at >= 19}, 19, "climb"),
        ({"by": lambda t: 1 - t.turn}, 0, "climb"),
    ],
    ids=["a longer step", "other rests", "a likelier push", "another end", "another player"],
)
def test_readings_that_differ_part_in_a_play(changes: dict[str, Change], moves: int, respect: str) -> None:
    one, other = stairs(), stairs(**changes)
    pair = twins(one, other)
    assert isinstance(told := pair.equal(Deadline.after(30.0)), Unknown)
    assert told.reason == f"a state shows a difference: {respect}"
    goal = Parting(pair)
    found = ask(one, goal, budget_seconds=30.0)
    assert isinstance(found, Refuted)
    states = Interpreter(one).replay(found.witness.labels)
    assert goal.met(Interpreter(one), states[-1], None)
    assert (len(found.witness.labels), found.witness.shortest) == (moves, True)


def test_a_difference_out_of_reach_is_no_difference() -> None:
    """Beyond the last step but one nobody ever is, so that what would happen there says nothing."""
    one = stairs()
    pair = twins(one, stairs(up=lambda t: t.at + 1 + t.at // 30))
    assert isinstance(pair.equal(Deadline.after(30.0)), Proved)


def test_moves_are_compared_one_by_one() -> None:
    pair = twins(stairs(), stairs(may_rest=lambda t: t.at % 4 == 0))
    rest = pair.compare("rest", Deadline.after(30.0))
    assert (rest.possible, rest.outcome, rest.same) == (Relation.FEWER, True, False)
    assert rest.state is not None
    climb = pair.compare("climb", Deadline.after(30.0))
    assert (climb.possible, climb.outcome, climb.same, climb.state) == (Relation.EQUAL, True, True, None)


def test_programs_with_other_fields_are_refused() -> None:
    book = Rulebook("ramp", sizes={"tall": Stairs()}, players=2, clauses=["up"])

    @book.state
    class Table(State):
        height = Range(0, 3)

    @book.rule("up", by=player(lambda t: 0))
    def climb(t: Any) -> None:
        t.require(t.height == 0)
        t.height = 1

    with pytest.raises(ModelError, match="the two programs have different fields"):
        Twins(Session(stairs()), book.build("tall"))
