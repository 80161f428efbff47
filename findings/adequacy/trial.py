"""One mutant on trial: do properties, examples or recorded findings notice that a rule was changed?

Promises: a mutant counts as equivalent only where it was compared with the rules as they stand in every state
of every small size and no difference was found; nothing is noticed by counting states.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from findings.audit.survey import examples_of
from models.language.book import Rulebook
from models.language.examples import Example
from models.language.ir import COVERAGE, Kind
from models.language.program import Program
from properties import kinds
from solvers.compare import Builder, Diagonal, Parting, gather
from solvers.contract import Limits, Proved
from solvers.explorer import Exploration, explore
from solvers.fuzz.mutants import Mutation, mutations
from solvers.interpreter import Interpreter, Mixed

#: A mutant may have this many times the states of the rules as they stand; beyond, it is given up.
GROWTH = 8
_FEWEST = 50_000


@frozen
class Outcome:
    """What became of one mutant.

    Attributes:
        mutation: Id of the change.
        rule: The rule that was changed.
        operator: How (see `solvers.fuzz.mutants.OPERATORS`).
        text: What was changed.
        how: `killed`, `survived`, `equivalent`, or `undecided` where a limit left it open.
        by: What noticed it; for a survivor, the first difference in play that nothing notices.
        play: For a survivor, the moves to that difference.
    """

    mutation: str
    rule: str
    operator: str
    text: str
    how: str
    by: str = ""
    play: tuple[str, ...] = field(default=())


@frozen
class _Seen:
    """What an exploration shows to those who look at findings and properties."""

    violated: frozenset[str]
    met: frozenset[str]
    sites: frozenset[str]
    stuck: bool
    ends: bool

    @classmethod
    def of(cls, explored: Exploration) -> _Seen:
        asked = {
            s.id for s in explored.program.sites if s.kind not in COVERAGE and s.kind is not Kind.OVERLAP
        }
        return cls(
            frozenset(explored.violated),
            frozenset(explored.met),
            frozenset(asked & set(explored.sites)),
            explored.stuck is not None,
            explored.over_states > 0,
        )


class Court:
    """One variant of a rulebook, against whose properties, examples and findings mutants are tried.

    Args:
        book: The rulebook.
        variant: The variant.
    """

    def __init__(self, book: Rulebook, variant: str) -> None:
        self.book, self.variant = book, variant
        self.properties = kinds.of(book).of(variant)
        first = book.build(None, variant)
        names = [n for n in book.sizes if n.startswith(f"{first.size_name}-")]
        self.programs = [first, *(book.build(n, variant) for n in names)]

    @cached_property
    def explorations(self) -> list[Exploration]:
        """The rules as they stand, at all small sizes."""
        return [explore(p, self.properties, graph=True) for p in self.programs]

    @cached_property
    def _seen(self) -> list[_Seen]:
        return [_Seen.of(e) for e in self.explorations]

    @cached_property
    def _diagonals(self) -> list[Diagonal]:
        return [Diagonal(e) for e in self.explorations]

    @cached_property
    def examples(self) -> list[Example]:
        """The printed examples of the variant that fit as the rules stand."""
        build = Builder()
        mine = [e for e in examples_of(self.book) if e.variant == self.variant and not e.rulings]
        return [e for e in mine if not gather(e, build, {}).conflict]

    @cached_property
    def mutations(self) -> tuple[Mutation, ...]:
        """All changes of a rule at some small size, each once."""
        found: dict[tuple[str, str, tuple[str, int]], Mutation] = {}
        for program in self.programs:
            for m in mutations(program):
                found.setdefault((m.rule, m.operator, m.key), m)
        return tuple(found.values())

    def outcome(self, mutation: Mutation) -> Outcome:
        """Try one mutant."""
        told = (mutation.id, mutation.rule, mutation.operator, mutation.text)
        changed = [mutation.apply(p) for p in self.programs]
        pairs = [
            (n, c)
            for n, (p, c) in enumerate(zip(self.programs, changed, strict=True))
            if c is not None and c.digest != p.digest
        ]
        if not pairs:
            return Outcome(*told, how="equivalent", by="the change makes no other program")
        try:
            by = self._explored(pairs) or self._examples(mutation)
        except Mixed:
            by = "chance and a player could both act"
        if by == _LIMIT:
            return Outcome(*told, how="undecided", by=by)
        if by:
            return Outcome(*told, how="killed", by=by)
        return self._compared(told, pairs)

    def _explored(self, pairs: list[tuple[int, Program]]) -> str:
        """What an exploration of the mutant shows that it did not show before."""
        limit = ""
        for n, program in pairs:
            most = max(GROWTH * self.explorations[n].states, _FEWEST)
            explored = explore(program, self.properties, limits=Limits(states=most))
            by = _difference(self._seen[n], _Seen.of(explored), whole=explored.complete)
            if by:
                return by
            if not explored.complete:
                limit = _LIMIT
        return limit

    def _examples(self, mutation: Mutation) -> str:
        build = _Changed(mutation)
        for example in self.examples:
            if gather(example, build, {}).conflict:
                return f"example {example.name}"
        return ""

    def _compared(self, told: tuple[str, str, str, str], pairs: list[tuple[int, Program]]) -> Outcome:
        verdicts = [self._diagonals[n].first(program) for n, program in pairs]
        for v in verdicts:
            if isinstance(v, Parting):
                after = f"{v.move} has another outcome" if v.move else f"other {v.how}"
                return Outcome(*told, how="survived", by=after, play=v.play.labels)
        if all(isinstance(v, Proved) for v in verdicts):
            return Outcome(*told, how="equivalent", by="no difference in play at the small sizes, proved")
        return Outcome(*told, how="undecided", by="the comparison met a limit")


_LIMIT = "too many states"


def _difference(before: _Seen, now: _Seen, *, whole: bool) -> str:
    """What a person would see first; what is no longer met counts only where all states were seen."""
    if now.violated - before.violated:
        return f"property {min(now.violated - before.violated)}"
    if now.stuck and not before.stuck:
        return "finding: nobody may do anything"
    if now.sites - before.sites:
        return f"new finding {min(now.sites - before.sites)}"
    if whole and before.ends and not now.ends:
        return "finding: no play ends the game"
    if whole and before.met - now.met:
        return f"property {min(before.met - now.met)}"
    if whole and before.sites - now.sites:
        return f"finding gone {min(before.sites - now.sites)}"
    return ""


class _Changed(Builder):
    """Builds the programs of examples with a change in them."""

    def __init__(self, mutation: Mutation) -> None:
        super().__init__()
        self.mutation = mutation
        self.made: dict[str, Interpreter] = {}

    def run(self, example: Example, readings: Mapping[str, str]) -> Interpreter:
        """The interpreter of an example's program, changed where the change can be made."""
        made = super().run(example, readings)
        digest = made.program.digest
        if digest not in self.made:
            changed = self.mutation.apply(made.program)
            self.made[digest] = made if changed is None else Interpreter(changed)
        return self.made[digest]
