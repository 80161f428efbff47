"""Instances that are kept between builds: the same programs as without, and less work."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import attrs
import pytest

from models.fly_high.rules import book as fly_high
from models.language import (
    RULES,
    STOP,
    ModelError,
    Policy,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    player,
    row,
)
from models.language.builder import Builder


@attrs.frozen(kw_only=True)
class Numbers(Size):
    most: int = 3


def choices(book: Rulebook, size: str, variant: str) -> Iterator[Mapping[str, str]]:
    """The defaults, and each other option alone and with the option before it."""
    single = [{r.id: o} for r in book.readings.values() for o in r.options if o != r.default]
    yield {}
    for one, two in itertools.pairwise(single):
        yield one
        yield {**one, **two}


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_kept_traces_give_the_same_programs(variant: str) -> None:
    taken = list(choices(fly_high, "small", variant))
    fresh = [fly_high.build("small", variant, c) for c in taken]
    with fly_high.kept_traces():
        again = [fly_high.build("small", variant, c) for c in taken]
    assert fly_high.traces is None
    for one, two in zip(fresh, again, strict=True):
        assert one.digest == two.digest
        assert [s.clauses for s in one.sites] == [s.clauses for s in two.sites]
        assert one.consulted == two.consulted
        assert [i.readings for i in one.instances] == [i.readings for i in two.instances]


def test_only_what_a_reading_touches_is_traced_again(monkeypatch: pytest.MonkeyPatch) -> None:
    traced: list[str] = []
    instance = Builder._instance

    def counted(self: Builder, rule: object, *rest: object) -> object:
        traced.append(rule.name)  # type: ignore[attr-defined]
        return instance(self, rule, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Builder, "_instance", counted)
    with fly_high.kept_traces():
        first = fly_high.build("small", "basic")
        whole = len(traced)
        assert whole == len(first.instances)
        fly_high.build("small", "basic")
        assert len(traced) == whole
        reading = next(r for r in fly_high.readings.values() if r.id == "finish.refill")
        touched = {i.rule for i in first.instances if reading.id in i.readings}
        other = next(o for o in reading.options if o != reading.default)
        fly_high.build("small", "basic", {reading.id: other})
        assert set(traced[whole:]) == touched
        assert len(traced) < 2 * whole


def test_what_a_trace_told_is_told_again() -> None:
    """Derived readings, overrides and misspelt ones are found with kept traces as without."""
    book = Rulebook("tiny", sizes={"small": Numbers()}, variants={"a": "", "b": ""}, clauses=["x", "y", "z"])

    @book.state
    class Board(State):
        n = Range(0, 3)

    @book.rule("x", by=RULES)
    def go(t: Board) -> None:
        t.require(t.n < 3)
        rows = [row("x", when=t.n < 2, then="one"), row("y", when=t.n < 2, then="two")]

        def one() -> None:
            t.n += 1

        def two() -> None:
            t.n = 3

        decide(t, "step", rows, policy=Policy.UNIQUE, outcomes={"one": one, "two": two})

    fresh = [book.build("small", "a", {"step:x+y": o}).digest for o in ("x", "y", STOP)]
    with book.kept_traces():
        for _ in range(2):
            assert [book.build("small", "a", {"step:x+y": o}).digest for o in ("x", "y", STOP)] == fresh
            with pytest.raises(ModelError, match="there is no reading"):
                book.build("small", "a", {"step:x+z": "x"})


def test_sites_are_numbered_anew_where_an_earlier_rule_asks_less() -> None:
    book = Rulebook("tiny", sizes={"small": Numbers()}, clauses=["x", "y"])
    asks = book.reading("asks", "x", options={"yes": "y", "no": "n"}, default="yes", why="it is", asks="?")

    @book.state
    class Board(State):
        n = Range(0, 3)

    @book.rule("x", by=player(lambda t: 0))
    def first(t: Board) -> None:
        if t.reading(asks) == "yes":
            t.n += 1
        else:
            t.n = 0

    @book.rule("y", by=player(lambda t: 0))
    def second(t: Board) -> None:
        t.n += 2

    fresh = [book.build("small", readings={"asks": o}) for o in ("yes", "no")]
    with book.kept_traces():
        again = [book.build("small", readings={"asks": o}) for o in ("yes", "no")]
    assert [p.digest for p in fresh] == [p.digest for p in again]
    assert len({p.digest for p in fresh}) == 2
