"""One trick of The Dwarf King at the printed size, from any valid table, asked of the symbolic engine."""

from __future__ import annotations

import pytest

from models.language.program import Program
from models.language.words import Position
from models.the_dwarf_king.rules import book
from properties import kinds
from properties.kinds import Form
from solvers.contract import Proved
from solvers.interpreter import Interpreter
from solvers.simulate import Playouts
from solvers.symbolic import Invariants, ask_property, ask_site
from solvers.symbolic.induction import Houdini
from solvers.symbolic.invariants import Candidate
from solvers.symbolic.machine import Machine
from solvers.symbolic.session import conjuncts
from solvers.symbolic.solving import Deadline

#: What a proof about the winner rests on.
GROUND = (
    "a-card-in-the-trick-has-left-its-hand",
    "cards-leave-the-deck-in-order",
    "cards-lie-from-the-leader-on",
    "no-card-lies-twice",
    "nothing-lies-outside-a-trick",
    "only-the-special-card-changes-cards",
    "the-deal-adds-up",
    "whoever-has-not-played-holds-a-card",
)
#: What is proved of every deal and every play of a trick.
LEGALITY = (
    "nobody-plays-off-suit-for-fun",
    "whoever-cannot-follow-may-play-anything",
    "whoever-is-on-turn-may-play",
)


def proved(program: Program) -> Invariants:
    """These properties, proved together by induction; each of their parts is kept."""
    known = {p.name: p for p in kinds.of(book).of(program.variant) if p.form is Form.ALWAYS}
    candidates = [
        Candidate(f"{name} ({n})", part, "property")
        for name in (*GROUND, *LEGALITY)
        for n, part in enumerate(conjuncts(known[name].term(program)))
    ]
    proof = Houdini(Machine(program), candidates).prove(Deadline.after(600))
    assert proof.complete
    assert [c.name for c in candidates if c not in proof.kept] == []
    return Invariants(program.digest, program.size_name, proof.kept, proof.complete)


@pytest.fixture(scope="module")
def plain() -> tuple[Program, Invariants]:
    """Special cards that change no card, and the reading by which a suit is always led."""
    program = book.build("print-plain", "trick", {"special.led": "next-card"})
    return program, proved(program)


def test_every_trick_has_exactly_one_winner(plain: tuple[Program, Invariants]) -> None:
    """Total: some card has the suit led. Unique: no two are equally high."""
    program, invariants = plain
    for site in ("gap:highest-card", "tie:highest-card", "shortage:card-to-change"):
        verdict = ask_site(program, site, invariants=invariants, budget_seconds=300)
        assert isinstance(verdict, Proved), site


def test_the_winner_has_the_highest_card_of_the_suit_led(plain: tuple[Program, Invariants]) -> None:
    program, invariants = plain
    known = {p.name: p for p in kinds.of(book).of("trick")}
    wins = known["the-highest-card-of-the-suit-led-wins"]
    assert isinstance(ask_property(program, wins, invariants=invariants, budget_seconds=300), Proved)


def test_the_situations_in_which_not() -> None:
    """With all special cards and the text as it stands a trick may have no winner, or two."""
    program = book.build("print", "trick")
    run, games = Interpreter(program), Playouts(program)
    met = games.play(3000, seed=11).met
    for site, winners in (("gap:highest-card", 0), ("tie:highest-card", 1)):
        number = int(met[:, program.site_number[site]].nonzero()[0][0])
        states = run.replay(games.moves(number, seed=11))
        assert site in {program.sites[n].id for n in run.step(states[-2], run.find("take_trick")).hits}
        before, end = Position(program, states[-2]), Position(program, states[-1])
        assert before.phase.name == "TAKE"
        assert all(card.name != "NONE" for card in before.played)
        assert sum(end.tricks) == winners
