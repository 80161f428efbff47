"""Each tiny machine shows its construct: exact counts, exact reached sites; and plain Python agrees."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from models.language import Program
from solvers.interpreter import Interpreter, Values
from tests.machine_kit import search
from tests.machines import MACHINES


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_has_the_pinned_states_and_reaches_the_pinned_sites(name: str) -> None:
    machine = MACHINES[name]
    found = search(machine.program())
    assert found.sites == dict(machine.sites)
    assert (found.states, found.transitions) == (machine.states, machine.transitions)
    assert (found.stuck, found.over) == (machine.stuck, machine.over)


@pytest.mark.parametrize("name", MACHINES)
def test_a_shortest_play_to_every_site_replays(name: str) -> None:
    program = MACHINES[name].program()
    run = Interpreter(program)
    plays: dict[Values, tuple[str, ...]] = {program.start: ()}
    todo, met = [program.start], dict[str, int]()
    for state in todo:
        for instance in run.enabled(state):
            step = run.step(state, instance)
            play = (*plays[state], instance.label)
            for site in step.hits:
                if program.sites[site].id not in met:
                    met[program.sites[site].id] = len(play)
                    states = run.replay(play)
                    assert len(states) == len(play) + (step.state is not None)
            if step.state is not None and step.state not in plays:
                plays[step.state] = play
                todo.append(step.state)
    assert met == dict(MACHINES[name].sites)


def test_machines_are_built_alike_every_time() -> None:
    for machine in MACHINES.values():
        assert machine.program().digest == machine.program().digest


# -- the machines against plain Python ----------------------------------------------------------------


Trick = tuple[tuple[int, ...], tuple[tuple[int, int], ...], int, int, tuple[int, ...]]


def tricks() -> Iterator[Trick]:
    """All states of the trick machine, played by plain Python: hands, table, who is on turn, tricks won."""
    suit, rank = [0, 0, 0, 1, 1, 1], [1, 2, 3, 1, 2, 3]
    todo: list[Trick] = [((0, 1, 1, 0, 2, 2), (), 0, 0, (0, 0, 0))]
    seen = set(todo)
    while todo:
        holder, table, lead, turn, won = state = todo.pop()
        yield state
        after: list[Trick] = []
        if len(table) == 3:
            led = suit[table[0][1]]
            best = max((c for c in table if suit[c[1]] == led), key=lambda c: rank[c[1]])[0]
            after.append((holder, (), best, best, tuple(w + (p == best) for p, w in enumerate(won))))
        else:
            hand = [c for c in range(6) if holder[c] == turn]
            following = [c for c in hand if table and suit[c] == suit[table[0][1]]]
            for card in following or hand:
                rest = tuple(3 if c == card else h for c, h in enumerate(holder))
                after.append((rest, (*table, (turn, card)), lead, (turn + 1) % 3, won))
        for s in after:
            if s not in seen:
                seen.add(s)
                todo.append(s)


def test_a_trick_is_taken_as_plain_python_takes_it() -> None:
    found = search(MACHINES["trick"].program())
    assert len(list(tricks())) == found.states == 49


def test_dice_stacks_never_lose_their_order() -> None:
    program = MACHINES["dice-stacks"].program()
    rising = [s for n in range(4) for s in itertools.combinations((1, 2, 3), n)]
    expected = {
        (len(a), *a, *[1] * (3 - len(a)), len(b), *b, *[1] * (3 - len(b))) for a in rising for b in rising
    }
    assert set(search(program).depths) == expected


def test_removing_from_the_middle_of_a_stack_lets_the_dice_above_sink() -> None:
    run = Interpreter(MACHINES["dice-stacks"].program())
    plays = [f"lay(place=0, die={d})" for d in (1, 2, 3)]
    assert run.replay([*plays, "remove(place=0, height=1)"])[-1] == (2, 1, 3, 1, 0, 1, 1, 1)
    assert run.replay([*plays, "remove(place=0, height=0)"])[-1] == (2, 2, 3, 1, 0, 1, 1, 1)
    assert run.replay([*plays, "remove(place=0, height=2)"])[-1] == (2, 1, 2, 1, 0, 1, 1, 1)


def _roads(cells: tuple[int, ...]) -> tuple[int, int]:
    """Length of the longest path in edges and whether left joins right, by trying all orders."""
    near = {(a, b) for a in cells for b in cells if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1}
    paths = [
        p for n in range(1, 5) for p in itertools.permutations(cells, n) if set(itertools.pairwise(p)) <= near
    ]
    return max(len(p) - 1 for p in paths), int(any(p[0] % 3 == 0 and p[-1] % 3 == 2 for p in paths))


def test_roads_are_scored_as_plain_python_scores_them() -> None:
    program = MACHINES["roads"].program()
    scored = {s[:6]: (s[6], s[7]) for s in search(program).depths if s[8]}
    assert scored == {
        tuple(int(i in cells) for i in range(6)): _roads(cells)
        for cells in itertools.combinations(range(6), 4)
    }


def test_the_deck_is_drawn_without_replacement() -> None:
    program = MACHINES["deck"].program()
    run = Interpreter(program)

    def odds(state: Values) -> dict[str, int]:
        return {i.label: run.value(i.weight, state) for i in run.enabled(state)}

    assert odds(program.start) == {"draw(kind=A)": 2, "draw(kind=B)": 1}
    after_a, after_b = (run.replay([f"draw(kind={k})"])[-1] for k in "AB")
    assert odds(after_a) == {"draw(kind=A)": 1, "draw(kind=B)": 1}
    assert odds(after_b) == {"draw(kind=A)": 2}


def test_a_response_window_asks_in_turn_order_and_closes_when_all_have_passed() -> None:
    program = MACHINES["responses"].program()
    run = Interpreter(program)

    def asked(*labels: str) -> list[tuple[str, int]]:
        state = run.replay(labels)[-1]
        return [(i.label, run.value(i.player, state)) for i in run.enabled(state) if i.player is not None]

    assert asked("act") == [("counter", 1), ("decline", 1)]
    assert asked("act", "decline") == [("counter", 2), ("decline", 2)]
    assert asked("act", "decline", "decline") == [("decline", 0)]
    assert asked("act", "decline", "decline", "decline") == []  # the consequence follows by itself
    assert asked("act", "decline", "counter") == [("decline", 0)]
    assert asked("act", "decline", "counter", "decline") == [("counter", 1), ("decline", 1)]


def test_a_secret_choice_is_masked_until_it_is_shown() -> None:
    program = MACHINES["secret-choice"].program()
    run = Interpreter(program)
    instance = run.find("choose(who=0, card=2)")
    assert instance.visible_label == "choose(who=0, card=?)"
    states = {run.step(program.start, run.find(f"choose(who=0, card={c})")).state for c in range(3)}
    seen = {tuple(s[i] for i in program.observable) for s in states if s is not None}
    assert (len(states), len(seen)) == (3, 1)


def test_the_order_machine_ends_in_two_ways() -> None:
    program = MACHINES["order"].program()
    run = Interpreter(program)
    assert run.replay(["begin", "double", "add"])[-1][0] == 3
    assert run.replay(["begin", "add", "double"])[-1][0] == 4


def _outcomes(program: Program) -> dict[str, int]:
    """The score after each single move of a table machine."""
    run, slot = Interpreter(program), next(s.index for s in program.layout.slots if s.name == "score")
    found = {}
    for instance in run.enabled(program.start):
        after = run.step(program.start, instance).state
        if after is not None:
            found[instance.params[0][1]] = after[slot]
    return found


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("unique", {"0": 0, "1": 1, "2": 1, "3": 2}),
        ("unique-gap-stops", {"1": 1, "2": 1, "3": 2}),
        ("unique-on-clash", {"0": 0, "1": 1, "2": 2, "3": 2}),
        ("first", {"0": 0, "1": 1, "2": 1, "3": 2}),
        ("priority", {"0": 0, "1": 1, "2": 1, "3": 2}),
        ("any", {"0": 0, "1": 1, "2": 1, "3": 2}),
        ("collect", {"0": 0, "1": 1, "2": 3}),
        ("derived-other", {"0": 0, "1": 1, "2": 2, "3": 2}),
        ("derived-stop", {"0": 0, "1": 1, "3": 2}),
        ("override-none", {"LOW": 1, "MID": 0, "HIGH": 2}),
        ("override-variant", {"LOW": 1, "MID": 3, "HIGH": 4}),
        ("override-ruling", {"LOW": 1, "MID": 0, "HIGH": 1}),
        ("override-both", {"LOW": 1, "MID": 3, "HIGH": 3}),
    ],
)
def test_a_table_settles_what_its_policy_and_the_readings_say(name: str, outcomes: dict[str, int]) -> None:
    assert _outcomes(MACHINES[name].program()) == outcomes


def test_a_reading_of_stacking_is_a_constant_of_the_program() -> None:
    each, once = (MACHINES[f"stacking-{n}"].program() for n in ("each", "once"))
    run = Interpreter(each), Interpreter(once)
    assert [r.replay(["choose(a=1, b=1)"])[-1][2] for r in run] == [2, 1]
    assert each.layout == once.layout


def test_every_construct_of_the_table_is_reached_by_some_machine() -> None:
    kinds = {site.partition(":")[0] for machine in MACHINES.values() for site in machine.sites}
    assert kinds == {
        "gap",
        "clash",
        "overlap",
        "row",
        "tie",
        "shortage",
        "stacking",
        "race",
        "stop",
        "capacity",
        "cover",
    }


def test_a_machine_without_its_over_is_caught_by_its_counts() -> None:
    machine = MACHINES["optional-cycle"]
    book = machine.book()
    del book.ends["over"]
    assert (search(book.build()).stuck, machine.stuck) == (1, 0)
