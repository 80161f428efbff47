"""Clauses against a text: what is matched, moved, changed, new and gone; open words; the skeleton."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.language.clauses import Clause, Clauses
from models.language.drift import Drift, match, unanswered
from models.language.errors import ModelError
from models.language.sentences import digest, signature, split
from models.language.skeleton import skeleton

RULES = """Written by a frog who knows.
Moon Frogs
Contents
The Hop ..... 2
The End ..... 3
The Hop
- Each frog hops to a free leaf.
- A wet frog rests.
The green frogs hop before the red ones do. Nobody hops twice.
E.g. 1) Green hops over red. Then red sinks.
Case 1: rain
Nobody hops twice.
The End
The first player whose frogs are all gone has lost the game.
"""


def clauses_for(text: str, tmp_path: Path, rulebook: str = "") -> Clauses:
    """The skeleton of a text with everything written that a person has to write."""
    numbers = iter(range(1000))
    path = tmp_path / "clauses.toml"
    path.write_text(
        re.sub(r'(?<== )""', lambda _: f'"words {next(numbers)}"', skeleton(text, rulebook)), encoding="utf-8"
    )
    return Clauses.load(path)


@pytest.fixture
def clauses(tmp_path: Path) -> Clauses:
    return clauses_for(RULES, tmp_path)


def told(drift: Drift) -> dict[str, list[str]]:
    """What is not as it was."""
    parts = {
        "moved": [part.entry.id for part in drift.moved],
        "changed": [f"{part.entry.id} {part.similarity:.2f} {part.sentence.line}" for part in drift.changed],
        "new": [sentence.text for sentence in drift.new],
        "gone": [entry.id for entry in drift.gone],
    }
    return {name: part for name, part in parts.items() if part}


def test_every_sentence_and_heading_of_the_same_text_is_matched(clauses: Clauses) -> None:
    drift = match(clauses, RULES)
    assert drift.clean
    assert [part.entry.id for part in drift.matched] == [
        "preface.1",
        "moon-frogs",
        "contents",
        "the-hop",
        "the-hop.1",
        "the-hop.2",
        "the-hop.3",
        "the-hop.4",
        "the-hop.5",
        "the-hop.6",
        "case-1-rain",
        "case-1-rain.1",
        "the-end",
        "the-end.1",
    ]
    assert [part.sentence.line for part in drift.matched] == [1, 2, 3, 6, 7, 8, 9, 9, 10, 10, 11, 12, 13, 14]
    assert drift.clauses == ()


def test_white_space_bullets_and_lines_are_nothing(clauses: Clauses) -> None:
    again = RULES.replace("- A wet", "\n*   A   wet").replace("Moon Frogs", "\n\nMoon\u00a0Frogs")
    assert match(clauses, again).clean


EDITS = [
    ("Each frog", "Every frog", {"changed": ["the-hop.1 0.86 7"]}),
    ("A wet frog rests.", "A wet toad rests.", {"changed": ["the-hop.2 0.75 8"]}),
    ("A wet frog rests.", "Leaves are made of paper.", {"changed": ["the-hop.2 0.00 8"]}),
    ("before the red", "after the red", {"changed": ["the-hop.3 0.88 9"]}),
    ("Then red sinks.", "Then red may sink.", {"changed": ["the-hop.6 0.57 10"]}),
    ("Case 1: rain", "Case 1: hail", {"changed": ["case-1-rain 0.67 11"]}),
    ("Moon Frogs", "Sun Frogs", {"changed": ["moon-frogs 0.50 2"]}),
    ("The End\nThe", "The Very End\nThe", {"changed": ["the-end 0.80 13"]}),
    ("has lost", "wins", {"changed": ["the-end.1 0.86 14"]}),
    ("by a frog", "by a toad", {"changed": ["preface.1 0.83 1"]}),
]


@pytest.mark.parametrize(("old", "new", "told_of"), EDITS)
def test_editing_one_sentence_reports_exactly_that_one(
    clauses: Clauses, old: str, new: str, told_of: dict[str, list[str]]
) -> None:
    assert RULES.count(old) == 1
    assert told(match(clauses, RULES.replace(old, new))) == told_of


def test_a_sentence_that_is_gone(clauses: Clauses) -> None:
    drift = match(clauses, RULES.replace("- A wet frog rests.\n", ""))
    assert told(drift) == {"gone": ["the-hop.2"]}
    assert drift.clauses == ("the-hop.2",)


def test_a_sentence_that_is_new(clauses: Clauses) -> None:
    drift = match(clauses, RULES.replace("- A wet", "- Leaves float.\n- A wet"))
    assert told(drift) == {"new": ["Leaves float."]}
    assert drift.clauses == ()


def test_a_heading_that_is_new_moves_nothing(clauses: Clauses) -> None:
    drift = match(clauses, RULES.replace("E.g. 1)", "Leaps\nE.g. 1)"))
    assert told(drift) == {"new": ["Leaps"]}


def test_a_sentence_that_was_moved(clauses: Clauses) -> None:
    text = RULES.replace("- A wet frog rests.\n", "") + "A wet frog rests.\n"
    assert told(match(clauses, text)) == {"moved": ["the-hop.2"]}


def test_a_sentence_that_was_moved_and_changed(clauses: Clauses) -> None:
    text = RULES.replace("- Each frog hops to a free leaf.\n", "") + "Each frog hops to a free green leaf.\n"
    assert told(match(clauses, text)) == {"changed": ["the-hop.1 0.93 14"]}


def test_a_sentence_that_was_split(clauses: Clauses) -> None:
    text = RULES.replace(
        "The green frogs hop before the red ones do.", "Green frogs hop first. Red ones hop next."
    )
    assert told(match(clauses, text)) == {"changed": ["the-hop.3 0.50 9"], "new": ["Red ones hop next."]}


def test_equal_sentences_are_told_apart_by_their_place(clauses: Clauses) -> None:
    text = RULES.replace("rain\nNobody hops twice.", "rain\nNobody hops thrice.")
    assert told(match(clauses, text)) == {"changed": ["case-1-rain.1 0.67 12"]}


def test_an_entry_of_the_contents_that_is_no_heading_is_new(clauses: Clauses) -> None:
    text = RULES.replace("The End .....", "The Fall ..... 3\nThe End .....")
    assert told(match(clauses, text)) == {"new": ["The Fall"]}


def test_another_text_altogether(clauses: Clauses) -> None:
    drift = match(clauses, "Chess\nThe board has squares, sixty-four of them. Kings castle.\n")
    assert drift.matched == ()
    assert [sentence.text for sentence in drift.new] == [
        "Chess",
        "The board has squares, sixty-four of them.",
        "Kings castle.",
    ]
    assert len(drift.gone) == 14


def test_an_empty_text(clauses: Clauses) -> None:
    assert len(match(clauses, "").gone) == 14


def with_heading_clause(tmp_path: Path) -> Clauses:
    path = tmp_path / "clauses.toml"
    clauses_for(RULES, tmp_path)
    title = "Case 1: rain"
    extra = f"""
