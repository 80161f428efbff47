"""Evidence: which readings the printed examples fit.

Promises: an example is run move by move on the interpreter under the readings that it consults; an option is
ruled out only where the example fails with it whatever is chosen for the other readings that the failing runs
consult; only an example from a table that is known to occur settles, one from any other leans.

For every option of every reading consulted a fitting run is looked for: first by that change alone to a run
that fits, then by changing further readings of the failing run, one after the other, as long as each brings
the run further. A mend that needs two readings at once, of which neither alone helps, is not found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from models.language.examples import Example
from models.language.ir import Actor
from models.language.program import Program
from models.language.questions import Reading
from solvers.compare.scripts import Failure, Run, position
from solvers.interpreter import Code, Interpreter, Values

#: Combinations of readings that are tried for one example at most.
MOST_TRIALS = 256

Choice = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Trial:
    """One example under one combination of readings.

    Attributes:
        readings: The readings that were taken otherwise than by default, with the options taken.
        failure: Where and why it fails, None if it fits.
        done: How many parts of the script went well.
        labels: The moves made, consequences included.
        start: The state in which it begins.
        end: The state in which it ends or fails.
        consulted: Readings that the rules on the way consult.
    """

    readings: Mapping[str, str]
    failure: Failure | None
    done: int
    labels: tuple[str, ...]
    start: Values
    end: Values
    consulted: frozenset[str]

    @property
    def fits(self) -> bool:
        """Whether the play is possible and shows what is said."""
        return self.failure is None

    @property
    def reason(self) -> str:
        """Where and why it fails, for the modeller; "" if it fits."""
        return str(self.failure or "")


@dataclass(frozen=True)
class Evidence:
    """What one example says about the readings.

    Attributes:
        example: The example.
        trials: All combinations of readings that were tried, the defaults first.
        possible: Reading consulted → the options with which some trial fits.
        settles: Reading → options that remain, where some are ruled out.
        reachable: Whether the table it starts from occurs: known (the setup always), known not to, or None.
        complete: Whether everything was tried (else nothing is ruled out by what was not).
    """

    example: Example
    trials: tuple[Trial, ...]
    possible: Mapping[str, tuple[str, ...]]
    settles: Mapping[str, tuple[str, ...]]
    reachable: bool | None
    complete: bool

    @property
    def conflict(self) -> bool:
        """Whether no combination fits."""
        return self.complete and not any(t.fits for t in self.trials)


class Builder:
    """Programs by size, variant and readings, each built once.

    Args:
        code: Compiled functions to share.
    """

    def __init__(self, code: Code | None = None) -> None:
        self.code = code or Code()
        self._kept: dict[tuple[object, ...], Interpreter] = {}

    def run(self, example: Example, readings: Mapping[str, str]) -> Interpreter:
        """The interpreter of an example's program under some readings."""
        chosen = tuple(sorted(readings.items()))
        key = (id(example.book), example.size, example.variant, example.rulings, chosen)
        if key not in self._kept:
            program = example.book.build(example.size, example.variant, readings, example.rulings)
            self._kept[key] = Interpreter(program, self.code)
        return self._kept[key]


#: Whether a position of a program occurs in some play: yes, no, or not known.
Occurs = Callable[[Program, Values], "bool | None"]


def _not_known(program: Program, state: Values) -> bool | None:
    return None


def gather(
    example: Example, build: Builder, readings: Mapping[str, Reading], occurs: Occurs = _not_known
) -> Evidence:
    """Run an example under the combinations of the readings that matter for it.

    Args:
        example: The example.
        build: Makes and keeps programs.
        readings: The readings to vary, declared and derived ones.
        occurs: Whether the position that it begins from occurs.

    Returns:
        The evidence.

    Errors:
        ModelError: the script names a rule that does not exist, or a move that fits several instances.
    """
    search = _Search(example, build, readings)
    first, program = search.trial({}), build.run(example, {}).program
    possible: dict[str, tuple[str, ...]] = {}
    if search.some_fit():
        for r in (r for r in readings if r in first.consulted | program.consulted):
            possible[r] = tuple(o for o in readings[r].options if search.fits(r, o))
    settles = {r: left for r, left in possible.items() if 0 < len(left) < len(readings[r].options)}
    reachable = True if not example.script.start else occurs(program, first.start)
    return Evidence(example, tuple(search.trials.values()), possible, settles, reachable, not search.cut)


class _Search:
    """Looks for fitting runs of one example."""

    def __init__(self, example: Example, build: Builder, readings: Mapping[str, Reading]) -> None:
        self.example, self.build, self.readings = example, build, readings
        self.trials: dict[Choice, Trial] = {}
        self.cut = False

    def trial(self, taken: Mapping[str, str]) -> Trial:
        """The run under some readings, the defaults elsewhere."""
        odd = {r: o for r, o in sorted(taken.items()) if o != self.readings[r].default}
        key = tuple(odd.items())
        if key not in self.trials:
            self.trials[key] = _try(self.example, self.build, odd)
        return self.trials[key]

    def some_fit(self) -> bool:
        """Whether any run fits; also true where too much was to be tried."""
        return self._search({}, "")

    def fits(self, reading: str, option: str) -> bool:
        """Whether some run with this option fits; also true where too much was to be tried."""
        default = self.readings[reading].default
        fitting = [t.readings for t in self.trials.values() if t.fits]
        if any(taken.get(reading, default) == option for taken in fitting):
            return True
        nearest: Mapping[str, str] = min(fitting, key=len, default={})
        return self._search({**nearest, reading: option}, reading)

    def _search(self, start: Mapping[str, str], fixed: str) -> bool:
        """Whether a run fits, beginning with some choices and changing all readings but one."""
        todo, seen = deque([start]), [start]
        if self.trial(start).fits:
            return True
        while todo:
            taken = todo.popleft()
            trial = self.trial(taken)
            for change in self._changes(trial, fixed):
                other = {**taken, **change}
                if other in seen:
                    continue
                if len(self.trials) >= MOST_TRIALS:
                    self.cut = True
                    return True
                seen.append(other)
                made = self.trial(other)
                if made.fits:
                    return True
                if made.done > trial.done:
                    todo.append(other)
        return False

    def _changes(self, trial: Trial, fixed: str) -> Iterator[dict[str, str]]:
        """Other options of the readings that a run consulted, but for one."""
        for r in sorted(trial.consulted & self.readings.keys() - {fixed}):
            taken = trial.readings.get(r, self.readings[r].default)
            yield from ({r: o} for o in self.readings[r].options if o != taken)


def _try(example: Example, build: Builder, readings: Mapping[str, str]) -> Trial:
    run = build.run(example, readings)
    begin = position(run.program, example.script.start, str(example.place))
    due = {r for i in run.program.instances if i.actor is Actor.RULES for r in i.readings}
    made = Run(run, begin, consulted=due)
    failure = made.script(example.script)
    return Trial(
        dict(readings),
        failure,
        made.done,
        tuple(made.labels),
        begin,
        made.state,
        frozenset(made.consulted),
    )


__all__ = ["Builder", "Evidence", "Occurs", "Trial", "gather", "position"]
