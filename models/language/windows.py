"""Response windows: moves "at any time" as an offer to each player in turn, with an explicit pass.

Promises: while a window is open exactly one player is asked; it closes when all have passed one after
another; an answer that is itself an event opens it anew. A closed window has one representation, so that
equal positions are equal states. Which events open a window is the rulebook's matter (often a reading).

    class Table(State):
        window = Window(size.players)

    answering = responder(lambda t: t.window.asked)

    @book.rule("cards.answer", by=answering)
    def counter(t):
        t.require(t.window.is_open & …)
        …
        t.window.opens(first=t.window.after(t.window.asked))

    @book.rule("cards.answer", by=answering)
    def decline(t):
        t.require(t.window.is_open)
        t.window.passes()

What has waited for the window to close (the top of a chain, say) is a `RULES` rule that requires it closed.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.language.errors import ModelError
from models.language.fields import Field, Slots
from models.language.functions import count, least
from models.language.ir import Kind
from models.language.sizes import resolve
from models.language.slots import Leaf, Node, Row, Slot
from models.language.state import State
from models.language.terms import BOOL, FALSE, INT, TRUE, Term, TermLike, constant, term
from models.language.trace import Trace


class Window(Field["WindowView"]):
    """A response window of a state: whether it is open, who is asked, how many have passed in a row.

    Args:
        players: Number of players.
        hidden: See `Field`.
    """

    def __init__(self, players: int, *, hidden: bool = False) -> None:
        super().__init__(hidden=hidden)
        self.players = players

    def node(self, slots: Slots, name: str, start: object, hidden: bool) -> Row:
        """See `Field.node`; three slots, `open`, `asked` and `passed`."""
        n, secret = resolve(self.players, slots.size), hidden or self.hidden
        if not isinstance(n, int) or n < 1:
            raise ModelError(f"field {name}: a window for {n!r} players", hint="give the number of players")
        leaves = (
            slots.add(f"{name}.open", BOOL, 0, 1, 0, secret),
            slots.add(f"{name}.asked", INT, 0, n - 1, 0, secret),
            slots.add(f"{name}.passed", INT, 0, n - 1, 0, secret),
        )
        return Row(name, None, leaves)

    def view(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> WindowView:
        """A `WindowView`."""
        return WindowView(trace, nodes, index)


class WindowView:
    """What a rule sees of a window; see the module for how its methods go together."""

    def __init__(self, trace: Trace, nodes: Sequence[Node], index: Term | None) -> None:
        self._trace, self._index = trace, index
        self._nodes = [n for n in nodes if isinstance(n, Row)]
        self.players: int = self._slots(1)[0].hi + 1

    def _slots(self, part: int) -> list[Slot]:
        return [leaf.slot for n in self._nodes if isinstance(leaf := n.items[part], Leaf)]

    def _set(self, is_open: Term, asked: Term, passed: Term) -> None:
        for part, value in enumerate((is_open, asked, passed)):
            self._trace.assign(self._slots(part), self._index, value)

    @property
    def is_open(self) -> Term:
        """Whether somebody is asked."""
        return self._trace.read(self._slots(0), self._index)

    @property
    def asked(self) -> Term:
        """The player who is asked now; 0 while the window is closed."""
        return self._trace.read(self._slots(1), self._index)

    @property
    def passed(self) -> Term:
        """How many players have passed one after another."""
        return self._trace.read(self._slots(2), self._index)

    def asks(self, player: TermLike) -> Term:
        """Whether that player is asked now."""
        return self.is_open & (self.asked == player)

    def after(self, player: TermLike) -> Term:
        """The player whose turn comes after that of a player."""
        return (term(player) + 1) % self.players

    def opens(self, first: TermLike) -> None:
        """An event: from now on all players are asked, beginning with one of them.

        Args:
            first: Who is asked first; after an event caused by a player usually `after(player)`, so that
                this player is asked last.
        """
        self._set(TRUE, term(first), constant(0))

    def passes(self) -> None:
        """The player who is asked passes; when all have passed in a row the window closes."""
        asked, passed = self.asked, self.passed
        last = passed == self.players - 1
        with self._trace.when(last):
            self.closes()
        with self._trace.otherwise():
            self._set(TRUE, self.after(asked), least(passed + 1, self.players - 1))

    def closes(self) -> None:
        """Nobody is asked any more."""
        self._set(FALSE, constant(0), constant(0))


def race(t: State, name: str, wanting: Sequence[TermLike], clause: str) -> None:
    """Ask whether two players want the same response window.

    Args:
        t: The state.
        name: Name of the window.
        wanting: For each player whether they could act in it.
        clause: The sentence that opens it.
    """
    t.trace.probe(Kind.RACE, name, count(*wanting) > 1, (), (clause,), ("race", clause))
