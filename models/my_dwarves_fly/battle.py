"""A battle of My Dwarves Fly up to the last roll: fighters, dice, and rolls that are repeated.

Promise: dice have their exact chances; what a roll adds is marked once nobody forces a repetition any more.
"""

from __future__ import annotations

import enum

from models.language import CHANCE, RULES, Term, TermLike, count, every, ite, least, lookup, race, take, total
from models.my_dwarves_fly import readings as r
from models.my_dwarves_fly.table import (
    Phase,
    Table,
    acting,
    asked,
    battle_number,
    book,
    fights,
    first_able,
    following,
    seats,
    size,
    skill_number,
    strength,
)


@book.rule(
    "turn.four-options",
    "turn.battle",
    "battle.all-take-part",
    by=acting,
    phase=Phase.TURN,
    battle=lambda s: s.members(s.battles),
)
def play_battle(t: Table, battle: enum.Enum) -> None:
    """A battle is played; its player begins with naming the fighters."""
    t.require(t.hand[t.turn][battle] > 0)
    t.hand[t.turn].remove(battle)
    t.battle = t.size.battle[battle.name]
    name_fighters(t)


def name_fighters(t: Table) -> None:
    """Everybody who has a creature names fighters; without any creature there is no fight."""
    found, who = first_able(t, lambda p: t.team[p].total() > 0)
    t.actor = who
    t.phase = ite(found, Phase.CHOOSE, Phase.SHARE)


# --- fighters ----------------------------------------------------------------------------------------


@book.rule(
    "battle.choose-fighters",
    "battle.no-ducking",
    "battle.no-creature",
    "battle.all-take-part",
    by=acting,
    phase=Phase.CHOOSE,
    creature=size.kind,
)
def send(t: Table, creature: enum.Enum) -> None:
    """The player sends one more creature into the battle."""
    me = t.actor
    t.require(t.team[me][creature] > t.fighters[me][creature])
    t.fighters[me].add(creature)
    sent = t.fighters[me].total()
    with t.when((sent == battle_number(t, "creatures")) | (sent == t.team[me].total())):
        next_to_name(t)


@book.rule("battle.printed", "battle.choose-fighters", by=acting, phase=Phase.CHOOSE)
def send_no_more(t: Table) -> None:
    """Only under a reading: the player sends fewer creatures than could fight."""
    t.require(t.reading(r.how_many) == "fewer-too")
    t.require(fights(t, t.actor))
    next_to_name(t)


def next_to_name(t: Table) -> None:
    """The next player who has a creature names fighters, or the fight begins."""
    found, who = following(t, t.actor, lambda p: t.team[p].total() > 0)
    with t.when(found):
        t.actor = who
    with t.otherwise():
        _, begins = first_able(t, lambda p: fights(t, p))
        step_up(t, begins)


def step_up(t: Table, who: Term) -> None:
    """A player begins to roll for all the own fighters."""
    t.actor = who
    for kind in t.size.kind:
        t.to_roll[kind] = t.fighters[who][kind]
    t.phase = Phase.ROLL


# --- dice --------------------------------------------------------------------------------------------


@book.rule("fight.dice-per-creature", "fight.next-creature", by=acting, phase=Phase.ROLL, creature=size.kind)
def roll_for(t: Table, creature: enum.Enum) -> None:
    """The player rolls for one of the fighters that have not rolled."""
    t.require(t.to_roll[creature] > 0)
    t.to_roll.remove(creature)
    t.rolling = creature
    t.phase = Phase.DICE
    wanted = total(strength(t, t.actor, creature))
    if t.reading(r.skill_serves) == "one":
        wanted = ite(is_first(t, creature), wanted, strength(t, t.actor, creature, skills=False))
    take(t, "dice", total(t.size.dice), wanted, "fight.dice-per-creature")


def is_first(t: Table, kind: TermLike) -> Term:
    """Whether the fighter that rolls is the first of its kind to do so."""
    return t.to_roll[kind] + 1 == t.fighters[t.actor][kind]


def by_skill(t: Table, numbers: tuple[int, ...]) -> Term:
    """A number of the skill that works for the fighter that rolls, 0 where none does."""
    number = skill_number(t.skill[t.actor][t.rolling], numbers)
    return ite(is_first(t, t.rolling), number, 0) if t.reading(r.skill_serves) == "one" else number


def dice_number(t: Table) -> Term:
    """How many dice are thrown for the fighter that rolls: no more than there are."""
    base = lookup(t.rolling, tuple(c.dice for c in t.size.creatures))
    more = by_skill(t, tuple(s.more_dice for s in t.size.skills))
    return least(base + more, t.size.most_dice)


