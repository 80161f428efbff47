"""Replies in a Word document: comments that answer the comments of the query.

Promises: replies are found by the thread that Word and newer versions of LibreOffice keep
(`commentsExtended.xml`), by the line that older ones put in front (`Reply to ruleslawyer (…): "…"`), or by a
comment of one's own that begins with `[fingerprint]`; every other comment of somebody else comes along
with no finding to it; entities are not resolved, nothing is fetched.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import Any

from findings.answers.read import Answer, Answers
from findings.text import printable
from models.language.errors import ModelError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_MARK = re.compile(r"^\s*\[([0-9a-f]{6,12})\]\s*(.*)$", re.DOTALL)
#: The parts of a document that are read.
_PARTS = ("word/comments.xml", "word/commentsExtended.xml", "docProps/core.xml")
_SUBJECT = re.compile(r"rulebook:([A-Za-z0-9_]+)")
#: What stands for the finding of a comment that says of none.
UNKNOWN = "?"
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
        parts = {name: _part(archive, name, shown) for name in _PARTS if name in names}
    comments = _parsed(parts["word/comments.xml"], shown)
    threads = parts.get("word/commentsExtended.xml")
    extended = _parsed(threads, shown) if threads is not None else None
    subject = _SUBJECT.search(parts.get("docProps/core.xml", b"").decode("utf-8", "replace"))
    return _answers(comments, extended, shown, subject[1] if subject else "")


def _part(archive: zipfile.ZipFile, name: str, shown: str) -> bytes:
    """A part of the document, unpacked."""
    try:
        return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        # RuntimeError: a part under a password, or packed in a way that Python does not know
        raise ModelError(
            f"the document is broken: {printable(str(error))}", where=shown, hint=_HINT
        ) from None


def _answers(comments: Any, extended: Any, shown: str, rulebook: str) -> Answers:
    parents = _parents(extended) if extended is not None else {}
    asked: dict[str, str] = {}  # paragraph of a comment of ours → fingerprint
    found: list[Answer] = []
    mine: dict[str, None] = {}
    before = finding = ""  # who wrote the comment before, and the finding it belongs to
    for comment in comments.iter(f"{_W}comment"):
        text, author = _text(comment), comment.get(f"{_W}author") or ""
        paragraphs = [p.get(f"{_W14}paraId") or "" for p in comment.iter(f"{_W}p")]
        match = _MARK.match(text)
        where = f"comment {comment.get(f'{_W}id')}"
        if match and author == "ruleslawyer":
            finding = match[1]
            mine.setdefault(finding)
            asked.update(dict.fromkeys((p for p in paragraphs if p), finding))
        else:
            said, about = text, next((asked[parents[p]] for p in paragraphs if parents.get(p) in asked), "")
            if match:
                about, said = match.groups()
            elif not about and _quotes(text, before):
                about, said = finding, text.partition("\n")[2]
            finding = about
            if said.strip():
                found.append(Answer(about or UNKNOWN, said, where, author))
        before = author
    answered = {a.finding for a in found}
    return Answers(shown, rulebook, tuple(found), tuple(m for m in mine if m not in answered))


def _quotes(text: str, author: str) -> bool:
    """Whether a comment begins with the line of LibreOffice that says whom it replies to, in any language.

    LibreOffice writes such a reply right behind the comment that it answers.
    """
    line = text.partition("\n")[0]
    return bool(author) and re.search(rf"\s{re.escape(author)}\s\(.*\)\W", line) is not None


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


def _parsed(part: bytes, shown: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(part, parser)
    except etree.XMLSyntaxError as error:
        raise ModelError(
            f"the document is broken: {printable(str(error))}", where=shown, hint=_HINT
        ) from None
