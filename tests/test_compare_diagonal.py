"""Where two readings part: each kind of parting, on and off the diagonal, and what a comparison costs."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from models.language import (
    CHANCE,
    RULES,
    Array,
    Enum,
    Range,
    Rulebook,
    Size,
    State,
    every,
    ite,
    player,
)
from solvers.compare import Diagonal, Parting, diagonal, partings
from solvers.contract import Proved, Unknown, Verdict
from solvers.explorer import explore


class Phase(enum.Enum):
    A = 0
    B = 1
    C = 2
    END = 3


@attrs.frozen(kw_only=True)
class One(Size):
    pass


def _book() -> tuple[Rulebook, Any]:
    """A book without rules, with a reading `r` of the options `old` (default) and `new`."""
    book = Rulebook("tiny", sizes={"one": One()}, clauses=("c",), players=2)
    r = book.reading(
        "r", "c", options={"old": "as it was", "new": "otherwise"}, default="old", why="older", asks="Which?"
    )

    @book.state
    class Table(State):
        phase = Enum(Phase)
        x = Range(0, 3)
        y = Range(0, 3, hidden=True)
        turn = Range(0, 1)

    book.over("c")(lambda t: t.phase == Phase.END)
    return book, r


anybody = player(lambda t: 0)


def _part(book: Rulebook, **engine: Any) -> Verdict | Parting:
    base = explore(book.build(), graph=True, **engine)
    return partings(base, {"new": book.build(readings={"r": "new"})})["new"]


def _both(book: Rulebook) -> Verdict | Parting:
    """The answer, which must not depend on the engine that explored."""
    found, other = _part(book, engine="reference"), _part(book, engine="native")
    assert found == other
    return found


# --- one state, two rules -----------------------------------------------------------------------------


def test_another_outcome_parts_at_the_move() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.B

    @book.rule("c", by=anybody, phase=Phase.B)
    def take(t: Any) -> None:
        t.x = 2 if t.reading(r) == "new" else 1
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("outcome", ("go",), "take")
    assert [s and s[1] for s in found.states] == [1, 2]
    assert found.shared


def test_another_move_parts_before_it() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.B

    @book.rule("c", by=anybody, phase=Phase.B, n=3)
    def take(t: Any, n: int) -> None:
        t.require(t.x + n < 2 if t.reading(r) == "old" else t.x + n > 0)
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("moves", ("go",), "")
    assert found.only == (("take(n=0)",), ("take(n=2)",))


def test_the_same_move_by_another_player_parts() -> None:
    book, r = _book()
    whose = player(lambda t: t.turn if t.reading(r) == "old" else 1 - t.turn)

    @book.rule("c", by=whose, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.only) == ("moves", (), (("go",), ("go",)))


def test_the_end_parts_also_where_no_rule_differs() -> None:
    book, r = _book()
    book.ends.pop("over")
    book.over("c")(lambda t: t.phase == (Phase.END if t.reading(r) == "old" else Phase.B))

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.B

    @book.rule("c", by=anybody, phase=Phase.B)
    def stay(t: Any) -> None:
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("end", ("go",), "")


def test_another_winner_parts_where_the_game_is_over() -> None:
    book, r = _book()
    book.winner("c")(lambda t, n: (t.x == n) if t.reading(r) == "old" else (t.x == n) & (t.x > 0))

    @book.rule("c", by=anybody, phase=Phase.A, n=2)
    def go(t: Any, n: int) -> None:
        t.x = n
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels) == ("result", ("go(n=0)",))


def test_other_odds_part_before_the_roll() -> None:
    book, r = _book()

    @book.rule(
        "c", by=CHANCE, phase=Phase.A, n=2, weight=lambda t, n: 1 + n * (2 if t.reading(r) == "new" else 1)
    )
    def roll(t: Any, n: int) -> None:
        t.x = n
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("chance", (), "")


def test_weights_in_the_same_proportion_do_not_part() -> None:
    book, r = _book()

    @book.rule(
        "c", by=CHANCE, phase=Phase.A, n=2, weight=lambda t, n: (1 + n) * (2 if t.reading(r) == "new" else 1)
    )
    def roll(t: Any, n: int) -> None:
        t.x = n
        t.phase = Phase.END

    assert _both(book) == Proved("one, all 3 reachable states")


def test_odds_of_what_looks_the_same_do_not_part_and_are_not_called_equal() -> None:
    book, r = _book()

    @book.rule(
        "c", by=CHANCE, phase=Phase.A, n=2, secret="n", weight=lambda t, n: 1 + n * (t.reading(r) == "new")
    )
    def draw(t: Any, n: int) -> None:
        t.y = n
        t.phase = Phase.END

    found = _both(book)
    assert found == Unknown("chance differs in what nobody sees at once", "one, all 3 reachable states")


def test_a_stop_is_an_outcome_of_its_own() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        if t.reading(r) == "new":
            with t.when(t.x == 0):
                t.stop("nothing-said")
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.move, found.states[1]) == ("outcome", "go", None)


def test_a_change_that_no_play_meets_never_parts() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = Phase.END
        with t.when(t.x > 2):
            t.x = 0 if t.reading(r) == "new" else 1

    assert _both(book) == Proved("one, all 2 reachable states")


def test_rules_that_are_the_same_are_said_to_be() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A)
    def go(t: Any) -> None:
        t.phase = {"old": Phase.END, "new": Phase.END}[t.reading(r)]

    assert _both(book) == Proved("one, all 2 reachable states; the rules are the same")


def test_a_consequence_that_comes_first_hides_the_change_below_it() -> None:
    book, r = _book()

    @book.rule("c", by=RULES, phase=Phase.A)
    def due(t: Any) -> None:
        t.require(t.x == 0)
        t.x = 1
        t.phase = Phase.B

    @book.rule("c", by=anybody, phase=Phase.A)
    def masked(t: Any) -> None:
        t.require(t.x < (3 if t.reading(r) == "new" else 0))
        t.phase = Phase.END

    @book.rule("c", by=anybody, phase=Phase.B)
    def finish(t: Any) -> None:
        t.phase = Phase.END

    assert _both(book) == Proved("one, all 3 reachable states")


# --- off the diagonal ---------------------------------------------------------------------------------


def _marking(book: Rulebook, r: Any) -> None:
    @book.rule("c", by=anybody, phase=Phase.A)
    def mark(t: Any) -> None:
        t.y = 2 if t.reading(r) == "new" else 1
        t.phase = Phase.B


def test_a_hidden_difference_parts_where_it_comes_to_light() -> None:
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B)
    def wait(t: Any) -> None:
        t.phase = Phase.C

    @book.rule("c", by=anybody, phase=Phase.C)
    def show(t: Any) -> None:
        t.x = t.y
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("outcome", ("mark", "wait"), "show")
    assert [s and (s[1], s[2]) for s in found.states] == [(1, 1), (2, 2)]
    assert found.shared


def test_a_hidden_difference_that_decides_who_may_do_what_parts_at_the_moves() -> None:
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B, n=2)
    def act(t: Any, n: int) -> None:
        t.require(t.y > n)
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.only) == ("moves", ("mark",), ((), ("act(n=1)",)))


def test_a_hidden_difference_that_ends_the_game_parts_at_the_end() -> None:
    book, r = _book()
    book.ends.pop("over")
    book.over("c")(lambda t: (t.phase == Phase.END) | (t.y == 2))
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B)
    def go_on(t: Any) -> None:
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels) == ("end", ("mark",))


def test_a_hidden_difference_that_is_forgotten_never_parts() -> None:
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B)
    def forget(t: Any) -> None:
        t.y = 0
        t.phase = Phase.C

    @book.rule("c", by=anybody, phase=Phase.C)
    def show(t: Any) -> None:
        t.x = t.y
        t.phase = Phase.END

    assert _both(book) == Proved("one, all 4 reachable states")


def test_a_hidden_difference_that_chance_weighs_parts_there() -> None:
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=CHANCE, phase=Phase.B, n=2, weight=lambda t, n: 1 + n * t.y)
    def roll(t: Any, n: int) -> None:
        t.x = n
        t.y = 0
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels) == ("chance", ("mark",))


@pytest.mark.parametrize("long", [False, True])
def test_the_nearer_of_two_partings_is_told_on_or_off_the_diagonal(long: bool) -> None:
    """A hidden mark shows after two moves; another change shows at once, but one or three moves away."""
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B)
    def show(t: Any) -> None:
        t.require(t.x == 0)
        t.x = t.y
        t.phase = Phase.END

    @book.rule("c", by=anybody, phase=Phase.A)
    def detour(t: Any) -> None:
        t.x = t.x + 1
        t.phase = ite(t.x == (3 if long else 1), Phase.C, Phase.A)

    @book.rule("c", by=anybody, phase=Phase.C)
    def open_change(t: Any) -> None:
        t.turn = 1 if t.reading(r) == "new" else 0
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting)
    told = (*found.play.labels, found.move)
    assert told == (("mark", "show") if long else ("detour", "open_change"))


def test_too_many_hidden_differences_are_unknown_unless_something_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(diagonal, "MOST_NODES", 1)
    book, r = _book()
    _marking(book, r)

    @book.rule("c", by=anybody, phase=Phase.B, n=2)
    def wait(t: Any, n: int) -> None:
        t.phase = Phase.C if n else Phase.END

    @book.rule("c", by=anybody, phase=Phase.C)
    def show(t: Any) -> None:
        t.phase = Phase.END

    found = _both(book)
    assert found == Unknown("too many states that differ in hidden fields alone", "1 pairs of states")


# --- secret choices -----------------------------------------------------------------------------------


def _secret(old: Callable[[int], Any], new: Callable[[int], Any]) -> Rulebook:
    """A secret choice of 0..3, allowed by a condition, which is then shown."""
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A, n=4, secret="n")
    def hide(t: Any, n: int) -> None:
        t.require(every(t.x == 0, (new if t.reading(r) == "new" else old)(n)))
        t.y = n
        t.phase = Phase.B

    @book.rule("c", by=RULES, phase=Phase.B)
    def show(t: Any) -> None:
        t.x = t.y
        t.phase = Phase.END

    return book


def test_a_secret_choice_that_one_side_forbids_parts_when_it_is_shown() -> None:
    found = _both(_secret(lambda n: n < 3, lambda n: n < 2))
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.move) == ("outcome", ("hide(n=2)",), "show")
    assert found.states[0] is not None
    assert found.states[0][1] == 2
    assert not found.shared


def test_a_secret_choice_that_only_the_other_side_allows_parts_when_it_is_shown() -> None:
    found = _both(_secret(lambda n: n < 2, lambda n: n < 3))
    assert isinstance(found, Parting)
    assert (found.how, found.move) == ("outcome", "show")
    assert found.play.labels in (("hide(n=0)",), ("hide(n=1)",))
    assert found.states[1] is not None
    assert found.states[1][1] == 2
    assert not found.shared


def test_no_secret_choice_at_all_parts_at_once() -> None:
    found = _both(_secret(lambda n: n < 2, lambda n: n < 0))
    assert isinstance(found, Parting)
    assert (found.how, found.play.labels, found.only) == ("moves", (), (("hide(n=?)",), ()))


def test_secret_choices_that_swap_their_meaning_look_the_same() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A, n=2, secret="n")
    def hide(t: Any, n: int) -> None:
        t.y = n if t.reading(r) == "old" else 1 - n
        t.phase = Phase.B

    @book.rule("c", by=RULES, phase=Phase.B)
    def show(t: Any) -> None:
        t.x = t.y
        t.phase = Phase.END

    found = _both(book)
    assert isinstance(found, Parting), "whoever made the secret choice sees another card"
    assert (found.how, found.play.labels, found.move) == ("outcome", ("hide(n=0)",), "show")


def test_a_secret_choice_with_one_open_outcome_each_way_round_looks_the_same() -> None:
    book, r = _book()

    @book.rule("c", by=anybody, phase=Phase.A, n=2, secret="n")
    def choose(t: Any, n: int) -> None:
        t.x = n if t.reading(r) == "old" else 1 - n
        t.phase = Phase.END

    assert _both(book) == Proved("one, all 3 reachable states")


# --- speed --------------------------------------------------------------------------------------------


def test_a_program_that_never_parts_costs_less_than_exploring_it_would() -> None:
    """Only what differs is run again, on common states alone; code is shared between the programs."""
    book = Rulebook("tiny", sizes={"one": One()}, clauses=("c",), players=2)
    names = [f"r{k}" for k in range(12)]
    readings = [
        book.reading(n, "c", options={"old": "old", "new": "new"}, default="old", why="w", asks="a")
        for n in names
    ]

    @book.state
    class Table(State):
        at = Array(2, Range(0, 11))
        coins = Array(2, Range(0, 4))
        turn = Range(0, 1)

    @book.rule("c", by=player(lambda t: t.turn), n=4)
    def move(t: Any, n: int) -> None:
        extra = sum(
            ite(t.coins[0] + t.at[0] + k > 14 + k, 1 if t.reading(r) == "new" else 0, 0)
            for k, r in enumerate(readings)
        )
        t.at[0] = (t.at[0] + n) % 11
        t.at[1] = (t.at[1] + 3 * n + t.at[0]) % 11
        t.coins[0] = (t.coins[0] + n + extra) % 4
        t.coins[1] = (t.coins[1] + t.coins[0]) % 4
        t.turn = 1 - t.turn

    base = explore(book.build(), graph=True, engine="reference")
    began = time.process_time()
    explore(book.build(), engine="reference")
    once = time.process_time() - began
    assert base.states > 3000
    others = [book.build(readings={n: "new"}) for n in names]
    diagonal = Diagonal(base)
    began = time.process_time()
    for other in others:
        assert isinstance(diagonal.first(other), Proved)
    assert time.process_time() - began < len(others) * once
