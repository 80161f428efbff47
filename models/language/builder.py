"""Builder: traces the rules of a rulebook for one size, one variant and one choice of readings.

Promises: everything that depends on the choices is checked here, before an engine runs; a mistake in a
rule's function, also an ordinary Python exception, is a `ModelError` that names the rule and the line.
"""

from __future__ import annotations

import enum
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from models.language.choices import Build
from models.language.decisions import Row
from models.language.errors import ModelError, blaming
from models.language.exclusive import check_chance_alone
from models.language.ir import Actor, Instance, Kind, Site
from models.language.lower import lower
from models.language.nearest import did_you_mean
from models.language.overrides import Overrides
from models.language.places import here
from models.language.program import Program, reader
from models.language.questions import CHANCE, STOP, ByPlayer, Reading, derived_id
from models.language.sites import Sites
from models.language.sizes import resolve
from models.language.terms import BOOL, FALSE, INT, Term, constant, enum_sort, every, some, term
from models.language.trace import Trace
from models.language.traced import Asked, Derived, Edited, Heard, Told, Traced, taken_again

if TYPE_CHECKING:
    from models.language.book import Rulebook
    from models.language.declarations import Rule
    from models.language.state import State

#: A parameter with more values than this must become a sequence of smaller choices.
MOST_VALUES = 64
#: A rule with more instances than this is refused with its number.
MOST_INSTANCES = 4096


