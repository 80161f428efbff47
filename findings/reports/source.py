"""The rulebook's own text beside its record, for reports that show or place sentences.

Promises: the text is read when a report is made and goes into that report alone; a sentence stands for a
clause only if its digest says so, or if it is the changed one by signature (and then it is marked).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs

from findings.text import printable
from models.language.book import Rulebook
from models.language.clauses import Clause
from models.language.drift import match
from models.language.errors import ModelError
from models.language.sentences import read_source


@attrs.frozen
class Original:
    """A sentence of the text.

    Attributes:
        clause: id of the clause that stands for it; "" for a sentence that no clause stands for.
        text: the sentence.
        line: the line that it begins on.
        heading: whether it is a heading.
        changed: whether it is not the sentence that the clause was written for.
        section: id of the section of the record, "" if there is none.
    """

    clause: str
    text: str
    line: int
    heading: bool = False
    changed: bool = False
    section: str = ""


@attrs.frozen(eq=False)
class SourceText:
    """A text held against the record.

    Attributes:
        path: the file, as it was named.
        language: ISO 639 code of its language.
        sentences: sentences and headings, in the order of the text.
        gone: ids of clauses whose sentence the text does not have.
    """

    path: str
    language: str
    sentences: tuple[Original, ...]
    gone: tuple[str, ...]
    by_clause: Mapping[str, Original]

    @property
    def new(self) -> tuple[Original, ...]:
        """Sentences that no clause stands for."""
        return tuple(s for s in self.sentences if not s.clause and not s.heading)

    @property
    def changed(self) -> tuple[Original, ...]:
        """Sentences that have changed since the record was written."""
        return tuple(s for s in self.sentences if s.changed)


def read(book: Rulebook, path: Path) -> SourceText:
    """Read a rulebook's text and hold it against its clauses.

    Args:
        book: the rulebook.
        path: the text file.

    Errors:
        ModelError: the text cannot be read or is another one, or the rulebook has no clauses.
    """
    clauses = book.clauses
    if clauses is None:
        raise ModelError(f"rulebook {book.name} has no clauses.toml", hint="leave --source out")
    drift = match(clauses, read_source(path))
    found = [(m.entry, m.sentence, False) for m in (*drift.matched, *drift.moved)]
    if not any(isinstance(entry, Clause) for entry, _, _ in found):
        raise ModelError(
            f"no sentence on record of {printable(book.name)} stands in this text",
            where=printable(str(path)),
            hint="give the text that its clauses were written for",
        )
    found += [(c.entry, c.sentence, True) for c in drift.changed]
    placed: list[tuple[int, int, Original]] = []
    for entry, sentence, changed in found:
        clause = entry.id if isinstance(entry, Clause) else ""
        section = entry.section if isinstance(entry, Clause) else entry.id
        heading = not isinstance(entry, Clause)
        made = Original(clause, sentence.text, sentence.line, heading, changed, section)
        placed.append((sentence.line, sentence.ordinal, made))
    placed += [(s.line, s.ordinal, Original("", s.text, s.line)) for s in drift.new]
    placed.sort(key=lambda p: p[:2])
    made_of = tuple(original for _, _, original in placed)
    gone = tuple(e.id for e in drift.gone if isinstance(e, Clause))
    by_clause = {s.clause: s for s in made_of if s.clause}
    return SourceText(str(path), clauses.language, made_of, gone, by_clause)
