"""Places in a modeller's source: where a term was built, where a mistake was made.

Promise: `here()` names the innermost frame that belongs to a rulebook, never one of this package.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType
from typing import NamedTuple

_PACKAGE = str(Path(__file__).parent) + os.sep


class Place(NamedTuple):
    """A line of a source file.

    Attributes:
        file: Path of the file as Python knows it.
        line: Line number, from 1.
    """

    file: str
    line: int

    def __str__(self) -> str:
        path = Path(self.file)
        return (
            f"{path.parent.name}/{path.name}:{self.line}" if path.parent.name else f"{path.name}:{self.line}"
        )


UNKNOWN = Place("<unknown>", 0)
_outside: dict[str, bool] = {}


def _is_outside(file: str) -> bool:
    known = _outside.get(file)
    if known is None:
        known = _outside[file] = not file.startswith((_PACKAGE, "<"))
    return known


def frame_here() -> FrameType | None:
    """The innermost frame outside the modelling language (generated code does not count), or None."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if _outside[file] if file in _outside else _is_outside(file):
            return frame
        frame = frame.f_back
    return None


def here() -> Place:
    """The place in the rulebook's source that is running now.

    Returns:
        The innermost frame outside the modelling language, or `UNKNOWN`.
    """
    frame = frame_here()
    return UNKNOWN if frame is None else Place(frame.f_code.co_filename, frame.f_lineno)


def innermost(error: BaseException) -> Place:
    """The deepest place outside the modelling language that an exception passed through, or `UNKNOWN`."""
    found, trace = UNKNOWN, error.__traceback__
    while trace is not None:
        if _is_outside(trace.tb_frame.f_code.co_filename):
            found = Place(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found
