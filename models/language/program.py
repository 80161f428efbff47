"""Program: a rulebook built for one size, one variant and one choice of readings; what engines run.

Promises: immutable; two builds of the same source with the same choices have the same digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.language import ir
from models.language.errors import ModelError
from models.language.ir import Instance, Kind, Site
from models.language.places import innermost
from models.language.printing import counted
from models.language.questions import Reading
from models.language.sizes import Size
from models.language.slots import Layout
from models.language.state import State
from models.language.terms import Sort, Term, term, walk
from models.language.trace import Context, Trace

if TYPE_CHECKING:
    from models.language.book import Rulebook


@dataclass(frozen=True, eq=False)
class Program:
    """A built rulebook.

    Attributes:
        book: The rulebook.
        size_name: Name of the size.
        size: Its numbers.
        variant: Name of the variant.
        readings: Option of every declared reading, and of the derived readings that were set.
        rulings: Ids of the rulings that were applied.
        layout: The state's slots.
        instances: Rules with parameters fixed, in order of declaration.
        sites: What is asked; probes refer to it by position.
        over: Whether the game is over, a Boolean term.
        over_clauses: Sentences that end the game.
        players: Number of players.
        winners: For each player, whether they have won, where the game is over (empty if not declared).
        scores: For each player, their score (empty if not declared).
        consulted: Readings that any rule consulted.
    """

    book: Rulebook
    size_name: str
    size: Size
    variant: str
    readings: Mapping[str, str]
    rulings: tuple[str, ...]
    layout: Layout
    instances: tuple[Instance, ...]
    sites: tuple[Site, ...]
    over: Term
    over_clauses: tuple[str, ...]
    players: int
    winners: tuple[Term, ...]
    scores: tuple[Term, ...]
    consulted: frozenset[str]
    context: Context

    def __repr__(self) -> str:
        rulings = f", rulings {', '.join(self.rulings)}" if self.rulings else ""
        return (
            f"<Program {self.book.name}, {self.variant}, {self.size_name}{rulings}: "
            f"{counted(len(self.instances), 'instance')}, {counted(len(self.layout.slots), 'slot')}, "
            f"{counted(len(self.sites), 'site')}>"
        )

    @property
    def start(self) -> tuple[int, ...]:
        """The state of the setup: one value per slot."""
        return self.layout.start

    @cached_property
    def by_label(self) -> Mapping[str, Instance]:
        """Instances by label."""
        return {i.label: i for i in self.instances}

    @cached_property
    def observable(self) -> tuple[int, ...]:
        """Positions of the slots that are not hidden."""
        return tuple(s.index for s in self.layout.slots if not s.hidden)

    @cached_property
    def site_number(self) -> Mapping[str, int]:
        """Positions of sites by id."""
        return {s.id: i for i, s in enumerate(self.sites)}

    def expression(self, function: Callable[..., Any], *args: Any) -> Term:
        """A term over a state of this program.

        Args:
            function: Called with `t` and the further arguments; reads the state, changes nothing.
            args: Further arguments.

        Returns:
            The term.
        """
        return _made(function, self._reader(0), *args)

    def transition(self, function: Callable[..., Any], *args: Any) -> Term:
        """A term over a step: `function(before, after)`.

        Reads of `after` are slots numbered from `len(layout.slots)` on, so that an engine evaluates
        it on the two states put one behind the other.
        """
        return _made(function, self._reader(0), self._reader(len(self.layout.slots)), *args)

    def _reader(self, offset: int) -> State:
        return reader(self.book, self.layout, self.size, self.context, offset)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the layout and the IR in a canonical order, hex.

        Everything that an engine's answer can depend on goes in, places in the source do not.
        """
        return _Digest().of(self)


class _Digest:
    """Feeds a program to a hash; terms are numbered in the order in which they are met."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.number: dict[int, int] = {}
        self.seen: set[int] = set()

    def of(self, program: Program) -> str:
        self.feed([(s.name, _sort(s.sort), s.lo, s.hi, s.start, s.hidden) for s in program.layout.slots])
        self.feed([(s.id, s.clauses) for s in program.sites], program.players, program.over_clauses)
        for t in (program.over, *program.winners, *program.scores):
            self.feed(self.name(t))
        for i in program.instances:
            player = -1 if i.player is None else self.name(i.player)
            self.feed(i.label, i.visible_label, i.values, i.clauses, int(i.actor), player)
            self.feed(self.name(i.guard), self.name(i.weight))
            self.block(i.body)
        return self.hash.hexdigest()

    def feed(self, *parts: object) -> None:
        self.hash.update(repr(parts).encode())

    def name(self, root: Term) -> int:
        for t in walk(root, seen=self.seen):
            self.number[t.id] = len(self.number)
            data = t.data[:2] if t.op in ("read", "select") else t.data
            self.feed(t.op, _sort(t.sort), data, t.lo, t.hi, *(self.number[a.id] for a in t.args))
        return self.number[root.id]

    def block(self, body: ir.Block) -> None:
        for s in body:
            self.feed(type(s).__name__, *(self.name(r) for r in ir.roots(s)))
            if isinstance(s, ir.If):
                self.block(s.then)
                self.feed("else")
                self.block(s.otherwise)
                self.feed("end")
            elif isinstance(s, ir.Assign):
                self.feed(s.slots)
            elif isinstance(s, (ir.Probe, ir.Cover, ir.Stop)):
                self.feed(s.site)


def _sort(sort: Sort) -> tuple[str, ...]:
    return (sort.name, *(m.name for m in sort.members or ()))


def reader(book: Rulebook, layout: Layout, size: Size, context: Context, offset: int = 0) -> State:
    """A state that can be read but not changed, for properties, actors, weights and ends.

    Args:
        book: The rulebook.
        layout: Its slots.
        size: The size that is built.
        context: What the builder offers to traces.
        offset: Added to the numbers of the slots.
    """
    return book.state_class(Trace(layout, size, context, "", (), recording=False, offset=offset))


def _made(function: Callable[..., Any], *args: Any) -> Term:
    """The term that a modeller's function gives; an ordinary exception in it becomes a `ModelError`."""
    try:
        return term(function(*args))
    except ModelError:
        raise
    except Exception as error:
        name = getattr(function, "__name__", "the function")
        raise ModelError(
            f"{type(error).__name__}: {error}", where=f"{innermost(error)}, {name}", hint="correct the line"
        ) from error


__all__ = ["Kind", "Program", "Reading", "reader"]
