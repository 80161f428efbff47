"""Kinds of property: what must hold of a rulebook, in the words of model checking.

Promises: a property is declared once, as terms over the state, and every engine checks that one term;
declaring runs nothing.
"""

from __future__ import annotations

import enum
import importlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.places import Place, here
from models.language.program import Program
from models.language.registry import beside
from models.language.terms import Term, truth

Function = Callable[..., Any]


class Form(enum.Enum):
    """What a property speaks about."""

    ALWAYS = "always"  #: every reachable state
    STEP = "step"  #: every step between reachable states
    SOMETIMES = "sometimes"  #: some reachable state
    ENDS = "ends"  #: from every reachable state the end can still be reached
    LOST = "lost"  #: asked for: states from which no play inside a region takes a goal step


@dataclass(frozen=True)
class Property:
    """One property.

    Attributes:
        name: Stable name.
        form: What it speaks about.
        holds: ALWAYS, SOMETIMES: a function of `t`; STEP: of `before` and `after`; LOST: the region, of `t`.
        goal: LOST: the goal step, of `before` and `after`.
        clauses: Sentences it rests on.
        only: Variants it belongs to (all when empty).
        doc: What it says, from the docstring.
    """

    name: str
    form: Form
    holds: Function | None
    goal: Function | None
    clauses: tuple[str, ...]
    only: tuple[str, ...]
    doc: str
    place: Place

    def term(self, program: Program) -> Term:
        """The property over a program: a state term, or a step term for STEP."""
        assert self.holds is not None
        make = program.transition if self.form is Form.STEP else program.expression
        return truth(make(self.holds), f"property {self.name}")

    def goal_term(self, program: Program) -> Term:
        """The goal step of LOST."""
        assert self.goal is not None
        return truth(program.transition(self.goal), f"goal of {self.name}")


class Properties:
    """The properties of one rulebook; a module `properties/<rulebook>.py` holds one as `PROPERTIES`.

    A rulebook outside this repository keeps it as `properties.py` beside its `rules.py`.
    """

    def __init__(self) -> None:
        self.all: list[Property] = []

    def __iter__(self) -> Iterator[Property]:
        return iter(self.all)

    def of(self, variant: str) -> tuple[Property, ...]:
        """The properties of a variant."""
        return tuple(p for p in self.all if not p.only or variant in p.only)

    def _add(
        self,
        form: Form,
        function: Function | None,
        clauses: tuple[str, ...],
        only: tuple[str, ...],
        goal: Function | None = None,
        name: str = "",
    ) -> None:
        called = name or (function.__name__.replace("_", "-") if function else form.value)
        if any(p.name == called for p in self.all):
            raise ModelError(f"there are two properties {called}", where=str(here()), hint="rename one")
        doc = " ".join((function.__doc__ or "").split()) if function else ""
        self.all.append(Property(called, form, function, goal, clauses, only, doc, here()))

    def _declare(
        self, form: Form, clauses: tuple[str, ...], only: tuple[str, ...], goal: Function | None = None
    ) -> Callable[[Function], Function]:
        def declare(function: Function) -> Function:
            self._add(form, function, clauses, only, goal)
            return function

        return declare

    def always(self, *clauses: str, only: tuple[str, ...] = ()) -> Callable[[Function], Function]:
        """Declare an invariant: a function of `t` to a truth value."""
        return self._declare(Form.ALWAYS, clauses, only)

    def step(self, *clauses: str, only: tuple[str, ...] = ()) -> Callable[[Function], Function]:
        """Declare what holds of every step: a function of `before` and `after`."""
        return self._declare(Form.STEP, clauses, only)

    def sometimes(self, *clauses: str, only: tuple[str, ...] = ()) -> Callable[[Function], Function]:
        """Declare what some play must reach: a function of `t`."""
        return self._declare(Form.SOMETIMES, clauses, only)

    def lost(
        self, *clauses: str, goal: Function, only: tuple[str, ...] = ()
    ) -> Callable[[Function], Function]:
        """Ask for hopeless positions: the function is the region one stays in, `goal` the step hoped for."""
        return self._declare(Form.LOST, clauses, only, goal)

    def ends(self, *clauses: str) -> None:
        """Declare that from every reachable state the game can still end."""
        self._add(Form.ENDS, None, clauses, (), name="can-end")


def of(book: Rulebook) -> Properties:
    """The properties of a rulebook, empty if it has none.

    Errors:
        ModelError: the module exists and cannot be loaded.
    """
    own = beside(book, "properties")
    if own is None and importlib.util.find_spec(f"properties.{book.name}") is not None:
        own = importlib.import_module(f"properties.{book.name}")
    found = getattr(own, "PROPERTIES", None)
    return found if isinstance(found, Properties) else Properties()
