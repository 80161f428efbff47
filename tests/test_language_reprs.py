"""How rulebooks, programs, instances and explorations show themselves: one short line each."""

from __future__ import annotations

from typing import Any

from models.language import CHANCE, Range, Rulebook, Size, State
from properties.kinds import Properties
from solvers.contract import Limits
from solvers.explorer import explore


def lamp() -> Rulebook:
    book = Rulebook("lamp", sizes={"one": Size(), "other": Size()}, clauses=["a", "b"])

    @book.state
    class Table(State):
        light = Range(0, 3)

    @book.rule("a", "b", by=CHANCE, up=[1, 2])
    def turn(t: Table, up: int) -> None:
        t.require(t.light + up <= 3)
        t.light = t.light + up

    return book


def test_one_short_line_each() -> None:
    book = lamp()
    assert repr(book) == "<Rulebook lamp: 1 rule, sizes one, other; variants base>"
    program = book.build("other")
    assert repr(program) == "<Program lamp, base, other: 2 instances, 1 slot, 1 site>"
    assert repr(program.instances[1]) == "<Instance 1 turn(up=2): CHANCE, a, b>"
    dark = Properties()

    @dark.always("a")
    def dim(t: Any) -> Any:
        return t.light < 3

    found = explore(program, dark.of("base"))
    assert repr(found) == (
        "<Exploration of lamp, base, other: 4 states, 5 transitions, depth 2, 1 stuck, violated dim>"
    )
    cut = explore(program, (), limits=Limits(states=2))
    assert repr(cut).endswith(f", depth 1, stopped by {cut.stopped_by}>")


def test_an_instance_of_many_sentences_stays_short() -> None:
    book = Rulebook(
        "lamp", sizes={"one": Size()}, clauses=[f"a.long-name-of-a-sentence.{n}" for n in range(9)]
    )

    @book.state
    class Table(State):
        light = Range(0, 1)

    @book.rule(*(f"a.long-name-of-a-sentence.{n}" for n in range(9)), by=CHANCE)
    def turn(t: Table) -> None:
        t.light = 1

    shown = repr(book.build().instances[0])
    assert len(shown) < 90
    assert shown.endswith("…>")
