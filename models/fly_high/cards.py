"""Cards and sizes of Fly High.

Promises: a size says which kinds of card exist, how many of each, and what the die shows; the enumeration
of cards has only the kinds of its size, so that a kind that does not exist costs nothing.

The text gives 63 number cards and 17 specials and leaves open how they split over numbers, kinds and
characters, what the faces of the die are, and how many play: those numbers are parameters here, and each
is declared as missing in `readings`.
"""

from __future__ import annotations

import enum
import functools
import re
from collections import Counter
from typing import Any

import attrs

from models.language import ModelError, Size

#: Letter of a special in a pack's notation → name of its card.
SPECIALS = {"R": "RAINBOW", "U": "UTURN", "F": "FINISH"}
_KIND = re.compile(r"(?:(?P<number>[1-6]0)|(?P<special>[RUF]))(?P<character>[A-Z]?)"
                   r"(?:\*(?P<count>[1-9][0-9]?))?\Z")


class Face(enum.IntEnum):
    """What a card is, apart from its number and its character."""

    NUMBER = 0
    RAINBOW = 1
    UTURN = 2
    FINISH = 3


@attrs.frozen(kw_only=True)
class Kind:
    """Cards that are alike.

    Attributes:
        tens: The number on it in tens, 1..6; 0 on a special card.
        face: Number card, or which special.
        character: Letter of the character it shows, "" for none (the text names no character).
        count: How many there are, at least 1.
    """

    tens: int = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(6)])
    face: Face
    character: str = ""
    count: int = attrs.field(default=1, validator=attrs.validators.ge(1))

    @property
    def name(self) -> str:
        """Name in the enumeration of cards: `N20_A`, `N20`, `RAINBOW`."""
        front = f"N{10 * self.tens}" if self.face is Face.NUMBER else self.face.name
        return f"{front}_{self.character}" if self.character else front


def pack(cards: str) -> tuple[Kind, ...]:
    """Kinds of card from a short notation.

    Args:
        cards: Kinds with white space in between: a number 10..60 or a special R, U, F, then perhaps the
            letter of a character, then perhaps `*count`: `10A*3 20 U R*2`.

    Returns:
        The kinds in the order of the notation.

    Errors:
        ModelError: a kind that cannot be read, or one that is named twice.
    """
    kinds = []
    for word in cards.split():
        found = _KIND.match(word)
        if found is None:
            raise ModelError(f"{word!r} is no kind of card", hint="write for instance 20A*2, 30, U or R*2")
        face = Face[SPECIALS[found["special"]]] if found["special"] else Face.NUMBER
        kinds.append(Kind(tens=int(found["number"] or 0) // 10, face=face, character=found["character"],
                          count=int(found["count"] or 1)))
    for name, times in Counter(k.name for k in kinds).items():
        if times > 1:
            raise ModelError(f"the pack names {name} {times} times",
                             hint="give each kind once, with its count")
    return tuple(kinds)


def _kinds(given: str | tuple[Kind, ...]) -> tuple[Kind, ...]:
    return pack(given) if isinstance(given, str) else given


@functools.cache
def _enumeration(names: tuple[str, ...]) -> type[enum.Enum]:
    make: Any = enum.Enum
    made: type[enum.Enum] = make("Card", ["NONE", "HIDDEN", *names], module=__name__)
    return made


