"""The table of My Dwarves Fly: the rulebook, its phases and its state.

Promises: every card is in a deck, in a hand, before a player, beside a creature, in play, or on a discard
pile, and the piles are what is left over: `discarded` counts them, no field does. The player on turn is the
starting player of a battle. What nobody can see (hands, decks, cards laid face down) is hidden.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from models.language import (
    Array,
    Bag,
    Bool,
    Enum,
    Index,
    Range,
    Rulebook,
    State,
    Term,
    TermLike,
    deferred,
    every,
    ite,
    lookup,
    player,
    responder,
    some,
    total,
)
from models.my_dwarves_fly.cards import MyDwarves, Pile
from models.my_dwarves_fly.files import read, read_all


class Phase(enum.Enum):
    """Where a turn stands."""

    DEAL = 0  #: the hands are dealt (variant `battle`: a table is laid out)
    TURN = 1  #: one of the four actions
    CHOOSE = 2  #: a battle: fighters are named
    ROLL = 3  #: a battle: a fighter is about to roll
    DICE = 4  #: a battle: its dice are rolling
    LANDED = 5  #: a battle: they have come to rest
    WINDOW = 6  #: a battle: somebody may force the roll to be repeated
    DIPLOMACY = 7  #: a battle: cards are laid face down
    REVEAL = 8  #: a battle: they are turned up
    FORGET = 9  #: a battle: somebody may cancel an event
    RESOLVE = 10  #: a battle: events are used
    SHARE = 11  #: a battle: winners are found
    PAY = 12  #: a battle: gold is taken
    LEAVE = 13  #: a battle: the strongest goes
    REFILL = 14  #: hands are filled
    END = 15  #: the turn ends
    OVER = 16  #: somebody has won


class Draw(enum.Enum):
    """From which deck a card is being drawn."""

    NONE = 0
    CREATURES = 1
    ACTIONS = 2


DRAW = {Pile.CREATURES: Draw.CREATURES, Pile.ACTIONS: Draw.ACTIONS}

size = deferred(MyDwarves)
book = Rulebook(
    "my_dwarves_fly",
    "My Dwarves Fly",
    file=__file__,
    sizes=read_all(),
    players=size.players,
    read_sizes=read,
    variants={"game": "the whole game", "battle": "one battle from any table"},
)


@book.state
class Table(State):
    """Everything on the table."""

    phase = Enum(Phase)
    turn = Index(size.players)
    actor = Index(size.players)  #: who draws, names fighters, rolls, lays a card, or gives up a creature
    asked = Index(size.players)  #: who is asked for an answer
    drawing = Enum(Draw)
    deck = Bag(size.card, size.counts, hidden=True)
    hand = Array(size.players, Bag(size.card, size.counts, full=False), hidden=True)
    team = Array(size.players, Bag(size.kind, size.kind_counts, full=False))
    skill = Array(size.players, Array(size.kind, Enum(size.skill)))
    gold = Array(size.players, Range(0, size.coins))
    #: A third of the kind has come before; kept only for kinds of which that can happen twice.
    thirded = Array(size.kind, Bool(), hidden=True)

    battle = Enum(size.battle)  #: the battle of this turn
    fighters = Array(size.players, Bag(size.kind, size.kind_counts, full=False))
    to_roll = Bag(size.kind, size.kind_counts, full=False)  #: fighters of the actor that have not rolled
    rolling = Enum(size.kind)  #: the fighter whose dice roll
    rolled = Range(0, size.most_roll)  #: their sum, until it is marked
    found = Range(0, size.most_dice)  #: the gold in them
    repeated = Bool(hidden=True)  #: this roll has been repeated
    used = Array(size.players, Range(0, size.most_fighters), hidden=True)  #: repetitions forced
    value = Array(size.players, Range(0, size.most_value))
    treasure = Array(size.players, Range(0, size.most_treasure))
    down = Array(size.players, Enum(size.card), hidden=True)  #: laid face down
    laid = Array(size.players, Bool())  #: whether a card lies face down there
    shown = Array(size.players, Enum(size.card))  #: turned up
    level = Array(size.players, Bool(), hidden=True)  #: level with the best before events were used
    wins = Array(size.players, Bool())
    paid = Array(size.players, Bool())
    won = Array(size.players, Bool())


acting = player(lambda t: t.actor)
asked = responder(lambda t: t.asked)


def seats(t: Table) -> range:
    """The players, the first player first."""
    return range(t.size.players)


def place(t: Table, seat: TermLike) -> Term:
    """How many seats after the player on turn somebody sits, clockwise."""
    players: int = t.size.players
    return (total(seat, players) - t.turn) % players


def following(t: Table, seat: Term, able: Callable[[Term], Term]) -> tuple[Term, Term]:
    """The next player clockwise, before the player on turn is reached again, who is able to act.

    Args:
        t: The table.
        seat: After whom.
        able: Whether a player is able.

    Returns:
        Whether there is one, and who (the player on turn if there is none).
    """
    return _first(t, seat, able, 1)


def first_able(t: Table, able: Callable[[Term], Term]) -> tuple[Term, Term]:
    """The first player, beginning with the one on turn, who is able to act; see `following`."""
    return _first(t, t.turn, able, 0)


def _first(t: Table, seat: Term, able: Callable[[Term], Term], nearest: int) -> tuple[Term, Term]:
    n, at = t.size.players, place(t, seat)
    found, who = some(), t.turn
    for step in reversed(range(nearest, n)):
        other = (seat + step) % n
        fits = every(at + step < n, able(other))
        found, who = some(fits, found), ite(fits, other, who)
    return found, who


def held(t: Table, seat: TermLike) -> Term:
    """How many cards a player holds."""
    return t.hand[seat].total()


def fights(t: Table, seat: TermLike) -> Term:
    """Whether a player takes part in the battle."""
    return t.fighters[seat].total() > 0


def battle_number(t: Table, key: str) -> Term:
    """A number on the battle card that is in play."""
    return lookup(t.battle, (0, *(int(getattr(b, key)) for b in t.size.battles)))


def skill_number(skill: TermLike, numbers: tuple[int, ...]) -> Term:
    """A number of each skill card, 0 where none lies."""
    return lookup(skill, (0, *numbers))


def strength(t: Table, seat: TermLike, kind: enum.Enum, *, skills: bool = True) -> Term:
    """How many dice a creature of a player has, with its skill unless told otherwise."""
    base = next(c.dice for c in t.size.creatures if c.member == kind.name)
    if not skills:
        return total(base)
    more = skill_number(t.skill[seat][kind], tuple(s.more_dice for s in t.size.skills))
    return total(more, base)


def discarded(t: Table, card: enum.Enum) -> Term:
    """How many of a card lie on the discard piles."""
    elsewhere = [
        t.deck[card],
        *(t.hand[p][card] for p in seats(t)),
        *(ite(t.down[p] == card, 1, 0) for p in seats(t)),
        *(ite(t.shown[p] == card, 1, 0) for p in seats(t)),
    ]
    name = card.name
    if name in t.size.kind.__members__:
        elsewhere += [t.team[p][t.size.kind[name]] for p in seats(t)]
    if name in t.size.skill.__members__:
        elsewhere += [ite(t.skill[p][k] == t.size.skill[name], 1, 0) for p in seats(t) for k in t.size.kind]
    if name in t.size.battle.__members__:
        elsewhere += [ite(t.battle == t.size.battle[name], 1, 0)]
    return total(t.size.counts[card]) - total(*elsewhere)
