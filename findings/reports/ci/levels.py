"""How loud a finding is in a pipeline, and what it says there in a few lines."""

from __future__ import annotations

from findings.finding import Finding, Stake, Status
from findings.text import printable


def level(finding: Finding) -> str:
    """`error`, `warning` or `note`: open questions by what is at stake, everything answered is a note."""
    if finding.status not in (Status.OPEN, Status.LEANS):
        return "note"
    return "error" if finding.stake in (Stake.STOP, Stake.WINNER) else "warning"


def message(finding: Finding) -> str:
    """A finding in a few lines of plain text."""
    lines = [f"{finding.title}: {finding.situation}"]
    lines += [f"{chr(ord('A') + n)}: {o.outcome} ({o.id})" for n, o in enumerate(finding.options[:26])]
    lines += [finding.question] if finding.question else []
    lines.append(f"{finding.status.value}; at stake: {finding.stake.value}")
    return "\n".join(printable(line) for line in lines)
