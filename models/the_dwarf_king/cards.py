"""Cards of The Dwarf King: suits, special cards, challenges and contracts, all as data that the rules read.

Promises: the enumerations of a size have only the cards of that size; every special card and challenge says
whose word it is. The text names types of special card and two challenges, and lists neither; what comes from
public sources says `outside`, what was made up so that each type is there says `assumed`.
"""

from __future__ import annotations

import enum
import functools
import itertools
import re
from collections.abc import Sequence
from typing import Any

import attrs

from models.language import ModelError


class Suit(enum.IntEnum):
    """The three suits; NONE is what a card without a suit has."""

    DWARVES = 0
    GOBLINS = 1
    KNIGHTS = 2
    NONE = 3


SUITS = (Suit.DWARVES, Suit.GOBLINS, Suit.KNIGHTS)
_ONE = {Suit.DWARVES: "DWARF", Suit.GOBLINS: "GOBLIN", Suit.KNIGHTS: "KNIGHT"}
_LETTERS = {"D": Suit.DWARVES, "G": Suit.GOBLINS, "K": Suit.KNIGHTS}
_CARD = re.compile(r"(?P<suit>[DGK])(?P<value>[1-9][0-9]?)\Z")


class Word(enum.Enum):
    """Whose word a card is."""

    TEXT = "text"  #: the rulebook prints it
    OUTSIDE = "outside"  #: public sources tell it
    ASSUMED = "assumed"  #: of a type that the rulebook names; the numbers are the model's


class Target(enum.Enum):
    """Which card of the trick a special card changes."""

    LED = "the card led"
    CHOSEN = "a card that the player of the special chooses"


@attrs.frozen(kw_only=True)
class Card:
    """A card of a suit.

    Attributes:
        suit: Its suit.
        value: Its number; the ace is 14.
    """

    suit: Suit
    value: int

    @property
    def member(self) -> str:
        """Its name in the enumeration of cards: `DWARF_5`."""
        return f"{_ONE[self.suit]}_{self.value}"


@attrs.frozen(kw_only=True)
class Special:
    """A kind of special card.

    Attributes:
        name: Its name in the enumeration of special cards.
        word: Whose word it is.
        count: How many there are.
        suit: Its own suit; NONE for a card that belongs to no suit.
        value: Its own number, 0 for none.
        target: Which card it changes when it is played, or None.
        new_suit: The suit to which it changes that card, NONE for no change.
        new_value: The number to which it changes that card, 0 for no change.
        lowest: The lowest card of the suit led wins its trick.
        free: It says itself that it may be played by somebody who could follow suit.
        wins: It says itself that it wins the trick.
        passes_lead: It says itself that, led, it leaves the suit to the next card.
        deals: Whoever takes it deals the next round.
        points: What it brings at scoring to whoever took it.
    """

    name: str
    word: Word = Word.ASSUMED
    count: int = attrs.field(default=1, validator=attrs.validators.ge(1))
    suit: Suit = Suit.NONE
    value: int = 0
    target: Target | None = None
    new_suit: Suit = Suit.NONE
    new_value: int = 0
    lowest: bool = False
    free: bool = False
    wins: bool = False
    passes_lead: bool = False
    deals: bool = False
    points: int = 0

    def __attrs_post_init__(self) -> None:
        changes = self.new_suit is not Suit.NONE or self.new_value > 0
        if changes != (self.target is not None):
            raise ModelError(
                f"special card {self.name}: a change and the card that it changes go together",
                hint="give both a target and a new suit or number, or neither",
            )
        if (self.suit is Suit.NONE) != (self.value == 0):
            raise ModelError(
                f"special card {self.name}: it has a suit or a number, but not both",
                hint="give both, or neither",
            )


@attrs.frozen(kw_only=True)
class Challenge:
    """One way to score a round.

    Attributes:
        name: Its name in the enumeration of challenges.
        word: Whose word it is.
        trick: Points for each trick.
        cards: Points for each card of a suit, by suit.
    """

    name: str
    word: Word = Word.ASSUMED
    trick: int = 0
    cards: tuple[int, int, int] = (0, 0, 0)


@attrs.frozen(kw_only=True)
class Contract:
    """A contract card with its two challenges.

    Attributes:
        first: Name of the one challenge.
        second: Name of the other.
        count: How many such cards there are.
    """

    first: str
    second: str
    count: int = attrs.field(default=1, validator=attrs.validators.ge(1))

    @property
    def member(self) -> str:
        """Its name in the enumeration of contracts."""
        return f"{self.first}_OR_{self.second}"


# --- what there is ------------------------------------------------------------------------------------

