"""Little graphs as rulebooks, for tests of what is asked of explored graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from models.language import Range, Rulebook, Size, State, lookup, player, some
from solvers.explorer import Exploration, explore
from solvers.explorer.exploration import Graph


@attrs.frozen(kw_only=True)
class One(Size):
    pass


anybody = player(lambda t: 0)


def maze(moves: Mapping[str, Mapping[int, int]], by: Mapping[str, Any], over: Sequence[int] = ()) -> Rulebook:
    """A book that goes from place to place; each rule has its ways, -1 is a stop."""
    book = Rulebook("maze", sizes={"one": One()}, clauses=("c",), players=1)
    places = max(max((*ways, *ways.values())) for ways in moves.values())

    @book.state
    class Table(State):
        at = Range(0, places)

    def declare(name: str, ways: Mapping[int, int]) -> None:
        def rule(t: Any) -> None:
            t.require(some(*(t.at == a for a in ways)))
            stops = [a for a, b in ways.items() if b < 0]
            if stops:
                with t.when(some(*(t.at == a for a in stops))):
                    t.stop(f"stop-{name}")
            t.at = lookup(t.at, [max(ways.get(a, 0), 0) for a in range(places + 1)])

        rule.__name__ = name
        book.rule("c", by=by.get(name, anybody))(rule)

    for name, ways in moves.items():
        declare(name, ways)

    @book.over("c")
    def ends(t: Any) -> Any:
        return some(*(t.at == a for a in over))

    return book


def explored(book: Rulebook) -> tuple[Exploration, Graph]:
    found = explore(book.build(), graph=True, engine="reference")
    assert found.graph is not None
    return found, found.graph
