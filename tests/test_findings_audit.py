"""The audit: what is planted in small books is found, exactly, and nothing else."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from findings.audit import audit_rulebook
from findings.finding import Audit, Finding, RulebookAudit, as_json
from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from solvers.contract import Limits
from solvers.interpreter import Interpreter
from tests.small_books import PLANTS, TOGETHER, Found, clause_names, expected, orchard


def _book(folder: Path, *plants: str, words: str = "") -> Rulebook:
    return registry.find(str(orchard(folder / "orchard", *plants, words=words)))


def _audit(folder: Path, *plants: str, words: str = "") -> RulebookAudit:
    return audit_rulebook(_book(folder, *plants, words=words))


def _told(finding: Finding) -> Found:
    length = None if finding.witness is None else finding.witness.length
    return Found(finding.code, finding.clauses, length, finding.status.value, finding.stake.value)


def _found(audit: RulebookAudit) -> list[Found]:
    return sorted((_told(f) for f in audit.findings), key=repr)


def _one(audit: RulebookAudit, code: str) -> Finding:
    found = [f for f in audit.findings if f.code == code]
    assert len(found) == 1
    return found[0]


def _outcomes(finding: Finding) -> dict[str, str]:
    return {o.id: o.outcome for o in finding.options}


# --- what is planted ----------------------------------------------------------------------------------


@pytest.mark.parametrize("plant", list(PLANTS))
def test_each_plant_is_found_and_nothing_else(tmp_path: Path, plant: str) -> None:
    audit = _audit(tmp_path, plant)
    assert _found(audit) == expected(plant)
    assert sorted(u.name for u in audit.undecided) == sorted(PLANTS[plant].undecided)
    assert set(PLANTS[plant].proved) <= {p.name for p in audit.proved}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rulebook, RulebookAudit]:
    book = _book(tmp_path_factory.mktemp("whole"), *TOGETHER)
    return book, audit_rulebook(book)


def test_all_plants_together_are_found_and_nothing_else(whole: tuple[Rulebook, RulebookAudit]) -> None:
    _, audit = whole
    assert _found(audit) == expected(*TOGETHER)
    assert sorted(u.name for u in audit.undecided) == sorted(u for p in TOGETHER for u in PLANTS[p].undecided)
    assert {p for name in TOGETHER for p in PLANTS[name].proved} <= {p.name for p in audit.proved}


def test_a_finding_has_the_same_fingerprint_whatever_else_the_book_holds(
    whole: tuple[Rulebook, RulebookAudit], tmp_path: Path
) -> None:
    known = {f.fingerprint for f in whole[1].findings}
    for plant in ("clash", "order", "endless", "secret", "settled", "facts"):
        alone = _audit(tmp_path / plant, plant)
        assert {f.fingerprint for f in alone.findings} <= known


def test_another_size_or_variant_gives_the_same_fingerprints(tmp_path: Path) -> None:
    book = _book(tmp_path, "clash", "hidden", "tie")
    small = audit_rulebook(book)
    tall = audit_rulebook(book, size="tall", variant="dusk")
    assert (tall.size, tall.variant) == ("tall", "dusk")
    assert [f.fingerprint for f in tall.findings] == [f.fingerprint for f in small.findings]


def test_every_witness_replays_and_is_told_step_by_step(whole: tuple[Rulebook, RulebookAudit]) -> None:
    book, audit = whole
    program = book.build()
    run = Interpreter(program)
    for finding in audit.findings:
        if finding.witness is None:
            continue
        states = run.replay(finding.witness.moves)
        assert len(states) >= finding.witness.length
        assert len(finding.witness.steps) == finding.witness.length
        assert finding.witness.size == "small"


def test_the_audit_follows_the_schema(whole: tuple[Rulebook, RulebookAudit]) -> None:
    text = resources.files("findings.reports").joinpath("audit.schema.json").read_text(encoding="utf-8")
    told = json.loads(json.dumps(as_json(Audit(rulebooks=(whole[1],)))))
    jsonschema.validate(told, json.loads(text))
    (audit,) = told["rulebooks"]
    assert {
        "rulebook",
        "variant",
        "size",
        "engines",
        "seconds",
        "states",
        "findings",
        "proved",
        "coverage",
    } <= set(audit)
    assert audit["states"] == whole[1].states
    for finding in audit["findings"]:
        assert set(finding["options"][0]) == {"id", "outcome"} if finding["options"] else True
        assert finding["witness"] is None or {"size", "moves", "length"} <= set(finding["witness"])


def test_two_audits_agree_word_for_word(whole: tuple[Rulebook, RulebookAudit]) -> None:
    book, first = whole
    again = audit_rulebook(book)
    assert again.findings == first.findings
    assert again.proved == first.proved
    assert again.undecided == first.undecided


# --- how it is told -----------------------------------------------------------------------------------


def test_a_clash_tells_both_outcomes_at_one_table(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "clash"), "RL101")
    assert finding.situation == "CLIMB; the die shows 2; coins 0 : 0."
    assert _outcomes(finding) == {
        "clash.even": "In the episode clash this tells of even. Here: phase: DONE; coins: [1, 0]; "
        "the game is over; won: player 1; scores 1 : 0",
        "clash.two": "In the episode clash this tells of two. Here: phase: DONE; coins: [0, 1]; "
        "the game is over; won: player 2; scores 0 : 1",
    }
    assert finding.scope == "size small, exhaustive; no shorter play does it"


def test_a_moot_clash_says_what_was_proved(tmp_path: Path) -> None:
    audit = _audit(tmp_path, "moot")
    finding = _one(audit, "RL101")
    assert finding.because == (
        f"both outcomes look the same in every common state (small, all {audit.states} reachable states)"
    )
    assert _outcomes(finding) == {
        "moot.left": "In the episode moot this tells of left.",
        "moot.right": "In the episode moot this tells of right.",
    }


def test_an_option_that_looks_like_the_default_there_says_so(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "three"), "RL107")
    assert finding.witness is not None
    assert finding.witness.moves == ("pick_three", "three_roll(n=1)", "gather")
    assert _outcomes(finding)["late"] == "it means late (here the same as none)"
    assert _outcomes(finding)["some"].startswith("it means some. Here: phase: DONE; coins: [1, 0];")


def test_moves_that_one_option_allows_are_told_with_who_makes_them(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "moves"), "RL107")
    assert _outcomes(finding) == {
        "no": "it means no. Here: nothing beyond what the others allow too",
        "yes": "it means yes. Here: possible: player 1: jump",
    }


def test_odds_are_told_as_fractions(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "odds"), "RL107")
    assert _outcomes(finding) == {
        "fair": "it means fair. Here: 1/2: toss(side=0); 1/2: toss(side=1)",
        "bent": "it means bent. Here: 1/3: toss(side=0); 2/3: toss(side=1)",
    }


def test_a_secret_choice_that_an_option_forbids_is_told_as_never_coming_up(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "secret"), "RL107")
    assert finding.witness is not None
    assert finding.witness.moves == ("pick_secret", "hide(card=2)", "seek")
    assert _outcomes(finding)["two"] == "it means two. Here: play does not come this way"
    assert "coins: [0, 2]" in _outcomes(finding)["three"]


def test_a_hidden_difference_is_told_where_it_comes_to_light(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "hidden"), "RL107")
    assert finding.witness is not None
    assert finding.witness.moves == ("pick_hidden", "put_mark", "wait", "show_mark")
    assert finding.situation == "SHOW; the die shows 0; coins 0 : 0."


def test_another_winner_is_told_where_the_game_is_over(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "result"), "RL107")
    assert _outcomes(finding) == {
        "nobody": "it means nobody. Here: the game is over; nobody has won; scores 0 : 0",
        "wearer": "it means wearer. Here: the game is over; won: player 1; scores 0 : 0",
    }


def test_both_orders_are_told_with_where_they_lead(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "order"), "RL108")
    assert finding.question == "Which comes first: double or add?"
    outcomes = _outcomes(finding)
    assert outcomes["double"].startswith(
        "double first: double; add; night. Then: phase: DONE; coins: [1, 0];"
    )
    assert outcomes["add"].startswith("add first: add; double; night. Then: phase: DONE; coins: [2, 0];")


@pytest.mark.parametrize(
    ("plant", "because"),
    [
        ("settled", "digging (settled.example): only nothing fits"),
        ("occurring", "occurring_there (occurring.example): only one fits"),
        (
            "leaning",
            "leaning_with_five (leaning.example), from a position that is not known to occur: only one fits",
        ),
        ("clause", "clause.hint points to: it means one"),
    ],
)
def test_what_a_status_rests_on_is_cited(tmp_path: Path, plant: str, because: str) -> None:
    assert _one(_audit(tmp_path, plant), "RL107").because == because


def test_an_example_that_fits_nothing_is_told_with_the_play_so_far(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "conflict"), "RL203")
    assert finding.situation.endswith("There: what the text shows does not hold.")
    assert "it fails at orchard/examples.py:" in finding.scope
    assert finding.scope.startswith("example, played at size small, over 2 combinations of readings")
    assert finding.witness is not None
    assert finding.witness.moves == ("pick_conflict", "fish")


def test_an_example_from_a_table_that_does_not_occur_says_so(tmp_path: Path) -> None:
    finding = _one(_audit(tmp_path, "leaning"), "RL204")
    assert finding.scope.endswith("; its position does not occur at this size")
    assert finding.situation == "LEANING; the die shows 0; coins 5 : 5."


def test_stacking_stands_under_the_reading_that_settles_it(tmp_path: Path) -> None:
    audit = _audit(tmp_path, "stacked", "stacking")
    groups = {f.clauses[0]: f.group for f in audit.findings if f.code == "RL106"}
    assert groups == {"stacked.loaf": "stacked.times", "stacking.loaf": None}
    assert _one(audit, "RL107").group == "stacked.times"


def test_the_words_of_the_rulebook_come_first(tmp_path: Path) -> None:
    words = """
