"""The known rulebooks for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from findings.reports.blocks import line
from findings.reports.words import words


@attrs.frozen
class Row:
    """One rulebook.

    Attributes:
        name: what to write on the command line.
        title: as printed on the box.
        variants: names of its variants, the default first.
        sizes: names of its sizes, the default first.
        recorded: how many findings are recorded.
    """

    name: str
    title: str
    variants: tuple[str, ...]
    sizes: tuple[str, ...]
    recorded: int


def render(rows: Sequence[Row], to: Console) -> None:
    """Print the rulebooks as a table; if there is none, say so."""
    say = words()
    if not rows:
        to.print(line(say("no_rulebook")))
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for key in ("rulebook", "title", "variants", "sizes"):
        table.add_column(say(key), overflow="fold")
    table.add_column(say("recorded"), justify="right")
    for row in rows:
        parts = (row.name, row.title, ", ".join(row.variants), ", ".join(row.sizes), str(row.recorded))
        table.add_row(*(line(part) for part in parts))
    to.print(table)
