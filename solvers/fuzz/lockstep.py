"""Lock-step: several engines take the same step of the same play, and must agree.

Promises: an engine here is anything that says whether an instance is enabled and what it does; two engines
that differ in the successor, in the sites recorded or in a guard fail the play, which is then shrunk like any
other. The interpreter is always the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from models.language.ir import Instance
from models.language.program import Program
from solvers.contract import Limits
from solvers.explorer import explore
from solvers.fuzz.machine import RulebookMachine
from solvers.interpreter import Interpreter, Values
from solvers.simulate import End, Playouts

#: Games of one move that `NativeEngine` draws to find a given one.
TRIES = 40
#: Most states that `ExploredEngine` looks its steps up in.
MOST_STATES = 200_000


@dataclass(frozen=True)
class Taken:
    """What an engine says of a step.

    Attributes:
        state: The successor, or None where the play stops.
        hits: Positions of the sites that are recorded, or None where the engine does not say.
    """

    state: Values | None
    hits: frozenset[int] | None


class Engine(Protocol):
    """One engine on one program; it answers None to what it cannot say."""

    name: str

    def allows(self, state: Values, instance: Instance) -> bool | None:
        """Whether the instance's own guard holds."""

    def step(self, state: Values, instance: Instance) -> Taken | None:
        """What an enabled instance does."""


Maker = Callable[[Program], Engine]


class InterpreterEngine:
    """The reference."""

    name = "interpreter"

    def __init__(self, program: Program) -> None:
        self.run = Interpreter(program)

    def allows(self, state: Values, instance: Instance) -> bool:
        """See `Engine`."""
        return bool(self.run.value(instance.guard, state))

    def step(self, state: Values, instance: Instance) -> Taken:
        """See `Engine`."""
        made = self.run.step(state, instance)
        return Taken(made.state, frozenset(made.hits))


class SymbolicEngine:
    """One step evaluated by Z3: the effect of an instance over a state of literals, simplified."""

    name = "z3"

    def __init__(self, program: Program) -> None:
        from solvers.symbolic.machine import Machine

        self.program, self.machine = program, Machine(program)
        self._state: Values | None = None
        self._known: Any = None

    def _true(self, state: Values, truth: Any) -> bool:
        import z3

        return bool(z3.is_true(z3.simplify(self._over(state)(truth))))

    def _over(self, state: Values) -> Any:
        if state != self._state:
            self._state, self._known = state, self.machine.moving(self.machine.literals(state))
        return self._known

    def allows(self, state: Values, instance: Instance) -> bool:
        """See `Engine`."""
        return self._true(state, self.machine.effect(instance).guard)

    def step(self, state: Values, instance: Instance) -> Taken:
        """See `Engine`."""
        effect = self.machine.effect(instance)
        hits = frozenset(site for site, truth in effect.hits.items() if self._true(state, truth))
        if not self._true(state, effect.alive):
            return Taken(None, hits)
        after = list(state)
        for slot, value in effect.writes.items():
            after[slot] = self._number(state, slot, value)
        return Taken(tuple(after), hits)

    def _number(self, state: Values, slot: int, value: Any) -> int:
        import z3

        from solvers.symbolic.machine import expression
        from solvers.symbolic.numbers import Num

        if not isinstance(value, Num):
            return int(self._true(state, value))
        found, layout = z3.simplify(self._over(state)(expression(value))), self.program.layout.slots[slot]
        return int(self.machine.numbers.value(found, layout.lo, layout.hi))


class ExploredEngine:
    """The explorer: its transitions, looked up by state; it says nothing where its search was cut off.

    Which sites a step records is not kept in the graph.
    """

    name = "explorer"

    def __init__(self, program: Program) -> None:
        graph = explore(program, limits=Limits(states=MOST_STATES), graph=True).graph
        self.steps: dict[Values, dict[int, Values | None]] = {}
        if graph is None:
            return
        for number in range(len(graph.over)):
            row = range(int(graph.first[number]), int(graph.first[number + 1]))
            targets = [(int(graph.instance[e]), int(graph.target[e])) for e in row]
            self.steps[graph.states[number]] = {i: None if t < 0 else graph.states[t] for i, t in targets}

    def allows(self, state: Values, instance: Instance) -> None:
        """Guards alone are not in the graph: somebody else may come first."""

    def step(self, state: Values, instance: Instance) -> Taken | None:
        """See `Engine`."""
        if state not in self.steps:
            return None
        known = self.steps[state]
        return Taken(known.get(instance.index, ()), None)  # () equals no state: the move is missing there


