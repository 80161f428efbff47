"""The audit for a person at a terminal: the questions, most urgent first, small enough to hold in the head.

Promises: a question is one block (the situation, the outcomes, what is at stake, what to ask, the play that
leads there); findings that the same answer settles stand under it; "no finding" always says the scope.
Text from rulebooks cannot control the terminal. Colours follow NO_COLOR, lines follow the width.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.console import Group as Block
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from findings.baseline import Comparison, Entry
from findings.finding import Audit, Finding, RulebookAudit, Status
from findings.fingerprints import abbreviations
from findings.questions import Question
from findings.ranking import Group, grouped
from findings.reports import blocks
from findings.reports.blocks import STYLES, line
from findings.reports.words import words
from findings.text import printable

WIDEST = 100
"""Longest line, in columns: longer ones are hard to read."""

QUESTIONS = (Status.OPEN, Status.LEANS)


class _Console(Console):
    """A console that leaves a closed pipe to the program, which ends with an exit code of its own for it."""

    def on_broken_pipe(self) -> None:
        """Called while the error is handled: let it go on."""
        raise


def console(file: TextIO | None = None, *, stderr: bool = False) -> Console:
    """A console for reports: no markup, no highlighting, at most 100 columns wide.

    Args:
        file: where to; by default the standard output.
        stderr: to the standard error instead.
    """
    made = _Console(file=file, stderr=stderr, highlight=False, markup=False, emoji=False)
    made.width = min(made.width, WIDEST)
    return made


def as_text(audit: Audit, comparisons: Sequence[Comparison] = ()) -> str:
    """The report as plain text of 100 columns, for a file; arguments as of `render`."""
    buffer = io.StringIO()
    plain = Console(file=buffer, width=WIDEST, color_system=None, highlight=False, markup=False, emoji=False)
    render(audit, plain, comparisons)
    return "".join(f"{row.rstrip()}\n" for row in buffer.getvalue().splitlines())


def render(audit: Audit, to: Console, comparisons: Sequence[Comparison] = ()) -> None:
    """Print an audit.

    Args:
        audit: its findings ranked.
        to: the console.
        comparisons: for each rulebook of the audit, how it differs from what is recorded; or none at all.
    """
    short = abbreviations(_fingerprints(audit, comparisons))
    told: set[tuple[str, Finding]] = set()
    for n, rulebook in enumerate(audit.rulebooks):
        page = _Page(rulebook, comparisons[n] if comparisons else Comparison(), short, to.width)
        for block in page.blocks(told):
            to.print(block)
            to.print()
        told.update((rulebook.rulebook, finding) for finding in rulebook.findings)
    if audit.rulebooks:
        to.print(_summary(audit, comparisons))
    if told_differences := differences(comparisons):
        to.print(line(told_differences))


def differences(comparisons: Sequence[Comparison]) -> str:
    """How many findings are new, gone or changed, and what to do; empty if none."""
    n = sum(len(c.new) + len(c.gone) + len(c.changed) for c in comparisons)
    return words().count("not_recorded", n) if n else ""


def _fingerprints(audit: Audit, comparisons: Sequence[Comparison]) -> Iterator[str]:
    for rulebook in audit.rulebooks:
        yield from (finding.fingerprint for finding in rulebook.findings)
    for comparison in comparisons:
        yield from (entry.fingerprint for entry in (*comparison.gone, *comparison.missed))


class _Page:
    """The report of one rulebook."""

    def __init__(
        self, audit: RulebookAudit, comparison: Comparison, short: Mapping[str, str], width: int
    ) -> None:
        self._audit = audit
        self._comparison = comparison
        self._short = short
        self._width = width

    def blocks(self, told: set[tuple[str, Finding]]) -> Iterator[RenderableType]:
        """The blocks of the page in order.

        Args:
            told: (rulebook, finding) pairs that an earlier page showed and this one only mentions.
        """
        say, audit = words(), self._audit
        yield self._head()
        fresh = [f for f in audit.findings if (audit.rulebook, f) not in told]
        groups = grouped(fresh)
        questions = [g for g in groups if g.root.status in QUESTIONS]
        reduced = [g for g in groups if g.root.status is Status.REDUCED]
        accepted = [g for g in groups if g.root.status is Status.ACCEPTED]
        answered = [g for g in groups if g.root.status in (Status.SETTLED, Status.MOOT)]
        for group in questions:
            yield self._question(group)
        if reduced:
            yield line((say("reduced"), "underline"))
            yield from map(self._question, reduced)
        if accepted:
            yield line((say("accepted"), "underline"))
            yield from map(self._question, accepted)
        if answered:
            yield line((say("answered"), "underline"))
            yield from map(self._answered, answered)
        repeated = [self._short[f.fingerprint] for f in audit.findings if (audit.rulebook, f) in told]
        if repeated:
            yield line(say.count("as_before", len(repeated), fingerprints=", ".join(repeated)))
        if not audit.findings:
            yield line(say("no_finding", scope=", ".join([self._title(), *self._scope()])))
        notes = list(self._notes())
        if notes:
            yield blocks.labelled(notes)

    def _title(self) -> str:
        audit = self._audit
        return f"{audit.rulebook} · {audit.variant} · {words()('at_size', size=audit.size)}"

    def _scope(self) -> list[str]:
        states = self._audit.states
        counted = [] if states is None else [words().count("state", states)]
        return [*counted, *self._audit.engines]

    def _head(self) -> Block:
        seconds = words()("seconds", seconds=f"{self._audit.seconds:.1f}")
        rule = Rule(line((self._title(), "bold")), align="left", characters="─", style="dim")
        return Block(rule, line((" · ".join([*self._scope(), seconds]), "dim")))

    def _question(self, group: Group) -> Block:
        audit, root = self._audit, group.root
        short = self._short[root.fingerprint]
        asked = blocks.full(audit.rulebook, root, size=audit.size, short=short, width=self._width)
        return Block(asked, *self._others(group))

    def _answered(self, group: Group) -> Block:
        short = self._short[group.root.fingerprint]
        return Block(blocks.brief(self._audit.rulebook, group.root, short=short), *self._others(group))

    def _others(self, group: Group) -> list[RenderableType]:
        others = [(finding, self._short[finding.fingerprint]) for finding in group.others]
        return [blocks.nested(others)] if others else []

    def _notes(self) -> Iterator[tuple[str, Text]]:
        say, audit = words(), self._audit
        if audit.questions:
            asked = "; ".join(map(_asked, audit.questions))
            yield say("questions"), line(say.count("questions_of", len(audit.questions), asked=asked))
        for undecided in audit.undecided:
            key = "undecided_bound" if undecided.bound else "undecided_one"
            told = say(key, name=undecided.name, reason=undecided.reason, bound=undecided.bound)
            yield say("undecided"), line(told)
        for proved in audit.proved:
            yield say("proved"), line(proved.name, (f"   ({proved.scope})", "dim"))
        coverage = audit.coverage
        yield (
            say("coverage"),
            line(
                say.count(
                    "coverage_of",
                    coverage.clauses,
                    cited=f"{coverage.cited:,}",
                    fired=f"{coverage.fired:,}",
                    size=audit.size,
                )
            ),
        )
        if coverage.uncited:
            yield "", line((say("uncited", clauses=", ".join(coverage.uncited)), "dim"))
        yield from self._differences()

    def _differences(self) -> Iterator[tuple[str, Text]]:
        say = words()
        if self._comparison.new:
            new = (f"{f.code} {self._short[f.fingerprint]}" for f in self._comparison.new)
            yield say("new"), line(", ".join(new))
        for entry in self._comparison.gone:
            yield say("gone"), self._reference(entry)
        for entry in self._comparison.missed:
            yield say("missed"), self._reference(entry)
        for known in self._comparison.changed:
            if known.before is not None:
                was = f"  {known.finding.status.value} ({say('was', status=known.before.value)})"
                yield say("changed"), self._reference(known.finding).append(was)
        for entry in self._comparison.unused:
            why = (f"  {say('reason')}: {printable(entry.reason)}", "dim")
            yield say("unused"), self._reference(entry).append(*why)
        for known in self._comparison.reworded:
            since = say("reworded_since", clauses=", ".join(known.reworded))
            yield say("reworded"), self._reference(known.finding).append(f"  {printable(since)}")

    def _reference(self, what: Finding | Entry) -> Text:
        short = (self._short[what.fingerprint], "dim")
        return line((f"{what.code} {what.name}", "bold"), "  ", short, f"  {what.title}")


def _asked(question: Question) -> str:
    """A question by the reading that it is about, with the others that its answer settles."""
    others = ", ".join(question.settles[1:])
    reading = question.reading
    return words()("question_too", reading=reading, others=others) if others else reading


def _summary(audit: Audit, comparisons: Sequence[Comparison]) -> Table:
    """How many findings there are, by status; columns without any are left out."""
    say = words()
    counts = [{s: sum(f.status is s for f in r.findings) for s in Status} for r in audit.rulebooks]
    shown = [status for status in Status if any(count[status] for count in counts)]
    differences = {
        "new": [len(c.new) for c in comparisons],
        "gone": [len(c.gone) for c in comparisons],
        "changed": [len(c.changed) for c in comparisons],
    }
    told = [key for key, numbers in differences.items() if any(numbers)]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for key in ("rulebook", "variant", "size"):
        table.add_column(say(key), overflow="fold")
    table.add_column(say("findings"), justify="right")
    for status in shown:
        table.add_column(Text(status.value, style=STYLES[status]), justify="right")
    for key in told:
        table.add_column(say(key), justify="right")
    for n, (rulebook, count) in enumerate(zip(audit.rulebooks, counts, strict=True)):
        names = (line(name) for name in (rulebook.rulebook, rulebook.variant, rulebook.size))
        numbers = [sum(count.values()), *(count[s] for s in shown), *(differences[key][n] for key in told)]
        table.add_row(*names, *(str(number) for number in numbers))
    return table
