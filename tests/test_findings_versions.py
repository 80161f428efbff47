"""Versions named on the command line, the difference between two, and what an answer does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from findings.cli import run
from findings.versions import version
from models.language import ModelError
from models.language.registry import find
from tests.small_books import orchard

ROOT = Path(__file__).parent.parent
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return orchard(tmp_path / "orchard", "leaning")


def test_options_set_readings_sizes_and_variants(own: Path) -> None:
    with version(f"{own}+leaning.gain=one") as made:
        assert made.answers == {"leaning.gain": "one"}
        assert made.build().readings["leaning.gain"] == "one"


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        ("+leaning.gain", "sets nothing; write +option=value, for instance +size=small"),
        ("+leaning.gian=one", "did you mean 'leaning.gain'?"),
        ("+leaning.gain=two", "choose one of"),
        ("+size=big", "unknown size of orchard 'big'"),
    ],
)
def test_a_wrong_option_is_one_message(own: Path, tail: str, message: str) -> None:
    with pytest.raises(ModelError, match=r".") as told, version(f"{own}{tail}") as made:
        made.build()
    assert message in str(told.value)


def test_a_revision_is_loaded_apart_and_leaves_the_working_copy_alone() -> None:
    inside = subprocess.run(
        ["git", "-C", str(ROOT), "cat-file", "-e", "HEAD:models/fly_high/rules.py"], check=False
    )
    if inside.returncode:
        pytest.skip("this tree is no git checkout with the rulebook in it")
    here = find("fly_high")
    module = sys.modules["models.fly_high.rules"]
    with version("fly_high@HEAD") as made:
        assert made.book is not here
        assert made.book.folder is not None
        assert made.book.folder != here.folder
        folder = made.book.folder
    assert sys.modules["models.fly_high.rules"] is module
    assert not folder.exists()


def test_an_unknown_revision_is_one_message() -> None:
    with (
        pytest.raises(ModelError, match="revision 'no-such-revision' cannot be read"),
        version("fly_high@no-such-revision"),
    ):
        pass


def test_a_difference_in_every_format(own: Path, tmp_path: Path, capsys: Captured) -> None:
    old, new = str(own), f"{own}+leaning.gain=one"
    assert run(["diff", old, new, "--games", "20"]) == 0
    assert "leads elsewhere" in capsys.readouterr().out
    out = tmp_path / "change.json"
    assert (
        run(["diff", old, new, "--games", "20", "--format", "json", "-o", str(out), "--fail-on", "outcomes"])
        == 1
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["changed"], found["proved_same"], found["complete"]) == (True, False, True)
    assert "outcomes" in found["kinds"]
    assert "moves" not in found["kinds"]
    assert run(["diff", old, new, "--games", "20", "--format", "markdown", "--fail-on", "moves"]) == 0
    assert capsys.readouterr().out.startswith("## ")


def test_no_difference_is_proved_without_a_search(own: Path, capsys: Captured) -> None:
    assert run(["diff", str(own), str(own), "--fail-on", "any"]) == 0
    assert "No change in play, proved" in capsys.readouterr().out


def test_what_an_answer_closes(own: Path, capsys: Captured) -> None:
    assert run(["what-if", str(own), "leaning.gain=one"]) == 0
    told = capsys.readouterr().out
    assert "Closes 1 finding\n  RL107" in told
    assert "Opens 0 findings" in told


@pytest.mark.parametrize("answer", ["leaning.gain", "leaning.gian=one", "leaning.gain=two"])
def test_a_wrong_answer_is_one_message(own: Path, answer: str, capsys: Captured) -> None:
    assert run(["what-if", str(own), answer]) == 2
    assert capsys.readouterr().err.count("\n") == 1
