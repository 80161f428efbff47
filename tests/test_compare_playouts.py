"""Paired random games: fair races, games that stay together, and what is at stake."""

from __future__ import annotations

import enum
import random
from collections import Counter
from typing import Any

import attrs
import pytest

from models.language import CHANCE, RULES, Array, Enum, Range, Rulebook, Size, State, player
from solvers.compare import Stake, playouts, stake
from solvers.compare.playouts import Clocks, choose, finish
from solvers.interpreter import Interpreter


class Phase(enum.Enum):
    PLAY = 0
    LAST = 1
    OVER = 2


@attrs.frozen(kw_only=True)
class One(Size):
    pass


def _book() -> tuple[Rulebook, Any]:
    book = Rulebook("tiny", sizes={"one": One()}, clauses=("c",), players=2)
    r = book.reading("r", "c", options={"old": "old", "new": "new"}, default="old", why="w", asks="a")

    @book.state
    class Table(State):
        phase = Enum(Phase)
        turns = Range(0, 8)
        points = Array(2, Range(0, 9))

    book.over("c")(lambda t: t.phase == Phase.OVER)
    book.winner("c")(lambda t, n: t.points[n] > t.points[1 - n])
    book.score("c")(lambda t, n: t.points[n])
    return book, r


def _runs(book: Rulebook) -> tuple[Interpreter, Interpreter]:
    return Interpreter(book.build()), Interpreter(book.build(readings={"r": "new"}))


def _dice(book: Rulebook, faces: int = 3) -> None:
    @book.rule("c", by=CHANCE, phase=Phase.PLAY, n=faces, weight=lambda t, n: n + 1)
    def roll(t: Any, n: int) -> None:
        t.points[n % 2] = t.points[n % 2] + 1
        t.turns = t.turns + 1
        with t.when(t.turns == 8):
            t.phase = Phase.LAST


def test_chance_is_drawn_by_weight_and_players_evenly() -> None:
    book, _ = _book()
    _dice(book)

    @book.rule("c", by=player(lambda t: 0), phase=Phase.LAST, n=3)
    def pick(t: Any, n: int) -> None:
        t.phase = Phase.OVER

    run = Interpreter(book.build())
    last = tuple(1 if k == 0 else v for k, v in enumerate(run.program.start))
    rolls: Counter[str] = Counter()
    picks: Counter[str] = Counter()
    for seed in range(3000):
        clocks = Clocks(seed)
        rolls[clocks.first(run, run.program.start, run.enabled(run.program.start)).label] += 1
        picks[clocks.first(run, last, run.enabled(last)).label] += 1
    assert [rolls[f"roll(n={n})"] / 3000 for n in range(3)] == pytest.approx([1 / 6, 2 / 6, 3 / 6], abs=0.03)
    assert [picks[f"pick(n={n})"] / 3000 for n in range(3)] == pytest.approx([1 / 3] * 3, abs=0.03)


def test_races_of_one_game_do_not_depend_on_each_other() -> None:
    book, _ = _book()
    _dice(book, faces=2)
    run = Interpreter(book.build())
    pairs: Counter[tuple[str, str]] = Counter()
    enabled = run.enabled(run.program.start)
    for seed in range(4000):
        clocks = Clocks(seed)
        first, second = (clocks.first(run, run.program.start, enabled).label for _ in range(2))
        pairs[first, second] += 1
    want = {("0", "0"): 1 / 9, ("0", "1"): 2 / 9, ("1", "0"): 2 / 9, ("1", "1"): 4 / 9}
    for (a, b), share in want.items():
        assert pairs[f"roll(n={a})", f"roll(n={b})"] / 4000 == pytest.approx(share, abs=0.03)


def test_a_draw_picks_chance_by_weight_and_others_evenly() -> None:
    book, _ = _book()
    _dice(book)
    run = Interpreter(book.build())
    state, enabled = run.program.start, run.enabled(run.program.start)
    assert [choose(run, state, enabled, d).label for d in (0.0, 0.16, 0.17, 0.49, 0.51, 0.999)] == [
        "roll(n=0)", "roll(n=0)", "roll(n=1)", "roll(n=1)", "roll(n=2)", "roll(n=2)",
    ]  # fmt: skip


