"""Codes: each kind of finding once, explained, found by code or name."""

from __future__ import annotations

import re

import pytest

from findings.codes import all_codes, explain
from models.language.errors import ModelError

NAMES = {
    "RL101": "contradiction",
    "RL102": "gap",
    "RL103": "dead-row",
    "RL104": "tie",
    "RL105": "shortage",
    "RL106": "stacking",
    "RL107": "divergence",
    "RL108": "order",
    "RL109": "chain",
    "RL110": "race",
    "RL111": "open-end",
    "RL201": "fact-contradiction",
    "RL202": "impossible-setup",
    "RL203": "example-conflict",
    "RL204": "example-unreachable",
    "RL301": "stuck",
    "RL302": "endless",
    "RL303": "hopeless",
    "RL304": "property-violated",
    "RL305": "prolongable",
    "RL401": "missing-information",
    "RL402": "dead-clause",
    "RL403": "capacity",
    "RL404": "not-exercised",
    "RL405": "open-word",
}


def test_a_code_never_changes_its_name() -> None:
    assert {code: kind.name for code, kind in all_codes().items()} == NAMES
    assert list(all_codes()) == sorted(NAMES)


def test_names_are_unique() -> None:
    assert len({kind.name for kind in all_codes().values()}) == len(all_codes())


@pytest.mark.parametrize("code", NAMES)
def test_every_kind_is_explained_in_whole_sentences(code: str) -> None:
    kind = explain(code)
    assert 20 <= len(kind.title) <= 100
    assert not kind.title.endswith(".")
    for text in (kind.what, kind.why, kind.example):
        assert re.search(r'[.?!]"?$', text), text
        assert "\n" not in text


@pytest.mark.parametrize("word", ["RL103", "rl103", "dead-row", "dead row", "DEAD_ROW", " Dead  Row "])
def test_code_and_name_are_found_however_they_are_spelled(word: str) -> None:
    assert explain(word) is all_codes()["RL103"]


def test_only_what_people_say_is_said_by_the_modeller() -> None:
    assert [c for c, kind in all_codes().items() if kind.by == "modeller"] == ["RL401", "RL405"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("contradicton", "unknown kind of finding 'contradicton'; did you mean 'contradiction'?"),
        ("RL1O1", "unknown kind of finding 'RL1O1'; did you mean 'RL111'?"),
        ("???", "unknown kind of finding '???'; `ruleslawyer explain` lists them all"),
        ("", "unknown kind of finding ''; `ruleslawyer explain` lists them all"),
    ],
)
def test_an_unknown_one_is_answered_with_the_nearest(word: str, message: str) -> None:
    with pytest.raises(ModelError) as refused:
        explain(word)
    assert str(refused.value) == message
