"""`ruleslawyer mutate`: changed rules are noticed, or told with the play that shows the difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from findings.adequacy import Adequacy, adequacy
from findings.adequacy.trial import Court, Outcome
from findings.cli import run
from findings.scaffold import new_rulebook
from models.language import registry


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_rulebook(tmp_path_factory.mktemp("adequacy") / "game")


@pytest.fixture(scope="module")
def whole(folder: Path) -> Adequacy:
    return adequacy(registry.find(str(folder)), "base", workers=1)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter without properties and examples."""
    made = new_rulebook(tmp_path_factory.mktemp("adequacy") / "bare")
    (made / "properties.py").unlink()
    (made / "examples.py").unlink()
    return made


def test_the_starter_notices_all_changes(whole: Adequacy) -> None:
    assert (whole.count("killed"), whole.tried, whole.count("undecided")) == (19, 19, 0)
    assert whole.score == 1.0
    assert whole.by["finding: no play ends the game"] == 3


def test_each_kind_of_witness_notices_something(whole: Adequacy) -> None:
    kinds = {by.split(" ", 1)[0] for by in whole.by}
    assert {"property", "example"} <= kinds
    assert any(by.startswith(("new finding", "finding gone")) for by in whole.by)


def test_without_properties_and_examples_fewer_changes_are_noticed(bare: Path, whole: Adequacy) -> None:
    found = adequacy(registry.find(str(bare)), "base", workers=1)
    assert found.tried == whole.tried
    assert found.count("killed") < whole.count("killed")
    survivor = next(o for o in found.outcomes if o.how == "survived")
    assert survivor.by == "draw(n=1) has another outcome"
    assert found.count("equivalent") == whole.count("equivalent")


def test_a_change_that_changes_nothing_is_left_out(folder: Path, whole: Adequacy) -> None:
    left_out = [o for o in whole.outcomes if o.how == "equivalent"]
    assert len(left_out) == 1
    assert left_out[0].by in (
        "no difference in play at the small sizes, proved",
        "the change makes no other program",
    )


def test_two_workers_find_the_same(folder: Path, whole: Adequacy) -> None:
    found = adequacy(registry.find(str(folder)), "base", most=6, workers=2)
    alone = {o.mutation: o for o in whole.outcomes}
    assert len(found.outcomes) == 6
    assert all(o == alone[o.mutation] for o in found.outcomes)


def test_what_is_undecided_counts_as_survived() -> None:
    outcomes = [
        Outcome("m", "r", "op", "t", how=how) for how in ("killed", "killed", "undecided", "equivalent")
    ]
    assert Adequacy("game", "base", tuple(outcomes)).score == pytest.approx(2 / 3)


def test_the_rules_as_they_stand_have_all_their_examples(folder: Path) -> None:
    court = Court(registry.find(str(folder)), "base")
    assert [e.name for e in court.examples] == ["two_and_one"]
    assert [e.states for e in court.explorations] == [10]


def test_the_command_tells_survivors_and_can_fail(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mutate", str(bare), "--workers", "1", "--fail-under", "95"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("survived  draw/")
    assert out[-1].startswith("bare, base: ")
    assert out[-1].endswith(" of 19; 1 change nothing, 0 undecided)")
    assert run(["mutate", str(bare), "--workers", "1", "--mutants", "3", "--output-format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [len(a["outcomes"]) for a in document] == [3]
