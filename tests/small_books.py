"""Small invented rulebooks, written to a folder: each plants one thing that an audit must find, or must not.

A `Plant` is an episode of the game `orchard`: the player picks it at the gate, it runs its course, and the
game is over. `orchard(folder, "clash", "gap")` writes a complete rulebook (rules, clauses with digests of an
invented text, words, examples, properties) with these episodes; `expected` says what its audit must find.
"""

from __future__ import annotations

from pathlib import Path

from models.language.layout import Role
from models.language.sentences import split
from tests.small_plants import READINGS, Found
from tests.small_plants_play import PLAY

PLANTS = {**PLAY, **READINGS}

#: Episodes that cannot stand in one book: facts that contradict each other leave no setup to be impossible.
APART = ("impossible",)
TOGETHER = tuple(name for name in PLANTS if name not in APART)

RULES = '''"""The orchard: an invented game."""

import enum

import attrs

from models.language import (
    CHANCE, RULES, Array, Bool, Enum, Range, Rulebook, Size, State, decide, ite, player, race, rank, repeat,
    row, some, take,
)


class Phase(enum.Enum):
    """Where the game stands."""

    HUB = 0
%(stages)s
    REST = 98
    DONE = 99


@attrs.frozen(kw_only=True)
class Orchard(Size):
    """Nothing to choose."""

    trees: int = 1


book = Rulebook("orchard", "The Orchard", file=__file__, players=2,
                sizes={"small": Orchard(), "tall": Orchard(trees=2)},
                variants={"day": "by day", "dusk": "at dusk"})
turn = player(lambda t: 0)


@book.state
class Table(State):
    """The table."""

    phase = Enum(Phase)
    die = Range(0, 3)
    coins = Array(2, Range(0, 9))
    %(fields)s


@book.rule("hub.sleep", by=turn, phase=Phase.REST)
def sleep(t):
    """The day is over."""
    t.phase = Phase.DONE


@book.over("hub.over")
def over(t):
    """The game is over."""
    return t.phase == Phase.DONE


@book.winner("hub.winner")
def winner(t, number):
    """Whoever has more coins, and whom an episode crowns."""
    crowned = %(winner)s if number == 0 else False
    return (t.coins[number] > t.coins[1 - number]) | crowned


@book.score("hub.winner")
def score(t, number):
    """The coins."""
    return t.coins[number]


@book.rule("hub.pick", by=turn, phase=Phase.HUB)
def pick_nothing(t):
    """The player goes home."""
    t.phase = Phase.REST
%(picks)s
%(code)s
'''

PICK = """

@book.rule("{name}.begin", by=turn, phase=Phase.HUB)
def pick_{name}(t):
    t.phase = Phase.{stage}
"""

BESIDE = '''"""{what} of the orchard."""

from pathlib import Path

from models.language import registry
from {module} import {name}

book = registry.find(str(Path(__file__).parent))
Phase = book.state_class.phase.members
{upper} = {name}({arguments})
{code}
'''

WORDS = """
[en]
title = "The Orchard"
player = "player {{{{ number + 1 }}}}"
state = "{{{{ phase|word }}}}; the die shows {{{{ die }}}}; coins {{{{ coins|listing(' : ') }}}}."

[en.enum.Phase]
HUB = "at the gate"

[en.rule]
pick_nothing = "The player goes home."
"""

HUB = ("hub.pick", "hub.sleep", "hub.over", "hub.winner")


def clause_names(*plants: str) -> tuple[str, ...]:
    """The ids of the sentences of a book with some episodes, in order."""
    names = list(HUB)
    for plant in plants:
        begin = [f"{plant}.begin"] if PLANTS[plant].stages else []
        names += [*begin, *PLANTS[plant].clauses]
    return tuple(names)


def own_words(clause: str) -> str:
    """A sentence as the clauses tell it."""
    section, what = clause.split(".")
    return f"In the episode {section} this tells of {what}."


def source_text(*plants: str) -> str:
    """The invented original text."""
    sections: dict[str, list[str]] = {}
    for clause in clause_names(*plants):
        section, what = clause.split(".")
        sections.setdefault(section, []).append(f"Here the old book speaks about {what} under {section}.")
    parts = [f"# {section.capitalize()}\n\n{' '.join(lines)}\n" for section, lines in sections.items()]
    return "\n".join(parts)


def clauses_toml(*plants: str) -> str:
    """The clauses, with the digests of the original."""
    out = ["schema = 1", 'rulebook = "The Orchard"', "", "[sections]"]
    entries: list[str] = []
    names = iter(clause_names(*plants))
    for s in split(source_text(*plants)):
        marks = f'digest = "{s.digest}", signature = "{s.signature}", line = {s.line}'
        if s.role is Role.HEADING:
            out.append(f'{s.section} = {{ title = "{s.text}", {marks} }}')
            continue
        name = next(names)
        entries += [
            "",
            "[[clause]]",
            f'id = "{name}"',
            f'section = "{s.section}"',
            f"ordinal = {s.ordinal}",
            *marks.split(", "),
            'kind = "rule"',
            'force = "must"',
            f'text = "{own_words(name)}"',
        ]
    return "\n".join([*out, *entries, ""])


def orchard(folder: Path, *plants: str, words: str = "") -> Path:
    """Write a rulebook with some episodes.

    Args:
        folder: The folder to write to; it is made.
        plants: Names of episodes.
        words: More of `words.toml`.

    Returns:
        The folder.
    """
    made = [PLANTS[p] for p in plants]
    stages = [stage for p in made for stage in p.stages]
    folder.mkdir(parents=True, exist_ok=True)
    rules = RULES % {
        "stages": "\n".join(f"    {stage} = {k}" for k, stage in enumerate(stages, 1)),
        "fields": "\n    ".join(p.fields for p in made if p.fields),
        "winner": " | ".join([f"({p.winner})" for p in made if p.winner] or ["False"]),
        "picks": "".join(
            PICK.format(name=name, stage=PLANTS[name].stages[0]) for name in plants if PLANTS[name].stages
        ),
        "code": "\n".join(p.code for p in made),
    }
    _write(folder / "rules.py", rules)
    _write(folder / "clauses.toml", clauses_toml(*plants))
    _write(folder / "words.toml", WORDS.format() + words)
    _write(folder / "orchard.txt", source_text(*plants))
    beside = {
        "examples": (
            "models.language.examples",
            "Examples",
            "book",
            [p.examples for p in made if p.examples],
        ),
        "properties": ("properties.kinds", "Properties", "", [p.properties for p in made if p.properties]),
    }
    for what, (module, name, arguments, code) in beside.items():
        if code:
            text = BESIDE.format(
                what=what,
                module=module,
                name=name,
                upper=what.upper(),
                arguments=arguments,
                code="\n".join(code),
            )
            _write(folder / f"{what}.py", text)
    return folder


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def expected(*plants: str) -> list[Found]:
    """What an audit of a book with some episodes must find, sorted."""
    return sorted((f for p in plants for f in PLANTS[p].found), key=repr)


__all__ = [
    "APART",
    "HUB",
    "PLANTS",
    "TOGETHER",
    "Found",
    "clause_names",
    "clauses_toml",
    "expected",
    "orchard",
    "own_words",
    "source_text",
]
