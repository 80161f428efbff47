"""Sizes from files: `FILE.toml` and `FILE.toml:NAME` where a size is named, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from findings import jobs
from findings.cli import run
from findings.versions import version
from models.dwarves_dig_delve_die.cards import SIZES as DIG
from models.language import registry
from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.sizefiles import file_of, own, printed
from models.my_dwarves_fly.files import FOLDER
from solvers.fuzz import plan

Capture = pytest.CaptureFixture[str]
READERS = ("my_dwarves_fly", "the_duel", "the_dwarf_king", "dwarves_dig_delve_die")
DICE = """
schema = 1
[size.few]
dice = 3
sides = 2
cards = "ALE"
[size.print]
players = 3
dice = 9
sides = 6
cards = "ALE SKULL"
"""


@pytest.fixture(autouse=True)
def _forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in an empty folder, and forget the sizes of its files afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESLAWYER_CACHE", str(tmp_path / "cache"))
    kept = {name: dict(registry.find(name).sizes) for name in READERS}
    yield
    for name, sizes in kept.items():
        book = registry.find(name)
        book.sizes.clear()
        book.sizes.update(sizes)


@pytest.fixture
def dig(tmp_path: Path) -> Rulebook:
    """A rulebook beside whose folder a file of sizes lies."""
    (tmp_path / "dice.toml").write_text(DICE, encoding="utf-8")
    return registry.find("dwarves_dig_delve_die")


@pytest.fixture
def cards(tmp_path: Path) -> str:
    """The shipped cards of the smallest size of My Dwarves Fly under another name."""
    text = (FOLDER / "small.toml").read_text(encoding="utf-8")
    (tmp_path / "cards.toml").write_text(text.replace("[size.small]", "[size.mine]"), encoding="utf-8")
    return "cards.toml"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("small", None),
        ("a.toml", "a.toml"),
        ("a.toml:print-two", "a.toml"),
        ("some folder/A.TOML:x", "some folder/A.TOML"),
        ("C:\\cards.toml:small", "C:\\cards.toml"),
        ("cards.tom", None),
        (".toml", None),
    ],
)
def test_what_names_a_file(name: str, file: str | None) -> None:
    assert file_of(name) == file


def test_a_file_alone_is_its_first_size(dig: Rulebook) -> None:
    name, size = dig.find_size("dice.toml")
    assert name == "dice.toml:few"
    assert (size.dice, size.sides, size.players, size.goal) == (3, 2, 2, 5)  # type: ignore[attr-defined]
    assert next(iter(dig.sizes)) == "small"
    assert list(own(dig)) == list(DIG)


def test_a_size_of_a_file_is_built_under_its_name_also_where_the_rulebook_has_the_same(dig: Rulebook) -> None:
    name, size = dig.find_size("dice.toml:few")
    dig.sizes["twin"] = type(size)(dice=3, sides=2, cards="ALE")  # type: ignore[call-arg]
    assert dig.build(size).size_name == name


def test_the_rulebooks_own_size_stands_beside_the_files_printed_one(dig: Rulebook) -> None:
    name, size = dig.find_size("dice.toml:small")
    assert name == "dice.toml:small"
    assert size == DIG["small"]
    assert printed(dig, name) == "dice.toml:print"
    assert printed(dig, "small") == "print"
    companions = {n for n in DIG if n.startswith("small-")}
    assert companions == {n.partition(":")[2] for n in dig.sizes if n.startswith("dice.toml:small-")}


def test_a_file_without_a_printed_size_is_asked_at_the_rulebooks(cards: str) -> None:
    book = registry.find("my_dwarves_fly")
    assert printed(book, book.find_size(cards)[0]) == "print"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "dice.toml: schema 2 is not known; write schema = 1"),
        ("schema = 1", "schema = 1\ncards = 3", "dice.toml: unknown key 'cards'"),
        ("dice = 3\n", "", "dice.toml, size few: dice is missing; write dice = …"),
        ("dice = 3", "dice = 'x'", "dice.toml, size few: dice is text, not a whole number"),
        ("dice = 3", "dice = 1", "dice.toml, size few: 1 dice are not one for each of 2 players"),
        ("dice = 3", "dices = 3", "dice.toml, size few: unknown key 'dices'; did you mean 'dice'?"),
        ('cards = "ALE"', 'cards = "BEER"', "dice.toml, size few: no card is called 'BEER'"),
        ('cards = "ALE"', "cards = 1", "dice.toml, size few: cards is a number, not text"),
        ("[size.few]", '[size."a b"]', "dice.toml: 'a b' is no name of a size"),
        ("[size.few]", "[few]", "dice.toml: unknown key 'few'"),
        ("[size.few]", "[size", "dice.toml:3: not TOML"),
    ],
)
def test_a_mistake_in_a_file_is_one_message_that_ends_with_2(
    dig: Rulebook, tmp_path: Path, capsys: Capture, old: str, new: str, message: str
) -> None:
    assert old in DICE
    (tmp_path / "dice.toml").write_text(DICE.replace(old, new, 1), encoding="utf-8")
    assert run(["play", dig.name, "--size", "dice.toml", "--random", "--moves", "1"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {message}")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("rulebook", "size", "message"),
    [
        ("fly_high", "x.toml", "x.toml: rulebook fly_high reads no sizes from files; choose one of small, "),
        ("the_duel", "x.toml", "x.toml: there is no such file"),
        ("the_dwarf_king", "dice.toml", "dice.toml, size few: unknown key 'dice'"),
        ("dwarves_dig_delve_die", "dice.toml:fev", "dice.toml: there is no size 'fev'; did you mean 'few'?"),
        ("dwarves_dig_delve_die", "dice.toml:", "dice.toml: there is no size ''; this file has few, print;"),
        ("dwarves_dig_delve_die", "dice.tml", "unknown size of dwarves_dig_delve_die 'dice.tml'"),
    ],
)
def test_a_file_that_does_not_fit_is_one_message_that_ends_with_2(
    dig: Rulebook, capsys: Capture, rulebook: str, size: str, message: str
) -> None:
    assert run(["play", rulebook, "--size", size, "--random", "--moves", "1"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {message}")
    assert told.count("\n") == 1


@pytest.mark.parametrize("name", READERS)
def test_rulebooks_with_cards_read_files(name: str) -> None:
    assert registry.find(name).read_sizes is not None


def test_the_commands_play_a_size_of_a_file(cards: str, tmp_path: Path, capsys: Capture) -> None:
    assert run(["play", "my_dwarves_fly", "--size", cards, "--random", "--seed", "1", "--moves", "2"]) == 0
    assert "Player 1 draws" in capsys.readouterr().out
    assert run(["export", "my_dwarves_fly", "--to", "promela", "--size", cards, "-o", "a.pml"]) == 0
    assert "cards.toml:mine" in (tmp_path / "a.pml").read_text(encoding="utf-8")
    assert run(["flow", "my_dwarves_fly", "--size", cards]) == 0
    assert "5,392" in capsys.readouterr().out


def test_fuzzing_takes_a_size_of_a_file(cards: str) -> None:
    made = plan(registry.find("my_dwarves_fly"), sizes=[cards], variants=["game"], flips=0)
    assert [choice.size for choice in made.choices] == ["cards.toml:mine"]


def test_versions_take_a_file_as_a_size(cards: str) -> None:
    with version(f"my_dwarves_fly+size={cards}") as mine, version("my_dwarves_fly") as shipped:
        assert mine.build().size_name == "cards.toml:mine"
        assert mine.build().digest == shipped.build().digest
        assert shipped.build(size="cards.toml").size_name == "cards.toml:mine"


def test_numbers_that_do_not_fit_name_a_size_where_they_do() -> None:
    with version("my_dwarves_fly+gold_to_win=12") as asked, pytest.raises(ModelError) as error:
        asked.build()
    assert "12 gold cannot be won with 4 coins" in error.value.message
    assert error.value.hint is not None
    assert "--size print" in error.value.hint
    assert asked.build(size="print").size.gold_to_win == 12  # type: ignore[attr-defined]


def test_a_kept_audit_is_of_the_file_as_it_was(cards: str, tmp_path: Path) -> None:
    job = jobs.Job(rulebook="my_dwarves_fly", variant="game", size="cards.toml:mine")
    before = jobs.key(job)
    assert jobs.key(job) == before
    path = tmp_path / cards
    path.write_text(path.read_text(encoding="utf-8").replace("gold_to_win = 2", "gold_to_win = 1"), "utf-8")
    registry.find("my_dwarves_fly").sizes.pop("cards.toml:mine")  # another run
    assert jobs.key(job) != before
