"""Hypothesis profiles: `ci` (the default: the same runs each time), `dev`, and `nightly` (wide).

`pytest --hypothesis-profile=nightly` takes another one than the default.
"""

from __future__ import annotations

from hypothesis import settings

from solvers.fuzz.profiles import register

register()
settings.load_profile("ci")
