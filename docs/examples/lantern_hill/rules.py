"""Lantern Hill: an invented game, small enough to read in a minute; it leaves a few things open.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

import enum

import attrs

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bool,
    Enum,
    Index,
    Range,
    Rulebook,
    Size,
    State,
    Term,
    TermLike,
    count,
    decide,
    deferred,
    every,
    least,
    player,
    rank,
    row,
    take,
)


class Phase(enum.Enum):
    """Where a turn stands."""

    ROLL = 0  #: the die is about to be rolled
    LIGHT = 1  #: a lantern is to be lit
    COUNT = 2  #: the lanterns burn, the coins are counted
    OVER = 3  #: the game is over


@attrs.frozen(kw_only=True)
class Hill(Size):
    """How large a game is.

    Attributes:
        players: Number of players.
        lanterns: Number of lanterns.
        coins: Number of coins.
    """

    players: int = 2
    lanterns: int = 2
    coins: int = 5


size = deferred(Hill)
book = Rulebook(
    "lantern_hill",
    "Lantern Hill",
    file=__file__,
    sizes={"small": Hill()},
    players=size.players,
    variants={"evening": "the game as it is"},
)
turn_player = player(lambda t: t.turn)


@book.state
class Table(State):
    """Everything on the table."""

    phase = Enum(Phase)
    turn = Index(size.players)
    lit = Array(size.lanterns, Bool())
    pot = Range(0, size.coins, start=size.coins)
    coins = Array(size.players, Range(0, size.coins))
    won = Array(size.players, Bool())


coin_from = book.reading(
    "light.coin-from",
    "turn.coin",
    options={
        "pot": "the coin comes from the pot, as far as there is one",
        "other": "the coin comes from the other player, as far as there is one",
    },
    default="pot",
    why="the sentence before takes from the pot too",
    asks="Where does the coin for lighting a lantern come from?",
)
book.missing("players.number", "setup.dark", what="how many can play", asks="How many players can play?")


@book.rule("turn.roll", "turn.moon", "turn.next", by=CHANCE, phase=Phase.ROLL)
def moon(t: Table) -> None:
    """The die shows the moon: two coins from the pot, and the other player is on turn."""
    got = take(t, "moon-coins", t.pot, 2, "turn.moon")
    give(t, got)
    t.turn = (t.turn + 1) % t.size.players


@book.rule("turn.roll", "turn.star", by=CHANCE, phase=Phase.ROLL)
def star(t: Table) -> None:
    """The die shows the star: a lantern is to be lit."""
    t.phase = Phase.LIGHT


@book.rule("turn.star", "turn.coin", "turn.once", by=turn_player, phase=Phase.LIGHT, lantern=size.lanterns)
def light(t: Table, lantern: int) -> None:
    """The player lights a dark lantern and takes a coin."""
    t.require(~t.lit[lantern])
    t.lit[lantern] = True
    if t.reading(coin_from) == "pot":
        give(t, least(t.pot, 1))
    else:
        other = (t.turn + 1) % t.size.players
        got = least(t.coins[other], 1)
        t.coins[other] = t.coins[other] - got
        t.coins[t.turn] = least(t.coins[t.turn] + got, t.size.coins)

    def again() -> None:
        t.phase = Phase.ROLL

    def end() -> None:
        t.phase = Phase.COUNT

    burning = count(*t.lit) == t.size.lanterns
    decide(
        t,
        "after-light",
        [
            row("turn.again", when=count(*t.lit) > 0, then="again"),
            row("end.all-burn", when=burning, then="end"),
        ],
        outcomes={"again": again, "end": end},
        on_clash="end.all-burn",
    )


def give(t: Table, got: TermLike) -> None:
    """Coins go from the pot to the player on turn."""
    t.pot = t.pot - got
    t.coins[t.turn] = least(t.coins[t.turn] + got, t.size.coins)


@book.rule("end.winner", by=RULES, phase=Phase.COUNT)
def count_coins(t: Table) -> None:
    """All lanterns burn: the coins are counted."""
    result = rank(t, "most-coins", [list(t.coins)], "end.winner")
    for number, best in enumerate(result.best):
        t.won[number] = every(best)
    t.phase = Phase.OVER


@book.over("end.all-burn")
def over(t: Table) -> Term:
    """The coins are counted."""
    return t.phase == Phase.OVER


@book.winner("end.winner")
def winner(t: Table, number: int) -> Term:
    """Whoever has most coins."""
    return t.won[number]


@book.score("end.winner")
def score(t: Table, number: int) -> Term:
    """The coins."""
    return t.coins[number]
