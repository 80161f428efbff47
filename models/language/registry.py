"""The registry: finds rulebooks by name, by path, or from installed packages.

Promises: names come from the folders of `models` and from the entry point group `ruleslawyer.rulebooks`;
a path is a folder with `rules.py` or the file itself; a file that cannot be loaded is one message.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import ModuleType

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.nearest import did_you_mean

GROUP = "ruleslawyer.rulebooks"
_MODELS = Path(__file__).parent.parent


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


@cache
def _from_file(path: Path) -> Rulebook:
    return rulebook_of(_load(lambda: load_file(path), str(path)), str(path))


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
    if book.folder is None or not (path := book.folder / f"{stem}.py").is_file():
        return None
    if book.folder.parent == _MODELS:
        loaded = _load(lambda: importlib.import_module(f"models.{book.folder.name}.{stem}"), str(path))
    else:
        loaded = _load(lambda: load_file(path), str(path))
    assert isinstance(loaded, ModuleType)
    return loaded


def _load(loader: object, name: str) -> object:
    assert callable(loader)
    try:
        return loader()
    except ModelError:
        raise
    except SyntaxError as error:
        raise ModelError(
            f"this is not valid Python: {error.msg}",
            where=f"{error.filename}:{error.lineno}",
            hint="correct the line",
        ) from None
    except UnicodeDecodeError:
        raise ModelError("the file is not UTF-8", where=name, hint="save it as UTF-8") from None
    except (Exception, SystemExit) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise ModelError(
            f"loading failed: {type(error).__name__}: {error}",
            where=f"{last.filename}:{last.lineno}",
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
