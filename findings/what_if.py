"""What if: an audit with some questions answered, against the audit without.

Promises: both audits are made in the same way; a finding is closed only if it is no longer open, or gone
after every state was searched, and opened only if the audit without the answer did not have it; what was
searched, and what of the printed size is only on record, is told.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from rich.console import Console

from findings import print_record
from findings.audit import audit_rulebook
from findings.audit.cut import cut_off
from findings.finding import Finding, RulebookAudit, Status
from findings.progress import Progress
from findings.reports.blocks import line
from findings.reports.words import words
from findings.suggest import unknown
from models.language.book import Rulebook
from models.language.errors import ModelError

UNANSWERED = frozenset({Status.OPEN, Status.LEANS, Status.REDUCED})


@attrs.frozen
class WhatIf:
    """What an answer does.

    Attributes:
        answers: Reading → option.
        closed: Findings that were open and are not any more.
        opened: Findings that come up only with the answer.
        left: Findings that stay open.
        missed: Findings that are gone after a search that was cut off: they may be there still.
        variant: The variant.
        size: The size that was searched.
        cut: How far searches came that did not see every state, one text each.
        printed: The printed size, of which what is on record was looked at; None if it was not.
    """

    answers: Mapping[str, str]
    closed: tuple[Finding, ...]
    opened: tuple[Finding, ...]
    left: tuple[Finding, ...]
    missed: tuple[Finding, ...] = ()
    variant: str = ""
    size: str = ""
    cut: tuple[str, ...] = ()
    printed: str | None = None


def what_if(
    book: Rulebook,
    answers: Mapping[str, str],
    *,
    variant: str | None,
    size: str | None,
    progress: Progress,
) -> WhatIf:
    """Audit a rulebook without and with some answers.

    At the printed size only what is on record is looked at: its plays are tried again under the answers.

    Args:
        book: The rulebook.
        answers: Reading (or `table:row+row` of two clashing rows) → option.
        variant: The variant's name, or None for the first.
        size: The size's name, or None for the first.
        progress: Where to say how far it is.

    Errors:
        ModelError: an unknown reading or option.
    """
    at_print = print_record.known(book)
    without = audit_rulebook(book, variant=variant, size=size, progress=progress, at_print=at_print)
    given = audit_rulebook(
        book, variant=variant, size=size, progress=progress, answers=answers, at_print=at_print
    )
    return compared(answers, without, given)


def compared(answers: Mapping[str, str], without: RulebookAudit, given: RulebookAudit) -> WhatIf:
    """What the second audit closes and opens against the first."""
    was = {f.fingerprint: f for f in without.findings if f.status in UNANSWERED}
    now = {f.fingerprint: f for f in given.findings if f.status in UNANSWERED}
    gone = {k: f for k, f in was.items() if k not in now}
    cut, seen = cut_off(given), {f.fingerprint for f in given.findings}
    return WhatIf(
        answers,
        tuple(f for k, f in gone.items() if not cut or k in seen),
        tuple(f for k, f in now.items() if k not in was),
        tuple(f for k, f in now.items() if k in was),
        missed=tuple(f for k, f in gone.items() if cut and k not in seen),
        variant=given.variant,
        size=given.size,
        cut=tuple(dict.fromkeys((*cut_off(without), *cut))),
        printed=given.print_size,
    )


def parsed(book: Rulebook, texts: tuple[str, ...]) -> dict[str, str]:
    """Answers as written on the command line, `question=option` each.

    Errors:
        ModelError: no equals sign, an unknown question or option, or two answers to one question.
    """
    found: dict[str, str] = {}
    for text in texts:
        question, equals, option = text.partition("=")
        if not equals or not question or not option:
            raise ModelError(
                f"'{text}' is no answer", hint="write question=option, for instance end.tie=shared"
            )
        reading = book.readings.get(question)
        if reading is None and ":" not in question:
            raise unknown(f"question of {book.name}", question, book.readings)
        if reading is not None and option not in reading.options:
            raise unknown(f"option of {question}", option, reading.options)
        if found.setdefault(question, option) != option:
            raise ModelError(f"{question} is answered twice", hint="give one answer to a question")
    return found


def render(made: WhatIf, to: Console) -> None:
    """Print what an answer does."""
    w = words()
    where = (f"  ({made.variant}, {made.size})", "dim") if made.size else ("", "")
    to.print(line((", ".join(f"{q} = {o}" for q, o in made.answers.items()), "bold"), where))
    groups = [("closed", made.closed), ("opened", made.opened)]
    for key, findings in (*groups, *([("missed", made.missed)] if made.missed else [])):
        to.print(line((w.count(f"what_if.{key}", len(findings)), "bold")))
        for f in findings:
            to.print(line(f"  {f.code} {f.title}", (f"  ({f.fingerprint[:6]})", "dim")))
    to.print(line(w.count("what_if.left", len(made.left))))
    for bound in made.cut:
        to.print(line(w("what_if.cut", bound=bound)))
    if made.printed is not None:
        to.print(line(w("what_if.printed", size=made.printed)))
