"""Pairs of states: what players can tell apart between two programs that have looked alike so far.

Promises: a move is known by its rule and open parameters and by who makes it; a state by its open fields,
by who acts, and by whether and how the game is over. A secret parameter parts two programs only where it
comes to light.

Until something hidden differs both programs are in the same state. Afterwards a state of one stands against
the state of the other that the same moves, secret parameters included, lead to; where the other program does
not allow the same secret choice, against all states that look the same to the players (trace inclusion, by
the subset construction).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from models.language.ir import Actor, Instance, effect_key
from solvers.contract import Play
from solvers.interpreter import Interpreter, Values

Labels = tuple[str, ...]
Seen = tuple[object, ...]
STOPPED: Seen = ("stopped",)


@dataclass(frozen=True)
class Parting:
    """The first difference that players can see.

    Attributes:
        how: `moves` (others may be made), `outcome` (one move, two results), `chance` (other odds), `end`
            (the game is over in one only), `result` (another winner or score).
        play: A shortest play of the first program after which both are alike to the players.
        move: For `outcome`, the label of the move that parts them, in the first program.
        only: For `moves`, what everybody sees of the moves that only the first and only the second allows.
        states: The two states after the parting (None where that side stops); those that are parted, where
            no move is.
        shared: The second program allows the same play, secret choices included.
    """

    how: str
    play: Play
    move: str
    only: tuple[Labels, Labels]
    states: tuple[Values | None, Values | None]
    shared: bool = True


class Key(NamedTuple):
    """A move as everybody sees it."""

    actor: Actor
    player: int
    label: str


class Side:
    """One of the two programs."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self._visible = [i.visible_label for i in run.program.instances]
        self._players = [None if i.player is None else run.compiled(i.player) for i in run.program.instances]
        slots = run.program.observable
        self._open: Callable[[Values], Seen] = (
            itemgetter(*slots) if len(slots) > 1 else lambda state: tuple(state[s] for s in slots)
        )

    def moves(self, state: Values) -> dict[Key, list[Instance]]:
        """The enabled instances by what everybody sees of them."""
        found: dict[Key, list[Instance]] = {}
        for i in self.run.enabled(state):
            found.setdefault(self.key(i, state), []).append(i)
        return found

    def key(self, i: Instance, state: Values) -> Key:
        """An instance as everybody sees it in a state."""
        who = self._players[i.index]
        return Key(i.actor, -1 if who is None else int(who(state)), self._visible[i.index])

    def ends(self, state: Values, made: Iterable[Instance]) -> dict[str, Values | None]:
        """Full labels and their successors."""
        return {i.label: self.run.after(state, i) for i in made}

    def fields(self, state: Values | None) -> Seen:
        """The open fields of a state."""
        return STOPPED if state is None else self._open(state)

    def result(self, state: Values) -> Seen:
        """Winners and scores."""
        program = self.run.program
        return tuple(self.run.value(t, state) for t in (*program.winners, *program.scores))

    def look(self, state: Values) -> Seen:
        """What can be seen of a state beside its fields: the end and its result, or who acts."""
        if self.run.over(state):
            return ("over", *self.result(state))
        return tuple(sorted({(int(k.actor), k.player) for k in self.moves(state)}))

    def odds(self, state: Values) -> tuple[dict[tuple[str, Seen], Fraction], dict[str, Fraction]]:
        """Chance's distribution over what can be seen next, and over what happens, seen or not."""
        seen: dict[tuple[str, Seen], int] = {}
        true: dict[str, int] = {}
        for i in self.run.enabled(state):
            after, weight = self.run.after(state, i), self.run.value(i.weight, state)
            look: Seen = () if after is None else self.look(after)
            view = (self._visible[i.index], (*self.fields(after), *look))
            seen[view] = seen.get(view, 0) + weight
            true[i.label] = weight
        whole = sum(true.values())
        return {k: Fraction(w, whole) for k, w in seen.items()}, {
            k: Fraction(w, whole) for k, w in true.items()
        }


class Kind(enum.Enum):
    """How the states of a node stand against each other."""

    PAIR = "pair"  #: the same moves lead to both
    LEFT = "left"  #: a state of the first against all of the second that look the same
    RIGHT = "right"  #: a state of the second against all of the first that look the same


