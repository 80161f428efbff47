"""Episodes of the invented game `orchard`: how one is written down, and those about readings and examples.

Each says what an audit must make of it; see `tests.small_books`.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Found:
    """A finding that an audit must hold.

    Attributes:
        code: Its code.
        clauses: Its clauses, in order.
        length: Moves of its witness; None where it needs no play.
        status: Its status.
        stake: What is at stake.
    """

    code: str
    clauses: tuple[str, ...]
    length: int | None = None
    status: str = "OPEN"
    stake: str = "only an argument"


@attrs.frozen(kw_only=True)
class Plant:
    """An episode.

    Attributes:
        stages: Names of its phases; it begins in the first.
        fields: Lines of the state.
        code: Readings and rules.
        clauses: Names of its sentences.
        examples: Functions of `examples.py`.
        properties: Functions of `properties.py`.
        winner: A further condition on which player 0 has won.
        found: What an audit must find.
        undecided: Beginnings of what it must leave undecided.
        proved: Beginnings of what it must prove.
    """

    stages: tuple[str, ...] = ()
    fields: str = ""
    code: str = ""
    clauses: tuple[str, ...] = ()
    examples: str = ""
    properties: str = ""
    winner: str = ""
    found: tuple[Found, ...] = ()
    undecided: tuple[str, ...] = ()
    proved: tuple[str, ...] = ()


ROLL = """
@book.rule("{name}.begin", by=CHANCE, phase=Phase.{stage}, n={n})
def {name}_roll(t, n):
    t.die = n
    t.phase = Phase.{then}
"""


def roll_to(name: str, stage: str, then: str, n: int) -> str:
    return ROLL.format(name=name, stage=stage, then=then, n=f"range(1, {n + 1})")


def reading_of(id: str, clause: str, *options: str, leans: str = "") -> str:
    listed = ", ".join(f"{o!r}: 'it means {o}'" for o in options)
    more = f", leans={leans}" if leans else ""
    return (
        f"{id.replace('.', '_')} = book.reading({id!r}, {clause!r}, options={{{listed}}}, "
        f"default={options[0]!r}, why='it comes first', asks='Which way is {id} meant?'{more})\n"
    )


READINGS: dict[str, Plant] = {
    "stacked": Plant(
        stages=("OVEN",),
        fields="ovens = Range(0, 2, start=2)",
        clauses=("stacked.loaf",),
        code=reading_of("stacked.times", "stacked.loaf", "each", "once")
        + """
@book.rule("stacked.begin", by=turn, phase=Phase.OVEN)
def bake_twice(t):
    t.coins[0] = repeat(t, "oven", "stacked.loaf", t.ovens, stacked_times)
    t.phase = Phase.DONE
""",
        found=(
            Found("RL106", ("stacked.loaf",), 2, stake="another winner"),
            Found("RL107", ("stacked.loaf",), 2, stake="another score"),
        ),
    ),
    "settled": Plant(
        stages=("SETTLED",),
        clauses=("settled.gain", "settled.example"),
        code=reading_of("settled.gain", "settled.gain", "nothing", "one")
        + """
@book.rule("settled.gain", by=turn, phase=Phase.SETTLED)
def dig(t):
    t.coins[0] = 1 if t.reading(settled_gain) == "one" else 0
    t.phase = Phase.DONE
""",
        examples="""
@EXAMPLES.example("settled.example", size="small")
def digging(s):
    s.move("pick_settled")
    s.may("dig")
    s.move("dig")
    s.sees(lambda t: t.coins[0] == 0)
""",
        found=(Found("RL107", ("settled.gain",), 2, "SETTLED", "another winner"),),
    ),
    "leaning": Plant(
        stages=("LEANING",),
        clauses=("leaning.gain", "leaning.example"),
        code=reading_of("leaning.gain", "leaning.gain", "nothing", "one")
        + """
