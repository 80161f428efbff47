"""The native explorer: WebAssembly generated from the IR, run by wasmtime.

Promise: the same answers as the reference explorer, without a compiler on the user's machine.
"""

from __future__ import annotations

from solvers.explorer.native.search import NativeSearch
from solvers.explorer.native.wat import Unsupported

__all__ = ["NativeSearch", "Unsupported"]
