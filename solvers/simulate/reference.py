"""Random games on the interpreter: what the native games must equal, and what plays without WebAssembly."""

from __future__ import annotations

from models.language.program import Program
from solvers.interpreter import Interpreter, Values
from solvers.simulate.clocks import Clocks
from solvers.simulate.results import End, Games, blank


class ReferencePlayouts:
    """Random games of one program on the interpreter."""

    def __init__(self, program: Program) -> None:
        self.program, self.run = program, Interpreter(program)

    def play(self, count: int, seed: int, first: int, start: Values, longest: int) -> Games:
        """See `simulate`."""
        p, made = self.program, blank(self.program, count)
        for n in range(count):
            made.ended[n], state, labels, met = self.game(seed, first + n, start, longest)
            made.moves[n], made.states[n] = len(labels), state
            made.met[n, list(met)] = True
            for column, terms in ((made.winners, p.winners), (made.scores, p.scores)):
                for player, t in enumerate(terms):
                    column[n, player] = self.run.value(t, state)
        return made

    def moves(self, seed: int, game: int, start: Values, longest: int) -> tuple[str, ...]:
        """Labels of one game."""
        return self.game(seed, game, start, longest)[2]

    def game(
        self, seed: int, game: int, start: Values, longest: int
    ) -> tuple[End, Values, tuple[str, ...], set[int]]:
        """One game: how it ended, its last state, its moves, the sites it came by.

        Errors:
            Mixed: chance and a player may act in the same state.
        """
        clocks, state, labels, met = Clocks(seed, game), start, list[str](), set[int]()
        while True:
            if self.run.over(state):
                return End.OVER, state, tuple(labels), met
            enabled = self.run.enabled(state)
            if not enabled:
                return End.STUCK, state, tuple(labels), met
            if len(labels) >= longest:
                return End.CUT, state, tuple(labels), met
            weights = [self.run.value(i.weight, state) for i in enabled]
            chosen = enabled[clocks.race([i.label for i in enabled], weights)]
            step = self.run.step(state, chosen)
            labels.append(chosen.label)
            met.update(step.hits)
            if step.state is None:
                return End.STOPPED, state, tuple(labels), met
            state = step.state
