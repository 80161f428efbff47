"""`ruleslawyer fuzz`: random play of a rulebook, guided and shrunk by Hypothesis.

Promises: with `--seed`, or with the profile `ci`, a run repeats exactly; exit code 1 if a property is broken
or a hazard met that is not recorded, else 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from findings.cli import shared

if TYPE_CHECKING:
    from models.language.book import Rulebook

PROFILES = ("ci", "dev", "nightly")


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@shared.variant_option(multiple=True)
@click.option(
    "--size",
    "sizes",
    metavar="NAME",
    type=shared.PartName("size"),
    multiple=True,
    help="Only this size; may be repeated.",
)
@click.option("--steps", type=click.IntRange(min=1), help="Most moves in a run.")
@click.option("--examples", type=click.IntRange(min=1), help="Number of runs.")
@click.option("--seed", type=click.IntRange(min=0), help="Of the random choices; a campaign repeats exactly.")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Go on with further campaigns until so much time has passed.",
)
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="dev",
    show_default=True,
    help="How wide, and whether fixed.",
)
@click.option(
    "--database",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep failing runs here, and try them first.",
)
@click.option("--replay", metavar="BLOB", help="Run one run again, from what an earlier campaign printed.")
def fuzz(
    rulebook: str,
    variants: Sequence[str],
    sizes: Sequence[str],
    steps: int | None,
    examples: int | None,
    seed: int | None,
    seconds: float | None,
    profile: str,
    database: Path | None,
    replay: str | None,
) -> int:
    """Play at random and check properties after every move.

    Sizes, variants, readings and the rules that act vary from run to run; a play that breaks something is
    shrunk and printed as an example.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file.
    """
    from dataclasses import replace

    from findings.progress import TerminalProgress
    from findings.reports import fuzz as report
    from findings.reports.terminal import console
    from models.language import registry
    from solvers import fuzz as engine

    if seconds is not None and not math.isfinite(seconds):
        raise click.BadParameter(f"{seconds} is no number of seconds.", param_hint="'--time'")
    if replay is not None:
        _alone(seed=seed, time=seconds, examples=examples, database=database)
    if database is not None:
        _made(database)
    book = registry.find(rulebook)
    for size in sizes:
        shared.checked_size(book, size)
    chosen = engine.PROFILES[profile]
    chosen = replace(chosen, examples=examples or chosen.examples, steps=steps or chosen.steps)
    made = engine.plan(
        book,
        sizes=sizes,
        variants=shared.checked_variants(book, variants),
        flips=chosen.flips,
        tolerate=recorded(book),
    )
    progress = TerminalProgress(console(stderr=True))
    if replay is not None:
        done = engine.replay(made, chosen, replay)
    else:
        done = engine.fuzz(made, chosen, number=seed, seconds=seconds, database=database, progress=progress)
    report.render(done, console())
    return 1 if done.broken else 0


def _alone(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(f"--replay runs one run again: leave --{name} out")


def _made(folder: Path) -> None:
    """Make the folder of the failing runs; Hypothesis would go on without it."""
    import os

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return
        reason = "permission denied"
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
    from models.language.errors import ModelError

    raise ModelError(f"cannot keep failing runs: {reason}", where=str(folder), hint="choose another folder")


def recorded(book: Rulebook) -> set[str]:
    """Hazards and properties that the recorded findings of a rulebook speak of."""
    from findings import baseline
    from findings.fingerprints import fingerprint
    from properties import kinds

    path = baseline.baseline_path(book.name, shared.recorded_folder(book, None))
    known = baseline.load(path, book.name).accepted
    codes, prints = {entry.code for entry in known}, {entry.fingerprint for entry in known}
    found = {name for name, code in (("stuck", "RL301"), ("endless", "RL302")) if code in codes}
    return found | {
        p.name for p in kinds.of(book) if fingerprint("RL304", book.name, ["property", p.name]) in prints
    }
