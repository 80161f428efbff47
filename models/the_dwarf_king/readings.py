"""What the text of The Dwarf King leaves open: readings, facts about the cards, and what is missing.

Promise: whatever the rules take for granted without a sentence that says so is named here, with the other
ways to take it and the reason for the one that the model takes.
"""

from __future__ import annotations

from models.language import every, some
from models.the_dwarf_king.table import book

# --- the special card before play ---------------------------------------------------------------------

special_known = book.reading(
    "special.known",
    "preparation.draw-special",
    options={
        "secret": "nobody looks at the special card before it is played",
        "announced": "everybody sees which special card is shuffled in",
    },
    default="secret",
    why="it is drawn at random and goes into the deck; nobody is said to show it",
    asks="Do the players see which special card is shuffled into the deck?",
)

special_back = book.reading(
    "special.back",
    "preparation.draw-special",
    options={
        "alike": "nobody can tell who holds the special card",
        "seen": "its blue back stands out, so everybody sees who holds it",
    },
    default="alike",
    why="no rule uses its holder, and hands are otherwise secret",
    asks="Do the other cards have blue backs too, or does everybody see who was dealt the special card?",
)

# --- dealing --------------------------------------------------------------------------------------------

deal_rest = book.reading(
    "deal.rest",
    "preparation.deal-equally",
    options={
        "aside": "all hands are equal, and the cards left over are set aside unseen",
        "extra": "all cards are dealt, so the first players after the dealer get one card more",
    },
    default="aside",
    why="with equal hands every trick is complete",
    asks="What happens to the cards that are left when the deck cannot be dealt equally?",
)

next_dealer = book.reading(
    "deal.next-dealer",
    "preparation.draw-special",
    "scoring.remove-special",
    options={
        "left": "the player on the dealer's left deals the next round",
        "same": "one player deals all rounds",
        "five-of-dwarves": "whoever received the card that leads the first trick deals the next round",
    },
    default="left",
    why="it is the custom at card tables; the last option comes near to what public sources tell",
    asks="Who deals the next round?",
)

unplayed = book.reading(
    "special.unplayed",
    "scoring.remove-special",
    "preparation.deal-equally",
    options={
        "removed": "the special card leaves the game also when it was set aside and nobody played it",
        "stays": "a special card that nobody could play goes back to the others",
    },
    default="removed",
    why="the sentence names the round's special card without a condition",
    asks="Does a special card leave the game that was set aside and never played?",
)

# --- the contract ---------------------------------------------------------------------------------------

used_contract = book.reading(
    "contract.used",
    "contract.reveal",
    "contract.whole-round",
    "scoring.remove-special",
    options={
        "leaves": "a contract card that was used is not used again",
        "returns": "it goes back to the contract deck, which is shuffled",
    },
    default="leaves",
    why="contracts are said to be unique, and the next round reveals the top card of what is there",
    leans=("leaves", "game.changing"),
    asks="What becomes of a contract card after its round?",
)

whose_cards = book.reading(
    "contract.whose-cards",
    "contract.choose",
    "scoring.calculate",
    "tricks.win",
    options={
        "taken": "a card counts for the player who won the trick in which it lies",
        "played": "a card counts for the player who played it",
    },
    default="taken",
    why="a trick is worth points to its winner, and the cards lie in it; no sentence says who takes them",
    asks="For whom does a card count: for the winner of its trick, or for the player who played it?",
)

# --- the lead -------------------------------------------------------------------------------------------

lead_card = book.reading(
    "lead.card",
    "tricks.lead",
    "categories.dwarves",
    "categories.goblins",
    options={
        "five-of-dwarves": "the name counts: the 5 of Dwarves",
        "red-square": "the picture counts: the 5 with red squares, which is the 5 of Goblins",
    },
    default="five-of-dwarves",
    why="the name is the card's first mark; the picture beside it belongs to another suit",
    asks="Which card's holder leads the first trick: the 5 of Dwarves, or the 5 of the red squares?",
)

lead_what = book.reading(
    "lead.what",
    "tricks.lead",
    options={
        "any": "the player leads with any card",
        "the-five": "the first trick is led with that very 5",
    },
    default="any",
    why="the card only names the player",
    asks="Must the first trick be led with the 5 that names the leader?",
)

