"""Units: the sentences of the text in order, each with what a translator has to know of it.

Promises: the text is the one at hand and is held in no other place; every note comes from the audit.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from findings.finding import Status
from findings.reports.i18n import Texts
from findings.reports.names import stake_name, status_name
from findings.reports.source import SourceText
from findings.reports.view import ASKED, Book, Item
from findings.text import printable


@attrs.frozen
class Unit:
    """A sentence or heading to translate.

    Attributes:
        id: the clause; `section:<id>` for a heading, `line-<n>` for a sentence that no clause stands for.
        text: the sentence as it stands in the text.
        line: the line that it begins on.
        section: title of its section.
        notes: what a translator has to know, a note each.
        items: the findings about it.
    """

    id: str
    text: str
    line: int
    section: str
    notes: tuple[str, ...]
    items: tuple[Item, ...]

    @property
    def asked(self) -> bool:
        """Whether a question about it is open."""
        return any(i.finding.status in ASKED for i in self.items)


def units(book: Book, source: SourceText, t: Texts) -> tuple[Unit, ...]:
    """The units of a text, in its order; each id once."""
    return tuple(_units(book, source, t))


def _units(book: Book, source: SourceText, t: Texts) -> Iterator[Unit]:
    taken: set[str] = set()
    section = ""
    for s in source.sentences:
        if s.heading:
            section = s.text
        sentence = book.by_id.get(s.clause)
        title = book.section_of(sentence).title if sentence is not None else section
        name = s.clause or (f"section:{s.section}" if s.heading else f"line-{s.line}")
        id, n = name, 1
        while id in taken:
            n += 1
            id = f"{name}-{n}"
        taken.add(id)
        items = book.about.get(s.clause, ()) if s.clause else ()
        notes = [note(i, t) for i in items]
        if s.changed:
            notes.append(t.gettext("This sentence has changed since it was recorded."))
        if sentence is not None:
            notes += [
                f"{word}: {told}"
                for word, told in sentence.open_words.items()
                if not told.startswith("reading:")
            ]
        yield Unit(id, s.text, s.line, title, tuple(map(printable, notes)), items)


def note(item: Item, t: Texts) -> str:
    """A finding as a note: the question, the readings, what the model takes, how much it matters."""
    f = item.finding
    about = ", ".join((item.short, status_name(t, f.status), stake_name(t, f.stake)))
    parts = [f"{f.code} ({about}): {f.question or f.title}"]
    parts += [f"{chr(ord('A') + n % 26)}: {o.outcome}." for n, o in enumerate(f.options)]
    if f.default:
        parts.append(t.gettext("As the model plays it: {id}.", id=f.default))
    if f.status in (Status.SETTLED, Status.LEANS) and f.because:
        parts.append(f.because)
    return " ".join(p.replace("..", ".") for p in parts)
