"""What the text of The Duel leaves open: readings, facts about the components, and what is missing.

Promise: whatever the rules take for granted without a sentence that says so is named here, with the other
ways to take it and the reason for the one that the model takes.
"""

from __future__ import annotations

from models.language import total
from models.the_duel.table import book

# --- Wild Cards -------------------------------------------------------------------------------------

free_card = book.reading(
    "wild.free-card",
    "wild.take",
    "play.no-dice",
    options={
        "takes": "only dice count: whoever played free cards and used no die takes a Wild Card",
        "takes-none": "playing a free card is more than doing without, so no Wild Card is taken",
    },
    default="takes",
    why="the condition names dice, and free cards are played without any",
    leans=("takes", "wild.take"),
    asks="Does a player who used no die but played a free card take a Wild Card?",
)

counts_as_die = book.reading(
    "wild.counts",
    "wild.take",
    "wild.as-die",
    options={
        "as-die": "using a Wild Card is using a die, so no Wild Card is taken in that turn",
        "not-a-die": "no die was used if Wild Cards alone were, so another one is taken",
    },
    default="as-die",
    why="each Wild Card is said to be used as a die",
    leans=("as-die", "wild.as-die"),
    asks="Does a player who used Wild Cards alone, and no die, take a Wild Card?",
)

must_take = book.reading(
    "wild.must",
    "wild.take",
    "wild.from-opponent",
    options={"must": "the Wild Card has to be taken", "may": "it may be left"},
    default="must",
    why="the sentence is an order",
    leans=("must", "wild.take"),
    asks="May a player who used no die leave the Wild Card where it is?",
)

ally_dice = book.reading(
    "ally.wild-cards",
    "effect.ally-dice",
    "wild.as-die",
    "wild.next-turns",
    options={
        "wild-cards-too": "a Wild Card is as good as an unused die",
        "dice-needed": "an ally needs an unused die in front of its player, whatever pays for it",
    },
    default="wild-cards-too",
    why="a Wild Card is used as a die with a value",
    asks="Can an ally be used with a Wild Card when no die is left?",
)

# --- paying -----------------------------------------------------------------------------------------

wild_reach = book.reading(
    "wild-face.reach",
    "play.example-pays",
    "play.single",
    "damage.per-die",
    options={
        "any-use": "a die that shows wild stands for any number: for cards of one die and for allies too",
        "equal-dice": "it only makes up a number of equal dice, as in the example",
    },
    default="any-use",
    why="nothing on the page limits the face; the page that explains it is not there",
    asks="Can a die showing wild pay for a card of one specific value, or be used for an ally?",
)

all_wild = book.reading(
    "pay.all-wild",
    "play.equal",
    "play.whichever",
    options={
        "allowed": "wild faces and Wild Cards alone can make up equal dice",
        "needs-a-number": "at least one die has to show the number that the others copy",
    },
    default="allowed",
    why="the value does not matter",
    leans=("allowed", "play.whichever"),
    asks="Can equal dice be paid with wild faces and Wild Cards alone?",
)

# --- effects ----------------------------------------------------------------------------------------

impossible = book.reading(
    "effect.impossible",
    "effect.must",
    options={
        "not-playable": "an event or twist whose effect cannot be carried out cannot be played",
        "for-nothing": "it may be played, and nothing happens (not so an armour, which answers an attack)",
    },
    default="not-playable",
    why="the effect must be carried out",
    leans=("not-playable", "effect.must"),
    asks="Can an event or twist be played that has no effect now?",
)

removes = book.reading(
    "removal.targets",
    "effect.no-health",
    options={
        "any": "Begone! and Assassination take any card, and alone take those without health points",
        "without-health": "Begone! and Assassination take cards without health points only",
    },
    default="any",
    why="the sentence limits what removes such cards, not what these events remove",
    leans=("any", "effect.no-health"),
    asks="Can Begone! and Assassination remove a card that has health points?",
)

removes_wild = book.reading(
    "removal.wild-cards",
    "effect.no-health",
    "wild.take",
    options={
        "no": "Wild Cards are no cards of a deck and are not removed",
        "yes": "a Wild Card lies in a display and has no health points, so it can be removed to the middle",
    },
    default="no",
    why="the section deals with cards that are played",
    asks="Can Begone! and Assassination remove a Wild Card from the opponent's display?",
)

