"""Random games in native code generated from the IR.

Promise: the games of the reference, more than a hundred times as fast.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.language.ir import Actor, Instance
from models.language.program import Program
from solvers.contract import Tick
from solvers.explorer.native.dispatch import Member
from solvers.explorer.native.events import Plan
from solvers.explorer.native.expressions import Expressions
from solvers.explorer.native.generate import PAGE, Generator, fill, params
from solvers.explorer.native.keys import module_key, source_digest
from solvers.explorer.native.machine import Machine, Modules, compiled
from solvers.explorer.native.packing import Packing, pack
from solvers.explorer.native.wat import I32, I64, Function
from solvers.interpreter import Interpreter, Values
from solvers.simulate.clocks import EPSILON, LN2, SERIES, label_key
from solvers.simulate.results import Games, joined

_FIRST, _SLICE, _MIXED = 64, 0.1, 4
_MOST_RECORDS = 1 << 28


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
        m, parts, done, chunk = self.machine, list[Games](), 0, _FIRST
        self._begin(seed, start, longest)
        while done < count or not parts:
            now = min(chunk, count - done, max(1, _MOST_RECORDS // self.record.size))
            m.ensure("results", now * self.record.size)
            entered = time.monotonic()
            played = m.call("play", first + done, now, longest)
            parts.append(self.record.read(m, self.packing, played))
            if played and (parts[-1].ended == _MIXED).any():
                Interpreter(self.program).enabled(tuple(parts[-1].states[-1].tolist()))
                raise AssertionError("the native games and the interpreter differ on who may act")
            done += played
            if time.monotonic() - entered < _SLICE:
                chunk *= 2
            if tick is not None:
                tick(played)
        return joined(parts)

    def moves(self, seed: int, game: int, start: Values, longest: int) -> tuple[str, ...]:
        """Labels of one game."""
        self._begin(seed, start, longest)
        self.machine.ensure("results", self.record.size)
        self.machine.call("play", game, 1, longest)
        steps = int(self.record.read(self.machine, self.packing, 1).moves[0])
        return tuple(
            self.program.instances[i].label for i in self.machine.array("trace", np.int32, 0, steps).tolist()
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

    def read(self, m: Machine, packing: Packing, count: int) -> Games:
        """The games of the first records."""
        raw = m.array("results", np.uint8, 0, count * self.size).reshape(count, self.size).copy()
        p = self.program

        def part(begin: int, end: int, kind: type[np.generic]) -> NDArray[Any]:
            return np.ascontiguousarray(raw[:, begin:end]).view(kind)

        heads = part(0, 8, np.int32)
        words = part(8, self.scores, np.uint64)
        states = np.stack([packing.column(words, s) for s in range(len(p.layout.slots))], axis=1)
        met = raw[:, self.met : self.met + len(p.sites)].astype(np.bool_)
        return Games(
            p,
            heads[:, 0].astype(np.int8),
            heads[:, 1].copy(),
            states,
            raw[:, self.winners : self.met].astype(np.bool_),
            part(self.scores, self.winners, np.int64).copy(),
            met,
        )


class PlayoutGenerator(Generator):
    """Writes the module of random games."""

    def module(self) -> str:
        """The module's text.

        Errors:
            Unsupported: numbers of more than 64 bits, or graphs of more than 64 nodes or edges.
        """
        p, plan = self.program, self.plan
        who = self.functions("enabled")
        functions = [self._over(), self._count(), *(self._step(i) for i in p.instances)]
        labels = self.data.address([label_key(i.label) for i in p.instances], 8) if p.instances else 0
        counts = -(-(self.data.base + len(self.data.bytes)) // 64) * 64
        start = -(-(counts + 4 * plan.instances) // 64) * 64
        batch = start + -(-8 * plan.words // 64) * 64
        record = Record(p, plan)
        series = "\n    ".join(
            f"(local.set $p (f64.add (f64.mul (local.get $p) (local.get $t)) (f64.const {c!r})))"
            for c in SERIES
        )
        pages = -(-(batch + 16 * plan.instances + 8 * plan.words + 64) // PAGE)
        values = {
            "scratch_pages": str(pages),
            "batch": str(batch),
            "start": str(start),
            "counts": str(counts),
            "counts_bytes": str(4 * plan.instances),
            "labels": str(labels),
            "seen": str(plan.seen),
            "places": str(plan.places),
            "places_instance": str(plan.places + 8),
            "events": str(plan.events),
            "record": str(record.size),
            "bytes": str(8 * plan.words),
            "met_at": str(record.met - 8),
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
            f"  (table {max(1, plan.instances)} funcref)",
            f"  (elem (i32.const 0) {elements})" if p.instances else "",
            self.data.text(),
        ]
        return "(module\n" + "\n".join([*parts, *who, *(g.text() for g in functions)]) + ")\n"

    # -- who may act ------------------------------------------------------------------------------
    def arrive(self, f: Function, e: Expressions) -> bool:
        """Whether the game is over is asked apart."""
        return True

    def halts(self, members: Sequence[Member]) -> bool:
        """Nothing is done yet, so nothing stops."""
        return False

    def idle(self, f: Function) -> None:
        """Nobody acts: the list stays empty."""

    def step(self, instance: Instance, e: Expressions) -> None:
        """List the instance with its weight."""
        e.f.add("local.get $out", f"i32.const {instance.index}", "i32.store", "local.get $out")
        if instance.actor is Actor.CHANCE:
            outer = dict(e.kept)
            e.value_as(instance.weight, I64)
            e.kept = outer
        else:
            e.f.add("i64.const 1")
        e.f.add("i64.store offset=8", "local.get $out", "i32.const 16", "i32.add", "local.set $out")

    # -- what happens -----------------------------------------------------------------------------
    def _step(self, instance: Instance) -> Function:
        f = self.function(f"step{instance.index}")
        self.body(f, instance, {}, self.still)
        f.add("local.get $out")
        return f

    def _over(self) -> Function:
        f = Function("over", [(w, I64) for w in self.words], I32)
        e = self.expressions(f, self.still)
        e.test(self.program.over)
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
