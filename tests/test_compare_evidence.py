"""What printed examples say about readings: which options they leave, and how far a script gets."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bag,
    Bool,
    Enum,
    ModelError,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    player,
)
from models.language.examples import Examples, Script
from models.language.questions import Reading
from solvers.compare import Builder, Evidence, evidence, gather
from solvers.compare.evidence import position


class Phase(enum.Enum):
    A = 0
    B = 1
    C = 2
    END = 3


class Fruit(enum.Enum):
    PEAR = 0
    PLUM = 1


@attrs.frozen(kw_only=True)
class One(Size):
    pass


anybody = player(lambda t: 0)


def _book(*readings: str) -> tuple[Rulebook, list[Reading]]:
    """A book with readings of the options `old` (default) and `new`, and a first rule."""
    book = Rulebook("tiny", sizes={"one": One()}, clauses=("c", "e"), players=1)
    made = [
        book.reading(r, "c", options={"old": "old", "new": "new"}, default="old", why="w", asks="a")
        for r in readings
    ]

    @book.state
    class Table(State):
        phase = Enum(Phase)
        x = Range(0, 9)
        ready = Bool()
        row = Array(3, Range(0, 3), start=1)
        bag = Bag(Fruit, {Fruit.PEAR: 2, Fruit.PLUM: 1})
        pile = Stack(Range(0, 3), 2)

    book.over("c")(lambda t: t.phase == Phase.END)
    return book, made


def _gather(book: Rulebook, script: Callable[[Script], None], **more: Any) -> Evidence:
    examples = Examples(book)
    examples.example("e", size="one")(script)
    return gather(examples.all[0], Builder(), book.readings, **more)


def _adding(book: Rulebook, *gains: tuple[Reading, int, int]) -> None:
    """A move that adds to x, by readings."""

    @book.rule("c", by=anybody, phase=Phase.A)
    def add(t: Any) -> None:
        t.x = t.x + sum(new if t.reading(r) == "new" else old for r, old, new in gains)
        t.phase = Phase.B


# --- which options are left ---------------------------------------------------------------------------


def test_an_example_from_the_setup_leaves_the_options_that_fit() -> None:
    book, (r,) = _book("r")
    _adding(book, (r, 1, 2))

    def two(s: Script) -> None:
        s.move("add")
        s.sees(lambda t: t.x == 2)

    found = _gather(book, two)
    assert found.settles == {"r": ("new",)}
    assert found.possible == {"r": ("new",)}
    assert found.reachable is True
    assert not found.conflict
    first, second = found.trials
    assert (dict(first.readings), first.fits) == ({}, False)
    assert first.failure is not None
    assert (first.failure.why, first.failure.move) == ("not_so", "")
    assert first.failure.place.startswith("tests/test_compare_evidence.py:")
    assert first.reason == f"{first.failure.place}: not so"
    assert (first.labels, first.done) == (("add",), 1)
    assert (dict(second.readings), second.fits, second.failure) == ({"r": "new"}, True, None)


def test_an_option_that_fits_once_another_reading_is_changed_is_not_ruled_out() -> None:
    book, (r, q) = _book("r", "q")
    _adding(book, (r, 1, 2), (q, 2, 1))

    def three(s: Script) -> None:
        s.move("add")
        s.sees(lambda t: t.x == 3)

    found = _gather(book, three)
    assert found.trials[0].fits
    assert found.settles == {}
    assert found.possible == {"r": ("old", "new"), "q": ("old", "new")}
    assert {tuple(t.readings.items()) for t in found.trials if t.fits} == {(), (("q", "new"), ("r", "new"))}


def test_two_further_readings_are_changed_where_each_brings_the_run_further() -> None:
    book, (r, q, p) = _book("r", "q", "p")
    _adding(book, (r, 1, 2))

    @book.rule("c", by=anybody, phase=Phase.B)
    def second(t: Any) -> None:
        t.require(t.x == (2 if t.reading(q) == "new" else 1))
        t.phase = Phase.C

    @book.rule("c", by=anybody, phase=Phase.C)
    def third(t: Any) -> None:
        t.require(t.x == (2 if t.reading(p) == "new" else 1))
        t.phase = Phase.END

    def play(s: Script) -> None:
        s.move("add")
        s.move("second")
        s.move("third")

    found = _gather(book, play)
    assert found.settles == {}
    assert found.possible["r"] == ("old", "new")


def test_an_option_that_nothing_mends_is_ruled_out_though_others_change_the_run() -> None:
    book, (r, q) = _book("r", "q")
    _adding(book, (r, 1, 4), (q, 0, 1))

    def at_most_two(s: Script) -> None:
        s.move("add")
        s.sees(lambda t: t.x <= 2)

    assert _gather(book, at_most_two).settles == {"r": ("old",)}


def test_an_example_that_nothing_fits_is_a_conflict() -> None:
    book, (r, q) = _book("r", "q")
    _adding(book, (r, 1, 2), (q, 0, 1))

    def nine(s: Script) -> None:
        s.move("add")
        s.sees(lambda t: t.x == 9)

    found = _gather(book, nine)
    assert found.conflict
    assert found.settles == {}
    assert len(found.trials) == 3  # the defaults, and each change alone: neither brings the run further


def test_where_too_much_is_to_be_tried_nothing_is_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_TRIALS", 2)
    book, (r, q) = _book("r", "q")
    _adding(book, (r, 1, 2), (q, 0, 1))

    def nine(s: Script) -> None:
        s.move("add")
        s.sees(lambda t: t.x == 9)

    found = _gather(book, nine)
    assert not found.complete
    assert not found.conflict
    assert found.settles == {}


def test_a_reading_that_only_a_consequence_consults_is_varied() -> None:
    book, (r,) = _book("r")

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.B

    @book.rule("c", by=RULES, phase=Phase.B)
    def follow(t: Any) -> None:
        t.require(t.x == (0 if t.reading(r) == "new" else 1))
        t.x = 5
        t.phase = Phase.C

    def five(s: Script) -> None:
        s.move("go")
        s.sees(lambda t: t.x == 5)

    found = _gather(book, five)
    assert found.settles == {"r": ("new",)}
    assert found.trials[-1].labels == ("go", "follow")


@pytest.mark.parametrize("known", [True, False, None])
def test_whether_its_first_position_occurs_is_asked(known: bool | None) -> None:
    book, (r,) = _book("r")
    _adding(book, (r, 1, 2))

    def from_three(s: Script) -> None:
        s.begin(x=3)
        s.move("add")
        s.sees(lambda t: t.x == 5)

    asked: list[tuple[int, ...]] = []

    def occurs(program: Any, state: tuple[int, ...]) -> bool | None:
        asked.append(state)
        return known

    found = _gather(book, from_three, occurs=occurs)
    assert found.reachable is known
    assert found.settles == {"r": ("new",)}
    assert [state[1] for state in asked] == [3]


# --- how a script runs --------------------------------------------------------------------------------


def _stages(book: Rulebook) -> None:
    @book.rule("c", by=anybody, phase=Phase.A, n=3)
    def go(t: Any, n: int) -> None:
        t.require(t.x < 1)
        t.x = n
        t.phase = Phase.B

    @book.rule("c", by=RULES, phase=Phase.B)
    def follow(t: Any) -> None:
        t.ready = True
        t.phase = Phase.C

    @book.rule("c", by=CHANCE, phase=Phase.C)
    def end(t: Any) -> None:
        t.phase = Phase.END


def test_consequences_happen_before_what_is_seen_and_before_the_next_move() -> None:
    book, _ = _book()
    _stages(book)

    def play(s: Script) -> None:
        s.may("go", n=1)
        s.may_not("end")
        s.move("go", n=1)
        s.sees(lambda t: t.ready & (t.x == 1))
        s.may("end")
        s.move("end")

    trial = _gather(book, play).trials[0]
    assert trial.fits, trial.failure
    assert trial.labels == ("go(n=1)", "follow", "end")


@pytest.mark.parametrize(
    ("parts", "why", "move", "done"),
    [
        (lambda s: s.move("end"), "not_allowed", "end", 0),
        (lambda s: s.may("end"), "not_allowed", "end", 0),
        (lambda s: s.may_not("go", n=2), "allowed", "go(n=2)", 0),
        (lambda s: (s.move("go", n=0), s.move("go", n=0)), "not_allowed", "go(n=0)", 1),
    ],
)
def test_a_failure_names_what_failed(
    parts: Callable[[Script], object], why: str, move: str, done: int
) -> None:
    book, _ = _book()
    _stages(book)

    def play(s: Script) -> None:
        parts(s)

    trial = _gather(book, play).trials[0]
    assert trial.failure is not None
    assert (trial.failure.why, trial.failure.move, trial.done) == (why, move, done)


def test_a_play_that_stops_fails() -> None:
    book, _ = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.stop("unsaid")

    def play(s: Script) -> None:
        s.move("go")

    failure = _gather(book, play).trials[0].failure
    assert failure is not None
    assert (failure.why, failure.move) == ("stops", "go")


def test_consequences_without_end_fail() -> None:
    book, _ = _book()

    @book.rule("c", by=RULES, phase=Phase.A)
    def on(t: Any) -> None:
        t.x = (t.x + 1) % 9

    def play(s: Script) -> None:
        s.sees(lambda t: t.x == 0)

    failure = _gather(book, play).trials[0].failure
    assert failure is not None
    assert (failure.why, failure.move) == ("no_end", "")


def test_two_consequences_at_once_wait_for_a_move() -> None:
    book, _ = _book()

    @book.rule("c", by=RULES, phase=Phase.A, n=2)
    def due(t: Any, n: int) -> None:
        t.x = n
        t.phase = Phase.END

    def play(s: Script) -> None:
        s.sees(lambda t: t.phase == Phase.A)
        s.move("due", n=1)
        s.sees(lambda t: t.x == 1)

    assert _gather(book, play).trials[0].fits


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (lambda s: s.move("goo"), "there is no rule goo; did you mean 'go'?"),
        (lambda s: s.move("go"), "go fits 3 moves: go(n=0), go(n=1), go(n=2); give more parameters"),
        (lambda s: s.may("go", n=7), "no value of the rule's parameters gives go(n=7); for instance go(n=0)"),
        (lambda s: s.may("go", k=1), "no value of the rule's parameters gives go(k=1); for instance go(n=0)"),
    ],
)
def test_a_script_that_cannot_be_meant_is_an_error(parts: Callable[[Script], object], message: str) -> None:
    book, _ = _book()
    _stages(book)

    def play(s: Script) -> None:
        parts(s)

    with pytest.raises(ModelError) as error:
        _gather(book, play)
    assert str(error.value).split(": ", 1)[1] == message
    assert str(error.value).startswith("tests/test_compare_evidence.py:")


# --- where a script begins ----------------------------------------------------------------------------


def test_a_position_replaces_the_fields_that_it_names() -> None:
    book, _ = _book()
    program = book.build()
    fields = {"phase": Phase.B, "x": 4, "ready": True, "row": [3, 2], "bag": {Fruit.PEAR: 1}, "pile": [2]}
    state = position(program, fields, "here")
    names = [s.name for s in program.layout.slots]
    told = dict(zip(names, state, strict=True))
    assert told["phase"] == 1
    assert (told["x"], told["ready"]) == (4, 1)
    assert [told[f"row[{k}]"] for k in range(3)] == [3, 2, 1]
    assert [told[f"bag[{k}]"] for k in ("PEAR", "PLUM")] == [1, 1]
    assert [v for n, v in told.items() if n.startswith("pile")] == [1, 2, 0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"y": 1}, "here: the state has no field y; name a declared field"),
        ({"redy": 1}, "here: the state has no field redy; did you mean 'ready'?"),
        ({"x": 10}, "here: 10 is no value of x; its range is 0..9"),
        ({"row": 3}, "here: 3 is no value of row; give a list, or a dictionary"),
        ({"row": {0: 1}}, "here: row has no named items; give a list"),
        ({"row": [0, 0, 0, 0]}, "here: row holds 3 items, not 4; give fewer, or use a larger size"),
        ({"bag": {"FIG": 1}}, "here: bag has no item 'FIG'; its items are PEAR, PLUM"),
        ({"pile": [1, 2, 3]}, "here: pile holds 2 items, not 3; give fewer, or use a larger size"),
    ],
)
def test_a_position_that_is_none_is_an_error(fields: dict[str, object], message: str) -> None:
    book, _ = _book()
    with pytest.raises(ModelError) as error:
        position(book.build(), fields, "here")
    assert str(error.value) == message
