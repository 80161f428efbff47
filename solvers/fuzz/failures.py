"""Failures: what a play broke, as one exception class for each property.

Promise: Hypothesis tells two failures apart by their class, so each broken property is reported and shrunk on
its own; a failure carries its whole play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solvers.fuzz.plan import Built

#: What a play may meet without any property being broken.
HAZARDS = {
    "stuck": "nobody may move although the game is not over",
    "endless": "consequences follow each other without end",
    "mixed": "chance and a player may act in the same position",
    "engines": "two engines differ in a step",
}


class Failure(AssertionError):
    """A play that breaks something.

    Attributes:
        built: The program that was played.
        what: The property's name, or a key of `HAZARDS`.
        labels: The moves from the setup; the last one broke it.
        own: What rules of a subclass did in this play, in order.
        best: The same failure with the best play that was found; None until it was looked for.
    """

    built: Built
    what: str
    labels: tuple[str, ...]
    own: tuple[str, ...]
    best: Failure | None = None


@cache
def _kind(what: str) -> type[Failure]:
    return type(what.replace("-", "_"), (Failure,), {"__doc__": f"A play that breaks {what}."})


def failure(
    built: Built, what: str, labels: Sequence[str], own: Sequence[str] = (), detail: str = ""
) -> Failure:
    """Make the exception for a play.

    Args:
        built: The program that was played.
        what: The property's name, or a key of `HAZARDS`.
        labels: The moves from the setup.
        own: What rules of a subclass did.
        detail: More about it, for hazards.
    """
    found = _kind(what)(_message(built, what, labels, detail))
    found.built, found.what, found.labels, found.own = built, what, tuple(labels), tuple(own)
    return found


def _message(built: Built, what: str, labels: Sequence[str], detail: str) -> str:
    said = built.by_name.get(what)
    lines = [f"{what}: {said.doc if said else detail or HAZARDS.get(what, '')}"]
    if said is not None and said.clauses:
        lines.append(f"it rests on {', '.join(said.clauses)}")
    lines.append(
        f"broken in {built.program.book.name} ({built.choice}) by {len(labels)} moves: {', '.join(labels)}"
    )
    return "\n".join(lines)
