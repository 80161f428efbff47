"""The clauses of Railroad Ink; against the rulebook's own text where that is at hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from models.language.clauses import Clauses, Kind, Source
from models.language.drift import match, unanswered
from models.language.sentences import read_source
from models.railroad_ink.rules import book

ROOT = Path(__file__).parent.parent
SOURCE = ROOT.parent / "shared" / "rulebooks" / "railroad_ink.txt"

needs_text = pytest.mark.skipif(not SOURCE.is_file(), reason="the rulebook's text is not at hand")


@pytest.fixture(scope="module")
def clauses() -> Clauses:
    found = book.clauses
    assert found is not None
    return found


def test_how_many_there_are(clauses: Clauses) -> None:
    assert len(clauses) == 123
    assert {c.source for c in clauses} == {Source.TEXT}
    kinds = Counter(c.kind for c in clauses)
    assert (kinds[Kind.COMPONENT], kinds[Kind.EXCEPTION], kinds[Kind.EXAMPLE]) == (42, 12, 0)


def test_ids_begin_with_their_section(clauses: Clauses) -> None:
    assert [c.id for c in clauses if not c.id.startswith(f"{c.section}.")] == []


def test_readings_named_in_answers_exist(clauses: Clauses) -> None:
    named = {r for c in clauses for r in c.readings}
    assert named <= set(book.readings)
    unnamed = set(book.readings) - named
    assert unnamed == {
        "lake.fill-four",
        "lava.erase",
        "lava.opposite",
        "lava.rim",
        "meteor.when",
        "route.meets",
    }


def test_exceptions_say_what_they_override() -> None:
    assert {(o.variant, o.clause, o.table, o.row) for o in book.overrides} == {
        *((v, f"{v}.six", "rounds", "game.rounds") for v in ("river", "lake", "meteor", "lava")),
        ("river", "river-rules.free", "join-river", "drawing.connected"),
        ("lake", "lake-rules.free", "join-lake", "drawing.connected"),
        ("lava", "lava-rules.connected", "join-lava", "drawing.connected"),
    }


@needs_text
def test_every_sentence_and_heading_is_matched(clauses: Clauses) -> None:
    drift = match(clauses, read_source(SOURCE))
    assert (drift.moved, drift.changed, drift.new, drift.gone) == ((), (), (), ())
    assert len(drift.matched) == 123 + 30


@needs_text
def test_every_open_word_is_answered(clauses: Clauses) -> None:
    assert unanswered(clauses, read_source(SOURCE)) == ()
