"""What every document shows, arranged once: findings by section, sentences, what is proved, denominators.

Promises: nothing is computed here that the audit does not say; audits of several variants of one rulebook
are shown as one, each finding once with the variants it was found in, as a question if it is one in any of
them; the order does not depend on the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs

from findings.codes import Code, explain
from findings.detail import Background, FlowEdge, Phases, Rule, Section, Sentence, Tie, Word
from findings.finding import Finding, Proved, RulebookAudit, Status, Undecided
from findings.fingerprints import abbreviations
from findings.questions import Question
from findings.ranking import Group, grouped, rank
from findings.reports.source import SourceText

#: Statuses of findings that are questions to the author.
ASKED = (Status.OPEN, Status.LEANS, Status.REDUCED, Status.ACCEPTED)
#: The section of findings about no sentence.
NOWHERE = Section(id="-", title="")


@attrs.frozen(eq=False)
class Item:
    """A finding as documents show it.

    Attributes:
        finding: the finding.
        variants: the variants it was found in.
        short: the beginning of its fingerprint that `ruleslawyer show` takes.
        section: the section under which it is shown.
        code: its kind.
    """

    finding: Finding
    variants: tuple[str, ...]
    short: str
    section: Section

    @property
    def code(self) -> Code:
        """Its kind, explained."""
        return explain(self.finding.code)

    @property
    def prevails(self) -> bool:
        """Whether its options are sentences of which one prevails."""
        return self.code.prevails

    @property
    def anchor(self) -> str:
        """Its address within a document."""
        return f"f-{self.finding.fingerprint}"


@attrs.frozen(eq=False)
class Chapter:
    """The findings of a section of the rulebook."""

    section: Section
    items: tuple[Item, ...]


@attrs.frozen(eq=False)
class Book:
    """One rulebook with all of its audits.

    Attributes:
        name: the rulebook's name.
        audits: its audits, one for each variant.
        source: its text, held against the record; None if it was not given.
    """

    name: str
    audits: tuple[RulebookAudit, ...]
    source: SourceText | None = None

    @cached_property
    def backgrounds(self) -> tuple[Background, ...]:
        """What the audits say of the rulebook."""
        return tuple(a.background for a in self.audits if a.background is not None)

    @property
    def background(self) -> Background | None:
        """What the first audit says of the rulebook."""
        return self.backgrounds[0] if self.backgrounds else None

    @property
    def title(self) -> str:
        """Its title."""
        return self.background.title if self.background is not None else self.name

    # -- findings --------------------------------------------------------------------------------------
    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Every finding once, ranked."""
        first: dict[str, Finding] = {}
        where: dict[str, list[str]] = {}
        for audit in self.audits:
            for finding in audit.findings:
                known = first.setdefault(finding.fingerprint, finding)
                if known.status not in ASKED and finding.status in ASKED:
                    first[finding.fingerprint] = finding
                where.setdefault(finding.fingerprint, []).append(audit.variant)
        short = abbreviations(first)
        ranked = rank(first.values(), [s.id for s in self.sentences])
        return tuple(
            Item(f, tuple(where[f.fingerprint]), short[f.fingerprint], self._section(f)) for f in ranked
        )

    @cached_property
    def by_fingerprint(self) -> Mapping[str, Item]:
        """Findings by fingerprint."""
        return {item.finding.fingerprint: item for item in self.items}

    def _section(self, finding: Finding) -> Section:
        for clause in finding.clauses:
            sentence = self.by_id.get(clause)
            if sentence is not None:
                return self.section_of(sentence)
        return NOWHERE

    def section_of(self, sentence: Sentence) -> Section:
        """The section of a sentence."""
        return self._sections.get(sentence.section, Section(id=sentence.section, title=sentence.section))

    @cached_property
    def _sections(self) -> dict[str, Section]:
        return {s.id: s for b in reversed(self.backgrounds) for s in b.sections}

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """Findings by section, in the order of the text."""
        sections = [*(self.background.sections if self.background is not None else ()), NOWHERE]
        found = [Chapter(s, tuple(i for i in self.items if i.section.id == s.id)) for s in sections]
        return tuple(c for c in found if c.items)

    @cached_property
    def questions(self) -> tuple[Group, ...]:
        """Findings that are questions, under the root that one answer settles."""
        return grouped(i.finding for i in self.items if i.finding.status in ASKED)

    @cached_property
    def fewest(self) -> tuple[Question, ...]:
        """The fewest questions whose answers settle every open reading, of all variants, each once."""
        known = self.by_fingerprint
        found = {q.reading: q for a in self.audits for q in a.questions if q.fingerprint in known}
        return tuple(found.values())

    def count(self, status: Status) -> int:
        """How many findings have a status."""
        return sum(i.finding.status is status for i in self.items)

    # -- the text --------------------------------------------------------------------------------------
    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Sentences; one counts as cited or used if it is in some variant."""
        merged: dict[str, Sentence] = {}
        for behind in self.backgrounds:
            for s in behind.sentences:
                before = merged.get(s.id, s)
                merged[s.id] = attrs.evolve(s, cited=s.cited or before.cited, fired=s.fired or before.fired)
        return tuple(merged.values())

    @cached_property
    def by_id(self) -> Mapping[str, Sentence]:
        """Sentences by id."""
        return {s.id: s for s in self.sentences}

    @cached_property
    def about(self) -> Mapping[str, tuple[Item, ...]]:
        """Sentence → findings about it."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            for clause in item.finding.clauses:
                found.setdefault(clause, []).append(item)
        return {k: tuple(v) for k, v in found.items()}

    def sections(self) -> Iterator[tuple[Section, tuple[Sentence, ...]]]:
        """Sections with their sentences."""
        for section in self._sections.values():
            yield section, tuple(s for s in self.sentences if s.section == section.id)

    def use(self, sentence: Sentence) -> str:
        """What became of a sentence: `used`, `cited`, `exempt` (a reason or its kind says why), `left`."""
        if sentence.fired:
            return "used"
        if sentence.cited:
            return "cited"
        return "exempt" if sentence.uncited or sentence.kind in EXEMPT else "left"

    # -- scopes ------------------------------------------------------------------------------------------
    @cached_property
    def proved(self) -> tuple[tuple[Proved, tuple[str, ...]], ...]:
        """What holds, each with the variants that it was proved for."""
        found: dict[tuple[str, str], list[str]] = {}
        for audit in self.audits:
            for p in audit.proved:
                found.setdefault((p.name, p.scope), []).append(audit.variant)
        return tuple((Proved(name=n, scope=s), tuple(v)) for (n, s), v in found.items())

    @cached_property
    def undecided(self) -> tuple[tuple[Undecided, tuple[str, ...]], ...]:
        """What a limit cut off, each with its variants."""
        found: dict[Undecided, list[str]] = {}
        for audit in self.audits:
            for u in audit.undecided:
                found.setdefault(u, []).append(audit.variant)
        return tuple((u, tuple(v)) for u, v in found.items())

    @cached_property
    def missing(self) -> tuple[Item, ...]:
        """What the text needs and never gives: what play depends on and nobody knows."""
        return tuple(i for i in self.items if i.code.by == "modeller")

    @cached_property
    def outside(self) -> tuple[Sentence, ...]:
        """Sentences that do not come from the text."""
        return tuple(s for s in self.sentences if s.source != "text")

    @cached_property
    def not_modelled(self) -> tuple[Sentence, ...]:
        """Sentences of the text that no rule cites."""
        return tuple(s for s in self.sentences if not s.cited and s.source == "text")

    # -- play ---------------------------------------------------------------------------------------------
    @property
    def flows(self) -> tuple[tuple[str, Phases], ...]:
        """The stages of play, by variant."""
        found = ((a.variant, a.background.flow) for a in self.audits if a.background is not None)
        return tuple((variant, flow) for variant, flow in found if flow is not None)

    @property
    def words(self) -> tuple[Word, ...]:
        """Domain words, each once."""
        return tuple(dict.fromkeys(w for b in self.backgrounds for w in b.words))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Rules of play, each once."""
        return tuple({r.name: r for b in reversed(self.backgrounds) for r in b.rules}.values())

    @property
    def ties(self) -> tuple[Tie, ...]:
        """Comparisons, each once."""
        return tuple({t.name: t for b in reversed(self.backgrounds) for t in b.ties}.values())


#: Kinds of sentence that no rule needs to cite.
EXEMPT = frozenset({"component", "definition", "example", "flavour", "note"})


def steps_of(flow: Phases) -> dict[str, list[FlowEdge]]:
    """Rule → its steps in a flow."""
    found: dict[str, list[FlowEdge]] = {}
    for edge in flow.edges:
        found.setdefault(edge.rule, []).append(edge)
    return found


def books(
    audits: Sequence[RulebookAudit], sources: Mapping[str, SourceText] | None = None
) -> tuple[Book, ...]:
    """The rulebooks of some audits, in their order.

    Args:
        audits: the audits.
        sources: name of a rulebook → its text, where it was given.
    """
    named: dict[str, list[RulebookAudit]] = {}
    for audit in audits:
        named.setdefault(audit.rulebook, []).append(audit)
    return tuple(Book(n, tuple(a), (sources or {}).get(n)) for n, a in named.items())
