"""The clauses of My Dwarves Fly; against the rulebook's own text where that is at hand."""

import re
from collections import Counter
from pathlib import Path

import pytest

from models.language.clauses import UNASKED, Clause, Clauses, Kind
from models.language.drift import match, unanswered
from models.language.layout import Role
from models.language.openwords import open_words
from models.language.sentences import read_source, split

ROOT = Path(__file__).parent.parent
SOURCE = ROOT.parent / "shared" / "rulebooks" / "my_dwarves_fly.txt"

needs_text = pytest.mark.skipif(not SOURCE.is_file(), reason="the rulebook's text is not at hand")


@pytest.fixture(scope="module")
def clauses() -> Clauses:
    return Clauses.load(ROOT / "models" / "my_dwarves_fly" / "clauses.toml")


@pytest.fixture(scope="module")
def text() -> str:
    return read_source(SOURCE)


def test_how_many_there_are(clauses: Clauses) -> None:
    assert len(clauses) == 122
    assert len(clauses.sections) == 17
    assert Counter(clause.kind.value for clause in clauses) == {
        "rule": 53,
        "example": 45,
        "setup": 8,
        "component": 4,
        "definition": 4,
        "note": 3,
        "flavour": 3,
        "exception": 2,
    }


def test_ordinals_are_without_gaps(clauses: Clauses) -> None:
    for section in clauses.sections:
        ordinals = [clause.ordinal for clause in clauses if clause.section == section.id]
        first = ordinals[0] if ordinals else 0
        assert ordinals == list(range(first, first + len(ordinals))), section.id


def test_ids_begin_with_their_section(clauses: Clauses) -> None:
    assert [clause.id for clause in clauses if not clause.id.startswith(f"{clause.section}.")] == []


def test_the_readings_that_answer_open_words(clauses: Clauses) -> None:
    readings = {reading: clause.id for clause in reversed(clauses.clauses) for reading in clause.readings}
    assert readings == {
        "turn.must-act": "turn.four-options",
        "skill.one-for": "skill.one-each",
        "fighters.number": "battle.printed",
        "skill.uses": "fight.skills-once",
        "diplomacy.must": "diplomacy.event-card",
        "diplomacy.who": "diplomacy.reveal",
        "event.use": "diplomacy.in-order",
        "forget.from": "diplomacy.forget-it",
        "strongest.among": "sharing.strongest-leaves",
    }


def test_clauses_named_in_answers_exist(clauses: Clauses) -> None:
    sections = "|".join(section.id for section in clauses.sections)
    named = re.compile(rf"\b(?:{sections})\.[a-z-]+[a-z]\b")
    readings = {reading for clause in clauses for reading in clause.readings} | {"third.kinds"}
    for clause in clauses:
        for said in (*clause.words.values(), clause.uncited):
            for name in named.findall(said):
                assert name in clauses or name in readings, f"{clause.id}: {name}"


@needs_text
def test_every_sentence_and_heading_is_matched(clauses: Clauses, text: str) -> None:
    drift = match(clauses, text)
    assert (drift.moved, drift.changed, drift.new, drift.gone) == ((), (), (), ())
    assert len(drift.matched) == 122 + 17
    headings = [sentence for sentence in split(text) if sentence.role is Role.HEADING]
    assert len(split(text)) == 122 + len(headings) == 139


@needs_text
def test_places_are_those_of_the_text(clauses: Clauses, text: str) -> None:
    for part in match(clauses, text).matched:
        assert part.entry.line == part.sentence.line, part.entry.id
        assert part.entry.signature == part.sentence.signature, part.entry.id
        if isinstance(part.entry, Clause):
            assert part.entry.ordinal == part.sentence.ordinal, part.entry.id


@needs_text
def test_every_open_word_is_answered_and_no_other(clauses: Clauses, text: str) -> None:
    assert unanswered(clauses, text) == ()
    for part in match(clauses, text).matched:
        if isinstance(part.entry, Clause):
            found = () if part.entry.kind in UNASKED else open_words(part.sentence.text)
            assert set(part.entry.words) == set(found), part.entry.id


@needs_text
def test_editing_any_sentence_reports_exactly_that_one(clauses: Clauses, text: str) -> None:
    lines = text.split("\n")
    tried = 0
    for clause, sentence in [(part.entry, part.sentence) for part in match(clauses, text).matched]:
        line = lines[sentence.line - 1]
        if not isinstance(clause, Clause) or line.count(sentence.text) != 1:
            continue
        words = sentence.text.split()
        words.insert(len(words) // 2, "gladly")
        edited = [*lines]
        edited[sentence.line - 1] = line.replace(sentence.text, " ".join(words))
        drift = match(clauses, "\n".join(edited))
        assert [change.entry.id for change in drift.changed] == [clause.id]
        assert (drift.moved, drift.new, drift.gone) == ((), (), ())
        tried += 1
    assert tried == 122


@needs_text
def test_no_sentence_of_more_than_a_term_is_copied(clauses: Clauses, text: str) -> None:
    def runs(said: str, length: int) -> set[tuple[str, ...]]:
        words = "".join(sign if sign.isalpha() else " " for sign in said.lower()).split()
        return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}

    original = runs(text, 7)
    for clause in clauses:
        assert not runs(clause.text, 7) & original, clause.id


def test_rules_are_either_to_be_cited_or_say_why_not(clauses: Clauses) -> None:
    reasons = {clause.id for clause in clauses if clause.uncited}
    assert reasons == {
        "setup.board",
        "setup.dirtiest",
        "setup.eldest",
        "creature.together",
    }
    assert all(clauses[id].kind in (Kind.RULE, Kind.SETUP) for id in reasons)
