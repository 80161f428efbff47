"""The file of clauses: what is read, and what is refused with which words."""

import json
import pickle
import tomllib
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from models.language.clauses import Clauses, Force, Kind, Section, Source
from models.language.errors import ModelError
from models.language.sentences import digest, signature

HOP = "A frog may hop over any other frog!"
TITLE = "The Hop"
MARKS = f'digest = "{digest(HOP)}"\nsignature = "{signature(HOP)}"'

GOOD = f"""
schema = 1
rulebook = "Moon Frogs"
language = "en"

[sections]
preface = {{ title = "before the hop" }}
hop = {{ title = "The Hop", digest = "{digest(TITLE)}", signature = "{signature(TITLE)}", line = 8 }}
outside = {{ title = "facts" }}

[[clause]]
id = "hop.leap"
section = "hop"
ordinal = 1
line = 9
kind = "rule"
force = "may"
text = "Frogs are free to leap across one another."
{MARKS}
uncited = "a reminder"
[clause.words]
may = "The owner of the frog decides."
any = "reading:hop.which"
another = "reading:hop.which"

[[clause]]
id = "hop.title"
section = "hop"
ordinal = 0
kind = "definition"
force = "is"
text = "Hopping is what follows."
digest = "{digest(TITLE)}"
signature = "{signature(TITLE)}"

[[clause]]
id = "box.frogs"
section = "outside"
ordinal = 1
kind = "component"
force = "is"
source = "outside"
address = "frogs.example/box"
text = "There are twelve frogs."

[[clause]]
id = "faq.no-leap"
section = "outside"
ordinal = 2
kind = "exception"
force = "must-not"
source = "ruling"
text = "A wet frog stays."
"""


def load(tmp_path: Path, text: str) -> Clauses:
    path = tmp_path / "clauses.toml"
    path.write_text(text, encoding="utf-8")
    return Clauses.load(path)


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(ModelError) as caught:
        load(tmp_path, text)
    return str(caught.value).replace(str(tmp_path / "clauses.toml"), "FILE")


def test_a_whole_file_is_read_in_the_order_of_the_text(tmp_path: Path) -> None:
    clauses = load(tmp_path, GOOD)
    assert clauses.rulebook == "Moon Frogs"
    assert clauses.language == "en"
    assert [clause.id for clause in clauses] == ["hop.title", "hop.leap", "box.frogs", "faq.no-leap"]
    assert len(clauses) == 4
    assert clauses.section("hop") == Section("hop", "The Hop", digest(TITLE), signature(TITLE), 8)
    assert [section.id for section in clauses.sections] == ["preface", "hop", "outside"]
    leap = clauses["hop.leap"]
    assert (leap.kind, leap.force, leap.source) == (Kind.RULE, Force.MAY, Source.TEXT)
    assert (leap.section, leap.ordinal, leap.line) == ("hop", 1, 9)
    assert (leap.digest, leap.signature) == (digest(HOP), signature(HOP))
    assert leap.words["may"] == "The owner of the frog decides."
    assert leap.readings == ("hop.which",)
    assert clauses["box.frogs"].address == "frogs.example/box"
    assert "hop.leap" in clauses
    assert "hop.lep" not in clauses


def test_what_needs_no_citation(tmp_path: Path) -> None:
    clauses = load(tmp_path, GOOD)
    assert [clause.id for clause in clauses if clause.exempt] == ["hop.title", "hop.leap", "box.frogs"]


def test_clauses_are_hashable_and_can_be_sent_to_another_process(tmp_path: Path) -> None:
    clauses = load(tmp_path, GOOD)
    assert len({*clauses, *load(tmp_path, GOOD)}) == 4
    again = pickle.loads(pickle.dumps(clauses))
    assert again == clauses
    assert again["hop.leap"] == clauses["hop.leap"]


def test_an_unknown_id_is_answered_with_the_nearest(tmp_path: Path) -> None:
    clauses = load(tmp_path, GOOD)
    with pytest.raises(ModelError) as caught:
        clauses["hop.lep"]
    assert str(caught.value) == f"{clauses.path}: there is no clause 'hop.lep'; did you mean 'hop.leap'?"
    with pytest.raises(ModelError) as caught:
        clauses.section("zzz")
    assert (
        str(caught.value) == f"{clauses.path}: there is no section 'zzz'; give the id of one of its sections"
    )


