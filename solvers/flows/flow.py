"""Flow: a rulebook as a graph of phases, of rules, of triggers or of states.

Promises: nodes and edges carry what was seen (numbers of states and transitions, how often a random game
passes) and what licenses them; parallel edges are kept apart; what guards allow and nobody has seen is there
too, marked so. The same program gives the same graph, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from models.language.program import Program
from solvers.contract import Limits, Progress
from solvers.explorer import Exploration, explore
from solvers.flows.observe import STOP, Games, Seen, actors, explored, random_games
from solvers.flows.places import OVER, Places, places
from solvers.flows.possible import possible_steps
from solvers.interpreter import Interpreter

if TYPE_CHECKING:
    import networkx as nx

LEVELS = ("phase", "rule", "trigger", "state")
#: States that the exploration behind a flow stores at most, unless told otherwise.
MOST_STATES = 500_000
#: Random games behind the frequencies, unless told otherwise.
GAMES = 200
START, END = "(start)", "(end)"


@dataclass(frozen=True, eq=False)
class Flow:
    """The flow of one program.

    Attributes:
        program: The program.
        level: What the nodes are: a member of `LEVELS`.
        graph: The graph, a `networkx.MultiDiGraph`. Node attributes: `kind` (`phase`, `rule`, `state`,
            `start`, `end`, `stop`), `states`, `visits`, `entry`, `ending`, `stuck`, `actors`. Edge
            attributes: `rule`, `actor`, `clauses`, `transitions`, `per_game`, `seen`; the key is the rule.
        places: The places of its states.
        exploration: The search behind it.
        seen: The steps of the explored states, where the search was exhaustive.
        games: The random games behind it.
        home: The place of every explored state, where the search was exhaustive.
    """

    program: Program
    level: str
    graph: nx.MultiDiGraph[str]
    places: Places
    exploration: Exploration = field(repr=False)
    seen: Seen | None = field(repr=False)
    games: Games = field(repr=False)
    home: Sequence[str] = field(repr=False, default=())

    @property
    def complete(self) -> bool:
        """Whether every reachable state was explored: what was not seen cannot happen at this size."""
        return self.seen is not None

    @property
    def entry(self) -> str:
        """The node in which the game begins; "" where nothing leads from one node to another."""
        return next((n for n, data in self.graph.nodes(data=True) if data["entry"]), "")

    @property
    def endings(self) -> tuple[str, ...]:
        """The nodes in which the game is over."""
        return tuple(n for n, data in self.graph.nodes(data=True) if data["ending"])

    def edges(self, *, seen: bool | None = None) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Edges as (from, to, attributes); all, or only those seen, or only those not seen."""
        for a, b, data in self.graph.edges(data=True):
            if seen is None or data["seen"] is seen:
                yield a, b, data


def flow(
    program: Program,
    *,
    level: str = "phase",
    by: Sequence[str] = (),
    limits: Limits | None = None,
    games: int = GAMES,
    seed: int = 1,
    progress: Progress | None = None,
) -> Flow:
    """Work out the flow of a program.

    Args:
        program: The program.
        level: What the nodes are: `phase`, `rule`, `trigger` or `state`.
        by: Fields whose values name the places (the field `phase` unless given).
        limits: When the exploration gives up; what was not explored is then known from random games alone.
        games: How many random games to play.
        seed: Of the random games.
        progress: Where to say how far it is.

    Errors:
        ModelError: an unknown field; for states also: there are too many of them.
        Mixed: chance and a player may act in the same state.
    """
    where = places(program, by)
    done = explore(program, limits=limits or Limits(states=MOST_STATES), graph=True, progress=progress)
    run = Interpreter(program)
    seen, home = explored(where, run, done.graph) if done.graph is not None and done.complete else (None, [])
    with _task(progress, f"{program.book.name}: random games", games) as tick:
        played = random_games(where, run, games, seed, tick)
    from solvers.flows import levels

    graph = levels.MAKERS[level](levels.Material(where, run, done, seen, played, home))
    return Flow(program, level, graph, where, done, seen, played, home)


def _task(progress: Progress | None, text: str, total: int) -> Any:
    quiet: Callable[[int], None] = lambda n: None  # noqa: E731
    return nullcontext(quiet) if progress is None else progress.task(text, total)


__all__ = ["END", "LEVELS", "OVER", "START", "STOP", "Flow", "actors", "flow", "possible_steps"]
