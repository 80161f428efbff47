"""Cores: all minimal sets of constraints that cannot hold together.

Promises: every set reported is unsatisfiable and each of its proper subsets is not (deletion-minimised);
where the search ends by itself, no other such set exists; `complete` says whether it did.

The enumeration is MARCO (Liffiton, Previti, Malik and Marques-Silva 2016): a map of unexplored subsets,
maximal ones first; a satisfiable one blocks its subsets, a core blocks its supersets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import z3

from solvers.symbolic.numbers import Numbers, Truth
from solvers.symbolic.solving import Deadline, Solver

#: None where the oracle ran out of time.
Oracle = Callable[[frozenset[int]], bool | None]


@dataclass(frozen=True)
class Cores:
    """Minimal unsatisfiable sets.

    Attributes:
        cores: The sets, in order of discovery.
        complete: Whether these are all.
    """

    cores: tuple[frozenset[int], ...]
    complete: bool


class Constraints:
    """Numbered constraints over one background; answers which subsets are satisfiable.

    Args:
        constraints: Truth values, by number.
        background: What holds in any case.
        numbers: How they represent numbers.
        seconds: Time for one check.
    """

    def __init__(
        self,
        constraints: Iterable[Truth],
        background: Iterable[Truth],
        numbers: Numbers,
        seconds: float = 5.0,
    ) -> None:
        self.seconds = seconds
        self.solver = Solver(numbers, background)
        self.names: list[Truth] = []
        for number, c in enumerate(constraints):
            self.names.append(z3.Bool(f"constraint!{number}"))
            self.solver.add(z3.Implies(self.names[-1], c))

    def satisfiable(self, chosen: frozenset[int], *more: Truth) -> bool | None:
        """Whether some constraints hold together; None if the time ran out."""
        return self.solver.check(
            Deadline.after(self.seconds), *(self.names[i] for i in sorted(chosen)), *more
        )


def minimal(
    satisfiable: Oracle, chosen: frozenset[int], keep: frozenset[int] = frozenset()
) -> frozenset[int]:
    """Delete from an unsatisfiable set whatever it does not need.

    Args:
        satisfiable: The oracle; where it does not know, nothing is deleted.
        chosen: An unsatisfiable set.
        keep: Members that stay in any case.
    """
    for i in sorted(chosen - keep, reverse=True):
        if satisfiable(chosen - {i}) is False:
            chosen -= {i}
    return chosen


def minimal_cores(satisfiable: Oracle, n: int, *, most: int = 64) -> Cores:
    """All minimal unsatisfiable subsets of the constraints 0..n-1, up to a number.

    Args:
        satisfiable: Whether a subset is satisfiable.
        n: Number of constraints.
        most: Stop after this many.
    """
    seeds, names = z3.Optimize(), [z3.Bool(f"unexplored!{i}") for i in range(n)]
    for name in names:
        seeds.add_soft(name)
    found: list[frozenset[int]] = []
    complete = True
    while len(found) < most:
        if seeds.check() != z3.sat:
            return Cores(tuple(found), complete)
        model = seeds.model()
        seed = frozenset(i for i in range(n) if z3.is_true(model.eval(names[i], model_completion=True)))
        answer = satisfiable(seed)
        if answer is False:
            core = minimal(satisfiable, seed)
            found.append(core)
            seeds.add(z3.Or(*(z3.Not(names[i]) for i in core)))
        else:
            complete = complete and answer is True
            seeds.add(z3.Or(*(names[i] for i in range(n) if i not in seed)))
    return Cores(tuple(found), False)
