"""Sites: what is asked, collected while rules are traced.

Promise: one name stands for one shape; copies of a construct through parameters, loops and helpers are one
site, which cites the clauses of all of them.
"""

from __future__ import annotations

from dataclasses import replace

from models.language.errors import ModelError
from models.language.ir import Site


class Sites:
    """Collects sites while rules are traced; one name stands for one shape."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.numbers: dict[str, int] = {}
        self.shapes: dict[str, tuple[object, Site]] = {}

    def number(self, site: Site, shape: object) -> int:
        """The site's position; a further copy through parameters, loops or helpers is the same site.

        Errors:
            ModelError: the name stands for another construct already.
        """
        if shape is not None:
            known, first = self.shapes.setdefault(site.name, (shape, site))
            if known != shape:
                raise ModelError(
                    f"the name {site.name!r} stands for two constructs (the other is at {first.place})",
                    where=str(site.place),
                    hint="give each construct its own name, and the same rows and clauses wherever it stands",
                )
        at = self.numbers.setdefault(site.id, len(self.sites))
        if at == len(self.sites):
            self.sites.append(site)
        elif site.clauses != self.sites[at].clauses:
            both = dict.fromkeys((*self.sites[at].clauses, *site.clauses))
            self.sites[at] = replace(self.sites[at], clauses=tuple(both))
        return at
