"""Fewest: the smallest set of questions that settles all.

Promises: no smaller set of the questions covers everything (weighted MaxSAT, solved by Z3's optimiser);
among the smallest sets the one with the weightiest questions; the same input gives the same set.
"""

from __future__ import annotations

from collections.abc import Mapping, Set


def fewest(covers: Mapping[str, Set[str]], weights: Mapping[str, int] | None = None) -> tuple[str, ...]:
    """The smallest set of questions whose answers settle every question.

    Args:
        covers: Question → the questions that its answer settles; itself always counts.
        weights: Question → how much it is preferred where sets are equally small (0 unless given).

    Returns:
        The chosen questions, in the order of `covers`.
    """
    from z3 import Bool, If, Optimize, Or, Sum, is_true, sat

    if not covers:
        return ()
    preferred = weights or {}
    chosen = {q: Bool(q) for q in covers}
    solver = Optimize()
    for r in covers:
        solver.add(Or(*(chosen[q] for q in covers if r == q or r in covers[q])))
    solver.minimize(Sum(*(If(x, 1, 0) for x in chosen.values())))
    solver.maximize(Sum(*(If(chosen[q], preferred.get(q, 0), 0) for q in covers)))
    # of sets that are alike otherwise, the one whose questions come first
    solver.minimize(Sum(*(If(chosen[q], 1 << n, 0) for n, q in enumerate(covers))))
    if solver.check() != sat:
        raise AssertionError("every question settles itself, so there is a set")
    model = solver.model()
    return tuple(q for q in covers if is_true(model[chosen[q]]))
