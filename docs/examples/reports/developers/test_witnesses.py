"""Plays that show open questions of the rulebook, as tests of an implementation.

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
