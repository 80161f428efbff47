"""`ruleslawyer new`: the folder of a new rulebook, with a small game that can be audited at once."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    metavar="TEXT",
    type=click.Path(path_type=Path),
    help="The rulebook's text: its sentences are split, numbered and classed; the text is not copied.",
)
@click.option("--lang", "language", metavar="CODE", default="en", show_default=True, help="Language of TEXT.")
def new(folder: Path, source: Path | None, language: str) -> None:
    """Begin a rulebook that can be audited at once.

    FOLDER gets clauses, rules, properties, an example, words and a test.
    The last part of FOLDER is the rulebook's name. Without a text a small invented game is written, to be
    changed into your own.
    """
    from findings.scaffold import new_rulebook

    made = new_rulebook(folder, source, language)
    click.echo(f"made {made}: change rules.py, then run")
    click.echo(f"  ruleslawyer audit {made}")
    click.echo(f"  ruleslawyer play {made}")
