"""Word: the text as it stands, with a comment at each sentence that leaves a question open.

Promises: comments are anchored at their sentence; each begins with `[fingerprint]`, so that replies are
found again; nothing of a text is taken for markup; the same audit on the same day gives the same file.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, time

from findings.reports.day import today
from findings.reports.i18n import Texts
from findings.reports.translators.units import Unit, note
from findings.reports.translators.xml import clean
from findings.reports.view import ASKED

AUTHOR = "ruleslawyer"


def render(units: Sequence[Unit], *, rulebook: str, title: str, t: Texts) -> bytes:
    """The document.

    Args:
        units: the text.
        rulebook: the rulebook's name, so that answers find their way back.
        title: the rulebook's title.
        t: the language of the comments.
    """
    from docx import Document

    made, day = Document(), datetime.combine(today(), time(), UTC)
    made.core_properties.created = made.core_properties.modified = day
    made.core_properties.title = clean(title)[:255]
    made.core_properties.author = AUTHOR
    made.core_properties.subject = f"rulebook:{rulebook}"
    lead = t.gettext("Reply to a comment with the letter of the reading, or in your own words.")
    made.add_paragraph().add_run(clean(lead)).italic = True
    for unit in units:
        heading = unit.id.startswith("section:")
        paragraph = made.add_heading(level=2) if heading else made.add_paragraph()
        run = paragraph.add_run(clean(unit.text))
        for item in unit.items:
            if item.finding.status in ASKED:
                text = f"[{item.finding.fingerprint}] {note(item, t)}"
                comment = made.add_comment(run, text=clean(text), author=AUTHOR, initials="RL")
                comment._comment_elm.date = day
    out = io.BytesIO()
    made.save(out)
    return timeless(out.getvalue())


def timeless(archive: bytes) -> bytes:
    """A document of Word or Excel without the times at which its parts were packed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as given, zipfile.ZipFile(out, "w") as packed:
        for name in given.namelist():
            packed.writestr(zipfile.ZipInfo(name), given.read(name), zipfile.ZIP_DEFLATED)
    return out.getvalue()
