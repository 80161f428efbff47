"""Many questions side by side: an answer for each, kept as it comes, and no worker left behind."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from models.language import Program
from models.language.errors import ModelError
from models.language.registry import find
from models.language.terms import constant, equal
from solvers.contract import Proved, Refuted, Tick, Unknown
from solvers.symbolic import Cache, Invariants, ask_goals, ask_sites, pool
from solvers.symbolic.goals import Acts, AnyOf, Breaks, Chosen, Goal, Hit, Holds, Stuck
from solvers.symbolic.order import Apart
from solvers.symbolic.packed import pack, unpack


class Inline(Executor):
    """Runs each job where it is given, or does what a test wants instead."""

    def __init__(self, instead: Callable[[Future[Any]], None] | None = None) -> None:
        self.instead, self.jobs = instead, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.jobs += 1
        future: Future[Any] = Future()
        if self.instead is not None:
            self.instead(future)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(scope="module")
def program() -> Program:
    return find("fly_high").build("small", "basic")


SITES = ["stop:nothing-left", "row:after-reveal:finish.turn-over", "gap:after-reveal"]


def test_answers_come_in_the_order_of_the_questions_and_are_kept(program: Program, tmp_path: Path) -> None:
    cache, executor = Cache(tmp_path), Inline()
    found = ask_sites(program, SITES[1:], budget_seconds=30.0, executor=executor, cache=cache)
    assert list(found) == SITES[1:]
    play, proof = found.values()
    assert isinstance(play, Refuted)
    assert play.witness.labels[-1] == "turn_up(card=FINISH)"
    assert isinstance(proof, Proved)
    assert executor.jobs == 2

    def fail(future: Future[Any]) -> None:
        raise AssertionError("asked again")

    assert ask_sites(program, SITES[1:], executor=Inline(fail), cache=cache) == found


def test_a_worker_that_dies_leaves_its_question_open(program: Program, tmp_path: Path) -> None:
    broken = Inline(lambda future: future.set_exception(BrokenProcessPool("killed")))
    found = ask_sites(program, SITES[:2], executor=broken, cache=Cache(tmp_path))
    assert set(found.values()) == {Unknown("its worker process died", "perhaps it ran out of memory")}
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_never_answers(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_GRACE", 0.05)
    found = ask_sites(program, SITES[:2], budget_seconds=0.0, executor=Inline(lambda future: None))
    assert found == dict.fromkeys(SITES[:2], Unknown("the time is over", "its worker did not answer"))


class Watch:
    """Progress that counts answers, and may interrupt at one."""

    def __init__(self, interrupt_at: int = 0) -> None:
        self.done, self.interrupt_at = 0, interrupt_at

    @contextmanager
    def task(self, text: str, total: int | None = None) -> Iterator[Tick]:
        assert (text, total) == ("fly_high, small: questions", 2)

        def tick(count: int) -> None:
            self.done += count
            if self.done == self.interrupt_at:
                raise KeyboardInterrupt

        yield tick


def test_an_interruption_ends_the_workers(program: Program) -> None:
    """Real processes: one answer arrives, then the person has had enough."""
    before = set(multiprocessing.active_children())
    watch = Watch(interrupt_at=1)
    with pytest.raises(KeyboardInterrupt):
        ask_sites(program, [SITES[1], SITES[2]], budget_seconds=60.0, progress=watch)
    for child in set(multiprocessing.active_children()) - before:
        child.join(10.0)
    assert set(multiprocessing.active_children()) == before
    assert watch.done == 1


def test_invariants_of_another_program_are_refused(program: Program) -> None:
    other = Invariants("another", "small", (), True)
    with pytest.raises(ModelError, match="the invariants were proved for another program"):
        ask_goals(program, [Stuck()], invariants=other)


def test_goals_survive_packing(program: Program) -> None:
    """Every kind of goal is the same after it was carried to another process."""
    term = program.expression(lambda t: equal(t.deck, constant(0)))
    step = program.transition(lambda before, after: after.deck <= before.deck)
    i = program.instances[0]
    goals: list[Goal] = [
        Hit(0, program.sites[0].id),
        Acts(i.index, i.label),
        Apart(0, 1, "order a b"),
        Stuck(),
        Holds("empty", term),
        Breaks("grows", step),
        Chosen(Hit(0, program.sites[0].id), term, "empty deck"),
        AnyOf("some", (Stuck(), Holds("empty", term))),
    ]
    for goal in goals:
        packed = pack(goal)
        assert packed is not None
        again = unpack(packed, program)
        assert (again, again.key) == (goal, goal.key)


def test_what_plain_data_cannot_carry_is_asked_here(program: Program) -> None:
    class Never:
        """A goal of a kind that no worker knows."""

        key, takes_step = "never", False

        def parts(self, machine: Any) -> list[Any]:
            return []

        def met(self, run: Any, before: Any, label: Any) -> bool:
            return False

    executor = Inline()
    found = ask_goals(program, [Never()], executor=executor)
    assert found == {"never": Proved("small, no step can do it")}
    assert executor.jobs == 0
