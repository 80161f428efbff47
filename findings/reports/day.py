"""The day that reports name."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime


def today() -> date:
    """The day that a report names: that of SOURCE_DATE_EPOCH, where it is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), UTC).date() if epoch.isdecimal() else date.today()
