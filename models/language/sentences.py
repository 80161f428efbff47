"""From the text of a rulebook to its sentences, and from a sentence to its fingerprints.

Promises:

- `read_source` reads a text file or says in one line why it cannot.
- `split` cuts a text into sentences, each under its heading; every word of the text stands in exactly one.
- `digest` and `signature` tell whether two sentences are the same, or nearly so, and neither gives the
  sentence away.

Nothing here knows any one rulebook.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from models.language.errors import ModelError
from models.language.layout import Block, Role, blocks

if TYPE_CHECKING:
    from choppa import SrxDocument

LIMIT = 4_000_000
"""The largest source that is read, in bytes: a hundred times the longest rulebook that is known."""

PREFACE = "preface"
"""The section of what stands before the first heading."""

_SIGNATURE_BITS = 128
_STEM = 5


@frozen
class Sentence:
    """A sentence of a source, or a heading (which is entry 0 of the section that it opens).

    Attributes:
        section: the id of its section in this text: the heading's words in lower case, joined by hyphens,
            with a number behind where an earlier section has the same.
        ordinal: its place in the section, counted from 1; 0 for the heading.
        line: the line of the text that it begins on, counted from 1.
        text: the sentence, white space folded, without bullets and emphasis marks.
        role: what the block that it stands in is on the page.
    """

    section: str
    ordinal: int
    line: int
    text: str
    role: Role

    @property
    def digest(self) -> str:
        """See `digest`."""
        return digest(self.text)

    @property
    def signature(self) -> str:
        """See `signature`."""
        return signature(self.text)


def fold(text: str) -> str:
    """The text in Unicode form NFKC, its white space folded to single spaces and stripped."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def digest(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the folded text (see `fold`) in UTF-8.

    Two sentences have the same digest exactly if they differ in nothing but white space and characters that
    NFKC takes for equal (64 bits: no chance collision in anything as short as a rulebook).
    """
    return hashlib.sha256(fold(text).encode()).hexdigest()[:16]


def signature(text: str) -> str:
    """A 128-bit set of the text's words, as 32 hexadecimal digits, for finding it again once it is changed.

    Each word is folded to lower case and cut to five letters (stemming by truncation), and the SHA-256 of
    that picks one of 128 bits, which is set: a Bloom filter (Bloom 1970) with a single hash function.
    Order and number of words are lost, and every bit is shared by a 128th of all words, so the sentence
    cannot be had back from it; two sentences that share most of their words share most of their bits.
    """
    bits = 0
    for word in re.findall(r"\w+", fold(text).casefold()):
        stem = hashlib.sha256(word[:_STEM].encode()).digest()
        bits |= 1 << int.from_bytes(stem[:4], "big") % _SIGNATURE_BITS
    return f"{bits:032x}"


def similarity(one: str, other: str) -> float:
    """How alike two signatures are: Dice's coefficient of their bits, 0.0 (nothing shared) to 1.0 (equal)."""
    whole = int(one, 16).bit_count() + int(other, 16).bit_count()
    return 2 * shared(one, other) / whole if whole else 1.0


def shared(one: str, other: str) -> int:
    """How many bits two signatures share: about as many as words, of which one may be chance."""
    return (int(one, 16) & int(other, 16)).bit_count()


def split(text: str, language: str = "en") -> tuple[Sentence, ...]:
    """Cut a source into its headings and sentences, in the order of the text.

    Args:
        text: the whole source, as `read_source` gives it.
        language: ISO 639 code of the language whose sentence rules to use (LanguageTool's SRX rules, one
            paragraph a line).

    Returns:
        Headings and sentences. Every word of the text stands in exactly one of them.
    """
    found: list[Sentence] = []
    section, ordinal = PREFACE, 0
    taken = {PREFACE}
    for block in blocks(text):
        if block.role is Role.HEADING:
            title = " ".join(piece for _, piece in block.pieces)
            section, ordinal = _fresh(slug(title), taken), 0
            found.append(Sentence(section, 0, block.line, title, Role.HEADING))
            continue
        for line, sentence in _sentences(block, language):
            ordinal += 1
            found.append(Sentence(section, ordinal, line, sentence, block.role))
    return tuple(found)


def slug(title: str) -> str:
    """A title as an id: ASCII, lower case, words joined by hyphens; `section` if nothing is left."""
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss").replace("’", "").replace("'", ""))
    words = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode().lower())
    return "-".join(words)[:48].strip("-") or "section"


def _fresh(name: str, taken: set[str]) -> str:
    number, fresh = 1, name
    while fresh in taken:
        number += 1
        fresh = f"{name}-{number}"
    taken.add(fresh)
    return fresh


