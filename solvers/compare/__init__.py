"""Compare: where two readings, or two versions, of one rulebook part.

Promises: a parting is the first by the number of moves; its play is replayed; "never parts" is said only
after every common state was looked at.
"""

from solvers.compare.diagonal import Diagonal, Readings, partings
from solvers.compare.evidence import Builder, Evidence, Trial, gather
from solvers.compare.pairs import Parting
from solvers.compare.playouts import Stake, stake

__all__ = [
    "Builder",
    "Diagonal",
    "Evidence",
    "Parting",
    "Readings",
    "Stake",
    "Trial",
    "gather",
    "partings",
    "stake",
]
