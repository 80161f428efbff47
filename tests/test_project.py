"""The project's own files: one test command, links that lead somewhere, packages that are typed."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "tests" / "README.md"]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def commands(page: Path) -> list[str]:
    """The indented code lines of a page."""
    return re.findall(r"^    (\S.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_readme_has_two_commands_and_ci_runs_the_second() -> None:
    audit, tests = commands(ROOT / "README.md")[:2]
    assert re.fullmatch(
        r"python3 -m venv --clear (\S+) && \1/bin/pip install .* && \1/bin/ruleslawyer audit", audit
    )
    assert tests == "bash tests/run"
    assert f'\n{tests} "$temp/venv"\n' in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("script", [".ci/run", "tests/run"])
def test_scripts_may_be_run_and_stop_at_the_first_error(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    assert "\nset -euo pipefail\n" in (ROOT / script).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    records = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert re.findall(r"\]\((\d[^)]*)\)", (folder / "README.md").read_text(encoding="utf-8")) == records


def test_every_package_is_typed_and_in_the_wheel() -> None:
    packages = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["models", "properties", "solvers", "findings"]
    assert all((ROOT / package / "py.typed").is_file() for package in packages)


def test_the_generic_names_are_never_published() -> None:
    assert "Private :: Do Not Upload" in PYPROJECT["project"]["classifiers"]
