"""Named questions to My Dwarves Fly as printed, a whole game, each within 60 seconds.

`python tests/benchmarks/symbolic_my_dwarves_fly.py [--json]`
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.symbolic_questions import Question, run

QUESTIONS = (
    Question("Do an effect on its own player only and the end of all further effects clash?",
             "site clash:who-goes:creature.own-only+creature.further"),
    Question("Do the effect of a third creature and the end of all further effects clash?",
             "site clash:who-goes:creature.third+creature.further"),
    Question("Do two sentences disagree on whether a skill goes with its creatures?",
             "site clash:skill-goes:creature.take-skills+skill.last-leaves"),
    Question("Does a creature ever join without a sentence that says who goes?", "site gap:who-goes"),
    Question("Does a creature ever go without a sentence on what becomes of its skill?",
             "site gap:skill-goes"),
    Question("Are there ever too few dice for a battle?", "site shortage:dice"),
    Question("Does a battle value ever leave the end of its track?", "site shortage:track"),
    Question("Can two players want to force a roll at once?", "site race:force-a-roll"),
    Question("Can more creatures fight than there is room for?", "site capacity:fighters"),
    Question("Does an effect ever reach its own player only?", "site row:who-goes:creature.own-only"),
    Question("Does a third creature ever make others go everywhere?", "site row:who-goes:creature.third"),
    Question("Do creatures ever take their skill along?", "site row:skill-goes:creature.take-skills"),
)  # fmt: skip

if __name__ == "__main__":
    raise SystemExit(run("my_dwarves_fly", "game", QUESTIONS))
