"""The native explorer's own promises: growth, limits, memories, cache, strange models."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from models.fly_high.rules import book as fly_high
from models.language import CHANCE, Array, Bool, Program, Range, Rulebook, Size, State, least, player
from properties.kinds import of
from solvers.contract import Limits, Proved, Tick, Unknown
from solvers.explorer import explore
from solvers.explorer.native import NativeSearch, Unsupported, generate, memory, search
from solvers.explorer.native.machine import Machine, Modules, cache_folder
from solvers.explorer.native.packing import MARK, pack
from solvers.explorer.native.states import Plays
from solvers.interpreter import Interpreter, Mixed
from tests.conformance.explorers import agree


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    return Modules(tmp_path / "cache")


def machine(name: str, state: type[State], rules: Callable[[Rulebook], None]) -> Program:
    book = Rulebook(name, sizes={"only": Size()}, players=1, clauses=["c"])
    book.state(state)
    rules(book)
    return book.build()


def counters(*most: int, lo: int = 0) -> Program:
    """Independent counters, each of which may be raised to its most."""

    class Table(State):
        pass

    for n, hi in enumerate(most):
        setattr(Table, f"c{n}", Range(lo, hi, start=lo))
        getattr(Table, f"c{n}").name = f"c{n}"

    def rules(book: Rulebook) -> None:
        def up(t: State, which: int) -> None:
            for n, hi in enumerate(most):
                if n == which:
                    t.require(getattr(t, f"c{n}") < hi)
                    setattr(t, f"c{n}", getattr(t, f"c{n}") + 1)

        book.rule("c", by=player(lambda t: 0), which=len(most))(up)
        book.over("c")(lambda t: t.c0 == most[0])

    return machine("counters", Table, rules)


def found(program: Program, modules: Modules, **options: Any) -> NativeSearch:
    """A finished search."""
    made = NativeSearch(program, (), options.pop("limits", Limits()), False, modules=modules, **options)
    made.explore(None)
    return made


# -- counts and growth ------------------------------------------------------------------------------------


def test_a_million_states_are_counted_exactly_within_24_bytes_each(modules: Modules) -> None:
    program = counters(100, 99, 99)
    made = NativeSearch(program, (), Limits(), False, modules=modules)
    result = made.explore(None)
    assert result.states == 101 * 100 * 100
    assert result.transitions == 100 * (100 * 100 + 99 * 100 + 99 * 100)
    assert (result.depth, result.over_states, result.stuck_states) == (298, 100 * 100, 0)
    assert result.fired == {"up(which=0)": 10**6, "up(which=1)": 99 * 10**4, "up(which=2)": 99 * 10**4}
    assert made.space.used(made.machine) / result.states <= 24
    assert result.engine == "native"
    assert result.verdict(None) == Proved("only, all 1010000 reachable states")


@pytest.mark.parametrize("wide", [False, True])
def test_a_table_that_grows_in_small_steps_loses_nothing(
    wide: bool, modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_FOURFOLD", 0)
    result = NativeSearch(counters(60, 60, 60), (), Limits(), False, modules=modules, wide=wide).explore(None)
    assert (result.states, result.stuck_states) == (61**3, 0)


def test_a_table_with_little_behind_its_end_grows_in_time(
    modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generate, "FIRST_LINES", 16)
    monkeypatch.setattr(generate, "FIRST_SPARE", 3)
    monkeypatch.setattr(memory, "_FOURFOLD", 0)
    result = NativeSearch(counters(30, 30, 30), (), Limits(), False, modules=modules).explore(None)
    assert result.states == 31**3


def test_a_search_that_outgrows_32_bits_moves_to_64(
    modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "NARROW", 1 << 22)
    made = NativeSearch(counters(80, 80, 80), (), Limits(), True, modules=modules)
    result = made.explore(None)
    assert made.machine.wide
    assert result.states == 81**3
    assert result.graph is not None
    assert result.graph.states[81**3 - 1] == (80, 80, 80)
    assert len(result.graph.states.play(81**3 - 1)) == 240


def test_a_search_that_cannot_move_to_64_bits_keeps_what_it_found(
    modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may refuse the wide memories outright, or one of them after others."""
    program = counters(80, 80, 80)
    monkeypatch.setattr(memory, "NARROW", 1 << 22)

    def none(wide: bool) -> Machine:
        raise Unsupported("no address space")

    refused = NativeSearch(program, (), Limits(), False, modules=modules)
    monkeypatch.setattr(refused, "load", none)
    ensure = Machine.ensure
    short = NativeSearch(program, (), Limits(), False, modules=modules)
    monkeypatch.setattr(
        Machine, "ensure", lambda m, name, size: not (m.wide and name == "table") and ensure(m, name, size)
    )
    for made, stopped in ((refused, "the memory of this machine"), (short, "")):
        result = made.explore(None)
        assert result.stopped_by == stopped
        assert result.transitions == sum(result.fired.values()) > 81**3 / 10
        assert not made.machine.wide
        labels = [i.label for i in program.instances]
        for number in (1, result.states - 1):
            last, play = made.packing.decode(made.words(number)), Plays(program, made.step)(number)
            assert tuple(play.count(label) for label in labels) == last
        if not stopped:
            agree(result, explore(program, engine="native"))


