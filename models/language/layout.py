"""From the lines of a rulebook's text to its blocks: headings, paragraphs, list items, table rows.

Promises:

- `blocks` accounts for every word: it stands in exactly one block. Only marks are dropped (list bullets and
  numbers, heading marks, emphasis, table rules, dot leaders).
- Three ways of writing are told apart by what the text contains: MediaWiki (`== Heading ==`), Markdown
  (`# Heading`) and plain text, where a heading is recognised by its looks.
- Lines that belong together are joined: hard-wrapped paragraphs, also double-spaced ones as PDF extractors
  write them, with words that a hyphen split at the line's end.

The rules for plain text are heuristics over punctuation, capitals and line lengths. They are the same for
every text; a text that they get wrong is mended by marking its headings with `#`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from attrs import evolve, frozen


class Role(StrEnum):
    """What a block of text is on the page."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    """An item of a list, without its bullet or number."""
    ROW = "row"
    """A row or a caption of a table; the cells are joined with ` | `."""
    CONTENTS = "contents"
    """An entry of a table of contents, without its page number."""


@frozen
class Block:
    """A piece of text that belongs together.

    Attributes:
        role: what it is.
        pieces: its lines, as (line number counted from 1, text without marks).
    """

    role: Role
    pieces: tuple[tuple[int, str], ...]

    @property
    def line(self) -> int:
        """The number of its first line."""
        return self.pieces[0][0]

    @property
    def last(self) -> str:
        """The text of its last line."""
        return self.pieces[-1][1]


@frozen
class _Line:
    number: int
    text: str
    role: Role | None
    """What its own marks say, or None where only its looks can tell."""
    spaced: bool
    """A blank line stands before it."""
    numbered: bool = False
    """An item with a number, which may be a heading with one."""


_EMPHASIS = re.compile(r"'{2,5}|\*\*(?=\S)|(?<=\S)\*\*")
_BULLET = re.compile(r"(?:[-*+•·▪◦‣–—]|\d{1,2}[.)]|\(\d{1,2}\)|[a-z]\))\s+(?=\S)")
_DASH = re.compile(r"[–—]\s")
_WIKI_HEADING = re.compile(r"(={1,6})\s*(.*?)\s*\1$")
_WIKI_ITEM = re.compile(r"[*#:;]+\s*")
_HASH_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_RULE = re.compile(r"[-=_*~|:+\s]{3,}$")
_LEADERS = re.compile(r"\s*(?:\.\s?){3,}\s*\d+$|\s*…+\s*\d+$")
_PAGE = re.compile(r"\s+\d{1,3}$")
_CONTENTS = re.compile(r"(?:table of )?contents$|inhalt(?:sverzeichnis)?$", re.IGNORECASE)
_CLOSERS = "\"'”’»)]"
_ABBREVIATION = re.compile(
    r"\b(?:e\.\s?g|i\.\s?e|z\.\s?B|d\.\s?h|vs|approx|resp|bzw|ca|cf|nr|pp)\.$", re.IGNORECASE
)
_ASIDE = re.compile(r"\s*\([^()]*\)$")
_LABEL = re.compile(r"[A-Z][\w’' -]{1,24}:\s")
_LEAD_IN = re.compile(
    r"(?:for )?(?:example|note|e\.\s?g\.|important|remember|beispiel|wichtig)\b", re.IGNORECASE
)
_CAPITALISED_FIRST = """
    a after all an and as at based before both but each every for from if in it its no not on once one only
    or other some that the then there these they this those to we when whenever where while with you your
    alle auf bei das der die ein eine er es für im in ist jede jeder sie und wenn wer wird
