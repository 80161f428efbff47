"""Dwarves: Dig, Delve, Die: the printed answers as rulings, and what they answer, close and open."""

from __future__ import annotations

from typing import Any

import pytest

from findings.audit.survey import examples_of
from findings.chains import Acting, chains
from findings.finding import Finding
from findings.rulings import Entry, RulingsReport, as_text, rulings_report
from models.dwarves_dig_delve_die import mine
from models.dwarves_dig_delve_die.cards import SIZES
from models.dwarves_dig_delve_die.rules import book
from models.dwarves_dig_delve_die.table import Phase
from models.language.ir import COVERAGE
from models.language.program import Program
from models.language.words import Position
from properties import dwarves_dig_delve_die as own
from solvers.compare import Builder, gather
from solvers.compare.evidence import position
from solvers.explorer import explore
from solvers.interpreter import Interpreter

SMALL = tuple(n for n in SIZES if n.startswith("small"))


# --- nothing of the answers is in the base model -------------------------------------------------


def test_the_base_model_rests_on_no_answer() -> None:
    for size in (*SMALL, "print"):
        program = book.build(size)
        cited = {c for i in program.instances for c in i.clauses}
        cited |= {c for s in program.sites for c in s.clauses} | set(program.over_clauses)
        declared = [book.readings[r] for r in program.consulted if r in book.readings]
        cited |= {c for r in declared for c in r.clauses}
        assert [c for c in cited if c.startswith("faq")] == []
        assert program.rulings == ()


def test_readings_and_missing_parts_rest_on_no_answer() -> None:
    for reading in book.readings.values():
        assert reading.ruling == ""
        assert not [c for c in (*reading.clauses, *reading.leans[1:]) if c.startswith("faq")]
    assert not [c for m in book.missing_parts for c in m.clauses if c.startswith("faq")]


def test_each_ruling_can_be_applied_alone() -> None:
    for ruling in book.rulings:
        assert book.build("small", rulings=[ruling]).rulings == (ruling,)
    assert len(book.rulings) == 30


# --- the answers as plays ------------------------------------------------------------------------


def at(program: Program, label: str, **fields: Any) -> Position:
    """The position after one move from a given table, and the consequences that follow by themselves."""
    run = Interpreter(program)
    state = position(program, fields, "test")
    step = next(i for i in run.enabled(state) if i.label == label)
    while True:
        after = run.step(state, step).state
        assert after is not None
        state, enabled = after, run.enabled(after)
        if run.over(state) or Position(program, state).phase is Phase.DRAW or len(enabled) != 1:
            return Position(program, state)
        step = enabled[0]


def test_printed_examples_fit() -> None:
    for example in examples_of(book):
        evidence = gather(example, Builder(), dict(book.readings))
        assert not evidence.conflict, example.name
    assert [e.name for e in examples_of(book)] == [
        "the_next_player_is_paid_first",
        "fours_behind_the_throne_dig_too",
    ]


def test_a_player_without_dice_lets_the_lowest_dig() -> None:
    program = book.build("small-army", rulings=True)
    shown = at(
        program,
        "draw",
        phase=Phase.DRAW,
        turn=1,
        supply=0,
        own=[1, 0],
        spot={"DELVE": 1, "ALE": 2, "WARRENS": 3, "ARMY": 4},
        stack={"DELVE": [2], "ALE": [1]},
    )
    assert (shown.turn, shown.own, shown.gold) == (0, [1, 1], [1, 1])


def test_dice_go_round_until_the_supply_is_empty() -> None:
    program = book.build("small-brothel", rulings=True)
    shown = at(program, "reveal(card=BROTHEL)", phase=Phase.REVEAL, turn=1, number=1, supply=1, own=[1, 2])
    assert (shown.supply, shown.own) == (0, [1, 3])


def test_all_who_are_poorest_gain_in_the_order_of_turns() -> None:
    program = book.build("small-gold", rulings=True)
    shown = at(
        program,
        "reveal(card=SHRINE)",
        phase=Phase.REVEAL,
        turn=1,
        number=1,
        supply=0,
        own=[1, 2, 1],
        gold=[1, 1, 1],
    )
    assert (shown.phase, shown.gold) == (Phase.OVER, [1, 2, 1])
    shown = at(
        program,
        "reveal(card=SHRINE)",
        phase=Phase.REVEAL,
        turn=1,
        number=1,
        supply=0,
        own=[1, 2, 1],
        gold=[0, 1, 0],
    )
    assert shown.gold == [1, 1, 1]


