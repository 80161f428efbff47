"""Keys of compiled modules.

Promise: two searches have the same key only if the same code serves both: the digest of the program, the
checked properties, the plan, this engine's own source and wasmtime's version go in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from models.language.program import Program
from models.language.terms import Term, walk


def terms_digest(terms: Iterable[Term]) -> str:
    """SHA-256 over some terms in a canonical order, hex."""
    number: dict[Term, int] = {}
    out = hashlib.sha256()
    for root in terms:
        for t in walk(root):
            if t not in number:
                number[t] = len(number)
                data = t.data[0] if t.op in ("read", "select") else t.data
                out.update(repr((t.op, t.sort.name, data, t.lo, t.hi, [number[a] for a in t.args])).encode())
        out.update(repr(number[root]).encode())
    return out.hexdigest()


@cache
def source_digest(package: str) -> str:
    """SHA-256 over a package's files, and wasmtime's version."""
    out = hashlib.sha256(version("wasmtime").encode())
    for file in sorted(files(package).iterdir(), key=lambda f: f.name):
        if file.name.endswith((".py", ".wat")):
            out.update(file.name.encode() + b"\0" + file.read_bytes())
    return out.hexdigest()


def module_key(program: Program, terms: Iterable[Term], *options: object) -> str:
    """The key of a module.

    Args:
        program: The program.
        terms: Terms that the module evaluates besides those of the program.
        options: Whatever else the text depends on.
    """
    parts = (program.digest, terms_digest(terms), source_digest(__package__), repr(options))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
