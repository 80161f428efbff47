"""Survey: asks the engines everything about one rulebook in one variant and keeps their answers.

Promises: each size is explored once; readings are compared with the default along it, one at a time; an
answer that a limit cut off is kept as such. Nothing here is worded for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from findings.progress import Progress
from models.language import registry
from models.language.book import Rulebook
from models.language.examples import Example, Examples
from models.language.ir import Kind, Site
from models.language.program import Program
from models.language.questions import STOP, Reading, derived_id, derived_reading
from models.language.sizes import Size
from properties import kinds
from properties.kinds import Form, Property
from solvers.compare import Builder, Diagonal, Evidence, Parting, Stake, gather, stake
from solvers.compare.diagonal import same_rules
from solvers.contract import Limits, Play, Unknown, Verdict
from solvers.explorer import Exploration, explore
from solvers.explorer.cycles import Endless, endless, lost, never_ends
from solvers.explorer.order import Disorder, Order
from solvers.interpreter import Values
from solvers.interpreter.bench import Bench

if TYPE_CHECKING:
    from solvers.symbolic.facts import FactsReport


@dataclass(frozen=True)
class Hit:
    """A site that a play records, at one size."""

    site: Site
    program: Program
    play: Play


@dataclass(frozen=True)
class Parted:
    """One option of a reading against the default, at one size.

    Attributes:
        program: The default program.
        other: The program with the option.
        parting: Where they part.
        stake: What paired games from there show.
    """

    program: Program
    other: Program
    parting: Parting
    stake: Stake


@dataclass
class Split:
    """A reading and what its options do.

    Attributes:
        reading: The reading, declared or derived from two clashing rows.
        hit: For a derived reading, the play in which the two rows first clash.
        parted: Option → where it parts from the default, at the first size at which it does.
        never: Option → for each size at which it was asked in vain, the answer.
        programs: (size, option) → the program with that option.
    """

    reading: Reading
    hit: Hit | None = None
    parted: dict[str, Parted] = field(default_factory=dict)
    never: dict[str, dict[str, Verdict]] = field(default_factory=dict)
    programs: dict[tuple[str, str], Program] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[str, ...]:
        """The options without the one by which play stops."""
        return tuple(o for o in self.reading.options if o != STOP or not self.reading.derived)

    @property
    def nearest(self) -> Parted | None:
        """The parting after the fewest moves, over all options that say how play goes on."""
        told = [self.parted[o] for o in self.rows if o in self.parted]
        return min(told, key=lambda p: len(p.parting.play.labels), default=None)


@dataclass
class Survey:
    """Everything that the engines said about one rulebook in one variant.

    Attributes:
        book: The rulebook.
        variant: The variant's name.
        size: The size that was asked for.
        properties: The properties of the variant.
        bench: Interpreters of the programs.
        explorations: One a size, that of the size asked for first.
        hits: Site id → the play that first records it.
        splits: Reading id → what its options do.
        orders: Pair of rules → a state in which their order matters.
        circles: What keeps play going for ever, by the rules that do it and whether an end can be reached.
        hopeless: Property → a play to a position that it asks for, and how many there are.
        stuck: A play after which nobody may act, and how many such states there are.
        violated: Property → a play that breaks it.
        met: `sometimes` properties that some play meets.
        unending: Sizes at which the end cannot be reached from everywhere.
        nested: Reading that is consulted only under another one's option → that reading and option.
        unasked: Declared readings that no rule of any variant consults.
        evidence: What the printed examples say.
        facts: What the statements about components say about each other; None where there are none.
        rulings: Whether rulings are applied, or the ids of those that are.
        answers: Options of readings that are taken as given, beside the rulings.
    """

    book: Rulebook
    variant: str
    size: str
    properties: tuple[Property, ...]
    bench: Bench = field(default_factory=Bench)
    explorations: list[Exploration] = field(default_factory=list)
    hits: dict[str, Hit] = field(default_factory=dict)
    splits: dict[str, Split] = field(default_factory=dict)
    orders: dict[tuple[str, str], tuple[Program, Disorder]] = field(default_factory=dict)
    circles: dict[tuple[tuple[str, ...], bool], tuple[Program, Endless]] = field(default_factory=dict)
    hopeless: dict[str, tuple[Program, Play, int]] = field(default_factory=dict)
    stuck: tuple[Program, Play, int] | None = None
    violated: dict[str, tuple[Program, Play]] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    unending: set[str] = field(default_factory=set)
    nested: dict[str, tuple[str, str]] = field(default_factory=dict)
    unasked: list[str] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    facts: FactsReport | None = None
    rulings: bool | Sequence[str] = False
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def picked(self) -> frozenset[str]:
        """Readings that the answers and the rulings which are applied settle."""
        ruled = {id for r in self.program.rulings for id in self.book.rulings[r].picks}
        return frozenset(ruled | set(self.answers))

    def made(self, size: str | Size | None, variant: str | None, options: Mapping[str, str]) -> Program:
        """A program with some options, under the answers and rulings of this survey."""
        return self.book.build(size, variant, {**self.answers, **options}, self.rulings)

    @property
    def base(self) -> Exploration:
        """The exploration of the size that was asked for."""
        return self.explorations[0]

    @property
    def program(self) -> Program:
        """The default program at the size that was asked for."""
        return self.base.program

    @property
    def sites(self) -> dict[str, Site]:
        """All sites by id, over all sizes."""
        return {s.id: s for e in self.explorations for s in e.program.sites}

    def build(self, split: Split, program: Program, option: str) -> Program:
        """The program with an option of a reading, at the size of another program; built once."""
        key = (program.size_name, option)
        if key not in split.programs:
            split.programs[key] = (
                program
                if option == split.reading.default
                else self.made(program.size, program.variant, {split.reading.id: option})
            )
        return split.programs[key]


def survey(
    book: Rulebook,
    variant: str | None,
    size: str | Size | None,
    progress: Progress,
    limits: Limits,
    rulings: bool | Sequence[str] = False,
    answers: Mapping[str, str] | None = None,
) -> Survey:
    """Ask the engines.

    Args:
        book: The rulebook.
        variant: The variant's name, or None for the first.
        size: The size's name or numbers, or None for the first.
        progress: Where to say how far it is.
        limits: When an exploration gives up.
        rulings: Whether to apply rulings, or the ids of those to apply; what they settle is not asked again.
        answers: Reading (or derived reading) → option to take as given; it is not asked again.

    Returns:
        The answers.
    """
    first = book.build(size, variant, answers, rulings)
    done = Survey(
        book,
        first.variant,
        first.size_name,
        kinds.of(book).of(first.variant),
        rulings=rulings,
        answers=answers or {},
    )
    companions = [n for n in book.sizes if n.startswith(f"{first.size_name}-")]
    for program in [first, *(done.made(n, first.variant, {}) for n in companions)]:
        explored = explore(program, done.properties, limits=limits, graph=True, progress=progress)
        done.explorations.append(explored)
        _sites(done, explored)
        if explored.graph is not None:
            _graph(done, explored)
    for explored in done.explorations:
        _readings(done, explored, progress)
    done.unasked = list(_unasked(done))
    _examples(done, progress)
    if book.facts:
        from solvers.symbolic.facts import check_facts

        with progress.task(f"{book.name}: components"):
            done.facts = check_facts(book, first if first.rulings else None)
    return done


def _sites(done: Survey, explored: Exploration) -> None:
    program = explored.program
    by_id = {s.id: s for s in program.sites}
    for id, play in explored.sites.items():
        done.hits.setdefault(id, Hit(by_id[id], program, play))
    if explored.stuck is not None and done.stuck is None:
        done.stuck = (program, explored.stuck, explored.stuck_states)
    for name, play in explored.violated.items():
        done.violated.setdefault(name, (program, play))
    done.met |= set(explored.met)


def _graph(done: Survey, explored: Exploration) -> None:
    program, graph = explored.program, explored.graph
    assert graph is not None
    run = done.bench(program)
    for (a, b), disorder in Order(run, graph).disorders().items():
        if (b, a) not in done.orders:
            done.orders.setdefault((a, b), (program, disorder))
    for circle in endless(program, graph):
        done.circles.setdefault((circle.rules, circle.closed), (program, circle))
    if never_ends(graph) is not None:
        done.unending.add(program.size_name)
    for p in done.properties:
        if p.form is Form.LOST and p.name not in done.hopeless:
            play, count = lost(run, graph, p.term(program), p.goal_term(program))
            if play is not None:
                done.hopeless[p.name] = (program, play, count)


# -- readings -------------------------------------------------------------------------------------------


def _readings(done: Survey, explored: Exploration, progress: Progress) -> None:
    program, asked = explored.program, list[tuple[Split, str]]()
    for reading, hit in [*_declared(done, program), *_derived(done, explored)]:
        split = done.splits.setdefault(reading.id, Split(reading, hit))
        asked += [(split, o) for o in reading.options if o != split.reading.default and o not in split.parted]
    diagonal = Diagonal(explored, done.bench.code) if explored.graph is not None else None
    with progress.task(f"{done.book.name}, {program.size_name}: readings", len(asked)) as tick:
        for split, option in asked:
            _ask(done, diagonal, explored, split, option)
            tick(1)


def _ask(done: Survey, diagonal: Diagonal | None, explored: Exploration, split: Split, option: str) -> None:
    program = explored.program
    if diagonal is None:
        bound = f"{explored.states} states, depth {explored.depth}"
        split.never.setdefault(option, {})[program.size_name] = Unknown(explored.stopped_by, bound)
        return
    other = done.build(split, program, option)
    for id in sorted(other.consulted - program.consulted):
        if id in done.book.readings:
            done.nested.setdefault(id, (split.reading.id, option))
    found = diagonal.first(other)
    if isinstance(found, Parting):
        paired = stake(done.bench(program), done.bench(other), found.states)
        split.parted[option] = Parted(program, other, found, paired)
    else:
        split.never.setdefault(option, {})[program.size_name] = found


def _declared(done: Survey, program: Program) -> Iterator[tuple[Reading, None]]:
    for id in program.readings:
        if id in done.book.readings and id in program.consulted and id not in done.picked:
            yield done.book.readings[id], None


def _derived(done: Survey, explored: Exploration) -> Iterator[tuple[Reading, Hit]]:
    """The readings of the pairs of rows that clash in some play of an exploration."""
    program = explored.program
    for site in program.sites:
        if site.kind is not Kind.CLASH or site.id not in explored.sites:
            continue
        if derived_id(site.name, *site.rows) in done.picked:
            continue
        hit, (a, b) = done.hits[site.id], site.rows
        known = done.splits.get(derived_id(site.name, a, b))
        if known is not None:
            yield known.reading, hit
            continue
        chosen = {derived_id(site.name, a, b): a}
        other = done.made(program.size, program.variant, chosen)
        default = a if same_rules(program, other) else b
        yield derived_reading(site.name, (a, b), site.clauses, default), hit


def _unasked(done: Survey) -> Iterator[str]:
    """Declared readings that no rule consults, in this variant or another, whatever is chosen for others."""
    consulted = {id for e in done.explorations for id in e.program.consulted} | set(done.nested)
    left = [id for id, r in done.book.readings.items() if not r.ruling and id not in consulted]
    for variant in done.book.variants:
        if left and variant != done.variant:
            program = done.made(done.program.size, variant, {})
            left = [id for id in left if id not in program.consulted]
    yield from left


# -- examples -------------------------------------------------------------------------------------------


def _examples(done: Survey, progress: Progress) -> None:
    readings = {id: s.reading for id, s in done.splits.items()}
    readings |= {r.id: r for r in done.book.readings.values() if not r.ruling}
    mine = [
        e
        for e in examples_of(done.book)
        if e.variant == done.variant and (not e.rulings or done.rulings is True)
    ]
    build = Builder(done.bench.code)
    with progress.task(f"{done.book.name}: examples", len(mine)) as tick:
        for example in mine:
            done.evidence.append(gather(example, build, readings, lambda p, s: occurs(done, p, s)))
            tick(1)


def occurs(done: Survey, program: Program, state: Values) -> bool | None:
    """Whether a position of a program is one of those that were explored; None where its size was not."""
    explored = next((e for e in done.explorations if e.program.size_name == program.size_name), None)
    if explored is None or explored.graph is None:
        return None
    states = explored.graph.states
    same = np.ones(len(states), np.bool_)
    for slot, value in enumerate(state):
        same &= states.column(slot) == value
    return bool(same.any())


def examples_of(book: Rulebook) -> Sequence[Example]:
    """The printed examples of a rulebook, from `examples.py` beside it.

    Errors:
        ModelError: the module cannot be loaded.
    """
    module = registry.beside(book, "examples")
    found = [v for v in vars(module).values() if isinstance(v, Examples)] if module is not None else []
    return [e for group in found for e in group.all]


def fired_clauses(explorations: Iterable[Exploration]) -> set[str]:
    """Clauses of the rules that acted and of the sites that were recorded."""
    found: set[str] = set()
    for e in explorations:
        found |= {c for label in e.fired for c in e.program.by_label[label].clauses}
        found |= {c for s in e.program.sites if s.id in e.sites for c in s.clauses}
        found |= set(e.program.over_clauses) if e.over_states else set()
    return found


__all__ = ["Hit", "Parted", "Split", "Survey", "examples_of", "fired_clauses", "occurs", "survey"]
