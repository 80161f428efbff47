"""Views: what an indexed field looks like inside a rule.

Promise: a view never holds a value; every read through it denotes the moment at which it is written,
and an index that can leave its range is a capacity question, never a wrong cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from models.language.errors import ModelError
from models.language.functions import as_number, count, ite, least, most
from models.language.places import here
from models.language.slots import Leaf, Node, Pile, Row, Slot, bare
from models.language.terms import INT, Term, TermLike, constant, enum_sort, term, total

if TYPE_CHECKING:
    from models.language.state import Field
    from models.language.trace import Trace

V = TypeVar("V", covariant=True)


def choose(
    trace: Trace, rows: Sequence[Row], index: Term | None, key: object
) -> tuple[list[Node], Term | None]:
    """The items of some rows at a key: one item per row for a fixed key, else all that the key can mean.

    Errors:
        ModelError: the key is of the wrong sort or always outside.
    """
    row = rows[0]
    at, n = term(key), len(row.items)
    wanted = INT if row.keys is None else enum_sort(row.keys)
    if at.sort != wanted:
        raise ModelError(
            f"{row.name} is indexed by {wanted.name}, not by {at!r} ({at.sort.name})",
            where=str(here()),
            hint="use an index of the declared kind",
        )
    if at.hi < 0 or at.lo >= n:
        if trace.dead:
            return [r.items[0] for r in rows], index
        raise ModelError(
            f"index {at!r} is always outside {row.name}, which has items 0..{n - 1}",
            where=str(here()),
            hint="check the loop bounds or the size",
        )
    if at.op == "const":
        return [r.items[at.lo] for r in rows], index
    number = as_number(at)
    if number.lo < 0 or number.hi >= n:
        number = trace.within(number, n, row.name)
    width = number.hi - number.lo + 1
    offset = number - number.lo if number.lo else number
    nodes = [r.items[j] for r in rows for j in range(number.lo, number.hi + 1)]
    return nodes, offset if index is None else index * width + offset


class ArrayView(Generic[V]):
    """`t.face_up[i]`, `t.hand[player][card]`: items by number, enumeration member or term."""

    def __init__(self, trace: Trace, item: Field[V], nodes: Sequence[Node], index: Term | None) -> None:
        self._trace, self._item, self._index = trace, item, index
        self._rows = [n for n in nodes if isinstance(n, Row)]

    def __len__(self) -> int:
        return len(self._rows[0].items)

    def __iter__(self) -> Iterator[V]:
        return (self[k] for k in self.keys())

    def keys(self) -> Sequence[Any]:
        """The fixed indices: numbers from 0, or enumeration members."""
        members = self._rows[0].keys
        return list(members) if members is not None else range(len(self))

    def __getitem__(self, key: Any) -> V:
        nodes, index = choose(self._trace, self._rows, self._index, key)
        return self._item.view(self._trace, nodes, index)

    def __setitem__(self, key: Any, value: object) -> None:
        nodes, index = choose(self._trace, self._rows, self._index, key)
        self._item.store(self._trace, nodes, index, value)

    def fill(self, value: TermLike) -> None:
        """Assign one value to every item."""
        for k in self.keys():
            self[k] = value

    def __bool__(self) -> bool:
        raise ModelError(
            f"{self!r} has no truth value", where=str(here()), hint="compare an item, a count or a depth"
        )

    def __repr__(self) -> str:
        return f"<{self._rows[0].name}: {len(self)} items>"


class BagView(ArrayView[Term]):
    """`t.deck[Card.A]` is how many of a kind are left."""

    def total(self) -> Term:
        """How many items there are in all."""
        return total(*self)

    def add(self, kind: object, n: TermLike = 1) -> None:
        """Put n of a kind in."""
        self[kind] = self[kind] + n

    def remove(self, kind: object, n: TermLike = 1) -> None:
        """Take n of a kind out."""
        self[kind] = self[kind] - n


class StackView(Generic[V]):
    """A stack: `t.pile.push(x)`, `t.pile.pop()`, `t.pile.top`, `t.pile.depth`, `t.pile[i]` (bottom is 0).

    Places above the top hold the least value, so that equal stacks are equal states.
    """

    def __init__(self, trace: Trace, item: Field[V], nodes: Sequence[Node], index: Term | None) -> None:
        self._trace, self._item, self._index = trace, item, index
        self._piles = [n for n in nodes if isinstance(n, Pile)]
        self._rows = [Row(p.name, None, p.items) for p in self._piles]
        lowest = self._piles[0].items[0]
        assert isinstance(lowest, Leaf)
        self._floor = constant(lowest.slot.lo, lowest.slot.sort)
        self._name = bare(self._piles[0].name)

    def _slots(self) -> list[Slot]:
        return [p.depth.slot for p in self._piles]

    def __len__(self) -> int:
        """The greatest number of items (a fixed number; the current one is `depth`)."""
        return len(self._rows[0].items)

    def __bool__(self) -> bool:
        raise ModelError(f"{self!r} has no truth value", where=str(here()), hint="compare its depth with 0")

    def __iter__(self) -> Iterator[Term]:
        return (self[i] for i in range(len(self)))

    @property
    def depth(self) -> Term:
        """How many items lie on it now."""
        return self._trace.read(self._slots(), self._index)

    @property
    def top(self) -> Term:
        """The topmost item; the least value when the stack is empty."""
        return self._place(most(self.depth - 1, 0))

    def __getitem__(self, at: TermLike) -> Term:
        """The item at a height, 0 at the bottom; the least value where none lies."""
        i, n = term(at), len(self)
        if i.hi < 0 or i.lo >= n:
            return self._floor
        found = self._place(least(most(i, 0), n - 1))
        return found if i.lo >= 0 and i.hi < n else ite((i >= 0) & (i < n), found, self._floor)

    def _place(self, i: Term) -> Term:
        nodes, index = choose(self._trace, self._rows, self._index, i)
        found = self._item.view(self._trace, nodes, index)
        assert isinstance(found, Term)
        return found

    def _put(self, i: Term, value: TermLike) -> None:
        nodes, index = choose(self._trace, self._rows, self._index, i)
        self._item.store(self._trace, nodes, index, value)

    def __setitem__(self, at: TermLike, value: TermLike) -> None:
        """Put another item in the place of one that lies there; where none lies it is a capacity question."""
        i, n = term(at), len(self)
        if i.hi < 0 or i.lo >= n:
            if self._trace.dead:
                return
            raise ModelError(
                f"height {i!r} is always outside {self!r}", where=str(here()), hint="heights are 0..depth - 1"
            )
        self._trace.capacity(self.has(i), f"{self._name}[]")
        self._put(least(most(i, 0), n - 1), value)

    def has(self, height: TermLike) -> Term:
        """Whether an item lies at that height."""
        return (term(height) >= 0) & (term(height) < self.depth)

    def how_many(self, value: TermLike) -> Term:
        """How many items equal a value."""
        return count(*(self.has(i) & (self[i] == value) for i in range(len(self))))

    def push(self, value: TermLike) -> None:
        """Lay an item on top; more than the stack holds is a capacity question."""
        depth, made = self.depth, term(value)
        self._trace.assign(self._slots(), self._index, depth + 1)
        self._put(least(depth, len(self) - 1), made)

    def pop(self) -> Term:
        """Take the topmost item off; from an empty stack it is a capacity question."""
        depth = self.depth
        self._trace.capacity(depth > 0, f"{self._name}.remove")
        taken, at = self.top, most(depth - 1, 0)
        self._trace.assign(self._slots(), self._index, at)
        self._put(at, self._floor)
        return taken

    def remove(self, at: TermLike) -> Term:
        """Take out the item at a height; those above move down.

        Args:
            at: Height, 0 at the bottom; outside the stack it is a capacity question.

        Returns:
            The item.
        """
        depth, height, n = self.depth, term(at), len(self)
        self._trace.capacity(self.has(height), f"{self._name}.remove")
        before, taken = list(self), self[height]
        self._trace.assign(self._slots(), self._index, most(depth - 1, 0))
        for i in range(n):
            above = before[i + 1] if i + 1 < n else self._floor
            self._put(constant(i), ite(height <= i, above, before[i]))
        return taken

    def insert(self, at: TermLike, value: TermLike) -> None:
        """Put an item in at a height 0..depth; those from there on move up."""
        depth, height, made, n = self.depth, term(at), term(value), len(self)
        self._trace.capacity((height >= 0) & (height <= depth), f"{self._name}.insert")
        before = list(self)
        self._trace.assign(self._slots(), self._index, depth + 1)
        for i in range(n):
            moved = before[i - 1] if i else self._floor
            self._put(constant(i), ite(height == i, made, ite(height < i, moved, before[i])))

    def clear(self) -> None:
        """Take everything off."""
        self._trace.assign(self._slots(), self._index, constant(0))
        for i in range(len(self)):
            self._put(constant(i), self._floor)

    def __repr__(self) -> str:
        return f"<{self._piles[0].name}: stack of up to {len(self)}>"


class GridView(ArrayView[V], Generic[V]):
    """`t.board[r, c]`; `neighbours(r, c)` and `edges()` know the shape."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self._rows[0].items)

    @property
    def columns(self) -> int:
        """Number of columns."""
        first = self._rows[0].items[0]
        assert isinstance(first, Row)
        return len(first.items)

    def _cell(self, key: object) -> tuple[list[Node], Term | None]:
        if not isinstance(key, tuple) or len(key) != 2:
            raise ModelError(
                f"{self._rows[0].name} is a grid and needs a row and a column, not {key!r}",
                where=str(here()),
                hint="write `t.board[row, column]`",
            )
        nodes, index = choose(self._trace, self._rows, self._index, key[0])
        return choose(self._trace, [n for n in nodes if isinstance(n, Row)], index, key[1])

    def __getitem__(self, key: tuple[TermLike, TermLike]) -> V:
        nodes, index = self._cell(key)
        return self._item.view(self._trace, nodes, index)

    def __setitem__(self, key: tuple[TermLike, TermLike], value: object) -> None:
        nodes, index = self._cell(key)
        self._item.store(self._trace, nodes, index, value)

    def __iter__(self) -> Iterator[V]:
        return (self[k] for k in self.keys())

    def keys(self) -> Sequence[tuple[int, int]]:
        """All positions, row by row."""
        return [(r, c) for r in range(self.rows) for c in range(self.columns)]

    def neighbours(self, row: int, column: int) -> list[tuple[int, int]]:
        """The positions that share a side with one: above, right, below, left, as far as they exist."""
        around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        return [(r, c) for r, c in around if 0 <= r < self.rows and 0 <= c < self.columns]

    def number(self, row: int, column: int) -> int:
        """The position as one number, row by row from 0 (the node of the graph primitives)."""
        return row * self.columns + column

    def edges(self) -> list[tuple[int, int]]:
        """All pairs of neighbouring positions as numbers, each once."""
        return [
            (self.number(r, c), self.number(*q))
            for r, c in self.keys()
            for q in self.neighbours(r, c)
            if self.number(*q) > self.number(r, c)
        ]
