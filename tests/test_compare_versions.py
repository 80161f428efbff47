"""Two versions of one small game: what each planted change does in play, and nothing else."""

from __future__ import annotations

import enum
from typing import Any

import attrs
import pytest

from models.language import CHANCE, Bool, Enum, Index, Range, Rulebook, Size, State, deferred, player
from solvers.compare.versions import Relation, VersionChange, compare_versions
from solvers.contract import Limits


class Phase(enum.Enum):
    """Where a round stands."""

    WEATHER = 0
    PICK = 1
    DONE = 2


@attrs.frozen(kw_only=True)
class Orchard(Size):
    """Numbers of the game."""

    trees: int = 4
    players: int = 2


def orchard(**change: Any) -> Rulebook:
    """The game of picking apples, with some of its numbers, names or guards changed."""
    size = deferred(Orchard)
    book = Rulebook(
        "orchard",
        sizes={"small": Orchard(trees=change.get("trees", 4))},
        players=size.players,
        clauses=["a", "b", "c"],
    )

    class Table(State):
        phase = Enum(Phase)
        turn = Index(size.players)
        apples = Range(0, size.trees, start=size.trees)
        basket = Range(0, size.trees)
        rain = Bool()

    book.state(Table)

    def weather() -> None:
        @book.rule(
            "a",
            by=CHANCE,
            phase=Phase.WEATHER,
            wet=(False, True),
            weight=lambda t, wet: change.get("wet", 1) if wet else 1,
        )
        def sky(t: Table, wet: bool) -> None:
            t.rain = wet
            t.phase = Phase.PICK

    def picking() -> None:
        def pick(t: Table, n: int) -> None:
            t.require(n <= t.apples)
            if change.get("dry"):
                t.require(~t.rain | (n == 1))
            if change.get("odd"):
                t.require((n == 1) | t.rain)
            t.apples -= n
            t.basket += n
            if change.get("spill"):
                t.basket = 0
            t.turn = (t.turn + 1) % t.size.players
            t.phase = Phase.WEATHER
            with t.when(t.apples <= change.get("left", 0)):
                t.phase = Phase.DONE

        pick.__name__ = change.get("name", "pick")
        most = change.get("most", 2)
        book.rule("b", by=player(lambda t: t.turn), phase=Phase.PICK, n=tuple(range(1, most + 1)))(pick)

    parts = [weather, picking]
    for part in reversed(parts) if change.get("reordered") else parts:
        part()
    book.over("c")(lambda t: t.phase == Phase.DONE)
    return book


def compared(**change: Any) -> VersionChange:
    return compare_versions(orchard().build(), orchard(**change).build())


def relation(change: VersionChange, rule: str = "pick") -> Relation:
    return change.rules[rule].relation


@pytest.mark.parametrize(
    "change", [{}, {"name": "gather"}, {"reordered": True}, {"name": "x", "reordered": True}]
)
def test_names_and_order_change_nothing_in_play(change: dict[str, Any]) -> None:
    found = compared(**change)
    assert found.structural
    assert not found.changed
    assert [r.was for r in found.rules.values() if r.rule not in ("pick", "sky")] == ["pick"] * (
        "name" in change
    )


def test_a_loosened_guard_allows_more_with_the_shortest_play() -> None:
    found = compared(most=3)
    assert relation(found) is Relation.MORE
    more = found.rules["pick"].more
    assert more is not None
    assert more.labels == ("sky(wet=False)", "pick(n=3)")
    assert found.rules["sky"].same
    assert not found.rules["sky"].changed


def test_a_tightened_guard_allows_fewer() -> None:
    found = compared(dry=True)
    assert relation(found) is Relation.FEWER
    fewer = found.rules["pick"].fewer
    assert fewer is not None
    assert fewer.labels == ("sky(wet=True)", "pick(n=2)")


def test_loosened_here_and_tightened_there_is_incomparable() -> None:
    found = compared(most=3, odd=True)
    assert relation(found) is Relation.INCOMPARABLE


def test_another_score_is_another_outcome_of_the_same_moves() -> None:
    found = compared(spill=True)
    assert relation(found) is Relation.EQUAL
    outcome = found.rules["pick"].outcome
    assert outcome is not None
    assert outcome.labels == ("sky(wet=False)", "pick(n=1)")


def test_an_earlier_end_is_found() -> None:
    found = compared(left=1)
    assert found.changed
    outcome = found.rules["pick"].outcome
    assert outcome is not None
    assert len(outcome.labels) == 4


def test_other_odds_are_found() -> None:
    found = compared(wet=2)
    odds = found.rules["sky"].odds
    assert odds is not None
    assert odds.labels == ("sky(wet=False)",)
    assert relation(found, "sky") is Relation.EQUAL


def test_another_size_differs_in_the_setup() -> None:
    found = compared(trees=5)
    assert found.setup == ("apples",)
    assert found.changed


def test_a_limit_is_said() -> None:
    found = compare_versions(orchard().build(), orchard(wet=2).build(), limits=Limits(states=2))
    assert not found.complete
    assert found.pairs > 2
