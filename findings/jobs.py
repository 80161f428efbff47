"""Jobs: audits side by side on an executor, and kept from run to run while nothing that they rest on changes.

Promises: the results are those of `audit_rulebook`, in the order of the jobs; a kept result is used only for
the same rulebook files, options and version of the program's own files; a kept file that cannot be read
counts as absent; two runs at once do not disturb each other.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from findings.finding import RulebookAudit
from findings.print_record import Answer, AtPrint
from findings.progress import Progress, SilentProgress
from solvers.contract import Limits

if TYPE_CHECKING:
    import cattrs

_CODE = ("*.py", "*.toml", "*.wat", "*.json")
_OWN = ("findings/audit", "models/language", "properties", "solvers")


@attrs.frozen(kw_only=True)
class Job:
    """One audit.

    Attributes:
        rulebook: name or path.
        variant: the variant.
        size: the size.
        limits: when an exploration gives up.
        at_print: how to ask at the printed size.
        rulings: whether to audit with the rulings, and to say what each of them answers.
        details: whether to add what reports show beside the findings (not with rulings).
    """

    rulebook: str
    variant: str
    size: str
    limits: Limits = attrs.field(factory=Limits)
    at_print: AtPrint | None = None
    rulings: bool = False
    details: bool = False


@attrs.frozen(kw_only=True)
class Done:
    """What became of a job.

    Attributes:
        audit: the audit.
        table: what the rulings answer, as text; "" without rulings.
    """

    audit: RulebookAudit
    table: str = ""


def run(job: Job, progress: Progress | None = None) -> Done:
    """Do one job here."""
    told = progress or SilentProgress()
    if job.rulings:
        from findings.rulings import as_text, rulings_report
        from models.language import registry

        book = registry.find(job.rulebook)
        report = rulings_report(book, variant=job.variant, size=job.size, progress=told, limits=job.limits)
        return Done(audit=report.applied, table=as_text(report, book))
    from findings.audit import audit_rulebook

    return Done(
        audit=audit_rulebook(
            job.rulebook,
            variant=job.variant,
            size=job.size,
            progress=told,
            limits=job.limits,
            at_print=job.at_print,
            details=job.details,
        )
    )


def run_all(
    jobs: Sequence[Job],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    kept: Kept | None = None,
    progress: Progress | None = None,
) -> list[Done]:
    """Do several jobs.

    Args:
        jobs: the jobs.
        workers: processes of a pool; with one, or a single job, all is done here.
        executor: where to run instead (a Dask client's executor fits).
        kept: results of earlier runs; used and added to.
        progress: where to say how far it is.

    Returns:
        The results in the order of the jobs.
    """
    told = progress or SilentProgress()
    found: dict[int, Done] = {}
    for n, job in enumerate(jobs):
        known = kept.load(job) if kept is not None else None
        if known is not None:
            found[n] = known
    waiting = [n for n in range(len(jobs)) if n not in found]
    if executor is None and (workers <= 1 or len(waiting) <= 1):
        results: Iterator[Done] = (run(jobs[n], told) for n in waiting)
    else:
        results = _pooled([jobs[n] for n in waiting], workers, executor, told)
    for n, done in zip(waiting, results, strict=True):
        found[n] = done
        if kept is not None:
            kept.save(jobs[n], done)
    return [found[n] for n in range(len(jobs))]


def _pooled(jobs: Sequence[Job], workers: int, executor: Executor | None, told: Progress) -> Iterator[Done]:
    pool = executor or ProcessPoolExecutor(
        min(workers, len(jobs)), multiprocessing.get_context("spawn"), initializer=_quiet
    )
    try:
        futures: list[Future[Done]] = [pool.submit(run, job) for job in jobs]
        with told.task("audits", len(jobs)) as tick:
            for future in futures:
                yield future.result()
                tick(1)
    finally:
        if executor is None:
            pool.shutdown(wait=False, cancel_futures=True)


def _quiet() -> None:
    """Leave Ctrl-C to the process that the person sees."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# -- results of earlier runs ------------------------------------------------------------------------------


class Kept:
    """A folder of results.

    Args:
        folder: where they lie; the program's cache folder unless given.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is None:
            from solvers.explorer.native.machine import cache_folder

            folder = cache_folder() / "audits"
        self.folder = folder
        self._asked: dict[Job, Path] = {}

    def load(self, job: Job) -> Done | None:
        """The result of a job, if it is kept."""
        try:
            file = self._asked[job] = self._file(job)
            document = json.loads(file.read_text(encoding="utf-8"))
            if document["of"] != file.name:  # what another job had found
                return None
            audit = _converter().structure(document["audit"], RulebookAudit)
            answers = tuple(Answer(**{**a, "moves": tuple(a["moves"])}) for a in document["answers"])
            audit = attrs.evolve(audit, digests=document["digests"], answers=answers)
            return Done(audit=audit, table=str(document["table"]))
        except Exception:  # noqa: BLE001 - whatever a file of another time may hold, it counts as absent
            return None

    def save(self, job: Job, done: Done) -> None:
        """Keep a result; a folder that cannot be written to keeps nothing.

        It is the result for the files as they were when the job was asked for last: they may have been saved
        since.
        """
        document: dict[str, object] = {
            "audit": _converter().unstructure(attrs.evolve(done.audit, digests={}, answers=())),
            "digests": dict(done.audit.digests),
            "answers": [attrs.asdict(a) for a in done.audit.answers],
            "table": done.table,
        }
        with suppress(OSError):
            file = self._asked.pop(job, None) or self._file(job)
            document["of"] = file.name
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    json.dump(document, out)
                os.replace(name, file)
            except BaseException:
                with suppress(OSError):
                    os.unlink(name)
                raise

    def _file(self, job: Job) -> Path:
        return self.folder / f"{key(job)[:40]}.json"


def key(job: Job) -> str:
    """What a result depends on, as a digest: files of the program, rulebook and user, and options."""
    from models.language import registry
    from models.language.sizefiles import file_of

    book, path = registry.find(job.rulebook), Path(job.rulebook)
    told = hashlib.sha256(_program().encode())
    if path.is_file():
        told.update(str(path.resolve()).encode())
        for file in sorted(path.resolve().parent.glob("*.py")):
            told.update(file.read_bytes())
    if book.folder is not None:
        _feed(told, book.folder.resolve())
    for further in registry.further_files(book):
        told.update(further.read_bytes())
    if file_of(job.size) is not None:
        book.find_size(job.size)
        told.update(repr(list(book.sizes.items())).encode())
    told.update(repr((job.variant, job.size, job.limits, job.at_print, job.rulings, job.details)).encode())
    return told.hexdigest()


@cache
def _program() -> str:
    """The digest of the program's own files that an audit rests on."""
    root = Path(__file__).parent.parent
    told = hashlib.sha256()
    for part in _OWN:
        _feed(told, root / part)
    for file in sorted((root / "findings").glob("*.py")):
        told.update(file.read_bytes())
    return told.hexdigest()


def _feed(told: Any, folder: Path) -> None:
    files = {file for pattern in _CODE for file in folder.rglob(pattern)}
    for file in sorted(files):
        told.update(str(file.relative_to(folder)).encode())
        told.update(file.read_bytes())


@cache
def _converter() -> cattrs.Converter:
    import cattrs

    return cattrs.Converter()


__all__ = ["Done", "Job", "Kept", "key", "run", "run_all"]
