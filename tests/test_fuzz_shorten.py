"""Shortening: fewest moves, then the simplest choice; what comes out fails in the same way."""

from __future__ import annotations

import random
from typing import Any

import pytest

from models.language.ir import Actor
from solvers.explorer import explore
from solvers.fuzz import Choice, Failure, Plan, shorten
from solvers.fuzz.failures import failure
from solvers.interpreter import Mixed
from tests.fuzz_games import plan_of, vault

CASES: list[tuple[str, dict[str, bool]]] = [
    ("no-two-bolts", {}),
    ("bolts-stay-drawn", {"leak": True}),
    ("stuck", {"jam": True}),
    ("endless", {"spin": True}),
    ("mixed", {"mixed": True}),
]


_FIRST = ("draw(bolt=0)", "roll(pips=0)", "lock", "draw(bolt=1)")
SHORTEST = {
    "no-two-bolts": (*_FIRST, "roll(pips=0)", "lock"),
    "bolts-stay-drawn": (*_FIRST, "roll(pips=1)", "lock"),
    "stuck": _FIRST[:3],
    "endless": ("draw(bolt=0)", "roll(pips=1)"),
    "mixed": _FIRST[:3],
}


def fails(made: Plan, what: str, choice: str, seed: int) -> Failure:
    """A long random play that fails."""
    built, draws = made.build(made.by_name[choice]), random.Random(seed)
    run = built.run
    while True:
        state, labels = built.program.start, list[str]()
        passed: set[Any] = set()
        for _ in range(400):
            try:
                enabled = run.enabled(state)
            except Mixed:
                return failure(built, "mixed", labels)
            if not enabled:
                if what == "stuck" and not run.over(state):
                    return failure(built, what, labels)
                break
            forced = len(enabled) == 1 and enabled[0].actor is Actor.RULES
            if forced and state in passed and what == "endless":
                return failure(built, what, labels)
            passed = passed | {state} if forced else set()
            instance = draws.choice(enabled)
            after = run.step(state, instance).state
            assert after is not None
            labels.append(instance.label)
            if what in (*built.broken_step(state, after), *built.broken(after)):
                return failure(built, what, labels)
            state = after


@pytest.mark.parametrize(("what", "changes"), CASES, ids=[w for w, _ in CASES])
@pytest.mark.parametrize("choice", ["middle, plain", "large, plain"])
def test_the_shortest_play_is_found_at_the_simplest_size(
    monkeypatch: pytest.MonkeyPatch, what: str, changes: dict[str, bool], choice: str
) -> None:
    names = ["no-two-bolts"] if what == "no-two-bolts" else ["bolts-stay-drawn"]
    made = plan_of(monkeypatch, vault(**changes), *names, variants=["plain"])
    best = shorten(made, fails(made, what, choice, 3))
    assert best.what == what
    assert type(best) is type(failure(best.built, what, ()))
    assert best.labels == SHORTEST[what]
    # with two bolts the second opens the vault, so that two drawn bolts need the middle size
    expected = {"no-two-bolts": "middle"}.get(what, "small")
    assert best.built.choice == Choice(expected, "plain")


def test_the_length_is_that_of_a_breadth_first_search(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn", sizes=["large"])
    best = shorten(made, fails(made, "bolts-stay-drawn", "large, plain", 1))
    built = best.built
    found = explore(built.program, list(built.by_name.values())).violated["bolts-stay-drawn"]
    assert len(best.labels) == len(found.labels)


def test_where_the_search_is_too_large_moves_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn", sizes=["large"])
    long = fails(made, "bolts-stay-drawn", "large, plain", 5)
    best = shorten(made, long, states=3)
    assert len(best.labels) <= len(long.labels)
    run = best.built.run
    states = run.replay(best.labels)
    assert list(best.built.broken_step(states[-2], states[-1])) == ["bolts-stay-drawn"]
    # no single move can be left out: what remains is two draws, each with its roll and its lock
    assert len(best.labels) == 6


def test_a_play_with_moves_of_ones_own_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault())
    error = failure(made.build(made.choices[0]), "stuck", ["(somebody quits)"], ["somebody quits"])
    assert shorten(made, error) is error
