"""The examples that the text of My Dwarves Fly prints, as plays from the setup.

Promise: each play says only what its example says. Where the text does not tell what was laid face down, both
players bluff, which every reading allows; what an example leaves out (who draws what, who gives up a creature
afterwards) is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.language import Term, every
from models.language.examples import Examples, Script
from models.my_dwarves_fly.rules import book
from models.my_dwarves_fly.table import Table

EXAMPLES = Examples(book)

SIZE = "examples"
MICHAEL, MAIKE = 0, 1

_SIZE = book.find_size(SIZE)[1]


def draws(s: Script, card: str) -> None:
    """Whoever draws takes a card from its deck."""
    creature = card in _SIZE.kind.__members__  # type: ignore[attr-defined]
    s.move("draw_from", deck="CREATURES" if creature else "ACTIONS")
    s.move("draw", card=card)


def deal(s: Script, michael: Sequence[str], maike: Sequence[str]) -> None:
    """Both hands are dealt, one card at a time; elves that nobody plays fill them up."""
    hands = [[*hand, *["ELF"] * 5][:5] for hand in (michael, maike)]
    for pair in zip(*hands, strict=True):
        for card in pair:
            draws(s, card)


def turn(s: Script, then: str, rule: str, **params: str | int) -> None:
    """An action, and the card that is drawn after it."""
    s.move(rule, **params)
    draws(s, then)


def comes(s: Script, creature: str, then: str) -> None:
    """A creature is played."""
    turn(s, then, "play_creature", creature=creature)


def rolls(s: Script, creature: str, *dice: int, gold: int) -> None:
    """The dice of a fighter."""
    s.move("roll_for", creature=creature)
    s.move("dice", sum=sum(dice), gold=gold)


def bluff(s: Script, first: str, second: str) -> None:
    """Both players lay a card that is no event."""
    s.move("lay_down", card=first)
    s.move("lay_down", card=second)


def has(seat: int, **creatures: int) -> Callable[[Table], Term]:
    """The numbers of some creatures in front of a player."""
    return lambda t: every(*(t.team[seat][t.size.kind[name.upper()]] == n for name, n in creatures.items()))


def values(seat: int, battle_value: int, treasure: int) -> Callable[[Table], Term]:
    """A player's markers."""
    return lambda t: (t.value[seat] == battle_value) & (t.treasure[seat] == treasure)


# --- aversions ------------------------------------------------------------------------------------


@EXAMPLES.example(
    "creature.own-orcs", "creature.own-only", "example.figure-dwarf", "example.figure-orc", size=SIZE
)
def own_orcs_go(s: Script) -> None:
    """Both have an orc; Michael's goes as he plays a dwarf."""
    deal(s, ["ORC", "DWARF"], ["ORC"])
    comes(s, "ORC", "GOBLIN")
    comes(s, "ORC", "GOBLIN")
    comes(s, "DWARF", "GOBLIN")
    s.sees(has(MICHAEL, orc=0, dwarf=1))
    s.sees(has(MAIKE, orc=1))


@EXAMPLES.example("creature.third", "creature.third-anybodys", "example.third-would", size=SIZE)
def third_dwarf(s: Script) -> None:
    """A dwarf lies before each of them, and an orc before Maike; Michael plays the third dwarf."""
    deal(s, ["DWARF", "DWARF", "ORC"], ["DWARF", "ORC"])
    comes(s, "DWARF", "GOBLIN")
    comes(s, "DWARF", "GOBLIN")
    comes(s, "ORC", "GOBLIN")
    comes(s, "ORC", "TROLL")
    s.sees(has(MICHAEL, orc=1))
    comes(s, "DWARF", "TROLL")
    s.sees(has(MICHAEL, orc=0))
    s.sees(has(MAIKE, orc=0))


@EXAMPLES.example("creature.troll-comes", size=SIZE)
def troll_comes(s: Script) -> None:
    """A troll that is played drives orcs and dwarves away."""
    deal(s, ["DWARF", "ORC", "TROLL"], ["GOBLIN", "GOBLIN"])
    comes(s, "DWARF", "DWARF")
    comes(s, "GOBLIN", "DWARF")
    comes(s, "ORC", "DWARF")
    comes(s, "GOBLIN", "ORC")
    s.sees(has(MICHAEL, orc=1, dwarf=1))
    comes(s, "TROLL", "ORC")
    s.sees(has(MICHAEL, orc=0, dwarf=0, troll=1))


