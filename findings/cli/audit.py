"""`ruleslawyer audit`: the open questions of rulebooks, against what is recorded.

Promises: a wrong name or a corrupt record is told before any work begins; with `--accept` the record is
written only after the report was.
"""

from __future__ import annotations

import os
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
    from findings.jobs import Done, Job
    from findings.print_record import Record
    from solvers.contract import Limits

FORMATS = ("text", "json")
PRINT_SECONDS = 30.0
"""Time per variant for the printed size where that is asked unbidden."""


@attrs.frozen
class _Job:
    """One rulebook of the run: what to ask of each variant, and the files of what is recorded."""

    asked: tuple[Job, ...]
    path: Path
    baseline: Baseline
    record: Record


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
    help="Time per variant for asking at the printed size what is not on record; 0 uses the record only. "
    "Unless given 30, but 0 for a rulebook with recorded findings, except with --accept.",
)
@click.option("--ask-again", is_flag=True, help="Ask again at the printed size what is on record as unknown.")
@click.option(
    "--jobs",
    "workers",
    metavar="N",
    type=click.IntRange(min=1),
    default=lambda: os.cpu_count() or 1,
    envvar="RULESLAWYER_JOBS",
    show_envvar=True,
    help="Processes side by side; by default one a processor.",
)
@click.option("--executor", metavar="tcp://HOST:PORT", help="Send the work to a Dask cluster instead.")
@click.option("--no-cache", is_flag=True, help="Do all the work again, whatever earlier runs have found.")
@click.option("--accept", is_flag=True, help="Record what is found; reasons that are recorded stay.")
@click.option(
    "--reason",
    "reasons",
    metavar="[FINGERPRINT=]TEXT",
    multiple=True,
    help="With --accept: why one finding, or every new one, is accepted; may be repeated.",
)
@click.option("--watch", is_flag=True, help="Audit again what a saved file touches, until Ctrl-C.")
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
    print_seconds: float | None,
    ask_again: bool,
    workers: int,
    executor: str | None,
    no_cache: bool,
    accept: bool,
    reasons: Sequence[str],
    watch: bool,
    folder: Path | None,
) -> int:
    """Find what rulebooks leave open, most urgent first.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file; without any, all
    known rulebooks are audited. Ends with 1 if a finding is not recorded or a recorded one is gone.
    """
    if any(reasons) and not accept:
        raise click.UsageError("--reason is only used with --accept")
    if watch:
        return _watch(rulebooks)
    from findings import baseline, print_record
    from findings.output import check_target
    from models.language.sizefiles import file_of
    from solvers.contract import Limits

    limits = Limits(max_states, seconds, max_memory and max_memory << 20)
    check_target(output)
    ask = _Asked(size, rulings, limits, print_seconds, ask_again, output_format == "json", accept)
    jobs = _jobs(rulebooks, variants, folder, ask)

    audits: list[RulebookAudit] = []
    comparisons: list[Comparison] = []
    records: list[tuple[Path, Baseline]] = []
    tables: list[str] = []
    printed: list[tuple[Path, Record]] = []
    given = baseline.Reasons.of([r for r in reasons if r])
    today = date.today().isoformat() if any(reasons) else None
    results = iter(_done([asked for job in jobs for asked in job.asked], workers, executor, no_cache))
    for job in jobs:
        done, record = [next(results) for _ in job.asked], job.baseline
        raw = [one.audit for one in done]
        tables += [one.table for one in done if one.table]
        if accept:
            at_print = job.record
            for found in raw:
                record = baseline.accept(found, record, reasons=given, date=today)
                if found.print_size is not None and file_of(found.print_size) is None:
                    at_print = at_print.with_answers(found.variant, found.answers)
            records.append((job.path, record))
            if at_print != job.record:
                printed.append((print_record.record_path(job.path), at_print))
        audits += [baseline.with_accepted(found, record) for found in raw]
        comparisons += [baseline.compare(found, record) for found in raw]
    given.check(audits)
    _report(audits, comparisons, tables, output_format, output)
    for path, record in records:
        baseline.save(path, record)
        click.echo(f"recorded: {path} ({len(record.accepted)})", err=True)
    for path, answers in printed:
        print_record.save(path, answers)
        click.echo(f"recorded: {path} ({len(answers.answers)})", err=True)
    return 0 if all(comparison.clean for comparison in comparisons) else 1


def _watch(rulebooks: Sequence[str]) -> int:
    from findings.watch import options, watch
    from models.language import registry

    given = options(click.get_current_context(), "watch")
    return watch(list(dict.fromkeys(rulebooks or registry.names())), given)


@attrs.frozen
class _Asked:
    """What the command line asks of every rulebook."""

    size: str | None
    rulings: bool
    limits: Limits
    print_seconds: float | None
    ask_again: bool
    details: bool
    accept: bool


def _jobs(
    rulebooks: Sequence[str], variants: Sequence[str], folder: Path | None, asked: _Asked
) -> list[_Job]:
    from findings import baseline, print_record
    from findings.jobs import Job
    from findings.print_record import AtPrint
    from models.language import registry
    from models.language.errors import ModelError

    jobs = []
    for name in dict.fromkeys(rulebooks or registry.names()):
        book = registry.find(name)
        if asked.rulings and not book.rulings:
            continue
        stem = f"{book.name}.rulings" if asked.rulings else book.name
        path = baseline.baseline_path(stem, shared.recorded_folder(book, folder))
        record = print_record.load(print_record.record_path(path), book.name)
        size = shared.checked_size(book, asked.size)
        known = baseline.load(path, book.name)
        seconds = asked.print_seconds
        if seconds is None:  # what is on record must not change its verdict with the speed of a machine
            seconds = PRINT_SECONDS if asked.accept or not known.accepted else 0.0
        at_print = AtPrint(record=record, seconds=seconds, again=asked.ask_again)
        each = tuple(
            Job(
                rulebook=name,
                variant=v,
                size=size,
                limits=asked.limits,
                at_print=at_print,
                rulings=asked.rulings,
                details=asked.details,
            )
            for v in shared.checked_variants(book, variants)
        )
        jobs.append(_Job(each, path, known, record))
    if not jobs and asked.rulings:
        raise ModelError("none of these rulebooks has rulings", hint="audit it without --with-rulings")
    if not jobs:
        raise ModelError("no rulebook is known", hint="name the path of one")
    return jobs


def _done(jobs: Sequence[Job], workers: int, executor: str | None, no_cache: bool) -> list[Done]:
    from contextlib import nullcontext

    from findings.cluster import connected
    from findings.jobs import Kept, run_all
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console

    progress = TerminalProgress(console(stderr=True))
    kept = None if no_cache else Kept()
    with connected(executor) if executor is not None else nullcontext(None) as cluster:
        return run_all(jobs, workers=workers, executor=cluster, kept=kept, progress=progress)


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
