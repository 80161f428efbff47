"""Pages of the documentation as programs: their blocks in order, and what becomes of each.

Promise: what a page shows is what a reader gets; the conventions are in tests/README.md.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

_FENCE = re.compile(r"(?P<marks>`{3,})(?:\{(?P<directive>[\w-]+)\} *)?(?P<language>[\w:+-]*) *")
_OPTION = re.compile(r":(?P<key>[a-z]+): *(?P<value>.*)")
_ENDS = re.compile(r"# ends with (\d+)$")
_NAME = re.compile(r"(?P<path>\S+)(?: \((?P<how>[^)]*)\))?")


@dataclass(frozen=True)
class Block:
    """A fenced block.

    Attributes:
        language: What it is written in.
        text: What stands in it.
        line: The line at which it begins.
        options: Options of the directive: `caption`, `class`.
    """

    language: str
    text: str
    line: int
    options: Mapping[str, str]


def pages() -> list[Path]:
    """All pages, the README first; examples of reports are none."""
    return [
        ROOT / "README.md",
        *sorted(p for p in DOCS.rglob("*.md") if not {"_build", "examples"} & {*p.parts}),
    ]


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.split("\n")
    at = 0
    while at < len(lines):
        opened = _FENCE.fullmatch(lines[at].strip())
        at += 1
        if opened is None:
            continue
        begin, inside = at, list[str]()
        while lines[at].strip() != opened["marks"]:
            inside.append(lines[at])
            at += 1
        at += 1
        options = {}
        while inside and (found := _OPTION.fullmatch(inside[0].strip())):
            options[found["key"]] = found["value"]
            inside.pop(0)
        if options and inside and not inside[0].strip():
            inside.pop(0)
        if opened["directive"] not in (None, "code-block"):
            continue
        yield Block(opened["language"], "\n".join(inside) + "\n", begin, options)


def commands(console: str) -> Iterator[tuple[str, int, list[str]]]:
    """The commands of a console block: command, exit code, lines that its output must show."""
    lines = console.rstrip("\n").replace("\\\n", " ").split("\n")
    found: list[tuple[str, int, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            ends = _ENDS.search(line)
            command = line[2 : ends.start() if ends else None].strip()
            found.append((command, int(ends[1]) if ends else 0, []))
        elif line.strip():
            assert found, f"output without a command: {line}"
            found[-1][2].append(line)
    yield from found


def missing(output: str, expected: list[str]) -> str | None:
    """The first part of the expected lines that the output does not show in this order."""
    shown, at = " ".join(output.split()), 0
    for line in expected:
        for part in line.split("…"):
            wanted = " ".join(part.split())
            found = shown.find(wanted, at)
            if found < 0:
                return wanted
            at = found + len(wanted)
    return None


@dataclass
class Reader:
    """Somebody who does in a folder what a page says.

    Attributes:
        folder: The folder.
        slow: Whether to run what is marked as slow.
        names: What the page's Python has defined so far.
    """

    folder: Path
    slow: bool = False
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "page"})

    def do(self, block: Block) -> None:
        """Do what a block says.

        Errors:
            AssertionError: the block does not do what the page says.
        """
        if "slow" in block.options.get("class", "").split() and not self.slow:
            return
        if "caption" in block.options:
            self.write(block)
        elif block.language == "console":
            for command, ends, expected in commands(block.text):
                self.run(command, ends, expected)
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)
        elif block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, block.line)
            told = list[str]()
            failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append).failed
            assert not failed, "".join(told)
            self.names |= test.globs
        elif block.language == "toml":
            tomllib.loads(block.text)

    def run(self, command: str, ends: int, expected: list[str]) -> None:
        """Run a command and hold its exit code and output against the page."""
        code, output = self._shell(command)
        assert code == ends, f"$ {command}\nended with {code}, not {ends}:\n{output}"
        absent = missing(output, expected)
        assert absent is None, f"$ {command}\ndoes not show in this order: {absent!r}\n{output}"

    def _shell(self, command: str) -> tuple[int, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def write(self, block: Block) -> None:
        """Write a file, add to its end, or fill in entries of a `clauses.toml`."""
        name = _NAME.fullmatch(block.options["caption"])
        assert name is not None, f"the caption names no file: {block.options['caption']}"
        path = self.folder / name["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if name["how"] is None:
            path.write_text(block.text, encoding="utf-8")
        elif name["how"] == "at the end":
            path.write_text(path.read_text(encoding="utf-8") + "\n" + block.text, encoding="utf-8")
        else:
            assert name["how"] == "fill in", f"nobody knows how to {name['how']}"
            path.write_text(filled(path.read_text(encoding="utf-8"), block.text), encoding="utf-8")


def filled(clauses: str, block: str) -> str:
    """A `clauses.toml` with the lines of a block in place of those of the same clause and key."""
    for entry in re.split(r"(?m)^\[\[clause\]\]\n", block)[1:]:
        id = tomllib.loads(entry)["id"]
        before, mark, after = clauses.partition(f'id = "{id}"\n')
        assert mark, f"there is no clause {id}"
        there, more, rest = after.partition("\n[[clause]]\n")
        there = there.rstrip("\n") + "\n"
        for line in entry.strip().split("\n"):
            key = line.partition(" = ")[0]
            if key == "id" or (line.startswith("[") and line in there):
                continue
            old = re.search(rf"(?m)^{re.escape(key)} = .*\n", there)
            if old:
                there = there[: old.start()] + line + "\n" + there[old.end() :]
            else:
                head, bracket, words = there.partition("[clause.words]\n")
                at_words = key.startswith('"') or not bracket
                there = there + line + "\n" if at_words else f"{head}{line}\n{bracket}{words}"
        clauses = before + mark + there + more + rest
    return clauses