def test_the_same_seed_gives_the_same_game_and_another_another() -> None:
    book, _ = _book()
    _dice(book)

    @book.rule("c", by=RULES, phase=Phase.LAST)
    def end(t: Any) -> None:
        t.phase = Phase.OVER

    run = Interpreter(book.build())
    games = [finish(run, run.program.start, Clocks(seed)) for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len({g.scores for g in games}) > 1
    assert games[0].how == "over"
    assert games[0].moves == 9
    assert sum(games[0].scores) == 8


def _stake(last_old: Any, last_new: Any, games: int = 60) -> Stake:
    """A game of eight rolls whose last consequence depends on the reading."""
    book, r = _book()
    _dice(book)

    @book.rule("c", by=RULES, phase=Phase.LAST)
    def end(t: Any) -> None:
        (last_new if t.reading(r) == "new" else last_old)(t)
        t.phase = Phase.OVER

    one, two = _runs(book)
    return stake(one, two, (one.program.start, two.program.start), games)


def _nothing(t: Any) -> None:
    pass


def test_games_that_do_not_differ_show_no_stake() -> None:
    assert _stake(_nothing, _nothing) == Stake(60, 0, 0, 0)
    assert Stake(60, 0, 0, 0).level == "argument"


def test_a_score_changes_in_every_pair_and_nothing_graver_is_claimed() -> None:
    def both_get_one(t: Any) -> None:
        for n in range(2):
            t.points[n] = t.points[n] + 1

    found = _stake(_nothing, both_get_one)
    assert found == Stake(60, 0, 0, 60)
    assert found.level == "score"


def test_a_winner_changes_where_the_game_was_close() -> None:
    def first_gets_one(t: Any) -> None:
        t.points[0] = t.points[0] + 1

    found = _stake(_nothing, first_gets_one)
    assert found.score == 60
    assert 5 <= found.winner <= 30
    assert found.level == "winner"


def test_a_play_that_stops_on_one_side_is_the_gravest() -> None:
    found = _stake(_nothing, lambda t: t.stop("who-knows"))
    assert found == Stake(60, 60, 0, 0)
    assert found.level == "stops"


def test_a_side_that_stopped_at_the_parting_counts_as_stopped() -> None:
    book, _ = _book()
    _dice(book)

    @book.rule("c", by=RULES, phase=Phase.LAST)
    def end(t: Any) -> None:
        t.phase = Phase.OVER

    one, two = _runs(book)
    assert stake(one, two, (one.program.start, None), 10) == Stake(10, 10, 0, 0)
    assert stake(one, two, (None, None), 10) == Stake(10, 0, 0, 0)


def test_a_side_that_gets_stuck_counts_as_stopped() -> None:
    book, r = _book()
    _dice(book)

    @book.rule("c", by=RULES, phase=Phase.LAST)
    def end(t: Any) -> None:
        t.require(t.turns == (8 if t.reading(r) == "old" else 7))
        t.phase = Phase.OVER

    one, two = _runs(book)
    assert stake(one, two, (one.program.start, two.program.start), 10) == Stake(10, 10, 0, 0)


def test_one_move_more_does_not_change_all_later_ones() -> None:
    """A side that makes an extra move first still rolls the same dice."""
    book, r = _book()
    _dice(book)

    @book.rule("c", by=RULES, phase=Phase.LAST)
    def end(t: Any) -> None:
        t.phase = Phase.OVER

    @book.rule("c", by=RULES, phase=Phase.PLAY)
    def extra(t: Any) -> None:
        t.require((t.turns == 0) & (t.points[0] == 0) & (t.points[1] == 0) & (t.points[0] < 9))
        t.require(t.turns == (0 if t.reading(r) == "new" else 8))
        t.points[1] = 1
        t.turns = 1

    one, two = _runs(book)
    for seed in range(40):
        a, b = (finish(run, run.program.start, Clocks(seed)) for run in (one, two))
        assert sum(a.scores) == 8
        assert sum(b.scores) == 8
        assert abs(a.scores[0] - b.scores[0]) <= 1


def test_long_games_are_cut_off_and_fewer_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "MOST_MOVES", 20)
    monkeypatch.setattr(playouts, "MOST_IN_ALL", 100)
    book, _ = _book()

    @book.rule("c", by=player(lambda t: 0), n=2)
    def stay(t: Any, n: int) -> None:
        t.turns = n

    one, two = _runs(book)
    assert finish(one, one.program.start, Clocks(1)).how == "cut off"
    assert stake(one, two, (one.program.start, two.program.start)) == Stake(8, 0, 0, 0)


def test_uniform_numbers_lie_above_nought() -> None:
    """A waiting time is finite for every draw, also the smallest."""
    draw = random.Random(5)
    clocks = Clocks(draw.randrange(1 << 60))
    values = [clocks._uniform(f"m(n={draw.randrange(9)})", k) for k in range(2000)]
    assert 0 < min(values) < 0.01
    assert 0.99 < max(values) <= 1
    assert sum(values) / 2000 == pytest.approx(0.5, abs=0.02)
