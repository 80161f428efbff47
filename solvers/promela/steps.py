"""Rules as Promela: one `d_step` an instance, so that SPIN's states and steps are those of the model.

Promises: a step that stops goes back to the setup (so it adds a transition and no state, as in the other
engines); values that are used after their variables changed lie in hidden variables, which are no part of the
state.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language import ir
from models.language.ir import Actor, Instance
from models.language.program import Program
from models.language.terms import Term, walk
from solvers.explorer.native.guards import Guards, conjuncts
from solvers.promela.names import Variables, kind_of
from solvers.promela.terms import Terms, position


class End:
    """Stands behind the last statement of a body."""


END = End()


class Steps:
    """Writes the instances of a program.

    Args:
        program: The program.
        variables: Its variables.
        terms: Writer of terms.
        record: Whether sites are recorded (in C, printed when SPIN's verifier ends).
        watched: Terms over steps, with their numbers among what is recorded.
    """

    def __init__(
        self,
        program: Program,
        variables: Variables,
        terms: Terms,
        *,
        record: bool,
        watched: Sequence[tuple[int, Term]],
    ) -> None:
        self.program, self.variables, self.terms = program, variables, terms
        self.record, self.watched = record, watched
        self.guards = Guards(program.layout)
        self.over = conjuncts(program.over)
        self.hidden: dict[str, str] = {}
        self.before: dict[int, str] = {}
        self.after: list[str] = []
        self.lines: list[str] = []
        self.kept: dict[Term, str] = {}
        self.indent = 0

    # -- guards -----------------------------------------------------------------------------------
    def guard(self, instance: Instance) -> str:
        """When an instance may act: its own guard, the game not over, nobody before it."""
        own = conjuncts(instance.guard)
        parts = [self.terms.promela(c, {}) for c in own]
        if not self.guards.exclusive(own, self.over) and not (
            self.program.over.op == "const" and not self.program.over.lo
        ):
            parts.append("!over")
        for rival in self.program.instances:
            if rival.actor < instance.actor and not self.guards.exclusive(own, conjuncts(rival.guard)):
                parts.append(f"!({self._plain(rival)})")
        return " && ".join(parts) or "true"

    def _plain(self, instance: Instance) -> str:
        return " && ".join(self.terms.promela(c, {}) for c in conjuncts(instance.guard)) or "true"

    def mixed(self) -> list[str]:
        """Conditions under which chance and a player could both act."""
        chance = [i for i in self.program.instances if i.actor is Actor.CHANCE]
        players = [i for i in self.program.instances if i.actor is Actor.PLAYER]
        return [
            f"{self.guard(c)} && {self._plain(p)}"
            for c in chance
            for p in players
            if not self.guards.exclusive(conjuncts(c.guard), conjuncts(p.guard))
        ]

    # -- bodies -----------------------------------------------------------------------------------
    def option(self, instance: Instance) -> list[str]:
        """The lines of one instance."""
        self.lines, self.kept, self.indent = [], {}, 2
        self.line(f":: d_step {{ /* {comment(instance.label)} */")
        self.indent += 1
        self.line(f"{self.guard(instance)} ->")
        begin = len(self.lines)
        self.before = self._before()
        if any(_open(s) for s in ir.statements(instance.body)):
            self.hidden["halted"] = "byte"
            self.line("halted = 0;")
        self.block([*instance.body, END])
        if len(self.lines) == begin:
            self.line("skip;")
        self.indent -= 1
        self.line("}")
        return self.lines

    def line(self, text: str) -> None:
        """Append a line."""
        self.lines.append("  " * self.indent + text)

    def keep(self, t: Term) -> str:
        """Keep a term's value in a hidden variable; its name."""
        if t not in self.kept:
            text = self.terms.promela(t, self.kept)
            name = self.fresh(t.lo, t.hi)
            self.line(f"{name} = {text};")
            self.kept[t] = name
        return self.kept[t]

    def fresh(self, lo: int, hi: int) -> str:
        """A hidden variable that is free in this step."""
        kind_of(lo, hi)
        used = set(self.kept.values())
        n = 0
        while f"k{n}" in used:
            n += 1
        self.hidden[f"k{n}"] = "int"
        return f"k{n}"

    def block(self, body: Sequence[ir.Stmt | End]) -> None:
        """The lines of a block."""
        for at, s in enumerate(body):
            if isinstance(s, End):
                self._watch()
            elif isinstance(s, ir.Let):
                if s.term.op != "const":
                    self.keep(s.term)
            elif isinstance(s, ir.Assign):
                self._assign(s)
            elif isinstance(s, ir.Probe):
                self._probe(s)
            elif isinstance(s, ir.Cover):
                self._seen(s.site)
            elif isinstance(s, ir.Stop):
                self._seen(s.site)
                if "halted" in self.hidden:
                    self.line("halted = 1;")
                self.line("back_to_setup();")
                return
            elif self._if(s, body[at + 1 :]):
                return

    def _if(self, s: ir.If, rest: Sequence[ir.Stmt | End]) -> bool:
        """Both branches; whether the rest of the block is written as well, where only some plays go on."""
        if not _stops(s.then) and not _stops(s.otherwise):
            self._branches(s, s.then, s.otherwise)
            return False
        if not _open(s):
            ends = _ends(s.then)
            self._branches(s, [*s.then, *(() if ends else rest)], [*s.otherwise, *(rest if ends else ())])
            return True
        self._branches(s, s.then, s.otherwise)
        if rest:
            self.line("if")
            self.line(":: halted -> skip;")
            self._branch("else", rest)
            self.line("fi;")
        return True

    def _branches(self, s: ir.If, then: Sequence[ir.Stmt | End], otherwise: Sequence[ir.Stmt | End]) -> None:
        condition = self.terms.promela(s.condition, self.kept)
        self.line("if")
        self._branch(condition, then)
        self._branch("else", otherwise)
        self.line("fi;")

    def _branch(self, head: str, body: Sequence[ir.Stmt | End]) -> None:
        outer = dict(self.kept)
        self.line(f":: {head} ->")
        self.indent += 1
        begin = len(self.lines)
        self.block(body)
        if len(self.lines) == begin:
            self.line("skip;")
        self.indent -= 1
        self.kept = outer

    def _assign(self, s: ir.Assign) -> None:
        value = self.terms.promela(s.value, self.kept)
        if s.index is None or len(s.slots) == 1:
            self._store(s.slots[0], value)
            return
        index = self.terms.promela(s.index, self.kept)
        found = self.variables.affine(s.slots)
        if found is not None:
            variable, first, step = found
            self.line(f"{variable.name}[{position(first, step, index)}] = {variable.stored(value)};")
            return
        self.line("if")
        for n, slot in enumerate(s.slots):
            self.line(f":: {index} == {n} ->")
            self.indent += 1
            self._store(slot, value)
            self.indent -= 1
        self.line("fi;")

    def _store(self, slot: int, value: str) -> None:
        variable = self.variables.of[slot][0]
        self.line(f"{self.variables.place(slot)} = {variable.stored(value)};")

    # -- recording --------------------------------------------------------------------------------
    def _probe(self, s: ir.Probe) -> None:
        if self.record:
            self.line(
                f"if :: {self.terms.promela(s.condition, self.kept)} -> c_code {{ seen[{s.site}] = 1; }};"
                " :: else fi;"
            )

    def _seen(self, site: int) -> None:
        if self.record:
            self.line(f"c_code {{ seen[{site}] = 1; }};")

    def _before(self) -> dict[int, str]:
        """Keep the slots that properties of steps read in the state before."""
        kept: dict[int, str] = {}
        n = len(self.program.layout.slots)
        for _, holds in self.watched:
            for t in walk(holds):
                for slot in t.data[0] if t.op in ("read", "select") else ():
                    if slot < n and slot not in kept and slot in self.variables.of:
                        kept[slot] = f"was{slot}"
                        self.hidden[f"was{slot}"] = "int"
                        self.line(f"was{slot} = {self.variables.text(slot)};")
        return kept

    def _watch(self) -> None:
        """Check the properties of steps and of states where a step is complete."""
        for number, holds in self.watched:
            call = StepTerms(self.terms, self.before, len(self.program.layout.slots)).c(holds, {})
            self.line(f"c_code {{ if (!{call}) seen[{number}] = 1; }};")
        for line in self.after:
            self.line(line)


class StepTerms(Terms):
    """Terms over a step: slots of the state before lie in hidden variables."""

    def __init__(self, terms: Terms, before: dict[int, str], slots: int) -> None:
        super().__init__(terms.variables)
        self.tables, self.functions, self.before, self.slots = terms.tables, terms.functions, before, slots

    def _now(self, slot: int) -> str:
        if slot >= self.slots:
            return super()._now(slot - self.slots)
        return self.before.get(slot, str(self.variables.slots[slot].start))

    def _select(self, slots: Sequence[int], index: str, front: str, choose: str) -> str:
        text = self._now(slots[-1])
        for n in reversed(range(len(slots) - 1)):
            text = choose.format(f"{index} == {n}", self._now(slots[n]), text)
        return text


def _stops(body: ir.Block) -> bool:
    return any(isinstance(s, ir.Stop) for s in ir.statements(body))


def _ends(body: ir.Block) -> bool:
    """Whether no path through a block goes on behind it."""
    return any(
        isinstance(s, ir.Stop) or (isinstance(s, ir.If) and _ends(s.then) and _ends(s.otherwise))
        for s in body
    )


def _open(s: ir.Stmt) -> bool:
    """Whether, behind a branching, only the flag tells if the step has stopped."""
    if not isinstance(s, ir.If) or not (_stops(s.then) or _stops(s.otherwise)):
        return False
    return not ((_ends(s.then) and not _stops(s.otherwise)) or (_ends(s.otherwise) and not _stops(s.then)))


def comment(text: str) -> str:
    """Text that can stand on one line of a comment, and cannot end it."""
    return " ".join(text.split()).replace("*/", "* /").replace("\\", "/")
