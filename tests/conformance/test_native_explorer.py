"""The native explorer against the reference: tiny machines, random programs, the beginning of every rulebook.

More programs, all sizes: `RULESLAWYER_EXAMPLES=20000 RULESLAWYER_ALL_SIZES=1 pytest tests/conformance`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from models.language import Program, registry
from models.language.places import here
from models.language.slots import Leaf
from properties.kinds import Form, Property, of
from solvers.contract import Limits
from solvers.explorer import explore
from solvers.explorer.native import NativeSearch
from solvers.explorer.native.machine import Modules
from solvers.explorer.reference import Search
from tests.conformance.explorers import WAYS, agree, reference
from tests.machines import MACHINES
from tests.naive_play import Position
from tests.random_programs import Random, rulebooks

EXAMPLES = int(os.environ.get("RULESLAWYER_EXAMPLES", "500"))
ALL_SIZES = bool(os.environ.get("RULESLAWYER_ALL_SIZES"))
_MOST = 400
_SLOW = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MACHINES)
def test_machines(name: str, way: str, tmp_path: Path) -> None:
    machine = MACHINES[name]
    program = machine.program()
    found = WAYS[way](program, (), Modules(tmp_path))
    assert (found.states, found.transitions) == (machine.states, machine.transitions)
    assert (found.stuck_states, found.over_states) == (machine.stuck, machine.over)
    assert {site: len(play.labels) for site, play in found.sites.items()} == dict(machine.sites)
    agree(found, explore(program, engine="reference", graph=True))


def builds() -> Iterator[tuple[str, str, str]]:
    """Of each rulebook the first size in every variant and the printed one; all sizes where asked for."""
    for name in registry.names():
        book = registry.find(name)
        first, last = next(iter(book.sizes)), list(book.variants)[-1]
        for size in book.sizes:
            for variant in book.variants:
                if ALL_SIZES or size == first or (size == "print" and variant == last):
                    yield name, size, variant


@pytest.mark.parametrize(("name", "size", "variant"), list(builds()))
def test_the_first_states_of_every_rulebook(name: str, size: str, variant: str, tmp_path: Path) -> None:
    """Also of those far too large to be explored, of up to two dozen words a state."""
    book = registry.find(name)
    program = book.build(size, variant)
    native = NativeSearch(program, list(of(book).of(variant)), Limits(), False, modules=Modules(tmp_path))
    expected = Search(program, list(of(book).of(variant)), Limits(), False)
    native.begin()
    while (status := native.machine.call("run", 40, 1 << 62)) == 2:
        native.machine, _ = native.space.grow(native.machine, native.load)
    assert status in (0, 1)
    for number in range(native.machine.get("head")):
        expected.expand(number)
    assert native.machine.get("tail") == len(expected.found)
    for number in range(len(expected.found)):
        assert native.packing.decode(native.words(number)) == expected.found.order[number]
    result = native.result("a limit", 0.0)
    assert result.fired == {program.instances[i].label: n for i, n in expected.fired.items()}
    assert result.sites == {program.sites[i].id: p for i, p in expected.sites.items()}
    assert (result.violated, result.met) == (expected.violated, expected.met)
    assert (result.stuck_states, result.over_states) == (expected.stuck_states, expected.over_states)


def checked(program: Program) -> list[Property]:
    """Some properties of any program: of states, of steps, and something to be reached."""

    def prop(name: str, form: Form, holds: Callable[..., Any]) -> Property:
        return Property(name, form, holds, None, (), (), "", here())

    made = [
        prop("over", Form.SOMETIMES, lambda t: program.over),
        prop("goes on", Form.ALWAYS, lambda t: ~program.over),
    ]
    for number, wins in enumerate(program.winners):
        made.append(prop(f"wins {number}", Form.SOMETIMES, lambda t, wins=wins: wins))
        made.append(prop(f"loses {number}", Form.ALWAYS, lambda t, wins=wins: ~wins))
    for name, node in program.layout.fields.items():
        if isinstance(node, Leaf):
            made.append(prop(f"{name} stays", Form.STEP, lambda a, b, n=name: getattr(a, n) == getattr(b, n)))
    return made


def elsewhere(book: Random, program: Program, chance: random.Random) -> Program:
    """The program with another setup: most random programs reach little from their own."""
    values = Position.anywhere(book.shapes, chance).flat()
    slots = tuple(replace(s, start=v) for s, v in zip(program.layout.slots, values, strict=True))
    return replace(program, layout=replace(program.layout, slots=slots))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=_SLOW)
@given(rulebooks(), st.sampled_from(sorted(WAYS)), st.integers(0, 1 << 30))
def test_random_programs(tmp_path: Path, book: Random, way: str, seed: int) -> None:
    chance, own = random.Random(seed), book.build()
    for program in (own, elsewhere(book, own, chance)):
        properties = checked(program)
        expected = reference(program, properties, _MOST)
        if expected is None:
            event("too many states")
            continue
        assert not isinstance(expected, str)
        event(f"{way}: {'one' if expected.states == 1 else 'few' if expected.states < 20 else 'many'} states")
        agree(WAYS[way](program, properties, Modules(tmp_path)), expected)
