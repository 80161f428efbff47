"""State: how fields are laid out, what views mean, and the canonical form of stacks and windows."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, cast

import attrs
import pytest

from models.language import (
    Array,
    Bag,
    Bool,
    Enum,
    Field,
    Grid,
    Index,
    ModelError,
    Program,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    Window,
    deferred,
    player,
)
from models.language.slots import Layout, bare
from solvers.interpreter import Interpreter


class Card(enum.Enum):
    A = 0
    B = 1
    C = 2


@attrs.frozen(kw_only=True)
class Numbers(Size):
    spots: int = 2
    copies: int = 1

    def validate(self) -> None:
        self.need(self.spots < 9, f"{self.spots} spots cannot be dealt from 8 cards", "deal fewer")


size = deferred(Numbers)


def layout(numbers: Numbers | None = None, **fields: Any) -> Layout:
    table: type[State] = type("Table", (State,), fields)
    return table.lay_out(numbers or Numbers())


def slots(**fields: Any) -> list[tuple[str, int, int, int]]:
    return [(s.name, s.lo, s.hi, s.start) for s in layout(**fields).slots]


def test_fields_flatten_to_slots_in_the_order_of_their_declaration() -> None:
    assert slots(n=Range(-2, 3, start=0), up=Bool(), card=Enum(Card, start=Card.B), at=Index(4)) == [
        ("n", -2, 3, 0),
        ("up", 0, 1, 0),
        ("card", 0, 2, 1),
        ("at", 0, 3, 0),
    ]


def test_arrays_nest_by_number_and_by_member() -> None:
    assert slots(hand=Array(2, Array(Card, Range(0, 1)), start=[{Card.B: 1}, 0])) == [
        (f"hand[{i}][{c}]", 0, 1, int((i, c) == (0, "B"))) for i in range(2) for c in "ABC"
    ]


def test_a_bag_starts_full_or_empty_and_lacks_the_kinds_that_are_not_named() -> None:
    deck = Bag(Card, {Card.A: 2, Card.C: size.copies})
    assert slots(deck=deck) == [("deck[A]", 0, 2, 2), ("deck[B]", 0, 0, 0), ("deck[C]", 0, 1, 1)]
    assert [s[3] for s in slots(pile=Bag(Card, 3, full=False))] == [0, 0, 0]


def test_a_stack_has_its_depth_and_the_least_value_above_the_top() -> None:
    assert slots(pile=Stack(Range(2, 5, start=4), 3, start=[5])) == [
        ("pile.depth", 0, 3, 1),
        ("pile[0]", 2, 5, 5),
        ("pile[1]", 2, 5, 2),
        ("pile[2]", 2, 5, 2),
    ]


def test_a_grid_is_laid_out_row_by_row() -> None:
    board = Grid(2, 2, Enum(Card), start=[[Card.A, Card.B], [Card.C, Card.A]])
    assert [(s[0], s[3]) for s in slots(board=board)] == [
        ("board[0][0]", 0),
        ("board[0][1]", 1),
        ("board[1][0]", 2),
        ("board[1][1]", 0),
    ]


def test_what_depends_on_the_size_is_worked_out_when_it_is_laid_out() -> None:
    fields = {"row": Array(size.spots + 1, Range(0, 2 * size.spots - 1, start=size.spots // 2))}
    small, large = (layout(Numbers(spots=n), **fields).slots for n in (2, 4))
    assert [(len(s), s[0].hi, s[0].start) for s in (small, large)] == [(3, 3, 1), (5, 7, 2)]


def test_starts_may_depend_on_the_size_one_by_one() -> None:
    assert [s[3] for s in slots(row=Array(2, Range(0, 9), start=[size.spots, 7]))] == [2, 7]


def test_hidden_is_inherited_by_items() -> None:
    made = layout(
        hand=Array(2, Stack(Enum(Card), 1), hidden=True), shown=Bool(), one=Array(1, Bool(hidden=True))
    )
    assert [s.name for s in made.slots if not s.hidden] == ["shown"]


def test_bits_are_those_of_the_range() -> None:
    made = layout(a=Range(-3, 4), b=Range(5, 5), c=Enum(Card), d=Bool())
    assert [s.bits for s in made.slots] == [3, 0, 2, 1]
    assert made.bits == 6


def test_a_field_of_one_value_is_a_constant() -> None:
    def act(t: Any) -> None:
        t.require(t.b == 5)

    assert str(build(act, b=Range(5, 5), n=Bool()).instances[0].guard) == "true"


def test_inherited_fields_come_first() -> None:
    class Base(State):
        one = Bool()

    class Table(Base):
        two = Bool()

    assert list(Table.lay_out(Numbers()).fields) == ["one", "two"]


def test_the_names_of_copies_share_a_bare_name() -> None:
    assert [bare(n) for n in ("n", "hand[2][A]", "piles[0].depth", "window.open")] == [
        "n",
        "hand",
        "piles.depth",
        "window.open",
    ]


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        (Range(3, 2), "field x: the range 3..2 is empty; give whole numbers with lo <= hi"),
        (Array(2, Range(3, 2)), "field x: the range 3..2 is empty; give whole numbers with lo <= hi"),
        (Range(0, 2, start=3), "field x: the start 3 is outside 0..2; give it a start inside its range"),
        (Enum(Card, start=None), ""),
        (
            Range(0, 2, start=cast("int", Card.A)),
            "field x: the start A is of sort Card, the field of Int; give a start of the field's sort",
        ),
        (Array(0, Bool()), "field x: 0 cannot index an array; give a number above 0 or an enumeration"),
        (Array(2, Bool(), start=[True]), "field x: 1 starts for 2 items; give one start per item"),
        (Array(2, Bool(), start={2: True}), "field x: there is no item 2; use the indices of the field"),
        (Bag(Card, {Card.A: -1}), "field x: -1 is no count; give whole numbers of at least 0"),
        (Stack(Bool(), 0), "field x: a stack of up to 0 items; give it room for one"),
        (Stack(Bool(), 1, start=[1, 1]), "field x: starts with 2 items, holds 1; give it room"),
        (
            Stack(Array(2, Bool()), 1),
            "field x: a stack holds items of several slots; stack single values; keep what belongs to "
            "them in "
            "arrays beside it",
        ),
        (Window(0), "field x: a window for 0 players; give the number of players"),
    ],
)
def test_a_field_that_cannot_be_laid_out(field: Field[Any], wrong: str) -> None:
    if not wrong:
        assert slots(x=field) == [("x", 0, 2, 0)]
        return
    with pytest.raises(ModelError) as caught:
        layout(x=field)
    assert str(caught.value) == f"{field.place}: {wrong}"


# -- sizes ---------------------------------------------------------------------------------------------


def test_a_size_that_cannot_be_dealt_names_the_line_that_makes_it() -> None:
    with pytest.raises(ModelError) as caught:
        Numbers(spots=9)
    line = caught.traceback[0].lineno + 1
    assert str(caught.value) == (
        f"tests/test_language_state.py:{line}: size Numbers: 9 spots cannot be dealt from 8 cards; deal fewer"
    )


def test_an_unknown_field_of_a_size() -> None:
    with pytest.raises(ModelError, match=r"size Numbers has no field spost; did you mean 'spots'\?"):
        size.spost  # type: ignore[attr-defined]  # noqa: B018


def test_a_size_is_not_known_where_the_rules_are_declared() -> None:
    for use in (lambda: bool(size.spots == 2), lambda: range(size.spots), lambda: 1 if size.spots > 2 else 0):
        with pytest.raises(
            ModelError, match="a size is not known yet where the state and the rules are declared"
        ):
            use()


# -- views ---------------------------------------------------------------------------------------------


def build(act: Callable[..., None], params: dict[str, Any] | None = None, **fields: Any) -> Program:
    book = Rulebook("views", sizes={"only": Numbers()}, players=2, clauses=["c"])
    book.state(type("Table", (State,), fields))
    book.rule("c", by=player(lambda t: 0), **(params or {}))(act)
    return book.build()


def after(act: Callable[[Any], None], **fields: Any) -> tuple[int, ...] | str:
    """The state after a rule, or the site at which it stopped."""

    def rule(t: Any) -> None:
        act(t)

    program = build(rule, **fields)
    step = Interpreter(program).step(program.start, program.instances[0])
    return step.state or program.sites[step.hits[-1]].id


PILE = Stack(Range(1, 9), 3, start=[4, 6])


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda t: t.pile.push(9), (3, 4, 6, 9)),
        (lambda t: t.pile.pop(), (1, 4, 1, 1)),
        (lambda t: t.pile.remove(0), (1, 6, 1, 1)),
        (lambda t: t.pile.remove(t.pile.depth - 1), (1, 4, 1, 1)),
        (lambda t: t.pile.remove(2), "capacity:pile.remove"),
        (lambda t: t.pile.insert(0, 9), (3, 9, 4, 6)),
        (lambda t: t.pile.insert(1, 9), (3, 4, 9, 6)),
        (lambda t: t.pile.insert(t.pile.depth, 9), (3, 4, 6, 9)),
        (lambda t: t.pile.insert(3, 9), "capacity:pile.insert"),
        (lambda t: t.pile.clear(), (0, 1, 1, 1)),
        (lambda t: t.pile.__setitem__(1, 9), (2, 4, 9, 1)),
        (lambda t: t.pile.__setitem__(2, 9), "capacity:pile[]"),
        (lambda t: [t.pile.push(1) for _ in range(2)], "capacity:pile.depth"),
        (lambda t: [t.pile.pop() for _ in range(3)], "capacity:pile.remove"),
        (lambda t: t.pile.push(t.pile.top + t.pile[0]), "capacity:pile"),
    ],
)
def test_a_stack(act: Callable[[Any], None], expected: tuple[int, ...] | str) -> None:
    assert after(act, pile=PILE) == expected


def test_what_a_stack_shows() -> None:
    def act(t: Any) -> None:
        for i, value in enumerate(
            (
                t.pile.depth,
                t.pile.top,
                t.pile[0],
                t.pile[1],
                t.pile[2],
                t.pile[3],
                t.pile[-1],
                t.pile.how_many(6),
            )
        ):
            t.out[i] = value
        t.flags[0], t.flags[1], t.flags[2] = t.pile.has(1), t.pile.has(2), t.pile.has(-1)

    made = after(act, pile=PILE, out=Array(8, Range(0, 9)), flags=Array(3, Bool()))
    assert made[4:] == (2, 6, 4, 6, 1, 1, 1, 1, 1, 0, 0)


def test_a_height_above_a_full_stack_is_not_its_top() -> None:
    def act(t: Any) -> None:
        t.out[0] = t.pile[t.n]
        t.out[1] = t.pile[t.n - 4]

    full = Stack(Range(1, 9), 2, start=[4, 6])
    made = after(act, pile=full, n=Range(0, 3, start=3), out=Array(2, Range(0, 9)))
    assert made[4:] == (1, 1)


def test_an_empty_stack_shows_the_least_value_on_top() -> None:
    def act(t: Any) -> None:
        t.out = t.pile.top

    assert after(act, pile=Stack(Range(3, 9), 2), out=Range(0, 9)) == (0, 3, 3, 3)


def test_stacks_chosen_by_a_term() -> None:
    def act(t: Any) -> None:
        t.piles[t.i].push(Card.C)
        t.piles[1 - t.i].push(t.piles[t.i].top)
        t.piles[t.i].pop()

    made = after(act, i=Index(2, start=1), piles=Array(2, Stack(Enum(Card), 2)))
    assert made == (1, 1, 2, 0, 0, 0, 0)


def test_a_grid_knows_its_shape() -> None:
    seen: dict[str, Any] = {}

    def act(t: Any) -> None:
        g = t.board
        seen.update(
            rows=g.rows,
            columns=g.columns,
            keys=g.keys(),
            corner=g.neighbours(0, 0),
            middle=g.neighbours(1, 1),
            edges=g.edges(),
        )
        g[t.i, 1] = True
        g.fill(g[1, 1])

    made = after(act, i=Index(2, start=1), board=Grid(2, 3, Bool()))
    assert made == (1, 1, 1, 1, 1, 1, 1)
    assert (seen["rows"], seen["columns"], len(seen["keys"])) == (2, 3, 6)
    assert seen["corner"] == [(0, 1), (1, 0)]
    assert seen["middle"] == [(0, 1), (1, 2), (1, 0)]
    assert seen["edges"] == [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)]


def test_a_bag_is_emptied_kind_by_kind() -> None:
    def act(t: Any) -> None:
        t.deck.remove(Card.A, 2)
        t.deck.remove(t.card)
        t.left = t.deck.total()

    deck = Bag(Card, {Card.A: 2, Card.B: 1, Card.C: 1})
    made = after(act, deck=deck, card=Enum(Card, start=Card.C), left=Range(0, 9))
    assert made == (0, 1, 0, 2, 1)
    assert after(lambda t: t.deck.add(Card.B), deck=deck) == "capacity:deck"


# -- indices that leave their range --------------------------------------------------------------------


def test_an_index_that_leaves_the_range_stops_the_step() -> None:
    def act(t: Any) -> None:
        t.out = t.row[t.i + 1]

    for start, expected in ((0, (0, 5, 6, 6)), (1, "capacity:row[]")):
        row = Array(2, Range(0, 9), start=[5, 6])
        assert after(act, i=Index(2, start=start), row=row, out=Range(0, 9)) == expected


def test_a_guard_that_looks_outside_lets_the_step_begin_and_stop() -> None:
    def act(t: Any) -> None:
        t.require(t.row[t.i + 1] == 6)
        t.i = 0

    for start, expected in ((0, (0, 5, 6)), (1, "capacity:row[]")):
        program = build(act, i=Index(2, start=start), row=Array(2, Range(0, 9), start=[5, 6]))
        run = Interpreter(program)
        (instance,) = run.enabled(program.start)
        step = run.step(program.start, instance)
        assert (step.state or program.sites[step.hits[-1]].id) == expected


def test_a_guard_before_keeps_the_next_one_inside() -> None:
    def act(t: Any) -> None:
        t.require(t.i < 1)
        t.require(t.row[t.i + 1] == 6)
        t.i = 0

    program = build(act, i=Index(2, start=1), row=Array(2, Range(0, 9), start=[5, 6]))
    assert Interpreter(program).enabled(program.start) == []


def test_a_guard_whose_only_item_inside_is_looked_at_from_outside() -> None:
    def act(t: Any) -> None:
        t.require(t.row[t.low] == 6)
        t.out = 1

    program = build(act, low=Range(-2, 0), row=Array(2, Range(0, 9), start=[5, 6]), out=Range(0, 1))
    run = Interpreter(program)
    (instance,) = run.enabled(program.start)
    assert [program.sites[s].id for s in run.step(program.start, instance).hits] == ["capacity:row[]"]
    assert run.enabled((0, *program.start[1:])) == []


def test_an_index_in_a_property_must_stay_inside() -> None:
    program = build(lambda t: None, i=Index(2), row=Array(2, Bool()))
    with pytest.raises(
        ModelError, match=r"the index \(\+ i 1\) \(1\.\.2\) can leave row, which has items 0\.\.1"
    ):
        program.expression(lambda t: t.row[t.i + 1])
    assert str(program.expression(lambda t: t.row[1 - t.i])) == "(row@ (- 1 i))"


# -- capacity ------------------------------------------------------------------------------------------


def test_a_number_that_can_leave_its_range_is_a_capacity_question_without_successor() -> None:
    def act(t: Any) -> None:
        t.n = t.n + 1
        t.seen = True

    program = build(act, n=Range(0, 1), seen=Bool())
    run = Interpreter(program)
    assert run.step((0, 0), program.instances[0]).state == (1, 1)
    stopped = run.step((1, 0), program.instances[0])
    assert (stopped.state, [program.sites[s].id for s in stopped.hits]) == (None, ["capacity:n"])


def test_a_number_that_cannot_leave_asks_nothing() -> None:
    def act(t: Any) -> None:
        t.n = (t.n + 1) % 3
        t.row[t.n] = t.n

    assert build(act, n=Range(0, 2), row=Array(3, Range(0, 2))).sites == ()


def test_items_of_different_ranges_are_asked_one_by_one() -> None:
    deck = Bag(Card, {Card.A: 1, Card.B: 3, Card.C: 2}, full=False)

    def act(t: Any) -> None:
        t.deck[t.card] = 2

    assert after(act, deck=deck, card=Enum(Card)) == "capacity:deck"
    assert after(act, deck=deck, card=Enum(Card, start=Card.B)) == (0, 2, 0, 1)


# -- windows -------------------------------------------------------------------------------------------


def test_a_window_goes_round_and_closes_when_all_have_passed() -> None:
    def act(t: Any, what: int) -> None:
        with t.when(t.n == 0):
            t.window.opens(first=2)
        with t.otherwise():
            t.window.passes()
        t.n = 1

    program = build(act, {"what": 1}, window=Window(3), n=Range(0, 1))
    run, states = Interpreter(program), [program.start]
    for _ in range(5):
        after = run.step(states[-1], program.instances[0]).state
        assert after is not None
        states.append(after)
    assert [s[:3] for s in states] == [(0, 0, 0), (1, 2, 0), (1, 0, 1), (1, 1, 2), (0, 0, 0), (1, 1, 1)]
    assert {s.id for s in program.sites} == set()


def test_a_window_asks_only_while_it_is_open() -> None:
    program = build(lambda t: None, window=Window(2), n=Bool())
    asks = program.expression(lambda t: t.window.asks(0))
    run = Interpreter(program)
    assert [run.value(asks, s) for s in ((0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0))] == [0, 1, 0]


def test_windows_of_several_tables() -> None:
    def act(t: Any) -> None:
        t.windows[t.i].opens(first=t.windows[t.i].after(1))

    made = after(act, i=Index(2, start=1), windows=Array(2, Window(2)))
    assert made == (1, 0, 0, 0, 1, 0, 0)
