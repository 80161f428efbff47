"""Order: whether two consequences commute in every state (critical pairs).

Promises: `Proved` means that wherever both are due (and the invariants hold), each leaves the other due and
both orders end in the same state; by Newman's lemma (1942) consequences that all commute and end are
confluent. A witness leads to a state from which the two orders come to rest in positions that can be told
apart by what is not hidden.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from models.language.ir import Actor, Instance
from models.language.program import Program
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import conj, neg
from solvers.symbolic.goals import Part
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Truth

#: What can be seen where a play comes to rest; None where it stopped or never rests.
Rest = tuple[int, ...] | None

#: States that are looked at, at most, to find where consequences come to rest.
MOST_STATES = 2000


@dataclass(frozen=True)
class Apart:
    """A state in which two consequences are due and their order matters; see `Goal`.

    Attributes:
        first: Position of one instance.
        second: Position of the other.
        key: Text that tells it from other goals.
    """

    first: int
    second: int
    key: str
    takes_step: bool = False

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        a, b = machine.program.instances[self.first], machine.program.instances[self.second]
        return [Part(None, conj(machine.enabled(a), machine.enabled(b), neg(diamond(machine, a, b))))]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        a, b = run.program.instances[self.first], run.program.instances[self.second]
        due = run.enabled(before)
        return a in due and b in due and not rests(run, before, a) & rests(run, before, b)


def diamond(machine: Machine, a: Instance, b: Instance) -> Truth:
    """That both orders are possible from the state before, neither stops, and both end in one state."""
    one, two = machine.after(a), machine.after(b)
    by_one, by_two = machine.moving(one), machine.moving(two)
    effects = machine.effect(a), machine.effect(b)
    ends = []
    for s in range(len(machine.state)):
        left = machine.replaced(by_one, machine.after(b)[s])
        right = machine.replaced(by_two, machine.after(a)[s])
        ends.append(machine.same(left, right))
    still = [
        effects[0].alive,
        effects[1].alive,
        by_one(effects[1].alive),
        by_two(effects[0].alive),
        by_one(machine.enabled(b)),
        by_two(machine.enabled(a)),
    ]
    return conj(*still, *ends)


def rests(run: Interpreter, state: Values, first: Instance) -> frozenset[Rest]:
    """Where the play can come to rest when one consequence goes first."""
    found: set[Rest] = set()
    after = run.step(state, first).state
    if after is None:
        return frozenset([None])
    todo, seen = [after], {after}
    while todo:
        now = todo.pop()
        due = [] if run.over(now) else run.enabled(now)
        if not due or due[0].actor is not Actor.RULES:
            found.add((run.over(now), *(now[s] for s in run.program.observable)))
            continue
        for i in due:
            then = run.step(now, i).state
            if then is None:
                found.add(None)
            elif then not in seen:
                seen.add(then)
                todo.append(then)
        if len(seen) > MOST_STATES:
            break
    return frozenset(found or {None})


def pairs(program: Program, machine: Machine) -> Iterator[tuple[tuple[str, str], list[Apart]]]:
    """Pairs of rules whose consequences may be due at once, with the questions for their instances."""
    due = [i for i in program.instances if i.actor is Actor.RULES]
    by_rules: dict[tuple[str, str], list[Apart]] = {}
    for a, b in itertools.combinations(due, 2):
        if machine.phases.together(a, b):
            key = (min(a.rule, b.rule), max(a.rule, b.rule))
            by_rules.setdefault(key, []).append(Apart(a.index, b.index, f"order {a.label} {b.label}"))
    yield from by_rules.items()
