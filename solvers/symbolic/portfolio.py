"""Portfolio: several ways to answer one question about deep states, in turn, within one budget.

Promises: `Proved` only by exhausting all plays or by induction from proved invariants; `Refuted` only with a
play from the setup that the interpreter has replayed; `Unknown` says how far each member got.

The members, in the order in which they are asked:

1. one step: no state that keeps the invariants meets the goal (then it is proved to be impossible);
2. breadth-first search from the setup in native code, as far as little memory goes (sites and stuck states);
3. random play: games in native code, and plays with skewed choices on the interpreter;
4. as at a smaller size: the rules of a play that meets it there, in their order, with other parameters;
5. Spacer: an inductive condition made for this goal;
6. guided search on the interpreter, towards cubes around states that meet the goal;
7. forward unrolling from the setup;
8. unrolling from many reached states at once (those that came nearest, and random ones);
9. backward: a play to the goal from a state at rest, its start weakened to a cube, and that cube as the goal
   of the guided search (a jump over the phases between);
10. k-induction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import z3

from solvers.contract import Play, Progress, Proved, Refuted, Unknown, Verdict
from solvers.symbolic import bounded, goals, guided, patterns, spacer
from solvers.symbolic.cubes import Cube, generalise
from solvers.symbolic.encode import conj, neg
from solvers.symbolic.goals import Goal, Part
from solvers.symbolic.guided import Met, Reached
from solvers.symbolic.machine import Values
from solvers.symbolic.numbers import Truth
from solvers.symbolic.packed import pack
from solvers.symbolic.rollouts import Rollout
from solvers.symbolic.session import Invariants, Session
from solvers.symbolic.shorten import shorten
from solvers.symbolic.solving import Deadline, Solver
from solvers.symbolic.unroll import Disagreement, Found, confirm

#: A witness of up to this length is held against all shorter plays, for at most so many seconds.
MOST_CHECKED, _CHECK_SECONDS = 40, 5.0
_CUBES = 12


@dataclass
class _Log:
    """How far the members got, for people."""

    notes: list[str] = field(default_factory=list)

    def __call__(self, note: str) -> None:
        self.notes.append(note)

    def __str__(self) -> str:
        return "; ".join(self.notes) or "nothing was tried"


class Ask:
    """One question.

    Args:
        session: The program.
        goal: What a play shall meet.
        deadline: When to stop.
        invariants: Proved invariants (those of the session unless given).
        progress: Where to say which member is at work.
        search: Whether native code takes part (False: Z3 and the interpreter alone).
        like: Rules of a play that meets the goal at another size, in their order.
    """

    def __init__(
        self,
        session: Session,
        goal: Goal,
        deadline: Deadline,
        invariants: Invariants | None = None,
        progress: Progress | None = None,
        search: bool = True,
        like: Sequence[str] = (),
    ) -> None:
        self.like = like
        self.session, self.goal, self.deadline, self.progress = session, goal, deadline, progress
        self.machine, self.run = session.machine, session.run
        self.parts = goal.parts(session.machine)
        self.known = session.known(invariants)
        self.invariants = invariants or session.invariants
        self.log = _Log()
        self.search = search
        self.hits = _hits(goal)
        self.decided_by = ""
        self.depth = -1
        self.ruled_out = 0
        self.possible: list[tuple[Part, Solver]] = []
        self.models: list[tuple[Part, Values]] = []
        self.cubes: list[Cube] = []
        self.nearest: list[Reached] = []

    def verdict(self) -> Verdict:
        """Ask the members in turn."""
        if not self.parts:
            self.decided_by = "syntax"
            return Proved(f"{self._size}, no step can do it")
        members: list[tuple[str, Callable[[], Verdict | None]]] = [
            ("one step", self.one_step),
            ("breadth-first", self.breadth_first),
            ("random play", self.random_play),
            ("as at a smaller size", self.alike),
            ("Spacer", self.spacer),
            ("guided search", self.guided),
            ("forward", self.forward),
            ("from reached states", self.from_reached),
            ("backward", self.backward),
            ("k-induction", self.induction),
            ("forward, to the end", self.forward_on),
        ]
        for name, member in members:
            if self.deadline.passed:
                break
            found = self._with_progress(name, member)
            if found is not None:
                self.decided_by = name
                return found
        return Unknown(
            "the time is over" if self.deadline.passed else "no member of the portfolio decides it",
            str(self.log),
        )

    def _with_progress(self, name: str, member: Callable[[], Verdict | None]) -> Verdict | None:
        if self.progress is None:
            return member()
        with self.progress.task(f"{self.goal.key}: {name}"):
            return member()

    @property
    def _size(self) -> str:
        return self.session.program.size_name

    # -- members ---------------------------------------------------------------------------------
    def one_step(self) -> Verdict | None:
        """No state that keeps the invariants meets the goal; else states that do, as cubes."""
        solvers = [(p, Solver(self.machine.numbers, [*self.known, p.condition])) for p in self.parts]
        for part, solver in solvers:
            answer = solver.check(self.deadline.share(0.3))
            if answer is not False:
                self.possible.append((part, solver))
            if answer:  # a later check would not keep the model
                self.models.append((part, self.machine.values(solver.model(), self.machine.state)))
        if not self.possible:
            return Proved(self._scope("no state that keeps the proved invariants allows it"))
        self.log("one step: possible as far as the invariants know")
        return None

    def _make_cubes(self) -> None:
        """Cubes around states that meet the goal, as far as the invariants know."""
        deadline = self.deadline.share(0.2)
        for part, state in self.models[:_CUBES]:
            self._add_cube(part, state, deadline)
        self._more_cubes(self.possible, deadline.share(0.5))

    def _add_cube(self, part: Part, state: Values, deadline: Deadline) -> None:
        if not any(c.contains(state) for c in self.cubes):
            self.cubes.append(
                generalise(self.machine, part.condition, state, self.known, deadline.share(0.25))
            )

    def _more_cubes(self, possible: Sequence[tuple[Part, Solver]], deadline: Deadline) -> None:
        """Cubes apart from those there are, from each part in turn."""
        waiting = list(possible)
        while waiting and len(self.cubes) < _CUBES and not deadline.passed:
            part, solver = waiting.pop(0)
            solver.add(*(neg(c.truth(self.machine)) for c in self.cubes))
            if solver.check(deadline):
                self._add_cube(part, self.machine.values(solver.model(), self.machine.state), deadline)
                waiting.append((part, solver))

    def _scope(self, how: str) -> str:
        used = len(self.invariants.kept) if self.invariants is not None and self.invariants.complete else 0
        return f"{self._size}, all reachable states ({how}; {used} invariants)"

    def breadth_first(self) -> Verdict | None:
        """A shortest play, if native search from the setup comes by one."""
        stuck = isinstance(self.goal, goals.Stuck)
        if not self.search or not (stuck or self.hits):
            return None
        explored = self.session.explored(self.deadline.share(0.2))
        plays = [explored.stuck] if stuck else [explored.sites.get(hit.id) for hit in self.hits]
        found = [play.labels for play in plays if play is not None]
        if found:
            return Refuted(Play(self._checked(min(found, key=len)), shortest=True))
        if not explored.complete:
            # states at the greatest depth were not all met, and those one step before not all left
            self.ruled_out = max(explored.depth - 1, 0)
            self.log(f"breadth-first: no play of up to {self.ruled_out} steps")
        return None

    def random_play(self) -> Verdict | None:
        """Random games in native code, and this goal in the states of skewed random plays."""
        labels: tuple[str, ...] | None = None
        sites = [hit.site for hit in self.hits]
        if self.search and sites:
            labels = self.session.game_with(sites, self.deadline.share(0.3))
        if labels is None:
            rollouts = self.session.play(self.deadline.share(0.2))
            if sites:
                labels = min((rollouts.sites[s] for s in sites if s in rollouts.sites), key=len, default=None)
            else:
                labels = self._among(rollouts.plays)
            self.log(f"random play: not in {self.session.games} games and {rollouts.count} skewed plays")
        return None if labels is None else self.witness(labels)

    def _among(self, plays: Sequence[Rollout]) -> tuple[str, ...] | None:
        """The shortest prefix of some plays that meets the goal."""
        best: tuple[str, ...] | None = None
        takes_step = self.goal.takes_step
        for play in plays:
            for number, state in enumerate(play.states if best is None else play.states[: len(best)]):
                label = play.labels[number] if takes_step and number < len(play.labels) else None
                if self.session.goal_met(self.goal, state, label):
                    found = play.labels[: number + (label is not None)]
                    best = found if best is None or len(found) < len(best) else best
                    break
            if self.deadline.passed:
                break
        return best

    def alike(self) -> Verdict | None:
        """A play by the rules of one that is known at another size."""
        if not self.like:
            return None
        rules = self.like[: len(self.like) - self.goal.takes_step]
        deadline = self.deadline.share(0.5)
        for pattern in patterns.variations(rules):
            found = patterns.follow(self.machine, self.parts, pattern, deadline.share(0.4))
            if found is not None:
                confirm(self.run, self.goal, found)
                return self.witness(found.labels)
        self.log("as at a smaller size: no play by the rules of the one there")
        return None

    def spacer(self) -> Verdict | None:
        """A proof made for this goal, over integers."""
        if pack(self.goal) is None:  # a goal that speaks of another machine's state
            return None
        machine = self.session.integers
        parts = self.goal.parts(machine)  # further invariants would only make its questions larger
        if spacer.prove(machine, parts, machine.typed, self.deadline.share(0.35)) is not None:
            return Proved(
                f"{self._size}, all reachable states (an inductive condition found by Spacer, checked)"
            )
        self.log("Spacer: no proof")
        return None

    def guided(self) -> Verdict | None:
        """Best-first search towards the cubes."""
        self._make_cubes()
        if not self.cubes:
            return None
        return self._search(self.cubes, self.goal_met, self.deadline.share(0.2), "guided search")

    def goal_met(self, state: Values, label: str | None) -> bool:
        """Whether a step or state meets the goal."""
        return self.session.goal_met(self.goal, state, label)

    def _search(
        self, cubes: Sequence[Cube], met: Met, deadline: Deadline, name: str, then: Sequence[str] = ()
    ) -> Verdict | None:
        setup = Reached(self.session.program.start, ())
        found = guided.search(self.run, self.machine.phases, cubes, met, [setup], deadline)
        if found.found is not None:
            return self.witness((*found.found.labels, *then))
        self.nearest = [*found.nearest[:32], *self.nearest][:64]
        self.log(f"{name}: not in {found.states} states")
        return None

    def forward(self) -> Verdict | None:
        """Unrolling from the setup for a part of the time."""
        return self._forward(self.deadline.share(0.25))

    def forward_on(self) -> Verdict | None:
        """Unrolling from the setup with all the time that is left."""
        return self._forward(self.deadline)

    def _forward(self, deadline: Deadline) -> Verdict | None:
        result = bounded.forward(self.machine, self.parts, deadline)
        self.depth = max(self.depth, result.depth)
        if result.found is not None:
            confirm(self.run, self.goal, result.found)
            return Refuted(Play(result.found.labels, shortest=True))
        if result.exhausted:
            return Proved(f"{self._size}, all plays (none leads on after {result.depth} steps)")
        self.log(f"forward: no play of up to {result.depth + 1} steps")
        return None

    def from_reached(self) -> Verdict | None:
        """Unrolling from the nearest states and from random ones."""
        starts = [*self.nearest[:32], *self._random_states(32)]
        if not starts:
            return None
        deadline = self.deadline.share(0.4)
        result = bounded.from_states(self.machine, self.parts, [s.state for s in starts], deadline, most=24)
        if result.found is not None:
            return self.witness((*starts[result.origin].labels, *result.found.labels))
        self.log(f"from {len(starts)} reached states: no play of up to {result.depth + 1} steps")
        return None

    def _random_states(self, most: int) -> list[Reached]:
        useful = self.machine.phases.backward(goals.phases(self.machine, self.parts))
        found: list[Reached] = []
        for play in self.session.rollouts.plays:
            places = [n for n, s in enumerate(play.states) if self.machine.phases.of(s) in useful]
            if places:
                at = places[len(places) * (len(found) % 4 + 1) // 5]
                found.append(Reached(play.states[at], play.labels[:at]))
            if len(found) >= most:
                break
        return found

    def backward(self) -> Verdict | None:
        """A play to the goal from some state in the setup's phase; then the way to that state."""
        phases = self.machine.phases
        resting = Cube(
            {phases.slot: (phases.of(self.session.program.start),) * 2} if phases.slot >= 0 else {}
        )
        lead = bounded.induction(
            self.machine,
            self.parts,
            self.known,
            self.deadline.share(0.4),
            most=24,
            extra=resting.truth(self.machine),
        ).lead
        if lead is None:
            return None
        steps = lead.labels[:-1] if self.goal.takes_step else lead.labels
        last = lead.states[-1]
        part = next(p for p in self.parts if self._meets(p, last, lead.labels))
        condition = bounded.along(self.machine, steps, part)
        cube = generalise(self.machine, conj(condition), lead.states[0], self.known, self.deadline.share(0.3))
        self.log(
            f"backward: {len(lead.labels)} steps from a state with {len(cube.sides)} of "
            f"{len(self.machine.state)} slots fixed"
        )

        def into(state: Values, label: str | None) -> bool:
            return label is None and cube.contains(state)

        return self._search([cube], into, self.deadline.share(0.5), "jump", lead.labels)

    def _meets(self, part: Part, state: Values, labels: Sequence[str]) -> bool:
        if part.instance is not None and self.session.program.instances[part.instance].label != labels[-1]:
            return False
        value = self.machine.moved(part.condition, self.machine.literals(state))
        return bool(z3.is_true(z3.simplify(value)))

    def induction(self) -> Verdict | None:
        """k-induction, with the forward unrolling as its base case."""
        if self.depth < 0:
            return None
        result = bounded.induction(
            self.machine, self.parts, self.known, self.deadline.share(0.5), most=self.depth + 1
        )
        if result.proved is not None and result.proved <= self.depth + 1:
            return Proved(self._scope(f"k-induction, k = {result.proved}"))
        self.log(f"k-induction: not for k up to {result.tried}")
        return None

    # -- witnesses -------------------------------------------------------------------------------
    def witness(self, labels: Sequence[str]) -> Refuted:
        """A play that was found by search: shortened, held against shorter ones, and replayed."""
        instances = self.machine.program.instances
        last = {instances[p.instance].label for p in self.parts if p.instance is not None}
        until = Deadline.after(min(self.deadline.left * 0.3, 3 * _CHECK_SECONDS))
        short = shorten(
            self.run, labels, self.goal_met, until, last_step=self.goal.takes_step, last=last or None
        )
        before = len(short) - self.goal.takes_step
        if len(short) <= self.ruled_out + 1:
            return Refuted(Play(self._checked(short), shortest=True))
        if before <= MOST_CHECKED and not self.deadline.passed:
            until = Deadline.after(min(self.deadline.left * 0.3, _CHECK_SECONDS))
            result = bounded.forward(self.machine, self.parts, until, most=before)
            if result.found is not None:
                confirm(self.run, self.goal, result.found)
                return Refuted(Play(result.found.labels, shortest=True))
            if result.depth >= before - 1 or before == 0:
                return Refuted(Play(self._checked(short), shortest=True))
        return Refuted(Play(self._checked(short), shortest=False))

    def _checked(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        states = self.run.replay(labels[:-1] if self.goal.takes_step else labels)
        if not self.goal_met(states[-1], labels[-1] if self.goal.takes_step else None):
            raise Disagreement(f"{self.goal.key}: a play that was found does not meet the goal")
        return labels


def _hits(goal: Goal) -> list[goals.Hit]:
    """The sites one of which is to be recorded; none where the goal asks for something else too."""
    if isinstance(goal, goals.Hit):
        return [goal]
    parts = goal.goals if isinstance(goal, goals.AnyOf) else ()
    found = [g for g in parts if isinstance(g, goals.Hit)]
    return found if len(found) == len(parts) else []


def impossible(known: Sequence[Truth], parts: Sequence[Part]) -> Truth:
    """The condition that some part is met although the invariants hold (for other solvers)."""
    return conj(*known, goals.condition(parts))


__all__ = ["Ask", "Found", "impossible"]