# --- sentences of a block ------------------------------------------------------------------------------

_LABEL_ONLY = re.compile(
    r"(?:\(?\d{1,2}[.)]|[A-Za-z]\)|(?:e\.\s?g\.|i\.\s?e\.|z\.\s?B\.)(?:\s*\d{1,2}[.)])?)$", re.IGNORECASE
)
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("„", "“"), ("«", "»"))
_WORD = re.compile(r"[^\W_]")


@lru_cache(maxsize=1)
def _rules() -> SrxDocument:
    import choppa

    folder = Path(choppa.__file__).parent / "data" / "srx"
    return choppa.SrxDocument(ruleset=folder / "languagetool_segment.srx")


def _sentences(block: Block, language: str) -> Iterator[tuple[int, str]]:
    """The sentences of a block, each with the line that it begins on."""
    text, starts = "", []
    for line, piece in block.pieces:
        starts.append((len(text), line))
        text += piece + " "
    at = 0
    for part in _mended(_segments(text.rstrip(), language)):
        begin = at + len(part) - len(part.lstrip())
        yield max((start, line) for start, line in starts if start <= begin)[1], part.strip()
        at += len(part)


def _segments(text: str, language: str) -> list[str]:
    from choppa import SrxTextIterator

    return list(SrxTextIterator(_rules(), f"{language}_one", text))


def _mended(parts: Sequence[str]) -> list[str]:
    """Put together what the sentence rules cut too finely.

    A label (`E.g. 1)`) goes before its sentence, stray signs go behind theirs, and a cut inside brackets or
    quotation marks that the very next part closes is taken back, as in `"Halt!` and `" he said.`
    """
    whole: list[str] = []
    label = ""
    for part in parts:
        if _LABEL_ONLY.match(part.strip()):
            label += part
        elif whole and not label and not _WORD.search(part):
            whole[-1] += part
        else:
            whole.append(label + part)
            label = ""
    if label:
        whole[-1:] = ["".join([*whole[-1:], label])]
    out: list[str] = []
    for part in whole:
        if out and _cut_inside(out[-1], part):
            out[-1] += part
        else:
            out.append(part)
    return out


def _cut_inside(before: str, after: str) -> bool:
    """Whether a bracket or quotation mark is open at the end of one part and closed in the next."""
    if before.count('"') % 2 and after.count('"') % 2:
        return True
    return any(
        before.count(opening) > before.count(closing) and after.count(closing) > after.count(opening)
        for opening, closing in _PAIRS
    )


# --- reading -------------------------------------------------------------------------------------------


def read_source(path: Path | str) -> str:
    """The text of a source file.

    Args:
        path: a text file in UTF-8, with or without a byte order mark, of at most `LIMIT` bytes.

    Raises:
        ModelError: there is no such file, it is a directory, it cannot be read, it is empty, too large, not
            text or not UTF-8.
    """
    place = str(path)
    data = read_bytes(path, "a source is a text file in UTF-8, give its path")
    if len(data) > LIMIT:
        raise ModelError(
            f"the file has {len(data)} bytes, and a source may have {LIMIT}",
            where=place,
            hint="give the rulebook's text alone",
        )
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ModelError(
            "the file is not text", where=place, hint="extract the text first, e.g. with pdftotext"
        )
    text = decode(data, place)
    if not text.strip():
        raise ModelError("the file is empty", where=place, hint="put the rulebook's text into it")
    return text


def read_bytes(path: Path | str, hint: str) -> bytes:
    """The bytes of a file; a `ModelError` with this hint if there are none to be had."""
    place = Path(path)
    try:
        return place.read_bytes()
    except FileNotFoundError:
        raise ModelError("there is no such file", where=str(path), hint=hint) from None
    except IsADirectoryError:
        raise ModelError("this is a directory", where=str(path), hint=hint) from None
    except PermissionError:
        if place.is_dir():
            raise ModelError("this is a directory", where=str(path), hint=hint) from None
        raise ModelError("the file may not be read", where=str(path), hint="mend its permissions") from None
    except (OSError, ValueError) as why:
        raise ModelError(f"the file cannot be read ({why})", where=str(path), hint=hint) from None


def decode(data: bytes, place: str) -> str:
    """Bytes as UTF-8 text, a byte order mark dropped; a `ModelError` that names the first bad byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        offset = why.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        line = data.count(b"\n", 0, offset) + 1
        was = "UTF-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "LATIN1"
        raise ModelError(
            f"not UTF-8: byte 0x{data[offset]:02x} at offset {offset}",
            where=f"{place}:{line}",
            hint=f"convert it, e.g. with iconv -f {was} -t UTF-8",
        ) from None
