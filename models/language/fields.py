"""Fields: the kinds of state that a rulebook declares, like a Django model's.

Promises: declaring runs nothing; laid out for a size, every field is a row of finite slots; a start
outside its range, an empty range or an array of nothing is an error that names the field.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from models.language.errors import ModelError
from models.language.places import here
from models.language.sizes import Size, resolve
from models.language.slots import Leaf, Node, Pile, Row, Slot
from models.language.terms import BOOL, INT, Sort, Term, enum_sort, term

if TYPE_CHECKING:
    from models.language.state import State
    from models.language.trace import Trace
    from models.language.views import ArrayView, BagView, GridView, StackView

V = TypeVar("V", covariant=True)
F = TypeVar("F", bound="Field[Any]")


class Slots:
    """Collects slots while a layout is made.

    Args:
        size: The size that is laid out.
    """

    def __init__(self, size: Size) -> None:
        self.size = size
        self.slots: list[Slot] = []

    def add(self, name: str, sort: Sort, lo: int, hi: int, start: int, hidden: bool) -> Leaf:
        """Append one slot.

        Errors:
            ModelError: the start lies outside the range.
        """
        if not lo <= start <= hi:
            raise ModelError(
                f"field {name}: the start {start} is outside {lo}..{hi}",
                hint="give it a start inside its range",
            )
        slot = Slot(len(self.slots), name, sort, lo, hi, start, hidden)
        self.slots.append(slot)
        return Leaf(slot)

    def start(self, given: Any, declared: Any) -> Any:
        """The start that an outer field gives, else the declared one, worked out for the size."""
        return resolve(given if given is not None else declared, self.size)


class Field(Generic[V]):
    """What all kinds of fields share.

    Args:
        start: Value in the setup (for arrays: of every item, or a sequence of one per item).
        hidden: Not observable: differing in it does not make two outcomes different.
    """

    def __init__(self, *, start: Any = None, hidden: bool = False) -> None:
        self.start, self.hidden = start, hidden
        self.name = ""
        self.place = here()

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self: F, obj: None, owner: type) -> F: ...
    @overload
    def __get__(self, obj: State, owner: type) -> V: ...
    def __get__(self, obj: State | None, owner: type) -> Any:
        if obj is None:
            return self
        return self.view(obj.trace, (obj.layout.fields[self.name],), None)

    def __set__(self, obj: State, value: object) -> None:
        self.store(obj.trace, (obj.layout.fields[self.name],), None, value)

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Node:
        """Lay the field out.

        Args:
            slots: Where slots are added.
            name: Path of the field.
            start: Start given by an outer field, or None.
            hidden: Whether an outer field is hidden.
        """
        raise NotImplementedError

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> V:
        """What reading gives: over one node, or over several chosen by an index term."""
        raise NotImplementedError

    def store(self, trace: Trace, nodes: Sequence[Node], index: Term | None, value: object) -> None:
        """What assigning records.

        Errors:
            ModelError: the field has several slots.
        """
        raise ModelError(
            f"{_called(nodes)} cannot be assigned as a whole",
            where=str(here()),
            hint="assign its items, or use its methods (`fill`, `push`, `pop`, …)",
        )


def _called(nodes: Sequence[Node]) -> str:
    node = nodes[0]
    return node.slot.name if isinstance(node, Leaf) else node.name


class Scalar(Field[Term]):
    """A field of one slot."""

    def domain(self, size: Size) -> tuple[Sort, int, int]:
        """Sort, least and greatest value."""
        raise NotImplementedError

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Leaf:
        """See `Field.node`.

        Errors:
            ModelError: the start is of another sort or outside the range.
        """
        sort, lo, hi = self.domain(slots.size)
        first = slots.start(start, self.start)
        if first is None:
            return slots.add(name, sort, lo, hi, lo, hidden or self.hidden)
        made = term(first)
        if made.op != "const" or (made.sort is not sort and not (sort is BOOL and made.sort is INT)):
            raise ModelError(
                f"field {name}: the start {made!r} is of sort {made.sort.name}, the field of {sort.name}",
                where=str(self.place),
                hint="give a start of the field's sort",
            )
        return slots.add(name, sort, lo, hi, made.lo, hidden or self.hidden)

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> Term:
        """The value at this moment."""
        return trace.read([n.slot for n in nodes if isinstance(n, Leaf)], index)

    def store(self, trace: Trace, nodes: Sequence[Node], index: Term | None, value: object) -> None:
        """Record an assignment."""
        trace.assign([n.slot for n in nodes if isinstance(n, Leaf)], index, term(value))


class Bool(Scalar):
    """A truth value; starts false unless said."""

    def domain(self, size: Size) -> tuple[Sort, int, int]:
        """See `Scalar`."""
        return BOOL, 0, 1


class Range(Scalar):
    """A whole number from `lo` to `hi`, both included; starts at `lo` unless said."""

    def __init__(self, lo: int, hi: int, *, start: int | None = None, hidden: bool = False) -> None:
        super().__init__(start=start, hidden=hidden)
        self.lo, self.hi = lo, hi

    def domain(self, size: Size) -> tuple[Sort, int, int]:
        """See `Scalar`.

        Errors:
            ModelError: the range is empty or not of whole numbers.
        """
        lo, hi = resolve(self.lo, size), resolve(self.hi, size)
        if not isinstance(lo, int) or not isinstance(hi, int) or lo > hi:
            raise ModelError(
                f"field {self.name}: the range {lo}..{hi} is empty",
                where=str(self.place),
                hint="give whole numbers with lo <= hi",
            )
        return INT, lo, hi


class Index(Range):
    """A position 0..n-1."""

    def __init__(self, n: int, *, start: int | None = None, hidden: bool = False) -> None:
        super().__init__(0, n - 1, start=start, hidden=hidden)


class Enum(Scalar):
    """A member of a Python enumeration; starts at the first unless said."""

    def __init__(
        self, members: type[enum.Enum], *, start: enum.Enum | None = None, hidden: bool = False
    ) -> None:
        super().__init__(start=start, hidden=hidden)
        self.members = members

    def domain(self, size: Size) -> tuple[Sort, int, int]:
        """See `Scalar`."""
        members = resolve(self.members, size)
        return enum_sort(members), 0, len(members) - 1


Keys = int | type[enum.Enum]


def _keys(keys: Keys, size: Size, name: str) -> tuple[type[enum.Enum] | None, list[str]]:
    made = resolve(keys, size)
    if isinstance(made, type) and issubclass(made, enum.Enum):
        return made, [m.name for m in made]
    if isinstance(made, int) and made > 0:
        return None, [str(i) for i in range(made)]
    raise ModelError(
        f"field {name}: {made!r} cannot index an array", hint="give a number above 0 or an enumeration"
    )


def _starts(start: Any, members: type[enum.Enum] | None, n: int, name: str, absent: object) -> list[Any]:
    """One start per item, from one for all, a sequence, or a mapping by index."""
    if isinstance(start, Mapping):
        keys: list[Any] = list(members) if members is not None else list(range(n))
        strange = [k for k in start if k not in keys]
        if strange:
            raise ModelError(
                f"field {name}: there is no item {strange[0]!r}", hint="use the indices of the field"
            )
        return [start.get(k, absent) for k in keys]
    if isinstance(start, (list, tuple)):
        if len(start) != n:
            raise ModelError(
                f"field {name}: {len(start)} starts for {n} items", hint="give one start per item"
            )
        return list(start)
    return [start] * n


class Array(Field["ArrayView[V]"], Generic[V]):
    """One item per index; nests.

    Args:
        keys: Number of items (indices from 0), or an enumeration.
        item: Declaration of an item.
        start: Start of every item, or a sequence or mapping with one per item.
        hidden: See `Field`.
    """

    def __init__(self, keys: Keys, item: Field[V], *, start: Any = None, hidden: bool = False) -> None:
        super().__init__(start=start, hidden=hidden)
        self.keys, self.item = keys, item

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Row:
        """See `Field.node`."""
        members, names = _keys(self.keys, slots.size, name)
        self.item.name = self.item.name or name
        starts = _starts(slots.start(start, self.start), members, len(names), name, None)
        secret = hidden or self.hidden
        items = [self.item.node(slots, f"{name}[{k}]", starts[i], secret) for i, k in enumerate(names)]
        return Row(name, members, tuple(items))

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> ArrayView[V]:
        """An `ArrayView`."""
        from models.language.views import ArrayView

        return ArrayView(trace, self.item, nodes, index)


class Bag(Field["BagView"]):
    """How many of each kind are left: a supply, or a shuffled deck of which only the contents matter.

    Args:
        kinds: The enumeration (or number) of kinds.
        counts: Kind → greatest number of it, or a sequence in order of kinds, or one number for all.
        full: Starts full (a deck) or empty (a discard pile).
        hidden: See `Field`.
    """

    def __init__(self, kinds: Keys, counts: Any, *, full: bool = True, hidden: bool = False) -> None:
        super().__init__(hidden=hidden)
        self.kinds, self.counts, self.full = kinds, counts, full

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Row:
        """See `Field.node`.

        Errors:
            ModelError: a count is not a whole number of at least 0.
        """
        members, names = _keys(self.kinds, slots.size, name)
        counts = _starts(resolve(self.counts, slots.size), members, len(names), name, 0)
        most = [resolve(n, slots.size) for n in counts]
        wrong = next((n for n in most if not isinstance(n, int) or n < 0), None)
        if wrong is not None:
            raise ModelError(f"field {name}: {wrong!r} is no count", hint="give whole numbers of at least 0")
        secret = hidden or self.hidden
        return Row(
            name,
            members,
            tuple(
                slots.add(f"{name}[{k}]", INT, 0, n, n if self.full else 0, secret)
                for k, n in zip(names, most, strict=True)
            ),
        )

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> BagView:
        """A `BagView`."""
        from models.language.views import BagView

        return BagView(trace, Scalar(), nodes, index)


class Stack(Field["StackView[V]"], Generic[V]):
    """A bounded sequence, bottom first; starts empty, or with the items given as `start`.

    Args:
        item: Declaration of an item.
        most: Greatest number of items.
        start: Items in the setup, bottom first.
        hidden: See `Field`.
    """

    def __init__(self, item: Field[V], most: int, *, start: Any = None, hidden: bool = False) -> None:
        super().__init__(start=start, hidden=hidden)
        self.item, self.most = item, most

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Pile:
        """See `Field.node`.

        Errors:
            ModelError: no room, fewer places than items at the start, or items of several slots.
        """
        n = resolve(self.most, slots.size)
        first = list(slots.start(start, self.start) or ())
        if not isinstance(n, int) or n < 1:
            raise ModelError(
                f"field {name}: a stack of up to {n!r} items",
                where=str(self.place),
                hint="give it room for one",
            )
        if len(first) > n:
            raise ModelError(
                f"field {name}: starts with {len(first)} items, holds {n}",
                where=str(self.place),
                hint="give it room",
            )
        if not isinstance(self.item, Scalar):
            raise ModelError(
                f"field {name}: a stack holds items of several slots",
                where=str(self.place),
                hint="stack single values; keep what belongs to them in arrays beside it",
            )
        secret = hidden or self.hidden
        self.item.name = self.item.name or name
        depth = slots.add(f"{name}.depth", INT, 0, n, len(first), secret)
        items = [self.item.node(slots, f"{name}[{i}]", v, secret) for i, v in enumerate(first)]
        sort, lo, hi = self.item.domain(slots.size)
        items += [slots.add(f"{name}[{i}]", sort, lo, hi, lo, secret) for i in range(len(first), n)]
        return Pile(name, depth, tuple(items))

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> StackView[V]:
        """A `StackView`."""
        from models.language.views import StackView

        return StackView(trace, self.item, nodes, index)


class Grid(Field["GridView[V]"], Generic[V]):
    """Rows × columns of items, read as `t.board[r, c]`.

    Args:
        rows: Number of rows.
        columns: Number of columns.
        item: Declaration of a cell.
        start: Start of every cell, or a sequence of rows with a sequence of cells each.
        hidden: See `Field`.
    """

    def __init__(
        self, rows: int, columns: int, item: Field[V], *, start: Any = None, hidden: bool = False
    ) -> None:
        super().__init__(start=start, hidden=hidden)
        self.rows, self.columns, self.item = rows, columns, item

    def node(self, slots: Slots, name: str, start: Any, hidden: bool) -> Row:
        """See `Field.node`."""
        lines = Array(self.rows, Array(self.columns, self.item), start=self.start, hidden=self.hidden)
        return lines.node(slots, name, start, hidden)

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> GridView[V]:
        """A `GridView`."""
        from models.language.views import GridView

        return GridView(trace, self.item, nodes, index)
