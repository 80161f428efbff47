"""SARIF 2.1.0: findings for code scanning (OASIS standard, with rules, fingerprints and code flows).

Promises: follows the official schema; a finding stands at its first sentence and names the others; its play
is a code flow; the partial fingerprint is the finding's own, so that a result is the same one from run to
run; what is settled, on record or moot is suppressed, with the reason.
"""

from __future__ import annotations

import json
from typing import Any

from findings.codes import Code, all_codes
from findings.finding import Finding, Status
from findings.reports.ci.levels import level, message
from findings.reports.ci.places import Place, place, places
from findings.reports.view import Book, Item
from findings.text import printable

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_QUIET = (Status.SETTLED, Status.ACCEPTED, Status.MOOT)


def render(book: Book) -> str:
    """The findings as one SARIF log."""
    codes = [c for c in all_codes().values() if any(i.finding.code == c.code for i in book.items)]
    index = {c.code: n for n, c in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "ruleslawyer",
                "semanticVersion": _version(),
                "rules": [_rule(c) for c in codes],
            }
        },
        "automationDetails": {"id": f"ruleslawyer/{book.name}/"},
        "columnKind": "unicodeCodePoints",
        "results": [_result(book, item, index[item.finding.code]) for item in book.items],
    }
    log = {"$schema": SCHEMA, "version": VERSION, "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("ruleslawyer")
    except metadata.PackageNotFoundError:
        return "0.0.0"


def _rule(code: Code) -> dict[str, Any]:
    name = "".join(part.capitalize() for part in code.name.split("-"))
    return {
        "id": code.code,
        "name": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.what},
        "help": {
            "text": f"{code.what}\n\n{code.why}\n\n{code.example}",
            "markdown": f"{code.what}\n\n**Why it matters.** {code.why}\n\n**Example.** {code.example}",
        },
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["rulebook", f"by-{code.by}"]},
    }


def _result(book: Book, item: Item, index: int) -> dict[str, Any]:
    finding, found = item.finding, places(book, item)
    made: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": level(finding),
        "message": {"text": message(finding)},
        "locations": [_location(found[0])] if found else [],
        "partialFingerprints": {"ruleslawyer/v1": finding.fingerprint},
        "properties": {
            "status": finding.status.value,
            "stake": finding.stake.value,
            "variants": list(item.variants),
            "question": printable(finding.question),
        },
    }
    if len(found) > 1:
        made["relatedLocations"] = [{**_location(p), "id": n} for n, p in enumerate(found[1:], 1)]
    if finding.play and found:
        made["codeFlows"] = [_flow(book, finding, found[0])]
    if finding.status in _QUIET:
        made["suppressions"] = [{"kind": "external", "justification": printable(finding.because)}]
    return made


def _location(at: Place) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(at.file)},
            "region": {"startLine": at.line, "snippet": {"text": printable(at.text)}},
        },
        "logicalLocations": [{"fullyQualifiedName": printable(at.clause), "kind": "sentence"}],
    }


def _uri(file: str) -> str:
    from urllib.parse import quote

    return f"file://{quote(file)}" if file.startswith("/") else quote(file)


def _flow(book: Book, finding: Finding, fallback: Place) -> dict[str, Any]:
    """The play: each step stands at the first sentence that licenses it."""
    locations = []
    for number, step in enumerate(finding.play):
        sentences = [book.by_id[c] for c in step.clauses if c in book.by_id]
        at = place(book, sentences[0]) if sentences else None
        location = _location(at or fallback)
        location["message"] = {"text": printable(step.text) or "?"}
        locations.append({"location": location, "executionOrder": number + 1})
    return {"threadFlows": [{"locations": locations}]}
