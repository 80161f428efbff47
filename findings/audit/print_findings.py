"""What the printed size makes of the findings, and the findings that only it can make.

Promises: a finding without a play at the printed size is never told as an open question of the printed game;
what is told as dead is proved never to happen there, whatever the readings say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from findings.audit.phrases import phrase
from findings.audit.play_findings import CODES
from findings.audit.print_size import Printed, clause_key, order_key, reading_key, site_key
from findings.audit.survey import Hit, Split, Survey, fired_clauses
from findings.finding import AtPrintSize, Finding, Proved, Stake, Status, Undecided, Witness
from findings.fingerprints import fingerprint
from models.language.ir import COVERAGE, Kind, Probe, Site, statements
from models.language.program import Program
from models.language.questions import derived_id, derived_reading
from models.language.terms import FALSE
from solvers import contract
from solvers.contract import Limits
from solvers.explorer import explore

_ASKED = (Status.OPEN, Status.LEANS)
_MOST_STATES = 200_000
NO_STEP = "no step can do it"
"""How the engine ends the scope of what is ruled out without a search."""


def adopt(done: Survey, printed: Printed) -> None:
    """Take what has a play at the printed size only among the hits of a survey."""
    program = printed.program
    for site in program.sites:
        verdict = printed.verdicts.get(site_key(site.id))
        if site.id in done.hits or not isinstance(verdict, contract.Refuted):
            continue
        done.hits[site.id] = hit = Hit(site, program, verdict.witness)
        if site.kind is Kind.CLASH:
            a, b = site.rows
            id = derived_id(site.name, a, b)
            if id not in done.picked:
                reading = derived_reading(site.name, (a, b), site.clauses, a)
                done.splits.setdefault(id, Split(reading, hit))


def with_print_size(done: Survey, printed: Printed, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, each with what is known of it at the printed size.

    Args:
        done: What the engines said.
        printed: What they said of the printed size.
        findings: Findings of the small sizes.
    """
    keys = dict(_keys(done))
    return [_with(printed, finding, keys.get(finding.fingerprint)) for finding in findings]


def _keys(done: Survey) -> Iterator[tuple[str, str]]:
    """Fingerprint of a finding → key of the question about it."""
    book = done.book.name
    for hit in done.hits.values():
        code = "RL101" if hit.site.kind is Kind.CLASH else CODES.get(hit.site.kind)
        if code is not None:
            yield fingerprint(code, book, [hit.site.id]), site_key(hit.site.id)
    for rules in done.orders:
        yield fingerprint("RL108", book, [f"order:{'+'.join(sorted(rules))}"]), order_key(rules)
    for name in done.violated:
        yield fingerprint("RL304", book, ["property", name]), f"property {name}"
    for id in done.splits:
        yield fingerprint("RL107", book, [f"reading:{id}"]), reading_key(id)
    yield fingerprint("RL301", book, ["stuck"]), "stuck"


def _with(printed: Printed, finding: Finding, key: str | None) -> Finding:
    verdict = printed.verdicts.get(key) if key is not None else None
    size = printed.program.size_name
    if verdict is None:
        return finding
    if isinstance(verdict, contract.Refuted):
        play = verdict.witness
        witness = Witness(size=size, moves=play.labels)
        return attrs.evolve(finding, at_print=AtPrintSize(witness=witness, shortest=play.shortest))
    if isinstance(verdict, contract.Proved):
        told = phrase("print.never", scope=verdict.scope)
        status = Status.MOOT if finding.status in _ASKED else finding.status
    else:
        told = phrase("print.unknown", size=size, reason=verdict.reason, bound=verdict.bound or "–")
        status = Status.REDUCED if finding.status in _ASKED else finding.status
    because = told if status is not finding.status else finding.because
    return attrs.evolve(finding, status=status, because=because, at_print=AtPrintSize(told=told))


# -- what never happens ---------------------------------------------------------------------------------


def dead(done: Survey, printed: Printed) -> Iterator[Finding]:
    """Rows that never prevail and sentences whose constructs never act at the printed size.

    What prevails or acts in another variant or under another reading, at a small size at least, is not dead.
    """
    rows, clauses = list(_dead_rows(done, printed)), list(_dead_clauses(printed))
    if not rows and not clauses:
        return
    elsewhere, told = _Elsewhere(done), set[str]()
    for site in rows:
        told |= set(site.clauses)
        scope = _scope(printed, site_key(site.id))
        if site_key(site.id) not in printed.elsewhere and not elsewhere.alive(site.id, scope):
            rivals = " + ".join(site.rows)
            yield _finding(done, "RL103", "row", site.clauses, [site.id], scope, site.name, rivals)
    for clause, scope in clauses:
        if clause_key(clause) in printed.elsewhere or clause in told:
            continue
        if not elsewhere.alive(clause, scope):
            yield _finding(done, "RL402", "clause", (clause,), [clause], scope, clause)


