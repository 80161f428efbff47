"""The reference explorer: exact counts, shortest plays, limits, and the graph it keeps."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import attrs
import numpy as np
import pytest

from models.language import CHANCE, RULES, Enum, ModelError, Range, Rulebook, Size, State, player
from models.language.ir import Kind
from properties.kinds import Properties
from solvers.contract import Limits, Play, Proved, Refuted, Tick, Unknown
from solvers.explorer import Exploration, explore
from solvers.interpreter import Interpreter, Mixed


class Phase(enum.Enum):
    ROLL = 0
    MOVE = 1
    OVER = 2


@attrs.frozen(kw_only=True)
class Track(Size):
    spaces: int = 5


anybody = player(lambda t: 0)


def _race(spaces: int = 5) -> Rulebook:
    """Roll 1 or 2, then go so far or stand; the game ends on the last space, beyond it the track runs out."""
    book = Rulebook("race", sizes={"short": Track(spaces=spaces)}, clauses=("roll", "go", "stand", "end"))

    @book.state
    class Table(State):
        phase = Enum(Phase)
        die = Range(0, 2)
        space = Range(0, spaces)

    @book.rule("roll", by=CHANCE, phase=Phase.ROLL, n=(1, 2))
    def roll(t: Any, n: int) -> None:
        t.die = n
        t.phase = Phase.MOVE

    @book.rule("go", by=anybody, phase=Phase.MOVE)
    def go(t: Any) -> None:
        t.space = t.space + t.die
        t.cover("moved")
        with t.when(t.space == spaces):
            t.phase = Phase.OVER
        with t.otherwise():
            t.phase = Phase.ROLL
        t.die = 0

    @book.rule("stand", by=anybody, phase=Phase.MOVE)
    def stand(t: Any) -> None:
        t.require(t.space > 0)
        t.die = 0
        t.phase = Phase.ROLL

    book.over("end")(lambda t: t.phase == Phase.OVER)
    return book


def _explore(book: Rulebook, **more: Any) -> Exploration:
    return explore(book.build(), engine="reference", **more)


# --- counts and plays ---------------------------------------------------------------------------------


def test_counts_are_those_of_the_game() -> None:
    """Spaces 0..4 with the die to roll, each with a 1 or a 2 rolled, and the last space."""
    found = _explore(_race())
    assert (found.states, found.over_states, found.stuck_states) == (5 + 2 * 5 + 1, 1, 0)
    # two rolls from each space; from each rolled die one go, and one stand but at the start
    assert found.transitions == 2 * 5 + 2 * 5 + 2 * 4
    assert found.depth == 6
    assert found.complete
    assert found.scope == "short, all 16 reachable states"
    assert dict(found.fired) == {"roll(n=1)": 5, "roll(n=2)": 5, "go": 10, "stand": 8}
    assert found.engine == "reference"


def test_a_site_has_a_shortest_play() -> None:
    found = _explore(_race())
    assert found.sites["cover:moved"] == Play(("roll(n=1)", "go"))
    capacity = next(s.id for s in found.program.sites if s.kind is Kind.CAPACITY)
    assert len(found.sites[capacity].labels) == 6
    assert found.site("cover:moved") == Refuted(found.sites["cover:moved"])
    states = Interpreter(found.program).replay(found.sites[capacity].labels)
    assert states[-1][-1] == 4, "the last move has no successor"


def test_nobody_may_act_where_the_game_is_not_over() -> None:
    book = Rulebook("dead", sizes={"one": Track()}, clauses=("c",))

    @book.state
    class Table(State):
        x = Range(0, 3)

    @book.rule("c", by=anybody, n=(1, 2))
    def go(t: Any, n: int) -> None:
        t.require(t.x < 2)
        t.x = t.x + n

    found = _explore(book)
    assert found.stuck == Play(("go(n=2)",))
    assert (found.states, found.stuck_states, found.over_states) == (4, 2, 0)


def test_properties_are_checked_on_every_state_and_step() -> None:
    properties = Properties()
    properties.always("c")(_named("below_four", lambda t: t.space < 4))
    properties.always("c")(_named("on_the_track", lambda t: t.space <= 5))
    properties.step("c")(_named("never_two", lambda before, after: after.space < before.space + 2))
    properties.step("c")(_named("never_back", lambda before, after: after.space >= before.space))
    properties.sometimes("c")(_named("halfway", lambda t: t.space == 3))
    properties.sometimes("c")(_named("nowhere", lambda t: (t.space == 5) & (t.phase == Phase.ROLL)))
    found = _explore(_race(), properties=properties.of("base"))
    assert found.violated == {
        "below-four": Play(("roll(n=2)", "go", "roll(n=2)", "go")),
        "never-two": Play(("roll(n=2)", "go")),
    }
    assert found.met == {"halfway": Play(("roll(n=1)", "go", "roll(n=2)", "go"))}


def _named(name: str, function: Any) -> Any:
    function.__name__ = name
    return function


def test_a_step_that_stops_has_no_successor_and_breaks_no_property() -> None:
    book = Rulebook("open", sizes={"one": Track()}, clauses=("c",))

    @book.state
    class Table(State):
        x = Range(0, 1)

    @book.rule("c", by=anybody)
    def go(t: Any) -> None:
        t.x = 1
        t.stop("unsaid")

    properties = Properties()
    properties.always("c")(_named("nought", lambda t: t.x == 0))
    found = _explore(book, properties=properties.of("base"), graph=True)
    assert (found.states, found.transitions, found.stuck) == (1, 1, None)
    assert found.violated == {}
    assert found.graph is not None
    assert found.graph.target.tolist() == [-1]
    assert found.sites["stop:unsaid"] == Play(("go",))


def test_chance_beside_a_player_is_an_error() -> None:
    book = Rulebook("mixed", sizes={"one": Track()}, clauses=("c",))

    @book.state
    class Table(State):
        x = Range(0, 3)
        y = Range(0, 3)

    @book.rule("c", by=CHANCE)
    def roll(t: Any) -> None:
        t.require((t.x + t.y) % 2 == 0)
        t.x = 3 - t.x

    @book.rule("c", by=anybody)
    def go(t: Any) -> None:
        t.require((2 * t.x + t.y) % 3 != 1)
        t.y = (t.y + 1) % 4

    message = r"rule go: chance \(roll\) and a player \(go\) may act in the same state; put them"
    with pytest.raises(Mixed, match=message):
        Interpreter(book.build()).enabled((0, 0))
    with pytest.raises(Mixed, match=message):
        _explore(book)


# --- the graph ----------------------------------------------------------------------------------------


def test_the_graph_holds_every_transition_and_a_play_to_every_state() -> None:
    found = _explore(_race(), graph=True)
    graph, run = found.graph, Interpreter(found.program)
    assert graph is not None
    assert len(graph.states) == found.states
    assert int(graph.first[-1]) == found.transitions == len(graph.target) == len(graph.instance)
    assert graph.over.sum() == 1
    for number in range(found.states):
        state = graph.states[number]
        play = graph.states.play(number)
        assert run.replay(play)[-1] == state
        assert len(play) == graph.depths()[number]
        enabled = [] if graph.over[number] else run.enabled(state)
        edges = range(graph.first[number], graph.first[number + 1])
        assert [found.program.instances[graph.instance[e]] for e in edges] == enabled
        assert [graph.states[t] if t >= 0 else None for t in graph.target[edges.start : edges.stop]] == [
            run.after(state, i) for i in enabled
        ]
    assert graph.states.column(2).tolist() == [graph.states[i][2] for i in range(found.states)]
    assert graph.sources().tolist() == [
        s for s in range(found.states) for _ in range(graph.first[s], graph.first[s + 1])
    ]


def test_depths_are_right_where_a_cycle_leads_back_to_the_setup() -> None:
    book = Rulebook("ring", sizes={"one": Track()}, clauses=("c",))

    @book.state
    class Table(State):
        x = Range(0, 6)

    @book.rule("c", by=anybody, n=(1, 3))
    def go(t: Any, n: int) -> None:
        t.x = (t.x + n) % 7

    for engine in ("reference", "native"):
        graph = explore(book.build(), graph=True, engine=engine).graph
        assert graph is not None
        steps = {graph.states[k][0]: int(d) for k, d in enumerate(graph.depths())}
        assert steps == {0: 0, 1: 1, 2: 2, 3: 1, 4: 2, 5: 3, 6: 2}


def test_without_asking_no_graph_is_kept() -> None:
    assert _explore(_race()).graph is None


# --- limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("states", [1, 2, 7, 15])
def test_a_limit_of_states_is_kept_exactly_enough(states: int) -> None:
    found = _explore(_race(), limits=Limits(states=states), graph=True)
    assert found.stopped_by == f"the limit of {states} states"
    assert states <= found.states <= states + 2
    assert found.graph is None
    assert found.site("nothing:of-this-name") == Unknown(
        found.stopped_by, f"{found.states} states, depth {found.depth}"
    )


def test_a_limit_that_is_not_met_leaves_the_search_exhaustive() -> None:
    found = _explore(_race(), limits=Limits(states=17, seconds=60, memory=1 << 20))
    assert found.complete
    assert found.site("nothing:of-this-name") == Proved("short, all 16 reachable states")


def test_a_limit_of_memory_ends_the_search() -> None:
    found = _explore(_race(400), limits=Limits(memory=100_000))
    assert found.stopped_by == "the limit of 100000 bytes"
    assert 100 < found.states < 400


def test_a_limit_of_time_ends_the_search() -> None:
    found = _explore(_race(2000), limits=Limits(seconds=0))
    assert found.stopped_by == "the limit of 0 s"
    assert found.states < 1000


class _Watch:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.done = 0

    def task(self, text: str, total: int | None = None) -> AbstractContextManager[Tick]:
        @contextmanager
        def opened() -> Iterator[Tick]:
            self.texts.append(text)

            def tick(n: int) -> None:
                self.done += n

            yield tick

        return opened()


def test_progress_counts_states() -> None:
    watch = _Watch()
    found = _explore(_race(400), progress=watch)
    assert watch.texts == ["race, short"]
    assert found.states - 256 < watch.done <= found.states


# --- the interpreter ----------------------------------------------------------------------------------


def test_who_moves_first_is_obeyed_whatever_the_order_of_declaration() -> None:
    book = Rulebook("order", sizes={"one": Track()}, clauses=("c",))

    @book.state
    class Table(State):
        x = Range(0, 3)

    @book.rule("c", by=anybody)
    def turn(t: Any) -> None:
        t.x = 0

    @book.rule("c", by=RULES, n=2)
    def due(t: Any, n: int) -> None:
        t.require(t.x == n)
        t.x = 3

    run = Interpreter(book.build())
    assert [[i.label for i in run.enabled((x,))] for x in range(4)] == [
        ["due(n=0)"], ["due(n=1)"], ["turn"], ["turn"],
    ]  # fmt: skip


def test_a_step_without_questions_does_what_one_with_questions_does() -> None:
    found = _explore(_race(), graph=True)
    graph, run = found.graph, Interpreter(found.program)
    assert graph is not None
    for number in range(found.states):
        state = graph.states[number]
        for i in run.enabled(state):
            assert run.after(state, i) == run.step(state, i).state


def test_a_play_is_replayed_only_as_it_is_allowed() -> None:
    run = Interpreter(_race().build())
    assert [s[2] for s in run.replay(["roll(n=2)", "go", "roll(n=1)", "stand"])] == [0, 0, 2, 2, 2]
    with pytest.raises(ModelError, match=r"move 2, stand, is not allowed there; allowed: go"):
        run.replay(["roll(n=2)", "stand"])
    with pytest.raises(ModelError, match=r"race has no move 'rol\(n=2\)'; did you mean 'roll\(n=2\)'\?"):
        run.replay(["rol(n=2)"])
    last = ["roll(n=2)", "go", "roll(n=2)", "go", "roll(n=2)", "go"]
    assert len(run.replay(last)) == len(last), "the last move runs off the track"
    with pytest.raises(ModelError, match=r"move 7, go, is not allowed there; the play has stopped"):
        run.replay([*last, "go"])


def test_programs_share_the_code_that_they_have_in_common() -> None:
    from solvers.interpreter.bench import Bench

    book = _race()
    bench, one, two = Bench(), book.build(), book.build()
    assert bench(one) is bench(one)
    assert bench(one) is not bench(two)
    guards = [[run.compiled(i.guard) for i in run.program.instances] for run in (bench(one), bench(two))]
    assert all(a is b for a, b in zip(*guards, strict=True))
    assert np.all(
        [
            bench.code.effect(a.body) is bench.code.effect(b.body)
            for a, b in zip(one.instances, two.instances, strict=True)
        ]
    )
