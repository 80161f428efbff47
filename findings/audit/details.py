"""Details: the plays of findings step by step, with the table at each step, and what each answer leads to.

Promises: every step shown was carried out on the interpreter just then; a finding without a play gets none;
nothing here changes what a finding says.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from findings.audit.phrases import phrase
from findings.audit.survey import Split, Survey
from findings.audit.telling import Teller
from findings.detail import Branch, Step
from findings.finding import Finding
from findings.fingerprints import fingerprint
from models.language.errors import ModelError
from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.words import Position
from solvers.interpreter import Interpreter, Values

#: Steps of a branch that follow by themselves and are shown after the step that parts.
MOST_AFTER = 4
#: Moves of a branch that are listed at most.
MOST_MOVES = 12
#: Names of actors in the JSON.
ACTORS = {Actor.RULES: "rules", Actor.WINDOW: "window", Actor.CHANCE: "chance", Actor.PLAYER: "player"}


def detailed(done: Survey, teller: Teller, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with their plays and branches.

    Args:
        done: The survey that they came from.
        teller: Tells moves and positions.
        findings: The findings.
    """
    tables, asked = _Tables(done, teller), _asked(done)
    return tuple(_detailed(tables, asked, f) for f in findings)


def _detailed(tables: _Tables, asked: Mapping[str, tuple[str, Split | None]], finding: Finding) -> Finding:
    reading, split = asked.get(finding.fingerprint, ("", None))
    play, branches = tables.play(finding), tuple[Branch, ...]()
    if split is not None and split.nearest is not None:
        branches = tuple(tables.branches(split, [o.id for o in finding.options]))
    elif finding.code == "RL108":
        branches = tuple(tables.orders(finding))
    default = split.reading.default if split is not None else ""
    return attrs.evolve(finding, reading=reading, default=default, play=play, branches=branches)


def _asked(done: Survey) -> dict[str, tuple[str, Split | None]]:
    """Fingerprint → what an answer picks an option of, and its split."""
    name, found = done.book.name, dict[str, tuple[str, Split | None]]()
    for id, split in done.splits.items():
        found[fingerprint("RL107", name, [f"reading:{id}"])] = (id, split)
        if split.hit is not None:
            found[fingerprint("RL101", name, [split.hit.site.id])] = (id, split)
    for m in done.book.missing_parts:
        found[fingerprint("RL401", name, [f"missing:{m.id}"])] = (m.id, None)
    return found


