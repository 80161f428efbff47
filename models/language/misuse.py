"""What Python construct a modeller used on a term, found from the running instruction.

Promise: `truth_test` never fails; without the source, or on a construct that it does not know, it
answers in general words.
"""

from __future__ import annotations

import ast
import itertools
import linecache
from collections.abc import Iterator
from types import FrameType

from models.language.places import frame_here

_WHEN = "write `with t.when(…):` and `with t.otherwise():`"
_HINTS = {
    "if": _WHEN,
    "while": "repeat a fixed number of times with `for`, and write `with t.when(…):` inside",
    "if … else": "write `ite(condition, value, other)`",
    "and": "write `&`, with each side in parentheses",
    "or": "write `|`, with each side in parentheses",
    "not": "write `~`",
    "a chained comparison": "write `(a <= b) & (b <= c)`",
    "assert": "a guard is `t.require(…)`; what must always hold is a property",
    "in": "write `some(x == v for …)` over a fixed list: `some(*(x == v for v in values))`",
    "min": "write `least(…)`",
    "max": "write `most(…)`",
    "any": "write `some(…)`",
    "all": "write `every(…)`",
    "sorted": "the order of terms is not known yet; compare them with `rank`, `least` or `most`",
}
_GENERAL = "write `with t.when(…):`, `&`, `|`, `~`, `ite(…)`, `least(…)` or `most(…)` instead"

_Span = tuple[int, int, int, int]


def truth_test() -> tuple[str, str]:
    """The construct that is asking a term for its truth value, and what to write instead."""
    frame = frame_here()
    found = _construct(frame) if frame is not None else None
    if found is None:
        return "Python", _GENERAL
    return f"`{found}`" if not found.startswith("a ") else found, _HINTS.get(found, _GENERAL)


def _construct(frame: FrameType) -> str | None:
    position = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    if position is None or any(p is None for p in position):
        return None
    line, end_line, column, end_column = (p or 0 for p in position)
    span = (line, column, end_line, end_column)
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except (SyntaxError, ValueError):
        return None
    inside: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        exact = isinstance(node, (ast.expr, ast.stmt)) and _span(node) == span
        if exact and (name := _itself(node)):
            return name
        for tested, name in _tests(node):
            if _contains(_span(tested), span):
                inside.append((_size(_span(tested)), name))
    return min(inside, key=lambda found: found[0], default=(0, None))[1] if inside else None


def _itself(node: ast.AST) -> str | None:
    """A construct that tests its parts: a call, membership, a chain of comparisons."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "in"
        case ast.Compare(ops=[_, _, *_]):
            return "a chained comparison"
        case ast.UnaryOp(op=ast.Not()):
            return "not"
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
            return _joined(test) or _CALLED[type(node)]
    return None


_CALLED: dict[type, str] = {ast.If: "if", ast.While: "while", ast.Assert: "assert", ast.IfExp: "if … else"}


def _joined(test: ast.expr) -> str | None:
    """How the parts of a test are joined, if they are."""
    if isinstance(test, ast.UnaryOp):
        return _joined(test.operand)
    return _operator(test) if isinstance(test, ast.BoolOp) else None


def _operator(node: ast.BoolOp) -> str:
    return "and" if isinstance(node.op, ast.And) else "or"


def _tests(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The expressions of which a construct asks the truth value, with the construct's name."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
            yield test, _CALLED[type(node)]
        case ast.comprehension(ifs=tests):
            yield from ((test, "if") for test in tests)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand, "not"
        case ast.BoolOp(values=values):
            yield from ((v, _operator(node)) for v in values)
            yield node, _operator(node)


def _span(node: ast.expr | ast.stmt) -> _Span:
    return (
        node.lineno,
        node.col_offset,
        node.end_lineno or node.lineno,
        node.end_col_offset or node.col_offset,
    )


def _contains(outer: _Span, inner: _Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _size(span: _Span) -> int:
    return (span[2] - span[0]) * 10_000 + span[3] - span[1]
