"""The pack for developers: options, moments, and tests that pass on the model and fail on a wrong one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from findings.reports.developers import moments, options, pack, witnesses
from findings.reports.i18n import texts
from tests import report_samples as samples


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return dict(pack.files(samples.book(), texts(), str(samples.FOLDER)))


def test_every_open_reading_is_an_option_with_its_default(files: dict[str, str]) -> None:
    found = {o["id"]: o for o in json.loads(files["options.json"])["options"]}
    assert list(found) == ["light.coin-from", "after-light:end.all-burn+turn.again"]
    coin = found["light.coin-from"]
    assert coin["default"] == "pot"
    assert coin["options"] == {
        "pot": "the coin comes from the pot, as far as there is one",
        "other": "the coin comes from the other player, as far as there is one",
    }
    assert coin["sentences"] == {"turn.coin": "Lighting a lantern brings a coin."}
    assert [f["fingerprint"] for f in coin["findings"]] == [samples.one("RL107").fingerprint]


def test_game_options_have_the_form_of_board_game_arena(files: dict[str, str]) -> None:
    found = json.loads(files["gameoptions.json"])
    assert list(found) == ["100", "101"]
    for option in found.values():
        assert set(option) == {"name", "values", "default", "level"}
        assert str(option["default"]) in option["values"]
        for value in option["values"].values():
            assert value["name"]
    assert found["101"]["values"][str(found["101"]["default"])]["name"] == "end.all-burn prevails"


def test_long_names_are_cut_with_a_mark() -> None:
    assert options._short("word " * 40).endswith("…")
    assert len(options._short("word " * 40)) <= 80


def test_every_witness_is_a_case_of_what_players_see(files: dict[str, str]) -> None:
    cases = json.loads(files["witnesses.json"])["cases"]
    assert [c["finding"] for c in cases] == [f.fingerprint for f in samples.lantern().findings if f.play]
    contradiction = cases[0]
    assert contradiction["moves"] == ["star", "light(lantern=0)", "star", "light(lantern=1)"]
    assert contradiction["setup"]["pot"] == 5
    assert [e["coins"] for e in contradiction["expected"]] == [[0, 0], [1, 0], [1, 0], [2, 0]]
    assert [(b["option"], b["before"], b["end"]) for b in contradiction["branches"]] == [
        ("end.all-burn", 3, "over"),
        ("turn.again", 3, "goes on"),
    ]


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def run(folder: Path) -> str:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.stdout.strip().splitlines()[-1]


def test_the_tests_pass_on_the_model(files: dict[str, str], tmp_path: Path) -> None:
    write(files, tmp_path)
    assert run(tmp_path).startswith("8 passed")


def test_the_tests_fail_on_a_program_that_plays_otherwise(files: dict[str, str], tmp_path: Path) -> None:
    write(files, tmp_path)
    adapter = (tmp_path / "adapter.py").read_text()
    wrong = adapter.replace(
        "build(size, variant, readings)", "build(size, variant, {'light.coin-from': 'other'})"
    )
    assert wrong != adapter
    (tmp_path / "adapter.py").write_text(wrong)
    assert " failed" in run(tmp_path)


def test_moments_say_who_acts_and_what_it_costs(files: dict[str, str]) -> None:
    found: dict[str, Any] = json.loads(files["moments.json"])
    assert found["ties"] == [{"name": "most-coins", "keys": ["end.winner"], "tie_left": True}]
    assert {s["stage"]: s["acts"] for s in found["stages"]} == {
        "ROLL": {"chance": ["moon", "star"]},
        "LIGHT": {"player": ["light"]},
        "COUNT": {"rules": ["count_coins"]},
    }
    assert found["forbidden"] == {"turn.once": "A lantern that burns cannot be lit."}
    light = next(r for r in found["rules"] if r["name"] == "light")
    assert (light["actor"], light["allowed_in"], light["of_situations"], light["costs"]) == (
        "player",
        19,
        19,
        {},
    )


def test_notes_tell_illegal_from_costly(files: dict[str, str]) -> None:
    told = files["notes.md"]
    assert "## Illegal\n\n- turn.once: A lantern that burns cannot be lit.\n" in told
    assert "No move was seen that costs the one who makes it." in told
    assert moments.as_markdown(samples.book(), texts("de")).startswith(
        "# Lantern Hill: Hinweise für eine digitale Fassung\n"
    )


def test_a_branch_that_leaves_the_play_elsewhere_is_no_case() -> None:
    order = samples.one("RL104")
    assert order.branches == ()
    assert [
        b
        for c in json.loads(witnesses.cases(samples.book()))["cases"]
        if c["code"] == "RL104"
        for b in c["branches"]
    ] == []
