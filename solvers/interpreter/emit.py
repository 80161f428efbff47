"""Python source from IR terms and statements.

Promises: shared terms become one local; nesting stays below Python's limit; the text depends on the IR
alone, so the same program gives the same source.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from itertools import pairwise

from models.language import ir
from models.language.terms import BOOL, Term, walk

_INFIX = {
    "eq": "==",
    "lt": "<",
    "le": "<=",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "mod": "%",
    "and": "and",
    "or": "or",
}
_DEEP = 24


class Emitter:
    """Collects the lines of one function.

    Args:
        state: Name of the sequence that reads look into.
        asks: Whether a stop is noted in `hits` (a body without questions has no such list).
    """

    def __init__(self, state: str, *, asks: bool = True) -> None:
        self.state, self.asks = state, asks
        self.lines: list[str] = []
        self.indent = 1
        self.kept: dict[Term, str] = {}

    def line(self, text: str) -> None:
        """Append a line at the present indentation."""
        self.lines.append("    " * self.indent + text)

    def keep(self, t: Term) -> None:
        """Evaluate a term here and use the kept value from now on."""
        if t not in self.kept and t.op != "const":
            text = self._build(t)
            self.kept[t] = f"v{len(self.lines)}_{self.indent}"
            self.line(f"{self.kept[t]} = {text}")

    def share(self, *roots: Term) -> None:
        """Keep every term that occurs more than once below some roots."""
        parents = Counter(a for t in walk(*roots) for a in t.args)
        for t in walk(*roots):
            if parents[t] > 1 and t.args:
                self.keep(t)

    def expression(self, t: Term) -> str:
        """The text of a term; sub-terms that are too deep are kept first."""
        if t in self.kept:
            return self.kept[t]
        return self._build(t)

    def _build(self, root: Term) -> str:
        if root.op != "const" and all(a in self.kept or a.op in ("const", "read") for a in root.args):
            return self._text(root, [self.kept.get(a) or self._text(a, []) for a in root.args])
        texts: ChainMap[Term, str] = ChainMap({}, self.kept)
        depth: dict[Term, int] = {}
        for t in self._pending(root):
            depth[t] = 1 + max((depth.get(a, 0) for a in t.args), default=0)
            texts[t] = self._text(t, [texts[a] for a in t.args])
            if depth[t] > _DEEP and t is not root:
                name = f"v{len(self.lines)}_{self.indent}"
                self.line(f"{name} = {texts[t]}")
                self.kept[t] = texts[t] = name
                depth[t] = 0
        return texts[root]

    def _pending(self, root: Term) -> list[Term]:
        """Sub-terms not kept yet, children first."""
        out: list[Term] = []
        seen: set[Term] = set()
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            t, ready = stack.pop()
            if t in seen or (t in self.kept and t is not root):
                continue
            if ready:
                seen.add(t)
                out.append(t)
            else:
                stack.append((t, True))
                stack.extend((a, False) for a in reversed(t.args))
        return out

    def _text(self, t: Term, args: list[str]) -> str:
        if t.op == "const":
            return (("False", "True")[t.lo]) if t.sort is BOOL else str(t.lo)
        if t.op == "read":
            return f"{self.state}[{t.data[0][0]}]"
        if t.op == "select":
            return f"{self.state}[{place(t.data[0], args[0])}]"
        if t.op in _INFIX:
            return f"({f' {_INFIX[t.op]} '.join(args)})"
        if t.op == "not":
            return f"(not {args[0]})"
        if t.op == "ite":
            return f"({args[1]} if {args[0]} else {args[2]})"
        if t.op in ("min", "max"):
            return f"{t.op}({args[0]}, {args[1]})"
        if t.op == "lookup":
            return f"{t.data!r}[{args[0]}]"
        if t.op in ("reach", "path", "trail"):
            return f"graphs.{t.op}({t.data!r}, ({', '.join(args)},))"
        raise NotImplementedError(f"the interpreter cannot evaluate {t.op}")

    # -- statements ------------------------------------------------------------------------------
    def block(self, body: ir.Block) -> None:
        """The lines of a body; probes append to `hits`, a stop returns."""
        if not body:
            self.line("pass")
        for s in body:
            if isinstance(s, ir.Let):
                self.keep(s.term)
            elif isinstance(s, ir.Assign):
                self._assign(s)
            elif isinstance(s, ir.If):
                self._if(s)
            elif isinstance(s, ir.Probe):
                self.line(f"if {self.expression(s.condition)}: hits.append({s.site})")
            elif isinstance(s, ir.Cover):
                self.line(f"hits.append({s.site})")
            else:
                if self.asks:
                    self.line(f"hits.append({s.site})")
                self.line("return None")

    def _assign(self, s: ir.Assign) -> None:
        value = self.expression(s.value)
        if s.value.sort is BOOL:
            value = str(s.value.lo) if s.value.op == "const" else f"1 if {value} else 0"
        at = str(s.slots[0]) if s.index is None else place(s.slots, self.expression(s.index))
        self.line(f"{self.state}[{at}] = {value}")

    def _if(self, s: ir.If) -> None:
        self.line(f"if {self.expression(s.condition)}:")
        for branch, header in ((s.then, ""), (s.otherwise, "else:")):
            if header and not branch:
                continue
            if header:
                self.line(header)
            outer = dict(self.kept)
            self.indent += 1
            self.block(branch)
            self.indent -= 1
            self.kept = outer


def place(slots: tuple[int, ...], index: str) -> str:
    """The position of the slot that an index chooses: arithmetic where the slots are evenly spaced."""
    step = slots[1] - slots[0] if len(slots) > 1 else 1
    if all(b - a == step for a, b in pairwise(slots)) and step > 0:
        scaled = index if step == 1 else f"{step} * {index}"
        return f"{slots[0]} + {scaled}" if slots[0] else scaled
    return f"{slots!r}[{index}]"
