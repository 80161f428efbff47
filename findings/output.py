"""Writing files whole or not at all.

Promises: after `write_atomic` the file holds either all of the new content or what it held before; what
goes wrong is a `ModelError` that names the file and says what to do.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from findings.text import printable
from models.language.errors import ModelError

STANDARD_OUTPUT = Path("-")
_ELSEWHERE = "choose another place, or change its permissions"


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file whole, or leave it as it is.

    The content goes to a new file in the same folder, which then replaces the old one; a symbolic link keeps
    pointing where it points, and an existing file keeps its permissions. `-` is the standard output. A device
    or a pipe cannot be replaced and is written to directly.

    Args:
        path: the file; its folder must exist.
        content: text (written as UTF-8 with line feeds as they are) or bytes.

    Errors:
        ModelError: if the folder is missing or not writable, the path is a folder, or the disk is full.
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    check_target(path)
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise _cannot(path, reason, _ELSEWHERE) from error


def check_target(path: Path | None) -> None:
    """Refuse a place that cannot be written to, before the work whose result is meant for it.

    Args:
        path: the file; None and `-` are always fine.

    Errors:
        ModelError: if the path is a folder, or its folder is missing or not writable.
    """
    if path is None or path == STANDARD_OUTPUT:
        return
    try:
        target = path.resolve()
        if target.is_dir():
            raise _cannot(path, "it is a folder", "name a file in it")
        if not target.parent.exists():
            raise _cannot(path, f"the folder {printable(str(target.parent))} does not exist", "make it first")
        if not target.parent.is_dir():
            raise _cannot(path, f"{printable(str(target.parent))} is not a folder", "choose another place")
        if (target.is_file() or not target.exists()) and not os.access(target.parent, os.W_OK):
            raise _cannot(path, f"nothing can be written to {printable(str(target.parent))}", _ELSEWHERE)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise _cannot(path, reason, _ELSEWHERE) from error


def _cannot(path: Path, why: str, hint: str) -> ModelError:
    return ModelError(f"cannot write: {why}", where=printable(str(path)), hint=hint)


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The permissions of the existing file, or those that the user's umask gives to a new one."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
