"""Card files of The Duel: TOML that a user can write, checked with one clear message for a mistake.

    schema = 1
    [size.print]              # one size of this name; several may share the cards
    hand = 4                  # the numbers of `Duel`; those left out are as printed or known
    [[ally]]
    name = "Bavragor"         # in the first deck
    other = "…"               # in the second deck; the same if left out
    count = 1                 # copies in each deck
    value = 1                 # costs one die showing 1; or  equal = 3  for three dice of one value
    health = 2
    attacks = [1]             # a point of damage for each 1
    text = ["value", "attacks"]   # what the rulebook tells
    outside = []              # what public sources tell; what is in neither list is assumed
    [[victory]]               # name, other, count, value or equal, health, points
    [[support]]               # …, more_dice, turns
    [[event]]                 # name, other, count, value, equal or neither, damage, removes, draws
    [[twist]]                 # name, other, count, damage, removes, prevents, draws, own_turn

Promise: whatever is wrong with a file is a `ModelError` that names the file, the entry and what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from models.language import ModelError
from models.language.nearest import did_you_mean
from models.language.sentences import decode, read_bytes
from models.language.sizefiles import check_schema, sizes_of
from models.language.tables import Table, called, parse
from models.the_duel.cards import Card, Duel, Sort

FOLDER = Path(__file__).parent / "cards"

_SIZE = ("hand", "rolled", "limit", "dice", "faces", "wild_cards", "laid")
_COMMON = ("name", "other", "count", "text", "outside")
_COST = ("value", "equal")
_EFFECT = ("damage", "removes", "draws")
_KEYS: Mapping[Sort, tuple[str, ...]] = {
    Sort.ALLY: (*_COMMON, *_COST, "health", "attacks", "king"),
    Sort.VICTORY: (*_COMMON, *_COST, "health", "points"),
    Sort.SUPPORT: (*_COMMON, *_COST, "health", "more_dice", "turns"),
    Sort.EVENT: (*_COMMON, *_COST, *_EFFECT),
    Sort.TWIST: (*_COMMON, *_EFFECT, "prevents", "own_turn"),
}
_TRUTHS = ("king", "removes", "prevents", "own_turn")
_NUMBERS = ("attacks", "faces")
_TEXTS = ("text", "outside")
#: Key → least and greatest value; others go from 0 to 9.
_RANGE = {"count": (1, 35), "value": (1, 5), "equal": (2, 4), "hand": (1, 9), "rolled": (1, 9)}
_RANGE |= {"limit": (1, 9), "dice": (1, 40), "wild_cards": (0, 9), "laid": (0, 99)}


def read(path: Path | str) -> dict[str, Duel]:
    """The sizes of a card file.

    Args:
        path: The file.

    Returns:
        Name of a size → size, in the order of the file.

    Errors:
        ModelError: the file cannot be read, is not UTF-8, not TOML, or not of the format.
    """
    place = str(path)
    data = parse(decode(read_bytes(path, "give the path of a card file"), place), place)
    return _sizes(Table(data, place))


def read_all(folder: Path = FOLDER) -> dict[str, Duel]:
    """The sizes of all card files of a folder, small ones first.

    Errors:
        ModelError: a mistake in a file, or two sizes of one name.
    """
    found: dict[str, Duel] = {}
    for path in sorted(folder.glob("*.toml")):
        for name, size in read(path).items():
            if name in found:
                raise ModelError(f"there are two sizes {name}", where=str(path), hint="rename one of them")
            found[name] = size
    order = ("small", "medium", "examples", "print")
    rank = {n: next((i for i, o in enumerate(order) if n.split("-")[0] == o), len(order)) for n in found}
    return dict(sorted(found.items(), key=lambda entry: (rank[entry[0]], "-" in entry[0], entry[0])))


def _sizes(file: Table) -> dict[str, Duel]:
    file.keys(("schema", "size", *Sort))
    check_schema(file)
    cards = tuple(card for sort in Sort for card in _cards(file, sort))
    for member, times in Counter(c.member for c in cards).items():
        if times > 1 or member == "NONE":
            raise file.wrong(
                f"the name {member} is there {times} times" if times > 1 else "NONE is no name",
                "give each card its own name, and the number of its copies as count",
            )

    def size(table: Table) -> Duel:
        table.keys(_SIZE)
        return Duel(cards=cards, **{key: _value(table, key) for key in table.data})

    return sizes_of(file, size)


def _cards(file: Table, sort: Sort) -> Iterable[Card]:
    entries = file.data.get(sort, [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise file.wrong(f"{sort} is not an array of tables", f"begin every card with [[{sort}]]")
    for number, entry in enumerate(entries, 1):
        named = entry.get("name")
        called_so = repr(named) if isinstance(named, str) else f"number {number}"
        yield _card(Table(entry, f"{file.where}, {sort} {called_so}"), sort)


def _card(table: Table, sort: Sort) -> Card:
    table.keys(_KEYS[sort])
    table.text("name", "write the name that is printed on the card")
    made = Card(sort=sort, **{key: _value(table, key) for key in table.data})
    if not made.member:
        raise table.wrong("the name has no letter", "write the name that is printed on the card")
    for source in _TEXTS:
        for key in getattr(made, source):
            if key not in _KEYS[sort] or key in ("name", *_TEXTS):
                near = did_you_mean(key, _KEYS[sort]) or f"the keys are {', '.join(_KEYS[sort])}"
                raise table.wrong(f"{source} names {key!r}, which is no key of it", near)
    _rules(table, made)
    return made


def _rules(table: Table, card: Card) -> None:
    """What the text says about every card of a sort."""
    if card.value and card.equal:
        raise table.wrong("it has two costs", "write value for one die, or equal for two to four")
    if card.sort not in (Sort.EVENT, Sort.TWIST) and not card.dice:
        raise table.wrong(
            "it costs nothing, and only twists of fate and three events do", "write value = … or equal = …"
        )
    does = (card.damage > 0, card.removes, card.prevents, card.draws > 0)
    if card.sort in (Sort.EVENT, Sort.TWIST) and sum(does) != 1:
        raise table.wrong(
            f"it has {sum(does)} effects",
            "write one of damage, removes, draws" + (", prevents" if card.sort is Sort.TWIST else ""),
        )
    if card.own_turn and card.prevents:
        raise table.wrong(
            "it prevents an attack on its own turn only, where nobody attacks its player", "drop `own_turn`"
        )
    if card.king and not card.health:
        raise table.wrong("a king without health points cannot be attacked later", "write health = …")


def _value(table: Table, key: str) -> Any:
    """The value of a key, checked."""
    value = table.data[key]
    if key in ("name", "other"):
        return table.text(key, "write what is printed on the card")
    if key in _TRUTHS:
        return _of(table, key, value, bool, "true or false")
    if key in _TEXTS or key in _NUMBERS:
        item, said = (str, "texts") if key in _TEXTS else (int, "whole numbers")
        listed = _of(table, key, value, list, f"an array of {said}")
        if not all(isinstance(v, item) and not isinstance(v, bool) for v in listed):
            raise table.wrong(f"{key} does not hold {said} only", f"write {key} as an array of {said}")
        return tuple(listed)
    least, most = _RANGE.get(key, (0, 9))
    number = table.whole(key, 0, f"give a number from {least} to {most}")
    if not least <= number <= most:
        raise table.wrong(f"{key} is {number}", f"give a number from {least} to {most}")
    return number


def _of(table: Table, key: str, value: object, kind: type, said: str) -> Any:
    if not isinstance(value, kind):
        raise table.wrong(f"{key} is {called(value)}, not {said}", f"write {key} as {said}")
    return value
