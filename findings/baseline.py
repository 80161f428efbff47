"""What is known: the recorded findings of a rulebook, in `findings/accepted/<rulebook>.json`.

Promises: a file is read whole and checked, or refused with its place; it is written whole and in an order
that does not depend on the run, so that a change of one finding is a change of one entry. Recording again
keeps the reasons that people wrote.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import attrs
from attrs.validators import ge, instance_of, matches_re, min_len

from findings import strict_json
from findings.finding import Finding, RulebookAudit, Status, as_json
from findings.output import write_atomic
from findings.text import printable
from models.language.errors import ModelError

SCHEMA = 1
#: Statuses of findings that a reason accepts.
UNDECIDED = (Status.OPEN, Status.LEANS, Status.REDUCED)
RECORDED = Path(__file__).parent / "accepted"
"""The folder of the recorded findings of the rulebooks that come with the program."""


@attrs.frozen(kw_only=True)
class Run:
    """Where a recorded finding was found.

    Attributes:
        variant: the variant that was audited.
        size: the size that was audited.
        status: the status that the audit gave it there, before any acceptance.
    """

    variant: str = attrs.field(validator=min_len(1))
    size: str = attrs.field(validator=min_len(1))
    status: Status = attrs.field(validator=instance_of(Status))


@attrs.frozen(kw_only=True)
class Entry:
    """One recorded finding.

    Attributes:
        fingerprint: the finding's stable name.
        code: its kind.
        name: the kind's name.
        title: what it is about.
        reason: why it is accepted; empty if it is only known.
        date: when the reason was given (ISO 8601); None if not noted.
        clauses: ids of the sentences concerned.
        clause_digests: the digests that these sentences had.
        found: in which variants and sizes it was found.
    """

    fingerprint: str = attrs.field(validator=matches_re(r"[0-9a-f]{12}"))
    code: str = attrs.field(validator=min_len(1))
    name: str = attrs.field(validator=min_len(1))
    title: str = attrs.field(validator=min_len(1))
    reason: str = ""
    date: str | None = None
    clauses: tuple[str, ...] = ()
    clause_digests: dict[str, str] = attrs.field(factory=dict)
    found: tuple[Run, ...] = ()

    def run(self, audit: RulebookAudit) -> Run | None:
        """The run of this entry that has an audit's variant and size, if there is one."""
        return next((r for r in self.found if (r.variant, r.size) == (audit.variant, audit.size)), None)


@attrs.frozen(kw_only=True)
class Baseline:
    """The recorded findings of one rulebook."""

    schema: int = attrs.field(default=SCHEMA, validator=ge(1))
    rulebook: str = attrs.field(validator=min_len(1))
    accepted: tuple[Entry, ...] = ()

    def entry(self, fingerprint: str) -> Entry | None:
        """The entry with a full fingerprint, if there is one."""
        return next((e for e in self.accepted if e.fingerprint == fingerprint), None)


@attrs.frozen(kw_only=True)
class Known:
    """A finding that is recorded.

    Attributes:
        finding: as the audit found it.
        entry: as it is recorded.
        before: the recorded status, if it was another one for the same variant and size.
        reworded: ids of its clauses whose sentences have changed since.
    """

    finding: Finding
    entry: Entry
    before: Status | None = None
    reworded: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Comparison:
    """An audit against what is recorded.

    Attributes:
        new: findings that are not recorded.
        gone: entries recorded for this variant and size that the audit did not find.
        missed: the same where a limit cut the audit's searches off, so that they may be there still.
        known: findings that are recorded.
    """

    new: tuple[Finding, ...] = ()
    gone: tuple[Entry, ...] = ()
    missed: tuple[Entry, ...] = ()
    known: tuple[Known, ...] = ()

    @property
    def changed(self) -> tuple[Known, ...]:
        """Recorded findings whose status is no longer the recorded one."""
        return tuple(k for k in self.known if k.before is not None)

    @property
    def reworded(self) -> tuple[Known, ...]:
        """Recorded findings about sentences whose wording has changed since."""
        return tuple(k for k in self.known if k.reworded)

    @property
    def unused(self) -> tuple[Entry, ...]:
        """Entries whose reason accepts nothing: their finding is gone, answered, or about another wording."""
        idle = [k.entry for k in self.known if k.reworded or k.finding.status not in UNDECIDED]
        return tuple(e for e in (*idle, *self.gone) if e.reason)

    @property
    def clean(self) -> bool:
        """Whether the audit found exactly what is recorded: nothing new, gone or changed."""
        return not (self.new or self.gone or self.changed)


