"""Findings that a play shows by itself: gaps, ties, shortages, order, stuck and endless play, properties.

Promise: one finding a site, whichever size showed it first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from findings.audit.phrases import counted, phrase
from findings.audit.reading_findings import counts_times, root_of, scope_of
from findings.audit.survey import Hit, Survey
from findings.audit.telling import Teller, Told
from findings.finding import Finding, Option, Stake, Status
from findings.fingerprints import fingerprint
from models.language.ir import Kind, Site
from models.language.program import Program
from properties.kinds import Form
from solvers.explorer.cycles import Endless
from solvers.explorer.order import Disorder
from solvers.interpreter import Interpreter

CODES = {
    Kind.GAP: "RL102",
    Kind.TIE: "RL104",
    Kind.SHORTAGE: "RL105",
    Kind.STACKING: "RL106",
    Kind.RACE: "RL110",
    Kind.STOP: "RL111",
    Kind.CAPACITY: "RL403",
}


def play_findings(done: Survey, teller: Teller) -> Iterator[Finding]:
    """All findings of this kind."""
    for hit in done.hits.values():
        if hit.site.kind in CODES:
            yield _site(done, teller, hit)
    for rules, (program, disorder) in done.orders.items():
        yield _order(done, teller, rules, program, disorder)
    if done.stuck is not None:
        program, play, count = done.stuck
        yield _play(done, teller, "RL301", "stuck", [], program, play.labels, (), Stake.STOP, count)
    for program, circle in done.circles.values():
        yield _circle(done, teller, program, circle)
    named = {p.name: p for p in done.properties}
    for name, (program, play, count) in done.hopeless.items():
        clauses = named[name].clauses
        yield _play(
            done, teller, "RL303", "hopeless", [name], program, play.labels, clauses, Stake.ARGUMENT, count
        )
    for name, (program, play) in done.violated.items():
        clauses = named[name].clauses
        yield _play(done, teller, "RL304", "property", [name], program, play.labels, clauses, Stake.ARGUMENT)
    yield from _unmet(done)


def _circle(done: Survey, teller: Teller, program: Program, circle: Endless) -> Finding:
    """Play that goes round: told at its beginning, played once round where it is bound to one circle."""
    key = "loop" if circle.loop else "endless"
    labels = (*circle.stem.labels, *circle.loop)
    acting = [i for i in program.instances if i.rule in circle.rules]
    clauses = tuple(dict.fromkeys(c for i in acting for c in i.clauses)) if circle.loop else ()
    return _play(done, teller, "RL302", key, circle.rules, program, labels, clauses, Stake.STOP)


def _site(done: Survey, teller: Teller, hit: Hit) -> Finding:
    site, program = hit.site, hit.program
    told = teller.play(program, hit.play.labels)
    keys = [site.id, f"{site.kind.value}:{site.name}"]
    stake = stake_of(teller.run(program), program, told)
    return _finding(
        done,
        teller,
        CODES[site.kind],
        site.kind.value,
        [site.id],
        keys,
        program,
        told,
        site.clauses,
        stake,
        group=_group(done, teller, site),
        name=site.name,
        rows=" + ".join(site.rows),
    )


def _group(done: Survey, teller: Teller, site: Site) -> str | None:
    """The root question of the reading whose answer settles a question of stacking too."""
    if site.kind is not Kind.STACKING:
        return None
    for split in done.splits.values():
        if counts_times(split.reading) and set(site.clauses) <= set(split.reading.clauses) and split.parted:
            return root_of(teller, split.reading)
    return None


def _play(
    done: Survey,
    teller: Teller,
    code: str,
    key: str,
    identity: Sequence[str],
    program: Program,
    labels: Sequence[str],
    clauses: Sequence[str],
    stake: Stake,
    count: int = 0,
) -> Finding:
    """A finding about the position that a play ends in."""
    told = teller.play(program, labels)
    name = "+".join(identity) or key
    keys = [f"{key}:{name}", key]
    made = _finding(
        done,
        teller,
        code,
        key,
        [key, *identity],
        keys,
        program,
        told.end,
        clauses,
        stake,
        name=name,
        whole=told,
    )
    if not count:
        return made
    return attrs.evolve(made, situation=counted("positions", count, situation=made.situation))


def _order(
    done: Survey, teller: Teller, rules: tuple[str, str], program: Program, disorder: Disorder
) -> Finding:
    labels = disorder.play.labels
    told, run = teller.play(program, labels), teller.run(program)
    keys = [f"order:{'+'.join(rules)}", f"order:{'+'.join(reversed(rules))}"]
    begins = [run.find(side[0]).rule for side in disorder.first]
    if begins[0] == begins[1]:  # two instances of one rule
        begins = [side[0] for side in disorder.first]
    options, scores, ends = [], set(), set()
    for first, side in zip(begins, disorder.first, strict=True):
        whole = teller.play(program, [*labels, *side])
        end = whole.states[-1]
        scores.add(tuple(run.value(t, end) for t in program.scores))
        ends.add(
            "stopped"
            if whole.stopped
            else "over"
            if run.over(end)
            else "rest"
            if run.enabled(end)
            else "stuck"
        )
        template = teller.option(keys, first)
        text = template and teller.fill(keys[0], template, program, told.states[-1], end)
        steps = "; ".join(whole.steps[len(labels) :])
        rest = teller.difference(program, told.states[-1], end) or phrase("outcome.nothing")
        told_so = phrase("comes_first", first=first, moves=steps.removesuffix("."), end=rest)
        options.append(Option(id=first, outcome=text or told_so))
    halts = len(ends & {"stopped", "stuck"}) == 1 and len(ends) > 1
    stake = Stake.STOP if halts else Stake.SCORE if len(scores) > 1 else Stake.ARGUMENT
    clauses = tuple(
        dict.fromkeys(c for r in rules for i in program.instances if i.rule == r for c in i.clauses)
    )
    identity = [f"order:{'+'.join(sorted(rules))}"]
    return _finding(
        done,
        teller,
        "RL108",
        "order",
        identity,
        keys,
        program,
        told.end,
        clauses,
        stake,
        name="+".join(rules),
        whole=told,
        options=options,
        first=begins[0],
        second=begins[1],
    )


def _finding(
    done: Survey,
    teller: Teller,
    code: str,
    key: str,
    identity: Sequence[str],
    keys: Sequence[str],
    program: Program,
    told: Told,
    clauses: Sequence[str],
    stake: Stake,
    *,
    whole: Told | None = None,
    options: Sequence[Option] = (),
    group: str | None = None,
    **values: str,
) -> Finding:
    asked = teller.said(keys, "ask")
    return Finding(
        code=code,
        title=teller.said(keys, "title") or phrase(f"title.{key}", **values),
        status=Status.OPEN,
        group=teller.said(keys, "group") or group,
        situation=teller.situation(keys, program, told),
        stake=stake,
        clauses=tuple(clauses),
        question=asked if asked is not None else phrase(f"ask.{key}", **values),
        options=tuple(options) or tuple(_options(teller, keys, program, told)),
        witness=teller.witness(program, whole or told),
        scope=scope_of(done, program.size_name),
        fingerprint=fingerprint(code, teller.book.name, identity),
    )


def _options(teller: Teller, keys: Sequence[str], program: Program, told: Told) -> Iterator[Option]:
    """The answers that the rulebook's words offer."""
    for key in keys:
        answers = teller.words.at("site", key, "options") or {}
        for option, template in answers.items():
            filled = teller.fill(f"{key}.options.{option}", str(template), program, told.before, told.after)
            yield Option(id=option, outcome=filled or option)
        if answers:
            return


def _unmet(done: Survey) -> Iterator[Finding]:
    """`sometimes` properties that no play meets, where all sizes were explored whole."""
    if not all(e.complete for e in done.explorations):
        return
    scope = "; ".join(e.scope for e in done.explorations)
    for p in done.properties:
        if p.form is Form.SOMETIMES and p.name not in done.met:
            yield Finding(
                code="RL304",
                title=phrase("title.unmet", name=p.name),
                status=Status.OPEN,
                situation=p.doc or p.name,
                stake=Stake.ARGUMENT,
                clauses=p.clauses,
                question=phrase("ask.unmet"),
                scope=scope,
                fingerprint=fingerprint("RL304", done.book.name, [f"sometimes:{p.name}"]),
            )


def stake_of(run: Interpreter, program: Program, told: Told) -> Stake:
    """What is at stake in the step in which a question comes up: it stops, decides, or moves a score."""
    if told.stopped:
        return Stake.STOP
    after = told.states[-1]
    if run.over(after) and program.winners:
        return Stake.WINNER
    if any(run.value(t, told.before) != run.value(t, after) for t in program.scores):
        return Stake.SCORE
    return Stake.ARGUMENT
