"""`ruleslawyer export` writes a model for SPIN, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from findings.cli import run
from tests.small_books import orchard


def test_a_rulebook_is_written_for_spin(tmp_path: Path) -> None:
    own, out = orchard(tmp_path / "orchard", "clash"), tmp_path / "orchard.pml"
    assert run(["export", str(own), "--to", "promela", "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("/* ")
    assert "digest" in text
    assert "active proctype" in text or "init" in text


def test_a_missing_folder_is_told_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = orchard(tmp_path / "orchard", "clash")
    assert run(["export", str(own), "--to", "promela", "-o", str(tmp_path / "no" / "x.pml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
