"""What was found at a small size, asked again at the printed one; and what only that size can tell.

Promises: a play at the printed size was replayed on the interpreter just now, wherever it came from; a proof
that is on record counts only for the very program and question that it was made for; what the time did not
suffice for is `Unknown`, with how far each way of asking came.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING

from findings.audit.survey import Survey, fired_clauses
from findings.print_record import Answer, AtPrint
from models.language.errors import ModelError
from models.language.ir import COVERAGE, Kind
from models.language.program import Program
from models.language.sizefiles import PRINT, printed
from properties.kinds import Form
from solvers.contract import Play, Progress, Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from solvers.interpreter import Interpreter
    from solvers.symbolic.goals import Goal

NOT_ASKED = Unknown("not asked", "")
"""What stands for an answer where there was no time to ask; it never goes on record."""

#: Part of the time that invariants may take, and seconds that each question is given at least.
_FOR_INVARIANTS, _LEAST = 0.4, 1.0
#: Seconds in which a difference that players see is looked for where one that they do not see is known.
_FOR_SEEN = 60.0
#: Pairs of states that are looked at after a difference on a play that was found for another question.
_NEAR = 2_000


@dataclass(frozen=True)
class Question:
    """One question about the printed size.

    Attributes:
        key: Its stable name, for instance `site tie:most-cards`.
        goal: What a play would meet.
        program: The program that is asked; its plays are those of the printed size.
        also: What the answer depends on beside the programs: a term, or the option of the other program.
        other: For a question about two readings, the program of the other one.
        like: Rules of a play that meets the goal at a small size, in their order.
    """

    key: str
    goal: Goal
    program: Program
    also: str = ""
    other: Program | None = None
    like: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """What a proof on record must carry: engine, program, size and all else that it depends on."""
        from solvers.symbolic.cache import VERSION

        program = self.program
        also = self.also if self.other is None else f"{self.also} {self.other.digest}"
        told = f"{VERSION}\0{program.digest}\0{program.size_name}\0{self.key}\0{also}"
        return sha256(told.encode()).hexdigest()[:16]


@dataclass
class Printed:
    """The answers at the printed size.

    Attributes:
        program: The program there.
        verdicts: Question's key → verdict.
        digests: Question's key → digest; see `Question.digest`. A play on record keeps the one it has there.
        elsewhere: Keys of the questions that a recorded play of another variant meets.
    """

    program: Program
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()

    def answers(self) -> tuple[Answer, ...]:
        """The answers as they go on record."""
        variant = self.program.variant
        return tuple(
            Answer.of(variant, key, self.digests[key], verdict)
            for key, verdict in self.verdicts.items()
            if verdict != NOT_ASKED
        )


def ask_again(done: Survey, how: AtPrint, progress: Progress) -> Printed | None:
    """Ask the questions of a survey at the printed size.

    Args:
        done: What the engines said at small sizes.
        how: What is on record, and how long to ask.
        progress: Where to say how far it is.

    Returns:
        The answers; None where the survey was made at the printed size or the rulebook has no such size. For
        a size of a file the printed size is the file's, if it has one.
    """
    size = printed(done.book, done.size)
    if size is None or done.size == size:
        return None
    program = done.made(size, done.variant, {})
    found, waiting = Printed(program, elsewhere=how.record.played_elsewhere(done.variant)), list[Question]()
    for question in questions(done, program):
        known = how.record.answer(program.variant, question.key)
        if how.again and known is not None and known.verdict == "unknown":
            known = None
        verdict = None if known is None else recalled(done.bench(question.program), question, known)
        if known is None or verdict is None:
            waiting.append(question)
            found.digests[question.key] = question.digest
        else:
            found.verdicts[question.key] = verdict
            found.digests[question.key] = known.digest
    if waiting and how.seconds > 0:
        found.verdicts |= _Asking(done, how, progress).answers(waiting, found.verdicts)
    found.verdicts |= {q.key: NOT_ASKED for q in waiting if q.key not in found.verdicts}
    return found


def recalled(run: Interpreter, question: Question, known: Answer) -> Verdict | None:
    """An answer on record, if it still holds: a play is replayed, anything else goes by its digest."""
    if known.verdict == "play":
        if question.other is not None:
            found = seen(run, question.other, known.moves)
            return found if isinstance(found, Refuted) else None
        return Refuted(Play(known.moves, known.shortest)) if meets(run, question.goal, known.moves) else None
    if known.digest != question.digest:
        return None
    return Proved(known.scope) if known.verdict == "never" else Unknown(known.scope, known.bound)


def seen(run: Interpreter, other: Program, moves: Sequence[str], nodes: int = 20_000) -> Verdict:
    """A parting that players see, on a play or within some pairs of states after a difference on it."""
    from solvers.compare.along import along
    from solvers.interpreter import Interpreter

    try:
        parting = along(run, Interpreter(other, run.code), moves, nodes)
    except ModelError:
        parting = None
    if parting is None:
        return Unknown("what differs is hidden", f"no parting is seen after a play of {len(moves)} moves")
    return Refuted(Play(parting.play.labels, shortest=False))


def meets(run: Interpreter, goal: Goal, moves: Sequence[str]) -> bool:
    """Whether a play can be made and meets a goal with its last move (or in its last state)."""
    steps, last = (moves[:-1], moves[-1]) if goal.takes_step and moves else (moves, None)
    if goal.takes_step and last is None:
        return False
    try:
        states = run.replay(steps)
        if len(states) <= len(steps) or (last is not None and run.find(last) not in run.enabled(states[-1])):
            return False
    except ModelError:
        return False
    return goal.met(run, states[-1], last)


class _Asking:
    """Asks engines, within the time that is given for all questions together."""

    def __init__(self, done: Survey, how: AtPrint, progress: Progress) -> None:
        from solvers.symbolic import Cache

        self.done, self.how, self.progress = done, how, progress
        self.until = time.monotonic() + how.seconds
        self.cache = None if how.again else Cache()

    def answers(self, waiting: Sequence[Question], known: Mapping[str, Verdict]) -> dict[str, Verdict]:
        """The answers, questions that one process pool can share first.

        Args:
            waiting: The questions.
            known: Answers to other questions.
        """
        from solvers.symbolic import find_invariants

        program = waiting[0].program
        self.invariants = find_invariants(
            program,
            self.done.properties,
            budget_seconds=self.how.seconds * _FOR_INVARIANTS,
            progress=self.progress,
            cache=self.cache,
        )
        found = {q.key: v for q in waiting if (v := self._proved(q)) is not None}
        partings = [q for q in waiting if q.other is not None]
        found |= self._along(partings, known)
        left = [q for q in partings if q.key not in found]  # those first that are soon answered
        left += [q for q in waiting if q.other is None and q.key not in found]
        waits = len(left)
        for alike, group in groupby(left, key=lambda q: (id(q.program), q.other is not None)):
            questions = list(group)
            found |= self._group(questions, parting=alike[1], share=len(questions) / waits)
            waits -= len(questions)
        return found | dict(self._along(partings, found))

    def _along(
        self, questions: Sequence[Question], found: Mapping[str, Verdict]
    ) -> Iterator[tuple[str, Verdict]]:
        """Readings that part on, or after, a play that was found for another question."""
        plays = sorted({v.witness.labels for v in found.values() if isinstance(v, Refuted)}, key=len)
        for question in questions:
            if question.other is None or isinstance(found.get(question.key), Refuted):
                continue
            for moves in plays:
                if time.monotonic() > self.until + _LEAST * len(plays):
                    return
                verdict = seen(self.done.bench(question.program), question.other, moves, nodes=_NEAR)
                if isinstance(verdict, Refuted):
                    yield question.key, verdict
                    break

    def _proved(self, question: Question) -> Verdict | None:
        """The verdict on an invariant that was proved together with others."""
        name, known = question.key.removeprefix("property "), self.invariants
        return (
            Proved(known.scope) if name != question.key and known.complete and name in known.names else None
        )

    def _group(self, questions: Sequence[Question], *, parting: bool, share: float) -> dict[str, Verdict]:
        from solvers.symbolic import ask_goals

        program = questions[0].program
        seconds = max(self.until - time.monotonic(), 0.0) * share
        workers = 1 if parting else self.how.workers
        verdicts = ask_goals(
            program,
            [q.goal for q in questions],
            invariants=replace(self.invariants, digest=program.digest),
            budget_seconds=max(seconds * workers / len(questions), _LEAST),
            workers=workers,
            progress=self.progress,
            cache=self.cache,
            like={q.goal.key: q.like for q in questions},
        )
        return {q.key: self._shown(q, verdicts[q.goal.key]) for q in questions}

    def _shown(self, question: Question, verdict: Verdict) -> Verdict:
        """For two readings, the parting that players see."""
        if question.other is None or not isinstance(verdict, Refuted):
            return verdict
        run = self.done.bench(question.program)
        found = seen(run, question.other, verdict.witness.labels)
        if isinstance(found, Refuted):
            return found
        for moves in self._alike(question):
            later = seen(run, question.other, moves, nodes=_NEAR)
            if isinstance(later, Refuted):
                return later
        return found

    def _alike(self, question: Question) -> Iterator[tuple[str, ...]]:
        """Plays by the rules of the parting at the small size, after which players see a difference."""
        from solvers.symbolic import patterns
        from solvers.symbolic.equivalence import Parting
        from solvers.symbolic.solving import Deadline

        assert isinstance(question.goal, Parting)
        left = max(self.until - time.monotonic(), 0.0)
        until = Deadline.after(min(_FOR_SEEN, max(left / 4, _LEAST)))
        for pattern in patterns.variations(question.like):
            found = patterns.parting(question.goal.twins, pattern, until.share(0.4))
            if found is not None:
                yield found.labels


# -- the questions --------------------------------------------------------------------------------------


def questions(done: Survey, program: Program) -> Iterator[Question]:
    """What a survey asks of the printed size, each question once."""
    from solvers.symbolic import goals
    from solvers.symbolic.answers import property_goal
    from solvers.symbolic.serial import dump

    for site in program.sites:
        if wanted(site.kind) and not (site.kind is Kind.ROW and site.id in done.hits):
            hit = done.hits.get(site.id)
            like = () if hit is None else rules(hit.play.labels)
            yield Question(site_key(site.id), goals.site(program, site.id), program, like=like)
    for p in done.properties:
        goal = property_goal(program, p)
        if goal is not None and p.form is not Form.SOMETIMES:
            yield Question(f"property {p.name}", goal, program, str(dump(p.term(program))))
    yield Question("stuck", goals.Stuck(), program)
    yield from _orders(done, program)
    yield from _clauses(done, program)
    yield from _readings(done, program)


def wanted(kind: Kind) -> bool:
    """Whether a site of this kind is asked: findings and rows are, coverage is not."""
    return kind is Kind.ROW or (kind not in COVERAGE and kind is not Kind.OVERLAP)


def _orders(done: Survey, program: Program) -> Iterator[Question]:
    """Pairs of consequences whose order matters at a small size."""
    from solvers.symbolic.goals import AnyOf
    from solvers.symbolic.order import pairs
    from solvers.symbolic.session import session

    found = {tuple(sorted(pair)): disorder for pair, (_, disorder) in done.orders.items()}
    if not found:
        return
    for pair, goals in pairs(program, session(program).machine):
        if pair in found:
            key = order_key(pair)
            like = rules(found[pair].play.labels)
            yield Question(key, AnyOf(key, tuple(goals)), program, like=like)


def order_key(rules: tuple[str, str]) -> str:
    """The key of the question whether the order of two rules' consequences matters."""
    return f"order {'+'.join(sorted(rules))}"


