"""`ruleslawyer check`: a fast look over a model."""

from __future__ import annotations

from collections.abc import Sequence

import click

from findings.cli import shared


@click.command()
@click.argument("rulebooks", metavar="[RULEBOOK]...", nargs=-1, type=shared.RulebookName())
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option(
    "--max-states", "states", type=click.IntRange(min=1), help="Most positions to look at in each variant."
)
def check(rulebooks: Sequence[str], output_format: str, states: int | None) -> int:
    """Look over models for what is forgotten, idle or slow.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file; without any, all
    known rulebooks are looked at. Ends with 1 if there is a warning; hints alone are no reason to stop.
    """
    import json

    from findings.check import MOST_STATES, Level, summary
    from findings.check import check as look_over
    from findings.finding import as_json
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from findings.text import printable
    from models.language import registry

    progress = TerminalProgress(console(stderr=True))
    books = [registry.find(name) for name in dict.fromkeys(rulebooks or registry.names())]
    found = {book.name: look_over(book, states=states or MOST_STATES, progress=progress) for book in books}
    if output_format == "json":
        click.echo(
            json.dumps({name: [as_json(r) for r in remarks] for name, remarks in found.items()}, indent=2)
        )
    else:
        for name, remarks in found.items():
            for remark in remarks:
                click.echo(printable(f"{remark.level.value}: {remark}"))
            click.echo(f"{name}: {summary(remarks)}")
    return 1 if any(r.level is Level.WARNING for remarks in found.values() for r in remarks) else 0
