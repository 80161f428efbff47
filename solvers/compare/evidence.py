"""Evidence: which readings the printed examples fit.

Promises: an example is run move by move on the interpreter under the readings that it consults; an option is
ruled out only where the example fails with it whatever is chosen for the other readings that the failing runs
consult; only an example from a table that is known to occur settles, one from any other leans.

For every option of every reading consulted a fitting run is looked for: first by that change alone to a run
that fits, then by changing further readings of the failing run, one after the other, as long as each brings
the run further. A mend that needs two readings at once, of which neither alone helps, is not found.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from models.language.errors import ModelError
from models.language.examples import Example, May, Move, Part, Script, Sees
from models.language.ir import Actor, Instance
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.questions import Reading
from models.language.slots import Leaf, Node, Pile
from models.language.terms import term, truth
from solvers.interpreter import Code, Interpreter, Values

#: Combinations of readings that are tried for one example at most.
MOST_TRIALS = 256
_MOST_CONSEQUENCES = 1000

Choice = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Trial:
    """One example under one combination of readings.

    Attributes:
        readings: The readings that were taken otherwise than by default, with the options taken.
        fits: Whether the play is possible and shows what is said.
        reason: Why it fails, "" if it fits.
        place: The line of the script at which it fails, "" if it fits.
        done: How many parts of the script went well.
        labels: The moves made, consequences included.
        start: The state in which it begins.
        end: The state in which it ends or fails.
        consulted: Readings that the rules on the way consult.
    """

    readings: Mapping[str, str]
    fits: bool
    reason: str
    place: str
    done: int
    labels: tuple[str, ...]
    start: Values
    end: Values
    consulted: frozenset[str]


@dataclass(frozen=True)
class Evidence:
    """What one example says about the readings.

    Attributes:
        example: The example.
        trials: All combinations of readings that were tried, the defaults first.
        possible: Reading consulted → the options with which some trial fits.
        settles: Reading → options that remain, where some are ruled out.
        reachable: Whether the table it starts from occurs: known (the setup always), known not to, or None.
        complete: Whether everything was tried (else nothing is ruled out by what was not).
    """

    example: Example
    trials: tuple[Trial, ...]
    possible: Mapping[str, tuple[str, ...]]
    settles: Mapping[str, tuple[str, ...]]
    reachable: bool | None
    complete: bool

    @property
    def conflict(self) -> bool:
        """Whether no combination fits."""
        return self.complete and not any(t.fits for t in self.trials)


@dataclass
class Run:
    """One run of a script."""

    run: Interpreter
    state: Values
    done: int = 0
    labels: list[str] = field(default_factory=list)
    consulted: set[str] = field(default_factory=set)

    def script(self, script: Script) -> tuple[str, str]:
        """Run it; the reason why it fails and the line at which it does, or nothing."""
        for part in script.parts:
            reason = self._part(part)
            if reason:
                return reason, str(part.place)
            self.done += 1
        return "", ""

    def _part(self, part: Part) -> str:
        if isinstance(part, Move):
            return self._move(part)
        reason = self._settle()
        if reason:
            return reason
        if isinstance(part, Sees):
            holds = truth(self.run.program.expression(part.holds), "condition of `sees`")
            return "" if self.run.value(holds, self.state) else "what the text shows does not hold"
        found = self._matching(part)
        if bool(found) == part.allowed:
            return ""
        return f"{_named(part)} is {'not ' if part.allowed else ''}allowed"

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

    def _move(self, part: Move) -> str:
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
                return f"{_named(part)} is not allowed"
            reason = self._step(due)
            if reason:
                return reason
        return "the consequences do not end"

    def _settle(self) -> str:
        """Let consequences that follow alone happen."""
        for _ in range(_MOST_CONSEQUENCES):
            due = self._due()
            if due is None:
                return ""
            reason = self._step(due)
            if reason:
                return reason
        return "the consequences do not end"

    def _due(self) -> Instance | None:
        """The consequence that follows, where there is exactly one."""
        enabled = self.run.enabled(self.state)
        return enabled[0] if len(enabled) == 1 and enabled[0].actor is Actor.RULES else None

    def _step(self, instance: Instance) -> str:
        self.consulted |= instance.readings
        self.labels.append(instance.label)
        after = self.run.after(self.state, instance)
        if after is None:
            return f"the play stops at {instance.label}"
        self.state = after
        return ""


def _named(part: Move | May) -> str:
    shown = ", ".join(f"{k}={getattr(v, 'name', v)}" for k, v in part.params.items())
    return f"{part.rule}({shown})" if shown else part.rule


class Builder:
    """Programs by size, variant and readings, each built once.

    Args:
        code: Compiled functions to share.
    """

    def __init__(self, code: Code | None = None) -> None:
        self.code = code or Code()
        self._kept: dict[tuple[object, ...], Interpreter] = {}

    def run(self, example: Example, readings: Mapping[str, str]) -> Interpreter:
        """The interpreter of an example's program under some readings."""
        chosen = tuple(sorted(readings.items()))
        key = (id(example.book), example.size, example.variant, example.rulings, chosen)
        if key not in self._kept:
            program = example.book.build(example.size, example.variant, readings, example.rulings)
            self._kept[key] = Interpreter(program, self.code)
        return self._kept[key]


