"""A difference as text for a terminal, as Markdown for a pull request, and as JSON.

Promises: nothing is computed here; every text is made safe for where it goes.
"""

from __future__ import annotations

import io
import json as _json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console

from findings.diff.compute import Difference, Seats
from findings.reports.blocks import labelled, line
from findings.reports.markdown import md
from solvers.compare.balance import Interval, wilson
from solvers.compare.versions import RuleChange

SCHEMA = 1
KINDS = ("more", "fewer", "outcome", "odds")
ENDS = ("end", "result")


@cache
def _words(language: str) -> dict[str, str]:
    table: dict[str, dict[str, str]] = tomllib.loads(
        (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    )
    return table[language]


def word(key: str, language: str = "en", **values: object) -> str:
    """A word of the report with its values filled in."""
    return _words(language)[key].format(**values)


# -- what is told, for text and Markdown alike ---------------------------------------------------------


def headline(d: Difference) -> str:
    """One sentence: what kind of change it is."""
    if d.play.structural:
        return word("same", size=d.size, variant=d.variant)
    if not d.play.complete:
        return word("cut", pairs=d.play.pairs)
    return (
        word("scope", size=d.size, variant=d.variant, pairs=d.play.pairs)
        if d.play.changed
        else word("quiet", size=d.size, variant=d.variant, pairs=d.play.pairs)
    )


def relations(d: Difference) -> Iterator[tuple[RuleChange, str]]:
    """The rules that differ, with their place in the lattice."""
    for r in d.play.rules.values():
        if r.changed:
            yield r, word(f"relation.{r.relation.value}")


def notes(d: Difference) -> Iterator[tuple[str, str]]:
    """Everything else that differs: label and text."""
    for r in d.play.rules.values():
        if r.was and r.was != r.rule:
            yield word("rules"), word("renamed", was=r.was, rule=r.rule)
    if d.play.setup:
        yield word("setup"), ", ".join(d.play.setup)
    if any(d.play.fields):
        yield (
            word("fields"),
            ", ".join([*(f"-{n}" for n in d.play.fields[0]), *(f"+{n}" for n in d.play.fields[1])]),
        )
    for c in d.clauses:
        yield (
            word("clauses"),
            f"{c.id}, {word(f'clause.{c.how}')}: " + " → ".join(t for t in (c.old, c.new) if t),
        )
    for f in d.findings:
        how = word(f"finding.{f.how}", before=f.before)
        yield word("findings"), f"{how}: {f.finding.code} {f.finding.title} ({f.finding.fingerprint[:6]})"
    for key, same_ in (("elsewhere.same", True), ("elsewhere.other", False)):
        places = ", ".join(f"{e.variant} ({e.size})" for e in d.elsewhere if e.same is same_)
        if places:
            yield word("elsewhere"), word(key, places=places)
    for key, names in (("gained", d.gained), ("lost", d.lost)):
        if names:
            yield word(key), ", ".join(names)
    same = [r.rule for r in d.play.rules.values() if r.same]
    if same and not d.play.structural:
        yield word("proved"), ", ".join(same)


def balance(d: Difference) -> Iterator[tuple[str, str, str]]:
    """Rows of the balance: what, before, after."""
    if d.balance is None:
        return
    was, now = d.balance
    for seat, (a, b) in enumerate(zip(was.wins, now.wins, strict=False), 1):
        yield word("seat", seat=seat), _percent(a), _percent(b)
    yield word("length"), _plain(was.length), _plain(now.length)
    if was.ended < was.games or now.ended < now.games:
        yield word("ended"), _percent(wilson(was.ended, was.games)), _percent(wilson(now.ended, now.games))


def _percent(i: Interval) -> str:
    return f"{i.value:.1%} ({i.low:.1%} … {i.high:.1%})"


def _plain(i: Interval) -> str:
    return f"{i.value:.1f} ({i.low:.1f} … {i.high:.1f})"


# -- text ------------------------------------------------------------------------------------------------


def render(d: Difference, to: Console) -> None:
    """Print a difference."""
    to.print(line((word("title", old=d.old, new=d.new), "bold")))
    to.print(line(headline(d)))
    for rule, relation in relations(d):
        to.print(line((rule.rule, "bold"), f"  {relation}"))
        rows = [
            (word(f"kind.{k}"), line("; ".join(d.steps[rule.rule, k])))
            for k in KINDS
            if (rule.rule, k) in d.steps
        ]
        to.print(labelled(rows, 22))
    for kind in ENDS:
        if ("", kind) in d.steps:
            to.print(labelled([(word(f"kind.{kind}"), line("; ".join(d.steps["", kind])))], 40))
    to.print(labelled([(label, line(text)) for label, text in notes(d)], 22))
    seats = list(balance(d))
    if seats and d.balance is not None:
        to.print(line(word("balance", games=d.balance[0].games)))
        to.print(labelled([(what, line(f"{a}  →  {b}")) for what, a, b in seats], 22))


def as_text(d: Difference) -> str:
    """A difference as plain text."""
    out = io.StringIO()
    render(d, Console(file=out, width=110, color_system=None, highlight=False, markup=False))
    return out.getvalue()


# -- Markdown ----------------------------------------------------------------------------------------------


def markdown(d: Difference) -> str:
    """A difference as Markdown for a pull request."""
    out = [f"## {md(word('title', old=d.old, new=d.new))}", "", md(headline(d)), ""]
    for rule, relation in relations(d):
        out.append(f"### {md(rule.rule)}: {relation}")
        for k in KINDS:
            if (rule.rule, k) in d.steps:
                out += ["", f"{word(f'kind.{k}')}:", ""]
                out += [f"{n}. {md(step)}" for n, step in enumerate(d.steps[rule.rule, k], 1)]
        out.append("")
    for kind in ENDS:
        if ("", kind) in d.steps:
            steps = d.steps["", kind]
            out += [
                f"### {word(f'kind.{kind}')}",
                "",
                *(f"{n}. {md(s)}" for n, s in enumerate(steps, 1)),
                "",
            ]
    out += [f"- {md(label)}: {md(text)}" for label, text in notes(d)]
    rows = list(balance(d))
    if rows and d.balance is not None:
        out += [
            "",
            word("balance", games=d.balance[0].games),
            "",
            f"| | {word('before')} | {word('after')} |",
            "|---|---|---|",
        ]
        out += [f"| {md(what)} | {a} | {b} |" for what, a, b in rows]
    return "\n".join(out).rstrip() + "\n"


# -- JSON --------------------------------------------------------------------------------------------------


def as_json(d: Difference) -> str:
    """A difference as JSON; keys are a contract like the audit's."""
    return _json.dumps(_plain_json(d), ensure_ascii=False, indent=2) + "\n"


def _plain_json(d: Difference) -> dict[str, Any]:
    def moves(rule: RuleChange, kind: str) -> list[str] | None:
        play = getattr(rule, kind)
        return list(play.labels) if play is not None else None

    def shares(s: Seats) -> dict[str, Any]:
        return {
            "games": s.games,
            "ended": s.ended,
            "wins": [vars(w) for w in s.wins],
            "length": vars(s.length),
        }

    return {
        "schema": SCHEMA,
        "old": d.old,
        "new": d.new,
        "size": d.size,
        "variant": d.variant,
        "changed": d.play.changed,
        "proved_same": d.play.structural,
        "complete": d.play.complete,
        "pairs": d.play.pairs,
        "kinds": sorted(d.kinds),
        "setup": list(d.play.setup),
        "fields": {"old": list(d.play.fields[0]), "new": list(d.play.fields[1])},
        "end": list(d.play.end.labels) if d.play.end else None,
        "result": list(d.play.result.labels) if d.play.result else None,
        "rules": [
            {
                "rule": r.rule,
                "was": r.was,
                "same": r.same,
                "relation": r.relation.value,
                **{k: moves(r, k) for k in KINDS},
            }
            for r in d.play.rules.values()
        ],
        "clauses": [{"id": c.id, "how": c.how, "old": c.old, "new": c.new} for c in d.clauses],
        "findings": [
            {
                "how": f.how,
                "code": f.finding.code,
                "title": f.finding.title,
                "before": f.before,
                "status": f.finding.status.value,
                "fingerprint": f.finding.fingerprint,
            }
            for f in d.findings
        ],
        "properties": {"gained": list(d.gained), "lost": list(d.lost)},
        "elsewhere": [{"variant": e.variant, "size": e.size, "same": e.same} for e in d.elsewhere],
        "balance": {"old": shares(d.balance[0]), "new": shares(d.balance[1])} if d.balance else None,
    }
