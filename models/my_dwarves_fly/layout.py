"""One battle of My Dwarves Fly from any table: the variant `battle`.

Promise: every table on which a battle can be played at this size is laid out, piece by piece: creatures
in any numbers before anybody, skills beside races that lie there, cards in the hands, gold below the
winning amount. The rules of the battle are those of the whole game; the play is over when its turn ends.
The first player starts the battle, as seats are alike.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, RULES, total
from models.my_dwarves_fly.battle import name_fighters
from models.my_dwarves_fly.table import Phase, Table, book, held, size

BATTLE = "battle"


@book.rule(
    "creature.face-up", by=CHANCE, phase=Phase.DEAL, only=BATTLE, creature=size.kind, number=size.players
)
def put_creature(t: Table, creature: enum.Enum, number: int) -> None:
    """A creature lies before a player."""
    card = t.size.card[creature.name]
    t.require(t.deck[card] > 0)
    t.deck.remove(card)
    t.team[number].add(creature)


@book.rule(
    "skill.assigned",
    "skill.one-each",
    by=CHANCE,
    phase=Phase.DEAL,
    only=BATTLE,
    skill=lambda s: s.members(s.skills),
    creature=size.kind,
    number=size.players,
)
def put_skill(t: Table, skill: enum.Enum, creature: enum.Enum, number: int) -> None:
    """A skill lies beside creatures that it fits."""
    card = next(s for s in t.size.skills if s.member == skill.name)
    t.require(any(c.name in card.fits for c in t.size.creatures if c.member == creature.name))
    t.require(t.deck[skill] > 0)
    t.require(t.team[number][creature] > 0)
    t.require(t.skill[number][creature] == t.size.skill["NONE"])
    t.deck.remove(skill)
    t.skill[number][creature] = t.size.skill[skill.name]


@book.rule(
    "setup.deal",
    by=CHANCE,
    phase=Phase.DEAL,
    only=BATTLE,
    card=lambda s: s.members(s.cards),
    number=size.players,
    secret="card",
)
def put_in_hand(t: Table, card: enum.Enum, number: int) -> None:
    """A player holds a card."""
    t.require(t.deck[card] > 0)
    t.require(held(t, number) < t.size.hand)
    if card in t.size.members(t.size.battles):  # one is left to be played
        t.require(total(*(t.deck[b] for b in t.size.members(t.size.battles))) > 1)
    t.deck.remove(card)
    t.hand[number].add(card)


@book.rule("turn.fifteen", by=CHANCE, phase=Phase.DEAL, only=BATTLE, number=size.players)
def put_gold(t: Table, number: int) -> None:
    """A player has won a piece of gold before."""
    t.require(t.gold[number] + 1 < t.size.gold_to_win)
    t.require(total(*t.gold) < t.size.coins)
    t.gold[number] = t.gold[number] + 1


@book.rule(
    "turn.battle",
    "battle.all-take-part",
    by=CHANCE,
    phase=Phase.DEAL,
    only=BATTLE,
    battle=lambda s: s.members(s.battles),
)
def begin_battle(t: Table, battle: enum.Enum) -> None:
    """The first player plays a battle card on this table."""
    t.require(t.deck[battle] > 0)
    t.deck.remove(battle)
    t.battle = t.size.battle[battle.name]
    name_fighters(t)


@book.rule("drawing.fifteen", by=RULES, phase=Phase.REFILL, only=BATTLE)
def put_away(t: Table) -> None:
    """The battle is over; hands are not filled in this variant."""
    t.phase = Phase.END