@book.rule("leaning.gain", by=turn, phase=Phase.LEANING)
def lean(t):
    t.coins[0] = t.coins[0] + (1 if t.reading(leaning_gain) == "one" else 0)
    t.phase = Phase.DONE
""",
        examples="""
@EXAMPLES.example("leaning.example", size="small")
def leaning_with_five(s):
    s.begin(phase=Phase.LEANING, coins=[5, 5])
    s.move("lean")
    s.sees(lambda t: t.coins[0] == 6)
""",
        found=(
            Found("RL107", ("leaning.gain",), 2, "LEANS", "another winner"),
            Found("RL204", ("leaning.example",)),
        ),
    ),
    "occurring": Plant(
        stages=("OCCURRING",),
        clauses=("occurring.gain", "occurring.example"),
        code=reading_of("occurring.gain", "occurring.gain", "nothing", "one")
        + """
@book.rule("occurring.gain", by=turn, phase=Phase.OCCURRING)
def occur(t):
    t.coins[0] = t.coins[0] + (1 if t.reading(occurring_gain) == "one" else 0)
    t.phase = Phase.DONE
""",
        examples="""
@EXAMPLES.example("occurring.example", size="small")
def occurring_there(s):
    s.begin(phase=Phase.OCCURRING)
    s.move("occur")
    s.sees(lambda t: t.coins[0] == 1)
""",
        found=(Found("RL107", ("occurring.gain",), 2, "SETTLED", "another winner"),),
    ),
    "conflict": Plant(
        stages=("CONFLICT",),
        clauses=("conflict.gain", "conflict.example"),
        code=reading_of("conflict.gain", "conflict.gain", "one", "two")
        + """
@book.rule("conflict.gain", by=turn, phase=Phase.CONFLICT)
def fish(t):
    t.coins[0] = 2 if t.reading(conflict_gain) == "two" else 1
    t.phase = Phase.DONE
""",
        examples="""
@EXAMPLES.example("conflict.example", size="small")
def fishing(s):
    s.move("pick_conflict")
    s.move("fish")
    s.sees(lambda t: t.coins[0] == 3)
""",
        found=(
            Found("RL107", ("conflict.gain",), 2, stake="another score"),
            Found("RL203", ("conflict.example",), 2),
        ),
    ),
    "hidden": Plant(
        stages=("MARK", "WAIT", "SHOW"),
        fields="mark = Bool(hidden=True)",
        clauses=("hidden.mark", "hidden.show"),
        code=reading_of("hidden.mark", "hidden.mark", "unmarked", "marked")
        + """
@book.rule("hidden.mark", by=turn, phase=Phase.MARK)
def put_mark(t):
    t.mark = t.reading(hidden_mark) == "marked"
    t.phase = Phase.WAIT

@book.rule("hidden.begin", by=turn, phase=Phase.WAIT)
def wait(t):
    t.phase = Phase.SHOW

