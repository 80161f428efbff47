"""Answers come back from the sheet, the PO file and Word, to the letter; an audit finds what they close."""

from __future__ import annotations

import io
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from findings import answers
from findings.answers import Answer, Answers
from findings.answers.closes import applying, closes
from findings.answers.rulings import _option
from findings.finding import Status
from findings.progress import SilentProgress
from findings.reports.i18n import texts
from findings.reports.translators import pack
from models.language.errors import ModelError
from tests import report_samples as samples

CORE = "docProps/core.xml"
CONTRADICTION, DIVERGENCE, TIE = "RL101", "RL107", "RL104"


@pytest.fixture(scope="module")
def files() -> dict[str, Any]:
    return dict(
        pack.files(samples.book(with_source=True), texts(), samples.words(), samples.words("de"), "de")
    )


def fp(code: str) -> str:
    return samples.one(code).fingerprint


def sheet(files: dict[str, Any], folder: Path, said: dict[str, object]) -> Path:
    """The query sheet, filled in as somebody does it in a spreadsheet program."""
    book = openpyxl.load_workbook(io.BytesIO(files["lantern_hill.de.xlsx"]))
    page: Any = book.active
    for row in page.iter_rows(min_row=3):
        if row[0].value in said:
            row[9].value = said[row[0].value]
    book.save(folder / "sheet.xlsx")
    return folder / "sheet.xlsx"


# --- the sheet ------------------------------------------------------------------------------------------


def test_a_sheet_gives_its_answers_and_what_nobody_answered(files: dict[str, Any], tmp_path: Path) -> None:
    path = sheet(files, tmp_path, {fp(CONTRADICTION): "B", fp(TIE): "both, of course"})
    read = answers.read(path)
    assert read.rulebook == "lantern_hill"
    assert [(a.finding, a.said) for a in read.answers] == [
        (fp(CONTRADICTION), "B"),
        (fp(TIE), "both, of course"),
    ]
    assert [a.where for a in read.answers] == ["row 3", "row 5"]
    assert set(read.unanswered) == {f.fingerprint for f in samples.lantern().findings} - {
        fp(CONTRADICTION),
        fp(TIE),
    }


def test_an_answer_picks_by_letter_by_name_or_not_at_all(files: dict[str, Any], tmp_path: Path) -> None:
    said = {fp(CONTRADICTION): "turn.again", fp(DIVERGENCE): "b) from the neighbour", fp(TIE): "they share"}
    made = answers.decide(answers.read(sheet(files, tmp_path, dict(said))), samples.lantern().findings)
    assert made.picks == {"after-light:end.all-burn+turn.again": "turn.again", "light.coin-from": "other"}
    tie = next(d for d in made.decided if d.answer.finding == fp(TIE))
    assert (tie.picks, tie.option, tie.answer.said) == (False, "", "they share")


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("A", "pot"),
        ("a", "pot"),
        ("B.", "other"),
        ("(b)", "other"),
        ("Option B", "other"),
        ("Lesart A: ja", "pot"),
        ("pot", "pot"),
        ("[other]", "other"),
        ("C", ""),
        ("Both", ""),
        ("A bird", ""),
        ("", ""),
        ("1", ""),
    ],
)
def test_what_an_answer_names(said: str, option: str) -> None:
    assert _option(said, samples.one(DIVERGENCE)) == option


def test_numbers_in_a_sheet_are_read_as_written(files: dict[str, Any], tmp_path: Path) -> None:
    read = answers.read(sheet(files, tmp_path, {fp(TIE): 2, fp(CONTRADICTION): 2.5}))
    assert sorted(a.said for a in read.answers) == ["2", "2.5"]


def test_two_answers_that_disagree_pick_nothing() -> None:
    f = samples.one(DIVERGENCE)
    read = Answers("x", "", (Answer(f.fingerprint, "A", "row 3"), Answer(f.fingerprint[:8], "B", "row 4")))
    made = answers.decide(read, samples.lantern().findings)
    assert [d.disagrees for d in made.decided] == [True, True]
    assert made.picks == {}


def test_an_answer_to_a_finding_of_nobody_is_kept() -> None:
    made = answers.decide(
        Answers("x", "", (Answer("ffffffffffff", "A", "row 3"),)), samples.lantern().findings
    )
    assert made.decided[0].finding is None
    assert "ffffffffffff" in answers.render(made)


# --- PO -------------------------------------------------------------------------------------------------


