"""`ruleslawyer fuzz`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from findings.cli import run
from findings.cli.fuzz import recorded

BOOK = """\
from typing import Any
from models.language import Range, Rulebook, Size, State, player

book = Rulebook("cups", "Cups", file=__file__, sizes={"s": Size()}, clauses=["pour", "drink", "end"])

@book.state
class Table(State):
    wine = Range(0, 5)
    turns = Range(0, 12)

turn = player(lambda t: 0)

@book.rule("pour", by=turn, cup=2)
def pour(t: Any, cup: int) -> None:
    t.require((t.turns < 12) & (t.wine + cup < 5))
    t.wine = t.wine + cup + 1
    t.turns = t.turns + 1

@book.rule("drink", by=turn)
def drink(t: Any) -> None:
    t.require((t.turns < 12) & (t.wine > 0))
    t.wine = t.wine - 1
    t.turns = t.turns + 1

book.over("end")(lambda t: t.turns == 12)
"""
PROPERTIES = '''\
from typing import Any
from properties.kinds import Properties

PROPERTIES = Properties()

@PROPERTIES.always("pour")
def never_four(t: Any) -> Any:
    """There are never four cups of wine."""
    return t.wine != 4
'''


@pytest.fixture
def cups(tmp_path: Path) -> str:
    folder = tmp_path / "cups"
    folder.mkdir()
    (folder / "rules.py").write_text(BOOK, encoding="utf-8")
    return str(folder)


@pytest.fixture
def broken(cups: str) -> str:
    (Path(cups) / "properties.py").write_text(PROPERTIES, encoding="utf-8")
    return cups


def test_a_clean_rulebook_ends_with_0(cups: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuzz", cups, "--profile", "ci", "--examples", "20"]) == 0
    out = capsys.readouterr().out
    assert re.match(r"cups: \d+ games and [\d,]+ steps over 1 build, [\d.]+ s\n", out)
    assert "No property was broken." in out


def test_a_broken_property_ends_with_1_and_an_example(
    broken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fuzz", broken, "--seed", "3", "--examples", "60"]) == 1
    out = capsys.readouterr().out
    assert "Broken  never-four  There are never four cups of wine." in out
    assert re.search(r"Play +1  pour\(cup=1\)\s+2  pour\(cup=1\)\s", out)
    assert '@EXAMPLES.example("pour", size="s", variant="base")' in out
    assert out.count('s.move("pour", cup=1)') == 2
    assert "# must hold now: never-four" in out


def test_the_same_seed_prints_the_same(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for _ in range(2):
        run(["fuzz", broken, "--seed", "5", "--examples", "30"])
        said.append(re.sub(r"[\d.]+ s\n", "", capsys.readouterr().out))
    assert said[0] == said[1]


def test_a_run_is_replayed(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["fuzz", broken, "--profile", "ci"])
    found = re.search(r"--replay (b'[^']+')", capsys.readouterr().out.replace("\n", ""))
    assert found is not None
    assert run(["fuzz", broken, "--profile", "ci", "--replay", found[1].replace(" ", "")]) == 1
    assert "Broken  never-four" in capsys.readouterr().out


def test_what_is_recorded_does_not_fail(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    from models.language import registry

    assert run(["audit", broken, "--accept"]) in (0, 1)
    assert recorded(registry.find(broken)) == {"never-four"}
    capsys.readouterr()
    assert run(["fuzz", broken, "--profile", "ci"]) == 0
    assert re.search(r"Recorded\s+never-four: [\d,]+ times, recorded as known", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "t"], "size of cups"),
        (["--variant", "x"], "variant of cups"),
        (["--replay", "nonsense"], "this is not what a campaign of this version prints"),
        (["--profile", "weekly"], "'weekly' is not one of"),
        (["--examples", "0"], "0 is not in the range"),
        (["--time", "0"], "0"),
        (["--time", "nan"], "nan is no number of seconds"),
        (["--time", "inf"], "inf is no number of seconds"),
        (["--database", "rules.py"], "is a file"),
        (["--database", "rules.py/x"], "cannot keep failing runs: not a directory"),
        (["--replay", "b'AAAA'", "--seed", "3"], "--replay runs one run again: leave --seed out"),
        (["--replay", "b'AAAA'", "--time", "3"], "--replay runs one run again: leave --time out"),
    ],
)
def test_wrong_use_is_one_message(
    cups: str,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(cups)
    assert run(["fuzz", cups, *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_an_unknown_rulebook_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuzz", "fly_hihg"]) == 2
    assert "fly_high" in capsys.readouterr().err


@pytest.mark.parametrize("steps", [1, 2])
def test_steps_are_the_most_moves_of_a_run(cups: str, steps: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuzz", cups, "--seed", "1", "--examples", "4", "--steps", str(steps)]) == 0
    found = re.match(r"cups: 4 games and (\d+) steps", capsys.readouterr().out)
    assert found is not None
    assert 4 * (steps - 1) < int(found[1]) <= 4 * steps


def test_runs_may_be_longer_than_a_run_can_be(cups: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fuzz", cups, "--seed", "1", "--examples", "2", "--steps", "100000"]) == 0
    assert "No property was broken." in capsys.readouterr().out
