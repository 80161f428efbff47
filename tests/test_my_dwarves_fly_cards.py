"""Cards of My Dwarves Fly: the files, their messages, the shipped facts, the dice, and who stands whom."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path

import networkx
import pytest

from models.language.errors import ModelError
from models.my_dwarves_fly.aversions import Company, company, graph
from models.my_dwarves_fly.cards import MyDwarves
from models.my_dwarves_fly.dice import rolls
from models.my_dwarves_fly.files import FOLDER, read, read_all
from models.my_dwarves_fly.rules import book
from solvers.explorer import explore
from solvers.interpreter import Interpreter

ONE = """
schema = 1
[size.own]
hand = 1
gold_to_win = 2
coins = 4
dice = 2
faces = [1, 2]
[[creature]]
name = "Yeti"
count = 2
dice = 2
averse_to = ["Gnome"]
[[creature]]
name = "Gnome"
dice = 1
[[skill]]
name = "Greedy"
gold_on = [1, 2]
[[event]]
name = "Forget it!"
cancels = true
[[battle]]
name = "Brawl"
creatures = 1
gold = 1
"""


def _read(tmp_path: Path, text: str) -> dict[str, MyDwarves]:
    path = tmp_path / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


# --- files ----------------------------------------------------------------------------------------------


def test_a_file_of_ones_own_is_a_size_and_is_explored(tmp_path: Path) -> None:
    size = _read(tmp_path, ONE)["own"]
    assert [c.member for c in size.cards] == ["YETI", "GNOME", "GREEDY", "FORGET_IT", "BRAWL"]
    assert size.skills[0].fits == ("Yeti", "Gnome")
    assert (size.players, size.track) == (2, 50)
    found = explore(book.build(size))
    assert found.complete
    assert (found.states, found.over_states) == (34279, 647)
    assert "play_creature(creature=YETI)" in found.fired


def test_the_aversion_typed_in_is_played(tmp_path: Path) -> None:
    run = Interpreter(book.build(_read(tmp_path, ONE)["own"]))
    deal = ["draw_from(deck=CREATURES)", "draw(card=GNOME)", "draw_from(deck=CREATURES)", "draw(card=YETI)"]
    turn = [
        "play_creature(creature=GNOME)",
        "draw_from(deck=CREATURES)",
        "draw(card=YETI)",
        "filled",
        "turn_ends",
    ]
    other = ["discard(card=YETI)", "draw_from(deck=ACTIONS)", "draw(card=BRAWL)", "filled", "turn_ends"]
    last = run.replay([*deal, *turn, *other, "play_creature(creature=YETI)"])[-1]
    team = run.program.expression(
        lambda t: t.team[0][t.size.kind["GNOME"]] * 10 + t.team[0][t.size.kind["YETI"]]
    )
    assert run.value(team, last) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "schema 2 is not known"),
        ("[size.own]\n", "", "'hand' is no key here"),
        ("dice = 1\n", "", "creature 'Gnome': dice is missing"),
        ("count = 2", 'count = "two"', "creature 'Yeti': count is text, not a whole number"),
        ("count = 2", "count = 0", "creature 'Yeti': count is 0"),
        ("count = 2", "count = true", "creature 'Yeti': count is true or false, not a whole number"),
        (
            '["Gnome"]',
            '["Gnom"]',
            "creature 'Yeti': averse_to names 'Gnom', which is no creature of this file",
        ),
        ('["Gnome"]', '["Yeti"]', "creature 'Yeti': it is averse to its own kind"),
        ('averse_to = ["Gnome"]', "third = true", "a third one drives nobody away, as averse_to is empty"),
        ('name = "Gnome"', 'name = "Yeti"', "the name YETI is there 2 times"),
        ('name = "Gnome"', 'name = "!"', "creature '!': the name has no letter"),
        ('name = "Gnome"', "name = 3", "creature number 2: name is a number, not text"),
        ("creatures = 1", "creatures = 6", "battle 'Brawl': creatures is 6"),
        (
            "gold_on = [1, 2]",
            "gold_on = []",
            "skill 'Greedy': gold_on is an array, not an array of whole numbers",
        ),
        ("cancels = true", "cancel = true", "event 'Forget it!': 'cancel' is no key here"),
        ("gold_on = [1, 2]", 'fits = ["Troll"]', "skill 'Greedy': fits names 'Troll'"),
        ("gold_on = [1, 2]", 'text = ["name"]', "skill 'Greedy': text names 'name', which is no key of it"),
        ("hand = 1", "hand = 4", "size own: 6 cards do not fill 2 hands of 4"),
        ("hand = 1", "players = 5", "size own: 5 players cannot play"),
        ("coins = 4", "coins = 1", "size own: 2 gold cannot be won with 1 coins"),
        ("[[battle]]", "[battle]", "battle is not an array of tables"),
        ("[[skill]]", "[[skill]", "not TOML"),
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


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
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


def test_the_printed_cards() -> None:
    sizes = read(FOLDER / "printed.toml")
    assert {name: size.players for name, size in sizes.items()} == {
        "print": 2,
        "print-three": 3,
        "print-four": 4,
    }
    size = sizes["print"]
    sorts = (size.creatures, size.skills, size.events, size.battles)
    assert [sum(c.count for c in cards) for cards in sorts] == [42, 22, 14, 10]
    assert (size.hand, size.gold_to_win, size.coins, size.dice, size.total) == (5, 15, 40, 5, 88)
    assert sorted(b.creatures for b in size.battles) == [1, 2, 3, 4, 5]


def test_what_the_text_tells_is_marked_and_the_rest_is_assumed() -> None:
    size = read(FOLDER / "printed.toml")["print"]
    told = {c.name: c.text for c in size.cards if c.text}
    assert told == {
        "Dwarf": ("dice", "averse_to", "third"),
        "Orc": ("dice",),
        "Elf": ("dice",),
        "Goblin": ("dice", "averse_to"),
        "Troll": ("averse_to",),
        "Greedy": ("gold_on",),
        "My Dwarves Fly High": ("repeat",),
        "Forget it!": ("cancels",),
        "Battle for One": ("creatures",),
        "Skirmish": ("creatures", "gold"),
        "Battle for Three": ("creatures",),
        "Battle for Four": ("creatures",),
        "Battle for Five": ("creatures",),
    }
    assert all("count" in c.assumed for c in size.cards)
    assert next(c for c in size.creatures if c.name == "Medusa").assumed == (
        "count",
        "dice",
        "averse_to",
        "third",
    )


def test_small_sizes_come_first() -> None:
    names = list(book.sizes)
    assert names[0] == "small"
    assert [n for n in names if not n.startswith("small")] == [
        "medium",
        "examples",
        "print",
        "print-four",
        "print-three",
    ]


def _networkx(size: MyDwarves) -> networkx.DiGraph[str]:
    made: networkx.DiGraph[str] = networkx.DiGraph()
    made.add_nodes_from(graph(size))
    made.add_edges_from((kind, other) for kind, others in graph(size).items() for other in others)
    return made


def test_who_can_stand_whom() -> None:
    size = read(FOLDER / "printed.toml")["print"]
    aversions = _networkx(size)
    assert set(aversions.edges) == {("Dwarf", "Orc"), ("Goblin", "Elf"), ("Troll", "Orc"), ("Troll", "Dwarf")}
    found = company(size)
    assert found.circles == ()
    assert sorted(found.order) == sorted(aversions.nodes)
    assert all(found.order.index(a) < found.order.index(b) for a, b in aversions.edges)


def test_a_circle_of_aversions(tmp_path: Path) -> None:
    size = _read(tmp_path, ONE.replace('name = "Gnome"\n', 'name = "Gnome"\naverse_to = ["Yeti"]\n'))["own"]
    assert company(size) == Company((), (("Yeti", "Gnome"),))
    assert [set(c) for c in networkx.strongly_connected_components(_networkx(size))] == [{"Yeti", "Gnome"}]


# --- dice -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", range(6))
@pytest.mark.parametrize("gold_on", [frozenset({1}), frozenset({1, 2})])
def test_dice_are_exact(dice: int, gold_on: frozenset[int]) -> None:
    thrown = itertools.product(range(1, 7), repeat=dice)
    counted = Counter((sum(t), sum(n in gold_on for n in t)) for t in thrown)
    assert rolls(dice, (1, 2, 3, 4, 5, 6), gold_on) == dict(sorted(counted.items()))


def test_the_dice_of_the_printed_game_in_a_built_program() -> None:
    program = book.build("print", "battle")
    run = Interpreter(program)
    layout = ["put_creature(creature=DWARF, number=0)", "put_skill(skill=GREEDY, creature=DWARF, number=0)"]
    fight = ["begin_battle(battle=SKIRMISH)", "send(creature=DWARF)", "roll_for(creature=DWARF)"]
    state = run.replay([*layout, *fight])[-1]
    weights = {i.label: run.value(i.weight, state) for i in run.enabled(state)}
    assert sum(weights.values()) == 6**3
    assert weights["dice(sum=9, gold=2)"] == sum(
        sum(t) == 9 and sum(n < 3 for n in t) == 2 for t in itertools.product(range(1, 7), repeat=3)
    )
    assert Fraction(weights["dice(sum=3, gold=3)"], 216) == Fraction(1, 216)
