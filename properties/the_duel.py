"""Properties of The Duel: what must hold whatever is dealt, rolled, played and answered.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

from models.language import Term, count, every, ite, some, total
from models.the_duel.cards import Sort
from models.the_duel.readings import (
    ally_when,
    at_the_end,
    beyond,
    free_card,
    last_draw,
    must_take,
    removes_wild,
)
from models.the_duel.table import (
    ATTACK,
    BLOW,
    KING,
    Phase,
    Table,
    dice_in_middle,
    dice_of,
    discarded,
    held,
    kind,
    wild_in_middle,
)
from models.the_duel.turn import points
from models.the_duel.windows import ended
from properties.kinds import Properties

PROPERTIES = Properties()

GAME = ("game",)
SEATS = range(2)


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _true() -> Term:
    return every()


# --- cards, dice, Wild Cards ------------------------------------------------------------------------------


@PROPERTIES.always("outside.deck", "effect.discard")
def no_card_is_made(t: Table) -> Term:
    """Of no card are more in a deck, hand and display than there are; the rest lies on the discard pile."""
    return every(*(discarded(t, p, c) >= 0 for p in SEATS for c in t.size.counts))


@PROPERTIES.always("play.single", "damage.return")
def no_die_is_made(t: Table) -> Term:
    """The players have no more dice than there are, and nobody more than the limit."""
    limit: int = t.size.limit
    within = [_true() if t.reading(beyond) == "beyond" else dice_of(t, total(p)) <= limit for p in SEATS]
    return every(dice_in_middle(t) >= 0, *within)


@PROPERTIES.always("wild.take", "wild.all-three", "wild.return")
def no_wild_card_is_made(t: Table) -> Term:
    """The players have no more Wild Cards than there are."""
    return wild_in_middle(t) >= 0


@PROPERTIES.always("outside.hand")
def no_hand_is_filled_too_far(t: Table) -> Term:
    """A hand is never above four, but for what effects draw."""
    if any(c.draws for c in t.size.cards):
        return _true()
    return every(*(held(t, p) <= t.size.hand for p in SEATS))


@PROPERTIES.always("effect.discard", "effect.display")
def only_lasting_cards_lie_there(t: Table) -> Term:
    """Events and twists never lie in a display."""
    short = [*t.size.where(sort=Sort.EVENT), *t.size.where(sort=Sort.TWIST)]
    return every(*(t.display[p][c] == 0 for p in SEATS for c in short))


@PROPERTIES.always("outside.deck")
def the_table_begins_empty(t: Table) -> Term:
    """Before the decks are there nothing lies anywhere."""
    piles = total(*(pile[p].total() for pile in (t.deck, t.hand, t.display) for p in SEATS))
    nothing = every(piles == 0, t.chain.depth == 0, t.to_roll == 0, ~t.window.is_open, t.actor == 0)
    return ~_in(t, Phase.SETUP) | nothing


@PROPERTIES.always("outside.hand", only=GAME)
def hands_are_dealt_from_decks(t: Table) -> Term:
    """During the deal all cards are in decks and hands, and no hand is too full."""
    cards = t.size.counts
    whole = [
        every(*(t.deck[p][c] + t.hand[p][c] == n for c, n in cards.items()), held(t, p) <= t.size.hand)
        for p in SEATS
    ]
    lacking = [(t.actor != p) | (held(t, p) < t.size.hand) for p in SEATS]
    lacking.append((t.actor != 0) | (held(t, 1) == 0))
    return ~_in(t, Phase.DEAL) | every(*whole, *lacking, t.chain.depth == 0)


@PROPERTIES.always("play.pay")
def cards_are_paid_for_one_by_one(t: Table) -> Term:
    """A card is on its way exactly while it is paid for and put down, and nothing waits meanwhile."""
    under_way = t.paying != t.size.card["NONE"]
    return every(
        under_way == _in(t, Phase.PAY, Phase.ENTER),
        ~_in(t, Phase.PAY, Phase.ENTER, Phase.END, Phase.DICE, Phase.ROLL, Phase.REFILL)
        | (t.chain.depth == 0),
    )


@PROPERTIES.always("outside.dice")
def dice_to_roll_are_in_the_middle(t: Table) -> Term:
    """Dice that are still to be rolled are in the middle, and fit into the limit."""
    fits = [
        _true()
        if t.reading(beyond) == "beyond"
        else (t.turn != p) | (dice_of(t, total(p)) + t.to_roll <= t.size.limit)
        for p in SEATS
    ]
    return every((t.to_roll > 0) == _in(t, Phase.ROLL), t.to_roll <= dice_in_middle(t), *fits)


# --- damage -----------------------------------------------------------------------------------------------


@PROPERTIES.always("damage.defeat", "damage.less")
def damaged_cards_lie_there(t: Table) -> Term:
    """Damage lies on cards in a display alone, and is less than their health points."""
    return every(
        *((t.damage[p][c] == 0) | (t.display[p][c] > 0) for p in SEATS for c in t.size.where(health=True))
    )


@PROPERTIES.always("damage.not-carried", "damage.heals")
def no_damage_between_turns(t: Table) -> Term:
    """No damage is carried over: as hands are filled and dice rolled, every card is whole."""
    whole = every(*(t.damage[p].total() == 0 for p in SEATS))
    return ~_in(t, Phase.SETUP, Phase.DEAL, Phase.REFILL, Phase.DICE, Phase.ROLL) | whole


# --- the end ----------------------------------------------------------------------------------------------


@PROPERTIES.always("end.last-card", only=GAME)
def the_game_ends_exactly_then(t: Table) -> Term:
    """From the deal on a draw pile is empty exactly if the game is ending or over."""
    if t.reading(last_draw) != "any-draw":
        return _true()
    ending = [Phase.ENDING, Phase.OVER]
    if t.reading(at_the_end) == "twists-first":
        return _in(t, Phase.SETUP) | some(~_in(t, *ending), ended(t))
    return _in(t, Phase.SETUP) | (_in(t, *ending) == ended(t))


@PROPERTIES.always("end.last-card")
def nothing_waits_at_the_end(t: Table) -> Term:
    """Once the last card has been drawn nothing waits and nobody is asked."""
    if t.reading(at_the_end) == "twists-first":
        return _true()
    return ~_in(t, Phase.ENDING) | every(t.chain.depth == 0, ~t.window.is_open)


@PROPERTIES.always("end.tie", "end.last-card")
def never_are_both_piles_empty(t: Table) -> Term:
    """From the deal on at least one player has cards left to draw, so a tie is always broken."""
    if t.reading(last_draw) != "any-draw" or t.reading(at_the_end) != "at-once":
        return _true()
    return _in(t, Phase.SETUP) | some(*(t.deck[p].total() > 0 for p in SEATS))


@PROPERTIES.always("end.winner", "end.tie", only=GAME)
def one_player_wins(t: Table) -> Term:
    """A game that is over has exactly one winner, and the other one has no more points."""
    if t.reading(last_draw) != "any-draw" or t.reading(at_the_end) != "at-once":
        return _true()
    more = every(*(~t.won[p] | (points(t, p) >= points(t, 1 - p)) for p in SEATS))
    return ~_in(t, Phase.OVER) | every(count(*t.won) == 1, more)


# --- answers ----------------------------------------------------------------------------------------------


@PROPERTIES.always("reinforcement.twists", "notes.second")
def chains_are_paid_with_cards(t: Table) -> Term:
    """The bound on interrupts: for every blow on the chain a damaging twist has left the hands for good."""
    twists = t.size.where(sort=Sort.TWIST, damage=True)
    left = total(*(pile[p][c] for pile in (t.deck, t.hand) for p in SEATS for c in twists))
    longest: int = t.size.longest_chain
    return _in(t, Phase.SETUP) | (t.chain.depth + left <= longest)


@PROPERTIES.always("damage.aim")
def aimed_damage_belongs_to_an_attack(t: Table) -> Term:
    """While damage is aimed and dealt, an attack lies on top of the chain."""
    return ~_in(t, Phase.AIM, Phase.MILL) | every(t.chain.depth > 0, kind(t.chain.top) >= ATTACK)


@PROPERTIES.always("reinforcement.twists")
def the_chain_has_no_holes(t: Table) -> Term:
    """Something lies on the chain up to its height, and nothing above it."""
    return every(*((kind(item) >= KING) == (t.chain.depth > i) for i, item in enumerate(t.chain)))


@PROPERTIES.always("notes.king")
def blows_lie_upon_kings(t: Table) -> Term:
    """Only a king that was just played can be struck: a blow lies right upon it, and never at the bottom."""
    chain = t.chain
    pairs = [(chain[i], chain[i + 1] if i + 1 < len(chain) else total()) for i in range(len(chain))]
    lowest = kind(chain[0]) != BLOW
    return every(lowest, *((kind(above) != BLOW) | (kind(below) == KING) for below, above in pairs))


@PROPERTIES.always("reinforcement.own-turn", "effect.from-now")
def nobody_is_asked_without_reason(t: Table) -> Term:
    """While dice are paid, aimed or rolled nobody is asked."""
    return ~t.window.is_open | _in(t, Phase.ACT, Phase.ENDING)


@PROPERTIES.step("reinforcement.twists", "effect.must")
def every_answer_costs_a_card(before: Table, after: Table) -> Term:
    """While somebody is asked, a step either is a pass, which leaves the chain alone, or spends a card.

    So interrupts cannot go on for ever: hands are finite, and nothing comes back from a discard pile.
    """

    def cards(t: Table) -> Term:
        return total(*(held(t, p) for p in SEATS))

    same = before.chain.depth == after.chain.depth
    return (
        ~before.window.is_open | (cards(after) < cards(before)) | every(same, cards(after) == cards(before))
    )


@PROPERTIES.step("damage.look", "effect.discard")
def nothing_comes_back(before: Table, after: Table) -> Term:
    """No card ever leaves a discard pile."""
    start = before.phase == Phase.SETUP
    piles = [(p, c) for p in SEATS for c in before.size.counts]
    return start | every(*(discarded(after, p, c) >= discarded(before, p, c) for p, c in piles))


@PROPERTIES.step("reinforcement.own-turn", "reinforcement.twists")
def cards_are_played_on_the_own_turn(before: Table, after: Table) -> Term:
    """What leaves a hand on the opponent's turn is a twist of fate that can be played then."""
    allowed = set(before.size.where(sort=Sort.TWIST, own_turn=False))
    kept = [
        some(before.turn == p, after.hand[p][c] >= before.hand[p][c])
        for p in SEATS
        for c in before.size.counts
        if c not in allowed
    ]
    return every(*kept)


