"""Annotations of GitHub Actions: one workflow command a finding.

Promise: data and properties are escaped as the toolkit of GitHub Actions does it, so that no text can begin a
command of its own.
"""

from __future__ import annotations

from findings.finding import Status
from findings.reports.ci.levels import level, message
from findings.reports.ci.places import places
from findings.reports.view import Book
from findings.text import printable

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_SHOWN = (Status.OPEN, Status.LEANS, Status.REDUCED, Status.ACCEPTED)


def render(book: Book) -> str:
    """The questions as workflow commands, the gravest first."""
    lines = []
    for item in book.items:
        f = item.finding
        if f.status not in _SHOWN:
            continue
        found = places(book, item)
        properties = {"title": f"{f.code} {f.name}: {printable(f.title)}"}
        if found:
            properties = {"file": found[0].file, "line": str(found[0].line), **properties}
        told = ",".join(f"{k}={_property(v)}" for k, v in properties.items())
        lines.append(f"::{_COMMANDS[level(f)]} {told}::{_data(message(f))}")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
