"""Gettext: the text as a PO file; questions are extracted comments, answers go into translator comments.

Promise: an entry for each unit; `msgctxt` is the unit's id, so that equal sentences stay apart.

A translator answers in a translator comment, `# answer ecb014: A`, with the beginning of the finding's
fingerprint as the extracted comment gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from findings.reports.day import today
from findings.reports.translators.units import Unit


def render(units: Sequence[Unit], *, rulebook: str, title: str, target: str, path: str) -> str:
    """The PO file.

    Args:
        units: what to translate.
        rulebook: the rulebook's name, so that answers find their way back.
        title: the rulebook's title.
        target: the language to translate into.
        path: the text's file.
    """
    import polib

    made = polib.POFile(wrapwidth=98)
    made.metadata = {
        "Project-Id-Version": title,
        "PO-Revision-Date": f"{today().isoformat()} 00:00+0000",
        "Last-Translator": "",
        "Language-Team": "",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": target.replace("-", "_"),
        "X-Generator": "ruleslawyer",
        "X-Rulebook": rulebook,
    }
    name = PurePath(path).name
    for u in units:
        made.append(
            polib.POEntry(
                msgctxt=u.id,
                msgid=u.text,
                msgstr="",
                comment="\n".join(u.notes),
                occurrences=[(name.replace(" ", "_"), str(u.line))],
            )
        )
    return str(made) + "\n"
