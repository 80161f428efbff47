"""Policies: who plays random games, and how.

Promises: a policy is a program of its own, in which players draw their moves by weights, so that every
engine plays it and two programs under one policy stay together in all moves but those that differ; its name
goes into every report.

Without a hint every move is as likely as any other. A hint is the modeller's: in `hints.py` beside
`rules.py`, a mapping `HINTS` from a rule's name to how much its moves are wanted, a whole number from 0 on
or a function of the table and the rule's parameters that gives one (a term). A rule without a hint has 0. A
greedy player takes a move that is wanted most nearly always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.functions import ite, lookup
from models.language.ir import Actor, Instance
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.terms import Term, term

Hint = int | Callable[..., Any]

#: How much more often a move is made that is wanted by one more, and the most that one can be wanted.
ODDS, MOST = 1000, 4


@dataclass(frozen=True, eq=False)
class Policy:
    """Who plays.

    Attributes:
        name: As reports call it.
        hints: Rule → how much its moves are wanted (none: all alike).
    """

    name: str
    hints: Mapping[str, Hint]

    def play(self, program: Program) -> Program:
        """The program in which this policy plays for everybody.

        Errors:
            ModelError: a hint for a rule that does not exist, or one that is no number from 0 to `MOST`.
        """
        if not self.hints:
            return program
        for rule in self.hints:
            known = [r.name for r in program.book.rules]
            if rule not in known:
                raise ModelError(
                    f"there is a hint for a rule {rule!r}", hint=did_you_mean(rule, known) or "see rules.py"
                )
        return replace(program, instances=tuple(self._played(program, i) for i in program.instances))

    def _played(self, program: Program, i: Instance) -> Instance:
        if i.actor is not Actor.PLAYER:
            return i
        wanted = self._wanted(program, i)
        if wanted.op == "const":
            weight = term(ODDS**wanted.lo)
        else:
            weight = lookup(wanted, [ODDS**n for n in range(wanted.hi + 1)])
        return replace(i, actor=Actor.CHANCE, player=None, weight=weight)

    def _wanted(self, program: Program, i: Instance) -> Term:
        hint = self.hints.get(i.rule, 0)
        given = {k: v for (k, _), v in zip(i.params, i.values, strict=True)}
        made = program.expression(lambda t: hint(t, **given)) if callable(hint) else term(hint)
        wanted = ite(made, 1, 0) if made.sort.name == "Bool" else made
        if wanted.lo < 0 or wanted.hi > MOST:
            raise ModelError(
                f"the hint for {i.rule} goes from {wanted.lo} to {wanted.hi}",
                hint=f"give a number from 0 to {MOST}",
            )
        return wanted


#: Every move is as likely as any other.
UNIFORM = Policy("random", {})


def greedy(book: Rulebook) -> Policy | None:
    """The policy of a rulebook's hints; None where it has none.

    Errors:
        ModelError: the module cannot be loaded, or its `HINTS` is no mapping.
    """
    module = registry.beside(book, "hints")
    if module is None:
        return None
    hints = getattr(module, "HINTS", None)
    if not isinstance(hints, Mapping):
        raise ModelError(
            "hints.py has no mapping HINTS", where=str(module.__file__), hint='write HINTS = {"rule": 1}'
        )
    return Policy("greedy", dict(hints))


__all__ = ["MOST", "ODDS", "UNIFORM", "Policy", "greedy"]
