"""Properties of My Dwarves Fly: what must hold whatever is dealt, played and rolled.

Promise: terms over the state alone; every engine checks the same ones.
"""

from __future__ import annotations

import enum

from models.language import Term, count, every, ite, some, total
from models.my_dwarves_fly.readings import empty_deck, skill_uses, tie
from models.my_dwarves_fly.table import Draw, Phase, Table, discarded, fights, held, seats
from properties.kinds import Properties

PROPERTIES = Properties()

GAME = ("game",)
BATTLE = (
    Phase.CHOOSE,
    Phase.ROLL,
    Phase.DICE,
    Phase.LANDED,
    Phase.WINDOW,
    Phase.DIPLOMACY,
    Phase.REVEAL,
    Phase.FORGET,
    Phase.RESOLVE,
    Phase.SHARE,
    Phase.PAY,
    Phase.LEAVE,
)
ROLLING = (Phase.ROLL, Phase.DICE, Phase.LANDED, Phase.WINDOW)


def _in(t: Table, *phases: Phase) -> Term:
    return some(*(t.phase == p for p in phases))


def _pairs(t: Table) -> list[tuple[int, object]]:
    return [(p, k) for p in seats(t) for k in t.size.kind]


# --- always ------------------------------------------------------------------------------------------------


@PROPERTIES.always("components.cards")
def no_card_is_made(t: Table) -> Term:
    """Of no card are more in decks, hands, teams and play than there are."""
    return every(*(discarded(t, card) >= 0 for card in t.size.counts))


@PROPERTIES.always("components.pieces", "sharing.each-receives")
def no_coin_is_made(t: Table) -> Term:
    """The players have no more gold than the supply held."""
    coins: int = t.size.coins
    return total(*t.gold) <= coins


@PROPERTIES.always("skill.last-leaves", "skill.assigned")
def a_skill_lies_with_a_creature(t: Table) -> Term:
    """Beside a race of which nobody is left lies no skill."""
    return every(*((t.skill[p][k] == t.size.skill["NONE"]) | (t.team[p][k] > 0) for p, k in _pairs(t)))


@PROPERTIES.always("battle.choose-fighters")
def fighters_are_owned(t: Table) -> Term:
    """Nobody sends a creature that is not in the team; the one given up was."""
    leaving = _in(t, Phase.LEAVE)
    return every(*(leaving | (t.fighters[p][k] <= t.team[p][k]) for p, k in _pairs(t)))


@PROPERTIES.always("battle.printed")
def no_more_fight_than_the_card_says(t: Table) -> Term:
    """No player has more fighters than the battle card says."""
    most = {b.member: b.creatures for b in t.size.battles}
    return every(
        *(
            t.fighters[p].total()
            <= total(*(ite(t.battle == b, most.get(b.name, 0), 0) for b in t.size.battle))
            for p in seats(t)
        )
    )


@PROPERTIES.always("battle.all-take-part", "battle.no-creature", "battle.no-ducking")
def nobody_ducks_out(t: Table) -> Term:
    """While dice are rolled everybody who has a creature fights."""
    return every(*(~_in(t, *ROLLING) | (t.team[p].total() == 0) | fights(t, p) for p in seats(t)))


@PROPERTIES.always("fight.until-all-rolled")
def only_fighters_roll(t: Table) -> Term:
    """Those who have still to roll are fighters of the player who rolls."""
    return every(*(t.to_roll[k] <= t.fighters[t.actor][k] for k in t.size.kind))


@PROPERTIES.always("setup.deal", "turn.refill")
def no_hand_is_too_full(t: Table) -> Term:
    """No hand holds more than a full one."""
    return every(*(held(t, p) <= t.size.hand for p in seats(t)))


@PROPERTIES.always("turn.refill", "drawing.refill", only=GAME)
def hands_are_full_at_rest(t: Table) -> Term:
    """As a turn begins every hand is full, unless the decks are empty."""
    if t.reading(empty_deck) == "reshuffle":
        return total() == 0
    empty = t.deck.total() == 0
    return every(*(~_in(t, Phase.TURN) | empty | (held(t, p) == t.size.hand) for p in seats(t)))


