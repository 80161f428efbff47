"""Promela variables for the slots of a program.

Promises: a field becomes one variable or one array of the narrowest type that holds it; names are the fields'
own, changed only where Promela has no such name; a slot that no rule writes is a constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.language.errors import ModelError
from models.language.program import Program
from models.language.slots import Leaf, Node, Slot
from solvers.explorer.native.packing import written_slots

#: Names of hidden variables, C functions and tables.
_MADE = re.compile(r"(?:k|f|table|was|report)[0-9]+")
#: Names in capitals are macros of C's libraries and of SPIN's verifier.
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+")
#: Words of Promela, of C, and of what the export itself names.
# fmt: off
_RESERVED = frozenset({
    "D_proctype", "active", "asm", "assert", "atomic", "auto", "back_to_setup", "bit", "bool", "break",
    "byte", "c_code", "c_decl", "c_expr", "c_state", "c_track", "case", "chan", "char", "const",
    "continue", "d_step", "default", "do", "double", "else", "empty", "enabled", "end", "enum", "errno",
    "eval", "extern", "false", "fi", "float", "for", "full", "get_priority", "goto", "halted", "hidden",
    "if", "in", "init", "inline", "int", "len", "linux", "local", "long", "longest", "look", "ltl",
    "main", "mtype", "nempty", "never", "nfull", "notrace", "now", "np_", "od", "of", "over", "pan",
    "pc_value", "pid", "play", "printf", "printm", "priority", "proctype", "provided", "rand", "reach",
    "register", "restrict", "return", "run", "seen", "select", "set_priority", "short", "show", "signed",
    "sizeof", "skip", "static", "struct", "switch", "timeout", "trace", "true", "typedef", "typeof",
    "uchar", "uint", "union", "unix", "unless", "unsigned", "void", "volatile", "walk_on", "while", "xr",
    "xs",
})
# fmt: on


class Unexportable(ModelError):
    """The program has something that Promela cannot say; the message tells what."""


@dataclass(frozen=True)
class Variable:
    """A state variable.

    Attributes:
        name: Its name.
        slots: The slots it holds, in order.
        kind: Its type.
        array: Whether it is an array.
        offset: What is added to a value to store it, so that nothing stored is negative.
    """

    name: str
    slots: tuple[Slot, ...]
    kind: str
    array: bool
    offset: int

    @property
    def declaration(self) -> str:
        """The declaration with the setup."""
        starts = [s.start + self.offset for s in self.slots]
        if not self.array:
            width = (
                f" : {max(1, (self.slots[0].hi + self.offset).bit_length())}"
                if self.kind == "unsigned"
                else ""
            )
            return f"{self.kind} {self.name}{width} = {starts[0]};{self.note}"
        start = str(starts[0]) if len(set(starts)) == 1 else f"{{{', '.join(map(str, starts))}}}"
        return f"{self.kind} {self.name}[{len(starts)}] = {start};{self.note}"

    @property
    def note(self) -> str:
        """A comment on what the numbers stand for."""
        return f" /* {self.offset} more than the value */" if self.offset else ""

    def read(self, place: str) -> str:
        """The value that lies in a place of this variable."""
        return f"({place} - {self.offset})" if self.offset else place

    def stored(self, value: str) -> str:
        """What is stored for a value."""
        return f"{value} + {self.offset}" if self.offset else value


def kind_of(lo: int, hi: int) -> str:
    """The narrowest type for a range.

    Errors:
        Unexportable: more than 32 bits.
    """
    for name, least, most in (
        ("bit", 0, 1),
        ("byte", 0, 255),
        ("short", -(1 << 15), (1 << 15) - 1),
        ("int", -(1 << 31), (1 << 31) - 1),
    ):
        if least <= lo and hi <= most:
            return name
    raise Unexportable(
        f"numbers of {lo}..{hi} do not fit Promela's 32 bits", hint="choose a size with smaller numbers"
    )


class Variables:
    """All variables of a program."""

    def __init__(self, program: Program) -> None:
        self.slots = program.layout.slots
        self.written = written_slots(program)
        self.taken: set[str] = set()
        self.all: list[Variable] = []
        self.of: dict[int, tuple[Variable, int]] = {}
        for name, node in program.layout.fields.items():
            self._field(name, node)

    def _field(self, name: str, node: Node) -> None:
        depth = getattr(node, "depth", None)
        if isinstance(node, Leaf):
            self._add(name, [node.slot], array=False)
            return
        if depth is not None:
            self._add(f"{name}_depth", [depth.slot], array=False)
        groups: dict[str, list[Slot]] = {}
        for item in node.items:
            _collect(item, "", groups)
        for suffix, slots in groups.items():
            self._add(name + suffix, slots, array=True)

    def _add(self, name: str, slots: Sequence[Slot], *, array: bool) -> None:
        if not any(s.index in self.written for s in slots):
            return
        lo, hi = min(s.lo for s in slots), max(s.hi for s in slots)
        offset = -min(lo, 0)
        kind = kind_of(lo + offset, hi + offset)
        if not array and hi + offset < 128:
            kind = "unsigned"  # as many bits as it needs
        own = tuple(self.slots[s.index] for s in slots)
        made = Variable(self.name(name), own, kind, array, offset)
        self.all.append(made)
        for position, s in enumerate(slots):
            self.of[s.index] = (made, position)

    def name(self, wanted: str) -> str:
        """A name that is not taken yet."""
        base = re.sub(r"[^A-Za-z0-9_]", "_", wanted)
        taken = base in _RESERVED or _MADE.fullmatch(base) or _MACRO.fullmatch(base)
        if taken or not base[0].isalpha():
            base = f"v_{base}"
        made, n = base, 2
        while made in self.taken:
            made, n = f"{base}_{n}", n + 1
        self.taken.add(made)
        return made

    def place(self, slot: int, front: str = "") -> str:
        """The variable, or the item of an array, that holds a slot which some rule writes."""
        variable, position = self.of[slot]
        return f"{front}{variable.name}[{position}]" if variable.array else f"{front}{variable.name}"

    def text(self, slot: int, front: str = "") -> str:
        """The text that reads a slot."""
        if slot not in self.of:
            value = self.slots[slot].start
            return str(value) if value >= 0 else f"({value})"
        return self.of[slot][0].read(self.place(slot, front))

    def affine(self, slots: Sequence[int]) -> tuple[Variable, int, int] | None:
        """The array, first position and distance of some slots, where they are evenly spaced in one array."""
        if any(s not in self.of for s in slots):
            return None
        places = [self.of[s] for s in slots]
        variable = places[0][0]
        step = places[1][1] - places[0][1] if len(places) > 1 else 1
        if not variable.array or any(v is not variable for v, _ in places):
            return None
        if any(b[1] - a[1] != step for a, b in pairwise(places)):
            return None
        return variable, places[0][1], step


def _collect(node: Node, suffix: str, groups: dict[str, list[Slot]]) -> None:
    """Slots of one indexed field, the depths of inner stacks apart from their items."""
    if isinstance(node, Leaf):
        groups.setdefault(suffix, []).append(node.slot)
        return
    depth = getattr(node, "depth", None)
    if depth is not None:
        groups.setdefault(suffix + "_depth", []).append(depth.slot)
    for item in node.items:
        _collect(item, suffix, groups)
