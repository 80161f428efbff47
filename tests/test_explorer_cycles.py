"""Endings, circles and lost positions, on small graphs and against networkx."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np
import pytest

from models.language import (
    CHANCE,
    RULES,
    Bool,
    Range,
    Rulebook,
    State,
)
from models.language.ir import Actor
from solvers.explorer.cycles import Endless, backward, components, endless, lost, never_ends
from solvers.interpreter import Interpreter
from tests.small_mazes import One, anybody, explored, maze


def _endless(moves: Mapping[str, Mapping[int, int]], over: Sequence[int] = (), **by: Any) -> list[Endless]:
    found, graph = explored(maze(moves, by, over))
    made = endless(found.program, graph)
    run = Interpreter(found.program)
    for circle in made:
        states = run.replay([*circle.stem.labels, *circle.loop])
        assert states[len(circle.stem.labels)] == states[-1], "once round leads back"
    return made


def _told(circles: list[Endless]) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    return [(c.stem.labels, c.loop, c.closed) for c in circles]


# --- circles ------------------------------------------------------------------------------------------


def test_a_circle_of_forced_moves_is_found_with_its_way_in() -> None:
    found = _endless({"go": {0: 1, 1: 2, 2: 3, 3: 2}})
    assert _told(found) == [(("go", "go"), ("go", "go"), True)]
    assert found[0].rules == ("go",)


def test_a_circle_that_a_player_can_leave_is_none() -> None:
    assert _endless({"go": {0: 1, 1: 0}, "end": {1: 2}}, over=[2]) == []


def test_a_circle_of_consequences_is_one_though_a_consequence_leads_out() -> None:
    found = _endless({"go": {0: 1, 1: 0}, "out": {1: 2}}, over=[2], go=RULES, out=RULES)
    assert _told(found) == [((), ("go", "go"), False)]


def test_a_circle_that_chance_leaves_with_some_probability_is_none() -> None:
    assert _endless({"go": {0: 1, 1: 0}, "out": {1: 2}}, over=[2], go=CHANCE, out=CHANCE) == []


def test_chance_that_cannot_leave_is_endless_but_bound_to_no_circle() -> None:
    found = _endless({"left": {0: 1, 1: 0}, "right": {0: 2, 2: 0}}, left=CHANCE, right=CHANCE)
    assert _told(found) == [((), (), True)]
    assert found[0].rules == ("left", "right")


def test_a_place_of_no_return_is_told_where_it_begins() -> None:
    ways = {"in": {0: 1}, "on": {1: 2, 2: 3, 3: 2}, "back": {2: 2, 3: 3}, "end": {0: 4}}
    assert _told(_endless(ways, over=[4])) == [(("in",), (), True)]


def test_two_different_ways_to_be_caught_are_two() -> None:
    ways = {"west": {0: 1}, "east": {0: 2}, "spin": {1: 1}, "turn": {2: 3, 3: 2}, "end": {0: 4}}
    assert _told(_endless(ways, over=[4])) == [
        (("west",), ("spin",), True),
        (("east",), ("turn", "turn"), True),
    ]


def test_the_same_circle_in_two_places_is_one_and_the_nearest_is_told() -> None:
    ways = {"in": {0: 1, 1: 3}, "turn": {1: 2, 2: 1, 3: 4, 4: 3}, "out": {0: 5}}
    found = _endless(ways, over=[5], turn=RULES)
    assert _told(found) == [(("in",), ("turn", "turn"), True)]


def test_a_stop_or_a_stuck_place_is_an_end_of_its_own() -> None:
    assert _endless({"go": {0: 1, 1: 0}, "out": {1: -1}}, go=RULES, out=RULES)[0].closed is False
    assert _endless({"go": {0: 1}}) == []


def test_a_move_onto_itself_is_a_circle() -> None:
    assert _told(_endless({"go": {0: 1}, "stay": {1: 1}}, stay=RULES)) == [(("go",), ("stay",), True)]


# --- reaching backwards -------------------------------------------------------------------------------


def test_a_game_that_cannot_end_any_more_is_told_and_open_ends_are_left_out() -> None:
    _, graph = explored(maze({"go": {0: 1}, "end": {0: 2}}, {}, [2]))
    play = never_ends(graph)
    assert play is not None
    assert play.labels == ("go",)
    _, graph = explored(maze({"go": {0: -1}, "end": {0: 2}}, {}, [2]))
    assert never_ends(graph) is None


def _random_graph(seed: int) -> tuple[Rulebook, list[int]]:
    draw = random.Random(seed)
    places = range(9)
    moves = {
        name: {a: draw.choice([*places, -1]) for a in places if draw.random() < 0.45}
        for name in ("fate", "luck", "left", "right")
    }
    moves = {name: ways or {0: 1} for name, ways in moves.items()}
    chosen = {a for name in ("left", "right") for a in moves[name]}
    moves["luck"] = {a: b for a, b in moves["luck"].items() if a not in chosen} or {100: 0}
    if 100 in moves["luck"]:
        del moves["luck"]
    over = draw.sample(places, 1) if draw.random() < 0.7 else []
    return maze(moves, {"fate": RULES, "luck": CHANCE}, over), over


@pytest.mark.parametrize("seeds", [range(60), range(60, 120)], ids=str)
def test_random_graphs_agree_with_networkx(seeds: range) -> None:
    circles = 0
    for seed in seeds:
        book, _ = _random_graph(seed)
        found, graph = explored(book)
        program, n = found.program, len(graph.over)
        source = graph.sources()
        net: Any = nx.MultiDiGraph()
        net.add_nodes_from(range(n))
        stops = set()
        for s, t, i in zip(source.tolist(), graph.target.tolist(), graph.instance.tolist(), strict=True):
            if t < 0:
                stops.add(s)
            else:
                net.add_edge(s, t, instance=program.instances[i])
        quiet = {s for s in range(n) if not net.out_degree(s) and s not in stops}
        ends = set(np.flatnonzero(graph.over).tolist()) | stops | quiet
        alive = ends.union(*(nx.ancestors(net, e) for e in ends))
        assert set(np.flatnonzero(backward(graph, _mask(n, ends))).tolist()) == alive, seed
        number = components(graph).tolist()
        assert {frozenset(np.flatnonzero(np.array(number) == c).tolist()) for c in number} == {
            frozenset(c) for c in nx.strongly_connected_components(net)
        }, seed
        bound = {s for s in range(n) if graph.first[s + 1] - graph.first[s] == 1}
        bound |= {s for s, _, d in net.edges(data=True) if d["instance"].actor is Actor.RULES}
        loops = [c for c in nx.strongly_connected_components(net.subgraph(bound)) if _cyclic(net, c)]
        made = endless(program, graph)
        run = Interpreter(program)
        for circle in made:
            states = run.replay([*circle.stem.labels, *circle.loop])
            assert states[len(circle.stem.labels)] == states[-1]
        assert any(e.closed for e in made) == (len(alive) < n), seed
        assert any(not e.closed for e in made) == any(c & alive for c in loops), seed
        for e in made:
            begin = next(k for k in range(n) if graph.states[k] == run.replay(e.stem.labels)[-1])
            assert (begin not in alive) == e.closed
        circles += len(made)
    assert circles > 20


def _mask(n: int, numbers: set[int]) -> Any:
    mask = np.zeros(n, np.bool_)
    mask[list(numbers)] = True
    return mask


def _cyclic(net: Any, component: set[int]) -> bool:
    return len(component) > 1 or any(net.has_edge(s, s) for s in component)


# --- lost positions -----------------------------------------------------------------------------------


def _diving() -> Rulebook:
    """Air 3: each step costs one; on place 3 there is a pearl."""
    book = Rulebook("dive", sizes={"one": One()}, clauses=("c",), players=1)

    @book.state
    class Table(State):
        air = Range(0, 3, start=3)
        at = Range(0, 3)
        pearl = Bool()
        up = Bool()

    @book.rule("c", by=anybody, n=2)
    def swim(t: Any, n: int) -> None:
        t.require((t.air > 0) & ~t.up & (t.at + n <= 3))
        t.at = t.at + n
        t.air = t.air - 1

    @book.rule("c", by=anybody)
    def grasp(t: Any) -> None:
        t.require((t.at == 2) & (t.air > 0) & ~t.up)
        t.pearl = True
        t.up = True

    @book.rule("c", by=anybody)
    def rise(t: Any) -> None:
        t.require(~t.up & (t.air == 0))
        t.up = True

    book.over("c")(lambda t: t.up)
    return book


def test_lost_positions_are_those_from_which_no_goal_step_is_left_though_one_must_go_on() -> None:
    found, graph = explored(_diving())
    program = found.program
    run = Interpreter(program)
    region = program.expression(lambda t: ~t.up)
    goal = program.transition(lambda before, after: ~before.pearl & after.pearl)
    play, count = lost(run, graph, region, goal)
    assert play is not None
    assert play.labels == ("swim(n=0)",), "three breaths are just enough for two strokes and the pearl"
    hopeless = [s for s in (graph.states[k] for k in range(len(graph.over))) if not s[3] and not _can(run, s)]
    assert count == len(hopeless)
    everywhere = program.transition(lambda before, after: after.up)
    assert lost(run, graph, region, everywhere) == (None, 0)


def _can(run: Interpreter, state: tuple[int, ...]) -> bool:
    """Whether a pearl can still be had, by trying everything."""
    return any(
        i.rule == "grasp" or (after is not None and not after[3] and _can(run, after))
        for i in run.enabled(state)
        if (after := run.after(state, i)) is not None or i.rule == "grasp"
    )


def test_where_nobody_has_to_go_on_nothing_is_lost() -> None:
    found, graph = explored(maze({"go": {0: 1}}, {}))
    region = found.program.expression(lambda t: t.at >= 0)
    goal = found.program.transition(lambda before, after: after.at == 1)
    assert lost(Interpreter(found.program), graph, region, goal) == (None, 0)
