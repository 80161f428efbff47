"""The JSON report follows its schema, and the schema refuses what is not the contract."""

from __future__ import annotations

import copy
import json
from importlib import resources
from typing import Any

import attrs
import pytest
from jsonschema import Draft202012Validator

from findings.codes import all_codes
from findings.finding import Audit, Stake, Status
from findings.reports.json import render
from tests.findings_samples import CONTRADICTION, GAP, MOOT, UNDECIDED, audit, finding

SCHEMA = json.loads(resources.files("findings.reports").joinpath("audit.schema.json").read_text("utf-8"))
FULL = Audit(
    rulebooks=(
        audit(CONTRADICTION, attrs.evolve(GAP, group="night"), MOOT, undecided=(UNDECIDED,)),
        audit(rulebook="forest", states=None, proved=()),
    )
)


def errors(document: object) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(document)]


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_a_full_audit_follows_the_schema() -> None:
    assert errors(json.loads(render(FULL))) == []


def test_an_empty_audit_follows_the_schema() -> None:
    assert json.loads(render(Audit())) == {"schema": 1, "rulebooks": []}
    assert errors(json.loads(render(Audit()))) == []


def test_every_code_status_and_stake_follows_the_schema() -> None:
    many = [finding(code, because="cited") for code in all_codes()]
    many += [finding(identity=s.value, status=s, because="cited") for s in Status]
    many += [finding(identity=s.value, stake=s) for s in Stake]
    assert errors(json.loads(render(Audit(rulebooks=(audit(*many),))))) == []


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every key in a document."""
    if isinstance(value, dict):
        return [p for key in value for p in [(*path, key), *paths(value[key], (*path, key))]]
    if isinstance(value, list):
        return [p for n, member in enumerate(value) for p in paths(member, (*path, n))]
    return []


@pytest.mark.parametrize("path", paths(json.loads(render(FULL))), ids=lambda p: ".".join(map(str, p)))
def test_a_document_without_one_of_its_keys_is_refused(path: tuple[Any, ...]) -> None:
    document = json.loads(render(FULL))
    at = document
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    assert errors(document)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("status", "open", "'open' is not one of ['OPEN', 'LEANS', 'REDUCED SIZE ONLY'"),
        ("stake", "nothing", "'nothing' is not one of ['play stops'"),
        ("fingerprint", "12", "'12' does not match"),
        ("status", "MOOT", "'' should be non-empty"),
        ("more", 1, "Additional properties are not allowed ('more' was unexpected)"),
    ],
)
def test_a_wrong_value_is_refused(key: str, value: object, message: str) -> None:
    document = copy.deepcopy(json.loads(render(FULL)))
    document["rulebooks"][0]["findings"][0][key] = value
    (told,) = errors(document)
    assert told.startswith(message)


def test_text_beyond_ascii_stays_readable_and_the_file_ends_with_a_line_feed() -> None:
    text = render(Audit(rulebooks=(audit(finding(title="Äpfel · 梨")),)))
    assert '"title": "Äpfel · 梨"' in text
    assert text.endswith("}\n")


def test_the_same_audit_gives_the_same_text() -> None:
    assert render(FULL) == render(copy.deepcopy(FULL))
