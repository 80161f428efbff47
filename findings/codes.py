"""The kinds of finding: a code, a name, and what it means, why it matters, an example.

Promises: a code never changes its meaning; `explain` takes a code or a name however it is spelled (case,
hyphens, underscores, spaces) and answers an unknown one with the nearest known ones. The texts stand in
`codes.toml` beside this module.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import attrs
from attrs.validators import in_, matches_re, min_len

from findings.suggest import unknown


def _stripped(text: str) -> str:
    return text.strip()


@attrs.frozen(kw_only=True)
class Code:
    """One kind of finding.

    Attributes:
        code: `RL` and three digits; the first digit is the family (1 sentences, 2 facts and examples,
            3 play, 4 model and coverage).
        name: short name, lower case, words joined by hyphens.
        title: one line.
        what: what a finding of this kind says, exactly.
        why: why it matters at the table.
        example: one from an invented game.
        prevails: whether the options are sentences, of which one prevails.
        by: `engine` where an engine finds it, `modeller` where the person who wrote the model says it.
    """

    code: str = attrs.field(validator=matches_re(r"RL[1-4]\d\d"))
    name: str = attrs.field(validator=matches_re(r"[a-z]+(-[a-z]+)*"))
    title: str = attrs.field(validator=min_len(1))
    what: str = attrs.field(validator=min_len(1), converter=_stripped)
    why: str = attrs.field(validator=min_len(1), converter=_stripped)
    example: str = attrs.field(validator=min_len(1), converter=_stripped)
    prevails: bool = False
    by: str = attrs.field(default="engine", validator=in_(("engine", "modeller")))


@cache
def all_codes() -> Mapping[str, Code]:
    """Every kind of finding by its code, in the order of the codes."""
    text = resources.files("findings").joinpath("codes.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return MappingProxyType({code: Code(code=code, **table[code]) for code in sorted(table)})


def _folded(word: str) -> str:
    return "-".join(word.lower().replace("_", " ").replace("-", " ").split())


def explain(code_or_name: str) -> Code:
    """The kind of finding with a code or a name.

    Args:
        code_or_name: for instance `RL101`, `rl101`, `dead-row` or `Dead row`.

    Returns:
        The kind.

    Errors:
        ModelError: if there is none, with the nearest names.
    """
    wanted = _folded(code_or_name)
    codes = all_codes()
    for code in codes.values():
        if wanted in (code.name, code.code.lower()):
            return code
    known = [*codes, *(code.name for code in codes.values())]
    raise unknown("kind of finding", code_or_name, known, hint="`ruleslawyer explain` lists them all")
