"""Sizes from files: what `FILE.toml` and `FILE.toml:NAME` mean where a size is named.

Promises: the sizes of a file are read by the rulebook's own function and known from then on as
`FILE.toml:NAME`; they stand in for the rulebook's sizes of the same names, so that `FILE.toml:small` is the
rulebook's own `small` where the file has none; whatever is wrong is a `ModelError` that names the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.sentences import decode, read_bytes
from models.language.sizes import Size
from models.language.tables import Table, called, parse

if TYPE_CHECKING:
    from models.language.book import Rulebook

PRINT = "print"
"""The name of the size that the box says."""

SCHEMA = 1
"""The version of the format of all files of sizes."""

S = TypeVar("S", bound=Size)

_FORM = re.compile(r"(?P<file>.+?\.toml)(?::(?P<name>.*))?", re.DOTALL | re.IGNORECASE)
_NAME = re.compile(r"[\w.-]+")


def file_of(name: str) -> str | None:
    """The file that a size's name names, or None if it names none."""
    found = _FORM.fullmatch(name)
    return found["file"] if found is not None else None


def take(book: Rulebook, text: str) -> str:
    """Read a file of sizes, and make them known to the rulebook.

    Args:
        book: The rulebook.
        text: `FILE.toml`, which is the file's first size, or `FILE.toml:NAME`.

    Returns:
        The name of the size that is meant, in the form `FILE.toml:NAME`.

    Errors:
        ModelError: the rulebook reads no such files, the file is not as it should be, or has no such size.
    """
    form = _FORM.fullmatch(text)
    assert form is not None, "ask `file_of` first"
    file, name = form["file"], form["name"]
    if book.read_sizes is None:
        raise ModelError(
            f"rulebook {book.name} reads no sizes from files",
            where=file,
            hint=f"choose one of {', '.join(own(book))}",
        )
    found = _checked(book.read_sizes(Path(file)), file)
    if name is None:
        name = next(iter(found))
    known = {**own(book), **found}
    if name not in known:
        near = did_you_mean(name, known)
        raise ModelError(
            f"there is no size {name!r}",
            where=file,
            hint=near or f"this file has {', '.join(found)}; the rulebook has {', '.join(own(book))}",
        )
    if name not in found:  # with those that are searched along with it
        found |= {n: attrs.evolve(s) for n, s in own(book).items() if n == name or n.startswith(f"{name}-")}
    book.sizes.update({f"{file}:{n}": size for n, size in found.items()})
    return f"{file}:{name}"


def own(book: Rulebook) -> dict[str, Size]:
    """The sizes of a rulebook that come from no file of the user's."""
    return {name: size for name, size in book.sizes.items() if file_of(name) is None}


def printed(book: Rulebook, size: str) -> str | None:
    """The name of the printed size that belongs to a size: that of its file if it has one, or the rulebook's.

    Args:
        book: The rulebook.
        size: The name of a size that it knows.

    Returns:
        The name, or None if there is no printed size.
    """
    file = file_of(size)
    names = [PRINT] if file is None else [f"{file}:{PRINT}", PRINT]
    return next((name for name in names if name in book.sizes), None)


def _checked(found: Mapping[str, Size], file: str) -> dict[str, Size]:
    if not found:
        raise ModelError("there is no size", where=file, hint="write a table [size.name]")
    for name in found:
        if _NAME.fullmatch(name) is None:
            raise ModelError(
                f"{name!r} is no name of a size", where=file, hint="use letters, digits, dots, - and _ only"
            )
    return dict(found)


def numbers_reader(kind: type[S]) -> Callable[[Path], dict[str, S]]:
    """What reads sizes of numbers and short notations, for rulebooks whose components need no more.

        schema = 1
        [size.own]          # one table a size
        players = 3         # a field of the size that is a whole number
        cards = "ALE SKULL" # a field that the size itself converts from text

    Args:
        kind: The rulebook's class of sizes.

    Returns:
        Path → name → size; whatever is wrong with a file is a `ModelError` that names it.
    """
    fields = {a.name: a for a in attrs.fields(kind) if a.type in ("int", int) or a.converter is not None}

    def read(path: Path) -> dict[str, S]:
        place = str(path)
        file = Table(parse(decode(read_bytes(path, "give the path of a file of sizes"), place), place), place)
        file.keys(("schema", "size"))
        return sizes_of(file, one)

    def one(table: Table) -> S:
        table.keys(fields)
        values: dict[str, Any] = {}
        for name, field in fields.items():
            if name in table.data and field.converter is not None:
                values[name] = table.text(name, "write it as the rulebook's own sizes do")
            elif name in table.data:
                values[name] = table.whole(name, 0, "give a whole number")
            elif field.default is attrs.NOTHING:
                raise table.wrong(f"{name} is missing", f"write {name} = …")
        return kind(**values)

    return read


def check_schema(file: Table) -> None:
    """Refuse a file of another format.

    Errors:
        ModelError: its schema is not `SCHEMA`.
    """
    if file.data.get("schema") != SCHEMA:
        raise file.wrong(f"schema {file.data.get('schema')!r} is not known", f"write schema = {SCHEMA}")


def sizes_of(file: Table, one: Callable[[Table], S]) -> dict[str, S]:
    """The sizes of a file that has a schema and tables `[size.name]`.

    Args:
        file: The whole file.
        one: What makes a size of its table.

    Errors:
        ModelError: another schema, no size, a size that is no table, or one that is not valid.
    """
    check_schema(file)
    entries = file.data.get("size")
    if not isinstance(entries, dict) or not entries:
        raise file.wrong("there is no size", "write a table [size.name], for instance with players = 2")
    found: dict[str, S] = {}
    for name, entry in entries.items():
        where = f"{file.where}, size {name}"
        if not isinstance(entry, dict):
            raise ModelError(f"this is {called(entry)}", where=where, hint=f"write a table [size.{name}]")
        try:
            found[name] = one(Table(entry, where))
        except ModelError as error:
            if error.where == where:
                raise
            message = re.sub(r"\Asize \w+: ", "", error.message)
            raise ModelError(message, where=where, hint=error.hint) from None
    return found
