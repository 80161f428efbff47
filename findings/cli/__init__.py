"""The command line `ruleslawyer`.

Promises: exit code 0 when nothing is new, 1 when a finding is not recorded or a recorded one is gone, 2 for
wrong use, 130 when stopped by hand, 141 when whoever reads the output stops reading. What a person did wrong
is one message on the standard error and never a traceback. `--help` imports no engine.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from findings.cli.answers import answers
from findings.cli.audit import audit
from findings.cli.check import check
from findings.cli.clauses import clauses
from findings.cli.diff import diff
from findings.cli.explain import explain
from findings.cli.export import export
from findings.cli.flow import flow
from findings.cli.fuzz import fuzz
from findings.cli.mutate import mutate
from findings.cli.new import new
from findings.cli.play import play
from findings.cli.report import report
from findings.cli.rulebooks import list_rulebooks
from findings.cli.score import score
from findings.cli.show import show
from findings.cli.what_if import what_if
from findings.text import printable
from models.language.errors import ModelError

PROGRAM = "ruleslawyer"
WRONG_USE = 2
STOPPED = 130
PIPE_CLOSED = 141


class _PipeClosed(Exception):
    """Whoever read the output stopped reading."""


@contextmanager
def _pipe_closed_apart() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise _PipeClosed from error


class _Program(click.Group):
    """A group that tells a closed pipe apart; click itself would end the process with 1 for it."""

    def make_context(self, *arguments: Any, **keywords: Any) -> click.Context:
        """Parse the arguments."""
        with _pipe_closed_apart():
            return super().make_context(*arguments, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _pipe_closed_apart():
            return super().invoke(ctx)


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from importlib import metadata

    try:
        version = metadata.version(PROGRAM)
    except metadata.PackageNotFoundError:
        version = "(not installed)"
    click.echo(f"{PROGRAM} {version}")
    context.exit()


@click.group(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Shell completion: put the output of _RULESLAWYER_COMPLETE=bash_source ruleslawyer (or "
    "zsh_source, fish_source) into your shell's start file.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version.",
)
def cli() -> None:
    """Read a game's rulebook the way a model checker reads a program.

    Finds sentences that contradict each other, leave a case open, tie, stack, chain or never end, each with a
    play from the setup that leads there.
    """


for _command in (
    *(list_rulebooks, new, check, audit, report, show, play, score, clauses, explain),
    *(flow, fuzz, mutate, diff, what_if, export, answers),
):
    cli.add_command(_command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: as on the command line, without the program's name; by default those of the process.

    Returns:
        The exit code.
    """
    try:
        result = cli.main(
            None if arguments is None else list(arguments), prog_name=PROGRAM, standalone_mode=False
        )
        with _pipe_closed_apart():
            sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return STOPPED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WRONG_USE
    except click.ClickException as error:
        return _wrong(error.format_message(), _help_for(error))
    except ModelError as error:
        return _wrong(str(error))
    except _PipeClosed:
        _forget_output()
        return PIPE_CLOSED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _wrong(f"{place}{(error.strerror or str(error)).lower()}")
    return result if isinstance(result, int) else 0


def main() -> NoReturn:
    """The entry point: run the program and end the process."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    sys.exit(run())


def _wrong(message: str, hint: str = "") -> int:
    click.echo(f"error: {printable(message)}{hint}", err=True)
    return WRONG_USE


def _help_for(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see `{context.command_path} --help`)" if isinstance(context, click.Context) else ""


def _forget_output() -> None:
    """Whoever read the output is gone: let what is still buffered go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
