"""Reading TOML that people write: typed access, and messages that say where and what to do.

Promises: `parse` names the line of a syntax error; `Table` gives the values of a table by type and refuses
what is missing, unknown, empty or of another type with a `ModelError`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from attrs import frozen

from models.language.errors import ModelError
from models.language.nearest import did_you_mean

_E = TypeVar("_E", bound=StrEnum)


def parse(text: str, place: str) -> dict[str, Any]:
    """The data of a TOML text.

    Args:
        text: the whole text.
        place: the file's name, for messages.

    Raises:
        ModelError: it is not TOML; the message names the line.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        found = re.search(r"\s*\(at line (\d+), column (\d+)\)$", str(why))
        line = found[1] if found else str(text.count("\n") + 1)
        said = str(why)[: found.start()] if found else str(why).removesuffix(" (at end of document)")
        spot = f" at column {found[2]}" if found else " at the end of the file"
        raise ModelError(f"not TOML: {said}{spot}", where=f"{place}:{line}", hint="mend the syntax") from None
    except RecursionError:
        raise ModelError("not TOML: nested too deeply", where=place, hint="mend the syntax") from None
    except ValueError as why:  # a number too long for Python
        raise ModelError(f"not TOML: {why}", where=place, hint="mend the number") from None


@frozen
class Table:
    """A table of a file, with typed access to its values and messages that name the place.

    Attributes:
        data: its keys and values.
        where: the file, and what of it this is.
    """

    data: Mapping[str, Any]
    where: str

    def wrong(self, message: str, hint: str) -> ModelError:
        """An error at this place, to be raised."""
        return ModelError(message, where=self.where, hint=hint)

    def keys(self, known: Iterable[str]) -> None:
        """Refuse keys that are not known."""
        names = list(known)
        for key in self.data:
            if key not in names:
                raise self.wrong(
                    f"unknown key {key!r}", did_you_mean(key, names) or f"known: {', '.join(names)}"
                )

    def text(self, key: str, hint: str, default: str | None = None) -> str:
        """A line of text that says something; `hint` is what to do if it is missing."""
        value = self.data.get(key, default)
        if value is None or (isinstance(value, str) and key in self.data and not value.strip()):
            raise self.wrong(f"{key} is missing" if key not in self.data else f"{key} is empty", hint)
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {called(value)}, not text", 'write it in quotes: "…"')
        if not one_line(value):
            raise self.wrong(f"{key} has a line break or control character", "write it on one line")
        return value

    def whole(self, key: str, least: int, hint: str, default: int | None = None) -> int:
        """A whole number of at least `least`."""
        value = self.data.get(key, default)
        if value is None:
            raise self.wrong(f"{key} is missing", hint)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(f"{key} is {called(value)}, not a whole number", hint)
        if key in self.data and value < least:
            raise self.wrong(f"{key} is {value}, and the least is {least}", hint)
        return value

    def choice(self, key: str, kind: type[_E], default: _E | None = None) -> _E:
        """One of the words of an enumeration."""
        names = [member.value for member in kind]
        value = self.text(key, f"give one of: {', '.join(names)}", None if default is None else default.value)
        if value not in names:
            hint = did_you_mean(value, names)
            raise self.wrong(f"unknown {key} {value!r}", f"{hint} known: {', '.join(names)}".strip())
        return kind(value)

    def hexes(self, key: str, shape: re.Pattern[str], length: int) -> str:
        """A string of hexadecimal digits."""
        value = self.text(key, "let the tool compute it from the source")
        if not shape.match(value):
            raise self.wrong(
                f"{key} {value!r} is not {length} lower-case hexadecimal digits",
                "let the tool compute it from the source",
            )
        return value


def one_line(text: str) -> bool:
    """Whether a text has no line break, control character or sign that turns the direction of writing."""
    return not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", text)


def called(value: object) -> str:
    """What TOML calls a value of this type."""
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "text",
        list: "an array",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")
