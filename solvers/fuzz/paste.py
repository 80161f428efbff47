"""A play as the code of an example, to be pasted into a rulebook's `examples.py`.

Promise: running the code leads to the position in which the failure was seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from models.language.ir import Actor, Instance
from solvers.fuzz.failures import HAZARDS, Failure
from solvers.interpreter import Mixed


def example_text(failure: Failure) -> str:
    """The code of an example that replays a failure.

    Args:
        failure: The failure.

    Returns:
        A function decorated with `EXAMPLES.example`; where rules of a subclass changed the position, or the
        setup itself fails, a comment that says why there is none.
    """
    if failure.own:
        return f"# not a play of the rulebook alone: {'; '.join(dict.fromkeys(failure.own))}"
    built, choice = failure.built, failure.built.choice
    if not failure.labels:
        return f"# no play to show: the setup itself ({choice})"
    said = built.by_name.get(failure.what)
    doc = said.doc if said else HAZARDS[failure.what]
    clauses = _clauses(failure)
    lines = [f"# with the reading {name}={option}" for name, option in choice.readings]
    parts = [_quoted(c) for c in clauses]
    parts += [f"size={_quoted(choice.size)}", f"variant={_quoted(choice.variant)}"]
    lines += [
        f"@EXAMPLES.example({', '.join(parts)})",
        f"def breaks_{re.sub(r'[^0-9a-z]+', '_', failure.what.lower())}(s: Script) -> None:",
        f'    """{_plain(doc)}"""',
        *(f"    {_move(instance)}" for instance in _told(failure)),
        f"    # must hold now: {failure.what}" if said else f"    # now: {failure.what}",
    ]
    return "\n".join(lines)


def _clauses(failure: Failure) -> tuple[str, ...]:
    said = failure.built.by_name.get(failure.what)
    if said is not None and said.clauses:
        return said.clauses
    last = [failure.built.program.by_label[label] for label in failure.labels[-1:]]
    return last[0].clauses if last else failure.built.program.book.clause_ids[:1]


def _plain(doc: str) -> str:
    return doc.replace("\\", "/").replace('"', "")


def _told(failure: Failure) -> Iterator[Instance]:
    """The moves that a script must name: consequences that follow alone happen by themselves."""
    run = failure.built.run
    states = run.replay(failure.labels)
    for n, label in enumerate(failure.labels):
        instance = run.find(label)
        try:
            alone = len(run.enabled(states[n])) == 1
        except Mixed:
            alone = False
        if instance.actor is not Actor.RULES or not alone or n == len(failure.labels) - 1:
            yield instance


def _move(instance: Instance) -> str:
    given = "".join(f", {k}={v if _number(v) else _quoted(v)}" for k, v in instance.params)
    return f"s.move({_quoted(instance.rule)}{given})"


def _quoted(text: str) -> str:
    """A text as code."""
    return json.dumps(text, ensure_ascii=False)


def _number(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]+", text) is not None
