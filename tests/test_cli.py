"""The program as a process: every command on a real rulebook, exit codes, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from findings.cli import run
from tests.small_books import orchard, source_text
from tests.small_program import program

PLANTS = ("clash", "settled", "stuck")


class Wrong:
    """Calls the program in this process with something wrong."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self.capfd = capfd

    def __call__(self, *arguments: str | Path) -> str:
        """The one message."""
        code = run([str(a) for a in arguments])
        out, error = self.capfd.readouterr()
        assert (code, out) == (2, ""), error
        return one_message(error)


def one_message(error: str) -> str:
    """The text of the one message on the standard error."""
    assert error.startswith("error: ")
    assert error.count("\n") == 1, error
    assert "Traceback" not in error
    assert "\x1b" not in error
    return error.removeprefix("error: ").rstrip("\n")


@pytest.fixture
def wrong(capfd: pytest.CaptureFixture[str]) -> Wrong:
    return Wrong(capfd)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rulebook that the tests of this module only read."""
    return orchard(tmp_path_factory.mktemp("cli") / "orchard", *PLANTS)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A rulebook of a test's own."""
    return orchard(tmp_path / "orchard", *PLANTS)


# --- what each command does ---------------------------------------------------------------------------


def test_list_ends_with_nought() -> None:
    done = program("list")
    assert (done.returncode, done.stderr) == (0, "")
    assert "fly_high" in done.stdout


def test_audit_tells_what_is_new_records_it_and_is_content_then(own: Path) -> None:
    first = program("audit", own, "--variant", "day")
    assert first.returncode == 1
    assert first.stderr == ""
    assert "RL101 contradiction  orchard · clash.even / clash.two" in first.stdout
    assert "3 differences from what is recorded" in first.stdout
    recorded = own / "accepted" / "orchard.json"
    assert not recorded.exists()
    accepted = program("audit", own, "--variant", "day", "--accept", "--reason", "as it is")
    assert (accepted.returncode, accepted.stderr) == (0, f"recorded: {recorded} (3)\n")
    again = program("audit", own, "--variant", "day")
    assert again.returncode == 0
    assert "ACCEPTED" in again.stdout
    other = program("audit", own, "--variant", "dusk")
    assert other.returncode == 0, "the same findings, known by their fingerprints"
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(text.replace("t.die >= 2", "t.die >= 3"), encoding="utf-8")
    changed = program("audit", own, "--variant", "day")
    assert changed.returncode == 1
    assert "Gone" in changed.stdout


def test_audit_writes_json_that_a_program_can_read(own: Path) -> None:
    target = own / "report.json"
    done = program("audit", own, "--output-format", "json", "-o", target)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "differences from what is recorded" in done.stderr
    whole = json.loads(target.read_text(encoding="utf-8"))
    assert whole["schema"] == 1
    assert [(r["rulebook"], r["variant"], r["size"]) for r in whole["rulebooks"]] == [
        ("orchard", "day", "small"),
        ("orchard", "dusk", "small"),
    ]
    assert {f["code"] for f in whole["rulebooks"][0]["findings"]} == {"RL101", "RL107", "RL301"}
    piped = program("audit", own, "--output-format", "json", "--variant", "day", "--size", "tall")
    assert [r["size"] for r in json.loads(piped.stdout)["rulebooks"]] == ["tall"]


def test_show_play_clauses_and_explain_end_with_nought(book: Path) -> None:
    audit = program("audit", book, "--output-format", "json", "--variant", "day")
    fingerprint = json.loads(audit.stdout)["rulebooks"][0]["findings"][0]["fingerprint"]
    shown = program("show", fingerprint[:8], book)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "RL301 stuck" in shown.stdout
    played = program("play", book, "--random", "--seed", "3")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout == program("play", book, "--random", "--seed", "3").stdout
    covered = program("clauses", book)
    assert (covered.returncode, covered.stderr) == (0, "")
    matched = program("clauses", book, "--source", book / "orchard.txt")
    assert (matched.returncode, matched.stderr) == (0, "")
    assert "Nothing changed, nothing is unaccounted for." in matched.stdout
    assert program("explain", "stuck").returncode == 0


def test_play_takes_answers_until_they_end(book: Path) -> None:
    done = program("play", book, answers=b"2\n\xff\n1\nu\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Position") == 5
    left = program("play", book, "--variant", "dusk", answers=b"q\n")
    assert left.returncode == 0