prevents = book.reading(
    "armour.scope",
    "notes.king",
    options={
        "whole": "an armour prevents the attack with all its points of damage",
        "one-point": "an armour prevents one point of damage",
    },
    default="whole",
    why="what is said to be prevented is the attack",
    leans=("whole", "notes.king"),
    asks="Does Shadow Armor or Chain Mail prevent a whole attack or one point of damage?",
)

ally_when = book.reading(
    "ally.when",
    "effect.from-now",
    "effect.ally-dice",
    options={
        "own-turn": "allies are used on their player's turn",
        "any-turn": "allies can be used on the opponent's turn too, with dice left over",
    },
    default="own-turn",
    why="damage is counted and dice are used up by turns of their player",
    asks="Can an ally attack on the opponent's turn if dice are left?",
)

first = book.reading(
    "twist.first",
    "reinforcement.twists",
    options={
        "answers-first": "who did not cause the event decides first",
        "on-turn-first": "the player on turn decides first",
    },
    default="answers-first",
    why="the note on the king has the opponent answer the card, and its player answer that",
    asks="If both players want to play a twist of fate at the same moment, who comes first?",
)

# --- supports and dice -------------------------------------------------------------------------------

twice = book.reading(
    "reinforcement.twice",
    "reinforcement.one-more",
    "reinforcement-again.one-more",
    options={
        "once": "one additional die, however many copies lie there",
        "each": "one additional die for each copy",
    },
    default="each",
    why="two copies of another support are said to apply both",
    leans=("each", "notes.trickery"),
    asks="Do two Reinforcements give two additional dice?",
)

beyond = book.reading(
    "reinforcement.limit",
    "reinforcement.one-more",
    "wild.next-turns",
    "outside.dice",
    options={
        "within": "the additional die counts towards the limit of six",
        "beyond": "the additional die comes on top of the limit",
    },
    default="within",
    why="the sentence on Wild Cards takes six dice for the most",
    leans=("within", "wild.next-turns"),
    asks="Can Reinforcement bring a player above six dice?",
)

left_over = book.reading(
    "dice.left",
    "outside.dice",
    "effect.ally-dice",
    options={
        "kept": "unused dice stay in front of their player, and new ones are rolled up to the limit",
        "returned": "unused dice go back to the middle at the end of the turn",
    },
    default="kept",
    why="with three dice a turn a limit of six would mean little otherwise; the page on it is not there",
    asks="What becomes of dice that are not used in a turn?",
)

refill = book.reading(
    "hand.filled",
    "outside.hand",
    options={
        "begin": "the hand is filled at the beginning of the own turn",
        "end": "the hand is filled at the end of the own turn",
    },
    default="begin",
    why="an assumption: the page on it is not there",
    asks="When is a hand filled up?",
)

# --- the end ----------------------------------------------------------------------------------------

last_draw = book.reading(
    "end.by-damage",
    "end.last-card",
    "damage.pile",
    options={
        "any-draw": "the game ends also when damage makes a player draw the last card",
        "own-draws": "only a card that is drawn to the hand ends the game",
    },
    default="any-draw",
    why="damage is said to make the opponent draw",
    leans=("any-draw", "damage.pile"),
    asks="Does the game end when the last card of a draw pile is turned up because of damage?",
)

at_the_end = book.reading(
    "end.answers",
    "end.last-card",
    "reinforcement.twists",
    options={
        "at-once": "nothing comes between the last card and the counting",
        "twists-first": "twists of fate, which can be played at any time, can be played before the counting",
    },
    default="at-once",
    why="the game ends immediately",
    leans=("at-once", "end.last-card"),
    asks="Can a twist of fate be played after the last card has been drawn?",
)

# --- the components ----------------------------------------------------------------------------------

_SORTS = {"ally": 9, "victory": 8, "support": 7, "event": 6, "twist": 5}
_CARDS = {sort: book.quantity(f"{sort} cards in a deck", 0, 99) for sort in _SORTS}
_SINGLE = book.quantity("cards costing a single die", 0, 99)
_EQUAL = book.quantity("cards costing equal dice", 0, 99)
_FREE = book.quantity("free cards", 0, 99)
_FREE_EVENTS = book.quantity("free events", 0, 99)
_DAMAGING_ALLIES = book.quantity("allies that inflict damage", 0, 99)
_AXES = book.quantity("Throwing Axes or Daggers", 0, 99)
_POWERS = book.quantity("Andôkai's Power or Surround", 0, 99)
_ARMOURS = book.quantity("Chain Mails or Shadow Armors", 0, 99)
_WILD = book.quantity("Wild Cards", 0, 99)
for _sort, _n in _SORTS.items():
    book.fact("outside.sorts", _CARDS[_sort] == _n)