LEAP = "FILE:11, clause 'hop.leap'"
BOX = "FILE:37, clause 'box.frogs'"
OWN = "let the tool compute it from the source"
WRONG = [
    ("schema = 1", "", "FILE: schema is missing; write schema = 1 at the top"),
    ("schema = 1", "schema = 2", "FILE: schema 2 is not known; this version reads schema 1"),
    (
        "schema = 1",
        "schema = true",
        "FILE: schema is true or false, not a whole number; write schema = 1 at the top",
    ),
    ('rulebook = "Moon Frogs"', "", "FILE: rulebook is missing; give the rulebook's name"),
    ("rulebook =", "rulebok =", "FILE: unknown key 'rulebok'; did you mean 'rulebook'?"),
    (
        'language = "en"',
        'language = "English"',
        "FILE: language 'English' is not a language code; give two or three letters such as en",
    ),
    ("[sections]", "[section]", "FILE: unknown key 'section'; did you mean 'sections'?"),
    (
        'outside = { title = "facts" }',
        'outside = "facts"',
        "FILE, section 'outside': this is text; write { title = …, digest = …, signature = … }",
    ),
    (
        'outside = { title = "facts" }',
        'Outside = { title = "facts" }',
        "FILE, section 'Outside': not an id; use lower-case words joined by hyphens",
    ),
    (
        'title = "facts"',
        'titel = "facts"',
        "FILE, section 'outside': unknown key 'titel'; did you mean 'title'?",
    ),
    (
        'title = "facts"',
        'title = ""',
        "FILE, section 'outside': title is empty; name the section in your own words",
    ),
    (
        'title = "facts"',
        'title = "facts", digest = "0000000000000000"',
        f"FILE, section 'outside': signature is missing; {OWN}",
    ),
    ("line = 8", "line = 0", "FILE, section 'hop': line is 0, and the least is 1; count lines from 1"),
    ('id = "hop.leap"\n', "", "FILE:11: id is missing; give it one such as turn.roll"),
    (
        'id = "hop.leap"',
        'id = "Leap"',
        "FILE:11, clause 'Leap': not a clause id; write section.what, lower-case words joined by hyphens",
    ),
    (
        'id = "hop.leap"',
        'id = "hop.title"',
        "FILE:27, clause 'hop.title': this id is taken by the clause at FILE:11; "
        "give one of the two another id",
    ),
    (
        "ordinal = 2",
        "ordinal = 1",
        "FILE:47, clause 'faq.no-leap': outside 1 is the place of 'box.frogs' already; "
        "give one of the two another ordinal",
    ),
    (
        'section = "hop"\nordinal = 1',
        'section = "hopp"\nordinal = 1',
        f"{LEAP}: unknown section 'hopp'; did you mean 'hop'?",
    ),
    (
        'section = "hop"\nordinal = 1',
        'section = "xyz"\nordinal = 1',
        f"{LEAP}: unknown section 'xyz'; add it to [sections]",
    ),
    (
        'section = "hop"\nordinal = 1',
        'section = "outside"\nordinal = 3',
        f"{LEAP}: section 'outside' has no digest, so no sentence of the text stands in it; "
        "give it the digest of its heading, or use 'preface' for text before the first heading",
    ),
    (
        "ordinal = 1\nline",
        "line",
        f"{LEAP}: ordinal is missing; give its place in the section, counted from 1",
    ),
    (
        "ordinal = 1\nline",
        'ordinal = "1"\nline',
        f"{LEAP}: ordinal is text, not a whole number; give its place in the section, counted from 1",
    ),
    (
        "ordinal = 1\nline",
        "ordinal = -1\nline",
        f"{LEAP}: ordinal is -1, and the least is 0; give its place in the section, counted from 1",
    ),
    (
        "ordinal = 1\nline",
        "ordinal = 0\nline",
        f"{LEAP}: ordinal 0 is the heading, and the digests differ; give it the digest of its section",
    ),
    (
        'kind = "rule"',
        'kind = "ruler"',
        f"{LEAP}: unknown kind 'ruler'; did you mean 'rule'? "
        "known: rule, setup, component, definition, example, exception, flavour, note",
    ),
    ('force = "may"', 'force = "xyz"', f"{LEAP}: unknown force 'xyz'; known: must, may, must-not, is"),
    ('force = "may"\n', "", f"{LEAP}: force is missing; give one of: must, may, must-not, is"),
    ('force = "may"', 'forse = "may"', f"{LEAP}: unknown key 'forse'; did you mean 'force'?"),
    (
        'text = "Frogs are free to leap across one another."',
        "",
        f"{LEAP}: text is missing; say the sentence in your own words",
    ),
    (
        'text = "Frogs are free to leap across one another."',
        'text = " "',
        f"{LEAP}: text is empty; say the sentence in your own words",
    ),
    (
        'text = "Frogs are free to leap across one another."',
        "text = [1]",
        f'{LEAP}: text is an array, not text; write it in quotes: "…"',
    ),
    (
        'text = "Frogs are free to leap across one another."',
        'text = "Frogs\\u001b[31m leap."',
        f"{LEAP}: text has a line break or control character; write it on one line",
    ),
    (
        'text = "Frogs are free to leap across one another."',
        f'text = "{HOP}"',
        f"{LEAP}: text is the original sentence; say it in your own words",
    ),
    (
        f'digest = "{digest(HOP)}"',
        'digest = "ABC"',
        f"{LEAP}: digest 'ABC' is not 16 lower-case hexadecimal digits; {OWN}",
    ),
    (f'digest = "{digest(HOP)}"\n', "", f"FILE:11, clause 'hop.leap': digest is missing; {OWN}"),
    (f'signature = "{signature(HOP)}"\n', "", f"FILE:11, clause 'hop.leap': signature is missing; {OWN}"),
    (
        'uncited = "a reminder"',
        'uncited = ""',
        f"{LEAP}: uncited is empty; say why no rule needs to cite it, or leave it out",
    ),
    (
        'uncited = "a reminder"',
        'address = "frogs.example"',
        f"{LEAP}: a clause of the text has an address; leave it out, or say source = 'outside' or 'ruling'",
    ),
    ('may = "The', 'mai = "The', f"{LEAP}, words: 'mai' is not on the checklist; did you mean 'may'?"),
    (
        'may = "The owner of the frog decides."',
        'may = ""',
        f"{LEAP}, words: may is empty; say what the model takes it to mean and why, or reading:<id>",
    ),
    (
        'any = "reading:hop.which"',
        'any = "reading:Hop Which"',
        f"{LEAP}, words: any names the reading 'Hop Which', which is not an id; write reading:<id>",
    ),
    (
        '[clause.words]\nmay = "The owner of the frog decides."\nany = "reading:hop.which"\nanother',
        "words",
        f"{LEAP}: words is text, not a table; write [clause.words] with a line for each word",
    ),
    ('address = "frogs.example/box"\n', "", f"{BOX}: address is missing; say where it was found"),
    (
        'address = "frogs.example/box"',
        f'address = "frogs.example/box"\n{MARKS}',
        f"{BOX}: a clause with source = 'outside' has a digest; leave digest and signature out",
    ),
    (
        'source = "outside"',
        'source = "outsid"',
        f"{BOX}: unknown source 'outsid'; did you mean 'outside'? known: text, outside, ruling",
    ),
    ('id = "hop.leap"', "id = hop.leap", "FILE:12: not TOML: Invalid value at column 6; mend the syntax"),
    (
        'A wet frog stays."',
        "A wet frog stays.",
        "FILE:54: not TOML: Illegal character '\\n' at column 26; mend the syntax",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place_and_what_to_do(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert GOOD.count(old) >= 1
    assert refused(tmp_path, GOOD.replace(old, new, 1)) == message


def test_a_file_without_clauses(tmp_path: Path) -> None:
    head = GOOD[: GOOD.index("[[clause]]")]
    assert refused(tmp_path, head) == (
        "FILE: there is no clause; write one [[clause]] for each sentence of the source"
    )
    assert refused(tmp_path, head + '[clause]\nid = "a.b"\n') == (
        "FILE: clause is not an array of tables; begin every clause with [[clause]]"
    )


def test_a_file_without_sections(tmp_path: Path) -> None:
    assert refused(tmp_path, 'schema = 1\nrulebook = "Frogs"\n') == (
        "FILE: sections is missing; write a table [sections] with a line for each heading"
    )


def test_a_file_that_ends_too_early(tmp_path: Path) -> None:
    assert refused(tmp_path, "schema = 1\nrulebook = [") == (
        "FILE:2: not TOML: Invalid value at the end of the file; mend the syntax"
    )


def test_a_file_made_to_break_the_parser(tmp_path: Path) -> None:
    assert refused(tmp_path, "a = " + "[" * 100_000) == "FILE: not TOML: nested too deeply; mend the syntax"
    assert refused(tmp_path, "a = " + "1" * 5000).startswith("FILE: not TOML: Exceeds the limit")


def test_a_file_in_latin_1(tmp_path: Path) -> None:
    (tmp_path / "clauses.toml").write_bytes('schema = 1\nrulebook = "Frösche"\n'.encode("latin-1"))
    with pytest.raises(ModelError) as caught:
        Clauses.load(tmp_path / "clauses.toml")
    message = "not UTF-8: byte 0xf6 at offset 25; convert it, e.g. with iconv -f LATIN1 -t UTF-8"
    assert str(caught.value) == f"{tmp_path / 'clauses.toml'}:2: {message}"


def test_a_missing_file_and_a_directory(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        Clauses.load(tmp_path / "none.toml")
    assert (
        str(caught.value)
        == f"{tmp_path / 'none.toml'}: there is no such file; give the path of a clauses.toml"
    )
    with pytest.raises(ModelError) as caught:
        Clauses.load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: this is a directory; give the path of a clauses.toml"


def test_another_language_has_no_checklist_yet(tmp_path: Path) -> None:
    text = GOOD.replace('language = "en"', 'language = "de"').replace('may = "The', 'darf = "The')
    assert load(tmp_path, text)["hop.leap"].words["darf"] == "The owner of the frog decides."


# --- schema --------------------------------------------------------------------------------------------


def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((files("models.language") / "clauses.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_schema_takes_what_is_read() -> None:
    assert list(validator().iter_errors(tomllib.loads(GOOD))) == []


BEYOND_A_SCHEMA = (
    "is taken by",
    "is the place of",
    "unknown section",
    "has no digest, so",
    "the digests differ",
    "not TOML",
    "is the original",
    "not on the checklist",
)
"""What ties one part of the file to another, or to data outside of it."""


@pytest.mark.parametrize(
    ("old", "new"),
    [(old, new) for old, new, message in WRONG if not any(part in message for part in BEYOND_A_SCHEMA)],
)
def test_the_schema_refuses_what_is_refused(old: str, new: str) -> None:
    assert not validator().is_valid(tomllib.loads(GOOD.replace(old, new, 1)))
