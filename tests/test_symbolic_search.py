"""Members of the portfolio that run plays (games, breadth-first search, shortening), and small situations."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from models.language import (
    CHANCE,
    Array,
    Bool,
    Index,
    Policy,
    Program,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    player,
    row,
)
from solvers.contract import Play, Refuted
from solvers.interpreter import Interpreter
from solvers.symbolic import smallest
from solvers.symbolic.games import Games
from solvers.symbolic.goals import AnyOf, Hit, site
from solvers.symbolic.portfolio import Ask
from solvers.symbolic.session import Session
from solvers.symbolic.shorten import shorten
from solvers.symbolic.solving import Deadline

LONG = Deadline.after(10**6)


@attrs.frozen(kw_only=True)
class Harvest(Size):
    """Baskets to fill."""

    players: int = 2
    baskets: int = 6


def harvest() -> Program:
    """Players put fruit into baskets; the day ends when one basket is full, which takes seven fruits."""
    book = Rulebook("harvest", sizes={"day": Harvest()}, players=2, clauses=["pick", "sun", "full", "more"])

    @book.state
    class Orchard(State):
        basket = Array(6, Range(0, 7))
        turn = Index(2)
        sunny = Bool()
        done = Bool()

    @book.rule("pick", by=player(lambda t: t.turn), into=6)
    def pick(t: Any, into: int) -> None:
        """A fruit goes into a basket."""
        t.require(t.sunny)
        t.basket[into] = t.basket[into] + 1
        t.turn = 1 - t.turn
        t.sunny = False

        def stop() -> None:
            t.done = True

        rows = [
            row("full", when=t.basket[into] == 7, then="stop"),
            row("more", when=t.basket[into] < 7, then="on"),
        ]
        decide(t, "basket", rows, policy=Policy.UNIQUE, outcomes={"stop": stop, "on": lambda: None})

    @book.rule("sun", by=CHANCE, shines=[0, 1])
    def sun(t: Any, shines: int) -> None:
        """The sun comes out or does not."""
        t.require(~t.sunny)
        t.sunny = shines == 1

    @book.over("full")
    def over(t: Any) -> Any:
        """A basket is full."""
        return t.done

    return book.build("day")


FULL = "row:basket:full"


def hits(program: Program, labels: tuple[str, ...], name: str) -> bool:
    run = Interpreter(program)
    before = run.replay(labels[:-1])[-1]
    return program.site_number[name] in run.step(before, run.find(labels[-1])).hits


def test_games_come_by_a_site_and_are_the_same_again() -> None:
    program = harvest()
    number = program.site_number[FULL]
    plays = [Games(program, Interpreter(program), seed=3).play_to([number], LONG) for _ in range(2)]
    assert plays[0] is not None
    assert plays[0] == plays[1]
    assert hits(program, plays[0], FULL)


def test_games_know_the_site_that_is_never_met() -> None:
    program = harvest()
    games = Games(program, Interpreter(program), seed=0)
    assert games.play_to([program.site_number["gap:basket"]], LONG) is None
    assert games.count == 89_000
    assert games.play_to([program.site_number["row:basket:more"]], LONG) is not None
    assert games.count == 89_000


def test_shortening_leaves_nothing_that_can_be_dropped() -> None:
    """A long random play to the full basket becomes the fourteen moves that it takes."""
    program, run = harvest(), Interpreter(harvest())
    goal = site(program, FULL)
    labels: list[str] = []
    for fruit in range(7):
        labels += ["sun(shines=0)"] * fruit
        for basket in range(1, 6) if fruit < 6 else ():
            labels += ["sun(shines=1)", f"pick(into={basket})"]
        labels += ["sun(shines=1)", "pick(into=0)"]

    def met(state: Any, label: str | None) -> bool:
        return label is not None and goal.met(run, state, label)

    short = shorten(run, labels, met, LONG, last_step=True)
    assert short == ("sun(shines=1)", "pick(into=0)") * 7
    last = {f"pick(into={n})" for n in range(6)}
    assert shorten(run, labels, met, LONG, last_step=True, last=last) == short


def test_what_does_not_do_it_is_left_alone() -> None:
    program = harvest()
    run = Interpreter(program)
    labels = ["sun(shines=1)", "pick(into=2)"]
    assert shorten(run, labels, lambda state, label: False, LONG, last_step=True) == tuple(labels)


@pytest.mark.parametrize(
    ("goal", "moves", "member"),
    [
        (lambda p: site(p, "row:basket:more"), 2, "breadth-first"),
        (lambda p: AnyOf("rows", (site(p, FULL), site(p, "row:basket:more"))), 2, "breadth-first"),
        (lambda p: site(p, FULL), 14, "breadth-first"),
    ],
    ids=["a site", "any of two", "a far site"],
)
def test_breadth_first_search_finds_shortest_plays(goal: Any, moves: int, member: str) -> None:
    program = harvest()
    ask = Ask(Session(program), goal(program), Deadline.after(60.0))
    found = ask.verdict()
    assert isinstance(found, Refuted)
    assert (len(found.witness.labels), found.witness.shortest, ask.decided_by) == (moves, True, member)


def test_without_native_code_the_verdict_is_the_same() -> None:
    program = harvest()
    ask = Ask(Session(program), site(program, "row:basket:more"), Deadline.after(60.0), search=False)
    found = ask.verdict()
    assert isinstance(found, Refuted)
    assert (len(found.witness.labels), ask.decided_by) == (2, "random play")


def test_a_small_situation_is_preferred() -> None:
    """Of the plays that fill a basket, one that leaves the other baskets empty."""
    program = harvest()
    goal = Hit(program.site_number[FULL], FULL)
    crowded = [f"pick(into={n})" for n in (1, 2, 3, 4, 5)] + ["pick(into=0)"] * 7
    labels = tuple(x for move in crowded for x in ("sun(shines=1)", move))
    assert hits(program, labels, FULL)
    found = smallest(program, goal, Refuted(Play(labels, shortest=False)), budget_seconds=60.0)
    assert found is not None
    assert (found.moved, found.least) == (2, True)
    assert hits(program, found.play.labels, FULL)
