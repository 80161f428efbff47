"""Terms as Promela expressions, or as C where Promela has no way to share a value or to walk a graph.

Promises: the text has the value that the interpreter computes; division rounds down; a term too long to be
written out, or one with a graph in it, becomes a C function over the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from models.language.terms import Term, walk
from solvers.promela.names import Unexportable, Variables, kind_of

GRAPHS = frozenset({"reach", "path", "trail"})
#: Longest expression, in nodes, that is written out.
_LONGEST = 300
_INFIX = {"eq": "==", "lt": "<", "le": "<=", "add": "+", "sub": "-", "mul": "*", "and": "&&", "or": "||"}

Read = Callable[[int], str]


class Terms:
    """Writes terms of one program.

    Attributes:
        tables: Names of constant tables (C arrays) by their values.
        functions: The C functions made so far.
    """

    def __init__(self, variables: Variables) -> None:
        self.variables = variables
        self.tables: dict[tuple[int, ...], str] = {}
        self.functions: list[str] = []
        self._known: dict[Term, str] = {}
        self._sizes: dict[Term, tuple[int, bool]] = {}

    def needs_c(self, t: Term, kept: Mapping[Term, str]) -> bool:
        """Whether a term has to become a C function."""
        size, graph = self._size(t, kept)
        return graph or size > _LONGEST

    def _size(self, root: Term, kept: Mapping[Term, str]) -> tuple[int, bool]:
        sizes = self._sizes if not kept else {}
        sizes.update(dict.fromkeys(kept, (1, False)))
        for t in above(root, kept):
            if t not in sizes:
                below = [sizes[a] for a in t.args]
                sizes[t] = (
                    min(1 << 20, 1 + sum(n for n, _ in below)),
                    t.op in GRAPHS or t.op in ("lookup",) or any(g for _, g in below),
                )
        return sizes[root]

    def promela(self, t: Term, kept: Mapping[Term, str]) -> str:
        """The expression of a term.

        Args:
            t: The term.
            kept: Terms whose values lie in variables.
        """
        if t in kept:
            return kept[t]
        if not self.needs_c(t, kept):
            return self._plain(t, kept, self.variables.text, "")
        return f"c_expr {{ ({self.c(t, kept)}) }}"

    def c(self, t: Term, kept: Mapping[Term, str]) -> str:
        """A call of the C function of a term (made when first needed)."""
        used = {u: name for u, name in kept.items() if u.op != "const"}
        inner = [u for u in walk(t) if u in used]
        key = None if inner else t
        if key is not None and key in self._known:
            return f"{self._known[key]}()"
        name = f"f{len(self.functions)}"
        kind_of(t.lo, t.hi)
        lines = [f"static int {name}(void)", "{"]
        values: dict[Term, str] = dict(kept)
        for u in above(t, kept):
            if u.op == "const":
                continue
            if u.op == "read" or (not u.args and u is not t):
                continue
            text = (
                self._c_graph(u, values, lines)
                if u.op in GRAPHS
                else self._node(u, values, self._now, "now.")
            )
            values[u] = f"c{len(lines)}"
            lines.append(f"    int {values[u]} = {text};")
        lines += [f"    return {self._value(t, values, self._now)};", "}"]
        self.functions.append("\n".join(lines))
        if key is not None:
            self._known[key] = name
        return f"{name}()"

    def _now(self, slot: int) -> str:
        return self.variables.text(slot, "now.")

    def _value(self, t: Term, values: Mapping[Term, str], read: Read) -> str:
        if t in values:
            return values[t]
        return _number(t) if t.op == "const" else read(t.data[0][0])

    def _plain(self, t: Term, kept: Mapping[Term, str], read: Read, front: str) -> str:
        values: dict[Term, str] = dict(kept)
        for u in above(t, kept):
            values[u] = self._node(u, values, read, front)
        return values[t]

    def _node(self, t: Term, values: Mapping[Term, str], read: Read, front: str) -> str:
        """One operation over the texts of its arguments; `front` is `now.` in C.

        Errors:
            Unexportable: its value, or a part's, may be a number of more than 32 bits.
        """
        if t.op == "const":
            return _number(t)
        kind_of(t.lo, t.hi)
        if t.op == "read":
            return read(t.data[0][0])
        args = [self._value(a, values, read) for a in t.args]
        if t.op in _INFIX:
            return f"({f' {_INFIX[t.op]} '.join(args)})"
        if t.op == "not":
            return f"(!{args[0]})"
        choose = "({} ? {} : {})" if front else "({} -> {} : {})"
        if t.op == "ite":
            return choose.format(*args)
        if t.op in ("min", "max"):
            a, b = args
            return choose.format(f"{a} {'<' if t.op == 'min' else '>'} {b}", a, b)
        if t.op in ("div", "mod"):
            return _divide(t, args[0], t.args[1].lo, choose)
        if t.op == "select":
            return self._select(t.data[0], args[0], front, choose)
        if t.op == "lookup":
            return f"{self.table(t.data)}[{args[0]}]"
        raise Unexportable(f"Promela has no {t.op}")

    def _select(self, slots: Sequence[int], index: str, front: str, choose: str) -> str:
        found = self.variables.affine(slots)
        if found is not None:
            variable, first, step = found
            return variable.read(f"{front}{variable.name}[{position(first, step, index)}]")
        text = self.variables.text(slots[-1], front)
        for n in reversed(range(len(slots) - 1)):
            text = choose.format(f"{index} == {n}", self.variables.text(slots[n], front), text)
        return text

    def table(self, values: tuple[int, ...]) -> str:
        """The name of a constant table."""
        return self.tables.setdefault(values, f"table{len(self.tables)}")

    def _c_graph(self, t: Term, values: Mapping[Term, str], lines: list[str]) -> str:
        edges = t.data[0]
        name, n = f"g{len(lines)}", len(lines)
        args = ", ".join(self._value(a, values, self._now) for a in t.args) or "0"
        ends = ", ".join(str(node) for edge in edges for node in edge) or "0"
        lines.append(f"    static const int e{n}[] = {{{ends}}}; int {name}[] = {{{args}}};")
        if t.op == "reach":
            return f"reach(e{n}, {len(edges)}, {name}, {t.data[1]}, {t.data[2]})"
        return f"longest(e{n}, {len(edges)}, {name}, {t.data[1]}, {int(t.op == 'trail')})"


def above(root: Term, kept: Mapping[Term, str]) -> list[Term]:
    """The sub-terms that are neither kept nor only below a kept one, children first."""
    out: list[Term] = []
    seen = set(kept)
    stack = [(root, False)]
    while stack:
        t, ready = stack.pop()
        if ready:
            out.append(t)
        elif t not in seen:
            seen.add(t)
            stack.append((t, True))
            stack.extend((a, False) for a in reversed(t.args))
    return out


def position(first: int, step: int, index: str) -> str:
    """First + step * index, short."""
    scaled = index if step == 1 else f"{step} * {index}"
    return f"{first} + {scaled}" if first else scaled


def _number(t: Term) -> str:
    """A constant.

    Errors:
        Unexportable: it has more than 32 bits.
    """
    kind_of(t.lo, t.hi)
    return str(t.lo) if t.lo >= 0 else f"({t.lo})"


def _divide(t: Term, a: str, n: int, choose: str) -> str:
    """Division that rounds down; C and Promela round towards 0. No part leaves 32 bits."""
    kind_of(n, n)
    if t.args[0].lo >= 0:
        return f"({a} {'/' if t.op == 'div' else '%'} {n})"
    if t.op == "div":
        return choose.format(f"{a} >= 0", f"{a} / {n}", f"-1 - (-1 - {a}) / {n}")
    return choose.format(f"{a} >= 0", f"{a} % {n}", f"{n - 1} - (-1 - {a}) % {n}")


#: The graph questions in C, as the interpreter answers them.
GRAPH_CODE = """\
static int reach(const int *edges, int count, const int *given, int nodes, int to)
{
    const int *sources = given + count;
    int grew = 1, n;
    char in[64];
    for (n = 0; n < nodes; n++) in[n] = (char) sources[n];
    while (grew) {
        grew = 0;
        for (n = 0; n < count; n++)
            if (given[n] && in[edges[2*n]] != in[edges[2*n+1]]) {
                in[edges[2*n]] = in[edges[2*n+1]] = 1;
                grew = 1;
            }
    }
    return in[to];
}
static int walk_on(const int *edges, int count, const int *opened, int node, unsigned long long used,
                   int trail)
{
    int n, best = 0;
    for (n = 0; n < count; n++) {
        int other, found;
        unsigned long long bit;
        if (!opened[n] || (edges[2*n] != node && edges[2*n+1] != node)) continue;
        other = edges[2*n] == node ? edges[2*n+1] : edges[2*n];
        bit = 1ULL << (trail ? n : other);
        if (used & bit) continue;
        found = 1 + walk_on(edges, count, opened, other, used | bit, trail);
        if (found > best) best = found;
    }
    return best;
}
static int longest(const int *edges, int count, const int *opened, int nodes, int trail)
{
    int n, best = 0;
    for (n = 0; n < nodes; n++) {
        int found = walk_on(edges, count, opened, n, trail ? 0 : 1ULL << n, trail);
        if (found > best) best = found;
    }
    return best;
}
"""