[[clause]]
id = "rain.case"
section = "case-1-rain"
ordinal = 0
kind = "definition"
force = "is"
text = "It rains."
digest = "{digest(title)}"
signature = "{signature(title)}"

[[clause]]
id = "box.frogs"
section = "the-end"
ordinal = 9
kind = "component"
force = "is"
source = "outside"
address = "frogs.example"
text = "There are twelve."
"""
    path.write_text(path.read_text(encoding="utf-8") + extra, encoding="utf-8")
    return Clauses.load(path)


def test_a_heading_that_states_something_is_reported_as_its_clause(tmp_path: Path) -> None:
    clauses = with_heading_clause(tmp_path)
    drift = match(clauses, RULES)
    assert drift.clean
    assert [part.entry.id for part in drift.matched if part.sentence.line == 11] == [
        "case-1-rain",
        "rain.case",
    ]
    assert told(match(clauses, RULES.replace("1: rain", "1: hail"))) == {"changed": ["rain.case 0.67 11"]}
    assert told(match(clauses, RULES.replace("Case 1: rain\n", ""))) == {"gone": ["rain.case"]}


def test_clauses_from_outside_are_not_looked_for(tmp_path: Path) -> None:
    drift = match(with_heading_clause(tmp_path), "")
    assert "rain.case" in drift.clauses
    assert "box.frogs" not in drift.clauses


# --- open words ----------------------------------------------------------------------------------------


def test_open_words_without_an_answer(tmp_path: Path) -> None:
    clauses = clauses_for(RULES, tmp_path)
    assert unanswered(clauses, RULES) == ()
    path = tmp_path / "clauses.toml"
    text = re.sub(r"\n\[clause\.words\]\n(?:.+\n)+", "\n", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    found = unanswered(Clauses.load(path), RULES)
    assert [(part.clause.id, part.word, part.sentence.line) for part in found] == [
        ("the-hop.1", "each", 7),
        ("the-hop.1", "free", 7),
        ("the-hop.3", "before", 9),
        ("the-hop.6", "then", 10),
        ("the-end.1", "first", 14),
        ("the-end.1", "all", 14),
    ]
    assert found[1].why == "Free of what: empty, without cost, or not bound?"
    path.write_text(text.replace('kind = "rule"', 'kind = "note"'), encoding="utf-8")
    assert [part.word for part in unanswered(Clauses.load(path), RULES)] == ["then"]


def test_open_words_of_a_changed_sentence(clauses: Clauses) -> None:
    found = unanswered(clauses, RULES.replace("A wet frog rests.", "A wet frog may rest."))
    assert [(part.clause.id, part.word) for part in found] == [
        ("the-hop.2", "may"),
        ("the-hop.2", "rest"),
    ]


# --- skeleton ------------------------------------------------------------------------------------------


def test_a_skeleton_has_all_that_can_be_computed_and_leaves_the_rest_empty(tmp_path: Path) -> None:
    text = skeleton(
        'Frogs\nEach frog hops. It is "wet".\nHow a Frog Should Leap\nE.g. red may sink. Then not.\n'
    )
    assert (
        text
        == f"""schema = 1
