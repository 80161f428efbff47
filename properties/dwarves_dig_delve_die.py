"""Properties of Dwarves: Dig, Delve, Die: what must hold in the mine whatever is rolled and chosen.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die import mine
from models.dwarves_dig_delve_die.cards import Kind
from models.dwarves_dig_delve_die.readings import winning
from models.dwarves_dig_delve_die.table import Phase, Table
from models.language import Term, TermLike, count, every, ite, lookup, some, total
from models.language.terms import TRUE
from properties.kinds import Properties

PROPERTIES = Properties()

#: While these last the number that digs is settled.
DIGGING = (Phase.DIG, Phase.REVEAL, Phase.ARMY, Phase.STEAL, Phase.SURVEY, Phase.MAZE, Phase.DRINK)


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _in_mine(t: Table) -> Term:
    return total(*(t.stack[c].depth for c in t.size.card))


# --- always --------------------------------------------------------------------------------------


@PROPERTIES.always("dice.one-each", "digging.take")
def no_die_is_lost(t: Table) -> Term:
    """Supply, players, hand, mine and what is out of the game hold all dice together."""
    return total(t.supply, *t.own, t.fist, *t.rolled, _in_mine(t), t.box) == int(t.size.dice)


@PROPERTIES.always("turn.equal-or-higher")
def stacks_rise(t: Table) -> TermLike:
    """No die lies on one with a larger number, as long as no Titans Forge changes the top."""
    if t.size.has(Kind.FORGE):
        return True
    return every(
        *(
            ~t.stack[c].has(i + 1) | (t.stack[c][i] <= t.stack[c][i + 1])
            for c in t.size.card
            for i in range(t.size.dice - 1)
        )
    )


@PROPERTIES.always("turn.place-each", "cards.cave-in")
def dice_lie_on_cards_that_can_be_seen(t: Table) -> Term:
    """No die lies on a card that is in the pile."""
    return every(*((t.spot[c] > 0) | (t.stack[c].depth == 0) for c in t.size.card))


@PROPERTIES.always("delving.line", "cards.labyrinth")
def the_row_has_no_gaps(t: Table) -> Term:
    """Outside the Labyrinth's own choice the face-up cards are numbered from the left, one a spot."""
    n = mine.face_up(t)
    spots = [some(*(t.spot[c] == k for c in t.size.card)) for k in range(1, t.size.places + 1)]
    return every(*(spots[k] | (n <= k) for k in range(t.size.places)))


@PROPERTIES.always("setup.delve-left", "digging.left-to-right")
def delve_and_dig_is_leftmost(t: Table) -> Term:
    """Delve & Dig lies on the left of all other cards."""
    return t.spot[t.size.delve] == 1


@PROPERTIES.always("digging.lowest")
def a_number_digs_only_while_digging(t: Table) -> Term:
    """A number is settled exactly from the end of placing to the end of the turn (or of the game)."""
    return every(
        ~_in(t, *DIGGING) | (t.number > 0), ~_in(t, Phase.SETUP, Phase.DRAW, Phase.LOWEST) | (t.number == 0)
    )


@PROPERTIES.always("turn.place-all")
def nothing_is_in_hand_while_digging(t: Table) -> Term:
    """No die waits to be rolled or placed while others dig."""
    return ~_in(t, *DIGGING) | ((t.fist == 0) & (total(*t.rolled) == 0))


@PROPERTIES.always("winning.five-gold")
def nobody_plays_on_with_the_gold(t: Table) -> Term:
    """As long as the game lasts nobody has the gold that wins, where the game is over at once."""
    if t.reading(winning) != "at-once":
        return TRUE
    return _in(t, Phase.OVER) | every(*(t.gold[p] < t.size.goal for p in range(t.size.players)))


# --- every step ----------------------------------------------------------------------------------


@PROPERTIES.step("digging.complete", "digging.left-to-right")
def every_turn_comes_to_an_end(before: Table, after: Table) -> Term:
    """Each step ends the turn or the game, or brings the turn closer to its end."""
    ended = _in(after, Phase.DRAW, Phase.OVER)
    return ended | (left_to_do(after) < left_to_do(before))


def left_to_do(t: Table) -> Term:
    """A number that no turn can lower for ever: dice that may still dig, then what a card has to do."""
    small = 2 * t.size.dice + t.size.places + 4 * t.size.throne + 8  # more than any card has to do but reveal
    card = lookup(
        t.phase,
        {
            **dict.fromkeys(Phase, 0),
            Phase.ARMY: 1,
            Phase.STEAL: 1,
            Phase.DRINK: 1,
            Phase.MAZE: t.size.places + 1,
        },
    )
    card = card + ite(_in(t, Phase.SURVEY, Phase.REVEAL), small * (mine.in_pile(t) + 1), 0)
    card = card - ite(t.phase == Phase.MAZE, t.filled, 0)
    hand = 3 * t.fist + 2 * total(*t.rolled) - ite(t.forced, 1, 0) + ite(_in(t, Phase.ROLL), 1, 0)
    one_die = small * (t.size.places + 4)
    digging = one_die * (t.size.dice - t.own[t.turn]) + card + hand
    whole = one_die * (t.size.dice + 1)
    dealt = 4 * t.size.dice + 8
    opening = lookup(
        t.phase, {**dict.fromkeys(Phase, 0), Phase.SETUP: dealt + 1, Phase.DRAW: dealt, Phase.LOWEST: 1}
    )
    return ite(t.number > 0, digging, whole + opening + hand)


@PROPERTIES.step("winning.five-gold")
def gold_is_only_stolen(before: Table, after: Table) -> Term:
    """A player loses gold only where another one gains it."""
    lost = [after.gold[p] < before.gold[p] for p in range(before.size.players)]
    return ~some(*lost) | ((count(*lost) == 1) & (total(*after.gold) == total(*before.gold)))


# --- sometimes -----------------------------------------------------------------------------------


@PROPERTIES.sometimes("winning.five-gold")
def somebody_wins(t: Table) -> Term:
    """A game comes to its end."""
    return _in(t, Phase.OVER)


@PROPERTIES.sometimes("turn.stack")
def dice_are_stacked(t: Table) -> Term:
    """Two dice lie on one card."""
    return some(*(t.stack[c].depth >= 2 for c in t.size.card))


@PROPERTIES.sometimes("digging.left-to-right")
def two_cards_are_due(t: Table) -> Term:
    """Dice on two cards are to dig."""
    return _in(t, Phase.DIG) & (count(*(mine.digs(t, c) for c in mine.in_play(t))) >= 2)


@PROPERTIES.sometimes("delving.line")
def all_cards_lie_face_up(t: Table) -> Term:
    """The pile is used up."""
    return mine.in_pile(t) == 0


# --- the graph -----------------------------------------------------------------------------------

PROPERTIES.ends("winning.five-gold")

# --- chains -----------------------------------------------------------------------------------------

#: The rules that carry a card out; their parameter `card` says which.
ACTING = ("dig", "reveal", "pick")


def looks_for_the_next(t: Table) -> Term:
    """A card has been carried out, and the next die to dig is looked for."""
    return _in(t, Phase.DIG)
