"""The native search: drives a generated module and turns what it found into an `Exploration`.

Promises: the counts, plays and order of states of the reference; a limit ends the search with what was
covered; Ctrl-C is heard within a fraction of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from models.language.program import Program
from properties.kinds import Form, Property
from solvers.contract import Limits, Play, Progress, Tick
from solvers.explorer.exploration import Exploration, Graph
from solvers.explorer.native.events import BATCH, Plan, plan
from solvers.explorer.native.generate import generate
from solvers.explorer.native.keys import module_key
from solvers.explorer.native.machine import Machine, Modules, compiled
from solvers.explorer.native.memory import Space, moved
from solvers.explorer.native.packing import Packing, pack
from solvers.explorer.native.states import FoundStates, Plays
from solvers.explorer.native.wat import Unsupported
from solvers.interpreter import Interpreter, Step, Values

if TYPE_CHECKING:
    from solvers.explorer.symmetry import Group

#: States an entry at first; then as many as take about `_SLICE` seconds.
_FIRST, _SLICE = 1 << 14, 0.1
_DONE, _MORE, _GROW, _MIXED = range(4)
_NO_LIMIT = 1 << 62
#: States after which the code is made anew without what has been recorded by then.
_LATE = 1 << 18
#: States on which a declared symmetry is tried.
_TRIED = 500


class NativeSearch:
    """One breadth-first search in native code.

    Args:
        program: The built rulebook.
        properties: What is checked on the way.
        limits: When to give up.
        keep: Whether to keep the transitions.
        modules: Cache of compiled modules.
        wide: Whether to take 64-bit memories at once (else when 4 GiB are reached).
        packing: How states are packed, where not as `pack` does it.
        group: Symmetry up to which states are explored; not with `keep`.
    """

    def __init__(
        self,
        program: Program,
        properties: Sequence[Property],
        limits: Limits,
        keep: bool,
        *,
        modules: Modules | None = None,
        wide: bool = False,
        packing: Packing | None = None,
        group: Group | None = None,
    ) -> None:
        self.program, self.properties, self.limits, self.keep = program, properties, limits, keep
        self.packing = packing or pack(program)
        self.group = group
        if keep and group is not None:
            raise ValueError("the transitions between representatives are not those of the program")
        self.plan: Plan = plan(
            program, properties, self.packing, keeps_edges=keep, symmetric=group is not None
        )
        self.modules = modules or Modules()
        self.machine = self.load(wide)
        self.space = Space(self.plan, limits.memory)

    def load(self, wide: bool) -> Machine:
        """A machine for this search, compiled unless the cache has it."""
        return Machine(self.module(self.plan, wide), wide)

    def module(self, p: Plan, wide: bool) -> Any:
        """The compiled module of a plan."""
        terms = [t for _, t in (*p.always, *p.steps, *p.sometimes)]
        key = module_key(
            self.program,
            terms,
            self.packing.cells,
            len(p.always),
            len(p.steps),
            p.indexed,
            p.keeps_edges,
            sorted(p.known),
            p.late,
            wide,
            self.group and self.group.exchanges,
        )
        module = self.modules.load(key, wide)
        if module is None:
            module = compiled(generate(self.program, self.packing, p, wide=wide, group=self.group), wide)
            self.modules.store(key, module)
        return module

    def explore(self, progress: Progress | None) -> Exploration:
        """Run to the end or to a limit.

        Errors:
            Mixed: chance and a player may act in the same state.
        """
        began = time.monotonic()
        self.begin()
        with _task(progress, f"{self.program.book.name}, {self.program.size_name}") as tick:
            stopped = self.run(began, tick)
        return self.result(stopped, began)

    def begin(self) -> None:
        """Enter the setup."""
        m = self.machine
        batch = m.array("scratch", np.uint64, m.get("batch"), self.packing.words)
        start = self.program.start
        batch[:] = self.packing.encode(start if self.group is None else self.group.least(start, self.packing))
        m.call("begin")
        m.array("marks", np.int64, 0, 1)[0] = 1
        if self.keep:
            m.set("steps", 0)

    def run(self, began: float, tick: Tick) -> str:
        """Search until all is done or a limit is met; the limit, or ""."""
        budget, ceiling, before = _FIRST, self.limits.states or _NO_LIMIT, 0
        late = Late(self)
        while True:
            entered = time.monotonic()
            status = self.machine.call("run", budget, ceiling)
            now = time.monotonic()
            head = self.machine.get("head")
            tick(head - before)
            before = head
            if status == _DONE:
                return ""
            if status == _MIXED:
                self.mixed()
            if status == _GROW:
                self.machine, full = self.space.grow(self.machine, self.load)
                if full:
                    return full
            elif self.machine.get("tail") >= ceiling:
                return f"the limit of {ceiling} states"
            elif now - entered < _SLICE:
                budget *= 2
            if self.limits.seconds is not None and now - began >= self.limits.seconds:
                return f"the limit of {self.limits.seconds:g} s"
            late.consider(head)

    def mixed(self) -> None:
        """Let the interpreter say who may act beside chance."""
        Interpreter(self.program).enabled(self.packing.decode(self.words(self.machine.get("head"))))
        raise AssertionError("the native search and the interpreter differ on who may act")

    def words(self, number: int) -> tuple[int, ...]:
        """The words of a state by its number."""
        words = self.packing.words
        return tuple(int(w) for w in self.machine.array("log", np.uint64, 8 * words * number, words))

    # -- results ----------------------------------------------------------------------------------
    def result(self, stopped: str, began: float) -> Exploration:
        """What was found, as the reference would say it."""
        m, p = self.machine, self.plan
        states = m.get("tail")
        depth = m.get("depth") + (states > m.get("level"))
        fired = m.array("scratch", np.int64, p.fired(0), p.instances).tolist()
        over, stuck = m.array("scratch", np.int64, p.counters, 2).tolist()
        if self.group is not None:
            self.check(self.group)
        graph = self.graph(states) if self.keep and not stopped else None
        events = self.events(graph)
        labels = [i.label for i in self.program.instances]
        names = {form: [q.name for q in self.properties if q.form is form] for form in Form}
        always = [
            *zip(names[Form.ALWAYS], p.always, strict=True),
            *zip(names[Form.STEP], p.steps, strict=True),
        ]
        return Exploration(
            self.program,
            states,
            sum(fired),
            depth,
            time.monotonic() - began,
            stopped,
            {s.id: events[n] for n, s in enumerate(self.program.sites) if n in events},
            events.get(p.stuck),
            stuck,
            over,
            {labels[i]: n for i, n in enumerate(fired) if n},
            {name: events[e] for name, (e, _) in always if e in events},
            {
                name: events[e]
                for name, (e, _) in zip(names[Form.SOMETIMES], p.sometimes, strict=True)
                if e in events
            },
            graph,
            "native" if self.group is None else f"native, up to symmetry of {self.group.names}",
        )

    def events(self, graph: Graph | None) -> dict[int, Play]:
        """The plays to all recorded events."""
        m, p = self.machine, self.plan
        seen = m.array("scratch", np.uint8, p.seen, p.events).copy()
        places = m.array("scratch", np.int64, p.places, 2 * p.events).copy()
        plays = Plays(self.program, self.step)
        found = {}
        for e in np.flatnonzero(seen).tolist():
            number, instance = int(places[2 * e]), int(np.int32(places[2 * e + 1] & 0xFFFFFFFF))
            if self.group is not None:
                found[e] = self.genuine(self.group, plays, e, number, instance)
                continue
            labels = plays(number) if graph is None else graph.states.play(number)
            found[e] = Play(labels if instance < 0 else (*labels, self.program.instances[instance].label))
        return found

    def genuine(self, group: Group, plays: Plays, event: int, number: int, instance: int) -> Play:
        """A play of the program to an event that was recorded between representatives."""
        from solvers.explorer.symmetry import Genuine

        genuine = Genuine(group, self.packing)
        labels, state = genuine.play([self.packing.decode(self.words(n)) for n in plays.path(number)])
        if instance < 0:
            return Play(labels)
        broken = dict(self.plan.steps).get(event)

        def shows(before: Values, step: Step) -> bool:
            if broken is None:
                return event in step.hits
            return step.state is not None and not genuine.run.value(broken, before + step.state)

        return Play((*labels, genuine.step(state, shows)))

    def check(self, group: Group) -> None:
        """Try the declared symmetry on some of the states found."""
        states = self.machine.get("tail")
        numbers = range(0, states, max(1, states // _TRIED))
        group.check(
            (self.packing.decode(self.words(n)) for n in numbers),
            [t for _, t in (*self.plan.always, *self.plan.sometimes)],
            [t for _, t in self.plan.steps],
        )

    def step(self, number: int) -> tuple[int, int]:
        """The parent of a state, looked for among the 256 states that its marks leave."""
        m, head = self.machine, self.machine.get("head")
        marks = m.array("marks", np.int64, 0, head // 256 + 1)
        block = int(np.searchsorted(marks, number, side="right")) - 1
        parent = m.call("parent", 256 * block, min(256 * block + 256, head), *self.words(number))
        if parent < 0:
            raise AssertionError(f"state {number} has no parent")
        return parent, m.get("found")

    def graph(self, states: int) -> Graph:
        """The transitions as compressed rows."""
        m, words = self.machine, self.packing.words
        rows = m.array("log", np.uint64, 0, states * words).reshape(states, words).copy()
        counts = m.array("rows", np.uint32, 0, states)
        over = (counts >> 31).astype(np.bool_)
        first = np.zeros(states + 1, np.int64)
        np.cumsum(counts & 0x7FFFFFFF, out=first[1:])
        edges = m.array("edges", np.uint32, 0, 2 * int(first[-1])).reshape(-1, 2)
        target = edges[:, 0].astype(np.int64)
        target[target == 0xFFFFFFFF] = -1
        instance = edges[:, 1].astype(np.int64)
        return Graph(
            FoundStates(self.program, self.packing, rows, first, target, instance),
            first,
            target,
            instance,
            over,
        )


class Late:
    """Goes over to code without the events that have been recorded, once most common ones have been.

    The code is compiled beside the search; the search moves to it when it is ready, and goes on without it
    where it cannot be had.
    """

    def __init__(self, search: NativeSearch) -> None:
        self.search, self.wide, self.after = search, search.machine.wide, _LATE
        self.plan: Plan | None = None
        self.thread: threading.Thread | None = None
        self.made: Any = None

    def consider(self, head: int) -> None:
        """Begin, or go over, when it is time.

        Args:
            head: Number of states expanded.
        """
        search = self.search
        if self.plan is None and head >= self.after:
            p, seen = (
                search.plan,
                search.machine.array("scratch", np.uint8, search.plan.seen, search.plan.events),
            )
            self.plan, self.wide = (
                replace(p, known=frozenset(np.flatnonzero(seen).tolist()), late=True),
                search.machine.wide,
            )
            self.thread = threading.Thread(target=self._make)
            self.thread.start()
        elif self.thread is not None and not self.thread.is_alive():
            self.thread = None
            if self.plan is not None and self.made is not None and self.wide == search.machine.wide:
                with suppress(Unsupported):
                    search.machine = moved(search.machine, Machine(self.made, self.wide), self.plan)
                    search.plan = self.plan

    def _make(self) -> None:
        assert self.plan is not None
        with suppress(Unsupported):
            self.made = self.search.module(self.plan, self.wide)


def _task(progress: Progress | None, text: str):  # type: ignore[no-untyped-def]
    return progress.task(text) if progress is not None else nullcontext(lambda n: None)


__all__ = ["BATCH", "NativeSearch"]
