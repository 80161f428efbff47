"""Facts of rulebooks: contradictions, impossible setups, redundant statements, and their minimal cores."""

from __future__ import annotations

import itertools

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.language import ModelError, Range, Rulebook, Size, State
from models.language.terms import Term
from solvers.contract import Proved
from solvers.symbolic.cores import minimal_cores
from solvers.symbolic.facts import FactsReport, check_facts


@attrs.frozen(kw_only=True)
class Box(Size):
    """What is in the box."""

    players: int = 3
    cards: int = 30


def book(*facts: tuple[str, str], **bounds: tuple[int, int]) -> Rulebook:
    """A rulebook with facts, each a clause and an expression over quantities."""
    made = Rulebook("box", sizes={"print": Box(), "other": Box(cards=31)}, clauses=[c for c, _ in facts])
    quantities = {name: made.quantity(name, lo, hi) for name, (lo, hi) in bounds.items()}
    for clause, text in facts:
        holds = eval(text, {}, quantities)
        assert isinstance(holds, Term)
        made.fact(clause, holds)
    return made


def cores(report: FactsReport) -> set[tuple[str, ...]]:
    return {c.clauses for c in report.contradictions}


def test_no_facts() -> None:
    report = check_facts(book())
    assert report == FactsReport((), (), (), (), {}, (), {}, True)
    assert report.verdict == Proved("all 0 facts, within the bounds of their quantities")


def test_facts_that_go_together() -> None:
    report = check_facts(book(("a", "cards == 3 * each"), ("b", "each >= 4"), cards=(0, 20), each=(0, 9)))
    assert not report.contradictions
    assert report.solution is not None
    assert report.solution["cards"] == 3 * report.solution["each"]
    assert report.solution["each"] >= 4
    assert report.complete
    assert isinstance(report.verdict, Proved)


def test_all_minimal_contradictions() -> None:
    report = check_facts(
        book(
            ("a", "cards == 10"),
            ("b", "cards == 11"),
            ("c", "each == 2"),
            ("d", "cards > 5 * each"),
            ("fine", "each < 8"),
            cards=(0, 99),
            each=(0, 20),
        )
    )
    assert cores(report) == {("a", "b"), ("a", "c", "d")}
    assert report.solution is None
    assert report.verdict is None
    assert not report.impossible


def test_a_fact_against_the_bounds_of_its_quantity() -> None:
    report = check_facts(book(("a", "2 * cards == 119"), ("b", "each > 1"), cards=(0, 60), each=(0, 5)))
    (core,) = report.contradictions
    assert core.clauses == ("a",)
    assert [(q.name, q.lo, q.hi) for q in core.quantities] == [("cards", 0, 60)]


def test_impossible_setups() -> None:
    report = check_facts(
        book(
            ("deal", "cards == players * each"),
            ("number", "cards == 30"),
            ("few", "each >= 7"),
            ("range", "players <= 5"),
            players=(1, 6),
            cards=(0, 200),
            each=(0, 60),
        )
    )
    assert not report.contradictions
    assert report.possible == {"players": (1, 2, 3)}
    found = {(s.value, s.stated): {c.clauses for c in s.cores} for s in report.impossible}
    assert found == {
        (4, False): {("deal", "number")},
        (5, False): {("deal", "number", "few")},
        (6, True): {("deal", "number", "few"), ("range",)},
    }


def test_redundant_facts() -> None:
    report = check_facts(
        book(
            ("a", "each == 4"),
            ("b", "cards == 3 * each"),
            ("c", "cards > 10"),
            ("d", "each >= 0"),
            ("e", "cards == 12"),
            cards=(0, 99),
            each=(0, 9),
        )
    )
    found = {r.clause: r.follows_from for r in report.redundant}
    assert found == {"a": ("b", "e"), "b": ("a", "e"), "c": ("a", "b"), "d": (), "e": ("a", "b")}


def test_a_contradiction_implies_nothing() -> None:
    """Redundancy rests on the facts that are in no contradiction."""
    report = check_facts(
        book(
            ("a", "cards == 1"),
            ("b", "cards == 2"),
            ("c", "each > 3"),
            ("d", "each > 2"),
            cards=(0, 9),
            each=(0, 9),
        )
    )
    assert {r.clause: r.follows_from for r in report.redundant} == {"d": ("c",)}


def test_facts_against_a_size() -> None:
    made = book(("a", "cards == 10 * players"), ("b", "players < 9"), cards=(0, 99), players=(1, 9))
    assert check_facts(made, "print").against_size == ()
    (core,) = check_facts(made, "other").against_size
    assert core.clauses == ("a",)
    assert core.given in ((("cards", 31),), (("players", 3), ("cards", 31)))
    assert check_facts(made, Box(players=2, cards=20)).against_size == ()


def test_a_size_outside_the_bounds() -> None:
    report = check_facts(book(("a", "cards > 1"), cards=(0, 20)), "print")
    (core,) = report.against_size
    assert (core.clauses, core.given) == ((), (("cards", 30),))
    assert [q.name for q in core.quantities] == ["cards"]


def test_a_ruling_takes_part_only_when_it_is_applied() -> None:
    made = book(("a", "cards == 10"), ("faq", "cards == 11"), cards=(0, 20))
    made.ruling("faq", source="the author")

    @made.state
    class Table(State):
        n = Range(0, 1)

    assert not check_facts(made).contradictions
    assert cores(check_facts(made, made.build(rulings=True))) == {("a", "faq")}


def test_a_fact_about_the_state_is_refused() -> None:
    made = Rulebook("box", sizes={"print": Box()}, clauses=["a"])

    @made.state
    class Table(State):
        n = Range(0, 5)

    program = made.build()
    made.fact("a", program.expression(lambda t: t.n > 2))
    with pytest.raises(ModelError, match="a fact reads the state"):
        check_facts(made)


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=5))
def test_minimal_cores_are_all_minimal_sets(forbidden: list[frozenset[int]]) -> None:
    """Against brute force: a set is unsatisfiable if it contains a forbidden one."""

    def satisfiable(chosen: frozenset[int]) -> bool:
        return not any(f <= chosen for f in forbidden)

    found = minimal_cores(satisfiable, 7)
    every = [frozenset(c) for n in range(8) for c in itertools.combinations(range(7), n)]
    expected = {c for c in every if not satisfiable(c) and all(satisfiable(c - {i}) for i in c)}
    assert set(found.cores) == expected
    assert len(found.cores) == len(expected)
    assert found.complete


def test_minimal_cores_stop_at_a_number_and_say_so() -> None:
    found = minimal_cores(lambda chosen: not chosen, 5, most=2)
    assert len(found.cores) == 2
    assert not found.complete


def test_an_oracle_that_does_not_know_makes_the_answer_incomplete() -> None:
    assert not minimal_cores(lambda chosen: None, 3).complete
