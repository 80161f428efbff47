"""What the text of Railroad Ink leaves open: the readings of its sentences.

Promise: whatever the rules take for granted without a sentence that says so is named here, with the other
ways to take it and the reason for the one that the model takes.
"""

from __future__ import annotations

from models.language import Reading
from models.railroad_ink.table import Table, book


def of_base(t: Table, reading: Reading) -> str:
    """The option of a reading about sentences of the base game.

    It holds in every variant, but is a question of the base game alone: an answer given there is one for all,
    and asking it again with each expansion would only repeat it. A board that somebody wrote down is scored
    outside of any rule, and there it is asked whatever the variant.
    """
    asked = t.variant == "base" or not t.trace.recording
    return t.reading(reading) if asked else t.trace.context.choice(reading)


# --- drawing --------------------------------------------------------------------------------------

if_possible = book.reading(
    "draw.if-possible",
    "drawing.all-four",
    options={
        "each": "a route is left out only if there is no space for it when the others are drawn",
        "all": "the routes are drawn where and in an order in which as many as possible can be drawn",
    },
    default="each",
    why="a move is forbidden only if the text forbids it, and no sentence obliges anybody to look ahead",
    asks="May a player draw one route so that another one of the roll no longer fits anywhere?",
)

exit_kind = book.reading(
    "exit.kind",
    "drawing.no-mix",
    "drawing.connected",
    options={
        "forbidden": "a railway may not be drawn up to a highway exit, nor a highway to a railway exit",
        "dead-end": "it may, but is not connected to the exit",
    },
    default="forbidden",
    why="an exit is a bit of railway or highway itself, and the two may not be joined directly",
    asks="May a railway be drawn up to a highway exit?",
)

special_when = book.reading(
    "special.when",
    "special.per-round",
    options={
        "any-time": "a special route may be drawn before, between or after the routes of the dice",
        "last": "a special route may be drawn once no route of the dice can be drawn any more",
    },
    default="any-time",
    why="no moment is named",
    asks="When in a round may a special route be drawn?",
)

erase_now = book.reading(
    "erase.this-round",
    "round.never-erase",
    options={
        "stays": "what has been drawn stays, also in the same round",
        "may-go": "what was drawn in this round may be wiped out and drawn elsewhere until the round ends",
    },
    default="stays",
    why="no sentence allows to wipe anything out",
    asks="May a player wipe out a route that they drew in this round?",
)

# --- scores ---------------------------------------------------------------------------------------

longest_twice = book.reading(
    "longest.twice",
    "highway.twice",
    "railway.twice",
    options={
        "once": "a space counts once in the longest highway and once in the longest railway",
        "arms": "a space counts again whenever the run comes back to it by a side not used before",
    },
    default="once",
    why="two different routes in one space are a highway and a railway",
    asks="May the longest highway come twice through one space, and does the space count twice then?",
)

centre_anything = book.reading(
    "centre.anything",
    "centre.point",
    "lake-rules.fill",
    "meteor-rules.crater",
    "lava-rules.volcano",
    options={
        "whatever-lies": "everything that was drawn there counts, also floods, craters and the first volcano",
        "own-choice": "floods, craters and the first volcano, which nobody chose to draw, do not count",
    },
    default="whatever-lies",
    why="the sentence speaks of anything drawn",
    asks="Do a flooded space, a crater and the first volcano count as drawn on in the centre?",
)

tie_left = book.reading(
    "tie.left",
    "total.tie",
    options={
        "shared": "players who are level in score and errors win together",
        "nobody": "nobody wins",
    },
    default="shared",
    why="each of them has the highest score, and no sentence takes the victory away",
    leans=("shared", "total.winner"),
    asks="Who wins if score and errors are level?",
)

# --- expansions -----------------------------------------------------------------------------------

extra_route = book.reading(
    "extra.route",
    "drawing.connected",
    "river-rules.free",
    "lake-rules.free",
    "lava-rules.connected",
    options={
        "free": "the highway or railway on an expansion die needs no connection of its own",
        "must": "it has to be connected like any other route",
    },
    default="free",
    why="the exception is made for what is drawn, and that includes the bridge or pier on it",
    asks="Must the highway or railway on a bridge, a pier or a lava die join a route or an exit?",
)

route_meets = book.reading(
    "route.meets",
    "drawing.no-mix",
    "lake.networks",
    "lava-rules.no-room",
    options={
        "allowed": "a highway or railway may end at open water or lava; it is not connected with it",
        "forbidden": "neither may be drawn up to the other: highways and railways, open water and lava",
    },
    default="allowed",
    why="only railways, highways and rivers are kept apart",
    asks="May a highway or railway be drawn up to open water or to lava?",
)

river_at_exit = book.reading(
    "river.at-exit",
    "river-rules.no-join",
    "river-score.error",
    options={
        "forbidden": "a river may not be drawn up to an exit",
        "error": "it may, and the end is an error",
        "rim": "it may, and the end lies at the rim like any other",
    },
    default="forbidden",
    why="a river cannot be connected to an exit, and drawing it there connects it",
    asks="May a river flow up to an exit, and what is its end there?",
)

