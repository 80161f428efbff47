"""Sizes of The Dwarf King: how many play how many rounds with which cards.

Promise: a size that cannot be played is refused in one message that says why.
"""

from __future__ import annotations

import enum
import functools

import attrs

from models.language import Size
from models.the_dwarf_king.cards import (
    CHALLENGES,
    SUITS,
    Card,
    Challenge,
    Contract,
    Special,
    Suit,
    Target,
    enumeration,
    named_specials,
    pack,
)


@functools.cache
def _card(cards: tuple[Card, ...]) -> type[enum.Enum]:
    return enumeration("Card", ("NONE", "SPECIAL", *(c.member for c in cards)))


@functools.cache
def _places(card: type[enum.Enum]) -> dict[enum.Enum, int]:
    return {member: number for number, member in enumerate(tuple(card)[1:])}


@functools.cache
def _suits(cards: tuple[Card, ...]) -> dict[str, Suit]:
    return {c.member: c.suit for c in cards}


#: The number on the two cards that the text names.
NAMED = 5


@attrs.frozen(kw_only=True)
class DwarfKing(Size):
    """How large a game is, and with which cards.

    Attributes:
        players: Number of players (from outside: 3 to 5; the text gives none).
        rounds: Number of rounds (printed: 7).
        cards: The cards of the suits, or their notation for `pack` (from outside: 2 to ace in each suit).
        specials: The special cards, or their names (from outside: 14 cards).
        contracts: The contract cards (from outside: 20).
        own: Challenges on the contracts that are not in `CHALLENGES`, or that stand in for one there.
    """

    players: int = 2
    rounds: int = 1
    cards: tuple[Card, ...] = attrs.field(converter=pack)
    specials: tuple[Special, ...] = attrs.field(converter=named_specials)
    contracts: tuple[Contract, ...]
    own: tuple[Challenge, ...] = ()

    def validate(self) -> None:
        """Check that every round can be dealt and has a special card and a contract."""
        self.need(2 <= self.players <= 5, f"{self.players} players cannot play", "give 2 to 5")
        self.need(self.rounds >= 1, "no round is played", "give at least one")
        for suit in (Suit.DWARVES, Suit.KNIGHTS):
            self.need(
                Card(suit=suit, value=NAMED) in self.cards, f"the 5 of {suit.name} is not there", "add it"
            )
        self.need(self.full >= 1, f"{self.deck} cards for {self.players} players", "give more cards")
        for kind, there in (("special cards", self.specials), ("contracts", self.contracts)):
            number = sum(x.count for x in there)
            self.need(number >= self.rounds, f"{number} {kind} for {self.rounds} rounds", "give more")
        for contract in self.contracts:
            for name in (contract.first, contract.second):
                self.need(
                    name in self._known,
                    f"there is no challenge {name!r}",
                    f"the challenges are {', '.join(self._known)}",
                )

    # -- numbers -------------------------------------------------------------------------------------
    @property
    def deck(self) -> int:
        """Cards that are shuffled for a round: those of the suits, and one special card."""
        return len(self.cards) + 1

    @property
    def full(self) -> int:
        """Cards in a hand when all hands are equal."""
        return self.deck // self.players

    @property
    def rest(self) -> int:
        """Cards that are left when the hands are equal."""
        return self.deck % self.players

    @property
    def most(self) -> int:
        """The most cards that a hand can have."""
        return self.full + (1 if self.rest else 0)

    @property
    def highest(self) -> int:
        """The greatest number that a card can come to have."""
        changed = [max(s.value, s.new_value) for s in self.specials]
        return max(*(c.value for c in self.cards), *changed)

    @property
    def most_points(self) -> int:
        """A number of points that nobody can gain or lose more of in a round."""
        by_challenge = [
            abs(c.trick) * self.most
            + sum(abs(n) * self.most_of(s) for s, n in zip(SUITS, c.cards, strict=True))
            for c in self.challenges
        ]
        return max(by_challenge) + max(abs(s.points) for s in self.specials)

    @property
    def most_total(self) -> int:
        """A total that nobody can go beyond, upwards or downwards."""
        return self.rounds * self.most_points

    def most_of(self, suit: Suit) -> int:
        """The most cards of a suit that one player can take, with one that is changed and a special one."""
        return sum(c.suit is suit for c in self.cards) + (1 if self.gains(suit) else 0)

    def gains(self, suit: Suit) -> bool:
        """Whether some special card is of this suit or turns a card into it."""
        return any(suit in (s.suit, s.new_suit) for s in self.specials)

    # -- cards ---------------------------------------------------------------------------------------
    @property
    def card(self) -> type[enum.Enum]:
        """The enumeration of cards: NONE, the special card of the round, then the cards of the suits."""
        return _card(self.cards)

    @property
    def none(self) -> enum.Enum:
        """The member that stands for no card."""
        return self.card["NONE"]

    @property
    def special_card(self) -> enum.Enum:
        """The member that stands for the special card of the round."""
        return self.card["SPECIAL"]

    @property
    def shuffled(self) -> tuple[enum.Enum, ...]:
        """The members that are cards, in the order in which they are dealt."""
        return tuple(self.card)[1:]

    def place(self, card: enum.Enum) -> int:
        """The position of a card in `shuffled`."""
        return _places(self.card)[card]

    def five(self, suit: Suit) -> enum.Enum | None:
        """The 5 of a suit, or None if this size has none."""
        name = Card(suit=suit, value=NAMED).member
        return self.card[name] if name in self.card.__members__ else None

    def suit(self, card: enum.Enum) -> Suit:
        """The suit printed on a card of a suit."""
        return _suits(self.cards)[card.name]

    @property
    def card_suits(self) -> tuple[int, ...]:
        """Suit by ordinal of the card; NONE where there is no card, and for the special card."""
        return (int(Suit.NONE), int(Suit.NONE), *(int(c.suit) for c in self.cards))

    @property
    def card_values(self) -> tuple[int, ...]:
        """Number by ordinal of the card; 0 where there is no card, and for the special card."""
        return (0, 0, *(c.value for c in self.cards))

    # -- special cards and contracts -------------------------------------------------------------------
    @property
    def special(self) -> type[enum.Enum]:
        """The enumeration of special cards: NONE, then the kinds."""
        return enumeration("Special", ("NONE", *(s.name for s in self.specials)))

    @property
    def special_kinds(self) -> tuple[enum.Enum, ...]:
        """The members that are special cards."""
        return tuple(self.special)[1:]

    @property
    def special_counts(self) -> dict[enum.Enum, int]:
        """Special card → how many there are."""
        return {self.special[s.name]: s.count for s in self.specials}

    def by_special(self, key: str) -> tuple[int, ...]:
        """A number of each special card, by its ordinal."""
        absent = int(Suit.NONE) if key in ("suit", "new_suit") else 0
        return (absent, *(int(getattr(s, key)) for s in self.specials))

    def aims(self, target: Target) -> tuple[int, ...]:
        """1 by ordinal of the special card where it changes such a card, else 0."""
        return (0, *(int(s.target is target) for s in self.specials))

    @property
    def challenges(self) -> tuple[Challenge, ...]:
        """The challenges on the contracts of this size, each once."""
        names = dict.fromkeys(n for c in self.contracts for n in (c.first, c.second))
        return tuple(self._known[n] for n in names)

    @property
    def _known(self) -> dict[str, Challenge]:
        return {**CHALLENGES, **{c.name: c for c in self.own}}

    @property
    def challenge(self) -> type[enum.Enum]:
        """The enumeration of challenges: NONE, then those of this size."""
        return enumeration("Challenge", ("NONE", *(c.name for c in self.challenges)))

    @property
    def contract(self) -> type[enum.Enum]:
        """The enumeration of contracts: NONE, then those of this size."""
        return enumeration("Contract", ("NONE", *(c.member for c in self.contracts)))

    @property
    def contract_kinds(self) -> tuple[enum.Enum, ...]:
        """The members that are contracts."""
        return tuple(self.contract)[1:]

    @property
    def contract_counts(self) -> dict[enum.Enum, int]:
        """Contract → how many there are."""
        return {self.contract[c.member]: c.count for c in self.contracts}

    def sides(self, side: int) -> dict[enum.Enum, enum.Enum]:
        """Contract → the challenge on one of its sides."""
        none = {self.contract["NONE"]: self.challenge["NONE"]}
        return none | {
            self.contract[c.member]: self.challenge[(c.first, c.second)[side]] for c in self.contracts
        }

    @property
    def trick_points(self) -> tuple[int, ...]:
        """Points for a trick, by ordinal of the challenge."""
        return (0, *(c.trick for c in self.challenges))

    def card_points(self, suit: Suit) -> tuple[int, ...]:
        """Points for a card of a suit, by ordinal of the challenge."""
        return (0, *(c.cards[suit] for c in self.challenges))


