"""Where a finding stands in a file: the sentence in the text at hand, else its entry in `clauses.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

import attrs

from findings.detail import Sentence
from findings.reports.view import Book, Item


@attrs.frozen
class Place:
    """A line of a file.

    Attributes:
        file: the file, with forward slashes.
        line: the line, counted from 1.
        clause: the sentence that stands there.
        text: the sentence as it may be shown: its own words from the text at hand, else ours.
    """

    file: str
    line: int
    clause: str
    text: str


def places(book: Book, item: Item) -> tuple[Place, ...]:
    """The places of a finding's sentences, in the order in which it names them."""
    return tuple(_places(book, item.finding.clauses))


def _places(book: Book, clauses: tuple[str, ...]) -> Iterator[Place]:
    for id in clauses:
        sentence = book.by_id.get(id)
        found = place(book, sentence) if sentence is not None else None
        if found is not None:
            yield found


def place(book: Book, sentence: Sentence) -> Place | None:
    """The place of a sentence; None where nobody knows it."""
    original = book.source.by_clause.get(sentence.id) if book.source is not None else None
    if book.source is not None and original is not None:
        return Place(PurePath(book.source.path).as_posix(), original.line, sentence.id, original.text)
    behind = book.background
    if behind is not None and behind.clauses_file and sentence.line:
        return Place(behind.clauses_file, sentence.line, sentence.id, sentence.text)
    return None
