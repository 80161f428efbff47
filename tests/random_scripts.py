"""Scripts: random rulebooks as data, and two ways to run one.

A script is run by `run`. In a recording world (`Recording`) it goes through the modelling language and
becomes IR; in a playing world (`tests.naive_play.Playing`) each expression is worked out at once on plain
Python values. Both are driven by the same walk, so that they meet the same reads in the same order; what a
read, an assignment or a construct means is written twice, independently.

Expressions are tuples whose first part is the operation; statements too. Enumeration members are numbers.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from models.language import (
    Policy,
    Row,
    State,
    count,
    decide,
    every,
    ite,
    least,
    longest,
    lookup,
    most,
    rank,
    reach,
    repeat,
    row,
    some,
    take,
)
from models.language.terms import term

Expr = tuple[Any, ...]
Stmt = tuple[Any, ...]
Script = tuple[Stmt, ...]


class Colour(enum.Enum):
    RED = 0
    GREEN = 1
    BLUE = 2


COLOURS = list(Colour)
EDGES = ((0, 1), (1, 2), (2, 0), (2, 3))
NODES = 4


class World(Protocol):
    """What a script needs of the place where it is run."""

    def scalar(self, name: str) -> Any: ...
    def item(self, name: str, *at: Any) -> Any: ...
    def stack(self, ref: Sequence[Any], what: str, *args: Any) -> Any: ...
    def assign(self, name: str, at: Sequence[Any], value: Any) -> None: ...
    def branch(self, holds: Any, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None: ...
    def colour(self, number: int) -> Any: ...
    def pure(self, op: str, *args: Any) -> Any: ...
    def require(self, holds: Any) -> None: ...
    def table(
        self, stmt: Stmt, rows: list[tuple[Any, Any]], effects: Sequence[Callable[[], None]]
    ) -> Any: ...
    def ranking(
        self, name: str, keys: list[list[Any]], among: list[Any] | None, shared: bool
    ) -> list[Any]: ...
    def asking(self, kind: str, name: str, a: Any, b: Any) -> Any: ...
    def cover(self, name: str) -> None: ...
    def stop(self, name: str) -> None: ...


def value(e: Expr, w: World, names: dict[str, Any]) -> Any:
    """What an expression denotes in a world."""
    op, *rest = e
    if op in ("int", "bool"):
        return rest[0]
    if op == "colour":
        return w.colour(rest[0])
    if op == "name":
        return names[rest[0]]
    if op == "scalar":
        return w.scalar(rest[0])
    if op == "item":
        return w.item(rest[0], *(value(i, w, names) for i in rest[1:]))
    if op == "stack":
        ref, what, *args = rest
        at = tuple(value(i, w, names) for i in ref[1:])
        return w.stack((ref[0], *at), what, *(value(a, w, names) for a in args))
    if op in ("lookup", "div", "mod", "path", "trail", "reach"):
        return w.pure(op, *(value(a, w, names) for a in rest[1:]), rest[0])
    return w.pure(op, *(value(a, w, names) for a in rest))


def run(script: Script, w: World, names: dict[str, Any]) -> None:
    """Carry a script out; names bound inside a branch are forgotten after it."""
    for stmt in script:
        op, *rest = stmt
        if op == "let":
            names[rest[0]] = value(rest[1], w, names)
        elif op == "require":
            w.require(value(rest[0], w, names))
        elif op == "assign":
            name, at, what = rest
            w.assign(name, [value(i, w, names) for i in at], value(what, w, names))
        elif op == "when":
            holds, then, other = value(rest[0], w, names), rest[1], rest[2]
            w.branch(holds, partial(run, then, w, dict(names)), other and partial(run, other, w, dict(names)))
        elif op == "do":
            bound, ref, what, *args = rest
            at = tuple(value(i, w, names) for i in ref[1:])
            made = w.stack((ref[0], *at), what, *(value(a, w, names) for a in args))
            if bound:
                names[bound] = made
        elif op == "table":
            rows = [
                (value(c, w, names), value(v, w, names) if isinstance(v, tuple) else v) for c, v in rest[3]
            ]
            effects = [partial(run, s, w, dict(names)) for s in rest[4]]
            made = w.table(stmt, rows, effects)
            if rest[0]:
                names[rest[0]] = made
        elif op == "rank":
            bound, name, keys, among, shared = rest
            made = w.ranking(
                name,
                [[value(k, w, names) for k in key] for key in keys],
                [value(a, w, names) for a in among] if among is not None else None,
                shared,
            )
            names.update(zip(bound, made, strict=True))
        elif op in ("take", "repeat"):
            bound, name, a, b = rest
            names[bound] = w.asking(op, name, value(a, w, names), value(b, w, names))
        elif op == "cover":
            w.cover(rest[0])
        else:
            w.stop(rest[0])


#: Policies by the word that a script uses.
POLICIES = {p.value: p for p in Policy}


class Recording:
    """A world that records: everything goes through the public modelling language.

    Args:
        t: The state of a rule.
    """

    def __init__(self, t: State) -> None:
        self.t: Any = t

    def scalar(self, name: str) -> Any:
        return getattr(self.t, name)

    def item(self, name: str, *at: Any) -> Any:
        found = getattr(self.t, name)
        for i in at:
            found = found[i]
        return found

    def stack(self, ref: Sequence[Any], what: str, *args: Any) -> Any:
        pile = self.item(ref[0], *ref[1:])
        if what in ("depth", "top"):
            return getattr(pile, what)
        if what == "at":
            return pile[args[0]]
        if what == "put":
            pile[args[0]] = args[1]
            return None
        return getattr(pile, what)(*args)

    def assign(self, name: str, at: Sequence[Any], value: Any) -> None:
        if not at:
            setattr(self.t, name, value)
            return
        found = getattr(self.t, name)
        for i in at[:-1]:
            found = found[i]
        found[at[-1]] = value

    def branch(self, holds: Any, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        with self.t.when(holds):
            then()
        if otherwise is not None:
            with self.t.otherwise():
                otherwise()

    def colour(self, number: int) -> Any:
        return COLOURS[number]

    def pure(self, op: str, *args: Any) -> Any:
        return _RECORDED[op](*args)

    def require(self, holds: Any) -> None:
        self.t.require(holds)

    def table(self, stmt: Stmt, rows: list[tuple[Any, Any]], effects: Sequence[Callable[[], None]]) -> Any:
        _, _, name, policy, _, _, overrides, on_gap, on_clash = stmt
        made: list[Row] = []
        for i, (when, then) in enumerate(rows):
            over = [f"r{j}" for j in overrides[i]]
            then = f"o{then}" if effects else then
            made.append(row("c", when=when, then=then, overrides=over, id=f"r{i}"))
        outcomes = {f"o{i}": e for i, e in enumerate(effects)} or None
        clash = "" if on_clash is None else f"r{on_clash}"
        return decide(
            self.t, name, made, policy=POLICIES[policy], outcomes=outcomes, on_gap=on_gap, on_clash=clash
        )

    def ranking(self, name: str, keys: list[list[Any]], among: list[Any] | None, shared: bool) -> list[Any]:
        made = rank(self.t, name, keys, "c", among=among, shared=shared)
        return [made.first, made.tied, made.best[0]]

    def asking(self, kind: str, name: str, a: Any, b: Any) -> Any:
        return take(self.t, name, a, b, "c") if kind == "take" else repeat(self.t, name, "c", a)

    def cover(self, name: str) -> None:
        self.t.cover(name)

    def stop(self, name: str) -> None:
        self.t.stop(name, "c")


_RECORDED: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, n: a // n,
    "mod": lambda a, n: a % n,
    "min": least,
    "max": most,
    "ite": ite,
    "count": count,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "and": every,
    "or": some,
    "not": lambda a: ~term(a),
    "lookup": lambda at, table: lookup(at, list(table)),
    "number": lambda colour: lookup(colour, dict(zip(COLOURS, (2, -1, 5), strict=True))),
    "path": lambda *a: longest("path", NODES, EDGES, a[:-1]),
    "trail": lambda *a: longest("trail", NODES, EDGES, a[:-1]),
    "reach": lambda *a: reach(EDGES, a[: len(EDGES)], a[len(EDGES) : -1], a[-1]),
}
