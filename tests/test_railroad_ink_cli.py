"""`ruleslawyer score`: the score of a board in a file, in words and as data, and wrong use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from findings.cli import WRONG_USE, run

RING = "exits 0A:H\n.HH. ..HH\nHH.. H..H\n"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "ring.txt"
    path.write_text(RING, encoding="utf-8")
    return path


def test_points_and_readings_in_words(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "railroad_ink", str(board)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Railroad Ink, base: 2 x 2 spaces, 1 exits\n")
    assert "  longest highway       4\n" in out
    assert "  total                 8\n" in out
    assert "longest highway 5, total 9   (longest.twice = arms)" in out


def test_errors_and_ends_that_may_not_meet_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.txt"
    path.write_text(".H.H .R.R H.H.", encoding="utf-8")
    assert run(["score", "railroad_ink", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Errors\n  row 1, space 1, right: highway\n" in out
    assert "May not be drawn so\n  row 1, space 1, right: highway\n" in out


def test_the_expansion_is_told_by_what_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.txt"
    path.write_text("CCCC .H.H", encoding="utf-8")
    assert run(["score", "railroad_ink", str(path)]) == 0
    assert capsys.readouterr().out.startswith("Railroad Ink, meteor: 1 x 2 spaces")
    assert run(["score", "railroad_ink", str(path), "--variant", "lava"]) == WRONG_USE
    assert "a crater has no place in the variant lava" in capsys.readouterr().err


def test_data_and_picture(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "ring.svg"
    assert (
        run(["score", "railroad_ink", str(board), "--output-format", "json", "--picture", str(picture)]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert (data["rulebook"], data["variant"], data["points"]["total"]) == ("railroad_ink", "base", 8)
    arms = next(r for r in data["readings"] if r["option"] == "arms")
    assert arms["points"]["total"] == 9
    assert picture.read_text(encoding="utf-8").startswith("<svg xmlns=")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["railroad_ink", "absent.txt"], "absent.txt"),
        (["fly_high", "BOARD"], "fly_high has no boards that can be scored"),
        (["railroad_ink", "BOARD", "--variant", "rivers"], "did you mean 'river'?"),
        (["railroad_ink", "BOARD", "--picture", "no/where.svg"], "cannot write"),
    ],
)
def test_wrong_use(
    arguments: list[str], message: str, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", *(str(board) if a == "BOARD" else a for a in arguments)]) == WRONG_USE
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert "Traceback" not in shown.err


def test_a_broken_board_is_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(b"\xff\xfe\x00")
    assert run(["score", "railroad_ink", str(path)]) == WRONG_USE
    assert len(capsys.readouterr().err.splitlines()) == 1
