"""Answers that come back: from a query sheet, a PO file or a Word document to rulings.

Promises: what somebody wrote is kept to the letter; an answer is only taken for a reading if it names one
(by its letter, or by the name of its option); everything else is told as not understood, never dropped.
"""

from __future__ import annotations

from findings.answers.read import Answer, Answers, read
from findings.answers.rulings import Decided, Rulings, decide, load, render

__all__ = ["Answer", "Answers", "Decided", "Rulings", "decide", "load", "read", "render"]