class _Tables:
    """Steps of plays as reports show them."""

    def __init__(self, done: Survey, teller: Teller) -> None:
        self.done, self.teller = done, teller
        self.programs = {e.program.size_name: e.program for e in done.explorations}
        self._seen: dict[tuple[int, Values], tuple[dict[str, Any], str]] = {}

    def play(self, finding: Finding) -> tuple[Step, ...]:
        """The witness of a finding, the setup first."""
        witness = finding.witness
        program = self.programs.get(witness.size) if witness is not None else None
        if witness is None or program is None:
            return ()
        try:
            told = self.teller.play(program, witness.moves)
        except ModelError:  # the play of an example that starts from a table of its own
            return ()
        run = self.teller.run(program)
        steps = [self.setup(program)]
        for n, label in enumerate(told.labels):
            after = told.states[n + 1] if n + 1 < len(told.states) else None
            steps.append(self.step(run, run.find(label), told.states[n], after))
        return tuple(steps)

    def setup(self, program: Program) -> Step:
        """The table before the first move."""
        return self.look(program, program.start, phrase("situation.setup_state", self.teller.language))

    def look(self, program: Program, state: Values, text: str) -> Step:
        """A table at which no move is made."""
        values, position = self.table(program, state)
        return Step(text=text, state=values, position=position)

    def step(self, run: Interpreter, made: Instance, before: Values, after: Values | None) -> Step:
        """A step and the table after it."""
        program = run.program
        was, _ = self.table(program, before)
        now, position = self.table(program, after) if after is not None else (None, "")
        return Step(
            move=made.label,
            text=self.teller.words.move(program, made, before, after) or made.label,
            actor=ACTORS[made.actor],
            player=None if made.player is None else run.value(made.player, before),
            clauses=made.clauses,
            state=now,
            position=position,
            changed=tuple(k for k in was if now is not None and was[k] != now[k]),
        )

    def table(self, program: Program, state: Values) -> tuple[dict[str, Any], str]:
        """The fields of a table, and the table in words."""
        key = (id(program), state)
        if key not in self._seen:
            values = Position(program, state).values
            fields = {k: plain(values[k]) for k in program.layout.fields}
            self._seen[key] = (fields, self.teller.position(program, state))
        return self._seen[key]

    # -- branches --------------------------------------------------------------------------------------
    def branches(self, split: Split, options: Sequence[str]) -> Iterator[Branch]:
        """What each option leads to where two of them part first."""
        parted = split.nearest
        assert parted is not None
        for option in options:
            if option not in split.reading.options:
                continue
            program = self.done.build(split, parted.program, option)
            yield self._branch(
                option, self.teller.run(program), parted.parting.play.labels, parted.parting.move
            )

    def _branch(self, option: str, run: Interpreter, labels: Sequence[str], move: str) -> Branch:
        try:
            state = run.replay(labels)[-1]
        except ModelError:  # a secret choice that this option does not allow
            return Branch(option=option, end="not allowed")
        if not move:
            step = self.look(run.program, state, "")
            return Branch(option=option, steps=(step,), moves=self._moves(run, state), end=_end(run, state))
        made = next((i for i in run.enabled(state) if i.label == move), None)
        if made is None:
            return Branch(option=option, moves=self._moves(run, state), end="not allowed")
        return self._followed(option, run, state, [made.label])

    def orders(self, finding: Finding) -> Iterator[Branch]:
        """Both orders of two consequences, each to rest."""
        for rules, (program, disorder) in self.done.orders.items():
            identity = [f"order:{'+'.join(sorted(rules))}"]
            if fingerprint("RL108", self.done.book.name, identity) != finding.fingerprint:
                continue
            run = self.teller.run(program)
            state = run.replay(disorder.play.labels)[-1]
            for option, side in zip(finding.options, disorder.first, strict=True):
                yield self._followed(option.id, run, state, side)

    def _followed(self, option: str, run: Interpreter, state: Values, labels: Sequence[str]) -> Branch:
        """Some moves, and what follows from them by itself."""
        steps: list[Step] = []
        now: Values | None = state
        left = list(labels)
        while now is not None:
            enabled = run.enabled(now)
            made = next((i for i in enabled if left and i.label == left[0]), None)
            if made is not None:
                left.pop(0)
            elif (
                left
                or len(enabled) != 1
                or enabled[0].actor is not Actor.RULES
                or len(steps) >= len(labels) + MOST_AFTER
            ):
                break
            else:
                made = enabled[0]
            after = run.after(now, made)
            steps.append(self.step(run, made, now, after))
            now = after
        end = "stopped" if now is None else _end(run, now)
        moves = self._moves(run, now) if now is not None else ()
        return Branch(option=option, steps=tuple(steps), moves=moves, end=end)

    def _moves(self, run: Interpreter, state: Values) -> tuple[str, ...]:
        """What players may do, in words; chance and secret choices are left out."""
        found: dict[str, None] = {}
        for i in run.enabled(state):
            if i.actor in (Actor.PLAYER, Actor.WINDOW) and not i.secret:
                text = self.teller.words.move(run.program, i, state, run.after(state, i))
                found.setdefault(text or i.label)
        return tuple(found)[:MOST_MOVES]


def _end(run: Interpreter, state: Values) -> str:
    return "over" if run.over(state) else "goes on" if run.enabled(state) else "stuck"


def plain(value: object) -> Any:
    """A value of a position as JSON has it: members of enumerations by name."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


__all__ = ["detailed", "plain"]
