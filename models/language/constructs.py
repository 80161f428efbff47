"""Constructs that carry their own questions: rank, take, repeat; for decide see `models.language.decisions`.

Promises: a construct records probes that never change execution; where the text leaves a matter open
it runs on by a stated default; the names of constructs are unique, and a name stands for one shape
(one construct, one set of clauses) wherever it is used (in loops, helpers, parameters).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.language.decisions import Policy, Row, decide, renamed, row
from models.language.errors import ModelError
from models.language.functions import count, ite, least
from models.language.ir import Kind
from models.language.places import here
from models.language.questions import Reading, derived_id, derived_reading
from models.language.state import State
from models.language.terms import (
    FALSE,
    TRUE,
    Term,
    TermLike,
    constant,
    equal,
    every,
    negate,
    some,
    term,
    truth,
)


@dataclass(frozen=True)
class Ranking:
    """The result of `rank`.

    Attributes:
        best: For each candidate, whether it is among the best.
        tied: Whether more than one is.
        first: The lowest number among the best (0 if there is none).
    """

    best: tuple[Term, ...]
    tied: Term
    first: Term


def rank(
    t: State,
    name: str,
    keys: Sequence[Sequence[TermLike]],
    clause: str | Sequence[str],
    *,
    among: Sequence[TermLike] | None = None,
    shared: bool = False,
) -> Ranking:
    """The best by some keys, in this order, greatest first.

    Args:
        t: The state.
        name: Name of the comparison.
        keys: For each key, one number per candidate.
        clause: The sentence or sentences that give the keys.
        among: One truth value per candidate: who takes part (all unless given).
        shared: The text says that the tied share, so that a tie is no question.

    Returns:
        A `Ranking`.
    """
    clauses = (clause,) if isinstance(clause, str) else tuple(clause)
    rows = [[term(v) for v in key] for key in keys]
    n = len(rows[0]) if rows else 0
    if not n or any(len(r) != n for r in rows):
        raise ModelError(
            "every key of a ranking needs one number per candidate",
            where=f"{here()}, ranking {name}",
            hint="give as many numbers in each key as there are candidates",
        )
    part = [truth(p) for p in among] if among is not None else [TRUE] * n

    def ahead(i: int, j: int, k: int = 0) -> Term:
        if k == len(rows):
            return FALSE
        a, b = rows[k][i], rows[k][j]
        return some(a > b, every(equal(a, b), ahead(i, j, k + 1)))

    best = tuple(
        every(part[i], *(negate(every(part[j], ahead(j, i))) for j in range(n) if j != i)) for i in range(n)
    )
    tied = count(*best) > 1
    shape = ("rank", len(rows), shared, clauses)
    if not shared:
        t.trace.probe(Kind.TIE, name, tied, (), clauses, shape)
    if among is not None:
        t.trace.probe(Kind.GAP, name, negate(some(*part)), (), clauses, shape)
    first = constant(0)
    for i in reversed(range(n)):
        first = ite(best[i], i, first)
    return Ranking(best, tied, first)


def take(t: State, name: str, supply: TermLike, n: TermLike, clause: str) -> Term:
    """Draw or pay n from a finite supply; as many as there are, and shortage is asked.

    Args:
        t: The state.
        name: Name of the taking.
        supply: How many there are (read before).
        n: How many are wanted.
        clause: The sentence.

    Returns:
        How many are taken; the rule itself moves them.
    """
    have, want = term(supply), term(n)
    t.trace.probe(Kind.SHORTAGE, name, have < want, (), (clause,), ("take", clause))
    return least(have, want)


def repeat(t: State, name: str, clause: str, times: TermLike, reading: Reading | None = None) -> Term:
    """An effect that may apply more than once at a time.

    Args:
        t: The state.
        name: Name of the effect.
        clause: The sentence.
        times: How many times its condition is met at once.
        reading: A reading with the options `once` and `each`; without it the effect applies each time.

    Returns:
        How many times it applies.
    """
    if reading is not None and set(reading.options) != {"once", "each"}:
        raise ModelError(
            f"reading {reading.id} has the options {', '.join(reading.options)}",
            where=f"{here()}, effect {name}",
            hint="a reading of `repeat` has the options `once` and `each`",
        )
    met = term(times)
    t.trace.probe(Kind.STACKING, name, met > 1, (), (clause,), ("repeat", clause))
    if reading is None or t.reading(reading) == "each":
        return met
    return least(met, 1)


# fmt: off
__all__ = [
    "Policy", "Ranking", "Row", "decide", "derived_id", "derived_reading", "rank", "renamed", "repeat", "row",
    "take",
]
