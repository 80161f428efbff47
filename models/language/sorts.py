"""Sorts of terms: truth values, whole numbers, members of an enumeration.

Promise: there is one sort object for each enumeration, so sorts may be compared by identity.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True)
class Sort:
    """The sort of a term: Boolean, integer, or the members of one Python enumeration.

    Attributes:
        name: Name shown in messages.
        members: The enumeration, or None for Booleans and integers.
    """

    name: str
    members: type[enum.Enum] | None = None

    def show(self, value: int) -> str:
        """The text of a value of this sort, as a modeller would write it."""
        if self.members is not None:
            return list(self.members)[value].name
        return ("false", "true")[value] if self is BOOL else str(value)


BOOL = Sort("Bool")
INT = Sort("Int")
_ENUMS: dict[type[enum.Enum], Sort] = {}


def enum_sort(members: type[enum.Enum]) -> Sort:
    """The sort of an enumeration; values are ordinals in order of definition, from 0."""
    return _ENUMS.setdefault(members, Sort(members.__name__, members))


def ordinal(member: enum.Enum) -> int:
    """Position of a member in its enumeration, from 0."""
    return list(type(member)).index(member)
