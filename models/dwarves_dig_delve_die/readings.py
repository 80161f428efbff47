"""What the text of Dwarves: Dig, Delve, Die leaves open: readings, and what is missing.

Promise: nothing here comes from the printed answers. Options are what the sentences of the rules (or, for a
card, the little that is known of it) allow; the default is what they say at their plainest.
"""

from __future__ import annotations

from models.dwarves_dig_delve_die.table import book

# --- placing -------------------------------------------------------------------------------------

duty = book.reading(
    "turn.duty",
    "turn.place-all",
    "turn.place-each",
    "turn.equal-or-higher",
    options={
        "each-die": "every die has to be placed if some card takes it when its turn comes",
        "whole-roll": "dice have to be placed so that as many as possible find a card",
    },
    default="each-die",
    why="the sentences speak of one die after another, and give no order",
    asks="May a player place a die so that another one of the roll no longer fits anywhere?",
)

# --- digging -------------------------------------------------------------------------------------

who = book.reading(
    "digging.who",
    "digging.lowest",
    "digging.left-to-right",
    "digging.complete",
    options={
        "fixed": "the dice that show the smallest number when everything is placed",
        "sweep": "going from left to right, every die on top that shows the number when it is reached",
        "all": "as long as a die on top shows the number and has not dug, wherever it lies",
    },
    default="fixed",
    why="the sentence names the moment: when all dice are placed",
    asks="Does a die dig that comes to show the number, or comes to lie on top, while others are digging?",
)

stacked = book.reading(
    "digging.stacked",
    "digging.leave-rest",
    "digging.complete",
    "digging.lowest",
    options={
        "top": "one die of each stack digs, the rest stays",
        "all": "a die of the same number under it is the next to dig",
    },
    default="top",
    why="the die is taken and the rest is left",
    leans=("top", "digging.leave-rest"),
    asks="If dice of the same number lie on each other, does only the top one dig?",
)

number = book.reading(
    "digging.number",
    "digging.lowest",
    "digging.complete",
    options={
        "stays": "the number is settled when everything is placed",
        "follows": "when a smaller number comes to be seen, dice with that number dig",
    },
    default="stays",
    why="the sentence names the moment: when all dice are placed",
    asks="Does the number that digs change when a card brings up a smaller one?",
)

taken = book.reading(
    "digging.taken",
    "digging.take",
    "turn.draw-roll",
    options={
        "own": "the player keeps the die and rolls it in the next turn",
        "supply": "the die goes back to the supply",
    },
    default="own",
    why="the player takes it, as the die of the setup is taken",
    leans=("own", "turn.draw-roll"),
    asks="Does the player keep the die that has dug?",
)

# --- delving -------------------------------------------------------------------------------------

resolve = book.reading(
    "delving.resolve",
    "delving.resolve",
    "digging.do-card",
    options={
        "at-once": "a new card is carried out as soon as it is turned up",
        "when-dug": "a new card is carried out when a die digs on it",
    },
    default="at-once",
    why="otherwise the sentence says nothing that is not said of every card",
    leans=("at-once", "digging.do-card"),
    asks="Is a new card carried out when it is turned up, though no die lies on it?",
)

line = book.reading(
    "delving.line",
    "delving.line",
    "digging.left-to-right",
    options={
        "right-end": "a new card lies to the right of all others",
        "next-to-pile": "a new card lies next to the pile, left of those that lie there",
    },
    default="right-end",
    why="a row that begins at the pile grows away from it",
    asks="At which end of the row does a new card lie?",
)

# --- winning -------------------------------------------------------------------------------------

winning = book.reading(
    "winning.when",
    "winning.five-gold",
    "digging.complete",
    options={
        "at-once": "the game is over as soon as somebody has the gold",
        "turn-end": "the turn is finished first",
    },
    default="at-once",
    why="the first to have it has won, and nothing can be first after that",
    leans=("at-once", "winning.five-gold"),
    asks="Is the game over in the middle of a turn?",
)

# --- cards ---------------------------------------------------------------------------------------

must = book.reading(
    "cards.must",
    "digging.do-card",
    options={"must": "what a card says has to be done", "may": "the player may leave it undone"},
    default="must",
    why="the sentence is an order",
    leans=("must", "digging.do-card"),
    asks="May a player decline what a card says?",
)

army_from = book.reading(
    "army.from",
    "cards.iron-army",
    options={
        "anywhere": "from the supply, from another player, or from the mine",
        "supply": "from the supply, as at the beginning of a turn",
        "players": "from another player",
        "mine": "from the mine",
    },
    default="anywhere",
    why="no place is named, so none is shut out",
    asks="From where does the Iron Army take a die?",
)

army_height = book.reading(
    "army.height",
    "cards.iron-army",
    "turn.equal-or-higher",
    options={"top": "only a die on top of its stack", "any": "any die, the others keep their order"},
    default="top",
    why="wherever the text takes a die from a card it is one that can be seen",
    asks="May the Iron Army take a die from the middle of a stack?",
)

