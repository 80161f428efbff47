"""What a run records, and where in the scratch memory: the plan that generated code and driver share.

Promises: an event (a site, a property, the first stuck state) is recorded once, with the state and the
instance of its first time in breadth-first order; counters are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.language.program import Program
from models.language.terms import Term
from properties.kinds import Form, Property
from solvers.explorer.native.packing import Packing
from solvers.explorer.native.wat import Function

#: Successors that are looked up together; a batch ends with the state that fills it.
BATCH = 128
_SEEN = 256


@dataclass(frozen=True)
class Plan:
    """Numbers of events and addresses in the scratch memory.

    Attributes:
        sites: Number of sites; site i is event i.
        always: Event and term of each invariant.
        steps: Event and term of each property of steps.
        sometimes: Event and term of each state to be reached.
        instances: Number of instances.
        words: Words of a state.
        indexed: Whether the table keeps hash and position in the log instead of the state.
        keeps_edges: Whether stopped steps are handed over as well, for the graph.
        known: Events that are recorded already and need no code.
        late: Whether most of what happens often is known, so that the rest is tested all at once.
        symmetric: Whether successors are replaced by their representatives.
    """

    sites: int
    always: tuple[tuple[int, Term], ...]
    steps: tuple[tuple[int, Term], ...]
    sometimes: tuple[tuple[int, Term], ...]
    instances: int
    words: int
    indexed: bool = False
    keeps_edges: bool = False
    known: frozenset[int] = frozenset()
    late: bool = False
    symmetric: bool = False

    @property
    def events(self) -> int:
        """Number of events; the last is the first stuck state."""
        return self.sites + len(self.always) + len(self.steps) + len(self.sometimes) + 1

    @property
    def stuck(self) -> int:
        """The event of the first stuck state."""
        return self.events - 1

    @property
    def stride(self) -> int:
        """Bytes of one successor in a batch; see the hand-written part."""
        return 8 * self.words + (16 if self.indexed else 8)

    # -- addresses --------------------------------------------------------------------------------
    @property
    def seen(self) -> int:
        """One byte per event."""
        return _SEEN

    def open(self, event: int) -> bool:
        """Whether an event is still to be recorded."""
        return event not in self.known

    @property
    def places(self) -> int:
        """16 bytes per event: number of the state, instance."""
        return _SEEN + -(-self.events // 16) * 16

    @property
    def counters(self) -> int:
        """Eight bytes each: states that are over, states that are stuck."""
        return self.places + 16 * self.events

    def fired(self, instance: int) -> int:
        """Where the steps of an instance are counted, eight bytes."""
        return self.counters + 16 + 8 * instance

    @property
    def tables(self) -> int:
        """Where constant tables begin."""
        return self.fired(self.instances)

    def batch_bytes(self) -> int:
        """Room for a batch: it may end with a state in which every instance acts."""
        return (BATCH + self.instances + 1) * self.stride

    # -- code -------------------------------------------------------------------------------------
    def guarded(self, f: Function, event: int) -> None:
        """Push whether an event has not been recorded yet."""
        f.add("i32.const 0", f"i32.load8_u offset={self.seen + event}", "i32.eqz")

    def record(self, f: Function, event: int, instance: int) -> None:
        """Record an event at the present state."""
        f.add(f"i32.const {event}", f"i32.const {instance}", "call $event")

    def count(self, f: Function, which: int) -> None:
        """Add one to a counter: 0 over, 1 stuck."""
        at = self.counters + 8 * which
        f.add(
            "i32.const 0",
            "i32.const 0",
            f"i64.load offset={at}",
            "i64.const 1",
            "i64.add",
            f"i64.store offset={at}",
        )


def plan(
    program: Program,
    properties: Sequence[Property],
    packing: Packing,
    *,
    keeps_edges: bool,
    symmetric: bool = False,
) -> Plan:
    """Number the events of a search.

    Args:
        program: The built rulebook.
        properties: What is checked on the way; forms that need the graph are passed over.
        packing: Its cells.
        keeps_edges: Whether the transitions are kept.
        symmetric: Whether states are explored up to symmetry.
    """
    at = len(program.sites)
    found: dict[Form, tuple[tuple[int, Term], ...]] = {}
    for form in (Form.ALWAYS, Form.STEP, Form.SOMETIMES):
        terms = [p.term(program) for p in properties if p.form is form]
        found[form] = tuple(enumerate(terms, at))
        at += len(terms)
    return Plan(
        len(program.sites),
        found[Form.ALWAYS],
        found[Form.STEP],
        found[Form.SOMETIMES],
        len(program.instances),
        packing.words,
        keeps_edges or not packing.marked,
        keeps_edges,
        symmetric=symmetric,
    )