@pytest.mark.parametrize(("number", "gold"), [(1, [1, 1]), (2, [0, 0])])
def test_the_forge_makes_deeper_cards_act_only_while_ones_dig(number: int, gold: list[int]) -> None:
    program = book.build("small-forge", rulings=True)
    shown = at(
        program,
        "reveal(card=FORGE)",
        phase=Phase.REVEAL,
        number=number,
        at=1,
        supply=0,
        own=[2, 1],
        spot={"DELVE": 1, "ALE": 2},
        stack={"ALE": [3]},
    )
    assert (shown.gold, shown.stack["ALE"]) == (gold, [] if number == 1 else [1])


def test_the_warrens_do_nothing_where_nobody_has_gold() -> None:
    program = book.build("small", rulings=True)
    shown = at(
        program, "reveal(card=WARRENS)", phase=Phase.REVEAL, number=1, supply=4, own=[1, 0], gold=[1, 0]
    )
    assert (shown.turn, shown.gold) == (1, [1, 0])


def test_the_answer_does_not_say_what_happens_where_only_the_thief_has_gold() -> None:
    """Nobody but the player on turn has gold: somebody has some, but there is nobody to steal from."""
    found = explore(book.build("small-steal", rulings=True))
    shown = found.sites["gap:warrens"]
    run = Interpreter(found.program)
    state = Position(found.program, run.replay(shown.labels[:-1])[-1])
    assert state.gold[state.turn] > 0
    assert sum(state.gold) == state.gold[state.turn]
    assert "gap:warrens" not in explore(book.build("small", rulings=True)).sites


def test_the_player_of_the_survey_team_picks_and_the_card_acts() -> None:
    program = book.build("small-survey", rulings=True)
    shown = at(
        program,
        "pick(card=ALE)",
        phase=Phase.SURVEY,
        number=1,
        supply=3,
        own=[1, 0],
        spot={"DELVE": 1, "SURVEY": 2},
    )
    assert (shown.gold, shown.spot["ALE"]) == ([1, 1], 3)


# --- the answers against the findings ------------------------------------------------------------


@pytest.fixture(scope="module")
def report() -> RulingsReport:
    return rulings_report(book)


def titles(found: tuple[Finding, ...]) -> list[str]:
    return sorted(f"{f.code} {f.title}" for f in found)


def test_recall(report: RulingsReport) -> None:
    assert (report.matched, report.stated, len(report.entries)) == (18, 18, 20)
    assert [e.reason for e in report.entries if not e.answers] == ["variant"]


def test_what_each_answer_answers(report: RulingsReport) -> None:
    def told(entry: Entry) -> list[str]:
        return [f"{a.finding.code} {a.finding.title}{'' if a.closed else ' (open)'}" for a in entry.answers]

    assert {e.rulings[0]: told(e) for e in report.entries} == {
        "faq-players.three-to-six": [
            "RL401 The gold pieces run out",
            "RL401 The number of dice",
            "RL401 The number of players",
        ],
        "faq-turn.no-dice": ["RL102 No die to roll"],
        "faq-turn.unplaceable": ["RL101 A die that fits on no card"],
        "faq-turn.top-only": [
            "RL101 Dice of the same number on each other",
            "RL107 One die of a stack, or all with the number",
        ],
        "faq-drinking.remove-mugs": [],
        "faq-drinking.skull-everyone": ["RL107 Who takes part in the race of the Bearded Skull"],
        "faq-army.anywhere": [
            "RL107 Where the Iron Army takes its die from",
            "RL101 A die that shows the low number only later",
            "RL107 Which dice dig",
        ],
        "faq-army.middle": ["RL107 The Iron Army and dice in the middle of a stack"],
        "faq-ties.turn-order": ["RL104 Two players get the winning gold at once"],
        "faq-ties.brothel-round": ["RL105 Too few dice for the Dwarven Brothel"],
        "faq-ties.shrine-all": ["RL104 Several players are the poorest"],
        "faq-throne.throne-deeper": [
            "RL101 A die that shows the low number only later",
            "RL107 Which dice dig",
        ],
        "faq-throne.forge-then": ["RL101 A die that shows the low number only later", "RL107 Which dice dig"],
        "faq-throne.number-stays": ["RL107 A lower number comes up while dice dig"],
        "faq-goblins.steal-player": [
            "RL107 Whose gold the Goblin Warrens steal",
            "RL102 Nobody to steal from (open)",
        ],
        "faq-goblins.must-act": [
            "RL107 A Labyrinth that changes nothing",
            "RL107 Declining what a card says",
        ],
        "faq-goblins.dice-stay": ["RL107 Dice on cards that the Labyrinth moves (open)"],
        "faq-goblins.next-right": ["RL107 Where digging goes on after the Labyrinth"],
        "faq-survey.pick": ["RL107 Which card the Survey Team brings"],
        "faq-survey.cave": ["RL107 The Cave In and Delve & Dig"],
    }


