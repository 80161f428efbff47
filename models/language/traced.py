"""Traced: instances that earlier builds of a rulebook made, for builds that differ in a few readings only.

Promises: an instance is taken again only where tracing its rule would give the same one: the same rule and
parameter values for the same size, variant and rulings, and the same option of every reading that the trace
consulted; what the trace told its builder is told again. The rulebook must not change meanwhile, so that
instances are kept only where somebody says so (`Rulebook.kept_traces`).

As a trace is deterministic, the readings it consults depend on the options it was given so far: what it
consulted identifies it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from models.language import ir
from models.language.choices import Build
from models.language.declarations import Override, Rule
from models.language.ir import Instance, Site
from models.language.sizes import Size
from models.language.slots import Layout


@dataclass(frozen=True)
class Asked:
    """A site was asked for.

    Attributes:
        site: The site.
        shape: What its name stands for.
        number: Its position in the build that traced it.
    """

    site: Site
    shape: object
    number: int


@dataclass(frozen=True)
class Heard:
    """A question was asked where nothing is recorded."""

    id: str
    where: str


@dataclass(frozen=True)
class Derived:
    """Two rows of a table were found to be left in doubt."""

    id: str
    rows: tuple[str, str]


@dataclass(frozen=True)
class Edited:
    """A table was traced: its rows before and after, and the overrides that changed it."""

    table: str
    rows: tuple[str, ...]
    changes: tuple[Override, ...]


#: What a trace tells its builder.
Told = Asked | Heard | Derived | Edited


@dataclass(frozen=True)
class Traced:
    """One instance, with what it depends on and what its trace told.

    Attributes:
        rule: The rule.
        instance: The instance.
        options: Option of each reading that the trace consulted, "" for a derived one that was not set.
        told: What it told, in order.
    """

    rule: Rule
    instance: Instance
    options: tuple[tuple[str, str], ...]
    told: tuple[Told, ...]

    def fits(self, readings: Mapping[str, str]) -> bool:
        """Whether the trace would go the same way under some readings."""
        return all(readings.get(id, "") == option for id, option in self.options)


class OneSize:
    """What was made for one size, variant and choice of rulings.

    Args:
        size: The size's numbers.
        layout: Its slots.
    """

    def __init__(self, size: Size, layout: Layout) -> None:
        self.size, self.layout = size, layout
        self._traces: dict[tuple[int, int], list[Traced]] = defaultdict(list)

    def find(self, rule: Rule, at: int, readings: Mapping[str, str]) -> Traced | None:
        """The trace of a rule's instance under some readings, or None.

        Args:
            rule: The rule.
            at: Position of the instance among those of the rule.
            readings: Reading → option.
        """
        return next((t for t in self._traces[id(rule), at] if t.fits(readings)), None)

    def keep(self, at: int, made: Traced) -> None:
        """Keep a trace."""
        self._traces[id(made.rule), at].append(made)


class Traces:
    """All that is kept for one rulebook."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, tuple[str, ...]], list[OneSize]] = defaultdict(list)

    def of(self, made: Build) -> OneSize | None:
        """What is kept for the size, variant and rulings of a build, or None."""
        kept = self._sizes[made.variant, made.rulings]
        return next((k for k in kept if k.size is made.size or k.size == made.size), None)

    def begin(self, made: Build, layout: Layout) -> OneSize:
        """Begin to keep what is made for the size, variant and rulings of a build."""
        new = OneSize(made.size, layout)
        self._sizes[made.variant, made.rulings].append(new)
        return new


def taken_again(instance: Instance, index: int, numbers: Mapping[int, int]) -> Instance:
    """An instance of another build.

    Args:
        instance: The instance.
        index: Its position here.
        numbers: Position of each of its sites there → position here.
    """
    if all(there == here for there, here in numbers.items()):
        return instance if instance.index == index else replace(instance, index=index)
    return replace(instance, index=index, body=_renumbered(instance.body, numbers))


def _renumbered(body: Iterable[ir.Stmt], numbers: Mapping[int, int]) -> ir.Block:
    out: list[ir.Stmt] = []
    for s in body:
        if isinstance(s, ir.If):
            then, otherwise = _renumbered(s.then, numbers), _renumbered(s.otherwise, numbers)
            out.append(replace(s, then=then, otherwise=otherwise))
        elif isinstance(s, (ir.Probe, ir.Cover, ir.Stop)):
            out.append(replace(s, site=numbers[s.site]))
        else:
            out.append(s)
    return tuple(out)
