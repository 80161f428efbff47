"""Games: random games in native code, short ones first, and the plays to sites that they came by.

Promises: the same program and seed give the same plays on every machine; a play is a play from the setup that
ends with the step that records the site.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from models.language.program import Program
from solvers.interpreter import Interpreter
from solvers.simulate import LONGEST, Playouts
from solvers.symbolic.solving import Deadline

#: Moves after which games are cut off, and how many of them are played; the first to meet a site counts.
ROUNDS = ((25, 60_000), (80, 20_000), (250, 6_000), (1000, 2_000), (LONGEST, 1_000))
#: Of the games that meet a site, how many are looked at for the shortest way there.
_LOOKED_AT = 12
_SLOW = 20  # on the reference, a share of the games


class Games:
    """Random games of a program, played once and asked for many sites.

    Args:
        program: The program.
        run: Its interpreter.
        seed: Of the games.
    """

    def __init__(self, program: Program, run: Interpreter, seed: int) -> None:
        self.program, self.run, self.seed = program, run, seed
        self.count = 0
        self.moves = 0
        self._found: dict[int, tuple[int, list[int]]] = {}
        self._rounds = 0
        self._plays: dict[int, tuple[str, ...]] = {}

    @cached_property
    def _playouts(self) -> Playouts:
        return Playouts(self.program)

    def play_to(self, sites: Sequence[int], deadline: Deadline) -> tuple[str, ...] | None:
        """A play to one of some sites, if a game came by one."""
        known = [s for s in sites if s in self._found]
        while not known and self._rounds < len(ROUNDS) and not deadline.passed:
            self._round(*ROUNDS[self._rounds])
            self._rounds += 1
            known = [s for s in sites if s in self._found]
        plays = [self._play(site, deadline) for site in known]
        return min(plays, key=len, default=None)

    def _play(self, site: int, deadline: Deadline) -> tuple[str, ...]:
        """The shortest way to a site among a few games."""
        if site not in self._plays:
            longest, games = self._found[site]
            best: tuple[str, ...] | None = None
            for game in games:
                found = self._up_to(site, self._playouts.moves(game, seed=self.seed, longest=longest))
                best = found if best is None or len(found) < len(best) else best
                if deadline.passed:
                    break
            assert best is not None
            self._plays[site] = best
        return self._plays[site]

    def _round(self, longest: int, count: int) -> None:
        if self._playouts.engine != "native":
            count //= _SLOW
        games = self._playouts.play(count, seed=self.seed, longest=longest)
        self.count += count
        self.moves += int(games.moves.sum())
        for site in np.flatnonzero(games.met.any(axis=0)).tolist():
            if site not in self._found:
                numbers = np.flatnonzero(games.met[:, site])
                order = numbers[np.argsort(games.moves[numbers], kind="stable")]
                self._found[site] = (longest, order[:_LOOKED_AT].tolist())

    def _up_to(self, site: int, labels: tuple[str, ...]) -> tuple[str, ...]:
        state = self.program.start
        for number, label in enumerate(labels, 1):
            step = self.run.step(state, self.run.find(label))
            if site in step.hits:
                return labels[:number]
            assert step.state is not None
            state = step.state
        raise AssertionError(f"a game does not come by {self.program.sites[site].id}")
