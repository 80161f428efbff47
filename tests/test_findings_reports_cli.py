"""`ruleslawyer report` and `answers import`: formats by name, packs, wrong use, nothing written by halves."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import attrs
import openpyxl
import pytest

from findings import cli
from findings.finding import Audit
from findings.reports.json import render
from findings.reports.load import load
from tests import report_samples as samples

BOOK = str(samples.FOLDER)


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "audit.json"
    path.write_text(render(samples.whole()), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> int:
    return cli.run([str(a) for a in arguments])


def test_an_audit_comes_back_from_its_json(audit: Path) -> None:
    again = load(audit)
    assert render(again) == audit.read_text(encoding="utf-8")
    assert again.rulebooks[0].digests == dict(samples.lantern().digests)


def test_an_audit_of_before_is_read_without_what_came_later(audit: Path, tmp_path: Path) -> None:
    document = json.loads(audit.read_text(encoding="utf-8"))
    del document["rulebooks"][0]["background"]
    for finding in document["rulebooks"][0]["findings"]:
        for key in ("reading", "default", "play", "branches"):
            del finding[key]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(document))
    assert run("report", BOOK, "--from", path, "-o", tmp_path / "old.html") == 0
    assert (tmp_path / "old.html").read_text().count('<article class="finding"') == 5


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("r.html", "<!doctype html>"),
        ("r.md", "# Lantern Hill"),
        ("r.pdf", "%PDF"),
        ("r.sarif", '{\n  "$schema"'),
        ("r.xml", "<"),
        ("r.jsonl", '{"rulebook": "lantern_hill"'),
        ("r.json", '{\n  "schema": 1'),
    ],
)
def test_the_format_follows_the_name(
    name: str, begins: str, audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("report", BOOK, "--from", audit, "-o", tmp_path / name) == 0
    assert (tmp_path / name).read_bytes().decode("latin-1").startswith(begins)
    assert capsys.readouterr().err == f"written: {tmp_path / name}\n"


def test_a_report_goes_to_the_standard_output(audit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", BOOK, "--from", audit, "--format", "github") == 0
    assert capsys.readouterr().out.startswith("::error file=clauses.toml,line=98,")


def test_a_report_can_be_german(audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", BOOK, "--from", audit, "-o", tmp_path / "r.md", "--lang", "de") == 0
    assert "## Was den Autor zu fragen ist" in (tmp_path / "r.md").read_text()
    assert capsys.readouterr().err.startswith("geschrieben: ")


def test_an_audit_is_made_where_none_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert run("report", BOOK, "-o", tmp_path / "r.jsonl") == 0
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [r["code"] for r in rows] == [f.code for f in samples.lantern().findings]


def test_packs_are_folders(audit: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    assert run("report", BOOK, "--from", audit, "--for", "developers", "-o", pack) == 0
    assert {p.name for p in pack.iterdir()} == {
        "options.json",
        "gameoptions.json",
        "witnesses.json",
        "test_witnesses.py",
        "adapter.py",
        "moments.json",
        "notes.md",
    }
    words = ("report", BOOK, "--from", audit, "--for", "translators", "--source", samples.TEXT)
    assert run(*words, "--lang", "fr", "-o", tmp_path / "tr") == 0
    assert (tmp_path / "tr" / "lantern_hill.fr.po").is_file()
    assert run("report", BOOK, "--from", audit, "--format", "itf", "-o", tmp_path / "itf") == 0
    assert len(list((tmp_path / "itf").iterdir())) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["-o", "r.docx"],
            "r.docx: the name does not say which format to write; end it with one of .html, .htm, .md",
        ),
        (["-o", "no/r.html"], "no/r.html: cannot write: the folder"),
        (["--for", "developers"], "name the folder to write into with -o"),
        (["--for", "translators", "-o", "x"], "the pack for translators is made of the rulebook's text"),
        (["--for", "developers", "--format", "html", "-o", "x"], "--for writes its own formats"),
        (["--for", "developers", "-o", "file"], "file: this is no folder; name a folder"),
        (["--lang", "tlh"], "unknown language of reports 'tlh'"),
        (
            ["--for", "translators", "--source", "s", "--lang", "no such", "-o", "x"],
            "--lang: 'no such' is no language",
        ),
        (["--from", "nothing.json"], "nothing.json: there is no such file"),
        (["--from", "file"], "file:1:1: not JSON: expecting value"),
        (["--source", "nothing.txt", "--from", "AUDIT"], "nothing.txt: there is no such file"),
        (
            ["--variant", "night", "--from", "AUDIT"],
            "AUDIT: this audit says nothing of lantern_hill in variant 'night'; it has evening",
        ),
        (["--size", "small", "--from", "AUDIT"], "the audit of --from is made already: leave --size out"),
        (["--with-rulings", "--from", "AUDIT"], "the audit of --from is made already: leave --with-rulings"),
        (
            ["--source", "file", "--from", "AUDIT"],
            "file: no sentence on record of lantern_hill stands in this text; give the text that",
        ),
    ],
)
def test_wrong_use_is_one_message(
    words: list[str],
    message: str,
    audit: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    given = [str(audit) if w == "AUDIT" else w for w in words]
    assert run("report", BOOK, *given) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message.replace("AUDIT", str(audit)) in told.err
    assert "Traceback" not in told.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def test_an_audit_that_was_tampered_with_is_refused_with_its_place(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(audit.read_text(encoding="utf-8"))
    document["rulebooks"][0]["findings"][0]["play"][1]["clauses"] = "turn.roll"
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    assert run("report", BOOK, "--from", path) == 2
    told = capsys.readouterr().err
    assert "not an audit: expected a list @ $.rulebooks[0].findings[0].play[1].clauses" in told


def test_an_audit_of_another_rulebook_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.json"
    path.write_text(render(Audit(rulebooks=(attrs.evolve(samples.lantern(), rulebook="forest"),))))
    assert run("report", BOOK, "--from", path) == 2
    assert "it is about forest" in capsys.readouterr().err


def test_answers_close_findings_and_leave_the_rest(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("report", BOOK, "--from", audit, "--for", "translators", "--source", samples.TEXT)
    assert run(*words, "--lang", "de", "-o", tmp_path / "tr") == 0
    workbook = openpyxl.load_workbook(io.BytesIO((tmp_path / "tr" / "lantern_hill.de.xlsx").read_bytes()))
    page: Any = workbook.active
    said = {samples.one("RL101").fingerprint: "A", samples.one("RL104").fingerprint: "they share"}
    for row in page.iter_rows(min_row=3):
        row[9].value = said.get(row[0].value)
    workbook.save(tmp_path / "answers.xlsx")
    capsys.readouterr()
    out = tmp_path / "rulings.toml"
    given = ("--rulebook", BOOK, "--from", audit, "-o", out)
    assert run("answers", "import", tmp_path / "answers.xlsx", *given) == 0
    first, tie = (samples.one(c).fingerprint[:6] for c in ("RL101", "RL104"))
    assert capsys.readouterr().out.splitlines() == [
        f"{first}: after-light:end.all-burn+turn.again = end.all-burn",
        f"{tie}: in own words, for a person to read: they share",
        "3 questions without an answer",
        "lantern_hill · evening",
        "  closes 1 finding",
        f"    RL101 The last lantern, lit with a star ({first})",
        "  opens 0 findings",
        "  leaves 4 findings",
    ]
    assert 'option = "end.all-burn"' in out.read_text()
    assert run("answers", "import", out, *given[:4], "--no-check") == 0


def test_a_pack_is_written_whole_or_not_at_all(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pack" / "notes.md").mkdir(parents=True)
    assert run("report", BOOK, "--from", audit, "--for", "developers", "-o", tmp_path / "pack") == 2
    assert "notes.md: cannot write: it is a folder" in capsys.readouterr().err
    assert [p.name for p in (tmp_path / "pack").iterdir()] == ["notes.md"]


def test_a_file_of_answers_cannot_have_a_rulebook_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.py").write_text("from pathlib import Path\nPath(__file__).with_name('run').touch()\n")
    path = tmp_path / "rulings.toml"
    path.write_text(f"schema = 1\nrulebook = '{tmp_path}'\n")
    assert run("answers", "import", path) == 2
    told = capsys.readouterr().err
    assert "which is not installed; name the rulebook's folder with --rulebook" in told
    assert not (tmp_path / "run").exists()


def test_answers_to_an_audit_of_a_file_take_no_size(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rulings.toml"
    path.write_text("schema = 1\n")
    given = ("--rulebook", BOOK, "--from", audit, "--size", "small")
    assert run("answers", "import", path, *given) == 2
    assert "the audit of --from is made already: leave --size out" in capsys.readouterr().err


def test_a_file_that_names_no_rulebook_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.po"
    path.write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n')
    assert run("answers", "import", path) == 2
    assert "the file names no rulebook; name it with --rulebook" in capsys.readouterr().err
