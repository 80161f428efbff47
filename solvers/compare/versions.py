"""Versions: what a change of rules changes in play, rule by rule.

Promises: two programs whose rules are the same up to names and order are told so without a search
("proved"); otherwise all states that both versions reach by moves they agree on are visited, and every
difference comes with a shortest play. Fields are matched by name, so layouts may differ.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from models.language import ir
from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.terms import Term, walk
from solvers.contract import Limits, Play, Progress
from solvers.interpreter import Interpreter, Values

_MOST_PAIRS = 500_000
Parents = dict[tuple[Values, Values], tuple[tuple[Values, Values], str] | None]


class Relation(enum.Enum):
    """The legal moves of a rule in the new version against the old one, over the states they share."""

    EQUAL = "equal"
    MORE = "more"
    FEWER = "fewer"
    INCOMPARABLE = "incomparable"


@dataclass
class RuleChange:
    """What became of one rule.

    Attributes:
        rule: Its name in the new version (in the old one if it is gone).
        was: Its name in the old version, "" if it is new.
        same: Guard and effect are the same, so nothing about it can differ.
        more: A shortest play after which only the new version allows it, with the move last.
        fewer: A shortest play after which only the old version allows it, with the move last.
        outcome: A shortest play whose last move leads to another outcome.
        odds: A shortest play after which chance has other odds for it.
    """

    rule: str
    was: str
    same: bool
    more: Play | None = None
    fewer: Play | None = None
    outcome: Play | None = None
    odds: Play | None = None

    @property
    def relation(self) -> Relation:
        """Where its legal moves stand in the lattice."""
        return {
            (False, False): Relation.EQUAL,
            (True, False): Relation.MORE,
            (False, True): Relation.FEWER,
            (True, True): Relation.INCOMPARABLE,
        }[self.more is not None, self.fewer is not None]

    @property
    def changed(self) -> bool:
        """Whether play shows any difference."""
        return any((self.more, self.fewer, self.outcome, self.odds))


@dataclass
class VersionChange:
    """What a change of rules changes in play.

    Attributes:
        rules: One entry a rule, in the order of the new version, those gone last.
        setup: Fields whose start differs.
        fields: Fields that only the old and only the new version has.
        end: A shortest play after which the game is over in one version only.
        result: A shortest play after which the game is over in both, with another winner or score.
        pairs: Pairs of states visited.
        complete: Whether all were visited.
        structural: No search was needed: the rules are the same up to names and order.
    """

    rules: dict[str, RuleChange] = field(default_factory=dict)
    setup: tuple[str, ...] = ()
    fields: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    end: Play | None = None
    result: Play | None = None
    pairs: int = 0
    complete: bool = True
    structural: bool = False

    @property
    def changed(self) -> bool:
        """Whether play shows any difference."""
        parts = self.setup or self.end or self.result
        return bool(parts or any(r.changed for r in self.rules.values()))


class _Keys:
    """Keys of terms and bodies that do not depend on slot numbers, sites or the order of declarations."""

    def __init__(self, program: Program) -> None:
        self.names = [s.name for s in program.layout.slots]
        self.known: dict[Term, str] = {}

    def term(self, root: Term) -> str:
        for t in walk(root):
            if t not in self.known:
                data: object = t.data
                if t.op in ("read", "select"):
                    data = (tuple(self.names[s] for s in t.data[0]), t.data[1])
                args = [self.known[a] for a in t.args]
                if t.op in ("and", "or", "add", "eq", "min", "max"):
                    args.sort()
                self.known[t] = sha256(repr((t.op, t.sort.name, data, t.lo, t.hi, args)).encode()).hexdigest()
        return self.known[root]

    def block(self, body: ir.Block) -> tuple[object, ...]:
        key: list[object] = []
        for s in body:
            if isinstance(s, ir.Assign):
                index = self.term(s.index) if s.index is not None else ""
                key.append((tuple(self.names[n] for n in s.slots), index, self.term(s.value)))
            elif isinstance(s, ir.If):
                branches = (self.block(s.then), self.block(s.otherwise))
                if branches != ((), ()):
                    key.append((self.term(s.condition), *branches))
            elif isinstance(s, ir.Stop):
                key.append("stop")
        return tuple(key)

    def instance(self, i: Instance) -> tuple[object, ...]:
        player = self.term(i.player) if i.player is not None else ""
        return (
            i.params,
            i.actor,
            player,
            self.term(i.weight),
            self.term(i.guard),
            sorted(i.secret),
            self.block(i.body),
        )

    def rules(self, program: Program) -> dict[str, str]:
        """Rule name → key of all its instances."""
        parts: dict[str, list[str]] = {}
        for i in program.instances:
            parts.setdefault(i.rule, []).append(repr(self.instance(i)))
        return {rule: sha256(repr(sorted(keys)).encode()).hexdigest() for rule, keys in parts.items()}


def same_questions(old: Program, new: Program) -> bool:
    """Whether two versions whose rules are the same also ask the same.

    That is: the same constructs with the same rows and conditions, and the same readings with their options.
    """
    sides = []
    for p in (old, new):
        keys = _Keys(p)
        asked = {(p.sites[s.site].id, keys.term(s.condition)) for s in _probes(p)}
        readings = {(r.id, r.clauses, tuple(r.options.items()), r.default) for r in p.book.readings.values()}
        sides.append((asked, {(s.id, s.clauses) for s in p.sites}, readings))
    return sides[0] == sides[1]


def _probes(program: Program) -> Iterator[ir.Probe]:
    for i in program.instances:
        for s in ir.statements(i.body):
            if isinstance(s, ir.Probe):
                yield s


def matched(old: Program, new: Program) -> tuple[dict[str, str], frozenset[str]]:
    """Which old rule is which new rule.

    Returns:
        Old name → new name, for rules in both: of one name, or else of one content under another name; and
        the new names of those whose guard and effect are the same.
    """
    was, now = _Keys(old).rules(old), _Keys(new).rules(new)
    pairs = {r: r for r in was if r in now}
    fresh = [r for r in now if r not in was]
    for r in was:
        twin = next((n for n in fresh if r not in now and now[n] == was[r]), None)
        if twin is not None:
            pairs[r] = twin
            fresh.remove(twin)
    return pairs, frozenset(n for r, n in pairs.items() if was[r] == now[n])


def compare_versions(
    old: Program, new: Program, *, limits: Limits | None = None, progress: Progress | None = None
) -> VersionChange:
    """Compare two versions of a rulebook in play.

    Args:
        old: The old version.
        new: The new version.
        limits: When to give up (pairs of states count as states).
        progress: Where to say how far it is.

    Returns:
        What changed.
    """
    walk_ = _Versions(old, new)
    if walk_.structural():
        walk_.change.structural = True
        return walk_.change
    most = limits.states if limits is not None and limits.states is not None else _MOST_PAIRS
    walk_.search(most, progress)
    return walk_.change


def compare_structure(old: Program, new: Program) -> bool:
    """Whether two versions are proved to be the same in play: the rules are the same up to names and order.

    Args:
        old: The old version.
        new: The new version.

    Returns:
        False where that is not so; they may still play alike.
    """
    return _Versions(old, new).structural()


class _Versions:
    def __init__(self, old: Program, new: Program) -> None:
        self.old, self.new = Interpreter(old), Interpreter(new)
        pairs, same = matched(old, new)
        self.to_new = pairs
        self.change = VersionChange()
        for rule in dict.fromkeys(i.rule for i in new.instances):
            was = next((o for o, n in pairs.items() if n == rule), "")
            self.change.rules[rule] = RuleChange(rule, was, rule in same)
        for rule in dict.fromkeys(i.rule for i in old.instances):
            if rule not in pairs:
                key = f"{rule} (old)" if rule in self.change.rules else rule
                self.change.rules[key] = RuleChange(rule, rule, False)
        self._fields(old, new)

    def _fields(self, old: Program, new: Program) -> None:
        was, now = ({s.name: s for s in p.layout.slots} for p in (old, new))
        self.change.fields = (tuple(n for n in was if n not in now), tuple(n for n in now if n not in was))
        self.change.setup = tuple(n for n in was if n in now and was[n].start != now[n].start)
        self.shared = [(was[n].index, now[n].index) for n in was if n in now]
        self.seen = [
            (was[n].index, now[n].index) for n in was if n in now and not was[n].hidden and not now[n].hidden
        ]

    def structural(self) -> bool:
        """Whether the two are the same up to names and order."""
        old, new = self.old.program, self.new.program
        layout = [
            sorted((s.name, s.sort.name, s.lo, s.hi, s.start, s.hidden) for s in p.layout.slots)
            for p in (old, new)
        ]
        ends = [
            (k.term(p.over), [k.term(t) for t in (*p.winners, *p.scores)])
            for k, p in ((_Keys(old), old), (_Keys(new), new))
        ]
        same = all(r.same and r.was for r in self.change.rules.values())
        return same and layout[0] == layout[1] and ends[0] == ends[1]

    # -- the search ------------------------------------------------------------------------------
    def search(self, most: int, progress: Progress | None) -> None:
        """Visit pairs of states breadth-first along the moves on which both versions agree."""
        start = (self.old.program.start, self.new.program.start)
        parents: Parents = {start: None}
        queue = deque([start])
        while queue:
            if len(parents) > most:
                self.change.complete = False
                break
            pair = queue.popleft()
            for label, after in self._pair(pair, parents):
                if after not in parents:
                    parents[after] = (pair, label)
                    queue.append(after)
        self.change.pairs = len(parents)

    def _pair(
        self, pair: tuple[Values, Values], parents: Parents
    ) -> Iterator[tuple[str, tuple[Values, Values]]]:
        a, b = pair
        if self.old.over(a) != self.new.over(b):
            self.change.end = self.change.end or Play(_labels(parents, pair))
            return
        if self.old.over(a):
            if self._result(0, a) != self._result(1, b):
                self.change.result = self.change.result or Play(_labels(parents, pair))
            return
        was = {self._named(i): i for i in self.old.enabled(a)}
        now = {i.label: i for i in self.new.enabled(b)}
        for label in (k for k in was if k not in now):
            self._note(self._rule(was[label].rule), "fewer", parents, pair, was[label].label)
        for label in (k for k in now if k not in was):
            self._note(now[label].rule, "more", parents, pair, label)
        self._odds(parents, pair, was, now)
        for label in (k for k in was if k in now):
            s, t = self.old.step(a, was[label]).state, self.new.step(b, now[label]).state
            if self._observed(0, s) != self._observed(1, t):
                self._note(now[label].rule, "outcome", parents, pair, label)
            elif s is not None and t is not None:
                yield label, (s, t)

    def _rule(self, old: str) -> str:
        new = self.to_new.get(old)
        return new if new is not None else f"{old} (old)" if f"{old} (old)" in self.change.rules else old

    def _named(self, i: Instance) -> str:
        """The label of an old instance with the rule's new name."""
        new = self.to_new.get(i.rule, i.rule)
        return i.label if new == i.rule else new + i.label[len(i.rule) :]

    def _note(self, rule: str, what: str, parents: Parents, pair: tuple[Values, Values], label: str) -> None:
        change = self.change.rules[rule]
        if getattr(change, what) is None:
            setattr(change, what, Play((*_labels(parents, pair), label)))

    def _odds(
        self,
        parents: Parents,
        pair: tuple[Values, Values],
        was: Mapping[str, Instance],
        now: Mapping[str, Instance],
    ) -> None:
        sides = []
        for run, state, moves in ((self.old, pair[0], was), (self.new, pair[1], now)):
            weights = {k: run.value(i.weight, state) for k, i in moves.items() if i.actor is Actor.CHANCE}
            whole = sum(weights.values())
            sides.append({k: Fraction(w, whole) for k, w in weights.items()})
        for label in (k for k in sides[0] if k in sides[1]):
            if sides[0][label] != sides[1][label]:
                self._note(now[label].rule, "odds", parents, pair, label)

    def _observed(self, side: int, state: Values | None) -> object:
        if state is None:
            return None
        return tuple(state[p[side]] for p in self.seen)

    def _result(self, side: int, state: Values) -> object:
        """Winners and scores; where one version declares none, there is nothing to compare."""
        run = (self.old, self.new)[side]
        declared = [all(getattr(r.program, n) for r in (self.old, self.new)) for n in ("winners", "scores")]
        terms = [run.program.winners if declared[0] else (), run.program.scores if declared[1] else ()]
        return tuple(run.value(t, state) for part in terms for t in part)


def _labels(parents: Parents, pair: tuple[Values, Values]) -> tuple[str, ...]:
    labels: list[str] = []
    at = parents[pair]
    while at is not None:
        labels.append(at[1])
        at = parents[at[0]]
    return tuple(reversed(labels))


__all__: Sequence[str] = [
    "Relation",
    "RuleChange",
    "VersionChange",
    "compare_structure",
    "compare_versions",
    "matched",
    "same_questions",
]