class Builder:
    """Traces the rules of one build; also the `Context` of its traces.

    Args:
        book: The rulebook.
        made: What is built.
    """

    def __init__(self, book: Rulebook, made: Build) -> None:
        self.book, self.made, self.sites = book, made, Sites()
        self.variant = made.variant
        book.check_citations()
        self._kept = book.traces.of(made) if book.traces is not None else None
        self.layout = self._kept.layout if self._kept else book.state_class.lay_out(made.size)
        if book.traces is not None and self._kept is None:
            self._kept = book.traces.begin(made, self.layout)
        self.players = int(resolve(book.players, made.size))
        self._clauses = frozenset(book.clause_ids)
        self._overrides = Overrides(book, made)
        self._derived: dict[str, tuple[str, str]] = {}
        self._questions: dict[str, str] = {}
        self._told: list[Told] = []

    # -- what the traces ask -----------------------------------------------------------------------
    def site(
        self, kind: Kind, name: str, rows: tuple[str, ...], clauses: Sequence[str], shape: object
    ) -> int:
        """See `Context`."""
        place = here()
        for clause in clauses:
            if clause not in self._clauses:
                self.book.check_clause(clause, f"{place}, {name}", self._clauses)
        site = Site(kind, name, rows, tuple(clauses), place)
        number = self.sites.number(site, shape)
        self._told.append(Asked(site, shape, number))
        return number

    def heard(self, kind: Kind, name: str, rows: tuple[str, ...]) -> None:
        """See `Context`."""
        place = here()
        self._tell(Heard(Site(kind, name, rows, (), place).id, str(place)))

    def choice(self, reading: Reading) -> str:
        """See `Context`."""
        if reading.id not in self.made.readings:
            raise ModelError(
                f"reading {reading.id} belongs to the ruling {reading.ruling}, which is not applied",
                where=str(here()),
                hint=f"ask it only in a rule or an override with `ruling={reading.ruling!r}`",
            )
        return self.made.readings[reading.id]

    def derived(self, table: str, rows: tuple[str, str]) -> str:
        """See `Context`."""
        id = derived_id(table, *rows)
        self._tell(Derived(id, rows))
        option = self.made.readings.get(id, "")
        if option and option not in (*rows, STOP):
            raise ModelError(
                f"reading {id} has no option {option!r}", hint=f"choose one of {', '.join((*rows, STOP))}"
            )
        return option

    def edit(self, t: Any, table: str, rows: list[Row]) -> list[Row]:
        """See `Context`."""
        rows, edited = self._overrides.edit(t, table, rows)
        self._tell(edited)
        return rows

    def _tell(self, told: Heard | Derived | Edited) -> None:
        """Note what a trace tells."""
        self._told.append(told)
        if isinstance(told, Heard):
            self._questions.setdefault(told.id, told.where)
        elif isinstance(told, Derived):
            self._derived[told.id] = told.rows
        else:
            self._overrides.note(told)

    # -- building ----------------------------------------------------------------------------------
    def build(self) -> Program:
        """Trace everything.

        Errors:
            ModelError: any mistake in a rule.
        """
        instances = tuple(self._instances())
        self._overrides.check_applied()
        consulted = set().union(*(i.readings for i in instances))
        over = self._end("over", consulted)
        ends = [
            tuple(self._end(what, consulted, p) for p in range(self.players))
            if what in self.book.ends
            else ()
            for what in ("winner", "score")
        ]
        self._check_derived()
        self._check_questions()
        check_chance_alone(instances, over)
        made = self.made
        over_clauses = self.book.ends["over"].clauses if "over" in self.book.ends else ()
        return Program(
            self.book,
            made.size_name,
            made.size,
            made.variant,
            dict(made.readings),
            made.rulings,
            self.layout,
            instances,
            tuple(self.sites.sites),
            over,
            over_clauses,
            self.players,
            ends[0],
            ends[1],
            frozenset(consulted),
            self,
        )

    def _instances(self) -> Iterator[Instance]:
        number = itertools.count()
        for rule in self.book.rules:
            if rule.ruling and rule.ruling not in self.book.rulings:
                raise ModelError(
                    f"there is no ruling {rule.ruling!r}",
                    where=f"{rule.place}, rule {rule.name}",
                    hint=did_you_mean(rule.ruling, self.book.rulings) or "declare it with `book.ruling`",
                )
            if (rule.only and self.variant not in rule.only) or (
                rule.ruling and rule.ruling not in self.made.rulings
            ):
                continue
            labels: set[str] = set()
            for at, (values, numbers) in enumerate(self._values(rule)):
                index = next(number)
                made = self._again(rule, at, index) or self._traced(rule, at, values, numbers, index)
                if made.label in labels:
                    raise ModelError(
                        f"two instances are called {made.label}",
                        where=f"{rule.place}, rule {rule.name}",
                        hint="give the parameter values that print differently",
                    )
                labels.add(made.label)
                yield made

    def _values(self, rule: Rule) -> Iterable[tuple[tuple[Any, ...], tuple[int, ...]]]:
        """All combinations of the parameters' values, each with its values as numbers."""
        where, lists = f"{rule.place}, rule {rule.name}", []
        for name, given in rule.params.items():
            with blaming(f"rule {rule.name}"):
                made = resolve(given, self.made.size)
                made = made(self.made.size) if callable(made) and not isinstance(made, type) else made
            if not isinstance(made, (int, Iterable)):
                raise ModelError(
                    f"parameter {name} is {made!r}",
                    where=where,
                    hint="give a number of values, a sequence, an enumeration, or a function of the size",
                )
            values = list(range(made)) if isinstance(made, int) else list(made)
            if len(values) > MOST_VALUES:
                raise ModelError(
                    f"parameter {name} has {len(values)} values, at most {MOST_VALUES} are unrolled",
                    where=where,
                    hint="make it a sequence of smaller choices in a phase of its own",
                )
            lists.append(
                [(v, term(v).lo if isinstance(v, (int, enum.Enum)) else i) for i, v in enumerate(values)]
            )
        n = 1
        for choices in lists:
            n *= len(choices)
        if n > MOST_INSTANCES:
            raise ModelError(
                f"the rule would unroll to {n} instances, at most {MOST_INSTANCES} are built",
                where=where,
                hint="split the choice into several rules in sub-phases",
            )
        return ((tuple(v for v, _ in c), tuple(k for _, k in c)) for c in itertools.product(*lists))

    def _again(self, rule: Rule, at: int, index: int) -> Instance | None:
        """The instance of an earlier build, if its trace would go the same way in this one."""
        found = self._kept.find(rule, at, self.made.readings) if self._kept else None
        if found is None:
            return None
        numbers: dict[int, int] = {}
        for told in found.told:
            if isinstance(told, Asked):
                numbers[told.number] = self.sites.number(told.site, told.shape)
            else:
                self._tell(told)
        return taken_again(found.instance, index, numbers)

    def _traced(
        self, rule: Rule, at: int, values: tuple[Any, ...], numbers: tuple[int, ...], index: int
    ) -> Instance:
        """The instance, traced; what that took is kept where the rulebook keeps traces."""
        self._told = []
        made = self._instance(rule, values, numbers, index)
        if self._kept:
            options = tuple((id, self.made.readings.get(id, "")) for id in sorted(made.readings))
            self._kept.keep(at, Traced(rule, made, options, tuple(self._told)))
        return made

    def _instance(
        self, rule: Rule, values: tuple[Any, ...], numbers: tuple[int, ...], index: int
    ) -> Instance:
        params = dict(zip(rule.params, values, strict=True))
        shown = tuple((k, v.name if isinstance(v, enum.Enum) else str(v)) for k, v in params.items())
        called = f"rule {rule.name}" + (f"({', '.join(f'{k}={v}' for k, v in shown)})" if shown else "")
        look = reader(self.book, self.layout, self.made.size, self)
        with blaming(f"weight of {called}"):
            weight = self._weight(rule, look, params)
        with blaming(f"actor of {called}"):
            actor, who = self._actor(rule, look, params)
        trace = Trace(self.layout, self.made.size, self, rule.name, rule.clauses, dead=weight.hi <= 0)
        t = self.book.state_class(trace)
        if rule.phase:
            t.require(self._phase(rule, t))
        with blaming(called):
            rule.function(t, **params)
            body = lower(trace)
        guard = every(trace.full_guard(), weight > 0)
        return Instance(
            index,
            rule.name,
            shown,
            numbers,
            rule.clauses,
            actor,
            who,
            weight,
            guard,
            () if guard is FALSE else body,
            rule.secret,
            frozenset(trace.readings | look.trace.readings),
            rule.place,
        )

    def _phase(self, rule: Rule, t: State) -> Term:
        """The condition that the state is in one of the rule's phases."""
        where = f"{rule.place}, rule {rule.name}"
        if "phase" not in self.layout.fields:
            raise ModelError(
                "the rule has a phase, but the state has no field `phase`",
                where=where,
                hint="declare `phase = Enum(…)` in the state",
            )
        phase = t.phase
        wrong = next((p for p in rule.phase if enum_sort(type(p)) != phase.sort), None)
        if wrong is not None:
            raise ModelError(
                f"the phase {wrong} is not a member of {phase.sort.name}, the field's enumeration",
                where=where,
                hint="name members of one enumeration",
            )
        return some(*(phase == p for p in rule.phase))

    def _weight(self, rule: Rule, look: State, params: Mapping[str, Any]) -> Term:
        if rule.by is not CHANCE:
            return constant(1)
        given = resolve(rule.weight, self.made.size)
        weight = _call(given, look, params) if callable(given) else given
        if isinstance(weight, bool) or not isinstance(weight, (int, Term)) or term(weight).sort is not INT:
            raise ModelError(
                f"the weight is {weight!r}, not a whole number",
                where=str(rule.place),
                hint="give a number, a size, or a function of `t` and the parameters to a number",
            )
        if term(weight).hi < 0:
            raise ModelError(
                f"the weight {weight!r} is below 0", where=str(rule.place), hint="weights are 0 or more"
            )
        return term(weight)

    def _actor(self, rule: Rule, look: State, params: Mapping[str, Any]) -> tuple[Actor, Term | None]:
        by = rule.by
        if not isinstance(by, ByPlayer):
            return (Actor.CHANCE if by is CHANCE else Actor.RULES), None
        who = _call(by.who, look, params)
        made = term(who) if isinstance(who, (int, Term)) else None
        if made is None or made.sort is not INT or made.hi < 0 or made.lo >= self.players:
            raise ModelError(
                f"{who!r} is no player 0..{self.players - 1}",
                where=str(rule.place),
                hint="give the number of a player; `players=` of the rulebook says how many there are",
            )
        return (Actor.WINDOW if by.window else Actor.PLAYER), made

    def _end(self, what: str, consulted: set[str], *args: int) -> Term:
        """The term of `over`, `winner` or `score`."""
        end = self.book.ends.get(what)
        if end is None:
            return FALSE
        look = reader(self.book, self.layout, self.made.size, self)
        with blaming(what):
            made = end.function(look, *args)
            sort, hint = (INT, "return a number") if what == "score" else (BOOL, "return a condition")
            if not isinstance(made, (int, Term)) or term(made).sort is not sort:
                raise ModelError(f"the function gives {made!r}", where=str(end.place), hint=hint)
        consulted |= look.trace.readings
        return term(made)

    # -- what is left over -------------------------------------------------------------------------
    def _check_derived(self) -> None:
        for id in self.made.readings:
            if id not in self.book.readings and id not in self._derived:
                raise ModelError(
                    f"there is no reading {id!r}, as no table leaves these two rows in doubt",
                    where=f"rulebook {self.book.name}",
                    hint=did_you_mean(id, self._derived)
                    or "write table:row+row, the rows in alphabetical order",
                )

    def _check_questions(self) -> None:
        for id, where in self._questions.items():
            if id not in self.sites.numbers:
                raise ModelError(
                    f"{id} is asked where nothing is recorded, and by no rule, so no play would show it",
                    where=where,
                    hint="ask it in a rule, for instance in one by RULES that ends the game",
                )


def _call(function: Callable[..., Any], t: State, params: Mapping[str, Any]) -> Any:
    """Call a function of `t` and as many of the rule's parameters as it names."""
    wanted = inspect.signature(function).parameters
    everything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in wanted.values())
    return function(t, **{k: v for k, v in params.items() if everything or k in wanted})