def test_code_that_cannot_be_made_late_is_done_without(
    modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = counters(70, 70, 70)
    early = NativeSearch(program, (), Limits(), False, modules=modules).explore(None)
    asked = []

    def made_once(*arguments: Any, **options: Any) -> str:
        asked.append(arguments[2].late)
        if arguments[2].late:
            raise Unsupported("too long")
        return generate.generate(*arguments, **options)

    monkeypatch.setattr(search, "_LATE", 1 << 10)
    monkeypatch.setattr(search, "generate", made_once)
    result = NativeSearch(program, (), Limits(), False, modules=modules).explore(None)
    agree(result, early)
    assert asked == [True]


def test_the_code_made_late_finds_what_the_first_one_would(
    modules: Modules, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = counters(70, 70, 70)
    early = NativeSearch(program, (), Limits(), False, modules=modules).explore(None)
    monkeypatch.setattr(search, "_LATE", 1 << 10)
    made = NativeSearch(program, (), Limits(), False, modules=modules)
    result = made.explore(None)
    assert made.plan.late
    agree(result, early)


# -- packing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "words", "marked"),
    [([2**7 - 1] * 9, 1, True), ([2**8 - 1] * 8, 1, False), ([2**8 - 1] * 9, 2, False)],
)
def test_states_of_63_64_and_72_bits(most: list[int], words: int, marked: bool, modules: Modules) -> None:
    program = counters(*most)
    packing = pack(program)
    assert (packing.words, packing.marked) == (words, marked)
    assert packing.base[0] == (MARK if marked else 0)
    limits = Limits(states=20_000)
    ours = NativeSearch(program, (), limits, False, modules=modules).explore(None)
    assert ours.states >= 20_000
    assert ours.stopped_by == "the limit of 20000 states"
    last = tuple(hi - 1 for hi in most)
    assert packing.decode(packing.encode(last)) == last


def test_lower_bounds_that_are_not_0(modules: Modules) -> None:
    program = counters(3, 2, lo=-5)
    agree(
        NativeSearch(program, (), Limits(), True, modules=modules).explore(None),
        explore(program, engine="reference", graph=True),
    )


def test_a_slot_that_nothing_writes_takes_no_bit() -> None:
    class Table(State):
        a = Range(0, 7)
        b = Range(0, 1000, start=600)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def up(t: Table) -> None:
            t.require(t.b == 600)
            t.a = least(t.a + 1, 7)

    program = machine("still", Table, rules)
    assert pack(program).bits == 3
    assert explore(program, engine="native").states == 8


# -- strange models ---------------------------------------------------------------------------------------


def flags(n: int) -> Program:
    """n flags in a row; they fall one after another, from the first to the last."""

    class Table(State):
        up = Array(n, Bool(), start=True)
        at = Range(0, n - 1)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def fall(t: Table) -> None:
            t.require(t.up[t.at])
            t.up[t.at] = False
            t.at = least(t.at + 1, n - 1)

    return machine("flags", Table, rules)


@pytest.mark.parametrize("keep", [False, True])
def test_300_slots(keep: bool, modules: Modules) -> None:
    program = flags(300)
    assert pack(program).words == 5
    result = NativeSearch(program, (), Limits(), keep, modules=modules).explore(None)
    assert (result.states, result.transitions, result.depth, result.stuck_states) == (301, 300, 300, 1)
    assert result.stuck is not None
    assert result.stuck.labels == ("fall",) * 300
    assert not any(Interpreter(program).replay(result.stuck.labels)[-1][:300])


def test_one_state_in_which_nobody_may_act(modules: Modules) -> None:
    class Table(State):
        a = Bool()

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def never(t: Table) -> None:
            t.require(t.a)
            t.a = False

    result = NativeSearch(machine("one", Table, rules), (), Limits(), True, modules=modules).explore(None)
    assert (result.states, result.transitions, result.depth, result.stuck_states) == (1, 0, 0, 1)
    assert result.stuck is not None
    assert result.stuck.labels == ()


def test_no_rule_at_all(modules: Modules) -> None:
    class Table(State):
        a = Bool()

    result = NativeSearch(machine("none", Table, lambda book: None), (), Limits(), False, modules=modules)
    assert result.explore(None).states == 1


def test_a_counter_that_wraps(modules: Modules) -> None:
    class Table(State):
        a = Range(0, 2**20 - 1)
        b = Range(-3, 3)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def on(t: Table) -> None:
            t.a = (t.a + 1048575) % 2**20

        @book.rule("c", by=player(lambda t: 0))
        def back(t: Table) -> None:
            t.b = (t.b - 7) % 7 - 3

    result = NativeSearch(machine("wraps", Table, rules), (), Limits(states=3000), False, modules=modules)
    assert result.explore(None).states >= 3000
    small = counters(3, 3)
    agree(explore(small, engine="native", graph=True), explore(small, engine="reference", graph=True))


def test_a_number_out_of_its_range_never_reaches_its_neighbour(modules: Modules) -> None:
    class Table(State):
        a = Range(0, 3)
        b = Range(0, 3)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def up(t: Table) -> None:
            t.a = t.a + 1

        @book.rule("c", by=player(lambda t: 0))
        def down(t: Table) -> None:
            t.b = t.b - 1

    program = machine("range", Table, rules)
    result = NativeSearch(program, (), Limits(), True, modules=modules).explore(None)
    assert (result.states, result.transitions) == (4, 8)
    assert set(result.sites) == {"capacity:a", "capacity:b"}
    agree(result, explore(program, engine="reference", graph=True))


def mixed() -> Program:
    class Table(State):
        a = Range(0, 3)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=CHANCE)
        def dice(t: Table) -> None:
            t.require(t.a > 1)
            t.a = 0

        @book.rule("c", by=player(lambda t: 0))
        def up(t: Table) -> None:
            t.a = least(t.a + 1, 3)

    return machine("mixed", Table, rules)


