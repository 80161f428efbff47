"""Checks of many conditions at once.

Promise: every event is recorded the first time its condition holds (for properties: fails), as if each had
been tested alone; the common case, that nothing new happens, costs one branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from models.language.terms import Term
from solvers.explorer.native.events import Plan
from solvers.explorer.native.expressions import Expressions

Condition = tuple[int, Term]
#: Terms of up to this many nodes are written again rather than kept.
_SMALL = 8


def check_all(e: Expressions, plan: Plan, properties: Sequence[Condition], instance: int) -> None:
    """Record the properties that do not hold.

    Args:
        e: Writer of terms.
        plan: The plan.
        properties: Event and term of each.
        instance: The instance whose step is checked, or -1 for a state.
    """
    left = [(event, t) for event, t in properties if plan.open(event) and e.facts.constant(t) != 1]
    if not left:
        return
    outer = dict(e.kept)
    keep_shared(e, [t for _, t in left])
    e.conjunction([part for _, t in left for part in e.parts(t)])
    e.f.add("i32.eqz")
    with e.f.block("if"):
        _one_by_one(e, plan, left, instance, wanted=False)
    e.kept = outer


def record_any(e: Expressions, plan: Plan, conditions: Sequence[Condition], instance: int) -> None:
    """Record the conditions that hold.

    Args:
        e: Writer of terms.
        plan: The plan.
        conditions: Event and term of each.
        instance: The instance that acts, or -1 for a state.
    """
    left = [(event, t) for event, t in conditions if plan.open(event) and e.facts.constant(t) != 0]
    if not left:
        return
    if plan.late:
        outer = dict(e.kept)
        keep_shared(e, [t for _, t in left])
        disjunction(e, [e.parts(t) for _, t in left])
        with e.f.block("if"):
            _one_by_one(e, plan, left, instance)
        e.kept = outer
    else:
        _one_by_one(e, plan, left, instance)


def _one_by_one(
    e: Expressions, plan: Plan, conditions: Sequence[Condition], instance: int, *, wanted: bool = True
) -> None:
    """Record those conditions that are (not) met and were not recorded before."""
    for event, t in conditions:
        plan.guarded(e.f, event)
        with e.f.block("if"):
            outer = dict(e.kept)
            keep_shared(e, [t])
            e.value(t)
            if not wanted:
                e.f.add("i32.eqz")
            with e.f.block("if"):
                plan.record(e.f, event, instance)
            e.kept = outer


def keep_shared(e: Expressions, roots: Sequence[Term]) -> None:
    """Compute what several parts of some conditions use once, before them.

    Args:
        e: Writer of terms.
        roots: Conditions that are all tested next.
    """
    uses: Counter[Term] = Counter()
    order: list[Term] = []
    stack = [(t, False) for t in reversed(roots)]
    while stack:
        t, ready = stack.pop()
        if ready:
            order.append(t)
            continue
        uses[t] += 1
        if uses[t] == 1:
            stack.append((t, True))
            stack.extend((a, False) for a in reversed(_used(e, t)))
    for t in order:
        if uses[t] > 1 and e.cost(t) > _SMALL and e.find(t) is None and t not in e.kept:
            e.keep(t)


def _used(e: Expressions, t: Term) -> Sequence[Term]:
    """The arguments of a term for which code is written."""
    if t in e.kept or e.facts.constant(t) is not None:
        return ()
    if t.op == "ite" and (settled := e.facts.constant(t.args[0])) is not None:
        return (t.args[1] if settled else t.args[2],)
    return t.args


def disjunction(e: Expressions, cases: Sequence[Sequence[Term]]) -> None:
    """Push whether one of several conjunctions holds; what many of them share is tested once."""
    if len(cases) == 1 or any(not case for case in cases):
        e.conjunction(cases[0] if all(cases) else [])
        return
    times = Counter(part for case in cases for part in dict.fromkeys(case))
    common, n = times.most_common(1)[0]
    if n == 1:
        for number, case in enumerate(cases):
            e.conjunction(case)
            if number:
                e.f.add("i32.or")
        return
    having = [[p for p in case if p is not common] for case in cases if any(p is common for p in case)]
    others = [case for case in cases if not any(p is common for p in case)]
    e.value(common)
    disjunction(e, having)
    e.f.add("i32.and")
    if others:
        disjunction(e, others)
        e.f.add("i32.or")