def test_clauses_ends_with_one_where_the_source_differs(own: Path) -> None:
    edited = own / "edited.txt"
    edited.write_text(
        source_text(*PLANTS).replace("about two under clash", "about three under clash"), "utf-8"
    )
    done = program("clauses", own, "--source", edited)
    assert (done.returncode, done.stderr) == (1, "")
    assert "clash.two" in done.stdout
    assert "tower" in done.stdout


# --- what is wrong with the arguments -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("audit", "fly_hihg"), "there is no rulebook 'fly_hihg'; did you mean 'fly_high'?"),
        (("play", "fly_hihg"), "there is no rulebook 'fly_hihg'; did you mean 'fly_high'?"),
        (
            ("clauses", "nowhere/rules.py"),
            "nowhere/rules.py: there is no such file or folder; check the path",
        ),
        (("audit", "{}", "--size", "smal"), "unknown size of orchard 'smal'; did you mean 'small'?"),
        (("play", "{}", "--size", "smal"), "unknown size of orchard 'smal'; did you mean 'small'?"),
        (("show", "abc", "{}", "--size", "smal"), "unknown size of orchard 'smal'; did you mean 'small'?"),
        (("audit", "{}", "--level", "dask"), "unknown variant of orchard 'dask'; did you mean 'dusk'?"),
        (("play", "{}", "--variant", "dask"), "unknown variant of orchard 'dask'; did you mean 'dusk'?"),
        (("show", "xyz", "{}"), "'xyz' is not a fingerprint; a fingerprint is up to 12 of the digits"),
        (("show", "0123456789ab", "{}"), "unknown fingerprint '0123456789ab'"),
        (("audit", "\x1b[31mred\x07"), "there is no rulebook '\\x1b[31mred\\x07'"),
        (("explain", "RL999"), "unknown kind of finding 'RL999'; did you mean 'RL"),
    ],
)
def test_a_wrong_name_is_one_message(
    wrong: Wrong, book: Path, arguments: tuple[str, ...], message: str
) -> None:
    told = wrong(*(a.replace("{}", str(book)) for a in arguments))
    assert told.startswith(message) or message in told


# --- what is wrong with a rulebook --------------------------------------------------------------------


@pytest.mark.parametrize("command", ["audit", "play", "clauses"])
def test_a_syntax_error_names_the_line(wrong: Wrong, own: Path, command: str) -> None:
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(f"{text}\nif True print('x')\n", encoding="utf-8")
    line = text.count("\n") + 2
    assert wrong(command, own).startswith(f"{own.resolve()}/rules.py:{line}: this is not valid Python: ")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("rules.py", b"", "the module declares 0 rulebooks, not one; declare `book = Rulebook"),
        ("rules.py", b"1 / 0\n", "rules.py:1: loading failed: ZeroDivisionError: division by zero"),
        ("rules.py", b"import nothing_of_this_name\n", "rules.py:1: loading failed: ModuleNotFoundError"),
        ("rules.py", "x = 'ä'\n".encode("latin-1"), "not valid Python|not UTF-8"),
        ("rules.py", b"x = 1\0\n", "null bytes"),
        ("examples.py", b"def broken(:\n", "examples.py:1: this is not valid Python"),
        ("properties.py", b"raise ValueError('odd')\n", "properties.py:1: loading failed: ValueError: odd"),
        ("clauses.toml", b"schema = = 1\n", "clauses.toml:1: not TOML"),
        ("clauses.toml", "# ä\n".encode("latin-1"), "clauses.toml.*UTF-8"),
        ("words.toml", b"[en\n", "words.toml: the words cannot be read"),
        (
            "words.toml",
            b"[en]\nstate = '{{ no_such_field }}'\n",
            "words.toml, state: the words cannot be filled in",
        ),
        ("words.toml", b"[en]\nstate = '{{ coins'\n", "words.toml, state: the words cannot be filled in"),
    ],
)
def test_a_file_of_a_rulebook_that_cannot_be_read_is_one_message(
    wrong: Wrong, own: Path, name: str, data: bytes, message: str
) -> None:
    (own / name).write_bytes(data)
    assert re.search(message, wrong("audit", own))


def test_a_folder_without_rules_is_one_message(wrong: Wrong, tmp_path: Path) -> None:
    assert wrong("audit", tmp_path) == (
        f"{tmp_path}: the folder has no rules.py; name a folder with a rulebook in it"
    )


