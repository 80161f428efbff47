"""Computing a difference between two versions.

Promises: where the rules are proved the same no play is searched and none is simulated; where they ask the
same questions too, nothing else is computed but what the texts say. Play is compared in one variant at one
size; of the other variants, and of the printed size, it is said whether the rules are the same there. The
audit of a version is kept from run to run while its files, its options and the program stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from findings.audit import audit_rulebook
from findings.diff.kept import KeptVersions
from findings.finding import Finding, RulebookAudit
from findings.progress import Progress
from findings.versions import Version
from models.language.errors import ModelError
from models.language.program import Program
from models.language.sizefiles import PRINT
from models.language.words import Words
from properties import kinds
from solvers.compare.balance import Seats, seats
from solvers.compare.versions import (
    RuleChange,
    VersionChange,
    compare_structure,
    compare_versions,
    same_questions,
)
from solvers.contract import Limits, Play
from solvers.interpreter import Interpreter

Answer = Mapping[str, str]


@attrs.frozen
class ClauseChange:
    """A sentence that is new, gone or worded otherwise.

    Attributes:
        id: The clause.
        how: `new`, `gone`, `reworded` (our words) or `text` (the original's digest).
        old: Our words in the old version, "" where it is new.
        new: Our words in the new version, "" where it is gone.
    """

    id: str
    how: str
    old: str
    new: str


@attrs.frozen
class FindingChange:
    """A finding that is new, gone, or has another status or another play.

    Attributes:
        how: `new`, `gone` or `changed`.
        finding: As the new version has it (the old one where it is gone).
        before: The old status, where it changed.
    """

    how: str
    finding: Finding
    before: str = ""


@attrs.frozen
class Elsewhere:
    """A variant and size in which play was not compared.

    Attributes:
        variant: The variant.
        size: The size.
        same: Whether the rules are proved the same there, up to names and order.
    """

    variant: str
    size: str
    same: bool


@attrs.frozen
class Difference:
    """What one version changes against another.

    Attributes:
        old: How the old version was named.
        new: How the new version was named.
        size: Size that was compared.
        variant: Variant that was compared.
        clauses: Sentences that differ.
        play: What differs in play.
        steps: Told plays by rule and kind of difference.
        findings: Findings that differ.
        gained: Properties that only the new version keeps.
        lost: Properties that only the old version keeps.
        balance: Win rates and lengths in random games of both, where play differs.
        elsewhere: The other variants, and the printed size, where both versions have them.
    """

    old: str
    new: str
    size: str
    variant: str
    clauses: tuple[ClauseChange, ...]
    play: VersionChange
    steps: Mapping[tuple[str, str], tuple[str, ...]]
    findings: tuple[FindingChange, ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    balance: tuple[Seats, Seats] | None = None
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """What differs: `moves`, `outcomes`, `end`, `findings`, `properties`.

        `elsewhere` is among them where the rules are proved the same in the variant and size that were
        compared, and not in another one.
        """
        rules = self.play.rules.values()
        found = {
            "moves": any(r.more or r.fewer for r in rules),
            "outcomes": any(r.outcome or r.odds for r in rules) or bool(self.play.setup),
            "end": self.play.end is not None or self.play.result is not None,
            "findings": bool(self.findings),
            "properties": bool(self.gained or self.lost),
            "elsewhere": self.play.structural and not all(e.same for e in self.elsewhere),
        }
        return frozenset(k for k, v in found.items() if v)


def difference(
    old: Version,
    new: Version,
    *,
    size: str | None,
    variant: str | None,
    games: int,
    limits: Limits,
    progress: Progress,
    findings: bool = True,
    kept: KeptVersions | None = None,
) -> Difference:
    """Compare two versions.

    Args:
        old: The old version.
        new: The new version.
        size: Size where a version names none.
        variant: Variant where a version names none.
        games: Random games a version for the balance; 0 for none.
        limits: When a search gives up.
        progress: Where to say how far it is.
        findings: Whether to audit both versions where play differs or may be asked about otherwise.
        kept: Audits of earlier runs; used and added to.

    Without a size both are compared at the first of the rulebook, or where that cannot have the numbers that
    a version sets, at the printed one or another that can.

    Errors:
        ModelError: an option of a version that does not exist, two rulebooks that have nothing in common,
            or a mistake in a rulebook.
    """
    _check_alike(old, new)
    size = size or new.fitting or old.fitting
    was, now = old.build(size, variant), new.build(size, variant)
    with progress.task(f"{old.spec} / {new.spec}"):
        play = compare_versions(was, now, limits=limits)
    made = Difference(
        old.spec,
        new.spec,
        now.size_name,
        now.variant,
        tuple(_clauses(old, new)),
        play,
        _told(was, now, play),
        elsewhere=tuple(_elsewhere(old, new, now)),
    )
    if play.structural and same_questions(was, now):
        return made
    if games and now.winners and (play.changed or not play.complete):
        made = attrs.evolve(made, balance=(seats(was, games), seats(now, games)))
    if not findings:
        return made
    audits = tuple(_audited(v, p, limits, progress, kept) for v, p in ((old, was), (new, now)))
    gained, lost = _properties(old, new, audits, now.variant)
    return attrs.evolve(made, findings=tuple(_findings(*audits)), gained=gained, lost=lost)


def _check_alike(old: Version, new: Version) -> None:
    """Refuse two rulebooks that are no versions of one another.

    Errors:
        ModelError: other names, and fewer than half of the rules in common.
    """
    a, b = old.book, new.book
    rules = [{r.name for r in book.rules} for book in (a, b)]
    if a.name != b.name and 2 * len(rules[0] & rules[1]) < min(len(names) for names in rules):
        raise ModelError(
            f"{a.name} and {b.name} are two rulebooks, not two versions of one",
            hint="name the same rulebook twice, for instance with @REV or +option=value",
        )


def _elsewhere(old: Version, new: Version, now: Program) -> Iterator[Elsewhere]:
    """The other variants, at this size and the printed one, and whether the rules are the same there."""
    set_ = {*old.options, *new.options}
    numbers = {a.name for v in (old, new) for s in v.book.sizes.values() for a in attrs.fields(type(s))}
    variants = (
        [now.variant] if "variant" in set_ else [n for n in new.book.variants if n in old.book.variants]
    )
    printed = [PRINT] if PRINT in old.book.sizes and PRINT in new.book.sizes else []
    sizes = [now.size_name] if set_ & {"size", *numbers} else [now.size_name, *printed]
    for variant in variants:
        for size in dict.fromkeys(sizes):
            if (variant, size) == (now.variant, now.size_name):
                continue
            try:
                programs = [
                    v.build(None if "size" in v.options else _named(v, size), variant) for v in (old, new)
                ]
            except ModelError:  # a size that is for another variant
                continue
            yield Elsewhere(variant, size, compare_structure(*programs))


def _named(v: Version, size: str) -> str | None:
    return size if size in v.book.sizes else None


def _audited(
    v: Version, program: Program, limits: Limits, progress: Progress, kept: KeptVersions | None
) -> RulebookAudit:
    """The audit of a version, from an earlier run if it is kept."""
    known = kept.load(v, program, limits) if kept is not None else None
    if known is not None:
        return known
    made = audit_rulebook(
        v.book,
        variant=program.variant,
        size=program.size,
        progress=progress,
        limits=limits,
        rulings=program.rulings,
        answers=v.answers,
    )
    if kept is not None:
        kept.save(v, program, limits, made)
    return made


def _clauses(old: Version, new: Version) -> list[ClauseChange]:
    was, now = ({c.id: c for c in v.book.clauses or ()} for v in (old, new))
    found = []
    for id in dict.fromkeys([*was, *now]):
        a, b = was.get(id), now.get(id)
        if a is None or b is None:
            found.append(
                ClauseChange(id, "new" if a is None else "gone", a.text if a else "", b.text if b else "")
            )
        elif a.text != b.text or a.digest != b.digest:
            found.append(ClauseChange(id, "reworded" if a.text != b.text else "text", a.text, b.text))
    return found


def _told(was: Program, now: Program, play: VersionChange) -> dict[tuple[str, str], tuple[str, ...]]:
    """The plays of a difference in the words of the game, each on a version that allows it."""
    told: dict[tuple[str, str], tuple[str, ...]] = {}
    names = {r.rule: r.was for r in play.rules.values() if r.was and r.was != r.rule}
    for rule in play.rules.values():
        for kind in ("more", "fewer", "outcome", "odds"):
            found: Play | None = getattr(rule, kind)
            if found is not None:
                old = kind == "fewer"
                labels = [_old_label(label, names) for label in found.labels] if old else list(found.labels)
                told[rule.rule, kind] = _tell(was if old else now, labels)
    for kind, ended in (("end", play.end), ("result", play.result)):
        if ended is not None:
            told["", kind] = _tell(now, ended.labels)
    return told


def _old_label(label: str, names: Mapping[str, str]) -> str:
    rule = label.split("(", 1)[0]
    return names.get(rule, rule) + label[len(rule) :]


def _tell(program: Program, labels: Sequence[str]) -> tuple[str, ...]:
    run, words = Interpreter(program), Words.load(program.book.folder)
    states = run.replay(labels)
    return tuple(
        words.move(program, run.find(label), states[n], states[n + 1] if n + 1 < len(states) else None)
        for n, label in enumerate(labels)
    )


def _findings(old: RulebookAudit, new: RulebookAudit) -> list[FindingChange]:
    was, now = ({f.fingerprint: f for f in a.findings} for a in (old, new))
    found = [FindingChange("new", f) for k, f in now.items() if k not in was]
    found += [FindingChange("gone", f) for k, f in was.items() if k not in now]
    found += [
        FindingChange("changed", f, was[k].status.value)
        for k, f in now.items()
        if k in was and f.status is not was[k].status
    ]
    return found


def _properties(
    old: Version, new: Version, audits: tuple[RulebookAudit, ...], variant: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    keeps = []
    for v, audit in zip((old, new), audits, strict=True):
        broken = {f.title for f in audit.findings if f.code == "RL304"}
        names = {p.name for p in kinds.of(v.book).of(variant)}
        keeps.append({n for n in names if not any(n in title for title in broken)})
    return tuple(sorted(keeps[1] - keeps[0])), tuple(sorted(keeps[0] - keeps[1]))


__all__ = [
    "Answer",
    "ClauseChange",
    "Difference",
    "Elsewhere",
    "FindingChange",
    "RuleChange",
    "Seats",
    "difference",
]
