"""Truth values: tests of packed words where there is one, else numbers 0 and 1.

Promise: `conjunction` and `disjunction` give the terms' truth; tests of one word are merged.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.terms import PURE, Term
from solvers.explorer.native.masks import MaskTest, merge
from solvers.explorer.native.tables import Tables
from solvers.explorer.native.walker import kind_of, signed
from solvers.explorer.native.wat import I32, I64

_COMPARE = {"eq": "eq", "lt": "lt_s", "le": "le_s"}


class Logic(Tables):
    """Writes truth values."""

    def test(self, t: Term) -> None:
        """Push a number that is 0 where a Boolean term does not hold."""
        self.conjunction(self.parts(t))

    def parts(self, t: Term) -> Sequence[Term]:
        """The terms that all have to hold for a Boolean term to hold."""
        return t.args if t.op == "and" and t not in self.kept else [t]

    def conjunction(self, parts: Sequence[Term]) -> None:
        """Push a number that is 0 unless all of some Boolean terms hold."""
        masks: list[MaskTest] = []
        others: list[Term] = []
        singles: list[MaskTest] = []
        left = self.facts.left(t for t in parts)
        if left is None:
            self.f.add("i32.const 0")
            return
        for t in left:
            test = self.find(t) if t not in self.kept else None
            if test is None:
                others.append(t)
            elif test.differs:
                singles.append(test)
            else:
                masks.append(test)
        merged = merge(masks)
        pushed = 0
        for test in [*([merged] if merged else masks), *singles]:
            if self._mask(test):
                pushed += 1
                if pushed > 1:
                    self.f.add("i32.and")
        for t in others:
            self.value(t)
            pushed += 1
            if pushed > 1:
                self.f.add("i32.and")
        if not pushed:
            self.f.add("i32.const 1")

    def _mask(self, test: MaskTest) -> bool:
        """Push the outcome of a mask test (0 or 1); nothing, and False, for one without parts."""
        if not test.parts:
            return False
        compare = "i64.ne" if test.differs else "i64.eq"
        for n, (word, mask, bits) in enumerate(test.parts):
            self.f.add(
                f"local.get {self.words[word]}",
                f"i64.const {signed(mask, I64)}",
                "i64.and",
                f"i64.const {signed(bits, I64)}",
                compare,
            )
            if n:
                self.f.add("i32.or" if test.differs else "i32.and")
        return True

    def _logic(self, t: Term) -> None:
        test = self.find(t)
        if test is not None:
            self._mask(test)
        elif t.op == "and":
            self.conjunction(t.args)
        elif t.op == "not":
            self.value(t.args[0])
            self.f.add("i32.eqz")
        else:
            self._disjunction(t.args)

    _and = _or = _not = _logic

    def _disjunction(self, parts: Sequence[Term]) -> None:
        differ: list[MaskTest] = []
        others: list[Term] = []
        constants = [self.facts.constant(t) for t in parts]
        if any(constants):
            self.f.add("i32.const 1")
            return
        for t in (t for t, value in zip(parts, constants, strict=True) if value is None):
            test = self.find(t) if t not in self.kept else None
            if test is not None and test.differs:
                differ.append(test.negated())
            else:
                others.append(t)
        merged = merge(differ)
        pushed = 0
        for test in [merged] if merged else differ:
            if self._mask(test.negated()):
                pushed += 1
                if pushed > 1:
                    self.f.add("i32.or")
        for t in others:
            self.value(t)
            pushed += 1
            if pushed > 1:
                self.f.add("i32.or")
        if not pushed:
            self.f.add("i32.const 0")

    def _compare(self, t: Term) -> None:
        test = self.find(t)
        if test is not None:
            self._mask(test)
            return
        a, b = t.args
        for looked, other, left in ((a, b, True), (b, a, False)):
            if looked.op == "lookup" and looked not in self.kept and other.op == "const":
                self._membership(t.op, looked, other.lo, left)
                return
        kind = I64 if I64 in (kind_of(a), kind_of(b)) else I32
        self.value_as(a, kind)
        self.value_as(b, kind)
        self.f.add(f"{kind}.{_COMPARE[t.op]}")

    _eq = _lt = _le = _compare

    def _membership(self, op: str, looked: Term, value: int, left: bool) -> None:
        """A comparison of a constant table's entry with a constant: a table of truth values."""
        pairs = [(v, value) if left else (value, v) for v in looked.data]
        table = [PURE[op](a, b) for a, b in pairs]
        self.table_lookup(looked.args[0], table, I32)
