"""Fly High: counts, what every play keeps, what is open, the printed examples, and its words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from models.fly_high.cards import SIZES, FlyHigh
from models.fly_high.examples import EXAMPLES
from models.fly_high.rules import book
from models.fly_high.table import Phase
from models.language.errors import ModelError
from models.language.ir import Kind
from models.language.program import Program
from models.language.words import Position, Words
from properties import kinds
from properties.kinds import Form
from solvers.compare import Builder, Parting, gather, partings
from solvers.explorer import explore
from solvers.explorer.cycles import endless, lost, never_ends
from solvers.explorer.order import Order
from solvers.interpreter import Interpreter, Values

SMALL = ("small", "small-uturns", "small-bonus")
DERIVED = "after-reveal:bold.all-nine+uturn.no-end"


# --- what can be reached ------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "variant", "states", "transitions", "depth", "over"), [
    ("small", "basic", 26375, 43701, 29, 1656),
    ("small", "advanced", 26185, 43521, 29, 1618),
    ("small-uturns", "basic", 32088, 54990, 22, 2430),
    ("small-uturns", "advanced", 31204, 53894, 22, 2354),
    ("small-bonus", "basic", 6213, 11993, 18, 25),
    ("small-bonus", "advanced", 6213, 11993, 18, 25),
])
def test_counts(size: str, variant: str, states: int, transitions: int, depth: int, over: int) -> None:
    found = explore(book.build(size, variant))
    assert found.complete
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)
    assert found.over_states == over
    assert found.stuck_states == 0


def test_default_readings_are_what_the_first_build_has() -> None:
    program = book.build()
    assert (program.size_name, program.variant) == ("small", "basic")
    assert dict(program.readings) == {r.id: r.default for r in book.readings.values()}


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_properties_hold_and_everything_special_is_met(variant: str) -> None:
    properties = kinds.of(book).of(variant)
    met: set[str] = set()
    for size in SMALL:
        found = explore(book.build(size, variant), properties)
        assert dict(found.violated) == {}
        met |= set(found.met)
    assert {p.name for p in properties if p.form is Form.SOMETIMES} - met == set()


@pytest.mark.parametrize("readings", [
    {r.id: o} for r in book.readings.values() for o in r.options if o != r.default])
def test_properties_hold_under_every_other_reading(readings: dict[str, str]) -> None:
    variant = "advanced" if next(iter(readings)).startswith("advanced.") else "basic"
    found = explore(book.build("small", variant, readings), kinds.of(book).of(variant))
    assert found.complete
    assert dict(found.violated) == {}
    assert found.stuck is None


def _reached(size: str, variant: str = "basic", readings: dict[str, str] | None = None) -> set[str]:
    program = book.build(size, variant, readings)
    asked = {s.id for s in program.sites if s.kind not in (Kind.ROW, Kind.COVER)}
    return asked & set(explore(program).sites)


def test_open_questions_that_play_reaches() -> None:
    nine = f"clash:{DERIVED}"
    assert _reached("small") == {nine, "tie:most-cards", "shortage:bonus-cards", "shortage:refill-cards"}
    assert _reached("small-uturns") == {nine, "tie:most-cards", "shortage:refill-cards"}
    assert _reached("small-bonus") == {"stacking:bonus-of-six", "stacking:bonus-of-two",
                                       "shortage:bonus-cards", "shortage:refill-cards"}
    assert "shortage:cloud-card" in _reached("small", readings={"end.runs-out": "cannot-draw"})


def test_a_last_card_that_may_not_be_the_last_stops_the_play() -> None:
    assert "stop:nothing-left" in _reached("small", readings={DERIVED: "uturn.no-end"})
    assert "stop:after-reveal" in _reached("small", readings={DERIVED: "stop"})


def test_every_row_of_the_table_prevails_somewhere() -> None:
    for variant in book.variants:
        sites = explore(book.build("small", variant)).sites
        rows = {s.id for s in book.build("small", variant).sites if s.kind is Kind.ROW}
        assert len(rows) == (7 if variant == "basic" else 8)
        assert rows <= set(sites)


def test_only_bonus_and_refill_have_an_order() -> None:
    program = book.build("small")
    graph = explore(program, graph=True).graph
    assert graph is not None
    found = Order(Interpreter(program), graph).disorders()
    assert set(found) == {("bonus", "refill")}
    assert found["bonus", "refill"].play.labels[-2:] == ("turn_up(card=N20_A)", "take_all")


@pytest.mark.parametrize(("variant", "count"), [("basic", 1155), ("advanced", 1503)])
def test_every_game_can_end_and_some_flights_are_lost(variant: str, count: int) -> None:
    program = book.build("small", variant)
    graph = explore(program, graph=True).graph
    assert graph is not None
    assert never_ends(graph) is None
    assert endless(program, graph) == []
    hopeless = next(p for p in kinds.of(book) if p.form is Form.LOST)
    play, positions = lost(Interpreter(program), graph, hopeless.term(program), hopeless.goal_term(program))
    assert positions == count
    assert play is not None


@pytest.mark.parametrize("variant", ["basic", "advanced"])
def test_every_other_reading_parts_from_the_default(variant: str) -> None:
    wanted = {(r.id, o) for r in book.readings.values() for o in r.options
              if o != r.default and r.id.startswith("advanced.") == (variant == "advanced")}
    for size in SMALL:
        base = explore(book.build(size, variant), graph=True)
        for id, option in sorted(wanted):
            other = {"other": book.build(size, variant, {id: option})}
            if isinstance(partings(base, other)["other"], Parting):
                wanted.discard((id, option))
    assert wanted == set()


# --- single flights -----------------------------------------------------------------------------------

FLIGHTS = FlyHigh(spots=6, cards="10*4 20*4 30*4 40*4 60*4 R*3 U*4 F*2", die=(1, 2, 3, 4))
BASIC = """
3 | 20 30 | goes on
3 | 20 30 30 | chooses
3 | 20 30 40 | chooses
3 | 20 30 20 | fails
3 | 20 10 | fails
3 | 10 20 20 30 | chooses
3 | 10 20 20 30 20 | fails
3 | R 60 R | chooses
2 | 60 R | chooses
2 | R 10 | chooses
3 | 20 R 10 | fails
3 | 20 R 20 | chooses
2 | 10 U | goes on
2 | 10 U R | chooses
2 | 10 U U | goes on
3 | 20 U 30 | fails
3 | 20 U 20 | chooses
3 | 20 U 10 | chooses
2 | U 40 | chooses
4 | U 40 30 U | goes on
4 | U 40 30 U 20 | fails
4 | U 40 30 U 30 | chooses
4 | U 40 30 U F | wins
4 | U U 10 | goes on
3 | U U 10 | chooses
3 | 20 U U 10 | fails
3 | 20 U U 20 | chooses
4 | F | wins
1 | 10 F | wins
4 | 20 U F | wins
2 | 10 10 20 20 30 30 | wins
2 | 10 20 30 40 60 U | wins
2 | 10 20 30 40 60 10 | fails
2 | 10 10 10 10 20 R | wins
3 | 20 R 10 | chooses | rainbow.height=free
2 | R 60 | fails | number.nothing-before=fails
2 | 60 R | chooses | number.nothing-before=fails
3 | 20 U 30 | chooses | uturn.compares-with=free
3 | 20 U 30 40 | fails | uturn.compares-with=free
3 | 20 U U 10 | chooses | uturn.original-rules=restart
3 | 20 U 20 | fails | uturn.level=fails
2 | 20 20 | wins | bold.meeting-die=at-die
2 | 20 U | goes on | bold.meeting-die=at-die
2 | 20 20 | goes on | bold.meeting-die=never
2 | 10 U U | chooses | uturn.further-special=helps
3 | 10 U U | goes on | uturn.further-special=helps
2 | 10 U R | goes on | uturn.rainbow-frees=number
2 | 10 U R 10 | chooses | uturn.rainbow-frees=number
2 | 10 20 30 40 60 U | stops | after-reveal:bold.all-nine+uturn.no-end=uturn.no-end
"""
ADVANCED = """
3 | 20 30 30 | fails
3 | 20 30 40 | chooses
3 | 20 20 20 | chooses
3 | 20 20 30 | fails
3 | 20 10 | fails
3 | 20 40 U 40 | fails
3 | 20 40 U 30 | chooses
3 | 20 40 U 30 30 | fails
3 | 20 40 U 30 U 30 | fails
3 | 20 40 U 30 U 40 | wins
3 | 20 20 U 20 | chooses
3 | 20 20 U 10 | fails
3 | 20 R 20 20 | chooses
3 | 20 R 20 30 | fails
3 | 20 R 30 30 | fails
3 | R 20 20 | chooses
3 | 20 U 20 10 | fails
3 | 20 U 10 10 | fails
3 | 20 20 R | chooses
3 | 20 30 F | wins
3 | 20 R 30 30 | chooses | advanced.set-by=free
3 | 20 20 30 | fails | advanced.set-by=free
3 | 20 R 20 | fails | advanced.set-by=changing
3 | R 20 30 | chooses | advanced.set-by=changing
3 | 20 20 U 20 | fails | advanced.level-uturn=lower
3 | 20 20 U 10 | chooses | advanced.level-uturn=lower
3 | 20 20 U 10 10 | fails | advanced.level-uturn=open
3 | 20 20 U 20 | chooses | advanced.level-uturn=open
3 | 20 40 U 40 | chooses | advanced.falling=level-too
3 | 20 40 U 40 U 40 | fails | advanced.falling=level-too
"""


def _flights(table: str) -> list[Any]:
    """Lines of a table: die | cards in order | how the flight then stands | reading=option."""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    return [pytest.param(*row[:3], dict([row[3].split("=")]) if len(row) > 3 else {}, id=" ".join(row))
            for row in rows]


def outcome(variant: str, die: str, cards: str, readings: dict[str, str]) -> str:
    """How a flight over these cards stands: `fails`, `chooses`, `goes on`, `wins`, or `stops`."""
    program = book.build(FLIGHTS, variant, readings)
    names = {"R": "RAINBOW", "U": "UTURN", "F": "FINISH"}
    labels = [f"roll(number={die})"]
    for spot, card in enumerate(cards.split()):
        labels += [f"reveal(spot={spot})", f"turn_up(card={names.get(card, f'N{card}')})"]
    states = Interpreter(program).replay(labels)
    if len(states) <= len(labels):
        return "stops"
    stands = {Phase.FAILED: "fails", Phase.CHOICE: "chooses", Phase.FLY: "goes on", Phase.WON: "wins"}
    return stands[Position(program, states[-1]).phase]


@pytest.mark.parametrize(("die", "cards", "expected", "readings"), _flights(BASIC))
def test_basic_flights(die: str, cards: str, expected: str, readings: dict[str, str]) -> None:
    assert outcome("basic", die, cards, readings) == expected


@pytest.mark.parametrize(("die", "cards", "expected", "readings"), _flights(ADVANCED))
def test_advanced_flights(die: str, cards: str, expected: str, readings: dict[str, str]) -> None:
    assert outcome("advanced", die, cards, readings) == expected


def test_a_flight_that_everybody_knows_to_fail_ends_by_itself() -> None:
    labels = ["roll(number=2)", "reveal(spot=0)", "turn_up(card=N10_A)", "reveal(spot=1)",
              "turn_up(card=N20_A)", "reveal(spot=2)", "turn_up(card=N10_A)", "turn_back", "roll(number=2)",
              "reveal(spot=1)"]
    for option, expected in (("misfit", ["reveal(spot=0)", "reveal(spot=2)"]), ("foreseen", ["see_failure"])):
        run = Interpreter(book.build("small", readings={"bold.failure-clear": option}))
        assert [i.label for i in run.enabled(run.replay(labels)[-1])] == expected


@pytest.mark.parametrize(("times", "six", "cards", "due"), [
    ("once", "once", "AAABBB", 2), ("each", "once", "AAABBB", 4), ("once", "each", "AAABBB", 2),
    ("once", "once", "AAAAAA", 2), ("each", "once", "AAAAAA", 2), ("once", "each", "AAAAAA", 4),
    ("each", "each", "AAAAAA", 4), ("each", "each", "AAAABB", 2),
])
def test_how_much_bonus(times: str, six: str, cards: str, due: int) -> None:
    program = book.build("small-bonus", readings={"bonus.times": times, "bonus.six": six})
    labels = ["roll(number=6)"]
    for spot, character in enumerate(cards):
        labels += [f"reveal(spot={spot})", f"turn_up(card=N10_{character})"]
    assert Position(program, Interpreter(program).replay([*labels, "take_all"])[-1]).bonus_due == due


def _games(program: Program, seed: int, games: int) -> Iterator[tuple[Values, str, Values | None]]:
    """Steps of random games: state, label, successor."""
    run, rng = Interpreter(program), random.Random(seed)
    for _ in range(games):
        state: Values | None = program.start
        while state is not None and (enabled := run.enabled(state)):
            weights = [run.value(i.weight, state) for i in enabled]
            chosen = rng.choices(enabled, weights)[0]
            after = run.step(state, chosen).state
            yield state, chosen.label, after
            state = after


def _odds(program: Program, labels: list[str]) -> dict[str, Fraction]:
    """Chance of each card after a play that ends with a spot being picked."""
    run = Interpreter(program)
    state = run.replay(labels)[-1]
    weights = {i.params[0][1]: run.value(i.weight, state) for i in run.enabled(state)}
    return {card: Fraction(w, sum(weights.values())) for card, w in weights.items()}


def test_cards_never_seen_come_up_as_from_a_shuffled_deck() -> None:
    """Cards that the cloud took unseen tell nothing: what counts is only what was seen."""
    program = book.build(FlyHigh(spots=2, cards="10*2 20*3 R*2 F U*2", die=(1, 2)))
    labels = ["cloud", "cloud", "roll(number=1)", "reveal(spot=0)"]
    tenths = {"N10": 2, "N20": 3, "RAINBOW": 2, "FINISH": 1, "UTURN": 2}
    assert _odds(program, labels) == {card: Fraction(n, 10) for card, n in tenths.items()}
    labels += ["turn_up(card=N20)", "stop", "take_all", "refill", "cloud", "roll(number=2)", "reveal(spot=1)"]
    ninths = tenths | {"N20": 2}
    assert _odds(program, labels) == {card: Fraction(n, 9) for card, n in ninths.items()}
    labels += ["turn_up(card=N10)", "reveal(spot=0)"]
    assert _odds(program, labels) == {card: Fraction(n, 8) for card, n in (ninths | {"N10": 1}).items()}


# --- examples and clauses -----------------------------------------------------------------------------


SETTLED = {
    "advanced.falling": {"strict"}, "bold.meeting-die": {"choice"}, "number.nothing-before": {"fits"},
    "uturn.compares-with": {"last-number"}, "uturn.level": {"fits"}, "uturn.original-rules": {"last-number"},
    "uturn.rainbow-frees": {"frees"}}


def test_printed_examples_fit_the_default_readings_and_settle_others() -> None:
    builder, settled = Builder(), dict[str, set[str]]()
    readings = {id: book.readings[id] for id in SETTLED}
    for example in EXAMPLES.all:
        found = gather(example, builder, readings)
        assert found.trials[0].fits, (example.name, found.trials[0].reason)
        assert found.reachable
        for id, left in found.settles.items():
            settled.setdefault(id, set(book.readings[id].options)).intersection_update(left)
    assert settled == SETTLED


def _cited() -> set[str]:
    found = {c for r in book.rules for c in r.clauses} | {c for e in EXAMPLES.all for c in e.clauses}
    for variant in book.variants:
        found |= {c for s in book.build("small", variant).sites for c in s.clauses}
    found |= {c for r in book.readings.values() for c in r.clauses} | {f.clause for f in book.facts}
    return found | {c for m in book.missing_parts for c in m.clauses}


def test_every_clause_is_at_work_or_says_why_not() -> None:
    assert book.clauses is not None
    known, cited = {c.id for c in book.clauses}, _cited()
    assert cited <= known
    assert [c.id for c in book.clauses if not c.exempt and c.id not in cited] == []
    assert [c.id for c in book.clauses if c.kind.value == "example" and c.id not in cited] == []


def test_every_reading_that_an_open_word_names_exists() -> None:
    assert book.clauses is not None
    assert {id for c in book.clauses for id in c.readings} - set(book.readings) == set()


# --- words ----------------------------------------------------------------------------------------------

GOLDEN = [
    ("cloud", "The die shows the cloud: player 1 gets the top card of the deck."),
    ("roll(number=2)", "The die shows 2: player 2 flies."),
    ("reveal(spot=0)", "Player 2 turns up spot 1."),
    ("turn_up(card=N20_A)", "The card turned up: 20 (A)."),
    ("reveal(spot=1)", "Player 2 turns up spot 2."),
    ("turn_up(card=N10_A)", "The card turned up: 10 (A). It does not fit: the flight has failed."),
    ("turn_back", "Player 2 turns the cards face down again and gets nothing."),
    ("roll(number=2)", "The die shows 2: player 1 flies."),
    ("reveal(spot=1)", "Player 1 turns up spot 2, where 10 (A) lies."),
    ("reveal(spot=0)", "Player 1 turns up spot 1, where 20 (A) lies. The player may stop."),
    ("reveal(spot=2)", "Player 1 turns up spot 3."),
    ("turn_up(card=FINISH_A)", "The card turned up: Finish (A). The flight has succeeded."),
    ("take_all", "Player 1 takes 3 cards. A bonus of 2 cards is due."),
    ("bonus", "Player 1 gets 2 cards of the deck as a bonus."),
    ("refill", "The square is filled with 3 cards of the deck. The deck has run out."),
    ("count_cards", "The cards are counted: player 1 has 6, player 2 has 0."),
]


def test_golden_play() -> None:
    program = book.build(FlyHigh(spots=3, cards="10A*3 20A*2 R*2 U FA", die=(2, 3)))
    words, labels = Words.load(book.folder), [label for label, _ in GOLDEN]
    states = Interpreter(program).replay(labels)
    told = [words.move(program, program.by_label[label], states[n], states[n + 1])
            for n, label in enumerate(labels)]
    assert told == [text for _, text in GOLDEN]
    assert words.state(program, states[9]) == (
        "Player 1 is on turn; the die shows 2; face up: 10 (A); 10 or more fits; "
        "seen and face down: 20 (A); 5 cards in the deck; score 1 : 0.")
    assert words.state(program, states[-1]) == "The game is over: player 1 has 6, player 2 has 0."
    run = Interpreter(program)
    assert [run.value(t, states[-1]) for t in (*program.winners, *program.scores)] == [1, 0, 6, 0]


@pytest.mark.parametrize(("size", "variant"), [(s, v) for s in SIZES for v in book.variants])
def test_words_for_every_move_of_random_plays(size: str, variant: str) -> None:
    program, words = book.build(size, variant), Words.load(book.folder)
    for state, label, after in _games(program, 7, {"print": 2, "medium": 10, "examples": 10}.get(size, 45)):
        text = words.move(program, program.by_label[label], state, after)
        assert text[0].isupper()
        assert text.endswith(".")
        assert "_" not in text
        assert "(" not in text.replace("(A)", "").replace("(B)", "").replace("(C)", "").replace(
            "(D)", "").replace("(E)", "")
        assert "_" not in words.state(program, state)


def _templates(words: Words) -> Iterator[tuple[str, str]]:
    for table in ("site", "reading"):
        for key, entry in words.table[table].items():
            if "situation" in entry:
                yield f"{key}.situation", entry["situation"]
            for option, template in entry.get("options", {}).items():
                yield f"{key}.{option}", template


def test_every_question_has_words_that_can_be_filled_in_anywhere() -> None:
    words = Words.load(book.folder)
    program = book.build("small", "advanced")
    for state, _, after in _games(program, 3, 3):
        was, now = Position(program, state), Position(program, after or state)
        for key, template in _templates(words):
            assert words.render(key, template, {**was.values, "before": was, "after": now})


def test_every_reading_site_and_gap_has_its_words() -> None:
    table: dict[str, Any] = dict(Words.load(book.folder).table)
    for reading in book.readings.values():
        entry = table["reading"][reading.id]
        assert entry["title"]
        assert entry["ask"] == reading.asks
        assert set(entry["options"]) == set(reading.options)
    for missing in book.missing_parts:
        assert table["site"][f"missing:{missing.id}"]["title"]
    for size in SMALL:
        for id in _reached(size):
            assert {"title", "ask", "situation", "group", "options"} <= set(table["site"][id])
    assert {"order:bonus+refill", "hopeless:flight-is-lost"} <= set(table["site"])
    for name, field in book.state_class.fields().items():
        assert table["field"][name], field
    assert set(table["rule"]) == {r.name for r in book.rules}
    for size_of in SIZES.values():
        assert {m.name for m in size_of.card} <= set(table["enum"]["Card"])


# --- sizes ----------------------------------------------------------------------------------------------


def test_print_size_is_what_the_text_counts() -> None:
    size = SIZES["print"]
    assert sum(k.count for k in size.cards if k.tens) == 63
    assert sum(k.count for k in size.cards if not k.tens) == 17
    assert (size.spots, size.deck, size.highest, size.most_bonus) == (9, 71, 6, 6)
    assert len(size.die) + size.clouds == 6


GIVEN: dict[str, Any] = {"spots": 3, "cards": "10*2 20 R U F", "die": (2, 3)}


@pytest.mark.parametrize(("changes", "message"), [
    ({"spots": 10}, "size FlyHigh: a square of 10 cards"),
    ({"cards": "10 20 U"}, "size FlyHigh: 3 spots leave no deck of 3 cards"),
    ({"die": (2, 4)}, "size FlyHigh: the die asks for 4 of 3 cards"),
    ({"die": ()}, "size FlyHigh: the die shows no number above 0"),
    ({"players": 1}, "size FlyHigh: 1 players cannot play"),
    ({"clouds": -1}, "size FlyHigh: -1 faces with a cloud"),
    ({"cards": "10 15 20 U F"}, "'15' is no kind of card"),
    ({"cards": "10 20 10 U F"}, "the pack names N10 2 times"),
])
def test_sizes_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError) as error:
        FlyHigh(**GIVEN | changes)
    assert error.value.message == message
