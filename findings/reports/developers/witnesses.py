"""Witnesses as regression tests: setup, moves, the table after each, and what each reading leads to.

Promises: a test for every finding with a play; the tables are those of the replayed play; the pack's
`adapter.py` runs the model itself, so that the tests pass as they are, and is what a developer replaces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from findings.detail import Branch, Step
from findings.finding import Finding, RulebookAudit
from findings.reports.view import Book
from findings.text import printable


def cases(book: Book) -> str:
    """All tests as JSON."""
    made = [case for audit in book.audits for case in _cases(audit)]
    return json.dumps({"rulebook": book.name, "cases": made}, ensure_ascii=False, indent=1) + "\n"


def _cases(audit: RulebookAudit) -> Iterator[dict[str, Any]]:
    hidden = audit.background.hidden if audit.background is not None else ()
    for f in audit.findings:
        if not f.play or f.witness is None or not f.witness.length:
            continue
        yield {
            "id": f"{audit.variant}-{f.fingerprint}",
            "finding": f.fingerprint,
            "code": f.code,
            "question": printable(f.question or f.title),
            "variant": audit.variant,
            "size": f.witness.size,
            "reading": f.reading if f.branches else "",
            "default": f.default,
            "setup": _visible(f.play[0], hidden),
            "moves": list(f.witness.moves),
            "expected": [_visible(s, hidden) for s in f.play[1:]],
            "branches": list(_branches(f, hidden)),
        }


def _visible(step: Step, hidden: tuple[str, ...]) -> dict[str, Any] | None:
    """The fields that players see; None where play stops."""
    return None if step.state is None else {k: v for k, v in step.state.items() if k not in hidden}


def _branches(f: Finding, hidden: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """For each reading: the moves of its branch, and the tables after them."""
    for branch in f.branches if f.reading else ():
        made = [s for s in branch.steps if s.move]
        before = _before(f, branch)
        if before is None:
            continue
        yield {
            "option": branch.option,
            "allowed": branch.end != "not allowed",
            "before": before,
            "moves": [s.move for s in made] or ([f.play[-1].move] if branch.end == "not allowed" else []),
            "expected": [_visible(s, hidden) for s in made],
            "end": branch.end,
        }


def _before(f: Finding, branch: Branch) -> int | None:
    """After how many moves of the play the branch begins; None where it does not lie on the play."""
    made = [s for s in branch.steps if s.move]
    last = f.witness.length if f.witness is not None else 0
    if made:
        return last - 1 if made[0].move == f.play[-1].move else None
    if branch.steps:
        return last
    return last - 1 if branch.moves else None


TESTS = '''"""Plays that show open questions of the rulebook, as tests of an implementation.

`adapter.py` beside this file says how the implementation is driven; as it comes it drives the model that the
plays were found on. Run with `pytest`.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import adapter

CASES = json.loads((Path(__file__).parent / "witnesses.json").read_text(encoding="utf-8"))["cases"]


def visible(game, expected):
    """The fields of the game's table that a case speaks of."""
    state = game.state()
    return {name: state[name] for name in expected}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_the_play_leads_where_the_rules_lead(case):
    """Each move is allowed, and the table after it is the one of the play."""
    game = adapter.start(case["variant"], case["size"], {})
    assert visible(game, case["setup"]) == case["setup"]
    for move, expected in zip(case["moves"], case["expected"], strict=True):
        assert game.allows(move), f"{move} is not allowed"
        stopped = not game.make(move)
        if expected is None:
            assert stopped, f"{move} should end at an open end of the text"
        else:
            assert visible(game, expected) == expected, f"after {move}"


BRANCHES = [(case, branch) for case in CASES for branch in case["branches"]]


@pytest.mark.parametrize(("case", "branch"), BRANCHES, ids=lambda c: c.get("id", c.get("option")))
def test_each_reading_leads_where_it_says(case, branch):
    """With an option chosen, the moves from the parting on lead to its tables."""
    game = adapter.start(case["variant"], case["size"], {case["reading"]: branch["option"]})
    for move in case["moves"][: branch["before"]]:
        if not game.allows(move):
            pytest.skip("under this reading play does not come this way")
        game.make(move)
    if not branch["allowed"]:
        assert not any(game.allows(move) for move in branch["moves"])
        return
    for move, expected in zip(branch["moves"], branch["expected"], strict=True):
        assert game.allows(move), f"{move} is not allowed"
        stopped = not game.make(move)
        assert stopped if expected is None else visible(game, expected) == expected
'''

ADAPTER = '''"""Drives the implementation under test; replace what is behind these four functions by your own.

As it comes, it drives the model of the rulebook that the plays were found on.
"""

from findings.audit.details import plain
from models.language import registry
from models.language.words import Position
from solvers.interpreter import Interpreter

RULEBOOK = {rulebook}


class Game:
    """One game."""

    def __init__(self, program):
        self.run, self.program, self.table = Interpreter(program), program, program.start

    def allows(self, move):
        """Whether a move, written `name(parameter=value)`, may be made now."""
        return any(i.label == move for i in self.run.enabled(self.table))

    def make(self, move):
        """Make a move; False where the text does not say how play goes on."""
        after = self.run.step(self.table, self.run.find(move)).state
        self.table = self.table if after is None else after
        return after is not None

    def state(self):
        """The table: field to value, members of enumerations by name."""
        return {{k: plain(v) for k, v in Position(self.program, self.table).values.items() if k != "size"}}


def start(variant, size, readings):
    """A new game.

    `variant` and `size` are names of the rulebook, `readings` maps a question to the option that is played.
    """
    return Game(registry.find(RULEBOOK).build(size, variant, readings))
'''


def adapter(rulebook: str) -> str:
    """The adapter that drives the model of a rulebook, named or by its path."""
    return ADAPTER.format(rulebook=json.dumps(rulebook))
