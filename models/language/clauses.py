"""The clauses of a rulebook: every sentence of its text, in our own words.

Promises:

- `Clauses.load` reads a `clauses.toml` completely, or says in one line what is wrong with it, where, and
  what to do. Its format is described by `clauses.schema.json` beside this module.
- No original sentence is held: a clause knows its place, the digest of the original and a signature that
  finds a changed one again (see `models.language.sentences`).

Comparing the clauses with a text is done in `models.language.drift`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.openwords import checklist
from models.language.sentences import PREFACE, decode, digest, read_bytes
from models.language.tables import Table, called, parse

SCHEMA = 1
"""The version of the format that is read and written."""


class Kind(StrEnum):
    """What a sentence is for."""

    RULE = "rule"
    SETUP = "setup"
    COMPONENT = "component"
    DEFINITION = "definition"
    EXAMPLE = "example"
    EXCEPTION = "exception"
    FLAVOUR = "flavour"
    NOTE = "note"


class Force(StrEnum):
    """What a sentence does to those who play: bind, allow, forbid, or state."""

    MUST = "must"
    MAY = "may"
    MUST_NOT = "must-not"
    IS = "is"


class Source(StrEnum):
    """Where a clause comes from: the rulebook's text, public facts beside it, or a ruling upon it."""

    TEXT = "text"
    OUTSIDE = "outside"
    RULING = "ruling"


EXEMPT = frozenset({Kind.COMPONENT, Kind.DEFINITION, Kind.EXAMPLE, Kind.FLAVOUR, Kind.NOTE})
"""Kinds of clause that no rule needs to cite."""

UNASKED = frozenset({Kind.FLAVOUR, Kind.NOTE})
"""Kinds of clause whose open words need no answer: they state no rule."""


@frozen
class Section:
    """A section of the source, opened by a heading.

    Attributes:
        id: its name in clauses, made of lower-case words joined by hyphens.
        title: its heading in our own words, or as it stands if that is a term.
        digest: the digest of the heading; "" for text before the first heading and for what comes from
            outside of the text.
        signature: the signature of the heading, or "".
        line: the line of the source on which it stood when the clauses were written, or 0.
    """

    id: str
    title: str
    digest: str = ""
    signature: str = ""
    line: int = 0


@frozen
class Clause:
    """A sentence of a rulebook in our own words.

    Attributes:
        id: its name, `section.what`.
        section: the id of its section.
        ordinal: its place in the section, counted from 1; 0 for a heading that states something.
        kind: what the sentence is for.
        force: what it does to those who play.
        text: the sentence in our own words.
        digest: the digest of the original sentence; "" unless it comes from the text.
        signature: the signature of the original sentence; "" unless it comes from the text.
        source: where it comes from.
        address: where what is not from the text was found, or "".
        uncited: why no rule needs to cite it, or "".
        words: for each open word of the original (see `models.language.openwords`) what the model takes it
            to mean and why, or `reading:<id>`.
        line: the line of the source on which it stood when the clauses were written, or 0. It may shift.
    """

    id: str
    section: str
    ordinal: int
    kind: Kind
    force: Force
    text: str
    digest: str = ""
    signature: str = ""
    source: Source = Source.TEXT
    address: str = ""
    uncited: str = ""
    words: Mapping[str, str] = field(factory=dict, hash=False)
    line: int = 0

    @property
    def exempt(self) -> bool:
        """Whether no rule needs to cite it, by its kind or for the reason given."""
        return self.kind in EXEMPT or bool(self.uncited)

    @property
    def readings(self) -> tuple[str, ...]:
        """The ids of the readings that answer its open words, each once."""
        named = (answer.removeprefix("reading:") for answer in self.words.values() if _READING.match(answer))
        return tuple(dict.fromkeys(named))