#: The contract whose two challenges the text prints.
PRINTED = Contract(first="TRICKS_PLUS_2", second="DWARVES_MINUS_1")


#: The cards of the suits as public sources tell them: 2 to ace (14) in each.
PRINTED_PACK = " ".join(f"{suit}{value}" for suit in "DGK" for value in range(2, 15))


def _printed_contracts() -> tuple[Contract, ...]:
    """20 contracts of the kinds that are known."""
    return (
        attrs.evolve(PRINTED, count=5),
        Contract(first="KNIGHTS_OVER_DWARVES", second="DWARVES_OVER_KNIGHTS", count=5),
        Contract(first="TRICKS_MINUS_1", second="GOBLINS_PLUS_1", count=5),
        Contract(first="GOBLINS_MINUS_1", second="KNIGHTS_PLUS_1", count=5),
    )


#: Nine suited special cards and five of no suit.
_PRINTED_SPECIALS = (
    "ONE_OF_DWARVES ONE_OF_GOBLINS ONE_OF_KNIGHTS ELEVEN_OF_DWARVES ELEVEN_OF_GOBLINS ELEVEN_OF_KNIGHTS "
    "DRAGON SUIT_OF_LED VALUE_OF_ANY LOWEST_WINS PRIZE"
)

#: The first is the default; those whose names begin with its name show what it is too small for.
SIZES = {
    "small": DwarfKing(
        cards="D5 D6 G5 K5 K6", specials="SUIT_OF_LED VALUE_OF_ANY PRIZE", contracts=(PRINTED,)
    ),
    "small-three": DwarfKing(
        players=3, cards="D5 D6 G5 G6 K5", specials="SUIT_OF_LED DRAGON", contracts=(PRINTED,)
    ),
    "small-rest": DwarfKing(cards="D5 G5 K5 K6", specials="PRIZE", contracts=(PRINTED,)),
    "small-rounds": DwarfKing(
        rounds=2,
        cards="D5 G5 K5",
        specials="PRIZE LOWEST_WINS",
        contracts=(PRINTED, Contract(first="GOBLINS_PLUS_1", second="TRICKS_MINUS_1")),
    ),
    "small-seven": DwarfKing(
        players=3,
        rounds=7,
        cards="D5 K5",
        specials="LOWEST_WINS*7",
        contracts=(Contract(first="TRICKS_PLUS_2", second="GOBLINS_PLUS_1", count=7),),
    ),
    "examples": DwarfKing(
        cards="D2 D5 G5 K5 K9", specials="LOWEST_WINS SUIT_OF_ANY VALUE_OF_ANY", contracts=(PRINTED,)
    ),
    "medium": DwarfKing(
        players=3,
        cards="D5 D7 G5 K5 K9",
        specials="SUIT_OF_ANY VALUE_OF_LED LOWEST_WINS DRAGON ONE_OF_KNIGHTS",
        contracts=(PRINTED, Contract(first="KNIGHTS_OVER_DWARVES", second="DWARVES_OVER_KNIGHTS")),
    ),
    "print": DwarfKing(
        players=4,
        rounds=7,
        cards=PRINTED_PACK,
        specials=_PRINTED_SPECIALS,
        contracts=_printed_contracts(),
    ),
    "print-plain": DwarfKing(
        players=4,
        rounds=7,
        cards=PRINTED_PACK,
        specials="PRIZE*4 BURDEN*3 LOWEST_WINS*7",
        contracts=_printed_contracts(),
    ),
    "print-five": DwarfKing(
        players=5,
        rounds=7,
        cards=PRINTED_PACK,
        specials=_PRINTED_SPECIALS,
        contracts=_printed_contracts(),
    ),
}
