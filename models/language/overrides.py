"""Overrides: changes that variants and rulings make to tables before they are traced.

Promises: of two overrides of one row it is said which prevails; an override of something absent is an error.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from models.language.choices import Build
from models.language.decisions import Row
from models.language.declarations import Override
from models.language.errors import ModelError, blaming
from models.language.nearest import did_you_mean
from models.language.state import State
from models.language.traced import Edited

if TYPE_CHECKING:
    from models.language.book import Rulebook


class Overrides:
    """The overrides of one build.

    Args:
        book: The rulebook.
        made: What is built.

    Errors:
        ModelError: an unknown ruling; two overrides of one row of which neither prevails.
    """

    def __init__(self, book: Rulebook, made: Build) -> None:
        self.active = list(_active(book, made))
        self.applied: set[Override] = set()
        self.rows: dict[str, dict[str, None]] = {}

    def edit(self, t: Any, table: str, rows: list[Row]) -> tuple[list[Row], Edited]:
        """The rows of a table after the overrides, and what is to be noted of them."""
        known, changes = dict.fromkeys(r.id for r in rows), dict[Override, None]()
        for change in self.active:
            if change.table != table:
                continue
            out: list[Row] = []
            for r in [*rows, *([None] if not change.row else [])]:
                if r is not None and r.id != change.row:
                    out.append(r)
                    continue
                with blaming(f"override of {table}"):
                    out += _edited(change, t, r)
                changes[change] = None
            rows = out
            known.update(dict.fromkeys(r.id for r in rows))
        return rows, Edited(table, tuple(known), tuple(changes))

    def note(self, edited: Edited) -> None:
        """Note that a table was traced."""
        self.rows.setdefault(edited.table, {}).update(dict.fromkeys(edited.rows))
        self.applied.update(edited.changes)

    def check_applied(self) -> None:
        """Check that nothing absent is overridden.

        Errors:
            ModelError: no table of that name, or no such row in it.
        """
        for o in self.active:
            if o in self.applied:
                continue
            rows = self.rows.get(o.table)
            near = did_you_mean(o.table, self.rows) if rows is None else did_you_mean(o.row, rows)
            raise ModelError(
                f"there is no table {o.table!r} to override"
                if rows is None
                else f"there is no row {o.row!r} in table {o.table!r} to override",
                where=f"{o.place}, override of {o.table}",
                hint=near or "name a table and a row that the rules use",
            )


def _active(book: Rulebook, made: Build) -> Iterator[Override]:
    """The overrides of a build in order of application.

    Errors:
        ModelError: two overrides of one row of which neither prevails.
    """
    for o in book.overrides:
        if o.ruling and o.ruling not in book.rulings:
            raise ModelError(
                f"there is no ruling {o.ruling!r}",
                where=f"{o.place}, override of {o.table}",
                hint=did_you_mean(o.ruling, book.rulings) or "declare it with `book.ruling`",
            )
    active = [
        o
        for o in book.overrides
        if o.variant in ("", made.variant)
        and (not o.ruling or o.ruling in made.rulings)
        and (o.sizes is None or o.sizes(made.size))
    ]
    for a, b in itertools.combinations(active, 2):
        same = a.row and (a.table, a.row) == (b.table, b.row)
        if same and (a.clause in b.overrides) == (b.clause in a.overrides):
            raise ModelError(
                f"row {a.row} of table {a.table} is overridden twice (also at {b.place})",
                where=f"{a.place}, override of {a.table}",
                hint="say which prevails (`overrides=` with the clause of the other), or merge them",
            )
    waiting = list(active)
    while waiting:
        ready = next(
            (
                o
                for o in waiting
                if not any(
                    p is not o and p.clause in o.overrides and (p.table, p.row) == (o.table, o.row)
                    for p in waiting
                )
            ),
            None,
        )
        if ready is None:
            raise ModelError(
                "overrides prevail over each other in a circle",
                where=str(waiting[0].place),
                hint="break the circle",
            )
        waiting.remove(ready)
        yield ready


def _edited(change: Override, t: State, row: Row | None) -> list[Row]:
    made = change.edit(t, row)
    rows = [made] if isinstance(made, Row) else list(made or ())
    if not all(isinstance(r, Row) for r in rows):
        raise ModelError(
            f"the override gives {made!r}",
            where=str(change.place),
            hint="return a row, several rows, or None to drop it",
        )
    return rows
