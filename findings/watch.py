"""Watch: audit again what a saved file touches, until the user stops it.

Promises: every run is a process of its own, so that it sees the files as they are now; a file of one
rulebook touches that rulebook alone, a file of the program touches all; what the run before has found and
the file does not touch is taken from the cache of earlier runs. Files are looked at by time and length, so
any editor will do.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from models.language import registry
from models.language.book import Rulebook

#: Seconds between two looks, and endings of files that are looked at.
PAUSE, ENDINGS = 0.5, (".py", ".toml", ".json")
#: Packages of the program; a file of a rulebook in one of them touches only that rulebook.
PACKAGES = ("models", "properties", "solvers", "findings")

#: File → time and length.
Stamps = Mapping[Path, tuple[int, int]]
Run = Callable[[Sequence[str]], int]


class Watch:
    """Which files belong to which rulebooks.

    Args:
        names: Rulebooks as they were named.
        root: The folder that holds the program's packages.
    """

    def __init__(self, names: Sequence[str], root: Path | None = None) -> None:
        self.root = (root or Path(registry.__file__).parent.parent.parent).resolve()
        self.names = tuple(names)
        self.books = {name: registry.find(name) for name in self.names}

    def files(self) -> set[Path]:
        """All files that are looked at."""
        folders = [self.root / p for p in PACKAGES]
        folders += [b.folder for b in self.books.values() if b.folder is not None]
        return {
            f.resolve()
            for folder in folders
            for f in folder.rglob("*")
            if f.suffix in ENDINGS and _is_source(f)
        }

    def stamps(self) -> Stamps:
        """Time and length of every file there is now."""
        found = {}
        for file in self.files():
            try:
                known = file.stat()
            except OSError:  # removed since
                continue
            found[file] = (known.st_mtime_ns, known.st_size)
        return found

    def touched(self, files: Sequence[Path]) -> tuple[str, ...]:
        """The rulebooks that a change of some files touches, in the order in which they were named."""
        return tuple(n for n in self.names if any(self._touches(f, self.books[n]) for f in files))

    def _touches(self, file: Path, book: Rulebook) -> bool:
        folder = book.folder.resolve() if book.folder is not None else None
        if folder is not None and folder in file.parents:
            return True
        owner = self._owner(file)
        return owner == book.name or (owner is None and self.root in file.parents)

    def _owner(self, file: Path) -> str | None:
        """The rulebook that a file of the program's packages belongs to; None for the program's own files."""
        if self.root not in file.parents:
            return ""
        known = set(registry.names())
        parts = file.relative_to(self.root).parts
        if parts[0] == "models" and len(parts) > 2 and parts[1] in known:
            return parts[1]
        if parts[0] == "properties" and file.stem in known:
            return file.stem
        if parts[:2] == ("findings", "accepted"):
            return file.name.partition(".")[0]
        return None


def _is_source(file: Path) -> bool:
    return not any(part.startswith(".") or part == "__pycache__" for part in file.parts[-3:])


def changed(before: Stamps, after: Stamps) -> list[Path]:
    """Files that are new, gone or saved since."""
    return sorted(f for f in {*before, *after} if before.get(f) != after.get(f))


def watch(
    names: Sequence[str],
    arguments: Sequence[str],
    *,
    run: Run | None = None,
    pause: Callable[[], bool] | None = None,
) -> int:
    """Audit, and audit again what a saved file touches, until the user interrupts.

    Args:
        names: Rulebooks.
        arguments: Options for each run.
        run: Runs `ruleslawyer` with arguments (a process of its own unless given).
        pause: Waits for the next look; False ends it.

    Returns:
        The exit code of the last run.
    """
    start, wait = run or _process, pause or _wait
    looked = Watch(names)
    before = looked.stamps()
    code = start(["audit", *names, *arguments])
    try:
        click.echo("watching; Ctrl-C ends it", err=True)
        while wait():
            after = looked.stamps()
            files = changed(before, after)
            before = after
            if files and (touched := looked.touched(files)):
                click.echo(
                    f"saved: {', '.join(f.name for f in files)}; audited again: {', '.join(touched)}",
                    err=True,
                )
                code = start(["audit", *touched, *arguments])
    except KeyboardInterrupt:
        click.echo("", err=True)
    return code


def options(context: click.Context, *without: str) -> list[str]:
    """The options that were given on the command line, to give them to another run.

    Args:
        context: Of the command.
        without: Names of parameters that are left out.
    """
    given: list[str] = []
    for p in context.command.params:
        name, value = p.name or "", context.params.get(p.name or "")
        source = context.get_parameter_source(name)
        if not isinstance(p, click.Option) or name in without or source is not ParameterSource.COMMANDLINE:
            continue
        if p.is_flag:
            given.append((p.opts if value else p.secondary_opts)[-1])
        else:
            values = value if p.multiple and isinstance(value, (tuple, list)) else [value]
            given += [part for v in values for part in (p.opts[-1], str(v))]
    return given


def _process(arguments: Sequence[str]) -> int:
    code = "import sys; from findings.cli import run; sys.exit(run(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-c", code, *arguments], check=False).returncode


def _wait() -> bool:
    time.sleep(PAUSE)
    return True


__all__ = ["Watch", "changed", "options", "watch"]
