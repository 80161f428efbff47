"""Interning: a table from what a thing is made of to the one thing that is made of it.

Promises: entries are weak, so what nobody holds is forgotten; looking up creates nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class _Entry(weakref.ref[T]):
    """A weak reference that knows its key."""

    __slots__ = ("key",)
    key: Hashable


class Interned(Generic[T]):
    """The table; a plainer and faster `weakref.WeakValueDictionary`."""

    def __init__(self) -> None:
        self._entries: dict[Hashable, _Entry[T]] = {}

        def forget(entry: weakref.ref[T], entries: dict[Hashable, _Entry[T]] = self._entries) -> None:
            assert isinstance(entry, _Entry)
            key = entry.key
            if entries.get(key) is entry:
                del entries[key]

        self._forget = forget

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> T | None:
        """The thing of a key, or None."""
        entry = self._entries.get(key)
        return None if entry is None else entry()

    def put(self, key: Hashable, made: T) -> None:
        """Enter a thing under a key."""
        entry = _Entry(made, self._forget)
        entry.key = key
        self._entries[key] = entry
