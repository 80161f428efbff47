"""Stepping through a game by hand, or at random.

Promises: only legal moves can be made; each names the sentences that license it; undo goes back to the
setup; the same seed gives the same game.
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table

from findings.audit.phrases import phrase
from findings.audit.telling import Teller
from findings.reports.blocks import line
from findings.reports.words import words
from models.language.book import Rulebook
from models.language.ir import COVERAGE, Actor, Instance
from models.language.program import Program
from solvers.compare.playouts import choose
from solvers.interpreter import Interpreter, Values

Ask = Callable[[str], str]
#: A random game is cut off after so many moves unless a number is given.
MOST_MOVES = 10_000
#: Digits of the number of a move.
_DIGITS = 6


def play_rulebook(
    book: Rulebook,
    *,
    variant: str,
    size: str,
    at_random: bool,
    seed: int | None,
    moves: int | None,
    console: Console,
    ask: Ask | None = None,
) -> int:
    """Play a rulebook.

    Args:
        book: The rulebook.
        variant: The variant's name.
        size: The size's name.
        at_random: Let every actor move at random.
        seed: Of the random moves and of chance; None for another game each time.
        moves: At random, how many moves at most.
        console: Where to print.
        ask: Reads an answer to a prompt; from the terminal unless given.

    Returns:
        Exit code 0.
    """
    table = _Table(book.build(size, variant), Teller(book), console)
    if at_random:
        table.at_random(random.Random(seed), moves or MOST_MOVES)
    else:
        table.by_hand(ask or _asking(), random.Random(seed))
    return 0


def _asking() -> Ask:
    """Reads answers from the standard input; what is no text in its encoding is replaced."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return lambda text: input(f"{text}> ")


class _Table:
    def __init__(self, program: Program, teller: Teller, console: Console) -> None:
        self.program, self.teller, self.console = program, teller, console
        self.run = Interpreter(program)
        self.words = words()
        self.history: list[Values] = [program.start]
        self.stopped = False

    @property
    def state(self) -> Values:
        return self.history[-1]

    def say(self, *parts: tuple[str, str] | str) -> None:
        self.console.print(line(*parts))

    # -- at random -------------------------------------------------------------------------------
    def at_random(self, draws: random.Random, most: int) -> None:
        """Play to the end, or for so many moves."""
        self.say(self.teller.position(self.program, self.state))
        for number in range(1, most + 1):
            enabled = self.run.enabled(self.state)
            if not enabled or self.stopped:
                break
            self.make(choose(self.run, self.state, enabled, draws.random()), f"{number:4}  ")
        else:
            if self.run.enabled(self.state) and not self.stopped:
                self.say(self.words("play.cut", moves=self.words.count("move", most)))
        self.end()

    # -- by hand ---------------------------------------------------------------------------------
    def by_hand(self, ask: Ask, draws: random.Random) -> None:
        """Ask for moves until the player leaves; an end can be undone too."""
        while True:
            enabled = [] if self.stopped else self.run.enabled(self.state)
            self.say(
                (self.words("play.position") + "  ", "dim"), self.teller.position(self.program, self.state)
            )
            if enabled:
                self.console.print(self.menu(enabled))
            else:
                self.end()
            if not self.answer(enabled, ask, draws):
                return

    def answer(self, enabled: Sequence[Instance], ask: Ask, draws: random.Random) -> bool:
        """Carry out one answer; False to leave."""
        try:
            text = ask(phrase("play.prompt")).strip().lower()
        except EOFError:
            return False
        if text in ("q", "quit"):
            return False
        if text in ("u", "undo"):
            if self.stopped:
                self.stopped = False
            elif len(self.history) > 1:
                self.history.pop()
            else:
                self.say(self.words("play.first"))
        elif text in ("r", "random") and enabled:
            self.make(choose(self.run, self.state, enabled, draws.random()), "  ")
        elif text.isdecimal() and len(text) <= _DIGITS and 1 <= int(text) <= len(enabled):
            self.make(enabled[int(text) - 1], "  ")
        else:
            key = "play.wrong" if enabled else "play.wrong_end"
            self.say(phrase(key, text=text, n=len(enabled)))
        return True

    def menu(self, enabled: Sequence[Instance]) -> Table:
        """The legal moves, numbered, with who acts and the sentences that license them."""
        rows = Table.grid(padding=(0, 2))
        for style in ("bold", "", "dim", "dim"):
            rows.add_column(overflow="fold", style=style)
        weights = [self.run.value(i.weight, self.state) for i in enabled]
        for n, (i, weight) in enumerate(zip(enabled, weights, strict=True), 1):
            after = self.run.step(self.state, i).state
            text = self.teller.words.move(self.program, i, self.state, after)
            rows.add_row(
                line(str(n)),
                line(text),
                line(self.actor(i, weight, sum(weights))),
                line(", ".join(i.clauses)),
            )
        return rows

    def actor(self, i: Instance, weight: int, whole: int) -> str:
        """Who acts, in words."""
        if i.actor is Actor.RULES:
            return self.words("actor.rules")
        if i.actor is Actor.CHANCE:
            return self.words("actor.chance", share=f"{weight}/{whole}")
        assert i.player is not None
        return self.teller.words.player(self.run.value(i.player, self.state))

    # -- both ------------------------------------------------------------------------------------
    def make(self, instance: Instance, margin: str) -> None:
        """Make a move and say what it did and what was asked on the way."""
        before, step = self.state, self.run.step(self.state, instance)
        self.say((margin, "dim"), self.teller.words.move(self.program, instance, before, step.state))
        asked = [self.program.sites[s] for s in step.hits]
        shown = [s.id for s in asked if s.kind not in COVERAGE]
        if step.state is None:
            self.stopped = True
            self.say((self.words("play.stopped", site=asked[-1].id), "bold"))
            return
        if shown:
            self.say((self.words("play.asked", sites=", ".join(shown)), "yellow"))
        self.history.append(step.state)

    def end(self) -> None:
        """Say how the game stands where nobody moves."""
        if self.stopped:
            return
        if self.run.over(self.state):
            winners = [
                self.teller.words.player(p)
                for p, t in enumerate(self.program.winners)
                if self.run.value(t, self.state)
            ]
            self.say((self.words("play.over"), "bold"))
            if winners:
                self.say(self.words("play.won", players=", ".join(winners)))
        elif not self.run.enabled(self.state):
            self.say((self.words("play.stuck"), "bold"))
