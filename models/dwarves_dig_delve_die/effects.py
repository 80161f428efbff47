"""What the cards of Dwarves: Dig, Delve, Die do, as far as they are known.

Promise: a card does what its clause says and nothing else; where the clause leaves something open, the
effect asks. `carry_out` is the only entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.dwarves_dig_delve_die import mine, rulings
from models.dwarves_dig_delve_die import readings as r
from models.dwarves_dig_delve_die.cards import Kind
from models.dwarves_dig_delve_die.labyrinth import labyrinth
from models.dwarves_dig_delve_die.mine import Card
from models.dwarves_dig_delve_die.table import Phase, Table, book, size, turn_player
from models.language import (
    CHANCE,
    Term,
    TermLike,
    decide,
    every,
    ite,
    least,
    most,
    race,
    rank,
    row,
    some,
    take,
)


def carry_out(t: Table, card: Card) -> None:
    """A card is carried out; afterwards digging goes on."""
    kind = mine.kind_of(card)
    t.trace.cover(f"card.{kind.name.lower()}", clauses=(kind.value,))
    t.phase = Phase.DIG
    effect = _EFFECTS.get(kind)
    if effect is not None:
        effect(t)


# --- Delve & Dig and the Survey Team -------------------------------------------------------------


def delve(t: Table) -> None:
    """A new card is turned up."""
    with t.when(take(t, "new-card", mine.in_pile(t), 1, "delving.reveal") > 0):
        t.phase = Phase.REVEAL


@book.rule(
    "delving.reveal",
    "delving.resolve",
    "delving.line",
    "setup.delve-left",
    by=CHANCE,
    phase=Phase.REVEAL,
    card=size.card,
)
def reveal(t: Table, card: Card) -> None:
    """The top card of the pile turns out to be this one."""
    t.require(card in mine.in_play(t))
    t.require(t.spot[card] == 0)
    bring_up(t, card)


def bring_up(t: Table, card: Card) -> None:
    """A card of the pile comes to the row, and is carried out."""
    mine.lay_out(t, card)
    t.phase = Phase.DIG
    if t.reading(r.resolve) == "at-once":
        carry_out(t, card)


def survey(t: Table) -> None:
    """A card of the pile is added to the mine."""
    picked = t.reading(r.survey_pick) == "choose"
    with t.when(take(t, "survey-card", mine.in_pile(t), 1, "cards.survey") > 0):
        t.phase = Phase.SURVEY if picked else Phase.REVEAL


@book.rule(
    "cards.survey", "delving.resolve", "delving.line", by=turn_player, phase=Phase.SURVEY, card=size.picked
)
def pick(t: Table, card: Card) -> None:
    """The player picks a card of the pile."""
    t.require(card in mine.in_play(t))
    t.require(t.spot[card] == 0)
    bring_up(t, card)


# --- gold ----------------------------------------------------------------------------------------


def earn(t: Table, who: Sequence[TermLike]) -> None:
    """Players gain a gold each."""

    def together() -> None:
        for number, gains in enumerate(who):
            t.gold[number] = least(t.gold[number] + ite(gains, 1, 0), t.size.goal)
        settle(t)

    decide(
        t,
        "hand-out",
        [row("winning.five-gold", when=True, then="together")],
        outcomes={"together": together, **rulings.outcomes("hand-out", t, who)},
    )


def settle(t: Table) -> None:
    """Whoever has the gold has won; several may have got there together."""
    if t.reading(r.winning) == "at-once":
        finish(t)


def finish(t: Table) -> None:
    """The game is over if somebody has the gold."""
    there = [t.gold[p] >= t.size.goal for p in range(t.size.players)]
    with t.when(some(*there)):
        rank(t, "first-to-five", [list(t.gold)], "winning.five-gold", among=there)
        t.phase = Phase.OVER


def ale(t: Table) -> None:
    """Everybody gains a gold."""
    earn(t, [True] * t.size.players)


def shrine(t: Table) -> None:
    """The poorest player gains a gold."""

    def poorest() -> None:
        result = rank(
            t, "poorest", [[t.size.goal - t.gold[p] for p in range(t.size.players)]], "cards.shrine"
        )
        earn(t, result.best)

    decide(
        t,
        "shrine",
        [row("cards.shrine", when=True, then="poorest")],
        outcomes={"poorest": poorest, **rulings.outcomes("shrine", t)},
    )


def warrens(t: Table) -> None:
    """The player steals a gold."""
    anybody = some(*((t.gold[p] > 0) & (t.turn != p) for p in range(t.size.players)))
    bank = t.reading(r.warrens_from) == "bank"

    def steal_some() -> None:
        t.phase = Phase.STEAL

    decide(
        t,
        "warrens",
        [row("cards.warrens", when=True if bank else anybody, then="steal")],
        outcomes={"steal": steal_some, **rulings.outcomes("warrens", t)},
    )


@book.rule("cards.warrens", by=turn_player, phase=Phase.STEAL, victim=size.robbed)
def steal(t: Table, victim: int) -> None:
    """The player takes a gold from somebody else."""
    t.require((t.turn != victim) & (t.gold[victim] > 0))
    t.gold[victim] = t.gold[victim] - 1
    _gain_one(t)


@book.rule("cards.warrens", by=turn_player, phase=Phase.STEAL)
def steal_from_bank(t: Table) -> None:
    """Only under a reading: the player takes a gold from the common gold."""
    t.require(t.size.has(Kind.WARRENS) and t.reading(r.warrens_from) == "bank")
    _gain_one(t)


def _gain_one(t: Table) -> None:
    t.gold[t.turn] = least(t.gold[t.turn] + 1, t.size.goal)
    t.phase = Phase.DIG
    settle(t)


# --- dice ----------------------------------------------------------------------------------------


def army(t: Table) -> None:
    """The player takes a die."""

    def take_some() -> None:
        t.phase = Phase.ARMY

    decide(
        t,
        "army",
        [row("cards.iron-army", when=some(*_army_places(t)), then="take")],
        outcomes={"take": take_some},
    )


def _army_places(t: Table) -> list[Term]:
    """Whether there is a die: in the supply, with another player, in the mine, as far as the Army reaches."""
    found = []
    if t.reading(r.army_from) in ("anywhere", "supply"):
        found.append(t.supply > 0)
    if t.reading(r.army_from) in ("anywhere", "players"):
        found.append(some(*((t.own[p] > 0) & (t.turn != p) for p in range(t.size.players))))
    if t.reading(r.army_from) in ("anywhere", "mine"):
        found.append(some(*(mine.seen(t, c) for c in mine.in_play(t))))
    return found


@book.rule("cards.iron-army", by=turn_player, phase=Phase.ARMY)
def army_supply(t: Table) -> None:
    """The die comes from the supply."""
    t.require(t.size.has(Kind.ARMY) and t.reading(r.army_from) in ("anywhere", "supply"))
    t.require(t.supply > 0)
    t.supply = t.supply - 1
    _recruit(t)


@book.rule("cards.iron-army", by=turn_player, phase=Phase.ARMY, victim=size.levied)
def army_player(t: Table, victim: int) -> None:
    """The die comes from another player."""
    t.require(t.reading(r.army_from) in ("anywhere", "players"))
    t.require((t.turn != victim) & (t.own[victim] > 0))
    t.own[victim] = t.own[victim] - 1
    _recruit(t)


@book.rule(
    "cards.iron-army",
    "turn.equal-or-higher",
    by=turn_player,
    phase=Phase.ARMY,
    card=size.mustered,
    height=size.dice,
)
def army_mine(t: Table, card: Card, height: int) -> None:
    """The die comes from a stack in the mine; heights are counted from the bottom, 0 first."""
    t.require(t.reading(r.army_from) in ("anywhere", "mine"))
    t.require(card in mine.in_play(t))
    top = t.stack[card].depth == height + 1
    t.require(t.stack[card].has(height) if t.reading(r.army_height) == "any" else top)
    t.stack[card].remove(height)
    with t.when(top):
        mine.changed_top(t, card, gone=True)
    _recruit(t)


def _recruit(t: Table) -> None:
    t.own[t.turn] = t.own[t.turn] + 1
    t.phase = Phase.DIG


def brothel(t: Table) -> None:
    """Everybody takes a die from the supply."""

    def everybody() -> None:
        got = take(t, "brothel-dice", t.supply, t.size.players, "cards.brothel")
        with t.when(got == t.size.players):
            t.supply = most(t.supply - t.size.players, 0)
            for number in range(t.size.players):
                t.own[number] = least(t.own[number] + 1, t.size.dice)

    decide(
        t,
        "brothel",
        [row("cards.brothel", when=True, then="everybody")],
        outcomes={"everybody": everybody, **rulings.outcomes("brothel", t)},
    )


def throne(t: Table) -> None:
    """Further dice are rolled, to be placed as the dice of a turn are."""
    got = take(t, "throne-dice", t.supply, t.size.throne, "cards.throne")
    t.supply = most(t.supply - got, 0)
    t.fist = got
    with t.when(got > 0):
        t.phase = Phase.ROLL


def forge(t: Table) -> None:
    """The dice on top are turned to 1."""
    own = t.size.card["FORGE"]
    for card in mine.in_play(t):
        if card is own and t.reading(r.forge_own) == "not":
            continue
        with t.when(mine.seen(t, card)):
            t.stack[card].pop()
            t.stack[card].push(1)
            mine.changed_top(t, card, gone=False)


def cave_in(t: Table) -> None:
    """Face-up cards go back into the pile, and the dice on them die."""
    delve, reached = t.size.delve, list(mine.in_play(t))
    was, at = t.spot[delve], t.at
    if t.reading(r.cave_delve) == "stays":
        reached.remove(delve)
    for card in reached:
        dead = t.stack[card].depth
        if t.reading(r.cave_dead) == "supply":
            t.supply = least(t.supply + dead, t.size.dice)
        else:
            t.box = least(t.box + dead, t.size.dice)
        t.stack[card].clear()
        t.spot[card] = 0
        mine.changed_top(t, card, gone=True)
    if delve not in reached:
        t.spot[delve] = 1
        t.at = ite(every(was > 0, was <= at), 1, 0)
    else:
        t.at = 0


# --- the Bearded Skull ---------------------------------------------------------------------------


def skull(t: Table) -> None:
    """A race for the next turn."""
    everybody = t.reading(r.skull_who) == "everybody"
    race(t, "skull", [True if everybody else t.turn != p for p in range(t.size.players)], "cards.skull")
    t.phase = Phase.DRINK


@book.rule("cards.skull", by=CHANCE, phase=Phase.DRINK, winner=size.drinkers)
def drink(t: Table, winner: int) -> None:
    """The fastest player has the next turn."""
    if t.reading(r.skull_who) == "others":
        t.require(t.turn != winner)
    t.heir = winner + 1
    t.phase = Phase.DIG


# --- declining -----------------------------------------------------------------------------------


@book.rule("digging.do-card", by=turn_player, phase=(Phase.ARMY, Phase.STEAL, Phase.SURVEY, Phase.MAZE))
def decline(t: Table) -> None:
    """Only under a reading: the player leaves undone what the card says."""
    choices = any(map(t.size.has, (Kind.ARMY, Kind.WARRENS, Kind.SURVEY, Kind.LABYRINTH)))
    t.require(choices and t.reading(r.must) == "may")
    if t.size.has(Kind.LABYRINTH):
        t.require((t.phase != Phase.MAZE) | (t.filled <= (0 if t.reading(r.maze_delve) == "moves" else 1)))
    t.filled = 0
    t.phase = Phase.DIG


#: What each card does; the Orc Blockade, the Crown of Kings and the Chalice of Courage are not known.
_EFFECTS: dict[Kind, Callable[[Table], None]] = {
    Kind.DELVE: delve,
    Kind.SURVEY: survey,
    Kind.ALE: ale,
    Kind.SHRINE: shrine,
    Kind.WARRENS: warrens,
    Kind.ARMY: army,
    Kind.BROTHEL: brothel,
    Kind.THRONE: throne,
    Kind.FORGE: forge,
    Kind.CAVE: cave_in,
    Kind.LABYRINTH: labyrinth,
    Kind.SKULL: skull,
}

__all__ = ["carry_out", "earn", "finish", "settle"]
