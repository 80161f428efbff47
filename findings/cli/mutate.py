"""`ruleslawyer mutate`: would anybody notice if a rule were changed?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from findings.cli import shared

if TYPE_CHECKING:
    from findings.adequacy import Adequacy


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@shared.variant_option(multiple=True)
@click.option(
    "--mutants", "most", metavar="N", type=click.IntRange(min=1), help="At most N, spread; else all."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of that choice.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Processes.")
@click.option(
    "--fail-under", metavar="PERCENT", type=click.FloatRange(0, 100), help="End with 1 below this score."
)
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
def mutate(
    rulebook: str,
    variants: Sequence[str],
    most: int | None,
    seed: int,
    workers: int,
    fail_under: float | None,
    output_format: str,
) -> int:
    """Change rules a little, and see whether anything notices.

    What may notice are properties, printed examples and the findings at the small sizes.
    Changes that make no difference in play at the small sizes, proved by comparison, are left out of the
    score. Each survivor is told with the play after which it differs: a property or an example about that
    play would notice it.
    """
    from findings.adequacy import adequacy
    from findings.finding import as_json
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from models.language import registry

    book = registry.find(rulebook)
    chosen = shared.checked_variants(book, variants)
    progress = TerminalProgress(console(stderr=True))
    found = [adequacy(book, v, most=most, seed=seed, workers=workers, progress=progress) for v in chosen]
    if output_format == "json":
        click.echo(
            json.dumps([{**as_json(a), "score": a.score} for a in found], indent=2, ensure_ascii=False)
        )
    else:
        for a in found:
            _print(a)
    low = fail_under is not None and any(100 * a.score < fail_under for a in found)
    return 1 if low else 0


def _print(found: Adequacy) -> None:
    from findings.text import printable

    for o in found.outcomes:
        if o.how in ("survived", "undecided"):
            after = f" after {len(o.play)} moves ({', '.join(o.play)})" if o.play else ""
            click.echo(printable(f"{o.how}  {o.mutation}: {o.text}\n          {o.by}{after}"))
    click.echo(
        f"{found.rulebook}, {found.variant}: {100 * found.score:.1f} % noticed "
        f"({found.count('killed')} of {found.tried}; {found.count('equivalent')} change nothing, "
        f"{found.count('undecided')} undecided)"
    )