# --- following ------------------------------------------------------------------------------------------

order_of_play = book.reading(
    "tricks.order",
    "tricks.lead",
    "tricks.follow",
    options={
        "left": "after the leader the players follow clockwise",
        "right": "after the leader the players follow anticlockwise",
    },
    default="left",
    why="it is the custom; no sentence says who plays next",
    asks="In which order do the other players play to a trick?",
)

may_discard = book.reading(
    "tricks.may-discard",
    "tricks.discard",
    options={
        "must": "whoever cannot follow suit plays some other card",
        "may": "whoever cannot follow suit may also play no card",
    },
    default="must",
    why="the choice is among the cards; a round ends only when all cards have been played",
    leans=("must", "scoring.calculate"),
    asks="May a player who cannot follow suit play no card at all?",
)

discard_goes = book.reading(
    "tricks.discard-goes",
    "tricks.discard",
    "contract.choose",
    options={
        "trick": "a discarded card lies in the trick and counts with it",
        "away": "a discarded card is out of the round and counts for nobody",
    },
    default="trick",
    why="every player gives one card to a trick; no discard pile is spoken of",
    asks="Does a discarded card belong to the trick, and does it count at scoring?",
)

special_when = book.reading(
    "special.when",
    "tricks.follow",
    "tricks.discard",
    "tricks.special-modify",
    options={
        "void": "a special card without a suit is played by whoever leads or cannot follow suit",
        "any-time": "a special card without a suit may always be played",
    },
    default="void",
    why="it is of no suit, and whoever can follow has to",
    leans=("void", "tricks.follow"),
    asks="May a special card be played by somebody who could follow suit?",
)

special_led = book.reading(
    "special.led",
    "tricks.follow",
    "tricks.win",
    "tricks.special-modify",
    options={
        "no-suit": "no suit is led: nobody has to follow, and no card can win",
        "next-card": "the next card sets the suit of the trick",
        "barred": "a special card without a suit is not led while another card is left",
    },
    default="no-suit",
    why="a suit is what the other two sentences ask for, and the card led has none",
    asks="Which suit has to be followed, and which card wins, when a special card without a suit is led?",
)

suit_followed = book.reading(
    "special.suit-led",
    "tricks.special-modify",
    "tricks.follow",
    "tricks.win",
    options={
        "changed": "the suit led is the one that the card led has now",
        "printed": "the suit led is the one that the card led had when it was played",
    },
    default="changed",
    why="the effect comes at once and is on the card",
    leans=("changed", "tricks.special-trigger"),
    asks="If the card led changes its suit, which suit has to be followed and wins: the old or the new one?",
)

change_lasts = book.reading(
    "special.lasts",
    "tricks.special-modify",
    "tricks.special-trigger",
    "contract.choose",
    options={
        "trick": "a change holds for its trick; at scoring the card is what is printed on it",
        "scoring": "a card that changed its suit counts as of the new suit at scoring too",
    },
    default="trick",
    why="it is the rules of the trick that are said to be modified",
    leans=("trick", "tricks.special-modify"),
    asks="Does a card whose suit was changed count as of its new suit at scoring?",
)

# --- winning --------------------------------------------------------------------------------------------

level = book.reading(
    "tricks.level",
    "tricks.win",
    options={
        "first": "of two equally high cards the one played first wins",
        "last": "of two equally high cards the one played last wins",
    },
    default="first",
    why="a card that is only level is not higher",
    asks="Which of two equally high cards wins the trick?",
)

trumps = book.reading(
    "tricks.trumps",
    "tricks.win",
    "categories.knights",
    options={
        "none": "Knights win only where Knights are led",
        "knights": "the highest Knight wins whatever was led",
    },
    default="none",
    why="the rule for winning names the suit led and nothing beside it",
    leans=("none", "tricks.win"),
    asks="Are Knights trumps?",
)

tie = book.reading(
    "end.tie",
    "end.crowned",
    "objective.highest-total",
    options={
        "shared": "players who are level at the top have won together",
        "nobody": "when two are level at the top nobody has won",
    },
    default="shared",
    why="nobody has a higher total than either",
    asks="Who is crowned when two players have the same highest total?",
)

# --- the cards ------------------------------------------------------------------------------------------

