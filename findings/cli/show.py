"""`ruleslawyer show`: one finding with its whole play."""

from __future__ import annotations

from collections.abc import Sequence

import click

from findings.cli import shared


@click.command()
@click.argument("fingerprint")
@click.argument("rulebooks", metavar="[RULEBOOK]...", nargs=-1, type=shared.RulebookName())
@shared.variant_option(multiple=True)
@shared.size_option()
def show(fingerprint: str, rulebooks: Sequence[str], variants: Sequence[str], size: str | None) -> int:
    """Show one finding with its whole play.

    FINGERPRINT is what an audit prints, or any beginning of it that no other finding shares. RULEBOOK says
    where to look; without any, all known rulebooks are searched.
    """
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from findings.show import show_finding

    return show_finding(
        fingerprint,
        rulebooks=tuple(rulebooks),
        variants=tuple(variants),
        size=size,
        console=console(),
        progress=TerminalProgress(console(stderr=True)),
    )
