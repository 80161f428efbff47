"""The clauses of The Duel; against the page's own text where that is at hand."""

from collections import Counter
from pathlib import Path

import pytest

from models.language.clauses import UNASKED, Clause, Clauses, Kind, Source
from models.language.drift import match, unanswered
from models.language.layout import Role
from models.language.openwords import open_words
from models.language.sentences import read_source, split

ROOT = Path(__file__).parent.parent
SOURCE = ROOT.parent / "shared" / "rulebooks" / "the_duel.txt"

needs_text = pytest.mark.skipif(not SOURCE.is_file(), reason="the rulebook's text is not at hand")


@pytest.fixture(scope="module")
def clauses() -> Clauses:
    return Clauses.load(ROOT / "models" / "the_duel" / "clauses.toml")


@pytest.fixture(scope="module")
def text() -> str:
    return read_source(SOURCE)


def test_how_many_there_are(clauses: Clauses) -> None:
    assert Counter(c.source for c in clauses) == {Source.TEXT: 95, Source.OUTSIDE: 5}
    assert Counter(c.kind.value for c in clauses) == {
        "rule": 45,
        "note": 40,
        "example": 8,
        "component": 4,
        "definition": 2,
        "setup": 1,
    }


def test_ordinals_are_without_gaps(clauses: Clauses) -> None:
    for section in clauses.sections:
        ordinals = [clause.ordinal for clause in clauses if clause.section == section.id]
        assert ordinals == list(range(1, 1 + len(ordinals))), section.id


def test_ids_begin_with_their_section(clauses: Clauses) -> None:
    assert [clause.id for clause in clauses if not clause.id.startswith(f"{clause.section}.")] == []


def test_what_is_from_outside_says_so(clauses: Clauses) -> None:
    outside = [c for c in clauses if c.source is Source.OUTSIDE]
    assert [c.id for c in outside] == [
        "outside.deck",
        "outside.sorts",
        "outside.hand",
        "outside.dice",
        "outside.faces",
    ]
    assert all(c.address and not c.digest for c in outside)


@needs_text
def test_every_sentence_and_heading_is_matched(clauses: Clauses, text: str) -> None:
    drift = match(clauses, text)
    assert (drift.moved, drift.changed, drift.new, drift.gone) == ((), (), (), ())
    assert len(drift.matched) == len(split(text)) == 115
    assert sum(s.role is Role.HEADING for s in split(text)) == 20


@needs_text
def test_places_are_those_of_the_text(clauses: Clauses, text: str) -> None:
    for part in match(clauses, text).matched:
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


def test_the_web_page_around_it_states_no_rule(clauses: Clauses) -> None:
    around = {"preface", "zoom-in", "credits", "report", "forum", "mail", "posted", "product"}
    assert {c.section for c in clauses if c.kind is Kind.NOTE} == around | {"play"}
