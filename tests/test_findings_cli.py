"""The command line as a whole: exit codes, one message for what is wrong, completion, help."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from findings.cli import run
from findings.codes import all_codes
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.sizes import Size

ROOT = Path(__file__).parent.parent
MAIN = "from findings.cli import main; main()"
HEAVY = {
    "z3",
    "hypothesis",
    "networkx",
    "numpy",
    "scipy",
    "wasmtime",
    "jinja2",
    "cattrs",
    "rich",
    "rapidfuzz",
}


def program(*arguments: str, code: str = MAIN, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


def wrong(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The single message for wrong use."""
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err.rstrip("\n")


def failing(error: BaseException) -> object:
    def fail(*_arguments: object, **_keywords: object) -> NoReturn:
        raise error

    return fail


def test_help_names_every_command_and_imports_no_engine() -> None:
    code = (
        f"import sys; from findings.cli import run; c = run(['--help']); sys.stderr.write(str(sorted({HEAVY} "
    )
    done = program(code=code + "& set(sys.modules)))); sys.exit(c)")
    assert done.returncode == 0
    assert done.stderr == b"[]"
    for command in ("audit", "clauses", "explain", "list", "play", "show"):
        assert f"\n  {command} ".encode() in done.stdout
    assert b"..." not in done.stdout.split(b"Commands:")[1]


@pytest.mark.parametrize("command", ["audit", "clauses", "explain", "list", "play", "show"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: ruleslawyer {command} ")


def test_the_version_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"1.2.3 of {name}")
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == "ruleslawyer 1.2.3 of ruleslawyer\n"


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert capsys.readouterr().err.startswith("Usage: ruleslawyer [OPTIONS] COMMAND [ARGS]...")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adit"], "error: No such command 'adit'. Did you mean 'audit'? (see `ruleslawyer --help`)"),
        (
            ["audit", "--siz", "small"],
            "error: No such option '--siz'. Did you mean '--size'? (see `ruleslawyer audit --help`)",
        ),
        (
            ["audit", "--reason", "by design"],
            "error: --reason is only used with --accept (see `ruleslawyer audit --help`)",
        ),
        (["play"], "error: Missing argument 'RULEBOOK'. (see `ruleslawyer play --help`)"),
        (["explain", "dedrow"], "error: unknown kind of finding 'dedrow'; did you mean 'dead-row'?"),
        (
            ["explain", "\x1b[2J"],
            "error: unknown kind of finding '\\x1b[2J'; `ruleslawyer explain` lists them all",
        ),
    ],
)
def test_wrong_use_is_one_message(
    arguments: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wrong(capsys, *arguments) == message


def test_an_unknown_rulebook_is_answered_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("models.language.registry.names", lambda: ("orchard", "forest"))
    told = wrong(capsys, "audit", "orchad")
    assert told == "error: there is no rulebook 'orchad'; did you mean 'orchard'?"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ModelError("no die", where="a.py:3", hint="add one"), 2, "error: a.py:3: no die; add one\n"),
        (PermissionError(13, "Permission denied", "a.py"), 2, "error: a.py: permission denied\n"),
        (KeyboardInterrupt(), 130, "\nstopped\n"),
    ],
)
def test_what_goes_wrong_in_a_command_is_one_message(
    error: BaseException,
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("findings.codes.explain", failing(error))
    assert run(["explain", "RL101"]) == code
    assert capsys.readouterr() == ("", message)


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findings.codes.explain", failing(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        run(["explain", "RL101"])


def test_the_exit_code_of_the_process_is_that_of_the_run() -> None:
    done = program("explain", "RL999")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"error: unknown kind of finding 'RL999'; did you mean 'RL")


def test_a_terminal_without_the_characters_gets_them_written_out() -> None:
    done = program("explain", "Ä梨", PYTHONIOENCODING="latin-1", PYTHONUTF8="1")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: unknown kind of finding '\xc4\\u68a8'; ")


