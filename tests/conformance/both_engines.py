"""The symbolic engine held against the native explorer on rulebooks, at sizes that both can do.

Z3 is asked with `search=False`: the native code that the explorer is made of takes no part in its answers.
What it proves of all reachable states as invariants, the explorer checks in each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import attrs

from models.fly_high.cards import FlyHigh
from models.language import Program, Rulebook, Size, Term, registry
from models.language.places import here
from properties import kinds
from properties.kinds import Form, Property
from solvers.contract import Limits, Play, Proved, Refuted, Unknown, Verdict
from solvers.explorer import Exploration, explore
from solvers.interpreter import Interpreter
from solvers.symbolic import Invariants, ask, find_invariants
from solvers.symbolic.answers import property_goal, site_goal
from solvers.symbolic.goals import Goal, Stuck

#: Seconds for one question: the first is enough on a quiet machine; what is undecided then is asked again
#: with the next, as long as more of it is undecided than is allowed.
BUDGETS = (1.5, 5.0, 20.0, 80.0)
#: Seconds for the invariants of a program; a quiet machine needs less than 10.
INVARIANTS = 120.0
#: The most states of a size that counts as small.
MOST_STATES = 60_000


@dataclass(frozen=True)
class Case:
    """A size of a rulebook at which both engines are asked everything.

    Attributes:
        book: The rulebook.
        variant: The variant.
        name: What to call the size; that of a declared size is its own.
        made: What makes the size of the rulebook's declared ones; None for the declared one.
    """

    book: str
    variant: str
    name: str
    made: Callable[[Mapping[str, Size]], Size] | None = None

    @property
    def id(self) -> str:
        """Its name among the tests."""
        return f"{self.book}-{self.variant}-{self.name}"

    def size(self, book: Rulebook) -> str | Size:
        """What to build."""
        return self.name if self.made is None else self.made(book.sizes)


def _fewer(of: str, **changes: object) -> Callable[[Mapping[str, Size]], Size]:
    """Makes a size from a declared one."""
    return lambda sizes: attrs.evolve(sizes[of], **changes)


def _some(of: str, **places: Sequence[int]) -> Callable[[Mapping[str, Size]], Size]:
    """Makes a size from a declared one: of some fields only the parts at some places."""

    def make(sizes: Mapping[str, Size]) -> Size:
        kept = {name: tuple(getattr(sizes[of], name)[n] for n in at) for name, at in places.items()}
        return attrs.evolve(sizes[of], **kept)

    return make


def _counted(of: str, cards: str, *counts: int, **changes: object) -> Callable[[Mapping[str, Size]], Size]:
    """Makes a size from a declared one: of some kinds of card fewer, of the others none.

    Args:
        of: The declared size.
        cards: The field with the kinds.
        counts: How many there shall be of each kind.
        changes: Other fields.
    """

    def make(sizes: Mapping[str, Size]) -> Size:
        kinds = zip(getattr(sizes[of], cards), counts, strict=True)
        kept = tuple(attrs.evolve(kind, count=count) for kind, count in kinds if count)
        return attrs.evolve(sizes[of], **{cards: kept}, **changes)

    return make


#: A size for each variant of each rulebook.
TINY = (
    *(
        Case("fly_high", v, "tiny", lambda _: FlyHigh(spots=3, cards="10A*2 20A U", die=(2,)))
        for v in ("basic", "advanced")
    ),
    *(
        Case("my_dwarves_fly", v, "tiny", _counted("small-dice", "creatures", 2, dice=1, faces=(2,), track=5))
        for v in ("game", "battle")
    ),
    Case("dwarves_dig_delve_die", "all-cards", "tiny", _fewer("small-gold", players=2, dice=3)),
    Case("dwarves_dig_delve_die", "dry", "tiny", _fewer("small-skull", players=2, dice=3)),
    Case("dwarves_dig_delve_die", "two", "tiny", _fewer("small", dice=3, sides=2)),
    *(
        Case("the_duel", v, "tiny", _counted("small-king", "cards", 1, 1, 0, hand=1))
        for v in ("game", "turn")
    ),
    *(
        Case("the_dwarf_king", v, "tiny", _some("small", cards=(0, 2, 3), specials=(0,)))
        for v in ("game", "trick")
    ),
    Case("railroad_ink", "base", "tiny", _fewer("small-duel", dice=(("STRAIGHT_H", "CURVE_H"),))),
    Case("railroad_ink", "river", "tiny", _fewer("small-ring", rounds=(1, 1))),
    Case("railroad_ink", "lake", "tiny", _fewer("small-flood", rounds=(1, 1))),
    Case("railroad_ink", "meteor", "tiny", _fewer("small-row", rounds=(2, 2))),
    Case("railroad_ink", "lava", "tiny", _fewer("small-lava", rounds=(1, 1))),
)
#: Declared sizes, for each variant one that the explorer needs few states for.
SMALL = (
    *(Case("fly_high", v, "small-bonus") for v in ("basic", "advanced")),
    *(Case("my_dwarves_fly", v, s) for v, s in (("game", "small-kinds"), ("battle", "small-kinds"))),
    *(Case("dwarves_dig_delve_die", v, "small-gold") for v in ("all-cards", "two")),
    Case("dwarves_dig_delve_die", "dry", "small-skull"),
    *(Case("the_duel", v, "small-trickery") for v in ("game", "turn")),
    *(Case("the_dwarf_king", v, "small-rest") for v in ("game", "trick")),
    Case("railroad_ink", "base", "small-duel"),
    Case("railroad_ink", "river", "small-ring"),
    Case("railroad_ink", "lake", "small-pier"),
    Case("railroad_ink", "meteor", "small-row"),
    Case("railroad_ink", "lava", "small-lava"),
)
#: Rulebook → the greatest share of questions at a size that may stay undecided.
MOST_UNKNOWN: Mapping[str, float] = {
    "dwarves_dig_delve_die": 0.13,
    "fly_high": 0.06,
    "my_dwarves_fly": 0.2,
    "railroad_ink": 0.12,
    "the_duel": 0.08,
    "the_dwarf_king": 0.08,
}


@dataclass(frozen=True)
class Question:
    """One question that both engines can answer.

    Attributes:
        name: What is asked: a site, a property, or `stuck`.
        goal: What a play meets that answers it.
        known: The explorer's shortest play to that; None where it says that there is none.
        met: Whether the interpreter meets it in the last state of a play, or with its last step: of the state
            (before that step), the state after it, and the sites that it records.
    """

    name: str
    goal: Goal
    known: Play | None
    met: Callable[[Interpreter, tuple[int, ...], tuple[int, ...] | None, tuple[int, ...]], bool]


@dataclass
class Row:
    """What became of the questions at one size."""

    case: Case
    states: int
    invariants: int
    questions: int = 0
    refuted: int = 0
    shortest: int = 0
    proved: int = 0
    unknown: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of questions that are undecided."""
        return len(self.unknown) / self.questions


