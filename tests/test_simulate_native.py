"""Random games in native code: those of the reference, by the weights, the same for the same seed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.fly_high.rules import book as fly_high
from models.language import CHANCE, Program, Range, Rulebook, Size, State, Term, player
from solvers.contract import Tick
from solvers.explorer.native.machine import Modules
from solvers.interpreter import Interpreter, Mixed
from solvers.simulate import End, Games, Playouts, simulate
from solvers.simulate.clocks import Clocks, beats, label_key, ln
from solvers.simulate.native import NativePlayouts
from solvers.simulate.reference import ReferencePlayouts
from tests.benchmarks.random_play import measure
from tests.conformance.test_native_explorer import _SLOW, elsewhere
from tests.machines import MACHINES
from tests.random_programs import Random, rulebooks
from tests.test_explorer_native import mixed

_COLUMNS = ("ended", "moves", "states", "winners", "scores", "met")


def same(native: Games, reference: Games) -> None:
    for name in _COLUMNS:
        one, two = getattr(native, name), getattr(reference, name)
        assert one.dtype == two.dtype, name
        assert np.array_equal(one, two), name


def both(program: Program, tmp_path: Path, *, games: int, longest: int, seed: int = 1) -> Games:
    """Games of both engines, held against each other."""
    native = NativePlayouts(program, Modules(tmp_path)).play(games, seed, 0, program.start, longest)
    same(native, ReferencePlayouts(program).play(games, seed, 0, program.start, longest))
    return native


@pytest.mark.parametrize("name", MACHINES)
def test_machines(name: str, tmp_path: Path) -> None:
    both(MACHINES[name].program(), tmp_path, games=40, longest=60)


@settings(max_examples=60, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks(), st.integers(0, 1 << 30))
def test_random_programs(tmp_path: Path, book: Random, seed: int) -> None:
    program = elsewhere(book, book.build(), random.Random(seed))
    both(program, tmp_path, games=4, longest=20, seed=seed)


def test_fly_high_at_print_size(tmp_path: Path) -> None:
    games = both(fly_high.build("print", "advanced"), tmp_path, games=3, longest=5000)
    assert set(games.ended.tolist()) <= {End.OVER, End.STOPPED}


def dice(*weights: int) -> Program:
    """A die with weights, thrown once."""
    book = Rulebook("die", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        shows = Range(0, len(weights))

    def weight(t: Table, side: int) -> Term | int:
        return weights[side] + t.shows * 0

    @book.rule("c", by=CHANCE, side=len(weights), weight=weight)
    def throw(t: Table, side: int) -> None:
        t.require(t.shows == 0)
        t.shows = side + 1

    book.over("c")(lambda t: t.shows > 0)
    return book.build()


def test_chance_goes_by_weights() -> None:
    weights, games = (1, 5, 0, 14), 60_000
    found = np.bincount(simulate(dice(*weights), games, seed=3).states[:, 0], minlength=5)[1:]
    assert found[2] == 0
    for n, weight in zip(found.tolist(), weights, strict=True):
        share = weight / sum(weights)
        assert abs(n / games - share) < 5 * math.sqrt(share * (1 - share) / games) + 1e-12


def test_players_choose_evenly_and_games_are_independent_of_each_other() -> None:
    book = Rulebook("walk", sizes={"only": Size()}, players=1, clauses=["c"])

    @book.state
    class Table(State):
        left = Range(0, 20)
        right = Range(0, 20)

    @book.rule("c", by=player(lambda t: 0))
    def west(t: Table) -> None:
        t.left = t.left + 1

    @book.rule("c", by=player(lambda t: 0))
    def east(t: Table) -> None:
        t.right = t.right + 1

    book.over("c")(lambda t: t.left + t.right == 20)
    games = 20_000
    west_steps = simulate(book.build(), games, seed=11).states[:, 0]
    assert abs(west_steps.mean() - 10) < 5 * math.sqrt(5 / games)
    assert abs(west_steps.var() - 5) < 0.5
    assert abs(np.corrcoef(west_steps[:-1], west_steps[1:])[0, 1]) < 0.04


def test_a_game_is_the_same_in_every_call_and_another_seed_gives_another() -> None:
    playouts = Playouts(fly_high.build("small", "basic"))
    assert playouts.engine == "native"
    whole = playouts.play(300, seed=5)
    part = playouts.play(100, seed=5, first=150)
    for name in _COLUMNS:
        assert np.array_equal(getattr(whole, name)[150:250], getattr(part, name))
    assert not np.array_equal(playouts.play(300, seed=6).states, whole.states)
    assert len(playouts.play(0)) == 0


def test_the_moves_of_a_game_replay_to_its_last_state() -> None:
    program = fly_high.build("small", "advanced")
    playouts, run = Playouts(program), Interpreter(program)
    games = playouts.play(50, seed=-1)
    for n in range(50):
        labels = playouts.moves(n, seed=-1)
        assert len(labels) == games.moves[n]
        states = run.replay(labels)
        assert states[-1] == tuple(games.states[n].tolist())
        assert games.ended[n] != End.OVER or run.over(states[-1])
        assert labels == Playouts(program, native=False).moves(n, seed=-1)


def test_games_can_begin_anywhere_and_be_cut_off() -> None:
    program = fly_high.build("small", "basic")
    playouts = Playouts(program)
    labels = playouts.moves(0)
    middle = Interpreter(program).replay(labels[:5])[-1]
    games = playouts.play(10, start=middle, longest=3)
    same(games, Playouts(program, native=False).play(10, start=middle, longest=3))
    assert games.moves.max() <= 3
    assert games.share(End.CUT) > 0


def test_readings_share_their_chance() -> None:
    """With readings that part late, most games of one are games of the other."""
    one = simulate(fly_high.build("small", "basic"), 400, seed=2)
    other = simulate(fly_high.build("small", "basic", readings={"end.tie": "nobody"}), 400, seed=2)
    assert np.mean(one.moves == other.moves) > 0.9


class Bar:
    def __init__(self) -> None:
        self.total: int | None = None
        self.done = 0

    @contextmanager
    def task(self, text: str, total: int | None = None) -> Iterator[Tick]:
        self.total = total

        def tick(n: int) -> None:
            self.done += n

        yield tick


def test_progress_counts_the_games() -> None:
    bar = Bar()
    simulate(fly_high.build("small", "basic"), 1000, progress=bar)
    assert (bar.total, bar.done) == (1000, 1000)


def test_chance_beside_a_player_is_an_error() -> None:
    for native in (True, False):
        with pytest.raises(Mixed, match=r"chance \(dice\) and a player \(up\)"):
            Playouts(mixed(), native=native).play(1)


def test_what_is_met_is_told_by_site() -> None:
    program = MACHINES["shortage"].program()
    games = simulate(program, 10)
    assert {k for k, v in games.frequency.items() if v} == {"shortage:two"}
    assert games.frequency["shortage:two"] == 1.0
    assert games.share(End.OVER) == 1.0


@pytest.mark.parametrize("u", [2.0**-54, 1e-9, 0.1, 0.5, 0.70710678, 0.9999, 1.0])
def test_the_logarithm(u: float) -> None:
    assert ln(u) == pytest.approx(math.log(u), rel=1e-13, abs=1e-15)


@given(
    st.integers(0, (1 << 64) - 1),
    st.integers(1, 1 << 40),
    st.integers(0, (1 << 64) - 1),
    st.integers(1, 1 << 40),
)
def test_the_clock_with_the_shorter_time_wins(x: int, weight: int, other: int, rival: int) -> None:
    """The short cuts for equal weights and for clear cases say what the logarithms say."""
    one, two = (math.log(((n >> 11) + 0.5) / 2**53) / w for n, w in ((x | 1, weight), (other | 1, rival)))
    if one != pytest.approx(two, rel=1e-9):
        assert beats(x | 1, weight, other | 1, rival) == (one > two)


def test_of_two_equal_clocks_the_first_wins_and_anyone_beats_nobody() -> None:
    assert not beats(7, 3, 7, 3)
    assert beats(1, 1, 0, 0)


def test_clocks_depend_on_label_game_and_seed_alone() -> None:
    assert Clocks(1, 2).race(["a", "b", "c"], [1, 1, 1]) == Clocks(1, 2).race(["a", "b", "c"], [1, 1, 1])
    winners = {Clocks(seed, 0).race(["a", "b"], [1, 1]) for seed in range(20)}
    assert winners == {0, 1}
    assert label_key("a") != label_key("b")


def test_native_games_are_many_times_as_fast_as_the_interpreter() -> None:
    """A short run of the benchmark; the ratio is 90 to 160, so that a loaded machine passes too."""
    assert measure("small", "basic", 3, (2_000_000, 10_000))["ratio"] > 25
