"""Named questions to Fly High as printed (80 cards, 9 spots, 4 players), each within 60 seconds.

`python tests/benchmarks/symbolic_fly_high.py [--json]`
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.symbolic_questions import Question, run

QUESTIONS = (
    Question("Is the ninth card ever a U-turn, so that two sentences disagree?",
             "site clash:after-reveal:bold.all-nine+uturn.no-end"),
    Question("Does a card ever come up of which no sentence says what follows?", "site gap:after-reveal"),
    Question("Does a player ever have to go on with nothing left to turn up?", "site stop:nothing-left"),
    Question("Is the deck ever empty when a cloud is rolled?", "site shortage:cloud-card"),
    Question("Does the deck run out while a bonus is due?", "site shortage:bonus-cards"),
    Question("Does the deck run out while the square is refilled?", "site shortage:refill-cards"),
    Question("Can the best score be shared?", "site tie:most-cards"),
    Question("Does a flight ever hold two groups of six?", "site stacking:bonus-of-six"),
    Question("Can a score leave its range?", "site capacity:score"),
    Question("Is there ever a table on which nobody may act?", "stuck"),
    Question("Is a flight ever without a card to turn up?", "property whoever-has-to-go-on-can"),
    Question("Is the square ever short of cards when the die is rolled?", "property the-die-can-be-met"),
    Question("Is the whole square ever taken at once?", "property the-whole-square-is-taken"),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(run("fly_high", "basic", QUESTIONS))
