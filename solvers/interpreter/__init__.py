"""The interpreter: Python source generated from the IR; the reference for every other engine.

Promises: `enabled` obeys who moves first (RULES, windows, CHANCE, turn moves); `step` is deterministic;
`replay` accepts exactly the plays that the program allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from models.language.errors import ModelError
from models.language.exclusive import mixed
from models.language.ir import Actor, Instance
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.terms import Term, walk
from solvers.interpreter.code import Code

Values = tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """What one instance did.

    Attributes:
        state: The successor, or None where the play stopped (an open end, or a number out of range).
        hits: Positions of the sites that were recorded, in order; a stop comes last.
    """

    state: Values | None
    hits: tuple[int, ...]


class Mixed(ModelError):
    """Chance and a player may act in the same state: the model is wrong."""


class Interpreter:
    """Runs one program.

    Args:
        program: The built rulebook.
        code: Compiled functions to share with the interpreters of other programs.

    Attributes:
        labels: The label of each instance, by its position.
    """

    def __init__(self, program: Program, code: Code | None = None) -> None:
        self.program, self.code = program, code or Code()
        self.labels = [i.label for i in program.instances]
        self._over: Any = self.code.term(program.over)
        self._slot, self._buckets, self._rest = _buckets(program)
        #: Value of the slot → the instances that it allows, with their guards compiled.
        self._ready: dict[int, list[list[tuple[Any, Instance]]]] = {}
        self._bodies: dict[int, Any] = {}
        self._effects: dict[int, Any] = {}

    def over(self, state: Values) -> bool:
        """Whether the game is over."""
        return bool(self._over(state))

    def enabled(self, state: Values) -> list[Instance]:
        """The instances that may act, in order of declaration; none when the game is over.

        Errors:
            Mixed: chance and a player could both act.
        """
        if self._over(state):
            return []
        value, found = state[self._slot], []
        ready = self._ready.get(value)
        if ready is None:
            groups = self._buckets.get(value, self._rest)
            ready = self._ready[value] = [[(self.code.term(i.guard), i) for i in group] for group in groups]
        for group in ready:
            found = [i for guard, i in group if guard(state)]
            if found:
                break
        if found and found[0].actor > Actor.WINDOW and found[-1].actor is not found[0].actor:
            self._mixed(found)
        return found

    def _mixed(self, found: Sequence[Instance]) -> NoReturn:
        chance = next(i for i in found if i.actor is Actor.CHANCE)
        other = next(i for i in found if i.actor is Actor.PLAYER)
        message, where, hint = mixed(chance, other)
        raise Mixed(message, where=where, hint=hint)

    def step(self, state: Values, instance: Instance) -> Step:
        """Carry an enabled instance out."""
        body = self._bodies.get(instance.index)
        if body is None:
            body = self._bodies[instance.index] = self.code.body(instance.body)
        hits: list[int] = []
        after = body(state, hits)
        return Step(after, tuple(hits))

    def after(self, state: Values, instance: Instance) -> Values | None:
        """The successor alone: as `step`, without recording anything."""
        effect = self._effects.get(instance.index)
        if effect is None:
            effect = self._effects[instance.index] = self.code.effect(instance.body)
        made: Values | None = effect(state)
        return made

    def value(self, t: Term, state: Values) -> int:
        """The value of a term in a state (or in two states put one behind the other, for steps)."""
        return int(self.code.term(t)(state))

    def compiled(self, t: Term) -> Any:
        """A term as a Python function of a state."""
        return self.code.term(t)

    def find(self, label: str) -> Instance:
        """The instance of a label.

        Errors:
            ModelError: no such label.
        """
        found = self.program.by_label.get(label)
        if found is None:
            raise ModelError(
                f"{self.program.book.name} has no move {label!r}",
                hint=did_you_mean(label, self.program.by_label) or "see `ruleslawyer play`",
            )
        return found

    def replay(self, labels: Iterable[str], start: Values | None = None) -> list[Values]:
        """The states of a play, the start first; a last step that stops adds none.

        Args:
            labels: Instance labels.
            start: Where the play begins; the setup unless given.

        Errors:
            ModelError: a move that is not enabled, or a move after the play stopped.
        """
        states = [self.program.start if start is None else start]
        stopped = False
        for number, label in enumerate(labels, 1):
            instance = self.find(label)
            if stopped or instance not in self.enabled(states[-1]):
                allowed = "" if stopped else ", ".join(i.label for i in self.enabled(states[-1])[:6])
                raise ModelError(
                    f"move {number}, {label}, is not allowed there",
                    hint=f"allowed: {allowed}" if allowed else "the play has stopped",
                )
            after = self.step(states[-1], instance).state
            stopped = after is None
            if after is not None:
                states.append(after)
        return states


#: Instances in the order in which they are asked: RULES, then windows, then chance and turn moves.
Groups = tuple[tuple[Instance, ...], ...]


def _buckets(program: Program) -> tuple[int, dict[int, Groups], Groups]:
    """The slot that most guards compare with constants, and the instances that each of its values allows."""
    tests = [tested(i.guard) for i in program.instances]
    votes = Counter(slot for found in tests for slot in found)
    slot = max(votes, key=lambda s: votes[s]) if votes else 0
    values = {v for found in tests for v in found.get(slot, ())}

    def groups(value: int | None) -> Groups:
        fit = [
            i
            for i, found in zip(program.instances, tests, strict=True)
            if slot not in found or value in found[slot]
        ]
        ranks = (
            [i for i in fit if i.actor is Actor.RULES],
            [i for i in fit if i.actor is Actor.WINDOW],
            sorted((i for i in fit if i.actor > Actor.WINDOW), key=lambda i: i.actor),
        )
        return tuple(tuple(r) for r in ranks if r)

    return slot, {v: groups(v) for v in values}, groups(None)


def tested(guard: Term) -> dict[int, frozenset[int]]:
    """Slots of which a guard demands one of some values, in its outermost conjunction."""
    found: dict[int, frozenset[int]] = {}
    for part in guard.args if guard.op == "and" else (guard,):
        cases = [_case(p) for p in (part.args if part.op == "or" else (part,))]
        slots = {case[0] for case in cases if case is not None}
        if len(slots) == 1 and None not in cases:
            slot = slots.pop()
            values = frozenset(case[1] for case in cases if case is not None)
            found[slot] = found.get(slot, values) & values
    return found


def _case(part: Term) -> tuple[int, int] | None:
    """The slot and the value of a test `slot = value` (a truth value by itself is one for 1)."""
    if part.op == "read":
        return part.data[0][0], 1
    if part.op == "not" and part.args[0].op == "read":
        return part.args[0].data[0][0], 0
    if part.op == "eq":
        constant = next((a for a in part.args if a.op == "const"), None)
        read = next((a for a in part.args if a.op == "read"), None)
        if constant is not None and read is not None:
            return read.data[0][0], constant.lo
    return None


def reads(t: Term) -> set[int]:
    """Slots that a term may read."""
    return {s for u in walk(t) if u.op in ("read", "select") for s in u.data[0]}


__all__ = ["Code", "Interpreter", "Mixed", "Step", "Values", "reads", "tested"]