#: Whether a position of a program occurs in some play: yes, no, or not known.
Occurs = Callable[[Program, Values], "bool | None"]


def _not_known(program: Program, state: Values) -> bool | None:
    return None


def gather(
    example: Example, build: Builder, readings: Mapping[str, Reading], occurs: Occurs = _not_known
) -> Evidence:
    """Run an example under the combinations of the readings that matter for it.

    Args:
        example: The example.
        build: Makes and keeps programs.
        readings: The readings to vary, declared and derived ones.
        occurs: Whether the position that it begins from occurs.

    Returns:
        The evidence.

    Errors:
        ModelError: the script names a rule that does not exist, or a move that fits several instances.
    """
    search = _Search(example, build, readings)
    first, program = search.trial({}), build.run(example, {}).program
    possible: dict[str, tuple[str, ...]] = {}
    if search.some_fit():
        for r in (r for r in readings if r in first.consulted | program.consulted):
            possible[r] = tuple(o for o in readings[r].options if search.fits(r, o))
    settles = {r: left for r, left in possible.items() if 0 < len(left) < len(readings[r].options)}
    reachable = True if not example.script.start else occurs(program, first.start)
    return Evidence(example, tuple(search.trials.values()), possible, settles, reachable, not search.cut)


class _Search:
    """Looks for fitting runs of one example."""

    def __init__(self, example: Example, build: Builder, readings: Mapping[str, Reading]) -> None:
        self.example, self.build, self.readings = example, build, readings
        self.trials: dict[Choice, Trial] = {}
        self.cut = False

    def trial(self, taken: Mapping[str, str]) -> Trial:
        """The run under some readings, the defaults elsewhere."""
        odd = {r: o for r, o in sorted(taken.items()) if o != self.readings[r].default}
        key = tuple(odd.items())
        if key not in self.trials:
            self.trials[key] = _try(self.example, self.build, odd)
        return self.trials[key]

    def some_fit(self) -> bool:
        """Whether any run fits; also true where too much was to be tried."""
        return self._search({}, "")

    def fits(self, reading: str, option: str) -> bool:
        """Whether some run with this option fits; also true where too much was to be tried."""
        default = self.readings[reading].default
        fitting = [t.readings for t in self.trials.values() if t.fits]
        if any(taken.get(reading, default) == option for taken in fitting):
            return True
        nearest: Mapping[str, str] = min(fitting, key=len, default={})
        return self._search({**nearest, reading: option}, reading)

    def _search(self, start: Mapping[str, str], fixed: str) -> bool:
        """Whether a run fits, beginning with some choices and changing all readings but one."""
        todo, seen = deque([start]), [start]
        if self.trial(start).fits:
            return True
        while todo:
            taken = todo.popleft()
            trial = self.trial(taken)
            for change in self._changes(trial, fixed):
                other = {**taken, **change}
                if other in seen:
                    continue
                if len(self.trials) >= MOST_TRIALS:
                    self.cut = True
                    return True
                seen.append(other)
                made = self.trial(other)
                if made.fits:
                    return True
                if made.done > trial.done:
                    todo.append(other)
        return False

    def _changes(self, trial: Trial, fixed: str) -> Iterator[dict[str, str]]:
        """Other options of the readings that a run consulted, but for one."""
        for r in sorted(trial.consulted & self.readings.keys() - {fixed}):
            taken = trial.readings.get(r, self.readings[r].default)
            yield from ({r: o} for o in self.readings[r].options if o != taken)


def _try(example: Example, build: Builder, readings: Mapping[str, str]) -> Trial:
    run = build.run(example, readings)
    begin = position(run.program, example.script.start, str(example.place))
    due = {r for i in run.program.instances if i.actor is Actor.RULES for r in i.readings}
    made = Run(run, begin, consulted=due)
    reason, place = made.script(example.script)
    return Trial(
        dict(readings),
        not reason,
        reason,
        place,
        made.done,
        tuple(made.labels),
        begin,
        made.state,
        frozenset(made.consulted),
    )


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
