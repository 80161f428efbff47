"""A whole WebAssembly module for one program: the hand-written search and the code for its rules.

Promises: the text depends on the program, the plan and the options alone; `Unsupported` says what cannot be
translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING

from models.language import ir
from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.terms import Term
from solvers.explorer.native.bodies import Body
from solvers.explorer.native.canonical import Canonical
from solvers.explorer.native.checks import check_all, record_any
from solvers.explorer.native.dispatch import Member, Switch, Switcher, by_actor, walk_guards
from solvers.explorer.native.events import BATCH, Plan
from solvers.explorer.native.expressions import Expressions, Measures
from solvers.explorer.native.facts import Facts, guard_facts
from solvers.explorer.native.guards import Guards, conjuncts
from solvers.explorer.native.packing import Packing
from solvers.explorer.native.wat import I32, I64, Data, Function

if TYPE_CHECKING:
    from solvers.explorer.symmetry import Group

PAGE = 1 << 16
#: Entries of a line of the table, home lines of the first table, and lines behind them for what overflows.
LINE, FIRST_LINES, FIRST_SPARE = 8, 960, 64
#: Share of the entries of home lines that may be in use.
LOAD = 0.8
#: A body of up to this many nodes is written where it is used, a longer one is a function.
_INLINE = 600
_K1, _K2 = "0xff51afd7ed558ccd", "0xc4ceb9fe1a85ec53"  # from MurmurHash3's finaliser


def generate(
    program: Program, packing: Packing, plan: Plan, *, wide: bool = False, group: Group | None = None
) -> str:
    """The module that searches a program.

    Args:
        program: The built rulebook.
        packing: Its cells.
        plan: What is recorded.
        wide: Whether memories have 64-bit addresses (slower, and larger than 4 GiB).
        group: The symmetry, where the plan asks for one.

    Errors:
        Unsupported: numbers of more than 64 bits, or graphs of more than 64 nodes or edges.
    """
    maker = Generator(program, packing, plan)
    functions = maker.functions()
    if group is not None:
        functions += [f.text() for f in Canonical(group, packing, maker.data).functions()]
    indexed = plan.indexed
    batch = -(-(maker.data.base + len(maker.data.bytes)) // 64) * 64
    pages = -(-(batch + plan.batch_bytes()) // PAGE)
    values = runtime_values(plan, batch, pages, wide)
    marks = {"index" if indexed else "one", "graph" if plan.keeps_edges else "plain"}
    parts = [
        fill(__package__, name, values, marks, plan.words)
        for name in ("runtime_common.wat", "runtime_search.wat")
    ]
    return "(module\n" + "\n".join([*parts, maker.data.text(), *functions]) + ")\n"


def runtime_values(plan: Plan, batch: int, pages: int, wide: bool) -> dict[str, str]:
    """What stands for the names in braces in the hand-written parts."""
    entries = LINE * FIRST_LINES
    return {
        "A": "i64" if wide else "i32",
        "address": "i64" if wide else "",
        "wrap": "i64.or (i64.const 0)" if wide else "i32.wrap_i64",
        "unwrap": "i64.or (i64.const 0)" if wide else "i64.extend_i32_u",
        "most_pages": str(1 << 26 if wide else 1 << 16),
        "scratch_pages": str(pages),
        "table_pages": str(-(-8 * LINE * (FIRST_LINES + FIRST_SPARE) // PAGE)),
        "log_pages": str(-(-8 * plan.words * entries // PAGE)),
        "lines": str(FIRST_LINES),
        "total": str(FIRST_LINES + FIRST_SPARE),
        "room": str(int(entries * LOAD)),
        "from32": "i64.extend_i32_u" if wide else "i32.or (i32.const 0)",
        "K1": _K1,
        "K2": _K2,
        "seen": str(plan.seen),
        "places": str(plan.places),
        "places_instance": str(plan.places + 8),
        "batch": str(batch),
        "first_end": str(batch + plan.stride),
        "full": str(batch + BATCH * plan.stride),
        "stride": str(plan.stride),
        "bytes": str(8 * plan.words),
        "hash_at": str(8 * plan.words + 4),
        "entry_at": str(8 * plan.words + 8),
        "most": str(BATCH + plan.instances + 1),
        "params": params(plan.words),
    }


def params(words: int) -> str:
    """Parameters for the words of a state."""
    return " ".join(f"(param $s{n} i64)" for n in range(words))


def fill(package: str, name: str, values: Mapping[str, str], marks: set[str], words: int) -> str:
    """A hand-written part with its names and marked lines filled in; what those are it says itself.

    Args:
        package: Package whose file it is.
        name: Name of the file.
        values: Name in braces → text.
        marks: Marks of the lines that are wanted.
        words: Words of a state.
    """
    lines = []
    for kind, group in groupby(marked_lines(package, name, marks), key=lambda pair: pair[0]):
        block = [re.sub(r"\{(\w+)\}", lambda m: values[m[1]], line) for _, line in group]
        for n in range({"word": words, "quarter": 4}.get(kind, 1)):
            for line in block:
                for sign, value in (("%w", n), ("%o", 8 * n), ("%b", 16 * n), ("%s", 2 * n)):
                    line = line.replace(sign, str(value))
                lines.append(line)
    return "\n".join(lines)


def marked_lines(package: str, name: str, marks: set[str]) -> Iterator[tuple[str, str]]:
    """The lines that some marks choose, each with what it is repeated for."""
    for line in (files(package) / name).read_text("utf-8").splitlines():
        code, _, comment = line.partition(";; @")
        wanted = set(comment.replace("@", " ").split())
        if not wanted - {"word", "quarter"} - marks:
            yield next(iter(wanted & {"word", "quarter"}), ""), code.rstrip() if comment else line


class Generator:
    """Writes the functions of one program."""

    def __init__(self, program: Program, packing: Packing, plan: Plan) -> None:
        self.program, self.packing, self.plan = program, packing, plan
        self.data, self.measures = Data(plan.tables), Measures()
        self.words = [f"$s{n}" for n in range(packing.words)]
        self.extra: list[Function] = []
        self.steps: dict[int, str] = {}
        self.leaves = 0
        self.uses: dict[int, int] = {}
        self.guards = Guards(program.layout)
        self.still = Facts({i: frozenset({c.fixed}) for i, c in enumerate(packing.cells) if not c.bits})

    def function(self, name: str) -> Function:
        """A function from a state and the end of the batch to the new end of the batch."""
        return Function(name, [*((w, I64) for w in self.words), ("$out", I32)], I32)

    def expressions(self, f: Function, facts: Facts) -> Expressions:
        """A writer of terms over the state that a function gets."""
        return Expressions(f, self.packing.cells, self.words, self.data, self.measures, facts)

    def functions(self, name: str = "expand") -> list[str]:
        """The function that takes all steps from a state, and all that it calls, as text."""
        f = self.function(name)
        tree = Switcher(self.program).switch()
        for leaf in tree.leaves():
            for m in leaf.members:
                self.uses[m.instance.index] = self.uses.get(m.instance.index, 0) + 1
        self.branch(f, tree, self.still)
        return [g.text() for g in (f, *self.extra)]

    # -- who acts ---------------------------------------------------------------------------------
    def branch(self, f: Function, tree: Switch, facts: Facts) -> None:
        """Go on with the instances that the slots' values leave."""
        if tree.slot is None:
            name = self.leaf(tree.members, facts)
            f.add(*(f"local.get {w}" for w in self.words), "local.get $out", f"call ${name}")
            return
        cell = self.packing.cells[tree.slot]
        if not cell.bits:
            case = next(case for values, case in tree.cases if cell.fixed in values)
            self.branch(f, case, facts)
            return
        labels = {v - cell.lo: n for n, (values, _) in enumerate(tree.cases) for v in values}
        table = " ".join(f"$case{labels.get(v, 0)}" for v in range(cell.ones + 1))
        f.add(
            *(f"block $case{n}" for n in reversed(range(len(tree.cases)))),
            f"local.get {self.words[cell.word]}",
            f"i64.const {cell.shift}",
            "i64.shr_u",
            "i32.wrap_i64",
            f"i32.const {cell.ones}",
            "i32.and",
            f"br_table {table} $case0",
        )
        for n, (values, case) in enumerate(tree.cases):
            f.add("end")
            self.branch(f, case, facts.also({tree.slot: values}))
            if n < len(tree.cases) - 1:
                f.add("return")

    def leaf(self, members: Sequence[Member], facts: Facts) -> str:
        """A function for the states in which some instances may act; its name."""
        name = f"leaf{self.leaves}"
        self.leaves += 1
        f = self.function(name)
        self.extra.append(f)
        if self.arrive(f, self.expressions(f, facts)):
            settled = [(m, facts.left(m.rest)) for m in members]
            self.act(f, [Member(m.instance, tuple(left)) for m, left in settled if left is not None], facts)
        return name

    def arrive(self, f: Function, e: Expressions) -> bool:
        """Check the properties of a state and whether the game is over; False if it always is."""
        check_all(e, self.plan, self.plan.always, -1)
        record_any(e, self.plan, self.plan.sometimes, -1)
        over = e.facts.constant(self.program.over)
        if over == 0:
            return True
        if over is None:
            e.test(self.program.over)
            f.add("if")
        self.plan.count(f, 0)
        f.add("i32.const -2147483648", "global.set $ended", "local.get $out", "return")
        if over is None:
            f.add("end")
        return over is None

    def act(self, f: Function, members: Sequence[Member], facts: Facts) -> None:
        """Let the instances of the lowest kind act; nobody at all is a stuck state."""
        halts = self.halts(members)
        begin = f.fresh(I32, "begin")
        f.add("local.get $out", f"local.set {begin}")
        if halts:
            f.add("i32.const 0", "global.set $halted")
        e = self.expressions(f, facts)
        groups = by_actor(members)
        for n, group in enumerate(groups):
            walk_guards(group, e, self.step)
            chance = group[0].instance.actor is Actor.CHANCE
            rivals = [m for m in members if chance and m.instance.actor is Actor.PLAYER]
            if not n and not rivals and any(not m.rest for m in group):
                f.add("local.get $out")
                return  # one of them always acts
            f.add("local.get $out", f"local.get {begin}", "i32.ne")
            if halts:
                f.add("global.get $halted", "i32.or")
            with f.block("if"):
                if rivals:
                    mixed = self.expressions(f, facts)
                    walk_guards(rivals, mixed, lambda i, e: e.f.add("i32.const 0", "return"))
                f.add("local.get $out", "return")
        self.idle(f)
        f.add("local.get $out")

    def halts(self, members: Sequence[Member]) -> bool:
        """Whether a step of one of them may stop, so that no successor shows that somebody acted."""
        return any(isinstance(s, ir.Stop) for m in members for s in ir.statements(m.instance.body))

    def idle(self, f: Function) -> None:
        """Nobody acts although the game is not over: record the stuck state."""
        self.plan.guarded(f, self.plan.stuck)
        with f.block("if"):
            self.plan.record(f, self.plan.stuck, -1)
        self.plan.count(f, 1)

    # -- what they do -----------------------------------------------------------------------------
    def step(self, instance: Instance, e: Expressions) -> None:
        """Write the instance's body here, or call it."""
        if self.uses[instance.index] == 1 and self.size(instance) <= _INLINE:
            self.body(e.f, instance, e.kept, e.facts)
            return
        if instance.index not in self.steps:
            self.steps[instance.index] = f"step{instance.index}"
            f = self.function(f"step{instance.index}")
            self.extra.append(f)
            self.body(f, instance, {}, self.still)
            f.add("local.get $out")
        e.f.add(
            *(f"local.get {w}" for w in self.words),
            "local.get $out",
            f"call ${self.steps[instance.index]}",
            "local.set $out",
        )

    def body(self, f: Function, instance: Instance, kept: Mapping[Term, str], facts: Facts) -> None:
        """Write an instance's body; its guard holds there."""
        known = facts.also(guard_facts(self.guards, conjuncts(instance.guard)))
        cells, data = self.packing.cells, self.data
        Body(f, cells, self.words, data, self.measures, self.plan, instance, kept, known).write()

    def size(self, instance: Instance) -> int:
        """About how many instructions a body takes."""
        return sum(1 + sum(self.measures.of(r)[1] for r in ir.roots(s)) for s in ir.statements(instance.body))


__all__ = ["generate"]