def test_chance_beside_a_player_is_the_same_error_as_on_the_interpreter() -> None:
    messages = []
    for engine in ("native", "reference"):
        with pytest.raises(Mixed) as error:
            explore(mixed(), engine=engine)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def huge() -> Program:
    """A guard with a number of more than 64 bits."""

    class Table(State):
        a = Range(0, 2**40)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def up(t: Table) -> None:
            t.require(t.a * t.a * t.a < 1000)
            t.a = t.a + 1

    return machine("huge", Table, rules)


def test_numbers_of_more_than_64_bits_are_left_to_the_reference() -> None:
    assert explore(huge()).states == 11
    assert explore(huge()).engine == "reference"
    with pytest.raises(Unsupported, match="need more than 64 bits"):
        explore(huge(), engine="native")


@pytest.mark.parametrize(("lo", "hi"), [(0, 2**63 - 1), (0, 2**64 - 1), (-(2**63), 2**63 - 1)])
def test_slots_of_64_bits_whose_values_cannot_be_counted(lo: int, hi: int, modules: Modules) -> None:
    class Table(State):
        a = Range(lo, hi, start=lo)

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def top(t: Table) -> None:
            t.require(t.a == lo)
            t.a = hi

    program = machine("broad", Table, rules)
    result = explore(program, graph=True)
    assert (result.states, result.transitions, result.stuck_states) == (2, 1, 1)
    agree(result, explore(program, engine="reference", graph=True))


