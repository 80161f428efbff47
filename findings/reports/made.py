"""Reports made: from an audit to files, each format by its name.

Promises: nothing is written before everything is made; a report says nothing that the audit does not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from findings.finding import Audit
from findings.output import STANDARD_OUTPUT, check_target, write_atomic
from findings.reports.day import today
from findings.reports.i18n import Texts
from findings.reports.source import SourceText, read
from findings.reports.view import Book, books
from findings.text import printable
from models.language import registry
from models.language.errors import ModelError
from models.language.pictures import Draw
from models.language.words import Words

if TYPE_CHECKING:
    from findings.progress import Progress
    from models.language.book import Rulebook

#: Formats that are written as several files into a folder.
FOLDERS = frozenset({"itf", "translators", "developers"})
Content = str | bytes


def check(form: str, output: Path | None) -> None:
    """Refuse a place that cannot be written to, before the work.

    Errors:
        ModelError: a file where a folder is needed, or the other way round; a missing folder.
    """
    if form not in FOLDERS:
        check_target(output)
        return
    assert output is not None
    shown = printable(str(output))
    if output == STANDARD_OUTPUT or (output.exists() and not output.is_dir()):
        raise ModelError("this is no folder", where=shown, hint="name a folder, it is made if need be")
    if not output.absolute().parent.is_dir():
        raise ModelError("the folder around it does not exist", where=shown, hint="make it first")


def source_text(book: Rulebook, path: Path | None) -> SourceText | None:
    """The rulebook's text, where a path is given."""
    return read(book, path) if path is not None else None


def audit_from(path: Path, book: Rulebook, variants: Sequence[str]) -> Audit:
    """An audit from a file, as far as it is about a rulebook and some variants.

    Errors:
        ModelError: no audit, or nothing about the rulebook or a variant in it.
    """
    from findings.reports.load import load

    found = load(path)
    about = [r for r in found.rulebooks if r.rulebook == book.name]
    if not about:
        names = ", ".join(sorted({printable(r.rulebook) for r in found.rulebooks})) or "nothing"
        raise ModelError(
            f"this audit says nothing of {book.name}",
            where=printable(str(path)),
            hint=f"it is about {names}",
        )
    there = {r.variant for r in about}
    for variant in variants:
        if variant not in there:
            raise ModelError(
                f"this audit says nothing of {book.name} in variant {printable(variant)!r}",
                where=printable(str(path)),
                hint=f"it has {', '.join(sorted(map(printable, there)))}",
            )
    return Audit(rulebooks=tuple(r for r in about if not variants or r.variant in variants))


def audit_now(
    name: str, variants: Sequence[str], size: str, folder: Path, progress: Progress, rulings: bool = False
) -> Audit:
    """Audit a rulebook with everything that reports show, held against what is recorded.

    Args:
        name: its name or path.
        variants: the variants.
        size: the size.
        folder: where findings are recorded.
        progress: where to say how far it is.
        rulings: whether to apply the answers from outside the text.
    """
    from findings import baseline, print_record
    from findings.audit import audit_rulebook
    from findings.jobs import Job, Kept, run_all

    book = registry.find(name)
    stem = f"{book.name}.rulings" if rulings else book.name
    path = baseline.baseline_path(stem, folder)
    known = baseline.load(path, book.name)
    if rulings:
        found = [
            audit_rulebook(book, variant=v, size=size, progress=progress, rulings=True, details=True)
            for v in variants
        ]
    else:
        record = print_record.load(print_record.record_path(path), book.name)
        at_print = print_record.AtPrint(record=record)
        jobs = [Job(rulebook=name, variant=v, size=size, at_print=at_print, details=True) for v in variants]
        found = [done.audit for done in run_all(jobs, kept=Kept(), progress=progress)]
    return Audit(rulebooks=tuple(baseline.with_accepted(a, known) for a in found))


def write(
    audit: Audit,
    book: Rulebook,
    texts: Texts,
    form: str,
    output: Path | None,
    source: SourceText | None = None,
    target: str = "",
) -> list[str]:
    """Make a report and write it.

    Args:
        audit: the audit of one rulebook.
        book: the rulebook.
        texts: the language of the report.
        form: a format or a pack.
        output: the file or folder; None for the standard output.
        source: the rulebook's text, if it is at hand.
        target: ISO 639 code of the language that is translated into; that of the report unless given.

    Returns:
        The paths that were written.
    """
    content = make(audit, book, texts, form, source, target)
    if isinstance(content, Mapping):
        assert output is not None
        return _write_folder(content, output)
    write_atomic(output or STANDARD_OUTPUT, content)
    return [str(output)] if output is not None and output != STANDARD_OUTPUT else []


