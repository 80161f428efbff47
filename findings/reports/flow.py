"""A flow on a terminal: what it says, and a program held against it.

Promise: every text is made safe; lists are cut at a few entries and say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from findings.reports.blocks import INDENT, labelled, line
from findings.reports.words import words
from findings.text import printable
from models.language.words import Words as Domain

if TYPE_CHECKING:
    from rich.text import Text

    from solvers.contract import Play
    from solvers.flows import Answers, Chain, Flow, Texts
    from solvers.flows.against import Comparison, Difference

LABEL = 16
MOST = 8
#: Moves of a play that are shown before it is cut.
MOST_MOVES = 12


def texts(flow: Flow) -> Texts:
    """How places, rules and marks are called in pictures: in the rulebook's words where there are some.

    The words come from a file: line breaks are folded, and characters that no picture can hold are escaped.
    """
    from solvers.flows import Texts

    say, domain = words(), Domain.load(flow.program.book.folder)
    keys = (
        "player",
        "window",
        "chance",
        "rules",
        "marks",
        "per_game",
        "never_seen",
        "over",
        "stuck",
        "start",
        "end",
    )

    def place(name: str) -> str:
        member = flow.places.member(name)
        return printable(domain.word(member)) if member is not None else ""

    def loop(first: str) -> str:
        given = domain.at("flow", first)
        return printable(str(given)) if given else say("flow.loop", first=place(first) or first)

    def stop(site: str) -> str:
        given = domain.at("site", site, "title")
        return printable(str(given)) if given else site

    return Texts(place=place, loop=loop, stop=stop, phrases={k: say(f"flow.legend.{k}") for k in keys})


def render(flow: Flow, answers: Answers, console: Console) -> None:
    """Print what a flow says.

    Args:
        flow: A flow of the level `phase`.
        answers: Its answers.
        console: Where to print.
    """
    say, program = words(), flow.program
    phases = sum(d["kind"] == "phase" for _, d in flow.graph.nodes(data=True))
    steps = sum(1 for _ in flow.edges(seen=True))
    head = say(
        "flow.head",
        rulebook=program.book.name,
        variant=program.variant,
        size=program.size_name,
        phases=say.count("flow.phase", phases),
        steps=say.count("flow.step", steps),
    )
    console.print(line((head, "bold")))
    console.print(labelled([(say(f"flow.{k}"), v) for k, v in _rows(flow, answers)], LABEL))


def _rows(flow: Flow, a: Answers) -> Iterator[tuple[str, Text]]:
    named = texts(flow)

    def phase(name: str) -> str:
        return named.place(name.removesuffix(" (over)")) or name

    yield "known", line(_known(flow))
    yield "begins", line(phase(flow.entry))
    yield "ends", _listed(phase(n) for n in flow.endings)
    if a.complete:
        yield "every_game", _listed(map(phase, a.every_game))
    yield "loops", _listed(", ".join(map(phase, loop)) for loop in a.loops)
    stops = [
        named.stop(n.removeprefix("stop:")) for n, d in flow.graph.nodes(data=True) if d["kind"] == "stop"
    ]
    for key, found in (
        ("open_ends", stops),
        ("unreached" if a.complete else "not_met", [phase(n) for n in a.unreached]),
        ("dead_ends", [phase(n) for n in a.dead_ends if a.complete]),
        ("cannot_end", [phase(n) for n in a.cannot_end if a.complete]),
        ("silent" if a.complete else "not_acted", list(a.silent)),
        ("never_taken", [f"{x} –{rule}→ {y}" for x, rule, y in a.never_taken]),
    ):
        if found:
            yield key, _listed(found)
    if a.complete:
        yield from _of_states(a)


def _known(flow: Flow) -> str:
    say, done = words(), flow.exploration
    played = sum(flow.games.steps.values()) / max(flow.games.number, 1)
    games = say("flow.played", games=f"{flow.games.number:,}", steps=f"{played:.1f}")
    if flow.complete:
        return f"{say('flow.explored', states=f'{done.states:,}')}; {games}"
    return f"{games}; {say('flow.cut', why=done.stopped_by)}"


def _of_states(a: Answers) -> Iterator[tuple[str, Text]]:
    say = words()
    ends = say("flow.always") if a.stuck_end is None else say("flow.not_always", play=_play(a.stuck_end))
    yield "can_end", line(ends)
    for e in a.endless:
        key = "flow.round" if e.loop else "flow.closed"
        yield "endless", line(say(key, stem=_play(e.stem), loop=_moves(e.loop), rules=", ".join(e.rules)))
    for o in a.orders:
        first, second = map(_moves, o.first)
        rules = " + ".join(o.rules)
        yield "order", line(say("flow.disorder", rules=rules, play=_play(o.play), first=first, second=second))
    yield from _chains(a)
    for note in a.prolonged:
        states = say.count("flow.position", note.states)
        told = say("flow.note", rules=", ".join(note.rules), states=states, loop=_moves(note.loop))
        yield "prolonged", line(told)


def _chains(a: Answers) -> Iterator[tuple[str, Text]]:
    for key, chain in (("run", a.run), ("chain", a.chain)):
        if chain is None:
            yield key, line(words()("flow.unbounded"))
        elif len(chain.labels) > 1:
            yield key, line(_chain(chain))
    if a.trigger_cycles:
        yield "trigger_cycles", _listed(" → ".join((*c, c[0])) for c in a.trigger_cycles)


def _chain(chain: Chain) -> str:
    return words()("flow.chained", labels=_moves(chain.labels), stem=_play(chain.stem))


def _play(play: Play) -> str:
    return _moves(play.labels) or words()("flow.setup")


def _moves(labels: Iterable[str]) -> str:
    shown = list(labels)
    if len(shown) > MOST_MOVES:
        half = MOST_MOVES // 2
        shown = [*shown[:half], "…", *shown[-half:]]
    return ", ".join(shown)


def _listed(found: Iterable[str]) -> Text:
    say, shown = words(), list(found)
    more = [say("flow.more", n=len(shown) - MOST)] if len(shown) > MOST else []
    return line("; ".join([*shown[:MOST], *more]) or say("flow.none"))


# -- against a program -------------------------------------------------------------------------------------


def render_against(flow: Flow, compared: Comparison, path: Path, console: Console) -> None:
    """Print how a program differs from a flow.

    Args:
        flow: The flow.
        compared: The comparison.
        path: The program's file or folder.
        console: Where to print.
    """
    say, program = words(), flow.program
    head = say(
        "against.head",
        path=str(path),
        form=compared.machine.form,
        states=say.count("against.state", len(compared.machine.states)),
        rulebook=program.book.name,
        variant=program.variant,
    )
    console.print(line((head, "bold")))
    for d in compared.differences:
        console.print(_difference(d))
    if compared.differences:
        console.print(line((say.count("against.differences", len(compared.differences)), "bold red")))
    else:
        console.print(line((" " * INDENT + say("against.same"), "green")))
    rows = []
    if compared.passed:
        rows.append((say("against.passed"), _listed(compared.passed)))
    for state, unread in compared.unread.items():
        rows.append(
            (say("against.unread"), line(say("against.unread_one", state=state, what="; ".join(unread))))
        )
    console.print(labelled(rows, LABEL))


def _difference(d: Difference) -> Text:
    say = words()
    kind = "end-without-state" if d.kind == "phase-without-state" and d.what else d.kind
    told = say(f"against.{kind}", state=d.state, phase=d.phase, what=d.what)
    notes = [say("against.at", file=d.file, line=d.line)] if d.line else []
    notes += [", ".join(d.clauses)] if d.clauses else []
    return line("  ", (d.kind, "bold"), f"  {told}", ("".join(f"   ({n})" for n in notes), "dim"))
