"""Constructs: what a table, a ranking, a taking and a repetition ask, and that asking changes nothing."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from models.language import (
    STOP,
    Bool,
    Policy,
    Program,
    Range,
    Rulebook,
    Size,
    State,
    Term,
    count,
    decide,
    ir,
    player,
    rank,
    row,
    take,
)
from models.language.constructs import derived_id, derived_reading
from solvers.interpreter import Interpreter
from tests.messages import message, rule

# -- tables against a plain Python reading of them -------------------------------------------------------


def table(policy: Policy, overrides: dict[str, list[str]] | None = None, on_clash: str = "") -> Rulebook:
    """Three sentences that apply as three bits of `n` say; outcome k adds 10 to the power k."""
    book = Rulebook("table", sizes={"only": Size()}, clauses=["a", "b", "c"])

    @book.state
    class Table(State):
        n = Range(0, 7)
        out = Range(0, 111)

    @book.rule("a", by=player(lambda t: 0))
    def act(t: Table) -> None:
        def add(k: int) -> None:
            t.out = t.out + 10**k

        rows = [
            row(id, when=t.n // 2**k % 2 == 1, then=id, overrides=(overrides or {}).get(id, []))
            for k, id in enumerate("abc")
        ]
        outcomes = {id: lambda k=k: add(k) for k, id in enumerate("abc")}
        decide(t, "sum", rows, policy=policy, outcomes=outcomes, on_clash=on_clash)

    return book


def outcomes(program: Program) -> list[str]:
    """For each subset of the rows (as the bits of 0..7) the rows that happened, or `stop`."""
    run, found = Interpreter(program), []
    for n in range(8):
        after = run.step((n, 0), program.instances[0]).state
        if after is None:
            found.append("stop")
        else:
            digits = f"{after[1]:03}"[::-1]
            found.append("".join(id for id, d in zip("abc", digits, strict=True) if d == "1"))
    return found


def met(program: Program, n: int) -> list[str]:
    step = Interpreter(program).step((n, 0), program.instances[0])
    return [program.sites[s].id for s in step.hits]


def test_first_takes_the_first_and_asks_of_no_clash() -> None:
    program = table(Policy.FIRST).build()
    assert outcomes(program) == ["", "a", "b", "a", "c", "a", "b", "a"]
    assert {s.kind.value for s in program.sites} == {"gap", "row", "capacity"}


def test_collect_takes_all_in_order() -> None:
    assert outcomes(table(Policy.COLLECT).build()) == ["", "a", "b", "ab", "c", "ac", "bc", "abc"]


@pytest.mark.parametrize("policy", [Policy.UNIQUE, Policy.ANY])
def test_without_a_word_the_first_of_the_text_prevails(policy: Policy) -> None:
    program = table(policy).build()
    assert outcomes(program) == ["", "a", "b", "a", "c", "a", "b", "a"]
    assert met(program, 7) == ["clash:sum:a+b", "clash:sum:a+c", "clash:sum:b+c", "row:sum:a"]


def test_a_row_named_for_clashes_prevails_over_all() -> None:
    assert outcomes(table(Policy.UNIQUE, on_clash="c").build()) == ["", "a", "b", "a", "c", "c", "c", "c"]


def test_priority_follows_the_overrides_through_others() -> None:
    program = table(Policy.PRIORITY, {"c": ["b"], "b": ["a"]}).build()
    assert outcomes(program) == ["", "a", "b", "b", "c", "c", "c", "c"]
    assert not [s for s in program.sites if s.kind is ir.Kind.CLASH]


def test_a_row_that_overrides_another_has_no_say_over_a_third() -> None:
    """`c` overrides `b` only: between `a` and the others the order of the text decides, and it is asked."""
    program = table(Policy.PRIORITY, {"c": ["b"]}).build()
    assert outcomes(program) == ["", "a", "b", "a", "c", "a", "c", "a"]
    assert met(program, 5) == ["clash:sum:a+c", "row:sum:a"]


def test_a_row_that_is_overridden_clashes_with_nobody() -> None:
    program = table(Policy.PRIORITY, {"c": ["b"]}).build()
    assert met(program, 3) == ["clash:sum:a+b", "row:sum:a"]
    assert met(program, 7) == ["clash:sum:a+c", "row:sum:a"]


def test_a_row_that_overrides_two_settles_their_clash() -> None:
    program = table(Policy.PRIORITY, {"c": ["a", "b"]}).build()
    assert met(program, 7) == ["row:sum:c"]
    assert met(program, 3) == ["clash:sum:a+b", "row:sum:a"]


PAIRS = ("sum:a+b", "sum:a+c", "sum:b+c")
CHOICES = [
    dict(zip(PAIRS, c, strict=True))
    for c in itertools.product(("", "a", "b", STOP), ("", "a", "c", STOP), ("", "b", "c", STOP))
]


def champion(n: int, options: dict[str, str]) -> str:
    """Who prevails: the first that applies, unless a derived reading puts a later one in its place."""
    best = ""
    for k, id in enumerate("abc"):
        if not n >> k & 1:
            continue
        option = options.get(f"sum:{best}+{id}", "")
        if not best or option == id:
            best = id
        elif option == STOP:
            return "stop"
    return best


@pytest.mark.parametrize("options", CHOICES)
def test_derived_readings_of_three_rows_leave_one_outcome_or_none(options: dict[str, str]) -> None:
    chosen = {k: v for k, v in options.items() if v}
    program = table(Policy.UNIQUE).build(readings=chosen)
    assert outcomes(program) == [champion(n, options) for n in range(8)]


def test_a_derived_reading_that_says_the_default_gives_the_same_program() -> None:
    book = table(Policy.UNIQUE)
    assert book.build(readings={"sum:a+b": "a"}).digest == book.build().digest


def test_a_derived_reading_has_an_id_that_does_not_depend_on_the_order_of_the_rows() -> None:
    assert derived_id("sum", "b", "a") == derived_id("sum", "a", "b") == "sum:a+b"
    made = derived_reading("sum", ("b", "a"), ("x", "y"), "b")
    assert (list(made.options), made.default, made.derived) == (["b", "a", STOP], "b", True)


def test_a_table_of_terms() -> None:
    book = Rulebook("terms", sizes={"only": Size()}, clauses=["a", "b"])

    @book.state
    class Table(State):
        n = Range(0, 3)
        out = Range(0, 9)

    @book.rule("a", by=player(lambda t: 0))
    def act(t: Table) -> None:
        rows = [row("a", when=t.n == 1, then=t.n + 4), row("b", when=t.n >= 1, then=7 - t.n)]
        found = decide(t, "value", rows, on_gap=9)
        assert found is not None
        t.out = found

    program = book.build()
    run = Interpreter(program)
    steps = [run.step((n, 0), program.instances[0]) for n in range(4)]
    assert [s.state[1] for s in steps if s.state is not None] == [9, 5, 5, 4]
    sites = [[program.sites[h].id for h in s.hits] for s in steps]
    assert sites[0] == ["gap:value"]
    assert sites[1] == ["clash:value:a+b", "row:value:a"]  # 5 against 6
    assert sites[2] == sites[3] == ["row:value:b"]


def test_terms_of_one_value_overlap_but_do_not_clash() -> None:
    book = Rulebook("terms", sizes={"only": Size()}, clauses=["a", "b"])

    @book.state
    class Table(State):
        n = Range(0, 3)

    @book.rule("a", by=player(lambda t: 0))
    def act(t: Table) -> None:
        decide(t, "value", [row("a", when=t.n > 0, then=t.n), row("b", when=t.n > 1, then=3)])

    program = book.build()
    run = Interpreter(program)
    sites = [[program.sites[h].id for h in run.step((n,), program.instances[0]).hits] for n in range(4)]
    assert sites[2] == ["clash:value:a+b", "row:value:a"]
    assert sites[3] == ["overlap:value:a+b", "row:value:a"]


# -- probes change nothing -----------------------------------------------------------------------------


def test_asking_changes_no_state() -> None:
    """The same rule with and without its questions: alike in everything but the hits."""

    def book(asking: bool) -> Program:
        made = Rulebook("asking", sizes={"only": Size()}, clauses=["a", "b"])

        @made.state
        class Table(State):
            n = Range(0, 3)
            m = Range(0, 3)
            out = Range(0, 9)

        @made.rule("a", by=player(lambda t: 0))
        def act(t: Table) -> None:
            old = t.n
            if asking:
                rank(t, "best", [[t.n, t.m]], "a", among=[t.n > 0, t.m > 0])
                take(t, "some", t.n, t.m, "a")
                decide(
                    t,
                    "what",
                    [row("a", when=t.n > t.m, then="x"), row("b", when=t.n > 1, then="y")],
                    outcomes={"x": lambda: None, "y": lambda: None},
                )
                t.cover("here")
            t.n = t.m
            t.out = old + t.n

        return made.build()

    with_them, without = book(True), book(False)
    assert ir.effect_key(with_them.instances[0].body) == ir.effect_key(without.instances[0].body)
    for n, m in itertools.product(range(4), repeat=2):
        states = [Interpreter(p).step((n, m, 0), p.instances[0]).state for p in (with_them, without)]
        assert states[0] == states[1] == (m, m, n + m)


# -- sites ---------------------------------------------------------------------------------------------


def test_copies_through_parameters_loops_and_helpers_are_one_site() -> None:
    book = Rulebook("copies", sizes={"only": Size()}, clauses=["a", "b"])

    @book.state
    class Table(State):
        n = Range(0, 9)
        up = Bool()

    def pay(t: Table, n: int) -> None:
        t.n = t.n - take(t, "pay", t.n, n, "a")

    @book.rule("a", by=player(lambda t: 0), k=3)
    def one(t: Table, k: int) -> None:
        for i in range(2):
            pay(t, k + i)

    @book.rule("b", by=player(lambda t: 0))
    def two(t: Table) -> None:
        t.require(t.up)
        pay(t, 5)

    program = book.build()
    assert [s.id for s in program.sites] == ["shortage:pay", "capacity:n"]
    assert program.sites[0].clauses == ("a",)
    probes = [s for i in program.instances for s in ir.statements(i.body) if isinstance(s, ir.Probe)]
    assert len(probes) == 3 * 2 - 1 + 1  # the very first asks whether fewer than none are left: never


def test_the_clauses_of_a_number_that_several_rules_push_are_gathered() -> None:
    book = Rulebook("gathered", sizes={"only": Size()}, clauses=["a", "b"])

    @book.state
    class Table(State):
        n = Range(0, 3)

    for clause in ("a", "b"):

        def act(t: Any) -> None:
            t.n = t.n + 1

        act.__name__ = f"add_{clause}"
        book.rule(clause, by=player(lambda t: 0))(act)

    (site,) = book.build().sites
    assert (site.id, site.clauses) == ("capacity:n", ("a", "b"))


ROWS = '[row("turn.go", when=t.up, then=1), row("turn.end", when=t.n > 1, then=2)]'
SHAPES = {
    "another construct": ['take(t, "x", t.n, 1, "turn.go")', 'rank(t, "x", [[t.n, 1]], "turn.go")'],
    "another clause": ['take(t, "x", t.n, 1, "turn.go")', 'take(t, "x", t.n, 1, "turn.end")'],
    "another policy": [f'decide(t, "x", {ROWS})', f'decide(t, "x", {ROWS}, policy=Policy.FIRST)'],
    "other rows": [f'decide(t, "x", {ROWS})', f'decide(t, "x", {ROWS}[:1])'],
}


@pytest.mark.parametrize("case", SHAPES)
def test_one_name_with_two_shapes(tmp_path: Path, case: str) -> None:
    first, second = SHAPES[case]
    found = message(tmp_path, rule(first, f"{second}  # here"))
    (_, _, after) = found.partition("the other is at ")
    line = int(after.partition(")")[0].rpartition(":")[2])
    assert found == (
        f"HERE, rule act: the name 'x' stands for two constructs (the other is at "
        f"{tmp_path.name}/rules.py:{line}); "
        "give each construct its own name, and the same rows and clauses wherever it stands"
    )
    assert (tmp_path / "rules.py").read_text().splitlines()[line - 1].strip() == first


WRONG = {
    'decide(t, "x", [])': "a table has no rows; give it a row for each sentence",
    'decide(t, "x", [row("turn.go", when=True, then="on")])': (
        "row turn.go names the outcome 'on', but the table gives no `outcomes`; pass `outcomes={name: "
        "function}` "
        "or make `then` a term"
    ),
    'decide(t, "x", [row("turn.go", when=True, then="onn")], outcomes={"on": lambda: None})': (
        "row turn.go has no outcome: 'onn' is not among on; did you mean 'on'?"
    ),
    'decide(t, "x", [row("turn.go", when=True, then=1)], outcomes={"on": lambda: None})': (
        "row turn.go has no outcome: 1 is not among on; add it to `outcomes`"
    ),
    f'decide(t, "x", {ROWS}, on_clash="a")': "row 'a' is named but absent; the rows are turn.go, turn.end",
    'decide(t, "x", [row("turn.go", when=True, then=1, overrides=["b"])], policy=Policy.PRIORITY)': (
        "row 'b' is named but absent; the rows are turn.go"
    ),
    'decide(t, "x", [row("turn.go", when=True, then=1, overrides=["turn.go"])])': (
        "row turn.go overrides others, but the policy is UNIQUE; write `policy=Policy.PRIORITY`"
    ),
    'decide(t, "x", [row("turn.go", when=t.up, then=1, overrides="turn.end"), '
    'row("turn.end", when=t.up, then=2, overrides="turn.go")], policy=Policy.PRIORITY)': (
        "row turn.go overrides itself, through others; break the circle"
    ),
    'decide(t, "x", [row("turn.go", when=t.up, then=1)] * 2)': (
        "two rows have the same id; give rows of one clause their own `id=`"
    ),
    f'decide(t, "x", {ROWS}, policy=Policy.COLLECT)': (
        "a table of terms cannot COLLECT; give `outcomes`, or add the terms up yourself"
    ),
    f'decide(t, "x", {ROWS}, on_gap="stopp")': (
        "on_gap is 'stopp'; write 'nothing', 'stop', or a value for tables of terms"
    ),
    'decide(t, "x", [row("turn.go", when=t.up, then="on")], outcomes={"on": lambda: None}, on_gap=3)': (
        "on_gap is a value, but the table has outcomes; write 'nothing' or 'stop'"
    ),
}


@pytest.mark.parametrize("source", WRONG)
def test_a_table_that_is_wrong(tmp_path: Path, source: str) -> None:
    assert message(tmp_path, rule(source + "  # here")) == f"HERE, table x, rule act: {WRONG[source]}"


OTHERS = {
    'decide(t, "x", [row("turn.og", when=t.up, then=1)])': (
        "HERE, x, rule act: there is no clause 'turn.og'; did you mean 'turn.go'?"
    ),
    'row("turn.go", when=t.n, then=1)': (
        "HERE, rule act: the condition of a row is of sort Int, not Bool: n; compare it with something "
        "(`!= 0`, "
        "`== Card.NONE`)"
    ),
    'rank(t, "x", [[t.n, 1], [t.n]], "turn.go")': (
        "HERE, ranking x, rule act: every key of a ranking needs one number per candidate; give as many "
        "numbers in "
        "each key as there are candidates"
    ),
    'repeat(t, "x", "turn.go", t.n, book.reading("r", "turn.go", options={"a": "", "b": ""}, '
    'default="a", why="", '
    'asks=""))': (
        "HERE, effect x, rule act: reading r has the options a, b; a reading of `repeat` has the options "
        "`once` and "
        "`each`"
    ),
    't.stop("x", "turn.og")': "HERE, x, rule act: there is no clause 'turn.og'; did you mean 'turn.go'?",
}


@pytest.mark.parametrize("source", OTHERS)
def test_a_construct_that_is_wrong(tmp_path: Path, source: str) -> None:
    assert message(tmp_path, rule(source + "  # here")) == OTHERS[source]


# -- rankings ------------------------------------------------------------------------------------------


def test_a_ranking_is_that_of_python() -> None:
    book = Rulebook("rank", sizes={"only": Size()}, clauses=["a"])

    @book.state
    class Table(State):
        k0, k1, k2 = Range(0, 2), Range(0, 2), Range(0, 2)
        bits = Range(0, 7)

    def ranked(t: Any) -> Any:
        keys = [[t.k0, t.k1, t.k2], [0, 1, 0]]
        return rank(t, "best", keys, "a", among=[t.bits // 2**i % 2 == 1 for i in range(3)])

    @book.rule("a", by=player(lambda t: 0))
    def act(t: Table) -> None:
        ranked(t)

    program = book.build()
    run = Interpreter(program)
    parts: list[Term] = [program.expression(lambda t, i=i: ranked(t).best[i]) for i in range(3)]
    first, tied = program.expression(lambda t: ranked(t).first), program.expression(lambda t: ranked(t).tied)
    sizes = program.expression(lambda t: count(*ranked(t).best))
    for *keys, bits in itertools.product(range(3), range(3), range(3), range(8)):
        state = (*keys, bits)
        among = [i for i in range(3) if bits >> i & 1]
        scores = {i: (keys[i], int(i == 1)) for i in among}
        best = [i for i in among if scores[i] == max(scores.values())]
        assert [i for i in range(3) if run.value(parts[i], state)] == best
        assert run.value(first, state) == (best[0] if best else 0)
        assert run.value(tied, state) == (len(best) > 1)
        assert run.value(sizes, state) == len(best)
        hits = [program.sites[s].id for s in run.step(state, program.instances[0]).hits]
        assert hits == ["tie:best"] * (len(best) > 1) + ["gap:best"] * (not among)