@attrs.frozen(kw_only=True)
class FlyHigh(Size):
    """How large a game is.

    Attributes:
        players: Number of players, at least 2 (from outside: 2..5; the text gives none).
        spots: Cards in the square (printed: 9).
        cards: The kinds of card, or their notation for `pack`.
        die: The number on each face of the die that shows one (from outside: 3, 4 and 5 occur; how often
            each does is assumed).
        clouds: How many faces show the cloud.
    """

    players: int = 2
    spots: int
    cards: tuple[Kind, ...] = attrs.field(converter=_kinds)
    die: tuple[int, ...]
    clouds: int = 1

    def validate(self) -> None:
        """Check that the square can be dealt and that the die can be met."""
        self.need(2 <= self.players <= 8, f"{self.players} players cannot play", "give 2 to 8")
        self.need(1 <= self.spots <= 9, f"a square of {self.spots} cards", "give 1 to 9 spots")
        self.need(self.total > self.spots, f"{self.spots} spots leave no deck of {self.total} cards",
                  "give more cards or fewer spots")
        self.need(bool(self.die) and min(self.die) > 0, "the die shows no number above 0")
        self.need(max(self.die, default=0) <= self.spots,
                  f"the die asks for {max(self.die, default=0)} of {self.spots} cards", "give more spots")
        self.need(self.clouds >= 0, f"{self.clouds} faces with a cloud")

    @property
    def total(self) -> int:
        """Number of cards in all."""
        return sum(k.count for k in self.cards)

    @property
    def deck(self) -> int:
        """Cards in the deck once the square is dealt."""
        return self.total - self.spots

    @property
    def card(self) -> type[enum.Enum]:
        """The enumeration of cards: NONE (no card lies there), HIDDEN (never seen), then the kinds."""
        return _enumeration(tuple(k.name for k in self.cards))

    @property
    def none(self) -> enum.Enum:
        """The member that stands for an empty spot."""
        return self.card["NONE"]

    @property
    def hidden(self) -> enum.Enum:
        """The member that stands for a card whose face nobody has seen."""
        return self.card["HIDDEN"]

    @property
    def kinds(self) -> tuple[enum.Enum, ...]:
        """The members that are cards."""
        return tuple(self.card[k.name] for k in self.cards)

    @property
    def counts(self) -> dict[enum.Enum, int]:
        """Card → how many there are."""
        return {self.card[k.name]: k.count for k in self.cards}

    @property
    def tens(self) -> tuple[int, ...]:
        """Number in tens, by ordinal of the card."""
        return (0, 0, *(k.tens for k in self.cards))

    @property
    def highest(self) -> int:
        """The greatest number on a card, in tens."""
        return max(self.tens)

    @property
    def faces(self) -> tuple[int, ...]:
        """Face by ordinal of the card (a number card's where there is no face to see)."""
        return (0, 0, *(int(k.face) for k in self.cards))

    @property
    def characters(self) -> tuple[str, ...]:
        """Letters of the characters that are on some card."""
        return tuple(sorted({k.character for k in self.cards} - {""}))

    @property
    def tracked(self) -> int:
        """Number of characters, at least 1 (the length of an array over them)."""
        return max(1, len(self.characters))

    def shows(self, character: str) -> tuple[int, ...]:
        """1 by ordinal of the card where it shows a character, else 0."""
        return (0, 0, *(int(k.character == character) for k in self.cards))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The different numbers on the die, rising."""
        return tuple(sorted(set(self.die)))

    @property
    def most_bonus(self) -> int:
        """The most cards that one flight can be owed as a bonus."""
        return 2 * (self.spots // 3)


def _print() -> str:
    """A full pack: 63 numbers spread over six numbers and five characters, and 6, 6 and 5 specials."""
    counts = Counter((10 * (1 + i % 6), "ABCDE"[i // 6 % 5]) for i in range(63))
    return " ".join([*(f"{n}{c}*{k}" for (n, c), k in sorted(counts.items())), "R*6", "U*6", "F*5"])


#: The first is the default; those whose names begin with its name show what it is too small for.
SIZES = {
    "small": FlyHigh(spots=3, cards="10A*2 20A R U F", die=(2, 3)),
    "small-uturns": FlyHigh(spots=4, cards="10 20*2 R U*2", die=(2,)),
    "small-bonus": FlyHigh(spots=6, cards="10A*6 10B*3", die=(6,)),
    "medium": FlyHigh(spots=4, cards="10A*2 20A*2 30B R U F", die=(2, 3)),
    "examples": FlyHigh(spots=6, cards="10*4 20*5 30*5 40*4 60*4 R*3 U*3 F*2", die=(3, 4)),
    "print": FlyHigh(spots=9, cards=_print(), die=(3, 4, 5, 5, 4)),
}
