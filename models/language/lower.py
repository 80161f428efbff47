"""Lowering: from the record of a rule to the IR's body.

Promises: after lowering, walking the body in order and keeping the value of every `Let` gives each
term the value it had where the modeller wrote it, although slots are overwritten meanwhile; a term
used more than once is evaluated once. Engines need no knowledge of versions.

A read is stamped with the last write before it. The home of a stamp is the place of that write, or of
the branches that wrote. Terms are settled from the users down: a term that is used once is evaluated
where its user is, a shared one at the first place that all its users have behind them. Where a read is
evaluated but its stamp is no longer the newest, a `Let` of it is put before the first statement after
its home that overwrites it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from models.language import ir
from models.language.errors import ModelError
from models.language.terms import Term, walk
from models.language.trace import Block, Item, Trace

READS = frozenset({"read", "select"})
_LEAVES = frozenset({"const", "read", "unknown"})

#: A place before a statement: the block and the position in it.
Spot = tuple[Block, int]


def lower(trace: Trace) -> ir.Block:
    """Lower the body of a trace.

    Args:
        trace: A finished trace.

    Returns:
        The body with its `Let`s.

    Errors:
        ModelError: a value read inside a branch after a change there is used outside that branch; a value
            read between a `when` block and its `otherwise`.
    """
    return _Lowering(trace).run()


class _Lowering:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.newest: dict[tuple[int, int], int] = {}
        for stamp, (block, at) in trace.homes.items():
            self.newest[id(block), at] = max(stamp, self.newest.get((id(block), at), 0))
        self.writers: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.order: dict[Term, int] = {}
        self.uses: dict[Term, list[Spot]] = defaultdict(list)
        self.times: dict[Term, int] = defaultdict(int)
        self.lets: dict[tuple[int, int], list[Term]] = defaultdict(list)

    def run(self) -> ir.Block:
        self._collect()
        if self.trace.checked:
            self._check_indices()
        for t in reversed(list(self.order)):
            self._settle(t)
        return self._emit(self.trace.root)

    # -- what is used where ------------------------------------------------------------------------
    def _collect(self) -> None:
        """Note where terms are used by statements, how often by each other, and what writes which slot."""
        known: set[int] = set()
        for block, at, item in _items(self.trace.root):
            for slot in item.writes:
                self.writers[id(block), slot].append(at)
            for root in _roots(item):
                self.uses[root].append((block, at))
                self.times[root] += 1
                for t in walk(root, seen=known):
                    self.order[t] = len(self.order)
                    for a in t.args:
                        self.times[a] += 1

    def _check_indices(self) -> None:
        """An index that was cut off at its range may be used only where that question was asked."""
        for block, _, item in _items(self.trace.root):
            for t in walk(*_roots(item)):
                asked = self.trace.checked.get(t)
                if asked and not any(block.inside(b) for b in asked[1]):
                    raise ModelError(
                        f"an item was read inside a `when` block at {t!r}, an index cut off at the range, "
                        "and is used outside of it",
                        where=str(item.place),
                        hint="read it again where it is used",
                    )

    # -- where it is evaluated ---------------------------------------------------------------------
    def _settle(self, t: Term) -> None:
        """Decide where a term is evaluated; its users have been settled before."""
        spots = self.uses[t]
        if t.op not in _LEAVES and self.times[t] > 1:
            spots = [_common(spots)]
            if t.op == "select":
                self._check_read(t, spots)
                spots = [spots[0] if self._current(t, spots[0]) else self._before_overwriting(t)]
            self._let(t, spots[0])
        elif t.op in READS:
            self._check_read(t, spots)
            if not all(self._current(t, spot) for spot in spots):
                spots = [self._before_overwriting(t)]
                self._let(t, spots[0])
        for a in dict.fromkeys(t.args):
            self.uses[a] += spots

    def _let(self, t: Term, spot: Spot) -> None:
        self.lets[id(spot[0]), spot[1]].append(t)

    def _current(self, read: Term, spot: Spot) -> bool:
        """Whether nothing has overwritten what a read looks at between its stamp and a place."""
        slots: tuple[int, ...] = read.data[0]
        stamp: int = read.data[1]
        block, at = spot
        while True:
            last = -1
            for slot in slots:
                writers = self.writers.get((id(block), slot))
                if writers and (before := bisect_left(writers, at)):
                    last = max(last, writers[before - 1])
            if last >= 0:
                return self.newest[id(block), last] == stamp
            if block.parent is None:
                return stamp == 0
            block, at = block.parent, block.at

    def _check_read(self, read: Term, spots: list[Spot]) -> None:
        """Refuse a read that has no meaning where it is used."""
        home, at = self.trace.homes[read.data[1]]
        if at >= 0 and self.newest[id(home), at] != read.data[1]:
            raise ModelError(
                f"{read!r} was read between a `when` block and its `otherwise`",
                where=str(self._user(read)),
                hint="read it before the `when` or after the `otherwise`",
            )
        if not all(block.inside(home) for block, _ in spots):
            raise ModelError(
                f"{read!r} was read inside a `when` block, after a change there, and is used outside of it",
                where=str(self._user(read, outside=home)),
                hint="read it again, or assign it to a field inside the block",
            )

    def _user(self, read: Term, outside: Block | None = None) -> object:
        """The place of the first statement (outside of a block) that uses a read."""
        for block, _, item in _items(self.trace.root):
            if (outside is None or not block.inside(outside)) and any(t is read for t in walk(*_roots(item))):
                return item.place
        return None

    def _before_overwriting(self, read: Term) -> Spot:
        """The place of the first statement, after all that a read builds on, that overwrites it."""
        homes = [self.trace.homes[t.data[1]] for t in walk(read) if t.op in READS]
        block, after = max(homes, key=lambda home: (home[0].depth, home[1]))
        writers = (self.writers.get((id(block), slot), []) for slot in read.data[0])
        return block, min(at for found in writers for at in found if at > after)

    # -- output ----------------------------------------------------------------------------------
    def _emit(self, block: Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for at, item in enumerate(block.items):
            kept = self.lets.get((id(block), at), ())
            out += [ir.Let(t) for t in sorted(kept, key=self.order.__getitem__)]
            if item.stmt is not None:
                out.append(item.stmt)
                continue
            assert item.condition is not None
            then, otherwise = (self._emit(b) for b in _branches(item))
            if item.condition.op == "const":
                out += then if item.condition.lo else otherwise
            elif then or otherwise:
                out.append(ir.If(item.condition, then, otherwise))
        return tuple(out)


def _items(block: Block) -> Iterator[tuple[Block, int, Item]]:
    """All recorded statements in order of execution, with their places."""
    for at, item in enumerate(block.items):
        yield block, at, item
        for branch in _branches(item):
            yield from _items(branch)


def _branches(item: Item) -> tuple[Block, ...]:
    return () if item.then is None or item.otherwise is None else (item.then, item.otherwise)


def _roots(item: Item) -> tuple[Term, ...]:
    if item.stmt is not None:
        return ir.roots(item.stmt)
    return (item.condition,) if item.condition is not None else ()


def _common(spots: list[Spot]) -> Spot:
    """The innermost block that contains all places, and the first position in it that holds one."""
    block, at = spots[0]
    for other, there in spots[1:]:
        while block is not other:
            if block.depth >= other.depth:
                assert block.parent is not None
                block, at = block.parent, block.at
            else:
                assert other.parent is not None
                other, there = other.parent, other.at
        at = min(at, there)
    return block, at
