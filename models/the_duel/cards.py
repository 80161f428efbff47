"""Cards of The Duel: what a user can type in, and the sizes made of it.

Promises: a size's cards come from a file and from nowhere else (see `files` for the format); the enumeration
of a size has only the cards of that size, so that a card that does not exist costs nothing.

The two decks hold the same cards under different names ("Throwing Axe / Dagger"): a card has both. The text
names about a dozen cards and tells how many there are of a few sorts only. What a file takes from elsewhere
it marks: `assumed` lists what neither the text nor an outside source tells.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable
from typing import Any

import attrs

from models.language import Size

#: What pays for a die of a value: that face, a face that shows `wild`, or a Wild Card.
WILD, WILD_CARD = "wild", "wild-card"


class Sort(enum.StrEnum):
    """The sorts of card."""

    ALLY = "ally"
    VICTORY = "victory"
    SUPPORT = "support"
    EVENT = "event"
    TWIST = "twist"


#: Sorts that stay in the display.
LYING = (Sort.ALLY, Sort.VICTORY, Sort.SUPPORT)


@attrs.frozen(kw_only=True)
class Card:
    """One card of a deck, with its copies.

    Attributes:
        sort: Ally, victory points, support, event or twist of fate.
        name: As printed, in the first deck.
        other: As printed, in the second deck.
        count: Copies in each deck.
        value: It costs one die of this value (0: it does not).
        equal: It costs this many dice of one value (0: it does not); with neither it is free.
        health: Health points (0: none).
        points: Victory points.
        attacks: Values of the dice for each of which it inflicts a point of damage.
        king: It can be defeated by a damaging twist at the moment at which it is played.
        more_dice: Additional dice in each dice phase.
        turns: By how much it raises or lowers a die, once a turn.
        damage: Points of damage that its effect inflicts.
        removes: Its effect removes a card from the opponent's display.
        prevents: It prevents an attack.
        draws: Cards that its player draws.
        own_turn: It cannot be played on the opponent's turn.
        text: Keys whose value the rulebook tells.
        outside: Keys whose value comes from public sources.
    """

    sort: Sort
    name: str
    other: str = ""
    count: int = 1
    value: int = 0
    equal: int = 0
    health: int = 0
    points: int = 0
    attacks: tuple[int, ...] = ()
    king: bool = False
    more_dice: int = 0
    turns: int = 0
    damage: int = 0
    removes: bool = False
    prevents: bool = False
    draws: int = 0
    own_turn: bool = False
    text: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def member(self) -> str:
        """Its name in the enumeration: `THROWING_AXE`."""
        words = "".join(sign if sign.isalnum() else " " for sign in self.name).split()
        return "_".join(words).upper()

    @property
    def names(self) -> tuple[str, str]:
        """Its name in the first and in the second deck."""
        return self.name, self.other or self.name

    @property
    def dice(self) -> int:
        """How many dice it costs."""
        return 1 if self.value else self.equal

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys that say something and are nobody's word but the file's."""
        told = {"sort", "name", "other", "text", "outside", *self.text, *self.outside}
        own = [a for a in attrs.fields(type(self)) if a.name not in told]
        return tuple(a.name for a in own if getattr(self, a.name) != a.default)


@functools.cache
def _enumeration(name: str, members: tuple[str, ...]) -> type[enum.Enum]:
    make: Any = enum.Enum
    made: type[enum.Enum] = make(name, [*members], module=__name__)
    return made


