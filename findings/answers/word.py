"""Replies in a Word document: comments that answer the comments of the query.

Promises: replies are found by the thread that Word and LibreOffice keep (`commentsExtended.xml`), or by a
comment of one's own that begins with `[fingerprint]`; entities are not resolved, nothing is fetched.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from findings.answers.read import Answer, Answers
from models.language.errors import ModelError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_MARK = re.compile(r"^\s*\[([0-9a-f]{6,12})\]\s*(.*)$", re.DOTALL)
_SUBJECT = re.compile(r"rulebook:([A-Za-z0-9_]+)")
_HINT = (
    "give the Word document that `ruleslawyer report --for translators` made, with replies to its comments"
)


def replies(data: bytes, shown: str) -> Answers:
    """The answers in a document.

    Args:
        data: the document.
        shown: its path, for messages.

    Errors:
        ModelError: it has no comments, or is broken.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        if "word/comments.xml" not in names:
            raise ModelError("the document has no comments", where=shown, hint=_HINT)
        comments = _parsed(archive, "word/comments.xml", shown)
        extended = (
            _parsed(archive, "word/commentsExtended.xml", shown)
            if "word/commentsExtended.xml" in names
            else None
        )
        core = (
            archive.read("docProps/core.xml").decode("utf-8", "replace")
            if "docProps/core.xml" in names
            else ""
        )
    subject = _SUBJECT.search(core)
    return _answers(comments, extended, shown, subject[1] if subject else "")


def _answers(comments: Any, extended: Any, shown: str, rulebook: str) -> Answers:
    parents = _parents(extended) if extended is not None else {}
    asked: dict[str, str] = {}  # paragraph of a comment of ours → fingerprint
    found: list[Answer] = []
    mine: dict[str, None] = {}
    for comment in comments.iter(f"{_W}comment"):
        text, author = _text(comment), comment.get(f"{_W}author") or ""
        paragraphs = [p.get(f"{_W14}paraId") or "" for p in comment.iter(f"{_W}p")]
        match = _MARK.match(text)
        where = f"comment {comment.get(f'{_W}id')}"
        if match and author == "ruleslawyer":
            mine.setdefault(match[1])
            asked.update(dict.fromkeys((p for p in paragraphs if p), match[1]))
        elif match and match[2].strip():
            found.append(Answer(match[1], match[2], where, author))
        else:
            parent = next((asked[parents[p]] for p in paragraphs if parents.get(p) in asked), "")
            if parent and text.strip():
                found.append(Answer(parent, text, where, author))
    answered = {a.finding for a in found}
    return Answers(shown, rulebook, tuple(found), tuple(m for m in mine if m not in answered))


def _parents(extended: Any) -> dict[str, str]:
    """Paragraph of a reply → paragraph of the comment that it answers, the first of the thread."""
    direct = {
        e.get(f"{_W15}paraId"): e.get(f"{_W15}paraIdParent")
        for e in extended.iter(f"{_W15}commentEx")
        if e.get(f"{_W15}paraIdParent")
    }
    found = {}
    for reply, parent in direct.items():
        seen = {reply}
        while parent in direct and parent not in seen:
            seen.add(parent)
            parent = direct[parent]
        found[reply] = parent
    return found


def _text(comment: Any) -> str:
    return "\n".join("".join(t.text or "" for t in p.iter(f"{_W}t")) for p in comment.iter(f"{_W}p"))


def _parsed(archive: zipfile.ZipFile, name: str, shown: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(archive.read(name), parser)
    except (etree.XMLSyntaxError, zipfile.BadZipFile, KeyError) as error:
        raise ModelError(f"the document is broken: {error}", where=shown, hint=_HINT) from None