class _Elsewhere:
    """Rows (as sites) and sentences under other readings and in other variants, at the first size.

    Attributes:
        met: What some play comes by.
        possible: What some step of a program other than the default one might do, as far as its text tells.
    """

    def __init__(self, done: Survey) -> None:
        book = done.book
        self.met, self.possible = set[str](), set[str]()
        programs: dict[str, Program] = {}
        for variant in book.variants:
            base = done.made(None, variant, {})
            asked = sorted(base.consulted & set(book.readings))
            choices = [{}, *({id: option} for id in asked for option in book.readings[id].options)]
            for program in (done.made(None, variant, choice) for choice in choices):
                programs.setdefault(program.digest, program)
        for program in programs.values():
            explored = explore(program, limits=Limits(states=_MOST_STATES))
            self.met |= set(explored.sites) | fired_clauses([explored])
            if program.digest != done.program.digest:
                self.possible |= _possible(program)

    def alive(self, what: str, scope: str) -> bool:
        """Whether it comes up elsewhere; what no step can do here may rest on a reading or the variant."""
        return what in self.met or (scope.endswith(NO_STEP) and what in self.possible)


def _possible(program: Program) -> set[str]:
    """Sites and sentences of a program that are not ruled out by a condition that is constantly false."""
    found: set[str] = set()
    for i in program.instances:
        if i.guard is FALSE:
            continue
        found |= set(i.clauses)
        for s in statements(i.body):
            if isinstance(s, Probe) and s.condition is not FALSE:
                site = program.sites[s.site]
                found |= {site.id, *site.clauses}
    return found


def _finding(
    done: Survey,
    code: str,
    key: str,
    clauses: Sequence[str],
    identity: Sequence[str],
    scope: str,
    name: str,
    rows: str = "",
) -> Finding:
    text = {c.id: c.text for c in done.book.clauses or ()}
    quoted = "; ".join(text.get(c, c) for c in clauses)
    return Finding(
        code=code,
        title=phrase(f"title.dead_{key}", name=name, rows=rows),
        status=Status.OPEN,
        situation=phrase(f"situation.dead_{key}", text=quoted, name=name, rows=rows),
        stake=Stake.ARGUMENT,
        clauses=tuple(clauses),
        question=phrase(f"ask.dead_{key}"),
        scope=scope,
        fingerprint=fingerprint(code, done.book.name, identity),
    )


def _scope(printed: Printed, key: str) -> str:
    verdict = printed.verdicts[key]
    assert isinstance(verdict, contract.Proved)
    return verdict.scope


def _dead_rows(done: Survey, printed: Printed) -> Iterator[Site]:
    """Rows proved never to prevail, but for those whose rival a question is asked about."""
    asked = {(s.hit.site.name, row) for s in done.splits.values() if s.hit is not None for row in s.rows}
    for site in printed.program.sites:
        verdict = printed.verdicts.get(site_key(site.id))
        if (
            site.kind is Kind.ROW
            and isinstance(verdict, contract.Proved)
            and (site.name, *site.rows) not in asked
        ):
            yield site


def _dead_clauses(printed: Printed) -> Iterator[tuple[str, str]]:
    """Sentences that something executes and that were proved never to act, and what that was proved for."""
    for key, verdict in printed.verdicts.items():
        kind, _, clause = key.partition(" ")
        if kind == "clause" and isinstance(verdict, contract.Proved):
            yield clause, verdict.scope


# -- what holds, and what is left -----------------------------------------------------------------------


def proved_at_print(done: Survey, printed: Printed) -> Iterator[Proved]:
    """What was proved at the printed size."""
    for p in done.properties:
        verdict = printed.verdicts.get(f"property {p.name}")
        if isinstance(verdict, contract.Proved):
            name = phrase("proved.property", name=p.name, doc=p.doc) if p.doc else p.name
            yield Proved(name=name, scope=verdict.scope)
    for site in printed.program.sites:
        verdict = printed.verdicts.get(site_key(site.id))
        if site.kind not in COVERAGE and site.id not in done.hits and isinstance(verdict, contract.Proved):
            rows = " + ".join(site.rows)
            yield Proved(
                name=phrase(f"proved.site.{site.kind.value}", name=site.name, rows=rows), scope=verdict.scope
            )
    verdict = printed.verdicts.get("stuck")
    if isinstance(verdict, contract.Proved):
        yield Proved(name=phrase("proved.stuck"), scope=verdict.scope)


def undecided_at_print(done: Survey, printed: Printed) -> Iterator[Undecided]:
    """What the printed size leaves open beside the findings."""
    hit = {site_key(id) for id in done.hits}
    for key, verdict in printed.verdicts.items():
        kind = key.split(" ", 1)[0]
        if isinstance(verdict, contract.Unknown) and key not in hit and kind in ("site", "property", "stuck"):
            name = phrase("print.asked", question=key, size=printed.program.size_name)
            yield Undecided(name=name, reason=verdict.reason, bound=verdict.bound)
