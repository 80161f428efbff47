"""Cache: answers and invariants kept in files, by the digest of program and question.

Promises: an entry is read only for exactly the same IR and question and the same version of the engine; a
file
is written whole or not at all; a file that cannot be read counts as absent; `Unknown` is never kept.
"""

from __future__ import annotations

import json
import os
import tempfile
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
        except (OSError, ValueError):
            return None
        return entry["answer"] if isinstance(entry, dict) and entry.get("question") == question else None

    def _write(self, program: Program, question: str, answer: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        entry = {"version": VERSION, "rulebook": program.book.name, "question": question, "answer": answer}
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(entry, out)
            os.replace(name, self._file(program, question))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def verdict(self, program: Program, question: str) -> Verdict | None:
        """The answer to a question, if it is kept."""
        found = self._read(program, question)
        try:
            if "proved" in found:
                return Proved(str(found["proved"]))
            return Refuted(Play(tuple(str(m) for m in found["play"]), bool(found["shortest"])))
        except (TypeError, KeyError):
            return None

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
                Candidate(str(c["name"]), serial.load(c["term"], program), str(c["family"])) for c in found
            )
        except (TypeError, KeyError, ValueError):
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
