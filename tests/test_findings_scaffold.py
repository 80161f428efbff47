"""`ruleslawyer new`: the folder runs at once, and appears whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from findings.audit import audit_rulebook
from findings.cli import run
from findings.scaffold import new_rulebook
from models.language import registry
from models.language.drift import match
from models.language.errors import ModelError
from models.language.sentences import read_source
from models.language.skeleton import UNANSWERED, UNSAID

TEXT = """# Stone Soup

Everybody may stir again and again.

## What you need

There are twelve stones and one pot, all of them clean.

## How a very long round of stirring goes

Throw a stone in.
You must not throw two.
For example, Ann throws one.
"""


def test_the_starter_is_audited_at_once(tmp_path: Path) -> None:
    book = registry.find(str(new_rulebook(tmp_path / "my_game")))
    audit = audit_rulebook(book)
    assert [(f.name, f.clauses) for f in audit.findings] == [
        ("shortage", ("your-turn.1",)),
        ("tie", ("end-of-the-game.2",)),
    ]
    assert audit.states == 10
    text = (tmp_path / "my_game" / "clauses.toml").read_text(encoding="utf-8")
    assert UNSAID not in text
    assert UNANSWERED not in text


def test_the_clauses_are_those_of_the_text(tmp_path: Path) -> None:
    book = registry.find(str(new_rulebook(tmp_path / "my_game")))
    assert book.clauses is not None
    drift = match(book.clauses, read_source(tmp_path / "my_game" / "rulebook.txt"))
    assert drift.clean


def test_its_own_tests_pass_wherever_they_are_started(tmp_path: Path) -> None:
    folder = new_rulebook(tmp_path / "my_game")
    for where in (tmp_path, folder):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "tests")]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "4 passed" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("n=[1, 2])", "n=[1, 2, 3])", ""),
        ("t.pit = t.pit - got", "t.pit = t.pit - got + 0 * n", ""),
        ("t.taken[t.turn] + got", "t.taken[t.turn] + 0", "broken: no-pebble-is-lost, after draw(n="),
        ("    got = take(", "    t.require(t.pit > 9)\n    got = take(", "never allowed at this size: draw"),
    ],
)
def test_its_tests_say_what_a_change_of_the_rules_breaks(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    folder = new_rulebook(tmp_path / "my_game")
    rules = folder / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert text.count(old) == 1
    rules.write_text(text.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "tests")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is (told == ""), done.stdout + done.stderr
    assert told in done.stdout


def test_a_text_becomes_clauses_that_wait_for_words(tmp_path: Path) -> None:
    source = tmp_path / "soup.txt"
    source.write_text(TEXT, encoding="utf-8")
    folder = new_rulebook(tmp_path / "stone_soup", source)
    book = registry.find(str(folder))
    clauses = book.clauses
    assert clauses is not None
    assert [(c.id, str(c.kind), str(c.force)) for c in clauses] == [
        ("stone-soup.1", "rule", "may"),
        ("what-you-need.1", "rule", "is"),
        ("how-a-very-long-round-of-stirring-goes.1", "rule", "must"),
        ("how-a-very-long-round-of-stirring-goes.2", "rule", "must-not"),
        ("how-a-very-long-round-of-stirring-goes.3", "example", "must"),
    ]
    assert {c.text for c in clauses} == {UNSAID}
    assert clauses["stone-soup.1"].words == {"may": UNANSWERED, "again": UNANSWERED}
    assert {f.name for f in audit_rulebook(book).findings} == {"shortage", "tie"}
    assert not (folder / "rulebook.txt").exists()
    assert "stir" not in (folder / "clauses.toml").read_text(encoding="utf-8").replace("stirring-goes", "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Bad-Name", "'Bad-Name' cannot be a rulebook's name; use lower-case letters"),
        ("fly_high", "there is a rulebook 'fly_high' already; choose another name"),
        ("taken", "the folder exists already; choose another name or remove it"),
        ("nowhere/game", "there is no folder to make it in; make that first"),
    ],
)
def test_what_cannot_be_made_is_one_message(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(ModelError) as error:
        new_rulebook(tmp_path / name)
    assert str(error.value).endswith(message) or message in str(error.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["taken"]


def test_a_place_that_cannot_be_written_to_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(**given: object) -> str:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("findings.scaffold.tempfile.mkdtemp", refused)
    folder = tmp_path / "my_game"
    assert run(["new", str(folder)]) == 2
    told = capsys.readouterr().err
    assert told == f"error: {folder}: cannot write: read-only file system; choose another place\n"


def test_a_text_without_sentences_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "empty.txt"
    source.write_text("", encoding="utf-8")
    assert run(["new", str(tmp_path / "game"), "--from", str(source)]) == 2
    assert "error: " in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty.txt"]


def test_the_command_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my_game"
    assert run(["new", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"made {folder}: change rules.py, then run",
        f"  ruleslawyer audit {folder}",
        f"  ruleslawyer play {folder}",
    ]