@PROPERTIES.step("effect.no-health")
def only_events_remove_what_has_no_health(before: Table, after: Table) -> Term:
    """A card without health points leaves a display by an event alone."""
    lost = [
        after.display[p][c] < before.display[p][c]
        for p in SEATS
        for c in before.size.display_counts
        if not before.size.of(c).health
    ]
    return ~some(*lost) | _in(before, Phase.REMOVE)


@PROPERTIES.step("damage.aim", "damage.defeat")
def one_point_hits_one_target(before: Table, after: Table) -> Term:
    """Aiming changes the damage or number of one card at most, and by one."""
    moved = [
        ite(after.damage[p][c] == before.damage[p][c], 0, 1)
        + ite(after.display[p][c] == before.display[p][c], 0, 1)
        for p in SEATS
        for c in before.size.where(health=True)
    ]
    both = 2  # a defeated card loses its damage as well
    return ~_in(before, Phase.AIM) | (total(*moved) <= both)


# --- Wild Cards -------------------------------------------------------------------------------------------


@PROPERTIES.step("wild.take", "wild.from-opponent", "wild.all-three", only=GAME)
def a_wild_card_comes_for_using_no_die(before: Table, after: Table) -> Term:
    """As a turn ends, its player has one Wild Card more exactly if no die was used and one was lacking."""
    if _depends_on_more(before):
        return _true()
    comes = []
    for p in SEATS:
        due = every(~before.used, before.wild[p] < before.size.wild_cards)
        comes.append((before.turn != p) | (after.wild[p] == before.wild[p] + ite(due, 1, 0)))
    return ~_in(before, Phase.END) | every(*comes)


