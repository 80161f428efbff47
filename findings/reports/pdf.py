"""The report on paper, set by Typst.

Promises: texts reach Typst as data and are never evaluated; nothing is read from the machine but the fonts
that come with Typst; the same audit gives the same pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from importlib import resources
from typing import Any

from findings.finding import Status
from findings.reports.html.pictures import drawing
from findings.reports.i18n import Texts
from findings.reports.markdown import denominators
from findings.reports.names import end_name, stake_name, status_name, use_name
from findings.reports.view import Book, Item
from findings.text import printable
from models.language.errors import ModelError
from models.language.pictures import Draw, Naming

#: Steps of a play that are printed before it is cut to head and tail.
MOST_STEPS = 14


def render(
    book: Book, t: Texts, *, words: Naming, draw: Draw | None = None, made: date | None = None
) -> bytes:
    """The report as PDF.

    Args:
        book: what to show.
        t: the language.
        words: the rulebook's words in that language.
        draw: draws a table; None for a report without pictures.
        made: the day that the report names; none unless given.

    Errors:
        ModelError: Typst cannot set it.
    """
    import typst

    source = resources.files("findings.reports").joinpath("report.typ").read_bytes()
    data = json.dumps(_plain(_data(book, t, words, draw, made)), ensure_ascii=False)
    try:
        pages = typst.compile(source, sys_inputs={"data": data}, ignore_system_fonts=True)
    except typst.TypstError as error:
        raise ModelError(
            f"Typst cannot set the report: {error}", hint="write it as HTML and print that"
        ) from None
    assert isinstance(pages, bytes)
    return pages


def _plain(value: Any) -> Any:
    """All texts made safe to set, drawings as they are."""
    if isinstance(value, str):
        return value if value.startswith("<svg ") else printable(value)
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _data(book: Book, t: Texts, words: Naming, draw: Draw | None, made: date | None) -> dict[str, Any]:
    counts = [f"{t.number(book.count(s))} {status_name(t, s)}" for s in Status if book.count(s)]
    lead = [
        t.ngettext("{n} finding", "{n} findings", len(book.items)),
        *counts,
        *([t.date(made)] if made else []),
    ]
    return {
        "lang": t.language,
        "title": t.gettext("{title}: what the rulebook leaves open", title=book.title),
        "lead": " · ".join(lead),
        "say": {
            "ask": t.gettext("What to ask the author"),
            "asks": t.gettext("Ask"),
            "findings": t.gettext("Findings"),
        },
        "questions": [
            {
                "text": g.root.question or g.root.title,
                "stake": stake_name(t, g.root.stake),
                "others": [o.question or o.title for o in g.others],
            }
            for g in book.questions
        ],
        "chapters": [
            {
                "title": c.section.title or t.gettext("No sentence"),
                "items": [_finding(book, i, t, words, draw) for i in c.items],
            }
            for c in book.chapters
        ],
        "parts": list(_parts(book, t)),
    }


def _finding(book: Book, item: Item, t: Texts, words: Naming, draw: Draw | None) -> dict[str, Any]:
    f = item.finding
    told = [s.text for s in f.play] or list(f.witness.steps if f.witness is not None else ())
    cut = len(told) - MOST_STEPS
    notes = []
    for o in f.options:
        id = t.gettext("{id} prevails", id=o.id) if item.prevails else o.id
        notes.append(f"{id}, {t.gettext('as the model plays it')}" if o.id == f.default else id)
    before = f.play[-2].state if len(f.play) > 1 else None
    return {
        "title": f.title,
        "status": status_name(t, f.status),
        "meta": " · ".join(
            [f"{f.code} {f.name}", stake_name(t, f.stake), ", ".join(item.variants), item.short]
        ),
        "situation": f.situation,
        "options": [
            {"letter": chr(ord("A") + n % 26), "text": o.outcome, "note": note}
            for n, (o, note) in enumerate(zip(f.options, notes, strict=True))
        ],
        "question": f.question,
        "because": f.because,
        "sentences": [{"id": c, "text": book.by_id[c].text if c in book.by_id else ""} for c in f.clauses],
        "from": max(cut, 0),
        "steps": told[max(cut, 0) :],
        "picture": _picture(draw, words, f.play[-1].state if f.play else None, before),
        "sides": [
            {
                "head": b.option,
                "picture": _picture(draw, words, b.steps[-1].state if b.steps else None, before),
                "steps": [s.text for s in b.steps if s.text],
                "end": end_name(t, b.end),
            }
            for b in f.branches[:4]
        ],
        "scope": f.scope,
    }


def _picture(
    draw: Draw | None, words: Naming, state: Mapping[str, Any] | None, before: Mapping[str, Any] | None
) -> str:
    drawn = drawing(draw, words, state, before)
    return drawn.svg(alone=True) if drawn is not None else ""


def _parts(book: Book, t: Texts) -> Iterator[dict[str, Any]]:
    if book.flows:
        blocks = []
        for variant, flow in book.flows:
            rows = [
                f"{e.source} → {e.target}: {e.rule} ({', '.join(e.clauses)})" for e in flow.edges if e.seen
            ]
            blocks.append({"title": variant, "rows": rows})
        yield {"title": t.gettext("Stages of play"), "blocks": blocks}
    if book.sentences:
        blocks = [
            {
                "title": section.title,
                "rows": [f"{s.id}: {s.text} ({use_name(t, book.use(s))})" for s in found],
            }
            for section, found in book.sections()
            if found
        ]
        yield {"title": t.gettext("Sentences"), "blocks": blocks}
    proved = [f"{p.name} ({', '.join(v)}: {p.scope})" for p, v in book.proved]
    blocks = [{"title": "", "rows": proved or [t.gettext("Nothing was proved.")]}]
    if book.undecided:
        rows = [f"{u.name}: {', '.join(v)}: {u.reason} {u.bound}".rstrip() for u, v in book.undecided]
        blocks.append({"title": t.gettext("Undecided"), "rows": rows})
    yield {"title": t.gettext("What holds"), "blocks": blocks}
    rests = [{"title": title, "rows": rows} for title, rows in denominators(book, t)]
    yield {"title": t.gettext("What this report rests on"), "blocks": rests}
    words = [f"{w.word}: {t.gettext('in the model: {id}', id=w.id)}" for w in book.words]
    if words:
        yield {"title": t.gettext("Glossary"), "blocks": [{"title": "", "rows": words}]}
