"""The generated machine: a Hypothesis `RuleBasedStateMachine` made from a built rulebook.

Promises: only moves that are allowed are drawn; consequences that follow alone happen by themselves; every
invariant is checked in every state and every property of steps after every step; what a failing play prints
is the whole play, as code. Subclass the machine to add rules of your own.

A machine has one generated rule, `move`: Hypothesis switches whole rules off in some runs (swarm testing,
Groce et al. 2012), which would leave most runs of a game without any legal move. The same idea is applied to
the rules of the game instead: in each run some of them are quiet, and act only where nothing else can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from hypothesis import event, note, target
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from models.language.book import Rulebook
from models.language.errors import ModelError
from models.language.ir import COVERAGE, Actor, Instance
from solvers.fuzz.failures import Failure, failure
from solvers.fuzz.log import Log
from solvers.fuzz.paste import example_text
from solvers.fuzz.plan import Built, Choice, Plan, plan
from solvers.fuzz.positions import replaced
from solvers.fuzz.shorten import shorten
from solvers.interpreter import Interpreter, Mixed, Values

F = TypeVar("F", bound=Callable[..., Any])

#: What `move` is called with where a game has ended and the next one begins.
NEW_GAME = "new game"


class RulebookMachine(RuleBasedStateMachine):
    """Base of the generated machines; see `machine_of`.

    Attributes:
        plan: What the campaign varies.
        log: What was seen, over all runs of the class.
        brief: Whether a failure is told with the play that met it, without the search for a better one.
        built: The program that is played in this run.
        state: The position; None where the play stopped.
        labels: The moves since the setup, consequences included.
        enabled: Who may move now.
        ended: `over`, `stopped` or `stuck` where nobody may move, else "".
    """

    plan: ClassVar[Plan]
    log: ClassVar[Log]
    brief: ClassVar[bool] = False
    built: Built
    state: Values | None
    labels: list[str]
    enabled: list[Instance]
    ended: str

    def __init__(self) -> None:
        super().__init__()
        self.quiet: frozenset[str] = frozenset()
        self.hits: set[int] = set()
        self.acted: set[str] = set()
        self.longest = 0
        self.since_own = 0
        self.failed = False
        self.own: list[str] = []
        self._draws: dict[tuple[int, ...], st.SearchStrategy[str]] = {}

    # -- a game ------------------------------------------------------------------------------------
    def begin(self, choice: Choice, quiet: frozenset[str]) -> None:
        """Begin a run: build, and set the first game up."""
        self.built, self.quiet = self.plan.build(choice), quiet
        self.new_game()

    def new_game(self) -> None:
        """Set a game up."""
        self.state, self.labels, self.own = self.built.program.start, [], []
        self.log.plays += 1
        self._check(self.state)
        self._look()
        self._follow()

    @property
    def run(self) -> Interpreter:
        """The interpreter of the program that is played."""
        return self.built.run

    def _draw(self) -> st.SearchStrategy[str]:
        """The moves to draw from: those of rules that are not quiet, or all if there are none."""
        if self.ended:
            return _NEW_GAME
        key = tuple(i.index for i in self.enabled)
        found = self._draws.get(key)
        if found is None:
            loud = [i.label for i in self.enabled if i.rule not in self.quiet]
            found = self._draws[key] = st.sampled_from(loud or [i.label for i in self.enabled])
        return found

    @rule(label=st.runner().flatmap(lambda machine: machine._draw()))
    def move(self, label: str) -> None:
        """Make a move that is allowed, and all consequences that follow alone."""
        if self.ended:
            self.new_game()
            return
        instance = self.built.program.by_label.get(label)
        if instance is None or instance not in self.enabled:
            raise ModelError(f"{label} is not allowed there", hint="the play is of another program")
        self.take(instance)
        self._follow()
        self.since_own += 1

    def take(self, instance: Instance) -> None:
        """Carry out one enabled instance, check the step and the new position."""
        before, log, choice = self.state, self.log, self.built.choice
        assert before is not None
        self.labels.append(instance.label)
        step = self.step(before, instance)
        log.steps += 1
        log.rules[instance.rule] += 1
        self.acted.add(instance.rule)
        for site in step.hits:
            self.hits.add(site)
            id = self.built.program.sites[site].id
            log.sites[id] += 1
            log.saw(id, choice, self.labels)
        self.state = step.state
        if step.state is None:
            self._end("stopped")
            return
        for name in self.built.broken_step(before, step.state):
            self._fail(name)
        self._check(step.state)
        self._look()

    def step(self, before: Values, instance: Instance) -> Any:
        """What an instance does; a lock-step machine asks several engines here."""
        return self.run.step(before, instance)

    def _follow(self) -> None:
        """Let consequences that follow alone happen; a position that comes back is an endless cycle."""
        passed: set[Values] = set()
        while not self.ended and len(self.enabled) == 1 and self.enabled[0].actor is Actor.RULES:
            assert self.state is not None
            if self.state in passed:
                self._hazard("endless")
                self._end("endless")
                return
            passed.add(self.state)
            self.take(self.enabled[0])

    # -- what is checked -----------------------------------------------------------------------------
    def _look(self) -> None:
        """Who may move now."""
        assert self.state is not None
        self.ended = ""
        try:
            self.enabled = self.run.enabled(self.state)
        except Mixed as error:
            raise self._failure("mixed", str(error)) from error
        if not self.enabled:
            over = self.run.over(self.state)
            if not over:
                self._hazard("stuck")
            self._end("over" if over else "stuck")

    def _end(self, how: str) -> None:
        self.ended, self.enabled = how, []
        self.log.ends[how] += 1
        self.longest = max(self.longest, len(self.labels))

    def _check(self, state: Values) -> None:
        for name in self.built.broken(state):
            self._fail(name)
        for name, t in self.built.sometimes:
            if f"sometimes:{name}" not in self.log.first and self.run.value(t, state):
                self.log.saw(f"sometimes:{name}", self.built.choice, self.labels)

    def _hazard(self, what: str) -> None:
        self.log.saw(what, self.built.choice, self.labels)
        self._fail(what)

    def _fail(self, what: str) -> None:
        if what in self.plan.tolerate:
            self.log.broken[what] += 1
            return
        raise self._failure(what, "")

    def _failure(self, what: str, detail: str) -> Failure:
        self.failed = True
        found = failure(self.built, what, self.labels, self.own, detail)
        if not self.brief:
            note(_Best(self.plan, found))
        return found

    @precondition(lambda machine: bool(machine.own))
    @invariant()
    def the_position_holds(self) -> None:
        """All invariants hold, also after a rule of a subclass has changed the position."""
        if self.state is not None:
            self._check(self.state)

    # -- what guides the search ------------------------------------------------------------------------
    def teardown(self) -> None:
        """Tell Hypothesis how far this run came: rare questions, different rules, long games."""
        if self.failed or not hasattr(self, "built"):
            return
        sites = self.built.program.sites
        rare = [sites[s] for s in self.hits if sites[s].kind not in COVERAGE]
        for site in rare:
            event(f"asked {site.id}")
        if self.ended:
            event(f"the last game ended: {self.ended}")
        target(float(len(rare)), label="questions met")
        target(float(len(self.hits) + len(self.acted)), label="rules and rows met")
        target(float(max(self.longest, len(self.labels))), label="longest game")

    # -- for rules of one's own ------------------------------------------------------------------------
    def put(self, what: str, **fields: object) -> None:
        """Change the position by something that the rulebook does not tell; for rules of a subclass.

        Args:
            what: What happened, for the report of a failing play.
            fields: Field → value: numbers, members, and lists or dictionaries of them for arrays.

        Errors:
            ModelError: an unknown field, or a value outside its range.
        """
        if self.state is None:
            return
        self.state = replaced(self.built.program, self.state, fields, what)
        self.labels.append(f"({what})")
        self.own.append(what)
        self.since_own = 0
        self._look()


class _Best:
    """What a failing run prints: the code of the shortest play that is found to fail in the same way.

    It is worked out only when it is printed, which Hypothesis does for the smallest run alone.
    """

    def __init__(self, plan: Plan, found: Failure) -> None:
        self.plan, self.found = plan, found

    def __repr__(self) -> str:
        return example_text(shorten(self.plan, self.found))


_NEW_GAME = st.just(NEW_GAME)


def now_and_then(every: int = 4) -> Callable[[F], F]:
    """Decorator for rules of a subclass: at most once in so many moves, while a game is on.

    It stands below `@rule`. Without it a rule of one's own would be drawn as often as all moves of the game
    together, and runs in which Hypothesis switches `move` off would consist of nothing else.

    Args:
        every: Number of moves that must have been made since the last rule so decorated, at least 1.

    Errors:
        ModelError: a number below 1.
    """
    if every < 1:
        raise ModelError(f"now_and_then(every={every})", hint="give a number of moves, at least 1")

    def due(machine: RulebookMachine) -> bool:
        return not machine.ended and machine.state is not None and machine.since_own >= every

    return precondition(due)


def machine_of(
    what: Plan | Rulebook, *, base: type[RulebookMachine] = RulebookMachine
) -> type[RulebookMachine]:
    """Make the machine of a rulebook.

    Args:
        what: A plan, or a rulebook for the plan that takes all its sizes and variants.
        base: Class to derive it from.

    Returns:
        A `RuleBasedStateMachine`; its `TestCase` is a test, and its `log` says what was seen.
    """
    made = what if isinstance(what, Plan) else plan(what)
    rules = made.choosing_rules
    quiet = (
        st.frozensets(st.sampled_from(rules), max_size=len(rules) // 2)
        if len(rules) > 1
        else st.just(frozenset())
    )

    @initialize(build=st.sampled_from(tuple(made.by_name)), quiet=quiet)
    def setup(self: RulebookMachine, build: str, quiet: frozenset[str]) -> None:
        self.begin(made.by_name[build], quiet)

    name = "".join(part.capitalize() for part in made.book.name.split("_")) + "Machine"
    doc = f"Random play of {made.book.title}."
    members = {"setup": setup, "plan": made, "log": Log(), "__doc__": doc, "__module__": __name__}
    return type(name, (base,), members)
