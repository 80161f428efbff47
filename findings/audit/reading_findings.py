"""Findings about readings: sentences that clash, sentences with two readings, and what settles them.

Promise: a reading is reported once, with the shortest play on which two of its options part; one that
parts nowhere is told as undecided at these sizes, and as moot only where two clashing rows were met and
proved to look alike in every common state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from findings.audit.materiality import materiality
from findings.audit.outcomes import Outcomes
from findings.audit.pairs import option_pairs
from findings.audit.phrases import phrase
from findings.audit.survey import Hit, Parted, Split, Survey
from findings.audit.telling import Teller
from findings.finding import Finding, Option, Stake, Status, Undecided
from findings.fingerprints import fingerprint
from models.language.questions import Reading
from solvers.compare import Evidence
from solvers.contract import Proved, Unknown, Verdict

LEVELS = {"stops": Stake.STOP, "winner": Stake.WINNER, "score": Stake.SCORE, "argument": Stake.ARGUMENT}


def reading_findings(done: Survey, teller: Teller) -> Iterator[Finding]:
    """One finding for each pair of clashing rows that was met and each reading that parts."""
    for split in done.splits.values():
        if split.hit is not None:
            yield _clash(done, teller, split, split.hit)
        elif split.nearest is not None:
            yield _divergence(done, teller, split, split.nearest)


# -- two rows -------------------------------------------------------------------------------------------


def _clash(done: Survey, teller: Teller, split: Split, hit: Hit) -> Finding:
    site, parted = hit.site, split.nearest
    keys = [site.id, f"clash:{site.name}"]
    meanings = {r: teller.clauses.get(c, "") for r, c in zip(site.rows, site.clauses, strict=False)}
    meanings |= {r: teller.clauses[r] for r in site.rows if r in teller.clauses}
    if parted is None:
        told = here = teller.play(hit.program, hit.play.labels)
        options = tuple(_alone(teller, keys, o, meanings) for o in split.rows)
        program = hit.program
    else:
        found = Outcomes(done, teller, split, parted, keys, meanings)
        told, here, options, program = found.told, found.here, found.options(), parted.program
    status, because = status_of(done, split.reading)
    moot = _moot(split)
    if status is Status.OPEN and moot:
        status, because = Status.MOOT, phrase("because.same", scope=moot)
    return Finding(
        code="RL101",
        title=teller.said(keys, "title") or phrase("title.clash", rows=" / ".join(split.rows)),
        status=status,
        group=teller.said(keys, "group"),
        situation=teller.situation(keys, program, here),
        stake=stake_of([split.parted[o] for o in split.rows if o in split.parted]),
        clauses=split.reading.clauses,
        question=teller.said(keys, "ask") or phrase("ask.clash"),
        options=options,
        witness=teller.witness(program, told),
        scope=scope_of(done, program.size_name),
        materiality=materiality(done, [split.parted[o] for o in split.rows if o in split.parted]),
        pairs=option_pairs(done, split),
        fingerprint=fingerprint("RL101", done.book.name, [site.id]),
        because=because,
    )


def _alone(teller: Teller, keys: Sequence[str], option: str, meanings: dict[str, str]) -> Option:
    """A row where no play tells it from the other one."""
    return Option(id=option, outcome=meanings.get(option) or option)


def _moot(split: Split) -> str:
    """Where it was proved that no row changes anything that players see; "" if it was not."""
    others = [o for o in split.rows if o != split.reading.default]
    verdicts = [v for o in others for v in split.never.get(o, {}).values()]
    scopes = dict.fromkeys(v.scope for v in verdicts if isinstance(v, Proved))
    decided = all(o in split.never and o not in split.parted for o in others)
    return "; ".join(scopes) if decided and all(isinstance(v, Proved) for v in verdicts) else ""


# -- one sentence ---------------------------------------------------------------------------------------


def _divergence(done: Survey, teller: Teller, split: Split, parted: Parted) -> Finding:
    reading, keys = split.reading, [split.reading.id]
    found = Outcomes(done, teller, split, parted, keys, reading.options)
    status, because = status_of(done, reading)
    return Finding(
        code="RL107",
        title=teller.said(keys, "title") or phrase("title.reading", name=reading.id),
        status=status,
        group=root_of(teller, reading),
        situation=teller.situation(keys, parted.program, found.here),
        stake=stake_of(list(split.parted.values())),
        clauses=reading.clauses,
        question=teller.said(keys, "ask") or reading.asks,
        options=found.options(),
        witness=teller.witness(parted.program, found.told),
        scope=scope_of(done, parted.program.size_name),
        materiality=materiality(done, list(split.parted.values())),
        pairs=option_pairs(done, split),
        fingerprint=fingerprint("RL107", done.book.name, [f"reading:{reading.id}"]),
        because=because,
    )


def counts_times(reading: Reading) -> bool:
    """Whether a reading says if an effect applies once or each time."""
    return set(reading.options) == {"once", "each"}


def root_of(teller: Teller, reading: Reading) -> str | None:
    """The root question that a reading stands under: as the words say, or its own if others hang on it."""
    return teller.said([reading.id], "group") or (reading.id if counts_times(reading) else None)


def stake_of(parted: Sequence[Parted]) -> Stake:
    """The gravest stake that paired games showed."""
    order = list(LEVELS)
    levels = [p.stake.level for p in parted] or ["argument"]
    return LEVELS[min(levels, key=order.index)]


def scope_of(done: Survey, size: str) -> str:
    """What a play at a size stands for: the search was breadth-first, exhaustive or not."""
    complete = all(e.complete for e in done.explorations if e.program.size_name == size)
    return phrase("scope.shortest" if complete else "scope.found", size=size)


# -- what answers a reading -----------------------------------------------------------------------------


def status_of(done: Survey, reading: Reading) -> tuple[Status, str]:
    """How far examples or sentences answer a reading, and the citation."""
    known = [e for e in done.evidence if reading.id in e.settles]
    sure, unsure = [e for e in known if e.reachable is True], [e for e in known if e.reachable is not True]
    if sure:
        left = _left(reading, sure)
        cited = _cited(reading, sure)
        if not left:
            return Status.OPEN, phrase("because.disagree", examples=cited)
        status = Status.SETTLED if len(left) == 1 else Status.LEANS
        return status, phrase("because.example", examples=cited, options=", ".join(left))
    if unsure:
        left = _left(reading, unsure)
        if not left:
            return Status.OPEN, phrase("because.disagree", examples=_cited(reading, unsure))
        cited = _cited(reading, unsure)
        return Status.LEANS, phrase("because.position", examples=cited, options=", ".join(left))
    if reading.leans:
        option, clause = reading.leans
        return Status.LEANS, phrase("because.leans", clause=clause, option=reading.options[option])
    return Status.OPEN, ""


def _left(reading: Reading, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The options that every one of some examples leaves."""
    return tuple(o for o in reading.options if all(o in e.settles[reading.id] for e in evidence))


