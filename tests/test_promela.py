"""The Promela export: its text, its names, what it refuses; what SPIN says of it is in `conformance`."""

from __future__ import annotations

import enum
import re

import pytest

from models.fly_high.rules import book as fly_high
from models.fly_high.table import Phase
from models.language import Array, Bool, Enum, Program, Range, Rulebook, Size, State, player
from solvers.promela import Unexportable, export, spin
from tests.machines import MACHINES


class Colour(enum.Enum):
    RED = 0
    BLUE = 1


def odd_names() -> Program:
    """Fields whose names mean something in Promela or C."""
    book = Rulebook("odd */ names", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        do = Range(-2, 2)
        k0 = Bool()
        int = Array(3, Range(0, 300, start=7))
        _x = Enum(Colour)
        still = Range(0, 9, start=4)

    @book.rule("c", by=player(lambda t: 0), step=2)
    def go(t: Table, step: int) -> None:
        t.require(t.do + step <= 2)
        t.do = t.do + step
        t.k0 = t.do == 0
        t.int[1] = t.int[0] + t.still
        t._x = Colour.BLUE

    return book.build()


def test_variables_are_as_narrow_as_they_can_be_and_never_negative() -> None:
    text = export(odd_names(), record=False)
    assert "unsigned v_do : 3 = 0; /* 2 more than the value */" in text
    assert "unsigned v_k0 : 1 = 0;" in text
    assert "short v_int[3] = 7;" in text
    assert "unsigned v__x : 1 = 0;" in text
    assert "still" not in text
    assert re.search(r"k0 = \(\(v_do - 2\) \+ 1\);[^}]*v_do = k0 \+ 2;", text)


def test_comments_cannot_be_broken_out_of() -> None:
    assert "odd * / names" in export(odd_names())
    assert "odd */ names" not in export(odd_names())


def test_every_instance_is_one_option_in_order_of_declaration() -> None:
    program = fly_high.build("small", "basic")
    labels = re.findall(r":: d_step \{ /\* (.*) \*/", export(program))
    assert labels == [i.label for i in program.instances]


def test_nothing_is_recorded_where_speed_is_wanted() -> None:
    program = MACHINES["unique"].program()
    assert "seen[" in export(program)
    assert "seen" not in export(program, record=False)


def test_the_same_program_gives_the_same_text() -> None:
    assert export(fly_high.build("small", "basic")) == export(fly_high.build("small", "basic"))


def test_rules_that_cannot_meet_need_no_test_of_who_goes_first() -> None:
    text = export(fly_high.build("small", "basic"), record=False)
    guards = re.findall(r":: d_step \{ /\* turn_back \*/\n *(.*) ->", text)
    assert guards == [f"(phase == {Phase.FAILED.value})"]


def test_numbers_of_more_than_32_bits_are_refused() -> None:
    book = Rulebook("huge", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        a = Range(0, 2**40)

    @book.rule("c", by=player(lambda t: 0))
    def up(t: Table) -> None:
        t.a = t.a + 1

    with pytest.raises(Unexportable, match="do not fit Promela's 32 bits"):
        export(book.build())


def test_a_report_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(spin.SpinError, match="cannot be read: nonsense"):
        spin._number(r"(\d+) states", "nonsense")
    monkeypatch.setenv("PATH", "")
    assert not spin.available()
    with pytest.raises(spin.SpinError, match="spin is not installed"):
        spin.check(MACHINES["deck"].program())
