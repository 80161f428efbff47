"""Packed: goals as plain data, so that another process can ask them of the same program.

Promises: a goal that was packed is unpacked as an equal goal with the same key; a goal that plain data cannot
carry is refused by `pack` (None), never changed.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from models.language.program import Program
from solvers.symbolic import serial
from solvers.symbolic.goals import Acts, AnyOf, Breaks, Chosen, Goal, Hit, Holds, Stuck
from solvers.symbolic.order import Apart

#: The goal's kind and what it is made of.
Packed: TypeAlias = tuple[str, tuple[Any, ...]]


def pack(goal: Goal) -> Packed | None:
    """A goal as plain data; None if it cannot be."""
    if isinstance(goal, Hit | Acts | Apart):
        return type(goal).__name__, _plain(goal)
    if isinstance(goal, Stuck):
        return "Stuck", ()
    if isinstance(goal, Holds | Breaks):
        return type(goal).__name__, (goal.name, serial.dump(goal.term))
    if isinstance(goal, Chosen):
        inner = pack(goal.goal)
        return None if inner is None else ("Chosen", (inner, serial.dump(goal.also), goal.name))
    if isinstance(goal, AnyOf):
        parts = tuple(pack(g) for g in goal.goals)
        return None if None in parts else ("AnyOf", (goal.key, parts))
    return None


def _plain(goal: Hit | Acts | Apart) -> tuple[Any, ...]:
    if isinstance(goal, Hit):
        return goal.site, goal.id
    return (goal.instance, goal.label) if isinstance(goal, Acts) else (goal.first, goal.second, goal.key)


def unpack(goal: Packed, program: Program) -> Goal:
    """The goal that was packed, for the same program.

    Errors:
        ValueError: a term that is none of the program's.
    """
    kind, data = goal
    if kind == "Hit":
        return Hit(*data)
    if kind == "Acts":
        return Acts(*data)
    if kind == "Apart":
        return Apart(*data)
    if kind == "Stuck":
        return Stuck()
    if kind in ("Holds", "Breaks"):
        name, term = data
        return (Holds if kind == "Holds" else Breaks)(name, serial.load(term, program))
    if kind == "Chosen":
        inner, also, name = data
        return Chosen(unpack(inner, program), serial.load(also, program), name)
    key, parts = data
    return AnyOf(key, tuple(unpack(p, program) for p in parts))
