"""A program in the shadow of another one: the same plays, and the parting that the other walk finds."""

from __future__ import annotations

import enum
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest

from models.fly_high.cards import FlyHigh
from models.fly_high.rules import book as fly_high
from models.language import CHANCE, RULES, Bool, Enum, Range, Rulebook, Size, State, every, player
from models.language.program import Program
from solvers.compare import Diagonal, Parting
from solvers.compare.shadow import PARTING, shadowed
from solvers.contract import Proved, Refuted
from solvers.explorer import Exploration, explore
from solvers.fuzz import mutants, mutations, sample
from solvers.interpreter import Interpreter, Mixed

SITE = f"cover:{PARTING}"
TINY = FlyHigh(spots=2, cards="10A 20A*2 R U F", die=(1, 2))


@cache
def base(variant: str) -> Exploration:
    return explore(fly_high.build(TINY, variant), graph=True)


def options(variant: str) -> list[tuple[str, str]]:
    consulted = base(variant).program.consulted
    if variant == "advanced":
        consulted -= base("basic").program.consulted
    declared = [r for r in fly_high.readings.values() if r.id in consulted]
    return [(r.id, o) for r in declared for o in r.options if o != r.default]


def shortest(one: Program, two: Program) -> int | None:
    """Moves up to and with the step that parts, or up to where the play comes to rest; None if none does."""
    shadow = shadowed(one, two)
    explored = explore(shadow.program, graph=True)
    assert explored.graph is not None
    graph, found = explored.graph, []
    if SITE in explored.sites:
        found.append(len(explored.sites[SITE].labels))
    a, b = Interpreter(one), Interpreter(two)
    depths = graph.depths()
    for n in np.flatnonzero(np.diff(graph.first) == 0).tolist():
        if shadow.differs_at_rest(graph.states[n], a, b):
            found.append(int(depths[n]))
    return min(found, default=None)


def along_the_diagonal(explored: Exploration, other: Program) -> int | None:
    found = Diagonal(explored).first(other)
    if isinstance(found, Proved):
        return None
    assert isinstance(found, Parting), found
    at_rest = found.how in ("end", "result") and explored.program.over is not None
    state = Interpreter(explored.program).replay(found.play.labels)[-1]
    resting = at_rest and not Interpreter(explored.program).enabled(state)
    return len(found.play.labels) + (0 if resting else 1)


@pytest.mark.parametrize(("variant", "least"), [("basic", 7), ("advanced", 0)])
def test_both_walks_agree_on_every_reading_of_fly_high(variant: str, least: int) -> None:
    explored, parted = base(variant), 0
    for id, option in options(variant):
        other = fly_high.build(TINY, variant, {id: option})
        expected = along_the_diagonal(explored, other)
        assert shortest(explored.program, other) == expected, (id, option)
        parted += expected is not None
    assert parted >= least


def test_both_walks_agree_on_rules_that_were_broken() -> None:
    explored, parted = base("basic"), 0
    chosen = sample(mutations(explored.program), 24, seed=3)
    for mutation, changed in mutants(explored.program, chosen):
        try:
            expected = along_the_diagonal(explored, changed)
        except Mixed:
            continue
        assert shortest(explored.program, changed) == expected, mutation.id
        parted += expected is not None
    assert parted >= 8


def test_the_plays_are_those_of_the_first_program() -> None:
    one = fly_high.build(TINY)
    two = fly_high.build(TINY, readings={"rainbow.height": "free"})
    shadow = shadowed(one, two)
    explored, plain = explore(shadow.program, graph=True), base("basic")
    assert explored.graph is not None
    assert plain.graph is not None
    slots = range(len(one.layout.slots))
    columns = [np.stack([g.states.column(k) for k in slots], 1) for g in (explored.graph, plain.graph)]
    mine, theirs = (np.unique(c, axis=0) for c in columns)
    assert np.array_equal(mine, theirs)
    assert explored.fired.keys() == plain.fired.keys()


# --- one thing each ---------------------------------------------------------------------------------------


class Phase(enum.Enum):
    A = 0
    B = 1
    END = 2


@attrs.frozen(kw_only=True)
class One(Size):
    pass


