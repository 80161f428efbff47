"""The printed answers to frequently asked questions, as rulings on the rules and the cards.

Promises: each answer is one ruling; nothing here is part of a model that is built without it. A ruling picks
an option of a reading, or changes a table: `outcomes` gives the rules what the changed rows lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from models.dwarves_dig_delve_die import mine
from models.dwarves_dig_delve_die.cards import Kind
from models.dwarves_dig_delve_die.table import Phase, Table, book
from models.language import Row, Term, TermLike, every, ite, least, most, rank, renamed, row, some

SOURCE = "questions and answers printed with the rulebook"


def _ruling(clause: str, *answers: str, **picks: str) -> str:
    book.ruling(
        clause, picks={k.replace("_", "."): v for k, v in picks.items()}, source=SOURCE, answers=answers
    )
    return clause


# --- players, turn and placement -----------------------------------------------------------------

PLAYERS = _ruling("faq-players.three-to-six", "players.number")
TWO = _ruling("faq-players.two-no-blockade", "players.number")
MANY = _ruling("faq-players.many-tokens", "gold.runs-out")
TWENTY = _ruling("faq-players.twenty-dice", "dice.number")

NO_DICE = _ruling("faq-turn.no-dice")
UNPLACEABLE = _ruling("faq-turn.unplaceable")
REST_LATER = _ruling("faq-turn.rest-later")
TOP_ONLY = _ruling("faq-turn.top-only", digging_stacked="top")


@book.override("roll", "", clause=NO_DICE, ruling=NO_DICE)
def no_dice(t: Table, _: Row | None) -> Row:
    """Without dice the roll is left out."""
    return row(NO_DICE, when=t.fist == 0, then="skip")


@book.override("unplaceable", "", clause=UNPLACEABLE, ruling=UNPLACEABLE)
def unplaceable(t: Table, _: Row | None) -> Row:
    """A die that finds no place goes back."""
    return row(UNPLACEABLE, when=True, then="return", overrides=["turn.place-all", "turn.equal-or-higher"])


# --- drinking ------------------------------------------------------------------------------------

DRY = _ruling("faq-drinking.remove-mugs")
SKULL = _ruling("faq-drinking.skull-everyone", skull_who="everybody")
SKULL_RACE = _ruling("faq-drinking.skull-next-turn")

# --- the Iron Army -------------------------------------------------------------------------------

ARMY_ANYWHERE = _ruling("faq-army.anywhere", army_from="anywhere")
ARMY_STOPS = _ruling("faq-army.stops-card", digging_who="sweep")
ARMY_STARTS = _ruling("faq-army.starts-card", digging_who="sweep")
ARMY_MIDDLE = _ruling("faq-army.middle", army_height="any")

# --- ties ----------------------------------------------------------------------------------------

IN_TURN = _ruling("faq-ties.turn-order")
BROTHEL = _ruling("faq-ties.brothel-round")
SHRINE = _ruling("faq-ties.shrine-all")


@book.override(
    "hand-out",
    "winning.five-gold",
    clause=IN_TURN,
    ruling=IN_TURN,
    sizes=lambda s: s.has(Kind.ALE) or s.has(Kind.SHRINE),
)
def in_turn(t: Table, _: Row | None) -> Row:
    """Gold is gained one after another."""
    return row(IN_TURN, when=True, then="in turn")


@book.override(
    "brothel", "cards.brothel", clause=BROTHEL, ruling=BROTHEL, sizes=lambda s: s.has(Kind.BROTHEL)
)
def brothel(t: Table, _: Row | None) -> Row:
    """Dice go round until none is left."""
    return row(BROTHEL, when=True, then="round")


@book.override("shrine", "cards.shrine", clause=SHRINE, ruling=SHRINE, sizes=lambda s: s.has(Kind.SHRINE))
def shrine(t: Table, _: Row | None) -> Row:
    """All who are poorest gain."""
    return row(SHRINE, when=True, then="all poorest")


# --- Throne, Forge, Goblins, Labyrinth, Survey Team, Cave In -------------------------------------

THRONE = _ruling("faq-throne.throne-deeper", digging_who="sweep")
FORGE_ONES = _ruling("faq-throne.forge-then", digging_who="sweep")
NUMBER_STAYS = _ruling("faq-throne.number-stays", digging_number="stays")
STEAL_PLAYER = _ruling("faq-goblins.steal-player", warrens_from="player")
STEAL_NOBODY = _ruling("faq-goblins.steal-nobody")
MUST_ACT = _ruling("faq-goblins.must-act", cards_must="must")
SAME_ORDER = _ruling("faq-goblins.same-order", maze_same="allowed")
DICE_STAY = _ruling("faq-goblins.dice-stay", "maze.dice")
NEXT_RIGHT = _ruling("faq-goblins.next-right", maze_next="labyrinth")
NEXT_MOVES = _ruling("faq-goblins.next-moves")
PICK = _ruling("faq-survey.pick", survey_pick="choose")
CAVE = _ruling("faq-survey.cave", cave_delve="stays")


@book.override("dig", "digging.leave-rest", clause=NEXT_MOVES, ruling=NEXT_MOVES)
def act_again(t: Table, leave: Row | None) -> list[Row]:
    """A card that the Labyrinth has moved in front again acts again."""
    assert leave is not None
    return [row(NEXT_MOVES, when=leave.when, then="dig"), leave]


@book.override("dig", "digging.leave-rest", clause=REST_LATER, ruling=REST_LATER, overrides=NEXT_MOVES)
def once_a_turn(t: Table, leave: Row | None) -> Row:
    """What lay under a die that dug waits for another turn."""
    assert leave is not None
    return renamed(leave, clause=REST_LATER)


@book.override("turn-over", "digging.leave-rest", clause=REST_LATER, ruling=REST_LATER)
def rest_waits(t: Table, leave: Row | None) -> Row:
    """What lay under a die that dug waits for another turn."""
    assert leave is not None
    return renamed(leave, clause=REST_LATER, overrides=("digging.complete",))


@book.override("turn-over", "digging.left-to-right", clause=THRONE, ruling=THRONE)
def only_deeper(t: Table, passed: Row | None) -> Row:
    """Dice that come to show the number on the left of the one that digs do not dig."""
    assert passed is not None
    return renamed(passed, clause=THRONE, overrides=("digging.complete",))


@book.override("turn-over", "digging.complete", clause=NEXT_RIGHT, ruling=NEXT_RIGHT)
def passed_over(t: Table, complete: Row | None) -> list[Row]:
    """Dice that the Labyrinth has passed over do not dig."""
    assert complete is not None
    late = some(*(mine.left_over(t, c, uncovered=False) for c in mine.in_play(t)))
    return [row(NEXT_RIGHT, when=every(late, t.jumped), then="over"), complete]


@book.override("warrens", "", clause=STEAL_NOBODY, ruling=STEAL_NOBODY, sizes=lambda s: s.has(Kind.WARRENS))
def nothing_to_steal(t: Table, _: Row | None) -> Row:
    """Where nobody has gold nothing happens."""
    nobody = every(*(t.gold[p] == 0 for p in range(t.size.players)))
    return row(STEAL_NOBODY, when=nobody, then="nothing")


# --- what the changed rows lead to ---------------------------------------------------------------

Effect = Callable[[], None]


def outcomes(table: str, t: Table, *about: Any) -> Mapping[str, Effect]:
    """The outcomes that rulings add to a table.

    Args:
        table: Name of the table.
        t: The state.
        about: What the table is about: the number on the die, or who gains gold.
    """
    return {name: partial(effect, t, *about) for name, effect in _OUTCOMES[table].items()}


def _skip_roll(t: Table) -> None:
    t.phase = Phase.LOWEST


def _return_die(t: Table, number: int) -> None:
    from models.dwarves_dig_delve_die.turn import go_on

    t.rolled[number - 1] = most(t.rolled[number - 1] - 1, 0)
    t.supply = least(t.supply + 1, t.size.dice)
    go_on(t)


def _nothing(t: Table) -> None:
    """Nothing happens."""


def before(t: Table, a: int, b: int) -> Term:
    """Whether a player comes before another in the order of turns, the player on turn first."""
    n: int = t.size.players
    return (a + n - t.turn) % n < (b + n - t.turn) % n


def _gold_in_turn(t: Table, who: Sequence[TermLike]) -> None:
    """Gold comes to one player after another, until somebody has won."""
    from models.dwarves_dig_delve_die import readings as r
    from models.dwarves_dig_delve_die.effects import settle

    players = range(t.size.players)
    wins = [every(who[p], t.gold[p] + 1 >= t.size.goal) for p in players]
    gains = []
    for p in players:
        over = some(*(every(wins[q], before(t, q, p)) for q in players if q != p))
        gains.append(every(who[p], ~over) if t.reading(r.winning) == "at-once" else who[p])
    for p in players:
        t.gold[p] = least(t.gold[p] + ite(gains[p], 1, 0), t.size.goal)
    settle(t)


def _dice_round(t: Table) -> None:
    """Dice go round, the player on turn first, until everybody has one or none is left."""
    players, supply, n = range(t.size.players), t.supply, t.size.players
    for p in players:
        gets = (p + n - t.turn) % n < supply
        t.own[p] = least(t.own[p] + ite(gets, 1, 0), t.size.dice)
    t.supply = most(supply - n, 0)


def _all_poorest(t: Table) -> None:
    """Everybody who is poorest gains."""
    from models.dwarves_dig_delve_die.effects import earn

    gold = [t.size.goal - t.gold[p] for p in range(t.size.players)]
    earn(t, rank(t, "all-poorest", [gold], SHRINE, shared=True).best)


_OUTCOMES: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "roll": {"skip": _skip_roll},
    "unplaceable": {"return": _return_die},
    "hand-out": {"in turn": _gold_in_turn},
    "brothel": {"round": _dice_round},
    "shrine": {"all poorest": _all_poorest},
    "warrens": {"nothing": _nothing},
}
