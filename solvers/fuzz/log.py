"""Log: what a campaign saw on the way: sites, rules, ends, and what some play must reach.

Promise: an observation never fails a play; of every site and every reached property the shortest play seen
is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from solvers.fuzz.plan import Choice


@dataclass(frozen=True)
class Seen:
    """A play that showed something.

    Attributes:
        choice: What it was played with.
        labels: The moves from the setup; the last one showed it.
    """

    choice: Choice
    labels: tuple[str, ...]


@dataclass
class Log:
    """Observations of one machine.

    Attributes:
        steps: Number of steps taken.
        plays: Number of games begun.
        ends: How games ended: `over`, `stopped`, `stuck`.
        rules: Rule → how often it acted.
        sites: Site id → how often it was recorded.
        first: Site id, `sometimes:<property>` or hazard → the shortest play seen.
        broken: Tolerated property → how often it was broken.
    """

    steps: int = 0
    plays: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    first: dict[str, Seen] = field(default_factory=dict)
    broken: Counter[str] = field(default_factory=Counter)

    def saw(self, what: str, choice: Choice, labels: Sequence[str]) -> None:
        """Keep a play that shows something if none so short is known."""
        known = self.first.get(what)
        if known is None or len(labels) < len(known.labels):
            self.first[what] = Seen(choice, tuple(labels))

    def met(self) -> frozenset[str]:
        """Names of the `sometimes` properties that some play reached."""
        return frozenset(k.partition(":")[2] for k in self.first if k.startswith("sometimes:"))
