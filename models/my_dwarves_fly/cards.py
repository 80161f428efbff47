"""Cards of My Dwarves Fly: what a user can type in, and the sizes made of it.

Promises: a size's cards come from a file and from nowhere else (see `files` for the format); the enumerations
of a size have only the cards of that size, so that a card that does not exist costs nothing.

The text names a handful of its cards and tells how many there are by sort only. What a file takes from
elsewhere it marks: `assumed` lists what neither the text nor an outside source tells.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Sequence
from typing import Any

import attrs

from models.language import Size
from models.my_dwarves_fly.dice import Roll, rolls

#: The number on a die at which any creature finds gold.
TREASURE = 1


@attrs.frozen(kw_only=True)
class Card:
    """What all cards share.

    Attributes:
        name: As printed, in English.
        count: How many cards of this name there are.
        text: Keys whose value the rulebook tells.
        outside: Keys whose value comes from public sources.
    """

    name: str
    count: int = 1
    text: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def member(self) -> str:
        """Its name in the enumerations: `FORGET_IT`."""
        words = "".join(sign if sign.isalnum() else " " for sign in self.name).split()
        return "_".join(words).upper()

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys whose value is nobody's word but the file's."""
        own = [a.name for a in attrs.fields(type(self)) if a.name not in ("name", "text", "outside")]
        return tuple(k for k in own if k not in self.text and k not in self.outside)


@attrs.frozen(kw_only=True)
class Creature(Card):
    """A kind of creature.

    Attributes:
        dice: Battle dice on the card.
        averse_to: Names of the kinds that it drives away when it comes.
        third: A third one on the table drives them away from everybody.
    """

    dice: int
    averse_to: tuple[str, ...] = ()
    third: bool = False


@attrs.frozen(kw_only=True)
class Skill(Card):
    """A skill card.

    Attributes:
        fits: Names of the kinds that it can be laid beside.
        more_dice: Dice that it adds to each creature.
        gold_on: Numbers at which such a creature finds gold.
        repeat: It lets an opposing creature be made to roll once more.
    """

    fits: tuple[str, ...]
    more_dice: int = 0
    gold_on: tuple[int, ...] = (TREASURE,)
    repeat: bool = False


@attrs.frozen(kw_only=True)
class Event(Card):
    """An event card.

    Attributes:
        battle_value: What it adds to the battle value of its player.
        treasure: What it adds to the treasure value of its player.
        cancels: It cancels another event card.
    """

    battle_value: int = 0
    treasure: int = 0
    cancels: bool = False


@attrs.frozen(kw_only=True)
class Battle(Card):
    """A kind of battle.

    Attributes:
        creatures: How many creatures of each player fight.
        gold: Pieces of gold that a winner gets beside those found.
    """

    creatures: int
    gold: int


class Pile(enum.IntEnum):
    """The two decks."""

    CREATURES = 0
    ACTIONS = 1


@functools.cache
def _enumeration(name: str, members: tuple[str, ...]) -> type[enum.Enum]:
    make: Any = enum.Enum
    made: type[enum.Enum] = make(name, [*members], module=__name__)
    return made


