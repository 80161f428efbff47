"""The value of a term in one state, by walking the term.

Promise: the same value as the compiled function of `solvers.interpreter.code`. Compiling pays for terms that
are asked in many states; walking pays for large terms that are asked once, as what does not matter for the
value (the other arm of a choice, the rest of a conjunction) is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.terms import PURE, Term
from solvers.interpreter import graphs


class Walk:
    """Values of terms in one state; what terms share is worked out once.

    Args:
        state: The value of each slot.
    """

    def __init__(self, state: Sequence[int]) -> None:
        self.state = state
        self.known: dict[Term, int] = {}

    def value(self, t: Term) -> int:
        """The value of a term.

        Errors:
            KeyError: the term has a quantity that no state gives a value.
        """
        if t.op == "const":
            return t.lo
        found = self.known.get(t)
        if found is None:
            found = self.known[t] = self._work_out(t)
        return found

    def _work_out(self, t: Term) -> int:
        if t.op == "read":
            return int(self.state[t.data[0][0]])
        if t.op == "and":
            return int(all(self.value(a) for a in t.args))
        if t.op == "or":
            return int(any(self.value(a) for a in t.args))
        if t.op == "ite":
            return self.value(t.args[1] if self.value(t.args[0]) else t.args[2])
        values = [self.value(a) for a in t.args]
        if t.op == "select":
            return int(self.state[t.data[0][values[0]]])
        if t.op == "lookup":
            return int(t.data[values[0]])
        if t.op in ("reach", "path", "trail"):
            return int(getattr(graphs, t.op)(t.data, values))
        return int(PURE[t.op](*values))
