"""Breaking a rule of Fly High on purpose is noticed: by random play, by what play must reach, by an example.

Twenty single changes, spread over the rules and the kinds of change; a change that no small size can tell
from the rule as it stands is no change of play and is passed over. The few that nothing notices are listed
with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
import pytest

from models.fly_high.examples import EXAMPLES
from models.fly_high.rules import book
from models.language.examples import Example
from models.language.program import Program
from properties import kinds
from solvers.compare.evidence import Builder, gather
from solvers.explorer import Exploration, explore
from solvers.fuzz import (
    PROFILES,
    Failure,
    Mutation,
    Plan,
    check,
    hypothesis_settings,
    mutations,
    plan,
    sample,
)
from solvers.interpreter import Interpreter, Mixed

CHANGES = 20
SMALL = ("small", "small-uturns", "small-bonus")
CI = hypothesis_settings(PROFILES["ci"])

#: Change → why nothing notices it.
UNNOTICED: dict[str, str] = {
    "reveal/swap-branches/9":
    "play stops at the open end of the text that is there anyway, only far more often; "
    "an open end is left out of what must always hold",
}


@cache
def the_plan() -> Plan:
    return plan(book, sizes=SMALL, flips=0)


@cache
def every_size() -> Plan:
    return plan(book, flips=PROFILES["ci"].flips)


@cache
def explored(program: Program) -> Exploration | None:
    """The explored states; None where chance stands beside a player."""
    return _explored(program)


def _explored(program: Program) -> Exploration | None:
    try:
        return explore(program, kinds.of(book).of(program.variant), graph=True)
    except Mixed:
        return None


def reached(explorations: Iterable[Exploration | None]) -> frozenset[str]:
    """What some play of some of the explored programs must reach and does."""
    return frozenset(name for e in explorations if e is not None for name in e.met)


@cache
def reached_as_it_stands() -> frozenset[str]:
    return reached(explored(the_plan().build(c).program) for c in the_plan().choices)


def plays_alike(one: Program, two: Program) -> bool:
    """Whether two programs have the same states and steps, in the same order."""
    a, b = explored(one), _explored(two)
    if a is None or b is None or (a.states, a.transitions) != (b.states, b.transitions):
        return False
    g, h = a.graph, b.graph
    assert g is not None
    assert h is not None
    rows = [(g.first, h.first), (g.target, h.target), (g.instance, h.instance), (g.over, h.over)]
    columns = [(g.states.column(s.index), h.states.column(s.index)) for s in one.layout.slots]
    return all(np.array_equal(x, y) for x, y in (*rows, *columns))


def changes_play(mutation: Mutation) -> bool:
    for choice in the_plan().choices:
        program = the_plan().build(choice).program
        changed = mutation.apply(program)
        if changed is not None and changed.digest != program.digest and not plays_alike(program, changed):
            return True
    return False


@cache
def chosen() -> tuple[Mutation, ...]:
    """Twenty changes that change play."""
    advanced = the_plan().build(the_plan().by_name["small, advanced"]).program
    return tuple(sample(mutations(advanced), CHANGES, keep=changes_play))


class _Changed(Builder):
    """Builds programs with a change in them."""

    def __init__(self, mutation: Mutation) -> None:
        super().__init__()
        self.mutation = mutation
        self.made: dict[str, Interpreter] = {}

    def run(self, example: Example, readings: Mapping[str, str]) -> Interpreter:
        made = super().run(example, readings)
        digest = made.program.digest
        if digest not in self.made:
            changed = self.mutation.apply(made.program)
            self.made[digest] = made if changed is None else Interpreter(changed)
        return self.made[digest]


def noticed(mutation: Mutation) -> str:
    """What notices a change; "" if nothing does."""
    changed = the_plan().mutated(mutation)
    return (
        _random(changed)
        or _exhaustive(changed)
        or _examples(mutation)
        or _random(every_size().mutated(mutation))
    )


def _random(changed: Plan) -> str:
    try:
        check(changed, brief=True, max_examples=CI.max_examples, stateful_step_count=CI.stateful_step_count)
    except Failure as failure:
        return failure.what
    return ""


def _exhaustive(changed: Plan) -> str:
    """The same properties over all states of the small sizes, and what must be reached in some of them."""
    found = [_explored(changed.build(c).program) for c in changed.choices]
    for e in found:
        if e is None:
            return "mixed"
        if e.violated or e.stuck:
            return next(iter(e.violated), "stuck")
    same = [explored(the_plan().build(c).program) for c in the_plan().choices if c not in changed.choices]
    lost = sorted(reached_as_it_stands() - reached([*found, *same]))
    return f"never reached: {lost[0]}" if lost else ""


def _examples(mutation: Mutation) -> str:
    build = _Changed(mutation)
    for example in EXAMPLES.all:
        try:
            if gather(example, build, {}).conflict:
                return f"example {example.name}"
        except Mixed:
            return f"example {example.name}"
    return ""


def test_twenty_changes_are_tried() -> None:
    assert len(chosen()) == CHANGES
    assert len({m.rule for m in chosen()}) >= 8
    assert len({m.operator for m in chosen()}) >= 8
    assert set(UNNOTICED) <= {m.id for m in chosen()}


@pytest.mark.parametrize("number", range(CHANGES))
def test_a_change_is_noticed_or_listed_with_the_reason(number: int) -> None:
    mutation = chosen()[number]
    how = noticed(mutation)
    if mutation.id in UNNOTICED:
        assert how == "", f"{mutation.id} is noticed now ({how}): take it off the list"
    else:
        assert how, f"nothing notices {mutation.id}: {mutation.text}"


def test_the_rules_as_they_stand_are_not_taken_for_changed() -> None:
    check(the_plan(), max_examples=CI.max_examples, stateful_step_count=CI.stateful_step_count)
    assert len(reached_as_it_stands()) >= 8
    assert all(not gather(e, Builder(), {}).conflict for e in EXAMPLES.all)
