"""Pairs: every two options of a reading, and readings that interact.

Promises: two options part with a replayed play, or are proved never to at the sizes of the audit, or are
told as undecided; whether two readings interact is decided from the rules; a reading that never parts by
itself is asked again under every option of the readings that it interacts with.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from findings.audit.survey import Split, Survey
from findings.questions import Interaction, OptionPair
from models.language.program import Program
from models.language.questions import Reading
from solvers.compare import Diagonal, Parting
from solvers.compare.interactions import interactions
from solvers.contract import Limits, Proved, Verdict
from solvers.explorer import explore

#: States of one exploration at most, and states above which a size is not asked again for pairs.
MOST_STATES = 500_000


def option_pairs(done: Survey, split: Split) -> tuple[OptionPair, ...]:
    """Every two options of a reading against each other.

    Args:
        done: The survey, which has compared every option with the default.
        split: The reading.
    """
    return tuple(_pair(done, split, a, b) for a, b in combinations(split.rows, 2))


def _pair(done: Survey, split: Split, a: str, b: str) -> OptionPair:
    default = split.reading.default
    if default in (a, b):
        other = b if a == default else a
        if other in split.parted:
            found = split.parted[other]
            return _parted(a, b, found.program.size_name, found.parting)
        return _never(a, b, list(split.never.get(other, {}).values()))
    verdicts: list[Verdict] = []
    for e in done.explorations:
        one, two = (done.build(split, e.program, o) for o in (a, b))
        found_ = _compared(done, one, two)
        if isinstance(found_, Parting):
            return _parted(a, b, e.program.size_name, found_)
        if found_ is not None:
            verdicts.append(found_)
    return _never(a, b, verdicts)


def _compared(done: Survey, one: Program, two: Program) -> Verdict | Parting | None:
    """Where two programs part; None where the first could not be explored whole."""
    explored = explore(one, limits=Limits(states=MOST_STATES), graph=True)
    if explored.graph is None or not explored.complete:
        return explored.verdict(None)
    return Diagonal(explored, done.bench.code).first(two)


def _parted(a: str, b: str, size: str, found: Parting) -> OptionPair:
    return OptionPair(first=a, second=b, parts=True, size=size, moves=_moves(found))


def _moves(found: Parting) -> tuple[str, ...]:
    return (*found.play.labels, *((found.move,) if found.move else ()))


def _never(a: str, b: str, verdicts: list[Verdict]) -> OptionPair:
    proved = bool(verdicts) and all(isinstance(v, Proved) for v in verdicts)
    told = "; ".join(_told(v) for v in verdicts)
    return OptionPair(first=a, second=b, parts=False if proved else None, told=told)


def _told(v: Verdict) -> str:
    return v.scope if isinstance(v, Proved) else f"{getattr(v, 'reason', '')} ({getattr(v, 'bound', '')})"


# -- readings that interact ------------------------------------------------------------------------------


def interacting(done: Survey) -> tuple[Interaction, ...]:
    """The pairs of readings that interact, in the order in which they are declared."""
    readings = {id: s.reading for id, s in done.splits.items()}
    readings |= {id: done.book.readings[id] for id in done.nested if id in done.book.readings}
    options = {
        id: [_with(done, done.program, {id: o}) for o in _options(r) if o != r.default]
        for id, r in readings.items()
    }
    silent = {id for id in readings if id not in done.splits or not done.splits[id].parted}
    silent -= {id for id, s in done.splits.items() if s.hit is not None}
    found = []
    for i in interactions(done.program, options):
        made = Interaction(first=i.first, second=i.second, through=i.through)
        under = next(_under(done, readings, i.first, i.second, silent), None)
        if under is not None:
            given, size, parting = under
            made = Interaction(
                first=i.first,
                second=i.second,
                through=i.through,
                given=given,
                size=size,
                moves=_moves(parting),
            )
        found.append(made)
    return tuple(found)


def _options(reading: Reading) -> list[str]:
    return [o for o in reading.options if o != "stop" or not reading.derived]


def _with(done: Survey, program: Program, chosen: dict[str, str]) -> Program:
    return done.made(program.size, program.variant, chosen)


def _under(
    done: Survey, readings: dict[str, Reading], first: str, second: str, silent: set[str]
) -> Iterator[tuple[str, str, Parting]]:
    """Options of one reading under which the other one, silent by itself, parts."""
    for given, asked in ((first, second), (second, first)):
        if asked not in silent:
            continue
        for o in _options(readings[given]):
            if o == readings[given].default:
                continue
            for e in done.explorations:
                one = _with(done, e.program, {given: o})
                for p in _options(readings[asked]):
                    if p == readings[asked].default or asked not in one.consulted:
                        continue
                    parting = _compared(done, one, _with(done, e.program, {given: o, asked: p}))
                    if isinstance(parting, Parting):
                        yield f"{given}={o}", e.program.size_name, parting


__all__ = ["interacting", "option_pairs"]
