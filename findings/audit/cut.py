"""Searches of an audit that a limit cut off.

Promise: what such a search did not come to is never told as absent.
"""

from __future__ import annotations

from findings.audit.phrases import phrase
from findings.finding import RulebookAudit


def cut_off(audit: RulebookAudit) -> tuple[str, ...]:
    """How far the searches of an audit came that did not see every state; empty if all did."""
    begin = phrase("undecided.explore", size="")
    return tuple(f"{u.name}: {u.bound}" for u in audit.undecided if u.name.startswith(begin))
