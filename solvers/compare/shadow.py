"""Shadow: one program that follows another one along its own moves, as a program of the same IR.

Promises: the plays of the shadowed program are those of the first program, move for move and with the same
odds; it records the site `PARTING` at the first step at which what players see of the two programs differs
(others may act, other moves are allowed, chance has other odds, the move leads elsewhere, one play stops),
and what differs where nobody acts any more is told by `Shadow.differs_at_rest`. Secret choices are taken to
be the same on both sides.

The construction is that of self-composition (Barthe, D'Argenio and Rezk 2004): the second program runs on
copies of the slots in which the two may differ unseen, and each body carries out both. Only hidden slots
can differ before players see anything, so only those that the change can reach are copied for good; open
slots that a changed body writes are copied for the one step. Any engine runs the result: random games say
how often a game meets the parting, the explorer's graph gives the exact share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from models.language import ir
from models.language.functions import ite
from models.language.ir import Actor, Instance, Kind, Site, effect_key
from models.language.places import UNKNOWN
from models.language.program import Program
from models.language.slots import Layout, Leaf, Slot
from models.language.terms import FALSE, INT, Term, constant, every, make, negate, some, total, walk
from solvers.interpreter import Interpreter, Values, reads

#: Name of the site that a parting records.
PARTING = "parting"
#: Values of the slot that says how the second program stands: it follows, it no longer does, it has stopped.
FOLLOWS, LEFT, HALTED = 0, 1, 2
#: Stamps of reads that are made here; no trace counts so far.
_STAMP = 1 << 40

Map = dict[int, int]


@dataclass(frozen=True)
class Shadow:
    """A program with another one in its shadow.

    Attributes:
        program: Runs both; its first slots are those of the first program.
        one: The first program.
        two: The second program.
        site: Number of the site `PARTING`.
        state: Number of the slot that says how the second program stands.
        copies: Slot → slot that holds the second program's value, for slots that may differ unseen.
    """

    program: Program
    one: Program
    two: Program
    site: int
    state: int
    copies: Map

    def split(self, state: Values) -> tuple[Values, Values]:
        """The states of both programs in a state in which the second one follows."""
        first = state[: len(self.one.layout.slots)]
        second = list(first)
        for slot, copy in self.copies.items():
            second[slot] = state[copy]
        return first, tuple(second)

    def differs_at_rest(self, state: Values, one: Interpreter, two: Interpreter) -> bool:
        """Whether the programs differ in a state in which the first is over or nobody may act.

        Args:
            state: A state of the shadowed program.
            one: Runs the first program.
            two: Runs the second.
        """
        if state[self.state] != FOLLOWS:
            return False
        a, b = self.split(state)
        if one.over(a) != two.over(b):
            return True
        if not one.over(a):
            return bool(two.enabled(b))
        mine = [one.value(t, a) for t in (*self.one.winners, *self.one.scores)]
        return mine != [two.value(t, b) for t in (*self.two.winners, *self.two.scores)]

    @cached_property
    def resting(self) -> Term:
        """Where `differs_at_rest` holds, as a condition on a state of the shadowed program.

        Any engine that is asked for this state and for the site `PARTING` is asked for all partings.
        """
        held = dict(self.copies)
        over, other = self.one.over, _renumber(self.two.over, held)
        mine = (*self.one.winners, *self.one.scores)
        theirs = (_renumber(t, held) for t in (*self.two.winners, *self.two.scores))
        unlike = some(*(negate(a == b) for a, b in zip(mine, theirs, strict=True)))
        idle = negate(some(*(i.guard for i in self.one.instances)))
        goes_on = some(*(_renumber(i.guard, held) for i in self.two.instances))
        how = self.slots[self.state]
        follows = make("read", (), how.sort, how.lo, how.hi, ((how.index,), _STAMP + 6, how.name)) == FOLLOWS
        return every(
            follows,
            some(
                every(over, negate(other)),
                every(over, other, unlike),
                every(negate(over), idle, some(other, goes_on)),
            ),
        )

    @property
    def slots(self) -> Sequence[Slot]:
        """The slots of the shadowed program."""
        return self.program.layout.slots


def shadowed(one: Program, two: Program) -> Shadow:
    """Put a program into the shadow of another one.

    Args:
        one: Its plays are kept.
        two: A program of the same layout.

    Raises:
        ValueError: the layouts differ.
    """
    if [(s.name, s.lo, s.hi) for s in one.layout.slots] != [(s.name, s.lo, s.hi) for s in two.layout.slots]:
        raise ValueError("the two programs have different layouts")
    return _Maker(one, two).made()


class _Maker:
    def __init__(self, one: Program, two: Program) -> None:
        self.one, self.two = one, two
        self.pairs = [(i, two.by_label.get(i.label)) for i in one.instances]
        self.loose = self._loose()
        self.involved = {i.index for i, j in self.pairs if j is None or self._is_involved(i, j)}
        open_ = {s for i, j in self.pairs if i.index in self.involved for s in self._opened(i, j)}
        numbers = iter(range(len(one.layout.slots), 1 << 30))
        self.copies: Map = {s: next(numbers) for s in sorted(self.loose | open_)}
        self.state = next(numbers)
        self.site = len(one.sites)
        self.differing: dict[Actor, Term] = {}

    # -- what may differ ---------------------------------------------------------------------------
    def _loose(self) -> frozenset[int]:
        """Hidden slots in which the two may differ while players see no difference."""
        hidden = {s.index for s in self.one.layout.slots if s.hidden}
        bodies = [(i, j) for i, j in self.pairs if j is not None]
        found: set[int] = set()
        for i, j in bodies:
            if effect_key(i.body) != effect_key(j.body):
                found |= (_writes(i.body) | _writes(j.body)) & hidden
        while True:
            more = {
                s
                for i, j in bodies
                if (_reads(i.body) | _reads(j.body)) & found
                for s in (_writes(i.body) | _writes(j.body)) & hidden
            }
            if more <= found:
                return frozenset(found)
            found |= more

    def _is_involved(self, i: Instance, j: Instance) -> bool:
        touched = _reads(i.body) | _writes(i.body)
        return effect_key(i.body) != effect_key(j.body) or bool(touched & self.loose)

    def _opened(self, i: Instance, j: Instance | None) -> set[int]:
        """Slots that are copied for the one step: what either body writes, apart from loose slots."""
        return (_writes(i.body) | (_writes(j.body) if j is not None else set())) - self.loose

    # -- the program ---------------------------------------------------------------------------------
    def made(self) -> Shadow:
        """The shadowed program."""
        slots = list(self.one.layout.slots)
        copies = [
            replace(slots[s], index=n, name=f"~{slots[s].name}", hidden=True) for s, n in self.copies.items()
        ]
        state = Slot(self.state, "~shadow", INT, FOLLOWS, HALTED, FOLLOWS, True)
        fields = dict(self.one.layout.fields) | {s.name: Leaf(s) for s in (*copies, state)}
        self.slots = (*slots, *copies, state)
        site = Site(Kind.COVER, PARTING, (), (), UNKNOWN)
        program = replace(
            self.one,
            layout=Layout(self.slots, fields),
            instances=tuple(replace(i, body=self._body(i, j)) for i, j in self.pairs),
            sites=(*self.one.sites, site),
        )
        held = {s: self.copies[s] for s in self.loose}
        return Shadow(program, self.one, self.two, self.site, self.state, held)

    def _body(self, i: Instance, j: Instance | None) -> ir.Block:
        held = {s: self.copies[s] for s in self.loose}
        left = (ir.Cover(self.site), ir.Assign((self.state,), None, constant(LEFT)))
        differs = self._may_differ(i, held)
        body: list[ir.Stmt] = []
        if differs is not FALSE:
            body += _shared(differs)
            body.append(ir.If(every(self._stands(FOLLOWS, 0), differs), left, ()))
        if i.index not in self.involved:
            return (*body, *i.body)
        opened = sorted(self._opened(i, j))
        if j is not None:
            here = held | {s: self.copies[s] for s in opened}
            body += [ir.Assign((self.copies[s],), None, self._now(s, 1)) for s in opened]
            second = self._stopping(_renumbered(j.body, here), 2)
            body.append(ir.If(self._stands(FOLLOWS, 1), second, ()))
        mine = self._asking(i.body)
        ends = [~self._same(s, self.copies[s]) for s in opened if not self.slots[s].hidden] if j else []
        parts = some(self._stands(HALTED, 4), every(self._stands(FOLLOWS, 4), some(*ends)))
        after = [ir.If(parts, left, ())] if j is not None else []
        clear = [
            ir.Assign((self.copies[s],), None, constant(self.slots[s].start, self.slots[s].sort))
            for s in opened
        ]
        return (*body, *mine, *after, *clear)

    def _now(self, slot: int, stamp: int) -> Term:
        """The value of a slot where the term stands."""
        s = self.slots[slot]
        if s.lo == s.hi:
            return constant(s.lo, s.sort)
        return make("read", (), s.sort, s.lo, s.hi, ((slot,), _STAMP + stamp, s.name))

    def _same(self, slot: int, copy: int) -> Term:
        return self._now(slot, 5) == self._now(copy, 5)

    def _stands(self, how: int, stamp: int) -> Term:
        return self._now(self.state, stamp) == how

    # -- bodies ----------------------------------------------------------------------------------------
    def _stopping(self, body: ir.Block, stamp: int) -> ir.Block:
        """A body whose stops are noted instead; what would come after one is left out."""
        out: list[ir.Stmt] = []
        for n, s in enumerate(body):
            if isinstance(s, ir.Stop):
                return (*out, ir.Assign((self.state,), None, constant(HALTED)))
            if isinstance(s, ir.If):
                stops = _stops(s.then) or _stops(s.otherwise)
                out.append(
                    ir.If(s.condition, self._stopping(s.then, stamp), self._stopping(s.otherwise, stamp))
                )
                rest = body[n + 1 :]
                if stops and rest:
                    out.append(ir.If(self._stands(FOLLOWS, stamp), self._stopping(rest, stamp), ()))
                    return tuple(out)
            else:
                out.append(s)
        return tuple(out)

    def _asking(self, body: ir.Block) -> ir.Block:
        """The first program's body; where it stops and the second does not, they part."""
        out: list[ir.Stmt] = []
        for s in body:
            if isinstance(s, ir.Stop):
                out.append(ir.Probe(self.site, self._stands(FOLLOWS, 3)))
            if isinstance(s, ir.If):
                s = ir.If(s.condition, self._asking(s.then), self._asking(s.otherwise))
            out.append(s)
        return tuple(out)

    # -- before a step ---------------------------------------------------------------------------------
    def _may_differ(self, acting: Instance, held: Map) -> Term:
        """Whether, in a state in which an instance acts, players see other moves, odds or an end.

        This hangs on the kind of actor alone.
        """
        if acting.actor not in self.differing:
            self.differing[acting.actor] = self._differing(acting, held)
        return self.differing[acting.actor]

    def _differing(self, acting: Instance, held: Map) -> Term:
        parts: list[Term] = []
        over = _renumber(self.two.over, held)
        if over is not self.one.over:
            parts.append(over)
        rank = min(acting.actor, Actor.CHANCE)
        here = [(a, b) for a, b in self._labels() if min(_actor(a, b), Actor.CHANCE) <= rank]
        for a, b in here:
            mine, theirs = a.guard if a else FALSE, _renumber(b.guard, held) if b else FALSE
            if mine is not theirs:
                parts.append(some(every(mine, negate(theirs)), every(negate(mine), theirs)))
            elif a and b and a.player is not None and b.player is not None:
                other = _renumber(b.player, held)
                if a.player is not other:
                    parts.append(every(mine, negate(a.player == other)))
        if acting.actor is Actor.CHANCE:
            parts += self._odds([(a, b) for a, b in here if a and b and a.actor is Actor.CHANCE], held)
        return some(*parts)

    def _labels(self) -> Iterator[tuple[Instance | None, Instance | None]]:
        yield from self.pairs
        yield from ((None, j) for j in self.two.instances if j.label not in self.one.by_label)

    @staticmethod
    def _odds(chances: Sequence[tuple[Instance | None, Instance | None]], held: Map) -> Iterator[Term]:
        """Where a chance instance has another share of all weights."""
        found = [(a.weight, _renumber(b.weight, held), a.guard) for a, b in chances if a and b]
        if all(mine is theirs for mine, theirs, _ in found):
            return
        whole = total(*(ite(guard, mine, 0) for mine, _, guard in found))
        other = total(*(ite(guard, theirs, 0) for _, theirs, guard in found))
        for mine, theirs, guard in found:
            yield every(guard, negate(mine * other == theirs * whole))


