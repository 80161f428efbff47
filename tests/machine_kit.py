"""What the table of tiny machines is made of: a machine with what is known of it, and a plain search.

The search is written here once more, on the interpreter, so that the machines are proved without any of
the engines that they are meant to test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.language import Program, Rulebook
from solvers.interpreter import Interpreter, Values


@dataclass(frozen=True)
class Machine:
    """A tiny rulebook and what every engine must say about it.

    Attributes:
        book: Makes the rulebook.
        states: Number of reachable states.
        transitions: Number of (state, instance that may act) pairs, also where the step stops.
        sites: Every site that some play reaches → length of a shortest such play.
        stuck: States in which nobody may act though the game is not over.
        over: States in which the game is over.
        build: Arguments of `Rulebook.build`.
    """

    book: Callable[[], Rulebook]
    states: int
    transitions: int
    sites: Mapping[str, int] = field(default_factory=dict)
    stuck: int = 0
    over: int = 0
    build: Mapping[str, Any] = field(default_factory=dict)

    def program(self) -> Program:
        """The built program."""
        return self.book().build(**self.build)


@dataclass
class Reached:
    """What the search found; the same five numbers as in `Machine`."""

    states: int = 0
    transitions: int = 0
    sites: dict[str, int] = field(default_factory=dict)
    stuck: int = 0
    over: int = 0
    depths: dict[Values, int] = field(default_factory=dict)


def search(program: Program, most: int = 100_000) -> Reached:
    """All reachable states, breadth first.

    Args:
        program: The program.
        most: More states than this are an error.
    """
    run, found = Interpreter(program), Reached()
    found.depths = {program.start: 0}
    todo = [program.start]
    for state in todo:
        depth, enabled = found.depths[state], run.enabled(state)
        found.over += run.over(state)
        found.stuck += not enabled and not run.over(state)
        for instance in enabled:
            step = run.step(state, instance)
            found.transitions += 1
            for site in step.hits:
                found.sites.setdefault(program.sites[site].id, depth + 1)
            if step.state is not None and step.state not in found.depths:
                found.depths[step.state] = depth + 1
                todo.append(step.state)
                assert len(todo) <= most
    found.states = len(todo)
    return found
