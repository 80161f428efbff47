"""Patterns: plays in which the rules act in a given order, by unrolling with those rules alone.

A play that is known at a small size tells which rules a play at another size needs and in which order, not
with which parameters. With one rule a step an unrolling stays small, so that it goes much deeper than one
over all moves.

Promises: a play that is found follows the pattern from the setup; where none is found, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.language.ir import Instance
from solvers.symbolic.encode import disj, neg
from solvers.symbolic.equivalence import Twins
from solvers.symbolic.goals import Part
from solvers.symbolic.machine import Machine
from solvers.symbolic.numbers import Truth
from solvers.symbolic.solving import Deadline, Solver
from solvers.symbolic.unroll import Found, Unrolling

#: Steps by any rule that may come after the pattern, and how often a repeated block may come again.
_FREE, _AGAIN = 2, (1, 2, 4)
#: The longest block whose repetition is looked for, and the longest pattern that is followed.
_BLOCK, _MOST = 6, 60


@dataclass(frozen=True)
class Pattern:
    """Rules in the order in which they act.

    Attributes:
        rules: The rule of each step.
        free: Steps by any rule that may follow.
    """

    rules: tuple[str, ...]
    free: int = 0


def variations(rules: Sequence[str]) -> Iterator[Pattern]:
    """A pattern, and patterns like it: with some steps more at its end, with repeated blocks repeated again.

    Args:
        rules: Names of the rules, as they acted in the play that is known.
    """
    yield Pattern(tuple(rules))
    yield Pattern(tuple(rules), _FREE)
    blocks = list(_blocks(rules))
    for times in _AGAIN:
        for block in blocks:
            yield Pattern(_repeated(rules, [block], times), _FREE)
        if len(blocks) > 1:
            yield Pattern(_repeated(rules, blocks, times))


def _repeated(rules: Sequence[str], blocks: Sequence[tuple[int, int]], times: int) -> tuple[str, ...]:
    """The rules with some blocks more often."""
    out, done = list[str](), 0
    for at, length in blocks:
        out += [*rules[done:at], *list(rules[at : at + length]) * times]
        done = at
    return (*out, *rules[done:])


def _blocks(rules: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a block begins that comes at least twice in a row, and how long it is; each run once."""
    at = 0
    while at < len(rules):
        for length in range(1, _BLOCK + 1):
            block, end = rules[at : at + length], at + length
            while rules[end : end + length] == block and len(block) == length:
                end += length
            if end > at + length:
                yield at, length
                at = end
                break
        else:
            at += 1


def follow(machine: Machine, parts: Sequence[Part], pattern: Pattern, deadline: Deadline) -> Found | None:
    """A play from the setup that follows a pattern and meets a goal at its end.

    Args:
        machine: The program.
        parts: The goal.
        pattern: The rules of the steps before the goal.
        deadline: When to stop.

    Returns:
        The play, or None where there is none or the time ran out.
    """
    unrolling = Unrolling(machine, machine.literals(machine.program.start))
    if not _extend([unrolling], [machine.program.instances], pattern):
        return None
    found = unrolling.reach(parts, deadline)
    return found if isinstance(found, Found) else None


def parting(twins: Twins, pattern: Pattern, deadline: Deadline) -> Found | None:
    """A play from the setup that both programs allow, after which players see a difference.

    Args:
        twins: The two programs.
        pattern: The rules of the steps.
        deadline: When to stop.

    Returns:
        The play, in the states of the first program; None where there is none or the time ran out.
    """
    one, two = twins.first, twins.second
    both = [i for i in one.program.instances if i.label in two.program.by_label]
    solver = Solver(one.numbers)
    left = Unrolling(one, one.literals(one.program.start), solver=solver)
    right = Unrolling(two, two.literals(two.program.start), solver=solver, mark="'")
    if not _extend([left, right], [both, [two.program.by_label[i.label] for i in both]], pattern):
        return None
    solver.add(_seen(twins, left, right))
    return left.play(solver.model()) if solver.check(deadline) else None


def _extend(
    unrollings: Sequence[Unrolling], instances: Sequence[Sequence[Instance]], pattern: Pattern
) -> bool:
    """Add the steps of a pattern, the same ones to each unrolling; False if a rule is missing."""
    if len(pattern.rules) > _MOST:
        return False
    for rule in pattern.rules:
        for unrolling, known in zip(unrollings, instances, strict=True):
            acting = [i for i in known if i.rule == rule]
            if not acting:
                return False
            unrolling.step(acting)
    for _ in range(pattern.free):
        for unrolling, known in zip(unrollings, instances, strict=True):
            unrolling.step(known, rest=True)
    return True


def _seen(twins: Twins, left: Unrolling, right: Unrolling) -> Truth:
    """That players can tell the last states apart: by an open field, by what may be done, or by the end."""
    one, two = twins.first, twins.second
    differ = [neg(one.same(left.states[-1][s], right.states[-1][s])) for s in one.program.observable]
    pairs = [(left.at_end(one.over), right.at_end(two.over))]
    for i in one.program.instances:
        other = two.program.by_label.get(i.label)
        if other is not None and not i.secret:
            pairs.append((left.at_end(one.enabled(i)), right.at_end(two.enabled(other))))
    return disj(*differ, *(neg(a == b) for a, b in pairs if not a.eq(b)))


__all__ = ["Pattern", "follow", "parting", "variations"]
