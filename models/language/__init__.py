"""The modelling language: a rulebook as guarded commands, recorded into a small typed program.

Promise: everything a rulebook's module needs is imported from here; nothing here imports an engine.
"""

from models.language.book import Rulebook
from models.language.constructs import Policy, Ranking, Row, decide, rank, renamed, repeat, row, take
from models.language.errors import ModelError
from models.language.functions import count, ite, least, longest, lookup, most, reach
from models.language.program import Program
from models.language.questions import CHANCE, RULES, STOP, Reading, player, responder
from models.language.sizes import Size, deferred
from models.language.state import Array, Bag, Bool, Enum, Field, Grid, Index, Range, Stack, State
from models.language.terms import Term, TermLike, every, some, total
from models.language.windows import Window, race

# fmt: off
__all__ = [
    "CHANCE", "RULES", "STOP", "Array", "Bag", "Bool", "Enum", "Field", "Grid", "Index", "ModelError",
    "Policy", "Program", "Range", "Ranking", "Reading", "Row", "Rulebook", "Size", "Stack", "State", "Term",
    "TermLike", "Window", "count", "decide", "deferred", "every", "ite", "least", "longest", "lookup", "most",
    "player", "race", "rank", "reach", "renamed", "repeat", "responder", "row", "some", "take", "total",
]
