"""`ruleslawyer flow`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from findings.cli import run

BOOK = """\
import enum
from typing import Any
from models.language import RULES, Bool, Enum, Rulebook, Size, State, player

Phase = enum.Enum("Phase", "LIGHT GUESS SETTLE OVER", module=__name__)
book = Rulebook("wicks", "Wicks", file=__file__, sizes={"s": Size()}, clauses=["a", "b", "end"])

@book.state
class Table(State):
    phase = Enum(Phase)
    lit = Bool()

turn = player(lambda t: 0)

@book.rule("a", by=turn, phase=Phase.LIGHT)
def light(t: Any) -> None:
    t.phase = Phase.GUESS

@book.rule("b", by=turn, phase=Phase.GUESS)
def guess(t: Any) -> None:
    t.phase = Phase.SETTLE

@book.rule("b", by=turn, phase=Phase.GUESS)
def blow(t: Any) -> None:
    t.require(~t.lit)
    t.lit = True
    t.phase = Phase.LIGHT

@book.rule("b", by=RULES, phase=Phase.SETTLE)
def settle(t: Any) -> None:
    t.phase = Phase.OVER

book.over("end")(lambda t: t.phase == Phase.OVER)
"""
WORDS = """\
[en.enum.Phase]
LIGHT = "lighting a wick"
OVER = "all is dark"