def chance(t: Table, total_: int, gold: int) -> Term:
    """In how many ways the dice of the fighter that rolls show a sum and an amount of gold."""
    rules = t.size.gold_rules
    rule = by_skill(t, tuple(rules.index(frozenset(s.gold_on)) for s in t.size.skills))
    return lookup(dice_number(t) * len(rules) + rule, t.size.weights(total_, gold))


@book.rule(
    "fight.dice-per-creature",
    by=CHANCE,
    phase=Phase.DICE,
    sum=size.sums,
    gold=size.found,
    weight=lambda t, sum, gold: chance(t, sum, gold),
)
def dice(t: Table, sum: int, gold: int) -> None:
    """The dice come to rest."""
    t.rolled = sum
    t.found = gold
    t.phase = Phase.LANDED


@book.rule(
    "fight.battle-value",
    "fight.treasure-value",
    "fight.until-all-rolled",
    "fight.clockwise",
    by=RULES,
    phase=Phase.LANDED,
)
def landed(t: Table) -> None:
    """The roll is marked, unless somebody can force a repetition."""
    race(t, "force-a-roll", [can_force(t, total(p)) for p in seats(t)], "fight.skills-once")
    found, who = following_opponent(t, t.actor)
    with t.when(found):
        t.phase = Phase.WINDOW
        t.asked = who
    with t.otherwise():
        mark(t)


def mark(t: Table) -> None:
    """The roll is added to the player's values; somebody else rolls, or the fight is over."""
    me = t.actor
    room = total(t.size.track) - t.value[me]
    take(t, "track", room, t.rolled, "fight.battle-value")
    t.value[me] = least(t.value[me] + t.rolled, t.size.most_value)
    t.treasure[me] = least(t.treasure[me] + t.found, t.size.most_treasure)
    t.rolled = 0
    t.found = 0
    t.repeated = False
    t.rolling = next(iter(t.size.kind))
    t.asked = 0
    with t.when(t.to_roll.total() > 0):
        t.phase = Phase.ROLL
    with t.otherwise():
        found, who = following(t, me, lambda p: fights(t, p))
        with t.when(found):
            step_up(t, who)
        with t.otherwise():
            fight_over(t)


def fight_over(t: Table) -> None:
    """All have rolled: diplomacy begins with the starting player."""
    if t.reading(r.several) == "after-fight":
        for p in seats(t):
            best = every(
                fights(t, p), *(~fights(t, q) | (t.value[q] <= t.value[p]) for q in seats(t) if q != p)
            )
            t.level[p] = best
    t.used.fill(0)
    talks = t.reading(r.who_talks)
    _, who = first_able(t, lambda p: total() == 0 if talks == "all" else fights(t, p))
    t.actor = who
    t.phase = Phase.DIPLOMACY


# --- repetitions ---------------------------------------------------------------------------------------


def can_force(t: Table, seat: Term) -> Term:
    """Whether a player can force the roll that was just made to be repeated."""
    repeats = tuple(int(s.repeat) for s in t.size.skills)
    uses = t.reading(r.skill_uses)
    able = []
    for kind in t.size.kind:
        there = t.fighters[seat][kind]
        has = skill_number(t.skill[seat][kind], repeats) > 0
        able.append(ite(has, there if uses == "each-fighter" else ite(there > 0, 1, 0), 0))
    if uses == "each-target":
        return every(seat != t.actor, total(*able) > 0, ~t.repeated)
    return every(seat != t.actor, total(*able) > t.used[seat])


def following_opponent(t: Table, seat: Term) -> tuple[Term, Term]:
    """The next player clockwise, before the roller is reached again, who can force a repetition."""
    n = t.size.players
    found, who = total() > 0, t.actor
    for step in reversed(range(1, n)):
        other = (seat + step) % n
        before = (total(seat, n) - t.actor) % n + step < n
        fits = every(before, can_force(t, other))
        found, who = fits | found, ite(fits, other, who)
    return found, who


@book.rule("fight.skills-once", "skill.must-fight", by=asked, phase=Phase.WINDOW)
def force_again(t: Table) -> None:
    """A player uses a skill: the roll does not count and is repeated."""
    t.require(count(*(s.repeat for s in t.size.skills)) > 0)
    t.repeated = True
    t.used[t.asked] = least(t.used[t.asked] + 1, t.size.most_fighters)
    t.rolled = 0
    t.found = 0
    t.asked = 0
    t.phase = Phase.DICE


@book.rule("fight.skills-once", by=asked, phase=Phase.WINDOW)
def let_stand(t: Table) -> None:
    """A player who could force a repetition does not."""
    found, who = following_opponent(t, t.asked)
    with t.when(found):
        t.asked = who
    with t.otherwise():
        mark(t)
