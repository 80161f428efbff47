"""Chance stands alone: where a rulebook lets chance and a player act side by side, the model is wrong.

Promise: what can be seen from the phases alone is found when a rulebook is built; the rest is found by
whichever engine reaches such a state.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.errors import ModelError
from models.language.ir import Actor, Instance
from models.language.terms import FALSE, TRUE, Term


def mixed(chance: Instance, other: Instance) -> tuple[str, str, str]:
    """Message, place and hint for a state in which both may act."""
    return (
        f"chance ({chance.label}) and a player ({other.label}) may act in the same state",
        f"{other.place}, rule {other.rule}",
        "put them in different phases, or strengthen a guard",
    )


def check_chance_alone(instances: Sequence[Instance], over: Term) -> None:
    """Refuse a chance move and a turn move that are enabled in the same phases whatever else holds.

    Args:
        instances: All instances.
        over: When the game is over.

    Errors:
        ModelError: two such moves.
    """
    pure = [(i, cases) for i in instances if (cases := _cases(i.guard)) is not None]
    for chance, when in pure:
        if chance.actor is not Actor.CHANCE:
            continue
        for other, also in pure:
            if other.actor is not Actor.PLAYER:
                continue
            for case in when & also if when and also else when | also or {None}:
                if _matters(case, instances, over):
                    message, where, hint = mixed(chance, other)
                    raise ModelError(message, where=where, hint=hint)


Case = tuple[int, int]


def _cases(guard: Term) -> frozenset[Case] | None:
    """The (slot, value) pairs of which a guard asks for one and nothing else; empty for no guard at all."""
    if guard is TRUE:
        return frozenset()
    parts = guard.args if guard.op == "or" else (guard,)
    cases = [_case(p) for p in parts]
    known = frozenset(c for c in cases if c is not None)
    return known if len(known) == len(parts) and len({slot for slot, _ in known}) == 1 else None


def _case(part: Term) -> Case | None:
    if part.op == "eq" and part.args[0].op == "read" and part.args[1].op == "const":
        return part.args[0].data[0][0], part.args[1].lo
    return None


def _matters(case: Case | None, instances: Sequence[Instance], over: Term) -> bool:
    """Whether in that case the game may go on and nothing comes before chance."""
    if case is None:
        return over is FALSE and not any(i.actor < Actor.CHANCE for i in instances)
    first = any(i.actor < Actor.CHANCE and _possible(i.guard, case) for i in instances)
    return not first and over is not TRUE and case not in (_cases(over) or ())


def _possible(condition: Term, case: Case) -> bool:
    """Whether a condition may hold where a slot has a value, as far as its outermost parts tell."""
    if condition is FALSE:
        return False
    parts = condition.args if condition.op == "and" else (condition,)
    for part in parts:
        cases = _cases(part)
        if cases and case not in cases and all(slot == case[0] for slot, _ in cases):
            return False
    return True