def test_numbers_of_40_bits(modules: Modules) -> None:
    class Table(State):
        a = Range(-(2**40), 2**40, start=-(2**40))

    def rules(book: Rulebook) -> None:
        @book.rule("c", by=player(lambda t: 0))
        def half(t: Table) -> None:
            t.a = t.a // 2

        @book.rule("c", by=player(lambda t: 0))
        def other(t: Table) -> None:
            t.a = -t.a

        @book.rule("c", by=player(lambda t: 0))
        def rest(t: Table) -> None:
            t.a = (t.a * 3) % 1000003

    program = machine("wide", Table, rules)
    limited = Limits(states=4000)
    ours = NativeSearch(program, (), limited, False, modules=modules).explore(None)
    theirs = explore(program, engine="reference", limits=limited)
    assert ours.depth == theirs.depth
    assert ours.fired.keys() == theirs.fired.keys()


# -- limits and progress ----------------------------------------------------------------------------------


def test_the_limit_of_memory_ends_the_search_and_is_kept(modules: Modules) -> None:
    limit = 4 << 20
    made = NativeSearch(counters(250, 250, 250), (), Limits(memory=limit), False, modules=modules)
    result = made.explore(None)
    assert result.stopped_by == "the limit of 4 MiB of memory"
    assert made.machine.bytes("table") + 8 * result.states <= limit
    assert 150_000 < result.states < 251**3
    assert isinstance(result.verdict(None), Unknown)
    assert not result.complete


