"""`ruleslawyer flow`: a rulebook as a graph of phases, and a program held against it.

Promises: files are written whole or not at all, the format follows the name; with `--against` the exit code
is 1 if the program and the rulebook differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from findings.cli import shared

if TYPE_CHECKING:
    from solvers.flows import Answers, Flow
    from solvers.flows.against import Comparison

LEVELS = ("phase", "rule", "trigger", "state")
SUFFIXES = (".svg", ".dot", ".gv", ".graphml", ".json", ".mmd", ".aut")


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@click.option("--variant", metavar="NAME", type=shared.PartName("variant"), help="This variant of the game.")
@shared.size_option()
@click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write the graph; the format follows the name: {', '.join(SUFFIXES)}. With .svg a .dot is written "
    "too. May be repeated.",
)
@click.option(
    "--level", type=click.Choice(LEVELS), default="phase", show_default=True, help="What the nodes are."
)
@click.option("--by", metavar="FIELD", multiple=True, help="Name the phases by this field; may be repeated.")
@click.option(
    "--games", type=click.IntRange(min=0), default=200, show_default=True, help="Random games to play."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the random games.")
@click.option("--states", type=click.IntRange(min=1), metavar="N", help="Explore at most so many states.")
@click.option(
    "--unseen/--no-unseen", default=None, help="Draw steps that conditions allow and nobody has seen."
)
@click.option(
    "--against",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Compare with a program: states.inc.php or a folder of state classes of BGA Studio, or a game of "
    "boardgame.io.",
)
@click.option(
    "--names",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --against: TOML file that says which state is which phase, and which move is which rule.",
)
def flow(
    rulebook: str,
    variant: str | None,
    size: str | None,
    outputs: Sequence[Path],
    level: str,
    by: Sequence[str],
    games: int,
    seed: int,
    states: int | None,
    unseen: bool | None,
    against: Path | None,
    names: Path | None,
) -> int:
    """Show a rulebook as a graph of phases.

    Tells what every game passes, what nobody reaches, what never ends and where the order of consequences
    matters; draws the graph; compares it with the state machine of a program.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file.
    """
    if names is not None and against is None:
        raise click.UsageError("--names is only used with --against")
    if against is not None and level != "phase":
        raise click.UsageError("--against compares phases: leave --level out")
    if level != "phase" and not outputs:
        raise click.UsageError(f"--level {level} is only drawn: give a file with -o")
    for path in outputs:
        _check(path)
    from findings.progress import TerminalProgress
    from findings.reports import flow as report
    from findings.reports.terminal import console
    from models.language import registry
    from solvers.contract import Limits
    from solvers.flows import answers
    from solvers.flows import flow as made_of

    book = registry.find(rulebook)
    program = book.build(
        shared.checked_size(book, size), shared.checked_variants(book, [variant] if variant else [])[0]
    )
    limits = Limits(states=states) if states is not None else None
    progress = TerminalProgress(console(stderr=True))
    options: dict[str, Any] = {"by": by, "limits": limits, "games": games, "seed": seed, "progress": progress}
    found = made_of(program, level=level, **options)
    told = answers(found) if level == "phase" else None
    compared = _compared(found, against, names) if against is not None else None
    for path in outputs:
        _write(found, path, told, compared, unseen)
    if compared is not None and against is not None:
        report.render_against(found, compared, against, console())
    elif told is not None:
        report.render(found, told, console())
    return 1 if compared is not None and compared.differences else 0


def _check(path: Path) -> None:
    """Refuse a name without a format, and a place that cannot be written to, before any work is done."""
    from findings.output import check_target

    if path.suffix.lower() not in SUFFIXES:
        from models.language.errors import ModelError
        from models.language.nearest import did_you_mean

        raise ModelError(
            "the name does not say which format to write",
            where=str(path),
            hint=did_you_mean(path.suffix, SUFFIXES) or f"end it with one of {', '.join(SUFFIXES)}",
        )
    check_target(path)
    if path.suffix.lower() == ".svg":
        check_target(path.with_suffix(".dot"))


def _compared(found: Flow, against: Path, names: Path | None) -> Comparison:
    from solvers.flows.against import Names, compare, read_machine

    return compare(found, read_machine(against), Names.load(names) if names is not None else None)


def _write(
    found: Flow, path: Path, told: Answers | None, compared: Comparison | None, unseen: bool | None
) -> None:
    from findings.output import write_atomic
    from findings.reports.flow import texts
    from findings.reports.words import words
    from solvers import flows

    named, kind = texts(found), path.suffix.lower()
    made: dict[Path, str | bytes]
    if kind in (".svg", ".dot", ".gv"):
        source = flows.dot(found, named, unseen=unseen)
        made = (
            {path: source} if kind != ".svg" else {path: flows.svg(source), path.with_suffix(".dot"): source}
        )
    elif kind == ".graphml":
        made = {path: flows.graphml(found)}
    elif kind == ".mmd":
        made = {path: flows.mermaid(found, named)}
    elif kind == ".aut":
        made = {path: flows.aut(found)}
    else:
        made = {path: flows.as_json(found, _plain(told, compared))}
    for target, content in made.items():
        write_atomic(target, content)
        click.echo(words()("flow.written", path=str(target)), err=True)


def _plain(told: Answers | None, compared: Comparison | None) -> dict[str, Any] | None:
    """Answers and differences as JSON can hold them."""
    from dataclasses import asdict

    found: dict[str, Any] = asdict(told) if told is not None else {}
    if compared is not None:
        found["differences"] = [asdict(d) for d in compared.differences]
    return found or None
