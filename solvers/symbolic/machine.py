"""Machine: a program as Z3 expressions: what each instance does to a state, and who may act.

Promises: `Effect` is the exact effect of an instance (guard, slots written, sites recorded, whether the play
stops) on any state within the slots' ranges; a machine is built once and instantiated by substitution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import z3

from models.language import ir
from models.language.ir import Instance
from models.language.program import Program
from models.language.slots import Slot
from models.language.terms import BOOL, Term
from solvers.symbolic.encode import FALSE, TRUE, Value, Walker, conj, disj, neg, pick
from solvers.symbolic.numbers import BitVectors, Expr, Num, Numbers, Truth
from solvers.symbolic.phases import Phases

State = tuple[Value, ...]
Values = tuple[int, ...]


def expression(value: Value) -> Expr:
    """The Z3 expression of a value."""
    return value.expr if isinstance(value, Num) else value


@dataclass(frozen=True)
class Effect:
    """What an instance does to the state before the step.

    Attributes:
        guard: When it is enabled, as far as its own guard goes.
        writes: Slot → its value afterwards, for the slots that can change.
        alive: The play does not stop in this step.
        hits: Site → when the step records it.
    """

    guard: Truth
    writes: Mapping[int, Value]
    alive: Truth
    hits: Mapping[int, Truth]


class _Run:
    """Executes one body over a state of expressions."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.numbers = machine, machine.numbers
        self.now: list[Value] = list(machine.state)
        self.walker = Walker(machine.numbers, lambda s: self.now[s])
        self.hits: dict[int, Truth] = {}

    def hit(self, site: int, condition: Truth) -> None:
        self.hits[site] = disj(self.hits.get(site, FALSE), condition)

    def block(self, body: ir.Block, path: Truth) -> Truth:
        """Run statements under a path condition; returns when the play is still on after them."""
        for s in body:
            if isinstance(s, ir.Let):
                self.walker.keep(s.term)
            elif isinstance(s, ir.Assign):
                self._assign(s)
            elif isinstance(s, ir.If):
                path = self._if(s, path)
            elif isinstance(s, ir.Probe):
                self.hit(s.site, conj(path, self.walker.holds(s.condition)))
            else:
                self.hit(s.site, path)
                path = FALSE if isinstance(s, ir.Stop) else path
        return path

    def _assign(self, s: ir.Assign) -> None:
        value = self.walker(s.value)
        if s.index is None:
            self.now[s.slots[0]] = self._stored(value, s.slots[0])
        else:
            at = self.walker(s.index)
            for number, slot in enumerate(s.slots):
                here = self.walker.among(at, [number])
                self.now[slot] = self.merge(here, self._stored(value, slot), self.now[slot])
        self.walker.forget()

    def _stored(self, value: Value, slot: int) -> Value:
        if not isinstance(value, Num):
            return value
        lo, hi = self.machine.program.layout.slots[slot].lo, self.machine.program.layout.slots[slot].hi
        return Num(self.numbers.fit(value, lo, hi), lo, hi)

    def merge(self, condition: Truth, a: Value, b: Value) -> Value:
        """One value where the condition holds, the other elsewhere; both lie in one slot."""
        if isinstance(a, Num):
            return Num(pick(condition, a.expr, b.expr), a.lo, a.hi)
        return pick(condition, a, b)

    def _if(self, s: ir.If, path: Truth) -> Truth:
        condition = self.walker.holds(s.condition)
        kept, memo, before = dict(self.walker.kept), self.walker.memo, list(self.now)
        self.walker.memo = dict(memo)
        yes = self.block(s.then, conj(path, condition))
        then = self.now
        self.now, self.walker.kept, self.walker.memo = list(before), dict(kept), dict(memo)
        no = self.block(s.otherwise, conj(path, neg(condition)))
        changed = any(a is not b or a is not c for a, b, c in zip(then, self.now, before, strict=True))
        self.now = [a if a is b else self.merge(condition, a, b) for a, b in zip(then, self.now, strict=True)]
        self.walker.kept, self.walker.memo = kept, dict(kept) if changed else memo
        if yes.eq(conj(path, condition)) and no.eq(conj(path, neg(condition))):
            return path
        return disj(yes, no)


