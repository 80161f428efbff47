"""Traces in the Informal Trace Format of Apalache (ADR 015), which Quint and its viewers read.

Promises: one file a finding with a play, the setup first; enumerations are strings, lists are sequences,
tables by key are `#map`; a number beyond 2**53 is a `#bigint`. The move that led to a state is the variable
`mbt::actionTaken`, as in Quint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from findings.detail import Step
from findings.finding import Finding
from findings.reports.view import Book
from findings.text import printable

ACTION = "mbt::actionTaken"
_SAFE = 2**53


def traces(book: Book) -> dict[str, str]:
    """The traces by file name."""
    return {
        f"{item.finding.fingerprint}.itf.json": trace(book.name, item.finding)
        for item in book.items
        if any(s.state is not None for s in item.finding.play)
    }


def trace(rulebook: str, finding: Finding) -> str:
    """The play of a finding as a trace."""
    steps = [s for s in finding.play if s.state is not None]
    fields = list(steps[0].state or {})
    document = {
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": printable(rulebook),
            "description": printable(f"{finding.code} {finding.title} ({finding.fingerprint})"),
            "status": "violation",
        },
        "vars": [ACTION, *fields],
        "states": [_state(n, s) for n, s in enumerate(steps)],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _state(number: int, step: Step) -> dict[str, Any]:
    values = {k: value(v) for k, v in (step.state or {}).items()}
    return {"#meta": {"index": number}, ACTION: step.move or "init", **values}


def value(found: Any) -> Any:
    """A value in the format."""
    if isinstance(found, Mapping):
        return {"#map": [[k, value(v)] for k, v in found.items()]}
    if isinstance(found, list | tuple):
        return [value(v) for v in found]
    if isinstance(found, int) and not isinstance(found, bool) and abs(found) >= _SAFE:
        return {"#bigint": str(found)}
    return found
