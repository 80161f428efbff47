"""Symmetry: representatives, counts by Burnside's lemma, verdicts as without it, wrong declarations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.language import RULES, Array, Program, Range, Rulebook, Size, State, player
from models.language.errors import ModelError
from models.language.places import here
from properties.kinds import Form, Property
from solvers.explorer import Exploration, explore
from solvers.explorer.native.packing import pack
from solvers.explorer.symmetry import Group, Symmetry, johnson_trotter
from solvers.interpreter import Interpreter, Values


def tokens(n: int, most: int, *, favoured: bool = False) -> Program:
    """n tokens on a track; any may be picked, and then it moves one step (the favoured first one two)."""
    book = Rulebook("tokens", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        at = Array(n, Range(0, most))
        picked = Range(0, n, start=n)

    @book.rule("c", by=player(lambda t: 0), which=n)
    def pick(t: Table, which: int) -> None:
        t.require(t.picked == n)
        t.picked = which

    @book.rule("c", by=RULES)
    def move(t: Table) -> None:
        t.require(t.picked < n)
        for which in range(n):
            with t.when(t.picked == which):
                with t.when(t.at[which] == most):
                    t.cover("far")
                with t.otherwise():
                    step = 2 if favoured and which == 0 else 1
                    t.at[which] = t.at[which] + step
        t.picked = n

    book.over("c")(lambda t: sum((t.at[i] for i in range(n)), start=0 * t.at[0]) == n * most)
    return book.build()


def interchangeable(n: int) -> Symmetry:
    return Symmetry("tokens", n, {"at": ()}, {"picked": ()})


def states(result: Exploration) -> list[Values]:
    assert result.graph is not None
    return [result.graph.states[i] for i in range(result.states)]


@pytest.mark.parametrize(("n", "most"), [(2, 3), (3, 2), (4, 2), (5, 1)])
def test_orbits_are_as_many_as_burnside_says(n: int, most: int) -> None:
    program = tokens(n, most)
    group = Group(program, [interchangeable(n)])
    every = states(explore(program, graph=True))
    assert {image for s in every for image in group.orbit(s)} == set(every)
    elements = [list(group.orbit(s)) for s in every]
    fixed = sum(image == s for s, orbit in zip(every, elements, strict=True) for image in orbit)
    assert all(len(orbit) == group.order for orbit in elements)
    assert fixed % group.order == 0
    reduced = explore(program, symmetry=[interchangeable(n)], engine="native")
    assert reduced.states == fixed // group.order
    assert reduced.engine == "native, up to symmetry of tokens"


def prop(name: str, form: Form, holds: Callable[..., object]) -> Property:
    return Property(name, form, holds, None, (), (), "", here())


@pytest.mark.parametrize("n", [3, 4])
def test_verdicts_and_lengths_are_those_of_the_whole_and_plays_are_genuine(n: int) -> None:
    program = tokens(n, 3)
    some_far = prop("some far", Form.SOMETIMES, lambda t: t.at[0] + t.at[1] + t.at[2] == 9)
    near = prop("near", Form.ALWAYS, lambda t: sum((t.at[i] for i in range(n)), start=0 * t.at[0]) < 5)
    still = prop("still", Form.STEP, lambda a, b: sum((b.at[i] for i in range(n)), start=0 * b.at[0]) < 4)
    checked = [near, still] if n > 3 else [some_far, near, still]
    whole = explore(program, checked, engine="native")
    reduced = explore(program, checked, engine="native", symmetry=[interchangeable(n)])
    assert reduced.states < whole.states / 2
    assert (reduced.depth, reduced.stuck_states) == (whole.depth, whole.stuck_states)
    run = Interpreter(program)
    for one, other in (
        (reduced.sites, whole.sites),
        (reduced.met, whole.met),
        (reduced.violated, whole.violated),
    ):
        assert {k: len(p.labels) for k, p in one.items()} == {k: len(p.labels) for k, p in other.items()}
        for name, play in one.items():
            last = run.replay(play.labels)
            if name == "cover:far":
                before = run.replay(play.labels[:-1])[-1]
                assert program.site_number[name] in run.step(before, run.find(play.labels[-1])).hits
            if name == "near":
                assert sum(last[-1][:n]) == 5


def two_kinds() -> Program:
    """Three things with a colour each (two colours): things and colours may be exchanged."""
    book = Rulebook("kinds", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        colour = Array(3, Range(0, 2))  # 0: none yet
        used = Array(2, Range(0, 3))

    @book.rule("c", by=player(lambda t: 0), thing=3, colour=2)
    def paint(t: Table, thing: int, colour: int) -> None:
        t.require(t.colour[thing] == 0)
        t.colour[thing] = colour + 1
        t.used[colour] = t.used[colour] + 1

    return book.build()


def test_two_symmetries_at_once_and_values_that_stay() -> None:
    program = two_kinds()
    things = Symmetry("things", 3, {"colour": ()})
    colours = Symmetry("colours", 2, {"used": ()}, {"colour": [[1], [2]]})
    group = Group(program, [things, colours])
    assert (group.order, len(group.walk)) == (12, 11)
    every = states(explore(program, graph=True))
    least = {group.least(s, pack(program)) for s in every}
    reduced = explore(program, symmetry=[things, colours], engine="native")
    assert (len(every), reduced.states) == (27, len(least))
    # multisets of three out of {none, a, b}, with a and b alike: 3 none; 2 none + a; none + aa, none + ab;
    # aaa, aab
    assert reduced.states == 6
    assert explore(program, symmetry=[things], engine="native").states == 10
    assert explore(program, symmetry=[colours], engine="native").states == 14


def test_all_permutations_are_seen_once() -> None:
    for n in range(2, 6):
        seen, order = {tuple(range(n))}, list(range(n))
        for i in johnson_trotter(n):
            order[i], order[i + 1] = order[i + 1], order[i]
            seen.add(tuple(order))
        assert len(seen) == len(johnson_trotter(n)) + 1 == [2, 6, 24, 120][n - 2]


def test_things_that_the_rules_tell_apart_are_found_out() -> None:
    with pytest.raises(
        ModelError, match="tokens are declared interchangeable, but the rules tell them apart"
    ):
        explore(tokens(3, 3, favoured=True), symmetry=[interchangeable(3)], engine="native")


def test_a_property_that_tells_them_apart_is_found_out() -> None:
    first = prop("first", Form.SOMETIMES, lambda t: t.at[0] == 2)
    with pytest.raises(ModelError, match="tell them apart"):
        explore(tokens(3, 2), [first], symmetry=[interchangeable(3)], engine="native")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Symmetry("x", 3, {"nowhere": ()}), "the state has no field 'nowhere'"),
        (Symmetry("x", 3, {"at": [[0], [1]]}), "3 things need as many rows"),
        (Symmetry("x", 4, {"at": ()}), "at has no position 3"),
        (Symmetry("x", 8, {"at": ()}), "40320 permutations, at most 5040"),
    ],
)
def test_declarations_that_do_not_fit(wrong: Symmetry, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        explore(tokens(3, 2), symmetry=[wrong], engine="native")


def test_transitions_between_representatives_are_not_given_out() -> None:
    with pytest.raises(ValueError, match="not those of the program"):
        explore(tokens(2, 2), symmetry=[interchangeable(2)], graph=True, engine="native")


def test_the_reference_explores_the_whole() -> None:
    program = tokens(2, 2)
    assert (
        explore(program, symmetry=[interchangeable(2)], engine="reference").states == explore(program).states
    )