@PROPERTIES.always("drawing.refill", "turn.four-options")
def nothing_of_a_battle_is_left(t: Table) -> Term:
    """As a turn begins nobody fights, no card lies face down or in play, and all markers are at 0."""
    none = t.size.card["NONE"]
    rest = every(
        t.battle == t.size.battle["NONE"],
        t.rolled == 0,
        t.found == 0,
        ~t.repeated,
        *(
            every(
                ~fights(t, p),
                t.value[p] == 0,
                t.treasure[p] == 0,
                t.used[p] == 0,
                ~t.wins[p],
                ~t.paid[p],
                t.shown[p] == none,
                t.down[p] == none,
                ~t.laid[p],
                ~t.level[p],
            )
            for p in seats(t)
        ),
    )
    return ~_in(t, Phase.DEAL, Phase.TURN, Phase.OVER) | rest


@PROPERTIES.always("diplomacy.reveal")
def what_lies_face_down_is_a_card(t: Table) -> Term:
    """Where a card is seen to lie face down, one does."""
    return every(*(t.laid[p] == (t.down[p] != t.size.card["NONE"]) for p in seats(t)))


@PROPERTIES.always("fight.skills-once", "skill.must-fight")
def skills_are_used_by_fighters(t: Table) -> Term:
    """Nobody has forced more repetitions than there are fighters."""
    if t.reading(skill_uses) == "each-target":
        return total() == 0
    return every(*(t.used[p] <= t.fighters[p].total() for p in seats(t)))


@PROPERTIES.always("turn.battle")
def a_battle_has_its_card(t: Table) -> Term:
    """A battle goes on exactly while a battle card is in play (it lies there until the hands are full)."""
    none: enum.Enum = t.size.battle["NONE"]
    lies = t.battle != none
    return (~_in(t, *BATTLE) | lies) & (~lies | _in(t, *BATTLE, Phase.REFILL, Phase.END))


@PROPERTIES.always("end.fifteen", "turn.fifteen", "drawing.fifteen", only=GAME)
def the_game_goes_on_without_fifteen(t: Table) -> Term:
    """As a turn begins nobody has the gold that wins."""
    return every(*(~_in(t, Phase.TURN) | (t.gold[p] < t.size.gold_to_win) for p in seats(t)))


@PROPERTIES.always("end.fifteen", "end.more-gold")
def winners_are_the_richest(t: Table) -> Term:
    """Whoever has won has enough gold, and nobody has more."""
    return every(
        *(
            ~t.won[p]
            | ((t.gold[p] >= t.size.gold_to_win) & every(*(t.gold[q] <= t.gold[p] for q in seats(t))))
            for p in seats(t)
        )
    )


@PROPERTIES.always("end.fifteen", only=GAME)
def somebody_wins(t: Table) -> Term:
    """A game that is over has been won."""
    if t.reading(tie) == "nobody":
        return total() == 0
    return ~_in(t, Phase.OVER) | some(*t.won)


# --- every step --------------------------------------------------------------------------------------------


@PROPERTIES.step("sharing.winner")
def gold_only_grows(before: Table, after: Table) -> Term:
    """Nobody ever loses gold."""
    return every(*(a >= b for b, a in zip(before.gold, after.gold, strict=True)))


@PROPERTIES.step("sharing.winner", "sharing.each-receives", only=GAME)
def gold_comes_from_battles(before: Table, after: Table) -> Term:
    """Gold is taken only when a battle is shared out."""
    return every(*((a == b) | _in(before, Phase.PAY) for b, a in zip(before.gold, after.gold, strict=True)))


