"""Fingerprints: stable, short, and found again by their beginning."""

from __future__ import annotations

import pytest

from findings.fingerprints import abbreviations, fingerprint, match
from models.language.errors import ModelError

WHAT_IT_IS = "a fingerprint is up to 12 of the digits 0-9 and a-f, as `ruleslawyer audit` prints it"


def test_the_same_finding_has_the_same_fingerprint_in_every_version_of_the_program() -> None:
    assert fingerprint("RL101", "orchard", ["night", "lantern.safe", "ogre.strongest"]) == "5b8ef4cdc081"


def test_the_order_of_the_identities_does_not_matter() -> None:
    assert fingerprint("RL101", "orchard", ["a", "b"]) == fingerprint("RL101", "orchard", ["b", "a"])


@pytest.mark.parametrize(
    "other",
    [
        ("RL102", "orchard", ["a", "b"]),
        ("RL101", "forest", ["a", "b"]),
        ("RL101", "orchard", ["a"]),
        ("RL101", "orchard", ["ab"]),
        ("RL101", "orchard", ["a", "b", "b"]),
        ("RL101", "orchard", ['a","b']),
        ("RL101", "orchard", ["ä", "b"]),
    ],
)
def test_what_differs_has_another_fingerprint(other: tuple[str, str, list[str]]) -> None:
    assert fingerprint(*other) != fingerprint("RL101", "orchard", ["a", "b"])


def test_abbreviations_are_six_digits_if_that_tells_all_apart() -> None:
    first, second = "123456789abc", "abcdefabcdef"
    assert abbreviations([first, second, first]) == {first: "123456", second: "abcdef"}


def test_abbreviations_are_as_long_as_it_takes() -> None:
    first, second, third = "123456700000", "123456800000", "abcdefabcdef"
    assert abbreviations([first, second, third]) == {first: "1234567", second: "1234568", third: "abcdefa"}


def test_abbreviations_of_nothing() -> None:
    assert abbreviations([]) == {}


def test_a_beginning_in_either_case_finds_the_only_fingerprint() -> None:
    assert match("AB", ["abcdefabcdef", "123456789abc"]) == "abcdefabcdef"
    assert match("abcdefabcdef", ["abcdefabcdef", "abcdefabcde0"]) == "abcdefabcdef"


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("12", "'12' is the start of 2 fingerprints; one of 123400000000, 125600000000"),
        ("123401", "unknown fingerprint '123401'; did you mean '123400000000'?"),
        ("", f"'' is not a fingerprint; {WHAT_IT_IS}"),
        ("\x1b]0;", f"'\\x1b]0;' is not a fingerprint; {WHAT_IT_IS}"),
    ],
)
def test_a_beginning_that_finds_none_or_several_is_refused(prefix: str, message: str) -> None:
    with pytest.raises(ModelError) as refused:
        match(prefix, ["123400000000", "125600000000", "abcdefabcdef"])
    assert str(refused.value) == message
