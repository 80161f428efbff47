"""Equivalence: what two readings or two versions of a rulebook change, move by move.

Promises: a move that is `same` is proved to be possible in the same states, to be as likely, to be made by
the same player and to lead to the same state, hidden fields included, from every state of that size that
keeps the invariants; two programs are `equal` if all moves are the same and the game is over in the same
states with the same result. Every difference is told apart by kind, with a state that shows it, and with a
play from the setup where one is asked for and found. Hidden fields count because what differs in them may
come to light later.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from models.language.errors import ModelError
from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.terms import Term
from solvers.contract import Proved, Unknown
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import conj, disj, neg
from solvers.symbolic.goals import Part
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Num, Truth
from solvers.symbolic.session import Session
from solvers.symbolic.solving import Deadline, Solver


class Relation(enum.Enum):
    """How the second program's possibilities relate to the first's."""

    EQUAL = "equal"
    MORE = "more"
    FEWER = "fewer"
    INCOMPARABLE = "incomparable"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class MoveComparison:
    """One move (or all moves of a rule) under both programs.

    Attributes:
        label: The move.
        possible: Where it is possible, in the second against the first.
        outcome: Whether the state after it and its weight are the same wherever it is possible in both; None
            if the time ran out.
        state: A state in which the two differ, if they do.
    """

    label: str
    possible: Relation
    outcome: bool | None
    state: Values | None

    @property
    def same(self) -> bool:
        """Whether the two were proved equal."""
        return self.possible is Relation.EQUAL and self.outcome is True


class Twins:
    """Two programs over the same state.

    Args:
        one: The session of the first; its invariants are used.
        other: The second program.

    Errors:
        ModelError: the programs have different slots.
    """

    def __init__(self, one: Session, other: Program) -> None:
        ours = [(s.name, s.sort, s.lo, s.hi) for s in one.program.layout.slots]
        theirs = [(s.name, s.sort, s.lo, s.hi) for s in other.layout.slots]
        if ours != theirs:
            name = next((a[0] for a, b in zip(ours, theirs, strict=False) if a != b), "their number")
            raise ModelError(
                f"the two programs have different fields (first difference: {name})",
                hint="compare readings or versions that keep the state as it is",
            )
        self.one, self.first, self.other = one, one.machine, other
        self.labels = list(dict.fromkeys([*one.program.by_label, *other.by_label]))

    @cached_property
    def second(self) -> Machine:
        """The second program in Z3's terms."""
        return Machine(self.other, self.first.numbers)

    @cached_property
    def other_run(self) -> Interpreter:
        """The second program's interpreter."""
        return Interpreter(self.other)

    def pair(self, label: str) -> tuple[Instance | None, Instance | None]:
        """The instances of a label."""
        return self.one.program.by_label.get(label), self.other.by_label.get(label)

    def enabled(self, label: str) -> tuple[Truth, Truth]:
        """When a move is possible, in the first and in the second."""
        a, b = self.pair(label)
        nowhere = disj()
        return (self.first.enabled(a) if a else nowhere), (self.second.enabled(b) if b else nowhere)

    def apart(self, label: str) -> Truth:
        """Where the move is possible in both and the state after it, or how likely it is, differs."""
        a, b = self.pair(label)
        if a is None or b is None:
            return disj()
        one, two = self.first.effect(a), self.second.effect(b)
        outcome = [
            self.first.same(x, y) for x, y in zip(self.first.after(a), self.second.after(b), strict=True)
        ]
        both = conj(one.alive, two.alive)
        different = disj(neg(self._equal(one.alive, two.alive)), conj(both, neg(conj(*outcome))))
        if a.actor is not b.actor:
            return conj(*self.enabled(label))
        if a.player is not None and b.player is not None:
            players = self._numbers_equal(self.first.value(a.player), self.second.value(b.player))
            different = disj(different, neg(players))
        if a.actor is Actor.CHANCE:
            weights = self._numbers_equal(self.first.value(a.weight), self.second.value(b.weight))
            different = disj(different, neg(weights))
        return conj(*self.enabled(label), different)

    def differs(self, label: str) -> Truth:
        """Where a move is possible in one of the two only, or something about it differs."""
        one, two = self.enabled(label)
        return disj(conj(one, neg(two)), conj(two, neg(one)), self.apart(label))

    @cached_property
    def results(self) -> list[tuple[Term, Term]]:
        """Winners and scores that the two programs tell by different terms."""
        one, two = self.first.program, self.other
        pairs = zip((*one.winners, *one.scores), (*two.winners, *two.scores), strict=True)
        return [(a, b) for a, b in pairs if a is not b]

    @cached_property
    def ends_apart(self) -> Truth:
        """Where the game is over in one of the two only, or with another result."""
        others = [neg(self.first.same(self.first.value(a), self.second.value(b))) for a, b in self.results]
        return disj(neg(self._equal(self.first.over, self.second.over)), conj(self.first.over, disj(*others)))

    def equal(self, deadline: Deadline) -> Proved | Unknown:
        """Whether the two programs are the same, move by move, in all states that keep the invariants.

        Args:
            deadline: When to stop.

        Returns:
            `Proved`, or `Unknown` with the first difference; whether play ever comes there is not said: ask
                for `Parting`.
        """
        solver = Solver(self.first.numbers, self.one.known())
        respects = [*self.labels, "when the game is over"]
        for number, name in enumerate(respects):
            solver.push()
            solver.add(self.differs(name) if number < len(self.labels) else self.ends_apart)
            answer = solver.check(deadline)
            solver.pop()
            if answer is not False:
                reason = "a state shows a difference" if answer else "the time is over"
                return Unknown(f"{reason}: {name}", f"the same in {number} of {len(respects)} respects")
        used = self.one.invariants
        kept = len(used.kept) if used is not None and used.complete else 0
        return Proved(f"{self.one.program.size_name}, all states that keep {kept} proved invariants")

    @staticmethod
    def _equal(a: Truth, b: Truth) -> Truth:
        return disj(conj(a, b), conj(neg(a), neg(b)))

    def _numbers_equal(self, a: Num, b: Num) -> Truth:
        return self.first.numbers.equal(a, b)

    def compare(self, label: str, deadline: Deadline) -> MoveComparison:
        """Compare one move in all states that keep the first program's invariants."""
        one, two = self.enabled(label)
        solver = Solver(self.first.numbers, self.one.known())
        answers, shown = [], None
        for condition in (conj(one, neg(two)), conj(two, neg(one)), self.apart(label)):
            solver.push()
            solver.add(condition)
            answer = solver.check(deadline)
            if answer:
                shown = self.first.values(solver.model(), self.first.state)
            solver.pop()
            answers.append(answer)
        lost, gained, apart = answers
        return MoveComparison(label, _relation(lost, gained), None if apart is None else not apart, shown)

    def rules(self, deadline: Deadline) -> dict[str, list[MoveComparison]]:
        """All moves compared, by rule."""
        found: dict[str, list[MoveComparison]] = {}
        for label in self.labels:
            instance = next(i for i in self.pair(label) if i is not None)
            found.setdefault(instance.rule, []).append(self.compare(label, deadline))
        return found


