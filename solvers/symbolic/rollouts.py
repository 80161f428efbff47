"""Rollouts: many random plays on the interpreter, for witnesses, seeds and samples.

Promises: every play is a play of the program from the setup; the same seed gives the same plays. Each play
draws its own weights for the rules, some of them nearly never taken, so that plays differ in kind and not
only in detail (swarm testing, Groce, Zhang, Eide, Chen and Regehr 2012); frequencies therefore mean nothing.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.language.ir import Instance
from models.language.program import Program
from solvers.interpreter import Interpreter
from solvers.symbolic.machine import Values
from solvers.symbolic.phases import Phases
from solvers.symbolic.solving import Deadline

#: Weights that a rule can have in a play.
_WEIGHTS = (1.0, 1.0, 1.0, 0.2, 0.02, 5.0)


@dataclass(frozen=True)
class Rollout:
    """One random play.

    Attributes:
        states: The states, the setup first.
        labels: The steps between them; one more where the play stopped.
        hits: Site → number of the step (from 0) that first recorded it.
    """

    states: tuple[Values, ...]
    labels: tuple[str, ...]
    hits: dict[int, int]


@dataclass
class Rollouts:
    """Random plays and what they met.

    Attributes:
        plays: The plays that are kept.
        sites: Site → the shortest prefix that records it.
        samples: Distinct states, in each phase as many as asked for.
        steps: Steps taken in all.
        stuck: The shortest play to a state in which nobody may act, or None.
        count: Number of plays.
        seconds: Time spent on them.
    """

    program: Program
    seed: int = 0
    plays: list[Rollout] = field(default_factory=list)
    sites: dict[int, tuple[str, ...]] = field(default_factory=dict)
    samples: dict[Values, None] = field(default_factory=dict)
    steps: int = 0
    stuck: tuple[str, ...] | None = None
    count: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.run = Interpreter(self.program)
        self.rng = random.Random(self.seed)
        self.phases = Phases(self.program)
        self._by_phase: Counter[int] = Counter()
        self._stale = 0

    def play(
        self,
        deadline: Deadline,
        *,
        longest: int = 1000,
        samples: int = 2000,
        keep: int = 200,
        patience: int = 40,
        most: int = 40_000,
    ) -> None:
        """Play until the time is over, or nothing new was seen for a while.

        Args:
            deadline: When to stop.
            longest: Most steps of one play.
            samples: Most states to remember in one phase.
            keep: Most plays to remember.
            patience: Plays in a row without a new sample or site after which it stops.
            most: Steps after which it stops, over all calls.
        """
        began = time.monotonic()
        while not deadline.passed and self._stale < patience and self.steps < most:
            rollout = self.one(longest, deadline)
            self.count += 1
            if len(self.plays) < keep:
                self.plays.append(rollout)
            else:
                at = self.rng.randrange(self.count)
                if at < keep:
                    self.plays[at] = rollout
            known = len(self.samples), len(self.sites)
            for state in rollout.states:
                self._sample(state, samples)
            for site, step in rollout.hits.items():
                best = self.sites.get(site)
                if best is None or step + 1 < len(best):
                    self.sites[site] = rollout.labels[: step + 1]
            self._stale = 0 if (len(self.samples), len(self.sites)) != known else self._stale + 1
        self.seconds += time.monotonic() - began

    def _sample(self, state: Values, most: int) -> None:
        phase = self.phases.of(state)
        if self._by_phase[phase] < most and state not in self.samples:
            self.samples[state] = None
            self._by_phase[phase] += 1

    def one(self, longest: int, deadline: Deadline) -> Rollout:
        """One play."""
        weights = self._weights()
        state = self.program.start
        states: list[Values] = [state]
        labels: list[str] = []
        hits: dict[int, int] = {}
        while len(labels) < longest and not (len(labels) % 64 == 63 and deadline.passed):
            enabled = self.run.enabled(state)
            if not enabled:
                if not self.run.over(state) and (self.stuck is None or len(labels) < len(self.stuck)):
                    self.stuck = tuple(labels)
                break
            instance = self._choose(enabled, weights)
            step = self.run.step(state, instance)
            self.steps += 1
            for site in step.hits:
                hits.setdefault(site, len(labels))
            labels.append(instance.label)
            if step.state is None:
                break
            state = step.state
            states.append(state)
        return Rollout(tuple(states), tuple(labels), hits)

    def _weights(self) -> dict[int, float]:
        by_rule: dict[str, float] = {}
        out: dict[int, float] = {}
        for i in self.program.instances:
            if i.rule not in by_rule:
                by_rule[i.rule] = self.rng.choice(_WEIGHTS)
            out[i.index] = by_rule[i.rule] * self.rng.choice(_WEIGHTS)
        return out

    def _choose(self, enabled: Sequence[Instance], weights: dict[int, float]) -> Instance:
        if len(enabled) == 1:
            return enabled[0]
        return self.rng.choices(enabled, [weights[i.index] for i in enabled])[0]
