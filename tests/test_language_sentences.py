"""From text to sentences: layout, segmentation, fingerprints, reading files."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language.errors import ModelError
from models.language.layout import Role
from models.language.sentences import digest, fold, read_source, signature, similarity, slug, split

PLAIN = """Moon Frogs
Contents
Parts ..... 2
The Hop
Parts
- 12 frogs: 6 green, 6 red.
- 1 pond.
The Hop
Frogs hop one by one. A frog may hop over any other frog! E.g. 1) Green hops over red. Red sinks at once.
Dare for more!
Whoever hopped may hop again, as many times as there are frogs left in the pond, but a fall ends it.
The End
The first player without a frog loses… Then count (see "Halt! No more." above).
"""

SPACED = """Pond Rules

Read this before you throw the very first pebble, as

the pond is deep and the peb-

bles are few. A pebble costs 3 of the

Copper Coins that you own.

How to Throw

Take aim (the call is Splash!

and nothing else) and let go. The

pebble sinks.

END
"""

WIKI = """Intro line
== Play ==
'''Roll''' one die
and look.
* Move.
** Eat ''all'' crumbs. Sleep.
# Wake.
{| class="x"
|+ Prizes
|-
! Crumbs !! Points
|-
| 1 || 2
|-
|3
|4
|}
=== Play ===
Stop.
"""

MARKDOWN = """# Play

**Roll** one die and
Move a pawn.

| Crumbs | Points |
|--------|--------|
| 1      | 2      |

1. Eat.
2) Sleep.
(3) Wake
up late.

---

