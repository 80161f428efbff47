"""Text for terminals: harmless, and numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findings.suggest import unknown
from findings.text import percent, printable


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("an ordinary sentence, “quoted” – 3×3 · ja", "an ordinary sentence, “quoted” – 3×3 · ja"),
        ("小さな👩\u200d🌾", "小さな👩\u200d🌾"),
        ("two\nlines\tand\r\nthree", "two lines and three"),
        ("\x1b[31mred\x07\x00\x7f", "\\x1b[31mred\\x07\\x00\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("left\u202eright\u2066x", "left\\u202eright\\u2066x"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("", ""),
    ],
)
def test_what_could_control_a_terminal_is_written_out(text: str, safe: str) -> None:
    assert printable(text) == safe


@given(st.text())
def test_printable_gives_one_line_without_control_characters(text: str) -> None:
    safe = printable(text)
    assert len(safe.splitlines()) <= 1
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in safe)
    assert printable(safe) == safe


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.001, "0.1 %"),
        (0.00125, "0.12 %"),
        (0.5, "50 %"),
        (0.123456, "12 %"),
        (0.9949, "99 %"),
        (0.9999, "99.99 %"),
        (0.0000003, "0.00003 %"),
    ],
)
def test_percentages_have_two_digits(share: float, text: str) -> None:
    assert percent(share) == text


@given(st.floats(min_value=1e-12, max_value=1 - 1e-12))
def test_some_never_reads_as_none_or_all(share: float) -> None:
    assert percent(share) not in ("0 %", "100 %")


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (["small", "print"], "unknown size 'smal'; did you mean 'small'?"),
        (["large", "print"], "unknown size 'smal'; there is large, print"),
        ([], "unknown size 'smal'; there is no size at all"),
    ],
)
def test_an_unknown_word_is_answered_with_what_there_is(known: list[str], message: str) -> None:
    assert str(unknown("size", "smal", known)) == message
