"""Properties of Fly High: what must hold on the table whatever is rolled, picked and turned up.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

from models.fly_high.cards import Face
from models.fly_high.readings import bonus_scope, bonus_six, bonus_times, finish_refill, runs_out
from models.fly_high.table import Course, Phase, Table
from models.language import Term, count, every, ite, least, lookup, some, total
from properties.kinds import Properties

PROPERTIES = Properties()

FLYING = (Phase.FLY, Phase.CHOICE, Phase.DRAW)


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _spots(t: Table) -> range:
    return range(t.size.spots)


def _lying(t: Table) -> Term:
    return count(*(card != t.size.none for card in t.grid))


def _shown(t: Table, face: Face) -> Term:
    """How many cards of a face are up (number cards are counted by what is left)."""
    return count(*(t.face_up[s] & (lookup(t.grid[s], t.size.faces) == int(face)) for s in _spots(t)))


def _with_character(t: Table, character: str) -> Term:
    """How many cards with a character are up."""
    return count(*(t.face_up[s] & (lookup(t.grid[s], t.size.shows(character)) == 1) for s in _spots(t)))


# --- always -----------------------------------------------------------------------------------------


@PROPERTIES.always("components.numbers", "components.specials")
def no_card_is_lost(t: Table) -> Term:
    """The deck, the square and the score piles hold all cards together."""
    return every(t.deck + _lying(t) + total(*t.score) == t.size.total)


@PROPERTIES.always("setup.shuffle")
def unseen_cards_are_enough(t: Table) -> Term:
    """The cards never seen are those of the deck, those hidden in the square, and some in score piles."""
    hidden = t.deck + count(*(card == t.size.hidden for card in t.grid))
    return (t.unseen.total() >= hidden) & (t.unseen.total() - hidden <= total(*t.score))


@PROPERTIES.always("setup.shuffle")
def no_kind_is_there_too_often(t: Table) -> Term:
    """Of no kind are more cards known in the square and unseen than there are."""
    return every(*(t.unseen[kind] + count(*(card == kind for card in t.grid)) <= most
                   for kind, most in t.size.counts.items()))


@PROPERTIES.always("ending.face-down", "number.take-all")
def nothing_is_up_at_rest(t: Table) -> Term:
    """Cards are face up during a flight only."""
    at_rest = ~_in(t, *FLYING, Phase.FAILED, Phase.WON)
    return ~(at_rest & some(*t.face_up))


@PROPERTIES.always("number.reveal")
def a_card_that_is_up_is_known(t: Table) -> Term:
    """What lies face up is a card, and its kind is known."""
    return every(*(~t.face_up[s] | every(t.grid[s] != t.size.none, t.grid[s] != t.size.hidden)
                   for s in _spots(t)))


@PROPERTIES.always("number.height", "number.same-or-higher")
def the_height_is_on_a_card(t: Table) -> Term:
    """While a player flies, the height is a number that lies face up."""
    up = some(*(t.face_up[s] & (lookup(t.grid[s], t.size.tens) == t.height) for s in _spots(t)))
    return ~((t.height > 0) & ~up)


@PROPERTIES.always("uturn.turns-back")
def uturns_turn_the_order(t: Table) -> Term:
    """While a player flies, the order is turned round exactly after an odd number of U-turns."""
    return ~(_in(t, *FLYING) & ((_shown(t, Face.UTURN) % 2 == 1) != t.down))


@PROPERTIES.always("number.reach-die", "setup.square", "ending.fill-spots")
def the_die_can_be_met(t: Table) -> Term:
    """Whenever the die is about to be rolled, the square is full."""
    if t.reading(finish_refill) == "none":
        return every()
    return ~_in(t, Phase.ROLL) | every(_lying(t) == t.size.spots)


@PROPERTIES.always("number.reach-die", "bold.until-clear", "uturn.no-end")
def whoever_has_to_go_on_can(t: Table) -> Term:
    """Where the player must turn a further card up, one lies face down."""
    return ~_in(t, Phase.FLY) | (count(*t.face_up) < _lying(t))


@PROPERTIES.always("bold.may-go-on", "number.reach-die")
def a_choice_means_the_die_is_met(t: Table) -> Term:
    """The player may stop only with as many cards up as the die shows."""
    return ~_in(t, Phase.CHOICE) | (count(*t.face_up) >= t.die)


@PROPERTIES.always("end.deck-out")
def nothing_is_due_at_the_end(t: Table) -> Term:
    """Once the deck has run out neither bonus nor refill is due."""
    return ~_in(t, Phase.OUT, Phase.OVER) | ((t.bonus_due == 0) & ~t.refill_due)


@PROPERTIES.always("end.deck-out")
def an_empty_deck_ends_the_game(t: Table) -> Term:
    """With the last card of the deck the game is over at once."""
    if t.reading(runs_out) != "last-card":
        return every()
    return (t.deck > 0) | _in(t, Phase.OUT, Phase.OVER)


@PROPERTIES.always("end.winner")
def whoever_wins_is_not_behind(t: Table) -> Term:
    """No winner has fewer cards than somebody else."""
    return every(*(~t.won[a] | (t.score[a] >= t.score[b])
                   for a in range(t.size.players) for b in range(t.size.players) if a != b))


@PROPERTIES.always("advanced.one-direction", only=("basic",))
def no_course_at_the_basic_level(t: Table) -> Term:
    """At the basic level nothing ties a flight to one direction."""
    return t.course == Course.OPEN


# --- every step -------------------------------------------------------------------------------------


@PROPERTIES.step("number.score-pile")
def score_only_grows(before: Table, after: Table) -> Term:
    """No player ever gives a card back."""
    return every(*(a >= b for b, a in zip(before.score, after.score, strict=True)))


@PROPERTIES.step("number.score-pile", "turn.roll")
def only_the_player_on_turn_gains(before: Table, after: Table) -> Term:
    """Nobody gains a card in the turn of another player."""
    return every(*((after.score[p] == before.score[p]) | (before.turn == p)
                   for p in range(before.size.players)))


@PROPERTIES.step("end.deck-out")
def the_deck_only_shrinks(before: Table, after: Table) -> Term:
    """Nothing goes back into the deck."""
    return after.deck <= before.deck


@PROPERTIES.step("ending.same-spot", "ending.face-down", "bold.fail-nothing")
def a_failed_flight_changes_nothing_but_the_turn(before: Table, after: Table) -> Term:
    """Whoever fails leaves every card where it lies, gains nothing and passes the turn on."""
    same = every(*(a == b for b, a in zip(before.grid, after.grid, strict=True)),
                 *(a == b for b, a in zip(before.score, after.score, strict=True)),
                 *(after.unseen[kind] == before.unseen[kind] for kind in before.size.kinds),
                 after.deck == before.deck, ~some(*after.face_up), after.phase == Phase.ROLL,
                 after.turn == (before.turn + 1) % before.size.players)
    return ~_in(before, Phase.FAILED) | same


@PROPERTIES.step("ending.same-spot")
def a_known_card_stays_on_its_spot(before: Table, after: Table) -> Term:
    """A card that was seen changes its spot only into the score pile of a successful flight."""
    none, hidden = before.size.none, before.size.hidden
    return every(*((b == none) | (b == hidden) | (a == b) | ((a == none) & up & (before.phase == Phase.WON))
                   for b, a, up in zip(before.grid, after.grid, before.face_up, strict=True)))


@PROPERTIES.step("cloud.next-player", "ending.next-player")
def the_turn_passes_to_the_left(before: Table, after: Table) -> Term:
    """The turn stays, or it goes to the neighbour on the left when the die is next."""
    left = (before.turn + 1) % before.size.players
    return (after.turn == before.turn) | every(after.turn == left, after.phase == Phase.ROLL)


@PROPERTIES.step("cloud.no-flight", "cloud.turn-over", "cloud.take-top", "cloud.next-player")
def a_cloud_brings_the_top_card_and_the_next_turn(before: Table, after: Table) -> Term:
    """A roll that starts no flight brings the top card, and the turn is the neighbour's."""
    gained = total(*after.score) - total(*before.score)
    drawn = every(gained == least(before.deck, 1), after.deck == before.deck - least(before.deck, 1))
    left = (before.turn + 1) % before.size.players
    passed = _in(after, Phase.OUT) | every(_in(after, Phase.ROLL), after.turn == left)
    return ~_in(before, Phase.ROLL) | _in(after, Phase.FLY) | every(drawn, passed)


