"""A new rulebook's folder: clauses from a text, and a small game that runs, to be changed into one's own.

Promises: the folder appears whole or not at all; its rulebook can be audited at once; what a person has to
write is marked, and `ruleslawyer check` lists it.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import tomllib
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from findings.text import printable
from models.language import registry
from models.language.clauses import EXEMPT, Clauses, Kind
from models.language.errors import ModelError
from models.language.sentences import read_source
from models.language.skeleton import UNANSWERED, UNSAID, skeleton

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RENDERED = (
    "rules.py",
    "properties.py",
    "examples.py",
    "words.toml",
    "tests/conftest.py",
    "tests/test_rules.py",
)
_ROLES = ("setup", "take", "pass", "end", "winner")
_STARTER = {
    "setup": "setup.1",
    "take": "your-turn.1",
    "pass": "your-turn.2",
    "end": "end-of-the-game.1",
    "winner": "end-of-the-game.2",
}


def new_rulebook(folder: Path, source: Path | None = None, language: str = "en") -> Path:
    """Make the folder of a new rulebook.

    Args:
        folder: Where; its last part is the rulebook's name.
        source: The rulebook's text, if there is one; it is not copied. Without it a starter text is written.
        language: ISO 639 code of the text's language.

    Returns:
        The folder.

    Errors:
        ModelError: a name that is none, a folder that exists, a text that cannot be read or has no sentence.
    """
    name = _checked(folder)
    text = read_source(source) if source is not None else _template("rulebook.txt")
    title = name.replace("_", " ").title()
    parent = folder.resolve().parent
    made: Path | None = None
    try:
        made = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=parent))
        os.chmod(made, 0o755)
        _fill(made, name, title, text, starter=source is None, language=language)
        made.rename(folder)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ModelError(
            f"cannot write: {reason}", where=printable(str(folder)), hint="choose another place"
        ) from error
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def _checked(folder: Path) -> str:
    name, where = folder.name, printable(str(folder))
    if not _NAME.fullmatch(name):
        hint = "use lower-case letters, digits and underscores, a letter first, for instance my_game"
        raise ModelError(f"'{printable(name)}' cannot be a rulebook's name", where=where, hint=hint)
    if name in registry.names():
        raise ModelError(f"there is a rulebook '{name}' already", where=where, hint="choose another name")
    if folder.exists() or folder.is_symlink():
        raise ModelError("the folder exists already", where=where, hint="choose another name or remove it")
    if not folder.resolve().parent.is_dir():
        raise ModelError("there is no folder to make it in", where=where, hint="make that first")
    return name


def _fill(folder: Path, name: str, title: str, text: str, *, starter: bool, language: str) -> None:
    clauses = skeleton(text, title if not starter else "Pebbles", language, marked=True)
    if starter:
        (folder / "rulebook.txt").write_text(text, encoding="utf-8")
        clauses = _own_words(clauses)
    path = folder / "clauses.toml"
    path.write_text(_template("clauses_head.txt") + clauses, encoding="utf-8")
    cited = _STARTER if starter else _cited(Clauses.load(path))
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    values = {"name": name, "title": title, **cited}
    for file in _RENDERED:
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        rendered = environment.from_string(_template(f"{path.name}.txt")).render(values)
        path.write_text(rendered, encoding="utf-8")


def _template(name: str) -> str:
    return resources.files("findings.scaffold").joinpath("templates", name).read_text(encoding="utf-8")


def _own_words(clauses: str) -> str:
    """The clauses of the starter text with what they say."""
    for id, said in tomllib.loads(_template("own_words.toml")).items():
        before, found, after = clauses.partition(f'id = "{id}"')
        entry, more, rest = after.partition("\n[[clause]]")
        entry = entry.replace(f'text = "{UNSAID}"', f'text = "{said.pop("text")}"')
        for word, answer in said.items():
            entry = entry.replace(f'"{word}" = "{UNANSWERED}"', f'"{word}" = "{answer}"')
        clauses = before + found + entry + more + rest
    return clauses


def _cited(clauses: Clauses) -> dict[str, str]:
    """Sentences of a text that the starting rules cite until a person says better: the first that bind."""
    rules = [c.id for c in clauses if c.kind is Kind.RULE] or [c.id for c in clauses if c.kind not in EXEMPT]
    ids = rules or [c.id for c in clauses]
    return {role: ids[min(n, len(ids) - 1)] for n, role in enumerate(_ROLES)}


__all__ = ["new_rulebook"]
