"""Which instances act in a state, as WebAssembly.

Promises: instances of the lowest kind of actor present act, in order of declaration, and no others; what
many guards share is tested once. A slot that many guards compare is switched on first (usually the phase).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.terms import Term, walk
from solvers.explorer.native.expressions import Expressions
from solvers.explorer.native.guards import Guards, conjuncts

#: How many switches are nested at most.
_LEVELS = 2

Act = Callable[[Instance, Expressions], None]


@dataclass(frozen=True)
class Member:
    """An instance with the conjuncts of its guard that are still to be tested."""

    instance: Instance
    rest: tuple[Term, ...]


@dataclass(frozen=True)
class Switch:
    """Instances by the values of a slot; `slot` is None where there is nothing to gain."""

    slot: int | None
    members: tuple[Member, ...]
    cases: tuple[tuple[frozenset[int], Switch], ...]

    def leaves(self) -> Iterator[Switch]:
        """The switches without cases."""
        if self.slot is None:
            yield self
        for _, case in self.cases:
            yield from case.leaves()

    @property
    def key(self) -> object:
        """Equal for switches that need the same code."""
        if self.slot is None:
            return tuple((m.instance.index, tuple(c.id for c in m.rest)) for m in self.members)
        return (self.slot, tuple((tuple(sorted(v)), c.key) for v, c in self.cases))


class Switcher:
    """Arranges the instances of a program by the slots that their guards compare with constants."""

    def __init__(self, program: Program) -> None:
        self.guards = Guards(program.layout)
        self.members = tuple(Member(i, conjuncts(i.guard)) for i in program.instances)

    def switch(self) -> Switch:
        """The switch over all instances; those whose guard is false for every state are left out."""
        return self._switch(
            [m for m in self.members if not any(c.op == "const" and not c.lo for c in m.rest)], _LEVELS
        )

    def _switch(self, members: Sequence[Member], levels: int) -> Switch:
        best = self._best(members) if levels and len(members) > 1 else None
        if best is None:
            return Switch(None, tuple(members), ())
        slot, allowed = best
        cases: dict[object, tuple[set[int], Switch]] = {}
        for value in self.guards.span(slot):
            here = [
                Member(m.instance, tuple(c for c in m.rest if self.guards.only_slot(c) != slot))
                for m, values in zip(members, allowed, strict=True)
                if value in values
            ]
            case = self._switch(here, levels - 1)
            cases.setdefault(case.key, (set(), case))[0].add(value)
        return Switch(
            slot, tuple(members), tuple((frozenset(values), case) for values, case in cases.values())
        )

    def _best(self, members: Sequence[Member]) -> tuple[int, list[frozenset[int]]] | None:
        """The slot that leaves the fewest instances to be tested, if at most two thirds on average."""
        slots = {s for m in members for c in m.rest if (s := self.guards.only_slot(c)) is not None}
        best, fewest = None, 2 * len(members) / 3
        for slot in sorted(slots):
            allowed = [self.guards.allowed(m.rest, slot) for m in members]
            total = sum(len(a) for a in allowed)
            left = total / len(self.guards.span(slot))
            if left < fewest and total <= 2 * len(members):
                best, fewest = (slot, allowed), left
        return best


def by_actor(members: Sequence[Member]) -> list[list[Member]]:
    """The instances of each kind of actor, in the order in which the kinds may act."""
    groups = [[m for m in members if m.instance.actor is actor] for actor in sorted(Actor)]
    return [g for g in groups if g]


def walk_guards(members: Sequence[Member], exprs: Expressions, act: Act) -> None:
    """Write the tests of some instances in order; `act` writes what follows where all tests hold."""
    at = 0
    while at < len(members):
        head = members[at]
        if not head.rest:
            act(head.instance, exprs)
            at += 1
            continue
        group = members[at : at + _longest_run(members, at)]
        shared = frozenset(head.rest).intersection(*(m.rest for m in group))
        exprs.conjunction([c for c in head.rest if c in shared])
        with exprs.f.block("if"):
            outer = dict(exprs.kept)
            inner = [Member(m.instance, tuple(c for c in m.rest if c not in shared)) for m in group]
            _keep_shared(inner, exprs)
            walk_guards(inner, exprs, act)
            exprs.kept = outer
        at += len(group)


def _longest_run(members: Sequence[Member], at: int) -> int:
    """How many members from here on share a conjunct with this one, at best."""
    best = 1
    for c in members[at].rest:
        n = 1
        while at + n < len(members) and any(c is other for other in members[at + n].rest):
            n += 1
        best = max(best, n)
    return best


def _keep_shared(group: Sequence[Member], exprs: Expressions) -> None:
    """Keep terms that several guards of a group use."""
    if len(group) < 2:
        return
    users: dict[Term, int] = {}
    for m in group:
        for t in walk(*m.rest):
            users[t] = users.get(t, 0) + 1
    for t, n in users.items():
        if n > 1 and t.args and t not in exprs.kept and exprs.cost(t) > 3 and exprs.find(t) is None:
            exprs.keep(t)
