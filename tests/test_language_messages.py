"""Messages for a modeller's mistakes inside rules: what is wrong, file and line, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.messages import message, rule

TRUTH = "HERE, rule act: {} asks a term for its truth value, which is not known while a rule is recorded; {}"
WHEN = "write `with t.when(…):` and `with t.otherwise():`"


@pytest.mark.parametrize(
    ("line", "construct", "hint"),
    [
        ("if t.n == 1: pass", "`if`", WHEN),
        ("if 1 < 2 and t.up: pass", "`and`", "write `&`, with each side in parentheses"),
        ("x = t.up and t.n == 1", "`and`", "write `&`, with each side in parentheses"),
        ("x = t.up or t.n == 1", "`or`", "write `|`, with each side in parentheses"),
        ("x = not t.up", "`not`", "write `~`"),
        ("if not t.up: pass", "`if`", WHEN),
        ("if t.up and t.up: pass", "`and`", "write `&`, with each side in parentheses"),
        ("if not (t.up or t.up): pass", "`or`", "write `|`, with each side in parentheses"),
        ("x = 0 < t.n < 3", "a chained comparison", "write `(a <= b) & (b <= c)`"),
        ("if 0 < t.n < 3: pass", "a chained comparison", "write `(a <= b) & (b <= c)`"),
        ("x = 1 if t.up else 2", "`if … else`", "write `ite(condition, value, other)`"),
        ("assert t.n == 1", "`assert`", "a guard is `t.require(…)`; what must always hold is a property"),
        ("x = [i for i in range(3) if t.row[i] > 1]", "`if`", WHEN),
        ("x = min(t.n, 2)", "`min`", "write `least(…)`"),
        ("t.n = max(t.n, 2)", "`max`", "write `most(…)`"),
        ("x = any([t.up])", "`any`", "write `some(…)`"),
        ("x = all([t.up])", "`all`", "write `every(…)`"),
        (
            "x = t.n in [1, 2]",
            "`in`",
            "write `some(x == v for …)` over a fixed list: `some(*(x == v for v in values))`",
        ),
        (
            "while t.n > 0: break",
            "`while`",
            "repeat a fixed number of times with `for`, and write `with t.when(…):` inside",
        ),
        (
            "x = sorted([t.n, t.low])",
            "`sorted`",
            "the order of terms is not known yet; compare them with `rank`, `least` or `most`",
        ),
        (
            "x = bool(t.up)",
            "`bool`",
            "write `with t.when(…):`, `&`, `|`, `~`, `ite(…)`, `least(…)` or `most(…)` instead",
        ),
    ],
)
def test_python_that_asks_for_a_truth_value(tmp_path: Path, line: str, construct: str, hint: str) -> None:
    assert message(tmp_path, rule(line + "  # here")) == TRUTH.format(construct, hint)


def test_a_truth_value_asked_for_in_a_helper_names_the_helpers_line(tmp_path: Path) -> None:
    source = "def helper(t):\n    if t.up:  # here\n        pass\n\n" + rule("helper(t)")
    assert message(tmp_path, source) == TRUTH.format("`if`", WHEN)


RANGE = "HERE, rule act: every value of"
CASES = {
    "for over a term": (
        "for i in t.n: pass  # here",
        "HERE, rule act: a term cannot be iterated; loop over a fixed range: `for i in range(t.size.spots):`",
    ),
    "range of a term": (
        "for i in range(t.n): pass  # here",
        "HERE, rule act: a term has no value while a rule is recorded, so it cannot become a Python number; "
        "keep it a term, or make it a parameter of the rule",
    ),
    "division": (
        "t.n = t.n / 2  # here",
        "HERE, rule act: `/` on a term: the state knows whole numbers only; write `//` (rounded down); "
        "for rounding up, `(a + n - 1) // n`",
    ),
    "a divisor that is no constant": (
        "t.n = t.n // (t.low + 3)  # here",
        "HERE, rule act: `//` needs a constant divisor above 0, not (+ low 3); divide by a size or a number",
    ),
    "power": (
        "t.n = t.n ** 2  # here",
        "HERE, rule act: `**` on a term; write `x * x`, or a table with `lookup`",
    ),
    "a value that always leaves": (
        "t.n = t.n + 4  # here",
        f"{RANGE} (+ n 4) (4..7) is outside the range of n (0..3); widen the field or correct the rule",
    ),
    "an item that always leaves": (
        "t.row[t.turn] = -1  # here",
        f"{RANGE} -1 (-1..-1) is outside the range of row (0..3); widen the field or correct the rule",
    ),
    "an index that is always outside": (
        "t.row[3] = 0  # here",
        "HERE, rule act: index 3 is always outside row, which has items 0..2; check the loop bounds or "
        "the size",
    ),
    "an index of another kind": (
        "t.row[t.card] = 0  # here",
        "HERE, rule act: row is indexed by Int, not by card (Card); use an index of the declared kind",
    ),
    "a height that is always outside": (
        "t.pile[2] = 1  # here",
        "HERE, rule act: height 2 is always outside <pile: stack of up to 2>; heights are 0..depth - 1",
    ),
    "require after an assignment": (
        "t.n = 1\n    t.require(t.up)  # here",
        "HERE, rule act: `require` stands after an assignment; a guard looks at the state before the step: "
        "move it before the first assignment",
    ),
    "require inside when": (
        "with t.when(t.up):\n        t.require(t.n == 1)  # here",
        "HERE, rule act: `require` stands inside `when`; a guard holds for the whole rule: move it before "
        "the first `when`",
    ),
    "require of a number": (
        "t.require(t.n)  # here",
        "HERE, rule act: the guard is of sort Int, not Bool: n; compare it with something (`!= 0`, `== "
        "Card.NONE`)",
    ),
    "when of an enumeration": (
        "with t.when(t.card): pass  # here",
        "HERE, rule act: the condition is of sort Card, not Bool: card; compare it with something "
        "(`!= 0`, `== Card.NONE`)",
    ),
    "otherwise without when": (
        "t.n = 1\n    with t.otherwise(): pass  # here",
        "HERE, rule act: `otherwise` does not follow a `when` block; write it directly after the "
        "`with t.when(…):` block it belongs to",
    ),
    "otherwise after another statement": (
        "with t.when(t.up): t.n = 1\n    t.n = 2\n    with t.otherwise(): pass  # here",
        "HERE, rule act: `otherwise` does not follow a `when` block; write it directly after the "
        "`with t.when(…):` block it belongs to",
    ),
    "an undeclared field assigned": (
        "t.card_ = Card.A  # here",
        "HERE, rule act: state Table has no field card_; did you mean 'card'?",
    ),
    "an undeclared field without a near name": (
        "t.zzz = 1  # here",
        "HERE, rule act: state Table has no field zzz; declare it, or assign to a local name",
    ),
    "an undeclared field read": (
        "x = t.trun  # here",
        "HERE, rule act: state Table has no field trun; did you mean 'turn'?",
    ),
    "a sum of truth values": (
        "t.n = t.up + 1  # here",
        "HERE, rule act: `+` needs numbers, but up is of sort Bool; count truth values with `count(…)`; "
        "turn an "
        "enumeration member into a number with `lookup(term, {Card.A: 10, …})`",
    ),
    "a comparison of two sorts": (
        "t.require(t.card == 1)  # here",
        "HERE, rule act: card (Card) is compared with 1 (Int); compare values of one sort",
    ),
    "an order of truth values": (
        "t.require(t.up < 1)  # here",
        "HERE, rule act: up (Bool) and 1 (Int) have no order; order numbers, or members of one enumeration",
    ),
    "a value of another sort": (
        "t.up = 1  # here",
        "HERE, rule act: up is of sort Bool; 1 is of sort Int; assign a value of the field's sort",
    ),
    "two sides of two sorts": (
        "t.n = ite(t.up, 1, Card.A)  # here",
        "HERE, rule act: the two sides of ite differ in sort: Int and Card; give both sides one sort",
    ),
    "what is no term": (
        "t.n = 'two'  # here",
        "HERE, rule act: 'two' (a str) cannot be used as a term; use a number, a truth value, an enumeration "
        "member, or a field of the state",
    ),
    "an array assigned as a whole": (
        "t.row = 0  # here",
        "HERE, rule act: row cannot be assigned as a whole; assign its items, or use its methods "
        "(`fill`, `push`, `pop`, …)",
    ),
    "a stack assigned as a whole": (
        "t.piles[0] = t.piles[1]  # here",
        "HERE, rule act: piles[0] cannot be assigned as a whole; assign its items, or use its methods "
        "(`fill`, `push`, `pop`, …)",
    ),
    "a grid with one index": (
        "t.board[0] = True  # here",
        "HERE, rule act: board is a grid and needs a row and a column, not 0; write `t.board[row, column]`",
    ),
    "a stack as a truth value": (
        "if t.pile: pass  # here",
        "HERE, rule act: <pile: stack of up to 2> has no truth value; compare its depth with 0",
    ),
    "an array as a truth value": (
        "if t.row: pass  # here",
        "HERE, rule act: <row: 3 items> has no truth value; compare an item, a count or a depth",
    ),
    "a table with a missing entry": (
        "t.n = lookup(t.n, {0: 1, 1: 2})  # here",
        "HERE, rule act: the table has no entry for 2, 3; give every possible index an entry",
    ),
    "a table that is too short": (
        "t.n = lookup(t.n, [0, 1, 2])  # here",
        "HERE, rule act: the index n ranges over 0..3, the table over 0..2; give every possible index an "
        "entry",
    ),
    "a table with a key of another sort": (
        "t.n = lookup(t.n, {Card.A: 1})  # here",
        "HERE, rule act: the table has the key A (Card), the index is n (Int); use keys of the sort of "
        "the index",
    ),
    "a table that depends on the state": (
        "t.n = lookup(t.turn, [t.n, 1])  # here",
        "HERE, rule act: a lookup table needs constant entries of one sort; use `ite` for entries that "
        "depend "
        "on the state",
    ),
    "the least of nothing": (
        "t.n = least()  # here",
        "HERE, rule act: least() or most() of nothing; give at least one number",
    ),
    "an ordinary exception": (
        "x = {}['a']  # here",
        "HERE, rule act: KeyError: 'a'; correct the line",
    ),
    "a graph with too few truth values": (
        "x = reach([(0, 1)], [], [True, False], 1)  # here",
        "HERE, rule act: the graph has 1 edges and 0 truth values for them; give one truth value per "
        "edge, in the "
        "order of the edges",
    ),
    "an edge that leaves the nodes": (
        "x = longest('path', 2, [(1, 2)], [True])  # here",
        "HERE, rule act: the edge (1, 2) leaves the nodes 0..1; number the nodes from 0",
    ),
    "another length": (
        "x = longest('walk', 2, [], [])  # here",
        "HERE, rule act: longest('walk', …) is unknown; use 'path' or 'trail'",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_in_a_rule(tmp_path: Path, case: str) -> None:
    body, expected = CASES[case]
    assert message(tmp_path, rule(body)) == expected


def test_a_mistake_names_the_parameters(tmp_path: Path) -> None:
    source = rule("t.row[spot] = 4 - spot  # here", declared='"turn.go", by=one, spot=3', args="t, spot")
    assert message(tmp_path, source) == (
        "HERE, rule act(spot=0): every value of 4 (4..4) is outside the range of row[0] (0..3); "
        "widen the field or correct the rule"
    )


LEAKS = {
    "out of a branch": (
        ["with t.when(t.up):", "    t.n = 1", "    x = t.n", "t.low = x  # here"],
        "HERE, rule act: n'1 was read inside a `when` block, after a change there, and is used outside "
        "of it; read "
        "it again, or assign it to a field inside the block",
    ),
    "out of a branch, deep in a term": (
        ["with t.when(t.up):", "    t.n = 1", "    x = t.n + 1", "t.low = least(2, x)  # here"],
        "HERE, rule act: n'1 was read inside a `when` block, after a change there, and is used outside "
        "of it; read "
        "it again, or assign it to a field inside the block",
    ),
    "out of one branch into the other": (
        ["with t.when(t.up):", "    t.n = 1", "    x = t.n", "with t.otherwise():", "    t.low = x  # here"],
        "HERE, rule act: n'1 was read inside a `when` block, after a change there, and is used outside "
        "of it; read "
        "it again, or assign it to a field inside the block",
    ),
    "between when and otherwise": (
        [
            "with t.when(t.up):",
            "    t.n = 1",
            "x = t.n",
            "with t.otherwise():",
            "    t.n = 2",
            "t.low = x - 1  # here",
        ],
        "HERE, rule act: n'2 was read between a `when` block and its `otherwise`; read it before the "
        "`when` or after "
        "the `otherwise`",
    ),
    "between, with a later assignment": (
        [
            "with t.when(t.up):",
            "    t.n = 1",
            "x = t.n",
            "with t.otherwise():",
            "    t.n = 2",
            "t.row[0] = x  # here",
            "t.n = 3",
        ],
        "HERE, rule act: n'2 was read between a `when` block and its `otherwise`; read it before the "
        "`when` or after "
        "the `otherwise`",
    ),
    "an index checked elsewhere": (
        ["with t.when(t.up):", "    x = t.row[t.low]", "    t.n = x", "t.n = x  # here"],
        "HERE, rule act: an item was read inside a `when` block at (min (max low 0) 2), an index cut off "
        "at the "
        "range, and is used outside of it; read it again where it is used",
    ),
}


@pytest.mark.parametrize("case", LEAKS)
def test_a_value_that_has_no_meaning_where_it_is_used(tmp_path: Path, case: str) -> None:
    body, expected = LEAKS[case]
    assert message(tmp_path, rule(*body)) == expected
