"""Reading an audit back from its JSON.

Promises: what `ruleslawyer audit --output-format json` wrote comes back equal, but for the digests of the
clauses, which stand in the background; anything else is refused with its place in the document. A file of
an earlier version of the program, without the fields that were added since, is read too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from findings import strict_json
from findings.finding import SCHEMA, Audit, RulebookAudit
from findings.text import printable
from models.language.errors import ModelError

#: The largest file that is read, in bytes.
LIMIT = 200_000_000
_MEND = "write it again with `ruleslawyer audit RULEBOOK --output-format json -o FILE`"
#: Fields that follow from others and are not given to the classes.
_DERIVED = (
    ("rulebooks", "findings", "name"),
    ("rulebooks", "findings", "witness", "length"),
    ("rulebooks", "findings", "at_print", "witness", "length"),
)


@attrs.frozen(kw_only=True)
class _Document:
    """The document as it stands in the file."""

    schema: int = SCHEMA
    rulebooks: tuple[RulebookAudit, ...] = ()


def load(path: Path) -> Audit:
    """Read an audit.

    Args:
        path: a file that `ruleslawyer audit --output-format json` wrote.

    Returns:
        The audit.

    Errors:
        ModelError: there is no such file, or it is no audit.
    """
    shown = printable(str(path))
    try:
        if path.stat().st_size > LIMIT:
            raise ModelError("the file is too large for an audit", where=shown, hint=_MEND)
        found = strict_json.read(
            path, _Document, schema=SCHEMA, what="an audit", mend=_MEND, prepare=_without_derived
        )
    except FileNotFoundError:
        raise ModelError("there is no such file", where=shown, hint=_MEND) from None
    except OSError as error:
        raise ModelError(f"cannot read: {(error.strerror or str(error)).lower()}", where=shown) from error
    return Audit(rulebooks=tuple(_with_digests(r) for r in found.rulebooks))


def _without_derived(document: Any) -> Any:
    """The document without the fields that follow from others."""
    for *path, last in _DERIVED:
        _drop(document, path, last)
    return document


def _drop(value: Any, path: list[str], last: str) -> None:
    if isinstance(value, list):
        for member in value:
            _drop(member, path, last)
    elif isinstance(value, dict):
        if not path:
            value.pop(last, None)
        else:
            _drop(value.get(path[0]), path[1:], last)


def _with_digests(audit: RulebookAudit) -> RulebookAudit:
    behind = audit.background
    digests = {s.id: s.digest for s in behind.sentences} if behind is not None else {}
    return attrs.evolve(audit, digests=digests)


__all__ = ["LIMIT", "load"]
