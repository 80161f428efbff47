"""The rulebook behind an audit: its sentences, readings, rules, comparisons, words and stages of play.

Promise: every statement comes from the model, the clauses or the explored states; nothing is typed in here.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from findings.audit.details import ACTORS
from findings.audit.survey import Survey
from findings.audit.telling import Teller
from findings.detail import (
    Ambiguity,
    Background,
    FlowEdge,
    Meaning,
    Phases,
    Rule,
    Section,
    Sentence,
    Tie,
    Word,
)
from models.language.errors import ModelError
from models.language.ir import Actor, Kind
from models.language.program import Program
from models.language.words import Position

#: Situations that are examined for what rules cost.
MOST_SITUATIONS = 1_500
#: Random games behind the frequencies of the flow.
GAMES = 60


def background(done: Survey, teller: Teller, cited: set[str], fired: set[str]) -> Background:
    """What reports show of the rulebook.

    Args:
        done: The survey.
        teller: Tells it.
        cited: Clauses that the model cites.
        fired: Clauses that acted in some play.
    """
    book, program, clauses = done.book, done.program, done.book.clauses
    return Background(
        title=str(teller.words.at("title") or book.title),
        language=clauses.language if clauses is not None else "en",
        clauses_file=_relative(clauses.path) if clauses is not None else "",
        players=program.players,
        numbers=_numbers(program),
        hidden=tuple(dict.fromkeys(_field(s.name) for s in program.layout.slots if s.hidden)),
        sections=_sections(done, teller),
        sentences=tuple(_sentences(done, cited, fired)),
        ambiguities=tuple(_ambiguities(done)),
        rules=tuple(_rules(done)),
        ties=tuple(_ties(done)),
        words=tuple(_words(program, teller)),
        flow=_flow(program),
    )


def _relative(path: str) -> str:
    """A path from the folder that holds `models` on, so that it is the same on every machine."""
    parts = Path(path).parts
    return "/".join(parts[parts.index("models") :]) if "models" in parts else Path(path).name


def _field(slot: str) -> str:
    """The field that a slot belongs to: `grid[2]` → `grid`."""
    return slot.partition("[")[0].partition(".")[0]


def _numbers(program: Program) -> Mapping[str, str]:
    """The numbers of a size that fit on a line."""
    size = program.size
    if not attrs.has(type(size)):
        return {}
    values = {a.name: getattr(size, a.name) for a in attrs.fields(type(size))}
    return {k: _shown(v) for k, v in values.items() if len(_shown(v)) <= 60}


def _shown(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(_shown(v) for v in value)
    return str(getattr(value, "name", value))


# -- the text ---------------------------------------------------------------------------------------------


def _sections(done: Survey, teller: Teller) -> tuple[Section, ...]:
    clauses = done.book.clauses
    if clauses is None:
        return ()
    used = {c.section for c in clauses}
    return tuple(
        Section(id=s.id, title=str(teller.words.at("section", s.id) or s.title))
        for s in clauses.sections
        if s.id in used
    )


def _sentences(done: Survey, cited: set[str], fired: set[str]) -> Iterator[Sentence]:
    lines = _lines(done)
    for c in done.book.clauses or ():
        yield Sentence(
            id=c.id,
            section=c.section,
            text=c.text,
            kind=c.kind.value,
            force=c.force.value,
            source=c.source.value,
            digest=c.digest,
            line=lines.get(c.id, 0),
            cited=c.id in cited,
            fired=c.id in fired,
            uncited=c.uncited,
            open_words=dict(c.words),
        )


def _lines(done: Survey) -> dict[str, int]:
    """Clause → the line of clauses.toml on which its id stands."""
    path = Path(done.book.clauses.path) if done.book.clauses is not None else None
    if path is None or not path.is_file():
        return {}
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        key, equals, value = line.partition("=")
        if equals and key.strip() == "id":
            found[value.strip().strip("\"'")] = number
    return found


def _ambiguities(done: Survey) -> Iterator[Ambiguity]:
    consulted = {id for e in done.explorations for id in e.program.consulted} | set(done.splits)
    known = {id: s.reading for id, s in done.splits.items()} | dict(done.book.readings)
    for id, r in known.items():
        if id in consulted and not r.ruling:
            yield Ambiguity(
                id=id,
                clauses=r.clauses,
                asks=r.asks,
                options=tuple(Meaning(id=o, text=text) for o, text in r.options.items()),
                default=r.default,
                why=r.why,
            )


# -- what a program has to do --------------------------------------------------------------------------------


def _rules(done: Survey) -> Iterator[Rule]:
    """Rules of the variant with what they were seen to cost."""
    made = _Costs(done)
    for rule in done.book.rules:
        mine = [i for i in done.program.instances if i.rule == rule.name]
        if mine:
            yield Rule(
                name=rule.name,
                doc=(inspect.getdoc(rule.function) or "").partition("\n")[0],
                actor=ACTORS[mine[0].actor],
                clauses=rule.clauses,
                phases=tuple(p.name for p in rule.phase),
                allowed=len(made.allowed.get(rule.name, ())),
                asked=made.asked(tuple(p.name for p in rule.phase)),
                costs=made.costs.get(rule.name, {}),
                secret=tuple(sorted(rule.secret)),
            )


class _Costs:
    """What rules cost the player who acts, seen in situations spread over the explored ones."""

    def __init__(self, done: Survey) -> None:
        explored = done.base
        self.allowed: dict[str, set[int]] = {}
        self.costs: dict[str, dict[str, int]] = {}
        self._phases: list[str] = []
        if explored.graph is None:
            return
        run, program = done.bench(explored.program), explored.program
        own = _own(program)
        states = explored.graph.states
        numbers = np.unique(np.linspace(0, len(states) - 1, MOST_SITUATIONS).astype(int))
        for n in numbers.tolist():
            state = states[n]
            enabled = run.enabled(state)
            if not enabled or enabled[0].actor not in (Actor.PLAYER, Actor.WINDOW):
                continue
            was = Position(program, state).values
            self._phases.append(getattr(was.get("phase"), "name", ""))
            for i in enabled:
                self.allowed.setdefault(i.rule, set()).add(n)
                after = run.after(state, i)
                if after is None or i.player is None:
                    continue
                now, who = Position(program, after).values, run.value(i.player, state)
                for field in own:
                    loss = _amount(was[field][who]) - _amount(now[field][who])
                    if loss > 0:
                        known = self.costs.setdefault(i.rule, {})
                        known[field] = max(known.get(field, 0), loss)

    def asked(self, phases: tuple[str, ...]) -> int:
        """How many of the situations were in some stages."""
        return sum(1 for p in self._phases if not phases or p in phases)


def _own(program: Program) -> list[str]:
    """Fields that hold one amount for each player."""
    values = Position(program, program.start).values
    found = []
    for name in program.layout.fields:
        value = values[name]
        each = isinstance(value, list) and len(value) == program.players and program.players > 1
        if each and all(_countable(v) for v in value):
            found.append(name)
    return found


def _countable(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(_countable(v) for v in value.values())
    return isinstance(value, int) and not isinstance(value, bool)


def _amount(value: Any) -> int:
    return sum(_amount(v) for v in value.values()) if isinstance(value, Mapping) else int(value)


def _ties(done: Survey) -> Iterator[Tie]:
    named: dict[str, Tie] = {}
    for id, site in done.sites.items():
        if site.kind is Kind.TIE:
            before = named.get(site.name)
            met = id in done.hits or (before is not None and before.met)
            named[site.name] = Tie(name=site.name, clauses=site.clauses, met=met)
    yield from named.values()


def _words(program: Program, teller: Teller) -> Iterator[Word]:
    """Words of the fields, and of the members of enumerations that this size has."""
    for name in program.layout.fields:
        word = teller.words.at("field", name)
        if word:
            yield Word(kind="field", id=name, word=str(word))
    seen: set[tuple[str, str]] = set()
    for slot in program.layout.slots:
        for member in slot.sort.members or ():
            key = (type(member).__name__, member.name)
            word = teller.words.at("enum", *key)
            if word and key not in seen:
                seen.add(key)
                yield Word(kind=key[0], id=key[1], word=str(word))


def _flow(program: Program) -> Phases | None:
    """The stages of play; None where they cannot be drawn."""
    from findings.reports.flow import texts
    from solvers import flows

    try:
        found = flows.flow(program, games=GAMES)
        drawn = flows.svg(flows.dot(found, texts(found), legend=False)).decode("utf-8")
    except ModelError:  # more stages than a picture can hold, or no Graphviz
        return None
    edges = [
        FlowEdge(
            source=a,
            target=b,
            rule=d["rule"],
            actor=d["actor"],
            clauses=tuple(d["clauses"]),
            per_game=round(float(d["per_game"]), 3),
            seen=bool(d["seen"]),
        )
        for a, b, d in found.edges()
    ]
    return Phases(svg=drawn, edges=tuple(edges))


__all__ = ["background"]
