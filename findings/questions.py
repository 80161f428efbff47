"""A question to the author, and what its answer settles."""

from __future__ import annotations

import attrs
from attrs.validators import matches_re, min_len


@attrs.frozen(kw_only=True)
class Question:
    """One of the fewest questions whose answers settle every open reading.

    Attributes:
        reading: the reading, or the two rows that clash, that it is about.
        fingerprint: the finding that shows what hangs on it.
        question: what to ask.
        settles: the open readings that its answer settles, itself first.
    """

    reading: str = attrs.field(validator=min_len(1))
    fingerprint: str = attrs.field(validator=matches_re(r"[0-9a-f]{12}"))
    question: str
    settles: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class OptionPair:
    """Two options of a reading against each other, all else at its default.

    Attributes:
        first: the option that comes first in the reading.
        second: the other option.
        parts: whether some play tells them apart; None if that was not settled.
        size: the size of the play; empty if there is none.
        moves: a shortest play to the parting, the move that parts them last if there is one.
        told: where they never part, or how far the search came; empty if they part.
    """

    first: str = attrs.field(validator=min_len(1))
    second: str = attrs.field(validator=min_len(1))
    parts: bool | None
    size: str = ""
    moves: tuple[str, ...] = ()
    told: str = ""


@attrs.frozen(kw_only=True)
class Interaction:
    """Two readings that may change what the other one changes, decided from the rules themselves.

    Attributes:
        first: a reading.
        second: another one.
        through: what they share: `rule …`, `table …`, `field …`.
        given: `reading=option` under which the other of the two parts although it never does by itself; empty
            if that was not found.
        size: the size of that play; empty if there is none.
        moves: a shortest play to that parting.
    """

    first: str = attrs.field(validator=min_len(1))
    second: str = attrs.field(validator=min_len(1))
    through: tuple[str, ...]
    given: str = ""
    size: str = ""
    moves: tuple[str, ...] = ()