@pytest.mark.skipif(os.name != "posix", reason="closes a pipe as POSIX does")
@pytest.mark.parametrize("arguments", [["explain"], ["--help"]])
def test_a_reader_that_stops_reading_is_no_error(arguments: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_explain_tells_what_why_and_an_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["explain", "Tie"]) == 0
    assert [row.rstrip() for row in capsys.readouterr().out.splitlines()] == [
        "RL104 tie  The best is asked for, several are equally good, and no sentence",
        "decides between them",
        "  What       A ranking is used in a situation where two or more candidates are",
        "             equal on every key that the text gives, and the text does not say",
        "             that they share.",
        "  Why        Ties for the victory and for the turn order are among the questions",
        "             that players ask most often.",
        '  Example    "The player with the most fish wins." Two players have seven fish',
        "             each.",
        "  Found by   an engine; where a play is needed, it was replayed",
    ]


def test_explain_without_a_code_lists_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    rows = [row.split()[:2] for row in capsys.readouterr().out.splitlines() if row.startswith("RL")]
    assert rows == [[code, kind.name] for code, kind in all_codes().items()]


def completions(words: str, code: str = MAIN) -> list[str]:
    done = program(
        code=code,
        _RULESLAWYER_COMPLETE="bash_complete",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split(" ")) - 1),
    )
    assert done.stderr == b""
    return done.stdout.decode().split()


def test_the_shell_completes_commands_and_codes() -> None:
    assert completions("ruleslawyer ex") == ["plain,explain", "plain,export"]
    assert completions("ruleslawyer explain rl20") == [f"plain,RL20{n}" for n in range(1, 5)]
    assert completions("ruleslawyer explain sta") == ["plain,stacking"]


def test_the_shell_completes_rulebooks_variants_and_sizes() -> None:
    orchard = (
        "Rulebook('orchard', sizes={'small': Size(), 'print': Size()}, variants={'basic': '', 'late': ''})"
    )
    code = (
        "from models.language import registry\n"
        "from models.language.book import Rulebook\n"
        "from models.language.sizes import Size\n"
        "registry.names = lambda: ('forest', 'orchard')\n"
        f"registry.find = lambda name: {orchard}\n{MAIN}"
    )
    assert completions("ruleslawyer audit o", code) == ["plain,orchard"]
    assert completions("ruleslawyer play ", code) == ["plain,forest", "plain,orchard"]
    assert completions("ruleslawyer audit ./o", code) == ["file,./o"]
    assert completions("ruleslawyer audit orchard --size ", code) == ["plain,small", "plain,print"]
    assert completions("ruleslawyer play orchard --level l", code) == ["plain,late"]


def test_list_names_rulebooks_variants_sizes_and_what_is_recorded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    variants = {"basic": "", "late": ""}
    sizes = {"small": Size(), "print": Size()}
    book = Rulebook("orchard", "The Orchard", file=str(tmp_path / "rules.py"), sizes=sizes, variants=variants)
    (tmp_path / "accepted").mkdir()
    (tmp_path / "accepted" / "orchard.json").write_text(
        '{"schema": 1, "rulebook": "orchard", "accepted": [{"fingerprint": "0123456789ab", "code": "RL101", '
        '"name": "contradiction", "title": "night"}]}'
    )

    def find(name: str) -> Rulebook:
        if name == "forest":
            raise ModelError("this is not valid Python", where="forest/rules.py:3", hint="correct the line")
        return book

    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("models.language.registry.find", find)
    monkeypatch.setattr("models.language.registry.names", lambda: ("orchard",))
    assert run(["list"]) == 0
    rows = [row.split("   ") for row in capsys.readouterr().out.splitlines() if "orchard" in row]
    assert [[cell.strip() for cell in row if cell.strip()] for row in rows] == [
        ["orchard", "The Orchard", "basic, late", "small, print", "1"]
    ]

    monkeypatch.setattr("models.language.registry.names", lambda: ("forest", "orchard"))
    assert run(["list"]) == 2
    told = capsys.readouterr()
    assert "The Orchard" in told.out
    assert told.err == "error: forest/rules.py:3: this is not valid Python; correct the line\n"

    monkeypatch.setattr("models.language.registry.names", lambda: ())
    assert run(["list"]) == 0
    assert capsys.readouterr().out == "No rulebook is known; name the path of one.\n"
