"""Walking terms: what is computed when, and in which type.

Promises: a kept term is computed once; numbers are 32 bits wide where their bounds allow it, else 64; what
needs more is `Unsupported`; no walker meets Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.terms import Term, walk
from solvers.explorer.native.facts import Facts
from solvers.explorer.native.masks import Masks
from solvers.explorer.native.packing import Cell
from solvers.explorer.native.wat import I32, I64, Data, Function, Unsupported

GRAPHS = frozenset({"reach", "path", "trail"})
#: A term nested deeper than this is kept part by part.
_DEEP = 40


def kind_of(t: Term) -> str:
    """The WebAssembly type of a term's value.

    Errors:
        Unsupported: its bounds pass 64 bits.
    """
    return range_kind(t.lo, t.hi)


def range_kind(lo: int, hi: int) -> str:
    """The WebAssembly type for the numbers of a range; see `kind_of`."""
    if lo >= -(1 << 31) and hi < 1 << 31:
        return I32
    if lo >= -(1 << 63) and hi < 1 << 63:
        return I64
    raise Unsupported(f"numbers of {lo}..{hi} need more than 64 bits")


class Measures:
    """Depth and size of terms, worked out once for all functions of a module."""

    def __init__(self) -> None:
        self._known: dict[Term, tuple[int, int, bool]] = {}

    def of(self, t: Term) -> tuple[int, int, bool]:
        """Depth, nodes (shared ones each time, up to a million), whether a graph is in it."""
        if t not in self._known:
            for u in walk(t):
                if u not in self._known:
                    below = [self._known[a] for a in u.args]
                    self._known[u] = (
                        1 + max((d for d, _, _ in below), default=0),
                        min(1_000_000, 1 + sum(n for _, n, _ in below)),
                        u.op in GRAPHS or any(g for _, _, g in below),
                    )
        return self._known[t]


class Walker(Masks):
    """Writes terms into one function.

    Args:
        f: The function.
        cells: Cells of the slots (for terms over steps, those of the state after behind them).
        words: Locals that hold the packed words, by the numbers that the cells give.
        data: Where constant tables go.
        measures: Shared by all functions.
        facts: What is known where the code stands.
    """

    def __init__(
        self,
        f: Function,
        cells: Sequence[Cell],
        words: Sequence[str],
        data: Data,
        measures: Measures,
        facts: Facts | None = None,
    ) -> None:
        super().__init__(cells)
        self.f, self.words, self.data, self.measures = f, list(words), data, measures
        self.facts = facts or Facts({})
        self.kept: dict[Term, str] = {}

    def free(self, read: Term) -> bool:
        """Whether a read may be taken from the packed word: not kept."""
        return read not in self.kept

    def settle(self, slots: Sequence[int]) -> None:
        """Make sure that the words hold the present values of some slots."""

    # -- keeping ----------------------------------------------------------------------------------
    def keep(self, t: Term) -> None:
        """Compute a term here; from now on it is the kept value."""
        if t in self.kept or t.op == "const":
            return
        self.value(t)
        name = self.f.fresh(kind_of(t), "k")
        self.f.add(f"local.set {name}")
        self.kept[t] = f"local.get {name}"

    def _prepare(self, root: Term) -> None:
        """Keep what must be computed before the term itself: deep parts, and graph questions."""
        depth, _, graphs = self.measures.of(root)
        if depth <= _DEEP and not graphs:
            return
        height: dict[Term, int] = {}
        for t in self._unkept(root):
            height[t] = 1 + max((height.get(a, 0) for a in t.args), default=0)
            if t is not root and (t.op in GRAPHS or height[t] >= _DEEP):
                self._keep_prepared(t)
                height[t] = 0

    def _keep_prepared(self, t: Term) -> None:
        name = self.f.fresh(kind_of(t), "k")
        self._emit(t)
        self.f.add(f"local.set {name}")
        self.kept[t] = f"local.get {name}"

    def _unkept(self, root: Term) -> list[Term]:
        """Sub-terms that are not kept, children first."""
        out: list[Term] = []
        seen: set[Term] = set()
        stack = [(root, False)]
        while stack:
            t, ready = stack.pop()
            if t in seen or t in self.kept:
                continue
            if ready:
                seen.add(t)
                out.append(t)
            else:
                stack.append((t, True))
                stack.extend((a, False) for a in reversed(t.args))
        return out

    # -- values -----------------------------------------------------------------------------------
    def value(self, t: Term) -> None:
        """Push the value of a term, in the type of `kind_of`."""
        if t in self.kept:
            self.f.add(self.kept[t])
            return
        known = self.facts.constant(t)
        if known is not None:
            self.f.add(f"{kind_of(t)}.const {known}")
            return
        self._prepare(t)
        self._emit(t)

    def value_as(self, t: Term, kind: str) -> None:
        """Push the value of a term in a given type."""
        self.value(t)
        own = kind_of(t)
        if own != kind:
            self.f.add("i64.extend_i32_s" if kind == I64 else "i32.wrap_i64")

    def test(self, t: Term) -> None:
        """Push a number that is 0 where a Boolean term does not hold."""
        self.value(t)

    def _emit(self, t: Term) -> None:
        if t.op == "const":
            self.f.add(f"{kind_of(t)}.const {t.lo}")
            return
        emit = getattr(self, f"_{t.op}", None)
        if emit is None:
            raise Unsupported(f"the native engine has no {t.op}")
        emit(t)

    def cost(self, t: Term) -> int:
        """About how many instructions a term takes."""
        return 0 if t in self.kept else self.measures.of(t)[1]


def signed(value: int, kind: str) -> int:
    """A bit pattern as the signed number that the text format takes."""
    bits = 32 if kind == I32 else 64
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
