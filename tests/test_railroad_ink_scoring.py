"""Scores of Railroad Ink: against a second opinion, by hand, and the text form of a board."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from findings.scoring import differing, points, score
from models.language.errors import ModelError
from models.railroad_ink.picture import picture
from models.railroad_ink.rules import book
from models.railroad_ink.sheet import Scorer, Sheet, expansion_of, read
from models.railroad_ink.sizes import PRINT, Board, Exit, Way, board_of
from models.railroad_ink.tiles import TILES, Tile
from tests.railroad_ink_second_opinion import DELTA, Opinion

KINDS = {
    "base": ("route", "special"),
    "river": ("route", "special", "river"),
    "lake": ("route", "special", "lake"),
    "meteor": ("route", "special", "crater"),
    "lava": ("route", "special", "lava"),
}
#: Rows, columns, how many boards of each variant.
SHAPES = ((1, 1, 20), (1, 3, 60), (2, 2, 120), (3, 3, 120), (4, 4, 60), (3, 6, 30), (7, 7, 50))


def random_exits(board: Board, rng: random.Random) -> tuple[Exit, ...]:
    """Up to twelve exits at the rim."""
    rim = [(c, s) for c in range(board.cells) for s in Way if board.neighbour(c, s) is None]
    chosen = rng.sample(rim, min(12, len(rim)))
    return tuple(Exit(c, s, rng.choice("HR")) for c, s in sorted(chosen))


def random_board(board: Board, variant: str, rng: random.Random) -> Sheet:
    """A board on which ends often meet: each space takes the best fitting of some random tiles."""
    pool = [t for t in TILES.values() if t.face.kind in KINDS[variant]]
    tiles: list[Tile | None] = []
    density, choices = rng.uniform(0.4, 1.0), rng.choice((1, 4, 12))
    for cell in range(board.cells):
        if rng.random() > density:
            tiles.append(None)
            continue

        def meets(tile: Tile, cell: int = cell) -> int:
            found = 0
            for side in (Way.ABOVE, Way.LEFT):
                other = board.neighbour(cell, side)
                before = tiles[other] if other is not None else None
                if before is not None:
                    found += 2 * (tile.ends[side] == before.ends[side.back]) - (tile.ends[side] == ".")
                else:
                    found += 2 * (tile.ends[side] == board.exit_at(cell, side))
            return found

        tiles.append(max(rng.choices(pool, k=choices), key=meets))
    return Sheet(board, tuple(tiles))


def opinion(sheet: Sheet, variant: str, options: dict[str, str]) -> dict[str, int]:
    board = sheet.board
    tokens = ["...." if t is None else t.token for t in sheet.tiles]
    rows = [tokens[r * board.columns : (r + 1) * board.columns] for r in range(board.rows)]
    exits = [(e.cell, int(e.side), e.kind) for e in board.exits]
    return Opinion(rows, exits, board.centre, board.middle, variant, options).parts()


def choices(variant: str) -> Iterator[dict[str, str]]:
    """The default readings, then each other option of a reading that a score depends on."""
    yield {}
    for id in sorted(Scorer(board_of(2, 2), variant).consulted):
        for option in book.readings[id].options:
            if option != book.readings[id].default:
                yield {id: option}


@pytest.mark.parametrize("variant", KINDS)
def test_a_second_opinion_agrees_on_random_boards(variant: str) -> None:
    rng = random.Random(variant)
    seen = 0
    for rows, columns, boards in SHAPES:
        exits = PRINT.exits if rows == 7 else random_exits(board_of(rows, columns), rng)
        board = attrs.evolve(board_of(rows, columns), exits=exits)
        for number, options in enumerate(choices(variant)):
            if rows * columns > 9 and number > (rows < 7):
                break
            scorer = Scorer(board, variant, options)
            for _ in range(boards if not number else boards // 4):
                sheet = random_board(board, variant, rng)
                found = points(scorer, sheet)
                assert dict(found.parts) == opinion(sheet, variant, options), [
                    t and t.token for t in sheet.tiles
                ]
                assert len(found.errors) == found.parts["errors"]
                seen += 1
    assert seen > 600


def test_the_second_opinion_counts_a_board_worked_out_by_hand() -> None:
    """A highway from exit to exit over a crossing, a station in the middle, a railway left open."""
    sheet = read("exits 0L:H 2R:H 1A:R\n.H.H RHRH .H.H\n.... R.H.* ....\n.... .... ....", "test")
    assert opinion(sheet, "base", {}) == {
        "networks": 4,
        "highway": 3,
        "railway": 2,
        "centre": 4,
        "errors": 1,
        "expansion": 0,
        "total": 12,
    }
    assert dict(score(book, sheet, "base").points.parts) == opinion(sheet, "base", {})


# --- readings that matter -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "text", "expected"),
    [
        ("base", ".HH. ..HH\nHH.. H..H", {("longest.twice", "arms"): 5 - 4}),
        ("river", ".VV. ..VV\nVV.. V..V", {("river.ring", "no-loose-end"): 3}),
        (
            "river",
            "exits 0A:H\nV.V.\nV.V.",
            {("river.at-exit", "error"): -1, ("river.at-exit", "rim"): 3},
        ),
        ("meteor", "CCCC .H.H CCCC", {("meteor.score", "end"): 2, ("centre.anything", "own-choice"): -2}),
        ("lava", ".L.L LLLL", {("lava.rim", "open"): -9, ("centre.anything", "own-choice"): -1}),
        ("lake", "W... .... WWWW", {("centre.anything", "own-choice"): -1}),
    ],
)
def test_readings_change_a_score(variant: str, text: str, expected: dict[tuple[str, str], int]) -> None:
    sheet = read(text, "test")
    done = score(book, sheet, variant)
    found = {
        (r.id, option): p.parts["total"] - done.points.parts["total"]
        for r, option, p in differing(book, done)
    }
    assert {k: v for k, v in found.items() if k in expected} == expected


def test_lava_on_opposite_sides() -> None:
    done = score(book, read("LL.L .L.L LL.L\n.... LL.. L..L", "test"), "lava")
    assert done.points.parts["expansion"] == 5 + 3
    assert done.others["lava.opposite", "two"].parts["expansion"] == 10 + 2


# --- the text form ------------------------------------------------------------------------------------


def test_a_board_is_read() -> None:
    sheet = read("# mine\nexits 0a:h\ncentre 1\nmiddle 0\n.  h.h.   # a highway\nCCCC .\n", "test")
    assert [t and t.token for t in sheet.tiles] == [None, "H.H.", "CCCC", None]
    assert (sheet.board.exits, sheet.board.centre, sheet.board.middle) == (
        (Exit(0, Way.ABOVE, "H"),),
        (1,),
        0,
    )
    assert expansion_of(sheet) == "meteor"
    assert len(read("\n".join([". " * 7] * 7), "test").board.exits) == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.txt: there is no board; write one line for each row"),
        ("....\n.... ....", "x.txt, line 2: this row has 2 spaces, the first one 1"),
        (".... H.H*", "x.txt, line 1, space 2: 'H.H*' is no space"),
        ("exits 9A:H\n.", "x.txt: a place outside of the 1 spaces"),
        ("exits 0C:H\n.", "x.txt: '0C:H' is no exit"),
        ("exits 0B:H\n.\n.", "x.txt: an exit that is not at the rim"),
        ("centre x\n.", "x.txt: centre is not given in numbers of spaces"),
        (".\ncentre 0", "x.txt, line 2: 'centre' stands twice or behind the board"),
        ("\n".join(["."] * 16), "x.txt: a board of 16 x 1 spaces"),
        ("." * 100_001, "x.txt: the text is too long for a board"),
    ],
)
def test_what_is_wrong_with_a_board(text: str, message: str) -> None:
    with pytest.raises(ModelError) as error:
        read(text, "x.txt")
    assert message in str(error.value)


def test_two_expansions_on_one_board() -> None:
    with pytest.raises(ModelError, match="parts of several expansions: lake, river"):
        expansion_of(read("V.V. W...", "test"))


def test_ends_that_may_not_meet_are_told() -> None:
    done = score(book, read("exits 0L:R\n.H.H .R.R", "test"), "base")
    assert done.points.clashes == ((0, 1, "H"), (0, 3, "H"), (1, 3, "R"))


def test_a_picture_shows_each_kind(tmp_path: Path) -> None:
    sheet = read("exits 0A:R\nR.H.* VHVH\nWWHR* CCCC\nLH.H LLLL", "test")
    made = picture(sheet, [(0, Way.BELOW)])
    assert made == picture(sheet, [(0, Way.BELOW)])
    assert (made.width, made.height) == (146, 190)
    for style in ("c", "k", "l", "m", "n", "o", "w", "x"):
        assert f'class="{style}"' in made.body
    assert DELTA[0] == (-1, 0)


# --- how long it takes --------------------------------------------------------------------------------


def dense(cells: set[int], kind: str) -> Sheet:
    """A printed board with a route of one kind in the spaces, joined wherever two of them meet."""
    known = {t.token.rstrip("*"): t for t in TILES.values() if t.face.kind in ("route", "special")}
    tiles: list[Tile | None] = [None] * PRINT.cells
    for cell in cells:
        joins = [PRINT.neighbour(cell, s) in cells or PRINT.exit_at(cell, s) == kind for s in Way]
        tiles[cell] = known.get("".join(kind if j else "." for j in joins))
    return Sheet(PRINT, tuple(tiles))


def branchings(sheet: Sheet) -> int:
    """Spaces in which three or four ends of one kind meet."""
    return sum(t is not None and max(map(t.ends.count, "HR")) > 2 for t in sheet.tiles)


@pytest.mark.parametrize("variant", KINDS)
def test_a_printed_board_with_up_to_24_branchings_is_scored_in_50_ms(variant: str) -> None:
    """Time of the processor, the best of five, for the worst among blocks, meshes and random boards."""
    scorer, rng = Scorer(PRINT, variant), random.Random(variant)
    blocks = [{7 * r + c for r in range(h) for c in range(w)} for h, w in ((5, 5), (4, 6), (6, 4), (3, 7))]
    meshes = [set(rng.sample(range(PRINT.cells), rng.randint(28, PRINT.cells))) for _ in range(30)]
    sheets = [dense(cells, kind) for cells in (*blocks, *meshes) for kind in "HR"]
    sheets += [random_board(PRINT, variant, rng) for _ in range(30)]
    sheets = [s for s in sheets if branchings(s) <= 24]
    assert max(map(branchings, sheets)) > 20
    assert max(seconds(scorer, s) for s in sheets) < 0.05


def seconds(scorer: Scorer, sheet: Sheet) -> float:
    """Seconds of the processor that a score takes, the best of five."""
    taken = []
    for _ in range(5):
        began = time.process_time()
        points(scorer, sheet)
        taken.append(time.process_time() - began)
    return min(taken)
