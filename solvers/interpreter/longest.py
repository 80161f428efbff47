"""Longest path and longest trail by dynamic programming over a frontier of nodes.

Promise: exact; the work grows with the number of ways in which the chosen edges can meet the frontier, not
with the number of paths, so that a board of 7 x 7 spaces takes milliseconds.

A path is a connected set of edges in which two nodes have one edge and all others none or two; a trail is a
connected set of edges in which at most two nodes have an odd number (Euler). Nodes are taken one after the
other; the frontier are nodes that have been met and whose edges are not all decided. Of the sets of edges
that look alike from the frontier (its nodes' degrees, and which of them hang together) the largest is kept:
the frontier method of Sekine, Imai and Tani (1995), called Simpath by Knuth (The Art of Computer Programming
4A, 7.1.4, exercise 225).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

Edges = Sequence[tuple[int, int]]
#: For each node of the frontier its number of chosen edges (a trail: the parity) and its part (0: none yet);
#: then how many nodes that have left it were ends.
State = tuple[int, ...]


def longest_path(nodes: int, edges: Edges) -> int:
    """The most edges of a path that visits no node twice."""
    return max((_longest(part, trail=False) for part in _parts(nodes, edges)), default=0)


def longest_trail(nodes: int, edges: Edges) -> int:
    """The most edges of a trail that uses no edge twice."""
    return max((_longest(part, trail=True) for part in _parts(nodes, edges)), default=0)


def _parts(nodes: int, edges: Edges) -> Iterator[list[tuple[int, int]]]:
    """The edges of each connected part that has some."""
    owner = list(range(nodes))

    def root(n: int) -> int:
        while owner[n] != n:
            owner[n] = n = owner[owner[n]]
        return n

    for a, b in edges:
        owner[root(a)] = root(b)
    found: dict[int, list[tuple[int, int]]] = {}
    for a, b in edges:
        found.setdefault(root(a), []).append((a, b))
    return iter(found.values())


def _longest(edges: Edges, *, trail: bool) -> int:
    """The longest path or trail of a connected graph."""
    degree = Counter(n for edge in edges for n in edge)
    if not trail and len(edges) == len(degree) - 1:
        return _diameter(edges)
    if trail and sum(d % 2 for d in degree.values()) <= 2:
        return len(edges)
    chains = _chains(edges, degree)
    if not trail and len(chains) == 1:  # a ring: all of it but one edge
        return len(edges) - 1
    order = _order(chains)
    place = {n: i for i, n in enumerate(order)}
    later: dict[int, list[tuple[int, int]]] = {n: [] for n in order}
    for a, b, length in chains:
        first, second = (a, b) if place[a] <= place[b] else (b, a)
        later[first].append((second, length))
    frontier: list[int] = []
    states: dict[State, int] = {(0,): 0}
    best = 0
    for node in order:
        for other, length in later[node]:
            for n in (node, other):
                if n not in frontier:
                    frontier.append(n)
                    states = {(*s[:-1], 0, 0, s[-1]): most for s, most in states.items()}
            pair = (2 * frontier.index(node), 2 * frontier.index(other))
            states = _along(states, *pair, length) if trail else _through(states, *pair, length)
        at = frontier.index(node)
        states, closed = _without_node(states, at)
        frontier.pop(at)
        best = max(best, closed)
    return best


def _chains(edges: Edges, degree: Counter[int]) -> list[tuple[int, int, int]]:
    """The edges with nodes of degree 2 left out: both ends and the number of edges in between.

    A graph that is a single ring keeps one of its nodes.
    """
    kept = {n for n, d in degree.items() if d != 2} or {edges[0][0]}
    near: dict[int, list[tuple[int, int]]] = {n: [] for n in degree}
    for number, (a, b) in enumerate(edges):
        near[a].append((b, number))
        near[b].append((a, number))
    found, done = [], set[int]()
    for start in kept:
        for first, number in near[start]:
            if number in done:
                continue
            done.add(number)
            node, length = first, 1
            while node not in kept:
                node, number = next((n, e) for n, e in near[node] if e not in done)
                done.add(number)
                length += 1
            found.append((start, node, length))
    return found


def _order(chains: Sequence[tuple[int, int, int]]) -> list[int]:
    """The nodes in an order that keeps the frontier short: greedily from some starts, the best of them."""
    near: dict[int, set[int]] = {}
    for a, b, _ in chains:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    starts = sorted(near, key=lambda n: (len(near[n]), n))
    found = [_greedy(near, start) for start in starts[:: max(1, len(starts) // 8)]]
    return min([*found, sorted(near)], key=lambda order: _cost(near, order))


def _cost(near: dict[int, set[int]], order: Sequence[int]) -> int:
    """A measure of the work that an order makes."""
    frontier, done, cost = set[int](), set[int](), 0
    for node in order:
        done.add(node)
        frontier = (frontier | near[node] | {node}) - (done - {node})
        cost += 3 ** len(frontier)
        frontier.discard(node)
    return cost


def _greedy(near: dict[int, set[int]], start: int) -> list[int]:
    """An order from a start that adds few nodes to the frontier at each node."""
    order, frontier, done = list[int](), {start}, set[int]()
    while frontier:
        node = min(frontier, key=lambda n: (len(near[n] - done - frontier), n))
        order.append(node)
        done.add(node)
        frontier |= near[node] - done
        frontier.discard(node)
    return order


def _along(states: dict[State, int], a: int, b: int, length: int) -> dict[State, int]:
    """Trails: the states after a chain between two nodes was taken or not."""
    out = dict(states)
    for state, most in states.items():
        made = list(state)
        made[a] ^= 1
        made[b] ^= 1
        _better(out, _merged(made, a, b), most + length)
    return out


def _through(states: dict[State, int], a: int, b: int, length: int) -> dict[State, int]:
    """Paths: the states after a chain was left out, taken whole, or taken but for one edge.

    Without one edge the path ends in the chain: on one side of the missing edge, or on both.
    """
    out = dict(states)
    for state, most in states.items():
        at_a, at_b, ends = state[a] < 2, state[b] < 2, state[-1]
        if at_a and at_b and a != b and not (state[a + 1] and state[a + 1] == state[b + 1]):
            made = list(state)
            made[a] += 1
            made[b] += 1
            _better(out, _merged(made, a, b), most + length)
        if length == 1:
            continue
        for sides in ((a,), (b,), (a, b)):
            room = state[a] + 2 <= 2 if a == b and len(sides) == 2 else all(state[i] < 2 for i in sides)
            if not room or ends + len(sides) > 2:
                continue
            made = list(state)
            for i in sides:
                made[i] += 1
                made[i + 1] = made[i + 1] or len(state) + i
            made[-1] = ends + len(sides)
            _better(out, _named(made), most + length - 1)
    return out


def _better(states: dict[State, int], state: State, length: int) -> None:
    if states.get(state, -1) < length:
        states[state] = length


def _merged(made: list[int], a: int, b: int) -> State:
    """The state with two places of the frontier in one part."""
    pa, pb = made[a + 1], made[b + 1]
    fresh = pa or pb or len(made)
    if pb and pb != fresh:
        for i in range(1, len(made) - 1, 2):
            if made[i] == pb:
                made[i] = fresh
    made[a + 1] = made[b + 1] = fresh
    return _named(made)


def _named(state: list[int]) -> State:
    """The parts numbered by their first node, so that states which look alike are equal."""
    names: dict[int, int] = {0: 0}
    for i in range(1, len(state) - 1, 2):
        part = state[i]
        if part not in names:
            names[part] = len(names)
        state[i] = names[part]
    return tuple(state)


def _without_node(states: dict[State, int], at: int) -> tuple[dict[State, int], int]:
    """The states when all edges of a node of the frontier are decided, and the longest that is complete."""
    out: dict[State, int] = {}
    best = 0
    i = 2 * at
    for state, length in states.items():
        ends = state[-1] + (state[i] == 1)
        if ends > 2:
            continue
        part = state[i + 1]
        rest = [*state[:i], *state[i + 2 : -1], ends]
        if part and part not in rest[1:-1:2]:  # this part is complete: it must be the only one
            if not any(rest[1:-1:2]):
                best = max(best, length)
            continue
        _better(out, _named(rest), length)
    return out, best


def _diameter(edges: Edges) -> int:
    """The longest path of a tree: the farthest node from any node, and the farthest from that one."""
    near: dict[int, list[int]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)

    def farthest(start: int) -> tuple[int, int]:
        distance, todo = {start: 0}, [start]
        for n in todo:
            for m in near[n]:
                if m not in distance:
                    distance[m] = distance[n] + 1
                    todo.append(m)
        return todo[-1], distance[todo[-1]]

    return farthest(farthest(edges[0][0])[0])[1]
