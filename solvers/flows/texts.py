"""Texts of a picture: how places, rules and marks are called; whoever draws for people gives their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Name = Callable[[str], str]


def _plain(name: str) -> str:
    return name.replace("_", " ")


@dataclass(frozen=True)
class Texts:
    """How things are called in a picture.

    Attributes:
        place: The text of a place, "" to show its name alone.
        rule: The text of a rule.
        loop: The text of a loop, from its first node; "" for none.
        stop: The text of an open end, from the id of its site.
        phrases: The words of the legend by key.
    """

    place: Name = lambda name: ""
    rule: Name = _plain
    loop: Name = lambda first: ""
    stop: Name = lambda site: site
    phrases: Mapping[str, str] = field(default_factory=dict)

    def phrase(self, key: str) -> str:
        """A word of the legend; its key where there is none."""
        return self.phrases.get(key, _plain(key))
