"""Cache: answers and invariants kept in files, by the digest of program and question.

Promises: an entry is read only for exactly the same IR and question and the same version of the engine; a
file is written whole or not at all; a file that cannot be read, or that holds anything else than an entry,
counts as absent; a folder that cannot be written to keeps nothing; `Unknown` is never kept.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from models.language.program import Program
from solvers.contract import Play, Proved, Refuted, Verdict
from solvers.symbolic import serial
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.session import Invariants

#: Raised whenever the meaning of an entry changes.
VERSION = 2


class Cache:
    """A folder of answers.

    Args:
        folder: Where the files lie, made when something is first written; a folder of its own in the user's
            cache folder unless given.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from solvers.explorer.native.machine import cache_folder

            folder = cache_folder() / "symbolic"
        self.folder = folder

    def _file(self, program: Program, question: str) -> Path:
        key = sha256(f"{VERSION}\0{program.digest}\0{program.size_name}\0{question}".encode()).hexdigest()
        return self.folder / f"{key[:40]}.json"

    def _read(self, program: Program, question: str) -> Any:
        try:
            entry = json.loads(self._file(program, question).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return entry.get("answer") if isinstance(entry, dict) and entry.get("question") == question else None

    def _write(self, program: Program, question: str, answer: Any) -> None:
        entry = {"version": VERSION, "rulebook": program.book.name, "question": question, "answer": answer}
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    json.dump(entry, out)
                os.replace(name, self._file(program, question))
            except BaseException:
                with suppress(OSError):
                    os.unlink(name)
                raise

    def verdict(self, program: Program, question: str) -> Verdict | None:
        """The answer to a question, if it is kept."""
        found = self._read(program, question)
        try:
            if "proved" in found:
                return Proved(_text(found["proved"]))
            play = tuple(_text(m) for m in found["play"])
        except (TypeError, KeyError):
            return None
        known = all(m in program.by_label for m in play) and isinstance(found.get("shortest"), bool)
        return Refuted(Play(play, found["shortest"])) if known else None

    def keep(self, program: Program, question: str, verdict: Verdict) -> None:
        """Keep an answer; `Unknown` is not kept."""
        if isinstance(verdict, Proved):
            self._write(program, question, {"proved": verdict.scope})
        elif isinstance(verdict, Refuted):
            play = verdict.witness
            self._write(program, question, {"play": list(play.labels), "shortest": play.shortest})

    def invariants(self, program: Program, question: str) -> Invariants | None:
        """Proved invariants, if they are kept."""
        found = self._read(program, question)
        try:
            kept = tuple(
                Candidate(_text(c["name"]), serial.load(c["term"], program), _text(c["family"]))
                for c in found
            )
        except Exception:  # noqa: BLE001 - whatever else the file may hold, it counts as absent
            return None
        return Invariants(program.digest, program.size_name, kept, True)

    def keep_invariants(self, question: str, program: Program, invariants: Invariants) -> None:
        """Keep invariants whose proof was finished."""
        if invariants.complete:
            self._write(
                program,
                question,
                [{"name": c.name, "family": c.family, "term": serial.dump(c.term)} for c in invariants.kept],
            )


def _text(value: object) -> str:
    """A value that must be a text.

    Errors:
        TypeError: it is none.
    """
    if not isinstance(value, str):
        raise TypeError(value)
    return value
