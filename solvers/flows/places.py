"""Places: which node of a flow a state belongs to.

Promises: a place is named by the values of a few fields, the field `phase` unless others are given; a game
that is over is a place of its own only where the same values also occur while it is on.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.program import Program
from models.language.slots import Leaf, Slot
from solvers.interpreter import Interpreter, Values

PHASE = "phase"
#: Name of the one place of a rulebook without a field `phase`.
PLAY = "play"
#: What is added to the name of a place where the game is over.
OVER = " (over)"


@dataclass(frozen=True)
class Places:
    """The places of a program.

    Attributes:
        program: The program.
        slots: The slots whose values name a place; none where there is one place only.
    """

    program: Program
    slots: tuple[Slot, ...]

    def name(self, values: Sequence[int]) -> str:
        """The name of a place from the values of its slots."""
        return "/".join(s.sort.show(v) for s, v in zip(self.slots, values, strict=True)) or PLAY

    def values(self, state: Values) -> tuple[int, ...]:
        """The values of a state's slots."""
        return tuple(state[s.index] for s in self.slots)

    def at(self, state: Values, run: Interpreter) -> str:
        """The place of a state, with `OVER` where the game is over."""
        return self.name(self.values(state)) + (OVER if run.over(state) else "")

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """All places that the fields allow, where there is one field only."""
        if len(self.slots) != 1:
            return ()
        slot = self.slots[0]
        return tuple(slot.sort.show(v) for v in range(slot.lo, slot.hi + 1))

    def member(self, name: str) -> enum.Enum | None:
        """The enumeration member that a place is named after, where one field names the places."""
        members = self.slots[0].sort.members if len(self.slots) == 1 else None
        return None if members is None else members.__members__.get(name.removesuffix(OVER))


def places(program: Program, by: Sequence[str] = ()) -> Places:
    """The places of a program.

    Args:
        program: The program.
        by: Names of fields of one slot each; `phase` unless given, and one place where there is no `phase`.

    Errors:
        ModelError: an unknown field, or one of several slots.
    """
    fields = program.layout.fields
    chosen = tuple(dict.fromkeys(by)) or ((PHASE,) if isinstance(fields.get(PHASE), Leaf) else ())
    slots = []
    for name in chosen:
        node = fields.get(name)
        if not isinstance(node, Leaf):
            what = "is no field of the state" if node is None else "is a field of several values"
            plain = [k for k, n in fields.items() if isinstance(n, Leaf)]
            raise ModelError(
                f"{name} {what} and cannot name the places of a flow",
                hint=did_you_mean(name, plain) or f"choose among {', '.join(plain)}",
            )
        slots.append(node.slot)
    return Places(program, tuple(slots))