def _relation(lost: bool | None, gained: bool | None) -> Relation:
    if lost is None or gained is None:
        return Relation.UNKNOWN
    if lost and gained:
        return Relation.INCOMPARABLE
    return Relation.FEWER if lost else Relation.MORE if gained else Relation.EQUAL


@dataclass(frozen=True)
class Parting:
    """A state that the first program reaches in which two programs differ; see `Goal`.

    Where none is reached, they never part. Where one is, what differs may be hidden still: a parting that
    players see is on, or after, the play to it (see `solvers.compare.along`).

    Attributes:
        twins: The two programs.
        labels: Moves that may differ (all unless given).
    """

    twins: Twins
    labels: Sequence[str] = ()
    takes_step: bool = False

    @property
    def key(self) -> str:
        """See `Goal`."""
        other = self.twins.other
        return f"parting from {other.digest} {' '.join(self.labels)}"

    def parts(self, machine: Machine) -> list[Part]:
        """See `Goal`."""
        found = [Part(None, self.twins.differs(label)) for label in self.labels or self.twins.labels]
        found.append(Part(None, self.twins.ends_apart))
        return [p for p in found if not p.condition.eq(disj())]

    def met(self, run: Interpreter, before: Values, label: str | None) -> bool:
        """See `Goal`."""
        other = self.twins.other_run
        if label is not None:
            return False
        if run.over(before) or other.over(before):
            return run.over(before) != other.over(before) or any(
                run.value(a, before) != other.value(b, before) for a, b in self.twins.results
            )
        return any(self._differs(run, before, name) for name in self.labels or self.twins.labels)

    def _differs(self, run: Interpreter, state: Values, label: str) -> bool:
        # the interpreter's own instances: its program may be another build of the same source
        other = self.twins.other_run
        a, b = run.program.by_label.get(label), other.program.by_label.get(label)
        here, there = a is not None and a in run.enabled(state), b is not None and b in other.enabled(state)
        if here != there:
            return True
        if not here or a is None or b is None:
            return False
        if a.actor is not b.actor:
            return True
        if a.actor is Actor.CHANCE and run.value(a.weight, state) != other.value(b.weight, state):
            return True
        players = [who.value(i.player, state) for who, i in ((run, a), (other, b)) if i.player is not None]
        if len(set(players)) > 1:
            return True
        one, two = run.step(state, a).state, other.step(state, b).state
        return one != two
