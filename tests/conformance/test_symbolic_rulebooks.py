"""Symbolic engine and explorer agree on every site and property of every rulebook, at sizes that both can do.

Each variant at a tiny size here; at a declared one too (takes much longer) with
`RULESLAWYER_ALL_SIZES=1 pytest tests/conformance/test_symbolic_rulebooks.py`.
The table of both: `tests/benchmarks/symbolic_agreement.py`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache

import pytest

from models.language import Program, registry
from properties import kinds
from solvers.contract import Play, Proved, Refuted, Unknown
from solvers.explorer import explore
from solvers.interpreter import Interpreter
from solvers.symbolic import Invariants
from solvers.symbolic.goals import Hit
from solvers.symbolic.invariants import Candidate
from tests.conformance.both_engines import (
    MOST_UNKNOWN,
    SMALL,
    TINY,
    Case,
    Question,
    broken,
    compare,
    disagreement,
    questions,
)

LONG = pytest.mark.skipif(
    not os.environ.get("RULESLAWYER_ALL_SIZES"), reason="takes long: RULESLAWYER_ALL_SIZES"
)
BOOKS = (
    "dwarves_dig_delve_die",
    "fly_high",
    "my_dwarves_fly",
    "railroad_ink",
    "the_duel",
    "the_dwarf_king",
)


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=c.id, marks=LONG if c in SMALL else ()) for c in (*TINY, *SMALL)]
)
def test_both_engines_say_the_same_of_every_site_and_property(case: Case) -> None:
    row = compare(case)
    assert row.disagreements == []
    assert row.questions == row.refuted + row.proved + len(row.unknown)
    assert row.share <= MOST_UNKNOWN[case.book], row.unknown
    assert row.invariants > 0
    assert row.proved > 0


def test_no_variant_is_left_out() -> None:
    variants = {(name, v) for name in BOOKS for v in registry.find(name).variants}
    for cases in (TINY, SMALL):
        assert {(c.book, c.variant) for c in cases} == variants
        assert len(cases) == len(variants)
    assert set(MOST_UNKNOWN) == set(BOOKS)


@cache
def asked() -> tuple[Program, dict[str, Question]]:
    """A program with its questions: what is planted below must be told."""
    case = next(c for c in TINY if c.id == "the_dwarf_king-trick-tiny")
    book = registry.find(case.book)
    program = book.build(case.size(book), case.variant)
    properties = kinds.of(book).of(case.variant)
    explored = explore(program, properties)
    return program, {q.name: q for q in questions(program, properties, explored)}


def test_every_kind_of_question_is_asked() -> None:
    program, found = asked()
    forms = {"always", "step", "sometimes", "site", "stuck"}
    assert {name.split()[0] for name in found} == forms
    assert {name.removeprefix("site ") for name in found if name.startswith("site ")} == set(
        program.site_number
    )


def test_a_wrong_proof_is_told() -> None:
    program, found = asked()
    run = Interpreter(program)
    reached = [q for q in found.values() if q.known is not None]
    assert len({q.name.split()[0] for q in reached}) >= 2
    for question in found.values():
        told = disagreement(run, question, Proved("a scope"))
        assert bool(told) == (question in reached)
        assert not told or told.startswith(f"{question.name}: proved (a scope), but there is ")
        assert disagreement(run, question, Unknown("no time", "")) == ""


def test_a_wrong_play_is_told() -> None:
    program, found = asked()
    run = Interpreter(program)
    for question in found.values():
        if question.known is None:
            play = Play((), shortest=True)
            assert "does not know" in disagreement(run, question, Refuted(play)), question.name
            continue
        labels = question.known.labels
        assert disagreement(run, question, Refuted(Play(labels))) == ""
        if len(labels) > 1:  # the play without its last step is one, and is too short to do it
            told = disagreement(run, question, Refuted(Play(labels[:-1])))
            assert "does not do it" in told, question.name
        shorter = replace(question, known=Play(labels[:-1]))
        assert "the shortest is" in disagreement(run, shorter, Refuted(Play(labels)))
        assert disagreement(run, shorter, Refuted(Play(labels, shortest=False))) == ""
        longer = replace(question, known=Play((*labels, labels[-1])))
        assert "the shortest is" in disagreement(run, longer, Refuted(Play(labels, shortest=False)))


def test_a_wrong_invariant_is_told() -> None:
    program, _ = asked()
    never, always = ~program.over, program.over | ~program.over
    proved = Invariants(
        program.digest,
        "tiny",
        tuple(Candidate(n, t, "bound") for n, t in (("ends", never), ("true", always))),
        True,
    )
    (told,) = broken(program, proved)
    assert told.startswith("invariant 0: ends: proved, but broken by ")


def test_an_engine_that_overlooks_a_site_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(c for c in TINY if c.id == "railroad_ink-base-tiny")
    book = registry.find(case.book)
    site = min(explore(book.build(case.size(book), case.variant)).sites)
    parts = Hit.parts
    monkeypatch.setattr(Hit, "parts", lambda self, machine: [] if self.id == site else parts(self, machine))
    (told,) = compare(case, budgets=[1.2], allowed=1.0).disagreements
    assert told.startswith(f"site {site}: proved (")
