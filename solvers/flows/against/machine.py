"""Machine: the states of an implementation, whatever framework it is written for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class MachineState:
    """One state of an implementation.

    Attributes:
        name: Its name.
        kind: `player` (somebody moves), `automatic` (the program goes on by itself), `start` or `end`.
        moves: Names of the moves that players may make.
        line: Where it stands in its file, from 1.
        file: Its file.
    """

    name: str
    kind: str
    moves: tuple[str, ...]
    line: int
    file: Path


@dataclass(frozen=True)
class Transition:
    """One way from a state to another.

    Attributes:
        source: Name of a state.
        target: Name of a state.
        name: Name of the transition, "" for none.
        certain: Whether it starts from this very state, as far as the text tells; else it starts from some.
    """

    source: str
    target: str
    name: str
    certain: bool = True


@dataclass(frozen=True)
class Machine:
    """The state machine of an implementation.

    Attributes:
        form: What was read: `bga-array`, `bga-classes` or `boardgame.io`.
        states: Its states by name, in the order of the text.
        transitions: The ways between them.
        unread: State → what leads on from it and could not be read.
    """

    form: str
    states: dict[str, MachineState]
    transitions: tuple[Transition, ...]
    unread: dict[str, tuple[str, ...]] = field(default_factory=dict)