def _write_folder(files: Mapping[str, Content], folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        check_target(folder / name)
    for name, content in files.items():
        write_atomic(folder / name, content)
    return [str(folder / name) for name in files]


def make(
    audit: Audit,
    book: Rulebook,
    texts: Texts,
    form: str,
    source: SourceText | None = None,
    target: str = "",
) -> Content | Mapping[str, Content]:
    """A report: one file's content, or several by their names.

    Args:
        audit: the audit of one rulebook.
        book: the rulebook.
        texts: the language of the report.
        form: a format or a pack.
        source: the rulebook's text, if it is at hand.
        target: ISO 639 code of the language that is translated into; that of the report unless given.
    """
    if form == "json":
        from findings.reports.json import render

        return render(audit)
    (shown,) = books(audit.rulebooks, {book.name: source} if source is not None else None)
    words = _words(book, texts.language)
    return _MAKERS[form](_Job(shown, texts, words, draw_of(book), book, target or texts.language))


def draw_of(book: Rulebook) -> Draw | None:
    """What draws the tables of a rulebook, if it has pictures.

    Errors:
        ModelError: its `picture.py` cannot be loaded.
    """
    module = registry.beside(book, "picture")
    found: Draw | None = getattr(module, "draw", None)
    return found


def _words(book: Rulebook, language: str) -> Words:
    """The rulebook's words in a language, those in English where it has none."""
    english, own = Words.load(book.folder), Words.load(book.folder, language)
    return Words(merged(english.table, own.table), own.where)


def merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """Two tables, the second before the first, key by key."""
    made = dict(under)
    for key, value in over.items():
        below = made.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        made[key] = merged(below, value) if both else value  # type: ignore[arg-type]
    return made


def _address(book: Rulebook) -> str:
    """What finds a rulebook again: its name, or the path of its folder from here."""
    if book.name in registry.names() or book.folder is None:
        return book.name
    return Path(os.path.relpath(book.folder)).as_posix()


# -- formats ---------------------------------------------------------------------------------------------


@attrs.frozen
class _Job:
    """What a format is made of."""

    book: Book
    texts: Texts
    words: Words
    draw: Draw | None
    rulebook: Rulebook
    target: str


def _html(job: _Job) -> Content:
    from findings.reports import html

    return html.render(job.book, job.texts, words=job.words, draw=job.draw, made=today())


def _markdown(job: _Job) -> Content:
    from findings.reports import markdown

    return markdown.full(job.book, job.texts)


def _comment(job: _Job) -> Content:
    from findings.reports import markdown

    return markdown.comment(job.book, job.texts)


def _pdf(job: _Job) -> Content:
    from findings.reports import pdf

    return pdf.render(job.book, job.texts, words=job.words, draw=job.draw, made=today())


def _sarif(job: _Job) -> Content:
    from findings.reports.ci import sarif

    return sarif.render(job.book)


def _junit(job: _Job) -> Content:
    from findings.reports.ci import junit

    return junit.render(job.book)


def _github(job: _Job) -> Content:
    from findings.reports.ci import github

    return github.render(job.book)


def _jsonl(job: _Job) -> Content:
    from findings.reports.ci import jsonl

    return jsonl.render(job.book)


def _itf(job: _Job) -> Mapping[str, Content]:
    from findings.reports.ci import itf

    return itf.traces(job.book)


def _translators(job: _Job) -> Mapping[str, Content]:
    from findings.reports.translators import pack

    english = Words.load(job.rulebook.folder)
    own = Words.load(job.rulebook.folder, job.target)
    return pack.files(job.book, job.texts, english, own, job.target)


def _developers(job: _Job) -> Mapping[str, Content]:
    from findings.reports.developers import pack

    return pack.files(job.book, job.texts, _address(job.rulebook))


_Maker = Callable[[_Job], Content | Mapping[str, Content]]
_MAKERS: Mapping[str, _Maker] = {
    "html": _html,
    "markdown": _markdown,
    "comment": _comment,
    "pdf": _pdf,
    "sarif": _sarif,
    "junit": _junit,
    "github": _github,
    "jsonl": _jsonl,
    "itf": _itf,
    "translators": _translators,
    "developers": _developers,
}