@book.rule("hidden.show", by=turn, phase=Phase.SHOW)
def show_mark(t):
    t.coins[0] = ite(t.mark, 1, 0)
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("hidden.mark",), 4, stake="another winner"),),
    ),
    "odds": Plant(
        stages=("COIN",),
        clauses=("odds.coin",),
        code=reading_of("odds.fair", "odds.coin", "fair", "bent")
        + """
@book.rule("odds.coin", by=CHANCE, phase=Phase.COIN, side=2,
           weight=lambda t, side: 2 if side == 1 and t.reading(odds_fair) == "bent" else 1)
def toss(t, side):
    t.coins[0] = side
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("odds.coin",), 1, stake="another winner"),),
    ),
    "secret": Plant(
        stages=("HIDE", "SEEK"),
        fields="card = Range(0, 2, hidden=True)",
        clauses=("secret.hide", "secret.seek"),
        code=reading_of("secret.cards", "secret.hide", "three", "two")
        + """
@book.rule("secret.hide", by=turn, phase=Phase.HIDE, card=3, secret="card")
def hide(t, card):
    t.require((t.die + card < 2) if t.reading(secret_cards) == "two" else (t.die == 0))
    t.card = card
    t.phase = Phase.SEEK

@book.rule("secret.seek", by=RULES, phase=Phase.SEEK)
def seek(t):
    t.coins[1] = t.card
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("secret.hide",), 3, stake="another winner"),),
    ),
    "never": Plant(
        stages=("NEVER",),
        clauses=("never.gain",),
        code=reading_of("never.gain", "never.gain", "one", "two")
        + """
@book.rule("never.gain", by=turn, phase=Phase.NEVER)
def try_never(t):
    t.require(t.die == 0)
    with t.when(t.die > 1):
        t.coins[0] = 2 if t.reading(never_gain) == "two" else 1
    t.phase = Phase.DONE
""",
        undecided=("reading never.gain: two",),
    ),
    "nested": Plant(
        stages=("NESTED",),
        clauses=("nested.gain",),
        code=reading_of("nested.outer", "nested.gain", "plain", "odd")
        + reading_of("nested.inner", "nested.gain", "one", "two")
        + """
@book.rule("nested.gain", by=turn, phase=Phase.NESTED)
def nest(t):
    if t.reading(nested_outer) == "odd":
        t.coins[0] = 2 if t.reading(nested_inner) == "two" else 1
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("nested.gain",), 2, stake="another winner"),),
        undecided=("reading nested.inner",),
    ),
    "unasked": Plant(
        clauses=("unasked.gain",),
        code=reading_of("unasked.gain", "unasked.gain", "one", "two"),
        undecided=("reading unasked.gain",),
    ),
    "clause": Plant(
        stages=("CLAUSE",),
        clauses=("clause.gain", "clause.hint"),
        code=reading_of("clause.gain", "clause.gain", "nothing", "one", leans="('one', 'clause.hint')")
        + """
@book.rule("clause.gain", by=turn, phase=Phase.CLAUSE)
def follow(t):
    t.coins[0] = 1 if t.reading(clause_gain) == "one" else 0
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("clause.gain",), 2, "LEANS", "another winner"),),
    ),
    "three": Plant(
        stages=("THREE", "FORK"),
        clauses=("three.gain",),
        code=reading_of("three.gain", "three.gain", "none", "some", "late")
        + roll_to("three", "THREE", "FORK", 2)
        + """
@book.rule("three.gain", by=turn, phase=Phase.FORK)
def gather(t):
    taken = t.reading(three_gain)
    with t.when(t.die == 1):
        t.coins[0] = 1 if taken == "some" else 0
    with t.otherwise():
        t.coins[0] = 1 if taken == "late" else 0
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("three.gain",), 3, stake="another winner"),),
    ),
    "moves": Plant(
        stages=("GATE",),
        clauses=("moves.pass", "moves.jump"),
        code=reading_of("moves.jump", "moves.jump", "no", "yes")
        + """
@book.rule("moves.pass", by=turn, phase=Phase.GATE)
def walk_through(t):
    t.phase = Phase.DONE

@book.rule("moves.jump", by=turn, phase=Phase.GATE)
def jump(t):
    t.require(t.die == (0 if t.reading(moves_jump) == "yes" else 3))
    t.coins[0] = 1
    t.phase = Phase.DONE
""",
        found=(Found("RL107", ("moves.jump",), 1, stake="another winner"),),
    ),
    "result": Plant(
        stages=("CROWN",),
        fields="crowned = Bool()",
        clauses=("result.crown",),
        code=reading_of("result.crown", "result.crown", "nobody", "wearer")
        + """
@book.rule("result.crown", by=turn, phase=Phase.CROWN)
def crown(t):
    t.crowned = True
    t.phase = Phase.DONE
""",
        winner='t.crowned & (t.reading(result_crown) == "wearer")',
        found=(Found("RL107", ("result.crown",), 2, stake="another winner"),),
    ),
}
