"""Copies: a rulebook of several files that lies elsewhere than the package its files name.

Promises: a copy is loaded as a package of its own, so that `models.<name>` and `properties.<name>` in its
files mean the files beside them, whenever they are imported; the modules of the original stay as they are,
and nothing is written into the folder.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType

import attrs

_IMPORT = re.compile(r"^\s*(?:from|import)\s+models\.(\w+)(?:\.(\w+))?", re.MULTILINE)
_numbers = count(1)


def original(folder: Path, known: Sequence[str]) -> str | None:
    """The rulebook that a folder elsewhere is a copy of.

    That is the one rulebook whose modules its files import where modules of that name lie in the folder too.
    A folder in which a file imports the module of its own name builds on the original instead.

    Args:
        folder: A folder with a rulebook in it.
        known: Names of the rulebooks that there are in `models`.
    """
    stems = {file.stem for file in folder.glob("*.py")}
    found: set[str] = set()
    for file in sorted(folder.glob("*.py")):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:  # told when the file is loaded
            continue
        for name, part in _IMPORT.findall(text):
            if name in known and part == file.stem:
                return None
            if name in known and (not part or part in stems):
                found.add(name)
    return found.pop() if len(found) == 1 else None


def load(name: str, folder: Path, properties: Path | None) -> ModuleType:
    """Load a folder as a package whose files mean each other where they say `models.<name>`.

    Args:
        name: The rulebook that it is a copy of.
        folder: The folder; loading its `rules.py` is left to the caller.
        properties: The file of its properties where the folder has no `properties.py`.

    Returns:
        The package; its modules are found under its name.
    """
    package = f"rulebook_copy_{next(_numbers)}_{name}"
    _copies[package] = _Copy(name, folder, properties)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    return importlib.import_module(package)


def has(package: str, part: str) -> bool:
    """Whether a package made by `load` has a module."""
    return importlib.util.find_spec(f"{package}.{part}") is not None


@attrs.frozen
class _Copy:
    """What is known of a copy: the original's name, its folder, and where its properties are."""

    name: str
    folder: Path
    properties: Path | None


class _Finder:
    """Finds the packages of copies and their modules."""

    def find_spec(
        self, full: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The specification of a module of a copy; None for all others."""
        package, *parts = full.split(".")
        copy = _copies.get(package)
        if copy is None:
            return None
        place = copy.folder.joinpath(*parts)
        start, file = place / "__init__.py", place.with_name(f"{place.name}.py")
        if parts == ["properties"] and not file.is_file() and copy.properties is not None:
            file = copy.properties
        if start.is_file():
            return _spec(full, start, place)
        if parts and file.is_file():
            return _spec(full, file)
        return _spec(full, None, place) if place.is_dir() else None


def _spec(full: str, file: Path | None, folder: Path | None = None) -> ModuleSpec | None:
    """The specification of a module, or of a package with its folder."""
    if file is None:
        spec: ModuleSpec | None = ModuleSpec(full, None, is_package=True)
    else:
        spec = importlib.util.spec_from_file_location(full, file, loader=_Loader(full, str(file)))
    if spec is not None and folder is not None:
        spec.submodule_search_locations = [str(folder)]
    return spec


class _Loader(SourceFileLoader):
    """Compiles a file of a copy with its imports turned to the copy; compiled code is not kept on disk."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        package = fullname.partition(".")[0]
        tree = ast.parse(self.get_data(self.path), self.path)
        turned = ast.fix_missing_locations(_Turned(_copies[package].name, package).visit(tree))
        code = compile(turned, self.path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code


class _Turned(ast.NodeTransformer):
    """Imports of the original's modules become imports of the copy's."""

    def __init__(self, name: str, package: str) -> None:
        self.places = {f"models.{name}": package, f"properties.{name}": f"{package}.properties"}
        self.name = name

    def _turned(self, module: str) -> str:
        for old, new in self.places.items():
            if module == old or module.startswith(f"{old}."):
                return new + module[len(old) :]
        return module

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """`import models.<name>.part`."""
        node.names = [ast.alias(self._turned(a.name), a.asname) for a in node.names]
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        """`from models.<name>.part import x`, `from models import <name>`."""
        if node.level or node.module is None:
            return node
        node.module = self._turned(node.module)
        new = self.places.get(f"{node.module}.{self.name}")
        if new is None:
            return node
        others = [a for a in node.names if a.name != self.name]
        mine = [ast.alias(new, a.asname or a.name) for a in node.names if a.name == self.name]
        made: list[ast.stmt] = [ast.copy_location(ast.Import(mine), node)] if mine else []
        if others:
            node.names = others
            made.append(node)
        return made

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`models.<name>` where the module was imported without another name."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.attr == self.name:
            new = self.places.get(f"{node.value.id}.{self.name}")
            if new is not None:
                package, _, part = new.partition(".")
                base: ast.expr = ast.copy_location(ast.Name(package, node.ctx), node)
                return ast.copy_location(ast.Attribute(base, part, node.ctx), node) if part else base
        return node


_copies: dict[str, _Copy] = {}
_finder = _Finder()