# -- terms and bodies ------------------------------------------------------------------------------------


def _actor(a: Instance | None, b: Instance | None) -> Actor:
    found = a or b
    assert found is not None
    return found.actor


def _writes(body: ir.Block) -> set[int]:
    return {s for stmt in ir.statements(body) if isinstance(stmt, ir.Assign) for s in stmt.slots}


def _reads(body: ir.Block) -> set[int]:
    """Slots that what a body does may depend on."""
    found: set[int] = set()
    for stmt in ir.statements(body):
        if isinstance(stmt, (ir.Assign, ir.If)):
            for t in ir.roots(stmt):
                found |= reads(t)
    return found


def _stops(body: ir.Block) -> bool:
    return any(isinstance(s, ir.Stop) for s in ir.statements(body))


def _shared(*roots: Term) -> list[ir.Stmt]:
    """`Let`s for the terms that occur more than once, so that an engine evaluates them once."""
    order = list(walk(*roots))
    times = Counter(a for t in order for a in t.args)
    return [ir.Let(t) for t in order if times[t] > 1 and t.op not in ("const", "read")]


def _renumber(root: Term, slots: Map, memo: dict[Term, Term] | None = None) -> Term:
    """A term that reads other slots instead of some."""
    made = memo if memo is not None else {}
    for t in walk(root):
        if t in made:
            continue
        args = tuple(made[a] for a in t.args)
        data = t.data
        if t.op in ("read", "select") and any(s in slots for s in t.data[0]):
            data = (tuple(slots.get(s, s) for s in t.data[0]), t.data[1], f"~{t.data[2]}")
        same = data is t.data and all(a is b for a, b in zip(args, t.args, strict=True))
        made[t] = t if same else make(t.op, args, t.sort, t.lo, t.hi, data)
    return made[root]


def _renumbered(body: ir.Block, slots: Map) -> ir.Block:
    """A body over other slots, without what is only asked."""
    memo: dict[Term, Term] = {}

    def block(statements: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
        for s in statements:
            if isinstance(s, ir.Assign):
                index = None if s.index is None else _renumber(s.index, slots, memo)
                into = tuple(slots.get(k, k) for k in s.slots)
                yield ir.Assign(into, index, _renumber(s.value, slots, memo))
            elif isinstance(s, ir.If):
                condition = _renumber(s.condition, slots, memo)
                yield ir.If(condition, tuple(block(s.then)), tuple(block(s.otherwise)))
            elif isinstance(s, ir.Let):
                kept = _renumber(s.term, slots, memo)
                if kept.op != "const":
                    yield ir.Let(kept)
            elif isinstance(s, ir.Stop):
                yield s

    return tuple(block(body))


__all__ = ["PARTING", "Shadow", "shadowed"]
