"""The Dwarf King: counts, what every play keeps, what is open, single tricks, scoring, and its words."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from findings.audit.details import plain
from models.language.errors import ModelError
from models.language.ir import Kind
from models.language.program import Program
from models.language.words import Position, Words
from models.the_dwarf_king.cards import CHALLENGES, SPECIALS, Special, Target, Word, named_specials, pack
from models.the_dwarf_king.examples import EXAMPLES
from models.the_dwarf_king.picture import draw
from models.the_dwarf_king.readings import LOOKS
from models.the_dwarf_king.rules import book
from models.the_dwarf_king.sizes import PRINTED, SIZES, DwarfKing
from properties import kinds
from properties.kinds import Form
from solvers.compare import Builder, Parting, gather, partings
from solvers.explorer import explore
from solvers.explorer.cycles import endless, never_ends
from solvers.interpreter import Interpreter
from solvers.simulate import Playouts
from solvers.simulate.results import End
from solvers.symbolic import check_facts

SMALL = ("small", "small-three", "small-rest", "small-rounds", "small-seven")


# --- what can be reached ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "variant", "states", "transitions", "depth", "over"),
    [
        ("small", "game", 9622, 12062, 21, 43),
        ("small-three", "game", 11069, 13161, 19, 31),
        ("small-rest", "game", 1119, 1320, 16, 14),
        ("small-rounds", "game", 7673, 9039, 29, 47),
        ("small-seven", "game", 16410, 18600, 78, 120),
        ("examples", "game", 9068, 11515, 21, 36),
        ("small", "trick", 7551, 8582, 13, 1416),
        ("small-three", "trick", 7213, 8163, 13, 831),
        ("small-rest", "trick", 826, 927, 11, 154),
        ("small-rounds", "trick", 411, 434, 10, 72),
        ("small-seven", "trick", 45, 47, 10, 3),
        ("examples", "trick", 7679, 8710, 13, 1416),
    ],
)
def test_counts(size: str, variant: str, states: int, transitions: int, depth: int, over: int) -> None:
    found = explore(book.build(size, variant))
    assert found.complete
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)
    assert found.over_states == over
    assert found.stuck_states == 0


@pytest.mark.parametrize("variant", ["game", "trick"])
def test_properties_hold_and_everything_special_is_met(variant: str) -> None:
    properties = kinds.of(book).of(variant)
    met: set[str] = set()
    for size in SMALL:
        found = explore(book.build(size, variant), properties)
        assert dict(found.violated) == {}
        met |= set(found.met)
    assert {p.name for p in properties if p.form is Form.SOMETIMES} - met == set()


@pytest.mark.parametrize(
    "readings", [{r.id: o} for r in book.readings.values() for o in r.options if o != r.default]
)
def test_properties_hold_under_every_other_reading(readings: dict[str, str]) -> None:
    size = "small" if next(iter(readings)).startswith(("special.", "tricks.")) else "small-rest"
    found = explore(book.build(size, "game", readings), kinds.of(book).of("game"))
    assert found.complete
    assert dict(found.violated) == {}
    assert found.stuck is None


def reached(size: str, variant: str = "game", readings: dict[str, str] | None = None) -> set[str]:
    """The questions that play comes by."""
    program = book.build(size, variant, readings)
    asked = {s.id for s in program.sites if s.kind not in (Kind.ROW, Kind.COVER, Kind.OVERLAP)}
    return asked & set(explore(program).sites)


def test_open_questions_that_play_reaches() -> None:
    gap, end, level = "gap:highest-card", "tie:highest-total", "tie:highest-card"
    nothing = "shortage:card-to-change"
    assert reached("small") == {gap, end, nothing}
    assert reached("small-three") == {gap, end, level, nothing}
    assert reached("small-rest") == {gap, end, "gap:who-chooses", "gap:who-leads"}
    assert reached("small-rounds") == {gap, end}
    assert reached("small-seven") == {end}
    assert reached("small-three", "trick") == {gap, level, nothing}
    assert "shortage:card-to-lead" in reached("small-rest", readings={"deal.rest": "extra"})
    assert "gap:who-leads" not in reached("small-rest", readings={"deal.rest": "extra"})


def test_without_a_suitless_lead_every_trick_has_a_winner() -> None:
    for option in ("next-card", "no-suit"):
        found = reached("small-three", "trick", {"special.led": option})
        assert ("gap:highest-card" in found) == (option == "no-suit")


def test_the_first_tie_after_the_seventh_round_is_a_whole_game() -> None:
    program = book.build("small-seven")
    found = explore(program)
    assert found.complete
    states = Interpreter(program).replay(found.sites["tie:highest-total"].labels)
    end = Position(program, states[-1])
    assert (end.phase.name, end.round, sum(end.won) > 1) == ("OVER", 7, True)
    assert sum(label == "score_round" for label in found.sites["tie:highest-total"].labels) == 7


def test_every_game_ends_and_none_goes_round() -> None:
    for size in ("small", "small-rounds"):
        program = book.build(size)
        graph = explore(program, graph=True).graph
        assert graph is not None
        assert never_ends(graph) is None
        assert endless(program, graph) == []


#: Where a reading first parts, if not at the first size.
PARTS_AT = {
    "deal.rest": "small-rest",
    "special.unplayed": "small-rest",
    "tricks.order": "small-three",
    "tricks.level": "small-three",
}


def test_every_other_reading_parts_from_the_default() -> None:
    bases = {size: explore(book.build(size), graph=True) for size in {"small", *PARTS_AT.values()}}
    for r in book.readings.values():
        size = PARTS_AT.get(r.id, "small")
        others = {o: book.build(size, readings={r.id: o}) for o in r.options if o != r.default}
        for option, found in partings(bases[size], others).items():
            assert isinstance(found, Parting), (r.id, option)


# --- the deal -------------------------------------------------------------------------------------------


def test_every_deal_is_as_likely_as_with_a_shuffled_deck() -> None:
    """Chances are multiplied along the deal; all ways to give two hands of three are equally likely."""
    program = book.build("small")
    run = Interpreter(program)
    states: dict[Any, Fraction] = {run.replay(["draw_special(special=PRIZE)"])[-1]: Fraction(1)}
    for _ in range(6):
        after: dict[Any, Fraction] = {}
        for state, chance in states.items():
            enabled = run.enabled(state)
            weights = [run.value(i.weight, state) for i in enabled]
            for instance, weight in zip(enabled, weights, strict=True):
                made = run.step(state, instance).state
                after[made] = after.get(made, Fraction(0)) + chance * Fraction(weight, sum(weights))
        states = after
    assert len(states) == 20
    assert set(states.values()) == {Fraction(1, 20)}


@pytest.mark.parametrize(
    ("readings", "leads"),
    [({}, 0), ({"lead.card": "red-square"}, 1)],
)
def test_who_chooses_and_who_leads(readings: dict[str, str], leads: int) -> None:
    program = book.build("small", readings=readings)
    run = Interpreter(program)
    dealt = ["draw_special(special=PRIZE)", *(f"deal(number={n})" for n in (0, 0, 1, 1, 1, 0))]
    states = run.replay([*dealt, "reveal(contract=TRICKS_PLUS_2_OR_DWARVES_MINUS_1)", "choose(side=1)"])
    assert Position(program, states[-2]).turn == 1  # holds the 5 of Knights
    end = Position(program, states[-1])
    assert (end.leader, end.turn, end.challenge.name) == (leads, leads, "DWARVES_MINUS_1")


# --- single tricks ----------------------------------------------------------------------------------------

TRICKS = DwarfKing(
    players=3,
    cards="D2 D5 D9 G2 G5 G9 K2 K5 K9",
    specials=tuple(SPECIALS.values()),
    contracts=(PRINTED,),
)
#: special | cards from the leader on (a seat after `>` is aimed at) | the seat that wins, or - | reading
TABLE = """
PRIZE | D5 D9 D2 | 1
PRIZE | D5 G9 K9 | 0
PRIZE | D2 D5 K9 | 1
PRIZE | K2 K9 D9 | 1
PRIZE | D5 S G9 | 0
PRIZE | S D9 G9 | -
PRIZE | S D2 D9 | 2 | special.led=next-card
PRIZE | D5 K2 D9 | 1 | tricks.trumps=knights
PRIZE | D5 K2 K9 | 2 | tricks.trumps=knights
PRIZE | D5 G2 K9 | 2 | tricks.trumps=knights
SUIT_OF_LED | D9 S K2 | 0
SUIT_OF_LED | D2 S K9 | 2
SUIT_OF_LED | D9 S K9 | 0
SUIT_OF_LED | D9 S K9 | 2 | tricks.level=last
SUIT_OF_LED | D9 S D2 | 2 | special.suit-led=printed
SUIT_OF_LED | D9 S K2 | - | special.suit-led=printed
SUIT_OF_LED | S D9 G9 | -
SUIT_OF_ANY | D2 G9 S>1 | 1
SUIT_OF_ANY | D9 G9 S>1 | 0
SUIT_OF_ANY | D9 G9 S>1 | 1 | tricks.level=last
SUIT_OF_ANY | G2 G9 S>0 | 0
VALUE_OF_LED | D9 S D2 | 2
VALUE_OF_ANY | D2 D5 S>0 | 0
VALUE_OF_ANY | D5 D9 S>1 | 1
VALUE_OF_ANY | D9 D5 S>0 | 0
LOWEST_WINS | D5 S D2 | 2
LOWEST_WINS | D5 S D9 | 0
LOWEST_WINS | D5 D2 D9 | 2
ONE_OF_DWARVES | D5 S D2 | 0
ONE_OF_DWARVES | S D2 G9 | 1
ELEVEN_OF_DWARVES | D5 S D9 | 1
ELEVEN_OF_DWARVES | S G9 D9 | 0
DRAGON | D5 D9 S | 2
DRAGON | S D9 D2 | 0
MUSICIAN | D5 S D9 | 2
"""


def rows(table: str) -> list[Any]:
    """Lines of a table: special | cards | winner | reading=option."""
    found = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [
        pytest.param(*r[:3], dict([r[3].split("=")]) if len(r) > 3 else {}, id=" ".join(r)) for r in found
    ]


NAMES = {"S": "SPECIAL", "D": "DWARF", "G": "GOBLIN", "K": "KNIGHT"}


def member(card: str) -> str:
    return NAMES[card[0]] if card == "S" else f"{NAMES[card[0]]}_{card[1:]}"


def trick(
    special: str, cards: list[str], readings: dict[str, str], *, spare: dict[int, str] | None = None
) -> tuple[Program, list[str]]:
    """The moves of a trick in which seat 0 leads and every hand is one card, or more with `spare`."""
    program = book.build(TRICKS, "trick", readings)
    hands = {member(c.partition(">")[0]): seat for seat, c in enumerate(cards)}
    hands |= {member(card): seat for seat, more in (spare or {}).items() for card in more.split()}
    each = len(hands) // 3
    labels = [f"draw_special(special={special})", f"hold(cards={each})"]
    for card in TRICKS.shuffled:
        labels.append(f"deal(number={hands[card.name]})" if card.name in hands else "set_aside")
    labels.append("seat_leader(number=0)")
    for laid in cards:
        played, _, target = laid.partition(">")
        labels.append(f"play(card={member(played)})")
        labels += [f"aim(number={target})"] if target else []
    return program, labels


@pytest.mark.parametrize(("special", "cards", "wins", "readings"), rows(TABLE))
def test_who_wins_a_trick(special: str, cards: str, wins: str, readings: dict[str, str]) -> None:
    program, labels = trick(special, cards.split(), readings)
    end = Position(program, Interpreter(program).replay([*labels, "take_trick"])[-1])
    winners = [str(p) for p in range(3) if end.tricks[p]]
    assert (winners or ["-"]) == [wins]
    assert end.leader == (0 if wins == "-" else int(wins))


FOLLOWING = [
    ("PRIZE", "D5", "D9 G2 S", {}, "D9"),
    ("PRIZE", "D5", "G2 K2 S", {}, "G2 K2 S"),
    ("PRIZE", "D5", "D9 G2 S", {"special.when": "any-time"}, "D9 S"),
    ("DRAGON", "D5", "D9 G2 S", {}, "D9 S"),
    ("ELEVEN_OF_DWARVES", "D5", "K9 G2 S", {}, "S"),
    ("ELEVEN_OF_KNIGHTS", "D5", "K9 G2 S", {}, "K9 G2 S"),
    ("ELEVEN_OF_KNIGHTS", "D5", "D9 G2 S", {}, "D9"),
    ("PRIZE", "S", "D9 G2 K2", {}, "D9 G2 K2"),
]


@pytest.mark.parametrize(("special", "led", "hand", "readings", "may"), FOLLOWING)
def test_what_may_follow(special: str, led: str, hand: str, readings: dict[str, str], may: str) -> None:
    first, *others = hand.split()
    spare = {0: "K5 G5", 1: " ".join(others), 2: "D2 G9"}
    if "K9" not in hand:
        spare[0] = "K9 G5"
    program, labels = trick(special, [led, first, "K2" if "K2" not in hand else "K5"], readings, spare=spare)
    run = Interpreter(program)
    state = run.replay(labels[: labels.index("seat_leader(number=0)") + 2])[-1]
    allowed = {i.label for i in run.enabled(state)}
    assert allowed == {f"play(card={member(c)})" for c in may.split()}


def test_nobody_leads_a_suitless_special_where_that_is_barred() -> None:
    for option, may in (("barred", False), ("no-suit", True)):
        program, labels = trick(
            "PRIZE", ["D5", "D9", "D2"], {"special.led": option}, spare={0: "S", 1: "G2", 2: "G9"}
        )
        run = Interpreter(program)
        state = run.replay(labels[: labels.index("seat_leader(number=0)") + 1])[-1]
        assert ("play(card=SPECIAL)" in {i.label for i in run.enabled(state)}) is may


def test_play_goes_round_the_other_way_under_the_other_reading() -> None:
    program, labels = trick("PRIZE", ["D5", "D9", "D2"], {"tricks.order": "right"})
    state = Interpreter(program).replay(labels[: labels.index("seat_leader(number=0)") + 2])[-1]
    assert Position(program, state).turn == 2


@pytest.mark.parametrize(
    ("readings", "taken"),
    [
        ({}, [[1, 1, 0], [0, 0, 0], [0, 0, 0]]),
        ({"special.lasts": "scoring"}, [[0, 1, 1], [0, 0, 0], [0, 0, 0]]),
        ({"tricks.discard-goes": "away"}, [[1, 0, 0], [0, 0, 0], [0, 0, 0]]),
        ({"contract.whose-cards": "played"}, [[1, 0, 0], [0, 0, 0], [0, 1, 0]]),
    ],
)
def test_which_cards_count_for_whom(readings: dict[str, str], taken: list[list[int]]) -> None:
    program, labels = trick("SUIT_OF_LED", ["D9", "S", "G2"], readings)
    end = Position(program, Interpreter(program).replay([*labels, "take_trick"])[-1])
    assert end.taken == taken
    assert end.took == 1


# --- scoring ----------------------------------------------------------------------------------------------


def played(special: str, contract: str, side: int) -> Position:
    """A round of the size of the examples, in which the first player takes everything, after scoring."""
    size = DwarfKing(cards="D2 D5 G5 K5 K9", specials=tuple(SPECIALS.values()), contracts=tuple(CONTRACTS))
    program = book.build(size)
    cards = ["DWARF_5", "DWARF_2", "GOBLIN_5", "SPECIAL", "KNIGHT_9", "KNIGHT_5"]
    labels = [f"draw_special(special={special})", *(f"deal(number={n})" for n in (1, 1, 0, 0, 1, 0))]
    labels += [f"reveal(contract={contract})", f"choose(side={side})"]
    for n, card in enumerate(cards):
        labels += [f"play(card={card})", *(["take_trick"] if n % 2 else [])]
    return Position(program, Interpreter(program).replay([*labels, "score_round"])[-1])


CONTRACTS = SIZES["print"].contracts
SCORES = {
    "TRICKS_PLUS_2": 6,
    "DWARVES_MINUS_1": -2,
    "KNIGHTS_OVER_DWARVES": 0,
    "DWARVES_OVER_KNIGHTS": 0,
    "TRICKS_MINUS_1": -3,
    "GOBLINS_PLUS_1": 1,
    "GOBLINS_MINUS_1": -1,
    "KNIGHTS_PLUS_1": 2,
}


@pytest.mark.parametrize(("special", "bonus"), [("MUSICIAN", 0), ("PRIZE", 3), ("BURDEN", -3)])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda c: c.member)
def test_what_a_round_brings(contract: Any, side: int, special: str, bonus: int) -> None:
    end = played(special, contract.member, side)
    assert end.score == [SCORES[(contract.first, contract.second)[side]] + bonus, 0]
    assert end.specials[special] == SPECIALS[special].count - 1
    assert end.contracts[contract.member] == contract.count - 1
    assert end.dealer == (0 if special == "MUSICIAN" else 1)


def test_every_challenge_and_kind_of_special_card_says_whose_word_it_is() -> None:
    assert {c.word for c in CHALLENGES.values()} == set(Word)
    assert {n for n, c in CHALLENGES.items() if c.word is Word.TEXT} == {PRINTED.first, PRINTED.second}
    assert set(SCORES) == set(CHALLENGES)
    assumed = [s for s in SPECIALS.values() if s.word is Word.ASSUMED]
    assert {s.target for s in assumed} == {Target.LED, Target.CHOSEN, None}
    assert any(s.new_value for s in assumed)
    assert any(s.points < 0 for s in assumed)
    printed = SIZES["print"]
    assert (len(printed.cards), sum(s.count for s in printed.specials)) == (39, 14)
    assert sum(c.count for c in printed.contracts) == 20


# --- whole games at print size ------------------------------------------------------------------------------


def test_random_games_of_the_printed_size() -> None:
    games = Playouts(book.build("print")).play(400, seed=7)
    assert games.share(End.OVER) == 1.0  # all of them come to their end
    assert set(games.moves.tolist()) <= set(range(7 * (1 + 40 + 2 + 40 + 10 + 1) + 1, 7 * 105))
    met = {id for id, share in games.frequency.items() if share > 0}
    assert {"tie:highest-total", "tie:highest-card", "gap:highest-card", "shortage:card-to-change"} <= met
    assert "gap:who-leads" not in met
    won = games.winners.sum(axis=1)
    level = games.scores == games.scores.max(axis=1, keepdims=True)
    assert (won == level.sum(axis=1)).all()


# --- facts, examples, words ---------------------------------------------------------------------------------


def test_the_colours_contradict_each_other_in_two_sentences() -> None:
    report = check_facts(book)
    assert report.complete
    assert [c.clauses for c in report.contradictions] == [
        ("tricks.lead", "categories.dwarves"),
        ("categories.dwarves", "outside.cards"),
        ("categories.knights", "outside.cards"),
        ("outside.cards", "outside.players", "preparation.deal-equally"),
    ]
    assert set(LOOKS) == {
        "contract.reveal",
        "tricks.lead",
        "categories.goblins",
        "categories.dwarves",
        "categories.knights",
    }


def test_printed_examples_fit_every_reading_that_they_do_not_speak_of() -> None:
    builder = Builder()
    readings = {r.id: r for r in book.readings.values()}
    for example in EXAMPLES.all:
        found = gather(example, builder, readings)
        assert found.trials[0].fits, (example.name, found.trials[0].reason)
        assert not found.conflict
        assert found.settles == {}
    assert {c for e in EXAMPLES.all for c in e.clauses} == {"contract.choose", "tricks.special-modify"}


def test_words_tell_every_move_and_position_and_pictures_show_them() -> None:
    words, draws = Words.load(book.folder), random.Random(5)
    for size, variant in (
        ("small-three", "game"),
        ("small-rest", "game"),
        ("small", "trick"),
        ("print", "game"),
    ):
        program = book.build(size, variant)
        run, state, before = Interpreter(program), program.start, None
        for _ in range(120):
            enabled = run.enabled(state)
            if not enabled:
                break
            weights = [run.value(i.weight, state) for i in enabled]
            instance = draws.choices(enabled, weights)[0]
            after = run.step(state, instance).state
            assert after is not None
            told = words.move(program, instance, state, after)
            assert told != instance.label
            assert told[0].isupper()
            assert words.state(program, after)
            values = Position(program, after).values
            table = {k: plain(values[k]) for k in program.layout.fields}
            assert draw(table, before, words).svg().startswith("<svg")
            state, before = after, table


# --- what is refused ----------------------------------------------------------------------------------


def test_bad_cards_are_refused() -> None:
    with pytest.raises(ModelError, match=r"'X5' is no card; write for instance D5, G10 or K14"):
        pack("D5 X5")
    with pytest.raises(ModelError, match=r"the card DWARF_5 is named twice"):
        pack("D5 D5")
    with pytest.raises(ModelError, match=r"there is no special card 'PRISE'"):
        named_specials("PRISE")
    with pytest.raises(ModelError, match=r"'x' is no number of cards"):
        named_specials("PRIZE*x")
    with pytest.raises(
        ModelError, match=r"special card ODD: a change and the card that it changes go together"
    ):
        Special(name="ODD", new_value=3)
    with pytest.raises(ModelError, match=r"special card ODD: it has a suit or a number, but not both"):
        Special(name="ODD", value=3)
    with pytest.raises(ModelError, match=r"1 special cards for 2 rounds"):
        DwarfKing(rounds=2, cards="D5 K5 G5", specials="PRIZE", contracts=(PRINTED,))
    with pytest.raises(ModelError, match=r"the 5 of KNIGHTS is not there"):
        DwarfKing(cards="D5 G5", specials="PRIZE", contracts=(PRINTED,))
