"""DRN: the Markov chain of random games in the explicit format of the model checker Storm.

Promises: the chain that `solvers.simulate.exact` solves, state for state, with its probabilities as
fractions; so what Storm says of the file is a second opinion on the exact values.

The format is Storm's own ("direct encoding"; Hensel, Junges, Katoen, Quatmann and Volk 2022).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from models.language.program import Program
from models.language.terms import Term
from solvers.contract import Limits
from solvers.simulate.exact import Chain
from solvers.simulate.policies import UNIFORM, Policy

#: Labels of states at rest: the game is over; nobody may act although it is not; play stopped in a move.
OVER, STUCK, HALTED = "over", "stuck", "halted"
#: Name of the reward that counts moves.
MOVES = "moves"
#: States of a chain that is written, at most.
MOST_STATES = 1_000_000


def won(player: int) -> str:
    """The label of the states in which a player (counted from 1) has won, alone or with others."""
    return f"won_{player}"


def drn(program: Program, *, policy: Policy = UNIFORM, limits: Limits | None = None) -> str:
    """The chain of a program for Storm.

    Args:
        program: The program.
        policy: Who plays.
        limits: When the exploration gives up (at `MOST_STATES` unless given).

    Returns:
        The text. State 0 is the setup, with the label `init`; see `OVER`, `STUCK`, `HALTED` and `won` for the
        other labels. States at rest lead to themselves. The reward `moves` is 1 in all others.

    Errors:
        ModelError: the size is too large.
    """
    chain = Chain(policy.play(program), limits or Limits(states=MOST_STATES))
    return "".join(f"{line}\n" for line in _lines(chain, policy))


def _lines(chain: Chain, policy: Policy) -> Iterator[str]:
    program, graph = chain.program, chain.graph
    halts = bool((graph.target < 0).any())
    states = chain.count + halts
    yield f"// {program.book.name}, {program.size_name}, {program.variant}"
    yield f"// rules {program.digest}; players choose: {policy.name}"
    yield f"// for instance: storm --explicit-drn FILE --prop 'R{{\"{MOVES}\"}}=? [C]'"
    yield from ("@type: DTMC", "@parameters", "", "@reward_models", MOVES)
    yield from ("@nr_states", str(states), "@nr_choices", str(states), "@model")
    labels = [*(_labels(chain, n) for n in range(chain.count)), *([[HALTED]] if halts else [])]
    for n, told in enumerate(labels):
        begin, end = (int(graph.first[n]), int(graph.first[n + 1])) if n < chain.count else (0, 0)
        yield " ".join((f"state {n} [{int(end > begin)}]", *told))
        yield "\taction 0 [0]"
        for target, share in _steps(chain, n, begin, end):
            yield f"\t\t{target} : {share}"


def _labels(chain: Chain, number: int) -> list[str]:
    program, graph = chain.program, chain.graph
    found = ["init"] if number == 0 else []
    if graph.over[number]:
        state = graph.states[number]
        found.append(OVER)
        found += [won(p) for p, t in enumerate(program.winners, 1) if _holds(chain, t, state)]
    elif graph.first[number] == graph.first[number + 1]:
        found.append(STUCK)
    return found


def _holds(chain: Chain, term: Term, state: tuple[int, ...]) -> bool:
    return bool(chain.run.value(term, state))


def _steps(chain: Chain, number: int, begin: int, end: int) -> Iterator[tuple[int, Fraction]]:
    """Where a state leads and with what probability, by the number of the state there."""
    if begin == end:
        yield number, Fraction(1)
        return
    target, weights = chain.graph.target[begin:end], chain.weights[begin:end]
    ends = np.where(target < 0, chain.count, target)
    whole = int(weights.sum())
    for state in np.unique(ends).tolist():
        weight = int(weights[ends == state].sum())
        if weight:
            yield state, Fraction(weight, whole)


__all__ = ["HALTED", "MOST_STATES", "MOVES", "OVER", "STUCK", "drn", "won"]
