"""The chain of random games for Storm: read back here, and solved by Storm where it is installed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from findings.cli import run
from models.fly_high.cards import FlyHigh
from models.language import CHANCE, ModelError, Range, Rulebook, Size, State, registry
from models.language.program import Program
from solvers.contract import Limits
from solvers.simulate.drn import HALTED, MOVES, OVER, STUCK, drn, won
from solvers.simulate.exact import Exact, exact
from solvers.simulate.policies import Policy
from tests.small_books import orchard

TINY = FlyHigh(spots=2, cards="10A 20A*2 R U F", die=(1, 2))
#: Programs of different kinds: drawn cards and two winners at once, an answer in between, games that halt.
CHAINS: dict[str, tuple[str, str | Size, str]] = {
    "fly_high": ("fly_high", TINY, "basic"),
    "the_duel": ("the_duel", "small-king", "game"),
    "my_dwarves_fly": ("my_dwarves_fly", "small-cancel", "game"),
}


@cache
def program(name: str) -> Program:
    book, size, variant = CHAINS[name]
    return registry.find(book).build(size, variant)


def die() -> Program:
    """A die with weights 1 to 4: play stops, the game is won, nobody may act, or it is thrown again."""
    book = Rulebook("die", sizes={"one": Size()}, clauses=("c",), players=2)

    @book.state
    class Table(State):
        shows = Range(0, 2)

    @book.rule("c", by=CHANCE, side=4, weight=lambda t, side: 1 + side)
    def throw(t: Any, side: int) -> None:
        t.require(t.shows == 0)
        if side == 0:
            t.stop("nothing-more", "c")
        elif side < 3:
            t.shows = side

    book.over("c")(lambda t: t.shows == 1)
    book.winner("c")(lambda t, n: t.shows == 1 + n)
    return book.build()


# --- the file itself --------------------------------------------------------------------------------------


def test_a_chain_is_written_state_by_state() -> None:
    made = die()
    head, _, model = drn(made).partition("@type")
    assert head.splitlines() == [
        "// die, one, base",
        f"// rules {made.digest}; players choose: random",
        "// for instance: storm --explicit-drn FILE --prop 'R{\"moves\"}=? [C]'",
    ]
    assert "@type" + model == (
        "@type: DTMC\n@parameters\n\n@reward_models\nmoves\n@nr_states\n4\n@nr_choices\n4\n@model\n"
        "state 0 [1] init\n\taction 0 [0]\n\t\t0 : 2/5\n\t\t1 : 1/5\n\t\t2 : 3/10\n\t\t3 : 1/10\n"
        "state 1 [0] over won_1\n\taction 0 [0]\n\t\t1 : 1\n"
        "state 2 [0] stuck\n\taction 0 [0]\n\t\t2 : 1\n"
        "state 3 [0] halted\n\taction 0 [0]\n\t\t3 : 1\n"
    )


class Read:
    """A chain as the file tells it, read without the code that wrote it."""

    def __init__(self, text: str) -> None:
        told = re.search(r"@nr_states\n(\d+)\n", text)
        assert told
        self.count = int(told[1])
        self.steps: list[dict[int, Fraction]] = []
        self.labels: list[set[str]] = []
        self.rewards: list[int] = []
        for row in text.split("@model\n")[1].splitlines():
            words = row.split()
            if words[0] == "state":
                assert int(words[1]) == len(self.steps)
                self.rewards.append(int(words[2].strip("[]")))
                self.labels.append(set(words[3:]))
                self.steps.append({})
            elif words[0] != "action":
                self.steps[-1][int(words[0])] = Fraction(words[2])
        assert len(self.steps) == self.count

    def values(self) -> tuple[dict[str, float], float]:
        """For each label the probability of coming to it, and the expected number of moves."""
        live = [n for n in range(self.count) if self.rewards[n]]
        at = {n: k for k, n in enumerate(live)}
        names = sorted(set().union(*self.labels) - {"init"})
        right = np.zeros((len(live), len(names) + 1))
        left = np.eye(len(live))
        for n in live:
            right[at[n], -1] = 1
            for target, share in self.steps[n].items():
                if target in at:
                    left[at[n], at[target]] -= float(share)
                for k, name in enumerate(names):
                    right[at[n], k] += float(share) * (name in self.labels[target])
        solved = np.linalg.solve(left, right)[0]
        return dict(zip(names, solved.tolist(), strict=False)), float(solved[-1])


@pytest.mark.parametrize(
    "made",
    [
        die,
        lambda: registry.find("fly_high").build(FlyHigh(spots=2, cards="10A 20A R U F", die=(1,))),
        lambda: registry.find("my_dwarves_fly").build("small-kinds"),
    ],
)
def test_what_the_file_says_gives_the_exact_values(made: Any) -> None:
    program = made()
    chain = Read(drn(program))
    assert all(sum(steps.values()) == 1 for steps in chain.steps)
    assert [n for n, names in enumerate(chain.labels) if "init" in names] == [0]
    agrees(exact(program), *chain.values())


def agrees(value: Exact, labels: dict[str, float], moves: float) -> None:
    """What another program says of a chain is what was solved here."""
    assert labels.get(OVER, 0.0) == pytest.approx(value.ended, abs=1e-6)
    for n, wins in enumerate(value.wins, 1):
        assert labels.get(won(n), 0.0) == pytest.approx(wins, abs=1e-6)
    assert moves == pytest.approx(value.length, rel=1e-6)
    rest = sum(labels.get(name, 0.0) for name in (OVER, STUCK, HALTED))
    assert rest == pytest.approx(1.0, abs=1e-6)


def test_the_exact_values_of_the_die() -> None:
    value = exact(die())
    assert value.ended == pytest.approx(1 / 3)
    assert value.wins == pytest.approx((1 / 3, 0))
    assert value.length == pytest.approx(5 / 3)


def test_players_who_do_not_choose_at_random_are_named() -> None:
    program = registry.find("fly_high").build(FlyHigh(spots=2, cards="10A 20A R U F", die=(1,)))
    stopper = Policy("stopper", {"stop": 3})
    text = drn(program, policy=stopper)
    assert "players choose: stopper" in text
    agrees(exact(program, policy=stopper), *Read(text).values())
    assert text.split("@model")[1] != drn(program).split("@model")[1]


# --- Storm ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHAINS)
def test_storm_gives_the_exact_values(name: str, tmp_path: Path) -> None:
    stormpy: Any = pytest.importorskip(
        "stormpy", reason="Storm's Python package (extra: storm) is not installed"
    )
    file = tmp_path / "chain.drn"
    file.write_text(drn(program(name)), encoding="utf-8")
    model = stormpy.build_model_from_drn(str(file))

    def ask(question: str) -> float:
        result = stormpy.model_checking(model, stormpy.parse_properties(question)[0])
        return float(result.get_value(model.initial_states[0]))

    known = [n for n in (OVER, STUCK, HALTED, won(1), won(2), won(3)) if n in model.labeling.get_labels()]
    labels = {label: ask(f'P=? [F "{label}"]') for label in known}
    assert {OVER, won(1), won(2)} <= set(labels)
    agrees(exact(program(name)), labels, ask(f'R{{"{MOVES}"}}=? [C]'))


# --- play that never rests, and sizes that are too large ------------------------------------------------


def endless(weights: tuple[int, int, int]) -> Program:
    """Counts round seven fields for ever; some weights round so that the equations have a solution."""
    book = Rulebook("round", sizes={"one": Size()}, clauses=("c",), players=1)

    @book.state
    class Table(State):
        field = Range(0, 7)

    @book.rule("c", by=CHANCE, side=3, weight=lambda t, side: weights[0] if side == 0 else weights[side])
    def go(t: Any, side: int) -> None:
        on = t.field + 3 * side + 1
        t.field = on - on // 7 * 7

    book.over("c")(lambda t: t.field == 7)
    return book.build()


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, 1, 5), (3, 7, 11)])
def test_play_that_never_rests_has_no_average_however_the_odds_round(weights: tuple[int, int, int]) -> None:
    with pytest.raises(ModelError, match="never comes to rest"):
        exact(endless(weights))


def test_a_chain_that_is_too_large_is_one_message() -> None:
    with pytest.raises(ModelError, match="too many states") as told:
        drn(registry.find("fly_high").build("small"), limits=Limits(states=100))
    assert "take a smaller size" in str(told.value)


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_writes_the_chain(tmp_path: Path) -> None:
    own, out = orchard(tmp_path / "orchard", "clash"), tmp_path / "orchard.drn"
    assert run(["export", str(own), "--to", "drn", "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == drn(registry.find(str(own)).build())