def _readings(done: Survey, program: Program) -> Iterator[Question]:
    """Readings that part at a small size: whether they part at the printed one."""
    for split in done.splits.values():
        if split.nearest is None:
            continue
        option = next(o for o, p in split.parted.items() if p is split.nearest)
        other = done.made(program.size_name, done.variant, {split.reading.id: option})
        goal, play = parting(program, other), split.nearest.parting.play
        if goal is not None:
            yield Question(reading_key(split.reading.id), goal, program, option, other, rules(play.labels))


def rules(labels: Sequence[str]) -> tuple[str, ...]:
    """The rules of some moves."""
    return tuple(label.partition("(")[0] for label in labels)


def reading_key(reading: str) -> str:
    """The key of the question whether a reading's options part."""
    return f"reading {reading}"


def parting(program: Program, other: Program) -> Goal | None:
    """The goal of a state in which two readings differ; None where they are one program there.

    A difference in what may be done begins with a move whose rule differs, so only such moves are looked at,
    unless the ends of the game differ.
    """
    from solvers.compare.diagonal import changed, same_rules
    from solvers.symbolic.equivalence import Parting, Twins
    from solvers.symbolic.session import session

    if same_rules(program, other):
        return None
    labels = tuple(changed(program, other)) if program.over is other.over else ()
    return Parting(Twins(session(program), other), labels)


def _clauses(done: Survey, program: Program) -> Iterator[Question]:
    """Sentences that something executes and that never act at any small size: whether they ever do."""
    from models.language.clauses import EXEMPT
    from solvers.symbolic.coverage import acting, constructs
    from solvers.symbolic.goals import AnyOf

    exempt = {c.id for c in done.book.clauses or () if c.kind in EXEMPT}
    asked = set(done.book.clause_ids) - exempt - fired_clauses(done.explorations)
    if not asked:
        return
    recording = acting(program)
    for clause, goals in constructs(recording).items():
        if clause in asked:
            key = clause_key(clause)
            yield Question(key, AnyOf(key, tuple(goals)), recording)


def clause_key(clause: str) -> str:
    """The key of the question whether a sentence ever acts."""
    return f"clause {clause}"


def site_key(site: str) -> str:
    """The key of the question whether some play records a site."""
    return f"site {site}"


__all__ = [
    "PRINT",
    "Printed",
    "Question",
    "ask_again",
    "clause_key",
    "order_key",
    "reading_key",
    "site_key",
]
