"""The Promela export: its text, its names, what it refuses; what SPIN says of it is in `conformance`."""

from __future__ import annotations

import enum
import re
from pathlib import Path

import pytest

from findings.cli import run
from models.fly_high.rules import book as fly_high
from models.fly_high.table import Phase
from models.language import Array, Bool, Enum, Program, Range, Rulebook, Size, State, player
from models.language.places import here
from properties.kinds import Form, Property
from solvers.explorer import explore
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


BROAD = """
from models.language import Range, Rulebook, Size, State, player

book = Rulebook("broad", "Broad", file=__file__, sizes={"only": Size()}, players=1, clauses=["c"])

@book.state
class Table(State):
    a = Range(0, 2**40)

@book.rule("c", by=player(lambda t: 0))
def up(t):
    t.a = t.a + 1
"""


def test_what_cannot_be_exported_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broad.py").write_text(BROAD)
    assert run(["export", str(tmp_path / "broad.py"), "--to", "promela"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "error: numbers of 0..1099511627776 do not fit Promela's 32 bits; "
        "choose a size with smaller numbers\n"
    )


def remainder(divisor: int, factor: int = 1) -> Program:
    """A counter from -8 to 7 whose multiples are divided."""
    book = Rulebook("remainder", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        a = Range(-8, 7, start=-8)
        rest = Range(0, 2**31 - 2)
        whole = Range(-9, 9)

    @book.rule("c", by=player(lambda t: 0))
    def divide(t: Table) -> None:
        t.rest = t.a * factor % divisor
        t.whole = t.a * factor // divisor

    @book.rule("c", by=player(lambda t: 0))
    def up(t: Table) -> None:
        t.require(t.a < 7)
        t.a = t.a + 1

    for a in range(-8, 8):
        rest, whole = a * factor % divisor, a * factor // divisor

        def right(t: Table, a: int = a, rest: int = rest, whole: int = whole) -> None:
            t.require((t.a == a) & (t.rest == rest) & (t.whole == whole))
            t.whole = 9

        right.__name__ = f"right_{a + 8}"
        book.rule("c", by=player(lambda t: 0))(right)
    return book.build()


@pytest.mark.parametrize("record", [False, True])
def test_a_part_of_more_than_32_bits_is_refused(record: bool) -> None:
    with pytest.raises(Unexportable, match=r"numbers of 8589934593\.\.8589934593 do not fit"):
        export(remainder(2**33 + 1), record=record)
    with pytest.raises(Unexportable, match=r"numbers of -8589934592\.\.7516192768 do not fit"):
        export(remainder(5, 2**30), record=record)


@pytest.mark.skipif(not spin.available(), reason="SPIN or gcc is not installed")
@pytest.mark.parametrize(("divisor", "factor"), [(3, 1), (2**31 - 1, 2**28), (2**30 + 5, 2**28)])
def test_no_part_of_a_division_that_rounds_down_leaves_32_bits(divisor: int, factor: int) -> None:
    program = remainder(divisor, factor)
    assert spin.check(program).states == explore(program).states


def test_names_that_mean_something_to_the_verifier_are_changed() -> None:
    book = Rulebook("names", sizes={"only": Size()}, players=1, clauses=["c"])
    names = [
        "EOF",
        "NULL",
        "SYNC",
        "asm",
        "errno",
        "linux",
        "play",
        "rand",
        "typeof",
        "uchar",
        "uint",
        "unix",
    ]
    table = type("Table", (State,), {n: Bool() for n in names})
    book.state(table)

    @book.rule("c", by=player(lambda t: 0))
    def flip(t: State) -> None:
        for name in names:
            setattr(t, name, ~getattr(t, name))

    text = export(book.build())
    assert re.findall(r"^unsigned (\w+) : 1", text, re.M) == [f"v_{n}" for n in names]
    if spin.available():
        assert spin.check(book.build()).states == 2


def test_no_name_breaks_out_of_its_line() -> None:
    book = Rulebook("two\nlines \\", sizes={'*/ "}': Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        a = Range(0, 3)

    @book.rule("c", by=player(lambda t: 0))
    def on(t: Table) -> None:
        t.a = (t.a + 1) % 4

    odd = 'new\nline } { " \\ %s é */'
    met = Property(odd, Form.SOMETIMES, lambda t: t.a == 2, None, (), (), "", here())
    text = export(book.build(), [met])
    assert '/* two lines /: size * / "}, variant' in text
    assert r'{"met new line \175 \173 \042 \134 %s \303\251 */"}' in text
    if spin.available():
        assert spin.check(book.build(), [met]).met == {" ".join(odd.split())}


def test_a_report_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(spin.SpinError, match="cannot be read: nonsense"):
        spin._number(r"(\d+) states", "nonsense")
    monkeypatch.setenv("PATH", "")
    assert not spin.available()
    with pytest.raises(spin.SpinError, match="spin is not installed"):
        spin.check(MACHINES["deck"].program())
