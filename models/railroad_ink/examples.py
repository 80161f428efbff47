"""The text of Railroad Ink prints no example of play; this module says so by declaring none.

Promise: whoever looks for examples finds an empty list and no error.
"""

from __future__ import annotations

from models.language.examples import Examples
from models.railroad_ink.rules import book

EXAMPLES = Examples(book)
