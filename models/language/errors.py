"""The one error that a person can cause and mend.

Promises: whatever is wrong with a file, a model or an argument is raised as `ModelError`, whose text says
what is wrong, where, and what to do. Programs that meet one print it and end with exit code 2; they never
show a traceback for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from models.language.places import innermost


class ModelError(Exception):
    """Something a person wrote is wrong, and the message says how to mend it.

    Args:
        message: what is wrong, one line, no final full stop.
        where: the place: `file:line`, a clause id, a rule name, or several of these with commas between.
        hint: what to do about it, one line.

    `str()` of the error is `where: message; hint`, with the parts that are missing left out. Line breaks
    inside a part are folded to spaces, so that the text is always a single line.
    """

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.message = " ".join(message.split())
        self.where = " ".join(where.split()) if where else None
        self.hint = " ".join(hint.split()) if hint else None
        super().__init__(self.message)

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.hint}" if self.hint else text


@contextmanager
def blaming(what: str) -> Iterator[None]:
    """Name a part of the rulebook in the mistakes made there; an ordinary exception becomes a `ModelError`.

    Args:
        what: What is running, for instance `rule reveal(spot=2)`.
    """
    try:
        yield
    except ModelError as error:
        if what not in (error.where or ""):
            error.where = f"{error.where}, {what}" if error.where else what
        raise
    except Exception as error:
        raise ModelError(
            f"{type(error).__name__}: {error}",
            where=f"{innermost(error)}, {what}",
            hint="correct the line",
        ) from error
