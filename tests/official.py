"""The official schemas of the formats that reports are written in, where this machine has them.

Their licences keep them out of this repository. They are looked for in the folder that `RULESLAWYER_SCHEMAS`
names, and where packages put them: Debian's `php-symfony-translation` (XLIFF) and npm's
`@microsoft/jest-sarif` (SARIF).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_XLIFF = Path("/usr/share/php/Symfony/Component/Translation/Resources/schemas")
_SARIF = Path("@microsoft/jest-sarif/lib/schemas")
_NPM = tuple(Path(folder, "node_modules") for folder in ("/usr/local/lib", "/usr/lib", "/usr/share"))


def _folders() -> Iterator[Path]:
    named = os.environ.get("RULESLAWYER_SCHEMAS")
    if named:
        yield Path(named)
    yield _XLIFF
    yield from (folder / _SARIF for folder in _NPM)


def schema(*names: str) -> Path:
    """The file of a schema, by one of its names; skips the test where there is none."""
    for folder in _folders():
        for name in names:
            if (folder / name).is_file():
                return folder / name
    pytest.skip(
        f"no {names[0]} of OASIS: install php-symfony-translation (Debian) or @microsoft/jest-sarif (npm), "
        "or name its folder in RULESLAWYER_SCHEMAS"
    )


def xml_schema(path: Path) -> Any:
    """A schema of XML; what it imports of W3C is the copy beside it, wherever it says to fetch it."""
    from lxml import etree

    class Beside(etree.Resolver):  # type: ignore[misc]  # lxml has no types
        def resolve(self, url: str, _public: str, context: Any) -> Any:
            return self.resolve_filename(str(path.parent / Path(url).name), context)

    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(Beside())
    return etree.XMLSchema(etree.parse(path, parser))
