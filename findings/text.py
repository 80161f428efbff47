"""Text for people: made safe for a terminal, and numbers as they are read.

Promises: nothing that comes from a file or an argument can move the cursor, change colours or reorder a
line once it went through `printable`.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal

# Marks that reorder or hide text, and line separators: none is needed in one line of a report.
_UNSAFE_CATEGORIES = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
_REORDERING = {
    chr(c) for c in (0x061C, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
_TAGS = range(0xE0000, 0xE0080)


def printable(text: str) -> str:
    r"""A text as one line that is safe to print.

    Args:
        text: any text, for instance from a rulebook file or an argument.

    Returns:
        The text with line breaks and tabs folded to single spaces, and every other control character,
        direction mark, tag, unassigned or private character written as `\x1b` or `\u202e`.
    """
    folded = " ".join(text.replace("\t", " ").splitlines()) if not text.isprintable() else text
    return "".join(_escaped(c) if _unsafe(c) else c for c in folded)


def _unsafe(c: str) -> bool:
    return c < " " or c == "\x7f" or (not c.isascii() and _unsafe_beyond_ascii(c))


def _unsafe_beyond_ascii(c: str) -> bool:
    return c in _REORDERING or ord(c) in _TAGS or unicodedata.category(c) in _UNSAFE_CATEGORIES


def _escaped(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def percent(share: float) -> str:
    """A share of all as a percentage with two significant digits, for instance `0.1 %`, `12 %`, `100 %`.

    Args:
        share: 0.0 … 1.0.

    Returns:
        The percentage. A share that is not all or nothing never reads as `0 %` or `100 %`.
    """
    if share in (0.0, 1.0):
        return "0 %" if share == 0.0 else "100 %"
    for digits in range(2, 18):
        text = f"{share * 100:.{digits}g}"
        if float(text) < 100:
            return f"{Decimal(text):f} %"
    return "100 %"
