"""Random rulebooks: what the language lowers to must do what the naive evaluator does, step by step."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, event, given, settings

from models.language import Program, ir
from solvers.interpreter import Interpreter
from tests.naive_play import Playing, Position
from tests.random_programs import PLAYERS, Random, rulebooks
from tests.random_scripts import value
from tests.random_versions import versions

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
_REACHED = 12
_ANYWHERE = 12


def compare(book: Random, program: Program, run: Interpreter, position: Position) -> list[Position]:
    """Hold all steps from a position against the naive evaluator; the successors."""
    state, after = position.flat(), []
    expected, got = [], []
    for label, weight, successor, hits in book.steps(position):
        expected.append((label, weight, successor.flat() if successor else None, hits))
        after += [successor] if successor else []
        for site in hits:
            event(site.partition(":")[0])
    for i in run.enabled(state):
        made = run.step(state, i)
        sites = [program.sites[s].id for s in made.hits]
        got.append((i.label, run.value(i.weight, state), made.state, sites))
    assert got == expected
    assert run.over(state) == book.over_at(position)
    for p in range(PLAYERS):
        assert run.value(program.winners[p], state) == value(book.winner, Playing(position), {"p": p})
        assert run.value(program.scores[p], state) == value(book.score, Playing(position), {"p": p})
    return after


@settings(max_examples=300, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks())
def test_the_interpreter_does_what_the_naive_evaluator_does(book: Random) -> None:
    program = book.build()
    run = Interpreter(program)
    assert program.start == book.start.flat()
    seen, todo = {program.start}, [book.start]
    while todo and len(seen) < _REACHED:
        for successor in compare(book, program, run, todo.pop(0)):
            if successor.flat() not in seen:
                seen.add(successor.flat())
                todo.append(successor)
    chance = random.Random(len(program.instances))
    for _ in range(_ANYWHERE):
        compare(book, program, run, Position.anywhere(book.shapes, chance))
    lets = sum(isinstance(s, ir.Let) for i in program.instances for s in ir.statements(i.body))
    event("lets: " + ("none" if not lets else "some" if lets < 10 else "many"))


@settings(max_examples=300, deadline=None, suppress_health_check=_SLOW)
@given(versions())
def test_a_read_denotes_the_value_at_the_moment_it_is_written(book: Random) -> None:
    program = book.build()
    run, chance = Interpreter(program), random.Random(0)
    for _ in range(6):
        compare(book, program, run, Position.anywhere(book.shapes, chance))


@settings(max_examples=60, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks())
def test_a_second_build_of_a_random_rulebook_has_the_same_digest(book: Random) -> None:
    first = book.build()
    assert book.build().digest == first.digest
