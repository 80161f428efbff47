"""Tiny machines, third part: tables under every policy, their derived readings, and overrides."""

from __future__ import annotations

from models.language import (
    Bool,
    Policy,
    Range,
    Row,
    Rulebook,
    State,
    Term,
    decide,
    renamed,
    row,
)
from tests.machine_constructs import Face, one, rulebook
from tests.machine_kit import Machine


def table(policy: Policy = Policy.UNIQUE, *, on_gap: str = "nothing", on_clash: str = "") -> Rulebook:
    """A number is chosen, then a table of three sentences settles what is added to the score.

    0: no sentence · 1: `a` · 2: `a` and `b`, other outcomes · 3: `b` and `c`, one outcome · `dead`: never.
    """
    made = rulebook("table", "a", "b", "c", "dead")

    @made.state
    class Table(State):
        n = Range(0, 3)
        score = Range(0, 3)
        done = Bool()

    @made.rule("a", "b", "c", "dead", by=one, n=4)
    def choose(t: Table, n: int) -> None:
        t.require(~t.done)
        t.n = n
        over = ["b"] if policy is Policy.PRIORITY else []
        rows = [
            row("a", when=(t.n == 1) | (t.n == 2), then="one"),
            row("b", when=t.n >= 2, then="two"),
            row("c", when=t.n == 3, then="two", overrides=over),
            row("dead", when=t.n > 3, then="one"),
        ]
        add = {"one": lambda: add_to(t, 1), "two": lambda: add_to(t, 2)}
        decide(t, "sum", rows, policy=policy, outcomes=add, on_gap=on_gap, on_clash=on_clash)
        t.done = True

    def add_to(t: Table, n: int) -> None:
        t.score = t.score + n

    @made.over("a")
    def over(t: Table) -> Term:
        return t.done

    return made


def overridden() -> Rulebook:
    """A table that a variant changes, that a ruling changes again, and to which a variant adds a row."""
    made = rulebook(
        "overridden", "low", "high", "fast", "faq", variants={"base": "", "fast": "double points"}
    )
    made.ruling("faq", source="the author")

    @made.state
    class Table(State):
        score = Range(0, 4)
        done = Bool()

    @made.rule("low", "high", by=one, face=Face)
    def roll(t: Table, face: Face) -> None:
        t.require(~t.done)
        rows = [row("low", when=face is Face.LOW, then=1), row("high", when=face is Face.HIGH, then=2)]
        found = decide(t, "points", rows, on_gap=0)
        assert found is not None
        t.score = found
        t.done = True

    @made.override("points", "high", clause="fast", variant="fast")
    def doubled(t: Table, old: Row) -> Row:
        return renamed(old, clause="fast", then=4)

    @made.override("points", "high", clause="faq", ruling="faq", overrides="fast")
    def less(t: Table, old: Row) -> Row:
        assert isinstance(old.then, Term)
        return renamed(old, clause="faq", then=old.then - 1)

    @made.override("points", "", clause="fast", variant="fast")
    def added(t: Table, old: None) -> Row:
        return row("fast", when=~t.done, then=3)

    @made.over("low")
    def over(t: Table) -> Term:
        return t.done

    return made


TABLES = {
    "unique": Machine(
        table,
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "overlap:sum:b+c": 1,
            "row:sum:b": 1,
        },
        over=4,
    ),
    "unique-gap-stops": Machine(
        lambda: table(on_gap="stop"),
        states=4,
        transitions=4,
        sites={
            "gap:sum": 1,
            "stop:sum.gap": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "overlap:sum:b+c": 1,
            "row:sum:b": 1,
        },
        over=3,
    ),
    "unique-on-clash": Machine(
        lambda: table(on_clash="b"),
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "row:sum:b": 1,
            "overlap:sum:b+c": 1,
        },
        over=4,
    ),
    "first": Machine(
        lambda: table(Policy.FIRST),
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "row:sum:b": 1,
        },
        over=4,
    ),
    "priority": Machine(
        lambda: table(Policy.PRIORITY),
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "row:sum:c": 1,
        },
        over=4,
    ),
    "any": Machine(
        lambda: table(Policy.ANY),
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "row:sum:b": 1,
        },
        over=4,
    ),
    "collect": Machine(
        lambda: table(Policy.COLLECT),
        states=4,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "row:sum:b": 1,
            "row:sum:c": 1,
            "capacity:score": 1,
        },
        over=3,
    ),
    "derived-other": Machine(
        table,
        states=5,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "row:sum:b": 1,
            "overlap:sum:b+c": 1,
        },
        over=4,
        build={"readings": {"sum:a+b": "b"}},
    ),
    "derived-stop": Machine(
        table,
        states=4,
        transitions=4,
        sites={
            "gap:sum": 1,
            "row:sum:a": 1,
            "clash:sum:a+b": 1,
            "stop:sum": 1,
            "overlap:sum:b+c": 1,
            "row:sum:b": 1,
        },
        over=3,
        build={"readings": {"sum:a+b": "stop"}},
    ),
    "override-none": Machine(
        overridden,
        states=4,
        transitions=3,
        sites={
            "row:points:low": 1,
            "gap:points": 1,
            "row:points:high": 1,
        },
        over=3,
    ),
    "override-variant": Machine(
        overridden,
        states=4,
        transitions=3,
        sites={
            "clash:points:low+fast": 1,
            "row:points:low": 1,
            "row:points:fast": 1,
            "clash:points:high+fast": 1,
            "row:points:high": 1,
        },
        over=3,
        build={"variant": "fast"},
    ),
    "override-ruling": Machine(
        overridden,
        states=3,
        transitions=3,
        sites={
            "row:points:low": 1,
            "gap:points": 1,
            "row:points:high": 1,
        },
        over=2,
        build={"rulings": True},
    ),
    "override-both": Machine(
        overridden,
        states=3,
        transitions=3,
        sites={
            "clash:points:low+fast": 1,
            "row:points:low": 1,
            "row:points:fast": 1,
            "overlap:points:high+fast": 1,
            "row:points:high": 1,
        },
        over=2,
        build={"variant": "fast", "rulings": ["faq"]},
    ),
}
