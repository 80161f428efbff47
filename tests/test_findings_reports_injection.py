"""Texts that somebody else wrote come out as text in every format: no script, formula, entity or command."""

from __future__ import annotations

import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from typing import Any

import openpyxl
import polib
import pytest
from lxml import etree
from lxml import html as parser

from findings.finding import Audit
from findings.reports import html, markdown, pdf
from findings.reports.ci import github, itf, jsonl, junit, sarif
from findings.reports.developers import pack as developers
from findings.reports.i18n import texts
from findings.reports.json import render as as_json
from findings.reports.source import Original, SourceText
from findings.reports.translators import pack as translators
from findings.reports.view import Book
from tests import report_samples as samples


@pytest.fixture(scope="module")
def book() -> Book:
    made = samples.viewed(samples.hostile())
    ids = [s.id for s in made.sentences]
    sentences = tuple(
        Original(ids[n % len(ids)] if n < len(ids) else "", text, n + 1)
        for n, text in enumerate(samples.HOSTILE)
    )
    source = SourceText("evil <name>.txt", "en", sentences, (), {s.clause: s for s in sentences if s.clause})
    return Book(made.name, made.audits, source)


@pytest.fixture(scope="module")
def pack(book: Book) -> dict[str, Any]:
    return dict(translators.files(book, texts(), samples.words(), samples.words("de"), "de"))


def unsafe(text: str) -> list[str]:
    """Control characters and signs that reorder a line, but for line feeds and tabs."""
    kinds = {"Cc", "Cs", "Cf"}
    return [c for c in text if c not in "\n\t\r\N{WORD JOINER}" and unicodedata.category(c) in kinds]


def test_html_has_no_element_or_attribute_that_a_text_made(book: Book) -> None:
    page = html.render(book, texts(), words=samples.words(), draw=samples.draw())
    tree = parser.document_fromstring(page)
    assert len(tree.xpath("//script")) == 2
    for tag in ("img", "iframe", "object", "embed", "link", "base", "evil"):
        assert tree.xpath(f"//{tag}") == []
    for element in tree.iter():
        if isinstance(element.tag, str):
            assert not [a for a in element.attrib if a.lower().startswith("on")]
            assert not str(element.get("href") or "#").lower().startswith(("javascript", "data", "http"))
    assert "alert(1)" in tree.text_content()
    assert unsafe(page) == []


def test_the_data_of_the_page_cannot_end_its_script(book: Book) -> None:
    page = html.render(book, texts(), words=samples.words(), draw=samples.draw())
    raw = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert raw is not None
    assert "<" not in raw[1]
    texts_ = json.loads(raw[1])["texts"]
    assert any("<script>" in t for t in texts_)


def test_shapes_of_pictures_are_shapes(book: Book) -> None:
    page = html.render(book, texts(), words=samples.words(), draw=samples.draw())
    raw = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert raw is not None
    for shape in json.loads(raw[1])["shapes"]:
        element = etree.fromstring(shape)
        assert element.tag in ("rect", "path", "text")
        assert len(element) == 0


@pytest.mark.parametrize("text", samples.HOSTILE)
def test_markdown_makes_text_of_it(text: str) -> None:
    shown = markdown.md(text)
    assert unsafe(shown) == []
    assert "\n" not in shown
    assert not re.search(r"(?<!\\)[<>\[\]`*_$|#]", shown)
    assert not re.match(r"(?:[-+#>]|\d+[.)])\s", shown)
    assert "@everyone" not in shown


def test_no_line_of_markdown_begins_with_what_a_text_began(book: Book) -> None:
    for made in (markdown.full(book, texts()), markdown.comment(book, texts())):
        assert unsafe(made) == []
        allowed = re.compile(
            r"<(?:details><summary>[^<]*</summary>|/details>|a id=\"f-[0-9a-f]{12}\"></a>|"
            r"!-- ruleslawyer: \w+ --)>?"
        )
        for line in made.splitlines():
            if re.search(r"(?<!\\)<", line):
                assert allowed.search(line), line


