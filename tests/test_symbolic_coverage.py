"""Dead rows and dead sentences: what never acts is proved, what acts is shown, nothing else is said."""

from __future__ import annotations

from typing import Any

import attrs

from models.language import (
    CHANCE,
    Array,
    Bool,
    Policy,
    Program,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    player,
    row,
    take,
)
from solvers.contract import Proved, Refuted, Verdict
from solvers.explorer import explore
from solvers.interpreter import Interpreter
from solvers.symbolic import dead_clauses, dead_rows, find_invariants
from solvers.symbolic.coverage import acting

CLAUSES = ["fill", "drink", "sip", "gulp", "flood", "refill", "spill", "thirst"]


@attrs.frozen(kw_only=True)
class Well(Size):
    """A well and two buckets."""

    players: int = 2


def well() -> Program:
    """Players draw water; nobody can ever draw more than four, so that one row and two sentences are dead."""
    book = Rulebook("well", sizes={"tiny": Well()}, players=2, clauses=CLAUSES)

    @book.state
    class Water(State):
        left = Range(0, 12, start=12)
        turn = Range(0, 1)
        drawn = Range(0, 6)
        drunk = Array(2, Range(0, 12))
        dry = Bool()

    @book.rule("fill", by=CHANCE, amount=[1, 2, 3, 4])
    def fill(t: Any, amount: int) -> None:
        """The bucket comes up with some water."""
        t.require((t.drawn == 0) & ~t.dry)
        taken = take(t, "bucket", t.left, amount, "refill")
        t.drawn = taken
        t.left = t.left - taken
        t.dry = t.left == 0

    @book.rule("drink", by=player(lambda t: t.turn))
    def drink(t: Any) -> None:
        """The bucket is emptied."""
        t.require(t.drawn > 0)
        t.drunk[t.turn] = t.drunk[t.turn] + t.drawn

        def pass_on() -> None:
            t.turn = 1 - t.turn

        decide(
            t,
            "thirst-table",
            [
                row("sip", when=t.drawn <= 2, then="pass"),
                row("gulp", when=(t.drawn > 2) & (t.drawn <= 4), then="stay"),
                row("flood", when=t.drawn > 4, then="pass"),
            ],
            policy=Policy.UNIQUE,
            outcomes={"pass": pass_on, "stay": lambda: None},
        )
        t.drawn = 0

    @book.rule("spill", by=player(lambda t: t.turn))
    def spill(t: Any) -> None:
        """Water is spilt from a bucket that is fuller than any bucket can be."""
        t.require(t.drawn == 5)
        t.drawn = 0

    @book.over("thirst")
    def over(t: Any) -> Any:
        """The well is dry and the bucket empty."""
        return t.dry & (t.drawn == 0)

    return book.build("tiny")


def kind(verdicts: dict[str, Verdict]) -> dict[str, str]:
    return {key: type(v).__name__ for key, v in verdicts.items()}


def test_a_row_that_never_prevails_is_proved_dead() -> None:
    program = well()
    found = dead_rows(program, invariants=find_invariants(program), budget_seconds=20.0)
    assert kind(found) == {
        "row:thirst-table:sip": "Refuted",
        "row:thirst-table:gulp": "Refuted",
        "row:thirst-table:flood": "Proved",
    }


def test_a_sentence_whose_constructs_never_act_is_proved_dead() -> None:
    """A draw acts whenever it is made, not only where the supply falls short."""
    program = well()
    found = dead_clauses(program, invariants=find_invariants(program), budget_seconds=20.0)
    assert kind(found) == {
        "fill": "Refuted",
        "refill": "Refuted",
        "drink": "Refuted",
        "sip": "Refuted",
        "gulp": "Refuted",
        "flood": "Proved",
        "spill": "Proved",
    }
    for verdict in found.values():
        if isinstance(verdict, Refuted):
            Interpreter(program).replay(verdict.witness.labels)
    assert isinstance(found["flood"], Proved)
    assert found["flood"].scope.startswith("tiny, all reachable states (")


def test_only_the_sentences_that_were_asked_for() -> None:
    found = dead_clauses(well(), ["spill", "thirst"], budget_seconds=20.0)
    assert kind(found) == {"spill": "Proved"}


def test_recording_changes_no_state() -> None:
    """The program that records what acts has the states and steps of the program itself."""
    program = well()
    one, other = explore(program), explore(acting(program))
    assert (one.states, one.transitions, one.fired) == (other.states, other.transitions, other.fired)
