"""Tiny machines, second part: one for each construct, each with something found and something not found."""

from __future__ import annotations

import enum

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
    Stack,
    State,
    Term,
    count,
    ite,
    player,
    rank,
    repeat,
    take,
)
from tests.machine_kit import Machine

one = player(lambda t: 0)


class Face(enum.Enum):
    LOW = 0
    MID = 1
    HIGH = 2


class Phase(enum.Enum):
    GO = 0
    END = 1


def rulebook(name: str, *clauses: str, variants: dict[str, str] | None = None) -> Rulebook:
    """A rulebook with some clauses."""
    return Rulebook(name, sizes={"only": Size()}, clauses=clauses, variants=variants)


def tie() -> Rulebook:
    """Two piles are filled; the fuller one wins, then the one with the joker; both may be alike."""
    made = rulebook("tie", "add", "best", "share")

    @made.state
    class Table(State):
        piles = Array(2, Range(0, 1))
        joker = Range(0, 2)
        winner = Range(0, 2, start=2)

    @made.rule("add", by=one, first=2, second=2, joker=3)
    def add(t: Table, first: int, second: int, joker: int) -> None:
        t.require(t.winner == 2)
        t.piles[0], t.piles[1], t.joker = first, second, joker
        numbers = [[t.piles[0], t.piles[1]], [ite(t.joker == i, 1, 0) for i in (1, 2)]]
        t.winner = rank(t, "fuller", numbers, "best").first
        rank(t, "shared", numbers, "share", shared=True)

    @made.over("best")
    def over(t: Table) -> Term:
        return t.winner < 2

    return made


def shortage() -> Rulebook:
    """Two are taken again and again from a supply of three."""
    made = rulebook("shortage", "take")

    @made.state
    class Table(State):
        left = Range(0, 3, start=3)
        mine = Range(0, 3)

    @made.rule("take", by=one)
    def pay(t: Table) -> None:
        t.require(t.left > 0)
        got = take(t, "two", t.left, 2, "take")
        t.left = t.left - got
        t.mine = t.mine + got

    @made.over("take")
    def over(t: Table) -> Term:
        return t.left == 0

    return made


def stacking() -> Rulebook:
    """An effect whose condition may be met twice at once; whether it then happens twice is a reading."""
    made = rulebook("stacking", "bonus")
    twice = made.reading(
        "twice",
        "bonus",
        options={"once": "one bonus", "each": "a bonus for each"},
        default="each",
        why="plain sum",
        asks="Is the bonus given for each?",
    )

    @made.state
    class Table(State):
        flags = Array(2, Bool())
        score = Range(0, 2)
        done = Bool()

    @made.rule("bonus", by=one, a=2, b=2)
    def choose(t: Table, a: int, b: int) -> None:
        t.require(~t.done)
        t.flags[0], t.flags[1] = bool(a), bool(b)
        t.score = repeat(t, "bonus", "bonus", count(*t.flags), twice)
        t.done = True

    @made.over("bonus")
    def over(t: Table) -> Term:
        return t.done

    return made


def order() -> Rulebook:
    """Two consequences fall due at once, and which comes first matters: doubling, or adding one."""
    made = rulebook("order", "double", "add")

    @made.state
    class Table(State):
        n = Range(0, 9, start=1)
        due = Array(2, Bool())
        done = Bool()

    @made.rule("double", by=one)
    def begin(t: Table) -> None:
        t.require(~t.done)
        t.due.fill(True)
        t.done = True

    @made.rule("double", by=RULES)
    def double(t: Table) -> None:
        t.require(t.due[0])
        t.n = t.n * 2
        t.due[0] = False

    @made.rule("add", by=RULES)
    def add(t: Table) -> None:
        t.require(t.due[1])
        t.n = t.n + 1
        t.due[1] = False

    @made.over("add")
    def over(t: Table) -> Term:
        return t.done & ~t.due[0] & ~t.due[1]

    return made


def chain() -> Rulebook:
    """A consequence that sets off the next one, three times; no player acts in between."""
    made = rulebook("chain", "push", "fall")

    @made.state
    class Table(State):
        standing = Array(4, Bool(), start=True)
        falling = Range(0, 4, start=4)

    @made.rule("push", by=one)
    def push(t: Table) -> None:
        t.require(t.standing[0])
        t.falling = 0

    @made.rule("fall", by=RULES)
    def fall(t: Table) -> None:
        t.require(t.falling < 4)
        t.standing[t.falling] = False
        t.falling = t.falling + 1

    @made.over("fall")
    def over(t: Table) -> Term:
        return ~t.standing[3]

    return made


def stuck() -> Rulebook:
    """Steps of two on a track of five, where only the last square ends the game; the fourth has no way on."""
    made = rulebook("stuck", "step", "end")

    @made.state
    class Table(State):
        at = Index(5)

    @made.rule("step", by=one, by_=[1, 2])
    def step(t: Table, by_: int) -> None:
        t.require((t.at + by_ < 4) | ((t.at == 2) & (by_ == 2)))
        t.at = t.at + by_

    @made.over("end")
    def over(t: Table) -> Term:
        return t.at == 4

    return made