def questions(program: Program, properties: Sequence[Property], explored: Exploration) -> Iterator[Question]:
    """Every site, stuck states, and every property that does not speak of the whole graph."""
    for site in program.sites:
        number = program.site_number[site.id]
        yield Question(
            f"site {site.id}",
            site_goal(program, site.id),
            explored.sites.get(site.id),
            lambda run, at, after, hits, number=number: number in hits,  # type: ignore[misc]
        )
    yield Question(
        "stuck",
        Stuck(),
        explored.stuck,
        lambda run, at, after, hits: not run.enabled(at) and not run.over(at),
    )
    for prop in properties:
        goal = property_goal(program, prop)
        if goal is not None:
            plays = explored.met if prop.form is Form.SOMETIMES else explored.violated
            yield Question(
                f"{prop.form.value} {prop.name}",
                goal,
                plays.get(prop.name),
                _breaks(prop.form, prop.term(program)),
            )


def _breaks(
    form: Form, term: Term
) -> Callable[[Interpreter, tuple[int, ...], tuple[int, ...] | None, tuple[int, ...]], bool]:
    """Whether a property is met (`sometimes`) or broken (else)."""
    if form is Form.STEP:
        return lambda run, at, after, hits: after is not None and not run.value(term, (*at, *after))
    return lambda run, at, after, hits: bool(run.value(term, at)) == (form is Form.SOMETIMES)