@PROPERTIES.step("number.take-all", "finish.take-all", "uturn.take-too")
def a_flight_that_succeeds_brings_the_cards_that_are_up(before: Table, after: Table) -> Term:
    """Whoever succeeds gains every card that is up, and only those leave the square."""
    gained = total(*after.score) - total(*before.score)
    taken = every(*(a == ite(up, before.size.none, b)
                    for b, a, up in zip(before.grid, after.grid, before.face_up, strict=True)))
    return ~_in(before, Phase.WON) | every(gained == count(*before.face_up), taken)


@PROPERTIES.step("bonus.two-cards", "finish.bonus-too")
def three_of_a_character_bring_the_bonus(before: Table, after: Table) -> Term:
    """A bonus is due exactly where the third card with one character was taken; it is two cards."""
    reached = []
    for number, character in enumerate(before.size.characters):
        had = before.held[before.turn][number] if before.reading(bonus_scope) == "pile" else total()
        reached.append((had < 3) & (had + _with_character(before, character) >= 3))
    due = after.bonus_due > 0
    if before.reading(bonus_times) == before.reading(bonus_six) == "once":
        due = after.bonus_due == 2
    owed = some(*reached)
    return ~_in(before, Phase.WON) | (owed & due) | (~owed & (after.bonus_due == 0))


