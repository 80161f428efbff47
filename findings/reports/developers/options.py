"""Open readings as options of a game, each with its default.

Promises: every sentence that can be read in several ways is an option, in the order of the text; the default
is the reading that the model takes. The form for Board Game Arena is that of `gameoptions.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from findings.detail import Ambiguity
from findings.reports.view import Book
from findings.text import printable

#: Numbers below belong to Board Game Arena itself.
FIRST = 100


def ambiguities(book: Book) -> tuple[Ambiguity, ...]:
    """Every sentence with several readings, once."""
    found = {a.id: a for b in reversed(book.backgrounds) for a in b.ambiguities}
    order = {s.id: n for n, s in enumerate(book.sentences)}
    last = len(order)
    return tuple(
        sorted(
            found.values(), key=lambda a: (min((order.get(c, last) for c in a.clauses), default=last), a.id)
        )
    )


def plain(book: Book) -> str:
    """All options as JSON."""
    return (
        json.dumps({"rulebook": book.name, "options": list(_options(book))}, ensure_ascii=False, indent=2)
        + "\n"
    )


def _options(book: Book) -> Iterator[dict[str, Any]]:
    by_reading: dict[str, list[Mapping[str, str]]] = {}
    for item in book.items:
        if item.finding.reading:
            told = {"fingerprint": item.finding.fingerprint, "status": item.finding.status.value,
                    "stake": item.finding.stake.value}  # fmt: skip
            by_reading.setdefault(item.finding.reading, []).append(told)
    for a in ambiguities(book):
        yield {
            "id": a.id,
            "question": printable(a.asks),
            "sentences": {c: printable(book.by_id[c].text) if c in book.by_id else "" for c in a.clauses},
            "options": {o.id: printable(o.text) for o in a.options},
            "default": a.default,
            "why": printable(a.why),
            "findings": by_reading.get(a.id, []),
        }


def board_game_arena(book: Book) -> str:
    """All options as `gameoptions.json` of BGA Studio."""
    made = {}
    for number, a in enumerate(ambiguities(book), FIRST):
        values = {
            str(n): {"name": _short(o.text or o.id), "description": printable(o.text)}
            for n, o in enumerate(a.options, 1)
        }
        default = next((n for n, o in enumerate(a.options, 1) if o.id == a.default), 1)
        made[str(number)] = {
            "name": _short(a.asks or a.id),
            "values": values,
            "default": default,
            "level": "additional",
        }
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _short(text: str, most: int = 80) -> str:
    shown = printable(text)
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"
