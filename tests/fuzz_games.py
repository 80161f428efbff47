"""Small invented rulebooks with properties, for the fuzz engine: each breaks, or meets, one known thing."""

from __future__ import annotations

import enum
from typing import Any

import attrs

from models.language import (
    CHANCE,
    RULES,
    Array,
    Bool,
    Enum,
    Index,
    Range,
    Rulebook,
    Size,
    State,
    deferred,
    every,
    player,
)
from properties import kinds
from properties.kinds import Properties
from solvers.fuzz import Plan, plan


class Phase(enum.Enum):
    """Phases of the vault."""

    TURN = 0
    ROLL = 1
    LOCK = 2
    OPEN = 3


@attrs.frozen(kw_only=True)
class Vault(Size):
    """How many bolts and how many numbers on the die."""

    bolts: int
    pips: int


SIZES = {"large": Vault(bolts=4, pips=6), "small": Vault(bolts=2, pips=2), "middle": Vault(bolts=3, pips=3)}
size = deferred(Vault)


def vault(**changes: bool) -> Rulebook:
    """Two players draw bolts in turn; when all are drawn, the vault is open.

    Args:
        changes: `leak` (the highest number gives the first bolt back), `jam` (the last bolt cannot be drawn,
            and then nobody may pass), `spin` (after the highest number a consequence goes round for ever),
            `mixed` (chance beside a player once the first bolt is drawn).
    """
    made = Rulebook(
        "vault",
        sizes=SIZES,
        players=2,
        variants={"plain": "", "hasty": "nobody passes"},
        clauses=["turn", "draw", "pass", "roll", "lock", "spin", "end"],
    )

    @made.state
    class Table(State):
        phase = Enum(Phase)
        turn = Index(2)
        pick = Index(size.bolts)
        drawn = Array(size.bolts, Bool())
        rolled = Range(0, size.pips)

    order = made.reading(
        "order",
        "pass",
        options={"swap": "the turn passes", "keep": "the same player goes on"},
        default="swap",
        why="it is usual",
        asks="Does the turn pass?",
    )
    on_turn = player(lambda t: t.turn)

    @made.rule("draw", by=on_turn, phase=Phase.TURN, bolt=size.bolts)
    def draw(t: Any, bolt: int) -> None:
        t.require(~t.drawn[bolt])
        if changes.get("jam") and bolt == t.size.bolts - 1:
            t.require(False)
        t.cover("drawn")
        t.pick = bolt
        t.phase = Phase.ROLL

    @made.rule("pass", by=on_turn, phase=Phase.TURN, only="plain")
    def pass_on(t: Any) -> None:
        if changes.get("jam"):
            t.require(~every(*list(t.drawn)[:-1]))
        t.turn = 1 - t.turn

    @made.rule("roll", by=CHANCE, phase=Phase.ROLL, pips=size.pips)
    def roll(t: Any, pips: int) -> None:
        t.rolled = pips + 1
        t.phase = Phase.LOCK

    @made.rule("lock", by=RULES, phase=Phase.LOCK)
    def lock(t: Any) -> None:
        if changes.get("spin"):
            t.require(t.rolled != t.size.pips)
        t.cover("locked")
        t.drawn[t.pick] = True
        if changes.get("leak"):
            with t.when(t.rolled == t.size.pips):
                t.drawn[0] = False
        t.pick = 0
        t.rolled = 0
        if t.reading(order) == "swap":
            t.turn = 1 - t.turn
        t.phase = Phase.TURN
        with t.when(every(*t.drawn)):
            t.phase = Phase.OPEN

    if changes.get("spin"):

        @made.rule("spin", by=RULES, phase=Phase.LOCK)
        def spin(t: Any) -> None:
            t.require(t.rolled == t.size.pips)
            t.turn = 1 - t.turn

    if changes.get("mixed"):

        @made.rule("roll", by=CHANCE, phase=Phase.TURN)
        def gust(t: Any) -> None:
            t.require(t.drawn[0])
            t.turn = 1 - t.turn

    made.over("end")(lambda t: t.phase == Phase.OPEN)
    return made


def properties() -> Properties:
    """What holds of a vault, and what does not: `no-two-bolts` breaks as soon as two bolts are drawn."""
    found = Properties()

    @found.always("draw")
    def no_two_bolts(t: Any) -> Any:
        """At most one bolt is drawn while somebody is on turn."""
        pairs = [(a, b) for a in range(t.size.bolts) for b in range(a)]
        return (t.phase == Phase.OPEN) | every(*(~(t.drawn[a] & t.drawn[b]) for a, b in pairs))

    @found.step("draw")
    def bolts_stay_drawn(before: Any, after: Any) -> Any:
        """A bolt that is drawn stays drawn."""
        return every(*(~b | a for b, a in zip(before.drawn, after.drawn, strict=True)))

    @found.sometimes("end")
    def it_opens(t: Any) -> Any:
        """The vault opens."""
        return t.phase == Phase.OPEN

    @found.sometimes("roll")
    def a_nine_is_rolled(t: Any) -> Any:
        """No die shows so much."""
        return t.rolled > 8

    return found


def plan_of(monkeypatch: Any, made: Rulebook, *names: str, **given: Any) -> Plan:
    """A plan for a vault with some of its properties."""
    chosen = Properties()
    chosen.all = [p for p in properties() if p.name in names]
    monkeypatch.setattr(kinds, "of", lambda book: chosen)
    return plan(made, **given)
