"""PHP values: constants, arrays and strings of a PHP text, worked out without running it.

Promises: only what is certain is worked out: literals, `define`, `const`, class constants and enumerations,
arrays and their sums, texts put together; everything else is `Unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solvers.flows.against.syntax import below, line, named, text, tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: Functions that give back their first argument: marks for translation.
_TRANSPARENT = frozenset({"clienttranslate", "totranslate", "_"})
#: How far up from a file the files that it requires are looked for.
_UP = 3


@dataclass(frozen=True)
class Unknown:
    """A value that the text alone does not give.

    Attributes:
        source: What stands there.
    """

    source: str


@dataclass(frozen=True)
class Built:
    """A state that is put together by calls on `GameStateBuilder`.

    Attributes:
        kind: The first call: `create`, `gameSetup`, `endScore`.
        calls: Method → the values of its arguments, and "" → those of the first call.
        line: Where it stands.
    """

    kind: str
    calls: dict[str, tuple[Any, ...]]
    line: int


@dataclass(frozen=True)
class Entry:
    """An array's entry with its line; `value` as `Values.of` gives it."""

    value: Any
    line: int


class Values:
    """The constants and variables of some PHP texts.

    Attributes:
        constants: Name (`NAME` or `Class::NAME`) → value.
        variables: `$name` → value, as last assigned at the top of a file.
        assigned: `$name` → the file in which that is.
    """

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}
        self.variables: dict[str, Any] = {}
        self.assigned: dict[str, Path] = {}
        self.files: set[Path] = set()
        self.owners: set[str] = set()

    # -- collecting --------------------------------------------------------------------------------
    def load(self, path: Path, root: Node | None = None) -> None:
        """Take up a file's constants and variables, and those of the files that it requires."""
        if path.resolve() in self.files:
            return
        self.files.add(path.resolve())
        for node in self._statements(tree(path, "PHP") if root is None else root):
            self._declaration(path, node)

    def _statements(self, root: Node) -> Iterator[Node]:
        inside = frozenset(
            {"method_declaration", "function_definition", "anonymous_function", "arrow_function"}
        )
        wanted = ("expression_statement", "const_declaration", "enum_declaration")
        yield from below(root, *wanted, into=inside)

    def _declaration(self, path: Path, node: Node) -> None:
        if node.type == "const_declaration":
            owner = self._owner(node)
            for element in below(node, "const_element"):
                self.constants[f"{owner}{text(named(element)[0])}"] = self.of(named(element)[-1])
        elif node.type == "enum_declaration":
            owner = f"{text(node.child_by_field_name('name'))}::"
            for case in below(node, "enum_case"):
                value = case.child_by_field_name("value")
                if value is not None:
                    self.constants[f"{owner}{text(case.child_by_field_name('name'))}"] = self.of(value)
        elif inner := named(node):
            self._expression(path, inner[0])

    def _owner(self, node: Node) -> str:
        at = node.parent
        while at is not None and at.type not in (
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
        ):
            at = at.parent
        return f"{text(at.child_by_field_name('name'))}::" if at is not None else ""

    def _expression(self, path: Path, node: Node) -> None:
        if node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                self._assign(path, left, self.of(right), line(node))
        elif node.type == "augmented_assignment_expression":
            left = node.child_by_field_name("left")
            if left is not None:
                self._assign(path, left, self._binary(node), line(node))
        elif (
            node.type == "function_call_expression" and text(node.child_by_field_name("function")) == "define"
        ):
            given = self._arguments(node)
            if len(given) >= 2 and isinstance(given[0], str):
                self.constants[given[0]] = given[1]
        elif node.type in (
            "require_once_expression",
            "require_expression",
            "include_expression",
            "include_once_expression",
        ):
            self._require(path, node)

    def _assign(self, path: Path, left: Node, value: Any, where: int) -> None:
        """A variable gets a value, or an array that a variable holds gets an entry."""
        keys: list[Node | None] = []
        while left.type == "subscript_expression":
            left, *key = named(left)
            keys.insert(0, key[0] if key else None)
        if left.type == "variable_name":
            held = self.variables.get(text(left), {})
            self.variables[text(left)] = self._changed(held, keys, value, where)
            self.assigned[text(left)] = path

    def _changed(self, held: Any, keys: Sequence[Node | None], value: Any, where: int) -> Any:
        """A value in which the entry behind some keys is another; what is no array stays as it is."""
        if not keys:
            return value
        if not isinstance(held, dict):
            return held
        key = _next(held) if keys[0] is None else self.of(keys[0])
        old = held.get(key, Entry({}, where))
        return {**held, key: Entry(self._changed(old.value, keys[1:], value, where), old.line)}

    def _require(self, path: Path, node: Node) -> None:
        wanted = next((self.of(s) for s in below(node, "string", "encapsed_string")), None)
        if not isinstance(wanted, str):
            return
        for folder in [path.parent, *list(path.resolve().parents)[:_UP]]:
            found = folder / wanted.lstrip("/")
            if found.is_file() and found.suffix == ".php" and ".." not in Path(wanted).parts:
                self.load(found)
                return

    # -- values ------------------------------------------------------------------------------------
    def of(self, node: Node) -> Any:
        """The value of an expression: a number, a text, a dictionary of `Entry`, `Built` or `Unknown`."""
        match node.type:
            case "integer":
                return _number(text(node))
            case "string" | "encapsed_string":
                return _string(node)
            case "boolean" | "null":
                return {"true": True, "false": False}.get(text(node).lower())
            case "array_creation_expression":
                return self._array(node)
            case "name" | "qualified_name":
                name = text(node).rpartition("\\")[2]
                return self.constants.get(name, Unknown(text(node)))
            case "class_constant_access_expression":
                return self._class_constant(node)
            case "variable_name":
                return self.variables.get(text(node), Unknown(text(node)))
            case "parenthesized_expression" | "argument":
                return self.of(named(node)[-1]) if named(node) else Unknown(text(node))
            case "binary_expression":
                return self._binary(node)
            case "function_call_expression":
                return self._call(node)
            case "member_call_expression" | "scoped_call_expression":
                return self._built(node)
            case "member_access_expression" if text(node.child_by_field_name("name")) == "value":
                owner = node.child_by_field_name("object")
                return self.of(owner) if owner is not None else Unknown(text(node))
        return Unknown(text(node))

    def _array(self, node: Node) -> dict[Any, Entry]:
        made: dict[Any, Entry] = {}
        for element in named(node):
            if element.type != "array_element_initializer":
                continue
            parts = named(element)
            if parts and parts[0].type == "variadic_unpacking":
                self._unpack(made, self.of(named(parts[0])[0]), parts[0])
                continue
            value = Entry(self.of(parts[-1]), line(element)) if parts else None
            if value is None:
                continue
            key = self.of(parts[0]) if len(parts) == 2 else _next(made)
            made[key] = value
        return made

    def _unpack(self, made: dict[Any, Entry], value: Any, node: Node) -> None:
        if isinstance(value, dict):
            for key, entry in value.items():
                made[_next(made) if isinstance(key, int) else key] = entry
        else:
            made[Unknown(text(node))] = Entry(value, line(node))

    def _class_constant(self, node: Node) -> Any:
        owner, name = (text(part).rpartition("\\")[2] for part in named(node)[:2])
        if name == "class":
            return owner
        if f"{owner}::{name}" not in self.constants:
            self._autoload(owner)
        return self.constants.get(f"{owner}::{name}", Unknown(f"{owner}::{name}"))

    def _autoload(self, owner: str) -> None:
        """Take up the file of a class, where it has the class's name and lies with the program's classes."""
        if owner in self.owners or not owner.isidentifier():
            return
        self.owners.add(owner)
        for folder in {f.parent for f in self.files}:
            for found in sorted((folder / "modules" / "php").rglob(f"{owner}.php")):
                self.load(found)

    def _binary(self, node: Node) -> Any:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return Unknown(text(node))
        a, b = self.of(left), self.of(right)
        sign = text(node.child_by_field_name("operator")).removesuffix("=")
        if sign == "+" and isinstance(a, dict) and isinstance(b, dict):
            return {**a, **{k: v for k, v in b.items() if k not in a}}
        if sign == "." and isinstance(a, (str, int)) and isinstance(b, (str, int)):
            return f"{a}{b}"
        if sign in "+-*" and isinstance(a, int) and isinstance(b, int):
            return {"+": a + b, "-": a - b, "*": a * b}[sign]
        return Unknown(text(node))

    def _call(self, node: Node) -> Any:
        name, given = text(node.child_by_field_name("function")), self._arguments(node)
        if name in _TRANSPARENT and given:
            return given[0]
        if name == "array_merge" and all(isinstance(v, dict) for v in given):
            made: dict[Any, Entry] = {}
            for value in given:
                self._unpack(made, value, node)
            return made
        return Unknown(text(node))

    def _arguments(self, node: Node) -> tuple[Any, ...]:
        given = node.child_by_field_name("arguments")
        return tuple(self.of(a) for a in named(given)) if given is not None else ()

    def _built(self, node: Node) -> Any:
        calls: dict[str, tuple[Any, ...]] = {}
        at: Node | None = node
        while at is not None and at.type == "member_call_expression":
            calls.setdefault(text(at.child_by_field_name("name")).lower(), self._arguments(at))
            at = at.child_by_field_name("object")
        if at is None or at.type != "scoped_call_expression":
            return Unknown(text(node))
        if text(at.child_by_field_name("scope")).rpartition("\\")[2] != "GameStateBuilder":
            return Unknown(text(node))
        calls[""] = self._arguments(at)
        return Built(text(at.child_by_field_name("name")), calls, line(node))


def _next(made: dict[Any, Entry]) -> int:
    return max((k for k in made if isinstance(k, int)), default=-1) + 1


def _number(source: str) -> int | Unknown:
    try:
        return int(source.replace("_", ""), 0 if source[:2].lower() in ("0x", "0b", "0o") else 10)
    except ValueError:
        return Unknown(source)


def _string(node: Node) -> str | Unknown:
    parts = []
    for part in node.named_children:
        if part.type == "string_content":
            parts.append(text(part))
        elif part.type == "escape_sequence":
            parts.append({"\\n": "\n", "\\t": "\t"}.get(text(part), text(part)[1:]))
        else:
            return Unknown(text(node))
    return "".join(parts)