def forced_cycle() -> Rulebook:
    """After the one choice everything goes round by itself for ever."""
    made = rulebook("forced-cycle", "start", "turn")

    @made.state
    class Table(State):
        wheel = Range(0, 3)

    @made.rule("start", by=one)
    def begin(t: Table) -> None:
        t.require(t.wheel == 0)
        t.wheel = 1

    @made.rule("turn", by=RULES)
    def turn(t: Table) -> None:
        t.require(t.wheel > 0)
        t.wheel = t.wheel % 3 + 1

    @made.over("turn")
    def over(t: Table) -> Term:
        return t.wheel == 4

    return made


def optional_cycle() -> Rulebook:
    """A player may go back and forth for ever, or end the game."""
    made = rulebook("optional-cycle", "walk", "end")

    @made.state
    class Table(State):
        phase = Enum(Phase)
        at = Index(2)

    @made.rule("walk", by=one, phase=Phase.GO)
    def walk(t: Table) -> None:
        t.at = 1 - t.at

    @made.rule("end", by=one, phase=Phase.GO)
    def end(t: Table) -> None:
        t.require(t.at == 1)
        t.phase = Phase.END

    @made.over("end")
    def over(t: Table) -> Term:
        return t.phase == Phase.END

    return made


def chance_cycle() -> Rulebook:
    """Chance goes on until it shows a six, which it does with probability one."""
    made = rulebook("chance-cycle", "roll")

    @made.state
    class Table(State):
        done = Bool()

    @made.rule("roll", by=CHANCE, six=[False, True], weight=lambda t, six: 1 if six else 5)
    def roll(t: Table, six: bool) -> None:
        t.done = six

    @made.over("roll")
    def over(t: Table) -> Term:
        return t.done

    return made


def capacity() -> Rulebook:
    """A counter, an index and a stack that are pushed beyond their end: the step has no successor."""
    made = rulebook("capacity", "add", "look", "lay")

    @made.state
    class Table(State):
        n = Range(0, 2)
        row = Array(2, Bool())
        pile = Stack(Enum(Face), 1)

    @made.rule("add", by=one)
    def add(t: Table) -> None:
        t.n = t.n + 1

    @made.rule("look", by=one)
    def look(t: Table) -> None:
        t.require(~t.row[t.n])
        t.row[t.n] = True

    @made.rule("lay", by=one)
    def lay(t: Table) -> None:
        t.pile.push(Face.MID)

    return made


def open_end() -> Rulebook:
    """The text ends in the middle: what happens on the third square is nowhere said."""
    made = rulebook("open-end", "step", "square")

    @made.state
    class Table(State):
        at = Index(3)

    @made.rule("step", by=one)
    def step(t: Table) -> None:
        t.require(t.at < 2)
        t.at = t.at + 1
        with t.when(t.at == 2):
            t.stop("third-square", "square")
        t.cover("went-on")

    return made


CONSTRUCTS = {
    "tie": Machine(
        tie,
        states=13,
        transitions=12,
        sites={
            "tie:fuller": 1,
        },
        over=12,
    ),
    "shortage": Machine(
        shortage,
        states=3,
        transitions=2,
        sites={
            "shortage:two": 2,
        },
        over=1,
    ),
    "stacking-each": Machine(
        stacking,
        states=5,
        transitions=4,
        sites={
            "stacking:bonus": 1,
        },
        over=4,
    ),
    "stacking-once": Machine(
        stacking,
        states=5,
        transitions=4,
        sites={
            "stacking:bonus": 1,
        },
        over=4,
        build={"readings": {"twice": "once"}},
    ),
    "order": Machine(
        order,
        states=6,
        transitions=5,
        over=2,
    ),
    "chain": Machine(
        chain,
        states=6,
        transitions=5,
        over=1,
    ),
    "stuck": Machine(
        stuck,
        states=5,
        transitions=6,
        stuck=1,
        over=1,
    ),
    "forced-cycle": Machine(
        forced_cycle,
        states=4,
        transitions=4,
    ),
    "optional-cycle": Machine(
        optional_cycle,
        states=3,
        transitions=3,
        over=1,
    ),
    "chance-cycle": Machine(
        chance_cycle,
        states=2,
        transitions=2,
        over=1,
    ),
    "capacity": Machine(
        capacity,
        states=20,
        transitions=54,
        sites={
            "capacity:pile.depth": 2,
            "capacity:n": 3,
            "capacity:row[]": 3,
        },
    ),
    "open-end": Machine(
        open_end,
        states=2,
        transitions=2,
        sites={
            "cover:went-on": 1,
            "stop:third-square": 2,
        },
    ),
}