@PROPERTIES.step("number.same-or-higher", "uturn.same-or-lower")
def the_height_follows_the_order(before: Table, after: Table) -> Term:
    """While a flight goes on, its height moves in the order that holds, level included."""
    goes_on = _in(before, *FLYING) & _in(after, *FLYING) & (before.height > 0) & (after.height > 0)
    rises, falls = after.height >= before.height, after.height <= before.height
    return ~goes_on | (~before.down & rises) | (before.down & falls)


# --- sometimes --------------------------------------------------------------------------------------


@PROPERTIES.sometimes("number.take-all")
def a_flight_succeeds(t: Table) -> Term:
    """A flight of number cards alone succeeds."""
    special = some(*(_shown(t, face) > 0 for face in (Face.RAINBOW, Face.UTURN, Face.FINISH)))
    return _in(t, Phase.WON) & ~special


@PROPERTIES.sometimes("bold.fail-nothing")
def a_flight_fails(t: Table) -> Term:
    """A flight fails."""
    return _in(t, Phase.FAILED)


@PROPERTIES.sometimes("bold.keep-revealing")
def a_bold_flight_succeeds(t: Table) -> Term:
    """A player goes on with the die met and may stop or go on once more."""
    return _in(t, Phase.CHOICE) & (count(*t.face_up) > t.die)


@PROPERTIES.sometimes("rainbow.counts-one")
def a_rainbow_meets_the_die(t: Table) -> Term:
    """The die is met with the help of a Rainbow."""
    return _in(t, Phase.CHOICE) & (_shown(t, Face.RAINBOW) > 0)


@PROPERTIES.sometimes("uturn.same-or-lower")
def a_flight_goes_down(t: Table) -> Term:
    """A player may stop while the order is turned round."""
    return _in(t, Phase.CHOICE) & t.down


@PROPERTIES.sometimes("finish.take-all")
def a_finish_comes_first(t: Table) -> Term:
    """A flight succeeds with a Finish as its only card."""
    return _in(t, Phase.WON) & (_shown(t, Face.FINISH) == 1) & (count(*t.face_up) == 1)


@PROPERTIES.sometimes("bold.all-nine")
def the_whole_square_is_taken(t: Table) -> Term:
    """All cards of the square are taken at once."""
    return every(_in(t, Phase.WON), count(*t.face_up) == t.size.spots)


@PROPERTIES.sometimes("bonus.two-cards")
def a_bonus_is_due(t: Table) -> Term:
    """A flight brings a bonus."""
    return t.bonus_due > 0


@PROPERTIES.sometimes("end.deck-out")
def the_square_is_left_with_gaps(t: Table) -> Term:
    """The game ends with fewer cards in the square than it has spots."""
    return every(_in(t, Phase.OVER), _lying(t) < t.size.spots)


@PROPERTIES.sometimes("advanced.one-direction", only=("advanced",))
def a_flight_at_constant_height(t: Table) -> Term:
    """A player may stop in a flight at constant height."""
    return _in(t, Phase.CHOICE) & (t.course == Course.LEVEL)


# --- the graph --------------------------------------------------------------------------------------

PROPERTIES.ends("end.deck-out")


def _succeeds(before: Table, after: Table) -> Term:
    return ~_in(before, Phase.WON) & _in(after, Phase.WON)


@PROPERTIES.lost("number.reach-die", "bold.until-clear", goal=_succeeds)
def flight_is_lost(t: Table) -> Term:
    """The player on turn cannot succeed whatever is turned up, and has to go on."""
    return _in(t, *FLYING)
