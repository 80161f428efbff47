"""Card files of My Dwarves Fly: TOML that a user can write, checked with one clear message for a mistake.

    schema = 1
    [size.print]              # one size of this name; several may share the cards
    players = 2               # the numbers of `MyDwarves`; those left out are as printed
    [[creature]]
    name = "Dwarf"            # as printed
    count = 6                 # cards of this name
    dice = 3
    averse_to = ["Orc"]       # may be left out
    third = true              # a third one drives them away from everybody
    text = ["dice", "averse_to", "third"]   # what the rulebook tells
    outside = []              # what public sources tell; what is in neither list is assumed
    [[skill]]                 # name, count, fits (any creature if left out), more_dice, gold_on, repeat
    [[event]]                 # name, count, battle_value, treasure, cancels
    [[battle]]                # name, count, creatures, gold

Promise: whatever is wrong with a file is a `ModelError` that names the file, the entry and what to do.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs

from models.language import ModelError
from models.language.nearest import did_you_mean
from models.language.sentences import decode, read_bytes
from models.language.sizefiles import check_schema, sizes_of
from models.language.tables import Table, called, parse
from models.my_dwarves_fly.cards import Battle, Card, Creature, Event, MyDwarves, Skill

FOLDER = Path(__file__).parent / "cards"

_SORTS: Mapping[str, type[Card]] = {"creature": Creature, "skill": Skill, "event": Event, "battle": Battle}
_NUMBERS = ("players", "hand", "gold_to_win", "coins", "dice", "track")
#: Key → least value, where it is not 0.
_LEAST = {"count": 1, "dice": 1, "creatures": 1}
_MOST: dict[str, int] = {"count": 88, "dice": 9, "creatures": 5, "more_dice": 5, "gold": 40}
_MOST |= {"battle_value": 30, "treasure": 30}

C = TypeVar("C", bound=Card)


class Sort(enum.Enum):
    """What the value of a key is, in TOML's words."""

    TEXT = "text"
    NUMBER = "a whole number"
    TRUTH = "true or false"
    NAMES = "an array of texts"
    NUMBERS = "an array of whole numbers"


_KEYS = {
    "name": Sort.TEXT,
    "averse_to": Sort.NAMES,
    "fits": Sort.NAMES,
    "text": Sort.NAMES,
    "outside": Sort.NAMES,
    "third": Sort.TRUTH,
    "repeat": Sort.TRUTH,
    "cancels": Sort.TRUTH,
    "gold_on": Sort.NUMBERS,
    "faces": Sort.NUMBERS,
}


def read(path: Path | str) -> dict[str, MyDwarves]:
    """The sizes of a card file.

    Args:
        path: The file.

    Returns:
        Name of a size → size, in the order of the file.

    Errors:
        ModelError: the file cannot be read, is not UTF-8, not TOML, or not of the format.
    """
    place = str(path)
    return _File(parse(decode(read_bytes(path, "give the path of a card file"), place), place), place).sizes()


def read_all(folder: Path = FOLDER) -> dict[str, MyDwarves]:
    """The sizes of all card files of a folder, small ones first.

    Errors:
        ModelError: a mistake in a file, or two sizes of one name.
    """
    found: dict[str, MyDwarves] = {}
    for path in sorted(folder.glob("*.toml")):
        for name, size in read(path).items():
            if name in found:
                raise ModelError(f"there are two sizes {name}", where=str(path), hint="rename one of them")
            found[name] = size
    order = ("small", "medium", "examples", "print")
    rank = {
        name: next((i for i, o in enumerate(order) if name.split("-")[0] == o), len(order)) for name in found
    }
    return dict(sorted(found.items(), key=lambda entry: (rank[entry[0]], "-" in entry[0], entry[0])))


