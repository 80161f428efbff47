"""Pictures of My Dwarves Fly: every table of random games is drawn, and what lies there is in the picture."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest

from findings.audit.details import plain
from models.language import registry
from models.language.words import Position, Words
from models.my_dwarves_fly.picture import draw
from solvers.compare.playouts import choose
from solvers.interpreter import Interpreter

BOOK = registry.find("my_dwarves_fly")


def tables(variant: str, size: str, games: int) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None]]:
    """The tables of random games, each with the one before."""
    program = BOOK.build(size, variant)
    run, draws = Interpreter(program), random.Random(7)
    for _ in range(games):
        state, before = program.start, None
        for _ in range(60):
            values = Position(program, state).values
            table = {k: plain(values[k]) for k in program.layout.fields}
            yield table, before
            enabled = run.enabled(state)
            after = run.step(state, choose(run, state, enabled, draws.random())).state if enabled else None
            if after is None:
                break
            state, before = after, table


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("variant", list(BOOK.variants))
def test_every_table_is_drawn(variant: str, language: str) -> None:
    words = Words.load(BOOK.folder, language)
    drawn = [draw(table, before, words) for table, before in tables(variant, "small", 12)]
    assert len(drawn) > 100
    for picture in drawn:
        assert picture.width < 900
        assert picture.height < 700
        assert ElementTree.fromstring(picture.svg()).tag.endswith("svg")
    assert all('class="x"' not in draw(t, t, words).body for t, _ in tables(variant, "small", 1))


def test_creatures_on_the_table_are_named_and_hands_are_only_counted() -> None:
    words = Words.load(BOOK.folder)
    shown = 0
    for table, before in tables("game", "small", 12):
        told = texts(draw(table, before, words).svg())
        for player, team in enumerate(table["team"]):
            for kind, n in team.items():
                assert told.count(str(words.at("enum", "Creature", kind))) >= n
                shown += n
            assert str(sum(table["hand"][player].values())) in told
    assert shown > 20
