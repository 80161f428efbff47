"""Small invented rulebooks: each with one thing in its flow to be found, one for programs, a large one."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bool,
    Enum,
    Index,
    Range,
    Rulebook,
    Size,
    State,
    every,
    player,
)


@attrs.frozen(kw_only=True)
class Tiny(Size):
    """There is nothing to count."""


def begin(name: str, phases: str) -> tuple[Rulebook, list[Any]]:
    """A rulebook with some phases, flags and a counter, over in the last phase; and the phases."""
    Phase = enum.Enum("Phase", phases.split(), module=__name__)  # type: ignore[misc]
    made = Rulebook(name, sizes={"tiny": Tiny()}, players=1, clauses=["a", "b", "c", "d", "end"])

    @made.state
    class Table(State):
        phase = Enum(Phase)
        count = Range(0, 5)
        flags = Array(3, Bool())

    members = list(Phase)
    made.over("end")(lambda t: t.phase == members[-1])
    return made, members


chooser = player(lambda t: 0)


def forced_circle() -> Rulebook:
    """From the middle on there is one move only, and it leads round in a circle."""
    made, (BEGIN, MIDDLE, LAST, DONE) = begin("forced_circle", "BEGIN MIDDLE LAST DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def enter(t: State) -> None:
        t.phase = MIDDLE

    @made.rule("b", by=chooser, phase=BEGIN)
    def leave(t: State) -> None:
        t.phase = DONE

    @made.rule("c", by=chooser, phase=MIDDLE)
    def there(t: State) -> None:
        t.phase = LAST

    @made.rule("d", by=chooser, phase=LAST)
    def back(t: State) -> None:
        t.phase = MIDDLE

    return made


def chosen_circle() -> Rulebook:
    """A player may go round as long as they like, and may stop at any time."""
    made, (BEGIN, MIDDLE, DONE) = begin("chosen_circle", "BEGIN MIDDLE DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def wander(t: State) -> None:
        t.phase = MIDDLE

    @made.rule("b", by=chooser, phase=MIDDLE)
    def return_(t: State) -> None:
        t.phase = BEGIN

    @made.rule("c", by=chooser, phase=(BEGIN, MIDDLE))
    def stop(t: State) -> None:
        t.phase = DONE

    return made


def disorder() -> Rulebook:
    """Two consequences are due at once, and it matters which comes first."""
    made, (BEGIN, MIDDLE, DONE) = begin("disorder", "BEGIN MIDDLE DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def start(t: State) -> None:
        t.flags[0] = True
        t.flags[1] = True
        t.count = 1
        t.phase = MIDDLE

    @made.rule("b", by=RULES, phase=MIDDLE)
    def double(t: State) -> None:
        t.require(t.flags[0])
        t.flags[0] = False
        t.count = t.count * 2

    @made.rule("c", by=RULES, phase=MIDDLE)
    def add(t: State) -> None:
        t.require(t.flags[1])
        t.flags[1] = False
        t.count = t.count + 1

    @made.rule("d", by=chooser, phase=MIDDLE)
    def finish(t: State) -> None:
        t.require(every(~t.flags[0], ~t.flags[1]))
        t.phase = DONE

    return made


def chain() -> Rulebook:
    """One move sets off a consequence, which sets off the next, which sets off the last."""
    made, (BEGIN, DONE) = begin("chain", "BEGIN DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def push(t: State) -> None:
        t.flags[0] = True

    @made.rule("b", by=RULES)
    def first(t: State) -> None:
        t.require(t.flags[0])
        t.flags[0] = False
        t.flags[1] = True

    @made.rule("c", by=RULES)
    def second(t: State) -> None:
        t.require(t.flags[1])
        t.flags[1] = False
        t.flags[2] = True

    @made.rule("d", by=RULES)
    def third(t: State) -> None:
        t.require(t.flags[2])
        t.flags[2] = False
        t.phase = DONE

    return made


def nowhere() -> Rulebook:
    """A phase that no move leads to; a move that would leave it is there."""
    made, (BEGIN, NOWHERE, DONE) = begin("nowhere", "BEGIN NOWHERE DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def go(t: State) -> None:
        t.phase = DONE

    @made.rule("b", by=chooser, phase=NOWHERE)
    def wake(t: State) -> None:
        t.phase = BEGIN

    return made


PLANTED: dict[str, Callable[[], Rulebook]] = {
    f.__name__: f for f in (forced_circle, chosen_circle, disorder, chain, nowhere)
}


# -- a game that programs are held against -----------------------------------------------------------------


class Step(enum.Enum):
    """Phases of Lanterns."""

    LIGHT = 0
    GUESS = 1
    SETTLE = 2
    OVER = 3


def lanterns() -> Rulebook:
    """Two players light lanterns and guess; the second lantern that is settled ends the game."""
    made = Rulebook(
        "lanterns",
        sizes={"tiny": Tiny()},
        players=2,
        clauses=["light", "rest", "guess", "settle", "wind", "end"],
    )

    @made.state
    class Table(State):
        phase = Enum(Step)
        turn = Index(2)
        guess = Range(0, 1)
        settled = Range(0, 2)
        rested = Bool()

    on_turn = player(lambda t: t.turn)

    @made.rule("light", by=on_turn, phase=Step.LIGHT)
    def light(t: State) -> None:
        t.rested = False
        t.phase = Step.GUESS

    @made.rule("rest", by=on_turn, phase=Step.LIGHT)
    def rest(t: State) -> None:
        t.require(~t.rested)
        t.rested = True
        t.turn = 1 - t.turn

    @made.rule("guess", by=on_turn, phase=Step.GUESS, value=2)
    def guess(t: State, value: int) -> None:
        t.guess = value
        t.phase = Step.SETTLE

    @made.rule("settle", by=CHANCE, phase=Step.SETTLE, wind=2)
    def settle(t: State, wind: int) -> None:
        with t.when(t.guess == wind):
            t.settled = t.settled + 1
        t.guess = 0
        t.turn = 1 - t.turn
        with t.when(t.settled == 2):
            t.phase = Step.OVER
        with t.otherwise():
            t.phase = Step.LIGHT

    made.over("end")(lambda t: t.phase == Step.OVER)
    return made


# -- a large flow ------------------------------------------------------------------------------------------


def rooms(n: int = 40) -> Rulebook:
    """A house of many rooms, to see whether a picture of so many nodes can be read."""
    room = enum.Enum("Room", [*(f"ROOM_{k}" for k in range(n)), "GARDEN"], module=__name__)  # type: ignore[misc]
    doors = list(room)
    made = Rulebook("rooms", sizes={"tiny": Tiny()}, players=1, clauses=["walk", "door", "draught", "end"])

    @made.state
    class Table(State):
        phase = Enum(room)

    for k in range(n):
        ways = sorted({k + 1, min(k + 3, n)} if k % 4 else {k + 1, max(k - 3, 0)})
        actor, clause = ((chooser, "walk"), (RULES, "door"), (CHANCE, "draught"))[k % 3]
        for to in ways[: 1 if actor is RULES else 2]:
            _door(made, doors, clause, actor, k, to)
    made.over("end")(lambda t: t.phase == doors[n])
    return made


def _door(made: Rulebook, doors: Sequence[enum.Enum], clause: str, actor: object, k: int, to: int) -> None:
    def pass_door(t: State) -> None:
        t.phase = doors[to]

    pass_door.__name__ = f"from_{k}_to_{to}"
    made.rule(clause, by=actor, phase=doors[k])(pass_door)  # type: ignore[arg-type]
