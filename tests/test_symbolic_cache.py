"""The cache of the symbolic engine: what is no entry counts as absent; what cannot be written is let be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.language import Program
from models.language.registry import find
from solvers.contract import Play, Proved, Refuted, Verdict
from solvers.symbolic import Cache, Invariants
from solvers.symbolic.invariants import Candidate


@pytest.fixture(scope="module")
def program() -> Program:
    return find("fly_high").build("small", "basic")


def answers(program: Program) -> list[Verdict]:
    return [Proved("all states"), Refuted(Play((program.instances[0].label,), True))]


def invariants(program: Program) -> Invariants:
    return Invariants(program.digest, program.size_name, (Candidate("over", program.over, "bound"),), True)


WRONG = [
    *("", "{", "[]", "3", "null", "[" * 100_000, "\ud800", "\x00"),
    *('{"question": "q"}', '{"question": "q", "answer": null}', '{"question": "q", "answer": "proved"}'),
    *('{"question": "q", "answer": {"proved": 3}}', '{"question": "q", "answer": {"play": "up"}}'),
    '{"question": "q", "answer": {"play": ["no such move"], "shortest": true}}',
    '{"question": "q", "answer": {"play": [], "shortest": "yes"}}',
    '{"question": "q", "answer": [{"name": "n", "family": "bound", "term": [["?", "bool", 0, 1, 0, []]]}]}',
    '{"question": "q", "answer": [{"name": "n", "family": "bound", "term": [[[], "bool", 0, 1, {}, []]]}]}',
    '{"question": "q", "answer": [{"name": 3, "family": "bound", "term": []}]}',
    '{"question": "q", "answer": [3]}',
]


@pytest.mark.parametrize("content", WRONG, ids=range(len(WRONG)))
def test_what_is_no_entry_counts_as_absent(content: str, program: Program, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for answer in answers(program):
        cache.keep(program, "q", answer)
        assert cache.verdict(program, "q") == answer
    (file,) = tmp_path.iterdir()
    file.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert cache.verdict(program, "q") is None
    assert cache.invariants(program, "q") is None
    cache.keep_invariants("q", program, invariants(program))
    assert cache.invariants(program, "q") == invariants(program)


def test_the_entry_of_another_question_counts_as_absent(program: Program, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.keep(program, "one", Proved("all states"))
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text(encoding="utf-8"))["question"] == "one"
    cache.keep(program, "two", Refuted(Play((), True)))
    other = next(f for f in tmp_path.iterdir() if f != file)
    other.write_bytes(file.read_bytes())
    assert cache.verdict(program, "two") is None


def test_a_disk_that_is_full_keeps_nothing(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solvers.symbolic.cache.json.dump", full)
    cache = Cache(tmp_path)
    for answer in answers(program):
        cache.keep(program, "q", answer)
        assert cache.verdict(program, "q") is None
    cache.keep_invariants("q", program, invariants(program))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_keeps_nothing(program: Program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = Cache(tmp_path / "file" / "folder")
    cache.keep(program, "q", Proved("all states"))
    assert cache.verdict(program, "q") is None
