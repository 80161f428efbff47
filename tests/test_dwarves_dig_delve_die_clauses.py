"""The clauses of Dwarves: Dig, Delve, Die; against the rulebook's own text where that is at hand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from models.dwarves_dig_delve_die.rules import book
from models.language.clauses import Clauses, Source
from models.language.drift import match, unanswered
from models.language.sentences import read_source

ROOT = Path(__file__).parent.parent
SOURCE = ROOT.parent / "shared" / "rulebooks" / "dwarves_dig_delve_die.txt"

needs_text = pytest.mark.skipif(not SOURCE.is_file(), reason="the rulebook's text is not at hand")


@pytest.fixture(scope="module")
def clauses() -> Clauses:
    found = book.clauses
    assert found is not None
    return found


def test_how_many_there_are(clauses: Clauses) -> None:
    assert len(clauses) == 111
    assert Counter(c.source for c in clauses) == {Source.TEXT: 96, Source.OUTSIDE: 15}
    assert sum(c.section.startswith("faq") for c in clauses) == 74


def test_ids_begin_with_their_section(clauses: Clauses) -> None:
    assert [c.id for c in clauses if not c.id.startswith(f"{c.section}.")] == []


def test_readings_named_in_answers_exist(clauses: Clauses) -> None:
    named = {r for c in clauses for r in c.readings}
    named |= {
        r for c in clauses for said in c.words.values() for r in re.findall(r"reading ([a-z]+\.[a-z]+)", said)
    }
    assert named <= set(book.readings)
    assert {"digging.who", "digging.stacked", "turn.duty", "winning.when", "delving.resolve"} <= named


@needs_text
def test_every_sentence_and_heading_is_matched(clauses: Clauses) -> None:
    drift = match(clauses, read_source(SOURCE))
    assert (drift.moved, drift.changed, drift.new, drift.gone) == ((), (), (), ())
    assert len(drift.matched) == 96 + 21


@needs_text
def test_every_open_word_is_answered(clauses: Clauses) -> None:
    assert unanswered(clauses, read_source(SOURCE)) == ()
