"""Solving: a Z3 solver with a deadline that stays right after a check was cut off.

Promises: after a check that ran out of time the next use starts from a new Z3 solver with the same
assertions.
(Z3's incremental bit-vector solver can lose assertions when a check is cut off, and then answers `sat`
wrongly: a decision record shows it.)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import z3

from solvers.symbolic.numbers import Numbers, Truth


@dataclass(frozen=True)
class Deadline:
    """When to stop, on the monotonic clock."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """A deadline from now."""
        return cls(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, 0 when passed."""
        return max(self.at - time.monotonic(), 0.0)

    @property
    def milliseconds(self) -> int:
        """Milliseconds left, at least 1 (for Z3)."""
        return max(int(self.left * 1000), 1)

    @property
    def passed(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0.0

    def share(self, part: float) -> Deadline:
        """A deadline after a part of what is left."""
        return Deadline.after(self.left * part)


class Solver:
    """Assertions in frames, and checks under assumptions.

    Args:
        numbers: Whose logic to use.
        assertions: What holds from the beginning.
    """

    def __init__(self, numbers: Numbers, assertions: Iterable[Truth] = ()) -> None:
        self.logic = numbers.logic
        self._frames: list[list[Truth]] = [[]]
        self._solver = self._new()
        self._broken = False
        self.add(*assertions)

    def _new(self) -> z3.Solver:
        return z3.SolverFor(self.logic) if self.logic else z3.Solver()

    def add(self, *assertions: Truth) -> None:
        """Assert something in the innermost frame."""
        self._frames[-1] += assertions
        if not self._broken:
            self._solver.add(*assertions)

    def push(self) -> None:
        """Open a frame."""
        self._frames.append([])
        if not self._broken:
            self._solver.push()

    def pop(self) -> None:
        """Forget the innermost frame."""
        self._frames.pop()
        if not self._broken:
            self._solver.pop()

    def check(self, deadline: Deadline, *assumed: Truth, effort: int = 0) -> bool | None:
        """Whether the assertions and assumptions are satisfiable; None if the time or the effort ran out.

        Args:
            deadline: When to stop.
            assumed: Assumptions, literals.
            effort: Z3's resource units, the same on every machine; 0: no limit.
        """
        if deadline.passed:
            return None
        if self._broken:
            self._solver, self._broken = self._new(), False
            for number, frame in enumerate(self._frames):
                if number:
                    self._solver.push()
                self._solver.add(*frame)
        self._solver.set("timeout", deadline.milliseconds)
        self._solver.set("rlimit", effort)
        answer = self._solver.check(*assumed)
        if answer == z3.unknown:
            self._broken = True
            return None
        return bool(answer == z3.sat)

    def model(self) -> z3.ModelRef:
        """The model after a check that was satisfiable."""
        return self._solver.model()

    def core(self) -> list[Truth]:
        """Assumptions that cannot hold together, after a check that was not satisfiable."""
        return list(self._solver.unsat_core())