def disagreement(run: Interpreter, question: Question, verdict: Verdict) -> str:
    """What is wrong with a verdict, as the explorer and the interpreter say; "" where nothing is."""
    if isinstance(verdict, Proved) and question.known is not None:
        return f"{question.name}: proved ({verdict.scope}), but there is {question.known.labels}"
    if isinstance(verdict, Refuted):
        labels = verdict.witness.labels
        if question.known is None:
            return f"{question.name}: a play that the explorer does not know: {labels}"
        if not _meets(run, question, labels):
            return f"{question.name}: a play that does not do it: {labels}"
        longer = len(labels) - len(question.known.labels)
        if longer < 0 or (longer and verdict.witness.shortest):
            return f"{question.name}: a play of {len(labels)} steps; the shortest is {question.known.labels}"
    return ""


def _meets(run: Interpreter, question: Question, labels: Sequence[str]) -> bool:
    """Whether the interpreter can play a play, and meets with it what was asked."""
    if not question.goal.takes_step:
        return question.met(run, run.replay(labels)[-1], None, ())
    before = run.replay(labels[:-1])[-1]
    last = run.find(labels[-1])
    if last not in run.enabled(before):
        return False
    step = run.step(before, last)
    return question.met(run, before, step.state, step.hits)


def broken(program: Program, proved: Invariants) -> Iterator[str]:
    """Invariants that were proved and do not hold in some reachable state, as the explorer says."""
    if proved.complete:
        terms = {f"{number}: {c.name}": c.term for number, c in enumerate(proved.kept)}
        found = explore(program, [_always(name, term) for name, term in terms.items()])
        assert found.complete
        for name, play in found.violated.items():
            yield f"invariant {name}: proved, but broken by {play.labels}"


def _always(name: str, term: Term) -> Property:
    return Property(name, Form.ALWAYS, lambda t: term, None, (), (), "", here())


def compare(case: Case, *, budgets: Sequence[float] = BUDGETS, allowed: float | None = None) -> Row:
    """Ask both engines everything at one size.

    Args:
        case: The size.
        budgets: Seconds for one question, at first and then for what is undecided.
        allowed: The share of questions that may stay undecided; that of the rulebook unless given.
    """
    book = registry.find(case.book)
    program = book.build(case.size(book), case.variant)
    properties = kinds.of(book).of(case.variant)
    explored = explore(program, properties, limits=Limits(states=MOST_STATES))
    assert explored.complete
    assert explored.engine == "native"
    run = Interpreter(program)
    proved = find_invariants(program, properties, budget_seconds=INVARIANTS)
    row = Row(case, explored.states, len(proved.kept) if proved.complete else 0)
    row.disagreements += broken(program, proved)
    asked = {q.name: q for q in questions(program, properties, explored)}
    row.questions = len(asked)
    share = MOST_UNKNOWN[case.book] if allowed is None else allowed
    row.unknown = list(asked)
    for seconds in budgets:
        if seconds is not budgets[0] and row.share <= share:
            break
        waiting, row.unknown = row.unknown, []
        for question in (asked[name] for name in waiting):
            verdict = ask(program, question.goal, invariants=proved, budget_seconds=seconds, search=False)
            wrong = disagreement(run, question, verdict)
            if isinstance(verdict, Unknown):
                row.unknown.append(question.name)
            elif wrong:
                row.disagreements.append(wrong)
            elif isinstance(verdict, Proved):
                row.proved += 1
            else:
                row.refuted += 1
                row.shortest += verdict.witness.shortest
    return row


__all__ = [
    "MOST_UNKNOWN",
    "SMALL",
    "TINY",
    "Case",
    "Question",
    "Row",
    "broken",
    "compare",
    "disagreement",
    "questions",
]
