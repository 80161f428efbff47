"""Campaigns: every broken property once, with its shortest play; seeds, time, replay."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.language.errors import ModelError
from models.language.examples import Examples, Script
from properties import kinds
from properties.kinds import Properties
from solvers.compare.evidence import Builder, gather
from solvers.fuzz import PROFILES, Failure, check, example_text, fuzz, plan
from solvers.fuzz import replay as replayed
from tests.fuzz_games import plan_of, vault

CI = PROFILES["ci"]


def test_each_broken_property_is_told_once_with_its_shortest_play(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "no-two-bolts", "bolts-stay-drawn", "it-opens")
    report = fuzz(made, CI)
    told = {b.failure.what: (len(b.failure.labels), str(b.failure.built.choice)) for b in report.broken}
    assert told == {"bolts-stay-drawn": (6, "small, plain"), "no-two-bolts": (6, "middle, plain")}
    assert all(b.blob.startswith("b'") for b in report.broken)
    assert report.log.met() == {"it-opens"}
    assert report.runs == 1


def test_a_clean_rulebook_has_nothing_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    report = fuzz(plan_of(monkeypatch, vault(), "bolts-stay-drawn"), CI)
    assert report.broken == ()
    assert report.log.steps > 1000


def test_a_seed_repeats_a_campaign_and_another_seed_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    dev = replace(PROFILES["dev"], examples=30)
    made = plan_of(monkeypatch, vault(), "bolts-stay-drawn")
    one, two, three = (fuzz(made, dev, number=n).log.rules for n in (7, 7, 8))
    assert one == two
    assert one != three


def test_a_time_limit_goes_on_with_further_seeds_and_then_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(), "bolts-stay-drawn", sizes=["small"])
    began = time.monotonic()
    report = fuzz(made, replace(CI, examples=5, steps=5), seconds=2)
    assert report.runs > 1
    assert 2 <= report.seconds <= time.monotonic() - began < 20


def test_a_run_is_replayed_from_its_blob(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")
    (broken,) = fuzz(made, CI).broken
    again = replayed(made, CI, broken.blob)
    assert [b.failure.labels for b in again.broken] == [broken.failure.labels]


@pytest.mark.parametrize("blob", ["b'AAAA'", "nonsense", "b''", "ü"])
def test_a_text_that_is_no_blob_is_one_message(monkeypatch: pytest.MonkeyPatch, blob: str) -> None:
    made = plan_of(monkeypatch, vault(), "bolts-stay-drawn")
    with pytest.raises(ModelError, match="not what a campaign of this version prints|does not fail any more"):
        replayed(made, CI, blob)


def test_a_database_keeps_the_failing_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")
    fuzz(made, replace(PROFILES["dev"], examples=60), number=1, database=tmp_path)
    assert any(p.is_file() for p in tmp_path.rglob("*"))


def test_the_printed_example_runs_as_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    book = vault(leak=True)
    made = plan_of(monkeypatch, book, "bolts-stay-drawn")
    (broken,) = fuzz(made, CI).broken
    examples = Examples(book)
    exec(example_text(broken.failure), {"EXAMPLES": examples, "Script": Script})
    (example,) = examples.all
    evidence = gather(example, Builder(), {})
    assert example.name == "breaks_bolts_stay_drawn"
    assert [(t.fits, t.labels) for t in evidence.trials] == [(True, broken.failure.labels)]


def test_an_example_keeps_quotes_and_apostrophes(monkeypatch: pytest.MonkeyPatch) -> None:
    book = vault(leak=True)
    made = plan_of(monkeypatch, book, "bolts-stay-drawn")
    (broken,) = fuzz(made, CI).broken
    built = broken.failure.built
    said = built.by_name["bolts-stay-drawn"]
    told = {"bolts-stay-drawn": replace(said, doc="""The bolts' "end" stays the players'""")}
    monkeypatch.setattr(built, "by_name", told)
    given = {"EXAMPLES": Examples(book), "Script": Script}
    exec(example_text(broken.failure), given)
    assert given["breaks_bolts_stay_drawn"].__doc__ == "The bolts' end stays the players'"


def test_a_setup_that_fails_has_no_play_to_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    book, found = vault(), Properties()

    @found.always("draw")
    def nothing_is_drawn_yet(t: Any) -> Any:
        """The game begins in the middle."""
        return t.turn == 1

    monkeypatch.setattr(kinds, "of", lambda book: found)
    (broken,) = fuzz(plan(book, sizes=["small"], variants=["plain"]), CI).broken
    assert broken.failure.labels == ()
    text = example_text(broken.failure)
    assert text == "# no play to show: the setup itself (small, plain)"
    exec(text, {})


def test_a_test_fails_with_the_shortest_play_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan_of(monkeypatch, vault(leak=True), "bolts-stay-drawn")
    with pytest.raises(Failure) as caught:
        check(made)
    assert len(caught.value.labels) == 6
    assert caught.value.__notes__ == [example_text(caught.value)]
    log = check(plan_of(monkeypatch, vault(), "bolts-stay-drawn"), max_examples=10)
    assert 50 < log.steps < 1000


def test_unknown_sizes_and_variants_are_told() -> None:
    with pytest.raises(ModelError, match="rulebook vault has no size 'smal'.*\n?.*small"):
        plan(vault(), sizes=["smal"])
    with pytest.raises(ModelError, match="rulebook vault has no variant 'x'"):
        plan(vault(), variants=["x"])
