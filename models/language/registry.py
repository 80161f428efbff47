"""The registry: finds rulebooks by name, by path, or from installed packages.

Promises: names come from the folders of `models` and from the entry point group `ruleslawyer.rulebooks`;
a path is a folder with `rules.py` or the file itself; a copy of a rulebook of `models` is loaded with its own
files; a file that has changed since is loaded again; a file that cannot be loaded is one message.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import ModuleType
from weakref import WeakKeyDictionary

import attrs

from models.language import copies
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.nearest import did_you_mean

GROUP = "ruleslawyer.rulebooks"
_MODELS = Path(__file__).parent.parent
#: File → times and lengths of the files it was loaded with, and what it declares.
_loaded: dict[Path, tuple[object, Rulebook]] = {}


@attrs.frozen
class _Copy:
    """How a copy was loaded: as which package, with which file of properties, how it is named in messages."""

    package: str
    properties: Path | None
    spec: str


_copies: WeakKeyDictionary[Rulebook, _Copy] = WeakKeyDictionary()


def names() -> tuple[str, ...]:
    """Names of all rulebooks that are installed, sorted."""
    return tuple(sorted(_own() | {e.name for e in metadata.entry_points(group=GROUP)}))


def _own() -> set[str]:
    return {f.parent.name for f in _MODELS.glob("*/rules.py")}


def find(name: str) -> Rulebook:
    """The rulebook of a name or a path.

    Args:
        name: A name from `names()`, a folder with `rules.py`, or a Python file.

    Returns:
        The rulebook with everything its modules declare.

    Errors:
        ModelError: unknown name (with the nearest), no such file, a syntax error, an error while loading,
            no rulebook or several in the module.
    """
    if name in _own():
        return rulebook_of(_load(lambda: importlib.import_module(f"models.{name}.rules"), name), name)
    for entry in metadata.entry_points(group=GROUP):
        if entry.name == name:
            loaded = _load(entry.load, name)
            return loaded if isinstance(loaded, Rulebook) else rulebook_of(loaded, name)
    path = Path(name)
    try:
        path.stat()
    except (OSError, ValueError):
        path = Path(os.devnull, "absent")  # also for what cannot be a path at all
    if path.is_dir() and not (path / "rules.py").is_file():
        raise ModelError("the folder has no rules.py", where=name, hint="name a folder with a rulebook in it")
    if path.exists():
        file = (path / "rules.py" if path.is_dir() else path).resolve()
        own = file.name == "rules.py" and file.parent.parent == _MODELS.resolve()
        return find(file.parent.name) if own else _from_file(file)
    known = names()
    if "/" in name or name.endswith(".py"):
        raise ModelError("there is no such file or folder", where=name, hint="check the path")
    raise ModelError(
        f"there is no rulebook {name!r}",
        hint=did_you_mean(name, known) or f"the rulebooks are {', '.join(known)}; or give a path",
    )


def _from_file(path: Path) -> Rulebook:
    stamp = _stamp(path)
    known = _loaded.get(path)
    if known is not None and known[0] == stamp:
        return known[1]
    name = copies.original(path.parent, sorted(_own())) if path.name == "rules.py" else None
    if name is None:
        book = rulebook_of(_load(lambda: load_file(path), str(path)), str(path))
    else:
        above = path.parent.parent
        own = above.parent / "properties" / f"{name}.py"
        book = from_copy(name, path.parent, own if above.name == "models" and own.is_file() else None)
    _loaded[path] = (stamp, book)
    return book


def _stamp(path: Path) -> object:
    """Times and lengths of the files that lie beside a `rules.py`, or of another file alone."""
    files = [path]
    if path.name == "rules.py":
        files = [file for ending in ("*.py", "*.toml") for file in path.parent.glob(ending)]
    found = []
    for file in sorted(files):
        try:
            told = file.stat()
        except OSError:  # gone since
            continue
        found.append((file.name, told.st_mtime_ns, told.st_size))
    return found


def from_copy(name: str, folder: Path, properties: Path | None = None, spec: str = "") -> Rulebook:
    """Load a folder whose files name each other as those of `models.<name>`.

    Args:
        name: The rulebook that it is a copy or another version of.
        folder: The folder, with `rules.py`.
        properties: The file of its properties; those of the original unless given.
        spec: How it was named, for messages; its path unless given.

    Returns:
        The rulebook, made of that folder's own files alone.

    Errors:
        ModelError: it cannot be loaded.
    """
    if properties is None and (installed := _MODELS.parent / "properties" / f"{name}.py").is_file():
        properties = installed

    def rules() -> object:
        package = copies.load(name, folder, properties)
        return importlib.import_module(f"{package.__name__}.rules")

    module = _load(rules, str(folder), spec)
    book = rulebook_of(module, spec or str(folder))
    assert isinstance(module, ModuleType)
    _copies[book] = _Copy(module.__name__.partition(".")[0], properties, spec)
    return book


def further_files(book: Rulebook) -> tuple[Path, ...]:
    """Files of a rulebook that lie outside its folder, where that can be another than the installed ones."""
    copy = _copies.get(book)
    return () if copy is None or copy.properties is None else (copy.properties,)


def load_file(path: Path) -> ModuleType:
    """Load a Python file as a module of its own name.

    Args:
        path: The file.

    Errors:
        Whatever running the file raises.
    """
    full = path.resolve()
    name = f"rulebook_{sha256(str(full).encode()).hexdigest()[:8]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, full)
    if spec is None or spec.loader is None:
        raise ModelError("this is not a Python file", where=str(path), hint="name rules.py or its folder")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def beside(book: Rulebook, stem: str) -> ModuleType | None:
    """A further module of a rulebook's folder (`examples`, `picture`, `properties`), or None.

    Args:
        book: The rulebook.
        stem: The file's name without `.py`.

    Errors:
        ModelError: the file exists and cannot be loaded.
    """
    if stem in book.modules:
        return book.modules[stem]
    copy = _copies.get(book)
    if copy is not None:
        found = _load(lambda: _part(copy.package, stem), stem, copy.spec)
        assert found is None or isinstance(found, ModuleType)
        return found
    if book.folder is None or not (path := book.folder / f"{stem}.py").is_file():
        return None
    if path.parent.parent == _MODELS:
        loaded = _load(lambda: importlib.import_module(f"models.{path.parent.name}.{stem}"), str(path))
    else:
        loaded = _load(lambda: load_file(path), str(path))
    assert isinstance(loaded, ModuleType)
    return loaded


def _part(package: str, stem: str) -> ModuleType | None:
    return importlib.import_module(f"{package}.{stem}") if copies.has(package, stem) else None


def _load(loader: Callable[[], object], name: str, spec: str = "") -> object:
    """What a loader gives; `spec` stands for the folders of files in messages where it is given."""

    def place(file: str | None, line: int | None) -> str:
        return f"{spec}, {Path(file or '').name}:{line}" if spec else f"{file}:{line}"

    try:
        return loader()
    except ModelError:
        raise
    except SyntaxError as error:
        raise ModelError(
            f"this is not valid Python: {error.msg}",
            where=place(error.filename, error.lineno),
            hint="correct the line",
        ) from None
    except UnicodeDecodeError:
        raise ModelError("the file is not UTF-8", where=name, hint="save it as UTF-8") from None
    except (Exception, SystemExit) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise ModelError(
            f"loading failed: {type(error).__name__}: {error}",
            where=place(last.filename, last.lineno),
            hint="correct the rulebook",
        ) from error


def rulebook_of(module: object, name: str) -> Rulebook:
    """The one rulebook that a module declares.

    Args:
        module: A loaded module.
        name: How it was named, for messages.

    Errors:
        ModelError: it declares none, or several.
    """
    found = {id(v): v for v in vars(module).values() if isinstance(v, Rulebook)}
    if len(found) != 1:
        raise ModelError(
            f"the module declares {len(found)} rulebooks, not one",
            where=name,
            hint="declare `book = Rulebook(…)` once",
        )
    return next(iter(found.values()))
