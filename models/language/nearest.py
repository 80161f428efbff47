"""The nearest known name to one that was mistyped."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean X?`, or "" when nothing is near.

    Args:
        name: What was written.
        known: What there is.
    """
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else ""
