"""Invented findings, audits and baselines that several tests share."""

from __future__ import annotations

from typing import Any

from findings.finding import (
    Coverage,
    Finding,
    Materiality,
    Option,
    Proved,
    RulebookAudit,
    Share,
    Stake,
    Status,
    Undecided,
    Witness,
)
from findings.fingerprints import fingerprint


def finding(code: str = "RL102", identity: str = "apples", **changes: Any) -> Finding:
    """A finding of the invented rulebook `orchard`; what `changes` names is different."""
    fields: dict[str, Any] = {
        "title": "as many apples as pears",
        "status": Status.OPEN,
        "situation": "A player holds three apples and three pears.",
        "stake": Stake.SCORE,
        "clauses": ("harvest.more", "harvest.fewer"),
        "question": "What does a player with as many apples as pears gain?",
        "witness": Witness(size="small", moves=("pick apple", "pick pear")),
        "scope": "size small, explorer",
        "fingerprint": fingerprint(code, "orchard", [identity]),
    }
    return Finding(code=code, **{**fields, **changes})


CONTRADICTION = finding(
    "RL101",
    "lantern",
    title="Lantern against Ogre",
    situation="The strongest player holds the lantern when the ogre comes.",
    stake=Stake.STOP,
    clauses=("lantern.safe", "ogre.strongest"),
    question="May the ogre attack a player who holds the lantern?",
    options=(
        Option(id="lantern.safe", outcome="nobody is attacked"),
        Option(id="ogre.strongest", outcome="the holder of the lantern is attacked"),
    ),
    witness=Witness(size="small", moves=("take lantern", "night", "ogre"), steps=("Ada takes the lantern.",)),
    materiality=Materiality(
        policy="random",
        games=20_000,
        met=Share(share=0.004, low=0.003, high=0.005),
        winner=Share(share=0.001, low=0.0005, high=0.0015),
    ),
)

GAP = finding()

MOOT = finding(
    "RL104",
    "fish",
    title="most fish",
    status=Status.MOOT,
    situation="Two players have as many fish.",
    stake=Stake.WINNER,
    clauses=("end.fish",),
    question="Who wins if two players have as many fish?",
    witness=None,
    scope="print size, under 7 proved invariants",
    because="the number of fish is odd and two play",
)

COVERAGE = Coverage(clauses=40, cited=31, fired=29, uncited=("intro.story", "intro.age"))


def audit(*findings: Finding, **changes: Any) -> RulebookAudit:
    """An audit of `orchard` with some findings; what `changes` names is different."""
    fields: dict[str, Any] = {
        "rulebook": "orchard",
        "variant": "basic",
        "size": "small",
        "engines": ("explorer", "symbolic, 20 steps"),
        "seconds": 1.25,
        "states": 12_345,
        "findings": findings,
        "proved": (Proved(name="apples are conserved", scope="print size"),),
        "coverage": COVERAGE,
        "undecided": (),
        "digests": {
            "lantern.safe": "a" * 16,
            "ogre.strongest": "b" * 16,
            "harvest.more": "c" * 16,
            "harvest.fewer": "d" * 16,
            "end.fish": "e" * 16,
        },
    }
    return RulebookAudit(**{**fields, **changes})


UNDECIDED = Undecided(name="endless play at print size", reason="time limit", bound="9 of 40 rounds")
