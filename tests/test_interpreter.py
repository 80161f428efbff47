"""The interpreter: who moves first, what a step gives, replays, and the text that it generates."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bool,
    Enum,
    Index,
    ModelError,
    Program,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    ite,
    least,
    longest,
    player,
    reach,
    responder,
    row,
)
from models.language.ir import Actor
from models.language.questions import By
from solvers.interpreter import Interpreter, Mixed, Step, graphs
from tests.machines import MACHINES


class Phase(enum.Enum):
    A = 0
    B = 1


class Table(State):
    phase = Enum(Phase)
    rules = Bool()
    window = Bool()
    chance = Bool()
    moves = Bool()
    weight = Range(0, 3, start=1)
    turn = Index(2)
    over = Bool()


ACTORS: dict[str, By] = {
    "rules": RULES,
    "window": responder(lambda t: 1 - t.turn),
    "chance": CHANCE,
    "moves": player(lambda t: t.turn),
}


def book(*, both: bool = True) -> Rulebook:
    """For each kind of actor a rule that is enabled where a flag is set."""
    made = Rulebook("order", sizes={"only": Size()}, players=2, clauses=["c"])
    made.state(Table)
    for name, by in ACTORS.items():

        def act(t: Any, name: str = name) -> None:
            t.require(getattr(t, name))
            setattr(t, name, False)

        act.__name__ = name
        weight: Any = (lambda t: t.weight) if by is CHANCE else 1
        made.rule("c", by=by, weight=weight)(act)
    if both:

        def other(t: Table) -> None:
            t.require(t.moves)
            t.turn = 1 - t.turn

        made.rule("c", by=player(lambda t: 1 - t.turn))(other)
    made.over("c")(lambda t: t.over)
    return made


def state(program: Program, **flags: int) -> tuple[int, ...]:
    names = [s.name for s in program.layout.slots]
    return tuple(flags.get(n, v) for n, v in zip(names, program.start, strict=True))


def enabled(program: Program, **flags: int) -> list[str]:
    return [i.label for i in Interpreter(program).enabled(state(program, **flags))]


# -- who moves -----------------------------------------------------------------------------------------


def test_consequences_come_before_windows_before_chance_before_turn_moves() -> None:
    program = book().build()
    order = {"rules": ["rules"], "window": ["window"], "chance": ["chance"], "moves": ["moves", "other"]}
    for flags in itertools.product((0, 1), repeat=4):
        given = dict(zip(order, flags, strict=True))
        if given["chance"] and given["moves"] and not given["rules"] and not given["window"]:
            continue
        first = next((order[k] for k in order if given[k]), [])
        assert enabled(program, **given) == first, given


def test_chance_and_a_player_in_one_state_are_refused() -> None:
    program = book().build()
    with pytest.raises(Mixed) as caught:
        enabled(program, chance=1, moves=1)
    assert str(caught.value).endswith(
        "chance (chance) and a player (moves) may act in the same state; put them in different phases, or "
        "strengthen a guard"
    )


def test_moves_of_several_players_may_stand_side_by_side() -> None:
    program = book().build()
    run, at = Interpreter(program), state(program, moves=1, turn=1)
    assert [(i.label, run.value(i.player, at)) for i in run.enabled(at) if i.player is not None] == [
        ("moves", 1),
        ("other", 0),
    ]


def test_what_chance_weighs_at_nothing_does_not_happen() -> None:
    program = book(both=False).build()
    assert enabled(program, chance=1) == ["chance"]
    assert enabled(program, chance=1, weight=0) == []
    assert enabled(program, chance=1, moves=1, weight=0) == ["moves"]


def test_nobody_moves_when_the_game_is_over() -> None:
    program = book().build()
    assert enabled(program, rules=1, over=1) == []
    assert Interpreter(program).over(state(program, over=1))


def test_actors_are_told_apart_by_number() -> None:
    program = book().build()
    assert [i.actor for i in program.instances] == [
        Actor.RULES,
        Actor.WINDOW,
        Actor.CHANCE,
        Actor.PLAYER,
        Actor.PLAYER,
    ]
    assert [i.player is None for i in program.instances] == [True, False, True, False, False]


def test_instances_are_enabled_in_the_order_of_their_declaration_whatever_is_looked_at_first() -> None:
    made = Rulebook("buckets", sizes={"only": Size()}, players=2, clauses=["c"])
    made.state(Table)
    guards: dict[str, Callable[[Any], Any]] = {
        "anywhere": lambda t: True,
        "in_b": lambda t: t.phase == Phase.B,
        "flagged": lambda t: t.window & (t.phase == Phase.A),
        "not_a": lambda t: ~(t.phase == Phase.A),
        "either": lambda t: (t.phase == Phase.A) | (t.phase == Phase.B),
        "in_a": lambda t: t.phase == Phase.A,
        "weighed": lambda t: t.weight == 2,
    }
    for name, guard in guards.items():

        def act(t: Any, guard: Callable[[Any], Any] = guard) -> None:
            t.require(guard(t))

        act.__name__ = name
        made.rule("c", by=player(lambda t: 0))(act)
    program = made.build()
    for phase, window, weight in itertools.product((0, 1), (0, 1), (1, 2)):
        expected = ["anywhere"]
        expected += ["in_b"] if phase else ["flagged"] if window else []
        expected += ["not_a", "either"] if phase else ["either", "in_a"]
        expected += ["weighed"] if weight == 2 else []
        assert enabled(program, phase=phase, window=window, weight=weight) == expected


# -- steps and replays ---------------------------------------------------------------------------------


def test_a_step_is_deterministic_and_leaves_its_state_alone() -> None:
    program = MACHINES["unique"].program()
    run, instance = Interpreter(program), program.instances[2]
    before = program.start
    assert (
        run.step(before, instance)
        == run.step(before, instance)
        == Step((2, 1, 1), run.step(before, instance).hits)
    )
    assert program.start == before == (0, 0, 0)


def test_a_stop_comes_last_among_the_hits_and_nothing_after_it_happens() -> None:
    program = MACHINES["open-end"].program()
    run = Interpreter(program)
    first = run.step((0,), program.instances[0])
    second = run.step((1,), program.instances[0])
    assert (first.state, [program.sites[s].id for s in first.hits]) == ((1,), ["cover:went-on"])
    assert (second.state, [program.sites[s].id for s in second.hits]) == (None, ["stop:third-square"])


def test_a_replay_gives_all_states_and_a_stop_adds_none() -> None:
    run = Interpreter(MACHINES["open-end"].program())
    assert run.replay([]) == [(0,)]
    assert run.replay(["step"]) == [(0,), (1,)]
    assert run.replay(["step", "step"]) == [(0,), (1,)]
    assert run.replay(["step"], start=(1,)) == [(1,)]


@pytest.mark.parametrize(
    ("labels", "wrong"),
    [
        (["step", "step", "step"], "move 3, step, is not allowed there; the play has stopped"),
        (["stpe"], "open-end has no move 'stpe'; did you mean 'step'?"),
    ],
)
def test_a_play_that_the_rules_do_not_allow(labels: list[str], wrong: str) -> None:
    run = Interpreter(MACHINES["open-end"].program())
    with pytest.raises(ModelError) as caught:
        run.replay(labels)
    assert str(caught.value) == wrong


def test_a_move_that_is_not_allowed_names_those_that_are() -> None:
    run = Interpreter(MACHINES["stuck"].program())
    with pytest.raises(ModelError) as caught:
        run.replay(["step(by_=1)", "step(by_=1)", "step(by_=2)", "step(by_=1)"])
    assert str(caught.value).startswith("move 4, step(by_=1), is not allowed there")
    with pytest.raises(ModelError) as caught:
        run.replay(["step(by_=2)", "step(by_=1)", "step(by_=1)"])
    assert str(caught.value).startswith("move 3, step(by_=1), is not allowed there")


# -- terms over states and steps -----------------------------------------------------------------------


def test_a_term_over_a_step_sees_both_states() -> None:
    program = MACHINES["shortage"].program()
    run = Interpreter(program)
    grows = program.transition(lambda before, after: after.mine > before.mine)
    kept = program.transition(lambda before, after: before.left + before.mine == after.left + after.mine)
    assert run.value(grows, (3, 0, 1, 2)) == 1
    assert run.value(grows, (3, 2, 1, 2)) == 0
    assert (run.value(kept, (3, 0, 1, 2)), run.value(kept, (3, 0, 1, 1))) == (1, 0)
    assert str(grows) == "(< mine mine*)"


def test_a_term_over_a_step_chooses_items_of_the_right_state() -> None:
    program = MACHINES["trick"].program()
    run = Interpreter(program)
    moved = program.transition(lambda b, a: a.won[a.turn] == b.won[a.turn] + 1)
    before = run.replay(["lay(card=0)", "lay(card=1)", "lay(card=4)"])[-1]
    (takes,) = run.enabled(before)
    after = run.step(before, takes).state
    assert takes.label == "takes"
    assert after is not None
    assert run.value(moved, before + after) == 1
    assert run.value(moved, before + before) == 0


# -- graphs --------------------------------------------------------------------------------------------


def _walks(edges: list[tuple[int, int]], opened: tuple[int, ...], nodes: int) -> tuple[int, int]:
    """Longest path and trail by trying every sequence of edges."""
    path = trail = 0
    live = [i for i, o in enumerate(opened) if o]
    for n in range(len(live) + 1):
        for order in itertools.permutations(live, n):
            for start in range(nodes):
                at, seen = start, [start]
                for e in order:
                    if at not in edges[e]:
                        break
                    at = edges[e][1] if edges[e][0] == at else edges[e][0]
                    seen.append(at)
                else:
                    trail = max(trail, n)
                    if len(set(seen)) == len(seen):
                        path = max(path, n)
    return path, trail


@pytest.mark.parametrize(
    "edges", [[(0, 1), (1, 2), (2, 0), (2, 3)], [(0, 1), (2, 3), (1, 1)], [(0, 1), (0, 1), (1, 2)]]
)
def test_longest_path_and_trail(edges: list[tuple[int, int]]) -> None:
    data = (tuple(edges), 4)
    for opened in itertools.product((0, 1), repeat=len(edges)):
        assert (graphs.path(data, opened), graphs.trail(data, opened)) == _walks(edges, opened, 4)


def test_reach_goes_along_open_edges_in_both_directions() -> None:
    edges = ((0, 1), (1, 2), (3, 2))
    for opened in itertools.product((0, 1), repeat=3):
        for to in range(4):
            joined = {3}
            for _ in range(4):
                joined |= {
                    b
                    for (x, y), o in zip(edges, opened, strict=True)
                    if o
                    for a, b in ((x, y), (y, x))
                    if a in joined
                }
            assert graphs.reach((edges, 4, to), (*opened, 0, 0, 0, 1)) == (to in joined)


def test_graphs_in_a_rule() -> None:
    made = Rulebook("graphs", sizes={"only": Size()}, clauses=["c"])

    class Board(State):
        open_ = Array(3, Bool())
        length = Range(0, 3)
        joined = Bool()

    made.state(Board)

    @made.rule("c", by=player(lambda t: 0))
    def score(t: Board) -> None:
        edges = [(0, 1), (1, 2), (2, 3)]
        t.length = longest("path", 4, edges, list(t.open_))
        t.joined = reach(edges, list(t.open_), [True, False, False, False], 2)

    program = made.build()
    run = Interpreter(program)
    made_of = {
        o: run.step((*o, 0, 0), program.instances[0]).state for o in itertools.product((0, 1), repeat=3)
    }
    assert {o: s[3:] for o, s in made_of.items() if s is not None} == {
        (0, 0, 0): (0, 0),
        (0, 0, 1): (1, 0),
        (0, 1, 0): (1, 0),
        (0, 1, 1): (2, 0),
        (1, 0, 0): (1, 0),
        (1, 0, 1): (1, 0),
        (1, 1, 0): (2, 1),
        (1, 1, 1): (3, 1),
    }


# -- generated text ------------------------------------------------------------------------------------


def test_very_deep_terms_and_many_branches_compile() -> None:
    made = Rulebook("deep", sizes={"only": Size()}, clauses=["c"])

    class Deep(State):
        n = Range(0, 9)
        row_ = Array(3, Range(0, 9))

    made.state(Deep)

    @made.rule("c", by=player(lambda t: 0))
    def act(t: Deep) -> None:
        value = t.n + 0
        for k in range(300):
            value = ite(t.row_[k % 3] > k % 9, least(value + 1, 9), value)
        depth = [t.when(t.n >= 0) for _ in range(15)]
        for block in depth:
            block.__enter__()
        t.n = value
        for block in reversed(depth):
            block.__exit__(None, None, None)

    program = made.build()
    value, items = 0, (4, 0, 8)
    for k in range(300):
        value = min(value + 1, 9) if items[k % 3] > k % 9 else value
    assert Interpreter(program).step((0, *items), program.instances[0]).state == (value, *items)


def test_values_of_truth_fields_are_numbers() -> None:
    made = Rulebook("bits", sizes={"only": Size()}, clauses=["c"])

    class Bits(State):
        a, b, c = Bool(), Bool(start=True), Bool()
        n = Range(0, 9)

    made.state(Bits)

    @made.rule("c", by=player(lambda t: 0))
    def act(t: Bits) -> None:
        t.c = t.a | t.b
        t.a = ~(t.a & t.b)
        t.b = t.n > 3
        decide(t, "x", [row("c", when=t.a & t.c, then="set")], outcomes={"set": lambda: setattr(t, "n", 7)})

    program = made.build()
    after = Interpreter(program).step(program.start, program.instances[0]).state
    assert after is not None
    assert after == (1, 0, 1, 7)
    assert [type(v) for v in after] == [int] * 4
