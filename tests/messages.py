"""Rulebooks with one mistake, written to a file, and the message that the mistake brings.

A source is appended to `PRELUDE`; the line that ends in `# here` is the one that the message must name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language import ModelError, registry

PRELUDE = """\
import enum
from functools import partial
import attrs
from models.language import (
    CHANCE, RULES, Array, Bag, Bool, Enum, Grid, Index, Policy, Range, Rulebook, Size, Stack, State, Window,
    count, decide, deferred, every, ite, least, longest, lookup, most, player, rank, reach, renamed, repeat,
    responder, row, some, take, total,
)

class Phase(enum.Enum):
    GO = 0
    END = 1

class Card(enum.Enum):
    A = 0
    B = 1

book = Rulebook("b", sizes={"only": Size()}, players=2, clauses=["turn.go", "turn.end", "faq.one"],
                variants={"base": "", "long": ""})
one = player(lambda t: t.turn)

@book.state
class Table(State):
    phase = Enum(Phase)
    turn = Index(2)
    n = Range(0, 3)
    low = Range(-2, 2, start=0)
    up = Bool()
    card = Enum(Card)
    row = Array(3, Range(0, 3))
    of = Array(Card, Bool())
    deck = Bag(Card, {Card.A: 1, Card.B: 1})
    pile = Stack(Range(1, 6), 2)
    piles = Array(2, Stack(Enum(Card), 2))
    board = Grid(2, 2, Bool())

"""


def write(folder: Path, source: str) -> tuple[Path, int]:
    """Write a rulebook; its file and the number of the line that ends in `# here` (0 if there is none)."""
    text = PRELUDE + source
    path = folder / "rules.py"
    path.write_text(text, encoding="utf-8")
    marked = [i for i, line in enumerate(text.splitlines(), 1) if line.endswith("# here")]
    assert len(marked) <= 1
    return path, marked[0] if marked else 0


def message(folder: Path, source: str, build: str = "book.build()") -> str:
    """The message of the mistake in a source, with `HERE` for the marked place.

    Args:
        folder: An empty folder.
        source: What follows the prelude.
        build: Python expression that builds, with `book` in scope.
    """
    path, line = write(folder, source)
    with pytest.raises(ModelError) as caught:
        eval(build, {"book": registry.find(str(path))})
    return str(caught.value).replace(f"{folder.name}/rules.py:{line}", "HERE")


def rule(*body: str, declared: str = '"turn.go", by=one', args: str = "t") -> str:
    """A rule called `act` with a body."""
    lines = "".join(f"    {line}\n" for line in body)
    return f"@book.rule({declared})\ndef act({args}):\n{lines}"