def test_pdf_sets_it_and_evaluates_nothing(book: Book) -> None:
    assert pdf.render(book, texts(), words=samples.words(), draw=samples.draw()).startswith(b"%PDF")


def test_json_formats_stay_json(book: Book) -> None:
    json.loads(sarif.render(book))
    for line in jsonl.render(book).split("\n")[:-1]:
        json.loads(line)
    for trace in itf.traces(book).values():
        json.loads(trace)
    json.loads(as_json(Audit(rulebooks=book.audits)))


def test_sarif_says_texts_without_control_characters(book: Book) -> None:
    log = json.loads(sarif.render(book))
    for told in strings(log["runs"][0]["results"]):
        assert unsafe(told) == []


def test_junit_is_well_formed(book: Book) -> None:
    root = etree.fromstring(junit.render(book))
    assert {e.tag for e in root.iter()} <= {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "skipped",
        "system-out",
    }


def test_an_annotation_is_one_line_and_begins_no_other_command(book: Book) -> None:
    lines = github.render(book).split("\n")[:-1]
    assert len(lines) == sum(i.finding.status.value == "OPEN" for i in book.items)
    for line in lines:
        assert re.match(r"::(?:error|warning|notice) file=[^,]*,line=\d+,title=[^:]*::", line)
        assert unsafe(line) == []
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line)


def test_xml_of_translators_holds_texts_alone(pack: dict[str, Any]) -> None:
    for name in ("xlf", "2.xlf", "tbx", "tmx"):
        data = pack[f"lantern_hill.de.{name}"]
        assert b"<!ENTITY" not in data
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
        assert root.xpath("//*[local-name()='evil' or local-name()='script' or local-name()='img']") == []
    units = etree.fromstring(pack["lantern_hill.de.xlf"])
    shown = [s.text for s in units.iter("{urn:oasis:names:tc:xliff:document:1.2}source")]
    assert shown[0] == samples.HOSTILE[0]
    assert len(shown) == len(samples.HOSTILE)


def test_po_keeps_every_text_to_the_letter(pack: dict[str, Any]) -> None:
    file = polib.pofile(pack["lantern_hill.de.po"])
    printable = [t for t in samples.HOSTILE if t.isprintable()]
    assert len(printable) > 10
    for text in printable:
        assert text in [e.msgid for e in file]


def test_no_cell_of_the_sheet_is_a_formula_or_a_link(pack: dict[str, Any]) -> None:
    sheet: Any = openpyxl.load_workbook(io.BytesIO(pack["lantern_hill.de.xlsx"])).active
    cells = [c for row in sheet.iter_rows() for c in row]
    assert {c.data_type for c in cells} <= {"s", "n"}
    assert [c for c in cells if c.hyperlink] == []
    with zipfile.ZipFile(io.BytesIO(pack["lantern_hill.de.xlsx"])) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    assert any(str(c.value or "").startswith("=cmd") for c in cells)


def test_word_holds_texts_and_no_fields(pack: dict[str, Any]) -> None:
    with zipfile.ZipFile(io.BytesIO(pack["lantern_hill.de.docx"])) as archive:
        for part in ("word/document.xml", "word/comments.xml"):
            root = etree.fromstring(archive.read(part))
            assert (
                root.xpath(
                    "//*[local-name()='instrText' or local-name()='fldSimple' or local-name()='hyperlink']"
                )
                == []
            )


def test_a_glossary_row_has_its_three_columns(pack: dict[str, Any]) -> None:
    assert {row.count("\t") for row in pack["glossary.txt"].splitlines()} == {2}


def test_files_for_developers_stay_what_they_are(book: Book) -> None:
    files = developers.files(book, texts())
    for name, text in files.items():
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".py"):
            compile(text, name, "exec")
    assert unsafe(files["notes.md"]) == []


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split("\n")
    elif isinstance(value, dict):
        for member in value.values():
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)
