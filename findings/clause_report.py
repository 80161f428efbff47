"""Which sentences the model cites, and which have changed in a source.

Promises: without a source nothing of the original text is needed; with one, each change is told with the
rules, readings, properties, examples and recorded findings that hang on it. Ends with 1 if the source and
the clauses differ, or a sentence that needs one has no citation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from findings import baseline
from findings.audit.survey import examples_of
from findings.cli.shared import recorded_folder
from findings.reports.blocks import labelled, line
from findings.reports.words import words
from models.language.book import Rulebook
from models.language.clauses import Clause, Clauses
from models.language.drift import Change, Drift, match, unanswered
from models.language.errors import ModelError
from models.language.ir import Kind
from models.language.sentences import read_source
from properties import kinds

Hanging = Mapping[str, Mapping[str, list[str]]]
_GROUPS = ("rules", "readings", "properties", "examples", "findings")


def clause_report(book: Rulebook, *, source: Path | None, console: Console) -> int:
    """Print coverage by sentence, and with a source what changed.

    Args:
        book: The rulebook.
        source: The rulebook's text, or None.
        console: Where to print.

    Returns:
        0, or 1 where something is not accounted for.

    Errors:
        ModelError: the source or the clauses cannot be read.
    """
    clauses = book.clauses
    if clauses is None:
        raise ModelError(
            f"rulebook {book.name} has no clauses.toml", hint="give it one, with an entry per sentence"
        )
    hangs = hanging(book)
    if source is None:
        return _coverage(clauses, hangs, console)
    text = read_source(source)
    drift = match(clauses, text)
    open_words = unanswered(clauses, text)
    w = words()
    recorded = len(drift.matched) + len(drift.moved) + len(drift.changed) + len(drift.gone)
    console.print(line(w("clauses.matched", matched=len(drift.matched), n=recorded)))
    for block in _changes(drift, hangs):
        console.print(block)
    if open_words:
        console.print(line(w("clauses.open_words")))
        console.print(labelled([(u.clause.id, line(f"{u.word}: {u.why}")) for u in open_words], 32))
    if drift.clean and not open_words:
        console.print(line(w("clauses.clean")))
        return 0
    return 1


def hanging(book: Rulebook) -> Hanging:
    """What hangs on each clause: names of rules, readings, properties, examples, fingerprints of findings."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))

    def add(clause: str, group: str, name: str) -> None:
        if name not in found[clause][group]:
            found[clause][group].append(name)

    first = next(iter(book.sizes))
    sizes = [first, *(name for name in book.sizes if name.startswith(f"{first}-"))]
    for variant, size in product(book.variants, sizes):
        for rulings in (False, True) if book.rulings else (False,):
            program = book.build(size, variant, rulings=rulings)
            for i in program.instances:
                for c in i.clauses:
                    add(c, "rules", i.rule)
            for s in program.sites:
                for c in s.clauses if s.kind is not Kind.CAPACITY else ():
                    add(c, "rules", s.name)
    for end in book.ends.values():
        for c in end.clauses:
            add(c, "rules", end.what)
    for o in book.overrides:
        add(o.clause, "rules", o.table)
    for ruling in book.rulings.values():
        for name in (*ruling.picks, *ruling.answers):
            add(ruling.id, "readings", name)
    for r in book.readings.values():
        for c in (*r.clauses, *r.leans[1:]):
            add(c, "readings", r.id)
    for p in kinds.of(book):
        for c in p.clauses:
            add(c, "properties", p.name)
    for e in examples_of(book):
        for c in e.clauses:
            add(c, "examples", e.name)
    for m in book.missing_parts:
        for c in m.clauses:
            add(c, "readings", m.id)
    for fact in book.facts:
        add(fact.clause, "rules", "fact")
    path = baseline.baseline_path(book.name, recorded_folder(book, None))
    for entry in baseline.load(path, book.name).accepted:
        for c in entry.clauses:
            add(c, "findings", entry.fingerprint)
    return found


def _coverage(clauses: Clauses, hangs: Hanging, console: Console) -> int:
    w, bad = words(), 0
    rows = Table.grid(padding=(0, 2))
    for style in ("", "dim", ""):
        rows.add_column(overflow="fold", style=style)
    cited = 0
    for clause in clauses:
        by = [
            name
            for group in _GROUPS
            if group != "findings"
            for name in hangs.get(clause.id, {}).get(group, [])
        ]
        cited += bool(by)
        if by:
            text = ", ".join(by)
        elif clause.uncited or clause.exempt:
            text = w("clauses.none", why=clause.uncited or clause.kind.value)
        else:
            text, bad = w("clauses.unexplained"), bad + 1
        rows.add_row(line(clause.id), line(clause.kind.value), line(text))
    console.print(rows)
    console.print(line(w.count("clauses.of", len(clauses), cited=cited)))
    return 1 if bad else 0


def _changes(drift: Drift, hangs: Hanging) -> Iterator[Padding]:
    w = words()
    for change in drift.changed:
        yield _entry(
            "changed",
            change.entry,
            hangs,
            [
                *_before(change),
                ("clauses.now", change.sentence.text),
                ("clauses.line", str(change.sentence.line)),
            ],
        )
    for moved in drift.moved:
        yield _entry("moved", moved.entry, hangs, [("clauses.line", str(moved.sentence.line))])
    for gone in drift.gone:
        yield _entry("gone", gone, hangs, [])
    for sentence in drift.new:
        yield labelled(
            [(w("clauses.new"), line(w("clauses.line", line=sentence.line) + f": {sentence.text}"))]
        )


def _before(change: Change) -> Iterator[tuple[str, str]]:
    if isinstance(change.entry, Clause):
        yield "clauses.was", change.entry.text


def _entry(how: str, entry: object, hangs: Hanging, parts: list[tuple[str, str]]) -> Padding:
    w, id = words(), str(getattr(entry, "id", ""))
    rows = [(w(f"clauses.{how}"), line((id, "bold")))]
    for key, text in parts:
        if key == "clauses.line":
            rows.append(("", line((w(key, line=text), "dim"))))
        else:
            rows.append((w(key), line(text)))
    for group in _GROUPS:
        names = hangs.get(id, {}).get(group)
        if names:
            rows.append((w(f"clauses.{group}"), line(", ".join(names))))
    return labelled(rows, 20)


__all__ = ["clause_report", "hanging"]
