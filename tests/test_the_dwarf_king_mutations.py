"""The Dwarf King broken on purpose: each single change makes a property fail or another question come up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from models.language import some, total
from models.language.ir import Kind
from models.the_dwarf_king import dealing, rules, trick
from models.the_dwarf_king.rules import book
from models.the_dwarf_king.table import Phase, value_of
from properties import kinds
from solvers.explorer import explore

Patch = pytest.MonkeyPatch

SIZES = ("small", "small-rounds")


def replaced(m: Patch, name: str, function: Callable[..., Any]) -> None:
    """Exchange the function of a rule."""
    at = next(i for i, r in enumerate(book.rules) if r.name == name)
    changed = list(book.rules)
    changed[at] = dataclasses.replace(changed[at], function=function)
    m.setattr(book, "rules", changed)


def after(m: Patch, name: str, change: Callable[[Any], None]) -> None:
    """Do something more at the end of a rule."""
    real = next(r.function for r in book.rules if r.name == name)

    def both(t: Any) -> None:
        real(t)
        change(t)

    replaced(m, name, both)


def nobody_has_to_follow(m: Patch) -> None:
    m.setattr(trick, "can_follow", lambda t: some(False))


def only_the_suit_led_may_be_played(m: Patch) -> None:
    m.setattr(trick, "can_follow", lambda t: some(True))


def any_card_may_win(m: Patch) -> None:
    m.setattr(trick, "suit_of", lambda t, seat: total(0))


def the_lowest_card_wins(m: Patch) -> None:
    m.setattr(trick, "value_of", lambda t, seat: t.size.highest - value_of(t, seat))


def the_leader_always_wins(m: Patch) -> None:
    m.setattr(trick, "winner_of", lambda t: (some(True), total(t.leader)))


def the_winner_does_not_lead(m: Patch) -> None:
    real = trick.lead_on
    m.setattr(trick, "lead_on", lambda t, who: real(t, (who + 1) % t.size.players))


def tricks_are_left_lying(m: Patch) -> None:
    def left(t: Any) -> None:
        t.played[0] = t.size.card["DWARF_5"]

    after(m, "take_trick", left)


def cards_stay_in_the_hand(m: Patch) -> None:
    def play(t: Any, card: Any) -> None:
        t.require(trick.may_play(t, card, trick.can_follow(t)))
        t.played[t.turn] = card
        t.left[t.turn] = t.left[t.turn] - 1
        trick.next_to_play(t)

    replaced(m, "play", play)


def the_special_card_stays_in_the_game(m: Patch) -> None:
    real = next(r.function for r in book.rules if r.name == "score_round")

    def score_round(t: Any) -> None:
        special = t.special
        real(t)
        t.specials.add(special)

    replaced(m, "score_round", score_round)


def points_go_to_everybody_late(m: Patch) -> None:
    def crown(t: Any) -> None:
        t.score[0] = 0
        t.phase = Phase.OVER

    replaced(m, "crown", crown)


def the_first_player_is_always_crowned(m: Patch) -> None:
    def crown(t: Any) -> None:
        t.won[0] = True
        t.phase = Phase.OVER

    replaced(m, "crown", crown)


def one_round_too_few(m: Patch) -> None:
    def early(t: Any) -> None:
        t.phase = Phase.COUNT

    after(m, "score_round", early)


def a_hand_too_large(m: Patch) -> None:
    m.setattr(dealing, "room", lambda t, seat: t.size.full + 1 - t.left[seat])


def tricks_count_for_the_leader(m: Patch) -> None:
    real = trick.winner_of

    def wrong(t: Any) -> Any:
        found, who = real(t)
        return found, (who + 1) % t.size.players

    m.setattr(trick, "winner_of", wrong)


def nothing_is_cleared(m: Patch) -> None:
    m.setattr(rules, "clear", lambda t: t.place.fill(t.size.players))


BREAKS: list[Callable[[Patch], None]] = [
    nobody_has_to_follow,
    only_the_suit_led_may_be_played,
    any_card_may_win,
    the_lowest_card_wins,
    the_leader_always_wins,
    the_winner_does_not_lead,
    tricks_are_left_lying,
    cards_stay_in_the_hand,
    the_special_card_stays_in_the_game,
    points_go_to_everybody_late,
    the_first_player_is_always_crowned,
    one_round_too_few,
    a_hand_too_large,
    tricks_count_for_the_leader,
    nothing_is_cleared,
]
#: Kinds of site that are questions; the ones that play reaches are part of what is known.
QUESTIONS = (Kind.GAP, Kind.TIE, Kind.SHORTAGE, Kind.CAPACITY, Kind.CLASH, Kind.STOP)


def noticed() -> str:
    """What is wrong: broken properties, stuck states, questions that are new or gone; else ""."""
    found, asked = set[str](), set[str]()
    for size in SIZES:
        program = book.build(size)
        explored = explore(program, kinds.of(book).of("game"))
        found |= set(explored.violated) | ({"stuck"} if explored.stuck else set())
        asked |= {s.id for s in program.sites if s.kind in QUESTIONS} & set(explored.sites)
    known = {"gap:highest-card", "tie:highest-total", "shortage:card-to-change"}
    return ", ".join(sorted(found | (asked ^ known)))


def test_the_rules_as_they_are_break_nothing() -> None:
    assert noticed() == ""


@pytest.mark.parametrize("change", BREAKS, ids=lambda f: f.__name__)
def test_a_broken_rule_is_noticed(monkeypatch: Patch, change: Callable[[Patch], None]) -> None:
    change(monkeypatch)
    assert noticed()
