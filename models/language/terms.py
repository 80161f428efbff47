"""Terms: the typed, interned, immutable expressions of the IR.

Promises: two structurally equal terms are one object; every term knows its sort, an interval that
contains all its values, and the source line that first built it; a term that is not well typed is
never created; evaluation is total (no term can fail on any state). What a term is built from and in
what order depends on the rulebook's source alone, never on what was built before.

The intern table follows the hash-consing of Filliâtre and Conchon (2006): entries are weak, ids grow,
so a child's id is always smaller than its parent's.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, Union

from models.language.errors import ModelError
from models.language.interning import Interned
from models.language.misuse import truth_test
from models.language.places import Place, here
from models.language.printing import leaf, show, walk
from models.language.sorts import BOOL, INT, Sort, enum_sort, ordinal

TermLike = Union["Term", int, bool, enum.Enum]

#: Operations over the sub-terms alone: name → function of the values.
PURE: Mapping[str, Callable[..., int]] = {
    "not": lambda a: int(not a),
    "and": lambda *a: int(all(a)),
    "or": lambda *a: int(any(a)),
    "eq": lambda a, b: int(a == b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "add": lambda *a: sum(a),
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "min": lambda a, b: min(a, b),
    "max": lambda a, b: max(a, b),
    "ite": lambda c, a, b: a if c else b,
}

_ids = itertools.count(1)
_table: Interned[Term] = Interned()
#: Constants that are asked for all the time; these are never forgotten.
_numbers: dict[int, Term] = {}
_members: dict[tuple[type[enum.Enum], str], Term] = {}


class Term:
    """An interned expression over state slots; build it with operators, never directly.

    Attributes:
        op: `const`, `read`, `select`, `unknown`, `lookup`, `reach`, `path`, `trail`, or a key of `PURE`.
        args: Sub-terms.
        data: What else the operation needs (a constant's value; slots and stamp of a read; …).
        sort: Bool, Int or an enumeration.
        lo: Least possible value.
        hi: Greatest possible value.
        id: Number in order of creation; children come before parents.
        place: Where in the rulebook it was first written.
    """

    __slots__ = ("__weakref__", "args", "data", "hi", "id", "lo", "op", "place", "sort")
    op: str
    args: tuple[Term, ...]
    data: Any
    sort: Sort
    lo: int
    hi: int
    id: int
    place: Place

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        return show(self)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    # -- what Python must not do with a term -----------------------------------------------------
    def __bool__(self) -> NoReturn:
        construct, hint = truth_test()
        raise ModelError(
            f"{construct} asks a term for its truth value, which is not known while a rule is recorded",
            where=str(here()),
            hint=hint,
        )

    def __iter__(self) -> NoReturn:
        raise ModelError(
            "a term cannot be iterated",
            where=str(here()),
            hint="loop over a fixed range: `for i in range(t.size.spots):`",
        )

    def __int__(self) -> NoReturn:
        raise ModelError(
            "a term has no value while a rule is recorded, so it cannot become a Python number",
            where=str(here()),
            hint="keep it a term, or make it a parameter of the rule",
        )

    __index__ = __int__

    def __truediv__(self, other: object) -> NoReturn:
        raise ModelError(
            "`/` on a term: the state knows whole numbers only",
            where=str(here()),
            hint="write `//` (rounded down); for rounding up, `(a + n - 1) // n`",
        )

    __rtruediv__ = __truediv__

    def __pow__(self, other: object) -> NoReturn:
        raise ModelError("`**` on a term", where=str(here()), hint="write `x * x`, or a table with `lookup`")

    __rpow__ = __pow__

    # -- operators ------------------------------------------------------------------------------
    def __eq__(self, other: object) -> Term:  # type: ignore[override]
        return equal(self, other)

    def __ne__(self, other: object) -> Term:  # type: ignore[override]
        return negate(equal(self, other))

    def __lt__(self, other: TermLike) -> Term:
        return _compare("lt", self, other)

    def __le__(self, other: TermLike) -> Term:
        return _compare("le", self, other)

    def __gt__(self, other: TermLike) -> Term:
        return _compare("lt", other, self)

    def __ge__(self, other: TermLike) -> Term:
        return _compare("le", other, self)

    def __and__(self, other: TermLike) -> Term:
        return every(self, other)

    def __rand__(self, other: TermLike) -> Term:
        return every(other, self)

    def __or__(self, other: TermLike) -> Term:
        return some(self, other)

    def __ror__(self, other: TermLike) -> Term:
        return some(other, self)

    def __invert__(self) -> Term:
        return negate(self)

    def __add__(self, other: TermLike) -> Term:
        return total(self, other)

    def __radd__(self, other: TermLike) -> Term:
        return total(other, self)

    def __sub__(self, other: TermLike) -> Term:
        a, b = numbers("-", self, other)
        if a is b:
            return constant(0)
        if b.op == "const" and b.lo == 0:
            return a
        return make("sub", (a, b), INT, a.lo - b.hi, a.hi - b.lo)

    def __rsub__(self, other: TermLike) -> Term:
        return term(other) - self

    def __neg__(self) -> Term:
        return term(0) - self

    def __mul__(self, other: TermLike) -> Term:
        a, b = numbers("*", self, other)
        for x, y in ((a, b), (b, a)):
            if x.op == "const" and x.lo in (0, 1):
                return y if x.lo else x
        ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return make("mul", (a, b), INT, min(ends), max(ends))

    def __rmul__(self, other: TermLike) -> Term:
        return term(other) * self

    def __floordiv__(self, other: TermLike) -> Term:
        a, b = numbers("//", self, other)
        n = _positive("//", b)
        return a if n == 1 else make("div", (a, b), INT, a.lo // n, a.hi // n)

    def __rfloordiv__(self, other: TermLike) -> Term:
        return term(other) // self

    def __mod__(self, other: TermLike) -> Term:
        a, b = numbers("%", self, other)
        n = _positive("%", b)
        if a.lo >= 0 and a.hi < n:
            return a
        same = a.lo // n == a.hi // n
        return make("mod", (a, b), INT, a.lo % n if same else 0, a.hi % n if same else n - 1)

    def __rmod__(self, other: TermLike) -> Term:
        return term(other) % self


# -- construction ---------------------------------------------------------------------------------


def make(op: str, args: tuple[Term, ...], sort: Sort, lo: int, hi: int, data: Any = None) -> Term:
    """Intern a term; a pure operation over constants becomes its value.

    The bounds are part of what a term is: slots of one number and name in two layouts differ by them.

    Args:
        op: The operation.
        args: Sub-terms, already checked.
        sort: Sort of the result.
        lo: Least value.
        hi: Greatest value.
        data: Hashable extra of the operation.

    Returns:
        The one term with this structure.
    """
    if op in PURE:
        for a in args:
            if a.op != "const":
                break
        else:
            return constant(PURE[op](*[a.lo for a in args]), sort)
    key = (op, sort.name, sort.members, data, lo, hi, *[a.id for a in args])
    found = _table.get(key)
    if found is not None:
        return found
    self = object.__new__(Term)
    self.op, self.args, self.data, self.sort, self.lo, self.hi = op, args, data, sort, lo, hi
    self.id, self.place = next(_ids), here()
    _table.put(key, self)
    return self


def constant(value: int, sort: Sort = INT) -> Term:
    """The constant term of a value (for enumerations: the ordinal)."""
    return make("const", (), sort, value, value, value)


TRUE = constant(1, BOOL)
FALSE = constant(0, BOOL)


def term(value: object) -> Term:
    """A term from a term, a Python number, truth value or enumeration member.

    Errors:
        ModelError: for any other object.
    """
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, enum.Enum) and not isinstance(value, enum.IntFlag):
        key = (type(value), value.name)
        if key not in _members:
            _members[key] = constant(ordinal(value), enum_sort(type(value)))
        return _members[key]
    if isinstance(value, int):
        if value in _numbers:
            return _numbers[value]
        made = constant(value)
        if -64 <= value <= 256:
            _numbers[value] = made
        return made
    raise ModelError(
        f"{value!r} (a {type(value).__name__}) cannot be used as a term",
        where=str(here()),
        hint="use a number, a truth value, an enumeration member, or a field of the state",
    )


def truth(value: object, what: str = "condition") -> Term:
    """A Boolean term, or an error that names what was expected."""
    made = term(value)
    if made.sort is not BOOL:
        raise ModelError(
            f"the {what} is of sort {made.sort.name}, not Bool: {show(made)}",
            where=str(here()),
            hint="compare it with something (`!= 0`, `== Card.NONE`)",
        )
    return made


def numbers(symbol: str, *values: TermLike) -> tuple[Term, ...]:
    """Terms of sort Int, or an error that names the operation."""
    made = tuple(term(v) for v in values)
    for m in made:
        if m.sort is not INT:
            raise ModelError(
                f"`{symbol}` needs numbers, but {show(m)} is of sort {m.sort.name}",
                where=str(here()),
                hint="count truth values with `count(…)`; turn an enumeration "
                "member into a number with `lookup(term, {Card.A: 10, …})`",
            )
    return made


def _positive(symbol: str, divisor: Term) -> int:
    if divisor.op != "const" or divisor.lo <= 0:
        raise ModelError(
            f"`{symbol}` needs a constant divisor above 0, not {show(divisor)}",
            where=str(here()),
            hint="divide by a size or a number",
        )
    return divisor.lo


def equal(left: object, right: object) -> Term:
    """Equality of two terms of one sort."""
    a, b = term(left), term(right)
    if a.sort != b.sort:
        raise ModelError(
            f"{show(a)} ({a.sort.name}) is compared with {show(b)} ({b.sort.name})",
            where=str(here()),
            hint="compare values of one sort",
        )
    if a is b:
        return TRUE
    if a.hi < b.lo or b.hi < a.lo:
        return FALSE
    if a.sort is BOOL:
        for x, y in ((a, b), (b, a)):
            if x.op == "const":
                return y if x.lo else negate(y)
    return make("eq", (b, a) if a.op == "const" else (a, b), BOOL, 0, 1)


def _compare(op: str, left: TermLike, right: TermLike) -> Term:
    a, b = term(left), term(right)
    if a.sort != b.sort or a.sort is BOOL:
        raise ModelError(
            f"{show(a)} ({a.sort.name}) and {show(b)} ({b.sort.name}) have no order",
            where=str(here()),
            hint="order numbers, or members of one enumeration",
        )
    if a is b:
        return FALSE if op == "lt" else TRUE
    if a.hi < b.lo or (op == "le" and a.hi <= b.lo):
        return TRUE
    if a.lo > b.hi or (op == "lt" and a.lo >= b.hi):
        return FALSE
    return make(op, (a, b), BOOL, 0, 1)


def negate(value: TermLike) -> Term:
    """Logical not."""
    a = truth(value)
    if a.op == "not":
        return a.args[0]
    if a.op in ("lt", "le"):
        return _compare("le" if a.op == "lt" else "lt", a.args[1], a.args[0])
    return make("not", (a,), BOOL, 0, 1)


def _gather(op: str, unit: Term, zero: Term, values: Iterable[TermLike]) -> Term:
    flat: dict[Term, None] = {}
    for v in values:
        a = truth(v)
        for part in a.args if a.op == op else (a,):
            if part is zero:
                return zero
            if part is not unit:
                flat[part] = None
    if any(_opposite(p, flat) for p in flat):
        return zero
    parts = tuple(flat)
    return unit if not parts else parts[0] if len(parts) == 1 else make(op, parts, BOOL, 0, 1)


def _opposite(part: Term, parts: Mapping[Term, None]) -> bool:
    """Whether the negation of a part is among the parts; creates no term."""
    if part.op == "not":
        return part.args[0] in parts
    if part.op not in ("lt", "le"):
        return False
    a, b = part.args
    found = _table.get(("le" if part.op == "lt" else "lt", "Bool", None, None, 0, 1, b.id, a.id))
    return found is not None and found in parts


def every(*values: TermLike) -> Term:
    """Conjunction; true when empty."""
    return _gather("and", TRUE, FALSE, values)


def some(*values: TermLike) -> Term:
    """Disjunction; false when empty."""
    return _gather("or", FALSE, TRUE, values)


def total(*values: TermLike) -> Term:
    """Sum of numbers; 0 when empty."""
    fixed, parts = 0, []
    for m in numbers("+", *values):
        for part in m.args if m.op == "add" else (m,):
            if part.op == "const":
                fixed += part.lo
            else:
                parts.append(part)
    if fixed or not parts:
        parts.append(constant(fixed))
    if len(parts) == 1:
        return parts[0]
    return make("add", tuple(parts), INT, sum(p.lo for p in parts), sum(p.hi for p in parts))


# fmt: off
__all__ = [
    "BOOL", "FALSE", "INT", "PURE", "TRUE", "Sort", "Term", "TermLike", "constant", "enum_sort", "equal",
    "every", "leaf", "make", "negate", "numbers", "ordinal", "show", "some", "term", "total", "truth", "walk",
]
