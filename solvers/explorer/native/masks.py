"""Tests that one AND and one comparison of a packed word decide.

Promise: a test found here holds in exactly the states in which the term holds; what has no such form is None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.language.terms import BOOL, Term
from solvers.explorer.native.packing import Cell

#: (word, mask, bits) triples: the word under the mask has these bits.
Parts = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class MaskTest:
    """A test of packed words.

    Attributes:
        parts: Word, mask and bits; each word once.
        differs: False: every word has its bits. True: some word has not.
    """

    parts: Parts
    differs: bool = False

    def negated(self) -> MaskTest:
        """The opposite test."""
        return MaskTest(self.parts, not self.differs)


class Masks:
    """Finds mask tests.

    Args:
        cells: Cells of the slots; for terms over steps those of the state after come behind.
        free: Whether a read may be taken from the packed word at present (not kept elsewhere, not pending).
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells

    def free(self, read: Term) -> bool:
        """Whether a read may be taken from the packed word at present."""
        return True

    def field(self, t: Term) -> Cell | None:
        """The cell of a read that lies in a packed word."""
        if t.op != "read" or not self.free(t):
            return None
        cell = self.cells[t.data[0][0]]
        return cell if cell.bits else None

    def find(self, t: Term) -> MaskTest | None:
        """The mask test of a Boolean term, if it has one."""
        if t.op == "read":
            return self._is(t, 1)
        if t.op == "not":
            inner = self.find(t.args[0])
            return inner.negated() if inner else None
        if t.op in ("eq", "lt", "le"):
            return self._comparison(t)
        if t.op in ("and", "or"):
            return self._gather(t)
        return None

    def _is(self, t: Term, value: int) -> MaskTest | None:
        cell = self.field(t)
        if cell is None or not 0 <= value - cell.lo <= cell.ones:
            return None
        return MaskTest(((cell.word, cell.mask, (value - cell.lo) << cell.shift),))

    def _lowest(self, t: Term) -> MaskTest | None:
        """The test that a read, or every read of a sum, has its least value."""
        tests = [self._is(a, a.lo) for a in (t.args if t.op == "add" else (t,))]
        if any(
            test is None or a.lo != self.cells[a.data[0][0]].lo
            for test, a in zip(tests, t.args if t.op == "add" else (t,), strict=True)
        ):
            return None
        return merge(test for test in tests if test)

    def _comparison(self, t: Term) -> MaskTest | None:
        a, b = t.args
        if b.op == "const":
            if t.op == "eq":
                return self._lowest(a) if b.lo == a.lo and a.op == "add" else self._is(a, b.lo)
            most = b.lo if t.op == "le" else b.lo - 1
            return self._lowest(a) if most == a.lo else None
        if a.op == "const":
            if t.op == "eq":
                return self._lowest(b) if a.lo == b.lo and b.op == "add" else self._is(b, a.lo)
            least = a.lo if t.op == "le" else a.lo + 1
            if least == b.lo + 1:
                lowest = self._lowest(b)
                return lowest.negated() if lowest else None
            return self._is(b, b.hi) if least == b.hi else None
        return None

    def _gather(self, t: Term) -> MaskTest | None:
        found: list[MaskTest] = []
        for a in t.args:  # stops at the first part without a test: terms share parts, and asking all doubles
            test = self.find(a)
            if test is None or test.differs is (t.op == "and"):
                return None
            found.append(test if t.op == "and" else test.negated())
        both = merge(found)
        return None if both is None else both if t.op == "and" else both.negated()


def merge(tests: Iterable[MaskTest]) -> MaskTest | None:
    """The conjunction of tests of equality; None where two of them contradict each other.

    Args:
        tests: Tests that do not ask for a difference.
    """
    words: dict[int, tuple[int, int]] = {}
    for test in tests:
        for word, mask, bits in test.parts:
            known_mask, known = words.get(word, (0, 0))
            if (known ^ bits) & known_mask & mask:
                return None
            words[word] = (known_mask | mask, known | bits)
    return MaskTest(tuple((w, m, b) for w, (m, b) in sorted(words.items())))


def is_flag(t: Term) -> bool:
    """Whether a term is a read of a truth value."""
    return t.op == "read" and t.sort is BOOL