RED, GREEN, BLUE = range(3)
SQUARE, CIRCLE, SHIELD = range(3)
_COLOUR = {s: book.quantity(f"colour of the {s}", 0, 2) for s in ("Dwarves", "Goblins", "Knights")}
_SHAPE = {s: book.quantity(f"shape of the {s}", 0, 2) for s in ("Dwarves", "Goblins", "Knights")}

#: Clause → suit, colour and shape that it states.
LOOKS = {
    "contract.reveal": ("Knights", BLUE, SHIELD),
    "tricks.lead": ("Dwarves", RED, SQUARE),
    "categories.goblins": ("Goblins", RED, SQUARE),
    "categories.dwarves": ("Dwarves", GREEN, CIRCLE),
    "categories.knights": ("Knights", BLUE, SHIELD),
}
for _clause, (_suit, _colour, _shape) in LOOKS.items():
    book.fact(_clause, every(_COLOUR[_suit] == _colour, _SHAPE[_suit] == _shape))

_MIDDLE = {s: book.quantity(f"middle value of the {s}", 1, 14) for s in ("Dwarves", "Goblins", "Knights")}
book.fact("categories.dwarves", _MIDDLE["Dwarves"] < _MIDDLE["Goblins"])
book.fact("categories.knights", _MIDDLE["Knights"] > _MIDDLE["Goblins"])
book.fact(
    "outside.cards",
    every(_MIDDLE["Dwarves"] == _MIDDLE["Goblins"], _MIDDLE["Knights"] == _MIDDLE["Goblins"]),
)

_SUITED, _IN_ROUND = (
    book.quantity("cards of the suits", 0, 60),
    book.quantity("special cards in a round", 0, 14),
)
_SPECIALS, _TILES = book.quantity("special cards", 0, 60), book.quantity("contract cards", 0, 60)
_ROUNDS = book.quantity("rounds in a game", 1, 9)
_CAN = {n: book.quantity(f"games for {n}", 0, 1) for n in (3, 4, 5)}
_HAND = {n: book.quantity(f"cards in a hand of {n} players", 0, 20) for n in _CAN}
book.fact("outside.cards", _SUITED == 39)
book.fact("outside.specials", _SPECIALS == 14)
book.fact("outside.contracts", _TILES == 20)
book.fact("outside.players", every(*(can == 1 for can in _CAN.values())))
book.fact("preparation.draw-special", _IN_ROUND == 1)
book.fact(
    "preparation.deal-equally",
    every(*(some(_CAN[n] == 0, n * _HAND[n] == _SUITED + _IN_ROUND) for n in _CAN)),
)
for _clause in ("game.trick-taking", "objective.most-points", "flow.seven", "end.after-seventh"):
    book.fact(_clause, _ROUNDS == 7)
book.fact("scoring.remove-special", _SPECIALS >= _ROUNDS)

book.missing(
    "players.number",
    "preparation.deal-equally",
    what="for how many players the game is",
    asks="How many players can play?",
)
book.missing(
    "cards.values",
    "tricks.win",
    "categories.dwarves",
    "categories.knights",
    what="how many cards each suit has, which values they have, and in which order the values rank",
    asks="Which cards are in the three suits, and how do they rank?",
)
book.missing(
    "specials.list",
    "categories.specials",
    "tricks.special-modify",
    what="the special cards: how many there are, what each does, to which card, and who chooses that card",
    asks="Which special cards are there, and what is printed on them?",
)
book.missing(
    "contracts.list",
    "categories.contracts",
    "contract.choose",
    what="the contract cards: how many there are, and the challenges on them beside the two examples",
    asks="Which contract cards are there, and what are their challenges?",
)
book.missing(
    "contracts.shuffled",
    "contract.reveal",
    what="whether the contract deck is shuffled before the game",
    asks="Is the contract deck shuffled, and does it lie face down?",
)
book.missing(
    "dealer.first",
    "preparation.draw-special",
    what="who deals the first round",
    asks="Who deals the first round?",
)
book.missing(
    "deck.gathered",
    "flow.sequence",
    "scoring.remove-special",
    what="that the cards of the suits come back into the deck for the next round",
    asks="Are all cards but the used special card shuffled together for the next round?",
)
