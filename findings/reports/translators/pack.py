"""The pack: every file of it by name.

Promise: all files are made of the same units, so that a question stands in each of them at the same
sentence with the same fingerprint.
"""

from __future__ import annotations

from collections.abc import Mapping

from findings.reports.i18n import Texts
from findings.reports.translators import po, sheet, terms, word, xliff
from findings.reports.translators.units import units
from findings.reports.view import Book
from models.language.words import Words


def files(book: Book, t: Texts, english: Words, own: Words, target: str) -> Mapping[str, str | bytes]:
    """The files of the pack.

    Args:
        book: the rulebook, with its text.
        t: the language of notes.
        english: the rulebook's words in English, with its term table.
        own: its words in the language that is translated into.
        target: that language.
    """
    source = book.source
    assert source is not None
    made = units(book, source, t)
    found = terms.terms(book, english, own, t)
    stem, path, language = f"{book.name}.{target}", source.path, source.language
    return {
        f"{stem}.po": po.render(made, rulebook=book.name, title=book.title, target=target, path=path),
        f"{stem}.xlf": xliff.render_12(made, source=language, target=target, path=path),
        f"{stem}.2.xlf": xliff.render_20(made, source=language, target=target, path=path),
        "glossary.txt": terms.glossary(found),
        f"{stem}.tbx": terms.tbx(found, title=book.title, source=language, target=target),
        f"{stem}.tmx": terms.tmx(book, found, source=language, target=target),
        f"{stem}.docx": word.render(made, rulebook=book.name, title=book.title, t=t),
        f"{stem}.xlsx": sheet.render(book, source, t),
        "terms.txt": terms.inconsistent(source, english, t),
    }