class NativeEngine:
    """The native code of the random games: one move from a position, drawn until the move is the one.

    It says nothing where native code does not run, and where the move was not drawn in `TRIES` games.
    """

    name = "native"

    def __init__(self, program: Program) -> None:
        playouts = Playouts(program)
        self.playouts = playouts if playouts.engine == "native" else None

    def allows(self, state: Values, instance: Instance) -> None:
        """Guards alone are not asked: somebody else may come first."""

    def step(self, state: Values, instance: Instance) -> Taken | None:
        """See `Engine`."""
        if self.playouts is None:
            return None
        for game in range(TRIES):
            if self.playouts.moves(game, start=state, longest=1) == (instance.label,):
                played = self.playouts.play(1, first=game, start=state, longest=1)
                stopped = played.ended[0] == End.STOPPED
                hits = frozenset(int(site) for site in played.met[0].nonzero()[0])
                return Taken(None if stopped else tuple(int(v) for v in played.states[0]), hits)
        return None


@dataclass(frozen=True)
class Difference:
    """Where two engines part.

    Attributes:
        engine: The one that differs from the interpreter.
        what: `guard`, `successor` or `sites`.
        expected: What the interpreter says.
        found: What the engine says.
    """

    engine: str
    what: str
    expected: object
    found: object

    def __str__(self) -> str:
        return f"{self.engine} differs in the {self.what}: {self.found} instead of {self.expected}"


def compare(
    program: Program,
    engines: Sequence[Engine],
    state: Values,
    taken: Instance,
    others: Sequence[Instance] = (),
) -> Difference | None:
    """Let all engines take one step.

    Args:
        program: The program.
        engines: The engines, the reference first.
        state: The position.
        taken: The instance that acts; it is enabled.
        others: Further instances, of which only the guards are compared.

    Returns:
        The first difference, or None.
    """
    first, *rest = engines
    expected = first.step(state, taken)
    assert expected is not None
    for engine in rest:
        for instance in (taken, *others):
            guards = first.allows(state, instance), engine.allows(state, instance)
            if guards[1] is not None and guards[0] != guards[1]:
                return Difference(engine.name, f"guard of {instance.label}", *guards)
        found = engine.step(state, taken)
        if found is not None and found.state != expected.state:
            return Difference(engine.name, f"successor by {taken.label}", expected.state, found.state)
        if found is not None and found.hits is not None and found.hits != expected.hits:
            names = [_names(program, hits) for hits in (expected.hits, found.hits)]
            return Difference(engine.name, f"sites of {taken.label}", *names)
    return None


def _names(program: Program, hits: frozenset[int] | None) -> list[str]:
    return sorted(program.sites[s].id for s in hits or ())


class LockStepMachine(RulebookMachine):
    """A machine in which every step is taken by several engines; give it to `machine_of` as `base`.

    Attributes:
        makers: How the engines are made, the reference first.
        sampled: Of how many instances besides the one that acts the guards are compared in a step.
    """

    makers: ClassVar[Sequence[Maker]] = (InterpreterEngine, SymbolicEngine, ExploredEngine, NativeEngine)
    sampled: ClassVar[int] = 2
    _engines: ClassVar[dict[tuple[Maker, int], tuple[Program, Engine]]] = {}

    def engines(self) -> list[Engine]:
        """The engines of the program that is played, kept over the runs."""
        program = self.built.program
        for maker in self.makers:
            if (maker, id(program)) not in self._engines:
                self._engines[maker, id(program)] = program, maker(program)
        return [self._engines[maker, id(program)][1] for maker in self.makers]

    def step(self, before: Values, instance: Instance) -> Any:
        """Take the step with every engine."""
        instances = self.built.program.instances
        at = len(self.labels)
        others = [instances[(at + k * 7) % len(instances)] for k in range(self.sampled)]
        difference = compare(self.built.program, self.engines(), before, instance, others)
        if difference is not None:
            raise self._failure("engines", str(difference))
        return super().step(before, instance)


def lock_step(*makers: Maker) -> type[LockStepMachine]:
    """The base class for some engines besides the interpreter."""
    return type("LockStep", (LockStepMachine,), {"makers": (InterpreterEngine, *makers)})
