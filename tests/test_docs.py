"""The documentation does what it says: commands and snippets of every page are run (see tests/README.md)."""

from __future__ import annotations

import ast
import os
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from findings.cli import cli
from tests.docs_pages import DOCS, ROOT, Reader, blocks, commands, filled, missing, pages

PAGES = [str(p.relative_to(ROOT)) for p in pages()]
SLOW = os.environ.get("RULESLAWYER_DOCS") == "slow"
#: Pages whose Python only stands for itself: it is compiled, and what it imports must exist.
READ_ONLY = {"docs/how-to/fuzz.md", "docs/explanation/symbolic.md"}
INLINE = re.compile(r"`(ruleslawyer [^`]+)`")
INDENTED = re.compile(r"(?m)^(?: {4})?(ruleslawyer .+)$")


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    folder = tmp_path / "page"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("RULESLAWYER_CACHE", str(tmp_path / "cache"))
    return Reader(folder, SLOW)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, reader: Reader) -> None:
    for block in blocks((ROOT / page).read_text(encoding="utf-8")):
        if page in READ_ONLY and block.language == "python":
            exec(compile(_imports(block.text), page, "exec"), {})
        else:
            reader.do(block)


def _imports(text: str) -> ast.Module:
    parsed = ast.parse(text)
    kept: list[ast.stmt] = [n for n in parsed.body if isinstance(n, ast.Import | ast.ImportFrom)]
    return ast.Module(kept, [])


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_only_named_exist_with_their_options(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for command in [*INLINE.findall(text), *INDENTED.findall(text)]:
        known(command)


def known(command: str) -> None:
    words = shlex.split(command, comments=True)[1:]
    if words[0].startswith("-") or words[0].isupper():
        return
    assert words[0] in cli.commands, command
    options = {o for p in cli.commands[words[0]].params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
    for word in words[1:]:
        option = word.partition("=")[0].strip("[]…")
        assert not option.startswith("--") or option in options, f"{command}: there is no {option}"


def test_every_command_is_in_the_readme() -> None:
    named = set(re.findall(r"`ruleslawyer ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named >= set(cli.commands), sorted(set(cli.commands) - named)
    assert isinstance(cli, click.Group)


def test_links_between_pages_lead_somewhere() -> None:
    for page in pages():
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page}: {target}"


def test_every_page_is_in_the_contents() -> None:
    listed = {DOCS / "index.md"}
    for page in pages():
        for block in re.findall(r"(?ms)^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8")):
            for line in block.split("\n"):
                if line and not line.startswith(":"):
                    listed |= set(page.parent.glob(f"{line}.md"))
    missing_pages = {p for p in pages() if p.is_relative_to(DOCS)} - listed - {DOCS / "README.md"}
    assert not missing_pages


def test_rulebooks_of_the_pages_pass_a_strict_type_check(tmp_path: Path) -> None:
    from mypy import api

    written = []
    for page in pages():
        for n, block in enumerate(blocks(page.read_text(encoding="utf-8"))):
            if "models.language import" in block.text and "book = Rulebook(" in block.text:
                written.append(tmp_path / f"{page.stem.replace('-', '_')}_{n}.py")
                written[-1].write_text(block.text, encoding="utf-8")
    options = ["--strict", "--config-file", str(ROOT / "pyproject.toml")]
    told, wrong, code = api.run([*options, *map(str, written)])
    assert (told, wrong, code) == (f"Success: no issues found in {len(written)} source files\n", "", 0)
    assert len(written) >= 12


def test_the_package_of_the_page_is_found_by_its_entry_point(reader: Reader) -> None:
    """The page itself installs it, which takes a network; here its metadata is laid out by hand."""
    for block in blocks((DOCS / "how-to/packages.md").read_text(encoding="utf-8")):
        if "caption" in block.options:
            reader.write(block)
    project = tomllib.loads((reader.folder / "village/pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((group, entries),) = project["entry-points"].items()
    metadata = reader.folder / f"village/{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    told = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{told}", encoding="utf-8")
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    reader.run("PYTHONPATH=village ruleslawyer list", 0, ["votes"])
    reader.run("PYTHONPATH=village ruleslawyer audit votes --print-seconds 0", 1, ["RL104 tie  votes"])


def test_ci_builds_the_site_and_runs_the_tests_as_the_readme_does() -> None:
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert 'sphinx-build" -W' in ci
    assert "bash tests/run" in ci
    assert "    bash tests/run\n" in (ROOT / "README.md").read_text(encoding="utf-8")


# -- the reader itself ---------------------------------------------------------------------------------


def test_a_console_block_is_read_as_commands_with_their_output() -> None:
    text = "$ one --a \\\n    --b\nshown\n$ two   # ends with 2\n"
    assert list(commands(text)) == [("one --a      --b", 0, ["shown"]), ("two", 2, [])]


def test_expected_lines_must_come_in_order_with_white_space_folded() -> None:
    output = "one  two\n three\nfour"
    assert missing(output, ["one two three", "fo…r"]) is None
    assert missing(output, ["four", "three"]) == "three"
    assert missing(output, ["one … four"]) is None


def test_a_wrong_exit_code_and_a_line_that_is_not_shown_fail(reader: Reader) -> None:
    with pytest.raises(AssertionError, match="ended with 0, not 2"):
        reader.run("ruleslawyer explain RL101", 2, [])
    with pytest.raises(AssertionError, match="does not show in this order: 'unheard of'"):
        reader.run("ruleslawyer explain RL101", 0, ["RL101 … unheard of"])
    with pytest.raises(AssertionError, match="ended with 3, not 0"):
        reader.run("exit 3 ; true", 0, [])


def test_clauses_are_filled_in_by_id_and_key() -> None:
    second = '\n[[clause]]\nid = "a.2"\ntext = "to be said"\n'
    before = f'[[clause]]\nid = "a.1"\ntext = "to be said"\n[clause.words]\n"all" = "x"\n{second}'
    block = '[[clause]]\nid = "a.1"\nuncited = "u"\ntext = "said"\n[clause.words]\n"all" = "y"\n'
    assert filled(before, block) == (
        f'[[clause]]\nid = "a.1"\ntext = "said"\nuncited = "u"\n[clause.words]\n"all" = "y"\n{second}'
    )
