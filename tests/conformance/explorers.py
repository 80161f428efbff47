"""Ways to run the native explorer, and what two explorations must agree on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from models.language import Program
from properties.kinds import Property
from solvers.contract import Limits
from solvers.explorer import Exploration
from solvers.explorer.native import NativeSearch
from solvers.explorer.native.machine import Modules
from solvers.explorer.native.packing import pack
from solvers.explorer.native.search import Late
from solvers.explorer.reference import Search
from solvers.interpreter import Mixed

Search_ = Callable[[Program, Sequence[Property], Modules], Exploration]

_SAME = (
    "states",
    "transitions",
    "depth",
    "stopped_by",
    "sites",
    "stuck",
    "stuck_states",
    "over_states",
    "fired",
    "violated",
    "met",
)


def plain(program: Program, properties: Sequence[Property], modules: Modules) -> Exploration:
    """As a user gets it."""
    return NativeSearch(program, properties, Limits(), False, modules=modules).explore(None)


def with_graph(program: Program, properties: Sequence[Property], modules: Modules) -> Exploration:
    """With the transitions."""
    return NativeSearch(program, properties, Limits(), True, modules=modules).explore(None)


def many_words(program: Program, properties: Sequence[Property], modules: Modules) -> Exploration:
    """States spread over several words."""
    packing = pack(program, width=5)
    return NativeSearch(program, properties, Limits(), False, modules=modules, packing=packing).explore(None)


def wide(program: Program, properties: Sequence[Property], modules: Modules) -> Exploration:
    """64-bit memories."""
    return NativeSearch(program, properties, Limits(), False, modules=modules, wide=True).explore(None)


def late(program: Program, properties: Sequence[Property], modules: Modules) -> Exploration:
    """A few states with the first code, the rest with the code made for what is left to record."""
    search = NativeSearch(program, properties, Limits(), False, modules=modules)
    search.begin()
    if search.machine.call("run", 3, 1 << 62) == 3:
        search.mixed()
    change = Late(search)
    change.after = 0
    change.consider(3)
    assert change.thread is not None
    change.thread.join()
    change.consider(3)
    assert search.plan.late
    return search.result(search.run(0.0, lambda n: None), 0.0)


WAYS: Mapping[str, Search_] = {
    "plain": plain,
    "graph": with_graph,
    "words": many_words,
    "wide": wide,
    "late": late,
}


def reference(program: Program, properties: Sequence[Property], most: int) -> Exploration | str | None:
    """What the reference finds: None for more states than wanted, a message where actors are mixed."""
    search = Search(program, (), Limits(), False)
    try:
        done = 0
        while done < len(search.found):
            if done > most:
                return None
            search.expand(done)
            done += 1
        return Search(program, properties, Limits(), True).explore(None)
    except Mixed as error:
        return str(error)


def agree(native: Exploration, expected: Exploration) -> None:
    """Two explorations are the same in everything that is promised."""
    for name in _SAME:
        assert getattr(native, name) == getattr(expected, name), name
    if native.graph is not None:
        same_graph(native, expected)


def same_graph(native: Exploration, expected: Exploration) -> None:
    """The transitions and the states are the same, and so are the plays to them."""
    one, two = native.graph, expected.graph
    assert one is not None
    assert two is not None
    for part in ("first", "target", "instance", "over"):
        assert np.array_equal(getattr(one, part), getattr(two, part)), part
        assert getattr(one, part).dtype == getattr(two, part).dtype
    assert len(one.states) == len(two.states)
    for number in range(len(two.states)):
        assert one.states[number] == two.states[number]
        assert one.states.play(number) == two.states.play(number)
