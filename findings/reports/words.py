"""The words of the reports: every label and phrase that a report adds to what the audit says.

Promises: no report holds words of its own; another language is another table in `words.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


class Words:
    """The words of one language.

    Args:
        table: phrases by key; a phrase may hold fields in braces.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def __call__(self, key: str, **fields: object) -> str:
        """The phrase with a key, its fields filled in.

        Errors:
            KeyError: if there is no such phrase or a field is missing.
        """
        return self._table[key].format(**fields)

    def count(self, key: str, n: int, **fields: object) -> str:
        """The phrase for a number of things, for instance `1 move` or `1,204 moves`."""
        return self(f"{key}.one" if n == 1 else f"{key}.many", n=f"{n:,}", **fields)


@cache
def words(language: str = "en") -> Words:
    """The words of a language that `words.toml` has."""
    text = resources.files("findings.reports").joinpath("words.toml").read_text(encoding="utf-8")
    return Words(dict(_flat(tomllib.loads(text)[language])))


def _flat(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        pairs += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, str(value))]
    return pairs
