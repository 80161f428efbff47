"""What the text of My Dwarves Fly leaves open: readings, facts about the components, and what is missing.

Promise: whatever the rules take for granted without a sentence that says so is named here, with the other
ways to take it and the reason for the one that the model takes.
"""

from __future__ import annotations

from models.language import total
from models.my_dwarves_fly.table import book

# --- the turn --------------------------------------------------------------------------------------

must_act = book.reading(
    "turn.must-act",
    "turn.four-options",
    options={
        "one-of-four": "the player on turn takes one of the four actions",
        "may-pass": "the player on turn may also do nothing",
    },
    default="one-of-four",
    why="the word for permission goes with the choice among four, and doing nothing is none of them",
    asks="May a player do nothing on the own turn?",
)

empty_deck = book.reading(
    "drawing.empty-deck",
    "turn.refill",
    "drawing.refill",
    "discard.discard-draw",
    options={
        "short": "where no deck has a card left the hand stays short",
        "reshuffle": "a deck that is empty is made anew from its discard pile",
    },
    default="short",
    why="nothing says that a discard pile is shuffled",
    asks="Are the discard piles shuffled when a deck is empty?",
)

refill_order = book.reading(
    "drawing.order",
    "drawing.refill",
    options={
        "one-by-one": "each player fills the hand before the next one draws",
        "in-rounds": "the players draw one card each, round after round",
    },
    default="one-by-one",
    why="the sentence names the player with whom it starts, and filling is what each does",
    asks="After a battle, does each player draw all cards at once, or one card a round as in the deal?",
)

# --- creatures and skills ----------------------------------------------------------------------------

third_kinds = book.reading(
    "third.kinds",
    "creature.third",
    "creature.aversion",
    options={
        "dwarves": "only a third dwarf drives away from everybody",
        "every-kind": "the third creature of any kind with an aversion does",
    },
    default="dwarves",
    why="the sentence speaks of dwarves and orcs; it stands under an example and is worded like a rule",
    asks="Does a third troll or goblin drive away from everybody as a third dwarf does?",
)

skill_scope = book.reading(
    "skill.one-for",
    "skill.one-each",
    "skill.replaces",
    options={
        "team": "one skill beside the creatures of a race in front of each player",
        "table": "one skill beside a race on the whole table",
    },
    default="team",
    why="the skill lies with creatures, and those of two players do not lie together",
    asks="May the dwarves of two players have a skill each?",
)

skill_uses = book.reading(
    "skill.uses",
    "fight.skills-once",
    "example.what-it-does",
    options={
        "each-fighter": "each fighting creature of the race can use the skill once a battle",
        "card": "the skill is used once a battle, however many of the race fight",
        "each-target": "each creature's roll is repeated at most once, and the skill can be used against all",
    },
    default="each-fighter",
    why="the creatures taking part have the skills, and the limit is put upon the creature",
    asks="With two dwarves fighting beside one My Dwarves Fly High, how many rolls can be repeated?",
)

skill_serves = book.reading(
    "skill.serves",
    "skill.one-each",
    "skill.must-fight",
    "fight.skills-once",
    options={
        "each": "it works for each of them that fights",
        "one": "it works for one of them, the first that rolls",
    },
    default="each",
    why="the skill belongs to a group as well as to a creature, and the limit is put upon the creature",
    asks="With two dwarves fighting beside one Greedy, do both find gold at 2?",
)

# --- the battle --------------------------------------------------------------------------------------

how_many = book.reading(
    "fighters.number",
    "battle.printed",
    "battle.choose-fighters",
    "battle.all-take-part",
    options={
        "all-that-can": "as many as the card says, or all one has if that is fewer",
        "fewer-too": "at least one, and no more than the card says",
    },
    default="all-that-can",
    why="the example has two creatures fight for each player, and nobody may duck out",
    leans=("all-that-can", "example.skirmish-two"),
    asks="May a player send fewer creatures into a battle than the card says?",
)

