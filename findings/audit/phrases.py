"""Phrases: the audit's own texts, by key, for where a rulebook's words give none.

Promise: no sentence that a person reads stands in the code of the audit.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _table(language: str) -> dict[str, Any]:
    text = (Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)[language]
    return table


def phrase(key: str, language: str = "en", **values: object) -> str:
    """A phrase with its values filled in.

    Args:
        key: Dotted key of `phrases.toml`.
        language: ISO 639 code.
        values: What the phrase names.
    """
    found: Any = _table(language)
    for part in key.split("."):
        found = found[part]
    return str(found).format(**values)


def counted(key: str, n: int, language: str = "en", **values: object) -> str:
    """A phrase for a number: `<key>.one` or `<key>.many`."""
    return phrase(f"{key}.{'one' if n == 1 else 'many'}", language, n=n, **values)
