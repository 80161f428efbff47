"""Pictures of plays for a page: each shape is stored once, a picture is a list of shapes.

Promises: a page holds every different shape, picture and text once, so that hundreds of plays stay small;
the shapes come from `models.language.pictures`, never from a file that somebody hands in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from findings.detail import Step
from findings.text import printable
from models.language.pictures import Draw, Naming, Picture

_SHAPE = re.compile(r"<(?:rect|path)\b[^>]*/>|<text\b[^>]*>[^<]*</text>")


class Store:
    """Collects what a page's script needs to show steps.

    Args:
        draw: draws a table; None where the rulebook has no pictures.
        words: the rulebook's words.
    """

    def __init__(self, draw: Draw | None, words: Naming) -> None:
        self._draw, self._words = draw, words
        self._shapes: dict[str, int] = {}
        self._pictures: dict[tuple[int, ...], int] = {}
        self._texts: dict[str, int] = {}

    def steps(self, steps: Sequence[Step], before: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """For each step: its picture (-1 for none), its position and the fields that it changed.

        Args:
            steps: the steps.
            before: the table before the first, if one is to be compared with.
        """
        made = []
        for step in steps:
            changed = [self._text(str(self._words.at("field", k) or k)) for k in step.changed]
            made.append([self._picture(step.state, before), self._text(step.position), changed])
            before = step.state if step.state is not None else before
        return made

    def _picture(self, state: Mapping[str, Any] | None, before: Mapping[str, Any] | None) -> int:
        drawn = drawing(self._draw, self._words, state, before)
        if drawn is None:
            return -1
        shapes = [self._shapes.setdefault(s, len(self._shapes)) for s in _SHAPE.findall(drawn.body)]
        return self._pictures.setdefault((drawn.width, drawn.height, *shapes), len(self._pictures))

    def _text(self, text: str) -> int:
        return self._texts.setdefault(printable(text), len(self._texts))

    def data(self) -> dict[str, Any]:
        """The stored shapes, pictures and texts."""
        pictures = [list(p) for p in self._pictures]
        return {"shapes": list(self._shapes), "pictures": pictures, "texts": list(self._texts)}


def drawing(
    draw: Draw | None, words: Naming, state: Mapping[str, Any] | None, before: Mapping[str, Any] | None
) -> Picture | None:
    """A picture of a table; None where there is no table, or it is not one of this rulebook's."""
    if draw is None or state is None:
        return None
    try:
        return draw(state, before, words)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None  # an audit of another version of the rulebook
