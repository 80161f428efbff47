"""Cards and sizes of Dwarves: Dig, Delve, Die.

Promises: a size says how many play, how many dice there are and what they show, and which cards the pile
has; the enumeration of cards has only the cards of its size, so that a card that is not there costs nothing.

The text gives no number of dice, players, cards or faces, and prints no card: those numbers are parameters
here, and each is declared as missing in `readings`. Numbers from outside the text: 20 dice, 3 to 6 players,
14 cards beside Delve & Dig (14 names are known, so one of each is taken). A die of six sides is assumed.
"""

from __future__ import annotations

import enum
import functools
import itertools
import math
from collections.abc import Iterable
from typing import Any

import attrs

from models.language import ModelError, Size


class Kind(enum.Enum):
    """What a card is; the value is the clause that says what is known of it."""

    DELVE = "cards.delve-and-dig"
    BLOCKADE = "cards.orc-blockade"
    ARMY = "cards.iron-army"
    ALE = "cards.golden-ale"
    BROTHEL = "cards.brothel"
    SHRINE = "cards.shrine"
    THRONE = "cards.throne"
    FORGE = "cards.forge"
    WARRENS = "cards.warrens"
    LABYRINTH = "cards.labyrinth"
    SURVEY = "cards.survey"
    CAVE = "cards.cave-in"
    CROWN = "cards.crown"
    CHALICE = "cards.chalice"
    SKULL = "cards.skull"


#: The cards that speak of a mug.
MUGS = (Kind.CROWN, Kind.CHALICE, Kind.SKULL)


@functools.cache
def _enumeration(names: tuple[str, ...]) -> type[enum.Enum]:
    make: Any = enum.Enum
    made: type[enum.Enum] = make("Card", list(names), module=__name__)
    return made


def _kinds(given: str | Iterable[Kind]) -> tuple[Kind, ...]:
    """The kinds of a list of names with white space in between.

    Errors:
        ModelError: no card is called so.
    """
    if not isinstance(given, str):
        return tuple(given)
    names = given.split()
    strange = next((n for n in names if n not in Kind.__members__), None)
    if strange is not None:
        raise ModelError(
            f"no card is called {strange!r}", hint=f"the cards are {', '.join(Kind.__members__)}"
        )
    return tuple(Kind[n] for n in names)


