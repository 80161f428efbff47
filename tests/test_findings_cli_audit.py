"""`ruleslawyer audit`: what it asks the engines, where it writes, what it records, how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from jsonschema import Draft202012Validator

from findings import jobs
from findings.cli import run
from findings.cli.shared import recorded_folder
from findings.finding import Finding, RulebookAudit, Status
from findings.print_record import AtPrint
from findings.progress import Progress
from models.language import registry
from models.language.book import Rulebook
from models.language.sizes import Size
from solvers.contract import Limits
from tests.findings_samples import CONTRADICTION, GAP, MOOT, audit

ROOT = Path(__file__).parent.parent
Capture = pytest.CaptureFixture[str]


@attrs.define
class Engines:
    """Stands for the engines: gives the findings that a test sets, and notes what it was asked."""

    folder: Path
    findings: list[Finding] = attrs.field(factory=lambda: [CONTRADICTION, GAP])
    asked: list[tuple[str, str, str]] = attrs.field(factory=list)
    limits: Limits = attrs.field(factory=Limits)
    at_print: AtPrint | None = None

    def audit_rulebook(
        self,
        name: str,
        *,
        variant: str,
        size: str,
        progress: Progress,
        limits: Limits,
        at_print: AtPrint,
        details: bool = False,
    ) -> RulebookAudit:
        self.limits, self.at_print = limits, at_print
        self.asked.append((name, variant, size))
        with progress.task("asking") as tick:
            tick()
        return audit(*self.findings, rulebook=name, variant=variant, size=size)

    @property
    def record(self) -> Path:
        return self.folder / "accepted" / "orchard.json"


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engines:
    stand_in, module = Engines(tmp_path), ModuleType("findings.audit")
    books = {
        name: Rulebook(
            name,
            file=str(tmp_path / "rules.py"),
            sizes={"small": Size(), "print": Size()},
            variants={"basic": "", "late": ""},
        )
        for name in ("orchard", "forest")
    }
    module.__dict__["audit_rulebook"] = stand_in.audit_rulebook
    monkeypatch.setitem(sys.modules, "findings.audit", module)
    monkeypatch.setattr(registry, "names", lambda: tuple(books))
    monkeypatch.setattr(registry, "find", lambda name: books[name])
    monkeypatch.setattr(jobs, "Kept", lambda: None)
    monkeypatch.setenv("RULESLAWYER_JOBS", "1")
    monkeypatch.setenv("COLUMNS", "100")
    return stand_in


def test_without_names_everything_is_audited_at_the_first_size(engines: Engines, capsys: Capture) -> None:
    assert run(["audit"]) == 1
    assert engines.asked == [
        ("orchard", "basic", "small"),
        ("orchard", "late", "small"),
        ("forest", "basic", "small"),
        ("forest", "late", "small"),
    ]
    out = capsys.readouterr().out
    assert "RL101 contradiction  orchard · Lantern against Ogre" in out
    assert "2 findings are the same as above" in out


@pytest.mark.parametrize("option", ["--variant", "--level"])
def test_rulebook_variant_and_size_can_be_named(option: str, engines: Engines) -> None:
    run(["audit", "forest", "forest", option, "late", option, "basic", "--size", "print"])
    assert engines.asked == [("forest", "late", "print"), ("forest", "basic", "print")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variant", "lat"], "error: unknown variant of orchard 'lat'; did you mean 'late'?\n"),
        (["--size", "prnt"], "error: unknown size of orchard 'prnt'; did you mean 'print'?\n"),
        (["--size", "huge"], "error: unknown size of orchard 'huge'; there is small, print\n"),
    ],
)
def test_an_unknown_variant_or_size_is_told_before_any_work(
    arguments: list[str], message: str, engines: Engines, capsys: Capture
) -> None:
    assert run(["audit", "orchard", *arguments]) == 2
    assert capsys.readouterr() == ("", message)
    assert engines.asked == []


def test_no_rulebook_at_all_is_told(
    engines: Engines, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(registry, "names", lambda: ())
    assert run(["audit"]) == 2
    assert capsys.readouterr().err == "error: no rulebook is known; name the path of one\n"


def test_what_is_recorded_ends_with_zero_and_what_is_new_with_one(engines: Engines, capsys: Capture) -> None:
    assert run(["audit", "orchard"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("4 differences from what is recorded; ")
    assert not engines.record.exists()

    assert run(["audit", "orchard", "--accept"]) == 0
    told = capsys.readouterr()
    assert told.err == f"recorded: {engines.record} (2)\n"
    assert "differences" not in told.out
    entries = json.loads(engines.record.read_text())["accepted"]
    assert [(e["code"], e["reason"], e["date"]) for e in entries] == [
        ("RL101", "", None),
        ("RL102", "", None),
    ]
    assert [f["variant"] for f in entries[0]["found"]] == ["basic", "late"]

    assert run(["audit", "orchard"]) == 0
    engines.findings = [CONTRADICTION]
    assert run(["audit", "orchard"]) == 1
    assert "  Gone       RL102 gap" in capsys.readouterr().out
    engines.findings = [CONTRADICTION, GAP, MOOT]
    assert run(["audit", "orchard"]) == 1
    assert "  New        RL104 " in capsys.readouterr().out
    engines.findings = [CONTRADICTION, attrs.evolve(GAP, status=Status.SETTLED, because="example.1")]
    assert run(["audit", "orchard"]) == 1
    assert "SETTLED (was OPEN)" in capsys.readouterr().out


def test_another_size_is_not_held_against_what_is_recorded(engines: Engines) -> None:
    assert run(["audit", "orchard", "--accept"]) == 0
    engines.findings = [CONTRADICTION]
    assert run(["audit", "orchard", "--size", "print"]) == 0


def test_a_reason_marks_the_new_findings_as_accepted(engines: Engines, capsys: Capture) -> None:
    engines.findings = [CONTRADICTION]
    assert run(["audit", "orchard", "--accept"]) == 0
    engines.findings = [CONTRADICTION, GAP]
    assert run(["audit", "orchard", "--accept", "--reason", "by design"]) == 0
    entries = json.loads(engines.record.read_text())["accepted"]
    assert [(e["reason"], e["date"] is None) for e in entries] == [("", True), ("by design", False)]
    capsys.readouterr()
    assert run(["audit", "orchard"]) == 0
    assert "  Accepted   by design" in capsys.readouterr().out


def test_a_corrupt_record_is_told_before_any_work(engines: Engines, capsys: Capture) -> None:
    engines.record.parent.mkdir()
    engines.record.write_text('{"schema": 1,\n "rulebook": }')
    assert run(["audit", "orchard"]) == 2
    assert capsys.readouterr() == (
        "",
        f"error: {engines.record}:2:14: not JSON: expecting value; restore the file, or remove it and run "
        "`ruleslawyer audit --accept`\n",
    )
    assert engines.asked == []


def test_the_folder_of_the_record_can_be_named(
    engines: Engines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["audit", "orchard", "--accept", "--baseline", str(tmp_path / "named")]) == 0
    assert (tmp_path / "named" / "orchard.json").is_file()
    assert not engines.record.exists()
    monkeypatch.setenv("RULESLAWYER_BASELINE", str(tmp_path / "named"))
    assert run(["audit", "orchard"]) == 0


def test_json_goes_to_the_output_and_differences_to_the_error_output(
    engines: Engines, capsys: Capture
) -> None:
    assert run(["audit", "orchard", "--variant", "basic", "--output-format", "json"]) == 1
    told = capsys.readouterr()
    document = json.loads(told.out)
    schema = json.loads((ROOT / "findings" / "reports" / "audit.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert [f["code"] for f in document["rulebooks"][0]["findings"]] == ["RL101", "RL102"]
    assert told.err == (
        "2 differences from what is recorded; `ruleslawyer audit --accept` records what was found.\n"
    )


@pytest.mark.parametrize(
    ("output_format", "check"),
    [("json", lambda text: len(json.loads(text)["rulebooks"]) == 2), ("text", lambda t: "RL101 contr" in t)],
)
def test_a_report_is_written_to_a_file(
    output_format: str, check: Callable[[str], bool], engines: Engines, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "report"
    assert run(["audit", "orchard", "--output-format", output_format, "-o", str(path)]) == 1
    assert check(path.read_text())
    assert capsys.readouterr().out == ""


def test_a_report_that_cannot_be_written_records_nothing(
    engines: Engines, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "none" / "report"
    assert run(["audit", "orchard", "--accept", "-o", str(path)]) == 2
    assert capsys.readouterr() == (
        "",
        f"error: {path}: cannot write: the folder {path.parent} does not exist; make it first\n",
    )
    assert not engines.record.exists()


def test_an_unknown_format_is_told(engines: Engines, capsys: Capture) -> None:
    assert run(["audit", "--output-format", "xml"]) == 2
    assert capsys.readouterr().err == (
        "error: Invalid value for '--output-format': 'xml' is not one of 'text', 'json'. "
        "(see `ruleslawyer audit --help`)\n"
    )


def test_the_program_keeps_its_own_records_and_others_keep_theirs(tmp_path: Path) -> None:
    def book(file: str) -> Rulebook:
        return Rulebook("orchard", file=file, sizes={"small": Size()})

    own = str(ROOT / "models" / "orchard" / "rules.py")
    assert recorded_folder(book(own), None) == ROOT / "findings" / "accepted"
    assert recorded_folder(book(str(tmp_path / "rules.py")), None) == tmp_path / "accepted"
    assert recorded_folder(book(own), tmp_path) == tmp_path


def test_limits_reach_the_engines(engines: Engines) -> None:
    assert run(["audit", "orchard", "--max-states", "7", "--max-memory", "2", "--time", "1.5"]) == 1
    assert engines.limits == Limits(7, 1.5, 2 << 20)


def test_rulings_need_a_rulebook_that_has_some(engines: Engines, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "orchard", "--with-rulings"]) == 2
    assert "none of these rulebooks has rulings; audit it without --with-rulings" in capsys.readouterr().err
