"""`ruleslawyer what-if`: what an answer to a question closes and opens."""

from __future__ import annotations

import click

from findings.cli import shared


@click.command(name="what-if")
@click.argument("rulebook", type=shared.RulebookName())
@click.argument("answers", metavar="QUESTION=OPTION...", nargs=-1, required=True)
@shared.variant_option(multiple=False)
@shared.size_option()
def what_if(rulebook: str, answers: tuple[str, ...], variant: str | None, size: str | None) -> int:
    """Show what an answer closes, and what it opens.

    The rulebook is audited without and with the answers. QUESTION is a reading, or TABLE:ROW+ROW for two
    sentences that clash.
    """
    from findings import what_if as asked
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from models.language import registry

    book = registry.find(rulebook)
    made = asked.what_if(
        book,
        asked.parsed(book, answers),
        variant=shared.checked_variants(book, [variant] if variant else [])[0],
        size=shared.checked_size(book, size),
        progress=TerminalProgress(console(stderr=True)),
    )
    asked.render(made, console())
    return 0