[en.site."clash:tower:clash.even+clash.two"]
title = "Up or down"
ask = "Does the climber go up?"
situation = "A climber rolls {{ die }}."
group = "climbing"
options."clash.even" = "up to {{ after.coins[0] }}"
options."clash.two" = "down to {{ after.coins[1] }}"

[en.site."gap:basket"]
title = "Three apples"
options.keep = "they are kept: {{ after.coins[0] }}"

[en.reading."three.gain"]
title = "What is gathered"
options.late = "gathered later: {{ after.coins[0] }}"
"""
    audit = _audit(tmp_path, "clash", "gap", "three", words=words)
    clash, gap = _one(audit, "RL101"), _one(audit, "RL102")
    assert (clash.title, clash.question, clash.situation, clash.group) == (
        "Up or down", "Does the climber go up?", "A climber rolls 2.", "climbing",
    )  # fmt: skip
    assert _outcomes(clash) == {"clash.even": "up to 1", "clash.two": "down to 1"}
    assert gap.title == "Three apples"
    assert _outcomes(gap) == {"keep": "they are kept: 0"}
    three = next(f for f in audit.findings if f.title == "What is gathered")
    assert _outcomes(three)["late"] == "gathered later: 0 (here the same as none)"


# --- several examples, several sizes, limits ----------------------------------------------------------

_SECOND = """
@EXAMPLES.example("settled.example", size="small")
def another(s):
    s.move("pick_settled")
    s.move("dig")
    s.sees(lambda t: t.coins[0] == {coins})
