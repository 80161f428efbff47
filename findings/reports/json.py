"""The audit as JSON, for programs.

Promises: the document follows `audit.schema.json` beside this module (JSON Schema 2020-12); keys stand in
the order of the contract, so that two runs with the same findings differ in `seconds` only.
"""

from __future__ import annotations

import json

from findings.finding import Audit, as_json


def render(audit: Audit) -> str:
    """The audit as a JSON document with a final line feed."""
    return json.dumps(as_json(audit), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
