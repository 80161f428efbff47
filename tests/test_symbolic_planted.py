"""One fault planted in a tiny rulebook: the symbolic engine finds it, with its clauses, and nothing else."""

from __future__ import annotations

import enum
from typing import Any

import attrs
import pytest

from models.language import (
    RULES,
    Bool,
    Enum,
    Index,
    Policy,
    Program,
    Range,
    Rulebook,
    Size,
    State,
    decide,
    player,
    row,
)
from models.language.ir import COVERAGE, Kind
from solvers.contract import Proved, Refuted
from solvers.interpreter import Interpreter
from solvers.symbolic import ask_order, ask_site, ask_stuck, check_facts, find_invariants


class Phase(enum.Enum):
    WALK = 0
    PAY = 1
    DONE = 2


@attrs.frozen(kw_only=True)
class Toll(Size):
    """A walk over a bridge of some planks."""

    players: int = 2
    planks: int = 9


CLAUSES = ["walk", "low", "middle", "high", "alms", "tax", "end", "planks", "shares", "crowd"]


def toll(plant: str = "") -> Rulebook:
    """A walk along planks with a toll at the end; `plant` names the fault to build in."""
    book = Rulebook("toll", sizes={"tiny": Toll()}, players=2, clauses=CLAUSES)

    @book.state
    class Bridge(State):
        phase = Enum(Phase)
        turn = Index(2)
        plank = Range(0, 9)
        purse = Range(0, 40, start=9)
        alms = Bool()
        tax = Bool()

    by = player(lambda t: t.turn)

    @book.rule("walk", by=by, phase=Phase.WALK, steps=[1, 2, 3])
    def walk(t: Any, steps: int) -> None:
        """Walk on; near the end of the bridge the toll falls due."""
        t.require(t.plank + steps <= 9)
        t.plank = t.plank + steps
        low, high = t.plank <= 3, t.plank >= 7
        middle = (t.plank >= 4) & (t.plank <= 6)
        if plant == "contradiction":
            middle = (t.plank >= 3) & (t.plank <= 6)
        if plant == "gap":
            middle = (t.plank >= 5) & (t.plank <= 6)
        rows = [
            row("low", when=low, then="rest"),
            row("middle", when=middle, then="on"),
            row("high", when=high, then="due"),
        ]
        if plant == "dead row":
            rows.append(row("end", when=t.plank + t.turn < 0 - t.plank, then="due"))

        def rest() -> None:
            t.turn = 1 - t.turn

        def on() -> None:
            t.turn = t.turn

        def due() -> None:
            t.phase = Phase.PAY
            t.alms = True
            t.tax = True

        decide(t, "toll-table", rows, policy=Policy.UNIQUE, outcomes={"rest": rest, "on": on, "due": due})

    @book.rule("alms", by=RULES, phase=Phase.PAY)
    def give(t: Any) -> None:
        """Give one coin away."""
        t.require(t.alms)
        t.alms = False
        t.purse = t.purse - 1
        with t.when(~t.tax):
            t.phase = Phase.DONE

    @book.rule("tax", by=RULES, phase=Phase.PAY)
    def levy(t: Any) -> None:
        """Give half of the purse (or, without the fault, three coins)."""
        t.require(t.tax)
        t.tax = False
        t.purse = t.purse // 2 if plant == "order" else t.purse - 3
        with t.when(~t.alms):
            t.phase = Phase.DONE

    @book.over("end")
    def over(t: Any) -> Any:
        """The toll is paid."""
        return t.phase == Phase.DONE

    planks, shares = book.quantity("planks", 1, 20), book.quantity("shares", 1, 10)
    people = book.quantity("players", 2, 4)
    book.fact("planks", planks == 9)
    book.fact("shares", planks == 3 * shares)
    if plant == "facts":
        book.fact("crowd", shares > 3)
    if plant == "setup":
        book.fact("crowd", planks == people * shares)
    return book


def findings(program: Program) -> dict[str, tuple[str, ...]]:
    """Everything that the engine says of the program: finding → clauses, each with a replayed play."""
    found: dict[str, tuple[str, ...]] = {}
    invariants = find_invariants(program, budget_seconds=30.0)
    run = Interpreter(program)
    for site in program.sites:
        verdict = ask_site(program, site.id, invariants=invariants, budget_seconds=30.0)
        assert isinstance(verdict, (Refuted, Proved)), f"{site.id}: {verdict}"
        if isinstance(verdict, Refuted):
            run.replay(verdict.witness.labels)
        if isinstance(verdict, Refuted) and site.kind not in COVERAGE:
            found[site.id] = site.clauses
        if isinstance(verdict, Proved) and site.kind is Kind.ROW:
            found[f"dead {site.id}"] = site.clauses
    assert isinstance(ask_stuck(program, invariants=invariants, budget_seconds=30.0), Proved)
    for rules, verdict in ask_order(program, invariants=invariants, budget_seconds=30.0).items():
        if isinstance(verdict, Refuted):
            clauses = [program.by_label[rule].clauses for rule in rules]
            found[f"order {' '.join(rules)}"] = tuple(c for some in clauses for c in some)
        else:
            assert isinstance(verdict, Proved)
    report = check_facts(program.book)
    assert report.complete
    for core in report.contradictions:
        found["facts"] = core.clauses
    for setup in report.impossible:
        for core in setup.cores:
            found[f"{setup.quantity} {setup.value}"] = core.clauses
    return found


@pytest.mark.parametrize(
    ("plant", "expected"),
    [
        ("", {}),
        ("contradiction", {"clash:toll-table:low+middle": ("low", "middle")}),
        ("gap", {"gap:toll-table": ("low", "middle", "high")}),
        ("dead row", {"dead row:toll-table:end": ("end",)}),
        ("order", {"order give levy": ("alms", "tax")}),
        ("facts", {"facts": ("planks", "shares", "crowd")}),
        ("setup", {"players 2": ("shares", "crowd"), "players 4": ("shares", "crowd")}),
    ],
)
def test_planted(plant: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert findings(toll(plant).build()) == expected
