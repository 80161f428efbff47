"""Creatures and skills of My Dwarves Fly: coming, driving away, leaving, and what goes with them.

Promise: who goes when a creature comes, and whether a skill goes along, is settled in one table each, whose
rows are the sentences that have a say.
"""

from __future__ import annotations

import enum

from models.language import Policy, TermLike, decide, every, row, some, total
from models.my_dwarves_fly import readings as r
from models.my_dwarves_fly.cards import Creature
from models.my_dwarves_fly.table import Phase, Table, acting, book, seats, size


@book.rule(
    "turn.four-options",
    "turn.creature",
    "creature.face-up",
    "creature.own-only",
    "creature.third",
    "creature.third-anybodys",
    by=acting,
    phase=Phase.TURN,
    creature=size.kind,
)
def play_creature(t: Table, creature: enum.Enum) -> None:
    """A creature comes to the team of the player on turn, and those whom it cannot stand go."""
    card = t.size.card[creature.name]
    t.require(t.hand[t.turn][card] > 0)
    t.hand[t.turn].remove(card)
    kind = next(c for c in t.size.creatures if c.member == creature.name)
    if kind.averse_to:
        drive_away(t, kind, creature)
    t.team[t.turn].add(creature)
    t.phase = Phase.REFILL


def drive_away(t: Table, kind: Creature, creature: enum.Enum) -> None:
    """What a creature with an aversion does as it comes."""
    there = total(*(t.team[p][creature] for p in seats(t)))
    hated = [c for c in t.size.creatures if c.name in kind.averse_to]
    third = kind.third or t.reading(r.third_kinds) == "every-kind"
    again: TermLike = t.thirded[creature] if kind.count > 3 else False
    rows = [
        row("creature.own-only", when=True, then="own"),
        row(
            "creature.third", when=every(third, there == 2), then="everybody", overrides=["creature.own-only"]
        ),
        row("creature.further", when=every(third, some(there >= 3, every(there == 2, again))), then="nobody"),
    ]

    def own() -> None:
        for other in hated:
            go(t, t.turn, t.size.kind[other.member], t.team[t.turn][t.size.kind[other.member]])

    def everybody() -> None:
        for p in seats(t):
            for other in hated:
                go(t, p, t.size.kind[other.member], t.team[p][t.size.kind[other.member]])
        if kind.count > 3:
            t.thirded[creature] = True

    def nobody() -> None:
        """Nothing happens."""

    decide(
        t,
        "who-goes",
        rows,
        policy=Policy.PRIORITY,
        outcomes={"own": own, "everybody": everybody, "nobody": nobody},
    )


def go(t: Table, seat: TermLike, kind: enum.Enum, number: TermLike) -> None:
    """Some creatures of a kind leave a team; the skill beside them goes along, or stays with the rest.

    Args:
        t: The table.
        seat: The player.
        kind: The kind.
        number: How many leave.
    """
    left = t.team[seat][kind] - number
    if t.size.skills:
        with t.when(every(total(number) > 0, t.skill[seat][kind] != t.size.skill["NONE"])):

            def gone() -> None:
                t.skill[seat][kind] = t.size.skill["NONE"]

            def stays() -> None:
                """The skill stays with those that are left."""

            decide(
                t,
                "skill-goes",
                [
                    row("creature.take-skills", when=True, then="goes"),
                    row("skill.last-leaves", when=left > 0, then="stays"),
                ],
                on_clash="skill.last-leaves",
                outcomes={"goes": gone, "stays": stays},
            )
    t.team[seat][kind] = left


@book.rule(
    "turn.four-options",
    "turn.skill",
    "skill.assigned",
    "skill.anybodys",
    "skill.replaces",
    "skill.one-each",
    by=acting,
    phase=Phase.TURN,
    skill=lambda s: s.members(s.skills),
    on=size.players,
    creature=size.kind,
)
def lay_skill(t: Table, skill: enum.Enum, on: int, creature: enum.Enum) -> None:
    """A skill is laid beside creatures of one race in front of any player, in the place of another."""
    card = next(s for s in t.size.skills if s.member == skill.name)
    fits = any(c.name in card.fits for c in t.size.creatures if c.member == creature.name)
    t.require(fits)
    t.require(t.hand[t.turn][skill] > 0)
    t.require(t.team[on][creature] > 0)
    t.hand[t.turn].remove(skill)
    if t.reading(r.skill_scope) == "table":
        for p in seats(t):
            t.skill[p][creature] = t.size.skill["NONE"]
    t.skill[on][creature] = t.size.skill[skill.name]
    t.phase = Phase.REFILL
