"""Declarations: what a rulebook's decorators leave behind, for the builder.

Promises: data only; what is wrong with a declaration by itself is said where it stands.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.language.decisions import Row
from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.places import Place
from models.language.questions import CHANCE, RULES, By, ByPlayer

Edit = Callable[[Any, Row | None], Row | Sequence[Row] | None]


@dataclass(frozen=True)
class Rule:
    """A declared rule; see `Rulebook.rule`."""

    name: str
    function: Callable[..., None]
    clauses: tuple[str, ...]
    phase: tuple[enum.Enum, ...]
    by: By
    weight: Any
    only: tuple[str, ...]
    secret: frozenset[str]
    ruling: str
    params: Mapping[str, Any]
    place: Place


@dataclass(frozen=True, eq=False)
class Override:
    """A change that a variant or a ruling makes to one row of a table before tracing.

    Attributes:
        table: Name of the table.
        row: Id of the row, or "" to add rows.
        clause: The sentence that makes the change.
        variant: The variant it belongs to, or "" for all.
        ruling: The ruling that brings it, or "".
        overrides: Clauses of other overrides of the same row over which this one prevails.
        edit: The change.
        place: Where it is declared.
        sizes: Which sizes have the table (a function of a size), or None for all.
    """

    table: str
    row: str
    clause: str
    variant: str
    ruling: str
    overrides: tuple[str, ...]
    edit: Edit
    place: Place
    sizes: Callable[[Any], bool] | None = None


@dataclass(frozen=True)
class End:
    """A declared `over`, `winner` or `score`.

    Attributes:
        what: Which of them.
        clauses: Sentences it rests on.
        function: A function of `t`, for `winner` and `score` also of a player.
        place: Where it is declared.
    """

    what: str
    clauses: tuple[str, ...]
    function: Callable[..., Any]
    place: Place


def check_rule(rule: Rule, others: Sequence[Rule], variants: Mapping[str, str]) -> None:
    """Check what can be checked of a rule before anything is built.

    Args:
        rule: The rule.
        others: The rules declared before.
        variants: The variants of the rulebook.

    Errors:
        ModelError: see `Rulebook.rule`.
    """
    where = f"{rule.place}, rule {rule.name}"
    if not rule.clauses:
        raise ModelError(
            "the rule cites no clause",
            where=where,
            hint='name the sentence it carries out: @book.rule("section.sentence", …)',
        )
    if any(r.name == rule.name for r in others):
        raise ModelError("there are two rules of this name", where=where, hint="rename one")
    if not isinstance(rule.by, ByPlayer) and rule.by not in (CHANCE, RULES):
        raise ModelError(
            f"the rule is acted by {rule.by!r}",
            where=where,
            hint="write `by=player(lambda t: …)`, `by=responder(lambda t: …)`, `by=CHANCE` or `by=RULES`",
        )
    if rule.by is not CHANCE and not (isinstance(rule.weight, int) and rule.weight == 1):
        raise ModelError(
            "only what CHANCE does has a weight", where=where, hint="drop `weight`, or write `by=CHANCE`"
        )
    phases: Sequence[object] = rule.phase
    strange = next((p for p in phases if not isinstance(p, enum.Enum)), None)
    if strange is not None:
        raise ModelError(
            f"the phase {strange!r} is no member of an enumeration",
            where=where,
            hint="name members of the enumeration of the field `phase`",
        )
    for variant in rule.only:
        if variant not in variants:
            known = f"the variants are {', '.join(variants)}"
            raise ModelError(
                f"there is no variant {variant!r}",
                where=where,
                hint=did_you_mean(variant, variants) or known,
            )
    for name in sorted(rule.secret):
        if name not in rule.params:
            hint = did_you_mean(name, rule.params) or "name a parameter of the rule"
            raise ModelError(f"the secret {name!r} is no parameter", where=where, hint=hint)
    _check_signature(rule, where)


def _check_signature(rule: Rule, where: str) -> None:
    """Check that the rule's function takes the state and exactly the rule's parameters."""
    declared = list(inspect.signature(rule.function).parameters.values())
    if not declared:
        raise ModelError("the function takes no state", where=where, hint="write `def rule(t, …)`")
    if any(p.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL) for p in declared):
        return
    names = [p.name for p in declared[1:]]
    forgotten = [name for name in rule.params if name not in names]
    if forgotten:
        raise ModelError(
            f"the function forgets the parameter {forgotten[0]}",
            where=where,
            hint=f"write `def {rule.name}({', '.join([declared[0].name, *rule.params])})`",
        )
    strange = [p.name for p in declared[1:] if p.name not in rule.params and p.default is p.empty]
    if strange:
        raise ModelError(
            f"the function wants {strange[0]}, which is no parameter of the rule",
            where=where,
            hint=did_you_mean(strange[0], rule.params) or f"declare it: `@book.rule(…, {strange[0]}=…)`",
        )
