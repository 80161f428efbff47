"""Card files of The Dwarf King: TOML that a user can write, checked with one clear message for a mistake.

    schema = 1
    [size.own]                # one size of this name; several may share the cards
    players = 4               # the numbers of `DwarfKing`
    rounds = 7
    cards = "D5 D14 G5 K5"    # the cards of the suits; 2 to ace in each suit if left out
    [[special]]
    name = "Dragon"           # as printed; the name of a card that is known here needs no more
    count = 1
    suit = "dwarves"          # the card's own suit and number, where it has them
    value = 11
    target = "led"            # or "chosen": the card that it changes …
    new_suit = "knights"      # … to this suit
    new_value = 1             # … or this number
    points = -3               # at scoring; also lowest, free, wins, passes_lead, deals: true or false
    word = "outside"          # whose word it is: "text", "outside" or "assumed"
    [[challenge]]             # name, trick (points for each), dwarves, goblins, knights (points a card), word
    [[contract]]              # first and second (names of challenges), count

Promise: whatever is wrong with a file is a `ModelError` that names the file, the entry and what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs

from models.language import ModelError
from models.language.sentences import decode, read_bytes
from models.language.sizefiles import sizes_of
from models.language.tables import Table, called, parse
from models.the_dwarf_king.cards import (
    CHALLENGES,
    SPECIALS,
    SUITS,
    Challenge,
    Contract,
    Special,
    Target,
    Word,
)
from models.the_dwarf_king.sizes import PRINTED_PACK, DwarfKing

_SORTS = ("special", "challenge", "contract")
_TRUTHS = ("lowest", "free", "wins", "passes_lead", "deals")
_WORDS: dict[str, dict[str, Any]] = {
    "suit": {s.name.lower(): s for s in SUITS},
    "new_suit": {s.name.lower(): s for s in SUITS},
    "target": {t.name.lower(): t for t in Target},
    "word": {w.value: w for w in Word},
}
_POINTS = tuple(s.name.lower() for s in SUITS)
#: Key → least and greatest value; points go from -99 to 99.
_RANGE = {"count": (1, 99), "value": (1, 99), "new_value": (1, 99), "players": (2, 5), "rounds": (1, 99)}

T = TypeVar("T", Special, Challenge, Contract)


def read(path: Path | str) -> dict[str, DwarfKing]:
    """The sizes of a card file.

    Args:
        path: The file.

    Returns:
        Name of a size → size, in the order of the file.

    Errors:
        ModelError: the file cannot be read, is not UTF-8, not TOML, or not of the format.
    """
    place = str(path)
    file = Table(parse(decode(read_bytes(path, "give the path of a card file"), place), place), place)
    file.keys(("schema", "size", *_SORTS))
    specials = _all(file, "special", _special)
    challenges = _all(file, "challenge", _challenge)
    contracts = _all(file, "contract", _contract)
    for names in ([s.name for s in specials], [c.name for c in challenges], [c.member for c in contracts]):
        for name, times in Counter(names).items():
            if times > 1:
                raise file.wrong(
                    f"the name {name} is there {times} times", "give each card its own entry, and a count"
                )

    def size(table: Table) -> DwarfKing:
        table.keys(("players", "rounds", "cards"))
        numbers = {key: _number(table, key) for key in ("players", "rounds") if key in table.data}
        cards = table.text("cards", "write for instance D5 G10 K14", PRINTED_PACK)
        return DwarfKing(cards=cards, specials=specials, contracts=contracts, own=challenges, **numbers)

    return sizes_of(file, size)


def member(name: str) -> str:
    """A printed name as a name in an enumeration: `ONE_OF_DWARVES`."""
    return "_".join("".join(sign if sign.isalnum() else " " for sign in name).split()).upper()


def _all(file: Table, sort: str, one: Callable[[Table], T]) -> tuple[T, ...]:
    entries = file.data.get(sort, [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise file.wrong(f"{sort} is not an array of tables", f"begin every card with [[{sort}]]")
    made = []
    for number, entry in enumerate(entries, 1):
        named = entry.get("name")
        called_so = repr(named) if isinstance(named, str) else f"number {number}"
        table = Table(entry, f"{file.where}, {sort} {called_so}")
        try:
            made.append(one(table))
        except ModelError as error:
            if error.where == table.where:
                raise
            raise table.wrong(error.message.split(": ", 1)[-1], error.hint or "") from None
    return tuple(made)


def _special(table: Table) -> Special:
    table.keys(a.name for a in attrs.fields(Special))
    name = _name(table, "name")
    if name in SPECIALS and not set(table.data) - {"name", "count"}:
        return attrs.evolve(SPECIALS[name], **_values(table, ("count",)))
    return Special(name=name, **_values(table, [a.name for a in attrs.fields(Special) if a.name != "name"]))


def _challenge(table: Table) -> Challenge:
    table.keys(("name", "trick", *_POINTS, "word"))
    name = _name(table, "name")
    if name in CHALLENGES and set(table.data) == {"name"}:
        return CHALLENGES[name]
    points = tuple(_number(table, key) if key in table.data else 0 for key in _POINTS)
    trick, word = (_values(table, (key,)) for key in ("trick", "word"))
    if not any((*trick.values(), *points)):
        raise table.wrong("it brings no points", f"write one of trick, {', '.join(_POINTS)}")
    return Challenge(name=name, cards=(points[0], points[1], points[2]), **trick, **word)


def _contract(table: Table) -> Contract:
    table.keys(("first", "second", "count"))
    first, second = (_name(table, key) for key in ("first", "second"))
    return Contract(first=first, second=second, **_values(table, ("count",)))


def _name(table: Table, key: str) -> str:
    name = member(table.text(key, "write the name that is printed on the card"))
    if not name or name in ("NONE", "SPECIAL"):
        raise table.wrong(f"{key} is no name", "write the name that is printed on the card")
    return name


def _values(table: Table, keys: Sequence[str]) -> dict[str, Any]:
    return {key: _value(table, key) for key in keys if key in table.data}


def _value(table: Table, key: str) -> Any:
    value = table.data[key]
    if key in _WORDS:
        text = table.text(key, f"give one of: {', '.join(_WORDS[key])}")
        if text not in _WORDS[key]:
            raise table.wrong(f"unknown {key} {text!r}", f"give one of: {', '.join(_WORDS[key])}")
        return _WORDS[key][text]
    if key in _TRUTHS:
        if not isinstance(value, bool):
            raise table.wrong(f"{key} is {called(value)}, not true or false", f"write {key} = true")
        return value
    return _number(table, key)


def _number(table: Table, key: str) -> int:
    least, most = _RANGE.get(key, (-99, 99))
    hint = f"give a number from {least} to {most}"
    number = table.whole(key, -1_000_000, hint)
    if not least <= number <= most:
        raise table.wrong(f"{key} is {number}", hint)
    return number
