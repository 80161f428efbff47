"""Diff: what a change of the rules changes in play, in the findings and in the balance.

Promises: two versions that play alike up to names and order are told so as proved; every difference has
its shortest play; what a limit cut off is told with its bound.
"""

from findings.diff.compute import (
    Answer,
    ClauseChange,
    Difference,
    Elsewhere,
    FindingChange,
    Seats,
    difference,
)

__all__ = ["Answer", "ClauseChange", "Difference", "Elsewhere", "FindingChange", "Seats", "difference"]