"""
_OPENERS = frozenset(_CAPITALISED_FIRST.split())
"""Words that are written with a capital only where a sentence begins."""


def blocks(text: str) -> tuple[Block, ...]:
    """Cut a text into its blocks, in the order of the text.

    Args:
        text: the whole text; lines may end in the manner of any system.
    """
    lines = _lines(text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))
    marked = any(line.role is Role.HEADING for line in lines)
    if marked:
        return tuple(_joined(lines, 0))
    if _double_spaced(lines):
        lines = [evolve(line, spaced=False) for line in lines]
    width = _wrap_width(lines)
    return tuple(_joined(_find_headings(lines, width), width))


# --- marks ---------------------------------------------------------------------------------------------


def _lines(text: str) -> list[_Line]:
    raw = text.split("\n")
    wiki = any(_WIKI_HEADING.match(line.strip()) and line.count("=") >= 4 for line in raw)
    found: list[_Line] = []
    spaced = False
    table = False
    for number, line in enumerate(raw, start=1):
        bare = line.strip()
        if wiki and bare.startswith("{|"):
            table = True
        elif table and bare.startswith("|}"):
            table = False
        elif table:
            _table_line(found, number, bare)
        elif not bare:
            spaced = True
            continue
        elif any(sign.isalnum() or not sign.isascii() for sign in bare) or not _RULE.match(bare):
            found.append(_marked_line(number, bare, wiki, spaced))
        spaced = False
    return [line for line in found if line.text]


def _table_line(found: list[_Line], number: int, bare: str) -> None:
    """Add a line inside a MediaWiki table: cells go to the end of the row that is open."""
    if bare.startswith("|-"):
        found.append(_Line(number, "", Role.ROW, True))
        return
    if bare.startswith("|+"):
        found.append(_Line(number, _clean(bare[2:]), Role.ROW, True))
        found.append(_Line(number, "", Role.ROW, True))
        return
    cells = " | ".join(_clean(cell) for cell in re.split(r"\|\||!!", bare.lstrip("|!")))
    if found and found[-1].role is Role.ROW:
        open_row = found.pop()
        number = open_row.number if open_row.text else number
        cells = f"{open_row.text} | {cells}" if open_row.text else cells
    found.append(_Line(number, cells, Role.ROW, True))


def _marked_line(number: int, bare: str, wiki: bool, spaced: bool) -> _Line:
    heading = _WIKI_HEADING.match(bare) if wiki else _HASH_HEADING.match(bare)
    if heading and heading[heading.lastindex or 0]:
        return _Line(number, _clean(heading[heading.lastindex or 0]), Role.HEADING, spaced)
    if not wiki and bare.startswith("|") and bare.endswith("|") and len(bare) > 1:
        cells = " | ".join(_clean(cell) for cell in bare.strip("|").split("|"))
        return _Line(number, cells, Role.ROW, spaced)
    item = (_WIKI_ITEM if wiki else _BULLET).match(bare)
    if item and item.end() < len(bare):
        return _Line(number, _clean(bare[item.end() :]), Role.ITEM, spaced, numbered=bare[0].isdigit())
    if _LEADERS.search(bare):
        return _Line(number, _clean(_LEADERS.sub("", bare)), Role.CONTENTS, spaced)
    return _Line(number, _clean(bare), None, spaced)


def _clean(text: str) -> str:
    return " ".join(_EMPHASIS.sub("", text).split())


# --- wrapping ------------------------------------------------------------------------------------------


def _ended(text: str) -> bool:
    """Whether a line's last sign ends a sentence or a clause of one."""
    bare = text.rstrip(_CLOSERS + " ")
    return bare.endswith((".", "!", "?", "…", ":", ";")) and not _ABBREVIATION.search(bare)


def _goes_on(text: str) -> bool:
    """Whether a line begins in the middle of a sentence."""
    first = text.lstrip("\"'“„»([")[:1]
    return first.islower() or text[:1] in ",;:)"


def _continues(before: _Line, after: _Line) -> bool:
    """Whether a line, by capitals and punctuation alone, carries on the line before it."""
    joinable = before.role in (None, Role.ITEM) and after.role is None and not after.spaced
    called_out = before.text.endswith(("!", "?", "…"))  # a name such as Halt! may stand inside a sentence
    return joinable and (called_out or not _ended(before.text)) and _goes_on(after.text)


def _double_spaced(lines: Sequence[_Line]) -> bool:
    pairs = list(pairwise(lines))
    across = [pair for pair in pairs if pair[1].spaced]
    broken = [(a, b) for a, b in across if _continues(a, evolve(b, spaced=False))]
    return len(broken) >= 3 and len(broken) * 10 >= len(across) and len(across) * 2 >= len(pairs)


