"""Facts: whether the statements of a rulebook about its components can all be true.

Promises: every contradiction is a minimal set of statements and all of them are listed (or the report says
that it is not complete); a player count that the statements rule out is told apart from a contradiction;
a statement that others already make comes with the fewest of them that do.

The statements are `Rulebook.fact`s over `Rulebook.quantity`s. Nothing here knows a rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import attrs

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.program import Program
from models.language.questions import Fact
from models.language.sizes import Size
from models.language.terms import Term, walk
from solvers.contract import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from solvers.symbolic.cores import Constraints, Cores, Oracle
    from solvers.symbolic.numbers import Truth

#: Name of the quantity that counts the players.
PLAYERS = "players"


@dataclass(frozen=True)
class Quantity:
    """A number that the facts speak about, with the bounds that the model gives it."""

    name: str
    lo: int
    hi: int


@dataclass(frozen=True)
class FactCore:
    """Statements that cannot all be true; without any one of them they can.

    Attributes:
        clauses: The sentences, in the order of the facts.
        facts: Positions in `FactsReport.facts`.
        quantities: The numbers they speak about; their bounds are part of the contradiction.
        given: Numbers that the size gives, where they are part of it.
    """

    clauses: tuple[str, ...]
    facts: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    given: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ImpossibleSetup:
    """A number of players (or another counted quantity) for which the game cannot be set up.

    Attributes:
        quantity: What is counted.
        value: The number.
        cores: Why: minimal sets of statements that rule it out.
        stated: Some statement about this count alone rules it out (the text says so outright).
    """

    quantity: str
    value: int
    cores: tuple[FactCore, ...]
    stated: bool


@dataclass(frozen=True)
class Redundant:
    """A statement that follows from others.

    Attributes:
        clause: The sentence.
        fact: Position in `FactsReport.facts`.
        follows_from: A minimal set of other sentences that already say it (none: the bounds alone do).
        facts: Their positions.
    """

    clause: str
    fact: int
    follows_from: tuple[str, ...]
    facts: tuple[int, ...]


@dataclass(frozen=True)
class FactsReport:
    """What the facts of a rulebook say about each other.

    Attributes:
        facts: The facts that were asked about, in order of declaration.
        contradictions: Minimal contradictions among them.
        against_size: Minimal contradictions between them and the numbers of the size.
        impossible: Counts that are ruled out although others are possible.
        possible: Quantity of the setup → the values that are possible.
        redundant: Facts that follow from others.
        solution: Numbers that make all facts true, if there are any.
        complete: Whether every list is whole (no limit of time or number was met).
    """

    facts: tuple[Fact, ...]
    contradictions: tuple[FactCore, ...]
    against_size: tuple[FactCore, ...]
    impossible: tuple[ImpossibleSetup, ...]
    possible: Mapping[str, tuple[int, ...]]
    redundant: tuple[Redundant, ...]
    solution: Mapping[str, int] | None
    complete: bool

    @property
    def verdict(self) -> Verdict | None:
        """`Proved` where the facts go together, `Unknown` where a limit was met, None where they clash."""
        if self.contradictions or self.against_size:
            return None
        if self.solution is None:
            return Unknown("the time for a check", f"{len(self.facts)} facts")
        return Proved(f"all {len(self.facts)} facts, within the bounds of their quantities")


def check_facts(
    book: Rulebook,
    program_or_size: Program | Size | str | None = None,
    *,
    setups: Sequence[str] = (PLAYERS,),
    most: int = 64,
    seconds: float = 5.0,
) -> FactsReport:
    """Check the facts of a rulebook against each other.

    Args:
        book: The rulebook.
        program_or_size: A built program, a size or a size's name; its numbers are held against quantities of
            the same name. Of rulings, only those that the program applies take part.
        setups: Quantities that a setup chooses; each value within their bounds is tried.
        most: Most minimal contradictions to list for one question.
        seconds: Time for one check of Z3.

    Returns:
        The report; empty for a rulebook without facts.

    Errors:
        ModelError: a fact reads the state, or names a quantity with two different bounds.
    """
    applied = program_or_size.rulings if isinstance(program_or_size, Program) else ()
    facts = tuple(f for f in book.facts if f.clause not in book.rulings or f.clause in applied)
    return _Facts(facts, _numbers(book, program_or_size), most, seconds).report(setups)


def _numbers(book: Rulebook, given: Program | Size | str | None) -> Mapping[str, int]:
    """The whole numbers of a size by name."""
    if given is None:
        return {}
    if isinstance(given, str):
        given = book._size(given)[1]
    size = given.size if isinstance(given, Program) else given
    values = {a.name: getattr(size, a.name) for a in attrs.fields(type(size))}
    return {k: v for k, v in values.items() if isinstance(v, int) and not isinstance(v, bool)}


def quantities(fact: Fact) -> tuple[Quantity, ...]:
    """The quantities that a fact speaks about, in order of mention.

    Errors:
        ModelError: the fact reads the state.
    """
    found: list[Quantity] = []
    for t in walk(fact.term):
        if t.op in ("read", "select"):
            raise ModelError(
                f"a fact reads the state: {t!r}",
                where=str(fact.place),
                hint="facts speak about quantities: `book.quantity(name, lo, hi)`",
            )
        if t.op == "unknown":
            found.append(Quantity(t.data, t.lo, t.hi))
    return tuple(found)


class _Facts:
    def __init__(self, facts: tuple[Fact, ...], given: Mapping[str, int], most: int, seconds: float) -> None:
        self.facts, self.most, self.seconds = facts, most, seconds
        self.spoken = [quantities(f) for f in facts]
        self.by_name: dict[str, Quantity] = {}
        for fact, spoken in zip(facts, self.spoken, strict=True):
            for q in spoken:
                if self.by_name.setdefault(q.name, q) != q:
                    raise ModelError(
                        f"the quantity {q.name!r} has two different bounds",
                        where=str(fact.place),
                        hint="declare it once and use that term in every fact",
                    )
        self.given = tuple((k, v) for k, v in given.items() if k in self.by_name)
        self.complete = True

    def report(self, setups: Sequence[str]) -> FactsReport:
        if not self.facts:
            return FactsReport((), (), (), (), {}, (), {}, True)
        constraints, solution = self._constraints([f.term for f in self.facts])
        n = len(self.facts)
        everything = frozenset(range(n))
        contradictions = self._cores(constraints, n)
        impossible: list[ImpossibleSetup] = []
        possible: dict[str, tuple[int, ...]] = {}
        if not contradictions:
            for name in setups:
                if name in self.by_name:
                    possible[name], ruled_out = self._setups(constraints, self.by_name[name], everything)
                    impossible += ruled_out
        return FactsReport(
            self.facts,
            contradictions,
            () if contradictions else self._against_size(constraints),
            tuple(impossible),
            possible,
            self._redundant(),
            solution,
            self.complete,
        )

    # -- encoding --------------------------------------------------------------------------------
    def _constraints(self, terms: Sequence[Term]) -> tuple[Constraints, Mapping[str, int] | None]:
        """The terms as numbered constraints, and numbers that make all of them true."""
        from solvers.symbolic.cores import Constraints
        from solvers.symbolic.encode import Walker, linear
        from solvers.symbolic.numbers import BitVectors, Integers, Num, Numbers

        numbers: Numbers = Integers() if linear(*terms) else BitVectors()
        self.numbers = numbers
        self.free: dict[str, Num] = {}

        def no_state(slot: int) -> Num:
            raise AssertionError("facts were checked to read no state")

        walker = Walker(numbers, no_state, self.free)
        encoded = [walker.holds(t) for t in terms]
        typed = [c for q in self.free.values() if (c := numbers.typed(q)) is not None]
        made = Constraints(encoded, typed, numbers, self.seconds)
        if made.satisfiable(frozenset(range(len(terms)))) is not True:
            return made, None
        model = made.solver.model()
        return made, {
            name: numbers.value(model.eval(q.expr, model_completion=True), q.lo, q.hi)
            for name, q in self.free.items()
        }

    def _is(self, name: str, value: int) -> Truth:
        from solvers.symbolic.numbers import Num

        q = self.free[name]
        return self.numbers.equal(q, Num(self.numbers.constant(value, value, value), value, value))

    # -- questions -------------------------------------------------------------------------------
    def _enumerate(self, satisfiable: Oracle, n: int) -> Cores:
        from solvers.symbolic.cores import minimal_cores

        found = minimal_cores(satisfiable, n, most=self.most)
        self.complete = self.complete and found.complete
        return found

    def _cores(self, constraints: Constraints, n: int, *fixed: Any) -> tuple[FactCore, ...]:
        found = self._enumerate(lambda chosen: constraints.satisfiable(chosen, *fixed), n)
        return tuple(sorted((self._core(c) for c in found.cores), key=lambda c: (len(c.facts), c.facts)))

    def _core(self, chosen: frozenset[int], given: tuple[tuple[str, int], ...] = ()) -> FactCore:
        facts = tuple(sorted(chosen))
        spoken = dict.fromkeys(
            [*(q for i in facts for q in self.spoken[i]), *(self.by_name[n] for n, _ in given)]
        )
        clauses = tuple(dict.fromkeys(self.facts[i].clause for i in facts))
        return FactCore(clauses, facts, tuple(spoken), given)

    def _setups(
        self, constraints: Constraints, q: Quantity, everything: frozenset[int]
    ) -> tuple[tuple[int, ...], list[ImpossibleSetup]]:
        values = range(q.lo, q.hi + 1)
        answers = {v: constraints.satisfiable(everything, self._is(q.name, v)) for v in values}
        self.complete = self.complete and None not in answers.values()
        possible = tuple(v for v in values if answers[v])
        return possible, [
            self._impossible(constraints, q, v) for v in values if answers[v] is False and possible
        ]

    def _impossible(self, constraints: Constraints, q: Quantity, value: int) -> ImpossibleSetup:
        cores = self._cores(constraints, len(self.facts), self._is(q.name, value))
        return ImpossibleSetup(q.name, value, cores, any(c.quantities == (q,) for c in cores))

    def _against_size(self, constraints: Constraints) -> tuple[FactCore, ...]:
        """Contradictions that need numbers of the size."""
        n = len(self.facts)
        fixed = [self._is(name, value) for name, value in self.given]

        def satisfiable(chosen: frozenset[int]) -> bool | None:
            facts = frozenset(i for i in chosen if i < n)
            return constraints.satisfiable(facts, *(fixed[i - n] for i in sorted(chosen - facts)))

        if not fixed or satisfiable(frozenset(range(n + len(fixed)))) is True:
            return ()
        found = self._enumerate(satisfiable, n + len(fixed))
        return tuple(
            self._core(
                frozenset(i for i in c if i < n), tuple(self.given[i - n] for i in sorted(c) if i >= n)
            )
            for c in found.cores
        )

    def _redundant(self) -> tuple[Redundant, ...]:
        """Facts that a consistent set of others implies: cores of the others with the fact's negation."""
        from models.language.terms import negate
        from solvers.symbolic.cores import minimal

        constraints, _ = self._constraints(
            [*(f.term for f in self.facts), *(negate(f.term) for f in self.facts)]
        )
        n, found = len(self.facts), []
        for i, fact in enumerate(self.facts):
            denied = frozenset([n + i])
            others = self._consistent(constraints, frozenset(range(n)) - {i})
            if constraints.satisfiable(others | denied) is False:
                reasons = minimal(constraints.satisfiable, others | denied, denied) - denied
                clauses = tuple(dict.fromkeys(self.facts[r].clause for r in sorted(reasons)))
                found.append(Redundant(fact.clause, i, clauses, tuple(sorted(reasons))))
        return tuple(found)

    def _consistent(self, constraints: Constraints, chosen: frozenset[int]) -> frozenset[int]:
        """The facts that are in no contradiction among these (a contradiction implies everything)."""
        if constraints.satisfiable(chosen) is True:
            return chosen
        order = sorted(chosen)
        found = self._enumerate(
            lambda some: constraints.satisfiable(frozenset(order[i] for i in some)), len(order)
        )
        return chosen - {order[i] for core in found.cores for i in core}
