"""Interactions: which readings may change what another one changes, decided from the IR without a search.

Promises: two readings that share nothing here cannot change each other's effect within a step: no
assignment or condition that one of them changes reads what an assignment that the other one changes has
written, and no move is changed by both. The converse is no promise: what is shared may never matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.language import ir
from models.language.ir import Instance
from models.language.program import Program
from models.language.slots import bare
from models.language.terms import Term, negate
from solvers.compare.diagonal import changed
from solvers.interpreter import reads


@dataclass(frozen=True)
class Interaction:
    """Two readings that share something.

    Attributes:
        first: The one that is declared first.
        second: The other one.
        rules: Rules of which both change the same moves.
        slots: Fields that one writes otherwise and that what the other one changes reads.
        tables: Tables that rows of both stand in (derived readings).
    """

    first: str
    second: str
    rules: tuple[str, ...]
    slots: tuple[str, ...]
    tables: tuple[str, ...]

    @property
    def through(self) -> tuple[str, ...]:
        """What they share, in words that name it: `rule turn_up`, `field height`, `table after-reveal`."""
        named = (("rule", self.rules), ("table", self.tables), ("field", self.slots))
        return tuple(f"{what} {name}" for what, names in named for name in names)

    def joined(self, other: Interaction) -> Interaction:
        """What the two share at one size or another."""
        parts = [
            tuple(dict.fromkeys((*a, *b)))
            for a, b in (
                (self.rules, other.rules),
                (self.slots, other.slots),
                (self.tables, other.tables),
            )
        ]
        return Interaction(self.first, self.second, *parts)


@dataclass(frozen=True)
class _Touched:
    """What the options of a reading change: moves; the slots that what differs reads, and that it writes."""

    moves: frozenset[str]
    reads: frozenset[int]
    writes: frozenset[int]

    @classmethod
    def of(cls, base: Program, options: Sequence[Program]) -> _Touched:
        moves: set[str] = set()
        read, written = set[int](), set[int]()
        for other in options:
            labels = list(changed(base, other))
            moves.update(labels)
            for k in labels:
                for i, j in _both_ways(base.by_label.get(k), other.by_label.get(k)):
                    more = _differing(i, j)
                    read |= more[0]
                    written |= more[1]
            ends = zip(
                (base.over, *base.winners, *base.scores),
                (other.over, *other.winners, *other.scores),
                strict=True,
            )
            for mine, theirs in ends:
                if mine is not theirs:
                    read |= reads(mine) | reads(theirs)
        return cls(frozenset(moves), frozenset(read), frozenset(written))


def interactions(base: Program, options: Mapping[str, Sequence[Program]]) -> tuple[Interaction, ...]:
    """Which readings interact.

    Args:
        base: The program with all readings at their default.
        options: Reading → the programs with its other options, all else at its default.

    Returns:
        The pairs that share something, in the order of `options`.
    """
    touched = {id: _Touched.of(base, programs) for id, programs in options.items()}
    found, names = [], list(options)
    for n, first in enumerate(names):
        for second in names[n + 1 :]:
            a, b = touched[first], touched[second]
            rules = _rules(base, a.moves & b.moves)
            slots = _fields(base, (a.writes & b.reads) | (b.writes & a.reads))
            tables = _tables(first, second)
            if rules or slots or tables:
                found.append(Interaction(first, second, rules, slots, tables))
    return tuple(found)


def _rules(base: Program, moves: frozenset[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i.rule for i in base.instances if i.label in moves))


def _fields(base: Program, slots: frozenset[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(bare(base.layout.slots[s].name) for s in sorted(slots)))


def _tables(first: str, second: str) -> tuple[str, ...]:
    """The table of two derived readings, which are named `table:row+row`."""
    one, two = (id.partition(":")[0] if ":" in id else "" for id in (first, second))
    return (one,) if one and one == two else ()


def _both_ways(a: Instance | None, b: Instance | None) -> Iterator[tuple[Instance, Instance | None]]:
    if a is not None:
        yield a, b
    if b is not None:
        yield b, a


def _differing(i: Instance, other: Instance | None) -> tuple[set[int], set[int]]:
    """Slots that the parts of a move read and write which the move does not have in the other program."""
    asked, effects = _parts(i)
    theirs = _parts(other) if other is not None else (set[Term](), set[_Effect]())
    fresh = [e for e in effects if e not in theirs[1]]
    read = {s for t in asked - theirs[0] for s in reads(t)}
    read |= {s for _, terms in fresh for t in terms for s in reads(t)}
    if i.guard not in theirs[0]:  # the move is made elsewhere, so all that it writes is written otherwise
        fresh = list(effects)
    return read, {s for slots, _ in fresh for s in slots}


#: Slots that are written, and the terms that decide what and when: value, index, conditions on the way.
_Effect = tuple[tuple[int, ...], tuple[Term, ...]]


def _parts(i: Instance) -> tuple[set[Term], set[_Effect]]:
    """What is asked before a move, and what it writes under which conditions."""
    asked = {i.guard, i.weight} | ({i.player} if i.player is not None else set())
    effects: set[_Effect] = set()

    def block(body: ir.Block, path: tuple[Term, ...]) -> None:
        for s in body:
            if isinstance(s, ir.Assign):
                index = () if s.index is None else (s.index,)
                effects.add((s.slots, (s.value, *index, *path)))
            elif isinstance(s, ir.If):
                block(s.then, (*path, s.condition))
                block(s.otherwise, (*path, negate(s.condition)))
            elif isinstance(s, ir.Stop):
                effects.add(((), path))

    block(i.body, ())
    return asked, effects


__all__ = ["Interaction", "interactions"]
