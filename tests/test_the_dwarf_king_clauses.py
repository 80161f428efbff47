"""The clauses of The Dwarf King; against the rulebook's own text where that is at hand."""

import re
from collections import Counter
from pathlib import Path

import pytest

from models.language.clauses import UNASKED, Clause, Clauses, Source
from models.language.drift import match, unanswered
from models.language.openwords import open_words
from models.language.sentences import read_source

ROOT = Path(__file__).parent.parent
SOURCE = ROOT.parent / "shared" / "rulebooks" / "the_dwarf_king.txt"

needs_text = pytest.mark.skipif(not SOURCE.is_file(), reason="the rulebook's text is not at hand")


@pytest.fixture(scope="module")
def clauses() -> Clauses:
    return Clauses.load(ROOT / "models" / "the_dwarf_king" / "clauses.toml")


@pytest.fixture(scope="module")
def text() -> str:
    return read_source(SOURCE)


def test_how_many_there_are(clauses: Clauses) -> None:
    assert Counter(c.source for c in clauses) == {Source.TEXT: 30, Source.OUTSIDE: 6}
    assert Counter(c.kind.value for c in clauses if c.source is Source.TEXT) == {
        "rule": 21,
        "component": 5,
        "note": 3,
        "definition": 1,
    }
    assert all(c.address.startswith("http") for c in clauses if c.source is Source.OUTSIDE)
    assert [c.id for c in clauses if c.uncited] == []


def test_the_readings_that_answer_open_words(clauses: Clauses) -> None:
    readings = {reading: clause.id for clause in reversed(clauses.clauses) for reading in clause.readings}
    assert readings == {
        "end.tie": "objective.highest-total",
        "deal.rest": "preparation.deal-equally",
        "tricks.may-discard": "tricks.discard",
        "tricks.level": "tricks.win",
    }


def test_clauses_named_in_answers_exist(clauses: Clauses) -> None:
    sections = "|".join(section.id for section in clauses.sections)
    named = re.compile(rf"\b(?:{sections})\.[a-z-]+[a-z]\b")
    others = {"contract.whose-cards", "contracts.list", "special.when", "deck.gathered", "end.tie"}
    for clause in clauses:
        for said in (*clause.words.values(), clause.uncited):
            for name in named.findall(said):
                assert name in clauses or name in clause.readings or name in others, f"{clause.id}: {name}"


@needs_text
def test_every_sentence_and_heading_is_matched(clauses: Clauses, text: str) -> None:
    drift = match(clauses, text)
    assert (drift.moved, drift.changed, drift.new, drift.gone) == ((), (), (), ())
    assert len(drift.matched) == 30 + 9
    for part in drift.matched:
        assert part.entry.line == part.sentence.line, part.entry.id
        assert part.entry.signature == part.sentence.signature, part.entry.id


@needs_text
def test_every_open_word_is_answered_and_no_other(clauses: Clauses, text: str) -> None:
    assert unanswered(clauses, text) == ()
    for part in match(clauses, text).matched:
        if isinstance(part.entry, Clause):
            found = () if part.entry.kind in UNASKED else open_words(part.sentence.text)
            assert set(part.entry.words) == set(found), part.entry.id


@needs_text
def test_no_sentence_of_more_than_a_term_is_copied(clauses: Clauses, text: str) -> None:
    def runs(said: str, length: int) -> set[tuple[str, ...]]:
        words = "".join(sign if sign.isalpha() else " " for sign in said.lower()).split()
        return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}

    original = runs(text, 7)
    for clause in clauses:
        assert not runs(clause.text, 7) & original, clause.id
