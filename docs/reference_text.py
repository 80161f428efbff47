"""Reference text made of data: the codes of findings, and JSON schemas as tables.

Promise: what a page shows is in the installed program; the text is Markdown, its headings begin at level two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from findings.codes import all_codes

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = {
    "audit": ROOT / "findings/reports/audit.schema.json",
    "clauses": ROOT / "models/language/clauses.schema.json",
    "words": ROOT / "models/language/words.schema.json",
}


def sources() -> list[Path]:
    """The files that the text is made of."""
    return [ROOT / "findings/codes.toml", *SCHEMAS.values()]


def made(what: str) -> str:
    """The text for `codes` or `schema:NAME`.

    Errors:
        KeyError: there is no such text.
    """
    if what == "codes":
        return "\n".join(_codes())
    schema = json.loads(SCHEMAS[what.removeprefix("schema:")].read_text(encoding="utf-8"))
    return "\n".join(_schema(schema))


def _codes() -> Iterator[str]:
    for code, kind in all_codes().items():
        yield f"({code.lower()})=\n## {code} {kind.name}\n\n{kind.title}.\n"
        by = (
            "" if kind.by == "engine" else "The word of the person who wrote the model, not of an engine.\n\n"
        )
        yield f"{kind.what}\n\n{by}**Why it matters.** {kind.why}\n\n**For instance.** {kind.example}\n"


def _schema(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _object("The whole", schema)
    for name, part in schema.get("$defs", {}).items():
        if "properties" in part or isinstance(part.get("additionalProperties"), Mapping):
            yield from _object(f"`{name}`", part)


def _object(title: str, part: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {title}\n\n{part.get('description', '')}\n"
    required = set(part.get("required", ()))
    yield "| key | | what |\n|---|---|---|"
    for key, value in part.get("properties", {}).items():
        need = "required" if key in required else ""
        yield f"| `{key}` | {need} | {_told(value)} |"
    more = part.get("additionalProperties")
    if isinstance(more, Mapping):
        yield f"| any other | | {_told(more)} |"
    yield ""


def _told(value: Mapping[str, Any]) -> str:
    said = value.get("description", "").rstrip(".")
    kind = _kind(value)
    return ": ".join(p for p in (said, kind) if p).replace("|", "\\|")


def _kind(value: Mapping[str, Any]) -> str:
    if "$ref" in value:
        return f"*{value['$ref'].rpartition('/')[2]}*"
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(v)}`" for v in value["enum"])
    for joined in ("oneOf", "anyOf"):
        if joined in value:
            return " or ".join(_kind(v) for v in value[joined])
    if value.get("type") == "array":
        return f"list of {_kind(value.get('items', {}))}"
    if value.get("type") == "object" and isinstance(value.get("additionalProperties"), Mapping):
        return f"table of {_kind(value['additionalProperties'])}"
    if "properties" in value:
        return "object with " + ", ".join(f"`{key}`" for key in value["properties"])
    pattern = f", pattern `{value['pattern']}`" if "pattern" in value else ""
    kinds = value.get("type", "")
    return (kinds if isinstance(kinds, str) else " or ".join(kinds)) + pattern
