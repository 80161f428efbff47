"""The pack: every file of it by name."""

from __future__ import annotations

from collections.abc import Mapping

from findings.reports.developers import moments, options, witnesses
from findings.reports.i18n import Texts
from findings.reports.view import Book


def files(book: Book, t: Texts, rulebook: str = "") -> Mapping[str, str]:
    """The files of the pack.

    Args:
        book: the rulebook.
        t: the language of what people read.
        rulebook: what the tests find the model by: a name or a path; its name unless given.
    """
    return {
        "options.json": options.plain(book),
        "gameoptions.json": options.board_game_arena(book),
        "witnesses.json": witnesses.cases(book),
        "test_witnesses.py": witnesses.TESTS,
        "adapter.py": witnesses.adapter(rulebook or book.name),
        "moments.json": moments.as_json(book),
        "notes.md": moments.as_markdown(book, t),
    }
