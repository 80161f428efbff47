"""`ruleslawyer play`: step through a game by hand or at random."""

from __future__ import annotations

import click

from findings.cli import shared


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@shared.variant_option(multiple=False)
@shared.size_option()
@click.option("--random", "at_random", is_flag=True, help="Let every actor move at random.")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Of the random moves and of chance; a run repeats exactly."
)
@click.option("--moves", type=click.IntRange(min=1), help="With --random: stop after so many moves.")
def play(
    rulebook: str, variant: str | None, size: str | None, at_random: bool, seed: int | None, moves: int | None
) -> int:
    """Step through a game by hand or at random.

    Legal moves are numbered and name the sentences that license them; moves can be undone.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file.
    """
    if moves is not None and not at_random:
        raise click.UsageError("--moves is only used with --random")
    from findings.play import play_rulebook
    from findings.reports.terminal import console
    from models.language import registry

    book = registry.find(rulebook)
    return play_rulebook(
        book,
        variant=shared.checked_variants(book, [variant] if variant else [])[0],
        size=shared.checked_size(book, size),
        at_random=at_random,
        seed=seed,
        moves=moves,
        console=console(),
    )