forge_own = book.reading(
    "forge.own",
    "cards.forge",
    "digging.leave-rest",
    options={
        "too": "the die that now lies on top of the Forge's own stack is changed as well",
        "not": "the Forge changes the dice on all other cards",
    },
    default="too",
    why="it is a die on top in the mine like the others",
    asks="Does the Titans Forge change the top die of its own stack?",
)

warrens_from = book.reading(
    "warrens.from",
    "cards.warrens",
    options={"player": "from another player", "bank": "from another player or from the common gold"},
    default="player",
    why="stealing needs somebody to steal from",
    asks="May the Goblin Warrens take gold from the common gold?",
)

maze_dice = book.reading(
    "maze.dice",
    "cards.labyrinth",
    options={
        "with-card": "dice go along with their card",
        "in-place": "dice stay where they lie, cards move under them",
    },
    default="with-card",
    why="a stack belongs to a card",
    leans=("with-card", "turn.one-stack"),
    asks="When the Labyrinth moves cards, do the dice on them move along?",
)

maze_delve = book.reading(
    "maze.delve",
    "cards.labyrinth",
    "setup.delve-left",
    "delving.line",
    options={
        "stays": "Delve & Dig stays on the left",
        "moves": "Delve & Dig is rearranged like any face-up card",
    },
    default="stays",
    why="it has a place of its own, on the other side of the pile",
    leans=("stays", "setup.delve-left"),
    asks="May the Labyrinth move Delve & Dig?",
)

maze_same = book.reading(
    "maze.same",
    "cards.labyrinth",
    "digging.do-card",
    options={"allowed": "the new order may be the old one", "change": "some card has to change its place"},
    default="allowed",
    why="an order is chosen, and the old one is an order",
    asks="May the Labyrinth leave the order as it is?",
)

maze_next = book.reading(
    "maze.next",
    "cards.labyrinth",
    "digging.left-to-right",
    "digging.complete",
    options={
        "rest": "the dice that are still due dig, from the left of the new order",
        "place": "digging goes on to the right of where it stood",
        "labyrinth": "digging goes on to the right of where the Labyrinth now lies",
    },
    default="rest",
    why="the turn is not over before all of them have dug",
    leans=("rest", "digging.complete"),
    asks="Where does digging go on after the Labyrinth?",
)

survey_pick = book.reading(
    "survey.pick",
    "cards.survey",
    "delving.reveal",
    options={"top": "the top card of the pile", "choose": "a card that the player picks"},
    default="top",
    why="new cards come from the top of the pile wherever the text speaks of them",
    asks="Does the player choose the card of the Survey Team?",
)

cave_delve = book.reading(
    "cave.delve",
    "cards.cave-in",
    "setup.delve-left",
    options={"stays": "Delve & Dig and its dice stay", "goes": "Delve & Dig goes back like any face-up card"},
    default="stays",
    why="it was never in the pile, so it cannot go back to it",
    leans=("stays", "setup.delve-left"),
    asks="Does the Cave In reach Delve & Dig?",
)

cave_dead = book.reading(
    "cave.dead",
    "cards.cave-in",
    "dice.one-each",
    options={"supply": "dead dice go to the supply", "box": "dead dice are out of the game"},
    default="supply",
    why="the text knows no other place for dice that nobody has",
    asks="Do dice that die come back to the supply?",
)

skull_who = book.reading(
    "skull.who",
    "cards.skull",
    options={"everybody": "all players take part", "others": "all players but the one on turn take part"},
    default="everybody",
    why="nobody is shut out",
    asks="Does the player on turn take part in the race of the Bearded Skull?",
)

skull_after = book.reading(
    "skull.after",
    "cards.skull",
    "digging.complete",
    options={
        "from-winner": "turns go on from the player who won the race",
        "back": "after that turn it is the turn of the player who was passed over",
    },
    default="from-winner",
    why="the player after the one on turn is next, whoever that is",
    asks="Who is next after the turn that the Bearded Skull has given away?",
)

# --- what is not there ---------------------------------------------------------------------------

book.missing(
    "players.number",
    "setup.one-die",
    what="for how many players the game is, and what changes with the number",
    asks="How many players can play, and is anything different for two or for many?",
)
book.missing(
    "players.first",
    "turn.draw-roll",
    "digging.complete",
    what="who begins, and in which direction turns go",
    asks="Who begins, and who is next when a turn is complete?",
)
book.missing(
    "dice.number",
    "setup.one-die",
    "turn.draw-roll",
    what="how many dice there are and what they show",
    asks="How many dice are there?",
)
book.missing(
    "gold.runs-out",
    "winning.five-gold",
    what="how many gold pieces there are and what happens when they run out",
    asks="What happens if the gold pieces run out?",
)
book.missing(
    "cards.texts",
    "digging.do-card",
    "delving.reveal",
    "mine.deck",
    what="what the cards say and how many there are of each; the Orc Blockade and two of the mug cards are "
    "not known at all",
    asks="What do the cards say, and how many are there of each?",
)

book.fact("setup.one-die", book.quantity("dice", 1, 99) >= book.quantity("players", 1, 20))