def _cited(reading: Reading, evidence: Sequence[Evidence]) -> str:
    """Examples with their clauses and, where they do not agree, the options that each leaves."""
    agree = len({e.settles[reading.id] for e in evidence}) == 1
    key = "because.cited" if agree else "because.cited_alone"
    return "; ".join(
        phrase(
            key,
            example=e.example.name,
            clauses=", ".join(e.example.clauses),
            options=", ".join(e.settles[reading.id]),
        )
        for e in evidence
    )


# -- what is left undecided -----------------------------------------------------------------------------


def verdicts_on_readings(done: Survey) -> Iterator[Undecided]:
    """Options that no size of this audit tells apart from the default, and readings that were not asked."""
    for split in done.splits.values():
        for option, verdicts in split.never.items():
            if split.hit is None and option not in split.parted:
                yield from _never(split, option, verdicts)
    for id, (other, option) in done.nested.items():
        if id not in done.splits:
            reason = phrase("undecided.nested", other=other, option=option)
            yield Undecided(name=phrase("undecided.asked", name=id), reason=reason)
    for id in done.unasked:
        yield Undecided(name=phrase("undecided.asked", name=id), reason=phrase("undecided.unasked"))


def _never(split: Split, option: str, verdicts: dict[str, Verdict]) -> Iterator[Undecided]:
    name = phrase("undecided.reading", name=split.reading.id, option=option)
    limits = [v for v in verdicts.values() if isinstance(v, Unknown)]
    for v in limits:
        yield Undecided(name=name, reason=v.reason, bound=v.bound)
    proved = "; ".join(v.scope for v in verdicts.values() if isinstance(v, Proved))
    if proved:
        reason = phrase("undecided.never", default=split.reading.default)
        yield Undecided(name=name, reason=reason, bound=proved)
