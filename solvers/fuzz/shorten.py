"""Shorten: the play that reads best among those that fail in the same way.

Promises: what comes out breaks the same property or meets the same hazard, has no more moves than what went
in, and is replayed; fewest moves first, then the simplest choice of the plan, then the moves that come first
in the rulebook. Where the search came to its end, no shorter play exists.

Hypothesis shrinks by the sequence of its random choices, which says little about the length of a play. Here
the position is known, so a breadth-first search from the setup is bounded by the length of the play at hand;
where that is too much, moves are deleted as in delta debugging (Zeller and Hildebrandt 2002).
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.ir import Actor, Instance
from solvers.fuzz.failures import Failure, failure
from solvers.fuzz.plan import Built, Plan
from solvers.interpreter import Mixed, Values

#: Most states that one breadth-first search stores.
MOST_STATES = 20_000
#: Most consequences in a row before they count as endless.
MOST_CONSEQUENCES = 1000


def shorten(plan: Plan, found: Failure, *, states: int = MOST_STATES) -> Failure:
    """Find a shorter play, or one with fewer components, that fails in the same way.

    Args:
        plan: Where simpler choices come from.
        found: The failure.
        states: How many states a search may store, for each choice.

    Returns:
        The failure with the best play found, searched for once; the one given where rules of a subclass
        took part in it.
    """
    if found.own:
        return found
    if found.best is None:
        found.best = _best(plan, found, states)
        found.best.best = found.best
    return found.best


def _best(plan: Plan, found: Failure, states: int) -> Failure:
    mine, most = found.built.choice, len(found.labels)
    best: tuple[Built, list[str]] | None = None
    for choice in plan.choices:
        if choice.readings != mine.readings:
            continue
        built = found.built if choice == mine else plan.build(choice)
        play = _search(built, found.what, most, states)
        if play is not None:
            best, most = (built, play), len(play) - 1
        if choice == mine:
            break
    built, labels = best or (found.built, _delete(found.built, found.what, found.labels))
    return failure(built, found.what, labels)


# -- one step --------------------------------------------------------------------------------------------


class _Judge:
    """Whether a play fails in one particular way.

    Args:
        built: What is played.
        what: The property or hazard.
    """

    def __init__(self, built: Built, what: str) -> None:
        self.run, self.what = built.run, what
        self.always = [built.run.compiled(t) for name, t in built.always if name == what]
        self.steps = [built.run.compiled(t) for name, t in built.step if name == what]

    def enabled(self, state: Values) -> list[Instance] | None:
        """Who may move; None where chance stands beside a player."""
        try:
            return self.run.enabled(state)
        except Mixed:
            return None

    def state_fails(self, state: Values, enabled: Sequence[Instance] | None) -> bool:
        """Whether a position fails."""
        if enabled is None:
            return self.what == "mixed"
        if self.what == "stuck":
            return not enabled and not self.run.over(state)
        if self.what == "endless":
            return self._runs_round(state, enabled)
        return any(not holds(state) for holds in self.always)

    def step_fails(self, before: Values, after: Values) -> bool:
        """Whether a step fails."""
        return any(not holds(before + after) for holds in self.steps)

    def _runs_round(self, state: Values, enabled: Sequence[Instance]) -> bool:
        """Whether consequences that follow alone lead back to this position."""
        at: Values | None = state
        for _ in range(MOST_CONSEQUENCES):
            if at is None or len(enabled) != 1 or enabled[0].actor is not Actor.RULES:
                return False
            at = self.run.after(at, enabled[0])
            if at == state:
                return True
            enabled = self.enabled(at) or [] if at is not None else []
        return False


# -- breadth first ---------------------------------------------------------------------------------------


def _search(built: Built, what: str, depth: int, states: int) -> list[str] | None:
    """A shortest play of at most so many moves that fails, or None if none was found."""
    judge, start = _Judge(built, what), built.program.start
    parents: dict[Values, tuple[Values, str] | None] = {start: None}
    layer = [start]
    first = judge.enabled(start)
    if judge.state_fails(start, first):
        return []
    for _ in range(max(depth, 0)):
        following: list[Values] = []
        for state in layer:
            for instance in judge.enabled(state) or ():
                after = judge.run.after(state, instance)
                if after is None:
                    continue
                if judge.step_fails(state, after):
                    return [*_play(parents, state), instance.label]
                if after not in parents:
                    parents[after] = (state, instance.label)
                    if judge.state_fails(after, judge.enabled(after)):
                        return _play(parents, after)
                    following.append(after)
                    if len(parents) >= states:
                        return None
        layer = following
    return None


def _play(parents: dict[Values, tuple[Values, str] | None], state: Values) -> list[str]:
    labels: list[str] = []
    while (step := parents[state]) is not None:
        state, label = step
        labels.append(label)
    return labels[::-1]


# -- delta debugging -------------------------------------------------------------------------------------


def _delete(built: Built, what: str, labels: Sequence[str]) -> list[str]:
    """A play from which no move can be taken away; consequences come and go by themselves."""
    judge = _Judge(built, what)
    chosen = [label for label in labels if built.program.by_label[label].actor is not Actor.RULES]
    best = _replay(built, judge, list(labels)) or list(labels)
    script = chosen if _replay(built, judge, chosen) else list(labels)
    size = len(script) // 2
    while size:
        at = 0
        while at < len(script):
            shorter = [*script[:at], *script[at + size :]]
            play = _replay(built, judge, shorter)
            if play is not None and len(play) <= len(best):
                script, best = shorter, play
            else:
                at += size
        size //= 2
    return best


def _replay(built: Built, judge: _Judge, script: Sequence[str]) -> list[str] | None:
    """The play that a script leads to, up to where it fails; None if it is not allowed or does not fail."""
    state, labels, left = built.program.start, list[str](), list(script)
    passed: set[Values] = set()
    while True:
        enabled = judge.enabled(state)
        if judge.state_fails(state, enabled):
            return labels
        here = {i.label: i for i in enabled or ()}
        if left and left[0] in here:
            instance = here[left.pop(0)]
            passed.clear()
        elif (
            len(here) == 1
            and (instance := next(iter(here.values()))).actor is Actor.RULES
            and state not in passed
        ):
            passed.add(state)
        else:
            return None
        labels.append(instance.label)
        after = judge.run.after(state, instance)
        if after is None:
            return None
        if judge.step_fails(state, after):
            return labels
        state = after