## Play ##
Stop.
"""


def cut(text: str) -> list[tuple[int, str, int, str, str]]:
    return [(s.line, s.section, s.ordinal, s.role.value, s.text) for s in split(text)]


def test_plain_text_has_headings_contents_items_and_labels() -> None:
    assert cut(PLAIN) == [
        (1, "moon-frogs", 0, "heading", "Moon Frogs"),
        (2, "contents", 0, "heading", "Contents"),
        (3, "contents", 1, "contents", "Parts"),
        (4, "contents", 2, "contents", "The Hop"),
        (5, "parts", 0, "heading", "Parts"),
        (6, "parts", 1, "item", "12 frogs: 6 green, 6 red."),
        (7, "parts", 2, "item", "1 pond."),
        (8, "the-hop", 0, "heading", "The Hop"),
        (9, "the-hop", 1, "text", "Frogs hop one by one."),
        (9, "the-hop", 2, "text", "A frog may hop over any other frog!"),
        (9, "the-hop", 3, "text", "E.g. 1) Green hops over red."),
        (9, "the-hop", 4, "text", "Red sinks at once."),
        (10, "dare-for-more", 0, "heading", "Dare for more!"),
        (11, "dare-for-more", 1, "text", PLAIN.splitlines()[10]),
        (12, "the-end", 0, "heading", "The End"),
        (13, "the-end", 1, "text", "The first player without a frog loses…"),
        (13, "the-end", 2, "text", 'Then count (see "Halt! No more." above).'),
    ]


def test_double_spaced_wrapped_text_is_joined() -> None:
    assert cut(SPACED) == [
        (1, "pond-rules", 0, "heading", "Pond Rules"),
        (
            3,
            "pond-rules",
            1,
            "text",
            "Read this before you throw the very first pebble, as the pond is deep and the pebbles are few.",
        ),
        (7, "pond-rules", 2, "text", "A pebble costs 3 of the Copper Coins that you own."),
        (11, "how-to-throw", 0, "heading", "How to Throw"),
        (13, "how-to-throw", 1, "text", "Take aim (the call is Splash! and nothing else) and let go."),
        (15, "how-to-throw", 2, "text", "The pebble sinks."),
        (19, "end", 0, "heading", "END"),
    ]


def test_mediawiki_marks_are_understood_and_dropped() -> None:
    assert cut(WIKI) == [
        (1, "preface", 1, "text", "Intro line"),
        (2, "play", 0, "heading", "Play"),
        (3, "play", 1, "text", "Roll one die and look."),
        (5, "play", 2, "item", "Move."),
        (6, "play", 3, "item", "Eat all crumbs."),
        (6, "play", 4, "item", "Sleep."),
        (7, "play", 5, "item", "Wake."),
        (9, "play", 6, "row", "Prizes"),
        (11, "play", 7, "row", "Crumbs | Points"),
        (13, "play", 8, "row", "1 | 2"),
        (15, "play", 9, "row", "3 | 4"),
        (18, "play-2", 0, "heading", "Play"),
        (19, "play-2", 1, "text", "Stop."),
    ]


def test_markdown_marks_are_understood_and_dropped() -> None:
    assert cut(MARKDOWN) == [
        (1, "play", 0, "heading", "Play"),
        (3, "play", 1, "text", "Roll one die and Move a pawn."),
        (6, "play", 2, "row", "Crumbs | Points"),
        (8, "play", 3, "row", "1 | 2"),
        (10, "play", 4, "item", "Eat."),
        (11, "play", 5, "item", "Sleep."),
        (12, "play", 6, "item", "Wake up late."),
        (17, "play-2", 0, "heading", "Play"),
        (18, "play-2", 1, "text", "Stop."),
    ]


@pytest.mark.parametrize("text", [PLAIN, MARKDOWN, WIKI])
def test_every_word_stands_in_exactly_one_sentence(text: str) -> None:
    def words(part: str) -> list[str]:
        return re.findall(r"[^\W\d_]+", part)

    text = text.replace('{| class="x"', "{|")
    assert words(" ".join(s.text for s in split(text))) == words(text)


@settings(deadline=None)
@given(text=st.text(alphabet="abAB .!?:;-*=#'\"([…“”\n\n\t–_", max_size=200))
def test_no_letter_is_lost_or_doubled(text: str) -> None:
    def letters(part: str) -> list[str]:
        return sorted(sign for sign in part if sign.isalpha())

    assert letters("".join(sentence.text for sentence in split(text))) == letters(text)


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("The Hop", True),
        ("Case 1: it rains", True),
        ("Setup (Aufbau):", True),
        ("Hop on! (Hopp!)", True),
        ("the hop", False),
        ("The frog hops.", False),
        ("Ask the frog;", False),
        ("2026-05-24T17:25:54Z", False),
        ("Example:", False),
        ("Hop now. And again!", False),
        ("Hop once. Then rest 2)", False),
        ("4. End of the Hop", True),
        ("4. End it.", False),
    ],
)
def test_what_looks_like_a_heading(line: str, heading: bool) -> None:
    text = f"Begin.\n{line}\nA frog hops over the pond and lands upon a leaf, wherever that may be.\n"
    role = next(sentence.role for sentence in split(text) if sentence.line == 2)
    assert (role is Role.HEADING) is heading


def test_a_shout_before_a_heading_is_no_heading() -> None:
    assert cut("Frogs\nHave fun!\nEnd\nStop now, please.\n")[1] == (2, "frogs", 1, "text", "Have fun!")


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("E.g. 1. Green hops. E.g. Red hops.", ["E.g. 1. Green hops.", "E.g. Red hops."]),
        ("Hop once. 1) Then rest. 2)", ["Hop once.", "1) Then rest. 2)"]),
        ("Hop now. –", ["Hop now. –"]),
        ('He said "Hop! Now." And hopped.', ['He said "Hop! Now."', "And hopped."]),
        ("Hop (far! Not near.) now. Rest.", ["Hop (far! Not near.) now.", "Rest."]),
        ("Would you hop…! I would.", ["Would you hop…!", "I would."]),
        ("e.g. 2)", ["e.g. 2)"]),
    ],
)
def test_what_the_sentence_rules_cut_too_finely_is_put_together(paragraph: str, sentences: list[str]) -> None:
    assert [sentence.text for sentence in split(f"Frogs.\n\n{paragraph}")][1:] == sentences


def test_line_ends_of_all_systems_are_the_same() -> None:
    assert cut(PLAIN.replace("\n", "\r\n")) == cut(PLAIN) == cut(PLAIN.replace("\n", "\r"))


def test_german_sentence_rules() -> None:
    text = "Der Hopser\nMan hüpft z.B. 2 Felder bzw. 3 Felder weit. Danach ist Schluss.\n"
    assert [s.text for s in split(text, "de")] == [
        "Der Hopser",
        "Man hüpft z.B. 2 Felder bzw. 3 Felder weit.",
        "Danach ist Schluss.",
    ]


def test_no_text_has_no_sentences() -> None:
    assert split("\n \n---\n") == ()


def test_digest_is_that_of_the_folded_text() -> None:
    assert fold(" a \n\tﬁsh  ") == "a fish"
    assert digest("a ﬁsh") == digest("  a\nfish ") == "101f962260228afc"
    assert digest("A fish") != digest("a fish")


def test_signature_is_alike_for_sentences_that_are_alike() -> None:
    one = signature("A frog may hop over any other frog!")
    assert len(one) == 32
    assert one == signature("over any OTHER frog, a frog may hop")
    assert similarity(one, one) == 1.0
    assert similarity(one, signature("A frog must hop over any other frog!")) == pytest.approx(12 / 14)
    assert similarity(one, signature("Red sinks at once.")) == 0.0
    assert similarity(signature(""), signature("…")) == 1.0


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("U-turn", "u-turn"),
        ("Der große Spaß!", "der-grosse-spass"),
        ("Knight’s Move", "knights-move"),
        ("蛙", "section"),
    ],
)
def test_slug(title: str, expected: str) -> None:
    assert slug(title) == expected


# --- reading -------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        read_source(path)
    return str(caught.value).replace(str(path), "FILE")


def test_a_source_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes("\ufeffFröschlein\n".encode())
    assert read_source(path) == "Fröschlein\n"


def test_a_missing_source(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.txt") == (
        "FILE: there is no such file; a source is a text file in UTF-8, give its path"
    )


def test_a_directory_as_source(tmp_path: Path) -> None:
    assert refused(tmp_path) == "FILE: this is a directory; a source is a text file in UTF-8, give its path"


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_source(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes(data)
    assert refused(path) == "FILE: the file is empty; put the rulebook's text into it"


def test_a_source_in_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes("Frogs\nSpaß\n".encode("latin-1"))
    assert refused(path) == (
        "FILE:2: not UTF-8: byte 0xdf at offset 9; convert it, e.g. with iconv -f LATIN1 -t UTF-8"
    )


def test_a_source_in_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes("Frogs\n".encode("utf-16"))
    assert refused(path) == (
        "FILE:1: not UTF-8: byte 0xff at offset 0; convert it, e.g. with iconv -f UTF-16 -t UTF-8"
    )


def test_a_bad_byte_after_a_byte_order_mark_is_counted_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes(b"\xef\xbb\xbfab\xff")
    assert "byte 0xff at offset 5" in refused(path)


def test_a_binary_source(tmp_path: Path) -> None:
    path = tmp_path / "frogs.pdf"
    path.write_bytes(b"%PDF\0\1\2")
    assert refused(path) == "FILE: the file is not text; extract the text first, e.g. with pdftotext"


def test_a_source_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "frogs.txt"
    path.write_bytes(b"a" * 4_000_001)
    assert refused(path) == (
        "FILE: the file has 4000001 bytes, and a source may have 4000000; give the rulebook's text alone"
    )


def test_a_path_that_no_system_takes() -> None:
    with pytest.raises(ModelError, match="the file cannot be read"):
        read_source("a\0b")
