"""The Dwarves: The Duel, put together.

Promise: importing this module declares the whole rulebook; `book` is it.
"""

from __future__ import annotations

from models.the_duel import fight, layout, play, readings, turn, windows
from models.the_duel.table import book

__all__ = ["book", "fight", "layout", "play", "readings", "turn", "windows"]