@attrs.frozen(kw_only=True)
class Dwarves(Size):
    """How large a game is.

    Attributes:
        players: Number of players, 2 or more (from outside the text: 3..6).
        dice: Number of dice in all (from outside: 20).
        sides: A die shows 1..sides (an assumption: 6).
        cards: The kinds in the pile, each once, without Delve & Dig.
        goal: The gold that wins (printed: 5).
        throne: How many dice the Throne of Kings rolls (an assumption: 2).
        together: How many dice are rolled in one chance move; a larger roll is several moves.
    """

    players: int = 2
    dice: int
    sides: int
    cards: tuple[Kind, ...] = attrs.field(converter=_kinds)
    goal: int = 5
    throne: int = 2
    together: int = 2

    def validate(self) -> None:
        """Check that everybody gets a die and that the cards can be told apart."""
        self.need(2 <= self.players <= 20, f"{self.players} players cannot play", "give 2 to 20")
        self.need(
            self.dice >= self.players,
            f"{self.dice} dice are not one for each of {self.players} players",
            "give more dice or fewer players",
        )
        self.need(2 <= self.sides <= 9, f"dice with {self.sides} sides", "give 2 to 9")
        self.need(len(set(self.cards)) == len(self.cards), "a card is named twice", "name each card once")
        self.need(Kind.DELVE not in self.cards, "Delve & Dig is no card of the pile", "leave it out")
        self.need(self.goal >= 1, f"{self.goal} gold wins", "give 1 or more")
        self.need(self.throne >= 1, f"the Throne of Kings rolls {self.throne} dice", "give 1 or more")
        self.need(1 <= self.together <= 3, f"{self.together} dice in one chance move", "give 1 to 3")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All cards, Delve & Dig first."""
        return (Kind.DELVE, *self.cards)

    @property
    def card(self) -> type[enum.Enum]:
        """The enumeration of cards."""
        return _enumeration(tuple(k.name for k in self.kinds))

    @property
    def delve(self) -> enum.Enum:
        """The member for Delve & Dig."""
        return self.card["DELVE"]

    @property
    def places(self) -> int:
        """How many cards can lie face up."""
        return len(self.kinds)

    @property
    def spots(self) -> dict[enum.Enum, int]:
        """Where the cards lie at the start: Delve & Dig leftmost, the others in the pile (0)."""
        return {self.delve: 1}

    @property
    def numbers(self) -> tuple[int, ...]:
        """What a die can show."""
        return tuple(range(1, self.sides + 1))

    @property
    def rolls(self) -> tuple[str, ...]:
        """What one chance move can show: the numbers in rising order, one digit each."""
        counts = range(1, self.together + 1)
        return tuple(
            "".join(map(str, r))
            for n in counts
            for r in itertools.combinations_with_replacement(self.numbers, n)
        )

    def ways(self, faces: str) -> int:
        """In how many ways a roll comes about with dice that can be told apart."""
        return math.factorial(len(faces)) // math.prod(math.factorial(faces.count(f)) for f in set(faces))

    def has(self, kind: Kind) -> bool:
        """Whether a card is among the pile."""
        return kind in self.cards

    def if_has(self, kind: Kind, values: Iterable[Any]) -> tuple[Any, ...]:
        """Values of a parameter of a rule that belongs to a card: none where the card is not in the game."""
        return tuple(values) if self.has(kind) else ()

    @property
    def arranged(self) -> tuple[enum.Enum, ...]:
        """The cards that the Labyrinth may move."""
        return self.if_has(Kind.LABYRINTH, self.card)

    @property
    def picked(self) -> tuple[enum.Enum, ...]:
        """The cards that the Survey Team may pick."""
        return self.if_has(Kind.SURVEY, self.card)

    @property
    def robbed(self) -> tuple[int, ...]:
        """The players from whom the Goblin Warrens may steal."""
        return self.if_has(Kind.WARRENS, range(self.players))

    @property
    def levied(self) -> tuple[int, ...]:
        """The players from whom the Iron Army may take a die."""
        return self.if_has(Kind.ARMY, range(self.players))

    @property
    def mustered(self) -> tuple[enum.Enum, ...]:
        """The cards from which the Iron Army may take a die."""
        return self.if_has(Kind.ARMY, self.card)

    @property
    def drinkers(self) -> tuple[int, ...]:
        """The players who may win the race of the Bearded Skull."""
        return self.if_has(Kind.SKULL, range(self.players))


_ALL = "BLOCKADE ARMY ALE BROTHEL SHRINE THRONE FORGE WARRENS LABYRINTH SURVEY CAVE CROWN CHALICE SKULL"

#: The first is the default; those named after it show what it is too small for.
SIZES = {
    "small": Dwarves(dice=5, sides=3, cards="ALE WARRENS", goal=2),
    "small-army": Dwarves(dice=3, sides=2, cards="ARMY ALE WARRENS", goal=2),
    "small-gold": Dwarves(players=3, dice=4, sides=2, cards="SHRINE ALE WARRENS", goal=2),
    "small-brothel": Dwarves(dice=4, sides=2, cards="BROTHEL ALE WARRENS", goal=2),
    "small-throne": Dwarves(dice=5, sides=2, cards="THRONE ALE WARRENS", goal=2),
    "small-forge": Dwarves(dice=4, sides=3, cards="FORGE ALE WARRENS", goal=2),
    "small-maze": Dwarves(dice=4, sides=2, cards="LABYRINTH ALE WARRENS", goal=2),
    "small-survey": Dwarves(dice=4, sides=2, cards="SURVEY CAVE ALE WARRENS", goal=2),
    "small-steal": Dwarves(dice=3, sides=2, cards="ALE WARRENS", goal=3),
    "small-skull": Dwarves(players=3, dice=4, sides=2, cards="SKULL ALE WARRENS", goal=2),
    "medium": Dwarves(players=3, dice=8, sides=4, cards="ARMY ALE SHRINE FORGE LABYRINTH", goal=3),
    "examples": Dwarves(players=3, dice=20, sides=6, cards="ALE THRONE WARRENS BROTHEL"),
    "print": Dwarves(players=4, dice=20, sides=6, cards=_ALL),
    "print-two": Dwarves(players=2, dice=20, sides=6, cards=_ALL),
    "print-seven": Dwarves(players=7, dice=20, sides=6, cards=_ALL),
}
