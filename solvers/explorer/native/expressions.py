"""Terms as WebAssembly: one walker from IR terms to instructions, in four parts.

Promises: the instructions leave the value that the interpreter computes. `walker` says when and in which
type, `tables` reads, `logic` tests; this module adds numbers and questions about graphs.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.terms import Term
from solvers.explorer.native.logic import Logic
from solvers.explorer.native.tables import even
from solvers.explorer.native.walker import Measures, kind_of, range_kind, signed
from solvers.explorer.native.wat import I32, I64, Unsupported

#: Arms of `ite` of up to this many nodes are both computed, without a branch.
_CHEAP = 8
#: Most nodes, and most edges, of a graph.
_LARGEST = 64
#: Where the arguments of a graph question lie in the scratch memory (128 bytes).
GRAPH_AT = 64


class Expressions(Logic):
    """Writes terms into one function."""

    def _arithmetic(self, t: Term) -> None:
        kinds = {kind_of(t), *(kind_of(a) for a in t.args)}
        kind = I64 if I64 in kinds else I32
        if t.op == "add":
            self._sum(t, kind)
        else:
            self.value_as(t.args[0], kind)
            self.value_as(t.args[1], kind)
            self.f.add(f"{kind}.{t.op}")
        if kind == I64 and kind_of(t) == I32:
            self.f.add("i32.wrap_i64")

    _add = _sub = _mul = _arithmetic

    def _sum(self, t: Term, kind: str) -> None:
        """A sum; truth values that lie in one word are counted together."""
        flags, others, fixed = self._flags(t)
        pushed = 0
        for (word, holds), mask in sorted(flags.items()):
            self.f.add(
                f"local.get {self.words[word]}", f"i64.const {signed(mask, I64)}", "i64.and", "i64.popcnt"
            )
            if kind == I32:
                self.f.add("i32.wrap_i64")
            if not holds:
                fixed += mask.bit_count()
                self.f.add(f"{kind}.const -1", f"{kind}.mul")
            pushed += 1
            if pushed > 1:
                self.f.add(f"{kind}.add")
        for a in others:
            self.value_as(a, kind)
            pushed += 1
            if pushed > 1:
                self.f.add(f"{kind}.add")
        if fixed or not pushed:
            self.f.add(f"{kind}.const {fixed}")
            if pushed:
                self.f.add(f"{kind}.add")

    def _flags(self, t: Term) -> tuple[dict[tuple[int, bool], int], list[Term], int]:
        """Masks of the flags that a sum counts (by word, and which way), other terms, constants."""
        flags: dict[tuple[int, bool], int] = {}
        others: list[Term] = []
        fixed = 0
        for a in t.args:
            test = None
            if (
                a.op == "ite"
                and a not in self.kept
                and (a.args[1].lo, a.args[1].hi, a.args[2].lo, a.args[2].hi) == (1, 1, 0, 0)
            ):
                test = self.find(a.args[0]) if a.args[0] not in self.kept else None
            if a.op == "const":
                fixed += a.lo
            elif test is not None and len(test.parts) == 1 and test.parts[0][1].bit_count() == 1:
                word, mask, bits = test.parts[0]
                key = (word, bool(bits) != test.differs)
                if flags.get(key, 0) & mask:
                    others.append(a)
                else:
                    flags[key] = flags.get(key, 0) | mask
            else:
                others.append(a)
        return flags, others, fixed

    def _div(self, t: Term) -> None:
        self._divide(t, quotient=True)

    def _mod(self, t: Term) -> None:
        self._divide(t, quotient=False)

    def _divide(self, t: Term, *, quotient: bool) -> None:
        """Division that rounds down, by a constant above 0."""
        a, n = t.args[0], t.args[1].lo
        kind = I64 if I64 in (kind_of(a), kind_of(t.args[1])) else I32
        self.value_as(a, kind)
        by = f"{kind}.const {n}"
        if a.lo >= 0:
            self.f.add(by, f"{kind}.{'div_u' if quotient else 'rem_u'}")
        else:
            left, rest = self.f.fresh(kind), self.f.fresh(kind)
            self.f.add(
                f"local.tee {left}",
                by,
                f"{kind}.rem_s",
                f"local.tee {rest}",
                f"{kind}.const 0",
                f"{kind}.lt_s",
            )
            if quotient:  # one less where the remainder is negative
                if kind == I64:
                    self.f.add("i64.extend_i32_u")
                self.f.add(
                    f"local.set {rest}",
                    f"local.get {left}",
                    by,
                    f"{kind}.div_s",
                    f"local.get {rest}",
                    f"{kind}.sub",
                )
            else:
                self.f.add(
                    f"if (result {kind})",
                    f"local.get {rest}",
                    by,
                    f"{kind}.add",
                    "else",
                    f"local.get {rest}",
                    "end",
                )
        if kind == I64 and kind_of(t) == I32:
            self.f.add("i32.wrap_i64")

    def _min(self, t: Term) -> None:
        self._extreme(t, "lt_s")

    def _max(self, t: Term) -> None:
        self._extreme(t, "gt_s")

    def _extreme(self, t: Term, first_if: str) -> None:
        kind = I64 if I64 in {kind_of(a) for a in t.args} else I32
        a, b = self.f.fresh(kind), self.f.fresh(kind)
        self.value_as(t.args[0], kind)
        self.f.add(f"local.set {a}")
        self.value_as(t.args[1], kind)
        self.f.add(
            f"local.tee {b}",
            f"local.set {b}",
            f"local.get {a}",
            f"local.get {b}",
            f"local.get {a}",
            f"local.get {b}",
            f"{kind}.{first_if}",
            "select",
        )
        if kind == I64 and kind_of(t) == I32:
            self.f.add("i32.wrap_i64")

    def _ite(self, t: Term) -> None:
        condition, then, otherwise = t.args
        kind = kind_of(t)
        settled = self.facts.constant(condition)
        if settled is not None:
            self.value_as(then if settled else otherwise, kind)
            return
        if (then.lo, then.hi, otherwise.lo, otherwise.hi) == (1, 1, 0, 0) and kind == I32:
            self.value(condition)
            return
        if self.cost(then) + self.cost(otherwise) <= _CHEAP:
            self.value_as(then, kind)
            self.value_as(otherwise, kind)
            self.test(condition)
            self.f.add("select")
            return
        self.test(condition)
        with self.f.block(f"if (result {kind})"):
            outer = dict(self.kept)
            self.value_as(then, kind)
            self.kept = dict(outer)
            self.f.otherwise()
            self.value_as(otherwise, kind)
            self.kept = outer

    # -- graphs -----------------------------------------------------------------------------------
    def _reach(self, t: Term) -> None:
        edges, nodes, to = t.data
        self._graph(t, edges, nodes)
        self.f.add(f"i32.const {to}", "call $reach")

    def _path(self, t: Term) -> None:
        self._graph(t, *t.data)
        self.f.add("call $path")

    def _trail(self, t: Term) -> None:
        self._graph(t, *t.data)
        self.f.add("call $trail")

    def _graph(self, t: Term, edges: Sequence[tuple[int, int]], nodes: int) -> None:
        """Lay the arguments out as bytes and push the address of the edges and the two sizes."""
        if max(nodes, len(edges)) > _LARGEST:
            raise Unsupported(f"{t.op} over more than {_LARGEST} nodes or edges")
        table = self.data.address([n for edge in edges for n in edge], 1) if edges else 0
        for n, a in enumerate(t.args):
            self.f.add("i32.const 0")
            self.value_as(a, I32)
            self.f.add(f"i32.store8 offset={GRAPH_AT + n}")
        self.f.add(f"i32.const {table}", f"i32.const {len(edges)}", f"i32.const {nodes}")


__all__ = ["Expressions", "Measures", "Unsupported", "even", "kind_of", "range_kind", "signed"]
