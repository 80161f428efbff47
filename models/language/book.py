"""Rulebook: declarations of rules, readings, facts and rulings.

Promises: declaring runs nothing; `build` checks every citation against the clauses and traces each
rule once per value of its parameters (see `models.language.builder`); a mistake is a `ModelError` with
file and line.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from models.language.declarations import End, Override, Rule, check_rule
from models.language.errors import ModelError
from models.language.functions import unknown
from models.language.nearest import did_you_mean
from models.language.places import here
from models.language.printing import counted
from models.language.program import Program
from models.language.questions import (
    STOP,
    By,
    Fact,
    Missing,
    Reading,
    Ruling,
)
from models.language.sizes import Size
from models.language.state import State
from models.language.terms import Term, truth

if TYPE_CHECKING:
    from models.language.clauses import Clauses
    from models.language.traced import Traces

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S", bound=type[State])


class Rulebook:
    """One rulebook as guarded commands.

    Args:
        name: Short name, also the folder's.
        title: Title as printed.
        file: `__file__` of the module; clauses, words and examples lie beside it.
        sizes: Size name → numbers; the first is the default.
        variants: Variant name → what it is; the first is the default.
        players: Number of players (a deferred size field).
        clauses: Clause ids, for small models without a `clauses.toml`.
        read_sizes: Path of a file → size name → numbers, where users can write sizes of their own (TOML); it
            raises a `ModelError` that names the file, the entry and what to do for whatever is wrong there.
    """

    def __init__(
        self,
        name: str,
        title: str = "",
        *,
        file: str = "",
        sizes: Mapping[str, Size] | None = None,
        variants: Mapping[str, str] | None = None,
        players: Any = 1,
        clauses: Iterable[str] | None = None,
        read_sizes: Callable[[Path], Mapping[str, Size]] | None = None,
    ) -> None:
        self.read_sizes = read_sizes
        self.name, self.title, self.folder = name, title or name, Path(file).parent if file else None
        self.sizes, self.variants = dict(sizes or {}), dict(variants or {"base": ""})
        self.players, self._clause_ids = players, None if clauses is None else tuple(clauses)
        self._clauses: Clauses | None = None
        self.modules: dict[str, ModuleType] = {}
        self.rules: list[Rule] = []
        self.readings: dict[str, Reading] = {}
        self.rulings: dict[str, Ruling] = {}
        self.facts: list[Fact] = []
        self.missing_parts: list[Missing] = []
        self.overrides: list[Override] = []
        self._state: type[State] | None = None
        self.ends: dict[str, End] = {}
        self.traces: Traces | None = None
        if not sizes:
            raise ModelError(f"rulebook {name} has no size", where=str(here()), hint="give it at least one")

    def __repr__(self) -> str:
        sizes, variants = ", ".join(self.sizes), ", ".join(self.variants)
        return (
            f"<Rulebook {self.name}: {counted(len(self.rules), 'rule')}, sizes {sizes}; variants {variants}>"
        )

    # -- declarations ----------------------------------------------------------------------------
    def state(self, state: S) -> S:
        """Class decorator: the state of this rulebook."""
        self._state = state
        return state

    @property
    def state_class(self) -> type[State]:
        """The declared state.

        Errors:
            ModelError: none was declared.
        """
        if self._state is None:
            raise ModelError(
                f"rulebook {self.name} has no state", hint="decorate its State class with `@book.state`"
            )
        return self._state

    def rule(
        self,
        *clauses: str,
        by: By,
        phase: enum.Enum | Sequence[enum.Enum] = (),
        weight: Any = 1,
        only: str | Sequence[str] = (),
        secret: Sequence[str] = (),
        ruling: str = "",
        **params: Any,
    ) -> Callable[[F], F]:
        """Declare a rule; the function's name is its name.

        Args:
            clauses: The sentences it carries out, at least one.
            by: `player(…)`, `responder(…)`, `CHANCE` or `RULES`.
            phase: Value or values of the field `phase` in which it is enabled.
            weight: Weight of a CHANCE rule: a number, a size, or a function of `t` and the parameters.
            only: Variants that have the rule (all unless given).
            secret: Names of parameters that others do not see.
            ruling: The ruling that brings the rule.
            params: Parameter name → number of values, sequence, enumeration, or function of the size.

        Errors:
            ModelError: no clause is cited, the name is taken, the function's parameters are not those of the
                rule, an unknown variant, a secret that is no parameter, a weight without CHANCE.
        """
        place = here()

        def declare(function: F) -> F:
            name = function.__name__
            phases = (phase,) if isinstance(phase, enum.Enum) else tuple(phase)
            variants = (only,) if isinstance(only, str) else tuple(only)
            masked = frozenset((secret,) if isinstance(secret, str) else secret)
            rule = Rule(name, function, clauses, phases, by, weight, variants, masked, ruling, params, place)
            check_rule(rule, self.rules, self.variants)
            self.rules.append(rule)
            return function

        return declare

    def over(self, *clauses: str) -> Callable[[F], F]:
        """Declare when the game is over: a function of `t` to a truth value."""
        return self._end("over", clauses)

    def winner(self, *clauses: str) -> Callable[[F], F]:
        """Declare who has won when the game is over: a function of `t` and a player to a truth value."""
        return self._end("winner", clauses)

    def score(self, *clauses: str) -> Callable[[F], F]:
        """Declare a player's score: a function of `t` and a player to a number."""
        return self._end("score", clauses)

    def _end(self, what: str, clauses: tuple[str, ...]) -> Callable[[F], F]:
        place = here()

        def declare(function: F) -> F:
            if what in self.ends:
                raise ModelError(f"`{what}` is declared twice", where=str(place), hint="declare it once")
            self.ends[what] = End(what, clauses, function, place)
            return function

        return declare

    def reading(
        self,
        id: str,
        *clauses: str,
        options: Mapping[str, str],
        default: str,
        why: str,
        asks: str,
        leans: tuple[str, str] | tuple[()] = (),
        ruling: str = "",
    ) -> Reading:
        """Declare that sentences can be read in several ways.

        Args:
            id: Stable name.
            clauses: The sentences.
            options: Option → what it means (at least two).
            default: The option that the model takes.
            why: Why.
            asks: The question to the author.
            leans: An option, and the clause that points to it without settling the question.
            ruling: The ruling that alone brings it.

        Errors:
            ModelError: fewer than two options, an unknown default, a name used twice.
        """
        where = f"{here()}, reading {id}"
        if len(options) < 2:
            raise ModelError(
                f"a reading needs at least two options, this has {len(options)}",
                where=where,
                hint="name the other way to read the sentence, or drop the reading",
            )
        if default not in options:
            raise ModelError(
                f"the default {default!r} is not among the options {list(options)}",
                where=where,
                hint="choose one of them",
            )
        if id in self.readings:
            raise ModelError("there are two readings of this name", where=where, hint="rename one")
        if leans and leans[0] not in options:
            raise ModelError(
                f"{leans[0]!r}, to which it leans, is not among the options {list(options)}",
                where=where,
                hint="choose one of them",
            )
        self.readings[id] = Reading(
            id, clauses, dict(options), default, why, asks, leans, ruling, False, here()
        )
        return self.readings[id]

    def ruling(
        self,
        clause: str,
        *,
        picks: Mapping[str, str] | None = None,
        source: str,
        answers: Sequence[str] = (),
    ) -> Ruling:
        """Declare an answer from outside the text (FAQ, author, errata) that picks options of readings.

        Args:
            clause: The clause of the ruling, also its id.
            picks: Reading (or derived reading, `table:row+row`) → option.
            source: Who said it.
            answers: Ids of missing parts that it gives, and of readings that it speaks of without
                settling them.

        Errors:
            ModelError: there is a ruling of this clause already.
        """
        if clause in self.rulings:
            raise ModelError(
                "there are two rulings of this name", where=f"{here()}, ruling {clause}", hint="merge them"
            )
        made = Ruling(clause, dict(picks or {}), source, here(), tuple(answers))
        self.rulings[clause] = made
        return made

    def quantity(self, name: str, lo: int, hi: int) -> Term:
        """An unknown number of a component, for facts."""
        return unknown(name, lo, hi)

    def fact(self, clause: str, holds: Term) -> None:
        """Declare what a sentence states about components."""
        self.facts.append(Fact(clause, truth(holds, "fact"), here()))

    def missing(self, id: str, *clauses: str, what: str, asks: str) -> None:
        """Declare something that the text needs and never gives."""
        self.missing_parts.append(Missing(id, clauses, what, asks, here()))

    def override(
        self,
        table: str,
        row: str,
        *,
        clause: str,
        variant: str = "",
        ruling: str = "",
        overrides: str | Sequence[str] = (),
        sizes: Callable[[Any], bool] | None = None,
    ) -> Callable[[F], F]:
        """Declare how a variant or a ruling changes a row of a table.

        The function gets `t` and the row (None where `row` is "" and rows are added) and returns the
        row to use instead, several rows, or None to drop it.

        Args:
            table: Name of the table.
            row: Id of the row, or "" to add rows.
            clause: The sentence that makes the change.
            variant: The variant it belongs to (all unless given).
            ruling: The ruling that brings it.
            overrides: Clauses of other overrides of the same row over which this one prevails: it is applied
                after them, to the row that they leave.
            sizes: Which sizes have the table, as a function of a size, where not all of them have it.

        Errors:
            ModelError: an unknown variant.
        """
        place = here()
        if variant and variant not in self.variants:
            raise ModelError(
                f"there is no variant {variant!r}",
                where=f"{place}, override of {table}",
                hint=did_you_mean(variant, self.variants) or f"the variants are {', '.join(self.variants)}",
            )
        above = (overrides,) if isinstance(overrides, str) else tuple(overrides)

        def declare(function: F) -> F:
            self.overrides.append(
                Override(table, row, clause, variant, ruling, above, function, place, sizes)
            )
            return function

        return declare

    # -- clauses ---------------------------------------------------------------------------------
    @property
    def clauses(self) -> Clauses | None:
        """The sentences, or None for a small model that only lists ids."""
        if self._clauses is None and self._clause_ids is None:
            if self.folder is None:
                raise ModelError(
                    f"rulebook {self.name} knows neither its file nor its clauses",
                    hint="pass `file=__file__`",
                )
            from models.language.clauses import Clauses

            self._clauses = Clauses.load(self.folder / "clauses.toml")
        return self._clauses

    @property
    def clause_ids(self) -> tuple[str, ...]:
        """Ids of all sentences in the order of the text."""
        if self._clause_ids is not None:
            return self._clause_ids
        clauses = self.clauses
        assert clauses is not None
        return tuple(c.id for c in clauses)

    def check_citations(self) -> None:
        """Check that every clause that is cited exists, and every reading that a clause's open words name.

        Errors:
            ModelError: an unknown clause or reading, with the nearest known one.
        """
        known = set(self.clause_ids)
        for who, place, cited in [
            *((f"rule {r.name}", r.place, r.clauses) for r in self.rules),
            *((f"reading {r.id}", r.place, (*r.clauses, *r.leans[1:])) for r in self.readings.values()),
            *((f"ruling {r.id}", r.place, (r.id,)) for r in self.rulings.values()),
            *(("fact", f.place, (f.clause,)) for f in self.facts),
            *((f"missing {m.id}", m.place, m.clauses) for m in self.missing_parts),
            *((f"override of {o.table}", o.place, (o.clause,)) for o in self.overrides),
            *((e.what, e.place, e.clauses) for e in self.ends.values()),
        ]:
            for clause in cited:
                self.check_clause(clause, f"{place}, {who}", known)
        self._check_open_words()

    def _check_open_words(self) -> None:
        """Check that the readings which answer open words are declared."""
        clauses = self.clauses
        if clauses is None:
            return
        for clause in clauses:
            for id in clause.readings:
                if id not in self.readings:
                    raise ModelError(
                        f"its open words name the reading {id!r}, which the rulebook does not declare",
                        where=f"{clauses.path}, clause {clause.id!r}",
                        hint=did_you_mean(id, self.readings)
                        or "declare it with `book.reading`, or say what the word is taken to mean",
                    )

    def check_clause(self, clause: str, where: str, known: Iterable[str] | None = None) -> None:
        """Check one citation."""
        ids = set(self.clause_ids if known is None else known)
        if clause not in ids:
            raise ModelError(
                f"there is no clause {clause!r}",
                where=where,
                hint=did_you_mean(clause, ids) or "add it to clauses.toml",
            )

    # -- building --------------------------------------------------------------------------------
    def build(
        self,
        size: str | Size | None = None,
        variant: str | None = None,
        readings: Mapping[str, str] | None = None,
        rulings: bool | Sequence[str] = False,
    ) -> Program:
        """Build the rulebook.

        Args:
            size: A size's name, `FILE.toml` or `FILE.toml:NAME` (see `sizefiles`), or its numbers; the first
                size unless given.
            variant: A variant's name; the first unless given.
            readings: Reading (or derived reading) → option, where not the default.
            rulings: Whether to apply all rulings, or the ids of those to apply.

        Returns:
            The program.

        Errors:
            ModelError: unknown size, variant, reading, option or clause; any mistake in a rule.
        """
        from models.language.builder import Builder
        from models.language.choices import choose_build

        return Builder(self, choose_build(self, size, variant, readings, rulings)).build()

    @contextmanager
    def kept_traces(self) -> Iterator[None]:
        """Keep what is traced, so that builds which differ in a few readings share most of their instances.

        Nothing that the rulebook is made of may change inside: rules, cards, functions that rules call.
        """
        from models.language.traced import Traces

        outer = self.traces
        self.traces = outer or Traces()
        try:
            yield
        finally:
            self.traces = outer

    def find_size(self, size: str | Size | None = None) -> tuple[str, Size]:
        """The name and the numbers of a size; the first one unless given, `own` for numbers of no name.

        A file of sizes is read, and its sizes are known to the rulebook from then on; see `sizefiles`.

        Errors:
            ModelError: there is no size of that name, with the nearest; a file that is not as it should be.
        """
        from models.language.choices import choose_size

        return choose_size(self, size)

    _size = find_size


__all__ = ["STOP", "Rulebook"]
