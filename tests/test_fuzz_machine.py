"""The generated machine: what it draws, what it checks, how its failures read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.stateful import Bundle, consumes, rule, run_state_machine_as_test

from models.language.errors import ModelError
from models.language.ir import Actor
from solvers.explorer import explore
from solvers.fuzz import (
    NEW_GAME,
    PROFILES,
    Choice,
    Failure,
    Plan,
    RulebookMachine,
    hypothesis_settings,
    machine_of,
    now_and_then,
    plan,
)
from tests.fuzz_games import plan_of, vault

CI = hypothesis_settings(PROFILES["ci"])


def run(machine: type[RulebookMachine], **changes: Any) -> None:
    run_state_machine_as_test(machine, settings=settings(CI, **changes))


def failing(made: Plan, base: type[RulebookMachine] = RulebookMachine, **changes: Any) -> Failure:
    with pytest.raises(Failure) as caught:
        run(machine_of(made, base=base), **changes)
    return caught.value


class Recording(RulebookMachine):
    """Notes what is drawn and whether it was allowed."""

    drawn: list[tuple[str, bool, bool]]
    plays: list[tuple[Any, list[str]]]

    def move(self, label: str) -> None:
        allowed = label in {i.label for i in self.enabled} or (label == NEW_GAME and bool(self.ended))
        quiet = bool(self.quiet) and self._rule(label) in self.quiet
        type(self).drawn.append(
            (label, allowed, quiet and any(i.rule not in self.quiet for i in self.enabled))
        )
        super().move(label)
        type(self).plays.append((self.built, list(self.labels)))

    def _rule(self, label: str) -> str:
        return label.partition("(")[0]


def recording(made: Plan) -> type[Recording]:
    class Fresh(Recording):
        move = rule(label=st.runner().flatmap(lambda machine: machine._draw()))(Recording.move)
        drawn: list[tuple[str, bool, bool]] = []  # noqa: RUF012
        plays: list[tuple[Any, list[str]]] = []  # noqa: RUF012

    machine = machine_of(made, base=Fresh)
    assert issubclass(machine, Fresh)
    return machine


# -- what is drawn -----------------------------------------------------------------------------------------


def test_only_allowed_moves_are_drawn_and_every_play_replays() -> None:
    machine = recording(plan(vault()))
    run(machine, max_examples=40)
    assert len(machine.drawn) > 400
    assert all(allowed for _, allowed, _ in machine.drawn)
    for built, labels in machine.plays[-60:]:
        assert len(built.run.replay(labels)) == len(labels) + 1


def test_a_quiet_rule_is_drawn_only_where_nothing_else_is_allowed() -> None:
    machine = recording(plan(vault()))
    run(machine, max_examples=60)
    assert not any(against for _, _, against in machine.drawn)


def test_sizes_variants_and_readings_take_turns_simple_ones_first() -> None:
    made = plan(vault(), flips=2)
    assert [str(c) for c in made.choices] == [
        "small, plain",
        "small, hasty",
        "middle, plain",
        "middle, hasty",
        "large, plain",
        "large, hasty",
        "small, plain, order=keep",
        "small, hasty, order=keep",
    ]
    machine = recording(made)
    run(machine)
    assert {str(built.choice) for built, _ in machine.plays} == set(made.by_name)


def test_consequences_that_follow_alone_are_not_drawn() -> None:
    machine = recording(plan(vault()))
    run(machine, max_examples=20)
    actors = {i.label: i.actor for built, _ in machine.plays for i in built.program.instances}
    assert {actors[label] for label, _, _ in machine.drawn if label != NEW_GAME} == {
        Actor.PLAYER,
        Actor.CHANCE,
    }
    assert any("lock" in labels for _, labels in machine.plays)


# -- what is checked ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "changes"), [("no-two-bolts", {}), ("bolts-stay-drawn", {"leak": True})], ids=["always", "step"]
)
def test_a_broken_property_is_found_and_told(
    monkeypatch: pytest.MonkeyPatch, name: str, changes: dict[str, bool]
) -> None:
    made = plan_of(monkeypatch, vault(**changes), name)
    error = failing(made)
    assert error.what == name
    assert type(error).__name__ == name.replace("-", "_")
    states = error.built.run.replay(error.labels)
    broken = [*error.built.broken(states[-1]), *error.built.broken_step(states[-2], states[-1])]
    assert broken == [name]
    assert f"it rests on {error.built.by_name[name].clauses[0]}" in str(error)


@pytest.mark.parametrize(
    ("what", "changes"), [("stuck", {"jam": True}), ("endless", {"spin": True}), ("mixed", {"mixed": True})]
)
def test_a_hazard_is_found(monkeypatch: pytest.MonkeyPatch, what: str, changes: dict[str, bool]) -> None:
    assert failing(plan_of(monkeypatch, vault(**changes))).what == what


def test_what_is_tolerated_is_counted_and_play_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(jam=True), "no-two-bolts", tolerate=["stuck", "no-two-bolts"])
    machine = machine_of(made)
    run(machine)
    assert machine.log.broken["stuck"] == machine.log.ends["stuck"] > 0
    assert machine.log.broken["no-two-bolts"] > 0
    seen = machine.log.first["stuck"]
    assert not made.build(seen.choice).run.enabled(made.build(seen.choice).run.replay(seen.labels)[-1])


def test_the_log_knows_what_was_met_and_how_games_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(plan_of(monkeypatch, vault(), "it-opens", "a-nine-is-rolled"))
    run(machine)
    assert machine.log.met() == {"it-opens"}
    assert machine.log.ends.keys() == {"over"}
    assert machine.log.steps == sum(machine.log.rules.values())
    assert machine.log.rules.keys() == {"draw", "pass_on", "roll", "lock"}


# -- how a failure reads -----------------------------------------------------------------------------------


def notes(error: Failure) -> str:
    return "\n".join(getattr(error, "__notes__", ()))


def test_the_failing_run_is_code_and_ends_with_an_example_to_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    said = notes(failing(plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")))
    assert "state = VaultMachine()\nstate.setup(build='" in said
    assert re.search(r"^state\.move\(label='draw\(bolt=\d\)'\)$", said, re.MULTILINE)
    assert "the_position_holds" not in said
    example = said[said.index("@EXAMPLES") :].split("\nstate.")[0]
    assert example == "\n".join(
        [
            '@EXAMPLES.example("draw", size="small", variant="plain")',
            "def breaks_bolts_stay_drawn(s: Script) -> None:",
            '    """A bolt that is drawn stays drawn."""',
            '    s.move("draw", bolt=0)',
            '    s.move("roll", pips=0)',
            '    s.move("draw", bolt=1)',
            '    s.move("roll", pips=1)',
            '    s.move("lock")',
            "    # must hold now: bolts-stay-drawn",
        ]
    )


def test_the_failing_run_can_be_replayed_from_its_blob(monkeypatch: pytest.MonkeyPatch) -> None:
    from hypothesis import reproduce_failure

    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")
    error = failing(made)
    found = re.search(r"@reproduce_failure\('([^']+)', (b'[^']+')\)", notes(error))
    assert found is not None
    machine = reproduce_failure(found[1], found[2][2:-1].encode())(machine_of(made))
    with pytest.raises(Failure) as again:
        run(machine)
    assert again.value.labels == error.labels


def test_a_failing_run_is_kept_in_the_database_and_tried_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")
    base = DirectoryBasedExampleDatabase(tmp_path)
    failing(made, database=base, derandomize=False)
    kept = list(tmp_path.rglob("*"))
    assert kept
    with pytest.raises(Failure):
        run(machine_of(made), database=base, derandomize=False, phases=[Stage.reuse])


def test_two_derandomised_runs_do_the_same() -> None:
    logs = []
    for _ in range(2):
        machine = machine_of(plan(vault()))
        run(machine)
        logs.append((machine.log.steps, machine.log.plays, machine.log.rules, machine.log.first))
    assert logs[0] == logs[1]


# -- rules of one's own ------------------------------------------------------------------------------------


class Quitting(RulebookMachine):
    """Somebody leaves the table: the others go on; who has left is never on turn."""

    gone: Bundle[int] = Bundle("gone")

    @rule(target=gone, who=st.integers(0, 1))
    @now_and_then(3)
    def somebody_quits(self, who: int) -> int:
        self.put(f"player {who} quits", turn=1 - who)
        return who

    @rule(who=consumes(gone))
    @now_and_then(1)
    def they_come_back(self, who: int) -> None:
        self.put(f"player {who} comes back", turn=who)


def test_rules_of_ones_own_run_beside_the_generated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(plan_of(monkeypatch, vault(), "it-opens"), base=Quitting)
    seen: list[tuple[str, ...]] = []
    original = machine.teardown

    def teardown(self: RulebookMachine) -> None:
        seen.append(tuple(self.own))
        original(self)

    monkeypatch.setattr(machine, "teardown", teardown)
    run(machine)
    assert any("player 1 quits" in own for own in seen)
    assert any("player 1 comes back" in own for own in seen)
    assert machine.log.rules["draw"] > 100


def test_a_failure_after_a_rule_of_ones_own_says_that_it_is_no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheating(RulebookMachine):
        @rule()
        @now_and_then(1)
        def cheat(self) -> None:
            self.put("somebody cheats", drawn=[True] * len(self.built.program.layout.fields["drawn"].items))  # type: ignore[union-attr]

    made = plan_of(monkeypatch, vault(), "no-two-bolts", sizes=["small"], variants=["plain"])
    error = failing(made, base=Cheating)
    assert error.own == ("somebody cheats",)
    assert "# not a play of the rulebook alone: somebody cheats" in notes(error)


def test_a_field_that_does_not_exist_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(plan_of(monkeypatch, vault()))()
    machine.begin(Choice("small", "plain"), frozenset())
    with pytest.raises(Exception, match="the state has no field colour"):
        machine.put("paint", colour=1)


def test_the_machine_of_a_rulebook_takes_all_sizes_and_variants() -> None:
    made = vault()
    assert machine_of(made).plan.choices == plan(made).choices
    assert explore(made.build("small")).complete


@pytest.mark.parametrize("every", [0, -3])
def test_now_and_then_is_at_least_one_move(every: int) -> None:
    with pytest.raises(ModelError, match="at least 1"):
        now_and_then(every=every)