class _File:
    """One file that has been parsed."""

    def __init__(self, data: Mapping[str, Any], place: str) -> None:
        self.data, self.place = data, place

    def wrong(self, message: str, where: str = "", hint: str = "") -> ModelError:
        return ModelError(message, where=f"{self.place}, {where}" if where else self.place, hint=hint)

    def known(self, entry: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
        """Refuse keys that do not exist."""
        known = tuple(keys)
        for key in entry:
            if key not in known:
                hint = did_you_mean(key, known) or f"the keys are {', '.join(known)}"
                raise self.wrong(f"{key!r} is no key here", where, hint)

    def sizes(self) -> dict[str, MyDwarves]:
        """Everything, checked."""
        self.known(self.data, ("schema", "size", *_SORTS), "")
        file = Table(self.data, self.place)
        check_schema(file)
        creatures = self.cards("creature", Creature)
        skills = self.cards("skill", Skill, creatures)
        events, battles = self.cards("event", Event), self.cards("battle", Battle)
        self.unique([*creatures, *skills, *events, *battles])
        self.averse(creatures)

        def size(table: Table) -> MyDwarves:
            where = table.where.removeprefix(f"{self.place}, ")
            self.known(table.data, (*_NUMBERS, "faces"), where)
            numbers = {key: self.value(key, value, where) for key, value in table.data.items()}
            return MyDwarves(creatures=creatures, skills=skills, events=events, battles=battles, **numbers)

        return sizes_of(file, size)

    def cards(self, sort: str, kind: type[C], creatures: tuple[Creature, ...] = ()) -> tuple[C, ...]:
        """The cards of one sort."""
        entries = self.data.get(sort, [])
        if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
            raise self.wrong(f"{sort} is not an array of tables", hint=f"begin every card with [[{sort}]]")
        return tuple(self.card(sort, kind, number, e, creatures) for number, e in enumerate(entries, 1))

    def card(
        self, sort: str, kind: type[C], number: int, entry: Mapping[str, Any], creatures: tuple[Creature, ...]
    ) -> C:
        named = entry.get("name")
        where = f"{sort} {named!r}" if isinstance(named, str) else f"{sort} number {number}"
        keys = {a.name: a for a in attrs.fields(kind)}
        self.known(entry, keys, where)
        values = {key: self.value(key, value, where) for key, value in entry.items()}
        if "fits" in keys:
            values.setdefault("fits", tuple(c.name for c in creatures))
            self.names(values["fits"], creatures, "fits", where)
        absent = [key for key, a in keys.items() if a.default is attrs.NOTHING and key not in values]
        if absent:
            raise self.wrong(f"{absent[0]} is missing", where, f"write {absent[0]} = …")
        made = kind(**values)
        if not made.member:
            raise self.wrong("the name has no letter", where, "write the name that is printed on the card")
        for source in ("text", "outside"):
            for key in values.get(source, ()):
                if key not in keys or key in ("name", "text", "outside"):
                    raise self.wrong(
                        f"{source} names {key!r}, which is no key of it",
                        where,
                        did_you_mean(key, keys) or f"the keys are {', '.join(keys)}",
                    )
        return made

    def value(self, key: str, value: object, where: str) -> Any:
        """The value of a key, checked."""
        sort = _KEYS.get(key, Sort.NUMBER)
        if not _is(sort, value):
            raise self.wrong(
                f"{key} is {called(value)}, not {sort.value}", where, f"write {key} as {sort.value}"
            )
        if sort is Sort.NUMBER:
            assert isinstance(value, int)
            least, most = _LEAST.get(key, 0), _MOST.get(key, 999)
            if not least <= value <= most:
                raise self.wrong(f"{key} is {value}", where, f"give a number from {least} to {most}")
        if sort is Sort.TEXT and not str(value).strip():
            raise self.wrong(f"{key} is empty", where, "write what is printed on the card")
        return tuple(value) if isinstance(value, list) else value

    def names(self, names: Iterable[str], creatures: tuple[Creature, ...], key: str, where: str) -> None:
        """Refuse names of creatures that do not exist."""
        known = [c.name for c in creatures]
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known) or f"the creatures are {', '.join(known) or 'none'}"
                raise self.wrong(f"{key} names {name!r}, which is no creature of this file", where, hint)

    def averse(self, creatures: tuple[Creature, ...]) -> None:
        """Check the aversions against the creatures that there are."""
        for c in creatures:
            where = f"creature {c.name!r}"
            self.names(c.averse_to, creatures, "averse_to", where)
            if c.name in c.averse_to:
                raise self.wrong("it is averse to its own kind", where, "name other kinds only")
            if c.third and not c.averse_to:
                raise self.wrong(
                    "a third one drives nobody away, as averse_to is empty", where, "drop `third`"
                )

    def unique(self, cards: Iterable[Card]) -> None:
        """Refuse two cards of one name."""
        for member, times in Counter(c.member for c in cards).items():
            if times > 1 or member == "NONE":
                raise self.wrong(
                    f"the name {member} is there {times} times" if times > 1 else "NONE is no name",
                    hint="give each card its own name, and its number as count",
                )


def _is(sort: Sort, value: object) -> bool:
    number = isinstance(value, int) and not isinstance(value, bool)
    if sort is Sort.NUMBER:
        return number
    if sort is Sort.TEXT:
        return isinstance(value, str)
    if sort is Sort.TRUTH:
        return isinstance(value, bool)
    if not isinstance(value, list):
        return False
    if sort is Sort.NAMES:
        return all(isinstance(v, str) for v in value)
    return bool(value) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
