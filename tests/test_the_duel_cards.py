"""Cards of The Duel: the files, their messages, and what is shipped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from models.language.errors import ModelError
from models.the_duel.cards import Duel, Sort
from models.the_duel.files import FOLDER, read, read_all
from models.the_duel.rules import book
from solvers.explorer import explore

ONE = """
schema = 1
[size.own]
hand = 1
rolled = 1
limit = 1
dice = 2
faces = [1]
wild_cards = 0
[[ally]]
name = "Tungdil"
other = "Orc"
value = 1
health = 2
attacks = [1]
[[victory]]
name = "Glory"
value = 1
points = 2
[[event]]
name = "Flood"
damage = 1
[[twist]]
name = "Net"
prevents = true
"""


def _read(tmp_path: Path, text: str) -> dict[str, Duel]:
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


# --- files ----------------------------------------------------------------------------------------------


def test_a_file_of_ones_own_is_a_size_and_is_explored(tmp_path: Path) -> None:
    size = _read(tmp_path, ONE)["own"]
    assert [c.member for c in size.cards] == ["TUNGDIL", "GLORY", "FLOOD", "NET"]
    assert (size.deck, size.called("TUNGDIL", 0), size.called("TUNGDIL", 1)) == (4, "Tungdil", "Orc")
    assert (size.called("NET", 1), size.called("NONE", 1)) == ("Net", "")
    found = explore(book.build(size))
    assert found.complete
    assert (found.states, found.over_states) == (155348, 6360)
    assert "prevent(card=NET)" in found.fired
    assert "aim_at_card(card=TUNGDIL)" in found.fired


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "schema 2 is not known"),
        ("[size.own]\n", "", "unknown key 'hand'"),
        ('name = "Tungdil"\n', "", "ally number 1: name is missing"),
        ('name = "Tungdil"', "name = 3", "ally number 1: name is a number, not text"),
        ('name = "Tungdil"', 'name = "!"', "ally '!': the name has no letter"),
        ('name = "Tungdil"', 'name = "Glory"', "the name GLORY is there 2 times"),
        ("health = 2", 'health = "two"', "ally 'Tungdil': health is text, not a whole number"),
        ("health = 2", "health = 2\ncount = 0", "ally 'Tungdil': count is 0"),
        (
            "health = 2",
            "health = 2\ncount = 2",
            "size own: Tungdil has 2 health points and 2 copies",
        ),
        ("attacks = [1]", "attacks = [true]", "attacks does not hold whole numbers only"),
        ("attacks = [1]", "attacks = 1", "attacks is a number, not an array of whole numbers"),
        ("attacks = [1]", "attacks = [2]", "size own: Tungdil needs a 2, which no die shows"),
        ("points = 2", "points = 2\nequal = 2", "victory 'Glory': it has two costs"),
        ("points = 2", "draws = 2", "victory 'Glory': unknown key 'draws'"),
        ("value = 1\nhealth", "health", "ally 'Tungdil': it costs nothing"),
        ("damage = 1", "value = 1", "event 'Flood': it has 0 effects"),
        ("damage = 1", "damage = 1\ndraws = 1", "event 'Flood': it has 2 effects"),
        ("prevents = true", "prevents = 1", "twist 'Net': prevents is a number, not true or false"),
        ("prevents = true", "prevents = true\nown_turn = true", "it prevents an attack on its own turn only"),
        ("prevents = true", 'prevents = true\ntext = ["name"]', "text names 'name', which is no key of it"),
        ("health = 2\nattacks = [1]", "king = true", "a king without health points"),
        ("faces = [1]", "faces = [1, 3]", "size own: a die shows [1, 3]"),
        ("hand = 1", "hand = 4", "size own: a deck of 4 is empty when 4 cards have been dealt"),
        ("dice = 2", "dice = 99", "size own: dice is 99"),
        ("limit = 1", "limit = 3", "size own: there are 2 dice, and a player may have 3"),
        ("rolled = 1", "rolled = 2", "size own: 2 dice are rolled and 1 allowed"),
        ("[[twist]]", "[twist]", "twist is not an array of tables"),
        ("[size.own]", "[size]\nown = 1\n[other]", "unknown key 'other'"),
        ("[[event]]", "[[event]", "not TOML"),
    ],
)
def test_a_mistake_is_one_message(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in ONE
    with pytest.raises(ModelError) as error:
        _read(tmp_path, ONE.replace(old, new, 1))
    assert message in str(error.value)
    assert "cards.toml" in str(error.value)
    assert error.value.hint
    assert "\n" not in error.value.message


def test_two_kings_are_one_too_many(tmp_path: Path) -> None:
    king = '[[ally]]\nname = "{}"\nvalue = 1\nhealth = 1\nking = true\n'
    with pytest.raises(ModelError, match="several cards are kings: A, B"):
        _read(tmp_path, ONE + king.format("A") + king.format("B"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        read(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b"schema = 1 # \xe4\n")
    with pytest.raises(ModelError):
        read(tmp_path / "latin.toml")


def test_two_files_with_one_size(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(ONE, encoding="utf-8")
    with pytest.raises(ModelError, match="there are two sizes own"):
        read_all(tmp_path)


# --- what is shipped --------------------------------------------------------------------------------------


def test_the_printed_decks_have_the_numbers_that_are_known() -> None:
    size = read(FOLDER / "printed.toml")["print"]
    assert size.deck == 35
    assert Counter({s: sum(c.count for c in size.cards if c.sort is s) for s in Sort}) == {
        Sort.ALLY: 9,
        Sort.VICTORY: 8,
        Sort.SUPPORT: 7,
        Sort.EVENT: 6,
        Sort.TWIST: 5,
    }
    assert sorted(c.value for c in size.cards if c.value) == [1, 2, 3, 4, 5]
    assert sum(c.count for c in size.cards if not c.dice) == 8
    assert sum(c.count for c in size.cards if c.sort is Sort.EVENT and not c.dice) == 3
    assert {c.equal for c in size.cards if c.equal} == {2, 3, 4}
    assert sum(bool(c.attacks) for c in size.cards) == 8
    assert (size.hand, size.rolled, size.limit, size.faces, size.wild_cards) == (4, 3, 6, (1, 2, 3, 4, 5), 3)
    assert size.longest_chain == 5


def test_what_the_text_tells_is_marked_and_the_rest_is_assumed() -> None:
    size = read(FOLDER / "printed.toml")["print"]
    assert {c.name: c.text for c in size.cards if c.text} == {
        "Bavragor": ("value", "attacks"),
        "Dwarf King": ("king",),
        "Reinforcement": ("equal", "more_dice"),
        "Rodario's Trickery": ("count",),
        "Begone!": ("removes",),
        "Assassination": ("removes",),
        "Throwing Axe": ("count",),
        "Chain Mail": ("prevents",),
        "Andôkai's Power": ("own_turn",),
    }
    bavragor, axe = size.cards[0], next(c for c in size.cards if c.other == "Dagger")
    assert bavragor.assumed == ("health",)
    assert axe.assumed == ("damage",)


def test_small_sizes_come_first() -> None:
    assert list(book.sizes) == [
        "small",
        "small-axe",
        "small-dice",
        "small-draws",
        "small-king",
        "small-trickery",
        "examples",
        "print",
    ]
