"""Plan: what one fuzzing campaign varies: sizes, variants and readings of one rulebook.

Promises: the choices are ordered from simple to large, so that Hypothesis, which shrinks towards the first,
ends at the fewest components; each program is built once; the same arguments give the same plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.ir import Actor
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.terms import Term, every
from properties import kinds
from properties.kinds import Form, Property
from solvers.fuzz.mutants import Mutation
from solvers.interpreter import Code, Interpreter

#: Readings, one changed at a time, that a plan adds to the defaults unless it is told otherwise.
FLIPS = 6


@dataclass(frozen=True)
class Choice:
    """What is built: a size, a variant, and the readings that are not at their default."""

    size: str
    variant: str
    readings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return ", ".join((self.size, self.variant, *(f"{name}={option}" for name, option in self.readings)))


class Built:
    """One choice, built, with what is checked on the way.

    Args:
        choice: What was built.
        program: The program.
        properties: The properties of the variant.
        code: Compiled functions to share with other programs.

    Attributes:
        run: Its interpreter.
        always: Name and term of each invariant.
        step: Name and term of each property of steps.
        sometimes: Name and term of what some play must reach.
    """

    def __init__(
        self, choice: Choice, program: Program, properties: Sequence[Property], code: Code | None = None
    ) -> None:
        self.choice, self.program, self.run = choice, program, Interpreter(program, code)
        self.by_name = {p.name: p for p in properties}
        self.always, self.step, self.sometimes = (
            [(p.name, p.term(program)) for p in properties if p.form is form]
            for form in (Form.ALWAYS, Form.STEP, Form.SOMETIMES)
        )
        self._all_hold = self.run.compiled(every(*(t for _, t in self.always)))
        self._all_steps_hold = self.run.compiled(every(*(t for _, t in self.step)))

    def broken(self, state: tuple[int, ...]) -> Iterator[str]:
        """The invariants that a state breaks."""
        if not self._all_hold(state):
            yield from self._failing(self.always, state)

    def broken_step(self, before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[str]:
        """The properties of steps that a step breaks."""
        if not self._all_steps_hold(before + after):
            yield from self._failing(self.step, before + after)

    def _failing(self, checks: Sequence[tuple[str, Term]], values: tuple[int, ...]) -> Iterator[str]:
        for name, t in checks:
            if not self.run.value(t, values):
                yield name


@dataclass(frozen=True, eq=False)
class Plan:
    """A campaign over one rulebook; make one with `plan`.

    Attributes:
        book: The rulebook.
        choices: What may be built, simple first.
        tolerate: Properties and hazards (`stuck`, `endless`) that are recorded and do not fail a play.
    """

    book: Rulebook
    choices: tuple[Choice, ...]
    tolerate: frozenset[str] = frozenset()
    _built: dict[Choice, Built] = field(default_factory=dict, repr=False)
    _code: Code = field(default_factory=Code, repr=False)

    def build(self, choice: Choice) -> Built:
        """The program of a choice, built when it is first asked for."""
        if choice not in self._built:
            program = self.book.build(choice.size, choice.variant, dict(choice.readings))
            self._built[choice] = self.make(choice, program)
        return self._built[choice]

    @cached_property
    def by_name(self) -> Mapping[str, Choice]:
        """The choices by their text."""
        return {str(c): c for c in self.choices}

    def make(self, choice: Choice, program: Program) -> Built:
        """A program with the properties of its variant."""
        return Built(choice, program, kinds.of(self.book).of(choice.variant), self._code)

    def replaced(self, program: Program) -> Plan:
        """The plan that runs one given program (a mutant, say) instead of what the rulebook builds."""
        changed = tuple((k, v) for k, v in program.readings.items() if self._default(k) != v)
        choice = Choice(program.size_name, program.variant, changed)
        return Plan(self.book, (choice,), self.tolerate, {choice: self.make(choice, program)})

    def tolerating(self, what: str) -> Plan:
        """The plan in which one more property or hazard does not fail a play."""
        return replace(self, tolerate=self.tolerate | {what})

    def mutated(self, mutation: Mutation) -> Plan:
        """The plan in which one rule is changed in every program that has the place of the change."""
        built: dict[Choice, Built] = {}
        for choice in self.choices:
            changed = mutation.apply(self.build(choice).program)
            if changed is not None:
                built[choice] = self.make(choice, changed)
        return Plan(self.book, tuple(built), self.tolerate, built, self._code)

    def _default(self, reading: str) -> str:
        known = self.book.readings.get(reading)
        return known.default if known is not None else ""

    @property
    def choosing_rules(self) -> tuple[str, ...]:
        """Names of the rules that a player or chance acts, in order of declaration."""
        first = self.build(self.choices[0]).program
        names = dict.fromkeys(i.rule for i in first.instances if i.actor is not Actor.RULES)
        return tuple(names)


def plan(
    book: Rulebook,
    *,
    sizes: Iterable[str] = (),
    variants: Iterable[str] = (),
    flips: int = FLIPS,
    tolerate: Iterable[str] = (),
) -> Plan:
    """Say what a campaign varies.

    Args:
        book: The rulebook.
        sizes: Names of sizes (all unless given).
        variants: Names of variants (all unless given).
        flips: How many readings to change, one at a time, at the simplest size; they are spread evenly over
            all options of all readings that a rule consults.
        tolerate: Properties and hazards that do not fail a play.

    Returns:
        The plan: every size with every variant at the default readings, then the changed readings.

    Errors:
        ModelError: an unknown size or variant.
    """
    chosen_sizes = tuple(book.find_size(size)[0] for size in sizes) or tuple(book.sizes)
    chosen_variants = _known(book, tuple(variants), book.variants, "variant")
    layouts = {s: book.state_class.lay_out(book.sizes[s]) for s in chosen_sizes}
    ordered = sorted(chosen_sizes, key=lambda s: (layouts[s].bits, len(layouts[s].slots), s))
    plain = [Choice(s, v) for s in ordered for v in chosen_variants]
    changed = list(_flips(book, plain[: len(chosen_variants)], flips)) if flips else []
    return Plan(book, (*plain, *changed), frozenset(tolerate))


def _known(book: Rulebook, wanted: tuple[str, ...], known: Iterable[str], what: str) -> tuple[str, ...]:
    names = list(known)
    for name in wanted:
        if name not in names:
            raise ModelError(
                f"rulebook {book.name} has no {what} {name!r}",
                hint=did_you_mean(name, names) or f"choose one of {', '.join(names)}",
            )
    return wanted or tuple(names)


def _flips(book: Rulebook, plain: Sequence[Choice], most: int) -> Iterator[Choice]:
    found = []
    for choice in plain:
        consulted = book.build(choice.size, choice.variant).consulted
        for reading in book.readings.values():
            if reading.id in consulted and not reading.ruling:
                for option in reading.options:
                    if option != reading.default:
                        found.append(Choice(choice.size, choice.variant, ((reading.id, option),)))
    take = min(most, len(found))
    for k in range(take):
        yield found[k * len(found) // take]