@EXAMPLES.example("creature.troll-lies", size=SIZE)
def troll_lies(s: Script) -> None:
    """Dwarves and orcs that come after a troll stay, and so does the troll."""
    deal(s, ["TROLL", "DWARF", "ORC"], ["GOBLIN", "GOBLIN"])
    comes(s, "TROLL", "DWARF")
    comes(s, "GOBLIN", "DWARF")
    comes(s, "DWARF", "DWARF")
    comes(s, "GOBLIN", "ORC")
    comes(s, "ORC", "ORC")
    s.sees(has(MICHAEL, orc=1, dwarf=1, troll=1))


# --- skills ---------------------------------------------------------------------------------------


@EXAMPLES.example("skill.example-orcs", "skill.example-one-leaves", size=SIZE)
def one_of_two_orcs_leaves(s: Script) -> None:
    """Two orcs with a skill win a battle and one of them leaves: the skill stays."""
    deal(s, ["ORC", "ORC", "GREEDY", "SKIRMISH"], ["GOBLIN", "TROLL"])
    comes(s, "ORC", "DWARF")
    comes(s, "GOBLIN", "DWARF")
    comes(s, "ORC", "DWARF")
    comes(s, "TROLL", "DWARF")
    turn(s, "TROLL", "lay_skill", skill="GREEDY", on=MICHAEL, creature="ORC")
    turn(s, "GOBLIN", "discard", card="DWARF")
    s.move("play_battle", battle="SKIRMISH")
    for creature in ("ORC", "ORC", "GOBLIN", "TROLL"):
        s.move("send", creature=creature)
    rolls(s, "ORC", 6, 6, 6, gold=0)
    rolls(s, "ORC", 6, 6, 6, gold=0)
    rolls(s, "GOBLIN", 3, 3, gold=0)
    rolls(s, "TROLL", 3, 3, 3, 3, gold=0)
    bluff(s, "DWARF", "DWARF")
    s.move("give_up", creature="ORC")
    s.sees(has(MICHAEL, orc=1))
    s.sees(lambda t: t.skill[MICHAEL][t.size.kind["ORC"]] == t.size.skill["GREEDY"])


@EXAMPLES.example("skill.example-both-left", size=SIZE)
def last_orc_leaves(s: Script) -> None:
    """The only orc that is left goes, and its skill is discarded."""
    deal(s, ["ORC", "GREEDY", "DWARF"], ["GOBLIN", "GOBLIN"])
    comes(s, "ORC", "DWARF")
    comes(s, "GOBLIN", "DWARF")
    turn(s, "TROLL", "lay_skill", skill="GREEDY", on=MICHAEL, creature="ORC")
    comes(s, "GOBLIN", "DWARF")
    comes(s, "DWARF", "TROLL")
    s.sees(has(MICHAEL, orc=0))
    s.sees(lambda t: t.skill[MICHAEL][t.size.kind["ORC"]] == t.size.skill["NONE"])


# --- the dwarf and the elf in a skirmish ----------------------------------------------------------

_SKIRMISH = ("fight.example-skirmish", "fight.example-dwarf-rolls", "fight.example-elf-rolls")


def skirmish(s: Script, *, greedy: bool) -> None:
    """A dwarf and an elf fight; the dwarf rolls 6, 1, 2 and the elf 6, 5."""
    deal(s, ["DWARF", "GREEDY", "SKIRMISH"], ["GOBLIN", "TROLL"])
    comes(s, "DWARF", "DWARF")
    comes(s, "GOBLIN", "DWARF")
    comes(s, "ELF", "DWARF")
    comes(s, "TROLL", "GOBLIN")
    if greedy:
        turn(s, "TROLL", "lay_skill", skill="GREEDY", on=MICHAEL, creature="DWARF")
    else:
        turn(s, "TROLL", "discard", card="GREEDY")
    turn(s, "GOBLIN", "discard", card="DWARF")
    s.move("play_battle", battle="SKIRMISH")
    for creature in ("DWARF", "ELF", "GOBLIN", "TROLL"):
        s.move("send", creature=creature)
    rolls(s, "DWARF", 6, 1, 2, gold=2 if greedy else 1)
    rolls(s, "ELF", 6, 5, gold=0)
    s.sees(values(MICHAEL, 20, 2 if greedy else 1))


