"""`ruleslawyer score`: the score of a board that somebody wrote down, under each reading."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from findings.cli import shared

if TYPE_CHECKING:
    from findings.scoring import Scored
    from models.language.book import Rulebook

FORMATS = ("text", "json")


@click.command()
@click.argument("rulebook", type=shared.RulebookName())
@click.argument("board", metavar="BOARD", type=click.Path(path_type=Path, allow_dash=True))
@shared.variant_option(multiple=False)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--picture",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a picture of the board (SVG) to FILE, whole or not at all.",
)
def score(rulebook: str, board: Path, variant: str | None, output_format: str, picture: Path | None) -> int:
    """Score a board that somebody wrote down.

    Says on which readings the score depends.

    RULEBOOK is a name (see `ruleslawyer list`) or the path of a rulebook's folder or file. BOARD is a text
    file with a line for each row and a token for each space; - is the standard input. Without --variant the
    expansion is told by what is drawn.
    """
    from findings import scoring
    from findings.output import check_target, write_atomic
    from findings.progress import TerminalProgress
    from findings.reports.terminal import console
    from models.language import registry
    from models.language.sentences import decode, read_bytes

    check_target(picture)
    book = registry.find(rulebook)
    module = scoring.module(book)
    chosen = shared.checked_variants(book, [variant])[0] if variant else None
    name = "standard input" if str(board) == "-" else str(board)
    data = (
        sys.stdin.buffer.read(module.LONGEST + 1)
        if str(board) == "-"
        else read_bytes(board, "give the path of a board in text form")
    )
    sheet = module.read(decode(data, name), name)
    done = scoring.score(
        book, sheet, chosen or module.expansion_of(sheet), TerminalProgress(console(stderr=True))
    )
    if picture is not None:
        marks = [(cell, side) for cell, side, _ in done.points.errors]
        write_atomic(picture, scoring.module(book, "picture").picture(sheet, marks).svg(alone=True))
    click.echo(_json(book, done) if output_format == "json" else _text(book, module, sheet, done))
    return 0


def _text(book: Rulebook, module: Any, sheet: Any, done: Scored) -> str:
    from findings.scoring import differing

    board, parts = sheet.board, done.points.parts
    out = [
        f"{book.title}, {done.variant}: {board.rows} x {board.columns} spaces, {len(board.exits)} exits",
        "",
    ]
    for name, number in parts.items():
        sign = -number if name == "errors" else number
        out.append(f"  {module.PARTS[name]:<18} {sign:>4}")
    for title, ends in (("Errors", done.points.errors), ("May not be drawn so", done.points.clashes)):
        if ends:
            out += ["", title]
            out += [f"  {module.said(board, c, s)}: {module.KINDS[k]}" for c, s, k in ends]
    found = differing(book, done)
    asked = len({id for id, _ in done.others})
    out += [
        "",
        "Readings" if found else f"Readings: none of the {asked} on which a score can depend changes it",
    ]
    for reading, option, other in found:
        changed = ", ".join(
            f"{module.PARTS[n]} {-v if n == 'errors' else v}" for n, v in other.parts.items() if v != parts[n]
        )
        out.append(f"  {reading.asks}")
        out.append(f"    taken here: {reading.options[reading.default]}")
        out.append(f"    but if {reading.options[option]}: {changed}   ({reading.id} = {option})")
    return "\n".join(out)


def _json(book: Rulebook, done: Scored) -> str:
    import json

    def ends(found: Any) -> list[dict[str, object]]:
        return [{"space": c, "side": int(s), "kind": k} for c, s, k in found]

    return json.dumps(
        {
            "schema": 1,
            "rulebook": book.name,
            "variant": done.variant,
            "points": dict(done.points.parts),
            "errors": ends(done.points.errors),
            "not_allowed": ends(done.points.clashes),
            "readings": [
                {"reading": id, "option": option, "points": dict(p.parts)}
                for (id, option), p in done.others.items()
            ],
        },
        indent=2,
        ensure_ascii=False,
    )
