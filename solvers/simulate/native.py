"""Random games in native code generated from the IR.

Promise: the games of the reference, about a hundred times as fast or more.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.language.ir import Actor, Instance
from models.language.program import Program
from solvers.contract import Tick
from solvers.explorer.native.dispatch import Member
from solvers.explorer.native.events import Plan
from solvers.explorer.native.expressions import Expressions, signed
from solvers.explorer.native.facts import Facts
from solvers.explorer.native.generate import PAGE, Generator, fill, params
from solvers.explorer.native.keys import module_key, source_digest
from solvers.explorer.native.machine import Machine, Modules, compiled
from solvers.explorer.native.packing import Packing, pack
from solvers.explorer.native.wat import I32, I64, Data, Function
from solvers.interpreter import Interpreter, Values
from solvers.simulate.clocks import EPSILON, GAME, GAMMA, LAST_SHIFT, LN2, MIX, ROOT_HALF, SERIES, label_key
from solvers.simulate.results import Games, blank

_FIRST, _SLICE, _MIXED = 64, 0.1, 4
#: Most bytes of records at a time: they stay in the processor's cache.
_MOST_RECORDS = 1 << 20
#: What the generated code says of a state: chance and a player may act (0), the game is over, nobody acts;
#: from `_ACTS` on, the position of who acts.
_OVER, _NOBODY, _ACTS = 1, 2, 3


class NativePlayouts:
    """Random games of one program.

    Args:
        program: The built rulebook.
        modules: Cache of compiled modules.

    Errors:
        Unsupported: the program needs the reference.
    """

    def __init__(self, program: Program, modules: Modules | None = None) -> None:
        self.program, self.packing = program, pack(program)
        self.plan = Plan(len(program.sites), (), (), (), len(program.instances), self.packing.words)
        cache, key = modules or Modules(), module_key(program, (), "playouts", source_digest(__package__))
        module = cache.load(key, wide=False)
        if module is None:
            module = compiled(PlayoutGenerator(program, self.packing, self.plan).module(), wide=False)
            cache.store(key, module)
        self.machine = Machine(module, wide=False)
        self.record = Record(program, self.plan)

    def play(
        self, count: int, seed: int, first: int, start: Values, longest: int, tick: Tick | None = None
    ) -> Games:
        """See `simulate`.

        Errors:
            Mixed: chance and a player may act in the same state.
        """
        m, games, done, chunk = self.machine, blank(self.program, count), 0, _FIRST
        self._begin(seed, start, longest)
        while done < count:
            now = min(chunk, count - done, max(1, _MOST_RECORDS // self.record.size))
            m.ensure("results", now * self.record.size)
            entered = time.monotonic()
            played = m.call("play", first + done, now, longest)
            self.record.read(m, self.packing, played, games, done)
            done += played
            if played and games.ended[done - 1] == _MIXED:
                Interpreter(self.program).enabled(tuple(games.states[done - 1].tolist()))
                raise AssertionError("the native games and the interpreter differ on who may act")
            if time.monotonic() - entered < _SLICE:
                chunk *= 2
            if tick is not None:
                tick(played)
        return games

    def moves(self, seed: int, game: int, start: Values, longest: int) -> tuple[str, ...]:
        """Labels of one game."""
        self._begin(seed, start, longest)
        self.machine.ensure("results", self.record.size)
        self.machine.call("play", game, 1, longest)
        steps = int(self.machine.array("results", np.int32, 4, 1)[0])
        return tuple(
            self.program.instances[i - _ACTS].label
            for i in self.machine.array("trace", np.int32, 0, steps).tolist()
        )

    def _begin(self, seed: int, start: Values, longest: int) -> None:
        m = self.machine
        m.set("seed", seed - (1 << 64) if seed >> 63 else seed)
        m.ensure("trace", 4 * longest)
        m.array("scratch", np.uint64, m.get("start"), self.packing.words)[:] = self.packing.encode(start)


class Record:
    """The layout of a game's record; see the hand-written part."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program, self.plan = program, plan
        self.scores = 8 + 8 * plan.words
        self.winners = self.scores + 8 * program.players
        self.met = self.winners + program.players
        self.size = -(-(self.met + plan.events) // 8) * 8

    def read(self, m: Machine, packing: Packing, count: int, games: Games, at: int) -> None:
        """Write the games of the first records into a table, from a row on."""
        raw = m.array("results", np.uint8, 0, count * self.size).reshape(count, self.size)
        rows, sites = slice(at, at + count), len(self.program.sites)

        def part(begin: int, end: int, kind: type[np.generic]) -> NDArray[Any]:
            return np.ascontiguousarray(raw[:, begin:end]).view(kind)

        heads, words = part(0, 8, np.int32), part(8, self.scores, np.uint64)
        games.ended[rows], games.moves[rows] = heads[:, 0], heads[:, 1]
        for slot in range(len(self.program.layout.slots)):
            games.states[rows, slot] = packing.column(words, slot)
        games.winners[rows] = raw[:, self.winners : self.met]
        games.scores[rows] = part(self.scores, self.winners, np.int64)
        games.met[rows] = raw[:, self.met : self.met + sites]


def mixed(name: str) -> list[str]:
    """Instructions that push a local after `clocks.mix`, and overwrite it."""

    def folded(shift: int) -> list[str]:
        return [f"local.get {name}", f"local.get {name}", f"i64.const {shift}", "i64.shr_u", "i64.xor"]

    steps = [
        [*folded(shift), f"i64.const {signed(factor, I64)}", "i64.mul", f"local.set {name}"]
        for shift, factor in MIX
    ]
    return [*(line for step in steps for line in step), *folded(LAST_SHIFT)]


@dataclass(frozen=True)
class Race:
    """Locals of a function in which instances race.

    Attributes:
        draw: The draw of whoever races now.
        best: The best draw so far; 0 before the first.
        heaviest: The weight with it; "" where all weights are alike.
    """

    draw: str
    best: str
    heaviest: str


class PlayoutGenerator(Generator):
    """Writes the module of random games."""

    def __init__(self, program: Program, packing: Packing, plan: Plan) -> None:
        super().__init__(program, packing, plan)
        self.counts = -(-plan.tables // 64) * 64
        self.data = Data(self.counts + 8 * plan.instances)
        self._race = Race("", "", "")

    def module(self) -> str:
        """The module's text.

        Errors:
            Unsupported: numbers of more than 64 bits, or graphs of more than 64 nodes or edges.
        """
        p, plan = self.program, self.plan
        who = self.functions("enabled")
        functions = [self._count(), *(self._step(i) for i in p.instances)]
        start = -(-(self.data.base + len(self.data.bytes)) // 64) * 64
        batch = start + -(-8 * plan.words // 64) * 64
        record = Record(p, plan)
        series = "\n    ".join(
            f"(local.set $p (f64.add (f64.mul (local.get $p) (local.get $t)) (f64.const {c!r})))"
            for c in SERIES
        )
        pages = -(-(batch + plan.stride) // PAGE)
        values = {
            "scratch_pages": str(pages),
            "batch": str(batch),
            "start": str(start),
            "counts": str(self.counts),
            "counts_bytes": str(8 * plan.instances),
            "over": str(_OVER),
            "nobody": str(_NOBODY),
            "gamma": str(signed(GAMMA, I64)),
            "game": str(signed(GAME, I64)),
            "root_half": str(ROOT_HALF),
            "seen": str(plan.seen),
            "places": str(plan.places),
            "places_instance": str(plan.places + 8),
            "events": str(plan.events),
            "record": str(record.size),
            "bytes": str(8 * plan.words),
            "met_at": str(record.met - 8),
            "mix": "\n    ".join(mixed("$x")),
            "series": series,
            "ln2": repr(LN2),
            "epsilon": repr(EPSILON),
        }
        elements = " ".join(f"$step{i.index}" for i in p.instances)
        parts = [
            f"  (type $step (func {params(plan.words)} (param i32) (result i32)))",
            fill("solvers.explorer.native", "runtime_common.wat", values, set(), plan.words),
            fill(__package__, "runtime_playout.wat", values, set(), plan.words),
            f'  (global (export "start") i32 (i32.const {start}))',
            f"  (table {_ACTS + plan.instances} funcref)",
            f"  (elem (i32.const {_ACTS}) {elements})" if p.instances else "",
            self.data.text(),
        ]
        return "(module\n" + "\n".join([*parts, *who, *(g.text() for g in functions)]) + ")\n"

    # -- who acts ---------------------------------------------------------------------------------
    def arrive(self, f: Function, e: Expressions) -> bool:
        """Say so where the game is over; False if it always is."""
        over = e.facts.constant(self.program.over)
        if over is None:
            e.test(self.program.over)
            with f.block("if"):
                f.add(f"i32.const {_OVER}", "return")
        elif over:
            f.add(f"i32.const {_OVER}", "return")
        return not over

    def act(self, f: Function, members: Sequence[Member], facts: Facts) -> None:
        """Let the instances of the lowest kind race; weights count where they differ."""
        weights = {m.instance.weight for m in members if m.instance.actor is Actor.CHANCE}
        self._race = Race(
            f.fresh(I64, "x"), f.fresh(I64, "best"), f.fresh(I64, "heaviest") if len(weights) > 1 else ""
        )
        super().act(f, members, facts)

    def halts(self, members: Sequence[Member]) -> bool:
        """Nothing is done yet, so nothing stops."""
        return False

    def idle(self, f: Function) -> None:
        """Nobody acts: the result stays as it was."""

    def step(self, instance: Instance, e: Expressions) -> None:
        """Let the instance race: draw, and be the one that acts if its clock rings before all others'."""
        f, race, count = e.f, self._race, self.counts + 8 * instance.index
        f.add(
            "i32.const 0",
            "i32.const 0",
            f"i64.load offset={count}",
            f"local.tee {race.draw}",
            f"i64.const {signed(GAMMA, I64)}",
            "i64.add",
            f"i64.store offset={count}",
            "global.get $key",
            f"i64.const {signed(label_key(instance.label), I64)}",
            "i64.xor",
            f"local.get {race.draw}",
            "i64.add",
            f"local.set {race.draw}",
            *mixed(race.draw),
            "i64.const 1",
            "i64.or",
            f"local.set {race.draw}",
        )
        if instance.actor is Actor.CHANCE and race.heaviest:
            self._weigh(instance, e)
            return
        wins = f.fresh(I32, "wins")
        f.add(
            f"i32.const {_ACTS + instance.index}",
            "local.get $out",
            f"local.get {race.draw}",
            f"local.get {race.best}",
            "i64.gt_u",
            f"local.tee {wins}",
            "select",
            "local.set $out",
            f"local.get {race.draw}",
            f"local.get {race.best}",
            f"local.get {wins}",
            "select",
            f"local.set {race.best}",
        )

    def _weigh(self, instance: Instance, e: Expressions) -> None:
        """The end of a race by weights."""
        f, race, weight = e.f, self._race, e.f.fresh(I64, "weight")
        outer = dict(e.kept)
        e.value_as(instance.weight, I64)
        e.kept = outer
        f.add(
            f"local.set {weight}",
            f"local.get {race.draw}",
            f"local.get {weight}",
            f"local.get {race.best}",
            f"local.get {race.heaviest}",
            "call $beats",
        )
        with f.block("if"):
            f.add(f"i32.const {_ACTS + instance.index}", "local.set $out")
            f.add(f"local.get {race.draw}", f"local.set {race.best}")
            f.add(f"local.get {weight}", f"local.set {race.heaviest}")

    # -- what happens -----------------------------------------------------------------------------
    def _step(self, instance: Instance) -> Function:
        f = self.function(f"step{instance.index}")
        self.body(f, instance, {}, self.still)
        f.add("local.get $out")
        return f

    def _count(self) -> Function:
        """Store scores and winners of a state from an address in the results on."""
        f, record = (
            Function("count", [*((w, I64) for w in self.words), ("$at", I32)]),
            Record(self.program, self.plan),
        )
        e = self.expressions(f, self.still)
        for terms, first, width, kind in (
            (self.program.scores, record.scores, 8, I64),
            (self.program.winners, record.winners, 1, I32),
        ):
            for n, t in enumerate(terms):
                f.add("local.get $at")
                e.value_as(t, kind)
                store = "i64.store" if kind == I64 else "i32.store8"
                f.add(f"{store} $results offset={first + width * n - record.scores}")
            if not terms:
                for n in range(self.program.players):
                    f.add(
                        "local.get $at",
                        f"{kind}.const 0",
                        f"{'i64.store' if kind == I64 else 'i32.store8'} $results "
                        f"offset={first + width * n - record.scores}",
                    )
        return f
