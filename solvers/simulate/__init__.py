"""Many random games of a program.

Promises: every choice of a player and every order of consequences is as likely as any other, chance goes by
weights; the same seed gives the same games on every machine and engine; a game of one program and the game of
the same number of another make the same choices where they have the same choices (common random numbers).
"""

from __future__ import annotations

import importlib
from contextlib import nullcontext
from typing import TYPE_CHECKING

from models.language.program import Program
from solvers.contract import Progress
from solvers.interpreter import Values
from solvers.simulate.reference import ReferencePlayouts
from solvers.simulate.results import End, Games

if TYPE_CHECKING:
    from solvers.simulate.native import NativePlayouts

#: Moves after which a game is cut off unless said otherwise.
LONGEST = 10_000


class Playouts:
    """Random games of one program; native code where it runs.

    Args:
        program: The built rulebook.
        native: False for the reference.
    """

    def __init__(self, program: Program, *, native: bool = True) -> None:
        self.program = program
        self._reference = ReferencePlayouts(program)
        self._native = _native(program) if native else None

    @property
    def engine(self) -> str:
        """`native` or `reference`."""
        return "reference" if self._native is None else "native"

    def play(
        self,
        count: int,
        *,
        seed: int = 0,
        first: int = 0,
        start: Values | None = None,
        longest: int = LONGEST,
        progress: Progress | None = None,
    ) -> Games:
        """Play random games.

        Args:
            count: How many, at least 0.
            seed: Any number; taken modulo 2^64.
            first: Number of the first game; game n is the same in every call with the same seed.
            start: Where each game begins; the setup unless given. Slots that no rule writes must be as there.
            longest: Moves after which a game is cut off.
            progress: Where to say how far it is.

        Errors:
            Mixed: chance and a player may act in the same state.
        """
        begin, key = self.program.start if start is None else start, seed % (1 << 64)
        with progress.task(f"{self.program.book.name}: games", count) if progress else nullcontext() as tick:
            if self._native is not None:
                return self._native.play(count, key, first, begin, longest, tick)
            return self._reference.play(count, key, first, begin, longest)

    def moves(
        self, game: int, *, seed: int = 0, start: Values | None = None, longest: int = LONGEST
    ) -> tuple[str, ...]:
        """Labels of the moves of one game."""
        begin = self.program.start if start is None else start
        engine = self._native or self._reference
        return engine.moves(seed % (1 << 64), game, begin, longest)


def _native(program: Program) -> NativePlayouts | None:
    try:
        importlib.import_module("wasmtime")
    except (ImportError, OSError):
        return None
    from solvers.explorer.native import Unsupported
    from solvers.simulate.native import NativePlayouts

    try:
        return NativePlayouts(program)
    except Unsupported:
        return None


def simulate(
    program: Program,
    count: int,
    *,
    seed: int = 0,
    first: int = 0,
    start: Values | None = None,
    longest: int = LONGEST,
    progress: Progress | None = None,
) -> Games:
    """Play random games of a program; see `Playouts.play`."""
    return Playouts(program).play(
        count, seed=seed, first=first, start=start, longest=longest, progress=progress
    )


__all__ = ["LONGEST", "End", "Games", "Playouts", "simulate"]