class Machine:
    """A program over Z3.

    Args:
        program: The built program.
        numbers: How numbers are represented.

    Attributes:
        state: One free constant per slot (a literal where the slot has one value): the state before a step.
        typed: What keeps the state inside the slots' ranges.
    """

    def __init__(self, program: Program, numbers: Numbers | None = None) -> None:
        self.program = program
        self.numbers: Numbers = numbers or BitVectors()
        self.state: State = self.fresh("")
        self.typed = self.ranges(self.state)
        self._effects: dict[int, Effect] = {}
        self.phases = Phases(program)

    # -- states ----------------------------------------------------------------------------------
    def fresh(self, tag: str) -> State:
        """Free constants for a whole state."""
        return tuple(self._variable(s, tag) for s in self.program.layout.slots)

    def _variable(self, slot: Slot, tag: str) -> Value:
        name = f"{slot.name}{tag}"
        if slot.lo == slot.hi:
            return self.literal(slot, slot.lo)
        if slot.sort is BOOL:
            return z3.Bool(name)
        return Num(self.numbers.variable(name, slot.lo, slot.hi), slot.lo, slot.hi)

    def literal(self, slot: Slot, value: int) -> Value:
        """A slot's value as a literal."""
        if slot.sort is BOOL:
            return TRUE if value else FALSE
        return Num(self.numbers.constant(value, slot.lo, slot.hi), slot.lo, slot.hi)

    def literals(self, values: Sequence[int]) -> State:
        """A known state."""
        return tuple(self.literal(s, v) for s, v in zip(self.program.layout.slots, values, strict=True))

    def ranges(self, state: State) -> list[Truth]:
        """What keeps a state inside the slots' ranges."""
        found = (self.numbers.typed(v) for v in state if isinstance(v, Num))
        return [c for c in found if c is not None and not z3.is_true(z3.simplify(c))]

    def is_state(self, state: State, values: Sequence[int], slots: Iterable[int] | None = None) -> Truth:
        """Whether a state has known values (in some slots, in all unless given)."""
        chosen = range(len(state)) if slots is None else slots
        known = self.literals(values)
        return conj(*(self.same(state[s], known[s]) for s in chosen))

    def same(self, a: Value, b: Value) -> Truth:
        """Whether two values of one slot are equal."""
        x, y = expression(a), expression(b)
        if x.eq(y):
            return TRUE
        if z3.is_bool(x):
            return x if z3.is_true(y) else neg(x) if z3.is_false(y) else x == y
        return x == y

    def values(self, model: z3.ModelRef, state: State) -> Values:
        """The state in a model."""
        out = []
        for slot, value in zip(self.program.layout.slots, state, strict=True):
            found = model.eval(expression(value), model_completion=True)
            if isinstance(value, Num):
                out.append(self.numbers.value(found, slot.lo, slot.hi))
            else:
                out.append(int(z3.is_true(found)))
        return tuple(out)

    # -- terms -----------------------------------------------------------------------------------
    @cached_property
    def _reader(self) -> Walker:
        return Walker(self.numbers, lambda s: self.state[s])

    def holds(self, t: Term) -> Truth:
        """A Boolean term of the state before the step."""
        return self._reader.holds(t)

    def value(self, t: Term) -> Value:
        """A term of the state before the step."""
        return self._reader(t)

    def over_two(self, t: Term, after: State) -> Truth:
        """A Boolean term over a step (see `Program.transition`), with the given state afterwards."""
        n = len(self.state)
        return Walker(self.numbers, lambda s: self.state[s] if s < n else after[s - n]).holds(t)

    # -- steps -----------------------------------------------------------------------------------
    def effect(self, instance: Instance) -> Effect:
        """What an instance does, worked out once."""
        if instance.index not in self._effects:
            run = _Run(self)
            guard = self.holds(instance.guard)
            alive = run.block(instance.body, TRUE)
            writes = {s: v for s, v in enumerate(run.now) if not expression(v).eq(expression(self.state[s]))}
            hits = {s: c for s, c in run.hits.items() if not z3.is_false(c)}
            self._effects[instance.index] = Effect(guard, writes, alive, hits)
        return self._effects[instance.index]

    @cached_property
    def over(self) -> Truth:
        """Whether the game is over."""
        return self.holds(self.program.over)

    def enabled(self, instance: Instance) -> Truth:
        """Whether an instance may act: its guard holds, the game is on, and nobody comes before it."""
        first = [
            i
            for i in self.program.instances
            if i.actor < instance.actor and self.phases.together(i, instance)
        ]
        return conj(neg(self.over), self.effect(instance).guard, neg(self._any(first)))

    def _any(self, instances: Sequence[Instance]) -> Truth:
        return disj(*(self.holds(i.guard) for i in instances))

    @cached_property
    def stuck(self) -> Truth:
        """Whether nobody may act although the game is not over."""
        return conj(neg(self.over), neg(self._any(self.program.instances)))

    def after(self, instance: Instance) -> State:
        """The state after an instance, where it does not stop."""
        writes = self.effect(instance).writes
        return tuple(writes.get(s, v) for s, v in enumerate(self.state))

    def hit(self, site: int) -> Mapping[int, Truth]:
        """Instance → when it acts and records a site."""
        return {
            i.index: conj(self.enabled(i), self.effect(i).hits[site])
            for i in self.program.instances
            if site in self.sites_of(i) and site in self.effect(i).hits
        }

    @cached_property
    def _sites(self) -> Mapping[int, frozenset[int]]:
        return {
            i.index: frozenset(
                s.site for s in ir.statements(i.body) if isinstance(s, (ir.Probe, ir.Cover, ir.Stop))
            )
            for i in self.program.instances
        }

    def sites_of(self, instance: Instance) -> frozenset[int]:
        """Sites that an instance's body mentions."""
        return self._sites[instance.index]

    # -- substitution ----------------------------------------------------------------------------
    @cached_property
    def _constants(self) -> dict[int, Expr]:
        """The free constants of the state before the step, by slot."""
        slots = zip(self.program.layout.slots, self.state, strict=True)
        return {slot.index: expression(v) for slot, v in slots if slot.lo < slot.hi}

    def substitution(self, changes: Mapping[int, Value]) -> Substitution:
        """The substitution of some slots' free constants by values."""
        return Substitution(
            [(self._constants[s], expression(v)) for s, v in changes.items() if s in self._constants]
        )

    def moving(self, state: State) -> Substitution:
        """The substitution that says of another state what is said of `self.state`."""
        return self.substitution({s: v for s, v in enumerate(state) if v is not self.state[s]})

    @staticmethod
    def replaced(moving: Substitution, value: Value) -> Value:
        """A value after a substitution."""
        return Num(moving(value.expr), value.lo, value.hi) if isinstance(value, Num) else moving(value)

    def moved(self, expr: Expr, state: State) -> Expr:
        """An expression over `self.state`, over another state."""
        return self.moving(state)(expr)


class Substitution:
    """Expressions put in the place of free constants, all at once; prepared once and applied to many.

    Args:
        pairs: Free constant and expression.
    """

    def __init__(self, pairs: Sequence[tuple[Expr, Expr]]) -> None:
        self.pairs = pairs  # keeps the expressions alive
        size = len(pairs)
        self._from, self._to = (z3.Ast * size)(), (z3.Ast * size)()
        for n, (old, new) in enumerate(pairs):
            self._from[n], self._to[n] = old.as_ast(), new.as_ast()

    def __call__(self, expr: Expr) -> Expr:
        """An expression after the substitution."""
        if not self.pairs:
            return expr
        ctx = expr.ctx
        made = z3.Z3_substitute(ctx.ref(), expr.as_ast(), len(self.pairs), self._from, self._to)
        return z3.z3._to_expr_ref(made, ctx)
