"""The explorer and Z3 agree on which readings part, and after how many moves, at sizes that both can do.

Z3 is asked as the audit asks it at the printed size (a state in which anything differs, then what players see
of it), without native search, so that the two ways have nothing in common but the rules. Where its play shows
nothing because what differs is hidden, it is asked for the parting that players see: the second program
follows in the shadow of the first (`solvers.compare.shadow`).

The advanced level too: `RULESLAWYER_ALL_SIZES=1 pytest tests/conformance/test_readings.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import combinations

import attrs
import pytest

from findings.audit.print_size import parting, seen
from models.fly_high.cards import FlyHigh
from models.language import Program, Rulebook, Size, registry
from models.language.ir import Kind
from models.language.questions import derived_id
from solvers.compare import Diagonal, Parting
from solvers.compare.shadow import PARTING, shadowed
from solvers.contract import Proved, Refuted, Unknown, Verdict
from solvers.explorer import explore
from solvers.interpreter import Interpreter
from solvers.symbolic import ask
from solvers.symbolic.answers import site_goal
from solvers.symbolic.goals import Goal

#: Seconds for one question, and for the same again where a busy machine needs more.
BUDGETS = (60.0, 240.0, 960.0)
LONG = pytest.mark.skipif(
    not os.environ.get("RULESLAWYER_ALL_SIZES"), reason="takes minutes: RULESLAWYER_ALL_SIZES"
)
TINY = FlyHigh(spots=2, cards="10A 20A*2 R U F", die=(1, 2))


@attrs.frozen
class Case:
    """Readings of a rulebook at a size.

    Attributes:
        book: The rulebook.
        size: The size.
        variant: The variant.
        found: What becomes of the pairs of options, and how many there are of each: `same` (the same rules),
            `never` (nothing ever differs), `hidden` (players never see what differs), `parts`.
        only: Beginnings of the readings that are asked.
        unseen: Readings whose difference players never see, as the explorer says; Z3 proves that at a smaller
            size, in a case of its own.
    """

    book: str
    size: str | Size
    variant: str
    found: Mapping[str, int]
    only: tuple[str, ...] = ("",)
    unseen: frozenset[str] = frozenset()


CASES = {
    "fly_high": Case(
        "fly_high",
        "small",
        "basic",
        {"parts": 15, "never": 1, "hidden": 1, "same": 2},
        unseen=frozenset({"uturn.further-special"}),
    ),
    "fly_high, what stays hidden": Case(
        "fly_high", TINY, "basic", {"hidden": 1}, only=("uturn.further-special",)
    ),
    "fly_high, advanced": Case(
        "fly_high",
        "small",
        "advanced",
        {"parts": 2, "never": 3, "hidden": 1},
        only=("advanced.set-by", "advanced.level-uturn"),
        unseen=frozenset({"advanced.set-by"}),
    ),
    "the_dwarf_king": Case("the_dwarf_king", "small-rest", "trick", {"parts": 11, "never": 2, "same": 4}),
    "my_dwarves_fly": Case(
        "my_dwarves_fly",
        "small-kinds",
        "game",
        {"parts": 5, "never": 1, "same": 4},
        only=("turn.", "drawing.", "third.", "skill.", "battle.", "strongest."),
    ),
    "the_duel": Case(
        "the_duel",
        "small-axe",
        "turn",
        {"parts": 1, "never": 1, "hidden": 1, "same": 2},
        only=("wild", "pay."),
        unseen=frozenset({"wild.free-card"}),
    ),
}


def options(book: Rulebook, program: Program, sites: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Every two options of each reading that a program consults, and of each two rows that clash in play."""
    for r in book.readings.values():
        if r.id in program.consulted:
            for a, b in combinations(r.options, 2):
                yield r.id, a, b
    for s in program.sites:
        if s.kind is Kind.CLASH and s.id in sites:
            a, b = s.rows
            yield derived_id(s.name, a, b), a, b


def asked(program: Program, goal: Goal) -> Verdict:
    """What Z3 says, with as much time as it needs."""
    verdict: Verdict = Unknown("not asked", "")
    for seconds in BUDGETS:
        verdict = ask(program, goal, budget_seconds=seconds, search=False)
        if not isinstance(verdict, Unknown):
            break
    return verdict


def agreed(one: Program, two: Program, *, unseen: bool) -> str:
    """What the explorer and Z3 both say of two programs; see `Case.found`."""
    diagonal = Diagonal(explore(one, graph=True))
    first, apart, goal = diagonal.first(two), diagonal.apart(two), parting(one, two)
    if goal is None:
        assert isinstance(first, Proved)
        assert apart is None
        return "same"
    told = asked(one, goal)
    if apart is None:
        assert isinstance(first, Proved)
        assert isinstance(told, Proved), told
        return "never"
    assert isinstance(told, Refuted), told
    play = told.witness
    assert len(play.labels) >= apart
    assert len(play.labels) == apart or not play.shortest
    shown = seen(Interpreter(one), two, play.labels)
    if isinstance(shown, Refuted):
        assert isinstance(first, Parting)
        assert apart <= len(first.play.labels) <= len(shown.witness.labels)
        if play.shortest and len(shown.witness.labels) == len(play.labels):
            assert len(first.play.labels) == apart
        return "parts"
    if unseen:
        assert isinstance(first, Proved)
        return "hidden"
    shadow = shadowed(one, two)
    visible = asked(shadow.program, site_goal(shadow.program, f"cover:{PARTING}"))
    if isinstance(first, Proved):
        assert isinstance(visible, Proved), visible
        return "hidden"
    assert isinstance(first, Parting)
    assert isinstance(visible, Refuted), visible
    steps = len(visible.witness.labels)  # the step that parts them is one of them
    assert steps >= len(first.play.labels) + 1
    assert steps == len(first.play.labels) + 1 or not visible.witness.shortest
    return "parts"


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=LONG if n == "fly_high, advanced" else ()) for n in CASES]
)
def test_both_engines_say_the_same_of_every_pair_of_options(name: str) -> None:
    case = CASES[name]
    book = registry.find(case.book)
    explored = explore(book.build(case.size, case.variant))
    assert explored.complete
    found: dict[str, int] = {}
    for id, a, b in options(book, explored.program, explored.sites):
        if id.startswith(case.only):
            one, two = (book.build(case.size, case.variant, {id: o}) for o in (a, b))
            told = agreed(one, two, unseen=id in case.unseen)
            found[told] = found.get(told, 0) + 1
    assert found == case.found
