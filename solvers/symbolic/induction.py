"""Induction: which of many candidates are invariants, proved together.

Promises: what is kept holds in the setup and is preserved by every step from any state within the slots'
ranges in which all that is kept holds; so it holds in every reachable state of that size. What is dropped
is not refuted.

The weakening is Houdini (Flanagan and Leino 2001): drop whatever a step breaks, until no step breaks
anything. A question about a step assumes only the candidates that earlier answers to it have called for (a
state that breaks something and violates another candidate calls for that one), so that questions stay
small; an unsatisfiable core names what a proof rests on, and a proof is repeated only if that is dropped.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import z3

from models.language.ir import Instance
from models.language.terms import Term, walk
from solvers.interpreter import Interpreter, Mixed, reads
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.solving import Deadline, Solver
from solvers.symbolic.unroll import Disagreement

#: Z3's resource units for one question about a step (a second or two); what needs more is dropped.
PATIENCE = 3_000_000
#: How many violated candidates are assumed at once.
_CALLED = 6
#: A sum of more parts than this is asked about apart from other candidates.
_LONG_SUM = 4


@dataclass(frozen=True)
class Proof:
    """Invariants that were proved together.

    Attributes:
        kept: What is proved.
        complete: Whether the search ended; if not, nothing is proved and `kept` is empty.
        queries: Calls of Z3.
    """

    kept: tuple[Candidate, ...]
    complete: bool
    queries: int


@dataclass(eq=False)
class _Question:
    """Whether a step breaks one of a group of candidates."""

    instance: Instance
    group: tuple[int, ...]
    kind: object
    rests_on: frozenset[int] = frozenset()


class Houdini:
    """Drops candidates until the rest is inductive.

    Args:
        machine: The program.
        candidates: What may hold.
        background: Conditions that are known to hold in every reachable state.
    """

    def __init__(
        self, machine: Machine, candidates: Sequence[Candidate], background: Sequence[Truth] = ()
    ) -> None:
        self.machine, self.run = machine, Interpreter(machine.program)
        self.background = [*machine.typed, *background]
        start = machine.program.start
        self.alive = {n: c for n, c in enumerate(candidates) if self.run.value(c.term, start)}
        self.holds = {n: machine.holds(c.term) for n, c in self.alive.items()}
        self.slots = {n: reads(c.term) for n, c in self.alive.items()}
        self.sums = {n: _sums(c.term) for n, c in self.alive.items()}
        self.cost = {n: sum(1 for _ in walk(c.term)) for n, c in self.alive.items()}
        self.names = {n: z3.Bool(f"candidate!{n}") for n in self.alive}
        self.breaks = {n: z3.Bool(f"breaks!{n}") for n in self.alive}
        self.called: dict[tuple[str, object], Counter[int]] = defaultdict(Counter)
        self.queries = 0

    def prove(self, deadline: Deadline, tick: Callable[[int], None] | None = None) -> Proof:
        """Weaken until nothing is dropped any more, or the time is over."""
        waiting = deque(q for i in self.machine.program.instances for q in self._questions(i))
        proved: list[_Question] = []
        while waiting:
            question, before = waiting.popleft(), set(self.alive)
            more = self._settle(question, deadline)
            if more is None:
                return Proof((), False, self.queries)
            waiting.extendleft(more)
            if not more:
                proved.append(question)
            dropped = before - self.alive.keys()
            if dropped:
                waiting.extend(q for q in proved if q.rests_on & dropped)
                proved = [q for q in proved if not q.rests_on & dropped]
                if tick is not None:
                    tick(len(dropped))
        return Proof(tuple(self.alive.values()), True, self.queries)

    def _questions(self, instance: Instance) -> Iterable[_Question]:
        """The candidates that a step may break, those with long sums apart by what they add up."""
        written = self.machine.effect(instance).writes.keys()
        groups: dict[object, list[int]] = defaultdict(list)
        for n in self.alive:
            if self.slots[n] & written:
                groups[self.sums[n]].append(n)
        for kind in sorted(groups, key=str):
            yield _Question(instance, tuple(groups[kind]), kind)

    def _settle(self, question: _Question, deadline: Deadline) -> list[_Question] | None:
        """Drop what a step breaks; questions to ask instead, if it is too hard; None if the time ran out."""
        group = [n for n in question.group if n in self.alive]
        calls = self.called[question.instance.rule, question.kind]
        used = [n for n, _ in calls.most_common() if n in self.alive]
        solver = self._solver(question.instance, group)
        assumed: set[int] = set()
        while group:
            for n in used:
                if n not in assumed:
                    solver.add(z3.Implies(self.names[n], self.holds[n]))
                    assumed.add(n)
            answer = self._ask(solver, question, used, deadline)
            if deadline.passed:
                return None
            if answer is False:
                core = {c.get_id() for c in solver.core()}
                question.rests_on = frozenset(n for n in used if self.names[n].get_id() in core)
                calls.update(question.rests_on)
                return []
            if answer is None:
                return self._halves(question, group)
            before = self.machine.values(solver.model(), self.machine.state)
            violated = [n for n, c in self.alive.items() if not self.run.value(c.term, before)]
            if violated:
                used += self._chosen(violated, group, used)
                continue
            self._drop(question.instance, before)
            group = [n for n in group if n in self.alive]
            used = [n for n in used if n in self.alive]
        question.rests_on = frozenset()
        return []

    def _solver(self, instance: Instance, group: Sequence[int]) -> Solver:
        effect = self.machine.effect(instance)
        moving = self.machine.substitution(effect.writes)
        broken = [z3.Implies(self.breaks[n], z3.Not(moving(self.holds[n]))) for n in group]
        some = z3.Or(*(self.breaks[n] for n in group))
        step = [self.machine.enabled(instance), effect.alive, *broken, some]
        return Solver(self.machine.numbers, [*self.background, *step])

    def _ask(
        self, solver: Solver, question: _Question, used: Sequence[int], deadline: Deadline
    ) -> bool | None:
        idle = [z3.Not(self.breaks[n]) for n in question.group if n not in self.alive]
        self.queries += 1
        return solver.check(deadline, *(self.names[n] for n in used), *idle, effort=PATIENCE)

    def _chosen(self, violated: Sequence[int], group: Sequence[int], used: Sequence[int]) -> list[int]:
        """A few of the violated candidates: those of the group first, then small ones."""
        own = set(group)
        order = sorted(set(violated) - set(used), key=lambda n: (n not in own, self.cost[n], n))
        return order[:_CALLED]

    def _halves(self, question: _Question, group: Sequence[int]) -> list[_Question]:
        """A question that is too hard as two; one candidate alone that is too hard is dropped."""
        if len(group) == 1:
            del self.alive[group[0]]
            return []
        at = len(group) // 2
        return [_Question(question.instance, tuple(part), question.kind) for part in (group[:at], group[at:])]

    def _drop(self, instance: Instance, before: Values) -> None:
        """Drop what breaks in a state: by this step, and by any other that is possible there."""
        try:
            others = [i for i in self.run.enabled(before) if i is not instance]
        except Mixed:  # the state need not be reachable
            others = []
        broken: set[int] = set()
        for i in (instance, *others):
            after = self.run.step(before, i).state
            if after is not None:
                broken |= {n for n, c in self.alive.items() if not self.run.value(c.term, after)}
            if not broken:
                raise Disagreement(f"{instance.label} breaks no candidate from {before}")
        for n in broken:
            del self.alive[n]


def _sums(t: Term) -> frozenset[frozenset[int]]:
    """The slots of each long sum in a term."""
    return frozenset(frozenset(reads(u)) for u in walk(t) if u.op == "add" and len(u.args) > _LONG_SUM)
