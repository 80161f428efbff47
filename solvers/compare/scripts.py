"""Scripts: an example's moves made one by one on the interpreter, and the position in which it begins.

Promises: consequences that follow alone happen by themselves; a script that cannot be meant (an unknown rule,
a move that fits several) is an error, one that only does not fit says where and why.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from models.language.errors import ModelError
from models.language.examples import May, Move, Part, Script, Sees
from models.language.ir import Actor, Instance
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.slots import Leaf, Node, Pile
from models.language.terms import term, truth
from solvers.interpreter import Interpreter, Values

_MOST_CONSEQUENCES = 1000

#: Why a part of a script fails, and the move that is concerned; None where it goes well.
Why = tuple[str, str] | None


@dataclass(frozen=True)
class Failure:
    """Where and why a script fails.

    Attributes:
        why: `not_allowed` (a move that should be), `allowed` (one that should not be), `not_so` (what should
            be seen does not hold), `stops` (the play stops), `no_end` (consequences go on for ever).
        move: The move that is concerned, or "".
        place: The line of the script.
    """

    why: str
    move: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why.replace('_', ' ')} {self.move}".rstrip()


@dataclass
class Run:
    """One run of a script."""

    run: Interpreter
    state: Values
    done: int = 0
    labels: list[str] = field(default_factory=list)
    consulted: set[str] = field(default_factory=set)

    def script(self, script: Script) -> Failure | None:
        """Run it; where and why it fails, or None."""
        for part in script.parts:
            failed = self._part(part)
            if failed is not None:
                return Failure(*failed, str(part.place))
            self.done += 1
        return None

    def _part(self, part: Part) -> Why:
        if isinstance(part, Move):
            return self._move(part)
        failed = self._settle()
        if failed is not None:
            return failed
        if isinstance(part, Sees):
            holds = truth(self.run.program.expression(part.holds), "condition of `sees`")
            return None if self.run.value(holds, self.state) else ("not_so", "")
        found = self._matching(part)
        if bool(found) == part.allowed:
            return None
        return ("not_allowed" if part.allowed else "allowed"), _named(part)

    def _matching(self, part: Move | May) -> list[Instance]:
        """The enabled instances of a part's rule with its parameters."""
        same = [i for i in self.run.program.instances if i.rule == part.rule]
        if not same:
            rules = {i.rule for i in self.run.program.instances}
            raise ModelError(
                f"there is no rule {part.rule}",
                where=str(part.place),
                hint=did_you_mean(part.rule, rules) or "name a rule of the book",
            )
        wanted = {k: v.name if isinstance(v, enum.Enum) else str(v) for k, v in part.params.items()}
        fit = {i.index for i in same if wanted.items() <= dict(i.params).items()}
        if not fit:
            raise ModelError(
                f"no value of the rule's parameters gives {_named(part)}",
                where=str(part.place),
                hint=f"for instance {same[0].label}",
            )
        self.consulted.update(*(i.readings for i in same))
        return [i for i in self.run.enabled(self.state) if i.index in fit]

    def _move(self, part: Move) -> Why:
        for _ in range(_MOST_CONSEQUENCES):
            found = self._matching(part)
            if len(found) > 1:
                raise ModelError(
                    f"{_named(part)} fits {len(found)} moves: {', '.join(i.label for i in found[:4])}",
                    where=str(part.place),
                    hint="give more parameters",
                )
            if found:
                return self._step(found[0])
            due = self._due()
            if due is None:
                return "not_allowed", _named(part)
            failed = self._step(due)
            if failed is not None:
                return failed
        return "no_end", ""

    def _settle(self) -> Why:
        """Let consequences that follow alone happen."""
        for _ in range(_MOST_CONSEQUENCES):
            due = self._due()
            if due is None:
                return None
            failed = self._step(due)
            if failed is not None:
                return failed
        return "no_end", ""

    def _due(self) -> Instance | None:
        """The consequence that follows, where there is exactly one."""
        enabled = self.run.enabled(self.state)
        return enabled[0] if len(enabled) == 1 and enabled[0].actor is Actor.RULES else None

    def _step(self, instance: Instance) -> Why:
        self.consulted |= instance.readings
        self.labels.append(instance.label)
        after = self.run.after(self.state, instance)
        if after is None:
            return "stops", instance.label
        self.state = after
        return None


def _named(part: Move | May) -> str:
    shown = ", ".join(f"{k}={getattr(v, 'name', v)}" for k, v in part.params.items())
    return f"{part.rule}({shown})" if shown else part.rule


def position(program: Program, fields: Mapping[str, object], where: str) -> Values:
    """The setup with some fields replaced.

    Args:
        program: The program.
        fields: Field → value: numbers, members, and lists or dictionaries of them for arrays and stacks.
        where: Place for messages.

    Errors:
        ModelError: an unknown field, too many items, or a value outside its range.
    """
    state = list(program.start)
    for name, value in fields.items():
        if name not in program.layout.fields:
            near = did_you_mean(name, program.layout.fields)
            raise ModelError(
                f"the state has no field {name}", where=where, hint=near or "name a declared field"
            )
        _put(state, program.layout.fields[name], value, where)
    return tuple(state)


def _put(state: list[int], node: Node, value: object, where: str) -> None:
    if isinstance(node, Leaf):
        made = term(value)
        if made.op != "const" or not node.slot.lo <= made.lo <= node.slot.hi:
            raise ModelError(
                f"{value!r} is no value of {node.slot.name}",
                where=where,
                hint=f"its range is {node.slot.lo}..{node.slot.hi}",
            )
        state[node.slot.index] = made.lo
        return
    if isinstance(value, Mapping):
        if isinstance(node, Pile) or node.keys is None:
            raise ModelError(f"{node.name} has no named items", where=where, hint="give a list")
        known = {k for m in node.keys for k in (m, m.name)}
        strange = next((k for k in value if k not in known), None)
        if strange is not None:
            raise ModelError(
                f"{node.name} has no item {strange!r}",
                where=where,
                hint=f"its items are {', '.join(m.name for m in node.keys)}",
            )
        for member, child in zip(node.keys, node.items, strict=True):
            if member in value or member.name in value:
                _put(state, child, value.get(member, value.get(member.name)), where)
        return
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise ModelError(
            f"{value!r} is no value of {node.name}", where=where, hint="give a list, or a dictionary"
        )
    items = list(value)
    if len(items) > len(node.items):
        raise ModelError(
            f"{node.name} holds {len(node.items)} items, not {len(items)}",
            where=where,
            hint="give fewer, or use a larger size",
        )
    if isinstance(node, Pile):
        _put(state, node.depth, len(items), where)
        for child in node.items[len(items) :]:
            _clear(state, child)
    for child, item in zip(node.items, items, strict=False):
        _put(state, child, item, where)


def _clear(state: list[int], node: Node) -> None:
    """Set all slots of a place to their least value, as a stack's places above its depth are."""
    if isinstance(node, Leaf):
        state[node.slot.index] = node.slot.lo
        return
    for child in (*node.items, *([node.depth] if isinstance(node, Pile) else [])):
        _clear(state, child)
