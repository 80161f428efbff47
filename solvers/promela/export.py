"""The Promela model of a program.

Promises: SPIN stores as many states as the explorer finds, and takes as many transitions plus one for each
state in which the game is over (there the model waits, so that only stuck states are deadlocks); what Promela
cannot say is an `Unexportable` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.language.program import Program
from models.language.terms import Term
from properties.kinds import Form, Property
from solvers.interpreter import Interpreter
from solvers.promela.names import Unexportable, Variables
from solvers.promela.steps import Steps, comment
from solvers.promela.terms import GRAPH_CODE, Terms

_HEAD = """\
/* {title}: size {size}, variant {variant}.
 *
 * Made from the rules by `ruleslawyer export`; digest {digest}.
 * spin -o1 -o2 -a FILE && cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m1000000 -w24
 * Each option of the loop is one rule with its parameters fixed, in order of declaration. A step at which
 * the text ends goes back to the setup. Where the game is over the process waits; any other deadlock is a
 * state in which nobody may act.
 */
"""

#: Characters of C code in one block; SPIN refuses somewhat more than 60,000.
_LONGEST_BLOCK = 30_000


def export(program: Program, properties: Sequence[Property] = (), *, record: bool = True) -> str:
    """The Promela model of a program.

    Args:
        program: The built rulebook.
        properties: Properties of states and steps to be checked.
        record: Whether the verifier prints, when it ends, which sites and properties it came by (as lines
            `reached ID`, `broken NAME`, `met NAME`). Without it the model is faster.

    Errors:
        Unexportable: numbers of more than 32 bits.
    """
    variables = Variables(program)
    terms = Terms(variables)
    seen = Seen(program, properties if record else ())
    steps = Steps(program, variables, terms, record=record, watched=seen.steps)
    look = seen.look(terms) if record else []
    steps.after = ["look();"] if look else []
    options = [line for i in program.instances for line in steps.option(i)]
    mixed = [
        f"  :: {condition} -> assert(false) /* chance and a player may both act */"
        for condition in steps.mixed()
    ]
    over = terms.promela(program.over, {})
    head = _HEAD.format(
        title=comment(program.book.title),
        size=comment(program.size_name),
        variant=comment(program.variant),
        digest=program.digest[:16],
    )
    declared = [
        *(v.declaration for v in variables.all),
        *(f"hidden {k} {n};" for n, k in sorted(steps.hidden.items())),
    ]
    body = [
        f"#define over ({over})",
        "",
        *_inline("back_to_setup", _setup(variables)),
        *(_inline("look", look) if look else []),
        "active proctype play() {",
        "  do",
        "  :: d_step { over -> skip }",
        *options,
        *mixed,
        "  od",
        "}",
    ]
    return (
        head
        + "\n".join([*_c_code(terms, seen if record else None), *declared, *_functions(terms), *body])
        + "\n"
    )


class Seen:
    """What is recorded: sites first, then properties; those of states hold or fail in the setup already."""

    def __init__(self, program: Program, properties: Sequence[Property]) -> None:
        self.names = [f"reached {s.id}" for s in program.sites]
        self.steps: list[tuple[int, Term]] = []
        self.states: list[tuple[int, Term, bool]] = []
        self.at_first = [0] * len(self.names)
        run = Interpreter(program)
        for p in properties:
            if p.form is Form.STEP:
                self.steps.append((len(self.names), p.term(program)))
                self.at_first.append(0)
            elif p.form in (Form.ALWAYS, Form.SOMETIMES):
                term, always = p.term(program), p.form is Form.ALWAYS
                self.states.append((len(self.names), term, always))
                self.at_first.append(int(bool(run.value(term, program.start)) != always))
            else:
                continue
            self.names.append(f"{'met' if p.form is Form.SOMETIMES else 'broken'} {p.name}")

    def look(self, terms: Terms) -> list[str]:
        """Statements that check the properties of states."""
        return [
            f"c_code {{ if ({'!' if always else ''}{terms.c(t, {})}) seen[{n}] = 1; }};"
            for n, t, always in self.states
        ]


def _setup(variables: Variables) -> list[str]:
    lines = []
    for v in variables.all:
        if v.array:
            lines += [f"{v.name}[{i}] = {s.start + v.offset};" for i, s in enumerate(v.slots)]
        else:
            lines.append(f"{v.name} = {v.slots[0].start + v.offset};")
    return lines or ["skip;"]


def _inline(name: str, lines: Sequence[str]) -> list[str]:
    return [f"inline {name}() {{", *(f"  {line}" for line in lines), "}", ""]


def _c_code(terms: Terms, seen: Seen | None) -> list[str]:
    """Declarations in C: tables, and what is printed at the end."""
    parts = [
        f"static const int {name}[] = {{{', '.join(map(str, values))}}};"
        for values, name in terms.tables.items()
    ]
    if seen is not None and seen.names:
        parts.append(f"static unsigned char seen[] = {{{', '.join(map(str, seen.at_first))}}};")
        parts += [_report(first, seen.names[first : first + 100]) for first in range(0, len(seen.names), 100)]
    if any("reach(" in f or "longest(" in f for f in terms.functions):
        parts.append(GRAPH_CODE)
    return _blocks("c_decl", parts)


def _report(first: int, names: Sequence[str]) -> str:
    """A C function that prints, when the verifier ends, which of some events it saw."""
    shown = ", ".join(_quoted(n) for n in names)
    return (
        f"static void __attribute__((destructor)) report{first}(void)\n"
        f"{{ static const char *names[] = {{{shown}}}; int n;\n"
        f"  for (n = 0; n < {len(names)}; n++)\n"
        f'    if (seen[{first} + n]) printf("%s\\n", names[n]); }}'
    )


def _quoted(name: str) -> str:
    """A name as one line of C, in characters that neither C nor SPIN (which counts braces) takes amiss."""
    plain = re.sub(r"[^ !#-\[\]-z|~]", lambda m: "".join(f"\\{b:03o}" for b in m[0].encode()), fold(name))
    return f'"{plain}"'


def fold(name: str) -> str:
    """A name as it is reported: on one line, white space folded."""
    return " ".join(name.split())


def _functions(terms: Terms) -> list[str]:
    return _blocks("c_code", terms.functions)


def _blocks(kind: str, parts: Sequence[str]) -> list[str]:
    """Parts of C code in as many blocks as SPIN's limit on the length of one asks for."""
    lines: list[str] = []
    length = 0
    for part in parts:
        if not length or length + len(part) > _LONGEST_BLOCK:
            lines += ["};", "", f"{kind} {{"] if length else [f"{kind} {{"]
            length = 0
        lines.append(part)
        length += len(part) + 1
    return [*lines, "};", ""] if lines else []


__all__ = ["Unexportable", "export"]
