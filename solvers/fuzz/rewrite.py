"""Rewriting of IR: terms and bodies with some terms replaced, kept valid.

Promises: a term keeps its shape but for what is replaced (nothing is folded or flattened into another place
of evaluation, so that versions stay right); bounds are worked out anew; where a value or an index may now
leave its range, a capacity question stands before it, or the rewriting is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from models.language import ir
from models.language.functions import lookup
from models.language.ir import Kind, Site
from models.language.places import UNKNOWN
from models.language.program import Program
from models.language.slots import bare
from models.language.terms import BOOL, FALSE, INT, TRUE, Term, every, make, negate, walk


class Impossible(Exception):
    """The rewritten program would not be valid."""


def rewrite_term(
    t: Term, changed: Mapping[Term, Term], *, op: str | None = None, args: tuple[Term, ...] | None = None
) -> Term:
    """A term with some sub-terms replaced.

    Args:
        t: The term.
        changed: Sub-term → what stands instead.
        op: Another operation at the root.
        args: Other sub-terms of the root.

    Errors:
        Impossible: an index leaves its table or its row of slots.
    """
    if op is not None or args is not None:
        return _remade(op or t.op, t, args if args is not None else t.args)
    made: dict[Term, Term] = dict(changed)
    for u in walk(t):
        if u not in made:
            new = tuple(made[a] for a in u.args)
            made[u] = u if all(a is b for a, b in zip(new, u.args, strict=True)) else _remade(u.op, u, new)
    return made[t]


def _remade(op: str, old: Term, args: tuple[Term, ...]) -> Term:
    lo, hi = _bounds(op, old, args)
    return make(op, args, old.sort, lo, hi, old.data)


def _bounds(op: str, old: Term, args: tuple[Term, ...]) -> tuple[int, int]:
    if old.sort is BOOL:
        _check_index(op, old, args)
        return 0, 1
    a, b = args[0], args[-1]
    if op == "add":
        return sum(x.lo for x in args), sum(x.hi for x in args)
    if op == "sub":
        return a.lo - b.hi, a.hi - b.lo
    if op == "mul":
        ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return min(ends), max(ends)
    if op == "div":
        return a.lo // b.lo, a.hi // b.lo
    if op == "mod":
        return 0, b.lo - 1
    if op in ("min", "max"):
        pick = min if op == "min" else max
        return pick(a.lo, b.lo), pick(a.hi, b.hi)
    if op == "ite":
        return min(args[1].lo, b.lo), max(args[1].hi, b.hi)
    _check_index(op, old, args)
    return (min(old.data), max(old.data)) if op == "lookup" else (old.lo, old.hi)


def _check_index(op: str, old: Term, args: tuple[Term, ...]) -> None:
    n = {"select": lambda: len(old.data[0]), "lookup": lambda: len(old.data)}.get(op)
    if n is not None and not (args[0].lo >= 0 and args[0].hi < n()):
        raise Impossible


def rewrite_body(body: ir.Block, changed: Mapping[Term, Term]) -> ir.Block:
    """A body with some terms replaced wherever they are evaluated or kept."""
    return tuple(s for old in body for s in _statement(old, changed))


def _statement(s: ir.Stmt, changed: Mapping[Term, Term]) -> Iterator[ir.Stmt]:
    if isinstance(s, ir.Assign):
        index = None if s.index is None else rewrite_term(s.index, changed)
        yield ir.Assign(s.slots, index, rewrite_term(s.value, changed))
    elif isinstance(s, ir.If):
        then, otherwise = rewrite_body(s.then, changed), rewrite_body(s.otherwise, changed)
        yield ir.If(rewrite_term(s.condition, changed), then, otherwise)
    elif isinstance(s, ir.Probe):
        yield ir.Probe(s.site, rewrite_term(s.condition, changed))
    elif isinstance(s, ir.Let):
        kept = rewrite_term(s.term, changed)
        if kept.op != "const":
            yield ir.Let(kept)
    else:
        yield s


class Repair:
    """Puts capacity questions where rewritten values may leave their range.

    Args:
        program: The program that is rewritten.

    Attributes:
        sites: Its sites, and those that were added.
    """

    def __init__(self, program: Program) -> None:
        self.slots = program.layout.slots
        self.sites = program.sites

    def body(self, body: ir.Block, clauses: tuple[str, ...]) -> ir.Block:
        """A body whose assignments stay in range.

        Errors:
            Impossible: every value leaves the range.
        """
        out: list[ir.Stmt] = []
        for s in body:
            if isinstance(s, ir.If):
                s = replace(s, then=self.body(s.then, clauses), otherwise=self.body(s.otherwise, clauses))
            elif isinstance(s, ir.Assign):
                out += self._guards(s, clauses)
            out.append(s)
        return tuple(out)

    def _guards(self, s: ir.Assign, clauses: tuple[str, ...]) -> Iterator[ir.Stmt]:
        slots = [self.slots[k] for k in s.slots]
        if s.index is not None and not (s.index.lo >= 0 and s.index.hi < len(slots)):
            raise Impossible
        lo, hi = min(k.lo for k in slots), max(k.hi for k in slots)
        if s.value.hi < lo or s.value.lo > hi:
            raise Impossible
        if s.value.sort is not INT or (
            s.value.lo >= max(k.lo for k in slots) and s.value.hi <= min(k.hi for k in slots)
        ):
            return
        if s.index is None:
            holds = every(lo <= s.value, s.value <= hi)
        else:
            least, most = lookup(s.index, [k.lo for k in slots]), lookup(s.index, [k.hi for k in slots])
            holds = every(least <= s.value, s.value <= most)
        outside = negate(holds)
        if outside is TRUE:
            raise Impossible
        if outside is not FALSE:
            yield ir.If(outside, (ir.Stop(self._site(bare(slots[0].name), clauses)),), ())

    def _site(self, name: str, clauses: tuple[str, ...]) -> int:
        for number, site in enumerate(self.sites):
            if site.kind is Kind.CAPACITY and site.name == name:
                return number
        self.sites = (*self.sites, Site(Kind.CAPACITY, name, (), clauses, UNKNOWN))
        return len(self.sites) - 1