def game(how: str) -> Rulebook:
    """A coin is tossed unseen; what comes of it depends on a reading."""
    book = Rulebook("coin", sizes={"one": One()}, clauses=("c",), players=2)
    r = book.reading(
        "r", "c", options={"old": "as it was", "new": "otherwise"}, default="old", why="w", asks="Which?"
    )

    @book.state
    class Table(State):
        phase = Enum(Phase)
        shown = Range(0, 3)
        unseen = Range(0, 3, hidden=True)
        done = Bool()

    @book.rule(
        "c", by=CHANCE, phase=Phase.A, side=2, weight=lambda t, side: 2 if new(t, "odds") and side else 1
    )
    def toss(t: Any, side: int) -> None:
        t.unseen = side + (1 if new(t, "hidden") else 0)
        t.phase = Phase.B
        if new(t, "stop"):
            t.stop("nothing-more", "c")

    @book.rule("c", by=player(lambda t: 0), phase=Phase.B)
    def show(t: Any) -> None:
        if new(t, "moves"):
            t.require(t.unseen == 1)
        t.shown = t.unseen
        t.phase = Phase.END

    @book.rule("c", by=player(lambda t: 0), phase=Phase.B)
    def hide(t: Any) -> None:
        t.phase = Phase.END

    @book.rule("c", by=RULES, phase=Phase.END)
    def clear(t: Any) -> None:
        t.require(~t.done)
        t.unseen = 0
        t.done = True

    def new(t: Any, what: str) -> bool:
        return bool(t.reading(r) == "new" and how == what)

    book.over("c")(lambda t: every(t.phase == Phase.END, t.done))
    book.score("c")(lambda t, n: t.shown + (1 if new(t, "score") else 0))
    return book


@pytest.mark.parametrize(
    ("how", "play"),
    [
        ("odds", 1),
        ("hidden", 2),  # the coin is unseen; it parts when it is shown
        ("stop", 1),
        ("moves", 2),
        ("score", 3),  # where the game is over
        ("nothing", None),
    ],
)
def test_what_players_see_parts_at_the_first_step_that_shows_it(how: str, play: int | None) -> None:
    book = game(how)
    one, two = book.build(), book.build(readings={"r": "new"})
    assert shortest(one, two) == play
    assert along_the_diagonal(explore(one, graph=True), two) == play


@pytest.mark.parametrize("how", ["odds", "hidden", "stop", "moves", "nothing"])
def test_z3_agrees_with_the_explorer_on_what_parts(how: str) -> None:
    from solvers.symbolic import ask_site

    book = game(how)
    shadow = shadowed(book.build(), book.build(readings={"r": "new"}))
    explored = explore(shadow.program)
    found = ask_site(shadow.program, SITE, search=False)
    assert isinstance(found, Proved if how == "nothing" else Refuted)
    if isinstance(found, Refuted):
        assert len(found.witness.labels) == len(explored.sites[SITE].labels)


@pytest.mark.parametrize("how", ["score", "hidden", "stop", "nothing"])
def test_z3_is_asked_for_what_differs_where_nobody_acts_any_more(how: str) -> None:
    from solvers.symbolic import ask
    from solvers.symbolic.goals import Holds

    book = game(how)
    shadow = shadowed(book.build(), book.build(readings={"r": "new"}))
    found = ask(shadow.program, Holds("differs at rest", shadow.resting), search=False)
    assert isinstance(found, Refuted if how == "score" else Proved), found
    if isinstance(found, Refuted):
        assert len(found.witness.labels) == 3


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (game("score").build(), game("score").build(readings={"r": "new"})),
        (fly_high.build(TINY), fly_high.build(TINY, readings={"end.runs-out": "cannot-draw"})),
        (fly_high.build(TINY), fly_high.build(TINY, readings={"end.tie": "nobody"})),
    ],
)
def test_what_differs_at_rest_is_one_condition_over_every_state(one: Program, two: Program) -> None:
    shadow = shadowed(one, two)
    graph = explore(shadow.program, graph=True).graph
    assert graph is not None
    run, a, b = Interpreter(shadow.program), Interpreter(one), Interpreter(two)
    rests, found = np.diff(graph.first) == 0, 0
    for n in range(len(rests)):
        state = graph.states[n]
        expected = bool(rests[n]) and shadow.differs_at_rest(state, a, b)
        if rests[n]:
            assert bool(run.value(shadow.resting, state)) == expected, state
            found += expected
    assert (found > 0) == (one.book.name == "coin")


@pytest.mark.parametrize(
    ("how", "moves"), [("odds", 0), ("hidden", 0), ("moves", 1), ("score", 3), ("nothing", None)]
)
def test_what_nobody_sees_sets_two_programs_apart_too(how: str, moves: int | None) -> None:
    book = game(how)
    diagonal = Diagonal(explore(book.build(), graph=True))
    assert diagonal.apart(book.build(readings={"r": "new"})) == moves


def test_other_layouts_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="different layouts"):
        shadowed(fly_high.build(TINY), game("nothing").build())
