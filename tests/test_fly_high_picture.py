"""Pictures of Fly High: every table of random games is drawn, and what lies there is in the picture."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest

from findings.audit.details import plain
from models.fly_high.picture import draw
from models.language import registry
from models.language.words import Position, Words
from solvers.compare.playouts import choose
from solvers.interpreter import Interpreter

BOOK = registry.find("fly_high")


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


def test_cards_that_are_up_show_their_numbers_and_hidden_ones_nothing() -> None:
    words = Words.load(BOOK.folder)
    shown = 0
    for table, before in tables("basic", "small", 12):
        told = texts(draw(table, before, words).svg())
        up = [
            n.partition("_")[0][1:]
            for n, f in zip(table["grid"], table["face_up"], strict=True)
            if f and n[0] == "N"
        ]
        assert [t for t in up if t not in told] == []
        shown += len(up)
        assert str(table["deck"]) in told
    assert shown > 50


def test_a_step_marks_the_card_that_was_turned_up() -> None:
    words = Words.load(BOOK.folder)
    turned = [
        (table, before)
        for table, before in tables("basic", "small", 12)
        if before and sum(table["face_up"]) == sum(before["face_up"]) + 1
    ]
    assert len(turned) > 20
    assert all('class="x"' in draw(t, b, words).body for t, b in turned)
