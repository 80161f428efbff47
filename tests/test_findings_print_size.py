"""What was found at a small size is asked again at the printed one: played, proved impossible, or reduced."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from findings import baseline
from findings.audit import audit_rulebook
from findings.finding import RulebookAudit, Status
from findings.print_record import Answer, AtPrint, Record, load, record_path, save
from models.language import (
    CHANCE,
    Array,
    Enum,
    Policy,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    deferred,
    player,
    rank,
    row,
    take,
)
from models.language.errors import ModelError


class Phase(enum.Enum):
    """Where the market stands."""

    OFFER = 0
    BUY = 1
    DONE = 2


@attrs.frozen(kw_only=True)
class Market(Size):
    """How many apples there are, and how often somebody buys."""

    apples: int
    rounds: int


size = deferred(Market)


CLAUSES = ["offer", "offer.cheap", "offer.dear", "offer.huge", "buy", "rest", "most", "end"]


def market() -> Rulebook:
    """Apples are offered at a price and bought two at a time, by turns."""
    sizes = {"small": Market(apples=3, rounds=2), "print": Market(apples=8, rounds=4)}
    book = Rulebook("market", sizes=sizes, players=2, clauses=CLAUSES)
    counts = book.reading(
        "buy.counts",
        "buy",
        options={"apples": "every apple counts", "trips": "every purchase counts"},
        default="apples",
        why="apples are what is bought",
        asks="What counts?",
    )

    @book.state
    class Stall(State):
        phase = Enum(Phase)
        turn = Range(0, 1)
        price = Range(0, 3)
        rounds = Range(0, size.rounds)
        apples = Range(0, size.apples, start=size.apples)
        bought = Array(2, Range(0, size.apples))

    by = player(lambda t: t.turn)

    @book.rule("offer", by=CHANCE, phase=Phase.OFFER, n=[1, 2, 3])
    def offer(t: Any, n: int) -> None:
        """A price is called."""
        t.price = n
        rows = [
            row("offer.cheap", when=t.price < 3, then="go"),
            row("offer.dear", when=t.price == 3, then="go"),
            row("offer.huge", when=t.price > 3, then="go"),
        ]

        def go() -> None:
            t.phase = Phase.BUY

        decide(t, "offer-table", rows, policy=Policy.UNIQUE, outcomes={"go": go})

    @book.rule("buy", by=by, phase=Phase.BUY)
    def buy(t: Any) -> None:
        """Two apples change hands."""
        got = take(t, "apples", t.apples, 2, "buy")
        t.apples = t.apples - got
        t.bought[t.turn] = t.bought[t.turn] + (got if t.reading(counts) == "apples" else 1)
        t.turn = 1 - t.turn
        t.rounds = t.rounds + 1
        t.phase = Phase.OFFER
        with t.when(t.rounds == t.size.rounds):
            rank(t, "most-apples", [[t.bought[0], t.bought[1]]], "most")
            t.phase = Phase.DONE

    @book.rule("rest", by=by, phase=Phase.BUY)
    def rest(t: Any) -> None:
        """Whoever was asked for more than there is rests."""
        t.require(t.price + t.rounds > 20)
        t.turn = 1 - t.turn

    @book.over("end")
    def over(t: Any) -> Any:
        """All rounds are played."""
        return t.phase == Phase.DONE

    return book


def audited(record: Record | None = None, seconds: float = 60.0, *, again: bool = False) -> RulebookAudit:
    how = AtPrint(record=record or Record(rulebook="market"), seconds=seconds, again=again)
    return audit_rulebook(market(), at_print=how)


@pytest.fixture(scope="module")
def asked() -> RulebookAudit:
    return audited()


@pytest.fixture(scope="module")
def record(asked: RulebookAudit) -> Record:
    return Record(rulebook="market").with_answers("base", asked.answers)


def told(audit: RulebookAudit) -> dict[str, tuple[str, str, int | None]]:
    """Title → code, status, moves at the printed size."""
    return {
        f.title: (
            f.code,
            f.status.value,
            f.at_print.witness.length if f.at_print and f.at_print.witness else None,
        )
        for f in audit.findings
    }


EXPECTED = {
    "buy.counts": ("RL107", "OPEN", 1),
    "most-apples: equally good": ("RL104", "OPEN", 8),
    "apples: fewer than the text asks for": ("RL105", "MOOT", None),
    "offer-table: offer.huge never prevails": ("RL103", "OPEN", None),
    "rest: a sentence that never acts": ("RL402", "OPEN", None),
}


def test_each_finding_has_a_play_or_a_proof_at_the_printed_size(asked: RulebookAudit) -> None:
    assert told(asked) == EXPECTED
    assert asked.print_size == "print"
    moot = next(f for f in asked.findings if f.status is Status.MOOT)
    assert moot.because.startswith("it cannot happen there: proved (print, ")
    assert moot.witness is not None
    assert moot.witness.size == "small"


def test_what_only_the_printed_size_shows_has_its_play_there(asked: RulebookAudit) -> None:
    tie = next(f for f in asked.findings if f.code == "RL104")
    assert tie.witness is not None
    assert (tie.witness.size, tie.witness.length) == ("print", 8)


def test_what_is_proved_names_the_printed_size(asked: RulebookAudit) -> None:
    proved = {p.name: p.scope for p in asked.proved if p.scope.startswith("print")}
    assert set(proved) == {
        "apples: always within its range",
        "rounds: always within its range",
        "bought: always within its range",
        "offer-table: some sentence always applies",
        "offer-table: offer.cheap + offer.dear never clash",
        "offer-table: offer.cheap + offer.huge never clash",
        "offer-table: offer.dear + offer.huge never clash",
        "somebody can always act until the game is over",
    }


def test_the_record_answers_without_any_engine(record: Record) -> None:
    assert told(audited(record, 0.0)) == EXPECTED


def test_without_record_and_time_a_finding_is_of_reduced_size_only() -> None:
    audit = audited(seconds=0.0)
    assert {f.status for f in audit.findings} == {Status.REDUCED}
    assert {f.because for f in audit.findings} == {"no play is known at size print: not asked (–)"}


def test_a_recorded_play_that_cannot_be_made_is_not_believed(record: Record) -> None:
    bent = attrs.evolve(
        record,
        answers=tuple(
            attrs.evolve(a, moves=(*a.moves[:-1], "buy")) if a.moves else a for a in record.answers
        ),
    )
    statuses = {f.title: f.status for f in audited(bent, 0.0).findings}
    assert statuses["buy.counts"] is Status.REDUCED
    assert "most-apples: equally good" in statuses  # its play ends with `buy` anyway


def test_a_recorded_proof_for_another_program_is_not_believed(record: Record) -> None:
    bent = attrs.evolve(record, answers=tuple(attrs.evolve(a, digest="0" * 16) for a in record.answers))
    statuses = {f.title: f.status for f in audited(bent, 0.0).findings}
    assert statuses["apples: fewer than the text asks for"] is Status.REDUCED
    assert statuses["buy.counts"] is Status.OPEN  # plays are replayed, whatever they were recorded for


def test_ask_again_asks_what_is_on_record_as_unknown(record: Record) -> None:
    unknown = [attrs.evolve(a, verdict="unknown", scope="time", moves=()) for a in record.answers]
    bent = attrs.evolve(record, answers=tuple(unknown))
    assert {f.because for f in audited(bent, 0.0).findings} == {"no play is known at size print: time (–)"}
    assert told(audited(bent, again=True)) == EXPECTED
    assert told(audited(record, 0.0, again=True)) == EXPECTED


def test_what_was_not_asked_never_goes_on_record() -> None:
    assert audited(seconds=0.0).answers == ()


def test_without_being_told_to_nothing_is_asked_at_the_printed_size() -> None:
    audit = audit_rulebook(market())
    assert audit.print_size is None
    assert {f.at_print for f in audit.findings} == {None}


def test_a_status_that_rests_on_the_printed_size_is_no_change_where_that_was_not_asked(
    asked: RulebookAudit,
) -> None:
    known = baseline.accept(asked, baseline.Baseline(rulebook="market"))
    assert baseline.compare(asked, known).clean
    compared = baseline.compare(audit_rulebook(market()), known)
    assert not compared.changed


def test_the_record_is_kept_in_a_file(record: Record, tmp_path: Path) -> None:
    path = record_path(tmp_path / "market.json")
    assert path.name == "market.print.json"
    assert load(path, "market") == Record(rulebook="market")
    save(path, record)
    assert load(path, "market") == record
    with pytest.raises(ModelError, match="these are answers about 'market', expected 'orchard'"):
        load(path, "orchard")
    document = json.loads(path.read_text(encoding="utf-8"))
    document["answers"][0]["verdict"] = "perhaps"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelError, match="verdict"):
        load(path, "market")


def test_answers_of_one_variant_leave_the_others(record: Record) -> None:
    one = Answer(variant="late", question="stuck", digest="0", verdict="unknown", scope="time")
    both = record.with_answers("late", (one,))
    assert both.answer("late", "stuck") == one
    assert both.answer("base", "stuck") == record.answer("base", "stuck")
