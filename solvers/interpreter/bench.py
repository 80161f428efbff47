"""A bench of interpreters: one for each program, sharing compiled code.

Promise: the same program gives the same interpreter as long as the bench lives.
"""

from __future__ import annotations

from models.language.program import Program
from solvers.interpreter import Code, Interpreter


class Bench:
    """Interpreters of several programs of one rulebook.

    Attributes:
        code: The compiled functions that they share.
    """

    def __init__(self) -> None:
        self.code = Code()
        self._runs: dict[int, Interpreter] = {}

    def __call__(self, program: Program) -> Interpreter:
        """The interpreter of a program (kept, and the program with it)."""
        if id(program) not in self._runs:
            self._runs[id(program)] = Interpreter(program, self.code)
        return self._runs[id(program)]