#: One special card at least of each type that the text names, and some that are known from outside.
SPECIALS = {
    s.name: s
    for s in (
        Special(name="SUIT_OF_LED", target=Target.LED, new_suit=Suit.KNIGHTS),
        Special(name="SUIT_OF_ANY", target=Target.CHOSEN, new_suit=Suit.DWARVES),
        Special(name="VALUE_OF_LED", target=Target.LED, new_value=1),
        Special(name="VALUE_OF_ANY", target=Target.CHOSEN, new_value=6),
        Special(name="LOWEST_WINS", lowest=True),
        Special(name="PRIZE", points=3),
        Special(name="BURDEN", points=-3),
        Special(name="ONE_OF_DWARVES", word=Word.OUTSIDE, suit=Suit.DWARVES, value=1),
        Special(name="ONE_OF_GOBLINS", word=Word.OUTSIDE, suit=Suit.GOBLINS, value=1),
        Special(name="ONE_OF_KNIGHTS", word=Word.OUTSIDE, suit=Suit.KNIGHTS, value=1),
        Special(name="ELEVEN_OF_DWARVES", word=Word.OUTSIDE, count=2, suit=Suit.DWARVES, value=11),
        Special(name="ELEVEN_OF_GOBLINS", word=Word.OUTSIDE, count=2, suit=Suit.GOBLINS, value=11),
        Special(name="ELEVEN_OF_KNIGHTS", word=Word.OUTSIDE, count=2, suit=Suit.KNIGHTS, value=11),
        Special(name="DRAGON", word=Word.OUTSIDE, free=True, wins=True, passes_lead=True),
        Special(name="MUSICIAN", word=Word.OUTSIDE, deals=True),
    )
}

#: The challenges that the text prints, those that are known from outside, and their likes.
CHALLENGES = {
    c.name: c
    for c in (
        Challenge(name="TRICKS_PLUS_2", word=Word.TEXT, trick=2),
        Challenge(name="DWARVES_MINUS_1", word=Word.TEXT, cards=(-1, 0, 0)),
        Challenge(name="KNIGHTS_OVER_DWARVES", word=Word.OUTSIDE, cards=(-1, 0, 1)),
        Challenge(name="DWARVES_OVER_KNIGHTS", word=Word.OUTSIDE, cards=(1, 0, -1)),
        Challenge(name="TRICKS_MINUS_1", trick=-1),
        Challenge(name="GOBLINS_PLUS_1", cards=(0, 1, 0)),
        Challenge(name="GOBLINS_MINUS_1", cards=(0, -1, 0)),
        Challenge(name="KNIGHTS_PLUS_1", cards=(0, 0, 1)),
    )
}


# --- notations ----------------------------------------------------------------------------------------


def pack(cards: str | Sequence[Card]) -> tuple[Card, ...]:
    """Cards of the suits from a short notation.

    Args:
        cards: Letters D, G or K with a number each, in any order: `D5 D9 G5 K5`; or the cards themselves.

    Returns:
        The cards by suit, then by number.

    Errors:
        ModelError: a card that cannot be read, or one that is named twice.
    """
    if not isinstance(cards, str):
        return tuple(cards)
    made = []
    for word in cards.split():
        found = _CARD.match(word)
        if found is None:
            raise ModelError(f"{word!r} is no card", hint="write for instance D5, G10 or K14")
        made.append(Card(suit=_LETTERS[found["suit"]], value=int(found["value"])))
    made.sort(key=lambda c: (c.suit, c.value))
    for one, other in itertools.pairwise(made):
        if one == other:
            raise ModelError(f"the card {one.member} is named twice", hint="name each card once")
    return tuple(made)


def named_specials(given: str | Sequence[Special]) -> tuple[Special, ...]:
    """Special cards by their names, with `*count` where it is not as in `SPECIALS`: `PRIZE*7 DRAGON`.

    Errors:
        ModelError: an unknown name, or a count that is no number.
    """
    if not isinstance(given, str):
        return tuple(given)
    made = []
    for word in given.split():
        name, _, times = word.partition("*")
        if name not in SPECIALS:
            raise ModelError(f"there is no special card {name!r}", hint=f"choose from {', '.join(SPECIALS)}")
        if times and not times.isdecimal():
            raise ModelError(f"{times!r} is no number of cards", hint=f"write for instance {name}*2")
        made.append(attrs.evolve(SPECIALS[name], count=int(times)) if times else SPECIALS[name])
    return tuple(made)


@functools.cache
def enumeration(name: str, members: tuple[str, ...]) -> type[enum.Enum]:
    """The enumeration of these members; one object for equal arguments."""
    make: Any = enum.Enum
    made: type[enum.Enum] = make(name, [*members], module=__name__)
    return made
