"""The fewest questions to the author whose answers settle every open reading.

Promises: an answer is held to settle another reading only where that was proved at the sizes of the audit,
or where the rulebook's words put both under one root question; the set is the smallest there is; questions
stand in the order of their findings, the one that matters most first.

The answer to one reading settles another one where both ask for the same play: whatever an option of the
other one changes, an option of the first changes in the same way, and once that is chosen the other one
makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from findings.audit.pairs import exists
from findings.audit.survey import Parted, Split, Survey
from findings.finding import Finding, Status
from findings.fingerprints import fingerprint
from findings.questions import Question
from solvers.compare import Diagonal
from solvers.compare.fewest import fewest
from solvers.contract import Limits, Proved
from solvers.explorer import explore

#: States of one exploration at most.
MOST_STATES = 500_000


def questions(done: Survey, ranked: Sequence[Finding]) -> tuple[Question, ...]:
    """The questions to ask.

    Args:
        done: The survey.
        ranked: The audit's findings in their order.
    """
    split_of = {_fingerprint(done, s): s for s in done.splits.values()}
    open_ = [(f, split_of[f.fingerprint]) for f in ranked if _is_open(f) and f.fingerprint in split_of]
    covers = {
        s.reading.id: {r.reading.id for g, r in open_ if _settles(done, (f, s), (g, r))} for f, s in open_
    }
    weights = {s.reading.id: len(open_) - n for n, (_, s) in enumerate(open_)}
    chosen = fewest(covers, weights)
    return tuple(
        Question(
            reading=s.reading.id,
            fingerprint=f.fingerprint,
            question=f.question or f.title,
            settles=(s.reading.id, *(r for r in covers if r in covers[s.reading.id] and r != s.reading.id)),
        )
        for f, s in open_
        if s.reading.id in chosen
    )


def _fingerprint(done: Survey, split: Split) -> str:
    """The fingerprint of the finding about a reading."""
    if split.hit is not None:
        return fingerprint("RL101", done.book.name, [split.hit.site.id])
    return fingerprint("RL107", done.book.name, [f"reading:{split.reading.id}"])


def _is_open(f: Finding) -> bool:
    return f.status in (Status.OPEN, Status.LEANS, Status.REDUCED)


def _settles(done: Survey, mine: tuple[Finding, Split], other: tuple[Finding, Split]) -> bool:
    """Whether the answer to one reading settles another one."""
    (f, asked), (g, settled) = mine, other
    if asked is settled:
        return True
    if f.group is not None and f.group == g.group:
        return f.group == asked.reading.id or f.group != settled.reading.id
    return _same_play(done, asked, settled)


def _same_play(done: Survey, asked: Split, settled: Split) -> bool:
    """Whether both ask for the same play; decided without a search where their first partings differ."""
    theirs = [o for o in settled.rows if o != settled.reading.default]
    mine = [o for o in asked.rows if o != asked.reading.default]
    if not theirs or not all(o in settled.parted for o in theirs):
        return False
    twins = {
        o: [p for p in mine if p in asked.parted and _alike(asked.parted[p], settled.parted[o])]
        for o in theirs
    }
    if not all(twins.values()):
        return False
    answered = all(any(_never_parts(done, asked, p, settled, o, {}) for p in twins[o]) for o in theirs)
    return answered and all(
        _never_parts(done, asked, p, settled, o, {asked.reading.id: p}) for p in mine for o in theirs
    )


def _alike(a: Parted, b: Parted) -> bool:
    """Whether two options first part from the default in the same way."""
    if a.program is not b.program:
        return False
    one, two = a.parting, b.parting
    return (one.how, one.play, one.move, one.only) == (two.how, two.play, two.move, two.only)


def _never_parts(
    done: Survey, asked: Split, p: str, settled: Split, o: str, given: Mapping[str, str]
) -> bool:
    """Whether a program with one option and a program with another one are proved to look alike.

    Args:
        done: The survey.
        asked: The first reading.
        p: Its option in the first program.
        settled: The second reading.
        o: Its option in the second program.
        given: What else the second program takes.
    """
    for e in done.explorations:
        program = e.program
        if not exists(done, program, settled.reading.id):
            continue
        chosen = {asked.reading.id: p} if exists(done, program, asked.reading.id) else {}
        first = done.made(program.size, program.variant, chosen)
        also = given if chosen else {}
        second = done.made(program.size, program.variant, {**also, settled.reading.id: o})
        if settled.reading.id not in (*second.consulted, *second.readings):
            continue
        explored = explore(first, limits=Limits(states=MOST_STATES), graph=True)
        if explored.graph is None or not explored.complete:
            return False
        if not isinstance(Diagonal(explored, done.bench.code).first(second), Proved):
            return False
    return True


__all__ = ["questions"]
