"""Watching: a saved file of a rulebook audits that rulebook again, and no other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from findings.watch import Watch, changed, options, watch
from models.language import registry
from tests.small_books import orchard

ROOT = Path(registry.__file__).parent.parent.parent


@pytest.fixture
def books(tmp_path: Path) -> tuple[Path, Path]:
    return orchard(tmp_path / "one", "gap"), orchard(tmp_path / "two", "tie")


def saved(path: Path, text: str) -> None:
    """Save a file as an editor does, with a later time even on a coarse clock."""
    path.write_text(text, encoding="utf-8")
    known = path.stat()
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns + 1_000_000))


def test_a_saved_file_audits_its_rulebook_again(
    books: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = map(str, books)
    ran: list[list[str]] = []

    def run(arguments: Sequence[str]) -> int:
        ran.append(list(arguments))
        return len(ran)

    def saves() -> Iterator[bool]:
        yield True  # nothing was saved
        words = books[1] / "words.toml"
        saved(words, words.read_text(encoding="utf-8") + "\n# a remark\n")
        yield True
        saved(books[0] / "notes.txt", "no part of the rulebook")
        yield True
        (books[0] / "words.toml").unlink()
        yield True
        yield False

    looks = saves()
    code = watch([one, two], ["--size", "small"], run=run, pause=lambda: next(looks))
    assert ran == [
        ["audit", one, two, "--size", "small"],
        ["audit", two, "--size", "small"],
        ["audit", one, "--size", "small"],
    ]
    assert code == 3
    told = capsys.readouterr().err
    assert f"saved: words.toml; audited again: {two}" in told
    assert f"saved: words.toml; audited again: {one}" in told


def test_interrupting_ends_it_with_the_last_code(books: tuple[Path, Path]) -> None:
    def interrupted() -> bool:
        raise KeyboardInterrupt

    assert watch([str(books[0])], [], run=lambda _: 7, pause=interrupted) == 7


@pytest.mark.parametrize(
    ("file", "touched"),
    [
        ("models/fly_high/rules.py", ("fly_high",)),
        ("models/fly_high/clauses.toml", ("fly_high",)),
        ("properties/fly_high.py", ("fly_high",)),
        ("findings/accepted/my_dwarves_fly.json", ("my_dwarves_fly",)),
        ("models/language/terms.py", ("fly_high", "my_dwarves_fly")),
        ("solvers/contract.py", ("fly_high", "my_dwarves_fly")),
        ("properties/kinds.py", ("fly_high", "my_dwarves_fly")),
        ("models/dwarves_dig_delve_die/rules.py", ()),
    ],
)
def test_what_a_file_touches(file: str, touched: tuple[str, ...]) -> None:
    assert Watch(["fly_high", "my_dwarves_fly"]).touched([(ROOT / file).resolve()]) == touched


def test_the_first_run_and_the_next_one_are_real(
    books: tuple[Path, Path], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The process that runs again sees the file as it was saved."""
    rules = books[0] / "rules.py"

    def saves() -> Iterator[bool]:
        saved(
            rules,
            rules.read_text(encoding="utf-8").replace("    t.phase = Phase.DONE\n", "    t.phase = 1 / 0\n"),
        )
        yield True
        yield False

    looks = saves()
    given = [
        "--baseline",
        str(tmp_path / "none"),
        "--print-seconds",
        "0",
        "--variant",
        "day",
        "--jobs",
        "1",
        "-o",
        str(tmp_path / "out.txt"),
    ]
    code = watch([str(books[0])], [*given, "--no-cache"], pause=lambda: next(looks))
    assert (tmp_path / "out.txt").is_file(), "the first run wrote its report"
    assert code == 2, "the second one met the mistake"
    assert "division by zero" in capfd.readouterr().err


def test_options_are_handed_on_as_they_were_given() -> None:
    @click.command()
    @click.argument("names", nargs=-1)
    @click.option("--size")
    @click.option("--variant", "variants", multiple=True)
    @click.option("--with-rulings/--without-rulings", "rulings", default=False)
    @click.option("--watch", is_flag=True)
    @click.option("--most", type=int, default=3)
    @click.pass_context
    def audit(context: click.Context, /, **_: object) -> list[str]:
        return options(context, "watch")

    line = ["x", "--watch", "--variant", "a", "--size", "small", "--variant", "b", "--with-rulings"]
    given = audit.main(line, standalone_mode=False)
    assert given == ["--size", "small", "--variant", "a", "--variant", "b", "--with-rulings"]


def test_new_gone_and_saved_files_are_changed() -> None:
    a, b, c, d = map(Path, "abcd")
    before = {a: (1, 1), b: (1, 1), c: (1, 1)}
    assert changed(before, {a: (1, 1), b: (2, 1), d: (1, 1)}) == [b, c, d]