def _depends_on_more(t: Table) -> bool:
    """Whether a reading is chosen under which taking a Wild Card depends on more than dice."""
    return t.reading(free_card) != "takes" or t.reading(must_take) != "must"


@PROPERTIES.step("wild.take", "wild.from-opponent", "wild.return")
def wild_cards_move_for_three_reasons(before: Table, after: Table) -> Term:
    """Wild Cards move as a turn ends, as one is used by the player on turn, or as a table is laid out."""
    moved = some(*(after.wild[p] != before.wild[p] for p in SEATS))
    used = every(*((before.turn == p) | (after.wild[p] == before.wild[p]) for p in SEATS))
    removed = _in(before, Phase.REMOVE) if before.reading(removes_wild) == "yes" else some()
    return (
        ~moved | _in(before, Phase.END, Phase.DEAL) | every(_in(before, Phase.ACT, Phase.PAY), used) | removed
    )


@PROPERTIES.step("wild.next-turns", "wild.as-die")
def nobody_pays_on_anothers_turn(before: Table, after: Table) -> Term:
    """Dice leave a player on the own turn only, but under the reading by which allies act on any turn."""
    if before.reading(ally_when) == "any-turn":
        return _true()
    return every(
        *((before.turn == p) | (dice_of(after, total(p)) >= dice_of(before, total(p))) for p in SEATS)
    )