@EXAMPLES.example(*_SKIRMISH, "fight.example-sum", "fight.example-two-gold", size=SIZE)
def dwarf_and_elf(s: Script) -> None:
    """20 and 1; if that wins, two gold come on top of the one."""
    skirmish(s, greedy=False)
    rolls(s, "GOBLIN", 3, 3, gold=0)
    rolls(s, "TROLL", 3, 3, 3, 3, gold=0)
    bluff(s, "DWARF", "GOBLIN")
    s.may("give_up", creature="DWARF")
    s.sees(lambda t: t.gold[MICHAEL] == 3)


@EXAMPLES.example(*_SKIRMISH, "fight.example-greedy", size=SIZE)
def greedy_dwarf(s: Script) -> None:
    """With Greedy beside the dwarf the treasure value is 2."""
    skirmish(s, greedy=True)


# --- the example of play --------------------------------------------------------------------------


_BEFORE = (
    "example.michael-dwarf",
    "example.michael-has",
    "example.maike-goblin",
    "example.goblin-elves",
    "example.maike-has",
    "example.orc-stays",
    "example.maike-battle",
    "example.skirmish-two",
    "example.maike-begins",
    "example.orc-rolls",
)


def michael_against_maike(s: Script, *, skill: bool) -> None:
    """Elf and dwarf against orc and goblin, up to the fighters; the dwarf has its skill or not."""
    deal(s, ["ELF", "DWARF", "MY_DWARVES_FLY_HIGH"], ["ORC", "GOBLIN", "SKIRMISH"])
    comes(s, "ELF", "DWARF")
    comes(s, "ORC", "DWARF")
    comes(s, "DWARF", "DWARF")
    s.sees(has(MICHAEL, elf=1, dwarf=1))
    comes(s, "GOBLIN", "TROLL")
    s.sees(has(MAIKE, orc=1, goblin=1))
    if skill:
        turn(s, "TROLL", "lay_skill", skill="MY_DWARVES_FLY_HIGH", on=MICHAEL, creature="DWARF")
    else:
        turn(s, "TROLL", "discard", card="MY_DWARVES_FLY_HIGH")
    s.move("play_battle", battle="SKIRMISH")
    for creature in ("ORC", "GOBLIN", "ELF", "DWARF"):
        s.move("send", creature=creature)


@EXAMPLES.example(
    *_BEFORE,
    "example.lays-skill",
    "example.what-it-does",
    "example.michael-forces",
    "example.rolls-again",
    "example.marker-seven",
    "example.orc-finds-gold",
    "example.gold-one",
    size=SIZE,
)
def michael_forces_a_roll(s: Script) -> None:
    """Maike's orc rolls 6, 5, 1; Michael's skill makes it roll again: 4, 2, 1 give 7 and one gold."""
    michael_against_maike(s, skill=True)
    rolls(s, "ORC", 6, 5, 1, gold=1)
    s.may("force_again")
    s.move("force_again")
    s.move("dice", sum=7, gold=1)
    s.sees(values(MAIKE, 7, 1))


@EXAMPLES.example(
    *_BEFORE,
    "example.marker-seven",
    "example.gold-one",
    "example.goblin-two-dice",
    "example.marker-sixteen",
    "example.michaels-turn",
    "example.elf-rolls",
    "example.six-and-one",
    "example.dwarf-rolls",
    "example.fourteen-and-two",
    "example.maike-wins",
    "example.no-events",
    "example.three-coins",
    size=SIZE,
)
def maike_wins(s: Script) -> None:
    """14 against 16, and three coins for Maike.

    The rolls that count are played without the skill: whether it could be used once more is not told.
    """
    michael_against_maike(s, skill=False)
    rolls(s, "ORC", 4, 2, 1, gold=1)
    s.sees(values(MAIKE, 7, 1))
    rolls(s, "GOBLIN", 6, 3, gold=0)
    s.sees(values(MAIKE, 16, 1))
    rolls(s, "ELF", 5, 1, gold=1)
    s.sees(values(MICHAEL, 6, 1))
    rolls(s, "DWARF", 4, 3, 1, gold=1)
    s.sees(values(MICHAEL, 14, 2))
    bluff(s, "DWARF", "DWARF")
    s.may("give_up", creature="ORC")
    s.sees(lambda t: t.gold[MAIKE] == 3)
