"""The reference explorer: breadth-first search on the interpreter.

Promise: slow and plain; every other explorer is held against it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from models.language.program import Program
from models.language.terms import Term
from properties.kinds import Form, Property
from solvers.contract import Limits, Play, Progress, Tick
from solvers.explorer.exploration import Exploration, Graph, Numbers
from solvers.interpreter import Interpreter, Values

#: States between two looks at the clock.
_CHUNK = 256
#: Bytes of a stored state beside its values: the tuple, its entry in the table, the step that led there.
_ENTRY, _VALUE = 320, 8


class Found:
    """States in breadth-first order with the step that first led to each."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.numbers: dict[Values, int] = {program.start: 0}
        self.order: list[Values] = [program.start]
        self.parents: list[tuple[int, int]] = [(-1, -1)]
        self.depths: list[int] = [0]

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, number: int) -> Values:
        return self.order[number]

    def add(self, state: Values, parent: int, instance: int) -> int:
        """The number of a state, new or known."""
        known = self.numbers.setdefault(state, len(self.order))
        if known == len(self.order):
            self.order.append(state)
            self.parents.append((parent, instance))
            self.depths.append(self.depths[parent] + 1)
        return known

    def column(self, slot: int) -> Numbers:
        """The values of one slot in all states."""
        return np.fromiter((state[slot] for state in self.order), np.int64, len(self.order))

    def play(self, number: int) -> tuple[str, ...]:
        """Labels of a shortest play to a state."""
        labels: list[str] = []
        while (step := self.parents[number])[0] >= 0:
            labels.append(self.program.instances[step[1]].label)
            number = step[0]
        return tuple(reversed(labels))


@dataclass(frozen=True)
class _Checks:
    always: list[tuple[str, Term]]
    step: list[tuple[str, Term]]
    sometimes: list[tuple[str, Term]]


def _checks(program: Program, properties: Sequence[Property]) -> _Checks:
    def of(form: Form) -> list[tuple[str, Term]]:
        return [(p.name, p.term(program)) for p in properties if p.form is form]

    return _Checks(of(Form.ALWAYS), of(Form.STEP), of(Form.SOMETIMES))


class Search:
    """One breadth-first search."""

    def __init__(self, program: Program, properties: Sequence[Property], limits: Limits, keep: bool) -> None:
        self.program, self.limits, self.keep = program, limits, keep
        self.run = Interpreter(program)
        self.found = Found(program)
        self.checks = _checks(program, properties)
        self.sites: dict[int, Play] = {}
        self.violated: dict[str, Play] = {}
        self.met: dict[str, Play] = {}
        self.fired: Counter[int] = Counter()
        self.stuck: Play | None = None
        self.stuck_states = self.over_states = self.transitions = 0
        self.first: list[int] = [0]
        self.target: list[int] = []
        self.instance: list[int] = []
        self.over: list[bool] = []

    def explore(self, progress: Progress | None) -> Exploration:
        """Run to the end or to a limit.

        Errors:
            Mixed: chance and a player may act in the same state.
        """
        began, stopped, done = time.monotonic(), "", 0
        with _task(progress, f"{self.program.book.name}, {self.program.size_name}") as tick:
            while done < len(self.found) and not stopped:
                self.expand(done)
                done += 1
                if done % _CHUNK == 0:
                    tick(_CHUNK)
                if done < len(self.found):
                    stopped = self._limit(done, began)
        found, ids = self.found, [s.id for s in self.program.sites]
        graph = None
        if self.keep and not stopped:
            graph = Graph(
                found,
                np.array(self.first, np.int64),
                np.array(self.target, np.int64),
                np.array(self.instance, np.int64),
                np.array(self.over, np.bool_),
            )
        labels = [i.label for i in self.program.instances]
        return Exploration(
            self.program,
            len(found),
            self.transitions,
            found.depths[-1],
            time.monotonic() - began,
            stopped,
            {ids[s]: p for s, p in sorted(self.sites.items())},
            self.stuck,
            self.stuck_states,
            self.over_states,
            {labels[i]: n for i, n in sorted(self.fired.items())},
            self.violated,
            self.met,
            graph,
        )

    def _limit(self, done: int, began: float) -> str:
        limits, stored = self.limits, len(self.found)
        if limits.states is not None and stored >= limits.states:
            return f"the limit of {limits.states} states"
        if (
            limits.memory is not None
            and stored * (_ENTRY + _VALUE * len(self.program.start)) >= limits.memory
        ):
            return f"the limit of {limits.memory} bytes"
        late = limits.seconds is not None and done % _CHUNK == 0
        if late and limits.seconds is not None and time.monotonic() - began >= limits.seconds:
            return f"the limit of {limits.seconds:g} s"
        return ""

    def expand(self, number: int) -> None:
        """Take every step that leaves a state."""
        state, run = self.found.order[number], self.run
        self._look(number, state)
        over = run.over(state)
        enabled = run.enabled(state)
        self.over_states += over
        if not enabled and not over:
            self.stuck_states += 1
            self.stuck = self.stuck or Play(self.found.play(number))
        for instance in enabled:
            step = run.step(state, instance)
            self.transitions += 1
            self.fired[instance.index] += 1
            for site in step.hits:
                if site not in self.sites:
                    self.sites[site] = self._then(number, instance.label)
            target = -1
            if step.state is not None:
                target = self.found.add(step.state, number, instance.index)
                self._compare(number, instance.label, state, step.state)
            if self.keep:
                self.target.append(target)
                self.instance.append(instance.index)
        if self.keep:
            self.first.append(len(self.target))
            self.over.append(over)

    def _then(self, number: int, label: str) -> Play:
        return Play((*self.found.play(number), label))

    def _look(self, number: int, state: Values) -> None:
        for name, t in self.checks.always:
            if name not in self.violated and not self.run.value(t, state):
                self.violated[name] = Play(self.found.play(number))
        for name, t in self.checks.sometimes:
            if name not in self.met and self.run.value(t, state):
                self.met[name] = Play(self.found.play(number))

    def _compare(self, number: int, label: str, before: Values, after: Values) -> None:
        for name, t in self.checks.step:
            if name not in self.violated and not self.run.value(t, before + after):
                self.violated[name] = self._then(number, label)


def _task(progress: Progress | None, text: str) -> AbstractContextManager[Tick]:
    return progress.task(text) if progress is not None else nullcontext(lambda n: None)
