"""The kinds of finding for a person at a terminal: the list, and one explained."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from findings.codes import Code, all_codes
from findings.reports.blocks import labelled, line
from findings.reports.words import words


def list_all(to: Console) -> None:
    """Print code, name and title of every kind."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for code in all_codes().values():
        grid.add_row(line((code.code, "bold")), line(code.name), line((code.title, "dim")))
    to.print(grid)


def explain(code: Code, to: Console) -> None:
    """Print what a kind of finding says, why it matters, an example and who says it."""
    say = words()
    to.print(line((f"{code.code} {code.name}", "bold"), f"  {code.title}"))
    rows = {"what": code.what, "why": code.why, "example": code.example, "by": say(f"by.{code.by}")}
    to.print(labelled((say(key), line(text)) for key, text in rows.items()))
