"""The fuzz engine: random play of a rulebook under Hypothesis, with its properties as invariants.

Promise: one machine a rulebook, made from the IR; the command line, the rulebooks' tests and a modeller's own
stateful rules all run that one.
"""

from __future__ import annotations

from solvers.fuzz.campaign import Broken, Report, check, fuzz, replay
from solvers.fuzz.failures import HAZARDS, Failure
from solvers.fuzz.log import Log, Seen
from solvers.fuzz.machine import NEW_GAME, RulebookMachine, machine_of, now_and_then
from solvers.fuzz.mutants import OPERATORS, Mutation, mutants, mutations, sample
from solvers.fuzz.paste import example_text
from solvers.fuzz.plan import Built, Choice, Plan, plan
from solvers.fuzz.profiles import PROFILES, Profile, hypothesis_settings, register
from solvers.fuzz.shorten import shorten

# fmt: off
__all__ = [
    "HAZARDS", "NEW_GAME", "OPERATORS", "PROFILES", "Broken", "Built", "Choice", "Failure", "Log", "Mutation",
    "Plan", "Profile", "Report", "RulebookMachine", "Seen", "check", "example_text", "fuzz",
    "hypothesis_settings", "machine_of", "mutants", "mutations", "now_and_then", "plan", "register", "replay",
    "sample", "shorten",
]
