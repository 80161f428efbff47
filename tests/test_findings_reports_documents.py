"""Markdown, the comment on a pull request, and the PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import attrs
import pytest

from findings.finding import Status
from findings.reports import markdown, pdf
from findings.reports.i18n import texts
from findings.reports.view import books
from tests import report_samples as samples


def test_markdown_has_every_part_of_the_report() -> None:
    told = markdown.full(samples.book(), texts())
    heads = re.findall(r"^##? (.*)$", told, re.MULTILINE)
    assert heads == [
        "Lantern Hill: what the rulebook leaves open",
        "What to ask the author",
        "Findings",
        "Stages of play",
        "Sentences",
        "What holds",
        "What this report rests on",
        "Glossary",
    ]
    for item in samples.book().items:
        assert told.count(f'<a id="{item.anchor}"></a>') == 1
        assert f"(#{item.anchor})" in told
    assert "0. The game is set up.\n1. The die shows the star.\n2. Player 1 lights lantern 1." in told
    assert "- **A** the game is over at once (end.all\\-burn prevails, as the model plays it)" in told


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*a* _b_ `c`", r"\*a\* \_b\_ \`c\`"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        ("[x](http://e.example)", "\\[x\\]\\(http\N{WORD JOINER}://e.example\\)"),
        ("@all", "@\N{WORD JOINER}all"),
        ("1. one", "1\\. one"),
        ("a\n# b", r"a \# b"),
    ],
)
def test_text_is_escaped_for_markdown(text: str, shown: str) -> None:
    assert markdown.md(text) == shown


def test_a_comment_shows_a_dozen_questions_and_lists_the_rest() -> None:
    book = samples.viewed(samples.many(40))
    told = markdown.comment(book, texts())
    assert told.startswith("<!-- ruleslawyer: lantern_hill -->\n### Lantern Hill\n")
    assert told.count("`show ") == 12
    assert "<details><summary>28 further questions</summary>" in told


def test_a_long_comment_is_cut_at_a_line_and_says_so() -> None:
    long = attrs.evolve(samples.one("RL101"), situation="very " * 20_000)
    told = markdown.comment(samples.viewed(attrs.evolve(samples.lantern(), findings=(long,))), texts())
    assert len(told) < 66_000
    assert told.endswith("Cut here: the report has it all.\n")


def test_nothing_open_is_said_in_a_line() -> None:
    settled = attrs.evolve(samples.one("RL104"), status=Status.SETTLED, because="the FAQ")
    book = samples.viewed(attrs.evolve(samples.lantern(), findings=(settled,)))
    assert markdown.comment(book, texts()).endswith("1 finding: 1 settled.\n\nNothing is open.\n")


def test_the_pdf_holds_the_report_and_pictures(tmp_path: Path) -> None:
    made = pdf.render(samples.book(), texts(), words=samples.words(), draw=samples.draw(), made=samples.DAY)
    assert made.startswith(b"%PDF-1.")
    tool = shutil.which("pdftotext")
    if tool is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    path = tmp_path / "report.pdf"
    path.write_bytes(made)
    told = " ".join(
        subprocess.run([tool, path, "-"], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "Lantern Hill: what the rulebook leaves open" in told
    assert "March 1, 2026" in told
    assert "Does the player who lights the last lantern roll again?" in told
    assert "rolling the die" in told  # out of a picture


def test_the_same_audit_gives_the_same_pages() -> None:
    made = [pdf.render(samples.book(), texts(), words=samples.words()) for _ in range(2)]
    assert made[0] == made[1]


def test_what_one_variant_settles_and_another_asks_is_a_question() -> None:
    asked = samples.lantern()
    settled = attrs.evolve(
        asked,
        variant="morning",
        findings=tuple(
            attrs.evolve(f, status=Status.SETTLED, because="an example says so") for f in asked.findings
        ),
    )
    for order in ((asked, settled), (settled, asked)):
        (book,) = books(order)
        assert [i.finding.status for i in book.items] == [i.finding.status for i in samples.book().items]
        assert {i.variants for i in book.items} == {tuple(a.variant for a in order)}
