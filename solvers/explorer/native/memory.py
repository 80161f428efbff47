"""How much memory a search takes, and how it grows.

Promises: table, log and marks together stay within the limit; without a limit they stay within what the
machine can spare; nothing is copied but what moves from 32-bit to 64-bit memories, once.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from solvers.explorer.native.events import BATCH, Plan
from solvers.explorer.native.generate import LINE, LOAD
from solvers.explorer.native.machine import PAGE, Machine

#: A table below this size grows fourfold, a larger one by half.
_FOURFOLD = 1 << 22
#: Lines that are added behind the home lines when those there ran out.
_SPARE = 64
#: Share of the entries of home lines in use when memory is short.
_FULLEST = 0.9
#: Largest size of a memory with 32-bit addresses.
NARROW = (1 << 32) - PAGE
#: Most home lines: positions in the log are kept in 32 bits.
_MOST = (1 << 29) - 1
_GLOBALS = ("head", "tail", "level", "depth", "lines", "total", "room")


def available_memory() -> int:
    """Bytes that a search may take where no limit is given: four fifths of what is free."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024 * 4 // 5
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


class Space:
    """Decides on the sizes of a search's memories.

    Args:
        plan: The plan of the search.
        limit: Most bytes, or None for what the machine can spare.
    """

    def __init__(self, plan: Plan, limit: int | None) -> None:
        self.plan = plan
        self.given = limit is not None
        self.limit = limit if limit is not None else available_memory()
        self.most = BATCH + plan.instances + 1
        self.per_state = 8 * plan.words + 8 / 256 + (4 if plan.keeps_edges else 0)

    def grow(self, m: Machine, load: Callable[[bool], Machine]) -> tuple[Machine, str]:
        """Make room for at least one more batch.

        Args:
            m: The machine.
            load: Gives a machine with 64-bit memories (True) for the same search.

        Returns:
            The machine to go on with, and the limit that was met or "".
        """
        edges = self.edge_bytes(m)
        rest = edges + 8 * LINE * (m.get("total") - m.get("lines") + _SPARE) + 4 * PAGE
        lines, room = self.wanted(m.get("lines"), m.get("tail") + self.most, rest)
        if room < m.get("tail") + self.most:
            return m, self.message()
        spare = 8 if m.get("room") else _SPARE  # room 0: the lines at the end ran out
        shift = lines - m.get("lines") + spare
        sizes = {
            "table": 8 * LINE * (m.get("total") + shift),
            "log": 8 * self.plan.words * (room + 1),
            "marks": 8 * (room // 256 + 2),
        }
        if self.plan.keeps_edges:
            sizes |= {"edges": edges, "rows": 4 * (room + 1)}
        if not m.wide and max(sizes.values()) > NARROW:
            m = moved(m, load(True), self.plan)
        if not all(m.ensure(name, size) for name, size in sizes.items()):
            return m, "the memory of this machine"
        if lines > m.get("lines") or not m.get("room"):
            m.call("resize", lines, shift)
        m.set("room", room)
        if self.plan.keeps_edges:
            m.set("edge_room", m.bytes("edges") // 8)
        return m, ""

    def wanted(self, lines: int, states: int, rest: int) -> tuple[int, int]:
        """Home lines and room for states: the usual growth, or what the limit leaves.

        Args:
            lines: Home lines now.
            states: States there must be room for.
            rest: Bytes of everything else.
        """
        new, line = lines, 8 * LINE
        while states > int(new * LINE * LOAD) and new < _MOST:
            new = min(4 * new if line * new < _FOURFOLD else new + new // 2, _MOST)
        room = int(new * LINE * LOAD)
        if line * new + self.per_state * room + rest <= self.limit and states <= room:
            return new, room
        left = self.limit - rest
        most = int(left / (line + self.per_state * LINE * _FULLEST))
        new = max(lines, min(most, new))
        return new, min(int(new * LINE * _FULLEST), int((left - line * new) / self.per_state))

    def edge_bytes(self, m: Machine) -> int:
        """Bytes that the transitions take next."""
        if not self.plan.keeps_edges:
            return 0
        need = 8 * (m.get("steps") + self.most)
        return m.bytes("edges") if need <= m.bytes("edges") else need + need // 2

    def message(self) -> str:
        """Which limit was met."""
        size = f"{self.limit / (1 << 20):.0f} MiB"
        return f"the limit of {size} of memory" if self.given else f"the memory of this machine ({size})"

    def used(self, m: Machine) -> int:
        """Bytes that the found states take."""
        tail = m.get("tail")
        return int(m.bytes("table") + tail * self.per_state) + (
            8 * m.get("steps") if self.plan.keeps_edges else 0
        )


def moved(old: Machine, new: Machine, plan: Plan) -> Machine:
    """Move a search to a machine with wide memories, giving old memory back on the way."""
    for name in ("scratch", "log", "marks", "table", *(("edges", "rows") if plan.keeps_edges else ())):
        size = plan.tables if name == "scratch" else old.bytes(name)  # constant tables are each module's own
        if not new.ensure(name, size):
            return old
        step = 1 << 26
        for at in range(0, size, step):
            count = min(step, size - at)
            source = old.array(name, np.uint8, at, count)
            new.array(name, np.uint8, at, count)[:] = source
            _give_back(source.ctypes.data, count)
    for name in (*_GLOBALS, *(("steps", "edge_room") if plan.keeps_edges else ())):
        new.set(name, old.get(name))
    return new


def _give_back(address: int, size: int) -> None:
    """Tell the system that some memory is not needed any more, where it listens."""
    if hasattr(mmap, "MADV_DONTNEED"):
        begin = -(-address // mmap.PAGESIZE) * mmap.PAGESIZE
        end = (address + size) // mmap.PAGESIZE * mmap.PAGESIZE
        ctypes.CDLL(None).madvise(
            ctypes.c_void_p(begin), ctypes.c_size_t(max(0, end - begin)), mmap.MADV_DONTNEED
        )
