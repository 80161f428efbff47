"""The texts of reports as the source has them, for tests of their translations."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from babel.messages.extract import extract

from findings.codes import all_codes

#: A text, or its form for one thing and for several.
Message = str | tuple[str, str]
_NAMES = {"gettext": 1, "ngettext": 2}


def messages() -> set[Message]:
    """Every text that reports look up."""
    root = Path(str(resources.files("findings")))
    python = [
        *root.glob("reports/**/*.py"),
        *root.glob("answers/*.py"),
        root / "cli/report.py",
        root / "cli/answers.py",
    ]
    found: set[Message] = {m for path in python for m in _python(path)}
    for path in root.glob("reports/html/*.j2"):
        found |= set(_jinja(path))
    return found | {text for c in all_codes().values() for text in (c.title, c.what)}


def _python(path: Path) -> Iterator[Message]:
    """Calls of `gettext` and `ngettext` with their texts, also inside f-strings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [a.value for a in node.args[: _NAMES.get(name, 0)] if isinstance(a, ast.Constant)]
        if name == "gettext" and len(texts) == 1:
            yield str(texts[0])
        elif name == "ngettext" and len(texts) == 2:
            yield str(texts[0]), str(texts[1])


def _jinja(path: Path) -> Iterator[Message]:
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    for _, message, _, _ in extract(
        "jinja2.ext:babel_extract", io.BytesIO(path.read_bytes()), keywords=keywords
    ):
        yield message if isinstance(message, str) else (str(message[0]), str(message[1]))
