"""Choices: what is asked of a build, checked and with the defaults filled in.

Promise: a size, variant, reading, option or ruling that does not exist is one message with the nearest name.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.language import sizefiles
from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.sizes import Size

if TYPE_CHECKING:
    from models.language.book import Rulebook


@dataclass(frozen=True)
class Build:
    """What was asked of the builder; see `Rulebook.build`."""

    size_name: str
    size: Size
    variant: str
    readings: Mapping[str, str]
    rulings: tuple[str, ...]


def choose_build(
    book: Rulebook,
    size: str | Size | None,
    variant: str | None,
    readings: Mapping[str, str] | None,
    rulings: bool | str | Sequence[str],
) -> Build:
    """Check the arguments of `Rulebook.build` and fill in the defaults.

    Errors:
        ModelError: an unknown size, variant, reading, option or ruling; two rulings that disagree.
    """
    size_name, numbers = choose_size(book, size)
    applied = _rulings(book, rulings)
    options = {r.id: r.default for r in book.readings.values() if not r.ruling or r.ruling in applied}
    for ruling in book.rulings.values():
        for id, option in ruling.picks.items():
            _check_option(
                book,
                id,
                option,
                options if ruling.id in applied else None,
                f"{ruling.place}, ruling {ruling.id}",
            )
    picked: dict[str, str] = {}
    for r in applied:
        for id, option in book.rulings[r].picks.items():
            if picked.setdefault(id, option) != option:
                raise ModelError(
                    f"two rulings pick different options of {id}: {picked[id]} and {option}",
                    where=f"{book.rulings[r].place}, ruling {r}",
                    hint="apply one of them at a time, or drop the older one",
                )
    for id, option in (readings or {}).items():
        _check_option(book, id, option, options, f"rulebook {book.name}")
    name = _known(book, variant, book.variants, "variant")
    return Build(size_name, numbers, name, {**options, **picked, **(readings or {})}, applied)


def choose_size(book: Rulebook, size: str | Size | None) -> tuple[str, Size]:
    """See `Rulebook.find_size`."""
    if isinstance(size, Size):
        for same in (operator.is_, operator.eq):
            for name, numbers in book.sizes.items():
                if same(numbers, size):
                    return name, size
        return "own", size
    if size is not None and size not in book.sizes and sizefiles.file_of(size) is not None:
        size = sizefiles.take(book, size)
    name = _known(book, size, book.sizes, "size")
    return name, book.sizes[name]


def _rulings(book: Rulebook, rulings: bool | str | Sequence[str]) -> tuple[str, ...]:
    if isinstance(rulings, bool):
        return tuple(book.rulings) if rulings else ()
    named = (rulings,) if isinstance(rulings, str) else tuple(rulings)
    for name in named:
        _known(book, name, book.rulings, "ruling")
    return named


def _known(book: Rulebook, name: str | None, table: Mapping[str, object], what: str) -> str:
    if name is None:
        return next(iter(table))
    if name not in table:
        choose = f"choose one of {', '.join(table)}" if table else "it has none"
        raise ModelError(
            f"rulebook {book.name} has no {what} {name!r}", hint=did_you_mean(name, table) or choose
        )
    return name


def _check_option(book: Rulebook, id: str, option: str, built: Mapping[str, str] | None, where: str) -> None:
    """Check a choice of an option; `built` are the readings of the build, or None for all that there are."""
    reading = book.readings.get(id)
    if reading is None and ":" in id:
        return  # a derived reading: checked when its table has been traced
    if reading is None or (built is not None and id not in built):
        brought = f"the ruling {reading.ruling} brings it: apply that" if reading is not None else ""
        hint = brought or did_you_mean(id, book.readings) or "see `ruleslawyer list`"
        raise ModelError(f"there is no reading {id!r}", where=where, hint=hint)
    if option not in reading.options:
        raise ModelError(
            f"reading {id} has no option {option!r}",
            where=where,
            hint=did_you_mean(option, reading.options) or f"choose one of {', '.join(reading.options)}",
        )
