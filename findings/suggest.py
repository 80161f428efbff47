"""The error for a word that is not known, with the nearest word that is."""

from __future__ import annotations

from collections.abc import Iterable

from findings.text import printable
from models.language.errors import ModelError
from models.language.nearest import did_you_mean


def unknown(kind: str, word: str, known: Iterable[str], *, hint: str | None = None) -> ModelError:
    """The error for a word that is not known.

    Args:
        kind: what the word should have been, for instance `size`.
        word: what somebody wrote.
        known: what there is.
        hint: what to do when no known word is near; by default the known words are listed.

    Returns:
        The error, to be raised, for instance "unknown size 'smal'; did you mean 'small'?".
    """
    names = list(known)
    listed = f"there is {', '.join(names)}" if names else f"there is no {kind} at all"
    return ModelError(f"unknown {kind} '{printable(word)}'", hint=did_you_mean(word, names) or hint or listed)
