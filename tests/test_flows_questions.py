"""What a flow says: each planted thing is found with its play, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from models.language.errors import ModelError
from solvers.contract import Limits
from solvers.flows import Answers, answers, flow
from solvers.flows.observe import explored
from solvers.flows.places import places
from solvers.flows.possible import possible_steps
from solvers.flows.triggers import triggers
from solvers.interpreter import Interpreter
from tests.flow_games import PLANTED, chain, chosen_circle, disorder, forced_circle, lanterns, nowhere

#: What each planted game is to show; everything else in it must be empty.
SHOWN: dict[str, set[str]] = {
    "forced_circle": {"endless", "stuck_end", "cannot_end"},
    "chosen_circle": {"prolonged"},
    "disorder": {"orders"},
    "chain": {"chain"},
    "nowhere": {"unreached", "silent", "never_taken"},
}
ASKED = ("endless", "stuck_end", "cannot_end", "prolonged", "orders", "unreached", "silent", "dead_ends")


def asked(name: str) -> Answers:
    return answers(flow(PLANTED[name]().build(), games=20))


def shown(a: Answers) -> set[str]:
    found = {k for k in (*ASKED, "never_taken", "trigger_cycles") if getattr(a, k)}
    return found | ({"chain"} if a.chain is None or len(a.chain.labels) > 1 else set())


@pytest.mark.parametrize("name", PLANTED)
def test_each_planted_thing_is_found_and_no_other(name: str) -> None:
    assert shown(asked(name)) == SHOWN[name]


def test_a_forced_circle_comes_with_its_lasso() -> None:
    (found,) = asked("forced_circle").endless
    assert (found.stem.labels, found.loop, found.closed) == (("enter",), ("there", "back"), True)
    run = Interpreter(forced_circle().build())
    states = run.replay([*found.stem.labels, *found.loop])
    assert states[-1] == states[len(found.stem.labels)]


def test_a_chosen_circle_is_a_note_with_its_lasso() -> None:
    a = asked("chosen_circle")
    (note,) = a.prolonged
    assert (note.rules, note.states, note.parts) == (("return_", "wander"), 2, 1)
    assert (note.stem.labels, note.loop) == ((), ("wander", "return_"))
    states = Interpreter(chosen_circle().build()).replay(note.loop)
    assert states[0] == states[-1]


def test_an_order_that_matters_comes_with_both_ends() -> None:
    (found,) = asked("disorder").orders
    assert found.rules == ("double", "add")
    assert found.play.labels == ("start",)
    run = Interpreter(disorder().build())
    ends = [run.replay([*found.play.labels, *side])[-1] for side in found.first]
    count = run.program.layout.fields["count"].slot.index  # type: ignore[union-attr]
    assert [state[count] for state in ends] == [3, 4]


def test_a_chain_of_three_triggers() -> None:
    a = asked("chain")
    assert a.chain is not None
    assert (a.chain.stem.labels, a.chain.labels) == (("push",), ("first", "second", "third"))
    assert a.run == a.chain
    program = chain().build()
    found = flow(program, games=0).exploration
    assert triggers(program, found) == {("push", "first"): 1, ("first", "second"): 1, ("second", "third"): 1}


def test_a_phase_that_nobody_reaches_with_the_step_that_would_leave_it() -> None:
    a = asked("nowhere")
    assert (a.unreached, a.silent) == (("NOWHERE",), ("wake",))
    assert a.never_taken == (("NOWHERE", "wake", "BEGIN"),)


def test_independent_consequences_are_a_run_and_no_chain() -> None:
    a = asked("disorder")
    assert a.run is not None
    assert a.chain is not None
    assert (len(a.run.labels), len(a.chain.labels)) == (2, 1)


def test_consequences_without_end_have_no_longest_chain() -> None:
    from models.language import RULES
    from tests.flow_games import begin

    made, (BEGIN, _) = begin("spin", "BEGIN DONE")

    @made.rule("a", by=RULES, phase=BEGIN)
    def tick(t: Any) -> None:
        t.require(~t.flags[0])
        t.flags[0] = True

    @made.rule("b", by=RULES, phase=BEGIN)
    def tock(t: Any) -> None:
        t.require(t.flags[0])
        t.flags[0] = False

    a = answers(flow(made.build(), games=0))
    assert (a.run, a.chain) == (None, None)
    assert a.trigger_cycles == (("tick", "tock"),)
    assert a.endless[0].loop == ("tick", "tock")


# -- phases --------------------------------------------------------------------------------------------------


def test_what_every_game_passes_and_what_dominates() -> None:
    a = answers(flow(lanterns().build(), games=50))
    assert a.every_game == ("LIGHT", "GUESS", "SETTLE")
    assert a.dominators == {"GUESS": "LIGHT", "SETTLE": "GUESS", "OVER": "SETTLE"}
    assert a.loops == (("LIGHT", "GUESS", "SETTLE"),)
    assert a.complete


def test_edges_carry_rule_actor_clauses_and_numbers() -> None:
    found = flow(lanterns().build(), games=50)
    assert [(n, d["kind"]) for n, d in found.graph.nodes(data=True)] == [
        ("LIGHT", "phase"),
        ("GUESS", "phase"),
        ("SETTLE", "phase"),
        ("OVER", "end"),
    ]
    assert (found.entry, found.endings) == ("LIGHT", ("OVER",))
    edges = {(a, d["rule"], b): d for a, b, d in found.edges()}
    settle = edges["SETTLE", "settle", "OVER"]
    assert (settle["actor"], settle["clauses"], settle["transitions"], settle["per_game"]) == (
        "chance",
        ("settle",),
        4,
        1.0,
    )
    assert edges["LIGHT", "rest", "LIGHT"]["actor"] == "player"
    assert sum(d["transitions"] for d in edges.values()) == found.exploration.transitions
    assert sum(d["states"] for _, d in found.graph.nodes(data=True)) == found.exploration.states


def test_parallel_edges_are_kept_apart() -> None:
    found = flow(chosen_circle().build(), games=0)
    assert sorted(d["rule"] for _, d in found.graph["BEGIN"]["DONE"].items()) == ["stop"]
    from tests.flow_games import begin, chooser

    made, (BEGIN, DONE) = begin("two", "BEGIN DONE")
    for name in ("left", "right"):

        def go(t: Any) -> None:
            t.phase = DONE

        go.__name__ = name
        made.rule("a", by=chooser, phase=BEGIN)(go)
    assert sorted(flow(made.build(), games=0).graph["BEGIN"]["DONE"]) == ["left", "right"]


def test_past_exhaustion_seen_edges_come_from_random_play_and_the_others_are_possible() -> None:
    program = lanterns().build()
    whole = flow(program, games=200)
    cut = flow(program, games=200, limits=Limits(states=1))
    assert (whole.complete, cut.complete) == (True, False)

    def steps(found: Any, seen: bool) -> set[tuple[str, str, str]]:
        return {(a, d["rule"], b) for a, b, d in found.edges(seen=seen)}

    assert steps(cut, True) == steps(whole, True)
    few = flow(program, games=0, limits=Limits(states=1))
    assert steps(few, True) == set()
    assert steps(few, False) >= {s for s in steps(whole, True) if s[2] != "OVER"}
    a = answers(cut)
    assert (a.complete, a.every_game, a.endless, a.chain) == (False, (), (), None)


def test_possible_steps_are_never_too_few() -> None:
    for make in (*PLANTED.values(), lanterns):
        program = make().build()
        where, run = places(program), Interpreter(program)
        graph = flow(program, games=0).exploration.graph
        assert graph is not None
        seen, _ = explored(where, run, graph)
        assert set(seen.steps) <= set(possible_steps(where))


def test_random_games_are_fixed_by_their_seed() -> None:
    program = lanterns().build()
    one, two, three = (flow(program, games=20, seed=s).games for s in (1, 1, 2))
    assert one.steps == two.steps
    assert one.steps != three.steps
    assert one.number == 20
    assert one.visits["OVER (over)"] == 20


def test_places_may_be_named_by_other_fields() -> None:
    found = flow(lanterns().build(), by=["phase", "settled"], games=10)
    assert {"LIGHT/0", "LIGHT/1", "SETTLE/1", "OVER/2 (over)"} <= set(found.graph)
    with pytest.raises(ModelError, match="there is|phas is no field of the state"):
        flow(lanterns().build(), by=["phas"])


def test_a_rulebook_without_phases_has_one_place_and_its_end() -> None:
    from models.language import Range, Rulebook, State, player
    from tests.flow_games import Tiny

    made = Rulebook("count", sizes={"tiny": Tiny()}, clauses=["a"])

    @made.state
    class Table(State):
        n = Range(0, 3)

    @made.rule("a", by=player(lambda t: 0))
    def add(t: Any) -> None:
        t.n = t.n + 1

    made.over("a")(lambda t: t.n == 3)
    found = flow(made.build(), games=5)
    assert list(found.graph) == ["play", "play (over)"]
    assert found.endings == ("play (over)",)


def test_open_ends_and_stuck_states_are_marked() -> None:
    from tests.flow_games import begin, chooser

    made, (BEGIN, MIDDLE, DONE) = begin("ends", "BEGIN MIDDLE DONE")

    @made.rule("a", by=chooser, phase=BEGIN)
    def fall(t: Any) -> None:
        t.stop("no-rope", "b")

    @made.rule("b", by=chooser, phase=BEGIN)
    def climb(t: Any) -> None:
        t.phase = MIDDLE

    @made.rule("c", by=chooser, phase=BEGIN)
    def jump(t: Any) -> None:
        t.phase = DONE

    found = flow(made.build(), games=10)
    kinds = {n: (d["kind"], d["stuck"]) for n, d in found.graph.nodes(data=True)}
    assert kinds == {
        "BEGIN": ("phase", 0),
        "MIDDLE": ("phase", 1),
        "DONE": ("end", 0),
        "stop:stop:no-rope": ("stop", 0),
    }
    a = answers(found)
    assert a.dead_ends == ("MIDDLE",)
    assert a.stuck_end is not None
    assert a.stuck_end.labels == ("climb",)


# -- other levels --------------------------------------------------------------------------------------------


def test_the_level_of_rules_says_what_may_follow_what() -> None:
    found = flow(lanterns().build(), level="rule", games=50)
    follows = {(a, b): d["transitions"] for a, b, d in found.edges()}
    assert ("(start)", "light") in follows
    assert ("settle", "(end)") in follows
    assert ("light", "settle") not in follows
    assert found.graph.nodes["rest"]["actors"] == ("player",)


def test_the_level_of_triggers() -> None:
    found = flow(chain().build(), level="trigger", games=0)
    assert [(a, b) for a, b, _ in found.edges()] == [
        ("push", "first"),
        ("first", "second"),
        ("second", "third"),
    ]


def test_the_level_of_states_has_one_node_a_state() -> None:
    found = flow(forced_circle().build(), level="state", games=0)
    assert list(found.graph) == ["0", "1", "2", "3"]
    assert [(a, key, b) for a, b, key in found.graph.edges(keys=True)] == [
        ("0", "enter", "1"),
        ("0", "leave", "2"),
        ("1", "there", "3"),
        ("3", "back", "1"),
    ]
    with pytest.raises(ModelError, match="too many states"):
        flow(nowhere().build(), level="state", games=0, limits=Limits(states=1))
