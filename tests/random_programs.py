"""Random rulebooks: a Hypothesis strategy of built programs, for the language and for every engine.

`rulebooks()` gives a `Random`, which can be built (`build`) and played by the naive evaluator (`steps`);
`programs()` gives built programs, for whoever only wants an IR to run. No state of these mixes chance and
players; everything else that the language has may occur, out-of-range indices and open ends included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bag,
    Bool,
    Enum,
    Field,
    Program,
    Range,
    Rulebook,
    Size,
    Stack,
    State,
    player,
    responder,
)
from models.language.questions import By
from tests.naive_play import Playing, Position, Shape, enabled, play
from tests.random_expressions import Expressions
from tests.random_scripts import COLOURS, Colour, Expr, Recording, Script, run, value
from tests.random_statements import Statements, shapes

PLAYERS = 2


@dataclass(frozen=True)
class RandomRule:
    """A rule of a random rulebook.

    Attributes:
        name: Its name.
        actor: `rules`, `window`, `chance` or `player`.
        params: Parameter name → number of values, or -1 for the colours.
        weight: Weight of a chance rule.
        who: Who acts, for `window` and `player`.
        script: What it does.
        secret: Whether its parameters are secret.
    """

    name: str
    actor: str
    params: tuple[tuple[str, int], ...]
    weight: Expr
    who: Expr
    script: Script
    secret: bool


@dataclass(frozen=True)
class Random:
    """A random rulebook as data.

    Attributes:
        shapes: Fields.
        rules: Rules.
        over: When the game is over.
        winner: Who has won (over the name `p`).
        score: Score of a player (over the name `p`).
        derived: Derived readings that are set.
    """

    shapes: tuple[Shape, ...]
    rules: tuple[RandomRule, ...]
    over: Expr
    winner: Expr
    score: Expr
    derived: tuple[tuple[str, str], ...]

    def book(self) -> Rulebook:
        """The rulebook, made through the public modelling language."""
        made = Rulebook("random", sizes={"only": Size()}, players=PLAYERS, clauses=["c"])
        made.state(type("Table", (State,), {s.name: _field(s) for s in self.shapes}))
        for rule in self.rules:
            _declare(made, rule)
        made.over("c")(lambda t: value(self.over, Recording(t), {}))
        made.winner("c")(lambda t, p: value(self.winner, Recording(t), {"p": p}))
        made.score("c")(lambda t, p: value(self.score, Recording(t), {"p": p}))
        return made

    def build(self) -> Program:
        """The built program; a derived reading of a table that is never traced is left out."""
        book = self.book()
        known = book.build().consulted if self.derived else frozenset()
        return book.build(readings={k: v for k, v in self.derived if k in known})

    @cached_property
    def start(self) -> Position:
        """The setup, for the naive evaluator."""
        return Position.setup(self.shapes)

    def over_at(self, position: Position) -> bool:
        """Whether the game is over."""
        return bool(value(self.over, Playing(position), {}))

    def steps(self, position: Position) -> Iterator[tuple[str, int, Position | None, list[str]]]:
        """What may happen by the naive evaluator: label, weight, successor (or None), sites met in order."""
        if self.over_at(position):
            return
        order = ("rules", "window", "chance", "player")
        found: dict[str, list[tuple[str, int, RandomRule, dict[str, int]]]] = {}
        for rule in self.rules:
            for label, names in _instances(rule):
                weight = value(rule.weight, Playing(position), names) if rule.actor == "chance" else 1
                if weight > 0 and enabled(rule.script, position, names):
                    found.setdefault(rule.actor, []).append((label, weight, rule, names))
        first = next((found[a] for a in order if a in found), [])
        for label, weight, rule, names in first:
            yield label, weight, *play(rule.script, position, names, dict(self.derived))


def _instances(rule: RandomRule) -> Iterator[tuple[str, dict[str, int]]]:
    combinations: list[dict[str, int]] = [{}]
    for name, n in rule.params:
        combinations = [{**c, name: v} for c in combinations for v in range(n if n > 0 else len(COLOURS))]
    kinds = dict(rule.params)
    for names in combinations:
        shown = (f"{k}={COLOURS[v].name if kinds[k] < 0 else v}" for k, v in names.items())
        yield (f"{rule.name}({', '.join(shown)})" if names else rule.name), names


def _field(shape: Shape) -> Field[Any]:
    if shape.kind == "bag":
        return Bag(Colour, list(shape.start), hidden=shape.hidden)
    convert: Callable[[Any], Any] = int
    item: Field[Any] = Range(shape.item.lo, shape.item.hi)
    if shape.kind == "flag":
        item, convert = Bool(), bool
    elif shape.kind == "colour":
        item, convert = Enum(Colour), COLOURS.__getitem__
    if shape.most:
        made: Field[Any] = Stack(
            item, shape.most, start=[convert(v) for v in shape.start], hidden=shape.hidden
        )
    else:
        item.start, item.hidden = convert(shape.start), shape.hidden
        made = item
    keys: list[Any] = list(shape.sizes)
    if shape.by_colour:
        keys[-1] = Colour
    for key in reversed(keys):
        made = Array(key, made)
    return made


def _declare(book: Rulebook, rule: RandomRule) -> None:
    def function(t: State, **names: Any) -> None:
        run(rule.script, Recording(t), dict(names))

    def weight(t: State, **names: Any) -> Any:
        return value(rule.weight, Recording(t), names)

    def who(t: State, **names: Any) -> Any:
        return value(rule.who, Recording(t), names)

    function.__name__ = rule.name
    actors: dict[str, By] = {
        "rules": RULES,
        "chance": CHANCE,
        "player": player(who),
        "window": responder(who),
    }
    params: Mapping[str, Any] = {k: n if n > 0 else Colour for k, n in rule.params}
    book.rule(
        "c",
        by=actors[rule.actor],
        weight=weight if rule.actor == "chance" else 1,
        secret=list(params) if rule.secret else (),
        **params,
    )(function)


@st.composite
def rulebooks(draw: st.DrawFn, *, chance: bool | None = None) -> Random:
    """Random rulebooks.

    Args:
        draw: Hypothesis' source of choices.
        chance: Whether chance (True) or players (False) act; either unless given.
    """
    made = shapes(draw)
    dice = draw(st.booleans()) if chance is None else chance
    actors = ["chance" if dice else "player"] * 4 + ["rules", "window"]
    rules, tables = [], []
    for number in range(1 + draw(st.integers(0, 3))):
        params = [("p", draw(st.integers(1, 3)))] if draw(st.booleans()) else []
        if draw(st.integers(0, 3)) == 0:
            params.append(("k", -1))
        statements = Statements(draw, made, dict(params), f"x{number}")
        script = statements.script()
        tables += statements.doubtful
        actor = draw(st.sampled_from(actors))
        plain = Expressions(draw, made, dict(params))
        rules.append(
            RandomRule(
                f"act{number}",
                actor,
                tuple(params),
                ("add", ("mod", 3, plain.number(1)), ("int", draw(st.integers(0, 1)))),
                ("mod", PLAYERS, plain.number(1)),
                script,
                bool(params) and draw(st.integers(0, 3)) == 0,
            )
        )
    ends = Expressions(draw, made, {})
    seen = Expressions(draw, made, {"p": PLAYERS})
    over = ("and", *(ends.truth(1) for _ in range(3))) if draw(st.integers(0, 2)) == 2 else ("bool", False)
    derived = tuple((id, draw(st.sampled_from(options))) for id, options in tables if draw(st.booleans()))
    return Random(made, tuple(rules), over, seen.truth(1), seen.number(1), derived)


def programs(*, chance: bool | None = None) -> st.SearchStrategy[Program]:
    """Built random programs; see `rulebooks`."""
    return rulebooks(chance=chance).map(Random.build)
