"""Shapes of pictures: escaped, marked where something changed, as large as what is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from models.language.pictures import Canvas, Picture, differs, word
from models.language.words import Words
from tests import report_samples as samples

SVG = "{http://www.w3.org/2000/svg}"


def tags(picture: Picture) -> list[str]:
    return [e.tag.removeprefix(SVG) for e in ElementTree.fromstring(picture.svg()).iter()][1:]


def test_a_picture_is_as_large_as_what_is_drawn() -> None:
    c = Canvas()
    c.box(10, 20, 30, 40, "c")
    assert (c.picture().width, c.picture().height) == (46, 66)
    assert (
        c.picture()
        .svg()
        .startswith('<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 46 66"')
    )


def test_what_changed_gets_a_line_and_a_corner() -> None:
    c = Canvas()
    c.card(0, 0, "Fox")
    plain = tags(c.picture())
    c.card(0, 0, "Fox", changed=True)
    assert plain == ["rect", "text"]
    assert tags(c.picture())[2:] == ["rect", "rect", "path", "text"]


@pytest.mark.parametrize("text", samples.HOSTILE)
def test_a_text_stays_a_text(text: str) -> None:
    c = Canvas()
    c.text(0, 10, text)
    c.wrapped(0, 10, text, 8)
    c.card(0, 0, text)
    c.pile(0, 0, 2, text)
    assert set(tags(c.picture())) == {"rect", "text"}


def test_alone_it_carries_its_style() -> None:
    c = Canvas()
    c.coins(0, 0, 3)
    assert "<style>" in c.picture().svg(alone=True)
    assert "<style>" not in c.picture().svg()


def test_an_empty_pile_is_a_gap() -> None:
    c = Canvas()
    c.pile(0, 0, 0, "deck")
    assert 'class="g"' in c.picture().body
    c.pile(0, 0, 9, "deck")
    assert c.picture().body.count('class="k"') == 3


def test_differences_are_found_at_a_path() -> None:
    was, now = {"a": [1, {"B": 2}]}, {"a": [1, {"B": 3}]}
    assert differs(now, was, "a", 1, "B")
    assert not differs(now, was, "a", 0)
    assert not differs(now, None, "a")
    assert not differs(now, was, "c", 5)
    assert differs(now, {}, "a", 0)


def test_a_member_without_a_word_is_called_by_its_name() -> None:
    words = Words({"enum": {"Card": {"FOX": "the fox"}}})
    assert (word(words, "Card", "FOX"), word(words, "Card", "OWL")) == ("the fox", "OWL")
