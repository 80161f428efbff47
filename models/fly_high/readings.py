"""What the text of Fly High leaves open: readings, facts about the pack, and what is missing.

Promise: whatever the rules take for granted without a sentence that says so is named here, with the other
ways to take it and the reason for the one that the model takes.
"""

from __future__ import annotations

from models.fly_high.table import book
from models.language import total

# --- heights --------------------------------------------------------------------------------------

rainbow_height = book.reading(
    "rainbow.height", "number.same-or-higher", "rainbow.counts-one", "number.height",
    options={
        "last-number": "the next number is compared with the last number before the Rainbow",
        "free": "the card before has no number, so after a Rainbow any number fits",
    },
    default="last-number",
    why="the height is what the numbers show, and a U-turn, which has no number either, leaves it as it was",
    leans=("last-number", "number.height"),
    asks="Is a number that follows a Rainbow compared with the last number before the Rainbow?")

first_number = book.reading(
    "number.nothing-before", "number.same-or-higher", "uturn.same-or-lower", "rainbow.counts-one",
    options={
        "fits": "the first number of a flight fits whatever specials came before it",
        "fails": "a number that follows specials only can be compared with nothing and does not fit",
    },
    default="fits",
    why="where there is no height yet, no height is broken",
    asks="May the first number of a flight be any number if only special cards came before it?")

uturn_base = book.reading(
    "uturn.compares-with", "uturn.same-or-lower",
    options={
        "last-number": "the first number after a U-turn is compared with the last number before it",
        "free": "the first number after the U-turn that turns the order round is free",
    },
    default="last-number",
    why="the U-turn changes the direction of the flight and not its height",
    asks="Which number is the first number after a U-turn compared with?")

uturn_original = book.reading(
    "uturn.original-rules", "uturn.turns-back",
    options={
        "last-number": "after the second U-turn the numbers rise again from the last number",
        "restart": "after the second U-turn the flight starts anew, so any number fits",
    },
    default="last-number",
    why="it is the order that comes back; nothing says that the cards before are forgotten",
    asks="After a second U-turn, do the numbers rise from the last number, or may any number come?")

uturn_level = book.reading(
    "uturn.level", "uturn.same-or-lower", "uturn.example-first-uturn",
    options={
        "fits": "after a U-turn a level number fits",
        "fails": "after a U-turn only a smaller number fits",
    },
    default="fits",
    why="the rule names the level number; only an example speaks of falling alone",
    asks="Does a number that is level fit after a U-turn?")

# --- stopping -------------------------------------------------------------------------------------

meeting = book.reading(
    "bold.meeting-die", "number.take-all", "bold.may-go-on", "bold.turn-over", "bold.until-clear",
    options={
        "choice": "once the die is met the player chooses, after every card, to stop or to go on",
        "at-die": "meeting the die is the success that ends the turn",
        "never": "only failure, a Finish or the whole square ends a flight",
    },
    default="choice",
    why="the paragraph on being bold speaks of both, stopping and going on, once the die is met",
    asks="Does meeting the die end the turn, or does the player choose from then on?")

failure_clear = book.reading(
    "bold.failure-clear", "bold.until-clear", "bold.turn-over",
    options={
        "misfit": "a flight has failed when a card that does not fit is turned up",
        "foreseen": "it has failed also when all cards still face down have been seen and none of them fits",
    },
    default="misfit",
    why="it needs no agreement on what the players remember, and the printed failure ends so",
    leans=("misfit", "number.example-falling-fails"),
    asks="Does the player still turn up a card when everybody knows that none of those left can fit?")

further_special = book.reading(
    "uturn.further-special", "uturn.no-end", "uturn.example-what-helps",
    options={
        "goes-on": "no U-turn is a card to stop on: of the specials only a Rainbow or a Finish helps",
        "helps": "a row with the die met that stands on a U-turn may be cashed in after a further U-turn",
    },
    default="goes-on",
    why="the rule forbids every U-turn as the last card; the example only lists what helps",
    asks="If the die is met on a U-turn and the next card is a U-turn as well, may the player stop?")

rainbow_frees = book.reading(
    "uturn.rainbow-frees", "uturn.no-end", "rainbow.counts-one", "uturn.example-what-helps",
    options={
        "frees": "with a Rainbow after the U-turn the last card is no U-turn, so the player may stop",
        "number": "after a U-turn a number has to come before the player may stop",
    },
    default="frees",
    why="the ban names the card that stands last",
    asks="May the player stop on a Rainbow that follows a U-turn?")

# --- after a flight ---------------------------------------------------------------------------------

finish_refill = book.reading(
    "finish.refill", "finish.turn-over", "ending.fill-spots", "finish.bonus-too",
    options={
        "refill": "after a Finish the square is filled as after any success",
        "none": "the turn is over at once, so the gaps stay until a later success",
    },
    default="refill",
    why="the flight counts as a success, and filling belongs to every success",
    leans=("refill", "finish.bonus-too"),
    asks="Is the square filled after a Finish has ended the turn at once?")

bonus_scope = book.reading(
    "bonus.scope", "bonus.two-cards", "finish.bonus-too",
    options={
        "flight": "three of the cards that this flight takes",
        "pile": "three of all cards that the player's flights have brought in, when the third comes",
    },
    default="flight",
    why="the sentence speaks of succeeding in taking, and it is a flight that succeeds",
    leans=("flight", "finish.bonus-too"),
    asks="Are the cards with one character counted within one flight, or over the whole score pile?")