"""


def test_examples_that_disagree_leave_the_question_open(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "settled")
    with (folder / "examples.py").open("a", encoding="utf-8") as file:
        file.write(_SECOND.format(coins=1))
    finding = _one(audit_rulebook(registry.find(str(folder))), "RL107")
    assert finding.status.value == "OPEN"
    assert finding.because == (
        "no option fits all examples: digging (settled.example) fits only nothing; "
        "another (settled.example) fits only one"
    )


def test_examples_that_agree_are_all_cited(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "settled")
    with (folder / "examples.py").open("a", encoding="utf-8") as file:
        file.write(_SECOND.format(coins=0))
    finding = _one(audit_rulebook(registry.find(str(folder))), "RL107")
    assert finding.status.value == "SETTLED"
    assert finding.because == "digging (settled.example); another (settled.example): only nothing fits"


def test_a_size_named_after_the_one_that_is_asked_shows_what_it_leaves_out(tmp_path: Path) -> None:
    """The supply is short and a reading parts at the companion size alone; both are told with that size."""
    folder = orchard(tmp_path / "orchard", "shortage", "three")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    text = text.replace('"tall": Orchard(trees=2)', '"small-wide": Orchard(trees=2)')
    text = text.replace('take(t, "dole", t.supply, 2,', 'take(t, "dole", t.supply, t.size.trees,')
    text = text.replace("n=range(1, 3)", "n=lambda size: range(size.trees, 3)")
    (folder / "rules.py").write_text(text, encoding="utf-8")
    audit = audit_rulebook(registry.find(str(folder)))
    shortage, three = _one(audit, "RL105"), _one(audit, "RL107")
    assert shortage.witness is not None
    assert shortage.witness.size == "small-wide"
    assert shortage.scope == "size small-wide, exhaustive; no shorter play does it"
    assert three.witness is not None
    assert three.witness.size == "small"
    assert len(audit.engines) == 4
    assert not any(p.name.startswith("dole") for p in audit.proved)
    alone = audit_rulebook(registry.find(str(folder)), size="small-wide")
    assert (alone.size, len(alone.engines)) == ("small-wide", 3)
    assert _outcomes(_one(alone, "RL107"))["some"] == "it means some (here the same as none)"


def test_what_a_limit_cuts_off_is_undecided_and_nothing_is_proved(tmp_path: Path) -> None:
    book = _book(tmp_path, "clash", "never", "settled", "gap")
    audit = audit_rulebook(book, limits=Limits(states=6))
    assert audit.proved == ()
    names = {u.name: u for u in audit.undecided}
    assert names["all states of size small"].reason == "the limit of 6 states"
    assert names["reading never.gain: two"].reason == "the limit of 6 states"
    assert names["reading settled.gain: one"].reason == "the limit of 6 states"
    assert not any(f.code == "RL107" for f in audit.findings)
    for finding in audit.findings:
        assert finding.scope == "size small, not searched to the end; no shorter play does it"


def test_a_clash_that_was_met_before_a_limit_is_told_and_left_open(tmp_path: Path) -> None:
    book = _book(tmp_path, "moot", "hidden", "odds", "three", "clash")
    audit = audit_rulebook(book, limits=Limits(states=9))
    finding = next(f for f in audit.findings if f.clauses == ("moot.left", "moot.right"))
    assert (finding.status.value, finding.stake.value, finding.because) == ("OPEN", "only an argument", "")


def test_a_reading_that_never_parts_is_undecided_with_its_reason(tmp_path: Path) -> None:
    (undecided,) = _audit(tmp_path, "never").undecided
    assert undecided.reason == "never parts from one where it was asked"
    assert undecided.bound.startswith("small, all ")


@pytest.mark.parametrize(
    ("plant", "reason"),
    [("nested", "only asked for where nested.outer is odd"), ("unasked", "no rule asks for it")],
)
def test_a_reading_that_was_not_asked_says_why(tmp_path: Path, plant: str, reason: str) -> None:
    (undecided,) = _audit(tmp_path, plant).undecided
    assert undecided.reason == reason


# --- what is proved, and coverage ---------------------------------------------------------------------


def test_a_quiet_book_is_proved_to_be_one(tmp_path: Path) -> None:
    audit = _audit(tmp_path, "stroll", "confluent")
    assert audit.findings == ()
    assert audit.undecided == ()
    assert [p.name for p in audit.proved] == [
        "coins: always within its range",
        "the order of consequences due at once never changes where play comes to rest",
        "somebody can always act until the game is over",
        "the end can still be reached from everywhere",
    ]
    assert {p.scope for p in audit.proved} == {f"small, all {audit.states} reachable states"}


@pytest.mark.parametrize(
    ("plant", "absent"),
    [
        ("order", "the order of consequences"),
        ("stuck", "somebody can always act"),
        ("endless", "the end can still be reached"),
        ("roundabout", "the end can still be reached"),
        ("stuck", "the end can still be reached"),
        ("gap", "basket: some sentence always applies"),
        ("property", "nobody-is-rich"),
    ],
)
def test_what_a_play_refutes_is_not_proved(tmp_path: Path, plant: str, absent: str) -> None:
    assert not any(p.name.startswith(absent) for p in _audit(tmp_path, plant).proved)


def test_facts_that_go_together_are_proved(tmp_path: Path) -> None:
    proved = {p.name for p in _audit(tmp_path, "impossible").proved}
    assert "the statements about the components can all be true" in proved
    assert "the statements about the components can all be true" not in {
        p.name for p in _audit(tmp_path / "other", "facts").proved
    }


def test_coverage_counts_what_is_cited_and_what_acted(tmp_path: Path) -> None:
    audit = _audit(tmp_path, "clash", "unasked")
    names = clause_names("clash", "unasked")
    assert audit.coverage.clauses == len(names)
    assert audit.coverage.cited == len(names)
    assert audit.coverage.uncited == ()
    # all act but the winner (no rule) and the reading that no rule asks for
    assert audit.coverage.fired == len(names) - 2


def test_a_sentence_that_nothing_cites_is_listed(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "clash")
    more = '\n[[clause]]\nid = "hub.story"\nsection = "hub"\nordinal = 9\nsource = "outside"\n'
    more += 'address = "invented"\nkind = "flavour"\nforce = "is"\ntext = "A story."\n'
    with (folder / "clauses.toml").open("a", encoding="utf-8") as file:
        file.write(more)
    coverage = audit_rulebook(registry.find(str(folder))).coverage
    assert coverage.uncited == ("hub.story",)


# --- open words ---------------------------------------------------------------------------------------


def _answering(folder: Path, answer: str) -> Path:
    """A book in which an open word of a sentence is answered."""
    text = (folder / "clauses.toml").read_text(encoding="utf-8")
    entry = 'text = "In the episode settled this tells of gain."\n'
    text = text.replace(entry, f'{entry}[clause.words]\nall = "{answer}"\n')
    (folder / "clauses.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_open_word_may_be_answered_by_a_reading_that_is_declared(tmp_path: Path) -> None:
    folder = _answering(orchard(tmp_path / "orchard", "settled"), "reading:settled.gain")
    assert _found(audit_rulebook(registry.find(str(folder)))) == expected("settled")


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("reading:settled.gian", "did you mean 'settled.gain'?"),
        ("reading:quite-another", "declare it with `book.reading`, or say what the word is taken to mean"),
    ],
)
def test_an_open_word_answered_by_a_reading_that_is_not_declared_is_an_error(
    tmp_path: Path, answer: str, hint: str
) -> None:
    folder = _answering(orchard(tmp_path / "orchard", "settled"), answer)
    with pytest.raises(ModelError) as error:
        audit_rulebook(registry.find(str(folder)))
    assert str(error.value) == (
        f"{folder / 'clauses.toml'}, clause 'settled.gain': its open words name the reading "
        f"{answer.removeprefix('reading:')!r}, which the rulebook does not declare; {hint}"
    )
