"""Scores of Railroad Ink boards, worked out with networkx from the tokens: a second opinion for the tests.

Promise: shares no code with the model: it reads tokens, exits and readings, and knows no term.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

DELTA = ((-1, 0), (0, 1), (1, 0), (0, -1))
POINTS = (0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45)
FORCED = ("WWWW", "CCCC")


class Opinion:
    """One board.

    Args:
        rows: Its rows of tokens; `....` where nothing is drawn.
        exits: Space number, side number and kind of each exit.
        centre: Spaces of the centre.
        middle: The space in the middle.
        variant: The variant.
        options: Reading → option.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        exits: Sequence[tuple[int, int, str]],
        centre: Sequence[int],
        middle: int,
        variant: str,
        options: Mapping[str, str],
    ) -> None:
        self.n = len(rows[0])
        self.at = {(r, c): rows[r][c] for r in range(len(rows)) for c in range(self.n)}
        self.exits = {(divmod(cell, self.n), side): kind for cell, side, kind in exits}
        self.centre = [divmod(c, self.n) for c in centre]
        self.middle = divmod(middle, self.n)
        self.variant, self.options = variant, options

    def across(self, place: tuple[int, int], side: int) -> str | None:
        """The end across a side: None at the rim, "." where the space there has none."""
        other = (place[0] + DELTA[side][0], place[1] + DELTA[side][1])
        return self.at[other][(side + 2) % 4] if other in self.at else None

    def graph(self, letters: str) -> Any:
        """Spaces, joined where ends of one of some kinds meet."""
        made: Any = nx.Graph()
        for place, token in self.at.items():
            for side in range(4):
                if token[side] in letters:
                    made.add_node(place)
                    if self.across(place, side) == token[side]:
                        made.add_edge(place, (place[0] + DELTA[side][0], place[1] + DELTA[side][1]))
        return made

    def networks(self) -> int:
        """Points of the networks: ends are nodes, joined within a space and across sides."""
        net: Any = nx.Graph()
        for place, token in self.at.items():
            ends = [(s, token[s]) for s in range(4) if token[s] in "HRW"]
            for s, kind in ends:
                net.add_node((place, s))
                for t, other in ends:
                    if kind == other or token.endswith("*"):
                        net.add_edge((place, s), (place, t))
                if self.across(place, s) == kind and (kind != "W" or self.variant == "lake"):
                    other_place = (place[0] + DELTA[s][0], place[1] + DELTA[s][1])
                    net.add_edge((place, s), (other_place, (s + 2) % 4))
        total = 0
        for part in nx.connected_components(net):
            found = sum(self.at[p][s] == self.exits.get((p, s)) for p, s in part)
            total += POINTS[found]
        return total

    def longest(self, letter: str) -> int:
        """The longest run, by walking all of them."""
        made = self.graph(letter)
        again = self.options.get("longest.twice", "once") == "arms"

        def grow(node: object, used: frozenset[object]) -> int:
            best = 1
            for other in made[node]:
                key = frozenset((node, other)) if again else other
                if key not in used:
                    best = max(best, 1 + grow(other, used | {key}))
            return best

        return max((grow(n, frozenset() if again else frozenset([n])) for n in made), default=0)

    def in_centre(self) -> int:
        """Spaces of the centre that count."""
        own = self.options.get("centre.anything", "whatever-lies") == "own-choice"
        return sum(
            self.at[p] != "...."
            and not (own and (self.at[p] in FORCED or (self.at[p] == "LLLL" and p == self.middle)))
            for p in self.centre
        )

    def errors(self) -> int:
        """Ends that meet neither their like nor the rim."""
        found = 0
        for place, token in self.at.items():
            for side in range(4):
                kind, other = token[side], self.across(place, side)
                wanted = "HR" + {"river": "V", "lava": "L"}.get(self.variant, "")
                if kind not in wanted:
                    continue
                if other is None:
                    at_exit = (place, side) in self.exits and self.options.get("river.at-exit") == "error"
                    open_rim = self.options.get("lava.rim") == "open"
                    found += (kind == "V" and at_exit) or (kind == "L" and open_rim)
                elif other != kind:
                    found += not (self.variant == "meteor" and other == "C")
        return found

    def expansion(self) -> int:
        """Points of the expansion."""
        return {"river": self.rivers, "lake": self.lakes, "meteor": self.craters, "lava": self.lava}.get(
            self.variant, int
        )()

    def rivers(self) -> int:
        best = 0
        for part in nx.connected_components(self.graph("V")):
            ends = [
                (p, s) for p in part for s in range(4) if self.at[p][s] == "V" and self.across(p, s) != "V"
            ]
            counts = self.options.get("river.at-exit", "forbidden") == "rim"
            at_rim = [
                (p, s) for p, s in ends if self.across(p, s) is None and (counts or (p, s) not in self.exits)
            ]
            ring = not ends and self.options.get("river.ring") == "no-loose-end"
            best = max(best, len(part) + 3 * (len(at_rim) == 2 or ring))
        return best

    def lakes(self) -> int:
        return min((len(part) for part in nx.connected_components(self.graph("W"))), default=0)

    def craters(self) -> int:
        found = 0
        for place, token in self.at.items():
            ends = [token[s] for s in range(4) if token[s] in "HR" and self.across(place, s) == "C"]
            if self.options.get("meteor.score") == "end":
                found += len(ends)
            else:
                found += bool(ends) if token.endswith("*") else len(set(ends))
        return 2 * found

    def lava(self) -> int:
        made: Any = nx.Graph()
        two = self.options.get("lava.opposite") == "two"
        for place, token in self.at.items():
            sides = [s for s in range(4) if token[s] == "L"]
            for s in sides:
                made.add_node((place, s))
                if self.across(place, s) == "L":
                    other = (place[0] + DELTA[s][0], place[1] + DELTA[s][1])
                    made.add_edge((place, s), (other, (s + 2) % 4))
                for t in sides:
                    if not (two and token in ("L.L.", ".L.L")):
                        made.add_edge((place, s), (place, t))
        rim = self.options.get("lava.rim") == "open"
        parts = list(nx.connected_components(made))
        closed = sum(
            all(self.across(p, s) == "L" or (self.across(p, s) is None and not rim) for p, s in part)
            for part in parts
        )
        return 5 * closed + max((len({p for p, _ in part}) for part in parts), default=0)

    def parts(self) -> dict[str, int]:
        """All parts of the score."""
        found = {
            "networks": self.networks(),
            "highway": self.longest("H"),
            "railway": self.longest("R"),
            "centre": self.in_centre(),
            "errors": self.errors(),
            "expansion": self.expansion(),
        }
        return {**found, "total": sum(found.values()) - 2 * found["errors"]}
