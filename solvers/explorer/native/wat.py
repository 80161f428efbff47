"""A small emitter of WebAssembly text.

Promises: instructions come out in the order in which they are added; every name it makes is fresh within its
function; the same calls give the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

I32, I64 = "i32", "i64"
#: Most locals, and most instructions, of a function: somewhat below what WebAssembly engines accept.
_LOCALS, _LINES = 49_000, 1_500_000


class Unsupported(Exception):
    """The native engine cannot run this program; the reference can."""


class Function:
    """One function that is being written.

    Args:
        name: Name, without the `$`.
        params: Pairs of name and type.
        result: Type of the result, or "".
        export: Name under which it is exported, or "".
    """

    def __init__(
        self, name: str, params: Sequence[tuple[str, str]] = (), result: str = "", export: str = ""
    ) -> None:
        self.name, self.params, self.result, self.export = name, tuple(params), result, export
        self.lines: list[str] = []
        self.locals: list[tuple[str, str]] = []
        self._indent = 2

    def add(self, *instructions: str) -> None:
        """Append instructions at the present indentation."""
        front = "  " * self._indent
        self.lines.extend([front + i for i in instructions])

    def fresh(self, kind: str, hint: str = "v") -> str:
        """A new local of a type; its name, with the `$`."""
        name = f"${hint}{len(self.locals)}"
        self.locals.append((name, kind))
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """`block $x`, `loop $x`, `if` or `if (result i32)` around what is added inside."""
        self.add(head)
        self._indent += 1
        yield
        self._indent -= 1
        self.add("end")

    def otherwise(self) -> None:
        """`else` of the innermost `if`."""
        self._indent -= 1
        self.add("else")
        self._indent += 1

    def text(self) -> str:
        """The function as text.

        Errors:
            Unsupported: it is longer than a WebAssembly engine takes.
        """
        if len(self.locals) > _LOCALS or len(self.lines) > _LINES:
            raise Unsupported(f"function {self.name} would have {len(self.lines)} instructions")
        head = f"  (func ${self.name}"
        if self.export:
            head += f' (export "{self.export}")'
        head += "".join(f" (param {name} {kind})" for name, kind in self.params)
        head += f" (result {self.result})" if self.result else ""
        declared = "".join(f"\n    (local {name} {kind})" for name, kind in self.locals)
        return head + declared + "\n" + "\n".join(self.lines) + ")\n"


class Data:
    """Constants that lie in the scratch memory, each once.

    Args:
        base: Address of the first byte.
    """

    def __init__(self, base: int) -> None:
        self.base = base
        self.bytes = bytearray()
        self._known: dict[bytes, int] = {}

    def address(self, values: Sequence[int], width: int) -> int:
        """Where a table of numbers lies.

        Args:
            values: The numbers, in two's complement where negative.
            width: Bytes for each: 1, 2, 4 or 8.
        """
        raw = b"".join((v % (1 << 8 * width)).to_bytes(width, "little") for v in values)
        key = bytes([width]) + raw
        if key not in self._known:
            self.bytes.extend(b"\0" * (-len(self.bytes) % width))
            self._known[key] = self.base + len(self.bytes)
            self.bytes.extend(raw)
        return self._known[key]

    def text(self) -> str:
        """The data segment."""
        if not self.bytes:
            return ""
        shown = "".join(f"\\{b:02x}" for b in self.bytes)
        return f'  (data (memory $scratch) (i32.const {self.base}) "{shown}")\n'