@frozen
class Clauses:
    """All clauses of a rulebook, in the order of its text.

    Attributes:
        rulebook: the rulebook's name.
        language: ISO 639 code of the source's language.
        sections: its sections, in the order of the text.
        clauses: its clauses, by section and ordinal.
        path: the file that they were read from.
    """

    rulebook: str
    language: str
    sections: tuple[Section, ...]
    clauses: tuple[Clause, ...]
    path: str
    _by_id: dict[str, Clause] = field(
        init=False,
        repr=False,
        eq=False,
        default=Factory(lambda self: {clause.id: clause for clause in self.clauses}, takes_self=True),
    )

    @classmethod
    def load(cls, path: Path | str) -> Clauses:
        """Read a `clauses.toml`.

        Raises:
            ModelError: the file cannot be read, is not UTF-8, not TOML, or not of the format. The message
                names the file, the line and the clause, and what to do.
        """
        place = str(path)
        data = read_bytes(path, "give the path of a clauses.toml")
        text = decode(data, place)
        return _read(parse(text, place), text, place)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return len(self.clauses)

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __getitem__(self, id: str) -> Clause:
        """The clause of this id; a `ModelError` with the nearest id if there is none."""
        try:
            return self._by_id[id]
        except KeyError:
            hint = did_you_mean(id, self._by_id) or "give the id of one of its clauses"
            raise ModelError(f"there is no clause {id!r}", where=self.path, hint=hint) from None

    def section(self, id: str) -> Section:
        """The section of this id; a `ModelError` with the nearest id if there is none."""
        for section in self.sections:
            if section.id == id:
                return section
        known = [section.id for section in self.sections]
        hint = did_you_mean(id, known) or "give the id of one of its sections"
        raise ModelError(f"there is no section {id!r}", where=self.path, hint=hint)


# --- reading the file ----------------------------------------------------------------------------------

_NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_SECTION_ID = re.compile(_NAME + r"\Z")
_CLAUSE_ID = re.compile(rf"{_NAME}(?:\.{_NAME})+\Z")
_READING = re.compile(rf"reading:{_NAME}(?:\.{_NAME})*\Z")
_DIGEST = re.compile(r"[0-9a-f]{16}\Z")
_SIGNATURE = re.compile(r"[0-9a-f]{32}\Z")
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*clause[ \t]*\]\]", re.MULTILINE)
_TERM = 4
"""The number of words up to which a text may be the original's: a term may be quoted."""