@attrs.frozen(kw_only=True)
class MyDwarves(Size):
    """How large a game is, and with which cards.

    Attributes:
        players: Number of players (from outside: 2..4; the text gives none).
        hand: Cards in a full hand (printed: 5).
        gold_to_win: Gold at which a player has won (printed: 15).
        coins: Pieces of gold in the supply (printed: 40).
        dice: Number of dice (printed: 5).
        faces: The numbers on a die, each as likely as the others.
        track: The highest number on the board's track (the text gives none).
        creatures: Kinds of creature.
        skills: Skill cards.
        events: Event cards.
        battles: Kinds of battle.
    """

    players: int = 2
    hand: int = 5
    gold_to_win: int = 15
    coins: int = 40
    dice: int = 5
    faces: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    track: int = 50
    creatures: tuple[Creature, ...]
    skills: tuple[Skill, ...] = ()
    events: tuple[Event, ...] = ()
    battles: tuple[Battle, ...]

    def validate(self) -> None:
        """Check that hands can be dealt, and that somebody can win."""
        self.need(2 <= self.players <= 4, f"{self.players} players cannot play", "give 2 to 4")
        self.need(self.hand >= 1, "the hands are empty", "give at least one card")
        self.need(self.dice >= 1 and bool(self.faces), "there is no die", "give at least one, with faces")
        self.need(min(self.faces, default=1) >= 1, "a die shows a number below 1", "give numbers from 1 on")
        self.need(
            bool(self.creatures) and bool(self.battles),
            "there are no creatures or no battles",
            "give at least one card of each sort",
        )
        self.need(
            self.players * self.hand <= self.total,
            f"{self.total} cards do not fill {self.players} hands of {self.hand}",
            "give more cards or smaller hands",
        )
        self.need(
            1 <= self.gold_to_win <= self.coins,
            f"{self.gold_to_win} gold cannot be won with {self.coins} coins",
            "give more coins",
        )

    # -- cards -----------------------------------------------------------------------------------
    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, creatures first."""
        return (*self.creatures, *self.skills, *self.events, *self.battles)

    @property
    def total(self) -> int:
        """Number of cards in all."""
        return sum(c.count for c in self.cards)

    @property
    def card(self) -> type[enum.Enum]:
        """The enumeration of cards: NONE, then all of them."""
        return _enumeration("Card", ("NONE", *(c.member for c in self.cards)))

    @property
    def kind(self) -> type[enum.Enum]:
        """The enumeration of creatures."""
        return _enumeration("Creature", tuple(c.member for c in self.creatures))

    @property
    def skill(self) -> type[enum.Enum]:
        """The enumeration of skills: NONE, then all of them."""
        return _enumeration("Skill", ("NONE", *(s.member for s in self.skills)))

    @property
    def battle(self) -> type[enum.Enum]:
        """The enumeration of battles: NONE, then all of them."""
        return _enumeration("Battle", ("NONE", *(b.member for b in self.battles)))

    @property
    def counts(self) -> dict[enum.Enum, int]:
        """Card → how many there are."""
        return {self.card[c.member]: c.count for c in self.cards}

    @property
    def kind_counts(self) -> dict[enum.Enum, int]:
        """Creature → how many there are."""
        return {self.kind[c.member]: c.count for c in self.creatures}

    def members(self, cards: Sequence[Card]) -> tuple[enum.Enum, ...]:
        """Members of the enumeration of cards."""
        return tuple(self.card[c.member] for c in cards)

    def pile(self, pile: Pile) -> tuple[enum.Enum, ...]:
        """The cards of a deck."""
        if pile is Pile.CREATURES:
            return self.members(self.creatures)
        return self.members((*self.skills, *self.events, *self.battles))

    def by_card(self, key: str, absent: int = 0) -> tuple[int, ...]:
        """A number of each card, by its ordinal."""
        return (absent, *(int(getattr(c, key, absent)) for c in self.cards))

    # -- dice ------------------------------------------------------------------------------------
    @property
    def gold_rules(self) -> tuple[frozenset[int], ...]:
        """The different sets of numbers at which creatures find gold; the first holds without a skill."""
        found = dict.fromkeys([frozenset((TREASURE,)), *(frozenset(s.gold_on) for s in self.skills)])
        return tuple(found)

    @property
    def most_dice(self) -> int:
        """The most dice that one creature rolls."""
        more = max((s.more_dice for s in self.skills), default=0)
        return min(self.dice, max(c.dice for c in self.creatures) + more)

    @property
    def most_fighters(self) -> int:
        """The most creatures that one player sends into a battle."""
        return max(b.creatures for b in self.battles)

    @property
    def most_value(self) -> int:
        """The highest battle value that a player can have."""
        return self.most_fighters * self.most_roll + max((e.battle_value for e in self.events), default=0)

    @property
    def most_treasure(self) -> int:
        """The highest treasure value that a player can have."""
        return self.most_fighters * self.most_dice + max((e.treasure for e in self.events), default=0)

    @property
    def most_roll(self) -> int:
        """The highest sum that one creature can roll."""
        return self.most_dice * max(self.faces)

    @property
    def sums(self) -> tuple[int, ...]:
        """The sums that some creature can roll, rising."""
        return tuple(sorted({total for total, _ in self._possible}))

    @property
    def found(self) -> tuple[int, ...]:
        """The numbers of pieces of gold that some creature can find, rising."""
        return tuple(sorted({gold for _, gold in self._possible}))

    @property
    def _possible(self) -> set[Roll]:
        numbers = range(1, self.most_dice + 1)
        return {roll for n in numbers for rule in self.gold_rules for roll in rolls(n, self.faces, rule)}

    def weights(self, total: int, gold: int) -> tuple[int, ...]:
        """In how many ways a roll comes up, by number of dice × number of gold rules + gold rule."""
        return tuple(
            rolls(n, self.faces, rule).get((total, gold), 0)
            for n in range(self.most_dice + 1)
            for rule in self.gold_rules
        )
