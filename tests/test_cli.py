"""The program as a process: every command on a real rulebook, exit codes, and what goes wrong."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.small_books import orchard, source_text

ROOT = Path(__file__).parent.parent
MAIN = [sys.executable, "-c", "from findings.cli import main; main()"]
PLANTS = ("clash", "settled", "stuck")
LIMIT = 120


def _environment(**more: str) -> dict[str, str]:
    kept = {
        k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "RULESLAWYER_BASELINE")
    }
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more}


def _run(
    *arguments: str | Path, cwd: Path | None = None, answers: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*MAIN, *map(str, arguments)],
        cwd=cwd or ROOT,
        env=_environment(**environment),
        input=answers,
        capture_output=True,
        check=False,
        timeout=LIMIT,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _wrong(*arguments: str | Path, cwd: Path | None = None) -> str:
    """The one message of a call that was wrong."""
    done = _run(*arguments, cwd=cwd)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    return done.stderr.removeprefix("error: ").rstrip("\n")


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
    done = _run("list")
    assert (done.returncode, done.stderr) == (0, "")
    assert "fly_high" in done.stdout


def test_audit_tells_what_is_new_records_it_and_is_content_then(own: Path) -> None:
    first = _run("audit", own, "--variant", "day")
    assert first.returncode == 1
    assert first.stderr == ""
    assert "RL101 contradiction  orchard · clash.even / clash.two" in first.stdout
    assert "3 differences from what is recorded" in first.stdout
    recorded = own / "accepted" / "orchard.json"
    assert not recorded.exists()
    accepted = _run("audit", own, "--variant", "day", "--accept", "--reason", "as it is")
    assert f"recorded: {recorded} (3)" in accepted.stderr.replace("\n", "")
    again = _run("audit", own, "--variant", "day")
    assert again.returncode == 0
    assert "ACCEPTED" in again.stdout
    other = _run("audit", own, "--variant", "dusk")
    assert other.returncode == 1 or "recorded" not in other.stdout
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(text.replace("t.die >= 2", "t.die >= 3"), encoding="utf-8")
    changed = _run("audit", own, "--variant", "day")
    assert changed.returncode == 1
    assert "Gone" in changed.stdout


def test_audit_writes_json_that_a_program_can_read(own: Path) -> None:
    target = own / "report.json"
    done = _run("audit", own, "--output-format", "json", "-o", target)
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
    piped = _run("audit", own, "--output-format", "json", "--variant", "day", "--size", "tall")
    assert [r["size"] for r in json.loads(piped.stdout)["rulebooks"]] == ["tall"]


def test_show_play_clauses_and_explain_end_with_nought(book: Path) -> None:
    audit = _run("audit", book, "--output-format", "json", "--variant", "day")
    fingerprint = json.loads(audit.stdout)["rulebooks"][0]["findings"][0]["fingerprint"]
    shown = _run("show", fingerprint[:8], book)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "RL301 stuck" in shown.stdout
    played = _run("play", book, "--random", "--seed", "3")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout == _run("play", book, "--random", "--seed", "3").stdout
    covered = _run("clauses", book)
    assert (covered.returncode, covered.stderr) == (0, "")
    matched = _run("clauses", book, "--source", book / "orchard.txt")
    assert (matched.returncode, matched.stderr) == (0, "")
    assert "Nothing changed, nothing is unaccounted for." in matched.stdout
    assert _run("explain", "stuck").returncode == 0


def test_play_takes_answers_until_they_end(book: Path) -> None:
    done = _run("play", book, answers=b"2\n\xff\n1\nu\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Position") == 5
    left = _run("play", book, "--variant", "dusk", answers=b"q\n")
    assert left.returncode == 0


def test_clauses_ends_with_one_where_the_source_differs(own: Path) -> None:
    edited = own / "edited.txt"
    edited.write_text(
        source_text(*PLANTS).replace("about two under clash", "about three under clash"), "utf-8"
    )
    done = _run("clauses", own, "--source", edited)
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
def test_a_wrong_name_is_one_message(book: Path, arguments: tuple[str, ...], message: str) -> None:
    told = _wrong(*(a.replace("{}", str(book)) for a in arguments))
    assert told.startswith(message) or message in told


# --- what is wrong with a rulebook --------------------------------------------------------------------


@pytest.mark.parametrize("command", ["audit", "play", "clauses"])
def test_a_syntax_error_names_the_line(own: Path, command: str) -> None:
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(f"{text}\nif True print('x')\n", encoding="utf-8")
    line = text.count("\n") + 2
    assert _wrong(command, own).startswith(f"{own.resolve()}/rules.py:{line}: this is not valid Python: ")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("rules.py", b"", "the module declares 0 rulebooks, not one; declare `book = Rulebook("),
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
    own: Path, name: str, data: bytes, message: str
) -> None:
    (own / name).write_bytes(data)
    assert re.search(message, _wrong("audit", own))


def test_a_folder_without_rules_is_one_message(tmp_path: Path) -> None:
    assert _wrong("audit", tmp_path) == (
        f"{tmp_path}: the folder has no rules.py; name a folder with a rulebook in it"
    )


def test_a_mistake_in_a_rule_names_the_rule_and_the_line(own: Path) -> None:
    text = (own / "rules.py").read_text(encoding="utf-8")
    (own / "rules.py").write_text(
        text.replace("def up(): t.coins[0] = 1", "def up(): t.coin[0] = 1"), "utf-8"
    )
    told = _wrong("audit", own)
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
def test_a_corrupt_record_is_one_message_and_is_left_as_it_is(own: Path, text: str, message: str) -> None:
    recorded = own / "accepted" / "orchard.json"
    recorded.parent.mkdir()
    recorded.write_text(text, encoding="utf-8")
    for more in ((), ("--accept",)):
        assert message in _wrong("audit", own, *more)
        assert recorded.read_text(encoding="utf-8") == text
    assert message in _wrong("clauses", own)


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
    book: Path, tmp_path: Path, make: object, message: str
) -> None:
    path = tmp_path / "source.txt"
    assert callable(make)
    make(path)
    told = _wrong("clauses", book, "--source", path)
    assert "source.txt" in told
    assert re.search(message, told, re.IGNORECASE)


# --- what is wrong with the output --------------------------------------------------------------------


def test_a_report_that_cannot_be_written_records_nothing_and_keeps_what_was_there(own: Path) -> None:
    blocked = own / "file"
    blocked.write_text("no folder", encoding="utf-8")
    recorded = own / "accepted" / "orchard.json"
    assert _run("audit", own, "--variant", "day", "--accept").returncode == 1
    before = recorded.read_bytes()
    for target in (blocked / "report.json", own / "nowhere" / "report.json", own):
        told = _wrong("audit", own, "--accept", "-o", target, "--output-format", "json")
        assert "cannot write" in told
        assert recorded.read_bytes() == before
    assert blocked.read_text(encoding="utf-8") == "no folder"
    assert sorted(p.name for p in own.iterdir() if "part" in p.name or "report" in p.name) == []


def test_a_folder_that_nobody_may_write_to_is_one_message(own: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    locked = own / "locked"
    locked.mkdir(mode=0o500)
    told = _wrong("audit", own, "--accept", "-o", locked / "report.txt")
    assert "cannot write: permission denied" in told
    assert not (own / "accepted").exists()


def test_an_earlier_report_stays_whole_when_the_audit_fails(own: Path) -> None:
    target = own / "report.txt"
    target.write_text("yesterday", encoding="utf-8")
    (own / "rules.py").write_text("(", encoding="utf-8")
    _wrong("audit", own, "-o", target)
    assert target.read_text(encoding="utf-8") == "yesterday"


# --- the terminal -------------------------------------------------------------------------------------


def test_what_a_rulebook_says_cannot_control_the_terminal(own: Path) -> None:
    words = (own / "words.toml").read_text(encoding="utf-8")
    evil = "gate\\u001b[2J\\u001b]0;owned\\u0007\\u202e"
    (own / "words.toml").write_text(words.replace("at the gate", evil), encoding="utf-8")
    for arguments in (("audit", own), ("play", own, "--random", "--seed", "1")):
        done = _run(*arguments)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", done.stdout)
    assert "gate\\x1b[2J\\x1b]0;owned\\x07\\u202e" in _run("play", own, "--random").stdout
    clauses = (own / "clauses.toml").read_text(encoding="utf-8")
    (own / "clauses.toml").write_text(
        clauses.replace("tells of even", "tells of \\u001b[2J"), encoding="utf-8"
    )
    assert "clash.even" in _wrong("audit", own)


def _on_a_terminal(arguments: list[str], **environment: str) -> str:
    """What the program writes to a terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*MAIN, *arguments],
        cwd=ROOT,
        env=_environment(TERM="xterm-256color", COLUMNS="100", **environment),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    ) as process:
        os.close(follower)
        parts, until = [], time.monotonic() + LIMIT
        while time.monotonic() < until:
            if not select.select([leader], [], [], 1)[0]:
                continue
            try:
                part = os.read(leader, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        process.wait(LIMIT)
    os.close(leader)
    return b"".join(parts).decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*(?<![0-9])(?:3[0-8]|4[0-8]|9[0-7])(?![0-9])[0-9;]*m")


def test_colours_follow_no_color(book: Path) -> None:
    arguments = ["audit", str(book), "--variant", "day"]
    coloured, plain = _on_a_terminal(arguments), _on_a_terminal(arguments, NO_COLOR="1")
    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    bare = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "") for text in (coloured, plain)]
    assert [re.sub(r"\d+\.\d s", "", text) for text in bare][0].split() == [
        re.sub(r"\d+\.\d s", "", text) for text in bare
    ][1].split()
    assert "\x1b" not in _run("audit", book, "--variant", "day").stdout


