"""Reading JSON files into attrs classes, strictly.

Promises: a file is taken whole or refused. Refused are text that is not UTF-8 or not JSON (with line and
column), another schema number, unknown and missing keys, and values of another type (each with its path in
the document); nothing is converted silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

import attrs

from findings.text import printable
from models.language.errors import ModelError

if TYPE_CHECKING:
    import cattrs

T = TypeVar("T")
Hook = Callable[[Any, Any], Any]


def read(
    path: Path,
    kind: type[T],
    *,
    schema: int,
    what: str,
    mend: str,
    prepare: Callable[[Any], Any] | None = None,
) -> T:
    """Read a JSON file into an attrs class.

    Args:
        path: the file.
        kind: the class; its fields are texts, numbers, truth values, enums of texts, other such classes, and
            tuples and dicts of these. It has a field `schema`.
        schema: the schema number that the document must carry.
        what: what the file should hold, for instance `recorded findings`.
        mend: what to do about a file that is refused.
        prepare: makes the document that is read of the one in the file.

    Returns:
        An instance of the class.

    Errors:
        FileNotFoundError: if there is no such file.
        ModelError: if the file cannot be read or is refused.
    """
    shown = printable(str(path))
    document = _parsed(path, shown, mend)
    if isinstance(document, dict) and document.get("schema") != schema:
        told = printable(json.dumps(document.get("schema")))
        hint = f"a newer version of ruleslawyer may have written it; otherwise {mend}"
        raise ModelError(f"the schema is {told}, expected {schema}", where=shown, hint=hint)
    return _structured(prepare(document) if prepare else document, kind, shown, what, mend)


def _parsed(path: Path, shown: str, mend: str) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ModelError(f"cannot read: {(error.strerror or str(error)).lower()}", where=shown) from error
    except UnicodeDecodeError as error:
        raise ModelError(f"not UTF-8: byte {error.start} is not text", where=shown, hint=mend) from error
    except json.JSONDecodeError as error:
        where = f"{shown}:{error.lineno}:{error.colno}"
        raise ModelError(
            f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", where=where, hint=mend
        ) from error
    except RecursionError as error:
        raise ModelError("not JSON: nested too deeply", where=shown, hint=mend) from error


def _structured(document: object, kind: type[T], shown: str, what: str, mend: str) -> T:
    import cattrs

    try:
        return _converter().structure(document, kind)
    except (cattrs.BaseValidationError, ValueError, TypeError) as error:
        first, *more = cattrs.transform_error(error, format_exception=_told)
        rest = f" (and {len(more)} more)" if more else ""
        raise ModelError(f"not {what}: {printable(first)}{rest}", where=shown, hint=mend) from error


def _told(error: BaseException, _expected: type | None) -> str:
    """What is wrong with one value, in words."""
    import cattrs

    match error:
        case cattrs.ForbiddenExtraKeysError(extra_fields=fields):
            return f"unknown key {', '.join(sorted(map(repr, fields)))}"
        case KeyError():
            return "missing key"
    return str(error.args[0])


def _exactly(kind: type, word: str, structure: Hook) -> Hook:
    def checked(value: Any, target: Any) -> Any:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TypeError(f"expected {word}")
        return structure(value, target)

    return checked


def _number(value: Any, _target: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("expected a number")
    return float(value)


def _truth(value: Any, _target: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value


def _has_origin(kind: type) -> Callable[[Any], bool]:
    def has(target: Any) -> bool:
        origin: object = get_origin(target)
        return origin is kind

    return has


def _member(value: Any, target: type[Enum]) -> Enum:
    names = [str(member.value) for member in target]
    if value not in names:
        raise ValueError(f"expected one of {', '.join(names)}")
    return target(value)


def _as_it_is(value: Any, _target: Any) -> Any:
    return value


@cache
def _converter() -> cattrs.Converter:
    """A converter that checks the shape of every value before it structures it."""
    import cattrs
    from cattrs.cols import mapping_structure_factory
    from cattrs.gen import make_dict_structure_fn

    converter = cattrs.Converter()

    def of_class(target: Any) -> Hook:
        fields = make_dict_structure_fn(target, converter, _cattrs_forbid_extra_keys=True)
        return _exactly(dict, "an object", fields)

    def of_tuple(target: Any) -> Hook:
        members: Any = GenericAlias(list, (get_args(target)[0],))
        return _exactly(list, "a list", lambda values, _target: tuple(converter.structure(values, members)))

    def of_dict(target: Any) -> Hook:
        return _exactly(dict, "an object", mapping_structure_factory(target, converter))

    converter.register_structure_hook_factory(attrs.has, of_class)
    converter.register_structure_hook_factory(_has_origin(tuple), of_tuple)
    converter.register_structure_hook_factory(_has_origin(dict), of_dict)
    converter.register_structure_hook_factory(_has_origin(Mapping), of_dict)
    converter.register_structure_hook(str, _exactly(str, "a text", _as_it_is))
    converter.register_structure_hook(int, _exactly(int, "a whole number", _as_it_is))
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(bool, _truth)
    converter.register_structure_hook(Enum, _member)
    return converter
