"""Words: positions as Python values, moves and states in the words of a game, templates that are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language import ModelError
from models.language.words import Position, Words
from solvers.interpreter import Interpreter
from tests.machine_games import Kind, Suit
from tests.machines import MACHINES

TABLE = {
    "player": "seat {{ number + 1 }}",
    "state": "{{ turn | player }} to lay, {{ led | word }} led",
    "enum": {"Suit": {"HEARTS": "hearts"}},
    "field": {"won": "tricks"},
    "rule": {
        "lay": "{{ before.turn | player }} lays card {{ card }}, next {{ after.turn }}",
        "broken": "{{ nothing }}",
    },
}


def test_a_position_gives_python_values() -> None:
    trick, stacks, deck = (MACHINES[n].program() for n in ("trick", "dice-stacks", "deck"))
    seen = Position(trick, trick.start)
    assert (seen.led, seen.turn, seen.holder) == (Suit.NONE, 0, [0, 1, 1, 0, 2, 2])
    assert Position(stacks, (2, 1, 3, 1, 0, 1, 1, 1)).stacks == [[1, 3], []]
    assert Position(deck, deck.start).deck == {Kind.A.name: 2, "B": 1, "C": 0}
    assert Position(deck, deck.start).done is False
    assert seen.players == [0, 1, 2]
    with pytest.raises(AttributeError):
        _ = seen.nothing


def test_a_move_and_a_state_in_words() -> None:
    program = MACHINES["trick"].program()
    run, words = Interpreter(program), Words(TABLE)
    instance = run.find("lay(card=3)")
    after = run.step(program.start, instance).state
    assert words.move(program, instance, program.start, after) == "seat 1 lays card 3, next 1"
    assert after is not None
    assert words.state(program, after) == "seat 2 to lay, SPADES led"
    assert words.word(Suit.HEARTS) == "hearts"
    assert (words.field("won"), words.field("shown")) == ("tricks", "shown")
    assert words.listing([Suit.HEARTS, 3]) == "hearts, 3"


def test_without_words_ids_are_shown() -> None:
    program = MACHINES["trick"].program()
    words, instance = Words(), program.instances[0]
    assert words.move(program, instance, program.start, None) == "lay(card=0)"
    assert words.state(program, program.start) == ""
    assert words.player(1) == "#2"


@pytest.mark.parametrize(
    "template",
    [
        "{{ nothing }}",
        "{{ 1 // 0 }}",
        "{{ ",
        "{{ turn.x.y }}",
        "{{ ''.__class__.__mro__ }}",
        "{% for i in 5 %}{% endfor %}",
        "{% for i in range(1000000) %}{% endfor %}",
    ],
)
def test_a_broken_template_is_one_message_with_its_key(template: str) -> None:
    program = MACHINES["trick"].program()
    with pytest.raises(ModelError) as caught:
        Words({"state": template}, "words.toml").state(program, program.start)
    assert str(caught.value).startswith("words.toml, state: the words cannot be filled in: ")
    assert str(caught.value).endswith("; correct the template")


def test_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('[en]\nplayer = "p{{ number }}"\n', encoding="utf-8")
    assert Words.load(tmp_path).player(0) == "p0"
    assert Words.load(tmp_path, "de").player(0) == "#1"
    assert Words.load(None).player(0) == "#1"
    path.write_text("[en\n", encoding="utf-8")
    with pytest.raises(ModelError, match="the words cannot be read"):
        Words.load(tmp_path)
    path.write_bytes(b'[en]\nplayer = "\xe4"\n')
    with pytest.raises(ModelError, match="the words cannot be read"):
        Words.load(tmp_path)
