"""Terms: a glossary for OmegaT, TBX and TMX, and terms that the text uses inconsistently.

Promises: terms come from the rulebook's words, their uses are counted in the text at hand; a translation is
offered only where the rulebook's words have one in that language.

The term table of a rulebook stands in its `words.toml`: `[[en.term]]` with `thing` (what is meant) and
`names` (what the text calls it). One thing with several names in the text, and one name of several things,
are told with the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from findings.finding import Status
from findings.reports.i18n import Texts
from findings.reports.source import SourceText
from findings.reports.translators.xml import LANG, document, element
from findings.reports.view import Book
from findings.text import printable
from models.language.errors import ModelError
from models.language.words import Words

_TBX = "urn:iso:std:iso:30042:ed-2"


@attrs.frozen
class Term:
    """A term of the rulebook.

    Attributes:
        source: the term in the language of the text.
        target: the term in the language that is translated into; "" where there is none.
        note: what it means.
    """

    source: str
    target: str
    note: str


def terms(book: Book, english: Words, own: Words, t: Texts) -> tuple[Term, ...]:
    """Terms from the words of components and the term table, each once, sorted."""
    found: dict[str, Term] = {}
    for w in book.words:
        if w.kind in ("field", "Phase") or not w.word.strip():
            continue
        target = own.at("enum", w.kind, w.id)
        found.setdefault(
            w.word.lower(), Term(w.word, str(target or ""), t.gettext("in the model: {id}", id=w.id))
        )
    for entry in table(english):
        for name in entry["names"]:
            if name.lower() not in found:
                found[name.lower()] = Term(name, "", entry["thing"])
    return tuple(sorted(found.values(), key=lambda term: term.source.lower()))


def table(words: Words) -> Sequence[Mapping[str, Any]]:
    """The term table.

    Errors:
        ModelError: an entry without `thing` or `names`.
    """
    entries = words.at("term") or []
    for entry in entries:
        names = entry.get("names") if isinstance(entry, Mapping) else None
        if not isinstance(names, list) or not all(isinstance(n, str) for n in names) or "thing" not in entry:
            raise ModelError(
                "a term needs `thing` and `names`", where=words.where, hint='write names = ["…", "…"]'
            )
    return list(entries)


def glossary(found: Sequence[Term]) -> str:
    """OmegaT's glossary: source, target and note between tabs."""
    rows = ("\t".join(printable(part) for part in (x.source, x.target, x.note)) for x in found)
    return "".join(f"{row}\n" for row in rows)


def tbx(found: Sequence[Term], *, title: str, source: str, target: str) -> bytes:
    """TBX-Basic (ISO 30042:2019), data categories as attributes."""
    root = element(None, f"{{{_TBX}}}tbx", nsmap={None: _TBX}, type="TBX-Basic", style="dca")
    root.set(LANG, source)
    header = element(root, "tbxHeader")
    file = element(header, "fileDesc")
    element(element(file, "titleStmt"), "title", text=title)
    element(element(file, "sourceDesc"), "p", text="ruleslawyer")
    body = element(element(root, "text"), "body")
    for n, term in enumerate(found, 1):
        concept = element(body, "conceptEntry", id=f"c{n}")
        element(concept, "descrip", text=term.note or term.source, type="definition")
        for language, text in ((source, term.source), (target, term.target)):
            if text:
                section = element(concept, "langSec")
                section.set(LANG, language)
                element(element(section, "termSec"), "term", text=text)
    return document(root)


def tmx(book: Book, found: Sequence[Term], *, source: str, target: str) -> bytes:
    """TMX 1.4: terms with their translation, and settled answers as segments with the question as note."""
    root = element(None, "tmx", version="1.4")
    header = element(root, "header", creationtool="ruleslawyer", creationtoolversion="1", segtype="phrase")
    about = {"o-tmf": "ruleslawyer", "adminlang": "en", "srclang": source, "datatype": "plaintext"}
    for key, value in about.items():
        header.set(key, value)
    body = element(root, "body")
    for n, term in enumerate(found, 1):
        if term.target:
            unit = element(body, "tu", tuid=f"term-{n}")
            _segment(unit, source, term.source)
            _segment(unit, target, term.target)
    for item in book.items:
        f = item.finding
        if f.status is Status.SETTLED:
            unit = element(body, "tu", tuid=f"answer-{f.fingerprint}")
            element(unit, "note", text=printable(f.question or f.title))
            element(unit, "prop", text=f.code, type="x-finding")
            _segment(unit, source, printable(f.because))
    return document(root, '<!DOCTYPE tmx SYSTEM "tmx14.dtd">')


def _segment(unit: Any, language: str, text: str) -> None:
    variant = element(unit, "tuv")
    variant.set(LANG, language)
    element(variant, "seg", text=text)


# -- consistency -------------------------------------------------------------------------------------------


def inconsistent(source: SourceText, words: Words, t: Texts) -> str:
    """Terms that the text uses inconsistently, as plain text; says so if there are none."""
    lines = [*_several_names(source, words, t), *_several_things(source, words, t)]
    return "\n".join(lines or [t.gettext("No term is used inconsistently.")]) + "\n"


def _several_names(source: SourceText, words: Words, t: Texts) -> Iterator[str]:
    everything = _names(words)
    for entry in table(words):
        used = {name: uses(source, name, everything) for name in entry["names"]}
        used = {name: lines for name, lines in used.items() if lines}
        if len(used) > 1:
            yield t.gettext("One thing, several names: {thing}", thing=printable(entry["thing"]))
            yield from _places(used, t)


def _several_things(source: SourceText, words: Words, t: Texts) -> Iterator[str]:
    things: dict[str, list[str]] = {}
    everything = _names(words)
    for entry in table(words):
        for name in entry["names"]:
            things.setdefault(name.lower(), []).append(printable(entry["thing"]))
    for name, meant in things.items():
        lines = uses(source, name, everything)
        if len(meant) > 1 and lines:
            yield t.gettext("One name, several things: {name}: {things}", name=name, things="; ".join(meant))
            yield from _places({name: lines}, t)


def _places(used: Mapping[str, Sequence[int]], t: Texts) -> Iterator[str]:
    for name, lines in used.items():
        listed = ", ".join(map(str, lines))
        yield "  " + t.ngettext(
            "{name}: {n} use, line {lines}",
            "{name}: {n} uses, lines {lines}",
            len(lines),
            name=printable(name),
            lines=listed,
        )


def _names(words: Words) -> frozenset[str]:
    return frozenset(name.lower() for entry in table(words) for name in entry["names"])


def uses(source: SourceText, name: str, names: frozenset[str] = frozenset()) -> list[int]:
    """The lines of the sentences that use a name, a line for each use.

    Args:
        source: the text.
        name: the name, found as a whole word in any case; a plural counts.
        names: all names; a use within a longer one of them (`pile` in `score pile`) is none.
    """
    longer = [n for n in names if n != name.lower() and _pattern(name).search(n)]
    found = []
    for s in source.sentences:
        text = s.text
        for other in longer:
            text = _pattern(other).sub(" ", text)
        found += [s.line for _ in _pattern(name).findall(text)]
    return found


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}(?:s|es)?\b", re.IGNORECASE)
