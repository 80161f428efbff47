"""Invariants: regularities of sampled states, proposed as candidates for proof.

Promises: every candidate holds in the setup and in every sample; it is a term of the IR; nothing here is
proved. The families: linear equations (globally and in each phase), bounds, order between numbers, and
implications between conditions on slots.

Equations are the null space of the sampled features (as in Karr 1976, on samples instead of code);
implications and bounds follow the dynamic detection of Ernst et al. (2007).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.language.functions import ite
from models.language.program import Program
from models.language.terms import INT, TRUE, Term, constant, equal, every, negate, some, total
from solvers.symbolic.features import Column, Feature, Reader
from solvers.symbolic.phases import Phases

#: An equation with more features, or a greater coefficient, is no regularity that a rule keeps.
MOST_FEATURES, MOST_COEFFICIENT = 10, 64
#: Fewest samples of a phase from which something is concluded about it.
FEWEST_SAMPLES = 20

_PRIME = 2_147_483_647
_MOST_TOP = 1 << 20  # with a denominator of at most 64, a residue stands for one fraction only
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Candidate:
    """A condition that may be an invariant.

    Attributes:
        name: Text for people.
        term: The condition.
        family: `equation`, `bound`, `order`, `implication`, `property` or `absence`.
    """

    name: str
    term: Term
    family: str


def mine(program: Program, samples: Sequence[Sequence[int]], phases: Phases) -> list[Candidate]:
    """Candidates from sampled states.

    Args:
        program: The program.
        samples: Reached states, the setup among them.
        phases: The program's phases.

    Returns:
        Candidates without repetition, simple ones first.
    """
    miner = _Miner(program, samples, phases)
    found: dict[Term, Candidate] = {}
    for candidate in miner.all():
        if candidate.term is not TRUE:
            found.setdefault(candidate.term, candidate)
    return list(found.values())


class _Miner:
    def __init__(self, program: Program, samples: Sequence[Sequence[int]], phases: Phases) -> None:
        self.program, self.phases = program, phases
        self.reader = Reader(program, samples)
        self.conditions = self.reader.conditions()
        self.pointed = self.reader.pointed()
        aggregates = self.reader.aggregates()
        grouped = frozenset().union(*(a.slots for a in aggregates)) if aggregates else frozenset()
        numbers = self.reader.numbers()
        self.items = [f for f in numbers if f.slots & grouped]
        self.scalars = [f for f in numbers if not f.slots & grouped]
        self.aggregates = aggregates
        plain = {s.index for s in program.layout.slots if s.sort is not INT} - grouped - {phases.slot}
        self.truths = [c for c in self.conditions if c.slots <= plain]

    def all(self) -> Iterator[Candidate]:
        table = self.reader.table
        everywhere = np.ones(len(table), np.bool_)
        yield from self.equations(everywhere, None, "")
        yield from self.bounds(everywhere, None, "")
        yield from self.orders(everywhere, None, "")
        if self.phases.slot >= 0:
            slot = self.program.layout.slots[self.phases.slot]
            for value in sorted(self.phases.every):
                here = table[:, slot.index] == value
                if here.sum() >= FEWEST_SAMPLES:
                    is_phase = self.reader.is_value(slot, value)
                    yield from self.equations(here, is_phase.condition, f"{is_phase.name} → ")
                    yield from self.bounds(here, is_phase.condition, f"{is_phase.name} → ")
                    yield from self.orders(here, is_phase.condition, f"{is_phase.name} → ")
                    yield from self.constants(here, is_phase)
        yield from self.implications()

    # -- equations -------------------------------------------------------------------------------
    def equations(self, here: Mask, phase: Term | None, prefix: str) -> Iterator[Candidate]:
        """Linear equations that hold in all samples of a phase and not in all samples."""
        features = [*self.aggregates, *self.scalars, *self.truths, *self.items]
        if not features:
            return
        matrix = np.column_stack([f.column for f in features])
        ones = np.ones((len(matrix), 1), np.int64)
        for weights in null_space(np.unique(np.hstack([ones, matrix])[here], axis=0)):
            used = [(f, int(w)) for f, w in zip(features, weights[1:], strict=True) if w]
            if not used or len(used) > MOST_FEATURES or max(abs(weights[1:])) > MOST_COEFFICIENT:
                continue
            if phase is not None and not (matrix @ weights[1:] + weights[0]).any():
                continue
            sides = _sides(used, int(weights[0]))
            yield Candidate(prefix + sides[2], _under(phase, equal(sides[0], sides[1])), "equation")

    def constants(self, here: Mask, phase: Feature) -> Iterator[Candidate]:
        """Numbers that are fixed in a phase where a condition holds, and not in all of the phase."""
        for c in self.truths:
            for wanted in (0, 1):
                both = here & (c.column == wanted)
                if both.sum() < FEWEST_SAMPLES or both.sum() == here.sum() or c.condition is None:
                    continue
                holds = c.condition if wanted else negate(c.condition)
                prefix = f"{phase.name} and {'' if wanted else 'not '}{c.name} → "
                for f in [*self.aggregates, *self.scalars]:
                    column = f.column[both]
                    if column.min() == column.max() and f.column[here].min() < f.column[here].max():
                        value = int(column[0])
                        assert phase.condition is not None
                        yield Candidate(
                            f"{prefix}{f.name} = {value}",
                            _under(every(phase.condition, holds), equal(f.term, constant(value))),
                            "equation",
                        )

    # -- bounds and orders -----------------------------------------------------------------------
    def bounds(self, here: Mask, phase: Term | None, prefix: str) -> Iterator[Candidate]:
        """Least and greatest values, where tighter than the declared ones (and than those of all samples)."""
        for f in [*self.aggregates, *self.scalars, *self.items]:
            column, lo, hi = f.column[here], f.term.lo, f.term.hi
            if phase is not None:
                lo, hi = max(lo, int(f.column.min())), min(hi, int(f.column.max()))
            least, most = int(column.min()), int(column.max())
            if least == most:  # an equation says it
                continue
            if least > lo:
                yield Candidate(f"{prefix}{f.name} ≥ {least}", _under(phase, f.term >= least), "bound")
            if most < hi:
                yield Candidate(f"{prefix}{f.name} ≤ {most}", _under(phase, f.term <= most), "bound")

    def orders(self, here: Mask, phase: Term | None, prefix: str) -> Iterator[Candidate]:
        """One number is at most another."""
        numbers = [*self.aggregates, *self.scalars]
        for a in numbers:
            for b in numbers:
                if a is b or a.slots & b.slots:
                    continue
                gap = b.column - a.column
                if phase is not None and gap.min() >= 0:
                    continue
                if gap[here].min() == 0 and a.column[here].max() > b.column[here].min():
                    yield Candidate(f"{prefix}{a.name} ≤ {b.name}", _under(phase, a.term <= b.term), "order")

    # -- implications ----------------------------------------------------------------------------
    def implications(self) -> Iterator[Candidate]:
        """Two-literal clauses: from a phase to anything, between scalars, and between items of one index."""
        conditions = [c for c in [*self.conditions, *self.pointed] if c.condition is not None]
        if not conditions:
            return
        columns = np.column_stack([c.column for c in conditions]).astype(np.float32)
        n = len(columns)
        holds = columns.sum(axis=0)
        both = columns.T @ columns
        keys = [_key(self.program, c) for c in conditions]
        for i, a in enumerate(conditions):
            if 0 < holds[i] < n or not n:
                for j in range(i + 1, len(conditions)):
                    if 0 < holds[j] < n and self._related(a, conditions[j], keys[i], keys[j]):
                        yield from _clauses(a, conditions[j], both[i, j], holds[i], holds[j], n)
            elif holds[i] == 0 and keys[i]:
                assert a.condition is not None
                yield Candidate(f"not {a.name}", negate(a.condition), "bound")

    def _related(self, a: Feature, b: Feature, a_key: str, b_key: str) -> bool:
        if a.slots & b.slots:
            return False
        if self.phases.slot in a.slots | b.slots:
            return True
        return a_key == b_key


def _key(program: Program, c: Feature) -> str:
    """The index of an item of an array, or "" for a scalar."""
    if len(c.slots) > 1:
        return ""
    (slot,) = c.slots
    found = re.search(r"\[([^\]]*)\]", program.layout.slots[slot].name)
    return found[1] if found else ""


def _clauses(a: Feature, b: Feature, both: float, first: float, second: float, n: int) -> Iterator[Candidate]:
    assert a.condition is not None
    assert b.condition is not None
    x, y = a.condition, b.condition
    if both == first:
        yield Candidate(f"{a.name} → {b.name}", some(negate(x), y), "implication")
    if both == second:
        yield Candidate(f"{b.name} → {a.name}", some(negate(y), x), "implication")
    if both == 0:
        yield Candidate(f"not ({a.name} and {b.name})", negate(every(x, y)), "implication")
    if first + second - both == n:
        yield Candidate(f"{a.name} or {b.name}", some(x, y), "implication")


def _under(phase: Term | None, holds: Term) -> Term:
    return holds if phase is None else some(negate(phase), holds)


def _sides(used: Sequence[tuple[Feature, int]], fixed: int) -> tuple[Term, Term, str]:
    """A linear form that is zero, as two sides without negative coefficients."""
    left = [(f, w) for f, w in used if w > 0]
    right = [(f, -w) for f, w in used if w < 0]
    if not left:
        left, right, fixed = right, left, -fixed
    more = (max(fixed, 0), max(-fixed, 0))
    texts, terms = [], []
    for part, number in zip((left, right), more, strict=True):
        shown = [f.name if w == 1 else f"{w}·{f.name}" for f, w in part] + ([str(number)] if number else [])
        texts.append(" + ".join(shown) or "0")
        terms.append(total(*(_times(f, w) for f, w in part), number))
    return terms[0], terms[1], f"{texts[0]} = {texts[1]}"


def _times(f: Feature, weight: int) -> Term:
    if f.condition is not None:
        return ite(f.condition, weight, 0)
    return f.term * weight if weight != 1 else f.term


def null_space(rows: Column) -> list[Column]:
    """Integer vectors w with rows @ w = 0: one for each column that earlier columns determine.

    Args:
        rows: Integer matrix; its entries are small against 2³¹.

    Returns:
        Vectors with a common factor of 1; those whose entries are not small fractions are left out.
    """
    reduced, pivots = _reduce(rows % _PRIME)
    found = []
    for free in range(rows.shape[1]):
        if free in pivots:
            continue
        parts = [(column, _fraction(int(-reduced[at, free] % _PRIME))) for at, column in enumerate(pivots)]
        if any(p is None for _, p in parts):
            continue
        fractions = [(c, p) for c, p in parts if p is not None]
        common = int(np.lcm.reduce([1, *(p[1] for _, p in fractions)]))
        w = np.zeros(rows.shape[1], np.int64)
        w[free] = common
        for column, (top, bottom) in fractions:
            w[column] = top * (common // bottom)
        if not (rows @ w).any():
            found.append(w)
    return found


def _reduce(rows: Column) -> tuple[Column, list[int]]:
    """Reduced row echelon form modulo the prime, and its pivot columns."""
    m = rows.copy()
    pivots: list[int] = []
    at = 0
    for column in range(m.shape[1]):
        candidates = np.flatnonzero(m[at:, column])
        if not len(candidates):
            continue
        best = at + int(candidates[0])
        m[[at, best]] = m[[best, at]]
        m[at] = m[at] * pow(int(m[at, column]), -1, _PRIME) % _PRIME
        others = np.flatnonzero(m[:, column])
        others = others[others != at]
        m[others] = (m[others] - m[others, column][:, None] * m[at] % _PRIME) % _PRIME
        pivots.append(column)
        at += 1
        if at == len(m):
            break
    return m[:at], pivots


def _fraction(residue: int) -> tuple[int, int] | None:
    """The small fraction that a residue stands for, if there is one."""
    for bottom in range(1, MOST_COEFFICIENT + 1):
        top = residue * bottom % _PRIME
        top = top - _PRIME if top > _PRIME // 2 else top
        if abs(top) <= _MOST_TOP:
            return top, bottom
    return None


__all__ = ["Candidate", "mine", "null_space"]