def _read(data: dict[str, Any], text: str, place: str) -> Clauses:
    top = Table(data, place)
    top.keys(["schema", "rulebook", "language", "sections", "clause"])
    version = top.whole("schema", 1, f"write schema = {SCHEMA} at the top")
    if version != SCHEMA:
        raise top.wrong(f"schema {version} is not known", f"this version reads schema {SCHEMA}")
    rulebook = top.text("rulebook", "give the rulebook's name")
    language = top.text("language", "give a code of two or three letters such as en", "en")
    if not re.fullmatch(r"[a-z]{2,3}", language):
        raise top.wrong(
            f"language {language!r} is not a language code", "give two or three letters such as en"
        )
    sections = _sections(data.get("sections"), place)
    entries = data.get("clause", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise top.wrong("clause is not an array of tables", "begin every clause with [[clause]]")
    if not entries:
        raise top.wrong("there is no clause", "write one [[clause]] for each sentence of the source")
    lines, line, seen = [], 1, 0
    for found in _HEADER.finditer(text):
        line, seen = line + text.count("\n", seen, found.start()), found.start()
        lines.append(line)
    at = [f"{place}:{line}" for line in lines] if len(lines) == len(entries) else [place] * len(entries)
    clauses = [
        _clause(Table(entry, where), sections, language) for entry, where in zip(entries, at, strict=True)
    ]
    _unique(clauses, at)
    order = {section: number for number, section in enumerate(sections)}
    clauses.sort(key=lambda clause: (order[clause.section], clause.ordinal))
    return Clauses(rulebook, language, tuple(sections.values()), tuple(clauses), place)


def _sections(data: object, place: str) -> dict[str, Section]:
    if not isinstance(data, dict) or not data:
        raise ModelError(
            "sections is missing", where=place, hint="write a table [sections] with a line for each heading"
        )
    found: dict[str, Section] = {}
    for name, entry in data.items():
        where = f"{place}, section {name!r}"
        if not isinstance(entry, dict):
            raise ModelError(
                f"this is {called(entry)}", where=where, hint="write { title = …, digest = …, signature = … }"
            )
        table = Table(entry, where)
        if not _SECTION_ID.match(name):
            raise table.wrong("not an id", "use lower-case words joined by hyphens")
        table.keys(["title", "digest", "signature", "line"])
        title = table.text("title", "name the section in your own words")
        line = table.whole("line", 1, "count lines from 1", 0)
        if "digest" in entry or "signature" in entry:
            marks = table.hexes("digest", _DIGEST, 16), table.hexes("signature", _SIGNATURE, 32)
            found[name] = Section(name, title, *marks, line)
        else:
            found[name] = Section(name, title, line=line)
    return found


_KEYS = (
    "id",
    "section",
    "ordinal",
    "line",
    "kind",
    "force",
    "text",
    "digest",
    "signature",
    "source",
    "address",
    "uncited",
    "words",
)


def _clause(table: Table, sections: Mapping[str, Section], language: str) -> Clause:
    id = table.text("id", "give it one such as turn.roll")
    table = Table(table.data, f"{table.where}, clause {id!r}")
    if not _CLAUSE_ID.match(id):
        raise table.wrong("not a clause id", "write section.what, lower-case words joined by hyphens")
    table.keys(_KEYS)
    section = table.text("section", "name a section of [sections]")
    if section not in sections:
        hint = did_you_mean(section, sections)
        raise table.wrong(f"unknown section {section!r}", hint or "add it to [sections]")
    source = table.choice("source", Source, Source.TEXT)
    clause = Clause(
        id=id,
        section=section,
        ordinal=table.whole("ordinal", 0, "give its place in the section, counted from 1"),
        kind=table.choice("kind", Kind),
        force=table.choice("force", Force),
        text=table.text("text", "say the sentence in your own words"),
        digest=table.hexes("digest", _DIGEST, 16) if source is Source.TEXT else "",
        signature=table.hexes("signature", _SIGNATURE, 32) if source is Source.TEXT else "",
        source=source,
        address=table.text("address", "say where it was found", None if source is Source.OUTSIDE else ""),
        uncited=table.text("uncited", "say why no rule needs to cite it, or leave it out", ""),
        words=_words(table, language),
        line=table.whole("line", 1, "count lines from 1", 0),
    )
    _fits(table, clause, sections[section])
    return clause


def _words(table: Table, language: str) -> dict[str, str]:
    words = table.data.get("words", {})
    if not isinstance(words, dict):
        raise table.wrong(
            f"words is {called(words)}, not a table", "write [clause.words] with a line for each word"
        )
    known = checklist(language)
    answers = Table(words, f"{table.where}, words")
    for word in words:
        if known and word not in known:
            raise answers.wrong(
                f"{word!r} is not on the checklist", did_you_mean(word, known) or "leave it out"
            )
        answer = answers.text(word, "say what the model takes it to mean and why, or reading:<id>")
        if answer.startswith("reading:") and not _READING.match(answer):
            raise answers.wrong(
                f"{word} names the reading {answer[8:]!r}, which is not an id", "write reading:<id>"
            )
    return dict(words)


def _fits(table: Table, clause: Clause, section: Section) -> None:
    """Refuse what each part allows but the parts together do not."""
    if clause.source is not Source.TEXT and ("digest" in table.data or "signature" in table.data):
        raise table.wrong(
            f"a clause with source = {clause.source.value!r} has a digest", "leave digest and signature out"
        )
    if clause.source is Source.TEXT and clause.address:
        raise table.wrong(
            "a clause of the text has an address", "leave it out, or say source = 'outside' or 'ruling'"
        )
    if clause.source is Source.TEXT and not section.digest and section.id != PREFACE:
        raise table.wrong(
            f"section {section.id!r} has no digest, so no sentence of the text stands in it",
            f"give it the digest of its heading, or use {PREFACE!r} for text before the first heading",
        )
    if clause.ordinal == 0 and clause.digest != section.digest:
        raise table.wrong(
            "ordinal 0 is the heading, and the digests differ", "give it the digest of its section"
        )
    if len(clause.text.split()) > _TERM and digest(clause.text) == clause.digest:
        raise table.wrong("text is the original sentence", "say it in your own words")


def _unique(clauses: list[Clause], at: list[str]) -> None:
    ids: dict[str, str] = {}
    spots: dict[tuple[str, int], str] = {}
    for clause, where in zip(clauses, at, strict=True):
        if clause.id in ids:
            raise ModelError(
                f"this id is taken by the clause at {ids[clause.id]}",
                where=f"{where}, clause {clause.id!r}",
                hint="give one of the two another id",
            )
        ids[clause.id] = where
        spot = (clause.section, clause.ordinal)
        if spot in spots:
            raise ModelError(
                f"{clause.section} {clause.ordinal} is the place of {spots[spot]!r} already",
                where=f"{where}, clause {clause.id!r}",
                hint="give one of the two another ordinal",
            )
        spots[spot] = clause.id
