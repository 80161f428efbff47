"""A fuzzing campaign on a terminal: what was broken first, with a play and its code; then what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from findings.audit.telling import Teller
from findings.reports.blocks import INDENT, labelled, line
from findings.reports.words import words
from models.language.ir import COVERAGE
from models.language.words import Words as Domain

if TYPE_CHECKING:
    from solvers.fuzz import Broken, Report

LABEL = 12
MOST = 12


def render(report: Report, console: Console) -> None:
    """Print a campaign.

    Args:
        report: What it found.
        console: Where to print.
    """
    say, log = words(), report.log
    head = say(
        "fuzz.head",
        rulebook=report.plan.book.name,
        plays=say.count("fuzz.play", log.plays),
        steps=say.count("fuzz.step", log.steps),
        builds=say.count("fuzz.build", len(report.plan.choices)),
        seconds=f"{report.seconds:.1f}",
    )
    console.print(line((head, "bold")))
    for broken in report.broken:
        _broken(broken, console)
    if not report.broken:
        console.print(line((" " * INDENT + say("fuzz.holds"), "green")))
    console.print(labelled(_seen(report), LABEL))


def _broken(broken: Broken, console: Console) -> None:
    from solvers.fuzz import example_text

    say, failure = words(), broken.failure
    built = failure.built
    said = built.by_name.get(failure.what)
    title = say("fuzz.broken" if said is not None else "fuzz.hazard")
    doc = said.doc if said is not None else say(f"fuzz.hazard.{failure.what}")
    console.print(line((f"{title}  {failure.what}", "bold red"), f"  {doc}"))
    rows = [(say("fuzz.with"), line(str(built.choice)))]
    if said is not None and said.clauses:
        rows.append((say("fuzz.sentences"), line((", ".join(said.clauses), "dim"))))
    if not failure.own:
        told = Teller(built.program.book).play(built.program, failure.labels)
        rows += [
            (say("fuzz.play") if not n else "", line(f"{n + 1:3}  {step}"))
            for n, step in enumerate(told.steps)
        ]
    if broken.blob:
        rows.append((say("fuzz.replay"), line((f"--replay {broken.blob}", "dim"))))
    console.print(labelled(rows, LABEL))
    console.print(line((" " * INDENT + say("fuzz.example"), "dim")))
    for row in example_text(failure).splitlines():
        # whole lines, to be copied: neither wrapped nor cut, with their own indentation
        bare = row.lstrip(" ")
        console.print(Text(" " * (INDENT + 2 + len(row) - len(bare))) + line(bare), soft_wrap=True)


def _seen(report: Report) -> Iterator[tuple[str, Text]]:
    say, log = words(), report.log
    ends = [
        say("fuzz.end", times=say.count("fuzz.time", n), how=say(f"fuzz.end.{how}"))
        for how, n in log.ends.most_common()
    ]
    if ends:
        yield say("fuzz.ends"), line(", ".join(ends))
    for what, n in sorted(log.broken.items()):
        if what in report.plan.tolerate:
            yield say("fuzz.recorded"), line(say("fuzz.again", what=what, times=say.count("fuzz.time", n)))
    asked = list(_asked(report))
    if asked:
        yield say("fuzz.asked"), line(_cut(asked))
    unmet = [name for name in _sometimes(report) if name not in log.met()]
    if unmet:
        yield say("fuzz.unmet"), line(_cut(unmet))


def _asked(report: Report) -> Iterator[str]:
    """The questions that some play raised, the rarest first, in the rulebook's words."""
    domain = Domain.load(report.plan.book.folder)
    sites = {s.id: s for c in report.plan.choices for s in report.plan.build(c).program.sites}
    for id, n in sorted(report.log.sites.items(), key=lambda item: (item[1], item[0])):
        if sites[id].kind not in COVERAGE:
            title = domain.at("site", id, "title")
            yield f"{title or id} ({n})"


def _sometimes(report: Report) -> Iterable[str]:
    return dict.fromkeys(name for c in report.plan.choices for name, _ in report.plan.build(c).sometimes)


def _cut(found: list[str]) -> str:
    more = [words()("flow.more", n=len(found) - MOST)] if len(found) > MOST else []
    return "; ".join([*found[:MOST], *more])