def test_a_mistake_in_a_rule_names_the_rule_and_the_line(wrong: Wrong, own: Path) -> None:
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(
        text.replace("def up(): t.coins[0] = 1", "def up(): t.coin[0] = 1"), "utf-8"
    )
    told = wrong("audit", own)
    assert re.match(
        r"orchard/rules\.py:\d+, rule climb: state Table has no field coin; did you mean 'coins'\?", told
    )


# --- what is wrong with what is recorded, and with a source -------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "orchard.json:1:2: "),
        ("[]", "orchard.json: "),
        ('{"schema": 99, "rulebook": "orchard", "accepted": []}', "schema"),
        ('{"schema": 1, "rulebook": "forest", "accepted": []}', "these are the findings of 'forest'"),
    ],
)
def test_a_corrupt_record_is_one_message_and_is_left_as_it_is(
    wrong: Wrong, own: Path, text: str, message: str
) -> None:
    recorded = own / "accepted" / "orchard.json"
    recorded.parent.mkdir()
    recorded.write_text(text, encoding="utf-8")
    for more in ((), ("--accept",)):
        assert message in wrong("audit", own, *more)
        assert recorded.read_text(encoding="utf-8") == text
    assert message in wrong("clauses", own)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.write_bytes("Über den Apfel.".encode("latin-1")), "UTF-8"),
        (lambda p: p.write_bytes(b""), "empty"),
        (lambda p: p.write_bytes(b" \n\t\n"), "empty|nothing|no text|no sentence"),
        (lambda p: p.mkdir(), "folder|directory"),
        (lambda p: None, "no such file|does not exist"),
    ],
)
def test_a_source_that_cannot_be_read_is_one_message(
    wrong: Wrong, book: Path, tmp_path: Path, make: object, message: str
) -> None:
    path = tmp_path / "source.txt"
    assert callable(make)
    make(path)
    told = wrong("clauses", book, "--source", path)
    assert "source.txt" in told
    assert re.search(message, told, re.IGNORECASE)


# --- what is wrong with the output --------------------------------------------------------------------


def test_a_report_that_cannot_be_written_records_nothing_and_keeps_what_was_there(
    wrong: Wrong, own: Path
) -> None:
    blocked = own / "file"
    blocked.write_text("no folder", encoding="utf-8")
    recorded = own / "accepted" / "orchard.json"
    assert program("audit", own, "--variant", "day", "--accept").returncode == 0
    before = recorded.read_bytes()
    forbidden = [Path("/proc/report.json")] if Path("/proc/self").is_dir() else []
    for target in (blocked / "report.json", own / "nowhere" / "report.json", own, *forbidden):
        told = wrong("audit", own, "--accept", "-o", target, "--output-format", "json")
        assert "cannot write" in told
        assert recorded.read_bytes() == before
    assert blocked.read_text(encoding="utf-8") == "no folder"
    assert sorted(p.name for p in own.iterdir() if "part" in p.name or "report" in p.name) == []


def test_a_folder_that_nobody_may_write_to_is_one_message(wrong: Wrong, own: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    locked = own / "locked"
    locked.mkdir(mode=0o500)
    told = wrong("audit", own, "--accept", "-o", locked / "report.txt")
    assert "cannot write: permission denied" in told
    assert not (own / "accepted").exists()


def test_an_earlier_report_stays_whole_when_the_audit_fails(wrong: Wrong, own: Path) -> None:
    target = own / "report.txt"
    target.write_text("yesterday", encoding="utf-8")
    (own / "rules.py").write_text("(", encoding="utf-8")
    wrong("audit", own, "-o", target)
    assert target.read_text(encoding="utf-8") == "yesterday"


# --- the terminal -------------------------------------------------------------------------------------


def test_what_a_rulebook_says_cannot_control_the_terminal(wrong: Wrong, own: Path) -> None:
    words = (own / "words.toml").read_text(encoding="utf-8")
    evil = "gate\\u001b[2J\\u001b]0;owned\\u0007\\u202e"
    (own / "words.toml").write_text(words.replace("at the gate", evil), encoding="utf-8")
    for arguments in (("audit", own), ("play", own, "--random", "--seed", "1")):
        done = program(*arguments)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", done.stdout)
    assert "gate\\x1b[2J\\x1b]0;owned\\x07\\u202e" in program("play", own, "--random").stdout
    clauses = (own / "clauses.toml").read_text(encoding="utf-8")
    (own / "clauses.toml").write_text(
        clauses.replace("tells of even", "tells of \\u001b[2J"), encoding="utf-8"
    )
    assert "clash.even" in wrong("audit", own)