# --- sometimes --------------------------------------------------------------------------------------------


@PROPERTIES.sometimes("notes.second", "reinforcement.twists")
def a_blow_meets_a_blow(t: Table) -> Term:
    """Three things wait for each other."""
    return t.chain.depth > 2


@PROPERTIES.sometimes("notes.second", "notes.king")
def a_king_is_struck(t: Table) -> Term:
    """A blow against a king waits for an armour."""
    return kind(t.chain.top) == BLOW


@PROPERTIES.sometimes("damage.pile", "end.last-card", only=GAME)
def damage_can_end_the_game(t: Table) -> Term:
    """One card is left, and a point of damage turns it up."""
    return _in(t, Phase.MILL) & some(*(t.deck[p].total() == 1 for p in SEATS))


@PROPERTIES.sometimes("end.tie", only=GAME)
def a_tie_is_broken(t: Table) -> Term:
    """The points are level, and somebody has won."""
    return _in(t, Phase.OVER) & (points(t, 0) == points(t, 1)) & some(*t.won)


@PROPERTIES.sometimes("end.winner", only=GAME)
def the_last_drawer_wins(t: Table) -> Term:
    """The player whose draw pile is empty has won by points."""
    return _in(t, Phase.OVER) & some(*(t.won[p] & (t.deck[p].total() == 0) for p in SEATS))


@PROPERTIES.sometimes("wild.from-opponent", "wild.all-three")
def somebody_has_all_wild_cards(t: Table) -> Term:
    """A player has all Wild Cards, and no die was used in the turn that ends."""
    return _in(t, Phase.END) & ~t.used & some(*(t.wild[p] == t.size.wild_cards for p in SEATS))


@PROPERTIES.sometimes("effect.no-health")
def an_event_removes_a_card(t: Table) -> Term:
    """A card is to be taken out of a display."""
    return _in(t, Phase.REMOVE)


PROPERTIES.ends("end.last-card")