@pytest.mark.parametrize(
    ("groups", "files", "free"),
    [
        ("", {}, 8000),
        ("0::/a/b\n", {"memory.max": "max\n", "a/memory.max": "9000000\n"}, 8000),
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": "4196000\n"}, 4000),
        ("0::/\n", {"memory.max": "4196000\n"}, 4000),
        ("0::/gone\n", {"memory.max": "4196000\n"}, 4000),
        ("0::/\n", {"memory.max": "50000\n"}, 0),
        ("4:cpu,memory:/a\n0::/\n", {"memory/a/memory.limit_in_bytes": "4196000\n"}, 4000),
        ("4:memory:/a\n0::/\n", {"memory/memory.limit_in_bytes": "4196000\n"}, 4000),
    ],
)
def test_what_may_be_taken_is_what_the_container_leaves(
    groups: str, files: dict[str, str], free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free are 8000 KiB; each group uses 200,000 bytes, of which 100,000 give way."""
    (tmp_path / "free").write_text("MemTotal: 9999 kB\nMemAvailable: 8000 kB\n")
    (tmp_path / "groups").write_text(groups)
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for used in ("memory.current", "memory.usage_in_bytes"):
            (file.parent / used).write_text("200000\n")
        (file.parent / "memory.stat").write_text("inactive_file 100000\ntotal_inactive_file 100000\n")
    monkeypatch.setattr(memory, "_FREE", tmp_path / "free")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(memory, "_GROUP_ROOTS", {"": tmp_path, "memory": tmp_path / "memory"})
    assert memory.available_memory() == free * 1024 * 4 // 5


def test_limits_of_states_and_time(modules: Modules) -> None:
    program = counters(1000, 1000, 1000)
    result = NativeSearch(program, (), Limits(states=50_000), False, modules=modules).explore(None)
    assert result.stopped_by == "the limit of 50000 states"
    assert 50_000 <= result.states < 50_100
    assert result.verdict(None) == Unknown(
        "the limit of 50000 states", f"{result.states} states, depth {result.depth}"
    )
    began = time.monotonic()
    result = NativeSearch(program, (), Limits(seconds=0.3), False, modules=modules).explore(None)
    assert result.stopped_by == "the limit of 0.3 s"
    assert time.monotonic() - began < 20


def test_a_limit_that_is_not_met_changes_nothing(modules: Modules) -> None:
    limits = Limits(states=10**9, seconds=1e6, memory=1 << 30)
    result = NativeSearch(counters(20, 20), (), limits, True, modules=modules).explore(None)
    agree(result, explore(counters(20, 20), engine="reference", graph=True))


class Steps:
    """A progress that adds up."""

    def __init__(self) -> None:
        self.text, self.done = "", 0

    @contextmanager
    def task(self, text: str, total: int | None = None) -> Iterator[Tick]:
        self.text = text

        def tick(n: int) -> None:
            self.done += n

        yield tick


def test_progress_counts_the_states() -> None:
    steps = Steps()
    result = explore(counters(60, 60, 60), engine="native", progress=steps)
    assert (steps.text, steps.done) == ("counters, only", result.states)


# -- the cache ----------------------------------------------------------------------------------------------


def test_a_second_search_needs_no_new_code(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(counters(5, 5), modules)
    monkeypatch.setattr(search, "generate", None)
    second = found(counters(5, 5), modules)
    assert second.machine.get("tail") == first.machine.get("tail") == 36
    assert len(list(modules.folder.glob("*.cwasm"))) == 1
    assert not list(modules.folder.glob("*.tmp"))


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_a_damaged_cache_is_as_good_as_none(damage: bytes | None, modules: Modules) -> None:
    found(counters(5, 5), modules)
    file = next(modules.folder.glob("*.cwasm"))
    raw = file.read_bytes()
    file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]) if damage is None else damage)
    assert found(counters(5, 5), modules).machine.get("tail") == 36
    assert file.read_bytes() == raw


def test_a_module_under_the_name_of_another_is_as_good_as_none(modules: Modules) -> None:
    found(counters(5, 5), modules)
    (first,) = modules.folder.glob("*.cwasm")
    found(counters(4, 3), modules)
    second = next(f for f in modules.folder.glob("*.cwasm") if f != first)
    right = second.read_bytes()
    second.write_bytes(first.read_bytes())
    assert found(counters(4, 3), modules).machine.get("tail") == 20
    assert second.read_bytes() == right


def test_a_cache_folder_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert found(counters(5, 5), Modules(tmp_path / "file")).machine.get("tail") == 36


def test_old_modules_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = Modules(tmp_path)
    monkeypatch.setattr("solvers.explorer.native.machine._MOST_FILES", 2)
    for most in (3, 4, 5):
        found(counters(most), modules)
    assert len(list(modules.folder.glob("*.cwasm"))) == 2


def test_what_a_killed_process_left_half_written_goes(modules: Modules) -> None:
    modules.folder.mkdir(parents=True)
    for name, age in (("old.tmp", 7200), ("new.tmp", 60)):
        (modules.folder / name).write_bytes(b"half")
        os.utime(modules.folder / name, times=(time.time() - age,) * 2)
    found(counters(5, 5), modules)
    assert [p.name for p in modules.folder.glob("*.tmp")] == ["new.tmp"]


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RULESLAWYER_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    assert explore(counters(5, 5), engine="native").states == 36
    assert not cache_folder().exists()


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESLAWYER_CACHE", "/somewhere")
    assert cache_folder() == Path("/somewhere")


# -- interruption -------------------------------------------------------------------------------------------

_LONG = """
from tests.test_explorer_native import counters
from solvers.explorer import explore
print("ready", flush=True)
try:
    explore(counters(2000, 2000, 2000))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_search_can_be_broken_off_at_any_time(how: signal.Signals, tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _LONG],
        stdout=subprocess.PIPE,
        text=True,
        env={"RULESLAWYER_CACHE": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    child.send_signal(how)
    out, _ = child.communicate(timeout=30)
    assert out == ("interrupted\n" if how is signal.SIGINT else "")
    assert found(counters(5, 5), Modules(tmp_path)).machine.get("tail") == 36


_CRAMPED = """
import resource
from tests.test_explorer_native import counters
from solvers.explorer import explore
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
found = explore(counters(5, 5))
print(found.states, found.engine)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a limit on address space")
def test_without_address_space_for_the_memories_the_reference_searches(tmp_path: Path) -> None:
    out = subprocess.run(
        [sys.executable, "-c", _CRAMPED],
        capture_output=True,
        text=True,
        check=False,
        env={"RULESLAWYER_CACHE": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
    )
    assert (out.stdout, out.stderr) == ("36 reference\n", "")


# -- a rulebook ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", fly_high.variants)
def test_fly_high_small(variant: str) -> None:
    program = fly_high.build("small", variant)
    properties = of(fly_high).of(variant)
    result = explore(program, properties, graph=True, engine="native")
    agree(result, explore(program, properties, graph=True, engine="reference"))
    run = Interpreter(program)
    for play in [*result.sites.values(), *result.met.values(), *result.violated.values()]:
        run.replay(play.labels)
