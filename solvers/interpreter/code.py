"""Compiled code: Python functions for terms and bodies, made when first wanted and shared between programs.

Promises: two programs that have a term or a body in common run one function for it (terms are interned, so
their ids tell); a function without questions does exactly what the one with questions does, and records
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from models.language import ir
from models.language.terms import Term, walk
from solvers.interpreter import graphs
from solvers.interpreter.emit import Emitter

Key = tuple[object, ...]
#: A function of a state (and, for a body that asks, of the list that hits are added to).
Function = Callable[..., Any]


class Code:
    """Functions by what they compute; give one to several interpreters to share them."""

    def __init__(self) -> None:
        self._terms: dict[int, Function] = {}
        self._bodies: dict[Key, Function] = {}
        #: The same by the very body, with the body: builds share bodies, and their keys take time.
        self._same: dict[tuple[bool, int], tuple[ir.Block, Function]] = {}

    def term(self, t: Term) -> Function:
        """The value of a term as a function of a state."""
        made = self._terms.get(t.id)
        if made is None:
            emitter = Emitter("s")
            emitter.share(t)
            emitter.line(f"return {emitter.expression(t)}")
            made = self._terms[t.id] = _function("f(s)", emitter.lines)
        return made

    def body(self, block: ir.Block) -> Function:
        """A body as a function of a state and a list of hits to the successor, None where it stops."""
        return self._of(block, True)

    def effect(self, block: ir.Block) -> Function:
        """The same without the questions, as a function of a state alone."""
        return self._of(block, False)

    def _of(self, block: ir.Block, asks: bool) -> Function:
        known = self._same.get((asks, id(block)))
        if known is not None:
            return known[1]
        body = block if asks else _silent(block)
        key = (asks, *_key(body))
        made = self._bodies.get(key)
        if made is None:
            head = "f(s, hits)" if asks else "f(s)"
            made = self._bodies[key] = _function(head, _lines(body, asks=asks))
        self._same[asks, id(block)] = (block, made)
        return made


def _function(head: str, lines: Sequence[str]) -> Function:
    scope: dict[str, Any] = {"graphs": graphs}
    exec(compile("\n".join([f"def {head}:", *lines]), "<rulebook>", "exec"), scope)
    made: Function = scope["f"]
    return made


def _lines(block: ir.Block, asks: bool = True) -> list[str]:
    body = Emitter("n", asks=asks)
    body.line("n = list(s)")
    body.block(block)
    body.line("return tuple(n)")
    return body.lines


def _key(block: ir.Block) -> Key:
    """A key that two bodies share exactly when they have the same statements over the same terms."""
    key: list[object] = []
    for s in block:
        terms = tuple(t.id for t in ir.roots(s))
        if isinstance(s, ir.If):
            key.append(("if", terms, _key(s.then), _key(s.otherwise)))
        elif isinstance(s, ir.Assign):
            key.append(("assign", s.slots, s.index is None, terms))
        elif isinstance(s, ir.Let):
            key.append(("let", terms))
        else:
            key.append((type(s).__name__, s.site, terms))
    return tuple(key)


def _silent(block: ir.Block) -> ir.Block:
    """A body without its questions, and without the values that only they used."""
    kept = _without_questions(block)
    used = {t.id for s in ir.statements(kept) if not isinstance(s, ir.Let) for t in walk(*ir.roots(s))}
    return _only_lets(kept, used)


def _without_questions(block: ir.Block) -> ir.Block:
    out: list[ir.Stmt] = []
    for s in block:
        if isinstance(s, ir.If):
            then, otherwise = _without_questions(s.then), _without_questions(s.otherwise)
            if _does_something(then) or _does_something(otherwise):
                out.append(ir.If(s.condition, then, otherwise))
        elif not isinstance(s, (ir.Probe, ir.Cover)):
            out.append(s)
    return tuple(out)


def _does_something(block: ir.Block) -> bool:
    return any(not isinstance(s, ir.Let) for s in block)


def _only_lets(block: ir.Block, used: set[int]) -> ir.Block:
    """The body with those `Let`s alone whose value is used outside of `Let`s."""
    out: list[ir.Stmt] = []
    for s in block:
        if isinstance(s, ir.If):
            out.append(ir.If(s.condition, _only_lets(s.then, used), _only_lets(s.otherwise, used)))
        elif not isinstance(s, ir.Let) or s.term.id in used:
            out.append(s)
    return tuple(out)
