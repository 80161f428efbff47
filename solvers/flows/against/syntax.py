"""Syntax: PHP and JavaScript as trees, by tree-sitter.

Promises: a file that is not of the language is one message with the line; nothing of it is ever run.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from models.language.errors import ModelError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: Files beyond this many bytes are not read, nor PHP with more levels than this.
MOST_BYTES, MOST_LEVELS = 4_000_000, 400


@cache
def _parser(language: str) -> Parser:
    try:
        import tree_sitter

        if language == "PHP":
            import tree_sitter_php

            return tree_sitter.Parser(tree_sitter.Language(tree_sitter_php.language_php()))
        import tree_sitter_javascript

        return tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))
    except ImportError as error:
        raise ModelError(
            f"reading {language} needs the packages tree-sitter and {error.name or 'its grammar'}",
            hint="install the project again with its dependencies",
        ) from error


def tree(path: Path, language: str) -> Node:
    """The syntax tree of a file.

    Args:
        path: The file.
        language: `PHP` or `JavaScript`.

    Errors:
        ModelError: it cannot be read, is not UTF-8, is too large, or has a syntax error.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"cannot be read: {(error.strerror or str(error)).lower()}",
            where=str(path),
            hint="check the path",
        ) from error
    if len(data) > MOST_BYTES:
        raise ModelError(
            "the file is too large", where=str(path), hint=f"at most {MOST_BYTES} bytes are read"
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise ModelError("the file is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    root = _parser(language).parse(data).root_node
    if language == "PHP" and not any(n.type == "php_tag" for n in root.children):
        raise ModelError("there is no PHP in the file", where=str(path), hint="it must begin with `<?php`")
    if root.has_error:
        wrong = next(_errors(root), root)
        raise ModelError(
            f"this is not valid {language}: {_what(wrong)}",
            where=f"{path}:{wrong.start_point[0] + 1}",
            hint="correct the line",
        )
    if language == "PHP" and _levels(root) > MOST_LEVELS:  # whose values are worked out level by level
        raise ModelError(
            "expressions are nested too deeply to be read",
            where=str(path),
            hint="name the file that holds the states, not one that a tool has made of it",
        )
    return root


def _levels(root: Node) -> int:
    """How many levels a tree has, as far as it matters."""
    cursor, level, deepest = root.walk(), 1, 1
    while deepest <= MOST_LEVELS:
        if cursor.goto_first_child():
            level += 1
            deepest = max(deepest, level)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return deepest
            level -= 1
    return deepest


def _errors(node: Node) -> Iterator[Node]:
    if node.is_error or node.is_missing:
        yield node
        return
    for child in node.children:
        if child.has_error or child.is_missing:
            yield from _errors(child)


def _what(node: Node) -> str:
    if node.is_missing:
        return f"{node.type!r} is missing"
    seen = " ".join(text(node).split())
    return f"unexpected {seen[:40]!r}" if seen else "it ends too early"


def text(node: Node | None) -> str:
    """The source of a node; "" for none."""
    return node.text.decode("utf-8") if node is not None and node.text is not None else ""


def line(node: Node) -> int:
    """The line on which a node begins, from 1."""
    return int(node.start_point[0]) + 1


def below(node: Node, *types: str, into: frozenset[str] = frozenset()) -> Iterator[Node]:
    """All nodes of some types below a node, in the order of the text.

    Args:
        node: Where to start.
        types: The types wanted.
        into: Types that are not looked into.
    """
    todo = list(reversed(node.children))
    while todo:
        child = todo.pop()
        if child.type in types:
            yield child
        if child.type not in into:
            todo += reversed(child.children)


def named(node: Node) -> list[Node]:
    """The children of a node that are more than punctuation, without comments."""
    return [c for c in node.named_children if c.type != "comment"]