nobody_fights = book.reading(
    "battle.nobody",
    "battle.no-creature",
    "sharing.winner",
    "sharing.several-winners",
    options={
        "nothing": "nobody wins, and the battle card is spent",
        "all-level": "all are level at 0, so all win and get the gold on the card",
    },
    default="nothing",
    why="a winner is somebody who took part",
    asks="What happens if a battle is played and nobody has a creature?",
)

loser_gold = book.reading(
    "sharing.losers",
    "sharing.winner",
    "fight.treasure-value",
    options={
        "nothing": "who does not win gets nothing of what was found",
        "found": "who does not win keeps what the own creatures found",
    },
    default="nothing",
    why="only the winner is said to receive gold",
    leans=("nothing", "sharing.winner"),
    asks="Do losers get the gold that their creatures found?",
)

strongest = book.reading(
    "strongest.among",
    "sharing.strongest-leaves",
    "sharing.each-receives",
    options={
        "fighters": "the strongest of those that fought",
        "team": "the strongest of all creatures in front of the winner",
    },
    default="fighters",
    why="the paragraph deals with the battle and those in it",
    asks="Can a creature that stayed out of the battle be the strongest one that leaves?",
)

several = book.reading(
    "winners.measured",
    "sharing.several-winners",
    "sharing.event-advantages",
    "sharing.after-events",
    options={
        "after-events": "who is level is seen when the events are used",
        "after-fight": "who is level when all have rolled has won, whatever the events change",
    },
    default="after-events",
    why="what events give counts as the gold is shared out",
    leans=("after-events", "sharing.event-advantages"),
    asks="Two players are level after the fight and an event lifts one of them: do both win?",
)

# --- diplomacy ---------------------------------------------------------------------------------------

who_talks = book.reading(
    "diplomacy.who",
    "diplomacy.reveal",
    "diplomacy.event-card",
    "battle.no-creature",
    options={
        "all": "everybody may lay a card, also who has no creature in the battle",
        "fighters": "only players with a creature in the battle",
    },
    default="all",
    why="the sentence says everyone",
    leans=("all", "diplomacy.reveal"),
    asks="Does a player without a creature take part in the diplomacy?",
)

must_lay = book.reading(
    "diplomacy.must",
    "diplomacy.event-card",
    "diplomacy.bluff",
    "diplomacy.reveal",
    options={
        "may": "laying a card is an offer, and a player may lay none",
        "must": "everybody who holds a card lays one, an event or a bluff",
    },
    default="may",
    why="both sentences give leave",
    leans=("may", "diplomacy.event-card"),
    asks="Must everybody lay a card after a fight?",
)

bluffs = book.reading(
    "bluff.goes",
    "diplomacy.bluff",
    "diplomacy.reveal",
    options={
        "discard": "a bluff goes to the discard pile once it is turned up",
        "back": "a bluff goes back to the hand",
    },
    default="discard",
    why="the card has been played",
    asks="Where does a card go that was laid as a bluff?",
)

forget = book.reading(
    "forget.from",
    "diplomacy.forget-it",
    "diplomacy.in-order",
    options={
        "laid": "Forget it! works if it was laid face down; only its moment is an exception",
        "hand": "Forget it! may also be thrown from the hand when the cards are turned up",
    },
    default="laid",
    why="the sentence is an exception to the order just given; that one card is laid stays in force",
    asks="Can Forget it! be thrown from the hand, or must it have been laid face down?",
)

event_use = book.reading(
    "event.use",
    "diplomacy.in-order",
    "sharing.after-events",
    options={
        "must": "an event that was turned up and not cancelled takes effect",
        "may": "its player may leave it unused",
    },
    default="must",
    why="the options are said to be used, one player after the other",
    asks="Must an event that has been turned up be used?",
)

# --- the end -----------------------------------------------------------------------------------------

end_dice = book.reading(
    "end.dice",
    "end.then-dice",
    "sharing.strongest-leaves",
    options={
        "creatures": "the dice printed on the creatures",
        "skills-too": "the dice of the creatures and those that skills add",
    },
    default="creatures",
    why="that skills count is said of the strongest creature only",
    asks="Do the dice of skill cards count in the last comparison?",
)