book.fact("outside.deck", total(*_CARDS.values()) == 35)
book.fact("play.five-such", _SINGLE == 5)
book.fact("play.which-free", _CARDS["twist"] == 5)
book.fact("play.which-free", _CARDS["event"] == 6)
book.fact("play.which-free", _FREE_EVENTS == 3)
book.fact("play.which-free", _CARDS["twist"] + _FREE_EVENTS == _FREE)
book.fact("play.three-costs", total(*_CARDS.values()) == _SINGLE + _EQUAL + _FREE)
book.fact("reinforcement.twists", _CARDS["twist"] == 5)
book.fact("reinforcement.twists", _POWERS >= 1)
book.fact("damage.who", _CARDS["ally"] == 9)
book.fact("damage.who", _DAMAGING_ALLIES == 8)
book.fact("damage.who", _CARDS["ally"] >= _DAMAGING_ALLIES)
book.fact("notes.king", _CARDS["twist"] >= _AXES + _ARMOURS + _POWERS)
book.fact("notes.king", _ARMOURS >= 1)
book.fact("notes.second", _AXES >= 2)
book.fact("wild.all-three", _WILD == 3)

book.missing(
    "page.first",
    "preface.page",
    "zoom-in.count",
    what="page 1 of 2: components, setup, who begins, the course of a turn, the dice phase, the hand",
    asks="What does page 1 say about the setup and the course of a turn?",
)
book.missing(
    "cost.figures",
    "play.figure",
    what="the figures that show the three costs",
    asks="What do the figures beside the three costs show?",
)
book.missing(
    "cost.symbol",
    "play.equal",
    what="the symbol between the quotation marks that stands for equal dice",
    asks="Which symbol marks the cost of two to four equal dice?",
)
book.missing(
    "king.use",
    "notes.own-king",
    "damage.who",
    what="the end of the sentence: what the Dwarf King or Bislipur, the ninth ally, can be used for",
    asks="What can Dwarf King or Bislipur be used for?",
)
book.missing(
    "allies.or",
    "notes.or",
    what="the beginning of the note on Boindil and Andôkai, Sinthoras and Nôd'onn, and the two options",
    asks="Which two options do Boindil and Andôkai, Sinthoras and Nôd'onn have; both in one turn?",
)
book.missing(
    "cards.list",
    "outside.sorts",
    "effect.supports",
    what="the list of the 35 cards of each deck, with copies and costs",
    asks="Which cards are there, how many of each, and what do they cost?",
)
book.missing(
    "cards.health",
    "effect.allies-attack",
    "damage.defeat",
    what="which sorts of card have health points, and how many",
    asks="Which cards have health points, and how many each?",
)
book.missing(
    "cards.points",
    "effect.points",
    "end.winner",
    what="how many Victory Points each card gives",
    asks="How many Victory Points does each card give?",
)
book.missing(
    "cards.axe",
    "damage.who",
    "damage.aim",
    "notes.king",
    what="how much damage Throwing Axe and Dagger inflict",
    asks="How many points of damage does a Throwing Axe or Dagger inflict?",
)
book.missing(
    "cards.armour",
    "notes.king",
    what="when Shadow Armor and Chain Mail can be played, and what exactly they prevent",
    asks="What do Shadow Armor and Chain Mail prevent beside the attack on a king?",
)
book.missing(
    "cards.power",
    "reinforcement.twists",
    what="what Andôkai's Power and Surround do",
    asks="What do Andôkai's Power and Surround do?",
)
book.missing(
    "cards.trickery",
    "notes.trickery",
    what="what Rodario's Trickery and Cunning Leader do to a die, and how often",
    asks="What do Rodario's Trickery and Cunning Leader do to a die, and how often in a turn?",
)
book.missing(
    "dice.number",
    "play.single",
    "damage.return",
    what="how many dice there are, and what is done if the middle has too few",
    asks="How many dice are there?",
)
