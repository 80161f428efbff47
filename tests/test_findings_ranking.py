"""Ranking: status, stake, frequency, order of the text; and groups under their root."""

from __future__ import annotations

import itertools
from typing import Any

import attrs

from findings.finding import Finding, Materiality, Share, Stake, Status
from findings.ranking import Group, grouped, rank
from tests.findings_samples import finding


def met(share: float) -> Materiality:
    return Materiality(policy="random", games=100, met=Share(share=share, low=share, high=share))


def titled(title: str, **changes: Any) -> Finding:
    return finding(identity=title, title=title, because="said so", **changes)


IN_ORDER = [
    titled("stops", stake=Stake.STOP),
    titled("often", stake=Stake.WINNER, materiality=met(0.5)),
    titled("seldom", stake=Stake.WINNER, materiality=met(0.01)),
    titled("never met", stake=Stake.WINNER, materiality=met(0.0)),
    titled("not measured", stake=Stake.WINNER),
    titled("second clause", stake=Stake.SCORE, clauses=("z", "second")),
    titled("third clause", stake=Stake.SCORE, clauses=("third",)),
    titled("unknown clause", stake=Stake.SCORE, clauses=("z",)),
    titled("leans", status=Status.LEANS, stake=Stake.STOP),
    titled("reduced", status=Status.REDUCED, stake=Stake.STOP),
    titled("settled", status=Status.SETTLED, stake=Stake.STOP),
    titled("accepted", status=Status.ACCEPTED, stake=Stake.STOP),
    titled("moot", status=Status.MOOT, stake=Stake.STOP),
]


def test_findings_are_ranked_by_status_stake_frequency_and_the_order_of_the_text() -> None:
    ranked = rank(reversed(IN_ORDER), clause_order=["first", "second", "third"])
    assert [f.title for f in ranked] == [f.title for f in IN_ORDER]


def test_the_order_does_not_depend_on_the_order_of_search() -> None:
    alike = [titled(name, clauses=()) for name in ("a", "b", "c")]
    orders = {rank(permutation) for permutation in itertools.permutations(alike)}
    assert len(orders) == 1


def test_a_group_stands_where_its_best_finding_stands() -> None:
    first, second, third, fourth = (attrs.evolve(f, group=None) for f in IN_ORDER[:4])
    second, fourth = attrs.evolve(second, group="night"), attrs.evolve(fourth, group="night")
    assert grouped([first, second, third, fourth]) == (Group(first), Group(second, (fourth,)), Group(third))


def test_findings_that_stand_alone_are_not_one_group() -> None:
    assert grouped(IN_ORDER) == tuple(Group(f) for f in IN_ORDER)
