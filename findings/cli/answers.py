"""`ruleslawyer answers`: answers that come back from authors and translators.

Promises: nothing is lost: what is not understood is shown as it was written; with -o the rulings are written
whole or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from findings.cli import shared

if TYPE_CHECKING:
    from findings.answers import Answers, Rulings
    from findings.finding import Audit
    from models.language.book import Rulebook


@click.group()
def answers() -> None:
    """Read answers to questions, and say what they close."""


@answers.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--rulebook", type=shared.RulebookName(), help="The rulebook, where the file does not name it.")
@shared.variant_option(multiple=True)
@shared.size_option()
@click.option(
    "--from",
    "audit_file",
    metavar="AUDIT.json",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The audit that was asked about, written before with `audit --output-format json`.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the rulings as TOML.",
)
@click.option(
    "--check/--no-check", default=True, help="Audit again with the answers, to see what they close."
)
def import_(
    file: Path,
    rulebook: str | None,
    variants: tuple[str, ...],
    size: str | None,
    audit_file: Path | None,
    output: Path | None,
    check: bool,
) -> int:
    """Turn the answers in FILE into rulings, and say which findings they close.

    FILE is the query sheet (.xlsx), the PO file with translator comments `answer ecb014: A` (.po), the Word
    document with replies to its comments (.docx), or rulings that were written before (.toml).
    """
    if audit_file is not None and size is not None:
        raise click.UsageError("the audit of --from is made already: leave --size out")
    from findings import answers as made
    from findings.output import check_target, write_atomic
    from models.language import registry

    check_target(output)
    read = made.read(file)
    name = _name(read, rulebook)
    book = registry.find(name)
    audit = _audit(name, book, variants, size, audit_file)
    findings = [f for r in audit.rulebooks for f in r.findings]
    rulings = made.decide(read, findings)
    _told(rulings)
    if output is not None:
        write_atomic(output, made.render(rulings))
        click.echo(f"written: {output}", err=True)
    if check and rulings.picks:
        _closed(book, rulings, audit)
    return 0


def _name(read: Answers, named: str | None) -> str:
    """The rulebook; what a file says is only ever a name, so that no file can have another one run.

    Errors:
        ModelError: nobody named it, or the file names one that is not installed.
    """
    from findings.text import printable
    from models.language import registry
    from models.language.errors import ModelError

    if named:
        return named
    if not read.rulebook:
        raise ModelError("the file names no rulebook", where=read.path, hint="name it with --rulebook")
    if read.rulebook not in registry.names():
        raise ModelError(
            f"the file is about {printable(read.rulebook)!r}, which is not installed",
            where=read.path,
            hint="name the rulebook's folder with --rulebook",
        )
    return read.rulebook


def _audit(
    name: str, book: Rulebook, variants: tuple[str, ...], size: str | None, audit_file: Path | None
) -> Audit:
    from findings.progress import TerminalProgress
    from findings.reports import made
    from findings.reports.terminal import console

    if audit_file is not None:
        return made.audit_from(audit_file, book, variants)
    chosen = shared.checked_variants(book, variants), shared.checked_size(book, size)
    folder = shared.recorded_folder(book, None)
    return made.audit_now(name, *chosen, folder, TerminalProgress(console(stderr=True)))


def _told(rulings: Rulings) -> None:
    from findings.reports.i18n import texts
    from findings.text import printable

    t = texts()
    for d in rulings.decided:
        said = printable(d.answer.said)
        if d.finding is None:
            told = t.gettext(
                "{id}: no finding of this audit: {said} ({where})",
                id=d.answer.finding,
                said=said,
                where=d.answer.where,
            )
        elif d.disagrees:
            told = t.gettext(
                "{id}: answers disagree: {said} ({where})",
                id=d.finding.fingerprint[:6],
                said=said,
                where=d.answer.where,
            )
        elif d.picks:
            told = t.gettext(
                "{id}: {reading} = {option}", id=d.finding.fingerprint[:6], reading=d.reading, option=d.option
            )
        elif d.option:
            told = t.gettext(
                "{id}: answered ({option}), nothing in the model to pick: {said}",
                id=d.finding.fingerprint[:6],
                option=d.option,
                said=said,
            )
        else:
            told = t.gettext(
                "{id}: in own words, for a person to read: {said}", id=d.finding.fingerprint[:6], said=said
            )
        click.echo(printable(told))
    left = len(rulings.answers.unanswered)
    if left:
        click.echo(t.ngettext("{n} question without an answer", "{n} questions without an answer", left))


def _closed(book: Rulebook, rulings: Rulings, audit: Audit) -> None:
    from findings.answers.closes import closes
    from findings.progress import TerminalProgress
    from findings.reports.i18n import texts
    from findings.reports.terminal import console
    from findings.text import printable

    t = texts()
    done = closes(book, rulings.picks, audit.rulebooks, TerminalProgress(console(stderr=True)))
    for given, found in zip(audit.rulebooks, done, strict=True):
        click.echo(f"{given.rulebook} · {given.variant}")
        for key, findings in (("closed", found.closed), ("opened", found.opened)):
            told = {
                "closed": t.ngettext("closes {n} finding", "closes {n} findings", len(findings)),
                "opened": t.ngettext("opens {n} finding", "opens {n} findings", len(findings)),
            }[key]
            click.echo(f"  {told}")
            for f in findings:
                click.echo(printable(f"    {f.code} {f.title} ({f.fingerprint[:6]})"))
        click.echo(f"  {t.ngettext('leaves {n} finding', 'leaves {n} findings', len(found.left))}")
