"""Along: the parting of two readings on a given play, or within reach of it.

Promises: what is found was looked at pair by pair as `solvers.compare.pairs` says, so a difference in hidden
fields alone is no parting; nothing is said where none is found within the bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from solvers.compare.pairs import Kind, Node, Pair, Parting
from solvers.contract import Play
from solvers.interpreter import Interpreter, Values

#: Pairs of states that are looked at off the play.
MOST_NODES = 20_000


def along(
    one: Interpreter, two: Interpreter, labels: Sequence[str], nodes: int = MOST_NODES
) -> Parting | None:
    """The first parting in the states of a play, else one on or near it after a difference in hidden fields.

    Args:
        one: The first program.
        two: The second program, of the same layout.
        labels: A play of the first program, from the setup.
        nodes: Pairs of states that are looked at off the play, at most.

    Returns:
        The parting, its play from the setup; None if none is found within that many pairs.

    Errors:
        ModelError: the play cannot be made.
    """
    pair, off = Pair(one, two), deque[Node]()
    seen = set[object]()
    states = one.replay(labels)
    for number, state in enumerate(states):
        play = tuple(labels[:number])
        made = pair.part(Node(Kind.PAIR, state, {state: ()}, ()))
        if isinstance(made, Parting):
            return replace(made, play=Play((*play, *made.play.labels)))
        off.extend(node.behind(play) for node in made)
    for number, other in enumerate(_followed(two, labels)):
        if number < len(states) and other != states[number]:
            node = Node(Kind.PAIR, states[number], {other: ()}, tuple(labels[:number]))
            seen.add(node.id)
            made = pair.part(node)
            if isinstance(made, Parting):
                return made
            off.extend(made)
    while off and len(seen) < nodes:
        node = off.popleft()
        if node.id in seen:
            continue
        seen.add(node.id)
        made = pair.part(node)
        if isinstance(made, Parting):
            return made
        off.extend(made)
    return None


def _followed(run: Interpreter, labels: Sequence[str]) -> Iterator[Values]:
    """The states of a play as far as a program allows it."""
    state: Values | None = run.program.start
    yield run.program.start
    for label in labels:
        instance = run.program.by_label.get(label)
        if state is None or instance is None or instance not in run.enabled(state):
            return
        state = run.after(state, instance)
        if state is not None:
            yield state
