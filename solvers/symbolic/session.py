"""Session: what the questions about one program share: its Z3 form, random plays, and proved invariants.

Promises: each of these is made once a program; what was proved is kept for later questions, here and, where
a cache is given, for later runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.language.program import Program
from models.language.terms import Term, every
from properties.kinds import Form, Property
from solvers.contract import Progress
from solvers.interpreter import Interpreter
from solvers.simulate import Playouts
from solvers.symbolic.goals import Goal
from solvers.symbolic.induction import Houdini
from solvers.symbolic.invariants import Candidate, mine
from solvers.symbolic.machine import Machine, Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.rollouts import Rollouts
from solvers.symbolic.solving import Deadline

#: States of each phase from which candidates are mined.
SAMPLES = 2000
#: Random games that are played for one program at most, and how many at a time.
MOST_GAMES, _BATCH = 40_000, 500
_MOST_SESSIONS = 8


@dataclass(frozen=True)
class Invariants:
    """Conditions that were proved to hold in every reachable state of one program.

    Attributes:
        digest: Digest of the program.
        size: Name of its size.
        kept: The conditions.
        complete: Whether the proof ended in time (else nothing is proved).
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
        self._games: dict[int, int] = {}
        self._played = 0

    @cached_property
    def _playouts(self) -> Playouts:
        return Playouts(self.program)

    @cached_property
    def machine(self) -> Machine:
        """The program over Z3."""
        return Machine(self.program)

    def play(self, seconds: float, deadline: Deadline) -> Rollouts:
        """Random plays, at least as many seconds of them in all as are given."""
        missing = seconds - self.rollouts.seconds
        if missing > 0.05:
            self.rollouts.play(Deadline.after(min(missing, deadline.left)), samples=SAMPLES)
        return self.rollouts

    def game_with(self, site: int, deadline: Deadline) -> tuple[str, ...] | None:
        """The moves of a random game up to a site, if one came by it (native code, uniform choices)."""
        while site not in self._games and not deadline.passed and self._played < MOST_GAMES:
            games = self._playouts.play(_BATCH, seed=self.seed, first=self._played)
            for met in np.flatnonzero(games.met.any(axis=0)).tolist():
                numbers = np.flatnonzero(games.met[:, met])
                self._games.setdefault(met, self._played + int(numbers[games.moves[numbers].argmin()]))
            self._played += _BATCH
        if site not in self._games:
            return None
        labels = self._playouts.moves(self._games[site], seed=self.seed)
        state = self.program.start
        for number, label in enumerate(labels):
            step = self.run.step(state, self.run.find(label))
            if site in step.hits:
                return labels[: number + 1]
            assert step.state is not None
            state = step.state
        raise AssertionError(f"game {self._games[site]} does not come by {self.program.sites[site].id}")

    @property
    def games(self) -> int:
        """How many random games were played in native code."""
        return self._played

    def prove(
        self, properties: Sequence[Property], deadline: Deadline, progress: Progress | None = None
    ) -> Invariants:
        """Prove what can be proved by induction: properties and mined candidates together.

        Args:
            properties: Properties of the form `always` take part; others are left out.
            deadline: When to stop.
            progress: Where to say how far it is.
        """
        wanted = {p.name: conjuncts(p.term(self.program)) for p in properties if p.form is Form.ALWAYS}
        done = self.invariants
        if done is not None and done.complete and wanted.keys() <= {*done.names, *self._failed}:
            return done
        self.play(min(4.0, deadline.left / 5), deadline)
        samples = [self.program.start, *self.rollouts.samples]
        parts = [
            Candidate(f"{name} ({n})", part, "property")
            for name, parts in wanted.items()
            for n, part in enumerate(parts, 1)
        ]
        candidates = [*parts, *mine(self.program, samples, self.machine.phases)]
        houdini = Houdini(self.machine, candidates)
        if progress is None:
            proof = houdini.prove(deadline)
        else:
            with progress.task(f"{self.program.book.name}, {self.program.size_name}: invariants") as tick:
                proof = houdini.prove(deadline, tick)
        terms = {c.term for c in proof.kept}
        whole = [
            Candidate(name, every(*parts), "property")
            for name, parts in wanted.items()
            if proof.complete and terms.issuperset(parts)
        ]
        kept = (
            *whole,
            *(c for c in proof.kept if c.family != "property" or len(wanted[c.name.rsplit(" (", 1)[0]]) > 1),
        )
        self.invariants = Invariants(self.program.digest, self.program.size_name, kept, proof.complete)
        if proof.complete:
            self._failed |= wanted.keys() - {c.name for c in whole}
        return self.invariants

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
