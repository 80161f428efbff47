"""The fewest questions: the smallest set there is, and what it settles."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Mapping, Set
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from findings.audit import audit_rulebook
from findings.finding import as_json
from findings.reports.terminal import as_text
from models.language import Enum, Range, Rulebook, Size, State, ite, player
from solvers.compare.fewest import fewest


class Phase(enum.Enum):
    """Where the game stands."""

    PICK = 0
    SELL = 1
    END = 2


@attrs.frozen(kw_only=True)
class One(Size):
    """Nothing to choose."""


def market() -> Rulebook:
    """Three sentences leave open whether a pick brings two apples, a fourth what an apple brings.

    The three ask for the same play; so two questions are enough, and one is not.
    """
    book = Rulebook("market", sizes={"one": One()}, clauses=("a", "b", "c", "d"), players=1)
    pick = {
        clause: book.reading(
            f"pick.{clause}",
            clause,
            options={"one": "one apple", "two": "two"},
            default="one",
            why="w",
            asks=f"How many apples does {clause} mean?",
        )
        for clause in "abc"
    }
    price = book.reading(
        "price",
        "d",
        options={"one": "a coin", "two": "two coins"},
        default="one",
        why="w",
        asks="What price?",
    )

    @book.state
    class Table(State):
        phase = Enum(Phase)
        apples = Range(0, 2)
        coins = Range(0, 4)

    @book.rule("a", "b", "c", by=player(lambda t: 0), phase=Phase.PICK)
    def take(t: Any) -> None:
        t.apples = 2 if "two" in [t.reading(r) for r in pick.values()] else 1
        t.phase = Phase.SELL

    @book.rule("d", by=player(lambda t: 0), phase=Phase.SELL, every=(True, False))
    def sell(t: Any, every: bool) -> None:
        sold = t.apples if every else ite(t.apples > 0, 1, 0)
        t.coins = sold * (2 if t.reading(price) == "two" else 1)
        t.phase = Phase.END

    book.over("d")(lambda t: t.phase == Phase.END)
    book.score("d")(lambda t, n: t.coins)
    return book


def test_readings_that_ask_for_the_same_play_are_one_question() -> None:
    made = audit_rulebook(market())
    open_ = [f.title for f in made.findings if f.code == "RL107"]
    assert len(open_) == 4
    assert [(q.reading, q.settles) for q in made.questions] == [
        ("pick.a", ("pick.a", "pick.b", "pick.c")),
        ("price", ("price",)),
    ]
    fingerprints = {f.fingerprint: f.question for f in made.findings}
    assert all(fingerprints[q.fingerprint] == q.question for q in made.questions)


def test_an_answer_leaves_only_what_it_does_not_settle() -> None:
    for option in ("one", "two"):
        made = audit_rulebook(market(), answers={"pick.a": option})
        left = {q.reading for q in made.questions}
        assert left == ({"price"} if option == "two" else {"pick.b", "price"})


def test_they_are_printed_and_in_the_json() -> None:
    from findings.finding import Audit

    made = audit_rulebook(market())
    text = " ".join(as_text(Audit(rulebooks=(made,))).split())
    assert "2 questions settle what is open in the readings: pick.a (and pick.b, pick.c); price" in text
    questions = as_json(made)["questions"]
    assert [q["settles"] for q in questions] == [["pick.a", "pick.b", "pick.c"], ["price"]]


# --- the smallest set ---------------------------------------------------------------------------------------

NAMES = "abcdef"
COVERS = st.dictionaries(st.sampled_from(NAMES), st.frozensets(st.sampled_from(NAMES)), min_size=1)


def covered(covers: Mapping[str, Set[str]], chosen: Set[str]) -> bool:
    return all(r in chosen or any(r in covers[q] for q in chosen) for r in covers)


@given(COVERS)
def test_no_smaller_set_settles_everything(covers: Mapping[str, Set[str]]) -> None:
    found = fewest(covers)
    assert covered(covers, set(found))
    for chosen in itertools.combinations(covers, len(found) - 1):
        assert not covered(covers, set(chosen))


def test_among_the_smallest_the_weightiest_is_taken() -> None:
    covers = {"a": {"b"}, "b": {"a"}, "c": set[str]()}
    assert fewest(covers) == ("a", "c")
    assert fewest(covers, {"b": 2, "a": 1}) == ("b", "c")
    assert fewest({}) == ()


# --- pairs of options, and readings that interact -----------------------------------------------------------


def fair() -> Rulebook:
    """Three options of one reading; two more readings of which one only matters under the other."""
    book = Rulebook("fair", sizes={"one": One()}, clauses=("a", "b", "c"), players=1)
    prize = book.reading(
        "prize",
        "a",
        options={"none": "nothing", "coin": "a coin", "gold": "a coin of gold"},
        default="none",
        why="w",
        asks="What is the prize?",
    )
    again = book.reading(
        "again", "b", options={"no": "once", "yes": "twice"}, default="no", why="w", asks="Once or twice?"
    )
    limit = book.reading(
        "limit",
        "c",
        options={"none": "no limit", "two": "two at most"},
        default="none",
        why="w",
        asks="Limit?",
    )

    @book.state
    class Table(State):
        phase = Enum(Phase)
        coins = Range(0, 9)
        sold = Range(0, 9)

    @book.rule("a", by=player(lambda t: 0), phase=Phase.PICK)
    def win(t: Any) -> None:
        t.coins = 0 if t.reading(prize) == "none" else 1
        t.phase = Phase.SELL

    @book.rule("b", "c", by=player(lambda t: 0), phase=Phase.SELL)
    def sell(t: Any) -> None:
        made = 4 if t.reading(again) == "yes" else 2
        t.sold = ite(t.sold + made > 2, 2, t.sold + made) if t.reading(limit) == "two" else t.sold + made
        t.phase = Phase.END

    book.over("c")(lambda t: t.phase == Phase.END)
    return book


def test_every_two_options_are_held_against_each_other() -> None:
    made = audit_rulebook(fair())
    pairs = {f.reading or f.title: f.pairs for f in made.findings if f.code == "RL107"}
    prize = next(p for p in pairs.values() if len(p) == 3)
    assert [(p.first, p.second, p.parts, p.moves) for p in prize] == [
        ("none", "coin", True, ("win",)),
        ("none", "gold", True, ("win",)),
        ("coin", "gold", False, ()),
    ]
    assert prize[2].told == "one, all 3 reachable states; the rules are the same"


def test_a_reading_that_is_silent_by_itself_is_asked_under_those_it_interacts_with() -> None:
    made = audit_rulebook(fair())
    assert [(i.first, i.second, i.through) for i in made.interactions] == [
        ("again", "limit", ("rule sell", "field sold")),
    ]
    (found,) = made.interactions
    assert (found.given, found.size, found.moves) == ("again=yes", "one", ("win", "sell"))
