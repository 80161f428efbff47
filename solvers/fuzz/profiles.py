"""Profiles: how long and how evenly to fuzz, for tests and the command line alike.

Promises: `ci` is derandomised and keeps no database, so that two runs of one source do the same; `dev` draws
anew each time and remembers failures; `nightly` goes wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, settings


@dataclass(frozen=True)
class Profile:
    """How a campaign is run.

    Attributes:
        examples: Number of runs.
        steps: Most moves in a run.
        fixed: Whether the random choices are the same each time.
        flips: How many readings to change, one at a time; see `plan`.
    """

    examples: int
    steps: int
    fixed: bool
    flips: int


PROFILES: Mapping[str, Profile] = {
    "ci": Profile(examples=100, steps=50, fixed=True, flips=6),
    "dev": Profile(examples=200, steps=60, fixed=False, flips=12),
    "nightly": Profile(examples=3000, steps=200, fixed=False, flips=64),
}

#: Hypothesis' phases but for `explain`, which names lines of the engine and not of the rulebook.
PHASES = tuple(p for p in Phase if p is not Phase.explain)


def hypothesis_settings(profile: Profile) -> settings:
    """A profile as Hypothesis' settings."""
    keep = {"database": None} if profile.fixed else {}
    return settings(
        max_examples=profile.examples,
        stateful_step_count=profile.steps + 1,  # the setup is a step of Hypothesis'
        derandomize=profile.fixed,
        deadline=None,
        print_blob=True,
        phases=PHASES,
        suppress_health_check=(
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
            HealthCheck.large_base_example,
        ),
        **keep,  # type: ignore[arg-type]
    )


def register() -> None:
    """Make the profiles known to Hypothesis, so that `pytest --hypothesis-profile=nightly` finds them."""
    for name, profile in PROFILES.items():
        settings.register_profile(name, hypothesis_settings(profile))