@PROPERTIES.step("creature.troll-lies", "sharing.strongest-leaves", only=GAME)
def creatures_leave_for_two_reasons(before: Table, after: Table) -> Term:
    """A creature leaves as another comes, or as the strongest of a winner."""
    lost = some(*(after.team[p][k] < before.team[p][k] for p, k in _pairs(before)))
    came = some(*(after.team[p][k] > before.team[p][k] for p, k in _pairs(before)))
    return ~lost | came | _in(before, Phase.LEAVE)


@PROPERTIES.step("creature.face-up", only=GAME)
def creatures_come_to_the_player_on_turn(before: Table, after: Table) -> Term:
    """A creature comes to the team of the player on turn."""
    return every(
        *(
            (after.team[p][k] <= before.team[p][k]) | ((before.turn == p) & _in(before, Phase.TURN))
            for p, k in _pairs(before)
        )
    )


@PROPERTIES.step("creature.own-only", "creature.third", only=GAME)
def only_a_third_reaches_others(before: Table, after: Table) -> Term:
    """Other players lose creatures to one that comes only if it is the third of its kind."""
    others = some(*((before.turn != p) & (after.team[p][k] < before.team[p][k]) for p, k in _pairs(before)))
    third = some(
        *(
            (total(*(before.team[p][k] for p in seats(before))) == 2)
            & (total(*(after.team[p][k] for p in seats(before))) == 3)
            for k in before.size.kind
        )
    )
    return ~(others & _in(before, Phase.TURN)) | third


@PROPERTIES.step("discard.next-player", "setup.deal", only=GAME)
def the_turn_goes_round(before: Table, after: Table) -> Term:
    """The turn stays, or goes to the next player as it ends, or the game is over."""
    players: int = before.size.players
    following = (before.turn + 1) % players
    moved = _in(before, Phase.END) & ((after.turn == following) | _in(after, Phase.OVER))
    return (after.turn == before.turn) | moved


# --- sometimes ---------------------------------------------------------------------------------------------


@PROPERTIES.sometimes("sharing.several-winners")
def two_win_a_battle(t: Table) -> Term:
    """A battle has two winners."""
    return count(*t.wins) > 1


@PROPERTIES.sometimes("creature.third")
def a_team_without_orcs(t: Table) -> Term:
    """Three of a kind lie on the table."""
    return some(*(total(*(t.team[p][k] for p in seats(t))) > 2 for k in t.size.kind))


@PROPERTIES.sometimes("fight.skills-once")
def a_roll_can_be_repeated(t: Table) -> Term:
    """Somebody may force a roll to be repeated."""
    return _in(t, Phase.WINDOW)


@PROPERTIES.sometimes("diplomacy.forget-it")
def an_event_can_be_cancelled(t: Table) -> Term:
    """Somebody may cancel an event."""
    return _in(t, Phase.FORGET)


@PROPERTIES.sometimes("diplomacy.bluff")
def a_bluff_lies_there(t: Table) -> Term:
    """A creature card lies among those that are turned up."""
    return some(*(t.shown[p] == t.size.card[c.member] for p in seats(t) for c in t.size.creatures))


@PROPERTIES.sometimes("end.fifteen", only=GAME)
def the_game_is_won(t: Table) -> Term:
    """The game is won."""
    return _in(t, Phase.OVER) & some(*t.won)


@PROPERTIES.sometimes("end.anybodys-turn", "turn.fifteen", only=GAME)
def somebody_wins_on_anothers_turn(t: Table) -> Term:
    """As a turn ends, only players who were not on turn have the gold that wins."""
    enough = [t.gold[p] >= t.size.gold_to_win for p in seats(t)]
    return _in(t, Phase.END) & some(*enough) & ~some(*((t.turn == p) & e for p, e in enumerate(enough)))


@PROPERTIES.sometimes("turn.refill", only=GAME)
def a_deck_is_empty(t: Table) -> Term:
    """No deck has a card left while the game goes on."""
    return _in(t, Phase.TURN) & (t.deck.total() == 0) & (t.drawing == Draw.NONE)