def _wrap_width(lines: Sequence[_Line]) -> int | None:
    """The usual length of a line that the next one carries on; None if the text is not hard-wrapped."""
    pairs = list(pairwise(lines))
    lengths = sorted(len(before.text) for before, after in pairs if _continues(before, after))
    if len(lengths) < 3 or len(lengths) * 10 < len(pairs):
        return None
    return lengths[len(lengths) // 2]


# --- headings in plain text ----------------------------------------------------------------------------


def _find_headings(lines: Sequence[_Line], width: int | None) -> list[_Line]:
    texts = [line.text for line in lines]
    out: list[_Line] = []
    contents = False
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        before = lines[at - 1] if at else None
        open_role = line.role is None or (line.numbered and _opens_text(before, line, after))
        if line.role is Role.CONTENTS:
            out.append(line)
        elif not open_role or not _is_heading(line, after, width):
            contents = contents and line.role is not None
            out.append(line)
        elif contents and _PAGE.sub("", line.text) in texts[at + 1 :]:
            out.append(evolve(line, text=_PAGE.sub("", line.text), role=Role.CONTENTS))
        else:
            contents = bool(_CONTENTS.match(line.text))
            out.append(evolve(line, role=Role.HEADING))
    return out


def _opens_text(before: _Line | None, line: _Line, after: _Line | None) -> bool:
    """Whether a numbered line stands alone above a paragraph, so that it is no item of a list."""
    alone = before is None or before.role is not Role.ITEM or line.spaced
    return alone and after is not None and after.role is None and len(after.text) > 2 * len(line.text)


def _is_heading(line: _Line, after: _Line | None, width: int | None) -> bool:
    text = line.text
    bare = text.rstrip(_CLOSERS + " ")
    words = len(text.split())
    first = text.lstrip("\"'“„»([¡¿")[:1]
    letters = sum(sign.isalpha() for sign in text)
    if not first.isalnum() or first.islower() or letters * 2 < len(text.replace(" ", "")):
        return False
    if len(text) > (0.6 * width if width else 80) or words > 12:
        return False
    if after is not None and after.role is None and not after.spaced and _goes_on(after.text):
        return False
    shout = _ASIDE.sub("", text)
    if re.search(r"[^\W\d_]{3}[.!?…]\s", shout):
        return False
    if shout.endswith("!"):
        return words <= 7 and _leads(after, text)
    if bare.endswith(":"):
        text_follows = after is not None and after.role is None
        return words <= 5 and text_follows and not _LEAD_IN.match(text) and _leads(after, text)
    return not _ended(text) and not bare.endswith(",")


def _leads(after: _Line | None, title: str) -> bool:
    """Whether what follows a line that could be a sentence makes it a title: a list, or more text."""
    if after is None or after.role is Role.CONTENTS:
        return False
    return after.role is not None or len(after.text) > 2 * len(title) or after.text.endswith(":")


# --- joining -------------------------------------------------------------------------------------------


def _joined(lines: Sequence[_Line], width: int | None) -> list[Block]:
    """The blocks of lines whose headings are known; `width` as in `_wrap_width`, 0 in a marked-up text."""
    found: list[Block] = []
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else None
        if before is not None and _belongs(before, line, width):
            found[-1] = _glue(found[-1], line)
        else:
            found.append(Block(line.role or Role.TEXT, ((line.number, line.text),)))
    return found


def _belongs(before: _Line, line: _Line, width: int | None) -> bool:
    if _continues(before, line):
        return True
    if width == 0:  # there, only a blank line ends a paragraph
        return before.role is None and line.role is None and not line.spaced
    joinable = before.role in (None, Role.ITEM) and line.role is None and not line.spaced
    if width is None or not joinable or _ended(before.text) or len(before.text) < 0.6 * width:
        return False
    first = re.match(r"[\w’']+", line.text)
    opens = first is not None and first[0].lower() in _OPENERS and first[0][0].isupper()
    return not opens and not _LABEL.match(line.text)


def _glue(block: Block, line: _Line) -> Block:
    """Add a line to a block; a hyphen that split a word is dropped and the word's rest is pulled up."""
    pieces = block.pieces
    if re.search(r"\w-$", block.last) and line.text[:1].islower():
        head, _, rest = line.text.partition(" ")
        pieces = (*pieces[:-1], (pieces[-1][0], block.last[:-1] + head))
        return evolve(block, pieces=(*pieces, (line.number, rest)) if rest else pieces)
    return evolve(block, pieces=(*pieces, (line.number, line.text)))
