"""Shorten: stretches of a play that it does not need are dropped.

Promises: what is returned is a play from the setup that still does what the given one did, at most as long.
Delta debugging (Zeller and Hildebrandt 2002): stretches of falling length are left out where the rest is
still a play; the states of the part before a stretch are kept, so that only the rest is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from solvers.interpreter import Interpreter
from solvers.symbolic.machine import Values
from solvers.symbolic.solving import Deadline

Met = Callable[[Values, str | None], bool]


def shorten(
    run: Interpreter,
    labels: Sequence[str],
    met: Met,
    deadline: Deadline,
    *,
    last_step: bool,
    last: Collection[str] | None = None,
) -> tuple[str, ...]:
    """Drop stretches of a play that it does not need.

    Args:
        run: The interpreter.
        labels: The play.
        met: Whether a state, with the step taken from it (None: the state itself), does it still.
        deadline: When to stop.
        last_step: Whether the goal is the last step (else the last state).
        last: Moves that can be the goal's step; any unless given.

    Returns:
        A play that still does it, at most as long.
    """
    return _Shortener(run, met, last_step, last).shorten(tuple(labels), deadline)


class _Shortener:
    def __init__(self, run: Interpreter, met: Met, last_step: bool, last: Collection[str] | None) -> None:
        self.run, self.met, self.last_step, self.last = run, met, last_step, last
        self.start = run.program.start

    def shorten(self, labels: tuple[str, ...], deadline: Deadline) -> tuple[str, ...]:
        if not self.last_step and self.met(self.start, None):
            return ()
        found = self.rest([], self.start, labels)
        if found is None:
            return labels
        best, states = found
        size = max(len(best) // 2, 1)
        while size and not deadline.passed:
            at, shrunk = 0, False
            while at < len(best) and not deadline.passed:
                found = self.rest(states[:at], states[at], best[at + size :], best[:at])
                if found is not None and len(found[0]) < len(best):
                    (best, states), shrunk = found, True
                else:
                    at += max(size // 2, 1)
            if not shrunk:
                size //= 2
        return best

    def rest(
        self, before: Sequence[Values], state: Values, labels: Sequence[str], done: tuple[str, ...] = ()
    ) -> tuple[tuple[str, ...], list[Values]] | None:
        """The shortest prefix of moves from a state that does it, behind the moves done already.

        Returns:
            The whole play and the state before each of its moves; None if the moves are no play or do not.
        """
        states, by_label = [*before, state], self.run.program.by_label
        for number, label in enumerate(labels, 1):
            instance = by_label.get(label)
            if instance is None or instance not in self.run.enabled(state):
                return None
            asked = self.last_step and (self.last is None or label in self.last)
            if asked and self.met(state, label):
                return (*done, *labels[:number]), states
            after = self.run.after(state, instance)
            if after is None:
                return None
            state = after
            if not self.last_step and self.met(state, None):
                return (*done, *labels[:number]), states
            states.append(state)
        return None
