"""Rulings against findings: which printed answer answers which question of the text, and what it opens.

Promises: the table is made from two audits, one that knows no ruling and one with all of them, and from the
rulings one at a time; nothing in it is typed in. An answer is held to answer a finding if the ruling picks an
option of that reading, if it gives that missing part, or if, with the ruling alone, the play that led to the
question leads to the same table and no play meets the question any more.

An entry is a run of questions (clauses of kind `note`) with the clauses that follow it, up to the next
question; only runs with a ruling among them count.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs

from findings.audit.make import assemble
from findings.audit.play_findings import CODES
from findings.audit.survey import Hit, Survey, survey
from findings.finding import Finding, RulebookAudit
from findings.fingerprints import fingerprint
from findings.progress import Progress, SilentProgress
from models.language import registry
from models.language.book import Rulebook
from models.language.clauses import Clause
from models.language.clauses import Kind as ClauseKind
from models.language.ir import Kind
from models.language.program import Program
from models.language.questions import derived_id
from solvers.contract import Limits
from solvers.explorer import explore
from solvers.interpreter import Interpreter


@attrs.frozen(kw_only=True)
class Answered:
    """A finding of the text that an entry answers.

    Attributes:
        finding: As the audit without rulings tells it.
        closed: Whether it is gone once all rulings are applied.
    """

    finding: Finding
    closed: bool


@attrs.frozen(kw_only=True)
class Entry:
    """A question of the FAQ with its answer.

    Attributes:
        clauses: All of its clauses, questions first.
        rulings: The rulings among them.
        states_rule: Whether the answer states a rule of play.
        variants: Variants that it makes.
        answers: The findings that it answers.
        opens: Findings that come with the rulings and cite the answer.
    """

    clauses: tuple[str, ...]
    rulings: tuple[str, ...]
    states_rule: bool
    variants: tuple[str, ...]
    answers: tuple[Answered, ...]
    opens: tuple[Finding, ...]

    @property
    def reason(self) -> str:
        """Why it answers no finding: `variant`, `information` or `lost`; "" if it answers one."""
        if self.answers:
            return ""
        return "lost" if self.states_rule else "variant" if self.variants else "information"


@attrs.frozen(kw_only=True)
class RulingsReport:
    """The answers of a rulebook held against its findings.

    Attributes:
        without: The audit that knows no ruling.
        applied: The audit with all rulings.
        entries: The entries in the order of the text.
    """

    without: RulebookAudit
    applied: RulebookAudit
    entries: tuple[Entry, ...]

    @property
    def stated(self) -> int:
        """How many entries state a rule."""
        return sum(e.states_rule for e in self.entries)

    @property
    def matched(self) -> int:
        """How many entries that state a rule answer a finding."""
        return sum(e.states_rule and bool(e.answers) for e in self.entries)

    @property
    def unanswered(self) -> tuple[Finding, ...]:
        """Findings of the text that no entry speaks of."""
        spoken = {a.finding.fingerprint for e in self.entries for a in e.answers}
        return tuple(f for f in self.without.findings if f.fingerprint not in spoken)

    @property
    def opened(self) -> tuple[Finding, ...]:
        """Findings that come with the rulings."""
        known = {f.fingerprint for f in self.without.findings}
        return tuple(f for f in self.applied.findings if f.fingerprint not in known)


def rulings_report(
    rulebook: str | Rulebook,
    *,
    variant: str | None = None,
    size: str | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> RulingsReport:
    """Audit a rulebook without and with its rulings, and hold the rulings against the findings.

    Args:
        rulebook: A name, a path, or the rulebook itself.
        variant: The variant's name (the first unless given).
        size: The size's name (the first unless given), with its companions as in an audit.
        progress: Where to say how far it is.
        limits: When an exploration gives up.

    Returns:
        The report.

    Errors:
        ModelError: an unknown name, or a mistake in the rulebook.
    """
    book = registry.find(rulebook) if isinstance(rulebook, str) else rulebook
    told, bounds = progress or SilentProgress(), limits or Limits()
    surveys, audits = [], []
    for rulings in (False, True):
        began = time.monotonic()
        surveys.append(survey(book, variant, size, told, bounds, rulings))
        audits.append(assemble(surveys[-1], time.monotonic() - began))
    with told.task(f"{book.name}: rulings", len(book.rulings)) as tick:
        by_ruling = {}
        for ruling in book.rulings:
            by_ruling[ruling] = set(answered(surveys[0], ruling, bounds))
            tick(1)
    report = RulingsReport(without=audits[0], applied=audits[1], entries=())
    return attrs.evolve(report, entries=tuple(_entries(book, report, by_ruling)))


# -- what one ruling answers ------------------------------------------------------------------------------


def answered(done: Survey, ruling: str, limits: Limits) -> Iterator[str]:
    """Fingerprints of what one ruling answers, by itself.

    Args:
        done: A survey without rulings.
        ruling: The ruling.
        limits: When an exploration gives up.
    """
    book, made = done.book, done.book.rulings[ruling]
    for id in (*made.picks, *made.answers):
        yield fingerprint("RL107", book.name, [f"reading:{id}"])
        yield fingerprint("RL401", book.name, [f"missing:{id}"])
    for hit in done.hits.values():
        if hit.site.kind is Kind.CLASH and derived_id(hit.site.name, *hit.site.rows) in made.picks:
            yield fingerprint("RL101", book.name, [hit.site.id])
    if not (
        made.picks
        or any(ruling in (o.ruling, o.clause) for o in book.overrides)
        or any(r.ruling == ruling for r in book.rules)
    ):
        return
    for name in dict.fromkeys(h.program.size_name for h in done.hits.values()):
        here = [h for h in done.hits.values() if h.program.size_name == name]
        yield from _gone(done, ruling, name, here, limits)


def _gone(done: Survey, ruling: str, size: str, here: Sequence[Hit], limits: Limits) -> Iterator[str]:
    """What is met at a size without the ruling and is not met any more with it."""
    book = done.book
    program = book.build(size, done.variant, rulings=[ruling])
    if program.digest == here[0].program.digest:
        return
    explored = explore(program, limits=limits)
    for hit in here:
        code = "RL101" if hit.site.kind is Kind.CLASH else CODES.get(hit.site.kind)
        gone = explored.complete and hit.site.id not in explored.sites
        if code is not None and gone and _same_table(hit, program):
            yield fingerprint(code, book.name, [hit.site.id])


def _same_table(hit: Hit, other: Program) -> bool:
    """Whether the play to a question leads another program to the same table, where it is due."""
    run, labels = Interpreter(other), hit.play.labels[:-1]
    state, wanted = other.start, Interpreter(hit.program).replay(labels)[-1]
    for label in labels:
        instance = other.by_label.get(label)
        if instance is None or instance not in run.enabled(state):
            return False
        after = run.step(state, instance).state
        if after is None:
            return False
        state = after
    return all(state[s] == wanted[s] for s in other.observable)


# -- entries ---------------------------------------------------------------------------------------------


def _entries(book: Rulebook, report: RulingsReport, by_ruling: Mapping[str, set[str]]) -> Iterator[Entry]:
    left = {f.fingerprint for f in report.applied.findings}
    for run in _runs(book):
        ids = tuple(c.id for c in run)
        rulings = tuple(i for i in ids if i in book.rulings)
        if not rulings:
            continue
        marks = set().union(*(by_ruling[r] for r in rulings))
        answers = tuple(
            Answered(finding=f, closed=f.fingerprint not in left)
            for f in report.without.findings
            if f.fingerprint in marks
        )
        opens = tuple(f for f in report.opened if set(f.clauses) & set(ids))
        variants = dict.fromkeys(v for r in book.rules if set(r.clauses) & set(ids) for v in r.only)
        rules = [c for c in run if c.kind is ClauseKind.RULE and not c.uncited]
        yield Entry(
            clauses=ids,
            rulings=rulings,
            states_rule=bool(rules),
            variants=tuple(variants),
            answers=answers,
            opens=opens,
        )


def _runs(book: Rulebook) -> Iterator[list[Clause]]:
    """Questions with what follows them, section by section."""
    clauses = list(book.clauses or ())
    starts = [
        n
        for n, c in enumerate(clauses)
        if n == 0
        or clauses[n - 1].section != c.section
        or (c.kind is ClauseKind.NOTE and clauses[n - 1].kind is not ClauseKind.NOTE)
    ]
    for a, b in pairwise([*starts, len(clauses)]):
        yield clauses[a:b]


# -- as text ---------------------------------------------------------------------------------------------


@cache
def _texts(language: str) -> Mapping[str, Any]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    table: Mapping[str, Any] = tomllib.loads(text)[language]
    return table


def _say(key: str, **values: object) -> str:
    found: Any = _texts("en")
    for part in key.split("."):
        found = found[part]
    return str(found).format(**values)


def as_text(report: RulingsReport, book: Rulebook) -> str:
    """The table as plain text: each entry with what it answers and opens, then what is left.

    Args:
        report: The report.
        book: Its rulebook, for the clauses in own words.
    """
    audit, said = report.without, {c.id: c.text for c in book.clauses or ()}
    lines = [_say("head", rulebook=audit.rulebook, variant=audit.variant, size=audit.size), ""]
    for entry in report.entries:
        lines.append(f"{', '.join(entry.rulings)}: {said[entry.clauses[0]]}")
        for a in entry.answers:
            state = _say("closed" if a.closed else "open")
            lines.append(f"    {_say('found', code=a.finding.code, title=a.finding.title)}: {state}")
        if entry.reason:
            reason = _say(f"reason.{entry.reason}", variants=", ".join(entry.variants))
            lines.append(f"    {_say('nothing', reason=reason)}")
        lines += [f"    {_say('opens', code=f.code, title=f.title)}" for f in entry.opens]
    percent = 100 * report.matched // report.stated if report.stated else 100
    lines += [
        "",
        _say(
            "recall", matched=report.matched, stated=report.stated, percent=percent, all=len(report.entries)
        ),
    ]
    for key, found in (
        ("unanswered", report.unanswered),
        ("opened", report.opened),
        ("left", report.applied.findings),
    ):
        lines += ["", _say(key)]
        lines += [f"    {f.code} {f.title}" for f in found] or [f"    {_say('none')}"]
    return "".join(f"{line}\n" for line in lines)
