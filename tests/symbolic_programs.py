"""Random programs for the symbolic engine: every operation and statement of the IR, in small state spaces.

A program depends on its seed alone. Values may leave their ranges (capacity), tables overlap and leave gaps,
and reads are used after their slots were overwritten.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Callable
from typing import Any

import attrs

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bag,
    Bool,
    Enum,
    Index,
    Policy,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    decide,
    ite,
    least,
    lookup,
    longest,
    most,
    player,
    reach,
    row,
    take,
)
from models.language.program import Program


class Phase(enum.Enum):
    A = 0
    B = 1
    C = 2


class Kind(enum.Enum):
    X = 0
    Y = 1
    Z = 2


@attrs.frozen(kw_only=True)
class Small(Size):
    pass


TRIANGLE = [(0, 1), (1, 2), (0, 2), (2, 3)]


class Terms:
    """Random terms over a state `t`."""

    def __init__(self, rng: random.Random, t: Any) -> None:
        self.rng, self.t = rng, t

    def index(self) -> Any:
        return self.rng.choice([lambda: self.t.at, lambda: self.rng.randrange(3)])()

    def number(self, depth: int) -> Any:
        t, rng = self.t, self.rng
        leaves: list[Callable[[], Any]] = [
            lambda: t.n, lambda: t.m, lambda: t.row[self.index()], lambda: rng.randrange(-3, 5),
            lambda: t.bag[rng.choice(list(Kind))], lambda: t.pile.depth, lambda: t.total(t.bag),
            lambda: lookup(t.kind, {Kind.X: 3, Kind.Y: -1, Kind.Z: 3})]
        if depth <= 0:
            return rng.choice(leaves)()
        two = (self.number(depth - 1), self.number(depth - 1))
        return rng.choice([
            *leaves, lambda: two[0] + two[1], lambda: two[0] - two[1], lambda: two[0] * two[1] - 0,
            lambda: (two[0] + 0) // rng.choice([2, 3]) if not isinstance(two[0], int) else two[0],
            lambda: two[0] % rng.choice([2, 3]), lambda: least(*two), lambda: most(*two),
            lambda: ite(self.truth(depth - 1), *two), lambda: longest("path", 4, TRIANGLE, self.edges()),
            lambda: longest("trail", 4, TRIANGLE, self.edges())])()

    def edges(self) -> list[Any]:
        return [self.truth(0) for _ in TRIANGLE]

    def truth(self, depth: int) -> Any:
        t, rng = self.t, self.rng
        leaves: list[Callable[[], Any]] = [
            lambda: t.flag, lambda: t.kind == rng.choice(list(Kind)), lambda: t.n > rng.randrange(0, 3),
            lambda: t.flags[self.index()], lambda: t.row[self.index()] == t.m, lambda: t.m < t.n,
            lambda: t.pile.top == rng.choice(list(Kind))]
        if depth <= 0:
            return rng.choice(leaves)()
        return rng.choice([
            *leaves, lambda: self.truth(depth - 1) & self.truth(depth - 1),
            lambda: self.truth(depth - 1) | self.truth(depth - 1), lambda: ~self.truth(depth - 1),
            lambda: t.n + self.number(depth - 1) <= self.number(depth - 1),
            lambda: t.m == self.number(depth - 1),
            lambda: reach(TRIANGLE, self.edges(), [True, self.truth(0), False, False], 3)])()

    def kind(self) -> Any:
        t, rng = self.t, self.rng
        return rng.choice([lambda: t.kind, lambda: rng.choice(list(Kind)), lambda: t.pile.top,
                           lambda: ite(self.truth(1), Kind.X, t.kind)])()


def within(value: Any, lo: int, hi: int, rng: random.Random) -> Any:
    """Mostly clipped to a range; now and then free to leave it, which is a capacity question."""
    if isinstance(value, int):
        return min(max(value, lo), hi)
    if value.hi < lo or value.lo > hi or rng.random() < 0.7:
        return least(most(value, lo), hi)
    return value


class Statements:
    """Random statements of a rule."""

    def __init__(self, rng: random.Random, t: Any, name: str) -> None:
        self.rng, self.t, self.name, self.made, self.kept = rng, t, name, Terms(rng, t), []
        self.count = 0

    def some(self, depth: int) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self.one(depth)

    def one(self, depth: int) -> None:
        rng, t, made = self.rng, self.t, self.made
        self.count += 1
        called = f"{self.name}{self.count}"
        choice = rng.randrange(12)
        if choice == 0:
            t.n = within(made.number(2), 0, 3, rng)
        elif choice == 1:
            t.m = within(made.number(2), -2, 2, rng)
        elif choice == 2:
            t.row[made.index()] = within(made.number(1), 0, 2, rng)
        elif choice == 3:
            t.flags[made.index()] = made.truth(1)
        elif choice == 4:
            t.kind = made.kind()
        elif choice == 5:
            old = t.n + t.m
            t.n = within(made.number(1), 0, 3, rng)
            t.m = within(old, -2, 2, rng)
        elif choice == 6:
            drawn = take(t, called, t.bag[Kind.X], 1, "c")
            t.bag[Kind.X] = t.bag[Kind.X] - drawn
        elif choice == 7:
            (t.pile.push if rng.random() < 0.6 else lambda _: t.pile.pop())(made.kind())
        elif choice == 8:
            self.table(called)
        elif choice == 9 and depth:
            with t.when(made.truth(2)):
                self.some(depth - 1)
            if rng.random() < 0.6:
                with t.otherwise():
                    self.some(depth - 1)
        elif choice == 10:
            t.at = least(most(made.number(1), 0), 2)
        else:
            t.phase = ite(made.truth(1), rng.choice(list(Phase)), rng.choice(list(Phase)))

    def table(self, name: str) -> None:
        rng, t, made = self.rng, self.t, self.made
        rows = [row("c", when=made.truth(1), then=rng.choice(["up", "down"]), id=f"r{i}") for i in range(3)]
        policy = rng.choice([Policy.UNIQUE, Policy.FIRST, Policy.ANY])

        def up() -> None:
            t.n = least(t.n + 1, 3)

        def down() -> None:
            t.n = most(t.n - 1, 0)

        decide(t, name, rows, policy=policy, outcomes={"up": up, "down": down},
               on_gap=rng.choice(["nothing", "stop"]))


def program(seed: int) -> Program:
    """The random program of a seed."""
    rng = random.Random(seed)
    book = Rulebook(f"random{seed}", sizes={"tiny": Small()}, players=2, clauses=["c"])

    @book.state
    class Board(State):
        phase = Enum(Phase)
        n = Range(0, 3)
        m = Range(-2, 2, start=0)
        flag = Bool()
        kind = Enum(Kind)
        at = Index(3)
        row = Array(3, Range(0, 2))
        flags = Array(3, Bool())
        bag = Bag(Kind, {Kind.X: 2, Kind.Y: 1, Kind.Z: 1})
        pile = Stack(Enum(Kind), 2)

    assert Board
    phases = list(Phase)
    for number in range(rng.randrange(2, 5)):
        phase = phases[number % 3]
        by = {Phase.A: player(lambda t: t.at % 2), Phase.B: CHANCE, Phase.C: RULES}[phase]
        steps = rng.randrange(1 << 30)

        def rule(t: Any, p: int, steps: int = steps, number: int = number) -> None:
            inner = random.Random(steps)
            t.require(Terms(inner, t).truth(1))
            t.require((t.n + p) % 2 == 0)
            Statements(inner, t, f"s{number}_").some(2)

        rule.__name__ = f"rule{number}"
        params: dict[str, Any] = {"p": 2}
        book.rule("c", phase=phase, by=by, **params)(rule)
    book.over("c")(lambda t: (t.n == 3) & (t.m == 2))
    return book.build()
