"""Pairs: every two options of a reading, and readings that interact.

Promises: two options part with a replayed play, or are proved never to at the sizes of the audit, or are
told as undecided; whether two readings interact is decided from the rules; a reading that never parts by
itself is asked again under every option of the readings that it interacts with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from findings.audit.survey import Split, Survey
from findings.questions import Interaction, OptionPair
from models.language.program import Program
from models.language.questions import STOP, Reading
from solvers.compare import Diagonal, Parting
from solvers.compare.interactions import Interaction as Shared
from solvers.compare.interactions import interactions
from solvers.contract import Limits, Proved, Verdict
from solvers.explorer import explore

#: States of one exploration at most.
MOST_STATES = 500_000
#: Silent readings are asked again at sizes of at most so many states, in at most so many comparisons.
MOST_AGAIN, MOST_COMPARED = 50_000, 24

#: An option of a reading (`reading=option`), a size, and where another reading parts there.
Under = tuple[str, str, Parting]


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
        if not exists(done, e.program, split.reading.id):
            continue
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
    found: dict[tuple[str, str], Shared] = {}
    for e in done.explorations:
        options = {id: made for id in readings if (made := _built(done, e.program, id))}
        for i in interactions(e.program, options):
            known = found.get((i.first, i.second))
            found[i.first, i.second] = i if known is None else known.joined(i)
    parted = _under(done, readings, list(found.values()))
    return tuple(_told_of(i, parted) for i in found.values())


def exists(done: Survey, program: Program, id: str) -> bool:
    """Whether a reading is one of a program: a derived one needs the table with both rows."""
    split = done.splits.get(id)
    return split is None or split.hit is None or split.hit.site.id in program.site_number


def _built(done: Survey, program: Program, id: str) -> list[Program]:
    """The programs with another option of a reading that the survey has built at a size."""
    split = done.splits.get(id)
    if split is None:
        return []
    built = [split.programs.get((program.size_name, o)) for o in split.rows if o != split.reading.default]
    return [p for p in built if p is not None]


def _told_of(i: Shared, parted: Mapping[tuple[str, str], Under]) -> Interaction:
    given, size, parting = (
        parted.get((i.first, i.second)) or parted.get((i.second, i.first)) or ("", "", None)
    )
    return Interaction(
        first=i.first,
        second=i.second,
        through=i.through,
        given=given,
        size=size,
        moves=_moves(parting) if parting is not None else (),
    )


def _options(reading: Reading) -> list[str]:
    return [o for o in reading.options if o != STOP or not reading.derived]


def _with(done: Survey, program: Program, chosen: dict[str, str]) -> Program:
    return done.made(program.size, program.variant, chosen)


def _under(
    done: Survey, readings: Mapping[str, Reading], found: Sequence[Shared]
) -> dict[tuple[str, str], Under]:
    """(Reading, silent reading) → the option of the first under which the second parts, if one was found."""
    silent = {id for id in readings if id not in done.splits or not done.splits[id].parted}
    silent -= {id for id, s in done.splits.items() if s.hit is not None}
    both = [pair for i in found for pair in ((i.first, i.second), (i.second, i.first)) if pair[1] in silent]
    both += [(q, id) for id, (q, _) in done.nested.items() if id in silent and q in readings]
    nested = {(q, id) for id, (q, _) in done.nested.items()}
    asked: dict[str, list[str]] = {}
    for given, id in sorted(dict.fromkeys(both), key=lambda pair: pair not in nested):
        asked.setdefault(given, []).append(id)
    parted: dict[tuple[str, str], Under] = {}
    left = MOST_COMPARED
    for given, option, id, diagonal, other in _comparisons(done, readings, asked):
        if (given, id) in parted:
            continue
        if left <= 0:
            break
        left -= 1
        first = diagonal.first(other)
        if isinstance(first, Parting):
            parted[given, id] = (f"{given}={option}", other.size_name, first)
    return parted


def _comparisons(
    done: Survey, readings: Mapping[str, Reading], asked: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, str, Diagonal, Program]]:
    """Given reading, its option, silent reading, the given option's walk, a program with both options."""
    for given, ids in asked.items():
        for option in _options(readings[given]):
            if option == readings[given].default:
                continue
            for e in done.explorations:
                split = done.splits.get(given)
                one = split.programs.get((e.program.size_name, option)) if split is not None else None
                if one is None or e.states > MOST_AGAIN:
                    continue  # the survey had no need of that program
                consulted = [id for id in ids if id in one.consulted and exists(done, e.program, id)]
                if not consulted:
                    continue
                explored = explore(one, limits=Limits(states=2 * MOST_AGAIN), graph=True)
                if explored.graph is None or not explored.complete:
                    continue
                diagonal = Diagonal(explored, done.bench.code)
                for id in consulted:
                    for other in _options(readings[id]):
                        if other != readings[id].default:
                            program = _with(done, e.program, {given: option, id: other})
                            yield given, option, id, diagonal, program


__all__ = ["exists", "interacting", "option_pairs"]
