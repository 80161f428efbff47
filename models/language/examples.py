"""Examples: the plays that a rulebook prints, as scripts that evidence is taken from.

Promise: a script is data; it is run against every combination of the readings it consults, and says for
each whether the play is possible and shows what the text says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.places import Place, here


@dataclass(frozen=True)
class Move:
    """A move that is made: the one enabled instance of a rule with these parameters."""

    rule: str
    params: Mapping[str, Any]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class May:
    """Whether a move is allowed at this point."""

    rule: str
    params: Mapping[str, Any]
    allowed: bool
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Sees:
    """What must hold at this point: a function of `t` to a truth value."""

    holds: Callable[..., Any]
    place: Place = field(compare=False)


Part = Move | May | Sees


@dataclass
class Script:
    """Records an example; the function decorated with `Examples.example` gets one.

    Attributes:
        start: Field → value where the example begins elsewhere than at the setup.
        parts: What happens and what must be seen, in order.
    """

    start: dict[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)

    def begin(self, **fields: Any) -> None:
        """Begin from a position: fields not named are as in the setup."""
        if self.parts:
            raise ModelError("`begin` stands after a move", where=str(here()), hint="begin first")
        self.start.update(fields)

    def move(self, rule: str, **params: Any) -> None:
        """A move is made; consequences that follow alone happen before it by themselves."""
        self.parts.append(Move(rule, params, here()))

    def may(self, rule: str, **params: Any) -> None:
        """The move is allowed now."""
        self.parts.append(May(rule, params, True, here()))

    def may_not(self, rule: str, **params: Any) -> None:
        """The move is not allowed now."""
        self.parts.append(May(rule, params, False, here()))

    def sees(self, holds: Callable[..., Any]) -> None:
        """A condition holds now; consequences that follow alone have happened."""
        self.parts.append(Sees(holds, here()))


@dataclass(frozen=True)
class Example:
    """A printed example.

    Attributes:
        book: The rulebook.
        name: Name of the function.
        clauses: Sentences that print it.
        size: Size it is played at.
        variant: Variant it belongs to.
        script: What happens.
        place: Where it is declared.
        rulings: It is printed with the rulings, and played with all of them applied.
    """

    book: Rulebook
    name: str
    clauses: tuple[str, ...]
    size: str
    variant: str
    script: Script
    place: Place
    rulings: bool = False


class Examples:
    """The examples of one rulebook.

    Args:
        book: The rulebook.
    """

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.all: list[Example] = []

    def example(
        self, *clauses: str, size: str, variant: str = "", rulings: bool = False
    ) -> Callable[[Callable[[Script], None]], Callable[[Script], None]]:
        """Declare an example; the function writes its script.

        Args:
            clauses: Sentences that print it.
            size: Size it is played at.
            variant: Variant (the first unless given).
            rulings: Whether it belongs to the rulings: it is played with all of them applied.

        Errors:
            ModelError: an unknown clause, size or variant, or a script that does nothing.
        """
        place = here()

        def declare(function: Callable[[Script], None]) -> Callable[[Script], None]:
            where = f"{place}, example {function.__name__}"
            for clause in clauses:
                self.book.check_clause(clause, where)
            if not clauses or size not in self.book.sizes or (variant and variant not in self.book.variants):
                raise ModelError(
                    "an example needs a clause, a size and a variant that exist",
                    where=where,
                    hint=f"sizes: {list(self.book.sizes)}; variants: {list(self.book.variants)}",
                )
            script = Script()
            function(script)
            if not script.parts:
                raise ModelError("the example does nothing", where=where, hint="write its moves")
            first = next(iter(self.book.variants))
            self.all.append(
                Example(self.book, function.__name__, clauses, size, variant or first, script, place, rulings)
            )
            return function

        return declare