def test_a_po_gives_its_translator_comments(files: dict[str, Any], tmp_path: Path) -> None:
    file = polib.pofile(files["lantern_hill.de.po"])
    entry = file.find("turn.again", by="msgctxt")
    assert entry is not None
    entry.tcomment = f"hard to say\nanswer {fp(CONTRADICTION)[:6]}: A\nbecause the end comes first"
    entry.msgstr = "Wer einen Stern gewürfelt hat, würfelt noch einmal."
    path = tmp_path / "x.po"
    file.save(str(path))
    read = answers.read(path)
    assert read.rulebook == "lantern_hill"
    (found,) = read.answers
    assert (found.finding, found.said) == (fp(CONTRADICTION)[:6], "A because the end comes first")
    assert not any(fp(CONTRADICTION).startswith(u) for u in read.unanswered)
    assert len(read.unanswered) == 4


ANYTHING = st.text(alphabet=st.characters(codec="utf-8"))
ROWS = st.lists(st.tuples(st.from_regex("[0-9a-f]{12}", fullmatch=True), ANYTHING.filter(bool), ANYTHING))


def test_an_answer_without_words_is_none(files: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    path.write_text(
        files["lantern_hill.de.po"].replace(
            'msgctxt "turn.again"', f'# answer {fp(CONTRADICTION)}: \nmsgctxt "turn.again"'
        )
    )
    assert answers.read(path).answers == ()


# --- Word -----------------------------------------------------------------------------------------------

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"


def reply_id(number: int) -> str:
    """The id of the paragraph of a reply."""
    return f"{0x9000 + number:08X}"


def replied(data: bytes, said: dict[str, str], *, threads: bool = True) -> bytes:
    """The document as Word saves it after somebody replied to comments."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    root = etree.fromstring(parts["word/comments.xml"])
    pairs = []
    for number, comment in enumerate(list(root)):
        paragraph = comment.find(f"{{{W}}}p")
        id = f"{0x10 + number:08X}"
        paragraph.set(f"{{{W14}}}paraId", id)
        text = "".join(t.text for t in comment.iter(f"{{{W}}}t"))
        pairs.append((id, ""))
        for mark, words in said.items():
            if text.startswith(f"[{mark}"):
                reply = etree.SubElement(
                    root, f"{{{W}}}comment", {f"{{{W}}}id": str(900 + number), f"{{{W}}}author": "Ada"}
                )
                p = etree.SubElement(reply, f"{{{W}}}p", {f"{{{W14}}}paraId": reply_id(number)})
                etree.SubElement(etree.SubElement(p, f"{{{W}}}r"), f"{{{W}}}t").text = words
                pairs.append((reply_id(number), id))
    parts["word/comments.xml"] = etree.tostring(root)
    if threads:
        extended = etree.Element(f"{{{W15}}}commentsEx", nsmap={"w15": W15})
        for id, parent in pairs:
            made = etree.SubElement(extended, f"{{{W15}}}commentEx", {f"{{{W15}}}paraId": id})
            if parent:
                made.set(f"{{{W15}}}paraIdParent", parent)
        parts["word/commentsExtended.xml"] = etree.tostring(extended)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_word_gives_the_replies_of_its_threads(files: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(replied(files["lantern_hill.de.docx"], {fp(DIVERGENCE): "B"}))
    read = answers.read(path)
    assert read.rulebook == "lantern_hill"
    (found,) = read.answers
    assert (found.finding, found.said, found.by) == (fp(DIVERGENCE), "B", "Ada")
    assert len(read.unanswered) == 4


def test_word_without_threads_gives_comments_that_name_a_finding(
    files: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "x.docx"
    said = f"[{fp(TIE)}] they share"
    path.write_bytes(replied(files["lantern_hill.de.docx"], {fp(TIE): said}, threads=False))
    (found,) = answers.read(path).answers
    assert (found.finding, found.said) == (fp(TIE), "they share")


def quoted(data: bytes, after: str, said: list[tuple[str, str, str]]) -> bytes:
    """The document as LibreOffice 7.4 saves it: replies stand behind the comment, without a thread."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    root = etree.fromstring(parts["word/comments.xml"])
    texts = ["".join(t.text for t in comment.iter(f"{{{W}}}t")) for comment in root]
    place = next(n for n, text in enumerate(texts) if text.startswith(f"[{after}"))
    for number, (author, line, words) in enumerate(said):
        reply = etree.Element(
            f"{{{W}}}comment",
            {f"{{{W}}}id": str(900 + number), f"{{{W}}}author": author, f"{{{W}}}initials": ""},
        )
        for text in filter(None, (line, words)):
            run = etree.SubElement(etree.SubElement(reply, f"{{{W}}}p"), f"{{{W}}}r")
            etree.SubElement(run, f"{{{W}}}t").text = text
        root.insert(place + 1 + number, reply)
    parts["word/comments.xml"] = etree.tostring(root)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_replies_of_an_older_libreoffice_are_told_by_the_line_in_front(
    files: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "x.docx"
    said = [
        ("Ada", 'Reply to ruleslawyer (11/30/2026, 21:10): "..."', "B: as it says"),
        ("Ben", 'Antwort an Ada (30.11.2026, 21:12): "B: as..."', "no, A"),
    ]
    path.write_bytes(quoted(files["lantern_hill.de.docx"], fp(DIVERGENCE), said))
    read = answers.read(path)
    assert [(a.finding, a.said, a.by) for a in read.answers] == [
        (fp(DIVERGENCE), "B: as it says", "Ada"),
        (fp(DIVERGENCE), "no, A", "Ben"),
    ]
    assert fp(DIVERGENCE) not in read.unanswered
    assert len(read.unanswered) == 4


def test_a_comment_that_answers_nothing_is_told_and_kept(files: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(quoted(files["lantern_hill.de.docx"], fp(TIE), [("Ada", "", "Is this a comma?")]))
    read = answers.read(path)
    assert [(a.finding, a.said, a.where) for a in read.answers] == [("?", "Is this a comma?", "comment 900")]
    assert len(read.unanswered) == 5
    (decided,) = answers.decide(read, samples.lantern().findings).decided
    assert decided.finding is None


def test_a_document_that_nobody_replied_to_has_no_answers(files: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(files["lantern_hill.de.docx"])
    assert answers.read(path).answers == ()


# --- rulings --------------------------------------------------------------------------------------------


@given(ROWS)
def test_rulings_come_back_to_the_letter(rows: list[tuple[str, str, str]]) -> None:
    read = Answers(
        "x", "lantern_hill", tuple(Answer(f, said, "row 1", by) for f, said, by in rows), ("0" * 12,)
    )
    text = answers.render(answers.decide(read, samples.lantern().findings))
    table = tomllib.loads(text)
    assert [(r["finding"], r["said"], r.get("by", "")) for r in table.get("ruling", [])] == rows
    assert table["unanswered"] == ["0" * 12]


def test_a_round_trip_loses_nothing(files: dict[str, Any], tmp_path: Path) -> None:
    said = {fp(CONTRADICTION): "B", fp(DIVERGENCE): "other", fp(TIE): 'they "share"\nwe think ☃'}
    made = answers.decide(answers.read(sheet(files, tmp_path, dict(said))), samples.lantern().findings)
    path = tmp_path / "rulings.toml"
    path.write_text(answers.render(made), encoding="utf-8")
    again = answers.decide(answers.read(path), samples.lantern().findings)
    assert {a.finding: a.said for a in again.answers.answers} == said
    assert again.picks == made.picks
    assert again.answers.unanswered == made.answers.unanswered
    assert answers.render(again) == answers.render(made)


def test_answers_close_what_an_audit_no_longer_finds() -> None:
    picks = {"after-light:end.all-burn+turn.again": "end.all-burn", "light.coin-from": "pot"}
    (found,) = closes(samples.rulebook(), picks, [samples.lantern()], SilentProgress())
    assert {f.fingerprint for f in found.closed} == {fp(CONTRADICTION), fp(DIVERGENCE)}
    assert found.opened == ()
    assert {f.fingerprint for f in found.left} == {f.fingerprint for f in samples.lantern().findings} - {
        fp(CONTRADICTION),
        fp(DIVERGENCE),
    }


def test_an_answer_can_open_something() -> None:
    picks = {"after-light:end.all-burn+turn.again": "turn.again"}
    (found,) = closes(samples.rulebook(), picks, [samples.lantern()], SilentProgress())
    assert fp(CONTRADICTION) in {f.fingerprint for f in found.closed}
    assert {f.code for f in found.opened} == {"RL301"}


def test_a_variant_takes_the_answers_that_it_knows() -> None:
    picks = {
        "light.coin-from": "pot",
        "other-table:a+b": "a",
        "after-light:end.all-burn+turn.again": "turn.again",
    }
    assert applying(samples.rulebook(), picks, samples.lantern()) == {
        "light.coin-from": "pot",
        "after-light:end.all-burn+turn.again": "turn.again",
    }


# --- what is refused ------------------------------------------------------------------------------------


def _text(folder: Path) -> Path:
    path = folder / "x.txt"
    path.write_text("A")
    return path


def _no_zip(folder: Path) -> Path:
    path = folder / "x.xlsx"
    path.write_bytes(b"PK no")
    return path


def _no_sheet(folder: Path) -> Path:
    path = folder / "x.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "b")
    return path


def _other_sheet(folder: Path) -> Path:
    book: Any = openpyxl.Workbook()
    book.active["A1"] = "something"
    book.save(folder / "x.xlsx")
    return folder / "x.xlsx"


def _no_comments(folder: Path) -> Path:
    path = folder / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    return path


def _bad_toml(folder: Path) -> Path:
    path = folder / "x.toml"
    path.write_text("a = ")
    return path


def _other_toml(folder: Path) -> Path:
    path = folder / "x.toml"
    path.write_text("schema = 1\n[[ruling]]\nfinding = 3\n")
    return path


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (_text, r"x\.txt: the name does not say what kind of file this is; give the sheet"),
        (_no_zip, r"x\.xlsx: this is no document of Word or Excel"),
        (_no_sheet, r"x\.xlsx: not a workbook"),
        (_other_sheet, r"x\.xlsx: the sheet has no column id, answer; keep the hidden first row"),
        (_no_comments, r"x\.docx: the document has no comments; give the Word document"),
        (_bad_toml, r"x\.toml: not TOML"),
        (_other_toml, r"x\.toml: ruling 1 lacks `finding` or `said`"),
        (lambda folder: folder / "no.po", r"no\.po: cannot read: no such file or directory"),
    ],
)
def test_a_file_of_another_kind_is_one_message(
    made: Callable[[Path], Path], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=message):
        answers.read(made(tmp_path))


def test_entities_of_a_document_are_not_resolved(files: dict[str, Any], tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    with zipfile.ZipFile(io.BytesIO(files["lantern_hill.de.docx"])) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    evil = (
        f"<!DOCTYPE x [<!ENTITY e SYSTEM '{secret.as_uri()}'>]><w:comments xmlns:w='{W}'><w:comment w:id='1' "
        f"w:author='x'><w:p><w:r><w:t>[{fp(TIE)}] &e;B</w:t></w:r></w:p></w:comment></w:comments>"
    )
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**parts, "word/comments.xml": evil.encode()}.items():
            archive.writestr(name, content)
    assert "secret" not in repr(answers.read(path))


def test_an_ambiguous_beginning_is_one_message() -> None:
    with pytest.raises(ModelError, match=r"row 3: '' is the start of 5 fingerprints; one of "):
        answers.decide(Answers("x", "", (Answer("", "A", "row 3"),)), samples.lantern().findings)


def test_a_document_with_broken_parts_is_one_message(files: dict[str, Any], tmp_path: Path) -> None:
    whole = files["lantern_hill.de.docx"]
    path = tmp_path / "x.docx"
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        places = [
            i.header_offset + 60 for i in archive.infolist() if i.filename in ("word/comments.xml", CORE)
        ]
    assert len(places) == 2
    for place in places:
        path.write_bytes(
            whole[:place] + bytes(b ^ 0xFF for b in whole[place : place + 9]) + whole[place + 9 :]
        )
        with pytest.raises(ModelError, match=r"x\.docx: the document is broken: .*; give the Word document"):
            answers.read(path)


def test_a_po_that_holds_the_name_of_a_file_is_not_that_file(files: dict[str, Any], tmp_path: Path) -> None:
    other, path = tmp_path / "other.po", tmp_path / "x.po"
    other.write_text(files["lantern_hill.de.po"])
    path.write_text(str(other))
    with pytest.raises(ModelError, match=r"x\.po: not a PO file"):
        answers.read(path)


def test_what_is_settled_waits_for_no_answer() -> None:
    asked = attrs.evolve(samples.one(TIE), status=Status.OPEN)
    settled = attrs.evolve(samples.one(DIVERGENCE), status=Status.SETTLED, because="an example says so")
    left = (asked.fingerprint[:6], settled.fingerprint[:6], "000000")
    found = answers.decide(Answers("x.po", "", (), left), [asked, settled])
    assert found.answers.unanswered == (left[0], left[2])
