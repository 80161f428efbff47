"""What answers close: an audit with the answers against the one without.

Promise: a finding is closed only if the audit with the answers does not have it any more, or has it settled;
what the answers open is told too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from findings.audit import audit_rulebook
from findings.finding import RulebookAudit
from findings.progress import Progress
from findings.reports.view import ASKED
from findings.what_if import WhatIf
from models.language.book import Rulebook
from models.language.sizes import Size


def closes(
    book: Rulebook,
    picks: Mapping[str, str],
    without: Sequence[RulebookAudit],
    progress: Progress,
    size: Size | None = None,
) -> tuple[WhatIf, ...]:
    """Hold each audit against one with the answers.

    Args:
        book: The rulebook.
        picks: Question → option.
        without: Audits without the answers; what is on record counts as open.
        progress: Where to say how far it is.
        size: The numbers of the size, where it is none of the rulebook's own.

    Returns:
        What the answers do, an entry for each audit.
    """
    found = []
    for audit in without:
        mine = applying(book, picks, audit)
        given = audit_rulebook(
            book, variant=audit.variant, size=size or audit.size, progress=progress, answers=mine
        )
        was = {f.fingerprint: f for f in audit.findings if f.status in ASKED}
        now = {f.fingerprint: f for f in given.findings if f.status in ASKED}
        closed = tuple(f for k, f in was.items() if k not in now)
        opened = tuple(f for k, f in now.items() if k not in was)
        found.append(WhatIf(mine, closed, opened, tuple(f for k, f in was.items() if k in now)))
    return tuple(found)


def applying(book: Rulebook, picks: Mapping[str, str], audit: RulebookAudit) -> dict[str, str]:
    """The answers that a variant knows: readings of the rulebook, and pairs of rows that clashed in it."""
    asked = {f.reading for f in audit.findings if f.reading}
    declared = {id for id in picks if id in book.readings}
    return {k: v for k, v in picks.items() if k in declared or (k in asked and ":" in k)}
