"""`ruleslawyer clauses`: which sentences the model cites, and which have changed in a source."""

from __future__ import annotations

from pathlib import Path

import click

from findings.cli import shared


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@click.option(
    "--source",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The rulebook's text: match every sentence with it and report what changed.",
)
def clauses(rulebook: str, source: Path | None) -> int:
    """Show which sentences are cited, and which changed.

    With a source, each change is told with the rules, readings and findings that hang on it.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file.
    """
    from findings.clause_report import clause_report
    from findings.reports.terminal import console
    from models.language import registry

    return clause_report(registry.find(rulebook), source=source, console=console())
