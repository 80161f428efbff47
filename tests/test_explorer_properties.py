"""Properties whose parts are shared: the code stays in proportion to the term, and the answers are right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from models.language import Program, Range, Rulebook, Size, State, least, player
from models.language.places import here
from properties.kinds import Form, Property
from solvers.contract import Limits
from solvers.explorer import explore
from solvers.explorer.native import NativeSearch, search
from solvers.explorer.native.events import plan
from solvers.explorer.native.generate import generate
from solvers.explorer.native.machine import Modules
from solvers.explorer.native.packing import pack
from tests.conformance.explorers import agree

#: So deep that a term written out without sharing would have 2 ** 60 nodes.
DEEP = 60


def counters() -> Program:
    book = Rulebook("counters", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        a = Range(0, 40)
        b = Range(0, 40)

    @book.rule("c", by=player(lambda t: 0), which=2)
    def up(t: Table, which: int) -> None:
        if which:
            t.require(t.a < 40)
            t.a = t.a + 1
        else:
            t.require(t.b < 40)
            t.b = t.b + 1

    return book.build()


def folded(a: Any, b: Any) -> Any:
    """A number below 13 that depends on both, by a term in which each part is used twice."""
    made = a
    for n in range(DEEP):
        made = (made * 3 + least(made, b) + n) % 13
    return made


def prop(name: str, form: Form, holds: Callable[..., Any]) -> Property:
    return Property(name, form, holds, None, (), (), "", here())


PROPERTIES = [
    prop("never five", Form.ALWAYS, lambda t: folded(t.a, t.b) != 5),
    prop("below thirteen", Form.ALWAYS, lambda t: folded(t.a, t.b) <= 12),
    prop("moves little", Form.STEP, lambda s, t: folded(s.a, s.b) - folded(t.a, t.b) < 9),
    prop("moves at all", Form.STEP, lambda s, t: folded(s.a, s.b) - folded(t.a, t.b) < 13),
    prop("seven", Form.SOMETIMES, lambda t: (folded(t.a, t.b) == 7) & (t.a == 30)),
    prop("seven and more", Form.SOMETIMES, lambda t: (folded(t.a, t.b) == 7) & (t.a + t.b > 80)),
]


@pytest.mark.parametrize("late", [False, True])
def test_shared_parts_are_computed_once(late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if late:
        monkeypatch.setattr(search, "_LATE", 1 << 5)
        monkeypatch.setattr(search, "_FIRST", 1 << 4)
    program = counters()
    made = NativeSearch(program, PROPERTIES, Limits(), False, modules=Modules(tmp_path)).explore(None)
    expected = explore(program, PROPERTIES, engine="reference")
    agree(made, expected)
    assert set(made.violated) == {"never five", "moves little"}
    assert set(made.met) == {"seven"}


def test_the_code_grows_with_the_term_not_with_what_it_would_be_written_out() -> None:
    program = counters()
    packing = pack(program)
    text = generate(program, packing, plan(program, PROPERTIES, packing, keeps_edges=False))
    assert text.count("i32.rem_u") + text.count("i32.rem_s") < 20 * DEEP