[en.flow]
LIGHT = "an evening"
"""


@pytest.fixture
def wicks(tmp_path: Path) -> str:
    folder = tmp_path / "wicks"
    folder.mkdir()
    (folder / "rules.py").write_text(BOOK, encoding="utf-8")
    (folder / "words.toml").write_text(WORDS, encoding="utf-8")
    return str(folder)


def test_the_summary_speaks_the_words_of_the_game(wicks: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["flow", wicks]) == 0
    out = capsys.readouterr().out
    assert "wicks · base, size s: 3 phases, 4 steps" in out
    assert "all 8 reachable states; 200 random games, 4.0 steps each" in " ".join(out.split())
    assert "Begins          lighting a wick" in out
    assert "Ends            all is dark" in out
    assert "Every game      lighting a wick; GUESS; SETTLE" in out
    assert "Can end         from every reachable position" in out


def test_svg_comes_with_its_dot(wicks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["flow", wicks, "-o", str(tmp_path / "w.svg")]) == 0
    assert (tmp_path / "w.svg").read_text(encoding="utf-8").startswith("<?xml")
    source = (tmp_path / "w.dot").read_text(encoding="utf-8")
    assert "lighting a wick" in source
    assert 'label="  an evening"' in source
    err = capsys.readouterr().err.replace("\n", "")
    assert f"written: {tmp_path / 'w.svg'}" in err
    assert f"written: {tmp_path / 'w.dot'}" in err


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_fly_high_is_drawn_in_its_own_words(variant: str, tmp_path: Path) -> None:
    assert run(["flow", "fly_high", "--variant", variant, "-o", str(tmp_path / "f.svg")]) == 0
    drawn = (tmp_path / "f.svg").read_text(encoding="utf-8")
    for words in ("rolling the die", "stop or go on", "the game is over", "a player chooses"):
        assert f">{words}</text>" in drawn
    assert drawn.count('class="cluster"') == 2


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("w.dot", "digraph flow {"),
        ("w.gv", "digraph flow {"),
        ("w.graphml", "<?xml"),
        ("w.mmd", "flowchart TD"),
        ("w.aut", "des (0, 4, 4)"),
        ("w.json", "{"),
        ("W.JSON", "{"),
    ],
)
@pytest.mark.parametrize("level", ["phase", "rule", "trigger", "state"])
def test_every_format_at_every_level(
    wicks: str, tmp_path: Path, name: str, beginning: str, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["flow", wicks, "--level", level, "-o", str(tmp_path / name)]) == 0
    assert capsys.readouterr().err == f"written: {tmp_path / name}\n"
    written = (tmp_path / name).read_text(encoding="utf-8")
    assert written.startswith("des (0, " if name == "w.aut" and level != "phase" else beginning)


def test_json_has_the_answers(wicks: str, tmp_path: Path) -> None:
    run(["flow", wicks, "-o", str(tmp_path / "w.json")])
    told = json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))
    assert told["answers"]["every_game"] == ["LIGHT", "GUESS", "SETTLE"]
    assert told["answers"]["endless"] == []


def program(tmp_path: Path, moves: str) -> str:
    path = tmp_path / "game.js"
    guess = "guess: () => {}, blow: ({ events }) => events.setStage('light')"
    stages = f"{{ light: {{ moves: {{ {moves} }} }}, guess: {{ moves: {{ {guess} }} }} }}"
    path.write_text(
        "const light = ({ events }) => events.setStage('guess');\n"
        "export default { setup: () => ({}), endIf: () => 1,"
        f" turn: {{ activePlayers: {{ all: 'light' }}, stages: {stages} }} }};\n",
        encoding="utf-8",
    )
    return str(path)


def test_a_program_that_is_right_ends_with_0(
    wicks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["flow", wicks, "--against", program(tmp_path, "light")]) == 0
    out = capsys.readouterr().out
    assert "No difference" in out
    assert "Passed through  SETTLE" in out


def test_a_program_that_differs_ends_with_1(
    wicks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["flow", wicks, "--against", program(tmp_path, "light, peek: () => {}")]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "move-not-allowed state light offers peek, which no rule allows there (game.js:2)" in out
    assert "1 difference" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--names", "x.toml"], "--names is only used with --against"),
        (["--against", "x.php", "--level", "rule"], "--against compares phases"),
        (["--level", "trigger"], "--level trigger is only drawn: give a file with -o"),
        (["--level", "state", "--states", "1", "-o", "x.aut"], "too many states for a flow of states"),
        (["-o", "flow.png"], "the name does not say which format to write"),
        (["-o", "none/flow.dot"], "does not exist; make it first"),
        (["--by", "lid"], "lid is no field of the state"),
        (["--against", "none.php"], "there is no such file or folder"),
        (["--size", "t"], "size of wicks"),
        (["--variant", "x"], "variant of wicks"),
    ],
)
def test_wrong_use_is_one_message(
    wicks: str,
    tmp_path: Path,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["flow", wicks, *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_a_picture_that_cannot_be_drawn_leaves_no_file(wicks: str, tmp_path: Path) -> None:
    target = tmp_path / "w.svg"
    target.mkdir()
    assert run(["flow", wicks, "-o", str(target)]) == 2
    assert list(target.iterdir()) == []


def test_of_several_files_none_is_written_where_one_cannot_be(
    wicks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "w.mmd"
    assert run(["flow", wicks, "-o", str(good), "-o", str(tmp_path / "none" / "w.dot")]) == 2
    (tmp_path / "v.dot").mkdir()
    assert run(["flow", wicks, "-o", str(tmp_path / "v.svg")]) == 2
    assert "v.dot" in capsys.readouterr().err.replace("\n", "")
    assert not good.exists()
    assert not (tmp_path / "v.svg").exists()


def test_what_was_not_explored_is_not_called_unreached(
    wicks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["flow", wicks, "--states", "1", "--games", "0"]) == 0
    out = capsys.readouterr().out
    assert "Not met         GUESS; SETTLE; all is dark" in out
    assert "Did not act     light; guess; blow; settle" in out
    for claim in ("Unreached", "No way out", "Cannot end", "Never acts"):
        assert claim not in out


def test_a_field_that_is_named_twice_names_the_phases_once(
    wicks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["flow", wicks, "--by", "lit", "--by", "lit"]) == 0
    assert "Every game      false\n" in "\n".join(row.rstrip() for row in capsys.readouterr().out.split("\n"))


def test_a_program_without_an_end_is_told_as_that(
    wicks: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(program(tmp_path, "light"))
    path.write_text(path.read_text(encoding="utf-8").replace(" endIf: () => 1,", ""), encoding="utf-8")
    assert run(["flow", wicks, "--against", str(path)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "phase-without-state the game ends in phase OVER, and the program has no end" in out
    assert "though a player chooses" not in out


def test_words_that_no_picture_can_hold_are_escaped(wicks: str, tmp_path: Path) -> None:
    words = '[en.enum.Phase]\nLIGHT = "red\\u001b[31m\\u0000"\nGUESS = "two\\nlines"\n'
    (Path(wicks) / "words.toml").write_text(words, encoding="utf-8")
    for name in ("w.svg", "w.mmd"):
        assert run(["flow", wicks, "-o", str(tmp_path / name)]) == 0
    assert "red\\x1b[31m\\x00" in (tmp_path / "w.svg").read_text(encoding="utf-8")
    assert '["two lines"]' in (tmp_path / "w.mmd").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["w.svg", "w.dot", "w.graphml", "w.json", "w.mmd", "w.aut"])
def test_a_graph_without_anything_in_it_is_written(wicks: str, tmp_path: Path, name: str) -> None:
    rules = Path(wicks) / "rules.py"
    rules.write_text(BOOK.replace("by=RULES", "by=turn"), encoding="utf-8")
    assert run(["flow", wicks, "--level", "trigger", "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).stat().st_size
