"""`ruleslawyer check`: each thing that a model may have forgotten is remarked, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from findings.check import Level, check, summary
from findings.cli import run
from findings.scaffold import new_rulebook
from models.language import registry
from models.language.skeleton import UNANSWERED, UNSAID


def told(folder: Path, states: int = 1000) -> set[tuple[str, str]]:
    """Code and level of every remark."""
    return {(r.code, r.level.value) for r in check(registry.find(str(folder)), states=states)}


STARTER = {("clause-without-rule", "warning"), ("missing-word", "hint"), ("no-question", "hint")}


def changed(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """The starter game with some changes: file, what stands there, what shall."""
    new_rulebook(folder)
    for file, before, after in changes:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, after), encoding="utf-8")
    return folder


def test_the_starter_has_one_warning(tmp_path: Path) -> None:
    folder = new_rulebook(tmp_path / "game")
    remarks = check(registry.find(str(folder)))
    assert {(r.code, r.level.value) for r in remarks} == STARTER
    first = remarks[0]
    assert str(first) == (
        f"{folder}/clauses.toml, clause 'pebbles.1': clause-without-rule: nothing cites this sentence; "
        "cite it where it acts, or say in `uncited` why nothing needs to"
    )
    assert summary(remarks) == "1 warning, 3 hints"


TURN = "    turn = Index(size.players)"
WAIT = """@book.rule("your-turn.1", by=on_turn, phase=Phase.TAKE)
def wait(t: Any) -> None:
    t.require((t.pit == 4) & (t.taken[0] == 4))
    t.turn = 1 - t.turn


@book.over("""

CHANGES = {
    "constant-field": [("rules.py", TURN, f"{TURN}\n    moon = Range(0, 3)")],
    "unused-field": [
        ("rules.py", TURN, f"{TURN}\n    last = Range(0, 2)"),
        ("rules.py", "    t.turn = 1 - t.turn\n", "    t.turn = 1 - t.turn\n    t.last = got\n"),
    ],
    "rule-never-acts": [("rules.py", "@book.over(", WAIT)],
    "unsaid-clause": [("clauses.toml", "An empty pit ends the game.", UNSAID)],
    "unanswered-word": [("clauses.toml", "the only other player", UNANSWERED)],
    "rule-without-phase": [("rules.py", "by=on_turn, phase=Phase.TAKE, n", "by=on_turn, n")],
}


@pytest.mark.parametrize("code", list(CHANGES))
def test_one_change_brings_one_more_remark(tmp_path: Path, code: str) -> None:
    folder = changed(tmp_path / "game", *CHANGES[code])
    assert {c for c, _ in told(folder)} - {c for c, _ in STARTER} == {code}


def test_a_size_that_is_too_large_says_how_large(tmp_path: Path) -> None:
    folder = new_rulebook(tmp_path / "game")
    remark = next(r for r in check(registry.find(str(folder)), states=4) if r.code == "size-too-large")
    assert remark.level is Level.WARNING
    assert remark.where == "game, base, size small"
    assert remark.told.startswith("more than ")
    assert remark.told.endswith("(at most 10^3 by the ranges of its fields)")


def test_the_command_ends_with_one_for_a_warning_and_speaks_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = new_rulebook(tmp_path / "game")
    assert run(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "game: 1 warning, 3 hints"
    assert run(["check", str(folder), "--output-format", "json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["game"]
    assert list(document["game"][0]) == ["code", "level", "where", "told", "todo"]
    clauses = folder / "clauses.toml"
    text = clauses.read_text(encoding="utf-8")
    clauses.write_text(text.replace('kind = "rule"', 'kind = "flavour"', 1), encoding="utf-8")
    assert run(["check", str(tmp_path / "absent")]) == 2
    assert "error: " in capsys.readouterr().err
