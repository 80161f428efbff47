"""Moments of play that a program has to get right: who waits, who may interrupt, ties, what is illegal.

Promises: a stage is one of the model's, with who acts there; a tie-breaker list gives the sentences in the
order of the keys; what is illegal (a sentence forbids it, or its conditions are not met) stands apart from
what is allowed and costs something (seen in explored situations, with the greatest loss).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from findings.detail import Rule
from findings.reports.i18n import Texts
from findings.reports.markdown import md
from findings.reports.names import actor_name
from findings.reports.view import Book
from findings.text import printable


def data(book: Book) -> dict[str, Any]:
    """Everything as plain values."""
    return {
        "rulebook": book.name,
        "stages": _stages(book),
        "ties": [{"name": x.name, "keys": list(x.clauses), "tie_left": x.met} for x in book.ties],
        "rules": [
            {
                "name": r.name,
                "does": printable(r.doc),
                "actor": r.actor,
                "stages": list(r.phases),
                "sentences": list(r.clauses),
                "allowed_in": r.allowed,
                "of_situations": r.asked,
                "costs": dict(r.costs),
                "secret": list(r.secret),
            }
            for r in book.rules
        ],
        "forbidden": {s.id: printable(s.text) for s in book.sentences if s.force == "must-not"},
        "optional": {
            s.id: printable(s.text) for s in book.sentences if s.force == "may" and s.kind == "rule"
        },
    }


def as_json(book: Book) -> str:
    """Everything as JSON."""
    return json.dumps(data(book), ensure_ascii=False, indent=2) + "\n"


def _stages(book: Book) -> list[dict[str, Any]]:
    """Stage → who acts there and by which rules, from the flows."""
    found: dict[str, dict[str, set[str]]] = {}
    for _, flow in book.flows:
        for e in flow.edges:
            if e.seen:
                found.setdefault(e.source, {}).setdefault(e.actor, set()).add(e.rule)
    return [
        {"stage": stage, "acts": {actor: sorted(rules) for actor, rules in sorted(actors.items())}}
        for stage, actors in found.items()
    ]


def as_markdown(book: Book, t: Texts) -> str:
    """Everything for people."""
    return "\n".join(_lines(book, t)).strip() + "\n"


def _lines(book: Book, t: Texts) -> Iterator[str]:
    yield f"# {md(t.gettext('{title}: notes for a digital version', title=book.title))}"
    yield f"\n## {t.gettext('Tie-breakers, in order')}\n"
    for tie in book.ties:
        left = t.gettext("a tie can be left after the last") if tie.met else t.gettext("no tie was seen")
        yield f"- {md(tie.name)} ({left})"
        yield from (f"  {n}. {_sentence(book, c)}" for n, c in enumerate(tie.clauses, 1))
    if not book.ties:
        yield t.gettext("Nothing is compared.")
    yield f"\n## {t.gettext('Who waits, and who may interrupt')}\n"
    words = {w.id: w.word for w in book.words if w.kind == "Phase"}
    for stage in _stages(book):
        acts = "; ".join(f"{actor_name(t, a)}: {', '.join(r)}" for a, r in stage["acts"].items())
        yield f"- {md(words.get(stage['stage'], stage['stage']))}: {md(acts)}"
    windows = [r for r in book.rules if r.actor == "window"]
    yield f"\n### {t.gettext('May be played out of turn')}\n"
    yield from _rules(book, windows, t)
    yield f"\n## {t.gettext('Illegal')}\n"
    forbidden = [s for s in book.sentences if s.force == "must-not"]
    yield from (f"- {_sentence(book, s.id)}" for s in forbidden)
    bound = [r for r in book.rules if r.actor in ("player", "window") and r.allowed < r.asked]
    for r in bound:
        told = t.gettext("{rule}: allowed in {allowed} of {asked} examined situations of its stages",
                         rule=r.name, allowed=t.number(r.allowed), asked=t.number(r.asked))  # fmt: skip
        yield f"- {md(told)}"
    if not forbidden and not bound:
        yield t.gettext("Nothing is forbidden.")
    yield f"\n## {t.gettext('Allowed, and costs something')}\n"
    names = {w.id: w.word for w in book.words if w.kind == "field"}
    costly = [r for r in book.rules if r.costs]
    for r in costly:
        costs = ", ".join(f"{names.get(k, k)} (−{v})" for k, v in r.costs.items())
        yield f"- {md(r.name)}: {md(costs)}. {md(r.doc)}"
    if not costly:
        yield t.gettext("No move was seen that costs the one who makes it.")


def _rules(book: Book, rules: Iterable[Rule], t: Texts) -> Iterator[str]:
    found = list(rules)
    for r in found:
        yield f"- {md(r.name)}: {md(r.doc)} ({md(', '.join(r.clauses))})"
    if not found:
        yield t.gettext("Nothing.")


def _sentence(book: Book, id: str) -> str:
    sentence = book.by_id.get(id)
    return f"{md(id)}: {md(sentence.text)}" if sentence is not None else md(id)
