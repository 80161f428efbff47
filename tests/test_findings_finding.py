"""Findings: what they hold, what they refuse, and their form in JSON."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from findings.finding import Audit, Share, Stake, Status, Witness, as_json
from tests.findings_samples import CONTRADICTION, GAP, MOOT, audit, finding


def test_the_name_follows_from_the_code() -> None:
    assert (CONTRADICTION.name, GAP.name, MOOT.name) == ("contradiction", "gap", "tie")


def test_a_finding_is_a_value() -> None:
    assert finding() == finding()
    assert hash(finding()) == hash(finding())
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        GAP.title = "another"  # type: ignore[misc]


@pytest.mark.parametrize("status", [Status.LEANS, Status.SETTLED, Status.ACCEPTED, Status.MOOT])
def test_a_status_that_rests_on_something_says_on_what(status: Status) -> None:
    with pytest.raises(ValueError, match=f"a finding that is {status.value} says why: give `because`"):
        finding(status=status)
    assert finding(status=status, because="example.3").because == "example.3"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"fingerprint": "XYZ"}, "'fingerprint' must match regex"),
        ({"title": ""}, "'title'"),
        ({"scope": ""}, "'scope'"),
        ({"group": ""}, "'group'"),
        ({"status": "OPEN"}, "'status' must be"),
        ({"stake": "play stops"}, "'stake' must be"),
        ({"clauses": "end.fish"}, "expected several texts, not the single text 'end.fish'"),
    ],
)
def test_a_finding_with_a_wrong_field_is_refused(changes: dict[str, Any], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        finding(**changes)


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(Exception, match="unknown kind of finding 'RL199'"):
        finding("RL199")


def test_a_witness_counts_its_moves() -> None:
    assert Witness(size="small", moves=("a", "b", "a")).length == 3
    assert Witness(size="small", moves=()).length == 0


@pytest.mark.parametrize(("low", "share", "high"), [(0.2, 0.1, 0.3), (0.0, 0.4, 0.3)])
def test_an_interval_holds_its_share(low: float, share: float, high: float) -> None:
    with pytest.raises(ValueError, match=f"the interval {low} … {high} does not hold the share {share}"):
        Share(share=share, low=low, high=high)


def test_a_share_is_between_none_and_all() -> None:
    with pytest.raises(ValueError, match="'high' must be <= 1.0"):
        Share(share=0.5, low=0.5, high=1.5)


def test_two_findings_of_one_audit_have_two_fingerprints() -> None:
    with pytest.raises(ValueError, match=f"two findings have the fingerprint {GAP.fingerprint}"):
        audit(GAP, attrs.evolve(GAP, title="another"))


def test_statuses_and_stakes_stand_in_the_order_in_which_they_are_read() -> None:
    assert [s.value for s in Status] == ["OPEN", "LEANS", "REDUCED SIZE ONLY", "SETTLED", "ACCEPTED", "MOOT"]
    assert [s.value for s in Stake] == ["play stops", "another winner", "another score", "only an argument"]


def test_json_has_the_keys_of_the_contract_in_their_order() -> None:
    document = as_json(Audit(rulebooks=(audit(CONTRADICTION),)))
    assert list(document) == ["schema", "rulebooks"]
    rulebook = document["rulebooks"][0]
    contract = "rulebook variant size engines seconds states findings proved coverage"
    more = "undecided print_size background questions interactions"
    assert list(rulebook) == [*contract.split(), *more.split()]
    one = rulebook["findings"][0]
    contract = "code name title status group situation stake clauses question options witness scope"
    more = "materiality fingerprint because at_print reading default pairs play branches"
    assert list(one) == [*contract.split(), *more.split()]
    assert list(one["options"][0]) == ["id", "outcome"]
    assert list(one["witness"]) == ["size", "moves", "length", "steps"]
    assert list(rulebook["coverage"]) == ["clauses", "cited", "fired", "uncited"]
    assert list(rulebook["proved"][0]) == ["name", "scope"]


def test_json_of_a_finding() -> None:
    assert as_json(MOOT) == {
        "code": "RL104",
        "name": "tie",
        "title": "most fish",
        "status": "MOOT",
        "group": None,
        "situation": "Two players have as many fish.",
        "stake": "another winner",
        "clauses": ["end.fish"],
        "question": "Who wins if two players have as many fish?",
        "options": [],
        "witness": None,
        "scope": "print size, under 7 proved invariants",
        "materiality": None,
        "fingerprint": MOOT.fingerprint,
        "because": "the number of fish is odd and two play",
        "at_print": None,
        "reading": "",
        "default": "",
        "pairs": [],
        "play": [],
        "branches": [],
    }
    assert as_json(CONTRADICTION)["witness"] == {
        "size": "small",
        "moves": ["take lantern", "night", "ogre"],
        "length": 3,
        "steps": ["Ada takes the lantern."],
    }
    assert as_json(CONTRADICTION)["materiality"] == {
        "policy": "random",
        "games": 20_000,
        "confidence": 0.95,
        "met": {"share": 0.004, "low": 0.003, "high": 0.005},
        "winner": {"share": 0.001, "low": 0.0005, "high": 0.0015},
        "score": None,
        "length": None,
    }
