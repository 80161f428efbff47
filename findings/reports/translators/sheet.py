"""The query sheet: an Excel workbook with a row for each question.

Promises: every cell is written as text, so that none can become a formula or a link; the columns are those
that `ruleslawyer answers import` reads; the fingerprint stands in the first column.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from findings.finding import Finding
from findings.reports.i18n import Texts
from findings.reports.names import stake_name, status_name
from findings.reports.source import SourceText
from findings.reports.view import ASKED, Book
from findings.text import printable

#: Keys of the columns, which stand in a hidden first row, so that a sheet in any language is read.
COLUMNS = ("id", "section", "sentence", "question", "a", "b", "more", "play", "stake", "answer", "status")
_WIDTHS = (15, 18, 50, 44, 34, 34, 34, 50, 16, 34, 14)
#: What stands before the rulebook's name in the hidden row.
RULEBOOK = "rulebook:"
#: The most signs that a cell holds.
_MOST = 32_000


def render(book: Book, source: SourceText | None, t: Texts) -> bytes:
    """The workbook.

    Args:
        book: the rulebook.
        source: its text; our own words stand in for it where it is not at hand.
        t: the language of the sheet.
    """
    import xlsxwriter

    out = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    workbook = xlsxwriter.Workbook(out, options)
    about = {"title": printable(book.title), "author": "ruleslawyer", "created": datetime(2026, 1, 1)}
    workbook.set_properties(about)
    sheet = workbook.add_worksheet(t.gettext("Questions")[:31])
    head = workbook.add_format(
        {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1, "bg_color": "#e8eef4"}
    )
    body = workbook.add_format({"text_wrap": True, "valign": "top"})
    open_ = workbook.add_format({"text_wrap": True, "valign": "top", "bg_color": "#fff7db", "locked": False})
    for column, (key, title, width) in enumerate(zip(COLUMNS, _heads(t), _WIDTHS, strict=True)):
        sheet.write_string(0, column, key)
        sheet.write_string(1, column, title, head)
        sheet.set_column(column, column, width)
    sheet.write_string(0, len(COLUMNS), f"{RULEBOOK}{book.name}")
    sheet.set_row(0, None, None, {"hidden": True})
    items = [i for i in book.items if i.finding.status in ASKED]
    for row, item in enumerate(items, 2):
        cells = _row(book, source, item.finding, item.section.title, t)
        sheet.set_row(row, _height(cells))
        for column, text in enumerate(cells):
            kind = open_ if COLUMNS[column] == "answer" else body
            if text:
                sheet.write_string(row, column, text[:_MOST], kind)
            else:
                sheet.write_blank(row, column, None, kind)
    sheet.freeze_panes(2, 1)
    sheet.autofilter(1, 0, max(len(items) + 1, 1), len(COLUMNS) - 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(1)
    workbook.close()
    return out.getvalue()


def _height(cells: Sequence[str]) -> float:
    """The height of a row whose texts wrap, in points: programs do not all find it by themselves."""
    lines = max(len(text) / width + 1 for text, width in zip(cells, _WIDTHS, strict=True))
    return min(15.0 * int(lines), 400.0)


def _heads(t: Texts) -> Sequence[str]:
    return (
        t.gettext("Id"),
        t.gettext("Section"),
        t.gettext("Sentence"),
        t.gettext("Question"),
        t.gettext("Reading A"),
        t.gettext("Reading B"),
        t.gettext("Further readings"),
        t.gettext("Example play"),
        t.gettext("At stake"),
        t.gettext("Answer (a letter, or your own words)"),
        t.gettext("Status"),
    )


def _row(book: Book, source: SourceText | None, f: Finding, section: str, t: Texts) -> tuple[str, ...]:
    outcomes = [f"{o.outcome} [{o.id}]" for o in f.options]
    steps = [s.text for s in f.play] or list(f.witness.steps if f.witness is not None else ())
    cells = (
        f.fingerprint,
        section,
        _sentences(book, source, f),
        f.question or f.title,
        outcomes[0] if outcomes else "",
        outcomes[1] if len(outcomes) > 1 else "",
        " / ".join(f"{chr(ord('C') + n % 24)}: {o}" for n, o in enumerate(outcomes[2:])),
        " ".join([*steps, f.situation]),
        stake_name(t, f.stake),
        "",
        status_name(t, f.status),
    )
    return tuple(printable(c) for c in cells)


def _sentences(book: Book, source: SourceText | None, f: Finding) -> str:
    found = []
    for id in f.clauses:
        original = source.by_clause.get(id) if source is not None else None
        if original is not None:
            found.append(original.text)
        elif id in book.by_id:
            found.append(book.by_id[id].text)
    return " ".join(found)