@attrs.frozen(kw_only=True)
class Duel(Size):
    """How large a game is, and with which cards.

    Attributes:
        hand: Cards in a full hand (from outside: 4).
        rolled: Dice rolled in a dice phase (from outside: 3).
        limit: Most dice in front of a player (printed with the Wild Cards: 6).
        dice: Dice in the box (nobody tells).
        faces: The numbers on a die (from outside: 1 to 5), each as likely as the face that shows wild.
        wild_cards: Number of Wild Cards (printed: 3).
        laid: Variant `turn`: the most cards that are laid out of the decks.
        cards: The cards of a deck.
    """

    hand: int = 4
    rolled: int = 3
    limit: int = 6
    dice: int = 12
    faces: tuple[int, ...] = (1, 2, 3, 4, 5)
    wild_cards: int = 3
    laid: int = 99
    cards: tuple[Card, ...]

    #: The game is for two.
    players = 2

    def validate(self) -> None:
        """Check that hands can be dealt and that dice fit the cards."""
        self.need(bool(self.cards), "there are no cards", "write at least one")
        self.need(self.hand >= 1, "the hands are empty", "give at least one card")
        self.need(bool(self.faces), "a die shows no number", "give at least one")
        self.need(
            list(self.faces) == list(range(1, len(self.faces) + 1)),
            f"a die shows {list(self.faces)}",
            "give the numbers from 1 on, rising",
        )
        self.need(1 <= self.rolled <= self.limit, f"{self.rolled} dice are rolled and {self.limit} allowed")
        self.need(self.limit <= self.dice, f"there are {self.dice} dice, and a player may have {self.limit}")
        self.need(
            self.deck > self.hand,
            f"a deck of {self.deck} is empty when {self.hand} cards have been dealt",
            "give more cards or smaller hands",
        )
        kings = [c.name for c in self.cards if c.king]
        self.need(len(kings) <= 1, f"several cards are kings: {', '.join(kings)}", "mark one of them")
        for card in self.cards:
            self._card(card)

    def _card(self, card: Card) -> None:
        self.need(
            card.health < 2 or card.count == 1,
            f"{card.name} has {card.health} health points and {card.count} copies",
            "each copy is damaged by itself: give each its own name, with count = 1",
        )
        for number in (*card.attacks, *((card.value,) if card.value else ())):
            self.need(number in self.faces, f"{card.name} needs a {number}, which no die shows")
        most = self.limit + self.wild_cards
        self.need(
            card.dice <= most, f"{card.name} costs {card.dice} dice", f"nobody ever has more than {most}"
        )

    # -- cards -----------------------------------------------------------------------------------
    @property
    def deck(self) -> int:
        """Number of cards in each deck."""
        return sum(c.count for c in self.cards)

    @property
    def card(self) -> type[enum.Enum]:
        """The enumeration of cards: NONE, then all of them."""
        return _enumeration("Card", ("NONE", *(c.member for c in self.cards)))

    @property
    def counts(self) -> dict[enum.Enum, int]:
        """Card → how many of it are in each deck."""
        return {self.card[c.member]: c.count for c in self.cards}

    @property
    def display_counts(self) -> dict[enum.Enum, int]:
        """Card that stays in the display → how many of it are in each deck."""
        return {self.card[c.member]: c.count for c in self.cards if c.sort in LYING}

    @property
    def wounds(self) -> tuple[int, ...]:
        """The most damage that leaves each card undefeated, by its ordinal."""
        return (0, *(max(c.health - 1, 0) for c in self.cards))

    @property
    def pack(self) -> tuple[enum.Enum, ...]:
        """All cards."""
        return self.members(self.cards)

    def members(self, cards: Iterable[Card]) -> tuple[enum.Enum, ...]:
        """Members of the enumeration of cards."""
        return tuple(self.card[c.member] for c in cards)

    def where(self, **keys: Any) -> tuple[enum.Enum, ...]:
        """The cards whose keys have these values; True stands for anything but 0, False and ()."""
        return self.members(
            c
            for c in self.cards
            if all(bool(getattr(c, k)) if v is True else getattr(c, k) == v for k, v in keys.items())
        )

    def of(self, member: enum.Enum) -> Card:
        """What is printed on a card of the enumeration."""
        return next(c for c in self.cards if c.member == member.name)

    def called(self, card: enum.Enum | str, seat: int) -> str:
        """What a player's deck calls a card of the enumeration, for words and pictures; "" for none."""
        name = card if isinstance(card, str) else card.name
        return next((c.names[seat] for c in self.cards if c.member == name), "")

    def by_card(self, key: str) -> tuple[int, ...]:
        """A number of each card, by its ordinal."""
        return (0, *(int(getattr(c, key)) for c in self.cards))

    # -- dice and damage -----------------------------------------------------------------------------
    @property
    def sides(self) -> tuple[int, ...]:
        """The faces of a die: 0 stands for wild."""
        return (0, *self.faces)

    @property
    def face_count(self) -> int:
        """How many faces a die has."""
        return len(self.sides)

    @property
    def most_dice(self) -> int:
        """The most dice that a player can have: under a reading, additional ones beyond the limit."""
        return min(self.dice, self.limit + self.most_rolled - self.rolled)

    @property
    def tenders(self) -> tuple[str, ...]:
        """What an ally can be used with: a die of a number, a wild die, a Wild Card."""
        numbers = sorted({n for c in self.cards for n in c.attacks})
        return (*(str(n) for n in numbers), WILD, WILD_CARD)

    @property
    def most_paid(self) -> int:
        """The most dice that a card costs."""
        return max(c.dice for c in self.cards)

    @property
    def most_damage(self) -> int:
        """The most points of damage that one card inflicts at once."""
        return max(1, *(c.damage for c in self.cards))

    @property
    def most_draws(self) -> int:
        """The most cards that an effect draws."""
        return max(1, *(c.draws for c in self.cards))

    @property
    def most_turned(self) -> int:
        """How often dice can be turned in one turn."""
        return max(1, sum(c.count for c in self.cards if c.turns))

    @property
    def most_rolled(self) -> int:
        """The most dice rolled in one dice phase."""
        return self.rolled + sum(c.count * c.more_dice for c in self.cards)

    @property
    def strikes(self) -> int:
        """How many damaging twists there are in both decks."""
        return 2 * sum(c.count for c in self.cards if c.sort is Sort.TWIST and c.damage)

    @property
    def longest_chain(self) -> int:
        """The most things that can wait for each other: the first one, and every damaging twist upon it."""
        return 1 + self.strikes