river_ring = book.reading(
    "river.ring",
    "river-score.points",
    options={
        "no-ends": "a river that closes in a ring has no ends and gets no extra points",
        "no-loose-end": "it has no end that is not at the rim, and gets the three points",
    },
    default="no-ends",
    why="both ends have to be connected to the rim, so there have to be two",
    asks="Does a river that closes in a ring get the three extra points?",
)

fill_four = book.reading(
    "lake.fill-four",
    "lake-rules.fill",
    options={
        "three-or-four": "a space with open water on three sides or on all four is flooded",
        "three": "only a space with open water on exactly three sides is",
    },
    default="three-or-four",
    why="a space with water on four sides has it on three",
    asks="Is an empty space with open water on all four sides flooded?",
)

meteor_bounce = book.reading(
    "meteor.bounce",
    "meteor-rules.bounce",
    options={
        "no-step": "turning round at the rim costs nothing: the next step leads away from it",
        "a-step": "turning round uses a step: the meteor stays in its space at the rim for one",
    },
    default="no-step",
    why="the movement is completed in the other direction, and a movement is counted in spaces",
    asks="Does a meteor use up a step when it turns round at the rim?",
)

meteor_stopped = book.reading(
    "meteor.stopped",
    "meteor-rules.onward",
    "meteor-rules.bounce",
    options={
        "on": "it turns round and flies on until there is a free space",
        "there": "it comes down where it turns round, on the crater that is there",
    },
    default="on",
    why="it keeps moving to find a free space, and turning round is how a meteor goes on at the rim",
    asks="What happens when a meteor that flies on over craters comes to the rim?",
)

meteor_free = book.reading(
    "meteor.free",
    "meteor-rules.onward",
    "meteor-rules.erases",
    options={
        "no-crater": "a space without a crater, whatever route is in it",
        "empty": "once it flies on over a crater, a space in which nothing is drawn",
    },
    default="no-crater",
    why="a crater wipes out what is in its space, so routes do not turn it away",
    asks="Is a space with a route free for a meteor that flies on over craters?",
)

meteor_mark = book.reading(
    "meteor.mark",
    "meteor-rules.ignore",
    "special.per-round",
    "special.three",
    options={
        "use": "ticking a special route off counts as the one of this round and among the three of the game",
        "gone": "the special route is gone, but counts neither for the round nor among the three",
    },
    default="use",
    why="ticking off is how a special route is used up",
    asks="Does a special route that is ticked off against a meteor count among the three of the game?",
)

meteor_when = book.reading(
    "meteor.when",
    "meteor-rules.ignore",
    "meteor-rules.crater",
    options={
        "after-roll": "the player decides when the meteor dice have been rolled",
        "before-roll": "the player decides before the roll",
    },
    default="after-roll",
    why="dice that are ignored have to lie there",
    asks="Is a special route ticked off before or after the meteor dice are rolled?",
)

meteor_must = book.reading(
    "meteor.must-erase",
    "meteor-rules.redraw",
    "drawing.all-four",
    options={
        "if-wanted": "a route that fits only over a crater need not be drawn",
        "counts": "a crater is a space like an empty one when it is asked whether a route can be drawn",
    },
    default="if-wanted",
    why="wiping out a crater is left to the player",
    asks="Must a crater be wiped out if a route of the dice fits nowhere else?",
)

meteor_score = book.reading(
    "meteor.score",
    "meteor-score.points",
    options={
        "route": "a route with ends at craters pays two points, however many such ends it has",
        "end": "each end at a crater pays two points",
    },
    default="route",
    why="the points are given for each route",
    asks="Does a route with two open ends at craters pay two points or four?",
)

lava_volcano = book.reading(
    "lava.volcano",
    "lava-rules.new",
    "lava-rules.must",
    options={
        "for-a-die": "a new volcano is drawn instead of one of the lava dice",
        "besides": "a new volcano is drawn beside the lava dice and takes none of them",
    },
    default="for-a-die",
    why="a round has one or two drawings of lava",
    asks="Is a new volcano drawn instead of a lava die, or besides?",
)

lava_where = book.reading(
    "lava.volcano-where",
    "lava-rules.new",
    "round.never-erase",
    options={
        "empty": "only in a space in which nothing is drawn",
        "any": "also over a route, which is wiped out",
    },
    default="empty",
    why="routes are never wiped out unless the text says so",
    asks="May a new volcano be drawn over a route?",
)

lava_rim = book.reading(
    "lava.rim",
    "lava-score.error",
    "lava-score.closed",
    options={
        "closed": "a lava side at the rim of the board is not open",
        "open": "a lava side at the rim is open",
    },
    default="closed",
    why="the rim closes routes and rivers, too",
    asks="Is a side of lava at the rim of the board open?",
)

lava_erase = book.reading(
    "lava.erase",
    "lava-rules.no-room",
    options={
        "beside": "a route beside open lava is wiped out, so that the space can take the lava",
        "any": "any route may be wiped out",
    },
    default="beside",
    why="the route goes to give room, and only a space beside open lava gives any",
    asks="Which route may be wiped out if there is no room for lava?",
)

lava_opposite = book.reading(
    "lava.opposite",
    "lava-faces.opposite",
    "lava-score.largest",
    options={
        "one": "the lava on two opposite sides is one lake",
        "two": "it is two lakes, one at each side",
    },
    default="one",
    why="a space is occupied by one lake",
    asks="Does the face with lava on opposite sides link the lakes on both sides?",
)
