"""Properties of Railroad Ink: what must hold of every board whatever is rolled and drawn.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from models.language import Term, count, every, lookup, some, total
from models.railroad_ink.drawing import Sheet
from models.railroad_ink.sizes import Way
from models.railroad_ink.table import Phase, Table, cells, seats
from models.railroad_ink.tiles import ROUTES
from properties.kinds import Properties

PROPERTIES = Properties()

#: Variants in which nothing that was drawn ever goes away.
LASTING = ("base", "river", "lake")


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _is(t: Table, who: int, cell: int, *kinds: str) -> Term:
    """Whether a tile of some kind or face lies in a space."""
    wanted = t.size.marks(lambda tile: tile.face.kind in kinds or tile.face.name in kinds)
    return every(lookup(t.board[who][cell], wanted))


def _borders(t: Table) -> Iterator[tuple[Sheet, int, Way, int]]:
    for who in seats(t):
        sheet = Sheet(t, who)
        for cell, side, other in t.size.borders():
            yield sheet, cell, side, other


def _never_meet(t: Table, letters: str, others: str) -> Term:
    """No end of one group meets one of another group across a side."""
    return ~some(
        *(
            every(sheet.has(cell, side, a), sheet.has(other, side.back, b))
            for sheet, cell, side, other in _borders(t)
            for a, b in ((letters, others), (others, letters))
        )
    )


# --- always -----------------------------------------------------------------------------------------


@PROPERTIES.always("drawing.no-mix")
def railways_and_highways_never_meet(t: Table) -> Term:
    """No railway end meets a highway end."""
    return _never_meet(t, "H", "R")


@PROPERTIES.always("river-rules.no-join", only=("river",))
def rivers_meet_rivers_only(t: Table) -> Term:
    """No river end meets a highway or a railway."""
    return _never_meet(t, "V", ROUTES)


@PROPERTIES.always("drawing.connected", only=LASTING)
def every_route_is_connected(t: Table) -> Term:
    """A route of the dice or a special route has an end that meets an exit or a route."""
    found = []
    for who in seats(t):
        sheet = Sheet(t, who)
        for cell in cells(t):
            meets = [
                every(sheet.has(cell, side, letter), sheet.joins(cell, side, letter))
                for side in Way
                for letter in ROUTES
            ]
            found.append(~_is(t, who, cell, "route", "special") | some(*meets))
    return every(*found)


@PROPERTIES.always("special.three", "special.once")
def special_routes_are_limited(t: Table) -> Term:
    """No more special routes lie on a board than may be used, and each once."""
    found = []
    for who in seats(t):
        on_board = count(*(_is(t, who, c, "special") for c in cells(t)))
        found += [t.spent[who] <= t.size.uses, on_board <= t.spent[who]]
        found += [count(*(_is(t, who, c, special.name) for c in cells(t))) <= 1 for special in t.size.special]
    return every(*found)


@PROPERTIES.always("game.same-dice")
def dice_lie_only_while_players_draw(t: Table) -> Term:
    """Before the roll and after the round nobody has a route to draw."""
    left = total(*(t.left[who].total() + t.extra[who].total() for who in seats(t)))
    return _in(t, Phase.ROLL, Phase.DRAW) | (left == 0)


@PROPERTIES.always("lake-rules.fill", only=("lake",))
def no_space_is_left_nearly_surrounded(t: Table) -> Term:
    """Once the score is counted no empty space has open water on three sides."""
    found = []
    for who in seats(t):
        sheet = Sheet(t, who)
        for cell in cells(t):
            around = t.size.around(cell)
            wet = count(*(sheet.has(other, side.back, "W") for side, other in around))
            found.append(~sheet.empty(cell) | (wet < 3))
    return ~_in(t, Phase.SCORE, Phase.OVER, Phase.ROLL) | every(*found)


@PROPERTIES.always("meteor-rules.crater", only=("meteor",))
def one_crater_a_round(t: Table) -> Term:
    """There are never more craters than rounds that have begun."""
    return every(*(count(*(_is(t, who, c, "crater") for c in cells(t))) <= t.round + 1 for who in seats(t)))


@PROPERTIES.always("lava-rules.volcano", only=("lava",))
def the_first_volcano_stays(t: Table) -> Term:
    """The volcano in the middle is never wiped out."""
    return every(
        *(_in(t, Phase.SETUP, Phase.OVER) | _is(t, who, t.size.middle, "VOLCANO") for who in seats(t))
    )


@PROPERTIES.always("lava-rules.connected", only=("lava",))
def lava_hangs_on_lava(t: Table) -> Term:
    """A lava die lies where an end of its lava meets lava."""
    found = []
    for who in seats(t):
        sheet = Sheet(t, who)
        for cell in cells(t):
            meets = [every(sheet.has(cell, side, "L"), sheet.joins(cell, side, "L")) for side in Way]
            drawn = every(_is(t, who, cell, "lava"), ~_is(t, who, cell, "VOLCANO"))
            found.append(~drawn | some(*meets))
    return every(*found)


@PROPERTIES.always("error.minus", "total.winner")
def the_winner_has_the_highest_score(t: Table) -> Term:
    """Nobody who has won has fewer points than another player."""
    return every(*(~every(t.won[a], t.points[a] < t.points[b]) for a in seats(t) for b in seats(t) if a != b))


# --- steps ------------------------------------------------------------------------------------------


@PROPERTIES.step("round.never-erase", only=LASTING)
def what_is_drawn_stays(before: Table, after: Table) -> Term:
    """A space that has been drawn on never changes."""
    empty = before.size.tile["EMPTY"]
    return every(
        *(
            some(before.board[who][c] == empty, before.board[who][c] == after.board[who][c])
            for who in seats(before)
            for c in cells(before)
        )
    )


@PROPERTIES.step("meteor-rules.erases", "meteor-rules.redraw", only=("meteor",))
def only_meteors_and_redrawing_change_spaces(before: Table, after: Table) -> Term:
    """A route goes only under a crater, and a crater only under a route."""
    empty = before.size.tile["EMPTY"]
    found = []
    for who in seats(before):
        for c in cells(before):
            was, now = before.board[who][c], after.board[who][c]
            crater = _is(before, who, c, "crater"), _is(after, who, c, "crater")
            found.append(some(was == empty, was == now, crater[0], crater[1]))
    return every(*found)


@PROPERTIES.step("special.once")
def a_special_route_is_used_up_for_good(before: Table, after: Table) -> Term:
    """A special route that is gone does not come back."""
    return every(
        *(
            ~before.used[who][special] | after.used[who][special]
            for who in seats(before)
            for special in before.size.special
        )
    )


@PROPERTIES.step("game.simultaneous")
def nobody_draws_on_another_board(before: Table, after: Table) -> Term:
    """While players draw, a step changes the board of one player at most."""
    changed = [
        some(*(before.board[who][c] != after.board[who][c] for c in cells(before))) for who in seats(before)
    ]
    return ~(before.phase == Phase.DRAW) | (count(*changed) <= 1)


# --- sometimes --------------------------------------------------------------------------------------


@PROPERTIES.sometimes("networks.count", only=("base",))
def two_exits_are_joined(t: Table) -> Term:
    """A game ends with points."""
    return _in(t, Phase.OVER) & (t.points[0] > 3)


@PROPERTIES.sometimes("special.per-round", only=("base",))
def a_special_route_is_drawn(t: Table) -> Term:
    """A special route is drawn."""
    return t.spent[0] > 0


@PROPERTIES.sometimes("lake-rules.fill", only=("lake",))
def a_space_is_flooded(t: Table) -> Term:
    """Water closes in on a space."""
    return some(*(_is(t, 0, c, "FLOOD") for c in cells(t)))


@PROPERTIES.sometimes("meteor-rules.onward", only=("meteor",))
def two_craters_lie(t: Table) -> Term:
    """Two meteors have fallen on different spaces."""
    return count(*(_is(t, 0, c, "crater") for c in cells(t))) >= 2


@PROPERTIES.sometimes("lava-rules.new", only=("lava",))
def a_second_volcano_opens(t: Table) -> Term:
    """A new volcano is drawn."""
    return count(*(_is(t, 0, c, "VOLCANO") for c in cells(t))) >= 2


# --- the graph --------------------------------------------------------------------------------------

PROPERTIES.ends("game.rounds")
