"""Decisions: tables of sentences that together settle one outcome.

Promises: a table records probes that never change execution; where the text leaves a matter open the
table runs on by a stated default; exactly one row prevails, or none, or (for COLLECT) all that apply.

Hit policies are those of DMN 1.3 (decision tables), section 8.2.8.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from models.language.errors import ModelError
from models.language.functions import ite
from models.language.ir import Kind
from models.language.nearest import did_you_mean
from models.language.places import here
from models.language.questions import STOP, derived_id
from models.language.state import State
from models.language.terms import (
    FALSE,
    TRUE,
    Term,
    TermLike,
    constant,
    equal,
    every,
    negate,
    some,
    term,
    truth,
)


class Policy(enum.Enum):
    """How the rows of a table go together."""

    UNIQUE = "unique"  #: at most one row applies
    FIRST = "first"  #: the first row in order prevails
    PRIORITY = "priority"  #: a row prevails over those it overrides
    ANY = "any"  #: several rows may apply if they have the same outcome
    COLLECT = "collect"  #: all rows that apply happen, in order


@dataclass(frozen=True)
class Row:
    """One sentence's part in a table.

    Attributes:
        clause: The sentence.
        when: Where it applies.
        then: Its outcome: a key of the table's `outcomes`, or a term.
        overrides: Ids of rows over which it prevails by its own words.
        id: Name of the row, the clause unless given.
    """

    clause: str
    when: Term
    then: str | Term
    overrides: tuple[str, ...]
    id: str


def row(
    clause: str, *, when: TermLike, then: str | TermLike, overrides: Sequence[str] = (), id: str = ""
) -> Row:
    """A row of a table; see `Row`."""
    outcome = str(then) if _is_name(then) else term(then)
    over = (overrides,) if isinstance(overrides, str) else tuple(overrides)
    return Row(clause, truth(when, "condition of a row"), outcome, over, id or clause)


def renamed(original: Row, **changes: Any) -> Row:
    """A row with some parts changed, for overrides.

    Args:
        original: The row.
        changes: `clause`, `when`, `then`, `overrides` or `id`.
    """
    if "when" in changes:
        changes["when"] = truth(changes["when"], "condition of a row")
    if "then" in changes and not _is_name(changes["then"]):
        changes["then"] = term(changes["then"])
    return replace(original, **changes)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, enum.Enum)


def decide(
    t: State,
    name: str,
    rows: Sequence[Row],
    *,
    policy: Policy = Policy.UNIQUE,
    outcomes: Mapping[str, Callable[[], None]] | None = None,
    on_gap: str | TermLike = "nothing",
    on_clash: str = "",
) -> Term | None:
    """Settle one outcome by several sentences.

    Args:
        t: The state.
        name: Name of the table.
        rows: The sentences in the order of the text.
        policy: How they go together.
        outcomes: Outcome name → function that records its effects; without it every `then` is a term.
        on_gap: Where no row applies: `nothing`, `stop`, or for terms the value to use.
        on_clash: Row that prevails where the text does not say (the first of the text unless given).

    Returns:
        The outcome as a term for tables of terms, else None. A table of terms with a gap and `nothing` to
        do about it gives the least value of its first row.

    Errors:
        ModelError: no rows, an outcome without effects, an unknown row in `overrides` or `on_clash`, rows
            that override each other in a circle.
    """
    edited = t.trace.context.edit(t, name, list(rows))
    table = _Table(t, name, edited, policy, outcomes, on_gap, on_clash)
    table.check()
    table.ask()
    if outcomes is None:
        return table.values()
    table.effects()
    return None


@dataclass
class _Table:
    t: State
    name: str
    rows: list[Row]
    policy: Policy
    outcomes: Mapping[str, Callable[[], None]] | None
    on_gap: str | TermLike
    on_clash: str

    # -- what is wrong -----------------------------------------------------------------------------
    def _wrong(self, message: str, hint: str) -> ModelError:
        return ModelError(message, where=f"{here()}, table {self.name}", hint=hint)

    def check(self) -> None:
        ids = [r.id for r in self.rows]
        if not self.rows:
            raise self._wrong("a table has no rows", "give it a row for each sentence")
        if len(set(ids)) < len(ids):
            raise self._wrong("two rows have the same id", "give rows of one clause their own `id=`")
        if self.outcomes is None and self.policy is Policy.COLLECT:
            raise self._wrong(
                "a table of terms cannot COLLECT", "give `outcomes`, or add the terms up yourself"
            )
        if _is_name(self.on_gap) and self.on_gap not in ("nothing", STOP):
            raise self._wrong(
                f"on_gap is {self.on_gap!r}", "write 'nothing', 'stop', or a value for tables of terms"
            )
        if self.outcomes is not None and not _is_name(self.on_gap):
            raise self._wrong("on_gap is a value, but the table has outcomes", "write 'nothing' or 'stop'")
        for r in self.rows:
            self._check_outcome(r)
            if r.overrides and self.policy is not Policy.PRIORITY:
                raise self._wrong(
                    f"row {r.id} overrides others, but the policy is {self.policy.name}",
                    "write `policy=Policy.PRIORITY`",
                )
            for other in (*r.overrides, *([self.on_clash] if self.on_clash else [])):
                if other not in ids:
                    raise self._wrong(f"row {other!r} is named but absent", f"the rows are {', '.join(ids)}")
        for r in self.rows:
            if r.id in self._above[r.id]:
                raise self._wrong(f"row {r.id} overrides itself, through others", "break the circle")

    def _check_outcome(self, r: Row) -> None:
        if self.outcomes is None:
            if isinstance(r.then, str):
                raise self._wrong(
                    f"row {r.id} names the outcome {r.then!r}, but the table gives no `outcomes`",
                    "pass `outcomes={name: function}` or make `then` a term",
                )
        elif not isinstance(r.then, str) or r.then not in self.outcomes:
            near = did_you_mean(r.then, self.outcomes) if isinstance(r.then, str) else ""
            raise self._wrong(
                f"row {r.id} has no outcome: {r.then!r} is not among {', '.join(self.outcomes)}",
                near or "add it to `outcomes`",
            )

    # -- order of the rows -------------------------------------------------------------------------
    @cached_property
    def _above(self) -> Mapping[str, frozenset[str]]:
        """For each row the rows that override it, directly or through others."""
        direct = {r.id: {o.id for o in self.rows if r.id in o.overrides} for r in self.rows}
        found = {}
        for r in self.rows:
            todo, seen = list(direct[r.id]), set[str]()
            while todo:
                other = todo.pop()
                if other not in seen:
                    seen.add(other)
                    todo += direct[other]
            found[r.id] = frozenset(seen)
        return found

    @cached_property
    def live(self) -> list[Term]:
        """For each row whether it applies and no row that applies overrides it."""
        above = [[o.when for o in self.rows if o.id in self._above[r.id]] for r in self.rows]
        return [every(r.when, *(negate(w) for w in over)) for r, over in zip(self.rows, above, strict=True)]

    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of rows, by position, whose order the text leaves open."""
        if self.policy in (Policy.FIRST, Policy.COLLECT):
            return []
        ids = [r.id for r in self.rows]
        return [
            (i, j)
            for i in range(len(ids))
            for j in range(i + 1, len(ids))
            if ids[i] not in self._above[ids[j]] and ids[j] not in self._above[ids[i]]
        ]

    @cached_property
    def derived(self) -> Mapping[tuple[int, int], str]:
        """The options of the derived readings that this build sets, by pair of rows (both ways round)."""
        found = {}
        for i, j in self.pairs():
            rows = (self.rows[i].id, self.rows[j].id)
            option = self.t.trace.derived(derived_id(self.name, *rows), self.name, rows)
            if option:
                found[i, j] = found[j, i] = option
        return found

    @cached_property
    def settled(self) -> tuple[list[Term], Term]:
        """For each row whether it prevails, and whether a derived reading stops the play.

        The rows are gone through in order: the first that is live prevails so far; a later one takes its
        place only where a derived reading says so.
        """
        if self.policy is Policy.COLLECT:
            return [r.when for r in self.rows], FALSE
        order = list(range(len(self.rows)))
        if self.on_clash:
            order.sort(key=lambda i: self.rows[i].id != self.on_clash)
        won: dict[int, Term] = {}
        nobody, stops = TRUE, FALSE
        for k in order:
            live, option = self.live[k], {i: self.derived.get((i, k), "") for i in won}
            beaten = [i for i in won if option[i] == self.rows[k].id]
            halting = [i for i in won if option[i] == STOP]
            takes = every(live, some(nobody, *(won[i] for i in beaten)))
            stops = some(stops, every(live, some(*(won[i] for i in halting))))
            for i in (*beaten, *halting):
                won[i] = every(won[i], negate(live))
            won[k] = takes
            nobody = every(nobody, negate(live))
        return [won[i] for i in range(len(self.rows))], stops

    # -- what is asked -----------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[Any, ...]:
        return (self.policy.value, tuple((r.id, r.clause) for r in self.rows))

    def _same(self, a: Row, b: Row) -> Term:
        if isinstance(a.then, str) or isinstance(b.then, str):
            return TRUE if isinstance(a.then, str) and isinstance(b.then, str) and a.then == b.then else FALSE
        return equal(a.then, b.then)

    def ask(self) -> None:
        trace = self.t.trace
        trace.probe(
            Kind.GAP,
            self.name,
            every(*(negate(r.when) for r in self.rows)),
            clauses=[r.clause for r in self.rows],
            shape=self.shape,
        )
        for i, j in self.pairs():
            a, b = self.rows[i], self.rows[j]
            both, same = every(self.live[i], self.live[j]), self._same(a, b)
            rows, clauses = (a.id, b.id), (a.clause, b.clause)
            trace.probe(Kind.CLASH, self.name, every(both, negate(same)), rows, clauses, self.shape)
            if self.policy is Policy.UNIQUE:
                trace.probe(Kind.OVERLAP, self.name, every(both, same), rows, clauses, self.shape)
        for r, chosen in zip(self.rows, self.settled[0], strict=True):
            trace.probe(Kind.ROW, self.name, chosen, (r.id,), (r.clause,), self.shape)

    # -- what happens ------------------------------------------------------------------------------
    def _stops(self) -> None:
        clauses = tuple(r.clause for r in self.rows)
        stops = self.settled[1]
        if stops is not FALSE:
            with self.t.when(stops):
                self.t.trace.stop(self.name, clauses)
        gap = every(*(negate(r.when) for r in self.rows))
        if _is_name(self.on_gap) and self.on_gap == STOP and gap is not FALSE:
            with self.t.when(gap):
                self.t.trace.stop(f"{self.name}.gap", clauses)

    def values(self) -> Term:
        thens = [term(r.then) for r in self.rows]
        self._stops()
        found = constant(thens[0].lo, thens[0].sort) if _is_name(self.on_gap) else term(self.on_gap)
        for chosen, value in reversed(list(zip(self.settled[0], thens, strict=True))):
            found = ite(chosen, value, found)
        return found

    def effects(self) -> None:
        self._stops()
        if self.policy is Policy.COLLECT:
            for r, holds in zip(self.rows, self.settled[0], strict=True):
                self._effect(str(r.then), holds)
            return
        by_outcome: dict[str, list[Term]] = {}
        for r, holds in zip(self.rows, self.settled[0], strict=True):
            by_outcome.setdefault(str(r.then), []).append(holds)
        for outcome, conditions in by_outcome.items():
            self._effect(outcome, some(*conditions))

    def _effect(self, outcome: str, holds: Term) -> None:
        assert self.outcomes is not None
        if holds is not FALSE:
            with self.t.when(holds):
                self.outcomes[outcome]()