tie = book.reading(
    "end.tie",
    "end.then-dice",
    options={
        "shared": "players who are level in all three comparisons win together",
        "nobody": "nobody wins",
    },
    default="shared",
    why="each of them has at least 15 gold, and that is said to win",
    leans=("shared", "end.fifteen"),
    asks="Who wins if gold, creatures and dice are all level?",
)

# --- the components ----------------------------------------------------------------------------------

_SORTS = {"creature": 42, "skill": 22, "event": 14, "battle": 10}
_CARDS = {sort: book.quantity(f"{sort} cards", 0, 99) for sort in _SORTS}
_PLAYERS = book.quantity("players", 2, 5)
_MARKERS = book.quantity("markers of each sort", 0, 99)
_COINS = book.quantity("coins", 0, 99)
for _sort, _n in _SORTS.items():
    book.fact("components.cards", _CARDS[_sort] == _n)
book.fact("components.cards", total(*_CARDS.values()) == 88)
book.fact("components.pieces", _MARKERS == 4)
book.fact("components.pieces", _COINS == 40)
book.fact("setup.markers", _MARKERS >= _PLAYERS)
book.fact("setup.deal", total(*_CARDS.values()) >= _PLAYERS * 5)

book.missing(
    "players.number",
    "setup.markers",
    "setup.deal",
    what="for how many players the game is",
    asks="How many players can play?",
)
book.missing(
    "setup.same-fingers",
    "setup.dirtiest",
    "setup.eldest",
    what="who begins if two have the dirtiest fingers, or two are the eldest",
    asks="Who begins if there is no single player with the dirtiest fingers?",
)
book.missing(
    "cards.backs",
    "setup.two-decks",
    "example.figure-decks",
    what="which sorts of card have which back; only a figure names the two decks",
    asks="Which cards belong to which deck?",
)
book.missing(
    "cards.creatures",
    "creature.on-the-card",
    "fight.dice-per-creature",
    what="which creatures there are, how many of each, their dice and their aversions",
    asks="What are the names, numbers, dice and aversions of the 42 creature cards?",
)
book.missing(
    "cards.skills",
    "turn.skill",
    "skill.assigned",
    what="which skills there are, how many of each, and beside which creatures each can be laid",
    asks="Which skill cards are there, and to which creatures can each be assigned?",
)
book.missing(
    "cards.events",
    "diplomacy.event-card",
    "sharing.after-events",
    what="what the events do beside Forget it!, and whether some can be used outside a battle",
    asks="What does each event card do, and when?",
)
book.missing(
    "cards.battles",
    "battle.printed",
    "battle.five-battles",
    what="what the battles other than the skirmish pay, and how many there are of each",
    asks="How much gold does each battle pay?",
)
book.missing(
    "board.track",
    "fight.battle-value",
    "fight.treasure-value",
    what="how far the numbers on the board go, and what is done beyond them",
    asks="How far do the two tracks on the board go?",
)
book.missing(
    "piles.number",
    "creature.skills-discarded",
    "skill.discarded",
    "discard.discard-draw",
    what="how many discard piles there are, and which card belongs on which",
    asks="Is there one discard pile, or one for each deck?",
)
book.missing(
    "drawing.which-deck",
    "turn.refill",
    "drawing.refill",
    what="from which deck hands are filled; the deal and discarding leave it to the player",
    asks="When hands are filled, may each card be drawn from either deck?",
)
book.missing(
    "leaving.where",
    "creature.take-skills",
    "sharing.strongest-leaves",
    "skill.replaces",
    what="where creatures that leave, and skills that are replaced, go; a figure has one case of it",
    asks="Do creatures that leave and skills that are replaced go to the discard pile?",
)
book.missing(
    "events.where",
    "diplomacy.in-order",
    "diplomacy.forget-it",
    what="where used and cancelled event cards and the played battle card go",
    asks="Where do event and battle cards go after a battle?",
)
book.missing(
    "skill.whose",
    "skill.anybodys",
    "fight.skills-once",
    what="who decides on the use of a skill that somebody else has laid beside one's creature",
    asks="Who uses a skill that lies beside another player's creature?",
)