# --- signals and pipes --------------------------------------------------------------------------------

_LONG = '''
"""A game without end, which says when it is loaded."""
from pathlib import Path
import attrs
from models.language import Range, Rulebook, Size, State, player

@attrs.frozen(kw_only=True)
class Big(Size):
    pass

book = Rulebook("long", sizes={"big": Big()}, clauses=("c",))

@book.state
class Table(State):
    a = Range(0, 999)
    b = Range(0, 999)
    c = Range(0, 999)

@book.rule("c", by=player(lambda t: 0), n=3)
def step(t, n):
    for k, cell in enumerate("abc"):
        with t.when(n == k):
            setattr(t, cell, (getattr(t, cell) + 1) % 1000)

Path(__file__).with_name("loaded").touch()
'''


def _interrupted(arguments: list[str], ready: Path, before: Mapping[Path, bytes]) -> None:
    with subprocess.Popen(
        [*MAIN, *arguments],
        cwd=ROOT,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        until = time.monotonic() + LIMIT
        while not ready.exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, error = process.stdout, process.stderr
        assert out is not None
        assert error is not None
        assert process.wait(LIMIT) == 130
        assert b"Traceback" not in out.read()
        assert error.read() == b"stopped\n"
    for path, data in before.items():
        assert path.read_bytes() == data


def test_ctrl_c_stops_an_audit_and_leaves_earlier_output_alone(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(_LONG, encoding="utf-8")
    report = tmp_path / "report.txt"
    report.write_bytes(b"yesterday")
    arguments = ["audit", str(tmp_path / "rules.py"), "-o", str(report), "--accept"]
    _interrupted(arguments, tmp_path / "loaded", {report: b"yesterday"})
    assert not (tmp_path / "accepted").exists()


def test_ctrl_c_stops_a_play(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(_LONG, encoding="utf-8")
    _interrupted(["play", str(tmp_path / "rules.py")], tmp_path / "loaded", {})


@pytest.mark.parametrize("command", ["audit", "play"])
def test_a_reader_that_stops_reading_ends_the_program_quietly(book: Path, command: str) -> None:
    more = ["--random", "--seed", "1"] if command == "play" else ["--output-format", "json"]
    with subprocess.Popen(
        [*MAIN, command, str(book), *more],
        cwd=ROOT,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read().decode()
        code = process.wait(LIMIT)
    assert code == 141
    assert "Traceback" not in error
    assert "BrokenPipe" not in error


# --- help and completion ------------------------------------------------------------------------------


def _cpu(command: list[str]) -> float:
    """Seconds of processor time that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, check=True, timeout=LIMIT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_takes_no_more_than_a_few_times_what_python_itself_takes() -> None:
    """0.3 s on a machine where Python starts in 12 ms; processor time, so that a busy machine does not matter."""
    python = min(_cpu([sys.executable, "-c", "pass"]) for _ in range(5))
    program = min(_cpu([*MAIN, "--help"]) for _ in range(5))
    assert program / python < 25


def _completed(*words: str) -> list[str]:
    line = ["ruleslawyer", *words]
    done = _run(
        _RULESLAWYER_COMPLETE="bash_complete", COMP_WORDS=" ".join(line), COMP_CWORD=str(len(line) - 1)
    )
    assert done.stderr == ""
    return [entry.split(",", 1)[1] for entry in done.stdout.splitlines() if "," in entry]


def test_the_shell_completes_commands_names_and_options(book: Path) -> None:
    assert {"audit", "clauses", "explain", "list", "play", "show"} <= set(_completed(""))
    assert _completed("pl") == ["play"]
    assert "fly_high" in _completed("audit", "fly")
    assert _completed("play", str(book), "--variant", "d") == ["day", "dusk"]
    assert _completed("play", str(book), "--size", "") == ["small", "tall"]
    with contextlib.suppress(KeyError):
        assert _completed("audit", "nowhere/rules.py", "--size", "") == []
