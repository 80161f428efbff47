"""Session: what the questions about one program share: its Z3 form, random plays, and proved invariants.

Promises: each of these is made once a program; what was proved is kept for later questions, here and, where
a cache is given, for later runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from models.language.program import Program
from models.language.terms import Term, every
from properties.kinds import Form, Property
from solvers.contract import Limits, Progress
from solvers.explorer import Exploration, explore
from solvers.interpreter import Interpreter
from solvers.symbolic.encode import neg
from solvers.symbolic.games import Games
from solvers.symbolic.goals import Goal
from solvers.symbolic.induction import PATIENCE, Houdini, Proof
from solvers.symbolic.invariants import Candidate, mine
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Integers, Truth
from solvers.symbolic.rollouts import Rollouts
from solvers.symbolic.solving import Deadline, Solver

#: States of each phase from which candidates are mined.
SAMPLES = 2000
#: Steps of random play on the interpreter for one program.
STEPS = 100_000
#: States that breadth-first search from the setup stores at most, and bytes for them.
MOST_STATES, _MEMORY = 2_000_000, 1 << 29
#: Families of candidates in the order in which they are proved, properties with each; those of more than so
#: many parts (one for each kind of card, for instance) from the second stage on.
STAGES: tuple[tuple[str, ...], ...] = (("equation",), (), ("bound", "order"), ("implication",))
WIDE = 16
_MOST_SESSIONS = 8


@dataclass(frozen=True)
class Invariants:
    """Conditions that were proved to hold in every reachable state of one program.

    Attributes:
        digest: Digest of the program.
        size: Name of its size.
        kept: The conditions.
        complete: Whether at least the first stage of the proof ended in time (else nothing is proved).
    """

    digest: str
    size: str
    kept: tuple[Candidate, ...]
    complete: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the conditions."""
        return tuple(c.name for c in self.kept)

    @property
    def scope(self) -> str:
        """What the proof covers, for verdicts."""
        return f"{self.size}, all reachable states (induction, {len(self.kept)} conditions proved together)"