def baseline_path(rulebook: str, folder: Path | None = None) -> Path:
    """The file of a rulebook's recorded findings.

    Args:
        rulebook: the rulebook's name.
        folder: the folder; by default that of the rulebooks that come with the program.
    """
    return (folder or RECORDED) / f"{rulebook}.json"


def load(path: Path, rulebook: str) -> Baseline:
    """Read recorded findings.

    Args:
        path: the file; one that does not exist is an empty baseline.
        rulebook: whose findings they should be.

    Returns:
        The baseline.

    Errors:
        ModelError: if the file cannot be read, is not JSON (with line and column), or does not follow the
            schema (with the place in the document).
    """
    mend = "restore the file, or remove it and run `ruleslawyer audit --accept`"
    try:
        baseline = strict_json.read(path, Baseline, schema=SCHEMA, what="recorded findings", mend=mend)
    except FileNotFoundError:
        return Baseline(rulebook=rulebook)
    shown = printable(str(path))
    if baseline.rulebook != rulebook:
        told = printable(baseline.rulebook)
        raise ModelError(f"these are the findings of '{told}', expected '{rulebook}'", where=shown, hint=mend)
    twice = [f for f, n in Counter(entry.fingerprint for entry in baseline.accepted).items() if n > 1]
    if twice:
        hint = "remove one of the entries"
        raise ModelError(f"fingerprint {twice[0]} is recorded twice", where=shown, hint=hint)
    return baseline


def save(path: Path, baseline: Baseline) -> None:
    """Write recorded findings, whole, sorted by code and fingerprint.

    The folder is made if there is none.

    Errors:
        ModelError: if the file cannot be written.
    """
    document = as_json(_sorted(baseline))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def compare(audit: RulebookAudit, baseline: Baseline) -> Comparison:
    """What an audit found against what is recorded.

    Entries that were recorded for other variants or sizes only are neither known nor gone.

    Args:
        audit: as the engines left it, before `with_accepted`.
        baseline: the recorded findings of the same rulebook.
    """
    new, known = [], []
    for finding in audit.findings:
        entry = baseline.entry(finding.fingerprint)
        if entry is None:
            new.append(finding)
            continue
        run = entry.run(audit)
        before = _before(run, finding, audit)
        known.append(Known(finding=finding, entry=entry, before=before, reworded=_reworded(entry, audit)))
    found = {finding.fingerprint for finding in audit.findings}
    gone = [e for e in baseline.accepted if e.fingerprint not in found and e.run(audit) is not None]
    from findings.audit.cut import cut_off

    missed: list[Entry] = []
    if cut_off(audit):
        gone, missed = missed, gone
    return Comparison(new=tuple(new), gone=tuple(gone), missed=tuple(missed), known=tuple(known))


def with_accepted(audit: RulebookAudit, baseline: Baseline) -> RulebookAudit:
    """The audit with the status ACCEPTED where a reason is recorded and still applies.

    A reason applies as long as the sentences that it was given for have their wording, and only to a finding
    that would otherwise be OPEN, LEANS or REDUCED SIZE ONLY. The order of the findings is not changed.

    Args:
        audit: as the engines left it.
        baseline: the recorded findings of the same rulebook.
    """

    def accepted(finding: Finding) -> Finding:
        entry = baseline.entry(finding.fingerprint)
        if entry is None or not entry.reason or finding.status not in UNDECIDED or _reworded(entry, audit):
            return finding
        return attrs.evolve(finding, status=Status.ACCEPTED, because=entry.reason)

    return attrs.evolve(audit, findings=tuple(accepted(f) for f in audit.findings))


