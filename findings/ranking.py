"""Which finding is read first, and which findings are one question.

Promises: the order depends only on the findings and the order of the clauses, so two runs agree; a group
stands where its best finding stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from findings.finding import STAKE_ORDER, STATUS_ORDER, Finding


@attrs.frozen
class Group:
    """Findings that the same answer settles.

    Attributes:
        root: the best ranked of them.
        others: the rest, ranked.
    """

    root: Finding
    others: tuple[Finding, ...] = ()


def rank(findings: Iterable[Finding], clause_order: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Findings in the order in which a person should read them.

    By status (most open first), then by what is at stake, then by how often games meet the situation
    (measured before not measured), then by the first clause concerned in the order of the text; code and
    fingerprint decide between the rest.

    Args:
        findings: in any order.
        clause_order: ids of the clauses in the order of the text; one that is not among them stands last.

    Returns:
        The same findings, ranked.
    """
    position = {clause: n for n, clause in enumerate(clause_order)}
    last = len(position)

    def key(finding: Finding) -> tuple[int, int, float, int, str, str]:
        met = finding.materiality.met.share if finding.materiality else -1.0
        first = min((position.get(clause, last) for clause in finding.clauses), default=last)
        stake, status = STAKE_ORDER[finding.stake], STATUS_ORDER[finding.status]
        return status, stake, -met, first, finding.code, finding.fingerprint

    return tuple(sorted(findings, key=key))


def grouped(ranked: Iterable[Finding]) -> tuple[Group, ...]:
    """Ranked findings under their root questions.

    Args:
        ranked: findings in their order.

    Returns:
        Groups in the order of their roots. A finding whose `group` is None is a group of its own.
    """
    members: dict[str, list[Finding]] = {}
    for finding in ranked:
        members.setdefault(finding.group or f"\0{finding.fingerprint}", []).append(finding)
    return tuple(Group(root, tuple(others)) for root, *others in members.values())
