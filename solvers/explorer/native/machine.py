"""Running a generated module: engine, cache of compiled modules, memories.

Promises: a module is compiled once and kept in the user's cache folder; a cache file that is damaged, made by
another version or unwritable is as good as none; memories never move while a search runs.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import mmap
import os
import sys
import tempfile
import time
import weakref
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solvers.explorer.native.wat import Unsupported

if TYPE_CHECKING:
    import wasmtime

PAGE = 1 << 16
#: Most compiled modules that stay in the cache folder; the oldest go first.
_MOST_FILES = 1000
#: Seconds after which a file that is still being written belongs to nobody.
_STALE = 3600
#: Address space set aside for each wide memory, so that it never moves: 1 TiB.
_RESERVED = 1 << 40


def cache_folder() -> Path:
    """The user's cache folder of this program (`RULESLAWYER_CACHE` overrides it).

    A user without a home has none: the path given then cannot be written.
    """
    if chosen := os.environ.get("RULESLAWYER_CACHE"):
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(os.devnull)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        return Path(base or home / "AppData" / "Local") / "ruleslawyer" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ruleslawyer"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "ruleslawyer"


@cache
def engine(wide: bool) -> wasmtime.Engine:
    """The WebAssembly engine: one for 32-bit memories, one for 64-bit ones."""
    import wasmtime
    from wasmtime import _bindings

    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    config.wasm_memory64 = wide
    config.wasm_multi_memory = True
    config.wasm_bulk_memory = True
    if wide and hasattr(_bindings, "wasmtime_config_memory_reservation_set"):
        _bindings.wasmtime_config_memory_reservation_set(config.ptr(), _RESERVED)
    return _owned(wasmtime.Engine(config))


#: What the library has to free, in the order in which it was made.
_OWNED: list[weakref.ref[Any]] = []
Owned = TypeVar("Owned")


def _owned(thing: Owned) -> Owned:
    """Have something of the library's freed at the end of the process at the latest.

    Something that outlives the modules of the library would fail in its destructor.
    """
    if not _OWNED:
        atexit.register(_close)
    _OWNED.append(weakref.ref(thing, _OWNED.remove))
    return thing


def _close() -> None:
    for known in reversed(_OWNED[:]):
        thing = known()
        if thing is not None:
            thing.close()


class Modules:
    """Compiled modules on disk.

    Args:
        folder: Where they lie; the user's cache folder unless given.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or cache_folder()) / "native"

    def path(self, key: str) -> Path:
        """The file of a key (a digest, hex)."""
        return self.folder / f"{key}.cwasm"

    def load(self, key: str, wide: bool) -> wasmtime.Module | None:
        """The module of a key, or None."""
        import wasmtime

        try:
            raw = self.path(key).read_bytes()
        except OSError:
            return None
        if _mark(key, raw[32:]) != raw[:32]:
            return None
        try:
            return _owned(wasmtime.Module.deserialize(engine(wide), raw[32:]))
        except wasmtime.WasmtimeError:
            return None

    def store(self, key: str, module: wasmtime.Module) -> None:
        """Keep a module; a folder that cannot be written is passed over."""
        raw = bytes(module.serialize())
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_mark(key, raw) + raw)
                os.replace(name, self.path(key))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name)
                raise
            self._prune()

    def _prune(self) -> None:
        files = sorted(self.folder.glob("*.cwasm"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in files[_MOST_FILES:]:
            old.unlink(missing_ok=True)
        for left in self.folder.glob("*.tmp"):  # of a process that was killed while it wrote
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink(missing_ok=True)


def _mark(key: str, raw: bytes) -> bytes:
    """What a kept module begins with: the digest of its key and itself."""
    return hashlib.sha256(key.encode() + raw).digest()


def compiled(text: str, wide: bool) -> wasmtime.Module:
    """Compile a module from its text."""
    import wasmtime

    return _owned(wasmtime.Module(engine(wide), text))


class Machine:
    """One instance of a module.

    Args:
        module: The compiled module.
        wide: Whether its memories have 64-bit addresses.

    Errors:
        Unsupported: the system sets aside too little address space for its memories.
    """

    def __init__(self, module: wasmtime.Module, wide: bool) -> None:
        import wasmtime

        self.wide = wide
        self.store = _owned(wasmtime.Store(engine(wide)))
        try:
            self._exports: Any = wasmtime.Instance(self.store, module, []).exports(self.store)
        except wasmtime.WasmtimeError as error:
            raise Unsupported(f"no address space for WebAssembly: {str(error).splitlines()[0]}") from error
        self._advised: dict[str, int] = {}

    def call(self, name: str, *arguments: int) -> int:
        """Call an exported function; numbers are taken as bit patterns."""
        return int(self._exports[name](self.store, *(_signed(a) for a in arguments)) or 0)

    def get(self, name: str) -> int:
        """The value of an exported global."""
        return int(self._exports[name].value(self.store))

    def set(self, name: str, value: int) -> None:
        """Set an exported global of 64 bits."""
        import wasmtime

        self._exports[name].set_value(self.store, wasmtime.Val.i64(value))

    def bytes(self, memory: str) -> int:
        """The size of a memory."""
        return int(self._exports[memory].data_len(self.store))

    def ensure(self, memory: str, size: int) -> bool:
        """Grow a memory to at least a number of bytes; False if the system has none left."""
        import wasmtime

        more = -(-(size - self.bytes(memory)) // PAGE)
        if more > 0:
            try:
                self._exports[memory].grow(self.store, more)
            except wasmtime.WasmtimeError:
                return False
        self._advise(memory)
        return True

    def _advise(self, memory: str) -> None:
        """Ask for large pages, which make scattered reads faster, where the system has them."""
        size = self.bytes(memory)
        done = self._advised.get(memory, 0)
        if size - done < 1 << 23 or not hasattr(mmap, "MADV_HUGEPAGE"):
            return
        start = ctypes.addressof(self._exports[memory].data_ptr(self.store).contents)
        libc = ctypes.CDLL(None, use_errno=True)
        begin, end = (
            -(-(start + done) // mmap.PAGESIZE) * mmap.PAGESIZE,
            (start + size) // mmap.PAGESIZE * mmap.PAGESIZE,
        )
        libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), mmap.MADV_HUGEPAGE)
        self._advised[memory] = size

    def array(self, memory: str, kind: type[np.generic], offset: int, count: int) -> NDArray[Any]:
        """A view of numbers in a memory; it is valid until the memory grows or the machine goes."""
        size = count * np.dtype(kind).itemsize
        if not size:
            return np.empty(0, kind)
        raw = self._exports[memory].get_buffer_ptr(self.store, size, offset)
        return np.frombuffer(raw, kind, count)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
