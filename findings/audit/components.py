"""Findings that need no play: facts about components, what the text never gives, examples that conflict.

Promise: what the modeller alone says is labelled so in its scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from findings.audit.phrases import phrase
from findings.audit.survey import Survey
from findings.audit.telling import Teller
from findings.finding import Finding, Stake, Status
from findings.fingerprints import fingerprint
from solvers.compare import Evidence


def component_findings(done: Survey, teller: Teller) -> Iterator[Finding]:
    """All findings of this kind."""
    yield from _facts(done, teller)
    given = {id for r in done.program.rulings for id in done.book.rulings[r].answers}
    for m in done.book.missing_parts:
        if m.id in given:
            continue
        keys = [f"missing:{m.id}", m.id]
        yield Finding(
            code="RL401",
            title=teller.said(keys, "title") or phrase("title.missing", name=m.id),
            status=Status.OPEN,
            group=teller.said(keys, "group"),
            situation=m.what,
            stake=Stake.ARGUMENT,
            clauses=m.clauses,
            question=m.asks,
            scope=phrase("scope.modeller"),
            fingerprint=fingerprint("RL401", done.book.name, [f"missing:{m.id}"]),
        )
    for e in done.evidence:
        if e.conflict:
            yield _example(done, teller, e, "RL203", "conflict")
        elif e.reachable is False or (e.reachable is None and e.settles):
            yield _example(done, teller, e, "RL204", "unreached")


def _example(done: Survey, teller: Teller, e: Evidence, code: str, key: str) -> Finding:
    """A finding about a printed example: where it fails under the default readings, or where it begins."""
    example, trial = e.example, e.trials[0]
    program = example.book.build(example.size, example.variant, None, example.rulings)
    situation = teller.position(program, trial.end if e.conflict else trial.start)
    scope = phrase("scope.example", size=example.size, n=len(e.trials))
    witness = None
    if e.conflict and trial.failure is not None:
        reason = phrase(f"fails.{trial.failure.why}", move=trial.failure.move)
        situation = phrase("situation.example", position=situation, reason=reason)
        scope += phrase("scope.fails", place=trial.failure.place)
        if not example.script.start and not example.rulings:
            witness = teller.witness(program, teller.play(program, trial.labels))
    else:
        scope += phrase("scope.absent" if e.reachable is False else "scope.unknown")
    return Finding(
        code=code,
        title=phrase(f"title.{key}", name=example.name),
        status=Status.OPEN,
        situation=situation,
        stake=Stake.ARGUMENT,
        clauses=example.clauses,
        question=phrase(f"ask.{key}"),
        witness=witness,
        scope=scope,
        fingerprint=fingerprint(code, done.book.name, [f"example:{example.name}"]),
    )


def _facts(done: Survey, teller: Teller) -> Iterator[Finding]:
    report = done.facts
    if report is None:
        return
    for core in report.contradictions:
        yield Finding(
            code="RL201",
            title=phrase("title.facts"),
            status=Status.OPEN,
            situation=phrase("situation.facts", text=_said(teller, core.clauses)),
            stake=Stake.ARGUMENT,
            clauses=core.clauses,
            question=phrase("ask.facts"),
            scope=phrase("scope.components"),
            fingerprint=fingerprint("RL201", done.book.name, core.clauses),
        )
    for setup in report.impossible:
        if setup.stated:  # the text itself rules this number out
            continue
        clauses = tuple(dict.fromkeys(c for core in setup.cores for c in core.clauses))
        count = f"{setup.quantity} = {setup.value}"
        yield Finding(
            code="RL202",
            title=phrase("title.setup", count=count),
            status=Status.OPEN,
            situation=phrase("situation.setup", count=count, text=_said(teller, clauses)),
            stake=Stake.STOP,
            clauses=clauses,
            question=phrase("ask.setup"),
            scope=phrase("scope.components"),
            fingerprint=fingerprint("RL202", done.book.name, [count, *clauses]),
        )


def _said(teller: Teller, clauses: Iterable[str]) -> str:
    """Sentences in a row."""
    return "; ".join(teller.clauses.get(c, c).removesuffix(".") for c in clauses)
