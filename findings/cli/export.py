"""`ruleslawyer export`: a rulebook as the input of another program."""

from __future__ import annotations

from pathlib import Path

import click

from findings.cli import shared


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@click.option(
    "--to", "target", type=click.Choice(["promela", "drn"]), required=True, help="The language to write."
)
@shared.variant_option(multiple=False)
@shared.size_option()
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write to FILE, whole or not at all.",
)
def export(rulebook: str, target: str, variant: str | None, size: str | None, output: Path | None) -> int:
    """Write a rulebook for another program.

    Promela is the language of the model checker SPIN; the text says at its top how to run it. DRN is a format
    of the model checker Storm: the Markov chain of random games at a small size.
    """
    from findings.output import STANDARD_OUTPUT, check_target, write_atomic
    from models.language import registry
    from properties import kinds
    from solvers.promela.export import export as promela
    from solvers.simulate.drn import drn

    check_target(output)
    book = registry.find(rulebook)
    program = book.build(
        shared.checked_size(book, size), shared.checked_variants(book, [variant] if variant else [])[0]
    )
    made = drn(program) if target == "drn" else promela(program, kinds.of(book).of(program.variant))
    write_atomic(output or STANDARD_OUTPUT, made)
    return 0
