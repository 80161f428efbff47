"""Properties of The Dwarf King: what must hold whatever is dealt, chosen and played.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

from models.language import Term, count, every, lookup, some, total
from models.the_dwarf_king.cards import SUITS, Suit, Target
from models.the_dwarf_king.dealing import hand_size
from models.the_dwarf_king.readings import (
    deal_rest,
    may_discard,
    special_when,
    trumps,
    unplayed,
    used_contract,
    whose_cards,
)
from models.the_dwarf_king.table import (
    GAME,
    TRICK,
    Phase,
    Table,
    deck,
    holds_suit,
    is_special,
    lies,
    printed_suit,
    seats,
    suit_before,
    suit_of,
    value_of,
    where,
)
from models.the_dwarf_king.trick import NO_SUIT, can_follow, leads, may_play, seat_after, suit_led, uneven
from properties.kinds import Properties

PROPERTIES = Properties()

IN_TRICK = (Phase.PLAY, Phase.AIM, Phase.TAKE)


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _implies(a: Term, b: Term) -> Term:
    return some(~a, b)


def _special(t: Table, key: str) -> Term:
    return lookup(t.special, t.size.by_special(key))


# --- always: cards ------------------------------------------------------------------------------------


@PROPERTIES.always("tricks.follow", "scoring.calculate")
def a_card_in_the_trick_has_left_its_hand(t: Table) -> Term:
    """What lies in the trick is in no hand and not in the deck."""
    position = [0, *range(t.size.deck)]
    return every(
        *(some(~lies(t, p), t.place[lookup(t.played[p], position)] == deck(t) + 1) for p in seats(t))
    )


@PROPERTIES.always("tricks.follow")
def no_card_lies_twice(t: Table) -> Term:
    """No two players have the same card in the trick."""
    return every(*(some(~lies(t, p), t.played[p] != t.played[q]) for p in seats(t) for q in range(p)))


@PROPERTIES.always("preparation.deal-equally", "scoring.calculate", only=(GAME,))
def hands_are_counted(t: Table) -> Term:
    """What everybody holds is as many cards as are in that hand."""
    return every(*(t.left[p] == count(*(at == p for at in t.place)) for p in seats(t)))


@PROPERTIES.always("preparation.draw-special", "preparation.deal-equally")
def cards_leave_the_deck_in_order(t: Table) -> Term:
    """While a round is dealt the first cards have left the deck; before it none, after it all."""
    in_deck = [t.place[i] == deck(t) for i in range(t.size.deck)]
    before = _in(t, Phase.DRAW, Phase.LAY, Phase.COUNT)
    after = _in(t, Phase.SEAT, Phase.REVEAL, Phase.CHOOSE, *IN_TRICK, Phase.SCORE)
    return every(
        _implies(before, every(*in_deck)),
        _implies(after, ~some(*in_deck)),
        _implies(_in(t, Phase.DEAL), every(*(there == (t.dealt <= i) for i, there in enumerate(in_deck)))),
        some(_in(t, Phase.DEAL), t.dealt == 0),
    )


@PROPERTIES.always("tricks.follow", "tricks.discard", only=(TRICK,))
def whoever_has_not_played_holds_a_card(t: Table) -> Term:
    """In the one trick of the variant everybody who has still to play holds a card."""
    if uneven(t):
        return some(True)
    return every(
        *(
            every(
                _implies(every(_in(t, Phase.DEAL), t.left[p] > 0), some(*(at == p for at in t.place))),
                _implies(_in(t, Phase.SEAT), some(*(at == p for at in t.place))),
                _implies(
                    every(_in(t, Phase.PLAY, Phase.AIM), ~lies(t, p)), some(*(at == p for at in t.place))
                ),
            )
            for p in seats(t)
        )
    )


@PROPERTIES.always("preparation.deal-equally")
def the_deal_adds_up(t: Table) -> Term:
    """As many cards are in hands and set aside as have left the deck, and nobody gets more than the share."""
    dealing = _in(t, Phase.DEAL)
    share = [hand_size(t, p) for p in seats(t)]
    return every(
        _implies(dealing, total(*t.left, t.aside) == t.dealt),
        *(_implies(dealing, t.left[p] <= share[p]) for p in seats(t)),
        _implies(dealing, total(*share, t.aside) <= t.size.deck),
        _implies(_in(t, Phase.DRAW, Phase.LAY), total(*t.left, t.aside) == 0),
        *(_implies(_in(t, Phase.SEAT, Phase.REVEAL, Phase.CHOOSE), t.left[p] == share[p]) for p in seats(t)),
    )


@PROPERTIES.always("preparation.deal-equally")
def hands_are_equal(t: Table) -> Term:
    """Until all have played to the trick, everybody has had equally many cards."""
    if uneven(t):
        return some(True)
    had = [total(t.left[p], count(lies(t, p))) for p in seats(t)]
    return _implies(_in(t, *IN_TRICK), every(*(n == had[0] for n in had[1:])))


@PROPERTIES.always("contract.reveal", "tricks.lead", only=(GAME,))
def somebody_holds_the_named_cards(t: Table) -> Term:
    """With no card left over each 5 that the text names is in a hand before the first trick."""
    if t.size.rest and t.reading(deal_rest) == "aside":
        return some(True)
    dealing = every(*(at != deck(t) + 1 for at in t.place))
    dealt = every(*(where(t, t.size.five(suit)) < deck(t) for suit in (Suit.DWARVES, Suit.KNIGHTS)))
    return every(
        _implies(_in(t, Phase.DRAW, Phase.DEAL, Phase.REVEAL, Phase.CHOOSE), dealing),
        _implies(_in(t, Phase.REVEAL, Phase.CHOOSE), dealt),
    )


@PROPERTIES.always("tricks.follow", "scoring.calculate")
def cards_lie_from_the_leader_on(t: Table) -> Term:
    """Exactly those from the leader up to the player on turn have played; a trick is taken when all have."""
    if uneven(t):
        return some(True)
    playing, aiming = [], []
    for leader in seats(t):
        for ahead in seats(t):
            here = every(t.leader == leader, seat_after(t, leader, ahead) == t.turn)
            played = [some(*(seat_after(t, leader, s) == p for s in range(ahead))) for p in seats(t)]
            playing += [_implies(here, lies(t, p) == played[p]) for p in seats(t)]
            aiming += [_implies(here, lies(t, p) == some(played[p], t.turn == p)) for p in seats(t)]
    return every(
        _implies(_in(t, Phase.PLAY), every(*playing)),
        _implies(_in(t, Phase.AIM), every(t.turn != t.leader, *aiming)),
        _implies(_in(t, Phase.TAKE), every(*(lies(t, p) for p in seats(t)), t.turn == t.leader)),
    )


@PROPERTIES.always("tricks.special-trigger")
def nothing_lies_outside_a_trick(t: Table) -> Term:
    """Before and after a trick no card lies in it and none is changed."""
    rest = every(t.aimed == 0, *(~lies(t, p) for p in seats(t)))
    return some(_in(t, *IN_TRICK), rest)


# --- always: what may be played -------------------------------------------------------------------------


@PROPERTIES.always("tricks.lead", "tricks.follow", "tricks.discard")
def whoever_is_on_turn_may_play(t: Table) -> Term:
    """Some card may be played by the player on turn, whatever was dealt and led."""
    if t.reading(may_discard) == "may":
        return some(True)
    able = can_follow(t)
    return _implies(_in(t, Phase.PLAY), some(*(may_play(t, card, able) for card in t.size.shuffled)))


@PROPERTIES.always("tricks.lead")
def whoever_leads_has_a_card(t: Table) -> Term:
    """A trick is begun only by a player who holds a card."""
    return _implies(every(_in(t, Phase.PLAY), leads(t)), t.left[t.turn] > 0)


@PROPERTIES.always("tricks.follow")
def nobody_plays_off_suit_for_fun(t: Table) -> Term:
    """Whoever holds the suit led may play no card of another suit; a special card may say otherwise."""
    follows, led, able = every(_in(t, Phase.PLAY), ~leads(t)), suit_led(t), can_follow(t)
    holds = {s: holds_suit(t, t.turn, s) for s in SUITS}
    good = []
    for card in t.size.shuffled:
        if card is t.size.special_card and t.reading(special_when) == "any-time":
            continue
        off = every(may_play(t, card, able), printed_suit(t, card) != led)
        if card is t.size.special_card:
            off = every(off, _special(t, "free") == 0)
        good += [_implies(every(off, led == int(s)), ~holds[s]) for s in SUITS]
    return _implies(follows, every(*good))


@PROPERTIES.always("tricks.discard")
def whoever_cannot_follow_may_play_anything(t: Table) -> Term:
    """Whoever has no card of the suit led may play every card of the hand."""
    led, able = suit_led(t), can_follow(t)
    void = every(*(_implies(led == int(s), ~holds_suit(t, t.turn, s)) for s in SUITS))
    open_ = every(_in(t, Phase.PLAY), ~leads(t), void)
    return _implies(
        open_,
        every(*(_implies(where(t, card) == t.turn, may_play(t, card, able)) for card in t.size.shuffled)),
    )


@PROPERTIES.always("tricks.special-modify", "tricks.special-trigger")
def only_the_special_card_changes_cards(t: Table) -> Term:
    """A card in the trick is changed only while the special card lies there too, and never itself."""
    shown = some(*(is_special(t, p) for p in seats(t)))
    changes = some(*(lookup(t.special, t.size.aims(target)) == 1 for target in Target))
    chooses = every(lookup(t.special, t.size.aims(Target.CHOSEN)) == 1, t.aimed == 0)
    return every(
        _implies(t.aimed > 0, every(shown, changes)),
        *(_implies(t.aimed == p + 1, every(lies(t, p), ~is_special(t, p))) for p in seats(t)),
        *(
            _implies(every(_in(t, Phase.AIM), t.turn == p), every(is_special(t, p), chooses))
            for p in seats(t)
        ),
    )


# --- always: counting -------------------------------------------------------------------------------------


@PROPERTIES.always("scoring.remove-special", "preparation.draw-special", only=(GAME,))
def one_special_card_leaves_each_round(t: Table) -> Term:
    """As many special cards have left the game as rounds have been scored."""
    gone = total(sum(t.size.special_counts.values())) - t.specials.total()
    if t.reading(unplayed) == "stays" and t.size.rest:
        return gone <= t.round
    return every(gone == t.round)


@PROPERTIES.always("contract.reveal", "contract.whole-round", only=(GAME,))
def one_contract_a_round(t: Table) -> Term:
    """One contract card has been revealed for each round scored, and one for the round under way."""
    gone = total(sum(t.size.contract_counts.values())) - t.contracts.total()
    revealed = t.contract != t.size.contract["NONE"]
    since = revealed == _in(t, Phase.CHOOSE, *IN_TRICK, Phase.SCORE)
    if t.reading(used_contract) == "returns":
        return every(since, gone == count(revealed))
    return every(since, gone == t.round + count(revealed))


@PROPERTIES.always("contract.choose", "contract.whole-round", only=(GAME,))
def a_challenge_holds_while_cards_are_played(t: Table) -> Term:
    """From the first card to the scoring exactly one challenge holds, and it is on the contract revealed."""
    chosen = t.challenge != t.size.challenge["NONE"]
    on_it = some(*(t.challenge == lookup(t.contract, t.size.sides(side)) for side in (0, 1)))
    playing = _in(t, *IN_TRICK, Phase.SCORE)
    return every(_implies(playing, on_it), chosen == playing)


@PROPERTIES.always("tricks.win", "scoring.calculate")
def tricks_are_those_played(t: Table) -> Term:
    """No more tricks have been won than hands have lost cards, and none before the first card."""
    if uneven(t):
        return some(True)
    before = _in(t, Phase.DRAW, Phase.LAY, Phase.DEAL, Phase.SEAT, Phase.REVEAL, Phase.CHOOSE)
    won = total(*t.tricks)
    return every(
        _implies(before, won == 0),
        _implies(_in(t, *IN_TRICK), total(won, t.left[t.leader], count(lies(t, t.leader))) <= t.size.full),
    )


@PROPERTIES.always("flow.seven", "end.after-seventh", only=(GAME,))
def the_game_ends_after_the_last_round(t: Table) -> Term:
    """Totals are compared exactly when the last round has been scored, never earlier and never later."""
    return every(_in(t, Phase.COUNT, Phase.OVER) == (t.round == t.size.rounds))


@PROPERTIES.always("scoring.record", only=(GAME,))
def nothing_is_recorded_before_scoring(t: Table) -> Term:
    """In the first round nobody has a point, gained or lost."""
    return _implies(t.round == 0, every(*(s == 0 for s in t.score)))


@PROPERTIES.always("end.crowned", "objective.highest-total")
def whoever_wins_is_not_behind(t: Table) -> Term:
    """No winner has a lower total than somebody else."""
    level = [every(*(t.score[a] >= t.score[b] for b in seats(t) if a != b)) for a in seats(t)]
    over = _in(t, Phase.OVER)
    return every(*(_implies(t.won[a], every(over, level[a])) for a in seats(t)))


# --- every step ---------------------------------------------------------------------------------------------


@PROPERTIES.step("tricks.win")
def the_highest_card_of_the_suit_led_wins(before: Table, after: Table) -> Term:
    """Whoever leads on has played to the suit led, and nobody a higher one, where no card says otherwise."""
    if before.reading(trumps) == "knights":
        return some(True)
    led = suit_led(before)
    suited = [every(lies(before, p), suit_of(before, p) == led, led != NO_SUIT) for p in seats(before)]
    quiet = every(_special(before, "lowest") == 0, _special(before, "wins") == 0)
    good = []
    for w in seats(before):
        others = every(
            *(
                _implies(suited[p], value_of(before, p) <= value_of(before, w))
                for p in seats(before)
                if p != w
            )
        )
        won = after.tricks[w] > before.tricks[w]
        good.append(_implies(every(won, quiet), every(suited[w], others)))
    return _implies(_in(before, Phase.TAKE), every(*good))


@PROPERTIES.step("tricks.follow", "tricks.discard")
def suit_is_followed(before: Table, after: Table) -> Term:
    """Whoever plays a card of another suit than the one led holds none of that suit, or a card that may."""
    me, led = before.turn, suit_led(before)
    lays = every(_in(before, Phase.PLAY), ~leads(before), ~lies(before, me), lies(after, me))
    free = every(is_special(after, me), _special(before, "free") == 1)
    if before.reading(special_when) == "any-time":
        free = some(free, every(is_special(after, me), suit_before(after, me) == NO_SUIT))
    off = every(lays, suit_before(after, me) != led, ~free)
    return every(*(_implies(every(off, led == int(s)), ~holds_suit(before, me, s)) for s in SUITS))


@PROPERTIES.step("tricks.win")
def a_trick_has_one_winner(before: Table, after: Table) -> Term:
    """At most one player gets a trick, at its end, and that player leads on."""
    grown = [after.tricks[p] > before.tricks[p] for p in seats(before)]
    leads_on = [
        _implies(grown[p], every(after.tricks[p] == before.tricks[p] + 1, after.leader == p))
        for p in seats(before)
    ]
    if uneven(before):
        leads_on = []
    return every(count(*grown) <= 1, _implies(some(*grown), _in(before, Phase.TAKE)), *leads_on)


@PROPERTIES.step("tricks.win", "contract.choose")
def only_the_winner_takes_cards(before: Table, after: Table) -> Term:
    """Whoever does not win the trick takes no card of it."""
    if before.reading(whose_cards) == "played":
        return some(True)
    good = []
    for p in seats(before):
        same = every(*(after.taken[p][s] == before.taken[p][s] for s in range(len(SUITS))))
        good.append(some(_in(before, Phase.SCORE), after.tricks[p] > before.tricks[p], same))
    return every(*good)


@PROPERTIES.step("scoring.record", "scoring.calculate")
def points_come_at_scoring_only(before: Table, after: Table) -> Term:
    """Totals change only when a round is scored."""
    same = every(*(a == b for b, a in zip(before.score, after.score, strict=True)))
    return some(_in(before, Phase.SCORE), same)


@PROPERTIES.step("scoring.calculate")
def a_played_card_stays_away(before: Table, after: Table) -> Term:
    """A card that was played comes back only with the next deal."""
    away = deck(before) + 1
    return some(
        _in(before, Phase.SCORE),
        every(*(_implies(b == away, a == away) for b, a in zip(before.place, after.place, strict=True))),
    )


@PROPERTIES.step("preparation.deal-equally", "tricks.follow")
def cards_only_leave_hands(before: Table, after: Table) -> Term:
    """No card goes from one hand to another."""
    return every(
        *(
            some(b >= deck(before), a == b, a >= deck(before))
            for b, a in zip(before.place, after.place, strict=True)
        )
    )


@PROPERTIES.step("scoring.remove-special")
def a_special_card_never_comes_back(before: Table, after: Table) -> Term:
    """No special card that has left the game is there again."""
    return every(*(after.specials[s] <= before.specials[s] for s in before.size.special_kinds))


@PROPERTIES.step("scoring.calculate", "tricks.win", only=(GAME,))
def scoring_follows_the_last_card(before: Table, after: Table) -> Term:
    """A round is scored as soon as no hand has a card, and not before."""
    starts = every(_in(before, Phase.TAKE), _in(after, Phase.SCORE))
    none = ~some(*(before.left[p] > 0 for p in seats(before)))
    return every(
        _implies(starts, none), _implies(every(_in(before, Phase.TAKE), none), _in(after, Phase.SCORE))
    )


# --- sometimes ----------------------------------------------------------------------------------------


@PROPERTIES.sometimes("tricks.discard")
def a_card_is_discarded(t: Table) -> Term:
    """A trick holds a card of another suit than the one led."""
    return every(
        _in(t, Phase.TAKE), some(*(every(lies(t, p), suit_before(t, p) != suit_led(t)) for p in seats(t)))
    )


@PROPERTIES.sometimes("tricks.special-modify")
def a_suit_is_changed(t: Table) -> Term:
    """A card in the trick has another suit than the printed one."""
    return some(*(suit_of(t, p) != suit_before(t, p) for p in seats(t)))


@PROPERTIES.sometimes("tricks.special-modify")
def a_value_is_changed(t: Table) -> Term:
    """A card in the trick has another value than the printed one."""
    return some(
        *(every(lies(t, p), t.aimed == p + 1, _special(t, "new_value") > 0) for p in seats(t)),
    )


@PROPERTIES.sometimes("tricks.lead", "contract.reveal", only=(GAME,))
def one_player_holds_both_fives(t: Table) -> Term:
    """One player chooses the challenge and leads the first trick."""
    return every(
        _in(t, Phase.CHOOSE),
        where(t, t.size.five(Suit.DWARVES)) == where(t, t.size.five(Suit.KNIGHTS)),
        where(t, t.size.five(Suit.DWARVES)) < deck(t),
    )


@PROPERTIES.sometimes("objective.highest-total", only=(GAME,))
def somebody_falls_below_zero(t: Table) -> Term:
    """A total is negative."""
    return some(*(s < 0 for s in t.score))


@PROPERTIES.sometimes("objective.highest-total", "end.crowned", only=(GAME,))
def somebody_wins_with_less_than_nothing(t: Table) -> Term:
    """A winner has a negative total."""
    return some(*(every(t.won[p], t.score[p] < 0) for p in seats(t)))


@PROPERTIES.sometimes("tricks.win", only=(TRICK,))
def a_trick_is_taken(t: Table) -> Term:
    """The one trick of the variant comes to its end."""
    return _in(t, Phase.OVER)


PROPERTIES.ends("end.after-seventh")
