"""Reports for pipelines: SARIF, JUnit, annotations, JSON lines and ITF traces."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest
from jsonschema import validators

from findings.detail import Step
from findings.finding import Status, Undecided
from findings.reports.ci import github, itf, jsonl, junit, levels, sarif
from findings.reports.ci.places import place
from tests import official
from tests import report_samples as samples


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sarif.render(samples.book(with_source=True)))
    return found


def test_sarif_follows_the_official_schema(log: dict[str, Any]) -> None:
    path = official.schema("sarif-schema-2.1.0.json", "sarif-2.1.0-rtm.5.json")
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert list(validators.validator_for(schema)(schema).iter_errors(log)) == []


def test_sarif_has_what_the_standard_asks_for(log: dict[str, Any]) -> None:
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == ["RL101", "RL104", "RL105", "RL107", "RL401"]
    for rule in rules:
        assert re.fullmatch("[A-Z][A-Za-z]+", rule["name"])
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert re.fullmatch("[0-9a-f]{12}", result["partialFingerprints"]["ruleslawyer/v1"])
        for location in result["locations"]:
            assert location["physicalLocation"]["region"]["startLine"] >= 1


def test_a_result_stands_at_its_sentence_in_the_text_and_its_play_is_a_code_flow(log: dict[str, Any]) -> None:
    contradiction = samples.one("RL101")
    (result,) = (r for r in log["runs"][0]["results"] if r["ruleId"] == "RL101")
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 15, "snippet": {"text": "A player who has rolled a star rolls again."}}
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 20
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [s["location"]["message"]["text"] for s in steps] == [s.text for s in contradiction.play]
    assert [s["executionOrder"] for s in steps] == [1, 2, 3, 4, 5]
    assert steps[1]["location"]["physicalLocation"]["region"]["startLine"] == 11


def test_without_the_text_a_result_stands_at_its_entry_in_the_clauses() -> None:
    book = samples.book()
    at = place(book, book.by_id["turn.again"])
    assert at is not None
    assert at.file == "clauses.toml"
    lines = (samples.FOLDER / "clauses.toml").read_text(encoding="utf-8").splitlines()
    assert lines[at.line - 1] == 'id = "turn.again"'


def test_what_is_answered_is_suppressed_with_its_reason() -> None:
    settled = attrs.evolve(samples.one("RL104"), status=Status.SETTLED, because="the FAQ says so")
    log = json.loads(sarif.render(samples.viewed(attrs.evolve(samples.lantern(), findings=(settled,)))))
    (result,) = log["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "the FAQ says so"}]
    assert result["level"] == "note"


def test_levels_follow_what_is_at_stake() -> None:
    told = {f.code: levels.level(f) for f in samples.lantern().findings}
    assert told == {
        "RL101": "error",
        "RL104": "error",
        "RL107": "error",
        "RL105": "warning",
        "RL401": "warning",
    }


def test_junit_fails_for_open_questions_and_passes_for_proofs() -> None:
    audit = attrs.evolve(
        samples.lantern(),
        findings=(
            samples.one("RL101"),
            attrs.evolve(samples.one("RL104"), status=Status.ACCEPTED, because="known"),
            attrs.evolve(samples.one("RL105"), status=Status.REDUCED),
        ),
        undecided=(Undecided(name="endless", reason="time limit", bound="9 rounds"),),
    )
    root = ElementTree.fromstring(junit.render(samples.viewed(audit)))
    suite = root.find("testsuite")
    assert suite is not None
    proved = len(samples.lantern().proved)
    assert {k: suite.get(k) for k in ("tests", "failures", "skipped", "errors")} == {
        "tests": str(4 + proved),
        "failures": "1",
        "skipped": "2",
        "errors": "0",
    }
    cases = suite.findall("testcase")
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "Does the player who lights the last lantern roll again?"
    assert failure.get("type") == "RL101"
    assert "A: the game is over at once (end.all-burn)" in (failure.text or "")
    assert cases[1].find("skipped") is not None
    assert cases[2].findtext("system-out") == "ACCEPTED: known"
    assert cases[-1].find("skipped") is not None


def test_annotations_are_one_command_a_question() -> None:
    lines = github.render(samples.book()).splitlines()
    assert len(lines) == 5
    assert lines[0].startswith(
        "::error file=clauses.toml,line=98,"
        "title=RL101 contradiction%3A The last lantern%2C lit with a star::The last"
    )
    assert all(re.match(r"::(error|warning|notice) [^\n]*::", line) for line in lines)
    assert "%0AA: the game is over at once (end.all-burn)%0AB: " in lines[0]


def test_json_lines_hold_a_finding_each() -> None:
    rows = [json.loads(line) for line in jsonl.render(samples.book()).splitlines()]
    assert [r["fingerprint"] for r in rows] == [i.finding.fingerprint for i in samples.book().items]
    assert list(rows[0])[:4] == ["rulebook", "variants", "place", "code"]
    assert rows[0]["place"] == {"file": "clauses.toml", "line": 98, "clause": "turn.again"}
    assert rows[0]["witness"]["length"] == 4
    assert "play" not in rows[0]


def test_itf_traces_have_a_state_for_each_step() -> None:
    found = itf.traces(samples.book())
    contradiction = samples.one("RL101")
    assert len(found) == sum(bool(f.play) for f in samples.lantern().findings)
    trace = json.loads(found[f"{contradiction.fingerprint}.itf.json"])
    assert trace["#meta"]["format"] == "ITF"
    assert trace["vars"] == ["mbt::actionTaken", "phase", "turn", "lit", "pot", "coins", "won"]
    assert [s["#meta"]["index"] for s in trace["states"]] == [0, 1, 2, 3, 4]
    for state in trace["states"]:
        assert list(state) == ["#meta", *trace["vars"]]
    assert trace["states"][2]["mbt::actionTaken"] == "light(lantern=0)"
    assert trace["states"][2]["lit"] == [True, False]


def test_itf_writes_tables_as_maps_and_large_numbers_as_bigints() -> None:
    assert itf.value({"A": [1, True]}) == {"#map": [["A", [1, True]]]}
    assert itf.value(2**53) == {"#bigint": "9007199254740992"}
    assert itf.value(2**53 - 1) == 2**53 - 1


def test_a_play_that_stops_ends_its_trace_before_the_stop() -> None:
    f = samples.one("RL101")
    stopped = attrs.evolve(f, play=(*f.play, Step(move="on", text="on", actor="rules")))
    assert len(json.loads(itf.trace("x", stopped))["states"]) == len(f.play)
