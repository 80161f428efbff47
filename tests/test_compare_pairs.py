"""Random rulebooks part where a naive search over pairs of states says, and where what is seen differs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from models.language import RULES, Array, Range, Rulebook, Size, State, every, ite, player, some
from models.language.program import Program
from solvers.compare import Diagonal, Parting
from solvers.compare.pairs import Kind, Node, Pair
from solvers.contract import Proved
from solvers.explorer import explore
from solvers.interpreter import Interpreter


@attrs.frozen(kw_only=True)
class One(Size):
    pass


def _random_book(seed: int) -> Rulebook:
    """A random rulebook over few states: open, hidden and secret parts, one rule that a reading changes."""
    draw = random.Random(seed)
    book = Rulebook("dice", sizes={"one": One()}, clauses=("c",), players=2)
    r = book.reading("r", "c", options={"old": "old", "new": "new"}, default="old", why="w", asks="a")

    @book.state
    class Table(State):
        clock = Range(0, 4)
        cell = Array(2, Range(0, 2))
        under = Array(2, Range(0, 2), hidden=True)
        mover = Range(0, 1)

    def rule(name: str, change: str, by_rules: bool, secret: bool) -> None:
        under = secret or draw.random() < 0.5
        test, to, source = draw.randrange(3), draw.randrange(2), draw.randrange(2)
        least, shift = draw.randrange(2), draw.randrange(1, 3)

        def body(t: Any, n: int) -> None:
            new = t.reading(r) == "new"
            allowed = (n != shift) if new and change == "choice" else True
            t.require(every(t.clock < 4, t.clock >= (least + (new and change == "guard")), allowed))
            t.require(some(t.cell[source] == test, t.under[to] != test))
            gain = n + shift if new and change == "body" else n
            if under:
                t.under[to] = gain % 3
            else:
                t.cell[to] = (t.under[source] + gain) % 3
            t.clock = t.clock + 1
            t.mover = ite(t.cell[0] == 1, 1 - t.mover, t.mover)

        body.__name__ = name
        by = RULES if by_rules else player(lambda t: t.mover)
        book.rule("c", by=by, n=1 if by_rules else 3, secret="n" if secret else ())(body)

    change, at = draw.choice(["guard", "body", "choice", "choice"]), draw.randrange(3)
    for k, name in enumerate(("one", "two", "three")):
        secret = draw.random() < (0.8 if change == "choice" and k == at else 0.3)
        rule(name, change if k == at else "", not secret and draw.random() < 0.2, secret)
    book.over("c")(lambda t: t.clock == 4)
    return book


def _naive(one: Program, two: Program) -> int | None:
    """Moves before the parting, by plain breadth-first search over nodes; None where they never part."""
    pair = Pair(Interpreter(one), Interpreter(two))
    level = [Node(Kind.PAIR, one.start, {two.start: ()}, ())]
    seen = {n.id for n in level}
    depth = 0
    while level:
        below: list[Node] = []
        for node in level:
            for made in _steps(pair, node):
                if isinstance(made, Parting):
                    return depth
                if made.id not in seen:
                    seen.add(made.id)
                    below.append(made)
        level, depth = below, depth + 1
    return None


def _steps(pair: Pair, node: Node) -> Iterator[Node | Parting]:
    """The parting at a node or all that follows, pairs of equal states included."""
    made = pair.part(node)
    if isinstance(made, Parting):
        yield made
        return
    yield from made
    a, b = node.lead, next(iter(node.others))
    if node.kind is Kind.PAIR:
        theirs = {i.label: i for i in pair.two.run.enabled(b)}
        for i in pair.one.run.enabled(a):
            if i.label in theirs:
                x, y = pair.one.run.after(a, i), pair.two.run.after(b, theirs[i.label])
                if x is not None and x == y:
                    yield Node(Kind.PAIR, x, {y: ()}, (*node.play, i.label))


def _views(program: Program) -> set[tuple[object, ...]]:
    """Everything that can be seen of a play of a program, up to its end."""
    side = Pair(Interpreter(program), Interpreter(program)).one
    found: set[tuple[object, ...]] = set()
    todo: list[tuple[tuple[object, ...], tuple[int, ...]]] = [((), program.start)]
    while todo:
        view, state = todo.pop()
        now = (*view, side.fields(state), side.look(state))
        if now in found and len(view) > 400:
            continue
        found.add(now)
        for key, made in side.moves(state).items():
            for end in side.ends(state, made).values():
                if end is not None:
                    todo.append(((*now, key), end))
    return found


def test_random_books_part_where_a_naive_search_says() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(160):
        book = _random_book(seed)
        one, two = book.build(), book.build(readings={"r": "new"})
        found = Diagonal(explore(one, graph=True, engine="reference")).first(two)
        moves = _naive(one, two)
        assert (len(found.play.labels) if isinstance(found, Parting) else None) == moves, seed
        if isinstance(found, Parting):
            kinds[found.how if found.shared else "secret"] += 1
            kinds["off"] += found.states[0] != found.states[1] and not found.move
        else:
            assert isinstance(found, Proved)
            assert _views(one) == _views(two), seed
            kinds["proved"] += 1
    assert min(kinds[k] for k in ("moves", "outcome", "secret", "off", "proved")) >= 10
