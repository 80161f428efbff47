"""From a survey to an audit: one finding for each question that an engine raised.

Promises: a finding's identity is the construct it came from, never a size or a wording; the status says
what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator

from findings.audit.components import component_findings
from findings.audit.pairs import interacting
from findings.audit.phrases import phrase
from findings.audit.play_findings import play_findings
from findings.audit.print_findings import adopt, dead, proved_at_print, undecided_at_print, with_print_size
from findings.audit.print_size import Printed
from findings.audit.questions import questions
from findings.audit.reading_findings import reading_findings, verdicts_on_readings
from findings.audit.survey import Survey, fired_clauses
from findings.audit.telling import Teller
from findings.finding import Coverage, Finding, Proved, RulebookAudit, Undecided
from findings.ranking import rank
from models.language.ir import COVERAGE, Kind
from properties.kinds import Form
from solvers import contract


def assemble(
    done: Survey, seconds: float, details: bool = False, printed: Printed | None = None
) -> RulebookAudit:
    """Make the audit.

    Args:
        done: What the engines said.
        seconds: How long they took.
        details: Whether to add what reports show beside the findings: plays step by step, and the rulebook.
        printed: What they said of the printed size, if that was asked.
    """
    teller = Teller(done.book, bench=done.bench)
    if printed is not None:
        adopt(done, printed)
    findings: list[Finding] = [
        *play_findings(done, teller),
        *reading_findings(done, teller),
        *component_findings(done, teller),
    ]
    if printed is not None:
        findings = [*with_print_size(done, printed, findings), *dead(done, printed)]
    ranked, behind = rank(findings, done.book.clause_ids), None
    if details:
        from findings.audit.background import background
        from findings.audit.details import detailed

        ranked = detailed(done, teller, ranked)
        behind = background(done, teller, cited_clauses(done), fired_clauses(done.explorations))
    clauses = done.book.clauses
    digests = {c.id: c.digest for c in clauses} if clauses is not None else {}
    return RulebookAudit(
        rulebook=done.book.name,
        variant=done.variant,
        size=done.size,
        engines=engines(done),
        seconds=round(seconds, 2),
        states=done.base.states,
        findings=ranked,
        proved=(*proved(done), *(proved_at_print(done, printed) if printed is not None else ())),
        coverage=coverage(done),
        undecided=(*undecided(done), *(undecided_at_print(done, printed) if printed is not None else ())),
        print_size=printed.program.size_name if printed is not None else None,
        background=behind,
        questions=questions(done, ranked),
        interactions=interacting(done),
        digests=digests,
        answers=printed.answers() if printed is not None else (),
    )


def engines(done: Survey) -> tuple[str, ...]:
    """Which engines were asked, with their bounds."""
    explored = [
        f"explorer ({e.engine}, {e.scope if e.complete else e.stopped_by})" for e in done.explorations
    ]
    return (*explored, "compare", "evidence")


def proved(done: Survey) -> Iterator[Proved]:
    """What holds in every state that was explored."""
    if not all(e.complete for e in done.explorations):
        return
    scope = "; ".join(e.scope for e in done.explorations)
    for p in done.properties:
        holds = p.form in (Form.ALWAYS, Form.STEP) and p.name not in done.violated
        if holds or (p.form is Form.ENDS and not done.unending):
            yield Proved(
                name=phrase("proved.property", name=p.name, doc=p.doc) if p.doc else p.name, scope=scope
            )
    together = done.facts.verdict if done.facts is not None else None
    if isinstance(together, contract.Proved):
        yield Proved(name=phrase("proved.facts"), scope=together.scope)
    for id, site in done.sites.items():
        if id not in done.hits and site.kind not in COVERAGE and site.kind is not Kind.OVERLAP:
            name = phrase(f"proved.site.{site.kind.value}", name=site.name, rows=" + ".join(site.rows))
            asked = [e.scope for e in done.explorations if id in e.program.site_number]
            yield Proved(name=name, scope="; ".join(asked))
    for key, fails in (
        ("order", done.orders),
        ("stuck", done.stuck),
        ("endless", done.unending or done.circles),
    ):
        if not fails:
            yield Proved(name=phrase(f"proved.{key}"), scope=scope)


def undecided(done: Survey) -> Iterator[Undecided]:
    """What a limit cut off, or what these sizes do not show."""
    for e in done.explorations:
        if not e.complete:
            yield Undecided(
                name=phrase("undecided.explore", size=e.program.size_name),
                reason=e.stopped_by,
                bound=f"{e.states} states, depth {e.depth}",
            )
    asked = {(s.hit.site.name, row) for s in done.splits.values() if s.hit is not None for row in s.rows}
    for id, site in done.sites.items():
        if site.kind is Kind.ROW and id not in done.hits and (site.name, *site.rows) not in asked:
            name = phrase("undecided.row", name=site.name, rows=" + ".join(site.rows))
            sizes = [e.program.size_name for e in done.explorations if id in e.program.site_number]
            yield Undecided(name=name, reason=phrase("undecided.not_met"), bound=", ".join(sizes))
    yield from verdicts_on_readings(done)
    if done.facts is not None and not done.facts.complete:
        bound = phrase("undecided.facts_bound", n=len(done.facts.facts))
        yield Undecided(name=phrase("undecided.facts"), reason=phrase("undecided.time"), bound=bound)
    for evidence in done.evidence:
        if not evidence.complete:
            name = phrase("undecided.example", name=evidence.example.name)
            tried = phrase("undecided.trials", n=len(evidence.trials))
            yield Undecided(name=name, reason=phrase("undecided.tried"), bound=tried)


def coverage(done: Survey) -> Coverage:
    """How much of the text the model cites, and how much of that acted in some play."""
    cited, fired = cited_clauses(done), fired_clauses(done.explorations)
    ids = done.book.clause_ids
    return Coverage(
        clauses=len(ids),
        cited=len(cited & set(ids)),
        fired=len(fired & set(ids)),
        uncited=tuple(c for c in ids if c not in cited),
    )


def cited_clauses(done: Survey) -> set[str]:
    """Clauses that a rule, a construct, a reading, an example, a fact or a property rests on."""
    book, found = done.book, set[str]()
    for e in done.explorations:
        found.update(*(i.clauses for i in e.program.instances), *(s.clauses for s in e.program.sites))
    found.update(*(end.clauses for end in book.ends.values()))
    found.update(*((*r.clauses, *r.leans[1:]) for r in book.readings.values()))
    found.update(*(m.clauses for m in book.missing_parts), *(p.clauses for p in done.properties))
    found.update((f.clause for f in book.facts), (o.clause for o in book.overrides), book.rulings)
    return found.union(*(e.example.clauses for e in done.evidence))
