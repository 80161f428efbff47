"""Fingerprints: a short name for a finding that stays the same from run to run.

Promises: a fingerprint depends on what was found (kind, rulebook, constructs) and on nothing else: not on
the variant, the size, the order of search, the wording or the place in a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from findings.suggest import unknown
from findings.text import printable
from models.language.errors import ModelError

DIGITS = 12
SHORTEST = 6
"""Hex digits that reports print, if so many tell the findings apart."""


def fingerprint(code: str, rulebook: str, identities: Iterable[str]) -> str:
    """The fingerprint of a finding.

    Args:
        code: the kind of finding, for instance `RL101`.
        rulebook: the rulebook's name.
        identities: strings that identify what was found apart from variant and size: construct names, rows,
            options, clause ids. Their order does not matter; how often one is given does.

    Returns:
        The first 12 hex digits of the SHA-256 of these, unambiguously joined.
    """
    canonical = json.dumps([code, rulebook, *sorted(identities)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:DIGITS]


def abbreviations(fingerprints: Iterable[str]) -> Mapping[str, str]:
    """The shortest prefixes that tell fingerprints apart, all of one length, at least six digits.

    Args:
        fingerprints: full fingerprints; equal ones count once.

    Returns:
        The prefix of each.
    """
    full = set(fingerprints)
    length = next(
        n for n in range(SHORTEST, DIGITS + 1) if n == DIGITS or len({f[:n] for f in full}) == len(full)
    )
    return {f: f[:length] for f in full}


def checked(prefix: str) -> str:
    """A fingerprint or the beginning of one, as it is compared.

    Errors:
        ModelError: if it is no hex number.
    """
    wanted = prefix.strip().lower()
    if not wanted or len(wanted) > DIGITS or not set(wanted) <= set("0123456789abcdef"):
        raise ModelError(
            f"'{printable(prefix)}' is not a fingerprint",
            hint="a fingerprint is up to 12 of the digits 0-9 and a-f, as `ruleslawyer audit` prints it",
        )
    return wanted


def match(prefix: str, fingerprints: Iterable[str]) -> str:
    """The only fingerprint that starts with a prefix.

    Args:
        prefix: one to twelve hex digits, in either case.
        fingerprints: the fingerprints that there are.

    Returns:
        The full fingerprint.

    Errors:
        ModelError: if the prefix is no hex number, or no or several fingerprints start with it.
    """
    known = sorted(set(fingerprints))
    wanted = checked(prefix)
    found = [f for f in known if f.startswith(wanted)]
    if len(found) > 1:
        raise ModelError(
            f"'{wanted}' is the start of {len(found)} fingerprints", hint=f"one of {', '.join(found)}"
        )
    if not found:
        raise unknown("fingerprint", wanted, known)
    return found[0]
