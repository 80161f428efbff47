"""The pack for translators: every file holds every sentence, with its questions, as text."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import docx
import openpyxl
import polib
import pytest
from lxml import etree

from findings.reports.i18n import texts
from findings.reports.translators import pack, terms, units
from findings.reports.view import ASKED
from models.language.errors import ModelError
from models.language.words import Words
from tests import official
from tests import report_samples as samples

X12 = {"x": "urn:oasis:names:tc:xliff:document:1.2"}
X20 = {"x": "urn:oasis:names:tc:xliff:document:2.0"}
TBX = {"t": "urn:iso:std:iso:30042:ed-2"}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    found = pack.files(samples.book(with_source=True), texts(), samples.words(), samples.words("de"), "de")
    return {k: v if isinstance(v, bytes) else v.encode() for k, v in found.items()}


@pytest.fixture(scope="module")
def asked() -> list[units.Unit]:
    return list(units.units(samples.book(with_source=True), samples.source(), texts()))


def parsed(data: bytes) -> Any:
    return etree.fromstring(data)


def test_the_pack_has_its_files(files: dict[str, bytes]) -> None:
    assert sorted(files) == sorted(
        [
            "glossary.txt",
            "terms.txt",
            *(f"lantern_hill.de.{e}" for e in ("po", "xlf", "2.xlf", "tbx", "tmx", "docx", "xlsx")),
        ]
    )


def test_units_are_the_sentences_of_the_text_in_order(asked: list[units.Unit]) -> None:
    lines = [line for line in samples.TEXT.read_text().splitlines() if line]
    assert [u.text for u in asked] == [line.removeprefix("## ").removeprefix("# ") for line in lines]
    assert [u.id for u in asked if u.asked] == [
        "setup.dark",
        "turn.moon",
        "turn.coin",
        "turn.again",
        "end.all-burn",
        "end.winner",
    ]
    again = next(u for u in asked if u.id == "turn.again")
    short = samples.book().by_fingerprint[samples.one("RL101").fingerprint].short
    assert again.notes[0] == (
        f"RL101 ({short}, open, play stops): Does the player who lights the last lantern roll again? "
        "A: the game is over at once. B: the player rolls again, though every lantern burns. "
        "As the model plays it: end.all-burn."
    )


def test_po_has_an_entry_for_each_unit_with_its_questions(
    files: dict[str, bytes], asked: list[units.Unit]
) -> None:
    file = polib.pofile(files["lantern_hill.de.po"].decode())
    assert [(e.msgctxt, e.msgid, e.msgstr) for e in file] == [(u.id, u.text, "") for u in asked]
    assert file.metadata["X-Rulebook"] == "lantern_hill"
    entry = file.find("turn.again", by="msgctxt")
    assert entry is not None
    assert "Does the player who lights the last lantern roll again?" in entry.comment.replace("\n", " ")
    assert entry.occurrences == [("lantern_hill.txt", "15")]


def test_msgfmt_accepts_the_po(files: dict[str, bytes], tmp_path: Path) -> None:
    tool = shutil.which("msgfmt")
    if tool is None:
        pytest.skip("msgfmt (gettext) is not installed")
    path = tmp_path / "x.po"
    path.write_bytes(files["lantern_hill.de.po"])
    done = subprocess.run([tool, "--check-format", "-o", os.devnull, path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_xliff_1_2_has_targets_and_notes_that_say_whom_they_are_from(
    files: dict[str, bytes], asked: list[units.Unit]
) -> None:
    root = parsed(files["lantern_hill.de.xlf"])
    file = root.find("x:file", X12)
    assert dict(file.attrib) == {
        "original": "lantern_hill.txt",
        "datatype": "plaintext",
        "source-language": "en",
        "target-language": "de",
    }
    found = file.findall("x:body/x:trans-unit", X12)
    assert [u.findtext("x:source", None, X12) for u in found] == [u.text for u in asked]
    assert [u.get("resname") for u in found] == [u.id for u in asked]
    assert len({u.get("id") for u in found}) == len(found)
    for unit, known in zip(found, asked, strict=True):
        assert [c.tag.split("}")[1] for c in unit] == ["source", "target", *["note"] * len(known.notes)]
        target = unit.find("x:target", X12)
        assert (target.text, target.get("state")) == (known.text, "needs-translation")
        for note in unit.findall("x:note", X12):
            assert (note.get("from"), note.get("annotates")) == ("developer", "source")
    assert not root.xpath("//x:mrk", namespaces=X12)


def test_xliff_2_0_has_its_notes_under_the_unit(files: dict[str, bytes], asked: list[units.Unit]) -> None:
    root = parsed(files["lantern_hill.de.2.xlf"])
    assert (root.get("version"), root.get("srcLang"), root.get("trgLang")) == ("2.0", "en", "de")
    found = root.findall("x:file/x:unit", X20)
    assert [u.findtext("x:segment/x:source", None, X20) for u in found] == [u.text for u in asked]
    for unit, known in zip(found, asked, strict=True):
        order = [c.tag.split("}")[1] for c in unit]
        assert order == (["notes", "segment"] if known.notes else ["segment"])
        assert [n.text for n in unit.findall("x:notes/x:note", X20)] == list(known.notes)


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("lantern_hill.de.xlf", ("xliff-core-1.2-strict.xsd",)),
        ("lantern_hill.de.2.xlf", ("xliff_core_2.0.xsd", "xliff-core-2.0.xsd")),
    ],
)
def test_xliff_follows_the_official_schema(
    files: dict[str, bytes], name: str, names: tuple[str, ...]
) -> None:
    schema = official.schema(*names)
    official.xml_schema(schema).assertValid(parsed(files[name]))


def test_the_word_file_is_the_same_from_run_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    made = pack.files(samples.book(with_source=True), texts(), samples.words(), samples.words("de"), "de")
    data = made["lantern_hill.de.docx"]
    assert isinstance(data, bytes)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {i.date_time for i in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        comments = archive.read("word/comments.xml").decode()
        core = archive.read("docProps/core.xml").decode()
    assert set(re.findall('w:date="([^"]*)"', comments)) == {"1970-01-02T00:00:00Z"}
    assert re.findall(r"(\d{4}-\d\d-\d\d)T", core) == ["1970-01-02", "1970-01-02"]


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="no msgfmt: install gettext")
def test_gettext_accepts_the_po_without_a_warning(files: dict[str, bytes]) -> None:
    checked = subprocess.run(
        ["msgfmt", "--check", "-o", os.devnull, "-"],
        input=files["lantern_hill.de.po"],
        capture_output=True,
        timeout=60,
    )
    assert (checked.returncode, checked.stderr) == (0, b"")


def test_terms_have_their_translation_where_the_words_have_one(files: dict[str, bytes]) -> None:
    rows = [row.split("\t") for row in files["glossary.txt"].decode().splitlines()]
    assert {len(row) for row in rows} == {3}
    assert ["burn", "", "a lantern that gives light"] in rows
    root = parsed(files["lantern_hill.de.tbx"])
    assert (root.get("type"), root.get("style")) == ("TBX-Basic", "dca")
    assert len(root.findall(".//t:conceptEntry", TBX)) == len(rows)
    assert "burn" in [e.text for e in root.findall(".//t:term", TBX)]


def test_tmx_has_segments_in_the_language_of_the_text(files: dict[str, bytes]) -> None:
    root = parsed(files["lantern_hill.de.tmx"])
    assert root.get("version") == "1.4"
    header = dict(root.find("header").attrib)
    assert (header["srclang"], header["segtype"], header["datatype"]) == ("en", "phrase", "plaintext")


def test_a_term_with_several_names_and_a_name_of_several_things_are_told_with_lines() -> None:
    told = terms.inconsistent(samples.source(), samples.words(), texts())
    assert told.splitlines() == [
        "One thing, several names: making a lantern burn",
        "  light: 2 uses, lines 13, 14",
        "  lit: 2 uses, lines 16, 16",
        "One thing, several names: a lantern that gives light",
        "  burn: 1 use, line 20",
        "  lit: 2 uses, lines 16, 16",
        "One name, several things: lit: making a lantern burn; a lantern that gives light",
        "  lit: 2 uses, lines 16, 16",
    ]


def test_a_use_within_a_longer_name_is_none() -> None:
    source = samples.source()
    assert terms.uses(source, "moon") == [5, 12, 17]
    assert terms.uses(source, "moon", frozenset({"moon", "shows the moon"})) == [5, 17]


def test_a_broken_term_table_is_one_message() -> None:
    with pytest.raises(ModelError, match=r"words.toml: a term needs `thing` and `names`; write names = "):
        terms.table(Words({"term": [{"thing": "x", "names": "y"}]}))


def test_word_has_a_comment_anchored_at_each_sentence_with_a_question(
    files: dict[str, bytes], asked: list[units.Unit]
) -> None:
    made = docx.Document(io.BytesIO(files["lantern_hill.de.docx"]))
    texts_ = [p.text for p in made.paragraphs]
    assert texts_[1:] == [u.text for u in asked]
    wanted = [i.finding.fingerprint for u in asked for i in u.items if i.finding.status in ASKED]
    assert [c.text[1:13] for c in made.comments] == wanted
    with zipfile.ZipFile(io.BytesIO(files["lantern_hill.de.docx"])) as archive:
        body = parsed(archive.read("word/document.xml"))
    w = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}
    anchored = [p for p in body.iterfind(".//w:p", w) if p.find(".//w:commentRangeStart", w) is not None]
    said = ["".join(t.text for t in p.iterfind(".//w:t", w)) for p in anchored]
    assert said == [u.text for u in asked if u.asked]


def test_the_sheet_has_a_row_for_each_question(files: dict[str, bytes]) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(files["lantern_hill.de.xlsx"])).active
    assert sheet is not None
    rows: list[tuple[Any, ...]] = list(sheet.iter_rows(values_only=True))
    assert rows[0][:11] == (
        "id",
        "section",
        "sentence",
        "question",
        "a",
        "b",
        "more",
        "play",
        "stake",
        "answer",
        "status",
    )
    assert rows[0][11] == "rulebook:lantern_hill"
    assert sheet.row_dimensions[1].hidden
    assert [r[0] for r in rows[2:]] == [i.finding.fingerprint for i in samples.book().items]
    first = rows[2]
    assert (
        first[2]
        == "A player who has rolled a star rolls again. As soon as all lanterns burn, the game is over."
    )
    assert first[4] == "the game is over at once [end.all-burn]"
    assert first[9] is None
    assert all(cell.data_type in ("s", "n") for row in sheet.iter_rows() for cell in row)