class Session:
    """One program under questions.

    Args:
        program: The program.
        seed: Of the random plays.
    """

    def __init__(self, program: Program, seed: int = 0) -> None:
        self.program, self.seed = program, seed
        self.run = Interpreter(program)
        self.rollouts = Rollouts(program, seed)
        self.invariants: Invariants | None = None
        self._games = Games(program, self.run, seed)
        self._explored: Exploration | None = None

    @cached_property
    def machine(self) -> Machine:
        """The program over Z3."""
        return Machine(self.program)

    @cached_property
    def integers(self) -> Machine:
        """The program over integers, for `spacer`."""
        return Machine(self.program, Integers())

    def play(self, deadline: Deadline) -> Rollouts:
        """Random plays, as many steps of them as are wanted of one program."""
        self.rollouts.play(deadline, samples=SAMPLES, most=STEPS)
        return self.rollouts

    @property
    def games(self) -> int:
        """How many random games were played in native code."""
        return self._games.count

    def game_with(self, sites: Sequence[int], deadline: Deadline) -> tuple[str, ...] | None:
        """The moves of a random game up to one of some sites (native code, uniform choices)."""
        return self._games.play_to(sites, deadline)

    def explored(self, deadline: Deadline) -> Exploration:
        """Breadth-first search from the setup in native code, as far as it goes at little expense."""
        if self._explored is None:
            limits = Limits(states=MOST_STATES, seconds=max(deadline.left, 0.1), memory=_MEMORY)
            self._explored = explore(self.program, limits=limits)
        return self._explored

    def prove(
        self, properties: Sequence[Property], deadline: Deadline, progress: Progress | None = None
    ) -> Invariants:
        """Prove what can be proved by induction: properties and mined candidates, family after family.

        Each stage takes what was proved before as known; where the time ends a stage, the earlier ones stand.

        Args:
            properties: Properties of the form `always` take part; others are left out.
            deadline: When to stop.
            progress: Where to say how far it is.
        """
        wanted = {p.name: conjuncts(p.term(self.program)) for p in properties if p.form is Form.ALWAYS}
        done = self.invariants
        if done is not None and done.complete and wanted.keys() <= {*done.names, *self._failed}:
            return done
        self.play(deadline.share(0.3))
        mined = mine(self.program, [self.program.start, *self.rollouts.samples], self.machine.phases)
        proved = dict.fromkeys(done.kept if done is not None else ())
        finished = 0
        for number, families in enumerate(STAGES):
            terms = {c.term for c in proved}
            parts = [
                Candidate(f"{name} ({n})", part, "property")
                for name, parts in wanted.items()
                if number or len(parts) <= WIDE
                for n, part in enumerate(parts, 1)
            ]
            fresh = [c for c in [*parts, *(m for m in mined if m.family in families)] if c.term not in terms]
            proof = self._stage(fresh, list(proved), deadline, progress)
            proved |= dict.fromkeys(proof.kept)
            if not proof.complete:
                break
            finished += 1
        self.invariants = self._named(wanted, list(proved), finished)
        return self.invariants

    def _stage(
        self,
        candidates: Sequence[Candidate],
        known: Sequence[Candidate],
        deadline: Deadline,
        progress: Progress | None,
    ) -> Proof:
        """One round of induction; then what is left and follows from what is proved."""
        background = [self.machine.holds(c.term) for c in known]
        houdini = Houdini(self.machine, candidates, background)
        if progress is None:
            proof = houdini.prove(deadline)
        else:
            with progress.task(f"{self.program.book.name}, {self.program.size_name}: invariants") as tick:
                proof = houdini.prove(deadline, tick)
        if not proof.complete:
            return proof
        left = [c for c in candidates if c.family == "property" and c not in proof.kept]
        solver = Solver(
            self.machine.numbers,
            [*self.machine.typed, *background, *(self.machine.holds(c.term) for c in proof.kept)],
        )
        implied = []
        for c in left:
            solver.push()
            solver.add(neg(self.machine.holds(c.term)))
            if solver.check(deadline, effort=PATIENCE) is False:
                implied.append(c)
            solver.pop()
        return Proof((*proof.kept, *implied), True, proof.queries)

    def _named(
        self, wanted: Mapping[str, Sequence[Term]], proved: Sequence[Candidate], finished: int
    ) -> Invariants:
        """The proved conditions, the properties among them whole and under their names."""
        terms = {c.term for c in proved}
        whole = [
            Candidate(name, every(*parts), "property")
            for name, parts in wanted.items()
            if terms.issuperset(parts)
        ]
        known = {c.name for c in whole}
        rest = [c for c in proved if c.name not in known and c.name.rsplit(" (", 1)[0] not in known]
        if finished == len(STAGES):
            self._failed |= wanted.keys() - known
        return Invariants(self.program.digest, self.program.size_name, (*whole, *rest), finished > 0)

    def adopt(self, invariants: Invariants) -> None:
        """Use invariants that were proved before."""
        if invariants.complete and invariants.digest == self.program.digest:
            self.invariants = invariants

    @cached_property
    def _failed(self) -> set[str]:
        """Properties that were tried and are not inductive."""
        return set()

    def known(self, invariants: Invariants | None = None) -> list[Truth]:
        """What every reachable state is known to keep, as conditions on the state before a step."""
        used = invariants if invariants is not None else self.invariants
        terms = [c.term for c in used.kept] if used is not None and used.complete else []
        return [*self.machine.typed, *(self.machine.holds(t) for t in terms)]

    def goal_met(self, goal: Goal, state: Values, label: str | None) -> bool:
        """Whether a state with the step taken from it meets a goal."""
        return goal.takes_step == (label is not None) and goal.met(self.run, state, label)


def conjuncts(t: Term) -> tuple[Term, ...]:
    """The parts of a conjunction, which may be proved one by one."""
    return t.args if t.op == "and" else (t,)


_sessions: OrderedDict[str, Session] = OrderedDict()


def session(program: Program) -> Session:
    """The session of a program; the least recently used of many are forgotten."""
    key = program.digest
    if key not in _sessions:
        _sessions[key] = Session(program)
        while len(_sessions) > _MOST_SESSIONS:
            _sessions.popitem(last=False)
    _sessions.move_to_end(key)
    return _sessions[key]
