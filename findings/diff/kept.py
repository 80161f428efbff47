"""Audits of versions, kept from run to run.

Promises: as `findings.jobs.Kept`; a version is known by what its files hold and not by how it was named, so
that a git revision, or the side of a comparison that stays as it is, is audited once.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from findings.finding import RulebookAudit
from findings.jobs import Done, Job, Kept, _feed, _program
from findings.versions import Version
from models.language import registry
from models.language.program import Program
from solvers.contract import Limits


class KeptVersions:
    """A folder of audits of versions.

    Args:
        folder: Where they lie; the program's cache folder unless given.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.results = _Results(folder)
        self._asked: dict[Program, Job | None] = {}

    def load(self, v: Version, program: Program, limits: Limits) -> RulebookAudit | None:
        """The audit of a version, if it is kept.

        Args:
            v: The version.
            program: Its program.
            limits: When an exploration gives up.
        """
        job = self._asked[program] = _job(v, program, limits)
        done = self.results.load(job) if job is not None else None
        return None if done is None else done.audit

    def save(self, v: Version, program: Program, limits: Limits, audit: RulebookAudit) -> None:
        """Keep the audit of a version, as it was when it was asked for last; see `load`."""
        job = self._asked.pop(program) if program in self._asked else _job(v, program, limits)
        if job is not None:
            self.results.save(job, Done(audit=audit))


class _Results(Kept):
    """Results by the digest that stands where a job names its rulebook."""

    def _file(self, job: Job) -> Path:
        return self.folder / f"version-{job.rulebook[:40]}.json"


def _job(v: Version, program: Program, limits: Limits) -> Job | None:
    """What an audit of a version depends on; None for a rulebook that has no folder."""
    if v.book.folder is None:
        return None
    told = hashlib.sha256(_program().encode())
    _feed(told, v.book.folder.resolve())
    for file in registry.further_files(v.book):
        told.update(file.read_bytes())
    options = (
        program.variant,
        program.size_name,
        program.size,
        limits,
        program.rulings,
        sorted(v.answers.items()),
    )
    told.update(repr(options).encode())
    return Job(rulebook=told.hexdigest(), variant=program.variant, size=program.size_name, limits=limits)


__all__ = ["KeptVersions"]
