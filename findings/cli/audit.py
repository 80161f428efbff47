"""`ruleslawyer audit`: the open questions of rulebooks, against what is recorded.

Promises: a wrong name or a corrupt record is told before any work begins; with `--accept` the record is
written only after the report was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from findings.cli import shared

if TYPE_CHECKING:
    from findings.baseline import Baseline, Comparison
    from findings.finding import RulebookAudit
    from findings.print_record import Record
    from solvers.contract import Limits

FORMATS = ("text", "json")


@attrs.frozen
class _Job:
    """One rulebook of the run: which variants at which size, and the file of its recorded findings."""

    name: str
    variants: tuple[str, ...]
    size: str
    path: Path
    baseline: Baseline
    rulings: bool
    limits: Limits
    record: Record
    print_seconds: float
    ask_again: bool


@attrs.frozen
class _Done:
    """What the engines said of one job: its audits, and tables of rulings where they were applied."""

    audits: list[RulebookAudit]
    tables: list[str]


@click.command()
@click.argument("rulebooks", metavar="[RULEBOOK]...", nargs=-1, type=shared.RulebookName())
@shared.variant_option(multiple=True)
@shared.size_option()
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the report to FILE, whole or not at all.",
)
@click.option(
    "--with-rulings/--without-rulings",
    "rulings",
    default=False,
    help="Apply the answers from outside the text, and show which questions they close and open.",
)
@click.option("--max-states", type=click.IntRange(min=1), help="Most states of one exploration.")
@click.option(
    "--max-memory", metavar="MIB", type=click.IntRange(min=1), help="Most memory of one exploration."
)
@click.option("--time", "seconds", metavar="SECONDS", type=click.FloatRange(min=0), help="Most time of one.")
@click.option(
    "--print-seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="Time per variant for asking at the printed size what is not on record; 0 uses the record only.",
)
@click.option("--ask-again", is_flag=True, help="Ask at the printed size anew, whatever is on record.")
@click.option("--accept", is_flag=True, help="Record what is found; reasons that are recorded stay.")
@click.option(
    "--reason", metavar="TEXT", default="", help="With --accept: why the new findings are accepted."
)
@click.option(
    "--baseline",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    envvar="RULESLAWYER_BASELINE",
    show_envvar=True,
    help="Folder of the recorded findings.",
)
def audit(
    rulebooks: Sequence[str],
    variants: Sequence[str],
    size: str | None,
    output_format: str,
    output: Path | None,
    rulings: bool,
    max_states: int | None,
    max_memory: int | None,
    seconds: float | None,
    print_seconds: float,
    ask_again: bool,
    accept: bool,
    reason: str,
    folder: Path | None,
) -> int:
    """Find what rulebooks leave open, most urgent first.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file; without any, all
    known rulebooks are audited. Ends with 1 if a finding is not recorded or a recorded one is gone.
    """
    if reason and not accept:
        raise click.UsageError("--reason is only used with --accept")
    from findings import baseline, print_record
    from findings.output import check_target
    from solvers.contract import Limits

    limits = Limits(max_states, seconds, max_memory and max_memory << 20)
    check_target(output)
    jobs = [
        attrs.evolve(job, print_seconds=print_seconds, ask_again=ask_again)
        for job in _jobs(rulebooks, variants, size, folder, rulings, limits)
    ]

    audits: list[RulebookAudit] = []
    comparisons: list[Comparison] = []
    records: list[tuple[Path, Baseline]] = []
    tables: list[str] = []
    printed: list[tuple[Path, Record]] = []
    today = date.today().isoformat() if reason else None
    for job in jobs:
        done, record = _audited(job), job.baseline
        raw = done.audits
        tables += done.tables
        if accept:
            at_print = job.record
            for found in raw:
                record = baseline.accept(found, record, reason=reason, date=today)
                if found.print_size is not None:
                    at_print = at_print.with_answers(found.variant, found.answers)
            records.append((job.path, record))
            if at_print != job.record:
                printed.append((print_record.record_path(job.path), at_print))
        audits += [baseline.with_accepted(found, record) for found in raw]
        comparisons += [baseline.compare(found, record) for found in raw]
    _report(audits, comparisons, tables, output_format, output)
    for path, record in records:
        baseline.save(path, record)
        click.echo(f"recorded: {path} ({len(record.accepted)})", err=True)
    for path, answers in printed:
        print_record.save(path, answers)
        click.echo(f"recorded: {path} ({len(answers.answers)})", err=True)
    return 0 if all(comparison.clean for comparison in comparisons) else 1


def _jobs(
    rulebooks: Sequence[str],
    variants: Sequence[str],
    size: str | None,
    folder: Path | None,
    rulings: bool,
    limits: Limits,
) -> list[_Job]:
    from findings import baseline, print_record
    from models.language import registry
    from models.language.errors import ModelError

    jobs = []
    for name in dict.fromkeys(rulebooks or registry.names()):
        book = registry.find(name)
        if rulings and not book.rulings:
            continue
        stem = f"{book.name}.rulings" if rulings else book.name
        path = baseline.baseline_path(stem, shared.recorded_folder(book, folder))
        chosen = shared.checked_variants(book, variants), shared.checked_size(book, size)
        record = print_record.load(print_record.record_path(path), book.name)
        known = baseline.load(path, book.name)
        jobs.append(_Job(name, *chosen, path, known, rulings, limits, record, 0.0, False))
    if not jobs and rulings:
        raise ModelError("none of these rulebooks has rulings", hint="audit it without --with-rulings")
    if not jobs:
        raise ModelError("no rulebook is known", hint="name the path of one")
    return jobs


def _audited(job: _Job) -> _Done:
    from findings.audit import audit_rulebook
    from findings.print_record import AtPrint
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from models.language import registry

    progress = TerminalProgress(console(stderr=True))
    at_print = AtPrint(record=job.record, seconds=job.print_seconds, again=job.ask_again)
    if not job.rulings:
        return _Done(
            [
                audit_rulebook(
                    job.name,
                    variant=v,
                    size=job.size,
                    progress=progress,
                    limits=job.limits,
                    at_print=at_print,
                )
                for v in job.variants
            ],
            [],
        )
    from findings.rulings import as_text, rulings_report

    book = registry.find(job.name)
    reports = [
        rulings_report(book, variant=v, size=job.size, progress=progress, limits=job.limits)
        for v in job.variants
    ]
    return _Done([r.applied for r in reports], [as_text(r, book) for r in reports])


def _report(
    audits: Sequence[RulebookAudit],
    comparisons: Sequence[Comparison],
    tables: Sequence[str],
    output_format: str,
    output: Path | None,
) -> None:
    from findings.finding import Audit
    from findings.output import STANDARD_OUTPUT, write_atomic
    from findings.reports import json, terminal

    whole = Audit(rulebooks=tuple(audits))
    if output_format == "json":
        write_atomic(output or STANDARD_OUTPUT, json.render(whole))
    elif output is None:
        terminal.render(whole, terminal.console(), comparisons)
        for table in tables:
            click.echo(f"\n{table}")
        return
    else:
        write_atomic(output, "\n".join([terminal.as_text(whole, comparisons), *tables]))
    differences = terminal.differences(comparisons)
    if differences:
        click.echo(differences, err=True)
