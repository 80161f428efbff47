"""What is known about the printed size, in `findings/accepted/<rulebook>.print.json`.

Promises: as of `findings.baseline`; a play on record is believed only after it was replayed, a proof only for
the program and question whose digest it carries.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path

import attrs
from attrs.validators import ge, in_, min_len

from findings import strict_json
from findings.finding import as_json
from findings.output import write_atomic
from findings.text import printable
from models.language.book import Rulebook
from models.language.errors import ModelError
from solvers.contract import Proved, Refuted, Verdict

SCHEMA = 1


@attrs.frozen(kw_only=True)
class Answer:
    """One answer.

    Attributes:
        variant: the variant it is about.
        question: the question's key, for instance `site tie:most-cards`.
        digest: what the answer depends on (program, size, question), 16 hex digits.
        verdict: `play` (there is one), `never` (proved), or `unknown`.
        moves: the play.
        shortest: whether no shorter play does it.
        scope: what was proved and how, or why there is no answer.
        bound: how far the search came where there is no answer.
    """

    variant: str = attrs.field(validator=min_len(1))
    question: str = attrs.field(validator=min_len(1))
    digest: str = attrs.field(validator=min_len(1))
    verdict: str = attrs.field(validator=in_(("play", "never", "unknown")))
    moves: tuple[str, ...] = ()
    shortest: bool = False
    scope: str = ""
    bound: str = ""

    @classmethod
    def of(cls, variant: str, question: str, digest: str, verdict: Verdict) -> Answer:
        """The answer that an engine gave."""
        made = partial(cls, variant=variant, question=question, digest=digest)
        if isinstance(verdict, Refuted):
            play = verdict.witness
            return made(verdict="play", moves=play.labels, shortest=play.shortest)
        if isinstance(verdict, Proved):
            return made(verdict="never", scope=verdict.scope)
        return made(verdict="unknown", scope=verdict.reason, bound=verdict.bound)


@attrs.frozen(kw_only=True)
class Record:
    """What is known about the printed size of one rulebook."""

    schema: int = attrs.field(default=SCHEMA, validator=ge(1))
    rulebook: str
    answers: tuple[Answer, ...] = ()

    def answer(self, variant: str, question: str) -> Answer | None:
        """The answer to a question, if there is one."""
        return next((a for a in self.answers if (a.variant, a.question) == (variant, question)), None)

    def played_elsewhere(self, variant: str) -> frozenset[str]:
        """The questions that a play of another variant meets."""
        return frozenset(a.question for a in self.answers if a.variant != variant and a.verdict == "play")

    def with_answers(self, variant: str, answers: tuple[Answer, ...]) -> Record:
        """The record with other answers for a variant."""
        rest = [a for a in self.answers if a.variant != variant]
        return attrs.evolve(
            self, answers=tuple(sorted([*rest, *answers], key=lambda a: (a.variant, a.question)))
        )


@attrs.frozen(kw_only=True)
class AtPrint:
    """How to ask at the printed size.

    Attributes:
        record: What is known from earlier runs.
        seconds: Time for what is not on record, in all; with 0 only the record is used.
        again: Whether to ask again what is on record as unknown.
        workers: Processes that ask side by side.
    """

    record: Record
    seconds: float = 0.0
    again: bool = False
    workers: int = 1


def record_path(baseline: Path) -> Path:
    """The file beside the recorded findings of a rulebook."""
    return baseline.with_suffix(".print.json")


def load(path: Path, rulebook: str) -> Record:
    """Read a record; a file that does not exist is an empty one.

    Errors:
        ModelError: if the file cannot be read, is not JSON, does not follow the schema, or is of another
            rulebook.
    """
    mend = "restore the file, or remove it and run `ruleslawyer audit --accept`"
    try:
        record = strict_json.read(path, Record, schema=SCHEMA, what="answers at print size", mend=mend)
    except FileNotFoundError:
        return Record(rulebook=rulebook)
    if record.rulebook != rulebook:
        told, shown = printable(record.rulebook), printable(str(path))
        raise ModelError(f"these are answers about '{told}', expected '{rulebook}'", where=shown, hint=mend)
    return record


def known(book: Rulebook) -> AtPrint:
    """What is on record beside a rulebook's recorded findings, to be used without asking anything.

    Errors:
        ModelError: see `load`.
    """
    from findings.baseline import baseline_path
    from findings.cli.shared import recorded_folder

    path = record_path(baseline_path(book.name, recorded_folder(book, None)))
    return AtPrint(record=load(path, book.name))


def save(path: Path, record: Record) -> None:
    """Write a record, whole; the folder is made if there is none.

    Errors:
        ModelError: if the file cannot be written.
    """
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n")
