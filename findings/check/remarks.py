"""Remarks: what `ruleslawyer check` says of a model, one line each.

Promises: a remark has a stable code, a place, what is wrong and what to do; warnings mean that the model says
less than it seems to, hints only that it could be clearer or faster.
"""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from models.language.places import Place


class Level(Enum):
    """How much a remark matters."""

    WARNING = "warning"
    HINT = "hint"


@frozen(kw_only=True)
class Remark:
    """One remark.

    Attributes:
        code: Kind of remark, for instance `unused-field`.
        level: How much it matters.
        where: Place in a source file, or the file or clause that it is about.
        told: What is wrong.
        todo: What to do.
    """

    code: str
    level: Level
    where: str
    told: str
    todo: str

    def __str__(self) -> str:
        return f"{self.where}: {self.code}: {self.told}; {self.todo}"


def warning(code: str, where: Place | str, told: str, todo: str) -> Remark:
    """A warning."""
    return Remark(code=code, level=Level.WARNING, where=str(where), told=told, todo=todo)


def hint(code: str, where: Place | str, told: str, todo: str) -> Remark:
    """A hint."""
    return Remark(code=code, level=Level.HINT, where=str(where), told=told, todo=todo)
