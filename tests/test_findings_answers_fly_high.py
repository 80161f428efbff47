"""Answers to two questions of Fly High, filled in on its query sheet, close these two and leave the rest."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl

from findings import answers
from findings.answers.closes import closes
from findings.audit import audit_rulebook
from findings.finding import Status
from findings.progress import SilentProgress
from findings.reports.i18n import texts
from findings.reports.translators import sheet
from findings.reports.view import books
from models.fly_high.cards import FlyHigh
from models.language import registry

#: A square of four, one card in the deck.
SIZE = FlyHigh(spots=4, cards="10 20*2 U*2", die=(2,))
#: Reading → what somebody wrote in the row of its finding, and what it picks.
SAID = {
    "after-reveal:bold.all-nine+uturn.no-end": ("A", "bold.all-nine"),
    "uturn.further-special": ("helps", "helps"),
}


def test_two_answers_close_two_findings_of_fly_high(tmp_path: Path) -> None:
    fly_high = registry.find("fly_high")
    without = audit_rulebook(fly_high, variant="basic", size=SIZE, details=True)
    (book,) = books([without])
    asked = {f.fingerprint: f.reading for f in without.findings if f.reading in SAID}
    assert len(asked) == 2
    workbook = openpyxl.load_workbook(io.BytesIO(sheet.render(book, None, texts("de"))))
    page: Any = workbook.active
    for row in page.iter_rows(min_row=3):
        row[9].value = SAID[asked[row[0].value]][0] if row[0].value in asked else None
    workbook.save(tmp_path / "x.xlsx")

    rulings = answers.decide(answers.read(tmp_path / "x.xlsx"), without.findings)
    assert rulings.answers.rulebook == "fly_high"
    assert rulings.picks == {reading: option for reading, (_, option) in SAID.items()}
    (found,) = closes(fly_high, rulings.picks, [without], SilentProgress(), SIZE)
    unanswered = (Status.OPEN, Status.LEANS, Status.REDUCED)
    open_ = {f.fingerprint for f in without.findings if f.status in unanswered}
    assert {f.fingerprint for f in found.closed} == set(asked)
    assert {f.fingerprint for f in found.left} == open_ - set(asked)
    assert len(found.left) > 5
