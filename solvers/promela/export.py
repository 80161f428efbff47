"""The Promela model of a program.

Promises: SPIN stores as many states as the explorer finds, and takes as many transitions plus one for each
state in which the game is over (there the model waits, so that only stuck states are deadlocks); what Promela
cannot say is an `Unexportable` with the reason.
"""

from __future__ import annotations

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
        size=program.size_name,
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
    lines = [
        f"static const int {name}[] = {{{', '.join(map(str, values))}}};"
        for values, name in terms.tables.items()
    ]
    if seen is not None and seen.names:
        shown = ", ".join('"' + n.replace("\\", "\\\\").replace('"', '\\"') + '"' for n in seen.names)
        lines += [
            f"static unsigned char seen[] = {{{', '.join(map(str, seen.at_first))}}};",
            f"static const char *seen_names[] = {{{shown}}};",
            "static void __attribute__((destructor)) report(void)",
            f"{{ int n; for (n = 0; n < {len(seen.names)}; n++)",
            '    if (seen[n]) printf("%s\\n", seen_names[n]); }',
        ]
    if any("reach(" in f or "longest(" in f for f in terms.functions):
        lines += GRAPH_CODE.splitlines()
    return ["c_decl {", *lines, "};", ""] if lines else []


def _functions(terms: Terms) -> list[str]:
    return ["c_code {", *terms.functions, "};", ""] if terms.functions else []


__all__ = ["Unexportable", "export"]