bonus_times = book.reading(
    "bonus.times", "bonus.two-cards",
    options={
        "once": "two cards, however many characters are there three times",
        "each": "two cards for every character that is there three times",
    },
    default="once",
    why="there is one sentence with one condition, and it is met or not",
    asks="Does a flight with three cards of one character and three of another bring two cards or four?")

bonus_six = book.reading(
    "bonus.six", "bonus.two-cards",
    options={
        "once": "two cards for three or any larger number of one character",
        "each": "two cards for every full three of one character",
    },
    default="once",
    why="the sentence says three or more, and six is more than three",
    leans=("once", "bonus.two-cards"),
    asks="Do six cards with one character bring the bonus once or twice?")

bonus_short = book.reading(
    "bonus.short", "bonus.two-cards", "end.deck-out",
    options={
        "what-is-there": "with one card left in the deck the bonus is that card",
        "nothing": "with fewer than two cards left there is no bonus",
    },
    default="what-is-there",
    why="cards are drawn one by one, and the deck has run out only when the last is drawn",
    asks="If one card is left for the bonus of two, is it taken?")

runs_out = book.reading(
    "end.runs-out", "end.deck-out",
    options={
        "last-card": "the game is over as soon as the last card of the deck has been drawn",
        "cannot-draw": "the game is over when a card is to be drawn and none is left",
    },
    default="last-card",
    why="a deck without cards has run out, and the end comes at once",
    leans=("last-card", "end.deck-out"),
    asks="Does the game end with the last card drawn, or when a card is needed and none is there?")

tie = book.reading(
    "end.tie", "end.winner",
    options={
        "shared": "players who are level at the top have won together",
        "nobody": "when two are level at the top nobody has won",
    },
    default="shared",
    why="each of them has as many cards as anybody",
    asks="Who has won when two players have equally many cards?")

# --- advanced level ---------------------------------------------------------------------------------

set_by = book.reading(
    "advanced.set-by", "advanced.first-two", "advanced.one-of-two", "advanced.one-direction",
    options={
        "numbers": "the first two numbers that are compared settle it, whatever specials lie between",
        "free": "the first two cards settle it; a special among them leaves this flight at the basic level",
        "changing": "the first two cards settle it; a special among them rules constant height out",
    },
    default="numbers",
    why="a special card has no height, so it cannot be level with anything or above it",
    asks="Which two cards settle the direction if one of the first two is a special?")

level_uturn = book.reading(
    "advanced.level-uturn", "advanced.one-direction", "uturn.same-or-lower", "advanced.rest-same",
    options={
        "level": "a flight at constant height stays so after a U-turn",
        "lower": "after a U-turn a flight at constant height has to fall",
        "open": "after a U-turn the next number may be level or lower and settles it anew",
    },
    default="level",
    why="level is the one height that both sentences allow",
    asks="What has to follow a U-turn in a flight at constant height?")

falling = book.reading(
    "advanced.falling", "advanced.one-direction", "uturn.same-or-lower", "advanced.example-uturn-then",
    options={
        "strict": "after a U-turn a rising flight has to fall from number to number",
        "level-too": "after a U-turn a rising flight may fall or stay level, as the U-turn says",
    },
    default="strict",
    why="the U-turn turns the order round, and the order was strictly rising",
    asks="After a U-turn in a rising flight, does a level number fit?")

# --- the pack ---------------------------------------------------------------------------------------

_NUMBERS = total(*(book.quantity(f"cards with {n}", 0, 99) for n in range(10, 70, 10)))
_SPECIALS = total(*(book.quantity(f"{name} cards", 0, 99) for name in ("Rainbow", "U-turn", "Finish")))
book.fact("components.numbers", _NUMBERS == 63)
book.fact("components.specials", _SPECIALS == 17)
book.fact("components.die", book.quantity("dice", 0, 9) == 1)
book.fact("setup.square", _NUMBERS + _SPECIALS >= 9)

book.missing("pack.numbers", "components.numbers",
             what="how many cards bear each number (63 cards cannot be split evenly over six numbers)",
             asks="How many cards are there of each number?")
book.missing("pack.specials", "components.specials",
             what="how many of the 17 special cards are of which kind",
             asks="How many Rainbows, U-turns and Finishes are there?")
book.missing("pack.characters", "bonus.two-cards", "components.numbers", "components.specials",
             what="which characters there are, on which cards they stand, and whether special cards show one",
             asks="Which cards show which character, and do special cards show one?")
book.missing("die.faces", "components.die", "turn.roll", "cloud.case", "number.case",
             what="which numbers the die shows and how many of its faces are clouds",
             asks="What is on the six faces of the die?")
book.missing("players.number", "components.numbers", "setup.who-begins",
             what="for how many players the game is",
             asks="How many players can play?")
book.missing("setup.same-age", "setup.who-begins",
             what="who names the first player if the two youngest are of one age",
             asks="Who decides on the first player if there is no single youngest one?")
book.missing("refill.face", "ending.fill-spots",
             what="whether the cards that fill the gaps lie face down and stay unseen",
             asks="Are the new cards of the square laid out face down, without anybody looking at them?")
book.missing("pile.open", "number.score-pile", "cloud.take-top", "bonus.two-cards",
             what="whether cards from the deck are shown, where bonus cards go, and whether piles are open",
             asks="Are the cards of the cloud and of the bonus shown, and may score piles be looked through?")
