"""Words: a rulebook's domain words per language, from `words.toml`, and texts of moves and states.

Promises: templates (Jinja, sandboxed) see the state as Python values and cannot reach anything else;
a missing word falls back to the id, never to English prose; a broken template is one message with its key.

    [en]
    title = "…"            state = "template of a position"      player = "player {{ number + 1 }}"
    [en.rule]              name = "template; parameters by name, `before` and `after` are positions"
    [en.enum.Card]         MEMBER = "word"
    [en.field]             name = "word"
    [en.site."clash:…"]    title, ask, situation (template), and options."<row>" = "template of an outcome"
    [en.reading.<id>]      the same keys; options."<option>"
    [en.clause]            id = "heading words" (optional)
"""

from __future__ import annotations

import enum
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.language.errors import ModelError
from models.language.ir import Instance
from models.language.program import Program
from models.language.slots import Leaf, Node, Pile
from models.language.terms import BOOL

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment


class Position:
    """A state as Python values: `position.grid[0]` is an enumeration member, a number, a truth value.

    Arrays and bags are lists (dictionaries by member name where an enumeration indexes them), stacks are
    lists of what lies on them, bottom first.
    """

    def __init__(self, program: Program, state: Sequence[int]) -> None:
        self.values: dict[str, Any] = {k: _value(n, state) for k, n in program.layout.fields.items()}
        self.values["players"] = list(range(program.players))
        self.values["size"] = program.size

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None


def _value(node: Node, state: Sequence[int]) -> Any:
    if isinstance(node, Leaf):
        value, sort = state[node.slot.index], node.slot.sort
        if sort.members is not None:
            return list(sort.members)[value]
        return bool(value) if sort is BOOL else value
    if isinstance(node, Pile):
        return [_value(n, state) for n in node.items[: state[node.depth.slot.index]]]
    if node.keys is not None:
        return {m.name: _value(n, state) for m, n in zip(node.keys, node.items, strict=True)}
    return [_value(n, state) for n in node.items]


class Words:
    """The words of one rulebook in one language.

    Args:
        table: The language's table of `words.toml`.
        where: The file, for messages.
    """

    def __init__(self, table: Mapping[str, Any] | None = None, where: str = "words.toml") -> None:
        self.table, self.where = table or {}, where

    @classmethod
    def load(cls, folder: Path | None, language: str = "en") -> Words:
        """The words beside a rulebook; empty where there is no file or no such language.

        Errors:
            ModelError: the file is not TOML or not UTF-8.
        """
        path = folder / "words.toml" if folder else None
        if path is None or not path.is_file():
            return cls()
        try:
            return cls(tomllib.loads(path.read_text(encoding="utf-8")).get(language), str(path))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ModelError(
                f"the words cannot be read: {error}", where=str(path), hint="correct the line"
            ) from None

    @cached_property
    def _environment(self) -> SandboxedEnvironment:
        from jinja2 import StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range

        environment = ImmutableSandboxedEnvironment(
            undefined=StrictUndefined, trim_blocks=True, autoescape=False
        )
        environment.filters.update(word=self.word, player=self.player, listing=self.listing)
        environment.globals.clear()
        environment.globals.update(range=safe_range)
        return environment

    @cached_property
    def _compiled(self) -> dict[str, Template]:
        return {}

    def render(self, key: str, template: str, values: Mapping[str, Any]) -> str:
        """Fill a template in.

        Errors:
            ModelError: the template is broken; the message names its key.
        """
        from jinja2 import TemplateError

        try:
            made = self._compiled.get(template)
            if made is None:
                made = self._compiled[template] = self._environment.from_string(template)
            return " ".join(made.render(values).split())
        except (TemplateError, TypeError, LookupError, AttributeError, ValueError, ArithmeticError) as error:
            raise ModelError(
                f"the words cannot be filled in: {error}",
                where=f"{self.where}, {key}",
                hint="correct the template",
            ) from None

    def at(self, *keys: str) -> Any:
        """The entry under some keys, or None."""
        found: Any = self.table
        for k in keys:
            if not isinstance(found, Mapping) or k not in found:
                return None
            found = found[k]
        return found

    def word(self, value: object) -> str:
        """The word of an enumeration member, else the value as text."""
        if isinstance(value, enum.Enum):
            return str(self.at("enum", type(value).__name__, value.name) or value.name)
        return str(value)

    def player(self, number: int) -> str:
        """The name of a player, numbered from 0."""
        template = self.at("player")
        return self.render("player", template, {"number": number}) if template else f"#{number + 1}"

    def listing(self, values: Sequence[object], between: str = ", ") -> str:
        """The words of several values."""
        return between.join(self.word(v) for v in values)

    def field(self, name: str) -> str:
        """The word of a field."""
        return str(self.at("field", name) or name)

    def move(
        self, program: Program, instance: Instance, before: Sequence[int], after: Sequence[int] | None
    ) -> str:
        """What a move did, in the words of the game; its label where there are no words."""
        template = self.at("rule", instance.rule)
        if not template:
            return instance.label
        was = Position(program, before)
        now = Position(program, after) if after is not None else was
        params = dict(zip((k for k, _ in instance.params), instance.values, strict=True))
        names = dict(instance.params)
        return self.render(
            f"rule.{instance.rule}",
            template,
            {**was.values, **params, "names": names, "before": was, "after": now},
        )

    def state(self, program: Program, state: Sequence[int]) -> str:
        """A position in the words of the game; "" where there are none."""
        return self.template("state", self.at("state"), program, state)

    def template(self, key: str, template: str | None, program: Program, state: Sequence[int]) -> str:
        """Fill in a template over a position; "" for no template."""
        return self.render(key, template, Position(program, state).values) if template else ""
