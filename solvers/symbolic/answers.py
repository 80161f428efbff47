"""Answers: sites, properties and pairs of consequences asked of the symbolic engine, one verdict each.

Promises: see `solvers.symbolic`; a budget is seconds of wall-clock time for one call, and is kept to within a
few seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.program import Program
from properties.kinds import Form, Property
from solvers.contract import Progress, Proved, Refuted, Unknown, Verdict
from solvers.symbolic import goals
from solvers.symbolic.cache import Cache
from solvers.symbolic.goals import Goal
from solvers.symbolic.minimal import Situation, minimal
from solvers.symbolic.order import pairs
from solvers.symbolic.paths import TooLarge
from solvers.symbolic.portfolio import Ask
from solvers.symbolic.session import Invariants, session
from solvers.symbolic.solving import Deadline


def find_invariants(
    program: Program,
    properties: Sequence[Property] = (),
    *,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> Invariants:
    """Prove invariants: properties of the form `always`, and what is mined from random play.

    Args:
        program: The program.
        properties: Properties that shall take part.
        budget_seconds: Time for it.
        progress: Where to say how far it is.
        cache: Where proofs are kept between runs.

    Returns:
        What was proved; empty and not `complete` if the time did not suffice.
    """
    question = "invariants " + ", ".join(sorted(p.name for p in properties if p.form is Form.ALWAYS))
    kept = cache.invariants(program, question) if cache is not None else None
    if kept is not None:
        session(program).adopt(kept)
        return kept
    try:
        found = session(program).prove(properties, Deadline.after(budget_seconds), progress)
    except TooLarge:
        return Invariants(program.digest, program.size_name, (), False)
    if cache is not None:
        cache.keep_invariants(question, program, found)
    return found


def ask(
    program: Program,
    goal: Goal,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
    search: bool = True,
    like: Sequence[str] = (),
) -> Verdict:
    """Ask whether some play meets a goal.

    Args:
        program: The program.
        goal: What the play shall meet.
        invariants: From `find_invariants`; what was proved before for this program unless given.
        budget_seconds: Time for the answer.
        progress: Where to say which member of the portfolio is at work.
        cache: Where answers are kept between runs.
        search: Whether native code may look for plays too (False: Z3 and the interpreter alone).
        like: Names of the rules in a play that meets the goal at another size, in their order.

    Returns:
        `Refuted` with a replayed play that meets it, `Proved` that none does, or `Unknown`.

    Errors:
        ModelError: the invariants are of another program.
    """
    if invariants is not None and invariants.digest != program.digest:
        raise ModelError(
            "the invariants were proved for another program",
            hint="call find_invariants with the program that is asked",
        )
    kept = cache.verdict(program, goal.key) if cache is not None else None
    if kept is not None:
        return kept
    try:
        deadline = Deadline.after(budget_seconds)
        verdict = Ask(session(program), goal, deadline, invariants, progress, search, like).verdict()
    except TooLarge as error:
        return Unknown(str(error), "nothing was tried")
    if cache is not None:
        cache.keep(program, goal.key, verdict)
    return verdict


def site_goal(program: Program, site_id: str) -> Goal:
    """The goal of a site.

    Errors:
        ModelError: no such site.
    """
    if site_id not in program.site_number:
        raise ModelError(
            f"{program.book.name} has no site {site_id!r}",
            hint=did_you_mean(site_id, program.site_number) or "see Program.sites",
        )
    return goals.site(program, site_id)


def ask_site(
    program: Program,
    site_id: str,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
    search: bool = True,
) -> Verdict:
    """Ask whether some play records a site; see `ask`. For a row, `Proved` means that it is dead.

    Errors:
        ModelError: no such site; invariants of another program.
    """
    return ask(
        program,
        site_goal(program, site_id),
        invariants=invariants,
        budget_seconds=budget_seconds,
        progress=progress,
        cache=cache,
        search=search,
    )


def ask_property(
    program: Program,
    prop: Property,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> Verdict:
    """Ask a property.

    Returns:
        `always`, `step`: `Refuted` with a play that breaks it, `Proved` that it holds. `sometimes`: `Refuted`
        with a play that meets it, `Proved` that none does. Others need the graph of all states: `Unknown`.
    """
    goal = property_goal(program, prop)
    if goal is None:
        return Unknown(
            f"a property of the form {prop.form.value} needs all reachable states", "not asked of Z3"
        )
    proved = invariants or session(program).invariants
    if prop.form is Form.ALWAYS and proved is not None and proved.complete and prop.name in proved.names:
        return Proved(proved.scope)
    return ask(
        program, goal, invariants=invariants, budget_seconds=budget_seconds, progress=progress, cache=cache
    )


def property_goal(program: Program, prop: Property) -> Goal | None:
    """What a play shall meet to decide a property; None for those about the whole graph."""
    if prop.form is Form.ALWAYS:
        return goals.violation(prop.name, prop.term(program))
    if prop.form is Form.STEP:
        return goals.Breaks(prop.name, prop.term(program))
    return goals.Holds(prop.name, prop.term(program)) if prop.form is Form.SOMETIMES else None


def prove(
    program: Program,
    properties: Sequence[Property],
    *,
    budget: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> dict[str, Verdict]:
    """Prove properties together, then ask those that are left one by one.

    Args:
        program: The program.
        properties: The properties; each is asked as in `ask_property`.
        budget: Seconds in all.
        progress: Where to say how far it is.
        cache: Where proofs and answers are kept between runs.

    Returns:
        Property name → verdict.
    """
    deadline = Deadline.after(budget)
    proved = find_invariants(
        program, properties, budget_seconds=deadline.left * 0.6, progress=progress, cache=cache
    )
    verdicts: dict[str, Verdict] = {}
    waiting = list(properties)
    while waiting:
        prop = waiting.pop(0)
        seconds = deadline.left / (len(waiting) + 1)
        verdicts[prop.name] = ask_property(
            program, prop, invariants=proved, budget_seconds=seconds, progress=progress, cache=cache
        )
    return verdicts


def ask_stuck(
    program: Program,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> Verdict:
    """Ask whether some play comes to a state in which nobody may act although the game is not over."""
    return ask(
        program,
        goals.Stuck(),
        invariants=invariants,
        budget_seconds=budget_seconds,
        progress=progress,
        cache=cache,
    )


def ask_order(
    program: Program,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 60.0,
    progress: Progress | None = None,
    cache: Cache | None = None,
) -> dict[tuple[str, str], Verdict]:
    """Ask for every pair of rules whose consequences may be due at once whether their order matters.

    Returns:
        The two rules (in alphabetical order) → `Refuted` with a play to a state from which the two orders
            come
        to rest apart, `Proved` that they commute wherever both are due, or `Unknown`.
    """
    deadline = Deadline.after(budget_seconds)
    asked = list(pairs(program, session(program).machine))
    found: dict[tuple[str, str], Verdict] = {}
    for number, (rules, questions) in enumerate(asked):
        until = deadline.share(1 / (len(asked) - number))
        verdicts: list[Verdict] = []
        for at, goal in enumerate(questions):
            seconds = until.left / (len(questions) - at)
            verdicts.append(
                ask(
                    program,
                    goal,
                    invariants=invariants,
                    budget_seconds=seconds,
                    progress=progress,
                    cache=cache,
                )
            )
            if isinstance(verdicts[-1], Refuted):
                break
        found[rules] = _worst(verdicts)
    return found


def _worst(verdicts: Sequence[Verdict]) -> Verdict:
    for kind in (Refuted, Unknown):
        for v in verdicts:
            if isinstance(v, kind):
                return v
    return verdicts[0]


def smallest(
    program: Program,
    goal: Goal,
    verdict: Verdict,
    *,
    invariants: Invariants | None = None,
    budget_seconds: float = 30.0,
) -> Situation | None:
    """A play to the same goal whose situation is as small as can be found; None if there is no play."""
    if not isinstance(verdict, Refuted):
        return None
    return minimal(session(program), goal, verdict.witness, Deadline.after(budget_seconds), invariants)
