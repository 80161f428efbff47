"""What the benchmarks of the symbolic engine share: named questions at a printed size, as a table.

Promises: every question is asked of a new session, so that none profits from the search for another; what
they share is the proof of invariants, which has a line of its own, and what is known of the small sizes. A
play was replayed before it counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from findings.audit.print_size import rules
from models.language import Program
from models.language.registry import find
from properties import kinds
from properties.kinds import Form
from solvers.contract import Limits, Proved, Refuted, Verdict
from solvers.explorer import explore
from solvers.symbolic import Invariants
from solvers.symbolic.answers import property_goal, site_goal
from solvers.symbolic.goals import Goal, Stuck
from solvers.symbolic.portfolio import Ask
from solvers.symbolic.session import Session
from solvers.symbolic.solving import Deadline

#: Seconds for one question, and for the proof of invariants.
BUDGET = 60.0


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        name: What is asked, in words.
        about: `site <id>`, `property <name>` or `stuck`.
    """

    name: str
    about: str

    def goal(self, program: Program) -> Goal:
        """The goal; what meets it answers yes."""
        kind, _, rest = self.about.partition(" ")
        if kind == "stuck":
            return Stuck()
        if kind == "site":
            return site_goal(program, rest)
        prop = next(p for p in kinds.of(program.book).of(program.variant) if p.name == rest)
        goal = property_goal(program, prop)
        assert goal is not None, rest
        return goal


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    question: str
    about: str
    verdict: str
    member: str
    moves: int | None
    shortest: bool | None
    seconds: float
    cpu: float
    scope: str


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What some work returns, its wall-clock time and its processor time."""
    began, spent = time.monotonic(), time.process_time()
    made = work()
    return made, time.monotonic() - began, time.process_time() - spent


def small_plays(book: str, variant: str) -> dict[str, tuple[str, ...]]:
    """Site → the rules of a shortest play to it at the small sizes, as an audit knows them."""
    found: dict[str, tuple[str, ...]] = {}
    for size in find(book).sizes:
        if size.startswith("small"):
            sites = explore(find(book).build(size, variant), limits=Limits(states=200_000)).sites
            for id, play in sites.items():
                found.setdefault(id, rules(play.labels))
    return found


def ask(
    program: Program, question: Question, proved: Invariants | None, budget: float, like: Sequence[str] = ()
) -> Line:
    """Ask one question of a new session; `like` are the rules of a play at a small size."""
    goal = question.goal(program)
    if proved is not None and question.about.removeprefix("property ") in proved.names:
        return line(question, Proved(proved.scope), "invariants", 0.0, 0.0)

    def work() -> tuple[Verdict, str]:
        asked = Ask(Session(program), goal, Deadline.after(budget), proved, like=like)
        return asked.verdict(), asked.decided_by

    (verdict, member), seconds, cpu = timed(work)
    return line(question, verdict, member, seconds, cpu)


def line(question: Question, verdict: Verdict, member: str, seconds: float, cpu: float) -> Line:
    """A verdict as a line."""
    play = verdict.witness if isinstance(verdict, Refuted) else None
    told = "a play" if play else "proved" if isinstance(verdict, Proved) else "unknown"
    scope = "" if play else verdict.scope if isinstance(verdict, Proved) else verdict.bound  # type: ignore[union-attr]
    moves, shortest = (len(play.labels), play.shortest) if play else (None, None)
    return Line(question.name, question.about, told, member, moves, shortest, seconds, cpu, scope)


def run(book: str, variant: str, questions: Sequence[Question], argv: Sequence[str] | None = None) -> int:
    """Ask, print, and return 0 if every question was decided within its budget, else 1."""
    parser = argparse.ArgumentParser(description=f"Named questions to {book}, {variant}, at print size.")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds for each question")
    parser.add_argument(
        "--invariants", type=float, default=BUDGET, help="seconds for the proof of invariants"
    )
    chosen = parser.parse_args(argv)
    program = find(book).build("print", variant)
    properties = kinds.of(program.book).of(variant)
    deadline = Deadline.after(chosen.invariants)
    proved, seconds, cpu = timed(lambda: Session(program).prove(properties, deadline))
    named = [p.name for p in properties if p.form is Form.ALWAYS and p.name in proved.names]
    plays = small_plays(book, variant)
    lines = []
    for question in questions:
        like = plays.get(question.about.removeprefix("site "), ())
        lines.append(ask(program, question, proved if proved.complete else None, chosen.budget, like))
        if not chosen.json:
            say(shown(lines[-1]))
    if chosen.json:
        json.dump(
            {
                "book": book,
                "variant": variant,
                "size": "print",
                "slots": len(program.layout.slots),
                "moves": len(program.instances),
                "invariants": {"proved": len(proved.kept), "named": named, "seconds": seconds, "cpu": cpu},
                "questions": [asdict(x) for x in lines],
            },
            sys.stdout,
            indent=1,
        )
        say("")
    else:
        say(f"invariants: {len(proved.kept)} proved in {seconds:.1f} s ({cpu:.1f} s of processor time)")
        say("properties among them: " + ", ".join(named))
    return int(any(x.verdict == "unknown" or x.seconds > chosen.budget + 5 for x in lines))


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def shown(x: Line) -> str:
    """A line for people."""
    length = "" if x.moves is None else f"{x.moves} moves{' (shortest)' if x.shortest else ''}"
    return f"{x.seconds:6.1f} s {x.cpu:6.1f} cpu  {x.verdict:8} {x.member:20} {length:20} {x.question}"
