"""Card files of The Dwarf King: what users can type in, the messages, and that it is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.language.errors import ModelError
from models.the_dwarf_king.cards import CHALLENGES, SPECIALS, Suit, Target, Word
from models.the_dwarf_king.files import read
from models.the_dwarf_king.rules import book
from models.the_dwarf_king.sizes import PRINTED, SIZES, DwarfKing
from solvers.interpreter import Interpreter

OWN = """
schema = 1
[size.own]
players = 2
rounds = 1
cards = "D5 D6 G5 K5 K6"
[[special]]
name = "Turn-coat"
target = "led"
new_suit = "knights"
word = "text"
[[special]]
name = "Value of any"
[[special]]
name = "Prize"
[[challenge]]
name = "Goblins for all"
goblins = 2
trick = -1
word = "outside"
[[contract]]
first = "Tricks plus 2"
second = "Goblins for all"
"""

SMALL = """
schema = 1
[size.same]
cards = "D5 D6 G5 K5 K6"
[[special]]
name = "SUIT_OF_LED"
[[special]]
name = "VALUE_OF_ANY"
[[special]]
name = "PRIZE"
[[contract]]
first = "TRICKS_PLUS_2"
second = "DWARVES_MINUS_1"
"""


def _read(tmp_path: Path, text: str) -> dict[str, DwarfKing]:
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_cards_that_are_known_need_only_their_names(tmp_path: Path) -> None:
    assert _read(tmp_path, SMALL)["same"] == SIZES["small"]


def test_the_cards_of_the_suits_are_those_known_if_left_out(tmp_path: Path) -> None:
    text = SMALL.replace('cards = "D5 D6 G5 K5 K6"', "players = 4")
    assert _read(tmp_path, text)["same"].cards == SIZES["print"].cards


def test_a_card_of_ones_own(tmp_path: Path) -> None:
    size = _read(tmp_path, OWN)["own"]
    turn = size.specials[0]
    assert (turn.name, turn.word, turn.target) == ("TURN_COAT", Word.TEXT, Target.LED)
    assert (turn.new_suit, turn.new_value, turn.count) == (Suit.KNIGHTS, 0, 1)
    assert size.specials[1:] == (SPECIALS["VALUE_OF_ANY"], SPECIALS["PRIZE"])
    printed, own = size.challenges
    assert printed == CHALLENGES[PRINTED.first]
    assert (own.name, own.trick, own.cards, own.word) == ("GOBLINS_FOR_ALL", -1, (0, 2, 0), Word.OUTSIDE)


@pytest.mark.parametrize(
    ("played", "scores"),
    [
        (("GOBLIN_5", "DWARF_6", "KNIGHT_6", "KNIGHT_5", "DWARF_5", "SPECIAL"), [-3 + 2 + 3, 0]),
        (("GOBLIN_5", "KNIGHT_5", "KNIGHT_6", "SPECIAL", "DWARF_5", "DWARF_6"), [-2 + 2 + 3, -1]),
    ],
)
def test_a_challenge_typed_in_is_scored(tmp_path: Path, played: tuple[str, ...], scores: list[int]) -> None:
    """Each trick costs 1, the goblin brings 2, and the special card 3."""
    run = Interpreter(book.build(_read(tmp_path, OWN)["own"]))
    labels = ["draw_special(special=PRIZE)", *(f"deal(number={n})" for n in (1, 0, 1, 0, 1, 0))]
    labels += ["reveal(contract=TRICKS_PLUS_2_OR_GOBLINS_FOR_ALL)", "choose(side=1)"]
    for n, card in enumerate(played):
        labels += [f"play(card={card})", *(["take_trick"] if n % 2 else [])]
    end = run.replay([*labels, "score_round"])[-1]
    assert [run.value(score, end) for score in run.program.scores] == scores


def test_a_challenge_of_a_known_name_stands_in_for_it(tmp_path: Path) -> None:
    text = OWN.replace("Goblins for all", "Tricks minus 1")
    assert _read(tmp_path, text)["own"].challenges[1].cards == (0, 2, 0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 7", "schema 7 is not known"),
        ("[size.own]\n", "", "unknown key 'players'"),
        ("rounds = 1", "round = 1", "size own: unknown key 'round'"),
        ("rounds = 1", "rounds = 0", "size own: rounds is 0"),
        ("players = 2", "players = 9", "size own: players is 9"),
        ('cards = "D5 D6', 'cards = "X5 D6', "size own: 'X5' is no card"),
        ('cards = "D5 D6', 'cards = "D6 D7', "size own: the 5 of DWARVES is not there"),
        ("rounds = 1", "rounds = 4", "size own: 3 special cards for 4 rounds"),
        ('target = "led"', 'target = "lead"', "special 'Turn-coat': unknown target 'lead'"),
        ('target = "led"', "", "special 'Turn-coat': a change and the card that it changes go together"),
        ('target = "led"', "target = 3", "special 'Turn-coat': target is a number, not text"),
        ('new_suit = "knights"', "new_value = 100", "special 'Turn-coat': new_value is 100"),
        ('new_suit = "knights"', 'lowest = "yes"', "special 'Turn-coat': lowest is text, not true or false"),
        ('word = "text"', 'say = "text"', "special 'Turn-coat': unknown key 'say'"),
        ('name = "Prize"', 'name = "!"', "special '!': name is no name"),
        ('name = "Prize"', "points = 2", "special number 3: name is missing"),
        ('name = "Prize"', 'name = "Turn coat"', "the name TURN_COAT is there 2 times"),
        ("goblins = 2\ntrick = -1\n", "", "challenge 'Goblins for all': it brings no points"),
        ('second = "Goblins for all"', 'second = "Orcs"', "size own: there is no challenge 'ORCS'"),
        ('first = "Tricks plus 2"\n', "", "contract number 1: first is missing"),
        ("[[contract]]", "[contract]", "contract is not an array of tables"),
        ("[[special]]", "[[special]", "not TOML"),
    ],
)
def test_a_mistake_is_one_message(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in OWN
    with pytest.raises(ModelError) as error:
        _read(tmp_path, OWN.replace(old, new, 1))
    assert message in str(error.value)
    assert "cards.toml" in str(error.value)
    assert error.value.hint
    assert "\n" not in error.value.message
