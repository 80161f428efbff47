"""Fly High broken on purpose: each single change makes a property or the recorded findings fail."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from findings import baseline
from findings.audit import audit_rulebook
from findings.finding import RulebookAudit, Status
from findings.fingerprints import fingerprint
from models.fly_high import flight, rules
from models.fly_high.rules import book
from models.fly_high.table import Phase
from models.language import Term, count
from properties import kinds
from solvers.explorer import explore

Patch = pytest.MonkeyPatch


def replaced(m: Patch, name: str, function: Callable[..., Any]) -> None:
    """Exchange the function of a rule."""
    at = next(i for i, r in enumerate(book.rules) if r.name == name)
    changed = list(book.rules)
    changed[at] = dataclasses.replace(changed[at], function=function)
    m.setattr(book, "rules", changed)


def same_player_again(m: Patch) -> None:
    m.setattr(rules, "pass_on", lambda t: setattr(t, "phase", Phase.ROLL))


def cards_stay_up(m: Patch) -> None:
    replaced(m, "turn_back", lambda t: rules.pass_on(t))


def one_card_too_many(m: Patch) -> None:
    draw = rules.draw

    def greedy(*args: Any, **keywords: Any) -> tuple[Term, Term]:
        got, out = draw(*args, **keywords)
        return got + 1, out

    m.setattr(rules, "draw", greedy)


def any_card_may_be_picked(m: Patch) -> None:
    def reveal(t: Any, spot: int) -> None:
        card = t.grid[spot]
        t.require(card != t.size.none)
        with t.when(card == t.size.hidden):
            t.pick = spot
            t.phase = Phase.DRAW
        with t.otherwise():
            flight.judge(t, spot, card)

    replaced(m, "reveal", reveal)


def level_is_too_low(m: Patch) -> None:
    def too_low(self: flight.Look) -> Term:
        return ~self.down & self.compared & (self.tens <= self.at)

    m.setattr(flight.Look, "too_low", too_low)


def uturns_turn_nothing(m: Patch) -> None:
    fly = flight.Look.fly

    def straight(self: flight.Look) -> None:
        down = self.t.down
        fly(self)
        self.t.down = down

    m.setattr(flight.Look, "fly", straight)


def four_for_a_bonus(m: Patch) -> None:
    m.setattr(rules, "bonus_for", lambda t: count(*t.face_up) // 4 * 2)


def the_die_is_met_one_early(m: Patch) -> None:
    real = flight.Look.__init__

    def early(self: flight.Look, t: Any, card: Any, turned: Term) -> None:
        real(self, t, card, turned + 1)

    m.setattr(flight.Look, "__init__", early)


def no_game_ends(m: Patch) -> None:
    def go_on(t: Any, out: Term) -> None:
        with t.when((t.bonus_due == 0) & ~t.refill_due):
            rules.pass_on(t)

    m.setattr(rules, "after_drawing", go_on)


def ties_are_forgotten(m: Patch) -> None:
    def count_cards(t: Any) -> None:
        t.won[0] = True
        t.phase = Phase.OVER

    replaced(m, "count_cards", count_cards)


def drawn_cards_come_back(m: Patch) -> None:
    def turn_up(t: Any, card: Any) -> None:
        spot = t.pick
        t.grid[spot] = card
        t.pick = 0
        flight.judge(t, spot, card)

    replaced(m, "turn_up", turn_up)


BREAKS: list[Callable[[Patch], None]] = [
    same_player_again,
    cards_stay_up,
    one_card_too_many,
    any_card_may_be_picked,
    level_is_too_low,
    uturns_turn_nothing,
    four_for_a_bonus,
    the_die_is_met_one_early,
    no_game_ends,
    ties_are_forgotten,
    drawn_cards_come_back,
]


def noticed() -> str:
    """What fails: the properties that break, else what the audit says against the record, else ""."""
    properties = kinds.of(book).of("basic")
    broken = explore(book.build("small", "basic"), properties).violated
    if broken:
        return ", ".join(broken)
    recorded = baseline.load(baseline.baseline_path(book.name), book.name)
    compared = baseline.compare(audit_rulebook(book, variant="basic"), recorded)
    return "" if compared.clean else "the record"


def test_the_rules_as_they_are_break_nothing() -> None:
    assert noticed() == ""


@pytest.mark.parametrize("change", BREAKS, ids=lambda f: f.__name__)
def test_a_broken_rule_is_noticed(monkeypatch: Patch, change: Callable[[Patch], None]) -> None:
    change(monkeypatch)
    assert noticed()


@pytest.fixture(scope="module")
def advanced() -> RulebookAudit:
    return audit_rulebook(book, variant="advanced")


def test_every_reading_parts_with_a_play_and_has_its_weight(advanced: RulebookAudit) -> None:
    """A play or a proof for each two options, how much it matters, and what speaks for which."""
    program = book.build("small", "advanced")
    asked = {fingerprint("RL107", book.name, [f"reading:{id}"]): id for id in program.consulted}
    found = {asked[f.fingerprint]: f for f in advanced.findings if f.fingerprint in asked}
    assert set(found) == program.consulted & set(book.readings)
    for id, f in found.items():
        options = list(book.readings[id].options)
        assert [(p.first, p.second) for p in f.pairs] == list(itertools.combinations(options, 2)), id
        assert any(p.parts and p.moves for p in f.pairs), id
        assert all(p.moves if p.parts else p.told for p in f.pairs), id
        assert f.witness is not None, id
        assert f.materiality is not None, id
        assert f.materiality.games == 2_000, id
        assert f.materiality.met.low <= f.materiality.met.share <= f.materiality.met.high, id
        assert f.status is Status.OPEN or f.because, id


def test_two_sentences_that_clash_are_weighed_too(advanced: RulebookAudit) -> None:
    clashes = [f for f in advanced.findings if f.code == "RL101"]
    assert clashes
    for f in clashes:
        assert f.pairs
        assert (f.status is Status.MOOT) == (f.materiality is None)


def test_no_question_is_asked_that_another_one_settles(advanced: RulebookAudit) -> None:
    settled = [r for q in advanced.questions for r in q.settles]
    open_ = [f for f in advanced.findings if f.pairs and f.status in (Status.OPEN, Status.LEANS)]
    assert len(set(settled)) == len(open_)
    assert 0 < len(advanced.questions) < len(open_)
