"""Plays by the rules of a play that is known at another size."""

from __future__ import annotations

import pytest

from findings.audit.print_size import rules
from models.language import Program
from models.language.registry import find
from solvers.compare.along import along
from solvers.compare.diagonal import partings
from solvers.compare.pairs import Parting
from solvers.contract import Refuted
from solvers.explorer import explore
from solvers.interpreter import Interpreter
from solvers.symbolic import goals, patterns
from solvers.symbolic.answers import ask
from solvers.symbolic.equivalence import Twins
from solvers.symbolic.session import session
from solvers.symbolic.solving import Deadline
from solvers.symbolic.unroll import confirm

SCOPE = "bonus.scope"


@pytest.fixture(scope="module")
def small() -> Program:
    return find("fly_high").build("small", "basic")


def test_variations_repeat_what_comes_twice() -> None:
    taken = ["roll", "reveal", "turn_up", "reveal", "turn_up", "stop", "roll", "roll"]
    found = list(patterns.variations(taken))
    assert found[0] == patterns.Pattern(
        ("roll", "reveal", "turn_up", "reveal", "turn_up", "stop", "roll", "roll"), 0
    )
    assert found[1].rules == found[0].rules
    assert found[1].free > 0
    longer = {len(p.rules) - 8 for p in found[2:]}
    assert longer == {2, 1, 3, 4, 6, 8, 12}  # a pair once, twice or four times more, a roll, and both
    assert all("".join(sorted(set(p.rules))) == "".join(sorted(set(found[0].rules))) for p in found)


def test_what_comes_once_is_not_repeated() -> None:
    assert [p.rules for p in patterns.variations(["a", "b", "c"])] == [("a", "b", "c")] * 2
    assert [p.rules for p in patterns.variations([])] == [(), ()]


def test_the_rules_of_a_shortest_play_lead_to_its_site(small: Program) -> None:
    machine, run = session(small).machine, Interpreter(small)
    met = explore(small).sites
    asked = [s for s in ("tie:most-cards", "shortage:refill") if s in met] or list(met)[:2]
    assert asked
    for site in asked:
        goal, labels = goals.site(small, site), met[site].labels
        pattern = patterns.Pattern(rules(labels)[: len(labels) - goal.takes_step])
        found = patterns.follow(machine, goal.parts(machine), pattern, Deadline.after(60))
        assert found is not None
        confirm(run, goal, found)
        assert rules(found.labels) == rules(labels)


def test_a_pattern_that_no_play_follows_finds_nothing(small: Program) -> None:
    goal, machine = goals.site(small, "tie:most-cards"), session(small).machine
    for wrong in (("take_all",), ("roll", "roll"), ("no_such_rule",)):
        found = patterns.follow(machine, goal.parts(machine), patterns.Pattern(wrong), Deadline.after(30))
        assert found is None


def test_six_cards_with_one_character_are_taken_at_the_printed_size() -> None:
    """The dice differ, so that the play of the small size has to be changed: a player goes on, and stops."""
    program = find("fly_high").build("print", "basic")
    like = ("roll", *("reveal", "turn_up") * 6, "take_all")
    goal = goals.site(program, "stacking:bonus-of-six")
    machine = session(program).machine
    plain, free = list(patterns.variations(like[:-1]))[:2]
    assert patterns.follow(machine, goal.parts(machine), plain, Deadline.after(120)) is None
    found = patterns.follow(machine, goal.parts(machine), free, Deadline.after(240))
    assert found is not None
    confirm(Interpreter(program), goal, found)
    assert found.labels[-1] == "take_all"


def test_a_question_may_name_the_rules_of_a_known_play(small: Program) -> None:
    """Without native code, plain unrolling would be slower than what the rules lead to."""
    play = explore(small).sites["tie:most-cards"].labels
    verdict = ask(small, goals.site(small, "tie:most-cards"), search=False, like=rules(play))
    assert isinstance(verdict, Refuted)
    assert len(verdict.witness.labels) == len(play)


def test_a_difference_that_players_see_follows_a_hidden_one(small: Program) -> None:
    other = find("fly_high").build("small", "basic", {SCOPE: "pile"})
    known = partings(explore(small, graph=True), {SCOPE: other})[SCOPE]
    assert isinstance(known, Parting)
    twins = Twins(session(small), other)
    found = patterns.parting(twins, patterns.Pattern(rules(known.play.labels)), Deadline.after(120))
    assert found is not None
    Interpreter(other).replay(found.labels)
    one = along(Interpreter(small), Interpreter(other), found.labels, nodes=1)
    assert isinstance(one, Parting)


def test_equal_readings_do_not_part_on_a_pattern(small: Program) -> None:
    twins = Twins(session(small), find("fly_high").build("small", "basic"))
    pattern = patterns.Pattern(("roll", "reveal", "turn_up"), free=2)
    assert patterns.parting(twins, pattern, Deadline.after(60)) is None
