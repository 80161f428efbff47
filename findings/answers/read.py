"""Reading answers: the query sheet, translator comments of a PO file, replies in a Word document, rulings.

Promises: nothing in a file is run or fetched; a file that is none of these is one message.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from findings.text import printable
from models.language.errors import ModelError

#: The largest file that is read, in bytes, packed and unpacked.
LIMIT, UNPACKED = 50_000_000, 500_000_000
_HINT = "give the sheet (.xlsx), the PO file (.po), the Word document (.docx) or rulings (.toml)"
_PO = re.compile(r"^\s*answer\s+([0-9a-f]{6,12})\s*:\s*(.*)$", re.IGNORECASE)


@attrs.frozen
class Answer:
    """What somebody wrote about a finding.

    Attributes:
        finding: its fingerprint, or the beginning of it.
        said: what was written.
        where: where it stands in the file.
        by: who wrote it, where the file says so.
    """

    finding: str
    said: str
    where: str
    by: str = ""


@attrs.frozen
class Answers:
    """The answers of a file.

    Attributes:
        path: the file.
        rulebook: the rulebook that the file names; "" if it names none.
        answers: what was written, in the order of the file.
        unanswered: fingerprints of findings that the file asks and that nobody answered.
    """

    path: str
    rulebook: str
    answers: tuple[Answer, ...]
    unanswered: tuple[str, ...] = ()


def read(path: Path) -> Answers:
    """Read answers, by the ending of the file's name.

    Errors:
        ModelError: no such file, another kind of file, or a broken one.
    """
    shown = printable(str(path))
    readers: Mapping[str, Callable[[bytes, str], Answers]] = {".xlsx": _sheet, ".po": _po, ".docx": _word}
    if path.suffix.lower() == ".toml":
        from findings.answers.rulings import load

        return load(path).answers
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ModelError("the name does not say what kind of file this is", where=shown, hint=_HINT)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read: {(error.strerror or str(error)).lower()}", where=shown) from None
    if len(data) > LIMIT:
        raise ModelError("the file is too large", where=shown, hint=_HINT)
    if reader is not _po:
        _check_archive(data, shown)
    return reader(data, shown)


def _check_archive(data: bytes, shown: str) -> None:
    """Refuse what is no archive, or would unpack to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile:
        raise ModelError("this is no document of Word or Excel", where=shown, hint=_HINT) from None
    if size > UNPACKED:
        raise ModelError("the file unpacks to too much", where=shown, hint=_HINT)


def _sheet(data: bytes, shown: str) -> Answers:
    import python_calamine

    from findings.reports.translators.sheet import COLUMNS, RULEBOOK

    try:
        workbook = python_calamine.load_workbook(io.BytesIO(data))
        rows = workbook.get_sheet_by_index(0).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, IndexError, OSError) as error:
        raise ModelError(f"not a workbook: {printable(str(error))}", where=shown, hint=_HINT) from None
    head = [str(c).strip() for c in rows[0]] if rows else []
    missing = [c for c in ("id", "answer") if c not in head]
    if missing:
        raise ModelError(
            f"the sheet has no column {', '.join(missing)}",
            where=shown,
            hint="keep the hidden first row, whose cells name the columns: " + ", ".join(COLUMNS),
        )
    rulebook = next((c.removeprefix(RULEBOOK) for c in head if c.startswith(RULEBOOK)), "")
    id, said = head.index("id"), head.index("answer")
    found, left = [], []
    for number, row in enumerate(rows[2:], 3):
        cells = [_cell(c) for c in row] + [""] * (len(head) - len(row))
        if not cells[id].strip():
            continue
        if cells[said].strip():
            found.append(Answer(cells[id].strip(), cells[said], f"row {number}"))
        else:
            left.append(cells[id].strip())
    return Answers(shown, rulebook, tuple(found), tuple(left))


def _cell(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def _po(data: bytes, shown: str) -> Answers:
    import polib

    try:
        # polib takes a text that is the name of a file for that file; a text with a line feed is none
        file = polib.pofile(data.decode("utf-8-sig") + "\n")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ModelError(f"not a PO file: {printable(str(error))}", where=shown, hint=_HINT) from None
    found, asked = [], dict[str, None]()
    for entry in file:
        asked.update(
            dict.fromkeys(re.findall(r"RL\d{3} \(([0-9a-f]{6,12}),", entry.comment.replace("\n", " ")))
        )
        for line in _joined(entry.tcomment):
            match = _PO.match(line)
            if match and match[2].strip():
                where = f"msgctxt {printable(entry.msgctxt or '')}, line {entry.linenum}"
                found.append(Answer(match[1].lower(), match[2], where))
    answered = {a.finding for a in found}
    left = tuple(a for a in asked if not any(b.startswith(a) or a.startswith(b) for b in answered))
    return Answers(shown, str(file.metadata.get("X-Rulebook", "")), tuple(found), left)


def _joined(comment: str) -> list[str]:
    """The lines of a comment; one that begins no answer goes on with the answer before it."""
    lines: list[str] = []
    for line in comment.splitlines():
        if lines and not _PO.match(line) and _PO.match(lines[-1].split("\n")[0]):
            lines[-1] = f"{lines[-1]} {line.strip()}".rstrip()
        else:
            lines.append(line)
    return lines


def _word(data: bytes, shown: str) -> Answers:
    from findings.answers.word import replies

    return replies(data, shown)