def test_what_the_answers_open(report: RulingsReport) -> None:
    assert titles(report.opened) == [
        "RL101 The Labyrinth makes a card act again",
        "RL101 The Labyrinth passes over dice that were to dig",
        "RL204 the_next_player_is_paid_first: the example starts from a table that is not known to occur",
    ]
    by_entry = {e.rulings[0]: titles(e.opens) for e in report.entries if e.opens}
    assert by_entry == {
        "faq-turn.top-only": ["RL101 The Labyrinth makes a card act again"],
        "faq-ties.turn-order": [
            "RL204 the_next_player_is_paid_first: the example starts from a table that is not known to occur"
        ],
        "faq-goblins.next-right": [
            "RL101 The Labyrinth makes a card act again",
            "RL101 The Labyrinth passes over dice that were to dig",
        ],
    }


def test_what_no_answer_speaks_of(report: RulingsReport) -> None:
    assert titles(report.unanswered) == [
        "RL102 No die in the mine",
        "RL102 No die to take for the Iron Army",
        "RL105 No card left to reveal",
        "RL105 No new die to draw",
        "RL105 Too few dice for the Throne of Kings",
        "RL107 A new card: carried out when turned up, or when a die digs on it",
        "RL107 At which end of the row a new card lies",
        "RL107 Placing a die so that another one fits no more",
        "RL107 The Labyrinth and Delve & Dig",
        "RL107 The Titans Forge and its own stack",
        "RL107 The game is over in the middle of a turn",
        "RL107 Where a die goes that has dug",
        "RL107 Where dead dice go",
        "RL107 Who is next after the turn that the Bearded Skull gives away",
        "RL110 Who may win the race of the Bearded Skull",
        "RL401 The texts of the cards",
        "RL401 Who begins, and who is next",
    ]
    never_again = set(titles(report.unanswered)) - set(titles(report.applied.findings))
    assert never_again == {"RL102 No die to take for the Iron Army"}


def test_the_table_as_text(report: RulingsReport) -> None:
    text = as_text(report, book)
    assert "18 of 18 answers that state a rule answer a finding (recall 100 %); 20 answers in all" in text
    assert "    RL107 Dice on cards that the Labyrinth moves: not closed\n" in text
    assert "    answers no finding: it makes a variant (dry)\n" in text


def test_no_table_is_left_to_chance(report: RulingsReport) -> None:
    for done in (report.without, report.applied):
        assert {f.code for f in done.findings} <= {
            "RL101",
            "RL102",
            "RL104",
            "RL105",
            "RL107",
            "RL110",
            "RL204",
            "RL401",
        }
        assert any(p.name.startswith("every-turn-comes-to-an-end") for p in done.proved)


# --- chains --------------------------------------------------------------------------------------


def _cards(program: Program) -> dict[str, Any]:
    numbers: Any = program.size
    return {c.name: c for c in numbers.card}


def linked(rulings: bool) -> dict[str, dict[str, list[str]]]:
    acting = Acting(
        rules=own.ACTING,
        parameter="card",
        values=_cards,
        due=mine.digs,
        at_rest=own.looks_for_the_next,
    )
    done = [explore(book.build(size, rulings=rulings), graph=True) for size in SMALL]
    found: dict[str, dict[str, list[str]]] = {}
    for link in chains(done, acting):
        found.setdefault(link.source, {}).setdefault(link.how, []).append(link.target)
        program = book.build(link.size, rulings=rulings)
        assert len(Interpreter(program).replay(link.play.labels)) == len(link.play.labels) + 1
    return found


def test_which_cards_bring_others_into_play() -> None:
    cards = {c.name for size in SMALL for c in SIZES[size].card} - {"DELVE"}
    base, ruled = linked(rulings=False), linked(rulings=True)
    assert base == {"DELVE": {"brings": sorted(cards)}, "SURVEY": {"brings": ["ALE", "CAVE", "WARRENS"]}}
    assert ruled == {
        **base,
        "ARMY": {"sets": ["ALE", "WARRENS"]},
        "FORGE": {"sets": ["ALE", "WARRENS"]},
        "LABYRINTH": {"sets": ["WARRENS"]},
        "THRONE": {"sets": ["ALE", "THRONE", "WARRENS"]},
    }


def test_answers_close_what_the_sites_ask() -> None:
    program = book.build("small", rulings=True)
    met = explore(program).sites
    open_kinds = {s.id for s in program.sites if s.kind not in COVERAGE and s.id in met}
    assert open_kinds == {"shortage:new-card", "shortage:new-die"}
