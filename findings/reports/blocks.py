"""One finding as a block for a terminal: the situation first, then what may follow, and what to ask.

Promises: every text is made safe; ids and fingerprints stay in the margin; percentages name the policy that
played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.console import Group as Block
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from findings.codes import explain
from findings.finding import AtPrintSize, Finding, Option, Stake, Status
from findings.reports.words import words
from findings.text import percent, printable

STYLES = {
    Status.OPEN: "bold red",
    Status.LEANS: "bold yellow",
    Status.REDUCED: "cyan",
    Status.SETTLED: "green",
    Status.ACCEPTED: "dim",
    Status.MOOT: "dim",
}
LABEL = 11
"""Columns of the labels, such as `Situation`."""
INDENT = 2
_GAP = 3


def line(*parts: tuple[str, str] | str) -> Text:
    """One safe line from texts and (text, style) pairs."""
    styled = [part if isinstance(part, tuple) else (part, "") for part in parts]
    return Text.assemble(*((printable(text), style) for text, style in styled))


def labelled(rows: Iterable[tuple[str, Text]], label: int = LABEL) -> Padding:
    """Rows of a dim label and a text that wraps beside it."""
    grid = Table.grid(padding=0)
    grid.add_column(width=label, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, body in rows:
        grid.add_row(line((name, "dim")), body)
    return Padding(grid, (0, 0, 0, INDENT))


def head(rulebook: str, finding: Finding) -> Table:
    """The head line: kind, rulebook and title at the left, the status at the right."""
    grid = Table.grid(expand=True, padding=(0, 0, 0, 2))
    grid.add_column(ratio=1, overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    title = line(_kind(finding), f"  {rulebook} · {finding.title}", (_by(finding), "dim"))
    grid.add_row(title, line((finding.status.value, STYLES[finding.status])))
    return grid


def full(rulebook: str, finding: Finding, *, size: str, short: str, width: int) -> Block:
    """A finding that is to be asked: situation, outcomes, stake, question, and the play that leads there.

    Args:
        rulebook: the rulebook's name.
        finding: the finding.
        size: the size of the audit; a witness of another size says so.
        short: what to pass to `ruleslawyer show`.
        width: columns of the console.
    """
    say = words()
    rows = [(say("situation"), line(finding.situation)), *_outcomes(finding, width)]
    rows.append((say("at_stake"), line(finding.stake.value, _measured(finding))))
    if finding.question:
        rows.append((say("ask"), line(finding.question)))
    unnamed = [
        clause for clause in finding.clauses if clause not in {option.id for option in finding.options}
    ]
    if unnamed:
        rows.append((say("sentences"), line((", ".join(unnamed), "dim"))))
    if finding.because:
        rows.append((say(f"because.{finding.status.value}"), line(finding.because)))
    if finding.at_print is not None and finding.at_print.told != finding.because:
        rows.append((say("at_print"), line((_at_print(finding.at_print), "dim"))))
    return Block(head(rulebook, finding), labelled(rows), _ending(finding, size, short))


def brief(rulebook: str, finding: Finding, *, short: str) -> Block:
    """A finding that needs no answer any more: its question and what the status rests on."""
    say = words()
    told = finding.because or finding.scope
    reference = (f"   ({say('show', fingerprint=short)})", "dim")
    rows = [(say("ask"), line(finding.question))] if finding.question else []
    rows.append((say(f"because.{finding.status.value}"), line(told, reference)))
    return Block(head(rulebook, finding), labelled(rows))


def nested(findings: Iterable[tuple[Finding, str]]) -> Padding:
    """Findings that the answer to the one above also settles, a line each.

    Args:
        findings: each with what to pass to `ruleslawyer show`.
    """
    say = words()
    rows: list[RenderableType] = [line((say("same_answer"), "dim"))]
    for finding, short in findings:
        kind = (f"  {finding.code} {finding.name}", "bold")
        status = (f"  {finding.status.value}", STYLES[finding.status])
        rows.append(
            line(kind, f"  {finding.title}", status, (f"   ({say('show', fingerprint=short)})", "dim"))
        )
    return Padding(Block(*rows), (0, 0, 0, INDENT))


def _kind(finding: Finding) -> tuple[str, str]:
    return f"{finding.code} {finding.name}", "bold"


def _by(finding: Finding) -> str:
    """Says so where a finding is the modeller's word and was not found by an engine."""
    return f"  ({words()('modeller')})" if explain(finding.code).by == "modeller" else ""


def _letter(n: int) -> str:
    return chr(ord("A") + n) if n < 26 else str(n + 1)


def _outcomes(finding: Finding, width: int) -> Iterator[tuple[str, Text]]:
    """The outcomes, their ids in one column beside them where the width allows."""
    say = words()
    notes = [f"({_note(finding, option)})" for option in finding.options]
    texts = [printable(option.outcome) for option in finding.options]
    longest = max(map(cell_len, texts), default=0)
    room = width - INDENT - LABEL - longest - _GAP
    aligned = all(cell_len(printable(note)) <= room for note in notes)
    for n, (text, note) in enumerate(zip(texts, notes, strict=True)):
        gap = longest - cell_len(text) + _GAP if aligned else _GAP
        yield say("outcome", letter=_letter(n)), line(text, " " * gap, (note, "dim"))


def _note(finding: Finding, option: Option) -> str:
    return words()("prevails", id=option.id) if explain(finding.code).prevails else option.id


def _measured(finding: Finding) -> str:
    """How much the question matters, naming once who played; empty if it was not measured."""
    measured = finding.materiality
    if measured is None:
        return ""
    say = words()
    shares = {"winner": measured.winner, "score": measured.score, "met": measured.met}
    told: list[str] = []
    for key, share in shares.items():
        if share is None:
            continue
        phrase = ("share" if share.share else "share_none") + ("_again" if told else "")
        fields = {"policy": measured.policy, "games": f"{measured.games:,}", "percent": percent(share.share)}
        told.append(say(f"effect.{key}", share=say(phrase, **fields)))
    effects = "; ".join(told)
    stakes = {Stake.WINNER: measured.winner, Stake.SCORE: measured.score}
    beside = any(share is not None for stake, share in stakes.items() if stake is not finding.stake)
    return f"  ({say('also', effects=effects) if beside else effects})"


def _at_print(known: AtPrintSize) -> str:
    """What is known at the printed size."""
    if known.witness is None:
        return known.told
    moves = words().count("move", known.witness.length)
    return words()("at_print_shortest" if known.shortest else "at_print_play", moves=moves)


def _ending(finding: Finding, size: str, short: str) -> Padding:
    """How play reaches the situation, or for what the finding holds, and where to see more."""
    say = words()
    reference = (f"   ({say('show', fingerprint=short)})", "dim")
    witness = finding.witness
    if witness is None:
        return labelled([(say("scope"), line(finding.scope, reference))])
    key = "reached" if witness.length else "setup"
    fields = {"moves": say.count("move", witness.length)} if witness.length else {}
    told = say(key, **fields) if witness.size == size else say(f"{key}_at", size=witness.size, **fields)
    return Padding(line(told, reference), (0, 0, 0, INDENT))
