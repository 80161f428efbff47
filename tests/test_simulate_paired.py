"""Paired random games: they differ only through the parting, and their shares cover the exact values."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from models.fly_high.cards import FlyHigh
from models.fly_high.rules import book
from models.language import ModelError, Rulebook, registry
from models.language.program import Program
from solvers.compare.balance import wilson
from solvers.compare.shadow import shadowed
from solvers.simulate import Playouts
from solvers.simulate.exact import Exact, exact, exactly_paired
from solvers.simulate.paired import Paired, compared, meets, paired
from solvers.simulate.policies import UNIFORM, Policy, greedy

TINY = FlyHigh(spots=2, cards="10A 20A*2 R U F", die=(1, 2))
GAMES = 4_000
#: The two-sided 99 % quantile of the normal distribution.
Z = 2.5758293035489004
READINGS = [
    ("bold.meeting-die", "at-die"),
    ("end.runs-out", "cannot-draw"),
    ("end.tie", "nobody"),
    ("finish.refill", "none"),
    ("number.nothing-before", "fails"),
    ("rainbow.height", "free"),
    ("bonus.times", "each"),
]
STOPPER = Policy("greedy", {"stop": 1})


def covers(hits: int, games: int, value: float) -> bool:
    """Whether the 99 % Wilson interval of a share holds a value."""
    p, z2 = hits / games, Z * Z
    centre, spread = p + z2 / (2 * games), Z * math.sqrt(p * (1 - p) / games + z2 / (4 * games * games))
    low, high = (centre - spread) / (1 + z2 / games), (centre + spread) / (1 + z2 / games)
    return low - 1e-12 <= value <= high + 1e-12


@cache
def version(reading: str = "", option: str = "") -> Program:
    return book.build(TINY, "basic", {reading: option} if reading else {})


@cache
def pair(reading: str, option: str, policy: Policy = UNIFORM) -> tuple[Paired, Exact]:
    one, two = version(), version(reading, option)
    return paired(one, two, GAMES, seed=11, policy=policy), exactly_paired(one, two, policy=policy)


@pytest.mark.parametrize(("reading", "option"), READINGS)
def test_how_often_games_meet_the_parting_covers_the_exact_value(reading: str, option: str) -> None:
    estimate, value = pair(reading, option)
    assert covers(estimate.met, GAMES, value.met), (estimate.met / GAMES, value.met)
    assert (estimate.met == 0) == (value.met == 0)
    share = estimate.share("met")
    assert share == wilson(estimate.met, GAMES)
    assert share.low <= share.value <= share.high


def test_wins_and_lengths_of_games_cover_the_exact_values() -> None:
    value = exact(version())
    games = Playouts(version()).play(GAMES, seed=5)
    assert covers(int((games.ended == 0).sum()), GAMES, value.ended)
    for n in range(2):
        assert covers(int(games.winners[:, n].sum()), GAMES, value.wins[n])
    spread = Z * games.moves.std() / math.sqrt(GAMES)
    assert abs(games.moves.mean() - value.length) <= spread
    for n in range(2):
        scores = np.where(games.ended == 0, games.scores[:, n], 0)
        assert abs(scores.mean() - value.scores[n]) <= Z * scores.std() / math.sqrt(GAMES)


def test_the_policy_is_named_and_changes_the_values() -> None:
    uniform, stopping = (
        pair("number.nothing-before", "fails"),
        pair("number.nothing-before", "fails", STOPPER),
    )
    assert (uniform[0].policy, stopping[0].policy) == ("random", "greedy")
    assert covers(stopping[0].met, GAMES, stopping[1].met)
    assert abs(uniform[1].met - stopping[1].met) > 0.01


@pytest.mark.parametrize(("reading", "option"), READINGS)
def test_pairs_that_do_not_meet_the_parting_are_alike_to_the_end(reading: str, option: str) -> None:
    shadow = shadowed(version(), version(reading, option))
    mine, theirs = (Playouts(p).play(1_000, seed=3) for p in (shadow.program, shadow.two))
    met = meets(shadow, mine)
    plain = Playouts(version()).play(1_000, seed=3)
    slots = len(version().layout.slots)
    assert (mine.states[:, :slots] == plain.states).all(), "the shadow changes no game"
    alike = ~met
    assert (mine.moves[alike] == theirs.moves[alike]).all()
    assert (mine.states[alike, :slots] == theirs.states[alike]).all()
    assert compared("random", mine, theirs, met).met == met.sum()


def test_native_games_and_the_reference_give_the_same_counts() -> None:
    one, two = version(), version("end.runs-out", "cannot-draw")
    assert paired(one, two, 150, seed=2) == paired(one, two, 150, seed=2, native=False)


# --- hints ------------------------------------------------------------------------------------------------


def test_fly_high_has_hints_for_a_greedy_player() -> None:
    policy = greedy(book)
    assert policy is not None
    assert policy.name == "greedy"
    chances = {i.rule for i in policy.play(version()).instances if i.player is None}
    assert {"stop", "reveal"} <= chances


def played(made: Rulebook) -> Program:
    policy = greedy(made)
    assert policy is not None
    return policy.play(made.build())


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        ("HINTS = {'stopp': 1}", "there is a hint for a rule 'stopp'; did you mean 'stop'?"),
        ("HINTS = {'stop': 9}", "the hint for stop goes from 9 to 9; give a number from 0 to 4"),
        ("HINTS = 3", "hints.py has no mapping HINTS"),
    ],
)
def test_a_wrong_hint_is_one_message(tmp_path: Path, hints: str, message: str) -> None:
    (tmp_path / "rules.py").write_text(
        "import attrs\n"
        "from models.language import Range, Rulebook, Size, State, player\n"
        "@attrs.frozen(kw_only=True)\n"
        "class One(Size):\n    pass\n"
        'book = Rulebook("b", file=__file__, sizes={"one": One()}, clauses=("c",), players=1)\n'
        "@book.state\n"
        "class Table(State):\n    x = Range(0, 1)\n"
        '@book.rule("c", by=player(lambda t: 0))\n'
        "def stop(t):\n    t.x = 1\n"
        'book.over("c")(lambda t: t.x == 1)\n',
        encoding="utf-8",
    )
    (tmp_path / "hints.py").write_text(hints, encoding="utf-8")
    made = registry.find(str(tmp_path))
    with pytest.raises(ModelError) as told:
        played(made)
    assert message in str(told.value)


def test_a_rulebook_without_hints_has_no_greedy_player(tmp_path: Path) -> None:
    assert greedy(registry.find("my_dwarves_fly")) is None


def test_play_that_never_comes_to_rest_has_no_average(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        "import attrs\n"
        "from models.language import CHANCE, Bool, Rulebook, Size, State\n"
        "@attrs.frozen(kw_only=True)\n"
        "class One(Size):\n    pass\n"
        'book = Rulebook("b", file=__file__, sizes={"one": One()}, clauses=("c",), players=1)\n'
        "@book.state\n"
        "class Table(State):\n    x = Bool()\n"
        '@book.rule("c", by=CHANCE)\n'
        "def flip(t):\n    t.x = ~t.x\n"
        'book.over("c")(lambda t: False)\n',
        encoding="utf-8",
    )
    with pytest.raises(ModelError, match="never comes to rest"):
        exact(registry.find(str(tmp_path)).build())