@attrs.frozen
class Reasons:
    """Why findings are accepted, as given on the command line.

    Attributes:
        others: for findings that are not recorded yet and have no reason of their own.
        own: beginning of a fingerprint → the reason of that finding, also where one is recorded.
    """

    others: str = ""
    own: Mapping[str, str] = attrs.field(factory=dict)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Reasons:
        """Reasons from texts, `FINGERPRINT=TEXT` or TEXT.

        Errors:
            ModelError: two reasons for one finding, or two for all others.
        """
        own: dict[str, str] = {}
        others = ""
        for text in texts:
            name, equals, told = text.partition("=")
            mine = bool(equals) and re.fullmatch(r"[0-9a-f]{4,12}", name) is not None
            if (name in own) if mine else bool(others):
                raise ModelError(
                    f"two reasons are given for {printable(name) if mine else 'all other findings'}",
                    hint="give one, or write --reason FINGERPRINT=TEXT",
                )
            if mine:
                own[name] = told
            else:
                others = text
        return cls(others, own)

    def check(self, audits: Sequence[RulebookAudit]) -> None:
        """Check that every reason of one finding is for one that was found.

        Errors:
            ModelError: no finding has a fingerprint that begins so, or several have.
        """
        found = {f.fingerprint for a in audits for f in a.findings}
        for name in self.own:
            n = sum(f.startswith(name) for f in found)
            if n != 1:
                how = f"{n} findings have" if n else "no finding has"
                raise ModelError(
                    f"{how} a fingerprint that begins with {name}",
                    hint="take it from the report, where it stands behind `show`",
                )

    def of_finding(self, fingerprint: str) -> str:
        """The finding's own reason, "" if it has none."""
        return next((text for name, text in self.own.items() if fingerprint.startswith(name)), "")


def accept(
    audit: RulebookAudit,
    baseline: Baseline,
    *,
    reason: str = "",
    date: str | None = None,
    reasons: Reasons | None = None,
) -> Baseline:
    """The baseline after recording everything that an audit found.

    What was recorded for other variants and sizes stays; what this variant and size no longer finds goes (but
    not where a limit cut the search off), and an entry that nothing finds any more goes with its reason. A
    recorded reason ends where a sentence that it was given for has another wording now; the reason for
    findings that are not recorded is not taken for it.

    Args:
        audit: as the engines left it, before `with_accepted`.
        baseline: what is recorded so far.
        reason: the reason for findings that are not recorded yet; recorded reasons are kept.
        date: when the reason was given (ISO 8601).
        reasons: reasons of single findings, and the one for all others.

    Returns:
        The new baseline.
    """
    given = reasons or Reasons(reason)
    missed = {e.fingerprint for e in compare(audit, baseline).missed}
    entries = {e.fingerprint: e if e.fingerprint in missed else _without(e, audit) for e in baseline.accepted}
    for finding in audit.findings:
        old = entries.get(finding.fingerprint)
        run = Run(variant=audit.variant, size=audit.size, status=finding.status)
        own = given.of_finding(finding.fingerprint)
        kept = old is not None and not own and not _reworded(old, audit)
        told = own or ("" if old else given.others)
        entries[finding.fingerprint] = Entry(
            fingerprint=finding.fingerprint,
            code=finding.code,
            name=finding.name,
            title=finding.title,
            reason=old.reason if old and kept else told,
            date=old.date if old and kept else date if told else None,
            clauses=finding.clauses,
            clause_digests={c: audit.digests[c] for c in finding.clauses if c in audit.digests},
            found=(*(old.found if old else ()), run),
        )
    return _sorted(attrs.evolve(baseline, accepted=tuple(e for e in entries.values() if e.found)))


def _before(run: Run | None, finding: Finding, audit: RulebookAudit) -> Status | None:
    """The recorded status where it is another one, unless that rests on a size that was not asked now."""
    if run is None or run.status is finding.status:
        return None
    unasked = audit.print_size is None and run.status in (Status.REDUCED, Status.MOOT)
    return None if unasked else run.status


def _reworded(entry: Entry, audit: RulebookAudit) -> tuple[str, ...]:
    now = audit.digests
    return tuple(c for c, digest in entry.clause_digests.items() if c in now and now[c] != digest)


def _without(entry: Entry, audit: RulebookAudit) -> Entry:
    own = entry.run(audit)
    return attrs.evolve(entry, found=tuple(run for run in entry.found if run != own))


def _sorted(baseline: Baseline) -> Baseline:
    def tidy(entry: Entry) -> Entry:
        return attrs.evolve(entry, found=tuple(sorted(entry.found, key=lambda r: (r.variant, r.size))))

    entries = sorted(baseline.accepted, key=lambda e: (e.code, e.fingerprint))
    return attrs.evolve(baseline, accepted=tuple(tidy(e) for e in entries))
