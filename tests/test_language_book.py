"""Declarations: mistakes in rules, readings, rulings and overrides, and in what is asked of a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language import registry
from tests.messages import message, rule, write

DECLARED = {
    "no clause": (
        "@book.rule(by=one)  # here\ndef act(t): pass",
        "HERE, rule act: the rule cites no clause; name the sentence it carries out: "
        '@book.rule("section.sentence", …)',
    ),
    "an unknown clause": (
        '@book.rule("turn.og", by=one)  # here\ndef act(t): pass',
        "HERE, rule act: there is no clause 'turn.og'; did you mean 'turn.go'?",
    ),
    "an unknown clause without a near one": (
        '@book.rule("zzz", by=one)  # here\ndef act(t): pass',
        "HERE, rule act: there is no clause 'zzz'; add it to clauses.toml",
    ),
    "two rules of one name": (
        rule("pass") + '@book.rule("turn.go", by=one)  # here\ndef act(t): pass',
        "HERE, rule act: there are two rules of this name; rename one",
    ),
    "a forgotten parameter": (
        '@book.rule("turn.go", by=one, spot=3, die=[1, 2])  # here\ndef act(t, die): pass',
        "HERE, rule act: the function forgets the parameter spot; write `def act(t, spot, die)`",
    ),
    "a parameter too many": (
        '@book.rule("turn.go", by=one, spot=3)  # here\ndef act(t, spot, die): pass',
        "HERE, rule act: the function wants die, which is no parameter of the rule; declare it: "
        "`@book.rule(…, die=…)`",
    ),
    "a misspelt parameter": (
        '@book.rule("turn.go", by=one, spot=3)  # here\ndef act(t, spto): pass',
        "HERE, rule act: the function forgets the parameter spot; write `def act(t, spot)`",
    ),
    "no state": (
        '@book.rule("turn.go", by=one)  # here\ndef act(): pass',
        "HERE, rule act: the function takes no state; write `def rule(t, …)`",
    ),
    "a secret that is no parameter": (
        '@book.rule("turn.go", by=one, secret=["crad"], card=Card)  # here\ndef act(t, card): pass',
        "HERE, rule act: the secret 'crad' is no parameter; did you mean 'card'?",
    ),
    "an unknown variant": (
        '@book.rule("turn.go", by=one, only="lnog")  # here\ndef act(t): pass',
        "HERE, rule act: there is no variant 'lnog'; did you mean 'long'?",
    ),
    "an unknown ruling": (
        '@book.rule("turn.go", by=one, ruling="faq.noe")  # here\ndef act(t): pass\n'
        'book.ruling("faq.one", source="the author")',
        "HERE, rule act: there is no ruling 'faq.noe'; did you mean 'faq.one'?",
    ),
    "another actor": (
        '@book.rule("turn.go", by="me")  # here\ndef act(t): pass',
        "HERE, rule act: the rule is acted by 'me'; write `by=player(lambda t: …)`, `by=responder(lambda "
        "t: …)`, "
        "`by=CHANCE` or `by=RULES`",
    ),
    "a weight without chance": (
        '@book.rule("turn.go", by=one, weight=2)  # here\ndef act(t): pass',
        "HERE, rule act: only what CHANCE does has a weight; drop `weight`, or write `by=CHANCE`",
    ),
    "a phase that is no member": (
        '@book.rule("turn.go", by=one, phase="GO")  # here\ndef act(t): pass',
        "HERE, rule act: the phase 'G' is no member of an enumeration; name members of the enumeration "
        "of the "
        "field `phase`",
    ),
    "a phase of another enumeration": (
        '@book.rule("turn.go", by=one, phase=Card.A)  # here\ndef act(t): pass',
        "HERE, rule act: the phase Card.A is not a member of Phase, the field's enumeration; name "
        "members of one "
        "enumeration",
    ),
    "a phase without the field": (
        "class Bare(State):\n    n = Range(0, 1)\nbook.state(Bare)\n"
        '@book.rule("turn.go", by=player(lambda t: 0), phase=Phase.GO)  # here\ndef act(t): pass',
        "HERE, rule act: the rule has a phase, but the state has no field `phase`; declare `phase = "
        "Enum(…)` in "
        "the state",
    ),
    "a parameter that is no list": (
        '@book.rule("turn.go", by=one, spot=1.5)  # here\ndef act(t, spot): pass',
        "HERE, rule act: parameter spot is 1.5; give a number of values, a sequence, an enumeration, or a "
        "function of the size",
    ),
    "a parameter of too many values": (
        '@book.rule("turn.go", by=one, spot=65)  # here\ndef act(t, spot): pass',
        "HERE, rule act: parameter spot has 65 values, at most 64 are unrolled; make it a sequence of "
        "smaller "
        "choices in a phase of its own",
    ),
    "too many instances": (
        '@book.rule("turn.go", by=one, a=64, b=64, c=2)  # here\ndef act(t, a, b, c): pass',
        "HERE, rule act: the rule would unroll to 8192 instances, at most 4096 are built; split the "
        "choice into "
        "several rules in sub-phases",
    ),
    "two values that look alike": (
        '@book.rule("turn.go", by=one, a=[1, "1"])  # here\ndef act(t, a): pass',
        "HERE, rule act: two instances are called act(a=1); give the parameter values that print differently",
    ),
    "a weight that is no number": (
        '@book.rule("turn.go", by=CHANCE, weight="two")  # here\ndef act(t): pass',
        "HERE, weight of rule act: the weight is 'two', not a whole number; give a number, a size, or a "
        "function "
        "of `t` and the parameters to a number",
    ),
    "a weight that is a truth value": (
        '@book.rule("turn.go", by=CHANCE, weight=lambda t: t.up)  # here\ndef act(t): pass',
        "HERE, weight of rule act: the weight is up, not a whole number; give a number, a size, or a "
        "function "
        "of `t` and the parameters to a number",
    ),
    "a weight below zero": (
        '@book.rule("turn.go", by=CHANCE, weight=-1)  # here\ndef act(t): pass',
        "HERE, weight of rule act: the weight -1 is below 0; weights are 0 or more",
    ),
    "a weight that changes the state": (
        '@book.rule("turn.go", by=CHANCE, weight=lambda t: setattr(t, "n", 1))  # here\ndef act(t): pass',
        "HERE, weight of rule act: a statement where only a condition or a number is asked for; "
        "properties, actors "
        "and weights read the state; rules change it",
    ),
    "a weight that fails": (
        '@book.rule("turn.go", by=CHANCE, weight=lambda t: 1 // 0)  # here\ndef act(t): pass',
        "HERE, weight of rule act: ZeroDivisionError: integer division or modulo by zero; correct the line",
    ),
    "an actor that is no player": (
        'nobody = player(lambda t: 2)\n@book.rule("turn.go", by=nobody)  # here\ndef act(t): pass',
        "HERE, actor of rule act: 2 is no player 0..1; give the number of a player; `players=` of the "
        "rulebook "
        "says how many there are",
    ),
    "an actor that says nothing": (
        '@book.rule("turn.go", by=player(lambda t: None))  # here\ndef act(t): pass',
        "HERE, actor of rule act: None is no player 0..1; give the number of a player; `players=` of the "
        "rulebook "
        "says how many there are",
    ),
    "an index that may leave in a weight": (
        '@book.rule("turn.go", by=CHANCE, weight=lambda t: t.row[t.n])  # here\ndef act(t): pass',
        "HERE, weight of rule act: the index n (0..3) can leave row, which has items 0..2; only a rule "
        "can stop "
        "there; cut the index off with `least`, `most` or `%`",
    ),
    "require in over": (
        '@book.over("turn.end")\ndef over(t):\n    t.require(t.up)  # here',
        "HERE, over: `require` where only a condition or a number is asked for; guards belong to rules",
    ),
    "an over that is no condition": (
        '@book.over("turn.end")  # here\ndef over(t):\n    return t.n',
        "HERE, over: the function gives n; return a condition",
    ),
    "a winner that says nothing": (
        '@book.winner("turn.end")  # here\ndef winner(t, p):\n    t.n == p',
        "HERE, winner: the function gives None; return a condition",
    ),
    "an over that fails": (
        '@book.over("turn.end")\ndef over(t):\n    return t.nothing  # here',
        "HERE, over: state Table has no field nothing; declare it",
    ),
    "two ends": (
        '@book.over("turn.end")\ndef over(t): return t.up\n@book.over("turn.end")  # here\ndef other(t): '
        "pass",
        "HERE: `over` is declared twice; declare it once",
    ),
    "an unknown clause of over": (
        '@book.over("turn.edn")  # here\ndef over(t): return t.up',
        "HERE, over: there is no clause 'turn.edn'; did you mean 'turn.end'?",
    ),
    "a score that is no number": (
        '@book.score("turn.end")  # here\ndef score(t, p): return t.up',
        "HERE, score: the function gives up; return a number",
    ),
    "a question asked only at the end": (
        '@book.winner("turn.end")\ndef winner(t, p):\n'
        '    return rank(t, "most", [[t.n, t.turn]], "turn.end").best[p]  # here',
        "HERE: tie:most is asked where nothing is recorded, and by no rule, so no play would show it; "
        "ask it in a "
        "rule, for instance in one by RULES that ends the game",
    ),
    "a field of a reserved name": (
        "class Other(State):\n    when = Bool()  # here",
        "HERE: a field cannot be called when: every state has something of that name; call it otherwise",
    ),
}


@pytest.mark.parametrize("case", DECLARED)
def test_a_mistake_in_a_declaration(tmp_path: Path, case: str) -> None:
    source, expected = DECLARED[case]
    assert message(tmp_path, source + "\n") == expected


BUILDS = {
    "one option": (
        'book.reading("r", "turn.go", options={"x": ""}, default="x", why="", asks="")  # here',
        "book.build()",
        "HERE, reading r: a reading needs at least two options, this has 1; name the other way to read the "
        "sentence, or drop the reading",
    ),
    "an unknown default": (
        'book.reading("r", "turn.go", options={"x": "", "y": ""}, default="z", why="", asks="")  # here',
        "book.build()",
        "HERE, reading r: the default 'z' is not among the options ['x', 'y']; choose one of them",
    ),
    "a ruling on an unknown reading": (
        'book.reading("rain", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="")\n'
        'book.ruling("faq.one", picks={"rian": "x"}, source="")  # here',
        "book.build()",
        "HERE, ruling faq.one: there is no reading 'rian'; did you mean 'rain'?",
    ),
    "a ruling on an unknown option": (
        'book.reading("r", "turn.go", options={"once": "", "each": ""}, default="once", why="", asks="")\n'
        'book.ruling("faq.one", picks={"r": "eahc"}, source="")  # here',
        "book.build()",
        "HERE, ruling faq.one: reading r has no option 'eahc'; did you mean 'each'?",
    ),
    "a ruling of an unknown clause": (
        'book.ruling("faq.two", source="")  # here',
        "book.build()",
        "HERE, ruling faq.two: there is no clause 'faq.two'; did you mean 'faq.one'?",
    ),
    "two rulings of one name": (
        'book.ruling("faq.one", source="")\nbook.ruling("faq.one", source="")  # here',
        "book.build()",
        "HERE, ruling faq.one: there are two rulings of this name; merge them",
    ),
    "two rulings that disagree": (
        'book.reading("r", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="")\n'
        'book.ruling("faq.one", picks={"r": "x"}, source="")\n'
        'book.ruling("turn.end", picks={"r": "y"}, source="")  # here',
        "book.build(rulings=True)",
        "HERE, ruling turn.end: two rulings pick different options of r: x and y; apply one of them at a "
        "time, or "
        "drop the older one",
    ),
    "a reading that only a ruling brings": (
        'late = book.reading("r", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="", '
        'ruling="faq.one")\nbook.ruling("faq.one", source="")\n' + rule("x = t.reading(late)  # here"),
        "book.build()",
        "HERE, rule act: reading r belongs to the ruling faq.one, which is not applied; ask it only in a "
        "rule or an "
        "override with `ruling='faq.one'`",
    ),
    "an unknown size": ("", "book.build('smal')", "rulebook b has no size 'smal'; choose one of only"),
    "an unknown variant": (
        "",
        "book.build(variant='lon')",
        "rulebook b has no variant 'lon'; did you mean 'long'?",
    ),
    "an unknown reading": (
        "",
        "book.build(readings={'r': 'x'})",
        "rulebook b: there is no reading 'r'; see `ruleslawyer list`",
    ),
    "a reading that a ruling brings, chosen without it": (
        'book.reading("r", "turn.go", options={"x": "", "y": ""}, default="x", why="", asks="", '
        'ruling="faq.one")\n'
        'book.ruling("faq.one", source="")',
        "book.build(readings={'r': 'y'})",
        "rulebook b: there is no reading 'r'; the ruling faq.one brings it: apply that",
    ),
    "an unknown derived reading": (
        "",
        "book.build(readings={'sum:a+b': 'a'})",
        "rulebook b: there is no reading 'sum:a+b', as no table leaves these two rows in doubt; write "
        "table:row+row, the rows in alphabetical order",
    ),
    "an unknown ruling": ("", "book.build(rulings=['faq'])", "rulebook b has no ruling 'faq'; it has none"),
    "an unknown row to override": (
        rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
        + '@book.override("sum", "turn.og", clause="turn.end")  # here\ndef change(t, old): return old',
        "book.build()",
        "HERE, override of sum: there is no row 'turn.og' in table 'sum' to override; did you mean "
        "'turn.go'?",
    ),
    "an unknown table to override": (
        rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
        + '@book.override("smu", "turn.go", clause="turn.end")  # here\ndef change(t, old): return old',
        "book.build()",
        "HERE, override of smu: there is no table 'smu' to override; did you mean 'sum'?",
    ),
    "an unknown variant of an override": (
        '@book.override("sum", "turn.go", clause="turn.end", variant="lng")  # here\ndef change(t, old): '
        "return old",
        "book.build()",
        "HERE, override of sum: there is no variant 'lng'; did you mean 'long'?",
    ),
    "an override that gives no row": (
        rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
        + '@book.override("sum", "turn.go", clause="turn.end")  # here\ndef change(t, old): return ["x"]',
        "book.build()",
        "HERE, override of sum, rule act: the override gives ['x']; return a row, several rows, or None "
        "to drop it",
    ),
    "a state without fields": (
        "class Bare(State): pass\nbook.state(Bare)",
        "book.build()",
        "state Bare declares no field; give it at least a phase",
    ),
}


@pytest.mark.parametrize("case", BUILDS)
def test_a_mistake_in_a_choice(tmp_path: Path, case: str) -> None:
    source, build, expected = BUILDS[case]
    assert message(tmp_path, source + "\n", build) == expected


def test_two_unordered_overrides_of_one_row_name_both_places(tmp_path: Path) -> None:
    source = rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
    source += '@book.override("sum", "turn.go", clause="turn.end", variant="long")  # here\n'
    source += "def one(t, r): return r\n"
    source += '@book.override("sum", "turn.go", clause="faq.one")\ndef two(t, r): return r\n'
    _, line = write(tmp_path, source)
    assert message(tmp_path, source, "book.build(variant='long')") == (
        f"HERE, override of sum: row turn.go of table sum is overridden twice (also at "
        f"{tmp_path.name}/rules.py:"
        f"{line + 2}); say which prevails (`overrides=` with the clause of the other), or merge them"
    )


def test_two_overrides_of_different_variants_do_not_meet(tmp_path: Path) -> None:
    source = rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
    for variant in ("base", "long"):
        source += f'@book.override("sum", "turn.go", clause="turn.end", variant="{variant}")\n'
        source += "def c(t, r): return r\n"
    path, _ = write(tmp_path, source)
    book = registry.find(str(path))
    assert [book.build(variant=v).variant for v in ("base", "long")] == ["base", "long"]


def test_overrides_that_prevail_over_each_other_in_a_circle(tmp_path: Path) -> None:
    source = rule('decide(t, "sum", [row("turn.go", when=t.up, then=1)])')
    source += '@book.override("sum", "turn.go", clause="turn.end", overrides="faq.one")  # here\n'
    source += "def a(t, r): return r\n"
    source += (
        '@book.override("sum", "turn.go", clause="faq.one", overrides="turn.end")\ndef b(t, r): return r\n'
    )
    assert message(tmp_path, source).startswith(
        "HERE, override of sum: row turn.go of table sum is overridden twice"
    )
