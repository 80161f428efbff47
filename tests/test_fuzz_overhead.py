"""The race against a hand-written machine: it plays the same game, and a short race meets the mark."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from tests.benchmarks.fly_high_by_hand import CARDS, SIZE, SPOTS, Table
from tests.benchmarks.machine_overhead import by_hand, generated

CONSEQUENCES = {"failed": "turn_back", "won": "take_all"}


def moves(t: Table) -> Iterator[tuple[str, tuple[int, ...]]]:
    if t.phase == "roll":
        yield from (("roll", (n,)) for n in SIZE.numbers)
        yield "cloud", ()
    yield from (("reveal", (s,)) for s in SPOTS if t.may_reveal(s))
    yield from (("turn_up", (c,)) for c in CARDS if t.phase == "draw" and t.unseen[c - 2])
    if t.phase == "choice":
        yield "stop", ()
    if t.phase in CONSEQUENCES:
        yield CONSEQUENCES[t.phase], ()
    if t.phase == "ending" and t.bonus:
        yield "pay_bonus", ()
    if t.phase == "ending" and t.refill:
        yield "fill", ()


def test_the_hand_written_machine_has_the_states_and_steps_of_the_rulebook() -> None:
    from models.language import registry
    from solvers.explorer import explore

    seen, steps = {tuple(vars(Table()).values())}, 0
    todo = [Table()]
    for t in todo:
        for name, given in moves(t):
            after = copy(t)
            getattr(after, name)(*given)
            steps += 1
            key = tuple(vars(after).values())
            if after.phase != "stopped" and key not in seen:
                seen.add(key)
                todo.append(after)
    found = explore(registry.find("fly_high").build("small", "basic"))
    counted = sum(1 for t in todo if t.phase == "out")
    # the rulebook counts the cards in a step of its own, and keeps who has won
    assert (len(seen) + counted, steps + counted) == (found.states, found.transitions)


def test_a_short_race_meets_the_mark() -> None:
    by_hand(5), generated(5)
    ratios = [generated(60) / by_hand(60) for _ in range(3)]
    assert max(ratios) >= 0.8