@dataclass(frozen=True)
class Node:
    """States of both programs that look alike so far.

    Attributes:
        kind: How they stand against each other.
        lead: The state of the first program (PAIR, LEFT), or of the second (RIGHT).
        others: States of the other program, with a play to each (of the first program, for RIGHT).
        play: The play to `lead` (of the first program; none for RIGHT).
    """

    kind: Kind
    lead: Values
    others: Mapping[Values, Labels]
    play: Labels

    @property
    def id(self) -> tuple[Kind, Values, frozenset[Values]]:
        """What tells it from other nodes."""
        return self.kind, self.lead, frozenset(self.others)

    @property
    def depth(self) -> int:
        """Number of moves so far."""
        return len(self.play) if self.kind is not Kind.RIGHT else len(next(iter(self.others.values())))

    def behind(self, play: Labels) -> Node:
        """The node whose plays begin with another play."""
        others = {state: (*play, *labels) for state, labels in self.others.items()}
        return replace(self, play=(*play, *self.play), others=others)


class Pair:
    """Two programs of one layout, compared node by node.

    Attributes:
        hidden_odds: Somewhere chance's odds differ for things that nobody sees at once.
    """

    def __init__(self, one: Interpreter, two: Interpreter) -> None:
        self.one, self.two = Side(one), Side(two)
        self.hidden_odds = False
        self._same: dict[tuple[int, int], bool] = {}

    def part(self, node: Node) -> Parting | list[Node]:
        """The parting at a node, or the nodes that follow."""
        if node.kind is Kind.PAIR:
            return self._pair(node.play, node.lead, next(iter(node.others)))
        return self._one_sided(node)

    # -- two states --------------------------------------------------------------------------------
    def _pair(self, play: Labels, a: Values, b: Values) -> Parting | list[Node]:
        states = (a, b)
        over = self.one.run.over(a)
        if over != self.two.run.over(b):
            return Parting("end", Play(play), "", ((), ()), states)
        if over:
            same = self.one.result(a) == self.two.result(b)
            return [] if same else Parting("result", Play(play), "", ((), ()), states)
        left, right = self.one.moves(a), self.two.moves(b)
        if left.keys() != right.keys():
            return Parting("moves", Play(play), "", (_only(left, right), _only(right, left)), states)
        if a == b and all(self._alike(made, right[key]) for key, made in left.items()):
            return []
        found: list[Node] = []
        for key, made in left.items():
            next_ = self._outcomes(play, self.one.ends(a, made), self.two.ends(b, right[key]))
            if isinstance(next_, Parting):
                return next_
            found += next_
        if any(k.actor is Actor.CHANCE for k in left) and self._other_odds(a, b):
            return Parting("chance", Play(play), "", ((), ()), states)
        return found

    def _alike(self, mine: Sequence[Instance], theirs: Sequence[Instance]) -> bool:
        """Whether some instances do the same in both programs, as likely."""
        if len(mine) != len(theirs):
            return False
        for i, j in zip(mine, theirs, strict=True):
            key = i.index, j.index
            if key not in self._same:
                same = i.label == j.label and i.weight is j.weight
                self._same[key] = same and effect_key(i.body) == effect_key(j.body)
            if not self._same[key]:
                return False
        return True

    def _outcomes(
        self,
        play: Labels,
        xs: Mapping[str, Values | None],
        ys: Mapping[str, Values | None],
    ) -> Parting | list[Node]:
        """Compare what one visible move leads to."""
        shown = {k: self.one.fields(x) for k, x in xs.items()}, {k: self.two.fields(y) for k, y in ys.items()}
        seen = set(shown[0].values()), set(shown[1].values())
        if seen[0] != seen[1]:
            return self._outcome(play, xs, ys, shown, seen)
        found = []
        for label, x in xs.items():
            if x is None:
                continue
            if label in ys and shown[1][label] == shown[0][label]:
                y = ys[label]
                if y is not None and x != y:
                    found.append(Node(Kind.PAIR, x, {y: ()}, (*play, label)))
                continue
            alike = {y: () for k, y in ys.items() if y is not None and shown[1][k] == shown[0][label]}
            if x not in alike:
                found.append(Node(Kind.LEFT, x, dict[Values, Labels](alike), (*play, label)))
        for label, y in ys.items():
            if y is None or (label in xs and shown[0][label] == shown[1][label]):
                continue
            plays = {x: (*play, k) for k, x in xs.items() if x is not None and shown[0][k] == shown[1][label]}
            if y not in plays:
                found.append(Node(Kind.RIGHT, y, plays, ()))
        return found

    @staticmethod
    def _outcome(
        play: Labels,
        xs: Mapping[str, Values | None],
        ys: Mapping[str, Values | None],
        shown: tuple[Mapping[str, Seen], Mapping[str, Seen]],
        seen: tuple[set[Seen], set[Seen]],
    ) -> Parting:
        mine = next((k for k in xs if shown[0][k] not in seen[1]), None)
        if mine is not None:
            theirs = mine if mine in ys else next(iter(ys))
        else:
            theirs = next(k for k in ys if shown[1][k] not in seen[0])
            mine = theirs if theirs in xs else next(iter(xs))
        return Parting("outcome", Play(play), mine, ((), ()), (xs[mine], ys[theirs]))

    def _other_odds(self, a: Values, b: Values) -> bool:
        """Whether odds differ for the same things seen; other things seen are told by a later node."""
        (seen, true), (theirs, facts) = self.one.odds(a), self.two.odds(b)
        if seen.keys() == theirs.keys() and seen != theirs:
            return True
        self.hidden_odds |= true != facts
        return False

    # -- one state against those that look the same ------------------------------------------------
    def _one_sided(self, node: Node) -> Parting | list[Node]:
        right = node.kind is Kind.RIGHT
        mine, theirs = (self.two, self.one) if right else (self.one, self.two)
        look = mine.look(node.lead)
        alike = {s: labels for s, labels in node.others.items() if theirs.look(s) == look}
        if not alike:
            return self._unlike(node)
        if mine.run.over(node.lead):
            return []
        found = []
        for key, made in mine.moves(node.lead).items():
            for label, x in mine.ends(node.lead, made).items():
                ends = list(self._ends(theirs, alike, key))
                if not ends:
                    other, labels = next(iter(alike.items()))
                    return self._parted(node, "moves", labels, "", ((key.label,), ()), node.lead, other)
                same = {s: at for _, s, at in ends if theirs.fields(s) == mine.fields(x)}
                if not same:
                    before, other_end, at = ends[0]
                    move = at[-1] if right else label
                    return self._parted(node, "outcome", before, move, ((), ()), x, other_end)
                if x is None or x in same:
                    continue
                live = {s: at for s, at in same.items() if s is not None}
                found.append(Node(node.kind, x, live, () if right else (*node.play, label)))
        return found

    @staticmethod
    def _ends(
        side: Side, states: Mapping[Values, Labels], key: Key
    ) -> Iterator[tuple[Labels, Values | None, Labels]]:
        """Plays to states, the states after a visible move there, and plays to those."""
        for s, labels in states.items():
            for label, end in side.ends(s, side.moves(s).get(key, ())).items():
                yield labels, end, (*labels, label)

    def _unlike(self, node: Node) -> Parting:
        """The parting where no state that looked the same does so any longer."""
        mine, theirs = (self.two, self.one) if node.kind is Kind.RIGHT else (self.one, self.two)
        other, labels = next(iter(node.others.items()))
        over = mine.run.over(node.lead)
        if over or theirs.run.over(other):
            how = "result" if over and theirs.run.over(other) else "end"
            return self._parted(node, how, labels, "", ((), ()), node.lead, other)
        left, right = mine.moves(node.lead), theirs.moves(other)
        return self._parted(
            node, "moves", labels, "", (_only(left, right), _only(right, left)), node.lead, other
        )

    @staticmethod
    def _parted(
        node: Node,
        how: str,
        labels: Labels,
        move: str,
        only: tuple[Labels, Labels],
        lead: Values | None,
        other: Values | None,
    ) -> Parting:
        """A parting at a one-sided node; `only` and the states are those of the lead's side first."""
        if node.kind is Kind.RIGHT:
            return Parting(how, Play(labels), move, (only[1], only[0]), (other, lead), shared=False)
        return Parting(how, Play(node.play), move, only, (lead, other), shared=False)


def _only(mine: Iterable[Key], theirs: Iterable[Key]) -> Labels:
    """Labels of moves that one side alone allows; the same label made by somebody else counts."""
    known = set(theirs)
    return tuple(dict.fromkeys(k.label for k in mine if k not in known))