rulebook = "Frogs"
language = "en"

[sections]
frogs = {{ title = "Frogs", digest = "{digest("Frogs")}", signature = "{signature("Frogs")}", line = 1 }}
how-a-frog-should-leap = {{ title = "", digest = "{digest("How a Frog Should Leap")}", \
signature = "{signature("How a Frog Should Leap")}", line = 3 }}

[[clause]]
id = "frogs.1"
section = "frogs"
ordinal = 1
line = 2
digest = "{digest("Each frog hops.")}"
signature = "{signature("Each frog hops.")}"
kind = "rule"
force = "must"
text = ""
[clause.words]
"each" = ""

[[clause]]
id = "frogs.2"
section = "frogs"
ordinal = 2
line = 2
digest = "{digest('It is "wet".')}"
signature = "{signature('It is "wet".')}"
kind = "rule"
force = "is"
text = ""

[[clause]]
id = "how-a-frog-should-leap.1"
section = "how-a-frog-should-leap"
ordinal = 1
line = 4
digest = "{digest("E.g. red may sink.")}"
signature = "{signature("E.g. red may sink.")}"
kind = "example"
force = "may"
text = ""
[clause.words]
"may" = ""

[[clause]]
id = "how-a-frog-should-leap.2"
section = "how-a-frog-should-leap"
ordinal = 2
line = 4
digest = "{digest("Then not.")}"
signature = "{signature("Then not.")}"
kind = "example"
force = "must"
text = ""
[clause.words]
"then" = ""
"""
    )
    path = tmp_path / "clauses.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelError) as caught:
        Clauses.load(path)
    assert str(caught.value) == (
        f"{path}, section 'how-a-frog-should-leap': title is empty; name the section in your own words"
    )


@pytest.mark.parametrize(
    ("section", "sentence", "kind", "force"),
    [
        ("Components", "12 frogs", "component", "must"),
        ("Setup", "Put a frog on each leaf.", "setup", "must"),
        ("Aufbau", "Jeder Frosch darf hüpfen.", "setup", "may"),
        ("Hop", "A frog may not hop.", "rule", "must-not"),
        ("Hop", "A frog has to hop.", "rule", "must"),
        ("Hop", "A leaf counts one.", "rule", "is"),
        ("Hop", "For example, hop.", "example", "must"),
    ],
)
def test_a_skeleton_guesses(tmp_path: Path, section: str, sentence: str, kind: str, force: str) -> None:
    (clause,) = clauses_for(f"{section}\n- {sentence}\n", tmp_path)
    assert (clause.kind, clause.force) == (kind, force)


SIGNS = "abAB19 .!?:;-*=#|'\"()[]…“”\n\n\n\t–{}_"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(st.text(alphabet=SIGNS, max_size=200), st.text(max_size=120)))
def test_any_text_matches_the_clauses_written_for_it(tmp_path: Path, text: str) -> None:
    if any(sentence.ordinal for sentence in split(text)):
        clauses = clauses_for(text, tmp_path, "Frogs")
        assert match(clauses, text).clean
        assert unanswered(clauses, text) == ()


def test_a_skeleton_survives_any_title(tmp_path: Path) -> None:
    clauses = clauses_for('Über "Frogs\\ \x7f"\nHop on, little frog.\n', tmp_path, 'A "B"\\')
    assert clauses.rulebook == 'A "B"\\'
    assert [section.id for section in clauses.sections] == ["uber-frogs"]
    assert clauses.sections[0].title == "words 0"
    assert [type(entry) for entry in clauses] == [Clause]
