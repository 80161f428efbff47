"""How much memory a search takes, and how it grows.

Promises: table, log and marks together stay within the limit; without a limit they stay within what the
machine can spare; nothing is copied but what moves from 32-bit to 64-bit memories, once.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from solvers.explorer.native.events import BATCH, Plan
from solvers.explorer.native.generate import LINE, LOAD
from solvers.explorer.native.machine import PAGE, Machine
from solvers.explorer.native.wat import Unsupported

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
#: Where Linux tells what is free, which groups a process belongs to, and what a group (a container) may take.
_FREE, _GROUPS = Path("/proc/meminfo"), Path("/proc/self/cgroup")
_GROUP_ROOTS = {"": Path("/sys/fs/cgroup"), "memory": Path("/sys/fs/cgroup/memory")}
#: Limit and use of a group, and the part of the use that gives way, by version of the interface.
_GROUP_FILES = {
    "": ("memory.max", "memory.current", "inactive_file"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}
_GLOBALS = ("head", "tail", "level", "depth", "lines", "total", "room")


def available_memory() -> int:
    """Bytes that a search may take where no limit is given: four fifths of what is free.

    Where the process is in a container or another group with less memory, of what is free there.
    """
    try:
        for line in _FREE.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return min([int(line.split()[1]) * 1024, *group_memory()]) * 4 // 5
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


def group_memory() -> Iterator[int]:
    """Bytes that each group with a limit leaves of those that this process belongs to."""
    try:
        lines = [line.split(":", 2) for line in _GROUPS.read_text().splitlines()]
    except OSError:
        return
    for _, kinds, path in lines:
        for kind in {"", "memory"} & set(kinds.split(",")):
            root = _GROUP_ROOTS[kind]
            folder = root / path.lstrip("/")
            for place in (folder, *folder.parents):
                if place.is_relative_to(root):
                    yield from _group_free(place, *_GROUP_FILES[kind])


def _group_free(folder: Path, limit: str, used: str, idle: str) -> Iterator[int]:
    """Bytes that one group leaves; nothing where it has no limit or does not tell."""
    try:
        most = int((folder / limit).read_text())
        taken = int((folder / used).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        yield max(0, most - taken + int(stat.get(idle, 0)))
    except (OSError, ValueError):  # "max" is no number
        return


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
            try:
                m = moved(m, load(True), self.plan)
            except Unsupported:
                return m, "the memory of this machine"
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
    """Move a search to another machine, giving old memory back on the way.

    Returns:
        The new machine; the old one, with all that it holds, if the new one cannot have as much memory.
    """
    names = ("scratch", "log", "marks", "table", *(("edges", "rows") if plan.keeps_edges else ()))
    # constant tables are each module's own
    sizes = {name: plan.tables if name == "scratch" else old.bytes(name) for name in names}
    if not all(new.ensure(name, size) for name, size in sizes.items()):
        return old
    for name, size in sizes.items():
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
