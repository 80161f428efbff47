"""Coverage: rows of tables that never prevail, and sentences none of whose constructs ever acts.

Promises: a row or sentence is dead only by proof, for the size of the program; whatever acts in some play is
shown by that play, replayed. A sentence is asked about through what executes it: the rules that cite it, the
rows of tables that stand for it, and the other constructs (draws, rankings, repetitions, covers) that cite
it, each of which acts whenever a play comes by it, whatever its own question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.language import ir
from models.language.ir import Kind, Site
from models.language.program import Program
from models.language.terms import TRUE
from solvers.contract import Progress, Verdict
from solvers.symbolic.cache import Cache
from solvers.symbolic.goals import AnyOf, Hit
from solvers.symbolic.pool import ask_goals, ask_sites
from solvers.symbolic.session import Invariants

#: Constructs that act wherever a play comes by.
_ACTING = frozenset({Kind.TIE, Kind.SHORTAGE, Kind.STACKING, Kind.RACE, Kind.COVER, Kind.STOP})
#: Kinds of sentence that nothing needs to execute.
_EXEMPT = frozenset({"component", "definition", "example", "flavour", "note"})


def dead_rows(
    program: Program,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    workers: int = 2,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> dict[str, Verdict]:
    """Ask for every row of every table whether it ever prevails.

    Args:
        program: The program.
        invariants: From `find_invariants`.
        budget_seconds: Time for each row.
        workers: Processes.
        progress: Where to say how many are answered.
        cache: Where answers are kept between runs.

    Returns:
        Site of the row → `Refuted` with a play in which it prevails, `Proved` that it is dead, or `Unknown`.
    """
    rows = [s.id for s in program.sites if s.kind is Kind.ROW]
    return ask_sites(
        program,
        rows,
        invariants=invariants,
        budget_seconds=budget_seconds,
        workers=workers,
        progress=progress,
        cache=cache,
    )


def dead_clauses(
    program: Program,
    clauses: Sequence[str] | None = None,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> dict[str, Verdict]:
    """Ask for sentences whether anything that executes them ever acts.

    Args:
        program: The program.
        clauses: Which sentences; all that something executes, except definitions, components, examples and
            the like, unless given.
        invariants: From `find_invariants`, for this program.
        budget_seconds: Time for each sentence.
        progress: Where to say how many are answered.
        cache: Where answers are kept between runs.

    Returns:
        Sentence → `Refuted` with a play in which it acts, `Proved` that it never does, or `Unknown`; nothing
            for a sentence that nothing executes.
    """
    recording = acting(program)
    executed = constructs(recording)
    wanted = [c for c in (executed if clauses is None else clauses) if c in executed]
    if clauses is None:
        known = program.book.clauses
        kinds = {c.id: c.kind.value for c in known} if known is not None else {}
        wanted = [c for c in wanted if kinds.get(c, "rule") not in _EXEMPT]
    goals = {c: AnyOf(f"clause {c}", tuple(executed[c])) for c in wanted}
    carried = None
    if invariants is not None:  # recording changes no state
        carried = replace(invariants, digest=recording.digest)
    found = ask_goals(
        recording,
        list(goals.values()),
        invariants=carried,
        budget_seconds=budget_seconds,
        workers=1,
        progress=progress,
        cache=cache,
    )
    return {c: found[goal.key] for c, goal in goals.items()}


def acting(program: Program) -> Program:
    """The same program with other sites: each rule and each construct is recorded wherever it acts.

    Rows are recorded where they prevail, as before; other probes wherever a play comes by. No state and no
    step changes.
    """
    sites = list(program.sites)
    marks: dict[str, int] = {}
    for i in program.instances:
        if i.rule not in marks:
            marks[i.rule] = len(sites)
            sites.append(Site(Kind.COVER, f"rule {i.rule}", (), i.clauses, i.place))
    kinds = [s.kind for s in program.sites]
    instances = tuple(
        replace(i, body=(ir.Cover(marks[i.rule]), *_recording(i.body, kinds))) for i in program.instances
    )
    return replace(program, instances=instances, sites=tuple(sites))


def _recording(body: ir.Block, kinds: Sequence[Kind]) -> Iterator[ir.Stmt]:
    for s in body:
        if isinstance(s, ir.If):
            then, otherwise = _recording(s.then, kinds), _recording(s.otherwise, kinds)
            yield replace(s, then=tuple(then), otherwise=tuple(otherwise))
        elif isinstance(s, ir.Probe) and kinds[s.site] in _ACTING:
            yield ir.Probe(s.site, TRUE)
        else:
            yield s


def constructs(recording: Program) -> dict[str, list[Hit]]:
    """What executes each sentence, as goals of a program made by `acting`."""
    found: dict[str, list[Hit]] = {}
    for number, site in enumerate(recording.sites):
        if site.kind is Kind.ROW or site.kind in _ACTING:
            for clause in site.clauses:
                found.setdefault(clause, []).append(Hit(number, site.id))
    return found


__all__ = ["acting", "constructs", "dead_clauses", "dead_rows"]
