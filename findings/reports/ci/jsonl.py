"""JSON lines: one object a line, a finding each, for tools that read streams.

Promise: a line has the keys of a finding in the audit's JSON, without the tables of its play, and `rulebook`,
`variants` and `place` before them.
"""

from __future__ import annotations

import json

from findings.finding import as_json
from findings.reports.ci.places import places
from findings.reports.view import Book


def render(book: Book) -> str:
    """The findings, ranked."""
    lines = []
    for item in book.items:
        found = as_json(item.finding)
        for key in ("play", "branches"):
            found.pop(key)
        at = next(iter(places(book, item)), None)
        place = {"file": at.file, "line": at.line, "clause": at.clause} if at is not None else None
        row = {"rulebook": book.name, "variants": list(item.variants), "place": place, **found}
        lines.append(json.dumps(row, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
