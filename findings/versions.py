"""Versions of a rulebook as they are named on the command line.

Promises: `name`, `path`, `name@REV` and each of them with `+option=value` give one program; a git revision is
read from a temporary worktree that is removed again, and the modules of the working copy stay as they are.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from findings.suggest import unknown
from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.program import Program
from models.language.sizefiles import PRINT, file_of
from models.language.sizes import Size

_PARTS = ("examples", "hints", "properties")


@attrs.frozen
class Version:
    """One version of a rulebook.

    Attributes:
        spec: How it was named.
        book: The rulebook.
        options: Size, variant, readings, rulings and numbers of the size that were set, by name.
    """

    spec: str
    book: Rulebook
    options: Mapping[str, str]

    @property
    def answers(self) -> Mapping[str, str]:
        """The options of readings that were set."""
        return {k: v for k, v in self.options.items() if k in self.book.readings or ":" in k}

    @property
    def fitting(self) -> str | None:
        """A size that can have the numbers that were set, the printed one before others, if the first cannot.

        None where the first size can, no size can, or a size was set.
        """
        first = next(iter(self.book.sizes.values()))
        if "size" in self.options or not (changed := self._changed(first)) or _can_have(first, changed):
            return None
        return next(iter(self._fits(changed)), None)

    def _changed(self, size: Size) -> dict[str, object]:
        """The numbers of a size that were set."""
        numbers = {a.name for a in attrs.fields(type(size))} & self.options.keys() - {"size"}
        return {n: _number(self.spec, n, self.options[n], getattr(size, n)) for n in sorted(numbers)}

    def _fits(self, changed: Mapping[str, Any]) -> list[str]:
        """Names of the sizes that can have some numbers, the printed one first."""
        fits = [name for name, size in self.book.sizes.items() if _can_have(size, changed)]
        return sorted(fits, key=lambda name: name != PRINT)

    def build(self, size: str | None = None, variant: str | None = None) -> Program:
        """The program of this version.

        Args:
            size: Size where the version names none.
            variant: Variant where the version names none.

        Errors:
            ModelError: an option that is neither size, variant, ruling, reading nor a number of the size.
        """
        named = self.options.get("size", size)
        if named is not None and file_of(named) is not None:
            named = self.book.find_size(named)[0]
        chosen = self.book.sizes[self._known("size", named, self.book.sizes)]
        known = ["size", "variant", "ruling", *(a.name for a in attrs.fields(type(chosen)))]
        readings = self.answers
        for name in self.options:
            if name not in known and name not in readings:
                raise unknown(f"option of {self.book.name}", name, [*known, *self.book.readings])
        changed = self._changed(chosen)
        sized = self._sized(chosen, changed) if changed else chosen
        rulings = [r for r in self.options.get("ruling", "").split(",") if r]
        for r in rulings:
            if r != "all" and r not in self.book.rulings:
                raise unknown(f"ruling of {self.book.name}", r, [*self.book.rulings, "all"])
        return self.book.build(
            sized, self.options.get("variant", variant), readings, True if "all" in rulings else rulings
        )

    def _sized(self, size: Size, changed: Mapping[str, Any]) -> Size:
        """A size with other numbers; what is wrong with them is told of this version."""
        try:
            return attrs.evolve(size, **changed)
        except ModelError as error:
            fits = self._fits(changed)
            others = f" (or {', '.join(fits[1:])})" if fits[1:] else ""
            hint = f"{error.hint}, or compare at --size {fits[0]}{others}" if fits else error.hint
            raise ModelError(error.message, where=self.spec, hint=hint) from None
        except ValueError as error:
            raise ModelError(str(error.args[0]), where=self.spec, hint="choose other numbers") from None

    def _known(self, what: str, name: str | None, table: Mapping[str, object]) -> str:
        if name is None:
            return next(iter(table))
        if name not in table:
            raise unknown(f"{what} of {self.book.name}", name, table)
        return name


def _can_have(size: Size, numbers: Mapping[str, Any]) -> bool:
    """Whether a size with these numbers is one."""
    try:
        attrs.evolve(size, **numbers)
    except (ModelError, ValueError, TypeError):
        return False
    return True


def _number(spec: str, name: str, value: str, old: object) -> object:
    if isinstance(old, bool) or not isinstance(old, int):
        raise ModelError(
            f"{name} is no whole number, so it cannot be set here",
            where=spec,
            hint="name a size of the rulebook instead",
        )
    try:
        return int(value)
    except ValueError:
        raise ModelError(
            f"{name}={value} is not a whole number", where=spec, hint=f"for instance {name}={old}"
        ) from None


@contextmanager
def version(spec: str) -> Iterator[Version]:
    """Open a version; a worktree that it needs lives until the context ends.

    Args:
        spec: `name`, `path` or `name@REV`, with any number of `+option=value`. A path may hold `+` and `@`.

    Errors:
        ModelError: an unknown rulebook, revision or option form.
    """
    head, settings = _split(spec)
    options: dict[str, str] = {}
    for key, value in (_setting(spec, s) for s in settings):
        if options.setdefault(key, value) != value:
            raise ModelError(f"{key} is set twice", where=spec, hint="set it once")
    name, at, revision = head.partition("@")
    if not at or _exists(head):
        yield Version(spec, registry.find(head), options)
        return
    with _worktree(name, revision) as tree:
        yield Version(spec, from_tree(name, tree, spec), options)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # nothing that could be a path
        return False


def _split(spec: str) -> tuple[str, list[str]]:
    """The rulebook and the settings of a version: a path is as long as one that exists; rows have a `+`."""
    parts = spec.split("+")
    heads = [n for n in range(len(parts), 0, -1) if _exists("+".join(parts[:n]))]
    cut = heads[0] if heads else 1
    settings: list[str] = []
    for part in parts[cut:]:
        before = settings[-1] if settings else ""
        if ":" in before and "=" not in before:
            settings[-1] = f"{before}+{part}"  # two rows of a table: `table:row+row=row`
        else:
            settings.append(part)
    return "+".join(parts[:cut]), settings


def _setting(spec: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ModelError(
            f"'+{text}' sets nothing", where=spec, hint="write +option=value, for instance +size=small"
        )
    return key, value


@contextmanager
def _worktree(name: str, revision: str) -> Iterator[Path]:
    root = Path(registry.__file__).parent.parent.parent
    if not revision or revision.startswith("-"):
        raise ModelError(
            f"{revision!r} is no revision",
            where=f"{name}@{revision}",
            hint="name a commit, branch or tag of this checkout",
        )
    with tempfile.TemporaryDirectory(prefix="ruleslawyer-") as folder:
        tree = Path(folder) / "tree"
        added = _git(root, "worktree", "add", "--detach", "--quiet", str(tree), revision)
        if added.returncode:
            reason = (added.stderr.strip().splitlines() or ["git failed"])[-1]
            raise ModelError(
                f"revision {revision!r} cannot be read: {reason}",
                where=f"{name}@{revision}",
                hint="name a commit, branch or tag of this checkout",
            )
        try:
            yield tree
        finally:
            _git(root, "worktree", "remove", "--force", str(tree))


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise ModelError("git is not installed", hint="a revision can only be read with git") from None


def from_tree(name: str, tree: Path, spec: str) -> Rulebook:
    """Load a rulebook from a tree that holds `models/<name>`, and put the present modules back.

    Args:
        name: The rulebook's name.
        tree: The folder with `models`, and `properties` if it has any.
        spec: How it was named, for messages.

    Errors:
        ModelError: the tree has no such rulebook, or it cannot be loaded.
    """
    folder = tree / "models" / name
    if not name.isidentifier() or not (folder / "rules.py").is_file():
        raise ModelError(
            f"there is no rulebook {name!r} in that revision", where=spec, hint="name another revision"
        )
    own = tree / "properties" / f"{name}.py"
    return _whole(registry.from_copy(name, folder, own if own.is_file() else None, spec))


def _whole(book: Rulebook) -> Rulebook:
    """A rulebook with the modules beside it that are looked for later, when its folder may be gone."""
    for part in _PARTS:
        module = registry.beside(book, part)
        if module is not None:
            book.modules[part] = module
    return book
