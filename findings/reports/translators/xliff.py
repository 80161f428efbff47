"""XLIFF 1.2 and 2.0 (OASIS): the text with its notes, for translation programs.

Promises: both follow the schemas; 1.2 has a `<target>` for each unit and notes that say whom they are from
and what they are about, and no markers inside the text; 2.0 has its notes under the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from findings.reports.translators.units import Unit
from findings.reports.translators.xml import document, element

_12 = "urn:oasis:names:tc:xliff:document:1.2"
_20 = "urn:oasis:names:tc:xliff:document:2.0"


def render_12(units: Sequence[Unit], *, source: str, target: str, path: str) -> bytes:
    """XLIFF 1.2."""
    root = element(None, f"{{{_12}}}xliff", nsmap={None: _12}, version="1.2")
    file = element(root, "file", original=PurePath(path).name, datatype="plaintext")
    file.set("source-language", source)
    file.set("target-language", target)
    body = element(file, "body")
    for n, u in enumerate(units, 1):
        unit = element(body, "trans-unit", id=f"u{n}", resname=u.id)
        element(unit, "source", text=u.text)
        element(unit, "target", text=u.text, state="needs-translation")  # OmegaT shows what stands here
        for note in u.notes:
            made = element(unit, "note", text=note, annotates="source")
            made.set("from", "developer")
    return document(root)


def render_20(units: Sequence[Unit], *, source: str, target: str, path: str) -> bytes:
    """XLIFF 2.0."""
    root = element(None, f"{{{_20}}}xliff", nsmap={None: _20}, version="2.0", srcLang=source, trgLang=target)
    file = element(root, "file", id="f1", original=PurePath(path).name)
    for n, u in enumerate(units, 1):
        unit: Any = element(file, "unit", id=f"u{n}", name=u.id)
        if u.notes:
            notes = element(unit, "notes")
            for k, note in enumerate(u.notes, 1):
                element(notes, "note", text=note, id=f"n{k}", category="question", appliesTo="source")
        segment = element(unit, "segment", id="s1", state="initial")
        element(segment, "source", text=u.text)
        element(segment, "target")
    return document(root)
