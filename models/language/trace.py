"""Trace: records what a rule's function reads, assigns and asks, once per value of its parameters.

Promises: a read is stamped with the moment it is written; a statement out of place is an error that
names the line; the record is a tree of IR statements, later lowered by `models.language.lower`.

The clock ticks at each write (an assignment, or a branch that wrote), and at nothing else, so that two
bodies with the same writes have the same stamps whatever they ask in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from models.language import ir
from models.language.errors import ModelError
from models.language.functions import lookup
from models.language.ir import Kind
from models.language.places import here
from models.language.sizes import Size
from models.language.slots import Layout, Slot, bare
from models.language.terms import (
    FALSE,
    INT,
    TRUE,
    Term,
    TermLike,
    constant,
    every,
    make,
    negate,
    some,
    term,
    truth,
    walk,
)

if TYPE_CHECKING:
    from models.language.questions import Reading


class Context(Protocol):
    """What the builder of a program offers to its traces."""

    variant: str

    def site(
        self, kind: Kind, name: str, rows: tuple[str, ...], clauses: Sequence[str], shape: object
    ) -> int:
        """The number of a site; the same name with another shape is an error."""

    def heard(self, kind: Kind, name: str, rows: tuple[str, ...]) -> None:
        """A question was asked where nothing is recorded; some rule must ask it too."""

    def choice(self, reading: Reading) -> str:
        """The option of a declared reading in this build."""

    def derived(self, table: str, rows: tuple[str, str]) -> str:
        """The option of a derived reading in this build, or ""."""

    def edit(self, t: Any, table: str, rows: list[Any]) -> list[Any]:
        """The rows of a table after the overrides of the variant and the rulings that are built."""


class Block:
    """A block that is being recorded, with where it hangs (for lowering)."""

    __slots__ = ("at", "depth", "items", "parent")

    def __init__(self, parent: Block | None, at: int) -> None:
        self.items: list[Item] = []
        self.hang(parent, at)

    def hang(self, parent: Block | None, at: int) -> None:
        """Say that this is a branch of the statement at a position of a block."""
        self.parent, self.at = parent, at
        self.depth: int = 0 if parent is None else parent.depth + 1

    def inside(self, outer: Block) -> bool:
        """Whether this is the outer block or one of its branches."""
        block: Block | None = self
        while block is not None and block is not outer:
            block = block.parent
        return block is not None


class Item:
    """A recorded statement: the statement itself or an If with recorded blocks, and the slots it writes."""

    __slots__ = ("condition", "entry", "otherwise", "place", "stmt", "then", "writes")

    def __init__(
        self,
        stmt: ir.Stmt | None = None,
        *,
        condition: Term | None = None,
        then: Block | None = None,
        otherwise: Block | None = None,
    ) -> None:
        self.stmt, self.condition, self.then, self.otherwise = stmt, condition, then, otherwise
        self.writes: set[int] = set()
        self.entry: list[int] = []
        self.place = here()


class Trace:
    """Records one instance.

    Attributes:
        layout: The slots.
        size: The size that is built.
        guard: Conditions of `require` so far.
        root: The recorded body.
        readings: Ids of the readings consulted.
        recording: Whether statements are allowed (a rule) or only terms (a property, an actor, a weight).
        offset: Added to the numbers of the slots that are read.
        homes: Stamp → the block and the position in it of the write that gave it (−1: before all).
        checked: Index that was cut off at the range (a term of its own, which nothing else gives) → the
            condition under which the cut changes nothing, and the blocks in which that was asked.
    """

    def __init__(
        self,
        layout: Layout,
        size: Size,
        context: Context,
        rule: str,
        clauses: tuple[str, ...],
        *,
        recording: bool = True,
        offset: int = 0,
        dead: bool = False,
    ) -> None:
        self.layout, self.size, self.context = layout, size, context
        self.rule, self.clauses, self.recording, self.offset = rule, clauses, recording, offset
        self.guard: list[Term] = []
        self.root = Block(None, 0)
        self.readings: set[str] = set()
        self.homes: dict[int, tuple[Block, int]] = {0: (self.root, -1)}
        self.checked: dict[Term, tuple[Term, list[Block]]] = {}
        self._block = self.root
        self._dead = int(dead)
        self._clock = 0
        self._stamps = [0] * len(layout.slots)
        self._open_if: Item | None = None

    @property
    def dead(self) -> bool:
        """Whether what is recorded now can never happen, so that it may leave every range."""
        return self._dead > 0

    @property
    def variant(self) -> str:
        """Name of the variant that is built."""
        return self.context.variant

    # -- reading --------------------------------------------------------------------------------
    def read(self, slots: Sequence[Slot], index: Term | None) -> Term:
        """The value, at this moment, of a slot or of one of several chosen by an index."""
        if index is not None and index.op == "const":
            slots, index = [slots[index.lo]], None
        first = slots[0]
        if index is None or (len(set(slots)) == 1 and not self._is_cut(index)):
            if first.lo == first.hi:
                return constant(first.lo, first.sort)
            name = f"{first.name}*" if self.offset else first.name
            data = ((first.index + self.offset,), self._stamps[first.index], name)
            return make("read", (), first.sort, first.lo, first.hi, data)
        lo, hi = min(s.lo for s in slots), max(s.hi for s in slots)
        if lo == hi and not self._is_cut(index):
            return constant(lo, first.sort)
        stamp = max(self._stamps[s.index] for s in slots)
        name = bare(first.name) + ("*" if self.offset else "")
        return make(
            "select", (index,), first.sort, lo, hi, (tuple(s.index + self.offset for s in slots), stamp, name)
        )

    def _is_cut(self, index: Term) -> bool:
        return bool(self.checked) and any(t in self.checked for t in walk(index))

    def choice(self, reading: Reading) -> str:
        """The option of a reading; the rule is noted as depending on it."""
        self.readings.add(reading.id)
        return self.context.choice(reading)

    def derived(self, reading: str, table: str, rows: tuple[str, str]) -> str:
        """The option of a derived reading, or "" where the build leaves the default."""
        self.readings.add(reading)
        return self.context.derived(table, rows)

    # -- writing --------------------------------------------------------------------------------
    def _add(self, item: Item) -> None:
        if not self.recording:
            raise ModelError(
                "a statement where only a condition or a number is asked for",
                where=str(here()),
                hint="properties, actors and weights read the state; rules change it",
            )
        self._block.items.append(item)
        self._open_if = None

    def assign(self, slots: Sequence[Slot], index: Term | None, value: TermLike) -> None:
        """Record `slots[index] := value`; a value that can leave the range is a capacity question."""
        made = term(value)
        if index is not None and index.op == "const":
            slots, index = [slots[index.lo]], None
        first = slots[0]
        name = first.name if index is None else bare(first.name)
        lo, hi = min(s.lo for s in slots), max(s.hi for s in slots)
        if made.sort != first.sort:
            raise ModelError(
                f"{name} is of sort {first.sort.name}; {made!r} is of sort {made.sort.name}",
                where=str(here()),
                hint="assign a value of the field's sort",
            )
        if made.hi < lo or made.lo > hi:
            if self.dead:
                return
            raise ModelError(
                f"every value of {made!r} ({made.lo}..{made.hi}) is outside the range of {name} ({lo}..{hi})",
                where=str(here()),
                hint="widen the field or correct the rule",
            )
        if first.sort is INT and (made.lo < max(s.lo for s in slots) or made.hi > min(s.hi for s in slots)):
            least = lookup(index, [s.lo for s in slots]) if index is not None else term(first.lo)
            most = lookup(index, [s.hi for s in slots]) if index is not None else term(first.hi)
            self.capacity((least <= made) & (made <= most), bare(first.name))
        item = Item(ir.Assign(tuple(s.index for s in slots), index, made))
        item.writes = {s.index for s in slots}
        self._add(item)
        self._stamp(item)

    def _stamp(self, item: Item) -> None:
        self._clock += 1
        self.homes[self._clock] = (self._block, len(self._block.items) - 1)
        for s in item.writes:
            self._stamps[s] = self._clock

    def capacity(self, holds: Term, name: str) -> None:
        """Stop the step where a number would leave its range."""
        if holds is TRUE:
            return
        number = self.context.site(Kind.CAPACITY, name, (), self.clauses, None)
        then, otherwise = (Block(self._block, len(self._block.items)) for _ in range(2))
        then.items.append(Item(ir.Stop(number)))
        self._add(Item(condition=negate(holds), then=then, otherwise=otherwise))

    def within(self, index: Term, n: int, name: str) -> Term:
        """Stop the step where an index leaves 0..n-1; the index cut off at that range.

        Errors:
            ModelError: nothing can be stopped, as only a condition or a number is asked for.
        """
        if not self.recording:
            raise ModelError(
                f"the index {index!r} ({index.lo}..{index.hi}) can leave {name}, which has items 0..{n - 1}",
                where=str(here()),
                hint="only a rule can stop there; cut the index off with `least`, `most` or `%`",
            )
        holds, hi = (index >= 0) & (index < n), max(index.hi, 0)
        low = make("max", (index, constant(0)), INT, 0, hi) if index.lo < 0 else index
        cut = make("min", (low, constant(n - 1)), INT, low.lo, min(hi, n - 1), "cut")
        self.capacity(holds, f"{bare(name)}[]")
        self.checked.setdefault(cut, (holds, []))[1].append(self._block)
        return cut

    # -- control --------------------------------------------------------------------------------
    def require(self, condition: TermLike) -> None:
        """Add to the guard.

        Where an index in the condition leaves its range, the guard lets the step begin, so that it stops
        with the capacity question instead of looking at a wrong cell.
        """
        made = truth(condition, "guard")
        if not self.recording:
            raise ModelError(
                "`require` where only a condition or a number is asked for",
                where=str(here()),
                hint="guards belong to rules",
            )
        if self._block is not self.root:
            raise ModelError(
                "`require` stands inside `when`",
                where=str(here()),
                hint="a guard holds for the whole rule: move it before the first `when`",
            )
        if self._clock:
            raise ModelError(
                "`require` stands after an assignment",
                where=str(here()),
                hint="a guard looks at the state before the step: move it before the first assignment",
            )
        cuts = [t for t in walk(made) if t in self.checked] if self.checked else []
        self.guard.append(some(made, *(negate(self.checked[t][0]) for t in cuts)))
        self._dead += self.guard[-1] is FALSE

    def when(self, condition: TermLike) -> Branch:
        """Record the statements inside under a condition."""
        then, otherwise = Block(None, 0), Block(None, 0)
        item = Item(condition=truth(condition), then=then, otherwise=otherwise)
        return Branch(self, item, then, first=True)

    def otherwise(self) -> Branch:
        """Record the statements inside under the negated condition of the `when` just before."""
        item = self._open_if
        if item is None or item.otherwise is None:
            raise ModelError(
                "`otherwise` does not follow a `when` block",
                where=str(here()),
                hint="write it directly after the `with t.when(…):` block it belongs to",
            )
        return Branch(self, item, item.otherwise, first=False)

    def enter(self, branch: Branch) -> None:
        """Go into a branch; called by `Branch`."""
        if branch.first:
            for block in (branch.item.then, branch.item.otherwise):
                assert block is not None
                block.hang(self._block, len(self._block.items))
            self._add(branch.item)
            branch.item.entry = list(self._stamps)
        else:
            self._stamps = list(branch.item.entry)
        self._block, self._open_if = branch.block, None
        self._dead += branch.dead

    def leave(self, branch: Branch) -> None:
        """Come back from a branch; called by `Branch`."""
        outer = branch.block.parent
        assert outer is not None
        self._block = outer
        self._dead -= branch.dead
        branch.item.writes.update(*(i.writes for i in branch.block.items))
        if branch.item.writes:
            self._stamp(branch.item)
        self._open_if = branch.item if branch.first else None

    # -- asking ---------------------------------------------------------------------------------
    def probe(
        self,
        kind: Kind,
        name: str,
        condition: Term,
        rows: tuple[str, ...] = (),
        clauses: Sequence[str] = (),
        shape: object = None,
    ) -> None:
        """Record a question at this place; one that is never met leaves a site without a statement."""
        if not self.recording:
            self.context.heard(kind, name, rows)
            return
        number = self.context.site(kind, name, rows, clauses or self.clauses, shape)
        if condition is not FALSE:
            self._add(Item(ir.Probe(number, condition)))

    def cover(
        self, name: str, kind: Kind = Kind.COVER, rows: tuple[str, ...] = (), clauses: Sequence[str] = ()
    ) -> None:
        """Record that the play came by."""
        self._add(Item(ir.Cover(self.context.site(kind, name, rows, clauses or self.clauses, None))))

    def stop(self, name: str, clauses: Sequence[str] = ()) -> None:
        """Record that the text ends here."""
        self._add(Item(ir.Stop(self.context.site(Kind.STOP, name, (), clauses or self.clauses, None))))

    def full_guard(self) -> Term:
        """The conjunction of all `require`s."""
        return every(*self.guard)


class Branch:
    """A `when` or `otherwise` block as a context manager."""

    __slots__ = ("block", "first", "item", "trace")

    def __init__(self, trace: Trace, item: Item, block: Block, *, first: bool) -> None:
        self.trace, self.item, self.block, self.first = trace, item, block, first

    @property
    def dead(self) -> bool:
        """Whether the condition rules the block out."""
        return self.item.condition is (FALSE if self.first else TRUE)

    def __enter__(self) -> None:
        self.trace.enter(self)

    def __exit__(self, *error: object) -> None:
        self.trace.leave(self)
