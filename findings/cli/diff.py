"""`ruleslawyer diff`: what a change of the rules changes in play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from findings.cli import shared

KINDS = ("moves", "outcomes", "end", "findings", "properties", "elsewhere")


@click.command()
@click.argument("old")
@click.argument("new")
@shared.variant_option(multiple=False)
@shared.size_option()
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the report to FILE, whole or not at all.",
)
@click.option(
    "--fail-on",
    type=click.Choice([*KINDS, "any"]),
    multiple=True,
    help="End with 1 if this differs; may be repeated.",
)
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=2000,
    show_default=True,
    help="Random games a version for the balance; 0 for none.",
)
@click.option(
    "--findings/--no-findings",
    default=True,
    show_default=True,
    help="Audit both versions where play differs.",
)
@click.option("--no-cache", is_flag=True, help="Audit again, whatever earlier runs have found.")
@click.option("--max-states", type=click.IntRange(min=1), help="Give up after so many states.")
def diff(
    old: str,
    new: str,
    variant: str | None,
    size: str | None,
    output_format: str,
    output: Path | None,
    fail_on: Sequence[str],
    games: int,
    findings: bool,
    no_cache: bool,
    max_states: int | None,
) -> int:
    """Show what NEW changes against OLD in play.

    Each is a rulebook's name, a path, NAME@REV (a git revision), and any of these with +option=value: size,
    variant, a reading, a ruling, or a number of the size.
    """
    from findings.audit import MOST_STATES
    from findings.diff import difference, reports
    from findings.diff.kept import KeptVersions
    from findings.output import STANDARD_OUTPUT, check_target, write_atomic
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from findings.versions import version
    from solvers.contract import Limits

    check_target(output)
    with version(old) as was, version(new) as now:
        found = difference(
            was,
            now,
            size=size,
            variant=variant,
            games=games,
            limits=Limits(states=max_states or MOST_STATES),
            progress=TerminalProgress(console(stderr=True)),
            findings=findings,
            kept=None if no_cache else KeptVersions(),
        )
    if output is None and output_format == "text":
        reports.render(found, console())
    else:
        made = {"text": reports.as_text, "json": reports.as_json, "markdown": reports.markdown}[
            output_format
        ](found)
        write_atomic(output or STANDARD_OUTPUT, made)
    wanted = set(KINDS) if "any" in fail_on else set(fail_on)
    return 1 if wanted & found.kinds else 0
