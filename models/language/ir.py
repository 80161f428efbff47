"""The IR: what every engine runs.

Promises: everything here is immutable once built; a step is deterministic once the instance is chosen;
bodies are already lowered, so that an engine walks the statements in order, evaluates a `Let` when it
meets it and from then on uses the kept value wherever that term occurs (DESIGN: sharing and versions).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from models.language.places import Place
from models.language.terms import Term


class Kind(enum.Enum):
    """What a site asks; the value is the name used in ids, words and reports."""

    GAP = "gap"
    CLASH = "clash"
    OVERLAP = "overlap"
    ROW = "row"
    TIE = "tie"
    SHORTAGE = "shortage"
    STACKING = "stacking"
    RACE = "race"
    STOP = "stop"
    CAPACITY = "capacity"
    COVER = "cover"


#: Kinds that only show that something was exercised; reaching one is no finding.
COVERAGE = frozenset({Kind.ROW, Kind.COVER})


@dataclass(frozen=True)
class Site:
    """One question of one construct: (kind, construct name, row or rows).

    Attributes:
        kind: What is asked.
        name: Name of the construct, unique in the rulebook.
        rows: The row, or the pair of rows, in the order of the table.
        clauses: Clauses concerned.
        place: Where the construct stands.
    """

    kind: Kind
    name: str
    rows: tuple[str, ...]
    clauses: tuple[str, ...]
    place: Place = field(compare=False)

    @property
    def id(self) -> str:
        """Stable text: `clash:after-reveal:turn.all-nine+uturn.no-end`."""
        rows = ["+".join(self.rows)] if self.rows else []
        return ":".join([self.kind.value, self.name, *rows])


@dataclass(frozen=True)
class Assign:
    """`slots[index] := value`, evaluated before the write; `index` is None for a single slot."""

    slots: tuple[int, ...]
    index: Term | None
    value: Term


@dataclass(frozen=True)
class If:
    """Both branches may be empty."""

    condition: Term
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@dataclass(frozen=True)
class Probe:
    """Records site `site` (index into `Program.sites`) where the condition holds; changes nothing."""

    site: int
    condition: Term


@dataclass(frozen=True)
class Cover:
    """Records that the play came by; changes nothing."""

    site: int


@dataclass(frozen=True)
class Stop:
    """The step has no successor: an open end of the text, or a number out of its range."""

    site: int


@dataclass(frozen=True)
class Let:
    """Evaluate the term here and keep it: it is used again, or its slots are about to be overwritten."""

    term: Term


Stmt = Assign | If | Probe | Cover | Stop | Let
Block = tuple[Stmt, ...]


class Actor(enum.IntEnum):
    """Who acts; in a state only the instances of the lowest kind present may act."""

    RULES = 0
    WINDOW = 1
    CHANCE = 2
    PLAYER = 3


@dataclass(frozen=True, eq=False)
class Instance:
    """One rule with its parameters fixed.

    Attributes:
        index: Position in `Program.instances`.
        rule: Name of the rule.
        params: Parameter names and their values as text, in order of declaration.
        values: The same values as numbers (enumeration members by ordinal).
        clauses: Clauses that license the rule.
        actor: Kind of actor.
        player: Who acts, for PLAYER and WINDOW (a term over the state before the step).
        weight: Weight of a CHANCE instance (a term over the state before the step, at least 0).
        guard: When the instance is enabled, over the state before the step.
        body: What it does.
        secret: Names of parameters that other players do not see.
        readings: Ids of the readings that tracing the rule consulted.
        place: Where the rule is defined.
    """

    index: int
    rule: str
    params: tuple[tuple[str, str], ...]
    values: tuple[int, ...]
    clauses: tuple[str, ...]
    actor: Actor
    player: Term | None
    weight: Term
    guard: Term
    body: Block
    secret: frozenset[str]
    readings: frozenset[str]
    place: Place

    def __repr__(self) -> str:
        told = f"{self.actor.name}, {', '.join(self.clauses)}"
        return f"<Instance {self.index} {self.label}: {told if len(told) <= 60 else told[:59] + '…'}>"

    @cached_property
    def label(self) -> str:
        """`reveal(spot=2)`; unique in a program."""
        return self._label(frozenset())

    @cached_property
    def visible_label(self) -> str:
        """The label as everybody sees it: secret parameters are masked."""
        return self._label(self.secret)

    def _label(self, masked: frozenset[str]) -> str:
        shown = ", ".join(f"{k}={'?' if k in masked else v}" for k, v in self.params)
        return f"{self.rule}({shown})" if shown else self.rule


def statements(block: Block) -> Iterator[Stmt]:
    """All statements of a block and its branches, in order of execution."""
    for s in block:
        yield s
        if isinstance(s, If):
            yield from statements(s.then)
            yield from statements(s.otherwise)


def roots(stmt: Stmt) -> tuple[Term, ...]:
    """The terms that a statement itself evaluates (not those of its branches)."""
    if isinstance(stmt, Assign):
        return (stmt.value,) if stmt.index is None else (stmt.index, stmt.value)
    if isinstance(stmt, (If, Probe)):
        return (stmt.condition,)
    return (stmt.term,) if isinstance(stmt, Let) else ()


def effect_key(block: Block) -> tuple[object, ...]:
    """A key that two bodies share exactly when they write the same terms under the same conditions.

    Probes, covers and lets are left out: they never change execution. Terms are interned, so their ids
    are comparable between programs that are alive at the same time.
    """
    key: list[object] = []
    for s in block:
        if isinstance(s, Assign):
            key.append((s.slots, -1 if s.index is None else s.index.id, s.value.id))
        elif isinstance(s, If):
            branches = (effect_key(s.then), effect_key(s.otherwise))
            if branches != ((), ()):
                key.append((s.condition.id, *branches))
        elif isinstance(s, Stop):
            key.append("stop")
    return tuple(key)
