"""Sizes: how many of each component a built model has, and numbers that wait for a size.

Promise: a `Size` is frozen and validated when it is made; a `Deferred` is arithmetic over a size's
fields that is worked out when a rulebook is built for one size.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeVar, cast

import attrs

from models.language.errors import ModelError
from models.language.nearest import did_you_mean
from models.language.places import Place, frame_here, here


@attrs.frozen(kw_only=True)
class Size:
    """Numbers of components; a rulebook subclasses it with `@attrs.frozen(kw_only=True)`.

    `validate` is called when an instance is made; it calls `need` for every condition.
    """

    def __attrs_post_init__(self) -> None:
        self.validate()

    def validate(self) -> None:
        """Check that the numbers go together; a subclass overrides it and calls `need`."""

    def need(self, holds: bool, message: str, hint: str = "change the numbers of this size") -> None:
        """Refuse the size unless a condition holds.

        Args:
            holds: The condition.
            message: What is wrong, in the words of the game (for instance "9 spots cannot be dealt
                from 8 cards").
            hint: What to do.

        Errors:
            ModelError: if the condition does not hold; it names the line where the size was made.
        """
        if not holds:
            raise ModelError(f"size {type(self).__name__}: {message}", where=str(_maker()), hint=hint)


def _maker() -> Place:
    """The line that makes the size whose `validate` is running."""
    frame = frame_here()
    while frame is not None and frame.f_code.co_name != "__attrs_post_init__":
        frame = frame.f_back
    while frame is not None and frame.f_code.co_name in ("__attrs_post_init__", "__init__"):
        frame = frame.f_back
    return here() if frame is None else Place(frame.f_code.co_filename, frame.f_lineno)


class Deferred:
    """A value that depends on the size; made by `deferred`, worked out by `resolve`.

    Args:
        of: Size → value.
        kind: The class of sizes whose field names may be asked for, or None for any.
    """

    __slots__ = ("_kind", "_of")

    def __init__(self, of: Callable[[Size], Any], kind: type[Size] | None = None) -> None:
        self._of, self._kind = of, kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._kind is not None:
            known = {a.name for a in attrs.fields(self._kind)} | {k for k in dir(self._kind) if k[0] != "_"}
            if name not in known:
                raise ModelError(
                    f"size {self._kind.__name__} has no field {name}",
                    where=str(here()),
                    hint=did_you_mean(name, known) or "declare it",
                )
        return Deferred(lambda s: getattr(self._of(s), name))

    def _with(self, op: Callable[[Any, Any], Any], other: object, flip: bool = False) -> Deferred:
        def both(s: Size) -> Any:
            a, b = self._of(s), resolve(other, s)
            return op(b, a) if flip else op(a, b)

        return Deferred(both)

    def __add__(self, other: object) -> Deferred:
        return self._with(operator.add, other)

    def __radd__(self, other: object) -> Deferred:
        return self._with(operator.add, other, flip=True)

    def __sub__(self, other: object) -> Deferred:
        return self._with(operator.sub, other)

    def __rsub__(self, other: object) -> Deferred:
        return self._with(operator.sub, other, flip=True)

    def __mul__(self, other: object) -> Deferred:
        return self._with(operator.mul, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Deferred:
        return self._with(operator.floordiv, other)

    def __rfloordiv__(self, other: object) -> Deferred:
        return self._with(operator.floordiv, other, flip=True)

    def __mod__(self, other: object) -> Deferred:
        return self._with(operator.mod, other)

    def __eq__(self, other: object) -> Deferred:  # type: ignore[override]
        return self._with(operator.eq, other)

    def __ne__(self, other: object) -> Deferred:  # type: ignore[override]
        return self._with(operator.ne, other)

    def __lt__(self, other: object) -> Deferred:
        return self._with(operator.lt, other)

    def __le__(self, other: object) -> Deferred:
        return self._with(operator.le, other)

    def __gt__(self, other: object) -> Deferred:
        return self._with(operator.gt, other)

    def __ge__(self, other: object) -> Deferred:
        return self._with(operator.ge, other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise ModelError(
            "a size is not known yet where the state and the rules are declared",
            where=str(here()),
            hint="inside a rule use `t.size`, which has its numbers",
        )

    def __index__(self) -> int:
        raise ModelError(
            "a size is not known yet where the state and the rules are declared",
            where=str(here()),
            hint="inside a rule use `t.size`; for rule parameters pass the size itself: `spot=size.spots`",
        )


S = TypeVar("S", bound=Size)


def deferred(kind: type[S]) -> S:
    """Stand in for the size at module level, so that fields may say `Index(size.players)`.

    Args:
        kind: The rulebook's class of sizes; only its type is used.

    Returns:
        An object that type checkers see as an instance of `kind`; its fields are `Deferred`.
    """
    return cast("S", Deferred(lambda s: s, kind))


def resolve(value: object, size: Size) -> Any:
    """The value for a size; what is not deferred is returned as it is."""
    return value._of(size) if isinstance(value, Deferred) else value
