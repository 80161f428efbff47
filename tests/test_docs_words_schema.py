"""`words.schema.json` describes the words that rulebooks have, and refuses what nothing reads."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "models/language/words.schema.json").read_text(encoding="utf-8"))
KNOWN = Draft202012Validator(SCHEMA)
FILES = sorted([*ROOT.glob("models/*/words.toml"), *ROOT.glob("docs/examples/*/words.toml")])


def told(text: str) -> list[str]:
    """What the schema says against a text, place by place."""
    return [f"{e.json_path}: {e.message}" for e in KNOWN.iter_errors(tomllib.loads(text))]


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert len(FILES) >= 4


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.parent.name)
def test_it_fits_the_words_of_every_rulebook(file: Path) -> None:
    assert told(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[en]\nname = "x"', "$.en: Additional properties are not allowed ('name' was unexpected)"),
        ('[en]\ntitle = " "', "$.en.title: ' ' does not match '\\\\S'"),
        ("[en.rule]\ndraw = 1", "$.en.rule.draw: 1 is not of type 'string'"),
        ('[en.site."tie:x"]\nwhy = "y"', "('why' was unexpected)"),
        ('[[en.term]]\nthing = "x"', "$.en.term[0]: 'names' is a required property"),
        ('[English]\ntitle = "x"', "'English' does not match"),
    ],
)
def test_it_refuses(text: str, message: str) -> None:
    (found,) = told(text)
    assert message in found
