"""Mutants: a program with one rule changed in one place, to ask whether anything notices.

Promises: a mutant is a valid program that every engine can run: numbers that may now leave their range stop
the step with a capacity question, as in a program that was traced; the same change is made in all instances
of the rule at once, and can be made in the program of another size.

The operators are those of mutation analysis (DeMillo, Lipton and Sayward 1978; Offutt et al. 1996) over the
IR: conditions dropped and negated, relations and constants changed by one, assignments skipped, branches
swapped.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from models.language import ir
from models.language.ir import Instance, Kind
from models.language.program import Program
from models.language.terms import BOOL, INT, TRUE, Term, constant, make, negate, show, walk
from solvers.fuzz.rewrite import Impossible, Repair, rewrite_body, rewrite_term

#: What each operator does, by its name.
OPERATORS = {
    "drop-condition": "a condition of the guard is left out",
    "negate-condition": "a condition of the guard is turned round",
    "skip-assignment": "an assignment is left out",
    "swap-branches": "what happens if, and what happens otherwise, change places",
    "always": "what happens under a condition always happens",
    "never": "what happens under a condition never happens",
    "relation": "`<` for `<=`, or an equality turned round",
    "plus-one": "a number is greater by one",
    "minus-one": "a number is smaller by one",
    "other-member": "the next member of an enumeration",
    "extreme": "the greater for the smaller, or the other way round",
    "swap-values": "the value if, and the value otherwise, change places",
    "drop-part": "a part of a conjunction or disjunction is left out",
    "no-rule": "the rule is never allowed",
}


@dataclass(frozen=True)
class Mutation:
    """A change of one rule that can be made in every program built from the same rulebook.

    Attributes:
        id: Rule, operator and a number; stable for one source and size.
        rule: The rule.
        operator: A key of `OPERATORS`.
        key: What is changed: its look, with numbers masked, and which of those that look so it is.
        text: What is changed, as a short expression.
    """

    id: str
    rule: str
    operator: str
    key: tuple[str, int]
    text: str

    def apply(self, program: Program) -> Program | None:
        """The changed program; None where it has no such place, or would not be valid."""
        by_instance = _changes(program, self.rule, self.operator).get((self.operator, self.key))
        if by_instance is None:
            return None
        repair, instances = Repair(program), list(program.instances)
        try:
            for index, change in by_instance.items():
                instances[index] = change.apply(instances[index], repair)
        except Impossible:
            return None
        return replace(program, instances=tuple(instances), sites=repair.sites)


@dataclass(frozen=True)
class _Change:
    """A change of one instance; `key` names the same change in the other instances of the rule."""

    operator: str
    key: tuple[str, int]
    apply: Callable[[Instance, Repair], Instance]
    text: Callable[[], str]


def mutations(
    program: Program, *, rules: Iterable[str] = (), operators: Iterable[str] = ()
) -> list[Mutation]:
    """All single changes of a program's rules; some may be impossible or change nothing, see `mutants`.

    Args:
        program: The program.
        rules: Rules to change (all unless given).
        operators: Operators to use (all unless given).

    Returns:
        The changes, by rule in order of declaration, then by operator.
    """
    wanted, found = set(operators) or set(OPERATORS), []
    for rule in dict.fromkeys(i.rule for i in program.instances):
        if rules and rule not in set(rules):
            continue
        number: Counter[str] = Counter()
        changes = _changes(program, rule)
        for name in OPERATORS:
            for (operator, key), by_instance in changes.items():
                if operator == name and operator in wanted:
                    number[operator] += 1
                    text = next(iter(by_instance.values())).text()
                    found.append(Mutation(f"{rule}/{operator}/{number[operator]}", rule, operator, key, text))
    return found


def mutants(program: Program, chosen: Iterable[Mutation] | None = None) -> Iterator[tuple[Mutation, Program]]:
    """The changed programs: valid ones, no two alike, none like the program itself.

    Args:
        program: The program.
        chosen: The changes to make (all unless given).
    """
    seen = {program.digest}
    for mutation in mutations(program) if chosen is None else chosen:
        changed = mutation.apply(program)
        if changed is not None and changed.digest not in seen:
            seen.add(changed.digest)
            yield mutation, changed


def sample(
    found: Sequence[Mutation], n: int, seed: int = 0, keep: Callable[[Mutation], bool] | None = None
) -> list[Mutation]:
    """Some changes, spread over the rules and the operators.

    Args:
        found: The changes.
        n: How many, at most.
        seed: Of the choice.
        keep: Which of them count (all unless given); the others are passed over.

    Returns:
        The sample in the order of `found`: rules take turns, and each gives an operator that was given least.
    """
    draws = random.Random(seed)
    by_rule: dict[str, list[Mutation]] = defaultdict(list)
    for m in draws.sample(list(found), len(found)):
        by_rule[m.rule].append(m)
    chosen: list[Mutation] = []
    given: Counter[str] = Counter()
    while any(by_rule.values()) and len(chosen) < n:
        for rule in sorted(by_rule):
            rest = by_rule[rule]
            while rest and len(chosen) < n:
                rarest = min(rest, key=lambda m: given[m.operator])
                rest.remove(rarest)
                if keep is None or keep(rarest):
                    given[rarest.operator] += 1
                    chosen.append(rarest)
                    break
    places = {m.id: k for k, m in enumerate(found)}
    return sorted(chosen, key=lambda m: places[m.id])


def _changes(
    program: Program, rule: str, only: str = ""
) -> dict[tuple[str, tuple[str, int]], dict[int, _Change]]:
    """Operator and key of each change of a rule → the change in each instance that has its place.

    Args:
        program: The program.
        rule: The rule.
        only: The one operator to use (all unless given).
    """
    groups: dict[tuple[str, tuple[str, int]], dict[int, _Change]] = {}
    for i in program.instances:
        if i.rule == rule:
            for change in _of_instance(program, i, only):
                groups.setdefault((change.operator, change.key), {})[i.index] = change
    return groups


class _Keys:
    """Numbers the things of an instance that look alike but for their numbers."""

    def __init__(self) -> None:
        self.count: Counter[tuple[str, str]] = Counter()

    def next(self, operator: str, look: str) -> tuple[str, int]:
        masked = re.sub(r"[0-9]+", "#", look)
        self.count[operator, masked] += 1
        return masked, self.count[operator, masked]


def _of_instance(program: Program, i: Instance, only: str = "") -> Iterator[_Change]:
    keys = _Keys()
    if only in ("", "no-rule"):
        never = partial(str, "never allowed")
        yield _Change("no-rule", ("", 0), lambda j, _: replace(j, guard=negate(TRUE)), never)
    if only in ("", *_GUARD):
        yield from _guard_changes(i, keys)
    if only in ("", "skip-assignment", *_BRANCHING):
        yield from _statement_changes(program, i, keys)
    if only in (*_GUARD, "no-rule", "skip-assignment", *_BRANCHING):
        return
    for t in walk(i.guard, *_acting(program, i.body)):
        for operator, new in _replacements(t):
            if only in ("", operator):
                key = keys.next(operator, show(t))
                yield _Change(operator, key, _substitution(t, new), partial(_arrow, t, new))


def _arrow(old: Term, new: Term) -> str:
    return f"{show(old)} → {show(new)}"


def _acting(program: Program, body: ir.Block) -> Iterator[Term]:
    """The terms that what a body does depends on: not what is only asked, nor what keeps numbers in range."""
    for s in body:
        if isinstance(s, ir.If) and not _is_capacity(program, s):
            yield s.condition
            yield from _acting(program, s.then)
            yield from _acting(program, s.otherwise)
        elif isinstance(s, ir.Assign):
            yield from ir.roots(s)


def _is_capacity(program: Program, s: ir.If) -> bool:
    first = s.then[0] if s.then else None
    return isinstance(first, ir.Stop) and program.sites[first.site].kind is Kind.CAPACITY


def _substitution(old: Term, new: Term) -> Callable[[Instance, Repair], Instance]:
    def apply(i: Instance, repair: Repair) -> Instance:
        changed = {old: new}
        return replace(
            i,
            guard=rewrite_term(i.guard, changed),
            body=repair.body(rewrite_body(i.body, changed), i.clauses),
        )

    return apply


#: Operators on the conditions of a guard.
_GUARD = ("drop-condition", "negate-condition")


# -- guards ----------------------------------------------------------------------------------------------


def _guard_changes(i: Instance, keys: _Keys) -> Iterator[_Change]:
    parts = i.guard.args if i.guard.op == "and" else (i.guard,)
    for k, part in enumerate(parts):
        if part.op == "const":
            continue
        without = (*parts[:k], *parts[k + 1 :])
        turned = (*parts[:k], negate(part), *parts[k + 1 :])
        for operator, made, text in (
            ("drop-condition", without, f"without {show(part)}"),
            ("negate-condition", turned, f"not {show(part)}"),
        ):
            guard = _conjunction(made)
            yield _Change(operator, keys.next(operator, show(part)), _with_guard(guard), partial(str, text))


def _with_guard(guard: Term) -> Callable[[Instance, Repair], Instance]:
    return lambda i, _: replace(i, guard=guard)


def _conjunction(parts: tuple[Term, ...]) -> Term:
    return TRUE if not parts else parts[0] if len(parts) == 1 else make("and", parts, BOOL, 0, 1)


# -- statements ------------------------------------------------------------------------------------------


def _statement_changes(program: Program, i: Instance, keys: _Keys) -> Iterator[_Change]:
    for number, s in enumerate(ir.statements(i.body)):
        if isinstance(s, ir.Assign):
            look = f"{s.slots} := {show(s.value)}"
            yield _at(number, "skip-assignment", keys, look, f"without := {show(s.value)}", lambda _: ())
        elif isinstance(s, ir.If) and not _is_capacity(program, s):
            look = show(s.condition)
            for operator, edit in _BRANCHING.items():
                yield _at(number, operator, keys, look, f"at if {look}", edit)


def _at(
    number: int,
    operator: str,
    keys: _Keys,
    look: str,
    text: str,
    edit: Callable[[ir.If], ir.Block],
) -> _Change:
    """A change of the statement with a number in order of execution."""

    def apply(i: Instance, _: Repair) -> Instance:
        count = iter(range(10**9))

        def block(body: ir.Block) -> ir.Block:
            out: list[ir.Stmt] = []
            for s in body:
                mine = next(count) == number
                made = ir.If(s.condition, block(s.then), block(s.otherwise)) if isinstance(s, ir.If) else s
                out += edit(made) if mine else (made,)  # type: ignore[arg-type]
            return tuple(out)

        return replace(i, body=block(i.body))

    return _Change(operator, keys.next(operator, look), apply, partial(str, text))


_BRANCHING: dict[str, Callable[[ir.If], ir.Block]] = {
    "swap-branches": lambda s: (ir.If(s.condition, s.otherwise, s.then),),
    "always": lambda s: (ir.If(TRUE, s.then, ()),),
    "never": lambda s: (ir.If(TRUE, s.otherwise, ()),),
}


# -- terms -----------------------------------------------------------------------------------------------


def _replacements(t: Term) -> Iterator[tuple[str, Term]]:
    """Operator and the term that stands instead."""
    if t.op in ("lt", "le"):
        yield "relation", make("le" if t.op == "lt" else "lt", t.args, BOOL, 0, 1)
    elif t.op == "eq":
        yield "relation", negate(t)
    elif t.op in ("min", "max"):
        yield "extreme", rewrite_term(t, {}, op="max" if t.op == "min" else "min")
    elif t.op == "ite":
        c, a, b = t.args
        yield "swap-values", make("ite", (c, b, a), t.sort, t.lo, t.hi)
    elif t.op in ("and", "or"):
        for k in range(len(t.args)):
            rest = (*t.args[:k], *t.args[k + 1 :])
            yield "drop-part", rest[0] if len(rest) == 1 else make(t.op, rest, BOOL, 0, 1)
    if t.op in ("eq", "lt", "le", "add", "sub", "mul", "min", "max", "ite"):
        yield from _other_constants(t)


def _other_constants(t: Term) -> Iterator[tuple[str, Term]]:
    for k, a in enumerate(t.args):
        if a.op != "const" or a.sort is BOOL:
            continue
        for operator, other in _neighbours(a):
            args = (*t.args[:k], other, *t.args[k + 1 :])
            yield operator, rewrite_term(t, {}, args=args)


def _neighbours(a: Term) -> Iterator[tuple[str, Term]]:
    if a.sort is INT:
        yield "plus-one", constant(a.lo + 1)
        yield "minus-one", constant(a.lo - 1)
    elif a.sort.members is not None:
        yield "other-member", constant((a.lo + 1) % len(a.sort.members), a.sort)
