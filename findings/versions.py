"""Versions of a rulebook as they are named on the command line.

Promises: `name`, `path`, `name@REV` and each of them with `+option=value` give one program; a git revision is
read from a temporary worktree that is removed again, and the modules of the working copy stay as they are.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import attrs

from findings.suggest import unknown
from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.program import Program

_PARTS = ("examples",)


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

    def build(self, size: str | None = None, variant: str | None = None) -> Program:
        """The program of this version.

        Args:
            size: Size where the version names none.
            variant: Variant where the version names none.

        Errors:
            ModelError: an option that is neither size, variant, ruling, reading nor a number of the size.
        """
        chosen = self.book.sizes[self._known("size", self.options.get("size", size), self.book.sizes)]
        numbers = {a.name: a.type for a in attrs.fields(type(chosen))}
        readings: dict[str, str] = {}
        changed: dict[str, object] = {}
        for name, value in self.options.items():
            if name in ("size", "variant", "ruling"):
                continue
            if name in numbers:
                changed[name] = _number(self.spec, name, value, getattr(chosen, name))
            elif name in self.book.readings or ":" in name:
                readings[name] = value
            else:
                raise unknown(
                    f"option of {self.book.name}",
                    name,
                    ["size", "variant", "ruling", *numbers, *self.book.readings],
                )
        sized = attrs.evolve(chosen, **changed) if changed else chosen
        rulings = [r for r in self.options.get("ruling", "").split(",") if r]
        for r in rulings:
            if r != "all" and r not in self.book.rulings:
                raise unknown(f"ruling of {self.book.name}", r, [*self.book.rulings, "all"])
        return self.book.build(
            sized, self.options.get("variant", variant), readings, True if "all" in rulings else rulings
        )

    def _known(self, what: str, name: str | None, table: Mapping[str, object]) -> str:
        if name is None:
            return next(iter(table))
        if name not in table:
            raise unknown(f"{what} of {self.book.name}", name, table)
        return name


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
        spec: `name`, `path` or `name@REV`, with any number of `+option=value`.

    Errors:
        ModelError: an unknown rulebook, revision or option form.
    """
    head, *settings = spec.split("+")
    options = dict(_setting(spec, s) for s in settings)
    name, at, revision = head.partition("@")
    if not at:
        yield Version(spec, registry.find(name), options)
        return
    with _worktree(name, revision) as tree:
        yield Version(spec, from_tree(name, tree, spec), options)


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
    if not (tree / "models" / name / "rules.py").is_file():
        raise ModelError(
            f"there is no rulebook {name!r} in that revision", where=spec, hint="name another revision"
        )
    with _standing_aside(name, tree):
        rules = importlib.import_module(f"models.{name}.rules")
        book = registry.rulebook_of(rules, spec)
        for part in _PARTS:
            if (tree / "models" / name / f"{part}.py").is_file():
                book.modules[part] = importlib.import_module(f"models.{name}.{part}")
        if (tree / "properties" / f"{name}.py").is_file():
            book.modules["properties"] = importlib.import_module(f"properties.{name}")
    return book


@contextmanager
def _standing_aside(name: str, tree: Path) -> Iterator[None]:
    import models
    import properties

    mine = (f"models.{name}", f"properties.{name}")
    kept: dict[str, ModuleType] = {
        k: m for k, m in sys.modules.items() if k in mine or k.startswith(f"{mine[0]}.")
    }
    paths = [(package, list(package.__path__)) for package in (models, properties)]
    attributes = [(package, vars(package).pop(name, None)) for package, _ in paths]
    for k in kept:
        del sys.modules[k]
    for package, _ in paths:
        package.__path__ = [str(tree / package.__name__), *package.__path__]
    importlib.invalidate_caches()
    try:
        yield
    finally:
        for k in [k for k in sys.modules if k in mine or k.startswith(f"{mine[0]}.")]:
            del sys.modules[k]
        sys.modules.update(kept)
        for package, path in paths:
            package.__path__ = path
        for package, attribute in attributes:
            vars(package).pop(name, None)
            if attribute is not None:
                setattr(package, name, attribute)
        importlib.invalidate_caches()
