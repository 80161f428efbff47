"""What a person still has to say: clauses without words or rules, questions and names without words."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence

from findings.check.remarks import Remark, hint, warning
from findings.clause_report import hanging
from models.language.book import Rulebook
from models.language.ir import COVERAGE, Kind, Site
from models.language.program import Program
from models.language.skeleton import UNANSWERED, UNSAID
from models.language.words import Words

_SHOWN = 6


def listed(names: Sequence[str]) -> str:
    """Some names, the first few in full."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def clauses_said(book: Rulebook) -> Iterator[Remark]:
    """Clauses that wait for words, and clauses that no rule carries out."""
    clauses = book.clauses
    if clauses is None:
        yield warning(
            "no-clauses", book.name, "there is no clauses.toml", "give it an entry for each sentence"
        )
        return
    unsaid = [c.id for c in clauses if c.text == UNSAID]
    if unsaid:
        yield warning(
            "unsaid-clause",
            clauses.path,
            f"{len(unsaid)} sentences are not said in own words yet: {listed(unsaid)}",
            "write their texts",
        )
    open_words = [f"{c.id} ({word})" for c in clauses for word, said in c.words.items() if said == UNANSWERED]
    if open_words:
        yield warning(
            "unanswered-word",
            clauses.path,
            f"{len(open_words)} open words have no answer yet: {listed(open_words)}",
            "say what the model takes them to mean, or reading:<id>",
        )
    hangs = hanging(book)
    idle = [c.id for c in clauses if not c.exempt and not set(hangs.get(c.id, ())) - {"findings"}]
    for id in idle:
        yield warning(
            "clause-without-rule",
            f"{clauses.path}, clause '{id}'",
            "nothing cites this sentence",
            "cite it where it acts, or say in `uncited` why nothing needs to",
        )


def words_said(book: Rulebook, programs: Sequence[Program]) -> Iterator[Remark]:
    """Questions that have no words of their own, and names that are told as they stand in the code."""
    words = Words.load(book.folder, "en")
    place = words.where or book.name
    for site in {s.id: s for p in programs for s in p.sites}.values():
        if (
            site.kind not in COVERAGE
            and site.kind not in (Kind.CAPACITY, Kind.OVERLAP)
            and not _asked(words, site)
        ):
            told = f"{site.kind.value} {site.name} has no question in words.toml"
            yield hint(
                "no-question", site.place, told, f'give [en.site."{site.kind.value}:{site.name}"] an `ask`'
            )
    for reading in book.readings.values():
        if not reading.asks and not words.at("reading", reading.id, "ask"):
            told = f"reading {reading.id} has no question"
            yield warning("no-question", reading.place, told, "give it `asks`, or an `ask` in words.toml")
    rules = dict.fromkeys(i.rule for p in programs for i in p.instances)
    fields = dict.fromkeys(name for p in programs for name in p.layout.fields)
    members = dict.fromkeys(f"{kind.__name__}.{m.name}" for p in programs for kind in _enums(p) for m in kind)
    missing = {
        "rule": [r for r in rules if not words.at("rule", r)],
        "field": [f for f in fields if not words.at("field", f)],
        "enum": [m for m in members if not words.at("enum", *m.split(".", 1))],
    }
    for table, names in missing.items():
        if names:
            told = f"no words for {len(names)} of the table [en.{table}]: {listed(names)}"
            yield hint("missing-word", place, told, "plays and positions show them as they stand in the code")


def _asked(words: Words, site: Site) -> bool:
    keys = (site.id, f"{site.kind.value}:{site.name}")
    return any(words.at("site", key, "ask") for key in keys)


def _enums(program: Program) -> Iterator[type[enum.Enum]]:
    for slot in program.layout.slots:
        if slot.sort.members is not None:
            yield slot.sort.members
