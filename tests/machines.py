"""The table of tiny machines: name → rulebook and what every engine must say about it.

`from tests.machines import MACHINES`; see `tests.machine_kit.Machine` for what is pinned. The numbers are
exact: they were worked out by hand or by plain Python beside the machine (`tests/test_language_machines.py`),
and an engine that finds another number has a bug.
"""

from __future__ import annotations

from collections.abc import Mapping

from tests.machine_constructs import CONSTRUCTS
from tests.machine_games import GAMES
from tests.machine_kit import Machine
from tests.machine_tables import TABLES

MACHINES: Mapping[str, Machine] = {**GAMES, **CONSTRUCTS, **TABLES}

__all__ = ["MACHINES", "Machine"]
