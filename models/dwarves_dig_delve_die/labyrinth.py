"""The Labyrinth of Dwarves: Dig, Delve, Die: the player lays the face-up cards in another order.

Promise: the order is chosen one spot after the other, so that every order can be chosen in exactly one way.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die import mine
from models.dwarves_dig_delve_die import readings as r
from models.dwarves_dig_delve_die.mine import Card
from models.dwarves_dig_delve_die.table import Phase, Table, book, size, turn_player
from models.language import every, ite, least, some


def labyrinth(t: Table) -> None:
    """The player lays the face-up cards in another order, one spot after the other."""
    first = 1 if t.reading(r.maze_delve) == "moves" else 2
    several = mine.face_up(t) > first
    t.filled = ite(several, first - 1, 0)
    if t.reading(r.maze_same) == "change":
        t.moved = False
    with t.when(several):
        t.phase = Phase.MAZE
    with t.otherwise():
        _after_labyrinth(t)


@book.rule("cards.labyrinth", by=turn_player, phase=Phase.MAZE, card=size.arranged)
def arrange(t: Table, card: Card) -> None:
    """The player says which card lies at the next spot; the one that lay there takes its place."""
    t.require(card in mine.in_play(t))
    goal, was, n = t.filled + 1, t.spot[card], mine.face_up(t)
    t.require(was > t.filled)
    last_choice = goal + 1 >= n
    if t.reading(r.maze_same) == "change":
        t.require(~every(last_choice, ~t.moved, was == goal))
        t.moved = every(~last_choice, some(t.moved, was != goal))
    for other in mine.others(t, card):
        with t.when(t.spot[other] == goal):
            t.spot[other] = was
            if t.reading(r.maze_dice) == "in-place":
                _swap_stacks(t, card, other)
    t.spot[card] = goal
    t.filled = ite(last_choice, 0, least(goal, t.size.places))
    with t.when(last_choice):
        _after_labyrinth(t)


def _after_labyrinth(t: Table) -> None:
    t.phase = Phase.DIG
    after = t.reading(r.maze_next)
    if after == "rest":
        t.at = 0
    elif after == "labyrinth":
        here = t.spot[t.size.card["LABYRINTH"]]
        left = [every(mine.shows(t, c, t.number), ~t.dug[c], t.spot[c] <= here) for c in mine.in_play(t)]
        t.jumped = some(t.jumped, *left)
        t.at = here


def _swap_stacks(t: Table, a: Card, b: Card) -> None:
    """The dice on two cards change places."""
    kept = [[t.stack[c][i] for i in range(len(t.stack[c]))] for c in (a, b)]
    depths = [t.stack[c].depth for c in (a, b)]
    due, dug = [t.due[c] for c in (a, b)], [t.dug[c] for c in (a, b)]
    for n, card in ((1, a), (0, b)):
        t.stack[card].clear()
        for i, die in enumerate(kept[n]):
            with t.when(depths[n] > i):
                t.stack[card].push(die)
        t.due[card], t.dug[card] = due[n], dug[n]
