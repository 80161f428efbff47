"""State classes: typed finite fields, declared like a Django model, read and written like attributes.

Promises: on the class a field is its declaration; on the `t` of a rule, reading a field gives a term
(or a view of an array, bag, stack or grid) of its value at that moment, assigning records a statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.language.errors import ModelError
from models.language.fields import Array, Bag, Bool, Enum, Field, Grid, Index, Range, Scalar, Slots, Stack
from models.language.nearest import did_you_mean
from models.language.places import here
from models.language.sizes import Size
from models.language.slots import Layout, Node
from models.language.terms import Term, TermLike

if TYPE_CHECKING:
    from models.language.questions import Reading
    from models.language.trace import Branch, Trace
    from models.language.views import BagView


class UnknownField(ModelError, AttributeError):
    """A field was read or assigned that the state does not declare."""


class State:
    """Base of a rulebook's state; rules, properties and examples get an instance called `t`.

    Attributes:
        trace: What records reads and writes.
        layout: The slots.
        size: The numbers of the size that is built.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.layout = trace.layout
        self.size: Any = trace.size

    def __init_subclass__(cls) -> None:
        taken = {"trace", "layout", "size", *vars(State)}
        for name, field in vars(cls).items():
            if isinstance(field, Field) and name in taken:
                raise ModelError(
                    f"a field cannot be called {name}: every state has something of that name",
                    where=str(field.place),
                    hint="call it otherwise",
                )

    @classmethod
    def fields(cls) -> dict[str, Field[Any]]:
        """The declared fields in order, inherited ones first."""
        found: dict[str, Field[Any]] = {}
        for base in reversed(cls.__mro__):
            found.update({k: v for k, v in vars(base).items() if isinstance(v, Field)})
        return found

    @classmethod
    def lay_out(cls, size: Size) -> Layout:
        """Flatten the fields for a size.

        Errors:
            ModelError: a range is empty, a start is outside, an array has no items, no field is declared.
        """
        slots = Slots(size)
        nodes: dict[str, Node] = {}
        for name, field in cls.fields().items():
            try:
                nodes[name] = field.node(slots, name, None, False)
            except ModelError as error:
                if error.where:
                    raise
                raise ModelError(error.message, where=str(field.place), hint=error.hint) from None
        if not nodes:
            raise ModelError(f"state {cls.__name__} declares no field", hint="give it at least a phase")
        return Layout(tuple(slots.slots), nodes)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("trace", "layout", "size") and not isinstance(getattr(type(self), name, None), Field):
            raise self._unknown(name, "declare it, or assign to a local name")
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        raise self._unknown(name, "declare it")

    def _unknown(self, name: str, hint: str) -> UnknownField:
        state = type(self)
        near = did_you_mean(name, state.fields()) if not name.startswith("__") else ""
        return UnknownField(
            f"state {state.__name__} has no field {name}", where=str(here()), hint=near or hint
        )

    # -- recording ------------------------------------------------------------------------------
    def require(self, condition: TermLike) -> None:
        """Add to the guard; stands before the first assignment and outside `when`."""
        self.trace.require(condition)

    def when(self, condition: TermLike) -> Branch:
        """`with t.when(c):` — statements that happen only where `c` holds."""
        return self.trace.when(condition)

    def otherwise(self) -> Branch:
        """`with t.otherwise():` directly after a `when` block — where its condition does not hold."""
        return self.trace.otherwise()

    def cover(self, name: str) -> None:
        """Mark a place that some play should come by."""
        self.trace.cover(name)

    def stop(self, name: str, *clauses: str) -> None:
        """The text ends here: nobody knows how the play goes on."""
        self.trace.stop(name, clauses)

    def total(self, bag: BagView) -> Term:
        """Number of items in a bag."""
        return bag.total()

    def reading(self, reading: Reading) -> str:
        """The option chosen for a reading in the model that is built; plain Python `if` may test it."""
        return self.trace.choice(reading)

    @property
    def variant(self) -> str:
        """Name of the variant that is built."""
        return self.trace.variant


# fmt: off
__all__ = [
    "Array", "Bag", "Bool", "Enum", "Field", "Grid", "Index", "Range", "Scalar", "Slots", "Stack", "State",
    "UnknownField",
]
