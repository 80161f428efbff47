"""Pictures of Dwarves: Dig, Delve, Die: every table of random games is drawn, with what lies there."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest

from findings.audit.details import plain
from models.dwarves_dig_delve_die.picture import draw
from models.language import registry
from models.language.words import Position, Words
from solvers.compare.playouts import choose
from solvers.interpreter import Interpreter

BOOK = registry.find("dwarves_dig_delve_die")


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


def test_dice_lie_above_their_card_the_top_one_highest() -> None:
    words = Words.load(BOOK.folder)
    shown = 0
    for table, before in tables("all-cards", "small", 12):
        svg = ElementTree.fromstring(draw(table, before, words).svg())
        space = "{http://www.w3.org/2000/svg}"
        found = [
            (float(t.get("y", "0")), t.text) for t in svg.iter(f"{space}text") if (t.text or "").isdecimal()
        ]
        for dice in table["stack"].values():
            if len(dice) > 1:
                shown += 1
                places = [min(y for y, text in found if text == str(d)) for d in dice]
                if len(set(dice)) == len(dice) and sum(len(s) for s in table["stack"].values()) == len(dice):
                    assert places == sorted(places, reverse=True)
    assert shown > 0
