"""One finding with its whole play.

Promises: the play is replayed before it is shown; each step says what it did, under which sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table

from findings import print_record
from findings.audit import audit_rulebook
from findings.audit.telling import Teller
from findings.baseline import baseline_path, load
from findings.cli.shared import checked_size, recorded_folder
from findings.finding import Finding, RulebookAudit
from findings.fingerprints import checked, match
from findings.progress import Progress
from findings.reports.blocks import INDENT, full, labelled, line
from findings.reports.words import words
from findings.suggest import unknown
from models.language import registry
from models.language.book import Rulebook


def show_finding(
    fingerprint: str,
    *,
    rulebooks: Sequence[str],
    variants: Sequence[str],
    size: str | None,
    console: Console,
    progress: Progress,
) -> int:
    """Find a finding by its fingerprint and print it with its play.

    Args:
        fingerprint: The fingerprint or an unambiguous beginning of it.
        rulebooks: Names or paths to look in; all known ones if empty.
        variants: Variants to look in; all if empty.
        size: The size's name, or None for each rulebook's first.
        console: Where to print.
        progress: Where to say how far it is.

    Returns:
        Exit code 0.

    Errors:
        ModelError: no or several findings match, or a name is unknown.
    """
    found: dict[str, tuple[Rulebook, RulebookAudit, Finding]] = {}
    whole = checked(fingerprint)
    books = [registry.find(name) for name in rulebooks or registry.names()]
    books.sort(key=lambda b: not _recorded(b, whole))
    for book, variant in [(b, v) for b in books for v in _variants(b, variants)]:
        if whole in found:  # a fingerprint in full: no other can be meant
            break
        audit = audit_rulebook(
            book,
            variant=variant,
            size=checked_size(book, size),
            progress=progress,
            at_print=print_record.known(book),
        )
        for finding in audit.findings:
            found.setdefault(finding.fingerprint, (book, audit, finding))
    book, audit, finding = found[match(fingerprint, found)]
    console.print(full(book.name, finding, size=audit.size, short=finding.fingerprint, width=console.width))
    if finding.witness is not None:
        console.print(Group(*_play(book, audit.variant, finding)))
    return 0


def _recorded(book: Rulebook, prefix: str) -> bool:
    """Whether a finding that begins so is recorded for a rulebook."""
    path = baseline_path(book.name, recorded_folder(book, None))
    return any(e.fingerprint.startswith(prefix) for e in load(path, book.name).accepted)


def _variants(book: Rulebook, wanted: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in book.variants:
            raise unknown(f"variant of {book.name}", name, book.variants)
    return tuple(wanted) or tuple(book.variants)


def _play(book: Rulebook, variant: str, finding: Finding) -> Iterator[Padding]:
    w, witness = words(), finding.witness
    assert witness is not None
    teller = Teller(book)
    program = book.build(witness.size, variant)
    told = teller.play(program, witness.moves)
    yield labelled([(w("show.setup"), line(teller.position(program, told.states[0])))])
    rows = Table.grid(padding=(0, 2))
    rows.add_column(justify="right", style="dim")
    rows.add_column(overflow="fold")
    rows.add_column(overflow="fold", style="dim")
    for n, (label, step) in enumerate(zip(told.labels, told.steps, strict=True), 1):
        rows.add_row(line(str(n)), line(step), line(", ".join(program.by_label[label].clauses)))
    yield Padding(rows, (0, 0, 0, INDENT))
    end = w("show.stops") if told.stopped else teller.position(program, told.states[-1])
    yield labelled([(w("show.end"), line(end))])
