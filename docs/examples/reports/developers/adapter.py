"""Drives the implementation under test; replace what is behind these four functions by your own.

As it comes, it drives the model of the rulebook that the plays were found on.
"""

from findings.audit.details import plain
from models.language import registry
from models.language.words import Position
from solvers.interpreter import Interpreter

RULEBOOK = "docs/examples/lantern_hill"


class Game:
    """One game."""

    def __init__(self, program):
        self.run, self.program, self.table = Interpreter(program), program, program.start

    def allows(self, move):
        """Whether a move, written `name(parameter=value)`, may be made now."""
        return any(i.label == move for i in self.run.enabled(self.table))

    def make(self, move):
        """Make a move; False where the text does not say how play goes on."""
        after = self.run.step(self.table, self.run.find(move)).state
        self.table = self.table if after is None else after
        return after is not None

    def state(self):
        """The table: field to value, members of enumerations by name."""
        return {k: plain(v) for k, v in Position(self.program, self.table).values.items() if k != "size"}


def start(variant, size, readings):
    """A new game.

    `variant` and `size` are names of the rulebook, `readings` maps a question to the option that is played.
    """
    return Game(registry.find(RULEBOOK).build(size, variant, readings))
