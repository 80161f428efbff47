"""Questions that a rulebook's text raises: readings, rulings, facts, what is missing, players.

Promise: these are declarations only; the builder checks them against the clauses, engines answer them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.language.places import Place
from models.language.terms import Term

#: The option of a derived reading by which the play stops.
STOP = "stop"


@dataclass(frozen=True)
class Reading:
    """A sentence that can be read several ways; a constant of a built program.

    Attributes:
        id: Stable name.
        clauses: The sentences concerned.
        options: Option id → what it means, in our own words.
        default: The option that the model takes unless told otherwise.
        why: Why that one is the default.
        asks: The question to the author.
        leans: An option and the clause that points to it without settling it, or ().
        ruling: Name of the ruling that alone brings this reading, or "".
        derived: It was made from two clashing rows of a table.
    """

    id: str
    clauses: tuple[str, ...]
    options: Mapping[str, str]
    default: str
    why: str
    asks: str
    leans: tuple[str, ...] = ()
    ruling: str = ""
    derived: bool = False
    place: Place = field(default=Place("", 0), compare=False)


@dataclass(frozen=True)
class Ruling:
    """An answer from outside the text: it picks options of readings.

    Attributes:
        id: The clause of the ruling.
        picks: Reading id (or derived reading id) → option.
        source: Who said it.
        answers: Ids of missing parts that it gives, and of readings that it speaks of without settling them.
    """

    id: str
    picks: Mapping[str, str]
    source: str
    place: Place = field(compare=False)
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A statement about components, over unknown numbers.

    Attributes:
        clause: The sentence that states it.
        term: What holds, a Boolean term over `unknown`s.
    """

    clause: str
    term: Term
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Missing:
    """Something that the text needs and never gives; the modeller's word.

    Attributes:
        id: Stable name.
        clauses: Sentences that need it.
        what: What is missing.
        asks: The question to the author.
    """

    id: str
    clauses: tuple[str, ...]
    what: str
    asks: str
    place: Place = field(compare=False)


@dataclass(frozen=True)
class ByPlayer:
    """A player acts, on their turn or in an open response window.

    Attributes:
        who: Function of `t` and the rule's parameters to the number of the player.
        window: The move answers an event; it comes before chance and turn moves.
    """

    who: Callable[..., Any]
    window: bool = False


@dataclass(frozen=True)
class _By:
    name: str


CHANCE = _By("CHANCE")
RULES = _By("RULES")
By = ByPlayer | _By


def derived_id(table: str, a: str, b: str) -> str:
    """Id of the reading that two clashing rows of a table give rise to."""
    return f"{table}:{'+'.join(sorted((a, b)))}"


def derived_reading(table: str, rows: tuple[str, str], clauses: tuple[str, ...], default: str) -> Reading:
    """The reading of two clashing rows: either prevails, or nobody can go on.

    Args:
        table: Name of the table.
        rows: Ids of the two rows.
        clauses: The sentences that the rows stand for.
        default: The row that the model takes.
    """
    options = {r: f"{r} prevails" for r in rows} | {STOP: "the play stops"}
    return Reading(
        derived_id(table, *rows),
        clauses,
        options,
        default,
        "the first row in the order of the text",
        f"Which prevails: {rows[0]} or {rows[1]}?",
        derived=True,
    )


def player(who: Callable[..., Any]) -> ByPlayer:
    """Declare who acts: on their turn, as `player(lambda t: t.turn)` says of the one on turn.

    Args:
        who: A function of `t`, and of those parameters of the rule that it names, to a player's number.
    """
    return ByPlayer(who)


def responder(who: Callable[..., Any]) -> ByPlayer:
    """Declare who may answer in an open window; such moves come before chance and turn moves.

    Args:
        who: See `player`.
    """
    return ByPlayer(who, window=True)
