"""Telling: situations, outcomes and plays in the words of the game.

Promises: every play that is told was replayed on the interpreter just then; where a rulebook has no
words for something, ids and values are shown, not invented prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from findings.audit.phrases import phrase
from findings.finding import Witness
from models.language.book import Rulebook
from models.language.program import Program
from models.language.words import Position, Words
from solvers.interpreter import Interpreter, Values
from solvers.interpreter.bench import Bench


@dataclass(frozen=True)
class Told:
    """A replayed play: its states, and for each move what it did in words.

    Attributes:
        labels: Labels of the moves.
        states: The states passed, the first before the first move; one a move fewer where the last one stops.
        steps: What each move did.
    """

    labels: tuple[str, ...]
    states: tuple[Values, ...]
    steps: tuple[str, ...]

    @property
    def stopped(self) -> bool:
        """Whether the last move had no successor."""
        return len(self.states) <= len(self.labels)

    @property
    def before(self) -> Values:
        """The state before the last move (the setup where there is none)."""
        return self.states[max(len(self.labels) - 1, 0)]

    @property
    def after(self) -> Values | None:
        """The state after the last move, or None where it stopped."""
        return None if self.stopped else self.states[-1]

    @property
    def end(self) -> Told:
        """The last state alone, as a situation in which no move is made."""
        return Told((), self.states[-1:], ())


class Teller:
    """Tells plays and positions of one rulebook in one language.

    Args:
        book: The rulebook.
        language: ISO 639 code.
        bench: Interpreters that are there already.
    """

    def __init__(self, book: Rulebook, language: str = "en", bench: Bench | None = None) -> None:
        self.book, self.language = book, language
        self.words = Words.load(book.folder, language)
        clauses = book.clauses
        self.clauses: Mapping[str, str] = {c.id: c.text for c in clauses} if clauses is not None else {}
        self.run = bench or Bench()
        self._told: dict[tuple[int, tuple[str, ...]], Told] = {}

    def play(self, program: Program, labels: Sequence[str]) -> Told:
        """Replay a play and tell it."""
        key = (id(program), tuple(labels))
        if key not in self._told:
            run = self.run(program)
            states = run.replay(labels)
            steps = [self.step(run, states, n, label) for n, label in enumerate(labels)]
            self._told[key] = Told(tuple(labels), tuple(states), tuple(steps))
        return self._told[key]

    def step(self, run: Interpreter, states: Sequence[Values], n: int, label: str) -> str:
        """What a move of a play did."""
        after = states[n + 1] if n + 1 < len(states) else None
        return self.words.move(run.program, run.find(label), states[n], after) or label

    def witness(self, program: Program, told: Told) -> Witness:
        """A told play as a witness."""
        return Witness(size=program.size_name, moves=told.labels, steps=told.steps)

    def said(self, keys: Sequence[str], part: str) -> str | None:
        """A text of the rulebook's words: of the first key of `[site]` or `[reading]` that has the part."""
        for table in ("site", "reading"):
            for key in keys:
                found = self.words.at(table, key, part)
                if isinstance(found, str):
                    return found
        return None

    def option(self, keys: Sequence[str], option: str) -> str | None:
        """The template of an option's outcome."""
        for table in ("site", "reading"):
            for key in keys:
                found = self.words.at(table, key, "options", option)
                if isinstance(found, str):
                    return found
        return None

    def fill(self, key: str, template: str, program: Program, before: Values, after: Values | None) -> str:
        """Fill a template in over a position, with the one after it as `after`."""
        was = Position(program, before)
        now = Position(program, after) if after is not None else was
        return self.words.render(key, template, {**was.values, "before": was, "after": now})

    def situation(self, keys: Sequence[str], program: Program, told: Told) -> str:
        """The table at which the question comes up."""
        template = self.said(keys, "situation")
        text = template and self.fill(f"{keys[0]}.situation", template, program, told.before, told.after)
        return text or self.position(program, told.before)

    def position(self, program: Program, state: Values) -> str:
        """A position in words, else the fields that differ from the setup, else that it is the setup."""
        text = self.words.state(program, state)
        return (
            text
            or self.difference(program, program.start, state)
            or phrase("situation.setup_state", self.language)
        )

    def difference(self, program: Program, before: Values, after: Values) -> str:
        """The fields that two positions differ in."""
        was, now = Position(program, before).values, Position(program, after).values
        return "; ".join(
            f"{self.words.field(k)}: {self._plain(now[k])}" for k in program.layout.fields if was[k] != now[k]
        )

    def _plain(self, value: object) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{k} {self._plain(v)}" for k, v in value.items())
        if isinstance(value, list):
            return "[" + ", ".join(self._plain(v) for v in value) + "]"
        if isinstance(value, bool):
            return phrase(f"value.{'yes' if value else 'no'}", self.language)
        return self.words.word(value)
