"""How much a question matters: paired random games of the answers.

Promises: the numbers are those of `solvers.simulate.paired`, with a fixed seed; nothing is claimed that no
game showed; where the options are more than two, the pair with the default is told that matters most.
"""

from __future__ import annotations

from collections.abc import Sequence

from findings.audit.survey import Parted, Survey
from findings.finding import Materiality, Share
from solvers.interpreter import Mixed
from solvers.simulate.paired import CONFIDENCE, Paired, paired

#: Pairs of games of one comparison; moves after which a game is cut off.
GAMES, LONGEST = 2_000, 2_000


def materiality(done: Survey, parted: Sequence[Parted]) -> Materiality | None:
    """How often games meet a parting, and how often another player wins or a score differs.

    Args:
        done: The survey.
        parted: Options of one reading, each where it parts from the default.

    Returns:
        The comparison of the option that matters most; None where none parts, or no game can be played.
    """
    found: list[tuple[Paired, Parted]] = []
    for p in parted:
        try:
            found.append((paired(p.program, p.other, GAMES, longest=LONGEST), p))
        except Mixed:  # a model that is reported as wrong elsewhere
            continue
    if not found:
        return None
    most, where = max(found, key=lambda f: (f[0].stops, f[0].winner, f[0].score, f[0].met))
    size = where.program.size_name
    return Materiality(
        policy=most.policy if size == done.size else f"{most.policy} {size}",
        games=most.games,
        confidence=CONFIDENCE,
        met=_share(most, "met"),
        winner=_share(most, "winner") if where.program.winners else None,
        score=_share(most, "score") if where.program.scores else None,
        length=_share(most, "length"),
    )


def _share(found: Paired, what: str) -> Share:
    made = found.share(what)
    return Share(share=round(made.value, 6), low=_down(made.low), high=_up(made.high))


def _down(value: float) -> float:
    return int(value * 1e6) / 1e6


def _up(value: float) -> float:
    return min(1.0, (int(value * 1e6) + 1) / 1e6)


__all__ = ["GAMES", "materiality"]
