"""The audit of one rulebook: engines are asked, their answers become findings.

Promises: nothing is reported that an engine did not find (but for what the modeller marks as missing);
every witness was replayed; what a limit cut off is told as undecided, never as a pass.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from findings.audit.make import assemble
from findings.audit.print_size import ask_again
from findings.audit.survey import Survey, survey
from findings.finding import RulebookAudit
from findings.print_record import AtPrint
from findings.progress import Progress, SilentProgress
from models.language import registry
from models.language.book import Rulebook
from models.language.sizes import Size
from solvers.contract import Limits

#: States that one exploration of the audit stores at most.
MOST_STATES = 2_000_000


def audit_rulebook(
    rulebook: str | Rulebook,
    *,
    variant: str | None = None,
    size: str | Size | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
    rulings: bool | Sequence[str] = False,
    answers: Mapping[str, str] | None = None,
    details: bool = False,
    at_print: AtPrint | None = None,
) -> RulebookAudit:
    """Audit one rulebook in one variant.

    Args:
        rulebook: A name, a path, or the rulebook itself.
        variant: The variant's name (the first unless given).
        size: The size's name or numbers (the first unless given); sizes named `<size>-…` are asked what it
            leaves open.
        progress: Where to say how far it is.
        limits: When an exploration gives up.
        rulings: Whether to apply rulings, or the ids of those to apply.
        answers: Reading (or derived reading) → option to take as given.
        details: Whether to add plays step by step and the rulebook behind them, for reports.
        at_print: How to ask at the printed size what was found at a smaller one; not at all unless given.

    Returns:
        The audit, findings ranked.

    Errors:
        ModelError: an unknown name, or a mistake in the rulebook.
    """
    began = time.monotonic()
    book = registry.find(rulebook) if isinstance(rulebook, str) else rulebook
    bounds = limits or Limits()
    if bounds.states is None:
        bounds = replace(bounds, states=MOST_STATES)
    told = progress or SilentProgress()
    with book.kept_traces():
        done = survey(book, variant, size, told, bounds, rulings, answers)
        printed = ask_again(done, at_print, told) if at_print is not None else None
        return assemble(done, time.monotonic() - began, details, printed)


__all__ = ["Survey", "audit_rulebook", "survey"]
