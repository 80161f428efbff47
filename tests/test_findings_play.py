"""Stepping through a game: by hand, with undo, at random, and the same game for the same seed."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console

from findings.play import play_rulebook
from models.language import registry
from models.language.book import Rulebook
from tests.small_books import orchard


def _book(folder: Path, *plants: str, words: str = "") -> Rulebook:
    return registry.find(str(orchard(folder / "orchard", *plants, words=words)))


def _play(
    book: Rulebook,
    answers: Iterable[str] | None = None,
    *,
    seed: int | None = 1,
    moves: int | None = None,
    variant: str = "day",
) -> list[str]:
    """What is printed, line by line; answers are given one after the other, then the input ends."""
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None, highlight=False, markup=False, emoji=False)
    left = iter(answers or ())

    def ask(text: str) -> str:
        assert text == "Move number, r for a random one, u to undo, q to leave"
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    code = play_rulebook(
        book,
        variant=variant,
        size="small",
        at_random=answers is None,
        seed=seed,
        moves=moves,
        console=console,
        ask=ask,
    )
    assert code == 0
    assert list(left) == [], "every answer was asked for"
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_moves_are_numbered_with_who_acts_and_the_sentences_that_license_them(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "clash", "confluent"), ["2"])
    assert told == [
        "Position  at the gate; the die shows 0; coins 0 : 0.",
        "1  The player goes home.  player 1  hub.pick",
        "2  pick_clash             player 1  clash.begin",
        "3  pick_confluent         player 1  confluent.begin",
        "  pick_clash",
        "Position  CLASH; the die shows 0; coins 0 : 0.",
        "1  clash_roll(n=1)  chance 1/2  clash.begin",
        "2  clash_roll(n=2)  chance 1/2  clash.begin",
    ]
    told = _play(_book(tmp_path / "more", "confluent"), ["2"])
    assert told[-2:] == ["1  feed   rules  confluent.feed", "2  light  rules  confluent.light"]


def test_a_question_that_a_move_raises_is_named(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "clash"), ["2", "2", "1"])
    asked = told.index("Asked here: clash:tower:clash.even+clash.two")
    assert told[asked - 1] == "  climb"
    assert told[-2:] == ["The game is over.", "Won: player 1"]


def test_undo_goes_back_move_by_move_to_the_setup(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "clash"), ["2", "1", "u", "U", "undo"])
    positions = [line.split("  ")[1].split(";")[0] for line in told if line.startswith("Position")]
    assert positions == ["at the gate", "CLASH", "CLIMB", "CLASH", "at the gate", "at the gate"]
    assert "Nothing to undo: this is the setup." in told


def test_an_end_and_a_stop_can_be_undone(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "stop", "moves"), ["2", "1", "u", "u", "3", "1", "u", "1"])
    assert told.count("The play stops here: stop:river") == 1
    assert told.count("The game is over.") == 2
    assert told.index("The play stops here: stop:river") < told.index("  pick_moves")


def test_a_dead_end_is_told(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "stuck"), ["2"])
    assert told[-1] == "Nobody may do anything, and the game is not over."


@pytest.mark.parametrize("text", ["0", "4", "x", "-1", "1.5", "", "9" * 5000, "²"])
def test_a_wrong_answer_is_told_and_nothing_moves(tmp_path: Path, text: str) -> None:
    told = _play(_book(tmp_path, "clash", "stuck"), [text])
    whole = " ".join(told)
    assert f"'{text[:40]}" in whole
    assert whole.count("' is none of these; give a number from 1 to 3, r, u or q") == 1
    assert [line for line in told if line.startswith("Position")] == [
        "Position  at the gate; the die shows 0; coins 0 : 0."
    ] * 2


def test_a_wrong_answer_at_the_end_names_what_is_left(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "stuck"), ["2", "1", "r"])
    assert "'1' is neither u nor q" in told
    assert "'r' is neither u nor q" in told


def test_control_characters_in_an_answer_cannot_reach_the_terminal(tmp_path: Path) -> None:
    told = _play(_book(tmp_path, "stuck"), ["\x1b[2J\u202e"])
    assert any("\\x1b[2j\\u202e" in line for line in told)
    assert not any("\x1b" in line or "\u202e" in line for line in told)


def test_words_of_the_rulebook_cannot_control_the_terminal(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "clash")
    text = (folder / "words.toml").read_text(encoding="utf-8")
    text = text.replace("at the gate", "gate\\u001b]0;x\\u0007")
    (folder / "words.toml").write_text(text, encoding="utf-8")
    told = _play(registry.find(str(folder)), ["q"])
    assert told[0] == "Position  gate\\x1b]0;x\\x07; the die shows 0; coins 0 : 0."


def test_q_leaves_at_once(tmp_path: Path) -> None:
    assert len(_play(_book(tmp_path, "clash"), ["q"])) == 3
    assert len(_play(_book(tmp_path, "clash"), ["QUIT"])) == 3


# --- at random ----------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    book = _book(tmp_path, "clash", "gap", "three", "odds", "hidden")
    games = [_play(book, seed=seed) for seed in range(8)]
    assert games == [_play(book, seed=seed) for seed in range(8)]
    assert len({tuple(g) for g in games}) > 3
    for game in games:
        assert game[0] == "at the gate; the die shows 0; coins 0 : 0."
        assert game[1].startswith("   1  ")
        assert "The game is over." in game


def test_a_random_move_by_hand_follows_the_seed(tmp_path: Path) -> None:
    book = _book(tmp_path, "clash", "gap", "three", "odds", "hidden")
    told = [_play(book, ["r", "r", "r"], seed=seed) for seed in range(8)]
    assert told == [_play(book, ["r", "r", "r"], seed=seed) for seed in range(8)]
    assert len({tuple(t) for t in told}) > 3


def test_a_long_game_is_cut_off_after_so_many_moves(tmp_path: Path) -> None:
    book = _book(tmp_path, "endless")
    told = next(game for seed in range(9) if "pick_endless" in (game := _play(book, seed=seed, moves=5))[1])
    assert told[-1] == "Stopped after 5 moves."
    assert [line.split()[1] for line in told[2:6]] == ["burn", "build_hut", "burn", "build_hut"]


def test_a_game_that_ends_at_the_last_move_allowed_is_not_cut_off(tmp_path: Path) -> None:
    book = _book(tmp_path, "stuck")
    games = [_play(book, seed=seed, moves=1) for seed in range(9)]
    assert {game[-1] for game in games if "pick_stuck" in game[1]} == {
        "Nobody may do anything, and the game is not over."
    }
    assert {game[-1] for game in games if "pick_stuck" not in game[1]} == {"Stopped after 1 move."}


def test_a_stop_ends_a_random_game(tmp_path: Path) -> None:
    book = _book(tmp_path, "stop")
    told = next(game for seed in range(9) if "pick_stop" in (game := _play(book, seed=seed))[1])
    assert told[-1] == "The play stops here: stop:river"


def test_another_variant_is_played(tmp_path: Path) -> None:
    folder = orchard(tmp_path / "orchard", "clash")
    text = (folder / "rules.py").read_text(encoding="utf-8")
    text = text.replace(
        '@book.rule("hub.pick", by=turn, phase=Phase.HUB)',
        '@book.rule("hub.pick", by=turn, phase=Phase.HUB, only="dusk")',
    )
    (folder / "rules.py").write_text(text, encoding="utf-8")
    book = registry.find(str(folder))
    assert len(_play(book, ["q"], variant="day")) == 2
    assert len(_play(book, ["q"], variant="dusk")) == 3
