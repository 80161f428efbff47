"""Versions named on the command line, the difference between two, and what an answer does."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
from rich.console import Console

from findings.audit import audit_rulebook
from findings.cli import run
from findings.finding import RulebookAudit, Status, Undecided
from findings.versions import version
from findings.what_if import UNANSWERED, WhatIf, compared, render
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


@pytest.mark.parametrize("revision", ["", "-h", "--lock"])
def test_what_is_no_revision_is_never_given_to_git(revision: str) -> None:
    with pytest.raises(ModelError, match="is no revision; name a commit"), version(f"fly_high@{revision}"):
        pass


def test_two_rows_of_a_table_are_set_like_a_reading() -> None:
    rows = "after-reveal:bold.all-nine+uturn.no-end"
    with version(f"fly_high+{rows}=uturn.no-end+end.tie=nobody") as made:
        assert made.options == {rows: "uturn.no-end", "end.tie": "nobody"}
        assert made.build().digest != find("fly_high").build(readings={"end.tie": "nobody"}).digest


def test_an_option_that_is_set_twice_is_one_message(own: Path) -> None:
    with (
        pytest.raises(ModelError, match="leaning.gain is set twice; set it once"),
        version(f"{own}+leaning.gain=one+leaning.gain=both"),
    ):
        pass


def test_a_wrong_number_of_a_size_is_told_of_the_version() -> None:
    with pytest.raises(ModelError) as told, version("fly_high+spots=99") as made:
        made.build()
    assert str(told.value).startswith("fly_high+spots=99: size FlyHigh: a square of 99 cards")


# --- copies of a rulebook -----------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of a rulebook of this repository, made of several files, at a path that is hard to read."""
    return Path(
        shutil.copytree(
            ROOT / "models" / "fly_high",
            tmp_path / "c++ old @v2" / "my game",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    )


def test_a_copy_is_loaded_with_all_its_own_files(copy: Path) -> None:
    here, module = find("fly_high"), sys.modules["models.fly_high.rules"]
    for spec in (copy, copy / "rules.py", f"{copy}+size=small+end.tie=nobody"):
        with version(str(spec)) as made:
            assert made.book is not here
            assert made.book.folder == copy
            assert made.build().variant == "basic"
            assert {Path(str(r.place).rpartition(":")[0]).parent.name for r in made.book.rules} == {"my game"}
    assert sys.modules["models.fly_high.rules"] is module


def test_a_change_in_any_file_of_a_copy_is_seen(copy: Path, tmp_path: Path) -> None:
    file, out = copy / "flight.py", tmp_path / "out.json"
    text, stop = file.read_text(encoding="utf-8"), "by=turn_player, phase=Phase.CHOICE)\ndef stop("
    assert text.count(stop) == 1
    arguments = ["diff", "fly_high", str(copy), "--no-findings", "--games", "0", "--format", "json"]
    assert run([*arguments, "-o", str(out), "--fail-on", "any"]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["proved_same"] is True
    file.write_text(text.replace(stop, stop.replace("Phase.CHOICE", "(Phase.CHOICE, Phase.FLY)")), "utf-8")
    assert run([*arguments, "-o", str(out), "--fail-on", "moves"]) == 1
    rules = json.loads(out.read_text(encoding="utf-8"))["rules"]
    assert [(r["rule"], r["more"]) for r in rules if r["relation"] != "equal"] == [
        ("stop", ["roll(number=2)", "stop"])
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [("def (:", "this is not valid Python"), ("1 / 0", "loading failed: ZeroDivisionError")],
)
def test_a_copy_that_cannot_be_loaded_is_one_message(
    copy: Path, line: str, message: str, capsys: Captured
) -> None:
    with (copy / "flight.py").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert run(["diff", "fly_high", str(copy)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert message in told
    assert "flight.py:" in told


# --- what is compared -----------------------------------------------------------------------------------


def test_two_rulebooks_are_not_two_versions(capsys: Captured) -> None:
    assert run(["diff", "fly_high", "the_duel"]) == 2
    assert "fly_high and the_duel are two rulebooks, not two versions of one" in capsys.readouterr().err


def test_a_target_that_cannot_be_written_is_told_before_the_work(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("findings.diff.difference", lambda *a, **k: pytest.fail("the work was begun"))
    assert run(["diff", str(own), str(own), "-o", str(tmp_path / "no" / "x.md")]) == 2


def test_a_change_in_another_variant_is_not_passed_over(capsys: Captured) -> None:
    quick = ["--no-findings", "--games", "0"]
    assert run(["diff", "fly_high", "fly_high+advanced.falling=level-too", *quick]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        "No change in play, proved: the rules are the same up to names and order (size small, variant basic)."
        in told
    )
    assert "no change in play, proved: basic (print)" in told
    assert "not proved the same, and not compared in play: advanced (small), advanced (print)" in told
    for kind in ("elsewhere", "any"):
        assert (
            run(["diff", "fly_high", "fly_high+advanced.falling=level-too", *quick, "--fail-on", kind]) == 1
        )
    assert run(["diff", "fly_high", "fly_high", *quick, "--fail-on", "any"]) == 0
    capsys.readouterr()


def test_a_version_is_audited_once(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    from findings.diff import compute

    monkeypatch.setenv("RULESLAWYER_CACHE", str(tmp_path / "cache"))
    made: list[str] = []
    audit = audit_rulebook

    def counted(*given: Any, **named: Any) -> RulebookAudit:
        made.append("an audit")
        return audit(*given, **named)

    monkeypatch.setattr(compute, "audit_rulebook", counted)
    arguments = ["diff", str(own), f"{own}+leaning.gain=one", "--games", "0", "--format", "json"]
    assert run(arguments) == 0
    first = capsys.readouterr().out
    assert len(made) == 2
    assert run(arguments) == 0
    assert capsys.readouterr().out == first
    assert len(made) == 2, "both are kept"
    with (own / "rules.py").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert run([*arguments, "--no-cache"]) == 0
    assert len(made) == 4, "the option asks again"
    moved = shutil.copytree(own, tmp_path / "moved")
    assert run(["diff", str(moved), f"{moved}+leaning.gain=one", "--games", "0"]) == 0
    assert len(made) == 6, "a file is another one, wherever it lies"


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


def test_markdown_shows_words_from_outside_as_they_are(own: Path, tmp_path: Path, capsys: Captured) -> None:
    other = Path(shutil.copytree(own, tmp_path / "a|b <script>*x*"))
    file = other / "clauses.toml"
    text = file.read_text(encoding="utf-8")
    said = 'text = "In the episode leaning this tells of gain."'
    assert text.count(said) == 1
    outside = "<img src=x> | [a](http://x.org) *b* `c` @user #12 www.x.org"
    file.write_text(text.replace(said, f'text = "{outside}"'), encoding="utf-8")
    assert run(["diff", str(own), str(other), "--games", "0", "--no-findings", "--format", "markdown"]) == 0
    told = capsys.readouterr().out
    for live in ("<img", "<script", "[a](", "http:", "*b*", "`c`", "@user", "#12 ", " www.x", "*x*"):
        place = told.find(live)
        assert place < 0 or told[place - 1] == "\\", live


def test_what_an_answer_closes(own: Path, capsys: Captured) -> None:
    assert run(["what-if", str(own), "leaning.gain=one"]) == 0
    told = capsys.readouterr().out
    assert "Closes 1 finding\n  RL107" in told
    assert "Opens 0 findings" in told


def test_what_was_searched_is_told(own: Path, capsys: Captured) -> None:
    assert run(["what-if", str(own), "leaning.gain=one", "--variant", "dusk", "--size", "tall"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("leaning.gain = one  (dusk, tall)\n")
    assert "on record" not in told, "the rulebook has no printed size"


def told_of(made: WhatIf) -> str:
    out = io.StringIO()
    render(made, Console(file=out, width=200))
    return out.getvalue()


def test_a_search_that_was_cut_off_closes_nothing(own: Path) -> None:
    without = audit_rulebook(find(str(own)))
    found = next(f for f in without.findings if f.status in UNANSWERED)
    cut = Undecided(name="all states of size small", reason="state limit", bound="7 states, depth 2")
    given = attrs.evolve(without, findings=(), undecided=(cut,), questions=())
    made = compared({"leaning.gain": "one"}, without, given)
    assert (found in made.missed, made.closed) == (True, ())
    told = told_of(made)
    assert "Closes 0 findings" in told
    assert f"which may be there still\n  {made.missed[0].code} {made.missed[0].title}" in told
    assert "The search was cut off: all states of size small: 7 states, depth 2." in told
    whole = compared({"leaning.gain": "one"}, without, attrs.evolve(given, undecided=()))
    assert (found in whole.closed, whole.missed) == (True, ())


def test_a_finding_that_is_settled_is_closed_wherever_the_search_ended(own: Path) -> None:
    without = audit_rulebook(find(str(own)))
    cut = Undecided(name="all states of size small", reason="state limit", bound="7 states, depth 2")
    settled = tuple(attrs.evolve(f, status=Status.SETTLED, because="an example") for f in without.findings)
    made = compared({}, without, attrs.evolve(without, findings=settled, undecided=(cut,)))
    assert made.closed
    assert not made.missed


def test_it_is_told_that_only_the_record_speaks_of_the_printed_size(own: Path) -> None:
    without = attrs.evolve(audit_rulebook(find(str(own))), print_size="print")
    told = " ".join(told_of(compared({}, without, without)).split())
    assert told.endswith(
        "Of the size print only what is on record was looked at: its plays were tried again with the answer, "
        "and nothing new was searched there."
    )


@pytest.mark.parametrize(
    "answer",
    ["leaning.gain", "leaning.gian=one", "leaning.gain=two", "leaning.gain=one leaning.gain=nothing"],
)
def test_a_wrong_answer_is_one_message(own: Path, answer: str, capsys: Captured) -> None:
    assert run(["what-if", str(own), *answer.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("tail", "size"),
    [("", None), ("+gold_to_win=12", "print"), ("+gold_to_win=2", None), ("+size=small", None)],
)
def test_a_number_that_the_first_size_cannot_have_chooses_a_size_that_can(
    tail: str, size: str | None
) -> None:
    with version(f"my_dwarves_fly{tail}") as made:
        assert made.fitting == size
        if size is not None:
            with pytest.raises(ModelError, match="--size print"):
                made.build()
        assert made.build(made.fitting).size_name in (size, "own", "small")
